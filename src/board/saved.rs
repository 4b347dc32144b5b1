//! What is kept of a game.

use super::token::{Fingerprint, GameId};
use crate::chess::Color;
use crate::zone::{Actor, Event, Rules};
use serde::{Deserialize, Serialize};

/// Who sits at one side of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A person.
    Person,
    /// An engine.
    Engine(Opponent),
}

/// An engine as a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opponent {
    /// Its name.
    pub name: String,
    /// Its strength; `None` for all it has.
    pub elo: Option<u32>,
}

/// What is fixed when a game is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The initial position as a Shredder-FEN.
    pub start: String,
    /// Whether castling is that of Chess960.
    pub is_chess960: bool,
    /// The rules.
    pub rules: Rules,
    /// Who sits where, White first.
    pub seats: [SeatKind; Color::COUNT],
}

/// What a token is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyRole {
    /// To act.
    Actor(Actor),
    /// To sit down with White.
    WhiteInvitation,
    /// To sit down with Black.
    BlackInvitation,
    /// For nothing any more: somebody has sat down with it.
    UsedInvitation,
}

impl KeyRole {
    /// An invitation to this seat.
    pub const fn invitation(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteInvitation,
            Color::Black => Self::BlackInvitation,
        }
    }
}

/// A token, as far as it is kept.
#[derive(Clone, Copy, Debug)]
pub struct SavedKey {
    /// What it is recognized by.
    pub fingerprint: Fingerprint,
    /// What it is good for.
    pub role: KeyRole,
}

/// The wish for another game with colors swapped, or that game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedRematch {
    /// White would like one.
    WhiteOffers,
    /// Black would.
    BlackOffers,
    /// It has been made, and has this name.
    Made(String),
}

/// A game in short.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// Its name; kept elsewhere.
    pub id: String,
    /// Who has White.
    pub white: Option<String>,
    /// Who has Black.
    pub black: Option<String>,
    /// As PGN has it.
    pub time_control: String,
    /// How far the game is.
    pub phase: String,
    /// `*` while it is not over.
    pub result: String,
    /// Moves of both sides.
    pub plies: usize,
    /// When it was made, in milliseconds since 1970; kept elsewhere.
    pub created: u64,
}

/// The name of the phase of a game that has ended.
pub const OVER: &str = "over";

impl Summary {
    /// Whether nothing happens in it any more.
    pub fn is_over(&self) -> bool {
        self.phase == OVER
    }
}

/// What has happened in a game since it was last written.
#[derive(Clone, Default, Debug)]
pub struct Record {
    /// The number of the first event, counted from 0.
    pub first: usize,
    /// The events.
    pub events: Vec<Event>,
    /// Tokens that are new or good for something else.
    pub keys: Vec<SavedKey>,
    /// The rematch, if that has changed.
    pub rematch: Option<SavedRematch>,
    /// The game that the rematch is.
    pub next: Option<Box<SavedGame>>,
    /// The game in short.
    pub summary: Summary,
    /// The count of the server's clock.
    pub at_ms: u64,
}

/// A game as it is kept.
#[derive(Clone, Debug)]
pub struct SavedGame {
    /// Its name.
    pub id: GameId,
    /// The count of the server's clock when it was made.
    pub created_ms: u64,
    /// When that was, in milliseconds since 1970.
    pub created_unix_ms: u64,
    /// What was fixed then.
    pub head: Head,
    /// Its tokens.
    pub keys: Vec<SavedKey>,
    /// Another game after it.
    pub rematch: Option<SavedRematch>,
    /// What has happened.
    pub record: Record,
}
