//! Letters drawn as lines, so that a picture looks the same everywhere and needs no font.
//!
//! A letter is a relative SVG path that starts at the left end of the base line. Capitals are [`CAP_HEIGHT`] high.
//! Every printable ASCII character has a path; Latin letters with common accents are composed, and all others are
//! transliterated to Latin letters by [`deunicode`].

use super::style::Rgb;
use deunicode::deunicode_char;
use std::fmt::Write;

/// The height of capital letters and digits, in the units of the glyphs.
pub(super) const CAP_HEIGHT: f64 = 14.0;
/// The space between two letters.
const GAP: f64 = 3.0;
/// The width of a space, without the space around it.
const SPACE: f64 = 3.0;
/// The width of the lines, and of the same lines with a seam around them.
pub(super) const PEN: f64 = 2.0;
pub(super) const SEAM: f64 = 8.0;

/// The width and the path of each ASCII character from `!` on.
#[rustfmt::skip]
const GLYPHS: [(f64, &str); 94] = [
    (2.0, "m1 0v-.1m0-3.8v-10.1"), // !
    (4.0, "m.5-14v4m3.5-4v4"), // "
    (10.0, "m2 0l2-14m4 0l-2 14m-6-9.6h9.8m-.6 4.8h-9.5"), // #
    (9.0, "m8.6-11.6c-.6-1.6-2.1-2.4-4.1-2.4-2.4 0-4.1 1.4-4.1 3.5 0 4.6 8.6 2.4 8.6 7 0 2.1-1.9 3.5-4.4 3.5-2.3 0-4-.9-4.6-2.7m4.5 4.7v-18"), // $
    (13.0, "m1.5 0l10-14m-11.5 3.5a2.8 3.3 0 1 1 5.6 0a2.8 3.3 0 1 1-5.6 0m7.4 7.1a2.8 3.3 0 1 1 5.6 0a2.8 3.3 0 1 1-5.6 0"), // %
    (11.0, "m10.8 0l-8.1-9.2c-1.7-2-.6-4.8 1.9-4.8 3.2 0 3.8 4 .8 5.7-3.2 1.8-5.2 2.5-5.2 4.9 0 4.2 7.8 4.8 9.6-3"), // &
    (2.0, "m1-14v4"), // '
    (4.0, "m4-15.5c-5.3 5.3-5.3 13.2 0 18.5"), // (
    (4.0, "m0-15.5c5.3 5.3 5.3 13.2 0 18.5"), // )
    (7.0, "m3.5-14v7m-3-5.2l6 3.4m0-3.4l-6 3.4"), // *
    (9.0, "m0-5.5h9m-4.5-4.5v9"), // +
    (2.0, "m1.4-.2l-1 2.8"), // ,
    (6.0, "m0-5h6"), // -
    (2.0, "m1 0v-.1"), // .
    (6.0, "m0 1.5l6-16.5"), // /
    (9.0, "m0-7a4.5 7 0 1 1 9 0a4.5 7 0 1 1-9 0"), // 0
    (6.0, "m.5-11l4.5-3v14"), // 1
    (9.0, "m.3-10.5c.3-2.2 1.9-3.5 4.1-3.5 2.4 0 4.1 1.5 4.1 3.7 0 3.6-5.5 5.8-8.5 10.3h9"), // 2
    (9.0, "m.4-12.2c.9-1.2 2.2-1.8 3.9-1.8 2.4 0 4 1.4 4 3.4 0 2.1-1.7 3.4-4.5 3.4 3.1 0 5 1.4 5 3.6 0 2.2-1.9 3.6-4.5 3.6-2 0-3.5-.7-4.3-2.1"), // 3
    (9.5, "m7 0v-14l-7 9.8h9.6"), // 4
    (8.5, "m7.8-14h-6.3l-.7 6.2c1-.8 2.2-1.2 3.6-1.2 2.7 0 4.4 1.7 4.4 4.3 0 2.8-1.8 4.7-4.6 4.7-1.9 0-3.4-.7-4.2-2"), // 5
    (9.0, "m7.6-13.2c-4.5-1.8-7.6 2.2-7.6 8.7a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1-9 0"), // 6
    (9.0, "m0-14h9l-5.5 14"), // 7
    (9.0, "m.7-10.6a3.8 3.4 0 1 1 7.6 0a3.8 3.4 0 1 1-7.6 0m-.7 7a4.5 3.6 0 1 1 9 0a4.5 3.6 0 1 1-9 0"), // 8
    (9.0, "m1.4-.8c4.5 1.8 7.6-2.2 7.6-8.7a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0"), // 9
    (2.0, "m1 0v-.1m0-7.5v-.1"), // :
    (2.0, "m1.4-.2l-1 2.8m.7-10.3v-.1"), // ;
    (8.0, "m8-10l-8 4.5 8 4.5"), // <
    (9.0, "m0-7.3h9m0 3.6h-9"), // =
    (8.0, "m0-10l8 4.5-8 4.5"), // >
    (7.5, "m3.6 0v-.1m0-3.8c0-3.3 4-3.3 4-6.9 0-2-1.6-3.2-3.8-3.2-1.9 0-3.2.9-3.8 2.6"), // ?
    (14.0, "m10-7a3 3.3 0 1 0-6 0a3 3.3 0 1 0 6 0v1.5c0 2.5 4 2.5 4-1.5a7 7 0 1 0-3 5.8"), // @
    (10.0, "m0 0l5-14 5 14m-8.2-5h6.4"), // A
    (9.0, "m0 0v-14h4.5a3.3 3.3 0 0 1 0 6.6h-4.5m4.8 0a3.7 3.7 0 0 1 0 7.4h-4.8"), // B
    (11.0, "m11.2-11.5a6 7 0 1 0 0 9"), // C
    (11.0, "m0 0v-14h4a7 7 0 0 1 0 14h-4"), // D
    (8.0, "m8 0h-8v-14h8m-1.5 6.7h-6.5"), // E
    (8.0, "m0 0v-14h8m-1.5 6.7h-6.5"), // F
    (11.5, "m10.8-11.8a6.2 7 0 1 0 .9 5.3h-5"), // G
    (10.0, "m0 0v-14m10 14v-14m-10 6.8h10"), // H
    (2.0, "m1 0v-14"), // I
    (7.0, "m7-14v10a3.5 4 0 0 1-7 0"), // J
    (9.0, "m0 0v-14m9 0l-9 9m3.2-3.2l6 8.2"), // K
    (8.0, "m8 0h-8v-14"), // L
    (12.0, "m0 0v-14l6 9 6-9v14"), // M
    (10.0, "m0 0v-14l10 14v-14"), // N
    (13.0, "m0-7a6.5 7 0 1 1 13 0a6.5 7 0 1 1-13 0"), // O
    (9.0, "m0 0v-14h5a4 4 0 0 1 0 8h-5"), // P
    (13.0, "m0-7a6.5 7 0 1 1 13 0a6.5 7 0 1 1-13 0m8 3l5 5"), // Q
    (9.5, "m0 0v-14h5a4 4 0 0 1 0 8h-5m4.5 0l4.8 6"), // R
    (9.0, "m8.6-11.6c-.6-1.6-2.1-2.4-4.1-2.4-2.4 0-4.1 1.4-4.1 3.5 0 4.6 8.6 2.4 8.6 7 0 2.1-1.9 3.5-4.4 3.5-2.3 0-4-.9-4.6-2.7"), // S
    (10.0, "m5 0v-14m-5 0h10"), // T
    (10.0, "m0-14v9a5 5 0 0 0 10 0v-9"), // U
    (10.0, "m0-14l5 14 5-14"), // V
    (15.0, "m0-14l3.7 14 3.8-12 3.8 12 3.7-14"), // W
    (9.0, "m0 0l9-14m-9 0l9 14"), // X
    (10.0, "m0-14l5 6.8 5-6.8m-5 6.8v7.2"), // Y
    (9.0, "m0-14h9l-9 14h9"), // Z
    (4.0, "m4-15.5h-4v18.5h4"), // [
    (6.0, "m0-15l6 16.5"), // \
    (4.0, "m0-15.5h4v18.5h-4"), // ]
    (7.0, "m0-9.5l3.5-4.5 3.5 4.5"), // ^
    (9.0, "m0 2.5h9"), // _
    (2.0, "m0-14l2 2.5"), // `
    (8.5, "m8.5-9v9m0-4.5a4.25 4.5 0 1 0-8.5 0a4.25 4.5 0 1 0 8.5 0"), // a
    (8.5, "m0-14v14m0-4.5a4.25 4.5 0 1 1 8.5 0a4.25 4.5 0 1 1-8.5 0"), // b
    (7.5, "m7.6-7.4a4.25 4.5 0 1 0 0 5.8"), // c
    (8.5, "m8.5-14v14m0-4.5a4.25 4.5 0 1 0-8.5 0a4.25 4.5 0 1 0 8.5 0"), // d
    (8.5, "m0-4.7h8.5a4.25 4.4 0 1 0-1.2 3.2"), // e
    (5.5, "m6-13.6c-2.2-.9-4 0-4 2.6v11m-2-9h5.5"), // f
    (8.5, "m8.5-9v8.5a4.2 4.2 0 0 1-7.8 2m7.8-6a4.25 4.5 0 1 0-8.5 0a4.25 4.5 0 1 0 8.5 0"), // g
    (8.0, "m0 0v-14m0 9a4 4 0 0 1 8 0v5"), // h
    (2.0, "m1-9v9m0-13v.1"), // i
    (4.0, "m3-9v10.5a2.6 2.6 0 0 1-3.5 2.3m3.5-16.8v.1"), // j
    (7.5, "m0 0v-14m7 5l-7 6m2.6-2.3l4.9 5.3"), // k
    (2.0, "m1-14v14"), // l
    (13.0, "m0 0v-9m0 3.5a3.25 3.4 0 0 1 6.5 0v5.5m0-5.5a3.25 3.4 0 0 1 6.5 0v5.5"), // m
    (8.0, "m0 0v-9m0 4a4 4 0 0 1 8 0v5"), // n
    (9.0, "m0-4.5a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1-9 0"), // o
    (8.5, "m0-9v13m0-8.5a4.25 4.5 0 1 1 8.5 0a4.25 4.5 0 1 1-8.5 0"), // p
    (8.5, "m8.5-9v13m0-8.5a4.25 4.5 0 1 0-8.5 0a4.25 4.5 0 1 0 8.5 0"), // q
    (5.0, "m0 0v-9m0 4.2a4 4 0 0 1 5-4"), // r
    (7.0, "m6.6-7.4c-.5-1.1-1.6-1.6-3.1-1.6-1.9 0-3.2.9-3.2 2.3 0 3 6.7 1.5 6.7 4.4 0 1.4-1.5 2.3-3.4 2.3-1.8 0-3.1-.6-3.6-1.8"), // s
    (5.5, "m2.2-12.5v9.7c0 2.3 1.3 3.3 3.6 2.6m-5.8-8.8h5.5"), // t
    (8.0, "m0-9v5a4 4 0 0 0 8 0v-5v9"), // u
    (8.0, "m0-9l4 9 4-9"), // v
    (12.0, "m0-9l3 9 3-7.5 3 7.5 3-9"), // w
    (7.5, "m0 0l7.5-9m-7.5 0l7.5 9"), // x
    (8.0, "m0-9l4 9m4-9l-5 11c-.6 1.4-1.5 2-2.8 1.8"), // y
    (7.5, "m0-9h7.5l-7.5 9h7.5"), // z
    (5.0, "m5-15.5c-2.5 0-3 1-3 3v3.3c0 2-.5 3-2 3 1.5 0 2 1 2 3v3.2c0 2 .5 3 3 3"), // {
    (2.0, "m1 2.5v-18"), // |
    (5.0, "m0-15.5c2.5 0 3 1 3 3v3.3c0 2 .5 3 2 3-1.5 0-2 1-2 3v3.2c0 2-.5 3-3 3"), // }
    (9.0, "m0-4.5c2.2-3.5 4-.6 4.5 0s2.3 3.5 4.5 0"), // ~
];

