//! What is kept of a game.

use super::token::{Fingerprint, GameId};
use crate::chess::Color;
use crate::zone::{Actor, Event, Rules};
use serde::{Deserialize, Serialize};

/// Who sits at one side of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SeatKind {
    /// A person.
    Person,
    /// An engine.
    Engine(Opponent),
}

/// An engine as a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Opponent {
    /// Its name.
    pub(super) name: String,
    /// Its strength; `None` for all it has.
    pub(super) elo: Option<u32>,
}

/// What is fixed when a game is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The initial position as a Shredder-FEN.
    pub(super) start: String,
    /// Whether castling is that of Chess960.
    pub is_chess960: bool,
    /// The rules.
    pub(super) rules: Rules,
    /// Who sits where, White first.
    pub(super) seats: [SeatKind; Color::COUNT],
    /// How many moves of either side spectators see later than the players.
    #[serde(default)]
    pub(super) spectator_delay: u16,
    /// The tournament of which it is a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tournament: Option<OfTournament>,
}

/// A place in a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct OfTournament {
    /// The name by which it is asked for.
    pub(super) id: String,
    /// Its name for people.
    pub(super) name: String,
    /// The round, counted from 1; 0 in an arena, which has none.
    pub(super) round: usize,
    /// The board, counted from 1; in an arena the number of the game.
    pub(super) board: usize,
}

impl OfTournament {
    /// The value of the `Round` tag of PGN, if there are rounds.
    pub(super) fn round_tag(&self) -> Option<String> {
        (self.round > 0).then(|| format!("{}.{}", self.round, self.board))
    }
}

/// What a token is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum KeyRole {
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
    pub(super) const fn invitation(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteInvitation,
            Color::Black => Self::BlackInvitation,
        }
    }
}

/// A token, as far as it is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct SavedKey {
    /// What it is recognized by.
    pub(super) fingerprint: Fingerprint,
    /// What it is good for.
    pub(super) role: KeyRole,
}

/// The wish for another game with colors swapped, or that game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedRematch {
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
pub(super) struct Summary {
    /// Its name; kept elsewhere.
    pub(super) id: String,
    /// Who has White.
    pub(super) white: Option<String>,
    /// Who has Black.
    pub(super) black: Option<String>,
    /// As PGN has it.
    pub(super) time_control: String,
    /// How far the game is.
    pub(super) phase: String,
    /// `*` while it is not over.
    pub(super) result: String,
    /// Moves of both sides.
    pub(super) plies: usize,
    /// When it was made, in milliseconds since 1970; kept elsewhere.
    pub(super) created: u64,
}

/// The name of the phase of a game that has ended.
pub(super) const OVER: &str = "over";

impl Summary {
    /// Whether nothing happens in it any more.
    pub(super) fn is_over(&self) -> bool {
        self.phase == OVER
    }
}

/// What has happened in a game since it was last written.
#[derive(Clone, Default, Debug)]
pub(super) struct Record {
    /// The number of the first event, counted from 0.
    pub(super) first: usize,
    /// The events.
    pub(super) events: Vec<Event>,
    /// Tokens that are new or good for something else.
    pub(super) keys: Vec<SavedKey>,
    /// The rematch, if that has changed.
    pub(super) rematch: Option<SavedRematch>,
    /// The game that the rematch is.
    pub(super) next: Option<Box<SavedGame>>,
    /// The game in short.
    pub(super) summary: Summary,
    /// The count of the server's clock.
    pub(super) at_ms: u64,
}

/// A game as it is kept.
#[derive(Clone, Debug)]
pub(super) struct SavedGame {
    /// Its name.
    pub(super) id: GameId,
    /// The count of the server's clock when it was made.
    pub(super) created_ms: u64,
    /// When that was, in milliseconds since 1970.
    pub(super) created_unix_ms: u64,
    /// What was fixed then.
    pub(super) head: Head,
    /// Its tokens.
    pub(super) keys: Vec<SavedKey>,
    /// Another game after it.
    pub(super) rematch: Option<SavedRematch>,
    /// What has happened.
    pub(super) record: Record,
}
