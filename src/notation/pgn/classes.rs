//! The classes of bytes in movetext, by the tokens that they start or continue.

/// The kind of token that a byte may start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A move or a word.
    Letter,
    /// A byte beyond ASCII, of a move in another notation, of a sign or of a word.
    Wide,
    Digit,
    /// `+`, `-`, `=`, which start assessments and null moves.
    Sign,
    /// A byte that continues a symbol, but does not start one.
    Inner,
    /// `!` and `?`
    Suffix,
    Other,
}

/// The classes of all bytes.
pub(super) const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => Class::Digit,
            b'A'..=b'Z' | b'a'..=b'z' | b'@' => Class::Letter,
            0x80..=0xff => Class::Wide,
            b'+' | b'-' | b'=' => Class::Sign,
            b'_' | b'#' | b':' | b'/' => Class::Inner,
            b'!' | b'?' => Class::Suffix,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Whether this byte may be part of an ASCII symbol.
#[inline(always)]
pub(super) const fn is_symbol(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Letter | Class::Digit | Class::Sign | Class::Inner)
}

/// Whether a symbol continues here with a byte beyond ASCII.
#[inline(always)]
pub(super) fn is_wide(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| !byte.is_ascii())
}

/// Whether these are the last two bytes of a move with nothing appended to it. All other symbols are examined more
/// closely.
#[inline(always)]
pub(super) const fn ends_plainly(before: u8, last: u8) -> bool {
    match last {
        b'1'..=b'8' => true,
        b'+' | b'#' | b'O' => !matches!(before, b'+' | b'-' | b'=' | b'/') || last == b'O' && before == b'-',
        _ => false,
    }
}
