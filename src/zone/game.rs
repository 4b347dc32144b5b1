//! A game: its state, how time changes it, and how it is set up again.

use super::clock::{ClockState, Clocks, Moment};
use super::ending::{Ending, Reason};
use super::event::{Act, Actor, Effect, Event, Options, Refusal};
use super::input::{EnteredMove, smart_move};
use super::rules::{RuleSet, Rules};
use crate::chess::{Color, FIFTY_MOVES, KeyHistory, Move, Position, SEVENTY_FIVE_MOVES, Square, Verdict};
use std::time::Duration;
use thiserror::Error;

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A seat is free.
    Waiting,
    /// It begins at this moment.
    Countdown(Moment),
    /// It is played.
    Playing,
    /// An arbiter has stopped the clocks.
    Paused,
    /// It is over.
    Over(Ending),
}

/// A place at the board.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Seat {
    /// The player.
    pub player: Option<String>,
    /// Who moves the pieces for the player.
    pub assistant: Option<String>,
    /// What the player has switched on.
    pub options: Options,
    /// The answers to the opponent's next moves, the next one first. The opponent must not be told.
    pub premoves: Vec<EnteredMove>,
    /// Since when the player is gone.
    pub away_since: Option<Moment>,
}

/// A move that has been made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The position before it.
    pub before: Position,
    /// When it was made.
    pub at: Moment,
    /// The time that was charged for it.
    pub spent: Duration,
    /// What the clocks showed after it, White's first; `None` without a limit of time.
    pub left: [Option<Duration>; Color::COUNT],
    pub(super) clocks: ClockState,
}

/// What has come of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What has changed, in order. A time may have come before the event, so that there is something even if the event
    /// itself is refused.
    pub effects: Vec<Effect>,
    /// Why the event is refused; `None` if it is not.
    pub refusal: Option<Refusal>,
}

/// A game between two players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub(super) rules: Rules,
    pub(super) position: Position,
    pub(super) history: KeyHistory,
    pub(super) plies: Vec<Ply>,
    pub(super) seats: [Seat; Color::COUNT],
    pub(super) clocks: Clocks,
    pub(super) phase: Phase,
    pub(super) draw_offer: Option<Color>,
    pub(super) takeback_offer: Option<Color>,
    /// The time of the latest event.
    now: Moment,
    journal: Vec<Event>,
}

/// A journal that is not that of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("event {number}: {refusal}")]
pub struct ReplayError {
    /// The event, counted from 1.
    pub number: usize,
    /// Why it cannot have happened.
    pub refusal: Refusal,
}

/// Occurrences of a position, the first one included, after which a game is drawn or may be claimed.
pub(super) const THREEFOLD: usize = 3;
const FIVEFOLD: usize = 5;
/// Moves of both sides after which the players can no longer abort.
pub(super) const MAX_ABORT_PLIES: usize = 2;

impl Game {
    /// A game from this position, with both seats free.
    pub fn new(start: Position, rules: Rules) -> Self {
        Self {
            clocks: Clocks::new(rules.time_control.clone()),
            rules,
            position: start,
            history: KeyHistory::new(&start),
            plies: Vec::new(),
            seats: Default::default(),
            phase: Phase::Waiting,
            draw_offer: None,
            takeback_offer: None,
            now: Moment::START,
            journal: Vec::new(),
        }
    }

    /// The game of a journal.
    ///
    /// # Errors
    /// [`ReplayError`] if an event cannot have happened.
    pub fn replay(start: Position, rules: Rules, events: &[Event]) -> Result<Self, ReplayError> {
        let mut game = Self::new(start, rules);
        for (index, event) in events.iter().enumerate() {
            let error = |refusal| ReplayError { number: index + 1, refusal };
            if event.at < game.now || event.by != Actor::Zone && game.due(event.at).is_some() {
                return Err(error(Refusal::TooLate));
            }
            game.record(event.clone()).map_err(error)?;
        }
        Ok(game)
    }

    /// Takes an event. A time before that of the latest event counts as that of the latest event. Events of the zone
    /// itself come from [`Game::advance`] only.
    ///
    /// A flag that has fallen before comes first; if it falls at the very moment of the event, the event does.
    pub fn submit(&mut self, event: Event) -> Answer {
        let event = Event { at: event.at.max(self.now), ..event };
        let mut effects = Vec::new();
        while let Some(due) = self.due(event.at) {
            let Ok(more) = self.record(due) else { break };
            effects.extend(more);
        }
        let taken = if event.by == Actor::Zone { Err(Refusal::NotYours) } else { self.record(event) };
        match taken {
            Ok(more) => {
                effects.extend(more);
                Answer { effects, refusal: None }
            }
            Err(refusal) => Answer { effects, refusal: Some(refusal) },
        }
    }

