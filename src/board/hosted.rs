//! The game of the zone together with its tokens and its presentation.

use super::failure::Failure;
use super::saved::{Head, KeyRole, Record, SavedGame, SavedKey, SavedRematch, SeatKind, Summary};
use super::token::{Fingerprint, GameId, Token};
use super::words;
use crate::chess::{Color, Position};
use crate::notation::{CastlingStyle, Fen, San, UciMove, position_from_fen};
use crate::zone::{Act, Actor, Answer, Effect, Event, Game, Moment, Phase, Refusal};
use once_cell::sync::OnceCell;
use serde::Serialize;
use std::sync::Arc;

/// The maximum number of private events of each player; far more than in any real game.
const MAX_PRIVATE: usize = 5_000;
/// The maximum number of other events of each player that could be repeated without end. Moves, answers, and endings of
/// the game are never limited, so that no player can keep the opponent from acting.
const MAX_REPEATED: usize = 5_000;
/// The maximum number of sentences that are kept.
const MAX_SENTENCES: usize = 50;

/// A move in the form in which it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct ShownPly {
    /// The move in UCI notation.
    pub(super) uci: String,
    /// The move in SAN.
    pub(super) san: String,
    /// The position after the move, as FEN.
    pub(super) fen: String,
    /// The time that was charged for the move, in milliseconds.
    pub(super) spent_ms: u64,
    /// White's clock after the move, in milliseconds.
    pub(super) white_ms: Option<u64>,
    /// Black's clock after the move, in milliseconds.
    pub(super) black_ms: Option<u64>,
}

/// A sentence about an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Sentence {
    /// The sentence.
    pub(super) text: String,
    /// The time of the event, in milliseconds since the creation of the game.
    pub(super) at_ms: u64,
    /// The only player who may see it; `None` if it is public.
    #[serde(skip)]
    pub(super) private_to: Option<Color>,
}

/// The rights of the holder of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// Acting in this role.
    Actor(Actor),
    /// Taking this seat.
    Invited(Color),
    /// Only watching: the invitation has been used by another client.
    TooLate,
}

impl Standing {
    /// The role that determines what is visible.
    pub(super) const fn actor(self) -> Actor {
        match self {
            Self::Actor(actor) => actor,
            Self::Invited(color) => Actor::player(color),
            Self::TooLate => Actor::Spectator,
        }
    }
}

/// A game in its current state.
#[derive(Clone, Debug)]
pub(super) struct HostedGame {
    /// The identifier.
    pub(super) id: GameId,
    /// The time of the server's clock at its creation, in milliseconds.
    pub(super) created_ms: u64,
    /// The time of its creation, in milliseconds since 1970.
    pub(super) created_unix_ms: u64,
    /// The properties that are fixed at its creation.
    pub(super) head: Arc<Head>,
    /// The game of the zone.
    pub(super) game: Game,
    /// The initial position.
    pub(super) start: Position,
    /// The moves in the form in which they are shown.
    pub(super) plies: Vec<Arc<ShownPly>>,
    /// Sentences about the latest events, oldest first.
    pub(super) sentences: Vec<Arc<Sentence>>,
    /// Its tokens.
    pub(super) keys: Vec<SavedKey>,
    /// The rematch or its offer.
    pub(super) rematch: Option<SavedRematch>,
    /// The number of notices to clients without an event: time has made an act available, or the number of spectators
    /// has changed.
    pub(super) notices: u64,
    /// The number of spectators.
    pub(super) spectators: usize,
    /// The counts of events.
    counted: Counted,
    /// The game as spectators see it.
    delayed: DelayedGame,
}

/// The number of events that have been counted, and the numbers of private and of repeatable events of each player.
#[derive(Clone, Copy, Default, Debug)]
struct Counted {
    events: usize,
    private: [usize; Color::COUNT],
    repeated: [usize; Color::COUNT],
}

/// The properties by which a viewer can distinguish a state from the previous one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct News {
    version: usize,
    private: usize,
    notices: u64,
}

/// The delayed game, computed once for all spectators. Clones start without it, since only clones of a game are
/// changed.
#[derive(Default, Debug)]
struct DelayedGame(OnceCell<Option<Box<HostedGame>>>);

