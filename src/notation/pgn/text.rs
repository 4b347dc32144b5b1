//! Text as it stands in a file.

use super::Encoding;
use std::borrow::Cow;

/// A comment, a tag value or an escape line as it stands in a file. It is decoded only when
/// somebody wants to read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawText<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
    has_escapes: bool,
}

impl<'a> RawText<'a> {
    /// Text that is what it says.
    pub const fn new(bytes: &'a [u8], encoding: Encoding) -> Self {
        Self { bytes, encoding, has_escapes: false }
    }

    /// Text in which `\"` stands for a quote and `\\` for a backslash.
    pub const fn with_escapes(bytes: &'a [u8], encoding: Encoding) -> Self {
        Self { bytes, encoding, has_escapes: true }
    }

    /// The bytes in the file, escapes included.
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The text.
    pub fn decode(self) -> Cow<'a, str> {
        let text = self.encoding.decode(self.bytes);
        if self.has_escapes { Cow::Owned(unescape(&text)) } else { text }
    }
}

impl<'a> From<&'a str> for RawText<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text.as_bytes(), Encoding::Utf8)
    }
}

/// The text with `\"` and `\\` read; other backslashes stand for themselves.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('"' | '\\')) => plain.extend(letters.next()),
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_once() {
        let cases = [
            (r#"a \"b\" c"#, r#"a "b" c"#),
            (r"a\\b", r"a\b"),
            (r"a\b", r"a\b"),
            (r"a\\\\", r"a\\"),
            (r"a\", r"a\"),
        ];
        for (written, expected) in cases {
            assert_eq!(RawText::with_escapes(written.as_bytes(), Encoding::Utf8).decode(), expected);
            assert_eq!(RawText::from(written).decode(), written);
        }
    }
}
