//! The request for a new game, and its creation.

use super::clock::unix_ms;
use super::engines::{Computer, Engines};
use super::failure::Failure;
use super::hosted::HostedGame;
use super::levels;
use super::named_book;
use super::openings;
use super::saved::{Head, KeyRole, OfTournament, Opponent, Record, SavedGame, SavedKey, SeatKind};
use super::token::{Fingerprint, GameId, Token};
use crate::chess::{Color, Position, Setup, chess960_back_rank};
use crate::notation::{Excerpt, Fen, repair_fen};
use crate::uci::needs_chess960;
use crate::zone::{Act, Actor, Event, Moment, RuleSet, Rules, TimeControl};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The number of initial positions in Chess960.
const CHESS960_POSITIONS: u16 = 960;
/// The maximum countdown, in seconds.
const MAX_COUNTDOWN_S: u64 = 3600;
/// The range of times that a player must be away before the opponent can claim the game, in seconds.
const ABANDONMENT_S: std::ops::RangeInclusive<u64> = 10..=30 * 86_400;
/// The maximum delay for spectators, in plies.
const MAX_SPECTATOR_DELAY: u16 = 100;
/// The maximum compensation for lag, in milliseconds a move.
const MAX_LAG_COMPENSATION_MS: u64 = 2000;
/// The maximum number of periods of a time control.
const MAX_PERIODS: usize = 8;

/// The settings of a new game.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NewGame {
    start: Start,
    rules: RuleSet,
    time_control: TimeControl,
    countdown_s: u64,
    casual: bool,
    first_moves_free: bool,
    decline: bool,
    abandonment_s: Option<u64>,
    white: Seat,
    black: Seat,
    random_colors: bool,
    spectator_delay: u16,
    lag_compensation_ms: u64,
}

/// The initial position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Start {
    Named(StartName),
    Given(GivenStart),
}

impl Default for Start {
    fn default() -> Self {
        Self::Named(StartName::Standard)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StartName {
    Standard,
    /// A random position.
    Chess960,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GivenStart {
    Chess960(u16),
    Fen(String),
    /// A name, a code or moves of the table of openings.
    Opening(String),
}

/// The player on one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Seat {
    /// A person who takes the seat immediately.
    Person(String),
    /// The engine.
    Engine(EngineSeat),
    /// The first person who accepts the invitation.
    Open(bool),
}

impl Default for Seat {
    fn default() -> Self {
        Self::Open(true)
    }
}

/// An engine as a player.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EngineSeat {
    elo: Option<u32>,
    level: Option<String>,
    /// The name of an opening book.
    book: Option<String>,
}

/// A new game with its tokens, which are not stored anywhere.
#[derive(Debug)]
pub(super) struct Made {
    /// The game in the form in which it is stored.
    pub(super) saved: SavedGame,
    /// The game in the form in which it is played.
    pub(super) hosted: HostedGame,
    /// The tokens of White and Black; `None` for engines.
    pub(super) tokens: [Option<Token>; Color::COUNT],
    /// The token of the arbiter.
    pub(super) arbiter: Token,
    /// Whether the colors have been swapped.
    pub(super) swapped: bool,
}

impl NewGame {
    /// The number of seats with an engine.
    pub(super) fn engines(&self) -> usize {
        [&self.white, &self.black].into_iter().filter(|seat| matches!(seat, Seat::Engine(_))).count()
    }

    /// Creates the game.
    ///
    /// # Errors
    /// [`Failure`] if the request is invalid, or the system provides no random numbers.
    pub(super) fn make(self, engines: &Engines, now_ms: u64) -> Result<Made, Failure> {
        let mut random = [0; 4];
        getrandom::fill(&mut random).map_err(|error| Failure::busy(error.to_string()))?;
        let [coin, _, rest @ ..] = random;
        let (start, is_chess960) = self.start.position(u16::from_ne_bytes(rest))?;
        let swapped = self.random_colors && coin % 2 == 1;
        let rules = self.rules()?;
        let wishes = if swapped { [self.black, self.white] } else { [self.white, self.black] };
        let [white, black] = wishes;
        let seats = [kind_of(&white, engines)?, kind_of(&black, engines)?];
        let is_chess960 = is_chess960 || needs_chess960(&start);
        let start = Fen::new(&start).shredder().to_string();
        let spectator_delay = self.spectator_delay;
        let head = Head { start, is_chess960, rules, seats, spectator_delay, tournament: None };
        let random = || Token::random().map_err(|error| Failure::busy(error.to_string()));
        let arbiter = random()?;
        let mut keys = vec![key(&arbiter, KeyRole::Actor(Actor::Arbiter))];
        let mut tokens = [None, None];
        let mut names = [None, None];
        for (color, wish) in Color::ALL.into_iter().zip([white, black]) {
            let index = color as usize;
            names[index] = match (wish, &head.seats[index]) {
                (_, SeatKind::Engine(opponent)) => Some(opponent.name.clone()),
                (Seat::Person(name), _) if name.trim().is_empty() => Some(color.name().to_owned()),
                (Seat::Person(name), _) => Some(name),
                (Seat::Open(_) | Seat::Engine(_), _) => None,
            };
            if head.seats[index] == SeatKind::Person {
                let role = match names[index] {
                    Some(_) => KeyRole::Actor(Actor::player(color)),
                    None => KeyRole::invitation(color),
                };
                let token = random()?;
                keys.push(key(&token, role));
                tokens[index] = Some(token);
            }
        }
        let (saved, hosted) = seated(head, keys, names, now_ms)?;
        Ok(Made { saved, hosted, tokens, arbiter, swapped })
    }

