//! Results of games, in the spellings of real files.

use super::symbols::{first_letter, is_dash, is_space, is_word};
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
    /// `*`: still in progress, abandoned, or unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// All four markers.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The win of this side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The marker in the form of the standard.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Reads the marker in the form of the standard, or in one of the other forms of real files: `1 : 0`, `1–0`, `½-½`,
    /// `0,5-0,5`, `1/2`, and `+:-` for a win by forfeit.
    pub fn from_marker(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" | b"+:-" => Some(Self::WhiteWins),
            b"0-1" | b"-:+" => Some(Self::BlackWins),
            b"1/2-1/2" => Some(Self::Draw),
            b"*" => Some(Self::Unknown),
            _ => result_at(text).filter(|&(_, length)| length == text.len()).map(|(result, _)| result),
        }
    }

    /// Reads the value of a `Result` tag: a marker, which white space may surround.
    pub fn from_tag(value: &[u8]) -> Option<Self> {
        Self::from_marker(value.trim_ascii())
    }

    /// Stores the result in `taken` if the tag is `Result` and none has been stored: the first of repeated tags is
    /// used.
    pub fn take_tag(taken: &mut Option<Self>, name: &[u8], value: &[u8]) {
        if name == b"Result" {
            taken.get_or_insert(Self::from_tag(value).unwrap_or_default());
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Twice the points of a side in a result, and the length of their text in bytes.
fn points(bytes: &[u8]) -> Option<(u8, usize)> {
    for (text, points) in [("1/2", 1), ("½", 1), ("0.5", 1), ("0,5", 1), (".5", 1), ("1", 2), ("0", 0)] {
        if bytes.starts_with(text.as_bytes()) {
            return Some((points, text.len()));
        }
    }
    // One half in Latin-1.
    bytes.starts_with(b"\xbd").then_some((1, 1))
}

fn blanks(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some((letter, bytes)) = first_letter(&bytes[length..])
        && is_space(letter)
        && !matches!(letter, '\n' | '\r')
    {
        length += bytes;
    }
    length
}

/// The result that starts here, in any spelling, with its length in bytes: `1-0`, `1 – 0`, `0:1`, `½`.
#[inline]
pub(super) fn result_at(bytes: &[u8]) -> Option<(GameResult, usize)> {
    let is_end = |at: usize| {
        first_letter(&bytes[at..]).is_none_or(|(letter, _)| {
            !is_word(letter) && !matches!(letter, '/' | ':' | '=' | '#' | '+' | '_')
        })
    };
    let (white, length) = points(bytes)?;
    let before = length + blanks(&bytes[length..]);
    let pair = first_letter(&bytes[before..])
        .filter(|&(letter, _)| is_dash(letter) || letter == ':')
        .and_then(|(_, dash)| {
            let start = before + dash + blanks(&bytes[before + dash..]);
            let (black, length) = points(&bytes[start..])?;
            Some((black, start + length))
        })
        .filter(|&(black, end)| white + black == 2 && is_end(end));
    match (pair, white) {
        (Some((_, end)), 2) => Some((GameResult::WhiteWins, end)),
        (Some((_, end)), 1) => Some((GameResult::Draw, end)),
        (Some((_, end)), _) => Some((GameResult::BlackWins, end)),
        (None, 1) if is_end(length) && !bytes[..length].ends_with(b"5") => Some((GameResult::Draw, length)),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_many_spellings() {
        let cases = [
            ("1-0", Some((GameResult::WhiteWins, 3))),
            ("1 - 0 x", Some((GameResult::WhiteWins, 5))),
            ("0:1", Some((GameResult::BlackWins, 3))),
            ("1–0", Some((GameResult::WhiteWins, 5))),
            ("0—1\n", Some((GameResult::BlackWins, 5))),
            ("½-½", Some((GameResult::Draw, 5))),
            ("½", Some((GameResult::Draw, 2))),
            ("1/2", Some((GameResult::Draw, 3))),
            ("1/2 - 1/2", Some((GameResult::Draw, 9))),
            ("0,5-0,5", Some((GameResult::Draw, 7))),
            ("0.5:0.5", Some((GameResult::Draw, 7))),
            ("1/2-0", None),
            ("0-0", None),
            ("1 - 0-0", None),
            ("1", None),
            ("1-0x", None),
            ("12-0", None),
        ];
        for (text, expected) in cases {
            assert_eq!(result_at(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(result_at(b"\xbd-\xbd"), Some((GameResult::Draw, 3)));
        assert_eq!(GameResult::from_tag(b" 1-0 "), Some(GameResult::WhiteWins));
        assert_eq!(GameResult::from_tag(b" "), None);
    }
}
