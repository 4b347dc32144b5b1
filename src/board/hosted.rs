//! A game as the server has it: the game of the zone, and who may do what in it.

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

/// The most events of a game: nobody who plays has so many.
const MAX_EVENTS: usize = 20_000;
/// The most sentences about what has happened that are kept.
const MAX_SENTENCES: usize = 50;

/// A move as it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct ShownPly {
    /// In the notation of UCI.
    pub(super) uci: String,
    /// In standard algebraic notation.
    pub(super) san: String,
    /// The position after it.
    pub(super) fen: String,
    /// The time that was charged for it.
    pub(super) spent_ms: u64,
    /// White's clock after it.
    pub(super) white_ms: Option<u64>,
    /// Black's clock after it.
    pub(super) black_ms: Option<u64>,
}

/// A sentence about what has happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Sentence {
    /// The sentence.
    pub(super) text: String,
    /// When, in milliseconds since the game was made.
    pub(super) at_ms: u64,
    /// The only player who is told; `None` if all are.
    #[serde(skip)]
    pub(super) private_to: Option<Color>,
}

/// What somebody may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// To act as this one.
    Actor(Actor),
    /// To sit down here.
    Invited(Color),
    /// To watch: somebody else has sat down with the same link.
    TooLate,
}

impl Standing {
    /// As whom the game is seen.
    pub(super) const fn actor(self) -> Actor {
        match self {
            Self::Actor(actor) => actor,
            Self::Invited(color) => Actor::player(color),
            Self::TooLate => Actor::Spectator,
        }
    }
}

/// A game, at one moment.
#[derive(Clone, Debug)]
pub(super) struct HostedGame {
    /// Its name.
    pub(super) id: GameId,
    /// The count of the server's clock when it was made.
    pub(super) created_ms: u64,
    /// When that was, in milliseconds since 1970.
    pub(super) created_unix_ms: u64,
    /// What was fixed then.
    pub(super) head: Arc<Head>,
    /// The game.
    pub(super) game: Game,
    /// The initial position.
    pub(super) start: Position,
    /// Its moves as they are shown.
    pub(super) plies: Vec<Arc<ShownPly>>,
    /// What has happened, the latest last.
    pub(super) sentences: Vec<Arc<Sentence>>,
    /// Its tokens.
    pub(super) keys: Vec<SavedKey>,
    /// Another game after it.
    pub(super) rematch: Option<SavedRematch>,
    /// How often the others were to look at it again although nothing has happened: a time has come, or somebody has
    /// begun or ceased to watch.
    pub(super) notices: u64,
    /// How many watch.
    pub(super) spectators: usize,
    /// Which of its events are private.
    counted: Counted,
    /// The game as spectators see it.
    delayed: DelayedGame,
}

/// How many events have been looked through for private ones, and how many of these each player has.
#[derive(Clone, Copy, Default, Debug)]
struct Counted {
    events: usize,
    private: [usize; Color::COUNT],
}

/// What a viewer can know of a game to be another than before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct News {
    version: usize,
    private: usize,
    notices: u64,
}

/// A game that is seen later, found once for all spectators. A copy has none, since only copies of a game are changed.
#[derive(Default, Debug)]
struct DelayedGame(OnceCell<Option<Box<HostedGame>>>);

impl Clone for DelayedGame {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl HostedGame {
    /// A new game, in which nothing has happened.
    ///
    /// # Errors
    /// [`Failure`] if the initial position cannot be read.
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

    /// The game as its journal says.
    ///
    /// # Errors
    /// [`Failure`] if it cannot have happened like that.
    pub(super) fn restore(saved: &SavedGame) -> Result<Self, Failure> {
        let damaged = || Failure::not_saved("the journal of the game is damaged");
        let mut hosted = Self::new(saved)?;
        let refusal = hosted.replay(&saved.record.events);
        let is_same = refusal.is_none() && hosted.game.journal() == saved.record.events;
        if is_same { Ok(hosted) } else { Err(damaged()) }
    }

    /// The moment of the game at this count of the server's clock.
    pub(super) fn moment(&self, now_ms: u64) -> Moment {
        Moment::from_millis(now_ms.saturating_sub(self.created_ms))
    }

    /// The count of the server's clock at which something has last happened.
    pub(super) fn last_ms(&self) -> u64 {
        let last = self.game.journal().last().map_or(0, |event| event.at.millis());
        self.created_ms.saturating_add(last)
    }

    /// The count of the server's clock at which the zone does something by itself.
    pub(super) fn deadline_ms(&self) -> Option<u64> {
        self.game.next_deadline().map(|moment| self.created_ms.saturating_add(moment.millis()))
    }

    /// The count of the server's clock at which a player may do something, after this one, that only time allows.
    pub(super) fn right_ms(&self, after_ms: u64) -> Option<u64> {
        let moment = self.game.next_right(self.moment(after_ms));
        moment.map(|moment| self.created_ms.saturating_add(moment.millis()))
    }

