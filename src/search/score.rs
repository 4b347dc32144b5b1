//! What a position is worth: a score is a point, the difference of two scores a distance.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move.
///
/// | range               | meaning                                |
/// |---------------------|----------------------------------------|
/// | `0 ..= 29_999`      | evaluation, in units of the search; [`Score::told`] makes centipawns of them |
/// | `30_872 ..= 31_000` | a win that an endgame table knows of, `31_000 - plies until its position` |
/// | `31_872 ..= 32_000` | mate, `32_000 - plies until mate`      |
///
/// and the same below zero for the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

/// The deepest a search can go from the root, in plies.
pub const MAX_PLY: usize = 128;

const MATE: i32 = 32_000;
const SLOWEST_MATE: i32 = MATE - MAX_PLY as i32;
const TB_WIN: i32 = 31_000;
const SLOWEST_TB_WIN: i32 = TB_WIN - MAX_PLY as i32;
const MAX_EVALUATION: i32 = 29_999;

/// The evaluation that wins half of the games, in units of the search: fitted to 61,799 scores of both players at plies 56
/// to 72 in 4,000 games of the engine at 10,000 nodes a move, most of them with its network of generation 11 (193 ± 7). The scores of
/// the stronger player alone would make it too small. A new network wants it fitted again, and so does a search with other
/// margins.
const NORMALIZE_TO_PAWN_VALUE: i32 = 193;
/// The same as users are told it, in centipawns.
const PAWN_CP: i32 = 100;

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// Above every score there is.
    pub const INFINITE: Self = Self(MATE + 1);

    /// An evaluation, brought into the range of evaluations.
    pub const fn centipawns(value: i32) -> Self {
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

    /// In this many plies a position is reached that the side to move wins, as an endgame table knows.
    pub const fn tb_win(plies: usize) -> Self {
        Self(TB_WIN - plies as i32)
    }

    /// In this many plies a position is reached that the side to move loses, as an endgame table knows.
    pub const fn tb_loss(plies: usize) -> Self {
        Self(-TB_WIN + plies as i32)
    }

    /// The score that [`Score::value`] tells so; `None` for a number that no score has.
    pub const fn new(value: i32) -> Option<Self> {
        if -MATE <= value && value <= MATE { Some(Self(value)) } else { None }
    }

    /// The score that is this plain number: the inverse of [`Score::value`].
    pub(super) const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// An evaluation in centipawns as users are told it: with 100 of them half of the games are won in the
    /// middlegame, whatever the units of the network. What is decided stays the large number that it is.
    pub const fn told(self) -> i32 {
        if self.0.abs() > MAX_EVALUATION {
            self.0
        } else {
            rescaled(self.0, PAWN_CP, NORMALIZE_TO_PAWN_VALUE)
        }
    }

    /// The evaluation that is told as so many centipawns.
    pub const fn from_told(centipawns: i32) -> Self {
        Self::centipawns(rescaled(centipawns, NORMALIZE_TO_PAWN_VALUE, PAWN_CP))
    }

    /// The score as a plain number in units of the search, mates included.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Is it a mate, given or received?
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= SLOWEST_MATE
    }

    /// Is it a mate or a win that an endgame table knows of, for either side?
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= SLOWEST_TB_WIN
    }

    /// Does the side to move win for sure?
    pub const fn is_win(self) -> bool {
        self.0 >= SLOWEST_TB_WIN
    }

    /// Does the side to move lose for sure?
    pub const fn is_loss(self) -> bool {
        self.0 <= -SLOWEST_TB_WIN
    }

    /// Full moves to mate as UCI counts them, negative if the side to move is mated; `None`
    /// for an ordinary score.
    pub const fn mate_in(self) -> Option<i32> {
        match self.is_mate() {
            true if self.0 > 0 => Some((MATE - self.0 + 1) / 2),
            true => Some(-(MATE + self.0) / 2),
            false => None,
        }
    }

    /// Rebases a sure win or loss from "plies from the root" to "plies from this node",
    /// the only form that may be stored in the hash table.
    pub const fn relative_to_node(self, ply: usize) -> Self {
        Self(self.0 + self.toward_end() * ply as i32)
    }

    /// Rebases a sure win or loss from "plies from this node" to "plies from the root".
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

/// A number times `numerator / denominator`, rounded to the nearest.
const fn rescaled(number: i32, numerator: i32, denominator: i32) -> i32 {
    let product = number as i64 * numerator as i64;
    let half = denominator as i64 / 2 * if product < 0 { -1 } else { 1 };
    ((product + half) / denominator as i64) as i32
}

// A told score leads back to itself.
const _: () = assert!(NORMALIZE_TO_PAWN_VALUE >= PAWN_CP);

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
    /// `cp 25` or `mate -3`, as UCI writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.told()),
        }
    }
}
