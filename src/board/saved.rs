//! The stored data of games.

use super::token::{Fingerprint, GameId};
use crate::chess::Color;
use crate::zone::{Actor, Event, Rules};
use serde::{Deserialize, Serialize};

/// The kind of player on one side.
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
    /// The Elo to which its strength is limited; `None` for full strength.
    pub(super) elo: Option<u32>,
    /// The name of the opening book that it plays by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) book: Option<String>,
}

/// The properties of a game that are fixed at its creation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The initial position as a Shredder-FEN.
    pub(super) start: String,
    /// Whether castling follows the rules of Chess960.
    pub is_chess960: bool,
    /// The rules.
    pub(super) rules: Rules,
    /// The kinds of the players, White first.
    pub(super) seats: [SeatKind; Color::COUNT],
    /// The delay for spectators, in plies.
    #[serde(default)]
    pub(super) spectator_delay: u16,
    /// The tournament that the game belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tournament: Option<OfTournament>,
}

/// The place of a game in a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct OfTournament {
    /// The identifier of the tournament.
    pub(super) id: String,
    /// The name of the tournament, for people.
    pub(super) name: String,
    /// The round, counted from 1; 0 in an arena, which has no rounds.
    pub(super) round: usize,
    /// The board, counted from 1; in an arena, the number of the game.
    pub(super) board: usize,
}

impl OfTournament {
    /// The value of the PGN tag `Round`; `None` in an arena.
    pub(super) fn round_tag(&self) -> Option<String> {
        (self.round > 0).then(|| format!("{}.{}", self.round, self.board))
    }
}

/// The right that a token grants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum KeyRole {
    /// Acting in this role.
    Actor(Actor),
    /// Sitting down with White.
    WhiteInvitation,
    /// Sitting down with Black.
    BlackInvitation,
    /// No right: the invitation has been used.
    UsedInvitation,
}

impl KeyRole {
    /// An invitation to the seat of this color.
    pub(super) const fn invitation(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteInvitation,
            Color::Black => Self::BlackInvitation,
        }
    }
}

/// A stored token.
#[derive(Clone, Copy, Debug)]
pub(super) struct SavedKey {
    /// The hash of the token.
    pub(super) fingerprint: Fingerprint,
    /// The right that it grants.
    pub(super) role: KeyRole,
}

/// An offer of a rematch, which swaps colors, or the rematch itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedRematch {
    /// White offers a rematch.
    WhiteOffers,
    /// Black offers a rematch.
    BlackOffers,
    /// The rematch has been created; contains its identifier.
    Made(String),
}

/// A summary of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Summary {
    /// The identifier; stored in another column.
    pub(super) id: String,
    /// The name of the player of White.
    pub(super) white: Option<String>,
    /// The name of the player of Black.
    pub(super) black: Option<String>,
    /// The time control in the format of PGN.
    pub(super) time_control: String,
    /// The name of the phase of the game.
    pub(super) phase: String,
    /// The result; `*` while the game is not over.
    pub(super) result: String,
    /// The number of plies.
    pub(super) plies: usize,
    /// The time of its creation, in milliseconds since 1970; stored in another column.
    pub(super) created: u64,
}

/// The name of the phase of a game that has ended.
pub(super) const OVER: &str = "over";

impl Summary {
    /// Whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.phase == OVER
    }
}

/// The changes of a game since it was last written.
#[derive(Clone, Default, Debug)]
pub(super) struct Record {
    /// The number of the first event, counted from 0.
    pub(super) first: usize,
    /// The events.
    pub(super) events: Vec<Event>,
    /// Tokens that are new or grant another right.
    pub(super) keys: Vec<SavedKey>,
    /// The rematch, if it has changed.
    pub(super) rematch: Option<SavedRematch>,
    /// The new game of the rematch.
    pub(super) next: Option<Box<SavedGame>>,
    /// The summary of the game.
    pub(super) summary: Summary,
    /// The time of the server's clock, in milliseconds.
    pub(super) at_ms: u64,
}

/// A stored game.
#[derive(Clone, Debug)]
pub(super) struct SavedGame {
    /// The identifier.
    pub(super) id: GameId,
    /// The time of the server's clock at its creation, in milliseconds.
    pub(super) created_ms: u64,
    /// The time of its creation, in milliseconds since 1970.
    pub(super) created_unix_ms: u64,
    /// The properties that are fixed at its creation.
    pub(super) head: Head,
    /// Its tokens.
    pub(super) keys: Vec<SavedKey>,
    /// The rematch or its offer.
    pub(super) rematch: Option<SavedRematch>,
    /// The events so far.
    pub(super) record: Record,
}