/// The accents, each with its letters and the path from the place above the middle of the letter, or below it for the
/// cedilla.
const ACCENTS: [(&str, &str); 8] = [
    ("äëïöüÿÄËÏÖÜ", "m-2.3 0v-.1m4.6.1v-.1"),
    ("áéíóúýćńśźÁÉÍÓÚÝĆŃŚŹ", "m-.8.6l2-2.6"),
    ("àèìòùÀÈÌÒÙ", "m.8.6l-2-2.6"),
    ("âêîôûÂÊÎÔÛ", "m-2.6.6l2.6-2.6 2.6 2.6"),
    ("ãñõÃÑÕ", "m-3 .2c1.4-2.4 2.6-.5 3 0s1.6 2.4 3 0"),
    ("čďěňřšťžČĎĚŇŘŠŤŽ", "m-2.6-2l2.6 2.6 2.6-2.6"),
    ("åůÅŮ", "m-1.6-.8a1.6 1.6 0 1 1 3.2 0a1.6 1.6 0 1 1-3.2 0"),
    ("çşţÇŞŢ", CEDILLA),
];
const CEDILLA: &str = "m.4 0c2.4 1.6 1.4 4-1.4 3.4";

/// The heights of accents above the base line, over lowercase letters and over capitals.
const ACCENT_HEIGHTS: (f64, f64) = (-12.2, -17.0);