    /// Creates a game of a tournament. The players have the same tokens in all their games, and may play berserk in
    /// some.
    ///
    /// # Errors
    /// As [`NewGame::make`].
    pub(super) fn make_for(
        &self,
        players: [(String, SeatKind, Option<Fingerprint>); Color::COUNT],
        arbiter: Fingerprint,
        tournament: OfTournament,
        berserk: bool,
        now_ms: u64,
    ) -> Result<(SavedGame, HostedGame), Failure> {
        let mut random = [0; 2];
        getrandom::fill(&mut random).map_err(|error| Failure::busy(error.to_string()))?;
        let (start, is_chess960) = self.start.position(u16::from_ne_bytes(random))?;
        let is_chess960 = is_chess960 || needs_chess960(&start);
        let mut keys = vec![SavedKey { fingerprint: arbiter, role: KeyRole::Actor(Actor::Arbiter) }];
        for (color, (_, _, fingerprint)) in Color::ALL.into_iter().zip(&players) {
            let role = KeyRole::Actor(Actor::player(color));
            keys.extend(fingerprint.map(|fingerprint| SavedKey { fingerprint, role }));
        }
        let names = players.each_ref().map(|(name, _, _)| Some(name.clone()));
        let head = Head {
            start: Fen::new(&start).shredder().to_string(),
            is_chess960,
            rules: Rules { berserk, ..self.rules()? },
            seats: players.map(|(_, kind, _)| kind),
            spectator_delay: self.spectator_delay,
            tournament: Some(tournament),
        };
        seated(head, keys, names, now_ms)
    }

    /// Checks that the settings are possible in a tournament.
    ///
    /// # Errors
    /// [`Failure`] if they are not.
    pub(super) fn check_for_tournament(&self) -> Result<(), Failure> {
        if self.white != Seat::default() || self.black != Seat::default() || self.random_colors {
            let text = "expected no white, black and random_colors: the rounds say who plays";
            return Err(Failure::bad("bad_game", text));
        }
        if self.casual {
            return Err(Failure::bad("bad_game", "expected no casual games in a tournament"));
        }
        self.rules()?;
        self.start.position(0).map(drop)
    }

    /// The time control.
    pub(super) const fn time_control(&self) -> &TimeControl {
        &self.time_control
    }

