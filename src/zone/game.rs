//! The state of a game, its changes over time, and its replay.

use super::clock::{ClockState, Clocks, Moment};
use super::ending::{Ending, Reason};
use super::event::{Act, Actor, Effect, Event, Options, Refusal};
use super::input::{EnteredMove, smart_move};
use super::rules::{RuleSet, Rules};
use crate::chess::{
    Color, FIFTY_MOVES, FIVEFOLD, KeyHistory, Move, Position, SEVENTY_FIVE_MOVES, Square, THREEFOLD,
    Winnability,
};
use std::time::Duration;
use thiserror::Error;

/// The phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// At least one seat is free.
    Waiting,
    /// The game starts at this moment.
    Countdown(Moment),
    /// The game is in progress.
    Playing,
    /// An arbiter has stopped the clocks.
    Paused,
    /// The game is over.
    Over(Ending),
}

/// A seat of a player.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Seat {
    /// The name of the player; `None` if the seat is free.
    pub player: Option<String>,
    /// The name of the assistant who moves the pieces for the player.
    pub assistant: Option<String>,
    /// The options that the player has chosen.
    pub options: Options,
    /// The premoves, the next one first, which are hidden from the opponent.
    pub premoves: Vec<EnteredMove>,
    /// The moment at which the player disconnected; `None` if the player is connected.
    pub away_since: Option<Moment>,
}

/// A move that has been made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The position before the move.
    pub before: Position,
    /// The moment at which the move was made.
    pub at: Moment,
    /// The time that was charged for the move.
    pub spent: Duration,
    /// The times on the clocks after the move, White's first; `None` without a time limit.
    pub left: [Option<Duration>; Color::COUNT],
    pub(super) clocks: ClockState,
}

/// The answer to an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The changes in their order. Effects of the time before the event are included even if the event itself is
    /// refused.
    pub effects: Vec<Effect>,
    /// The reason why the event is refused; `None` if it is accepted.
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

/// The error of a journal whose events are not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("event {number}: {refusal}")]
pub struct ReplayError {
    /// The number of the event, counted from 1.
    pub number: usize,
    /// The reason why the event is refused.
    pub refusal: Refusal,
}

/// The number of plies after which the players can no longer abort.
pub(super) const MAX_ABORT_PLIES: usize = 2;

impl Game {
    /// Creates a game from this position, with both seats free.
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

    /// Replays the events of a journal.
    ///
    /// # Errors
    /// [`ReplayError`] if an event is not possible.
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

    /// Submits an event. If its time is earlier than the time of the latest event, it counts as simultaneous. Events of
    /// the zone itself come only from [`Game::advance`].
    ///
    /// A flag that has fallen earlier is processed first; if it falls at the moment of the event, the event is
    /// processed first.
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

    /// Processes the events of the zone that are due until now: the start of the game, and the fall of a flag.
    pub fn advance(&mut self, at: Moment) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some((moment, act)) = self.next_due().filter(|(moment, _)| *moment <= at) {
            let Ok(more) = self.record(Event { at: moment, by: Actor::Zone, act }) else { break };
            effects.extend(more);
        }
        effects
    }

    /// The moment at which [`Game::advance`] is needed next.
    pub fn next_deadline(&self) -> Option<Moment> {
        self.next_due().map(|(moment, _)| moment)
    }

    /// The first moment after `after` at which the time alone gives a player a new right: to claim a game that the
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

    /// The event of the zone that is processed before an event at this time.
    fn due(&self, at: Moment) -> Option<Event> {
        let (moment, act) = self.next_due()?;
        let comes_first = moment < at || moment == at && act == Act::Begin;
        comes_first.then_some(Event { at: moment, by: Actor::Zone, act })
    }

    /// Applies an event and appends it to the journal, unless it is refused.
    fn record(&mut self, event: Event) -> Result<Vec<Effect>, Refusal> {
        let effects = self.take(&event)?;
        self.now = event.at;
        self.journal.push(event);
        Ok(effects)
    }

    /// A copy with an empty journal, to try acts: copying the journal of a long game would take most of the time.
    pub fn trial(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            position: self.position,
            history: self.history.clone(),
            plies: self.plies.clone(),
            seats: self.seats.clone(),
            clocks: self.clocks.clone(),
            phase: self.phase,
            draw_offer: self.draw_offer,
            takeback_offer: self.takeback_offer,
            now: self.now,
            journal: Vec::new(),
        }
    }

    /// The number of moves that a side has made.
    pub fn moves_of(&self, side: Color) -> usize {
        self.plies.iter().filter(|ply| ply.before.turn() == side).count()
    }

    /// The rules of the game.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position on the board.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The phase of the game.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The ending of the game; `None` if it is not over.
    pub const fn ending(&self) -> Option<Ending> {
        match self.phase {
            Phase::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// The moves of the game, with their times.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The clocks.
    pub const fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The seat of a player.
    pub const fn seat(&self, color: Color) -> &Seat {
        &self.seats[color as usize]
    }

    /// The player who has offered a draw.
    pub const fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// The player who has asked to take back a move.
    pub const fn takeback_offer(&self) -> Option<Color> {
        self.takeback_offer
    }

    /// All accepted events.
    pub fn journal(&self) -> &[Event] {
        &self.journal
    }

    /// The legal moves of the side to move; empty unless the game is in progress.
    pub fn legal_moves(&self) -> Vec<EnteredMove> {
        match self.phase {
            Phase::Playing => self.position.legal_moves().into_iter().map(EnteredMove::from).collect(),
            _ => Vec::new(),
        }
    }

    /// The move that a single square states, if the player has enabled this option and only one legal move involves the
    /// square.
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

    /// The ending by the position on the board, if there is one. Of several endings, the first in the order below
    /// applies.
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

    /// The ending when this side has resigned or run out of time: a draw if the opponent cannot checkmate.
    pub(super) fn lost_by(&self, loser: Color, lost: Reason, drawn: Reason) -> Ending {
        match self.position.can_checkmate(!loser) {
            Winnability::Unwinnable => Ending::draw(drawn),
            Winnability::Winnable(_) | Winnability::Undetermined => Ending::win(!loser, lost),
        }
    }
}
