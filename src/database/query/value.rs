//! Values of terms: the operators before them, and errors in them.

/// The error for an invalid value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BadValue {
    /// The offset in the value, in bytes.
    pub at: usize,
    pub expected: String,
}

impl BadValue {
    pub(super) fn new(at: usize, expected: impl Into<String>) -> Self {
        Self { at, expected: expected.into() }
    }
}

/// The operator between the name and the value of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    /// `:`, the most readable one.
    Colon,
    /// `=`
    Equal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    /// `~`: a part of a text, or a possible date.
    Tilde,
    /// `~~`: words with spelling mistakes.
    Like,
}