    fn rules(&self) -> Result<Rules, Failure> {
        if self.countdown_s > MAX_COUNTDOWN_S {
            let text = format!(
                "countdown_s: found {}, expected at most {MAX_COUNTDOWN_S} seconds",
                self.countdown_s
            );
            return Err(Failure::bad("bad_countdown", text));
        }
        if let Some(seconds) = self.abandonment_s.filter(|seconds| !ABANDONMENT_S.contains(seconds)) {
            let (least, most) = (ABANDONMENT_S.start(), ABANDONMENT_S.end());
            let text = format!("abandonment_s: found {seconds}, expected {least} to {most} seconds");
            return Err(Failure::bad("bad_abandonment", text));
        }
        if self.time_control == TimeControl::Unknown || self.time_control.periods().len() > MAX_PERIODS {
            let text = format!(
                "time_control: found {}, expected at most {MAX_PERIODS} periods such as 300+2, or - for no limit",
                Excerpt::new(&self.time_control.to_string())
            );
            return Err(Failure::bad("bad_time_control", text));
        }
        if self.spectator_delay > MAX_SPECTATOR_DELAY {
            let text = format!(
                "spectator_delay: found {}, expected at most {MAX_SPECTATOR_DELAY} moves",
                self.spectator_delay
            );
            return Err(Failure::bad("bad_spectator_delay", text));
        }
        if self.lag_compensation_ms > MAX_LAG_COMPENSATION_MS {
            let text = format!(
                "lag_compensation_ms: found {}, expected at most {MAX_LAG_COMPENSATION_MS} milliseconds a move",
                self.lag_compensation_ms
            );
            return Err(Failure::bad("bad_lag_compensation", text));
        }
        Ok(Rules {
            set: self.rules,
            time_control: self.time_control.clone(),
            countdown: Duration::from_secs(self.countdown_s),
            first_moves_free: self.first_moves_free,
            casual: self.casual,
            decline: self.decline,
            // Only arenas have that.
            berserk: false,
            abandonment: self.abandonment_s.map(Duration::from_secs),
            lag_compensation: Duration::from_millis(self.lag_compensation_ms),
        })
    }
}

impl Start {
    /// The initial position, and whether it is a Chess960 position.
    fn position(&self, random: u16) -> Result<(Position, bool), Failure> {
        let number = match self {
            Self::Named(StartName::Standard) => return Ok((Position::start(), false)),
            Self::Named(StartName::Chess960) => random % CHESS960_POSITIONS,
            Self::Given(GivenStart::Chess960(number)) => *number,
            Self::Given(GivenStart::Fen(text)) => {
                let repaired =
                    repair_fen(text).map_err(|error| Failure::bad("bad_fen", error.to_string()))?;
                return Ok((repaired.position, false));
            }
            Self::Given(GivenStart::Opening(wanted)) => {
                return openings::named(wanted).map(|position| (position, false));
            }
        };
        let position =
            chess960_back_rank(number).map(Setup::chess960).and_then(|setup| setup.try_into().ok());
        let last = CHESS960_POSITIONS - 1;
        let text = || format!("chess960: found {number}, expected a position from 0 to {last}");
        let wrong = || Failure::bad("bad_start", text());
        position.map(|position| (position, true)).ok_or_else(wrong)
    }
}

fn key(token: &Token, role: KeyRole) -> SavedKey {
    SavedKey { fingerprint: token.fingerprint(), role }
}

/// Creates the game, with all named players seated, and persons away until they open a page of the game.
fn seated(
    head: Head,
    keys: Vec<SavedKey>,
    names: [Option<String>; Color::COUNT],
    now_ms: u64,
) -> Result<(SavedGame, HostedGame), Failure> {
    let id = GameId::random().map_err(|error| Failure::busy(error.to_string()))?;
    let created_unix_ms = unix_ms();
    let record = Record::default();
    let saved = SavedGame { id, created_ms: now_ms, created_unix_ms, head, keys, rematch: None, record };
    let mut hosted = HostedGame::new(&saved)?;
    for (color, name) in Color::ALL.into_iter().zip(names) {
        let Some(name) = name else { continue };
        let event = Event { at: Moment::START, by: Actor::player(color), act: Act::Sit { name } };
        if let Some(refusal) = hosted.submit(event) {
            return Err(Failure::bad(super::words::refusal_code(refusal), refusal.to_string()));
        }
    }
    // No page of the game is open yet.
    hosted.leave_all(Moment::START);
    Ok((SavedGame { record: hosted.record(0, now_ms), ..saved }, hosted))
}

fn kind_of(seat: &Seat, engines: &Engines) -> Result<SeatKind, Failure> {
    match seat {
        Seat::Engine(wanted) => wanted.opponent(engines.computer()).map(SeatKind::Engine),
        Seat::Person(_) | Seat::Open(_) => Ok(SeatKind::Person),
    }
}

impl EngineSeat {
    /// The engine as a player.
    ///
    /// # Errors
    /// [`Failure`] if the Elo, the level or the book does not exist, or both an Elo and a level are given.
    pub(super) fn opponent(&self, computer: Computer<'_>) -> Result<Opponent, Failure> {
        let elo = self.elo()?;
        let name = elo.map_or_else(|| computer.name.to_owned(), |elo| format!("{} ({elo})", computer.name));
        let book = self.book.as_deref().map(|name| named_book::find(computer.books, name)).transpose()?;
        Ok(Opponent { name, elo, book: book.map(|book| book.name.clone()) })
    }

    /// The Elo limit; `None` for full strength.
    fn elo(&self) -> Result<Option<u32>, Failure> {
        match (self.elo, self.level.as_deref()) {
            (Some(elo), None) if levels::is_possible(elo) => Ok(Some(elo)),
            (None, None) => Ok(None),
            (None, Some(name)) => levels::level(name).map(|level| level.elo).ok_or_else(|| {
                let text = format!("level: found {}, expected one of /api/about", Excerpt::new(name));
                Failure::bad("bad_level", text)
            }),
            (Some(elo), level) => {
                let found = level
                    .map_or_else(|| format!("found {elo}"), |_| "found both an Elo and a level".to_owned());
                let (least, most) = (crate::search::MIN_ELO, crate::search::MAX_ELO);
                let text = format!("engine: {found}, expected an Elo from {least} to {most}, or a level");
                Err(Failure::bad("bad_elo", text))
            }
        }
    }
}
