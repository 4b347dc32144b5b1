//! Text of a file before it is decoded, and the mark of text that could not be read.

use std::borrow::Cow;

/// A comment, a tag value or an escape line as in the file. It is decoded only on demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawText<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
    has_escapes: bool,
}

impl<'a> RawText<'a> {
    /// Text without escapes.
    pub const fn new(bytes: &'a [u8], encoding: Encoding) -> Self {
        Self { bytes, encoding, has_escapes: false }
    }

    /// Text in which `\"` is a quote and `\\` a backslash.
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

/// The text with `\"` and `\\` replaced; other backslashes are kept.
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

/// The encoding of letters beyond ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8, but text that is not valid UTF-8 is Latin-1: files are put together from others, so
    /// each text is decoded on its own, and Latin-1 text is hardly ever UTF-8 by chance.
    Utf8,
    /// ISO 8859/1, the encoding of the PGN standard. In place of its control characters, those of
    /// Windows-1252 are read, which real files have.
    Latin1,
}

/// The byte order mark at the start of some files in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The characters of Windows-1252 from 0x80 to 0x9f; the five it leaves open are unchanged.
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

/// The character of a byte in Windows-1252.
pub(super) const fn letter(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[byte as usize - 0x80],
        _ => byte as char,
    }
}

/// The start of the mark.
pub const UNREAD: &str = "[%unread ";

/// A comment that keeps text which could not be read: `[%unread 3. Ke3 Nc6 ...]`.
///
/// Within it `\\` is a backslash, `\(` and `\)` are braces, `\<` and `\>` brackets, and `\n` is the end
/// of a line where it matters: at a comment behind `;`, or a line that starts with `%`. Other white
/// space is one space.
///
/// ```
/// use hematite_core::notation::pgn::unread_mark;
/// assert_eq!(unread_mark("3. Ke3 {?!}\n3... Nc6"), r"[%unread 3. Ke3 \(?!\) 3... Nc6]");
/// ```
pub fn unread_mark(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut mark = UNREAD.to_owned();
    let mut lines = text.trim().lines().peekable();
    while let Some(line) = lines.next() {
        for letter in line.trim_end().chars() {
            match letter {
                '\\' => mark.push_str(r"\\"),
                '{' => mark.push_str(r"\("),
                '}' => mark.push_str(r"\)"),
                '[' => mark.push_str(r"\<"),
                ']' => mark.push_str(r"\>"),
                _ => mark.push(letter),
            }
        }
        if let Some(next) = lines.peek() {
            let matters = line.contains(';') || line.starts_with('%') || next.starts_with('%');
            mark.push_str(if matters { r"\n " } else { " " });
        }
    }
    mark.push(']');
    mark
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
