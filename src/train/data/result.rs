//! How a game ended.

use crate::chess::Color;
use std::fmt;

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// 0-1
    BlackWins,
    /// 1/2-1/2
    Draw,
    /// 1-0
    WhiteWins,
}

impl GameResult {
    /// All results, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// A win of this side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Half points of a side: 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn half_points(self, color: Color) -> u8 {
        match color {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }

    /// The result with this code.
    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

impl fmt::Display for GameResult {
    /// `1-0`, `1/2-1/2` or `0-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        })
    }
}
