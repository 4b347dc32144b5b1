//! Codes of the Encyclopedia of Chess Openings.

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EcoCodeError;

impl fmt::Display for EcoCodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an ECO code, expected a letter A to E and two digits such as B01")
    }
}

impl std::error::Error for EcoCodeError {}

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
