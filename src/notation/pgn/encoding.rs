//! From bytes to text.

use std::borrow::Cow;

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
