//! Scores. A score is a point, and the difference of two scores is a distance.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move.
///
/// | range               | meaning                                |
/// |---------------------|----------------------------------------|
/// | `0 ..= 29_999`      | evaluation, in search units; [`Score::to_cp`] converts it to centipawns |
/// | `30_872 ..= 31_000` | tablebase win, `31_000 - plies until its position` |
/// | `31_872 ..= 32_000` | mate, `32_000 - plies until mate`      |
///
/// Scores below zero mean the same for the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

/// The maximum ply of the search.
pub const MAX_PLY: usize = 128;

const MATE: i32 = 32_000;
const SLOWEST_MATE: i32 = MATE - MAX_PLY as i32;
const TB_WIN: i32 = 31_000;
const SLOWEST_TB_WIN: i32 = TB_WIN - MAX_PLY as i32;
const MAX_EVALUATION: i32 = 29_999;

/// The evaluation, in search units, with which a player wins half of the games. Fitted to 61,799 scores of
/// both players at plies 56 to 72 in 4,000 games of the engine at 10,000 nodes per move, most of them with
/// network generation 11 (193 ± 7). The scores of the stronger player alone would result in a smaller number.
/// It must be fitted again after changes of the network or of the search margins: 19,198 scores of 1,258 games
/// between generations 11 and 12 result in 196 ± 3.
const NORMALIZE_TO_PAWN_VALUE: i32 = 193;

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The score in centipawns with which a player wins half of the games, by definition of centipawns.
    pub const HALF_WON_CP: i32 = 100;
    /// The highest evaluation, in search units.
    pub const MAX_UNITS: i32 = MAX_EVALUATION;
    /// Above all scores.
    pub const INFINITE: Self = Self(MATE + 1);

    /// An evaluation in search units, clamped to the range of evaluations.
    pub const fn from_units(value: i32) -> Self {
        if value > MAX_EVALUATION {
            Self(MAX_EVALUATION)
        } else if value < -MAX_EVALUATION {
            Self(-MAX_EVALUATION)
        } else {
            Self(value)
        }
    }

    /// The side to move gives mate in this many plies.
    pub const fn mating(plies: usize) -> Self {
        Self(MATE - plies as i32)
    }

    /// The side to move is mated in this many plies.
    pub const fn mated(plies: usize) -> Self {
        Self(-MATE + plies as i32)
    }

    /// A tablebase win in a position that is reached in this many plies.
    pub const fn tb_win(plies: usize) -> Self {
        Self(TB_WIN - plies as i32)
    }

    /// A tablebase loss in a position that is reached in this many plies.
    pub const fn tb_loss(plies: usize) -> Self {
        Self(-TB_WIN + plies as i32)
    }

    /// The score whose [`Score::units`] is this number; `None` if it is out of range.
    pub const fn new(value: i32) -> Option<Self> {
        if -MATE <= value && value <= MATE { Some(Self(value)) } else { None }
    }

    /// The inverse of [`Score::units`], unchecked.
    pub(super) const fn from_raw(value: i32) -> Self {
        Self(value)
    }

    /// The score in centipawns, normalized so that 100 cp wins half of the games in the middlegame. Mate and
    /// tablebase scores are returned unchanged.
    pub const fn to_cp(self) -> i32 {
        if self.0.abs() > MAX_EVALUATION {
            self.0
        } else {
            rescaled(self.0, Self::HALF_WON_CP, NORMALIZE_TO_PAWN_VALUE)
        }
    }

    /// The evaluation of this many normalized centipawns.
    pub const fn from_cp(centipawns: i32) -> Self {
        Self::from_units(rescaled(centipawns, NORMALIZE_TO_PAWN_VALUE, Self::HALF_WON_CP))
    }

    /// The score as a plain number in search units; mates and tablebase scores are included.
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Whether this is a mate score for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= SLOWEST_MATE
    }

    /// Whether this is a mate or tablebase score for either side.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= SLOWEST_TB_WIN
    }

    /// Whether the side to move has a proved win.
    pub const fn is_win(self) -> bool {
        self.0 >= SLOWEST_TB_WIN
    }

    /// Whether the side to move has a proved loss.
    pub const fn is_loss(self) -> bool {
        self.0 <= -SLOWEST_TB_WIN
    }

    /// The number of moves to mate as in UCI, negative if the side to move is mated; `None` if this is not a mate
    /// score.
    pub const fn mate_in(self) -> Option<i32> {
        match self.is_mate() {
            true if self.0 > 0 => Some((MATE - self.0 + 1) / 2),
            true => Some(-(MATE + self.0) / 2),
            false => None,
        }
    }

    /// Converts a decisive score from plies from the root to plies from this node, the only form stored in
    /// the hash table.
    pub const fn relative_to_node(self, ply: usize) -> Self {
        Self(self.0 + self.toward_end() * ply as i32)
    }

    /// Converts a decisive score from plies from this node to plies from the root.
    pub const fn relative_to_root(self, ply: usize) -> Self {
        Self(self.0 - self.toward_end() * ply as i32)
    }

    const fn toward_end(self) -> i32 {
        if self.is_win() {
            1
        } else if self.is_loss() {
            -1
        } else {
            0
        }
    }
}

/// `number * numerator / denominator`, rounded to the nearest integer.
const fn rescaled(number: i32, numerator: i32, denominator: i32) -> i32 {
    let product = number as i64 * numerator as i64;
    let half = denominator as i64 / 2 * if product < 0 { -1 } else { 1 };
    ((product + half) / denominator as i64) as i32
}

// Normalization can be reversed.
const _: () = assert!(NORMALIZE_TO_PAWN_VALUE >= Score::HALF_WON_CP);

impl Add<i32> for Score {
    type Output = Self;
    fn add(self, distance: i32) -> Self {
        Self(self.0 + distance)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    fn sub(self, distance: i32) -> Self {
        Self(self.0 - distance)
    }
}

impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    /// `cp 25` or `mate -3`, as in UCI.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.to_cp()),
        }
    }
}
