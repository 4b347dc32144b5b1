//! Undecoded text of a file, its words, and the mark of unread text.

use memchr::memmem::Finder;
use once_cell::sync::Lazy;
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

    /// The bytes if they are decoded as UTF-8 and have no escapes.
    #[inline]
    pub(super) fn utf8_bytes(self) -> Option<&'a [u8]> {
        (self.encoding == Encoding::Utf8 && !self.has_escapes).then_some(self.bytes)
    }

    /// The text without a space on each side, if it [`is_plain`] and so needs no decoding.
    #[inline(always)]
    pub(super) fn plain_words(self) -> Option<&'a [u8]> {
        // ASCII is the same in all encodings.
        let text = (!self.has_escapes).then_some(self.bytes)?;
        let words = text.strip_prefix(b" ").unwrap_or(text);
        let words = words.strip_suffix(b" ").unwrap_or(words);
        is_plain(words).then_some(words)
    }

    /// The decoded text.
    #[inline]
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
    /// UTF-8, but text that is not valid UTF-8 is Latin-1. Files are combined from others, so each text is decoded
    /// separately, and Latin-1 text is hardly ever valid UTF-8 by chance.
    Utf8,
    /// ISO 8859/1, the encoding of the PGN standard. Instead of its control characters, those of Windows-1252 are
    /// decoded, which occur in real files.
    Latin1,
}

/// The byte order mark at the start of some files in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The characters of Windows-1252 from 0x80 to 0x9f; the five undefined ones are unchanged.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Encoding {
    /// The decoded text.
    #[inline]
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match std::str::from_utf8(bytes) {
            Ok(text) if self == Self::Utf8 || bytes.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(from_latin1(bytes)),
        }
    }
}

#[cold]
fn from_latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| letter(byte)).collect()
}

/// The character of a byte in Windows-1252.
pub(super) const fn letter(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[byte as usize - 0x80],
        _ => byte as char,
    }
}

/// Whether a text consists only of ASCII words separated by single spaces, and contains nothing that is special in a
/// comment: no closing brace. Nearly all texts are like that.
#[inline(always)]
pub(super) fn is_plain(text: &[u8]) -> bool {
    if text.len() <= SHORT
        && let Some(last) = text.last_chunk()
        && let Some(first) = text.first_chunk()
    {
        // Two words have all bytes. The first one is treated as if it had a space before it.
        let first = u64::from_le_bytes(*first);
        let odd = odd_bytes(first << u8::BITS | u64::from(b' '), first) | odd_pairs(last);
        return odd == 0 && text.last() != Some(&b' ');
    }
    is_other_plain(text)
}

/// The number of bytes of a short text, such as the comments of most programs.
const SHORT: usize = 2 * size_of::<u64>();

#[inline(never)]
fn is_other_plain(text: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
        return false;
    };
    if last == b' ' || is_odd(b' ', first) {
        return false;
    }
    // The last block may begin within the one before it.
    if text.len() <= BLOCK {
        return match (text.first_chunk(), text.last_chunk()) {
            (Some(first), Some(last)) => !has_odd_word(first) && !has_odd_word(last),
            _ => text.windows(2).all(|pair| !is_odd(pair[0], pair[1])),
        };
    }
    let mut rest = text;
    while let Some(block) = rest.first_chunk() {
        if has_odd_pair(block) {
            return false;
        }
        rest = &rest[BLOCK..];
    }
    text.last_chunk().is_none_or(|block| !has_odd_pair(block))
}

/// Whether a byte is special in a comment, after a byte that is not: a control character, a byte beyond ASCII, a
/// closing brace or a second space.
#[inline(always)]
const fn is_odd(before: u8, byte: u8) -> bool {
    // Bytes beyond ASCII are negative.
    (byte.cast_signed() < b' '.cast_signed()) | (byte == b'}') | ((before == b' ') & (byte == b' '))
}

/// The number of bytes that are examined at once in longer texts, each with the byte before it.
const BLOCK: usize = 2 * SHORT;

/// Whether any byte of a block but the first one is special. All of them are compared at once by vectors.
#[inline(always)]
fn has_odd_pair(block: &[u8; BLOCK + 1]) -> bool {
    let pairs = block[..BLOCK].iter().zip(&block[1..]);
    pairs.fold(false, |any, (&before, &byte)| any | is_odd(before, byte))
}

/// The same for a smaller block, which has two words.
#[inline(always)]
fn has_odd_word(block: &[u8; SHORT + 1]) -> bool {
    match (block.first_chunk(), block.last_chunk()) {
        (Some(first), Some(last)) => odd_pairs(first) | odd_pairs(last) != 0,
        _ => true,
    }
}

/// Bits of which at least one is set if any byte but the first one [`is_odd`].
#[inline(always)]
fn odd_pairs(block: &[u8; size_of::<u64>() + 1]) -> u64 {
    match (block.first_chunk(), block.last_chunk()) {
        (Some(before), Some(bytes)) => odd_bytes(u64::from_le_bytes(*before), u64::from_le_bytes(*bytes)),
        _ => HIGHEST_BITS,
    }
}