impl Clone for DelayedGame {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl HostedGame {
    /// A new game without events.
    ///
    /// # Errors
    /// [`Failure`] if the initial position is invalid.
    pub(super) fn new(saved: &SavedGame) -> Result<Self, Failure> {
        let start = position_from_fen(&saved.head.start)
            .map_err(|error| Failure::bad("bad_start", format!("the initial position: {error}")))?;
        Ok(Self {
            id: saved.id.clone(),
            created_ms: saved.created_ms,
            created_unix_ms: saved.created_unix_ms,
            game: Game::new(start, saved.head.rules.clone()),
            head: Arc::new(saved.head.clone()),
            start,
            plies: Vec::new(),
            sentences: Vec::new(),
            keys: saved.keys.clone(),
            rematch: saved.rematch.clone(),
            notices: 0,
            spectators: 0,
            counted: Counted::default(),
            delayed: DelayedGame::default(),
        })
    }

    /// Restores a game by replaying its journal.
    ///
    /// # Errors
    /// [`Failure`] if the journal is not consistent with the rules.
    pub(super) fn restore(saved: &SavedGame) -> Result<Self, Failure> {
        let damaged = || Failure::not_saved("the journal of the game is damaged");
        let mut hosted = Self::new(saved)?;
        let refusal = hosted.replay(&saved.record.events);
        let is_same = refusal.is_none() && hosted.game.journal() == saved.record.events;
        if is_same { Ok(hosted) } else { Err(damaged()) }
    }

    /// Converts a time of the server's clock to a moment of the game.
    pub(super) fn moment(&self, now_ms: u64) -> Moment {
        Moment::from_millis(now_ms.saturating_sub(self.created_ms))
    }

    /// The time of the server's clock at the last event, in milliseconds.
    pub(super) fn last_ms(&self) -> u64 {
        let last = self.game.journal().last().map_or(0, |event| event.at.millis());
        self.created_ms.saturating_add(last)
    }

    /// The time of the server's clock at which the zone acts by itself, in milliseconds.
    pub(super) fn deadline_ms(&self) -> Option<u64> {
        self.game.next_deadline().map(|moment| self.created_ms.saturating_add(moment.millis()))
    }

    /// The next time of the server's clock, later than `after_ms`, at which time makes an act available to a player.
    pub(super) fn right_ms(&self, after_ms: u64) -> Option<u64> {
        let moment = self.game.next_right(self.moment(after_ms));
        moment.map(|moment| self.created_ms.saturating_add(moment.millis()))
    }

    /// A number that increases with every public change. Private events, such as premoves and options, do not change
    /// it, so that it reveals nothing to the opponent.
    pub(super) fn version(&self) -> usize {
        let rematch = match self.rematch {
            None => 0,
            Some(SavedRematch::WhiteOffers | SavedRematch::BlackOffers) => 1,
            Some(SavedRematch::Made(_)) => 2,
        };
        self.game.journal().len() - self.counted.private.iter().sum::<usize>() + rematch
    }

    /// The part of the state that a viewer with this standing can distinguish.
    pub(super) fn news(&self, standing: Standing) -> News {
        let own = words::side_of(standing.actor());
        let private = own.map_or(0, |color| self.counted.private[color as usize]);
        News { version: self.version(), private, notices: self.notices }
    }

    /// Whether there is nothing to write in addition to an earlier state of the same game.
    pub(super) fn is_as_written(&self, earlier: &Self) -> bool {
        self.game.journal().len() == earlier.game.journal().len() && self.rematch == earlier.rematch
    }

    /// The rights of the holder of a token; without one, the rights of a spectator.
    ///
    /// # Errors
    /// [`Failure`] if the token does not belong to this game.
    pub(super) fn standing(&self, token: Option<Fingerprint>) -> Result<Standing, Failure> {
        let Some(token) = token else { return Ok(Standing::Actor(Actor::Spectator)) };
        // All tokens are compared, so that the time reveals nothing.
        let found = self
            .keys
            .iter()
            .fold(None, |found, key| if key.fingerprint.is_that_of(&token) { Some(key.role) } else { found });
        match found {
            Some(KeyRole::Actor(actor)) => Ok(Standing::Actor(actor)),
            Some(KeyRole::WhiteInvitation) => Ok(Standing::Invited(Color::White)),
            Some(KeyRole::BlackInvitation) => Ok(Standing::Invited(Color::Black)),
            Some(KeyRole::UsedInvitation) => Ok(Standing::TooLate),
            None => Err(Failure::unauthorized("this is not a token of this game")),
        }
    }

    /// The game as spectators see it: without its latest moves, if there is a delay and the game is not over. `None` if
    /// they see the current game.
    pub(super) fn delayed(&self) -> Option<&Self> {
        self.delayed.0.get_or_init(|| self.before_latest_moves().map(Box::new)).as_deref()
    }

