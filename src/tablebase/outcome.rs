//! What a tablebase knows of a position.

use shakmaty_syzygy as syzygy;

/// The result of a position for the side to move, if both sides play as well as can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but for the 50-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the 50-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// The result for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }

    /// The result where no 50-move rule is kept.
    #[must_use]
    pub const fn without_fifty_moves(self) -> Self {
        match self {
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }
}

impl From<syzygy::Wdl> for Wdl {
    fn from(wdl: syzygy::Wdl) -> Self {
        match wdl {
            syzygy::Wdl::Loss => Self::Loss,
            syzygy::Wdl::BlessedLoss => Self::BlessedLoss,
            syzygy::Wdl::Draw => Self::Draw,
            syzygy::Wdl::CursedWin => Self::CursedWin,
            syzygy::Wdl::Win => Self::Win,
        }
    }
}

/// In how many plies the side that wins captures, moves a pawn or mates, if both sides play as
/// well as can be: what is told of a position that is won or lost.
///
/// Above a hundred it is a win only without the 50-move rule; if that is so because of what comes after the
/// capture or pawn move, a hundred plies are added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Distance {
    /// Is it the side to move that wins?
    pub is_win: bool,
    /// The number of plies, at least 1.
    pub plies: u32,
    /// Tables may count full moves: can the truth be one ply more?
    pub is_rounded: bool,
}

impl Distance {
    /// The most plies that it can be.
    pub const fn longest(self) -> u32 {
        self.plies + self.is_rounded as u32
    }

    /// `None` is a draw.
    pub(super) fn new(found: syzygy::MaybeRounded<syzygy::Dtz>) -> Option<Self> {
        let (dtz, is_rounded) = match found {
            syzygy::MaybeRounded::Rounded(dtz) => (dtz.0, true),
            syzygy::MaybeRounded::Precise(dtz) => (dtz.0, false),
        };
        (dtz != 0).then(|| Self { is_win: dtz > 0, plies: dtz.unsigned_abs(), is_rounded })
    }
}
