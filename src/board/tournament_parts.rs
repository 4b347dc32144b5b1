//! The parts of a tournament: its players, its pairings, and what has come of them.

use super::saved::SeatKind;
use super::token::Fingerprint;
use crate::chess::Color;
use serde::{Deserialize, Serialize};

/// A player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entrant {
    /// The name, which nobody else has.
    pub(super) name: String,
    /// A person or an engine.
    pub(super) kind: SeatKind,
    /// Of a person, what the token is recognized by.
    pub(super) key: Option<Fingerprint>,
    /// Whether there are no more games for this one.
    pub(super) has_withdrawn: bool,
    /// In an arena, since when this one waits for an opponent, in milliseconds since 1970.
    #[serde(default)]
    pub(super) free_since_ms: Option<u64>,
    /// In an arena, whether this one has asked for no more games for a while.
    #[serde(default)]
    pub(super) is_paused: bool,
}

impl Entrant {
    /// One who has just come.
    pub(super) const fn new(
        name: String,
        kind: SeatKind,
        key: Option<Fingerprint>,
        free_since_ms: Option<u64>,
    ) -> Self {
        Self { name, kind, key, has_withdrawn: false, free_since_ms, is_paused: false }
    }
}

/// What has come of a pairing: twice the points of White and of Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// Twice the points.
    pub(super) half_points: [u32; 2],
    /// Whether it was not played.
    pub(super) is_forfeit: bool,
}

impl Outcome {
    /// That of a game that is never played.
    pub(super) const NONE: Self = Self { half_points: [0, 0], is_forfeit: true };

    /// The outcome with this result; `None` for another text.
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

    /// The result as it is written.
    pub(super) const fn result(self) -> &'static str {
        match self.half_points {
            [2, _] => "1-0",
            [_, 2] => "0-1",
            [1, _] => "1/2-1/2",
            _ => "0-0",
        }
    }
}

/// Two players of a round, or one with a bye.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pairing {
    /// The index of who has White, or the bye.
    pub(super) white: usize,
    /// The index of who has Black.
    pub(super) black: Option<usize>,
    /// Whether White and Black have said that they are there.
    pub(super) is_ready: [bool; Color::COUNT],
    /// The name of the game, once it has started.
    pub(super) game: Option<String>,
    /// What has come of it.
    pub(super) outcome: Option<Outcome>,
    /// In an arena, whether White and Black have played berserk, so that a win is one point more.
    #[serde(default)]
    pub(super) berserk: [bool; Color::COUNT],
}

impl Pairing {
    /// Whether it counts in an arena, in which only games do.
    pub(super) fn counts_in_arena(&self) -> bool {
        self.outcome.is_some_and(|outcome| !outcome.is_forfeit)
    }

    /// Whether this player is one of the two.
    pub(super) fn has(&self, player: usize) -> bool {
        self.white == player || self.black == Some(player)
    }
}
