//! Annotation glyphs, and non-ASCII characters in the moves of a game: white space, assessments, dashes.

use super::text::letter;
use std::fmt;

/// The first character of some bytes and its length: in UTF-8, or else in Windows-1252.
pub(super) fn first_letter(bytes: &[u8]) -> Option<(char, usize)> {
    let &first = bytes.first()?;
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let text = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    Some(match text.and_then(|text| text.chars().next()) {
        Some(found) => (found, length),
        None => (letter(first), 1),
    })
}

/// Whether a character separates tokens: white space, and characters without a width, which occur in text copied from
/// web pages and documents.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The length of a non-ASCII space at the start of these bytes.
#[cold]
pub(super) fn wide_space(bytes: &[u8]) -> Option<usize> {
    first_letter(bytes)
        .filter(|&(letter, _)| !letter.is_ascii() && is_space(letter))
        .map(|(_, length)| length)
}

pub(super) const fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether a character may be part of a move.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || is_dash(letter) || matches!(letter, '×' | '†' | '‡' | '♔'..='♟')
}

/// Whether a character is a variation selector, which only selects the appearance of the character before it.
pub(super) const fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{fe00}'..='\u{fe0f}')
}

/// The intended character: a hyphen for a dash, and a file for a Cyrillic letter of the same shape.
pub(super) const fn folded(letter: char) -> char {
    match letter {
        _ if is_dash(letter) => '-',
        'а' => 'a',
        'с' => 'c',
        'е' => 'e',
        'х' => 'x',
        _ => letter,
    }
}

/// The assessments that consist of several signs, the longest first.
const SIGNS: [(&str, Nag); 18] = [
    ("=/oo", Nag(44)),
    ("+/-", Nag(16)),
    ("-/+", Nag(17)),
    ("+/=", Nag(14)),
    ("=/+", Nag(15)),
    ("=/∞", Nag(44)),
    ("+--", Nag(18)),
    ("--+", Nag(19)),
    ("+-", Nag(18)),
    ("-+", Nag(19)),
    ("+=", Nag(14)),
    ("=+", Nag(15)),
    ("=∞", Nag(44)),
    ("∞=", Nag(44)),
    ("=~", Nag(44)),
    ("==", Nag(10)),
    ("=", Nag(10)),
    ("≈", Nag(13)),
];

/// The glyph of an assessment in signs, if the text is one.
pub(super) fn from_signs(text: &[u8]) -> Option<Nag> {
    SIGNS.iter().find(|(signs, _)| signs.as_bytes() == text).map(|&(_, nag)| nag)
}

/// Splits a move from an assessment that is appended to it, as in `Nf3+-`.
pub(super) fn split_assessment(text: &[u8]) -> (&[u8], Option<Nag>) {
    SIGNS
        .iter()
        .find_map(|&(signs, nag)| Some((text.strip_suffix(signs.as_bytes())?, Some(nag))))
        .filter(|(core, _)| !core.is_empty())
        .unwrap_or((text, None))
}

/// The glyph of a word that programs write instead of a glyph. `Some(None)` for a word without a meaning.
pub(super) fn from_word(word: &[u8]) -> Option<Option<Nag>> {
    match word {
        b"N" | b"TN" => Some(Some(Nag(146))),
        b"D" | b"Diagram" | b"diagram" => Some(Some(Nag(220))),
        b"RR" => Some(Some(Nag(145))),
        b"ep" | b"\xc2\xbd" => Some(None),
        _ => None,
    }
}

/// The assessment that starts here and contains a non-ASCII character, with its length. If there is a glyph for each
/// side, White's is returned.
pub(super) fn assessment(bytes: &[u8]) -> Option<(Nag, usize)> {
    let mut signs = String::new();
    let mut length = 0;
    let mut found = None;
    while signs.chars().count() < 4
        && let Some((letter, bytes)) = first_letter(&bytes[length..])
        && (is_dash(letter) || matches!(letter, '+' | '=' | '/' | '∞'))
    {
        signs.push(folded(letter));
        length += bytes;
        if let Some(nag) = from_signs(signs.as_bytes()).filter(|_| length > signs.chars().count()) {
            found = Some((nag, length));
        }
    }
    found.or_else(|| {
        let (letter, length) = first_letter(bytes)?;
        Some((from_letter(letter)?, length))
    })
}

/// The glyph for a sign, according to the supplement of the standard, Informant and programs.
const fn from_letter(letter: char) -> Option<Nag> {
    Some(Nag(match letter {
        '！' | '❗' => 1,
        '？' | '❓' => 2,
        '‼' => 3,
        '⁇' => 4,
        '⁉' => 5,
        '⁈' => 6,
        '□' | '▢' => 7,
        '∞' | '≈' => 13,
        '⩲' | '⊵' | '≥' => 14,
        '⩱' | '⊴' => 15,
        '±' => 16,
        '∓' => 17,
        '⨀' | '⊙' => 22,
        '○' | '◯' => 26,
        '⟳' | '↻' => 32,
        '↑' => 36,
        '→' => 40,
        '⯹' => 44,
        '⇆' | '⇄' => 132,
        '⨁' | '⊕' => 138,
        '∆' | 'Δ' | '△' => 140,
        '∇' | '▽' => 141,
        '⌓' => 142,
        '≤' => 143,
        '⊥' | '┴' => 148,
        '⟺' | '⇔' => 149,
        '⇗' => 150,
        '⯻' | '⯺' => 151,
        _ => return None,
    }))
}

/// Whether a text may be a misspelled move: it contains a square, or is castling.
pub(super) fn may_be_move(text: &[u8]) -> bool {
    let has_square = text
        .windows(2)
        .any(|pair| matches!(pair[0].to_ascii_lowercase(), b'a'..=b'h') && matches!(pair[1], b'1'..=b'8'));
    let is_castling =
        text.len() > 2 && text.iter().all(|byte| b"Oo0-".contains(byte)) && text.contains(&b'-');
    has_square || is_castling && text.iter().filter(|&&byte| byte != b'-').count() > 1
}

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

    /// The glyph of a move suffix: the six of the standard (8.2.3.8), and longer ones by their first two characters.
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
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_glyphs() {
        let cases = [
            ("±", Some((16, 2))),
            ("∓ x", Some((17, 3))),
            ("+−", Some((18, 4))),
            ("=/∞", Some((44, 5))),
            ("∞", Some((13, 3))),
            ("+-", None),
            ("–", None),
            ("é", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(nag, length)| (Nag(nag), length));
            assert_eq!(assessment(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(split_assessment(b"Nf3+-"), (&b"Nf3"[..], Some(Nag(18))));
        assert_eq!(split_assessment(b"Nf3+"), (&b"Nf3+"[..], None));
        assert_eq!(split_assessment(b"="), (&b"="[..], None));
    }
}
