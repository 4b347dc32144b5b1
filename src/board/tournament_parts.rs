//! The parts of a tournament: players, pairings and outcomes.

use super::saved::SeatKind;
use super::token::Fingerprint;
use crate::chess::Color;
use serde::{Deserialize, Serialize};

/// A player of a tournament.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entrant {
    /// The name, which is unique in the tournament.
    pub(super) name: String,
    /// Whether the player is a person or an engine.
    pub(super) kind: SeatKind,
    /// The fingerprint of the token of a person; `None` for engines.
    pub(super) key: Option<Fingerprint>,
    /// Whether the player has withdrawn, and gets no more games.
    pub(super) has_withdrawn: bool,
    /// In an arena, the time since which the player waits for an opponent, in milliseconds since 1970.
    #[serde(default)]
    pub(super) free_since_ms: Option<u64>,
    /// In an arena, whether the player has paused.
    #[serde(default)]
    pub(super) is_paused: bool,
}

impl Entrant {
    /// A player who has just joined.
    pub(super) const fn new(
        name: String,
        kind: SeatKind,
        key: Option<Fingerprint>,
        free_since_ms: Option<u64>,
    ) -> Self {
        Self { name, kind, key, has_withdrawn: false, free_since_ms, is_paused: false }
    }
}

/// The outcome of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// Twice the points of White and of Black.
    pub(super) half_points: [u32; 2],
    /// Whether the outcome was decided without a game.
    pub(super) is_forfeit: bool,
}

impl Outcome {
    /// The outcome of a game that will not be played.
    pub(super) const NONE: Self = Self { half_points: [0, 0], is_forfeit: true };

    /// Parses a result; `None` if it is not one.
    pub(super) fn read(result: &str, is_forfeit: bool) -> Option<Self> {
        let half_points = match result {
            "1-0" => [2, 0],
            "0-1" => [0, 2],
            "1/2-1/2" => [1, 1],
            "0-0" => [0, 0],
            _ => return None,
        };
        Some(Self { half_points, is_forfeit })
    }

    /// The result as text.
    pub(super) const fn result(self) -> &'static str {
        match self.half_points {
            [2, _] => "1-0",
            [_, 2] => "0-1",
            [1, _] => "1/2-1/2",
            _ => "0-0",
        }
    }
}

/// Two paired players of a round, or one with a bye.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pairing {
    /// The index of the player of White, or of the player with a bye.
    pub(super) white: usize,
    /// The index of the player of Black; `None` for a bye.
    pub(super) black: Option<usize>,
    /// Whether White and Black have reported that they are ready.
    pub(super) is_ready: [bool; Color::COUNT],
    /// The identifier of the game, once it has started.
    pub(super) game: Option<String>,
    /// The outcome, once it is decided.
    pub(super) outcome: Option<Outcome>,
    /// In an arena, whether White and Black have played berserk, so that a win is one point more.
    #[serde(default)]
    pub(super) berserk: [bool; Color::COUNT],
}

impl Pairing {
    /// Whether the pairing counts in an arena, where only games that were played count.
    pub(super) fn counts_in_arena(&self) -> bool {
        self.outcome.is_some_and(|outcome| !outcome.is_forfeit)
    }

    /// Whether this player is one of the two.
    pub(super) fn has(&self, player: usize) -> bool {
        self.white == player || self.black == Some(player)
    }
}