/// Bits of which at least one is set if any byte [`is_odd`] after the byte before it.
#[inline(always)]
const fn odd_bytes(before: u64, bytes: u64) -> u64 {
    const SPACES: u64 = LOWEST_BITS * b' ' as u64;
    const BRACES: u64 = LOWEST_BITS * b'}' as u64;
    // The highest bit of the lowest byte that is special is set: a subtraction has a borrow there.
    let controls = bytes.wrapping_sub(SPACES);
    let braces = (bytes ^ BRACES).wrapping_sub(LOWEST_BITS);
    let double_spaces = ((before | bytes) ^ SPACES).wrapping_sub(LOWEST_BITS);
    (bytes | controls | braces | double_spaces) & HIGHEST_BITS
}

/// Appends a text. Short ones, as are most comments of programs, are copied as two blocks of a constant size.
#[inline(always)]
pub(super) fn push_bytes(out: &mut Vec<u8>, text: &[u8]) {
    const WORD: usize = size_of::<u64>();
    if (WORD..=SHORT).contains(&text.len()) {
        push_ends::<WORD>(out, text);
    } else {
        push_other(out, text);
    }
}

#[inline(never)]
fn push_other(out: &mut Vec<u8>, text: &[u8]) {
    if (SHORT..=BLOCK).contains(&text.len()) {
        push_ends::<SHORT>(out, text);
    } else if (BLOCK..=MEDIUM).contains(&text.len()) {
        push_ends::<BLOCK>(out, text);
    } else {
        out.extend_from_slice(text);
    }
}

/// The number of bytes up to which a text is copied as two blocks.
const MEDIUM: usize = 2 * BLOCK;

/// Appends a text of `N` to twice as many bytes.
#[inline(always)]
fn push_ends<const N: usize>(out: &mut Vec<u8>, text: &[u8]) {
    if let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) {
        let middle = out.len() + text.len() - N;
        out.extend_from_slice(first);
        out.truncate(middle);
        out.extend_from_slice(last);
    }
}

/// The length of the text that [`push_words`] appends, in bytes.
pub(super) fn words_length(words: &str) -> usize {
    let words = words.trim_matches(' ');
    if is_plain(words.as_bytes()) {
        return words.len();
    }
    let mut text = String::new();
    push_words(&mut text, words);
    text.len()
}

/// Appends the words of a text, separated by single spaces.
pub fn push_words(text: &mut String, words: &str) {
    // Many comments have a space on both sides.
    let words = words.trim_matches(' ');
    if is_plain(words.as_bytes()) {
        return text.push_str(words);
    }
    let is_space = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'\0' | b'\x0b');
    let bytes = words.as_bytes();
    let Some(first) = bytes.iter().position(|&byte| !is_space(byte)) else {
        return;
    };
    let last = bytes.iter().rposition(|&byte| !is_space(byte)).unwrap_or(first);
    let words = &words[first..=last];
    let has_odd = words.bytes().fold(false, |has_odd, byte| has_odd | (byte < b' '));
    let has_double = bytes[first..=last].windows(2).fold(false, |has, pair| has | (pair == b"  "));
    if !has_odd && !has_double {
        return text.push_str(words);
    }
    let is_space = |letter: char| letter.is_ascii() && is_space(letter as u8);
    let mut is_first = true;
    for word in words.split(is_space).filter(|word| !word.is_empty()) {
        if !is_first {
            text.push(' ');
        }
        is_first = false;
        text.push_str(word);
    }
}

/// The start of the mark of unread text.
pub const UNREAD: &str = "[%unread ";

/// The lowest bit of each of eight bytes that are examined at once.
pub(super) const LOWEST_BITS: u64 = u64::MAX / 0xff;
/// The highest bit of each of these bytes.
pub(super) const HIGHEST_BITS: u64 = LOWEST_BITS << 7;

/// Whether a text contains the mark of unread text.
#[inline]
pub fn has_unread_mark(text: &[u8]) -> bool {
    /// In longer texts, a general search is faster.
    const LONG: usize = 256;
    (text.len() >= LONG || has_sign_before_u(text)) && contains_unread_mark(text)
}

/// Whether the text contains `%u`, or, rarely, another pair of bytes. All pairs of eight bytes are compared at once.
#[inline]
fn has_sign_before_u(text: &[u8]) -> bool {
    const BLOCK: usize = size_of::<u64>();
    const PAIRS: usize = BLOCK + 1;
    const _: () = assert!(UNREAD.len() >= PAIRS, "shorter texts do not contain the mark");
    let has_pair = |block: &[u8; PAIRS]| {
        let (Some(first), Some(second)) = (block.first_chunk(), block.last_chunk()) else { return true };
        let (first, second) = (u64::from_le_bytes(*first), u64::from_le_bytes(*second));
        let differing =
            (first ^ (u64::from(b'%') * LOWEST_BITS)) | (second ^ (u64::from(b'u') * LOWEST_BITS));
        // The highest bit of a byte is set if it is zero, or above one that is.
        differing.wrapping_sub(LOWEST_BITS) & !differing & HIGHEST_BITS != 0
    };
    let Some(end) = text.last_chunk::<PAIRS>() else { return false };
    let mut rest = text;
    while let Some(block) = rest.first_chunk::<PAIRS>() {
        if has_pair(block) {
            return true;
        }
        rest = &rest[BLOCK..];
    }
    has_pair(end)
}