    fn before_latest_moves(&self) -> Option<Self> {
        let delay = usize::from(self.head.spectator_delay);
        if delay == 0 || self.game.ending().is_some() {
            return None;
        }
        let shown = self.plies.len().saturating_sub(delay);
        let mut then = Self {
            game: Game::new(self.start, self.head.rules.clone()),
            plies: Vec::new(),
            sentences: Vec::new(),
            counted: Counted::default(),
            ..self.clone()
        };
        // Moves may have been taken back, so the last state with at most this many moves counts.
        let journal = self.game.journal();
        let mut trial = then.game.clone();
        let mut known = 0;
        for (index, event) in journal.iter().enumerate() {
            match event.by {
                Actor::Zone => drop(trial.advance(event.at)),
                _ => drop(trial.submit(event.clone())),
            }
            if trial.plies().len() <= shown {
                known = index + 1;
            }
        }
        then.replay(&journal[..known]);
        Some(then)
    }

    /// Replays events; returns the first refusal.
    fn replay(&mut self, events: &[Event]) -> Option<Refusal> {
        events.iter().find_map(|event| {
            if event.by == Actor::Zone {
                self.advance(event.at);
                None
            } else {
                self.apply(event.clone())
            }
        })
    }

    /// The notation of castling.
    pub(super) fn castling_style(&self) -> CastlingStyle {
        if self.head.is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }

    /// The initial position as it is sent to engines.
    pub(super) fn start_fen(&self) -> String {
        let fen = Fen::new(&self.start);
        if self.head.is_chess960 { fen.shredder().to_string() } else { fen.to_string() }
    }

    /// Whether an engine has this seat.
    pub(super) fn is_engine(&self, color: Color) -> bool {
        matches!(self.head.seats[color as usize], SeatKind::Engine(_))
    }

    /// The name of the phase.
    pub(super) const fn phase_name(&self) -> &'static str {
        match self.game.phase() {
            Phase::Waiting => "waiting",
            Phase::Countdown(_) => "countdown",
            Phase::Playing => "playing",
            Phase::Paused => "paused",
            Phase::Over(_) => super::saved::OVER,
        }
    }

    /// The summary of the game.
    pub(super) fn summary(&self) -> Summary {
        let player = |color| self.game.seat(color).player.clone();
        Summary {
            id: self.id.as_str().to_owned(),
            white: player(Color::White),
            black: player(Color::Black),
            time_control: self.game.rules().time_control.to_string(),
            phase: self.phase_name().to_owned(),
            result: self.game.ending().map_or("*", |ending| ending.result()).to_owned(),
            plies: self.plies.len(),
            created: self.created_unix_ms,
        }
    }

    /// The changes since the first `first` events were written.
    pub(super) fn record(&self, first: usize, at_ms: u64) -> Record {
        let events = self.game.journal().get(first..).unwrap_or_default().to_vec();
        Record { first, events, summary: self.summary(), at_ms, ..Record::default() }
    }

    /// Advances the time: a countdown ends, or a flag falls.
    pub(super) fn advance(&mut self, at: Moment) {
        let effects = self.game.advance(at);
        self.note(&effects, at);
    }

    /// Submits an event; returns the reason if it is refused. An event that changes nothing is accepted and not
    /// recorded.
    pub(super) fn submit(&mut self, event: Event) -> Option<Refusal> {
        if self.game.is_without_effect(&event) {
            return None;
        }
        if !self.is_within_limits(&event) {
            return Some(Refusal::TooOften);
        }
        self.apply(event)
    }

    /// Whether a player has not yet repeated such an act too often. A claim that ends the game is always possible, and
    /// so is canceling premoves.
    fn is_within_limits(&self, event: &Event) -> bool {
        let Some(color) = words::side_of(event.by) else { return true };
        let has_repeated = self.counted.repeated[color as usize] >= MAX_REPEATED;
        match &event.act {
            Act::CancelPremove => true,
            act if act.is_private() => self.counted.private[color as usize] < MAX_PRIVATE,
            Act::ClaimDraw { .. } if has_repeated => {
                let mut trial = self.game.trial();
                trial.submit(event.clone());
                trial.ending().is_some()
            }
            act => !(has_repeated && act.is_repeatable()),
        }
    }

    /// Submits an event without limits, as in a replay.
    fn apply(&mut self, event: Event) -> Option<Refusal> {
        let at = event.at;
        let Answer { effects, refusal } = self.game.submit(event);
        self.note(&effects, at);
        refusal
    }

    /// Marks all persons at the board as away.
    pub(super) fn leave_all(&mut self, at: Moment) {
        for color in Color::ALL {
            if !self.is_engine(color) && self.game.seat(color).away_since.is_none() {
                // Refused if the seat is empty, or the game is over.
                let _ = self.submit(Event { at, by: Actor::player(color), act: Act::Disconnect });
            }
        }
    }

