//! Values of terms: the operators before them, and what is wrong with one.

/// A value that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BadValue {
    /// Where in the value, in bytes.
    pub at: usize,
    pub expected: String,
}

impl BadValue {
    pub(super) fn new(at: usize, expected: impl Into<String>) -> Self {
        Self { at, expected: expected.into() }
    }
}

/// How a term is written between its name and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    /// `:`, which reads best.
    Colon,
    /// `=`
    Equal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    /// `~`: a part of a text, or a date that may be.
    Tilde,
    /// `~~`: words with mistakes.
    Like,
}
