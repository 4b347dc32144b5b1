//! A bounded number that is pulled back toward zero, the more the larger it is.

/// A history value within `-LIMIT ..= LIMIT`
/// (<https://www.chessprogramming.org/History_Heuristic#History_Bonuses>).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Gravity<const LIMIT: i16>(i16);

impl<const LIMIT: i16> Gravity<LIMIT> {
    /// Nothing is known.
    pub(super) const ZERO: Self = Self(0);

    /// The value.
    #[inline(always)]
    pub(super) fn value(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the value toward the sign of `bonus`; the farther it is out, the less.
    #[inline]
    pub(super) fn update(&mut self, bonus: i32) {
        const { assert!(LIMIT > 0) };
        let limit = i32::from(LIMIT);
        let bonus = bonus.clamp(-limit, limit);
        self.0 += (bonus - self.value() * bonus.abs() / limit) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_leaves_its_bounds() {
        for bonus in [i32::MIN + 1, -500, -1, 1, 500, i32::MAX] {
            let mut gravity = Gravity::<1000>::default();
            for _ in 0..5000 {
                let before = gravity.value();
                gravity.update(bonus);
                assert!(gravity.value().abs() <= 1000, "{bonus}");
                assert!((gravity.value() - before) * bonus.signum() >= 0, "{bonus}: the wrong way");
            }
        }
    }

    #[test]
    fn surprises_count_more_than_confirmations() {
        let mut gravity = Gravity::<1000>::default();
        gravity.update(400);
        let first = gravity.value();
        gravity.update(400);
        assert!(gravity.value() - first < first);
        gravity.update(-400);
        assert!(gravity.value() < first);
    }
}
