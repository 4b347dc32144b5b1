//! Text as it stands in a file.

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

/// How the letters beyond ASCII are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// As everywhere today. Text that is not UTF-8 is Latin-1: files are put together from others,
    /// so each text speaks for itself, and hardly any in Latin-1 is UTF-8 by chance.
    Utf8,
    /// ISO 8859/1, the encoding of the PGN standard. Where that has control characters, those
    /// of Windows-1252 are read, which is what is found in files.
    Latin1,
}

/// The byte order mark with which some files of UTF-8 begin.
pub(in crate::notation) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What Windows-1252 has between 0x80 and 0x9f; the five it leaves open stay as they are.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Encoding {
    /// The text.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match std::str::from_utf8(bytes) {
            Ok(text) if self == Self::Utf8 || bytes.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(bytes.iter().map(|&byte| letter(byte)).collect()),
        }
    }
}

const fn letter(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[byte as usize - 0x80],
        _ => byte as char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Escapes

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

    // Encodings

    #[test]
    fn decodes() {
        assert_eq!(Encoding::Utf8.decode("Maróczy".as_bytes()), "Maróczy");
        assert_eq!(Encoding::Utf8.decode(b"Mar\xf3czy"), "Maróczy");
        assert_eq!(Encoding::Latin1.decode(b"Mar\xf3czy"), "Maróczy");
        assert_eq!(Encoding::Latin1.decode("ó".as_bytes()), "Ã³");
        assert_eq!(Encoding::Latin1.decode(b"\x93N\x94"), "“N”");
        assert!(matches!(Encoding::Latin1.decode(b"abc"), Cow::Borrowed("abc")));
    }
}
