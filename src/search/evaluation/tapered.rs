//! A value that changes from the middlegame to the endgame.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Phase of a position with all pieces on the board; 0 with none.
pub(super) const FULL_PHASE: i32 = 24;

/// Centipawns in the middlegame and in the endgame.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tapered {
    middlegame: i32,
    endgame: i32,
}

impl Tapered {
    pub(super) const ZERO: Self = Self::new(0, 0);

    pub(super) const fn new(middlegame: i32, endgame: i32) -> Self {
        Self { middlegame, endgame }
    }

    /// The sum, in constants.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self::new(self.middlegame + other.middlegame, self.endgame + other.endgame)
    }

    /// The multiple, in constants.
    pub(super) const fn times(self, factor: i32) -> Self {
        Self::new(self.middlegame * factor, self.endgame * factor)
    }

    /// The value at a phase between 0, the endgame, and [`FULL_PHASE`].
    pub(super) fn blend(self, phase: i32) -> i32 {
        let phase = phase.clamp(0, FULL_PHASE);
        (self.middlegame * phase + self.endgame * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.middlegame - other.middlegame, self.endgame - other.endgame)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: i32) -> Self {
        self.times(factor)
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blends_from_one_end_to_the_other() {
        let value = Tapered::new(240, -240);
        assert_eq!(value.blend(FULL_PHASE), 240);
        assert_eq!(value.blend(FULL_PHASE + 9), 240, "promoted pieces count no more");
        assert_eq!(value.blend(FULL_PHASE / 2), 0);
        assert_eq!(value.blend(0), -240);
    }
}
