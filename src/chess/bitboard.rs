//! Sets of squares, one bit a square (<https://www.chessprogramming.org/Bitboards>).

use super::{File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(!0);

    /// The set with these bits: bit 0 is a1, bit 63 is h8.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits of the set: bit 0 is a1, bit 63 is h8.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in `other`.
    #[inline(always)]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether all squares of the set have the same color.
    #[inline(always)]
    pub const fn is_within_one_shade(self) -> bool {
        /// The dark squares, the color of a1.
        const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
        self.is_subset(DARK) || !self.intersects(DARK)
    }

    /// Whether the set has at least two squares.
    #[inline(always)]
    pub const fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Square::from_index(self.0.trailing_zeros() as usize) }
    }

    /// The square with the highest index.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Square::from_index(63 - self.0.leading_zeros() as usize) }
    }

    /// The only square, or `None` if there are none or several.
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.is_many() { None } else { self.first() }
    }

    /// The set with `square` added.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | square.bitboard().0)
    }

    /// The set with `square` removed.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !square.bitboard().0)
    }

    /// The set if the condition holds, otherwise the empty set, without a branch.
    #[inline(always)]
    #[must_use]
    pub const fn only_if(self, holds: bool) -> Self {
        Self(self.0 & (holds as u64).wrapping_neg())
    }

    /// Every square moved one rank up; the eighth rank falls off.
    #[inline(always)]
    #[must_use]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// Every square moved one rank down; the first rank falls off.
    #[inline(always)]
    #[must_use]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// Every square moved one file to the right; the h-file falls off.
    #[inline(always)]
    #[must_use]
    pub const fn east(self) -> Self {
        Self((self.0 & !File::H.squares().0) << 1)
    }

    /// Every square moved one file to the left; the a-file falls off.
    #[inline(always)]
    #[must_use]
    pub const fn west(self) -> Self {
        Self((self.0 & !File::A.squares().0) >> 1)
    }

    /// The set with files and ranks exchanged: a2 for b1.
    #[inline]
    #[must_use]
    pub const fn transposed(self) -> Self {
        // Exchanges bits at a distance, for the halves, quarters and eighths of the board.
        const fn exchange(bits: u64, distance: u32, lower: u64) -> u64 {
            let differing = (bits ^ bits >> distance) & lower;
            bits ^ differing ^ differing << distance
        }
        let pairs = exchange(self.0, 7, 0x00aa_00aa_00aa_00aa);
        let quarters = exchange(pairs, 14, 0x0000_cccc_0000_cccc);
        Self(exchange(quarters, 28, 0x0000_0000_f0f0_f0f0))
    }

    /// The set mirrored at the board's horizontal middle line.
    #[inline]
    #[must_use]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl File {
    /// All squares of the file.
    #[inline]
    pub const fn squares(self) -> Bitboard {
        Bitboard::from_bits(0x0101_0101_0101_0101 << self as u8)
    }
}

impl Rank {
    /// All squares of the rank.
    #[inline]
    pub const fn squares(self) -> Bitboard {
        Bitboard::from_bits(0xff << (8 * self as u8))
    }
}

impl Square {
    /// The set that holds only this square.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard::from_bits(1 << self as u8)
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl From<File> for Bitboard {
    #[inline(always)]
    fn from(file: File) -> Self {
        file.squares()
    }
}

impl From<Rank> for Bitboard {
    #[inline(always)]
    fn from(rank: Rank) -> Self {
        rank.squares()
    }
}

/// Implements a set operator between bitboards and anything that converts into one.
macro_rules! set_operator {
    ($op:ident, $method:ident, $assign:ident, $assign_method:ident, $apply:expr) => {
        impl<B: Into<Bitboard>> $op<B> for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: B) -> Self {
                let apply: fn(u64, u64) -> u64 = $apply;
                Self(apply(self.0, other.into().0))
            }
        }

        impl<B: Into<Bitboard>> $assign<B> for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: B) {
                *self = $op::$method(*self, other);
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
// Set difference, as in mathematics: the squares of the first set that are not in the second.
set_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1; // clears the lowest set bit
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl ExactSizeIterator for Squares {
    #[inline]
    fn len(&self) -> usize {
        self.0.count() as usize
    }
}

impl fmt::Debug for Bitboard {
    /// Eight lines of `#` and `.`, the eighth rank first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                f.write_str(if self.contains(Square::new(file, rank)) { "#" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_set_has_ranks_for_files() {
        for square in Square::ALL {
            let expected = Square::wrapping(square.file().index() * 8 + square.rank().index());
            assert_eq!(square.bitboard().transposed(), expected.bitboard(), "{square}");
        }
    }

    #[test]
    fn shifts_do_not_wrap() {
        assert_eq!(Bitboard::from(Square::H4).east(), Bitboard::EMPTY);
        assert_eq!(Bitboard::from(Square::A4).west(), Bitboard::EMPTY);
        assert_eq!(Bitboard::from(Square::A8).north(), Bitboard::EMPTY);
        assert_eq!(Bitboard::from(Square::A1).south(), Bitboard::EMPTY);
        assert_eq!(Bitboard::from(Square::D4).north().east(), Square::E5.bitboard());
    }

    #[test]
    fn iterates_in_order_and_collects_back() {
        let set = Bitboard::from(Rank::Second) | Square::H8;
        assert_eq!(set.into_iter().len(), 9);
        assert_eq!(set.into_iter().last(), Some(Square::H8));
        assert_eq!(set.into_iter().collect::<Bitboard>(), set);
        assert_eq!(set.first(), Some(Square::A2));
        assert_eq!(set.last(), Some(Square::H8));
        assert_eq!((set - Rank::Second).single(), Some(Square::H8));
        assert_eq!(set.single(), None);
    }
}
