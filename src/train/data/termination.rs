//! Why a game ended.

use std::fmt;

/// Why a game ended. The order is that of the codes in files: new ones come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Termination {
    /// Mate.
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// Nobody can give mate.
    InsufficientMaterial,
    /// Fifty moves by each side without progress.
    FiftyMoves,
    /// The same position for the third time.
    Repetition,
    /// Called a win, as the scores were high for long.
    WinAdjudicated,
    /// Called a draw, as the scores were near zero for long.
    DrawAdjudicated,
    /// Called a draw, as it took too long.
    TooLong,
}

impl Termination {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::FiftyMoves,
        Self::Repetition,
        Self::WinAdjudicated,
        Self::DrawAdjudicated,
        Self::TooLong,
    ];

    /// The termination with this code.
    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoves => "fifty moves",
            Self::Repetition => "repetition",
            Self::WinAdjudicated => "win adjudicated",
            Self::DrawAdjudicated => "draw adjudicated",
            Self::TooLong => "too long",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_places() {
        for termination in Termination::ALL {
            assert_eq!(Termination::from_code(termination as u8), Some(termination));
        }
        assert_eq!(Termination::from_code(Termination::ALL.len() as u8), None);
    }
}