/// The drawing for a character without a transliteration: a box.
const UNKNOWN: (f64, &str) = (8.0, "m0 0v-14h8v14h-8");

/// Draws a letter of this width by its path, and an accent by its height and its path.
type Draw<'a> = dyn FnMut(f64, &str, Option<(f64, &str)>) + 'a;

/// Calls `draw` with the width and path of each letter of a character's transliteration, and with its accent.
fn glyphs_of(character: char, draw: &mut Draw<'_>) {
    let glyph =
        |letter: char| (letter as usize).checked_sub('!' as usize).and_then(|index| GLYPHS.get(index));
    if character.is_whitespace() || character.is_control() {
        return draw(SPACE, "", None);
    }
    if let Some((width, path)) = glyph(character) {
        return draw(*width, path, None);
    }
    let accent = ACCENTS.iter().find(|(letters, _)| letters.contains(character));
    let Some(text) = deunicode_char(character) else { return draw(UNKNOWN.0, UNKNOWN.1, None) };
    for letter in text.chars() {
        let (width, path) = glyph(letter).copied().unwrap_or((SPACE, ""));
        let height = if character.is_uppercase() { ACCENT_HEIGHTS.1 } else { ACCENT_HEIGHTS.0 };
        draw(width, path, accent.map(|&(_, mark)| (if mark == CEDILLA { 0.0 } else { height }, mark)));
    }
}

