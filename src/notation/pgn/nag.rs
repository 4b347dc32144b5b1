//! Numeric annotation glyphs (PGN standard, 10).

use std::fmt;

/// A numeric annotation glyph: `$0` to `$255`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

impl Nag {
    /// `!`
    pub const GOOD_MOVE: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT_MOVE: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const SPECULATIVE_MOVE: Self = Self(5);
    /// `?!`
    pub const DUBIOUS_MOVE: Self = Self(6);

    /// The glyph of a move suffix: the six of the standard (8.2.3.8), and longer ones by what
    /// they begin with.
    pub const fn from_suffix(suffix: &[u8]) -> Option<Self> {
        match suffix {
            [b'!'] => Some(Self::GOOD_MOVE),
            [b'?'] => Some(Self::MISTAKE),
            [b'!', b'!', ..] => Some(Self::BRILLIANT_MOVE),
            [b'?', b'?', ..] => Some(Self::BLUNDER),
            [b'!', b'?', ..] => Some(Self::SPECULATIVE_MOVE),
            [b'?', b'!', ..] => Some(Self::DUBIOUS_MOVE),
            _ => None,
        }
    }

    /// The glyph of an assessment that is written with signs, as many programs do.
    pub const fn from_signs(signs: &[u8]) -> Option<Self> {
        match signs {
            b"=" => Some(Self(10)),
            b"+=" | b"+/=" => Some(Self(14)),
            b"=+" | b"=/+" => Some(Self(15)),
            b"+/-" => Some(Self(16)),
            b"-/+" => Some(Self(17)),
            b"+-" => Some(Self(18)),
            b"-+" => Some(Self(19)),
            _ => None,
        }
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