    /// A number that grows with every change that all may see. What a player enters before or switches on leaves it as
    /// it is, so that it tells the opponent nothing.
    pub(super) fn version(&self) -> usize {
        let rematch = match self.rematch {
            None => 0,
            Some(SavedRematch::WhiteOffers | SavedRematch::BlackOffers) => 1,
            Some(SavedRematch::Made(_)) => 2,
        };
        self.game.journal().len() - self.counted.private.iter().sum::<usize>() + rematch
    }

    /// What is new for somebody with this standing if it is another than before.
    pub(super) fn news(&self, standing: Standing) -> News {
        let own = words::side_of(standing.actor());
        let private = own.map_or(0, |color| self.counted.private[color as usize]);
        News { version: self.version(), private, notices: self.notices }
    }

    /// Whether there is nothing to write that is not in an earlier state of the same game.
    pub(super) fn is_as_written(&self, earlier: &Self) -> bool {
        self.game.journal().len() == earlier.game.journal().len() && self.rematch == earlier.rematch
    }

    /// What the owner of a token may do; of none, watch.
    ///
    /// # Errors
    /// [`Failure`] if it is not a token of this game.
    pub(super) fn standing(&self, token: Option<Fingerprint>) -> Result<Standing, Failure> {
        let Some(token) = token else { return Ok(Standing::Actor(Actor::Spectator)) };
        // All are compared, so that the time says nothing.
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

    /// The game as spectators see it, if they see its latest moves later and it is still played: as it was before the
    /// first of these.
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
        // Moves may have been taken back, so the last time counts that there were so few.
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

    /// Lets these events happen again; returns why one of them is refused, if it is.
    fn replay(&mut self, events: &[Event]) -> Option<Refusal> {
        events.iter().find_map(|event| {
            if event.by == Actor::Zone {
                self.advance(event.at);
                None
            } else {
                self.submit(event.clone())
            }
        })
    }

    /// How castling is written.
    pub(super) fn castling_style(&self) -> CastlingStyle {
        if self.head.is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }

    /// The initial position as an engine is told it.
    pub(super) fn start_fen(&self) -> String {
        let fen = Fen::new(&self.start);
        if self.head.is_chess960 { fen.shredder().to_string() } else { fen.to_string() }
    }

    /// Whether an engine has this seat.
    pub(super) fn is_engine(&self, color: Color) -> bool {
        matches!(self.head.seats[color as usize], SeatKind::Engine(_))
    }

    /// How far the game is.
    pub(super) const fn phase_name(&self) -> &'static str {
        match self.game.phase() {
            Phase::Waiting => "waiting",
            Phase::Countdown(_) => "countdown",
            Phase::Playing => "playing",
            Phase::Paused => "paused",
            Phase::Over(_) => super::saved::OVER,
        }
    }

    /// The game in short.
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

    /// What has changed since this many events had been written.
    pub(super) fn record(&self, first: usize, at_ms: u64) -> Record {
        let events = self.game.journal().get(first..).unwrap_or_default().to_vec();
        Record { first, events, summary: self.summary(), at_ms, ..Record::default() }
    }

    /// Lets the time pass: the game begins, a flag falls.
    pub(super) fn advance(&mut self, at: Moment) {
        let effects = self.game.advance(at);
        self.note(&effects, at);
    }

    /// Takes an event; returns why it is refused, if it is.
    pub(super) fn submit(&mut self, event: Event) -> Option<Refusal> {
        if self.game.journal().len() >= MAX_EVENTS {
            return Some(Refusal::TooLate);
        }
        let at = event.at;
        let Answer { effects, refusal } = self.game.submit(event);
        self.note(&effects, at);
        refusal
    }

    /// Notes of every person at the board that nobody is there.
    pub(super) fn leave_all(&mut self, at: Moment) {
        for color in Color::ALL {
            if !self.is_engine(color) && self.game.seat(color).away_since.is_none() {
                // Refused if nobody sits there, or the game is over.
                let _ = self.submit(Event { at, by: Actor::player(color), act: Act::Disconnect });
            }
        }
    }

    /// Lets somebody sit down, and gives the seat a token of its own: whoever has the same invitation comes too late.
    ///
    /// # Errors
    /// [`Failure`] if it is refused, or there are no random numbers.
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

    /// Keeps moves and sentences in step with the game.
    fn note(&mut self, effects: &[Effect], at: Moment) {
        let journal = self.game.journal();
        for event in &journal[self.counted.events..] {
            if let Some(color) = words::side_of(event.by).filter(|_| event.act.is_private()) {
                self.counted.private[color as usize] += 1;
            }
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
            if let Some(text) = words::sentence(effect, san.as_deref()) {
                let private_to = effect.private_to();
                self.sentences.push(Arc::new(Sentence { text, at_ms: at.millis(), private_to }));
            }
        }
        let surplus = self.sentences.len().saturating_sub(MAX_SENTENCES);
        self.sentences.drain(..surplus);
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

/// The answer to an act that the rules refuse.
pub(super) fn refused(refusal: Refusal) -> Failure {
    Failure::conflict(words::refusal_code(refusal), refusal.to_string())
}
