//! Breaking tokens into lines.

use super::Nag;
use super::text::is_plain;
use crate::chess::{Color, Position};

/// The maximum number of characters on a line: less than 80 (PGN standard, 4.3 and 8.2.1).
pub(super) const MAX_COLUMNS: usize = 79;

/// Writes tokens on lines, separated by single spaces.
///
/// A token is written at once, and moved to the next line if it turns out to be too long: the space before it is
/// replaced by a line end. Texts are valid UTF-8, which is tested only once, in the end.
#[derive(Default, Debug)]
pub(super) struct LineWrapper {
    out: Vec<u8>,
    /// The width of the line without the latest token, in characters.
    column: usize,
    /// The start of the latest token, to which text may still be added.
    latest: Option<usize>,
    /// The width of the latest token, in characters.
    width: usize,
    /// Opening parentheses and braces before the next token.
    prefix: Vec<u8>,
}

impl LineWrapper {
    /// Removes the text and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.column = 0;
        self.latest = None;
        self.width = 0;
        self.prefix.clear();
    }

    /// Adds a token.
    pub(super) fn token(&mut self, token: &str) {
        self.token_of(token.as_bytes(), width(token));
    }

    /// Adds a token of ASCII.
    pub(super) fn ascii_token(&mut self, token: &[u8]) {
        self.token_of(token, token.len());
    }

    fn token_of(&mut self, token: &[u8], width: usize) {
        self.flush();
        if self.prefix.is_empty() && token.is_empty() {
            return;
        }
        self.start();
        self.push_prefix();
        self.out.extend_from_slice(token);
        self.width += width;
    }

    /// Adds the number before a move from this position, if it needs one.
    pub(super) fn move_number(&mut self, position: &Position, is_needed: bool) {
        match position.turn() {
            Color::White => self.number(position.fullmove_number(), b"."),
            Color::Black if is_needed => self.number(position.fullmove_number(), b"..."),
            Color::Black => {}
        }
    }

    /// Adds a token that consists of a move number and a sign.
    fn number(&mut self, number: u16, sign: &[u8]) {
        self.flush();
        self.start();
        self.push_prefix();
        match u8::try_from(number) {
            // Most numbers have one or two digits.
            Ok(tens @ 0..100) => {
                if tens >= 10 {
                    self.push(&[b'0' + tens / 10]);
                }
                self.push(&[b'0' + tens % 10]);
            }
            _ => self.push(number.to_string().as_bytes()),
        }
        self.push(sign);
    }

    /// Adds a glyph.
    pub(super) fn nag(&mut self, nag: Nag) {
        self.token(&nag.to_string());
    }

    /// Opens a parenthesis before the next token.
    pub(super) fn open(&mut self) {
        self.prefix.push(b'(');
        if self.prefix.len() >= MAX_COLUMNS / 2 {
            self.token("");
        }
    }

    /// Closes a parenthesis after the latest token.
    pub(super) fn close(&mut self) {
        if !self.prefix.is_empty() || self.latest.is_none() || self.width >= MAX_COLUMNS {
            self.token(")");
        } else {
            self.push(b")");
        }
    }

    /// Adds a comment. It may be broken at its spaces.
    pub(super) fn comment(&mut self, text: &str) {
        if is_plain(text.as_bytes()) {
            return self.plain_comment(text.as_bytes());
        }
        if text.contains('}') {
            // A text with a closing brace can only be a comment up to the end of a line.
            return self.whole_line(b';', text);
        }
        self.flush();
        self.prefix.push(b'{');
        let mut rest = Some(text);
        while let Some(words) = rest {
            let word;
            (word, rest) = match words.bytes().position(|byte| byte == b' ') {
                Some(end) => (&words[..end], Some(&words[end + 1..])),
                None => (words, None),
            };
            if word.starts_with('%') && self.latest.is_some() && self.prefix.is_empty() {
                // In the first column it would be read as an escape line.
                self.push(b" ");
                self.out.extend_from_slice(word.as_bytes());
                self.width += width(word);
            } else {
                self.token(word);
            }
        }
        if self.latest.is_none() {
            self.start();
        }
        self.push(b"}");
    }

    /// Adds a comment that [`is_plain`] line by line, with the same result as word by word.
    pub(super) fn plain_comment(&mut self, text: &[u8]) {
        self.flush();
        self.prefix.push(b'{');
        let mut rest = text;
        loop {
            let before = self.column + usize::from(self.column > 0) + self.prefix.len();
            let room = MAX_COLUMNS.saturating_sub(before);
            let fits = rest.len() <= room;
            // The last word can still be extended by the text after it, which may move it to the next line.
            let words = if fits { rest } else { &rest[..=room] };
            let space = match words.iter().rposition(|&byte| byte == b' ') {
                None if !fits && self.column > 0 => {
                    self.out.push(b'\n');
                    self.column = 0;
                    continue;
                }
                // The word is longer than a line.
                None if !fits => memchr::memchr(b' ', rest),
                space => space,
            };
            self.start();
            let start = self.out.len();
            self.push_prefix();
            let Some(space) = space else {
                self.push(rest);
                break;
            };
            self.out.extend_from_slice(&rest[..space]);
            self.column += usize::from(self.column > 0) + self.out.len() - start;
            rest = &rest[space + 1..];
            if fits {
                self.start();
                self.push(rest);
                break;
            }
            self.out.push(b'\n');
            self.column = 0;
        }
        self.push(b"}");
    }

    /// Adds a token on a separate line.
    pub(super) fn whole_line(&mut self, mark: u8, text: &str) {
        if !self.prefix.is_empty() {
            self.token("");
        }
        self.flush();
        if self.column > 0 {
            self.out.push(b'\n');
        }
        self.out.push(mark);
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
        self.column = 0;
    }

    /// Starts a token.
    fn start(&mut self) {
        if self.column > 0 {
            self.out.push(b' ');
        }
        self.latest = Some(self.out.len());
        self.width = 0;
    }

    /// Adds ASCII to the latest token.
    fn push(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
        self.width += text.len();
    }

    /// Adds the text that waits for the next token.
    fn push_prefix(&mut self) {
        if self.prefix.is_empty() {
            return;
        }
        self.out.extend_from_slice(&self.prefix);
        self.width += self.prefix.len();
        self.prefix.clear();
    }

    /// Ends the latest token.
    fn flush(&mut self) {
        let Some(start) = self.latest.take() else { return };
        if self.column > 0 {
            if self.column + 1 + self.width > MAX_COLUMNS {
                self.out[start - 1] = b'\n';
                self.column = 0;
            } else {
                self.column += 1;
            }
        }
        self.column += self.width;
    }

    /// Ends the last line, and appends the whole text to another text.
    pub(super) fn finish_into(&mut self, text: &mut String) {
        self.flush();
        if self.column > 0 {
            self.out.push(b'\n');
            self.column = 0;
        }
        // The lossy conversion alone would be slower.
        match std::str::from_utf8(&self.out) {
            Ok(out) => text.push_str(out),
            Err(_) => text.push_str(&String::from_utf8_lossy(&self.out)),
        }
    }
}

/// The width of a text, in characters.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