/// The width of a text, in the units of the glyphs.
pub(super) fn width(text: &str) -> f64 {
    let mut sum = 0.0;
    for character in text.chars() {
        glyphs_of(character, &mut |width, _, _| sum += width + GAP);
    }
    (sum - GAP).max(0.0)
}

/// A line of text to draw.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    /// The middle of the text.
    pub(super) x: f64,
    /// The base line.
    pub(super) y: f64,
    /// The size, in units of the picture per unit of the glyphs.
    pub(super) scale: f64,
    pub(super) color: Rgb,
    /// The width of the lines, in the units of the glyphs.
    pub(super) pen: f64,
}

impl Line<'_> {
    /// Adds the path of the text to a picture.
    pub(super) fn draw(&self, svg: &mut String) {
        let Self { text, x, y, scale, color, pen } = *self;
        let (x, y) = (short(x - width(text) / 2.0 * scale), short(y));
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            svg,
            "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"{pen}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" transform=\"translate({x} {y})scale({scale})\" d=\""
        );
        let mut place = 0.0;
        for character in text.chars() {
            glyphs_of(character, &mut |width, path, accent| {
                if !path.is_empty() {
                    let _ = write!(svg, "M{} 0{path}", short(place));
                }
                if let Some((height, mark)) = accent {
                    let _ = write!(svg, "M{} {}{mark}", short(place + width / 2.0), short(height));
                }
                place += width + GAP;
            });
        }
        svg.push_str("\"/>");
    }
}

/// The mark at the end of a truncated text.
const CUT: &str = "...";

/// Wraps text to lines of at most `max_width`, in the units of the glyphs, and at most `max_lines` lines. White space
/// becomes a single space. A long word is divided, and text that does not fit is cut off.
pub(super) fn wrap(text: &str, max_width: f64, max_lines: usize) -> Vec<String> {
    /// More characters never fit; text of letters without width would be unlimited.
    const MAX_CHARS: usize = 1000;
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(end, _)| end);
    let mut lines: Vec<String> = Vec::new();
    for word in text[..end].split(|letter: char| letter.is_whitespace() || letter.is_control()) {
        if word.is_empty() {
            continue;
        }
        if let Some(last) = lines.last_mut() {
            let longer = format!("{last} {word}");
            if width(&longer) <= max_width {
                *last = longer;
                continue;
            }
        }
        lines.push(String::new());
        for letter in word.chars() {
            let last = lines.last_mut().expect("one has been added");
            last.push(letter);
            if width(last) > max_width && last.chars().count() > 1 {
                last.pop();
                lines.push(letter.into());
            }
            if lines.len() > max_lines {
                break;
            }
        }
        if lines.len() > max_lines {
            lines.truncate(max_lines);
            if let Some(last) = lines.last_mut() {
                while width(last) + GAP + width(CUT) > max_width && last.pop().is_some() {}
                // Dots after a comma look like a mistake.
                last.truncate(last.trim_end_matches([' ', ',', ';', ':', '.']).len());
                last.push_str(CUT);
            }
            break;
        }
    }
    lines
}

