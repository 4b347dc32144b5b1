//! From bytes to text.

use std::borrow::Cow;

/// How the letters beyond ASCII are encoded in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// As everywhere today.
    Utf8,
    /// ISO 8859/1, the encoding of the PGN standard. Where that has control characters, those
    /// of Windows-1252 are read, which is what is found in files.
    Latin1,
}

/// The byte order mark with which some files of UTF-8 begin.
pub(in crate::notation) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The most bytes of one character in UTF-8.
const MAX_CHAR_BYTES: usize = 4;

/// What Windows-1252 has between 0x80 and 0x9f; the five it leaves open stay as they are.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Encoding {
    /// What the first letter beyond ASCII tells about the file; `None` if there is no such
    /// letter, or if it is cut off and more may come.
    pub fn detect(bytes: &[u8], is_complete: bool) -> Option<Self> {
        let first = bytes.iter().position(|byte| !byte.is_ascii())?;
        let letter = &bytes[first..bytes.len().min(first + MAX_CHAR_BYTES)];
        match std::str::from_utf8(letter) {
            Ok(_) => Some(Self::Utf8),
            Err(error) if error.valid_up_to() > 0 => Some(Self::Utf8),
            Err(error) if error.error_len().is_none() && !is_complete => None,
            Err(_) => Some(Self::Latin1),
        }
    }

    /// The text. In a file of UTF-8, what is not UTF-8 is taken for Latin-1.
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
    fn the_first_letter_decides() {
        let cases: [(&str, &[u8], bool, Option<Encoding>); 6] = [
            ("ASCII", b"abc", true, None),
            ("UTF-8", "abcé".as_bytes(), true, Some(Encoding::Utf8)),
            ("UTF-8, four bytes", "a🙂b".as_bytes(), true, Some(Encoding::Utf8)),
            ("Latin-1", b"Mar\xf3czy", true, Some(Encoding::Latin1)),
            ("cut off", b"abc\xc3", false, None),
            ("cut off by the end of the file", b"abc\xc3", true, Some(Encoding::Latin1)),
        ];
        for (name, bytes, is_complete, expected) in cases {
            assert_eq!(Encoding::detect(bytes, is_complete), expected, "{name}");
        }
    }

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