    /// Seats a player, and creates a token for the seat. The invitation cannot be used again.
    ///
    /// # Errors
    /// [`Failure`] if it is refused, or the system provides no random numbers.
    pub(super) fn sit(
        &mut self,
        invitation: Fingerprint,
        color: Color,
        name: String,
        at: Moment,
    ) -> Result<(Token, Vec<SavedKey>), Failure> {
        let token = Token::random().map_err(|error| Failure::busy(error.to_string()))?;
        if let Some(refusal) = self.submit(Event { at, by: Actor::player(color), act: Act::Sit { name } }) {
            return Err(refused(refusal));
        }
        let changed = vec![
            SavedKey { fingerprint: invitation, role: KeyRole::UsedInvitation },
            SavedKey { fingerprint: token.fingerprint(), role: KeyRole::Actor(Actor::player(color)) },
        ];
        self.keys.retain(|key| !key.fingerprint.is_that_of(&invitation));
        self.keys.extend(&changed);
        Ok((token, changed))
    }

    /// Updates moves, sentences and counts after events.
    fn note(&mut self, effects: &[Effect], at: Moment) {
        let journal = self.game.journal();
        for event in &journal[self.counted.events..] {
            let Some(color) = words::side_of(event.by) else { continue };
            self.counted.private[color as usize] += usize::from(event.act.is_private());
            self.counted.repeated[color as usize] += usize::from(event.act.is_repeatable());
        }
        self.counted.events = journal.len();
        self.plies.truncate(self.game.plies().len());
        let known = self.plies.len();
        for index in known..self.game.plies().len() {
            self.plies.push(Arc::new(self.shown(index)));
        }
        let mut moves = self.plies[known..].iter().map(|ply| ply.san.clone()).collect::<Vec<_>>().into_iter();
        for effect in effects {
            let san = if matches!(effect, Effect::Moved { .. }) { moves.next() } else { None };
            let is_arrival = match effect {
                Effect::Away { .. } => at == Moment::START,
                Effect::Back { side } => !self.has_left(*side),
                _ => false,
            };
            if is_arrival {
                continue;
            }
            if let Some(text) = words::sentence(effect, san.as_deref()) {
                let private_to = effect.private_to();
                self.sentences.push(Arc::new(Sentence { text, at_ms: at.millis(), private_to }));
            }
        }
        let surplus = self.sentences.len().saturating_sub(MAX_SENTENCES);
        self.sentences.drain(..surplus);
    }

    /// Whether a player has gone away after the start; until then, the player has not arrived.
    fn has_left(&self, side: Color) -> bool {
        let is_departure = |event: &Event| event.by == Actor::player(side) && event.act == Act::Disconnect;
        self.game.journal().iter().any(|event| is_departure(event) && event.at > Moment::START)
    }

    fn shown(&self, index: usize) -> ShownPly {
        let plies = self.game.plies();
        let ply = &plies[index];
        let after = plies.get(index + 1).map_or(*self.game.position(), |next| next.before);
        let millis = |time| super::clock::millis(time);
        ShownPly {
            uci: UciMove::new(ply.mv, self.castling_style()).to_string(),
            san: San::new(&ply.before, ply.mv).to_string(),
            fen: Fen::new(&after).to_string(),
            spent_ms: millis(ply.spent),
            white_ms: ply.left[Color::White as usize].map(millis),
            black_ms: ply.left[Color::Black as usize].map(millis),
        }
    }
}