/// A number rounded to a tenth, as short as SVG allows.
pub(super) fn short(value: f64) -> String {
    const TENTHS: f64 = 10.0;
    // Avoids the sign of a negative zero.
    let value = (value * TENTHS).round() / TENTHS + 0.0;
    value.to_string()
}

/// Whether a character changes the direction of the text after it
/// (<https://www.unicode.org/reports/tr9/#Explicit_Directional_Formatting>), which is only used maliciously.
pub(super) const fn is_turning(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes text for XML and HTML: markup is escaped, control characters and those that XML forbids become spaces, and
/// direction controls are removed.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    escape_into(&mut escaped, text);
    escaped
}

/// Appends [`escape`]d text.
pub(super) fn escape_into(escaped: &mut String, text: &str) {
    // Text that needs no change is copied in one piece.
    let mut copied = 0;
    for (at, letter) in text.char_indices() {
        let replacement = match letter {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            letter if is_turning(letter) => "",
            '\u{fffe}' | '\u{ffff}' => " ",
            letter if letter.is_control() => " ",
            _ => continue,
        };
        escaped.push_str(&text[copied..at]);
        escaped.push_str(replacement);
        copied = at + letter.len_utf8();
    }
    escaped.push_str(&text[copied..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn drawn(text: &str) -> String {
        let mut svg = String::new();
        Line { text, x: 0.0, y: 0.0, scale: 1.0, color: Rgb::RED, pen: PEN }.draw(&mut svg);
        svg.split(" d=\"").nth(1).expect("there is a path").to_owned()
    }

    #[test]
    fn every_character_has_a_glyph_of_its_own() {
        let paths: HashSet<&str> = GLYPHS.iter().map(|(_, path)| *path).collect();
        assert_eq!(paths.len(), GLYPHS.len());
        for (width, path) in GLYPHS {
            assert!(width >= 2.0 && path.starts_with('m') && !path.contains(char::is_uppercase), "{path}");
        }
        assert_eq!(drawn("A"), "M0 0m0 0l5-14 5 14m-8.2-5h6.4\"/>");
    }

    #[test]
    fn other_letters_are_written_in_latin_ones() {
        assert_eq!(drawn("Иван"), drawn("Ivan"));
        assert_eq!(drawn("ß"), drawn("ss"));
        assert_eq!(drawn("\u{e000}"), "M0 0m0 0v-14h8v14h-8\"/>");
        assert!(drawn("ü").starts_with(drawn("u").trim_end_matches("\"/>")) && drawn("ü") != drawn("u"));
        assert_eq!(drawn("a\u{7}b"), drawn("a b"));
        for (letters, _) in ACCENTS {
            for letter in letters.chars() {
                assert_eq!(deunicode_char(letter).map(str::len), Some(1), "{letter}");
            }
        }
    }

    #[test]
    fn texts_are_wrapped_and_cut() {
        let cases: &[(&str, usize, &[&str])] = &[
            ("", 3, &[]),
            (" \n\t ", 3, &[]),
            ("one", 3, &["one"]),
            ("one  two three", 3, &["one two", "three"]),
            ("abcdefghijklmnop", 3, &["abcdefghi", "jklmnop"]),
            ("one two three four five six", 2, &["one two", "three..."]),
            ("one two three, four five six", 2, &["one two", "three..."]),
        ];
        for (text, max_lines, expected) in cases {
            let lines = wrap(text, 90.0, *max_lines);
            assert_eq!(lines, *expected, "{text}");
            assert!(lines.iter().all(|line| width(line) <= 90.0), "{lines:?}");
        }
        let long = "W".repeat(1 << 16);
        assert_eq!(wrap(&long, 90.0, 2).len(), 2);
    }

    #[test]
    fn numbers_are_short() {
        let cases = [(1.0, "1"), (0.25, "0.3"), (-0.01, "0"), (12.3456, "12.3"), (-4.5, "-4.5")];
        for (value, expected) in cases {
            assert_eq!(short(value), expected);
        }
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a<b>&\"c\"\0\u{ffff}é'"), "a&lt;b&gt;&amp;&quot;c&quot;  é&#39;");
        assert_eq!(escape("\u{202e}evil\u{2069} שלום\u{200f}"), "evil שלום");
    }
}
