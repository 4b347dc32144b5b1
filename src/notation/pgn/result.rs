//! How a game has ended, as its termination marker has it.

use crate::chess::Color;
use std::fmt;

/// The four game termination markers (PGN standard, 8.2.6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: still in progress, abandoned, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// All four.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The win of this side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The marker as the standard has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Reads the marker as the standard has it, or one of the forms that files have beside it.
    pub fn from_marker(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" | b"1:0" | b"+:-" => Some(Self::WhiteWins),
            b"0-1" | b"0:1" | b"-:+" => Some(Self::BlackWins),
            b"1/2-1/2" | b"1/2" | b"1/2:1/2" | b"\xc2\xbd-\xc2\xbd" | b"\xc2\xbd" | b"\xbd-\xbd"
            | b"\xbd" => Some(Self::Draw),
            b"*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
