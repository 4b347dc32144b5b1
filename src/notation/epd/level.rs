//! The digit of the ranked opcodes.

use std::fmt;

/// Which of the ten comments `c0` to `c9` or variation names `v0` to `v9`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The primary one.
    pub const PRIMARY: Self = Self(0);

    /// The level with this digit; `None` above 9.
    pub const fn new(digit: u8) -> Option<Self> {
        if digit < 10 { Some(Self(digit)) } else { None }
    }

    /// The digit.
    pub const fn digit(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