#[cold]
fn contains_unread_mark(text: &[u8]) -> bool {
    static MARK: Lazy<Finder<'static>> = Lazy::new(|| Finder::new(UNREAD));
    MARK.find(text).is_some()
}

/// A comment that stores text that could not be read: `[%unread 3. Ke3 Nc6 ...]`.
///
/// In this text `\\` is a backslash, `\(` and `\)` are braces, `\<` and `\>` brackets, and `\n` is the end of a line
/// where it matters: after a comment that starts with `;`, and after a line that starts with `%`. Other white space is
/// a single space.
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

/// The part of a comment before the first mark of unread text, the text that the mark stores, and the part behind it;
/// `None` without a mark. See [`unread_mark`].
pub fn split_at_unread(comment: &str) -> Option<(&str, String, &str)> {
    let (before, rest) = comment.split_once(UNREAD)?;
    let (mark, behind) = rest.split_once(']')?;
    let mut text = String::with_capacity(mark.len());
    let mut letters = mark.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.peek().filter(|_| letter == '\\').and_then(|next| match next {
            '\\' => Some('\\'),
            '(' => Some('{'),
            ')' => Some('}'),
            '<' => Some('['),
            '>' => Some(']'),
            'n' => Some('\n'),
            _ => None,
        });
        if escaped.is_some() {
            letters.next();
        }
        if escaped == Some('\n') {
            letters.next_if_eq(&' ');
        }
        text.push(escaped.unwrap_or(letter));
    }
    Some((before, text, behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // Marks

    #[test]
    fn a_mark_is_found_wherever_it_is() {
        for length in [0, 1, 7, 100, 300] {
            for other in ["%", "[%clk 0:01:02]", "[%unread", "%unread ", "[", "x"] {
                let text = other.repeat(length);
                assert!(!has_unread_mark(text.as_bytes()), "{text}");
                for text in
                    [format!("{UNREAD}{text}"), format!("{text}{UNREAD}"), format!("{text}{UNREAD}{text}")]
                {
                    assert!(has_unread_mark(text.as_bytes()), "{text}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_mark_gives_back_its_text(text in "[a-z{}\\[\\]\\\\;% \n]{0,40}") {
            let mark = unread_mark(&text);
            let comment = format!("a {mark} b");
            let (before, stored, behind) = split_at_unread(&comment).expect("there is a mark");
            prop_assert_eq!((before, behind), ("a ", " b"));
            // White space may change, except where a line ends that is a comment or starts with `%`.
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&stored), words(&text));
            let escapes = |text: &str| {
                let lines = text.trim().lines().filter(|line| line.starts_with('%'));
                lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
            };
            prop_assert_eq!(escapes(&stored), escapes(&text));
        }
    }

    // Words

    #[test]
    fn texts_of_all_lengths_are_appended() {
        let text: String = ('a'..='z').cycle().take(3 * MEDIUM).collect();
        for length in 0..text.len() {
            let mut out = b"before ".to_vec();
            push_bytes(&mut out, &text.as_bytes()[..length]);
            assert_eq!(String::from_utf8(out), Ok(format!("before {}", &text[..length])));
        }
    }

    #[test]
    fn plain_text_is_told_at_every_place() {
        for length in 1..3 * BLOCK {
            let plain = "a".repeat(length);
            assert!(is_plain(plain.as_bytes()), "{plain}");
            for at in 0..length {
                for odd in ["}", "\n", "é", "\u{1f}"] {
                    let text = format!("{}{odd}{}", &plain[..at], &plain[at + 1..]);
                    assert!(!is_plain(text.as_bytes()), "{text}");
                }
                for (pair, is_right) in
                    [("  ", false), (" %", true), (" }", false), (" a", true), ("%a", true)]
                {
                    let text = format!("x{}{pair}{}x", &plain[..at], &plain[at..]);
                    assert_eq!(is_plain(text.as_bytes()), is_right, "{text}");
                }
            }
            for text in [format!(" {plain}"), format!("{plain} "), format!("\0{plain}")] {
                assert!(!is_plain(text.as_bytes()), "{text}");
            }
        }
        assert!(!is_plain(b""));
    }

    proptest! {
        #[test]
        fn words_have_one_space_between_them(text in "[ab %}é\\n\\t]{0,40}") {
            let expected: Vec<&str> = text.split([' ', '\n', '\t']).filter(|word| !word.is_empty()).collect();
            let expected = expected.join(" ");
            let mut found = String::new();
            push_words(&mut found, &text);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(words_length(&text), expected.len());
            prop_assert!(!is_plain(text.as_bytes()) || text == expected);
        }
    }

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
