//! Characters beyond ASCII in the moves of a game: white space, assessments, dashes, results.

use super::text::letter;
use super::{GameResult, Nag};

/// The first character of some bytes and its length: one of UTF-8, or else of Windows-1252.
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

/// Whether it separates tokens: white space, and characters without a width, which text copied from
/// pages and documents has.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The length of a space beyond ASCII at the start of these bytes.
#[cold]
pub(super) fn wide_space(bytes: &[u8]) -> Option<usize> {
    first_letter(bytes)
        .filter(|&(letter, _)| !letter.is_ascii() && is_space(letter))
        .map(|(_, length)| length)
}

pub(super) const fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether it may be part of a move.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || is_dash(letter) || matches!(letter, '×' | '†' | '‡' | '♔'..='♟')
}

/// Whether it only selects the look of the character before it.
pub(super) const fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{fe00}'..='\u{fe0f}')
}

/// The letter that is meant: a hyphen for a dash, and a file for a Cyrillic letter of its shape.
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

/// The assessments of several signs, the longest first.
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

/// Splits a move from the assessment that is glued to it: `Nf3+-`.
pub(super) fn split_assessment(text: &[u8]) -> (&[u8], Option<Nag>) {
    SIGNS
        .iter()
        .find_map(|&(signs, nag)| Some((text.strip_suffix(signs.as_bytes())?, Some(nag))))
        .filter(|(core, _)| !core.is_empty())
        .unwrap_or((text, None))
}

/// The glyph of a word, as far as programs write words for glyphs. `Some(None)` for a word that
/// states nothing.
pub(super) fn from_word(word: &[u8]) -> Option<Option<Nag>> {
    match word {
        b"N" | b"TN" => Some(Some(Nag(146))),
        b"D" | b"Diagram" | b"diagram" => Some(Some(Nag(220))),
        b"RR" => Some(Some(Nag(145))),
        b"ep" | b"\xc2\xbd" => Some(None),
        _ => None,
    }
}

/// The assessment that starts here and has a character beyond ASCII, with its length. Of the glyphs
/// that exist for each side, White's is meant.
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

/// The glyph that a sign is for, as the supplement of the standard, Informant and programs have it.
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

/// Whether a text may be a move that is spelled wrongly: it has a square in it, or castles.
pub(super) fn may_be_move(text: &[u8]) -> bool {
    let has_square = text
        .windows(2)
        .any(|pair| matches!(pair[0].to_ascii_lowercase(), b'a'..=b'h') && matches!(pair[1], b'1'..=b'8'));
    let is_castling =
        text.len() > 2 && text.iter().all(|byte| b"Oo0-".contains(byte)) && text.contains(&b'-');
    has_square || is_castling && text.iter().filter(|&&byte| byte != b'-').count() > 1
}

/// The points of a side in a result, with their length: twice the points.
fn points(bytes: &[u8]) -> Option<(u8, usize)> {
    for (text, points) in [("1/2", 1), ("½", 1), ("0.5", 1), ("0,5", 1), (".5", 1), ("1", 2), ("0", 0)] {
        if bytes.starts_with(text.as_bytes()) {
            return Some((points, text.len()));
        }
    }
    // One half in Latin-1.
    bytes.starts_with(b"\xbd").then_some((1, 1))
}

fn blanks(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some((letter, bytes)) = first_letter(&bytes[length..])
        && is_space(letter)
        && !matches!(letter, '\n' | '\r')
    {
        length += bytes;
    }
    length
}

/// The result that starts here, in any spelling, with its length: `1-0`, `1 – 0`, `0:1`, `½`.
pub(super) fn result_at(bytes: &[u8]) -> Option<(GameResult, usize)> {
    let is_end = |at: usize| {
        first_letter(&bytes[at..]).is_none_or(|(letter, _)| {
            !is_word(letter) && !matches!(letter, '/' | ':' | '=' | '#' | '+' | '_')
        })
    };
    let (white, length) = points(bytes)?;
    let before = length + blanks(&bytes[length..]);
    let pair = first_letter(&bytes[before..])
        .filter(|&(letter, _)| is_dash(letter) || letter == ':')
        .and_then(|(_, dash)| {
            let start = before + dash + blanks(&bytes[before + dash..]);
            let (black, length) = points(&bytes[start..])?;
            Some((black, start + length))
        })
        .filter(|&(black, end)| white + black == 2 && is_end(end));
    match (pair, white) {
        (Some((_, end)), 2) => Some((GameResult::WhiteWins, end)),
        (Some((_, end)), 1) => Some((GameResult::Draw, end)),
        (Some((_, end)), _) => Some((GameResult::BlackWins, end)),
        (None, 1) if is_end(length) && !bytes[..length].ends_with(b"5") => Some((GameResult::Draw, length)),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_many_spellings() {
        let cases = [
            ("1-0", Some((GameResult::WhiteWins, 3))),
            ("1 - 0 x", Some((GameResult::WhiteWins, 5))),
            ("0:1", Some((GameResult::BlackWins, 3))),
            ("1–0", Some((GameResult::WhiteWins, 5))),
            ("0—1\n", Some((GameResult::BlackWins, 5))),
            ("½-½", Some((GameResult::Draw, 5))),
            ("½", Some((GameResult::Draw, 2))),
            ("1/2", Some((GameResult::Draw, 3))),
            ("1/2 - 1/2", Some((GameResult::Draw, 9))),
            ("0,5-0,5", Some((GameResult::Draw, 7))),
            ("0.5:0.5", Some((GameResult::Draw, 7))),
            ("1/2-0", None),
            ("0-0", None),
            ("1 - 0-0", None),
            ("1", None),
            ("1-0x", None),
            ("12-0", None),
        ];
        for (text, expected) in cases {
            assert_eq!(result_at(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(result_at(b"\xbd-\xbd"), Some((GameResult::Draw, 3)));
    }

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
