//! An opening.

use super::EcoCode;
use crate::chess::Move;
use std::fmt;

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

    /// The moves that lead there from the initial position; others may lead there too.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What the name says first: `Sicilian Defense`. PGN has it in the tag `Opening`.
    pub fn family(&self) -> &str {
        self.parts().0
    }

    /// What it says next: `Najdorf Variation`. PGN has it in the tag `Variation`.
    pub fn variation(&self) -> Option<&str> {
        self.parts().1.map(|rest| rest.split_once(", ").map_or(rest, |(variation, _)| variation))
    }

    /// All that it says beyond: `English Attack`. PGN has it in the tag `SubVariation`.
    pub fn subvariation(&self) -> Option<&str> {
        self.parts().1?.split_once(", ").map(|(_, subvariation)| subvariation)
    }

    /// The family and what follows it.
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
