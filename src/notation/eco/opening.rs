//! Named openings, their ECO codes, and the errors of lists of openings.

use crate::chess::Move;
use crate::notation::{Excerpt, SanError};
use std::fmt;
use std::str::FromStr;

/// A code from A00 to E99: a volume and a number in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EcoCode {
    volume: char,
    number: u8,
}

impl EcoCode {
    /// The volume, `A` to `E`.
    pub const fn volume(self) -> char {
        self.volume
    }

    /// The number in the volume, 0 to 99.
    pub const fn number(self) -> u8 {
        self.number
    }
}

impl fmt::Display for EcoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:02}", self.volume, self.number)
    }
}

/// The text is not a code such as `B01`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an ECO code, expected a letter A to E and two digits such as B01")]
pub struct EcoCodeError;

impl FromStr for EcoCode {
    type Err = EcoCodeError;

    /// Reads `B01`.
    ///
    /// # Errors
    /// [`EcoCodeError`] for any other text.
    fn from_str(text: &str) -> Result<Self, EcoCodeError> {
        match *text.as_bytes() {
            [volume @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
                Ok(Self { volume: char::from(volume), number: (tens - b'0') * 10 + (ones - b'0') })
            }
            _ => Err(EcoCodeError),
        }
    }
}

/// A named position of opening theory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    pub(super) code: EcoCode,
    pub(super) name: String,
    pub(super) moves: Vec<Move>,
}

impl Opening {
    /// Its code in the Encyclopedia of Chess Openings.
    pub const fn code(&self) -> EcoCode {
        self.code
    }

    /// Its full name: `Sicilian Defense: Najdorf Variation, English Attack`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The moves that lead there from the initial position; others may lead there as well.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The first part of the name: `Sicilian Defense`. PGN has it in the tag `Opening`.
    pub fn family(&self) -> &str {
        self.parts().0
    }

    /// The next part of the name: `Najdorf Variation`. PGN has it in the tag `Variation`.
    pub fn variation(&self) -> Option<&str> {
        self.parts().1.map(|rest| rest.split_once(", ").map_or(rest, |(variation, _)| variation))
    }

    /// The rest of the name: `English Attack`. PGN has it in the tag `SubVariation`.
    pub fn subvariation(&self) -> Option<&str> {
        self.parts().1?.split_once(", ").map(|(_, subvariation)| subvariation)
    }

    /// The family and the rest of the name.
    fn parts(&self) -> (&str, Option<&str>) {
        match self.name.split_once(": ") {
            Some((family, rest)) => (family, Some(rest)),
            None => (&self.name, None),
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

/// A line of a list or of a table that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OpeningError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: OpeningProblem,
}

/// A problem with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningProblem {
    /// It does not have the expected columns.
    #[error("found {0}, expected a code, a name and moves, separated by tabs")]
    Columns(Excerpt),
    /// The code is not valid.
    #[error("found {0}, expected a code A00 to E99")]
    Code(Excerpt),
    /// A move is not legal.
    #[error(transparent)]
    Move(SanError),
    /// The position already has a name.
    #[error("`{found}` leads to the position of `{before}`, expected one name for each position")]
    Named {
        /// The name in this line.
        found: String,
        /// The name that the position already has.
        before: String,
    },
}