/// Converts a refusal of the zone.
pub(super) fn refused(refusal: Refusal) -> Failure {
    Failure::conflict(words::refusal_code(refusal), refusal.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zone::{Cause, Options, RuleSet, Rules};

    fn hosted(set: RuleSet) -> HostedGame {
        let time_control = "300".parse().expect("a time control");
        let rules = Rules { set, time_control, casual: true, ..Rules::default() };
        let saved = SavedGame {
            id: GameId::random().expect("random numbers"),
            created_ms: 0,
            created_unix_ms: 0,
            head: Head {
                start: Fen::new(&Position::start()).shredder().to_string(),
                is_chess960: false,
                rules,
                seats: [SeatKind::Person, SeatKind::Person],
                spectator_delay: 0,
                tournament: None,
            },
            keys: Vec::new(),
            rematch: None,
            record: Record::default(),
        };
        let mut hosted = HostedGame::new(&saved).expect("a position");
        for (by, name) in [(Actor::White, "Ann"), (Actor::Black, "Bob")] {
            assert_eq!(does(&mut hosted, by, Act::Sit { name: name.to_owned() }), None);
        }
        hosted
    }

    fn does(hosted: &mut HostedGame, by: Actor, act: Act) -> Option<Refusal> {
        hosted.submit(Event { at: Moment::START, by, act })
    }

    fn choose(premove: bool) -> Act {
        Act::Choose { options: Options { premove, ..Options::default() } }
    }

    fn mv(text: &str) -> Act {
        Act::Move { mv: text.parse().expect("a move") }
    }

    #[test]
    fn what_changes_nothing_is_not_recorded() {
        let mut hosted = hosted(RuleSet::Online);
        let entered = "e7e5".parse().expect("a move");
        let acts = [
            Act::Connect,
            choose(true),
            Act::Premove { mv: entered, add: false },
            Act::CancelPremove,
            Act::Disconnect,
        ];
        let mut sizes = vec![hosted.game.journal().len()];
        for act in acts {
            for _ in 0..3 {
                assert_eq!(does(&mut hosted, Actor::Black, act.clone()), None, "{act:?}");
            }
            sizes.push(hosted.game.journal().len());
        }
        let begin = sizes[0];
        assert_eq!(sizes, [0, 0, 1, 2, 3, 4].map(|more| begin + more));
        assert_eq!(does(&mut hosted, Actor::BlackAssistant, Act::CancelPremove), Some(Refusal::NotYours));
        assert_eq!(does(&mut hosted, Actor::White, Act::Resign), None);
        assert_eq!(does(&mut hosted, Actor::Black, Act::CancelPremove), Some(Refusal::Over));
    }

    #[test]
    fn no_player_keeps_the_other_from_acting() {
        let mut hosted = hosted(RuleSet::Otb);
        let mut refused = Vec::new();
        for number in 0..3 * MAX_PRIVATE.max(MAX_REPEATED) {
            for act in [choose(number % 2 == 0), Act::GiveTime, Act::Disconnect, Act::Connect] {
                refused.extend(does(&mut hosted, Actor::White, act));
            }
        }
        assert!(refused.iter().all(|&refusal| refusal == Refusal::TooOften));
        let premove = hosted.game.seat(Color::White).options.premove;
        for act in [choose(!premove), Act::GiveTime, Act::OfferDraw, Act::ClaimDraw { mv: None }] {
            assert_eq!(does(&mut hosted, Actor::White, act.clone()), Some(Refusal::TooOften), "{act:?}");
        }
        assert!(hosted.game.journal().len() < 4 * MAX_PRIVATE.max(MAX_REPEATED));
        // The opponent, the arbiter and the moves are not concerned.
        assert_eq!(does(&mut hosted, Actor::White, mv("g1f3")), None);
        for act in [choose(true), mv("g8f6"), Act::OfferDraw] {
            assert_eq!(does(&mut hosted, Actor::Black, act), None);
        }
        assert_eq!(does(&mut hosted, Actor::Arbiter, Act::Pause), None);
        assert_eq!(does(&mut hosted, Actor::Arbiter, Act::Resume), None);
        for text in ["f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"] {
            let by = Actor::player(hosted.game.position().turn());
            assert_eq!(does(&mut hosted, by, mv(text)), None, "{text}");
        }
        // A claim that is correct is always possible, and so are resigning and the arbiter's decision.
        let decided = Act::Adjudicate { winner: None, cause: Cause::Adjudication };
        let endings = [
            (Actor::White, Act::ClaimDraw { mv: None }),
            (Actor::White, Act::Resign),
            (Actor::Arbiter, decided),
        ];
        for (by, act) in endings {
            let mut ended = hosted.clone();
            assert_eq!(does(&mut ended, by, act.clone()), None, "{act:?}");
            assert!(ended.game.ending().is_some(), "{act:?}");
        }
    }

    #[test]
    fn a_journal_with_more_than_is_accepted_now_is_restored() {
        let mut hosted = hosted(RuleSet::Online);
        for _ in 0..2 * MAX_PRIVATE {
            hosted.apply(Event { at: Moment::START, by: Actor::White, act: choose(true) });
        }
        let saved = SavedGame {
            id: hosted.id.clone(),
            created_ms: 0,
            created_unix_ms: 0,
            head: Head::clone(&hosted.head),
            keys: Vec::new(),
            rematch: None,
            record: hosted.record(0, 0),
        };
        let restored = HostedGame::restore(&saved).ok();
        assert_eq!(restored.map(|game| game.game.journal().len()), Some(hosted.game.journal().len()));
    }
}