    /// Does what is to be done by itself until now: the game begins, a flag falls.
    pub fn advance(&mut self, at: Moment) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some((moment, act)) = self.next_due().filter(|(moment, _)| *moment <= at) {
            let Ok(more) = self.record(Event { at: moment, by: Actor::Zone, act }) else { break };
            effects.extend(more);
        }
        effects
    }

    /// When [`Game::advance`] has something to do next.
    pub fn next_deadline(&self) -> Option<Moment> {
        self.next_due().map(|(moment, _)| moment)
    }

    /// When a player may do something after this moment that only the passing of time allows: claim a game that the
    /// opponent has left.
    pub fn next_right(&self, after: Moment) -> Option<Moment> {
        let limit = self.rules.abandonment.filter(|_| self.phase == Phase::Playing)?;
        let rights = self.seats.iter().filter_map(|seat| Some(seat.away_since?.after(limit)));
        rights.filter(|&moment| moment > after).min()
    }

    fn next_due(&self) -> Option<(Moment, Act)> {
        let (moment, act) = match self.phase {
            Phase::Countdown(start) => (start, Act::Begin),
            Phase::Playing => (self.clocks.deadline()?, Act::Flag),
            Phase::Waiting | Phase::Paused | Phase::Over(_) => return None,
        };
        Some((moment.max(self.now), act))
    }

    /// What comes before an event of this time.
    fn due(&self, at: Moment) -> Option<Event> {
        let (moment, act) = self.next_due()?;
        let comes_first = moment < at || moment == at && act == Act::Begin;
        comes_first.then_some(Event { at: moment, by: Actor::Zone, act })
    }

    /// Takes an event into the journal, unless it is refused.
    fn record(&mut self, event: Event) -> Result<Vec<Effect>, Refusal> {
        let effects = self.take(&event)?;
        self.now = event.at;
        self.journal.push(event);
        Ok(effects)
    }

    /// The rules that were fixed before.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position on the board.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How far the game is.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// How it has ended; `None` if it has not.
    pub const fn ending(&self) -> Option<Ending> {
        match self.phase {
            Phase::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// The moves made, with the times after each.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The clocks.
    pub const fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// A player's seat.
    pub const fn seat(&self, color: Color) -> &Seat {
        &self.seats[color as usize]
    }

    /// Who offers a draw.
    pub const fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// Who asks to take a move back.
    pub const fn takeback_offer(&self) -> Option<Color> {
        self.takeback_offer
    }

    /// Every event that was not refused.
    pub fn journal(&self) -> &[Event] {
        &self.journal
    }

    /// The legal moves of the side to move, as they may be entered; none unless the game is played.
    pub fn legal_moves(&self) -> Vec<EnteredMove> {
        match self.phase {
            Phase::Playing => self.position.legal_moves().into_iter().map(EnteredMove::from).collect(),
            _ => Vec::new(),
        }
    }

    /// The move that a player means by a single square, if that option is switched on and only one move involves it.
    pub fn smart_move(&self, color: Color, square: Square) -> Option<EnteredMove> {
        let options = self.seats[color].options;
        let is_possible = options.smart_move && self.phase == Phase::Playing && self.position.turn() == color;
        let mv = is_possible.then(|| smart_move(&self.position, square, options.auto_queen)).flatten();
        mv.map(EnteredMove::from)
    }

    /// Ends the game.
    pub(super) fn end(&mut self, ending: Ending, at: Moment) -> Effect {
        self.clocks.stop(at);
        self.draw_offer = None;
        self.takeback_offer = None;
        for seat in &mut self.seats {
            seat.premoves.clear();
        }
        self.phase = Phase::Over(ending);
        Effect::Ended { ending }
    }

    /// How the game ends by the position on the board, if it does. Of several endings that of the first rule counts.
    pub(super) fn judge(&self) -> Option<Ending> {
        let position = &self.position;
        if !position.has_legal_moves() {
            let mate = Ending::win(!position.turn(), Reason::Checkmate);
            return Some(if position.is_check() { mate } else { Ending::draw(Reason::Stalemate) });
        }
        let (times, clock) = (self.history.repetitions(position) + 1, position.halfmove_clock());
        let drawn = match self.rules.set {
            _ if position.is_dead() => Reason::DeadPosition,
            RuleSet::Online if times >= THREEFOLD => Reason::ThreefoldRepetition,
            RuleSet::Online if clock >= FIFTY_MOVES => Reason::FiftyMoves,
            RuleSet::Otb if times >= FIVEFOLD => Reason::FivefoldRepetition,
            RuleSet::Otb if clock >= SEVENTY_FIVE_MOVES => Reason::SeventyFiveMoves,
            _ => return None,
        };
        Some(Ending::draw(drawn))
    }

    /// How the game ends when this side has given up or run out of time: not lost if the opponent cannot mate.
    pub(super) fn lost_by(&self, loser: Color, lost: Reason, drawn: Reason) -> Ending {
        match self.position.can_checkmate(!loser) {
            Verdict::No => Ending::draw(drawn),
            Verdict::Yes(_) | Verdict::Undecided => Ending::win(!loser, lost),
        }
    }
}
