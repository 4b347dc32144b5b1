//! Writing tokens on lines of limited width.

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
    /// The start of the current line, plus the number of its bytes that continue characters: the bytes from here are as
    /// many as the line has characters.
    origin: usize,
    /// The start of the latest token, to which text may still be added.
    latest: Option<usize>,
    /// The number of bytes in the latest token that continue characters.
    continuing: usize,
    /// Opening parentheses and braces before the next token.
    prefix: Vec<u8>,
}

impl LineWrapper {
    /// Removes the text and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.origin = 0;
        self.latest = None;
        self.continuing = 0;
        self.prefix.clear();
    }

    /// Adds a token.
    pub(super) fn token(&mut self, token: &str) {
        if self.prefix.is_empty() && token.is_empty() {
            return self.flush();
        }
        self.start();
        self.push_text(token);
    }

    /// Adds a move in ASCII.
    #[inline]
    pub(super) fn mv(&mut self, text: &[u8]) {
        self.start();
        match padded(text) {
            Some(bytes) => self.push_padded(bytes, text.len()),
            None => self.out.extend_from_slice(text),
        }
    }

    /// Adds the number before a move from this position, if it needs one.
    #[inline]
    pub(super) fn move_number(&mut self, position: &Position, is_needed: bool) {
        let periods = match position.turn() {
            Color::White => 1,
            Color::Black if is_needed => 3,
            Color::Black => return,
        };
        self.start();
        match position.fullmove_number() {
            // Most numbers have one or two digits.
            number @ 0..100 => {
                let digits = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
                let [tens, ones] = digits;
                let text = u64::from_le_bytes([tens, ones, b'.', b'.', b'.', 0, 0, 0]);
                let skipped = if number < 10 { 1 } else { 0 };
                self.push_padded(
                    (text >> (skipped * u8::BITS)).to_le_bytes(),
                    digits.len() - skipped as usize + periods,
                );
            }
            number => {
                self.out.extend_from_slice(number.to_string().as_bytes());
                self.out.extend_from_slice(&b"..."[..periods]);
            }
        }
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
        match self.latest {
            Some(start)
                if self.prefix.is_empty() && self.out.len() - start - self.continuing < MAX_COLUMNS =>
            {
                self.out.push(b')');
            }
            _ => self.token(")"),
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
        for word in text.split(' ') {
            if word.starts_with('%') && self.latest.is_some() && self.prefix.is_empty() {
                // In the first column it would be read as an escape line.
                self.out.push(b' ');
                self.push_text(word);
            } else {
                self.token(word);
            }
        }
        if self.latest.is_none() {
            self.start();
        }
        self.out.push(b'}');
    }

    /// Adds a comment that [`is_plain`] line by line, with the same result as word by word.
    #[inline]
    pub(super) fn plain_comment(&mut self, text: &[u8]) {
        self.start();
        self.out.push(b'{');
        let mut rest = text;
        while rest.len() > self.room() {
            match self.fill_line(rest) {
                Some(next) => rest = next,
                None => break,
            }
        }
        let start = self.out.len();
        self.out.extend_from_slice(rest);
        self.out.push(b'}');
        // The last word can still be extended by the text after it, which may move it to the next line.
        if let Some(space) = rest.iter().rposition(|&byte| byte == b' ') {
            self.latest = Some(start + space + 1);
        }
    }

    /// Adds as many words to the latest token as the line has room for, and starts the next line. Returns the other
    /// words; `None` if there is only one word, at the start of the line.
    fn fill_line<'t>(&mut self, words: &'t [u8]) -> Option<&'t [u8]> {
        let fitting = &words[..=self.room()];
        let space = match fitting.iter().rposition(|&byte| byte == b' ') {
            Some(space) => space,
            None if self.move_token() => return Some(words),
            // The word is longer than a line.
            None => memchr::memchr(b' ', words)?,
        };
        self.out.extend_from_slice(&words[..space]);
        self.out.push(b'\n');
        self.origin = self.out.len();
        self.latest = Some(self.origin);
        Some(&words[space + 1..])
    }

    /// Adds a token on a separate line.
    pub(super) fn whole_line(&mut self, mark: u8, text: &str) {
        if !self.prefix.is_empty() {
            self.token("");
        }
        self.flush();
        if self.width() > 0 {
            self.out.push(b'\n');
        }
        self.out.push(mark);
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
        self.origin = self.out.len();
    }

    /// The number of characters on the line.
    const fn width(&self) -> usize {
        self.out.len() - self.origin
    }

    /// The number of characters for which the line has room.
    const fn room(&self) -> usize {
        MAX_COLUMNS.saturating_sub(self.width())
    }

    /// Ends the latest token and starts the next one, with the text that waits for it.
    #[inline]
    fn start(&mut self) {
        self.flush();
        if self.width() > 0 {
            self.out.push(b' ');
        }
        self.latest = Some(self.out.len());
        self.continuing = 0;
        if !self.prefix.is_empty() {
            self.out.append(&mut self.prefix);
        }
    }

    /// Adds the first bytes of these to the latest token. All are copied, which takes no call.
    #[inline]
    fn push_padded(&mut self, bytes: [u8; size_of::<u64>()], length: usize) {
        let end = self.out.len() + length;
        self.out.extend_from_slice(&bytes);
        self.out.truncate(end);
    }

    /// Adds text to the latest token.
    fn push_text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        if !text.is_ascii() {
            let continuing = text.len() - text.chars().count();
            self.continuing += continuing;
            self.origin += continuing;
        }
    }

    /// Ends the latest token.
    #[inline]
    fn flush(&mut self) {
        if self.width() > MAX_COLUMNS {
            self.move_token();
        }
        self.latest = None;
    }

    /// Moves the latest token to the next line. Returns false if it is the first one on its line, or if there is none.
    fn move_token(&mut self) -> bool {
        match self.latest {
            Some(start) if start > self.origin - self.continuing => {
                self.out[start - 1] = b'\n';
                self.origin = start + self.continuing;
                true
            }
            _ => false,
        }
    }

    /// Ends the last line, and appends the whole text to another text.
    pub(super) fn finish_into(&mut self, text: &mut String) {
        self.flush();
        if self.width() > 0 {
            self.out.push(b'\n');
            self.origin = self.out.len();
        }
        // The lossy conversion alone would be slower.
        match std::str::from_utf8(&self.out) {
            Ok(out) => text.push_str(out),
            Err(_) => text.push_str(&String::from_utf8_lossy(&self.out)),
        }
    }
}

/// The bytes of a text of two to eight, as of nearly all moves, and zeros after them; `None` for other lengths.
#[inline]
fn padded(text: &[u8]) -> Option<[u8; size_of::<u64>()]> {
    const HALF: usize = size_of::<u32>();
    let joined = |first: u64, last: u64, between: usize| first | last << (u8::BITS as usize * between);
    let word = if let (Some(&first), Some(&last)) = (text.first_chunk::<HALF>(), text.last_chunk::<HALF>()) {
        if text.len() > 2 * HALF {
            return None;
        }
        joined(u32::from_le_bytes(first).into(), u32::from_le_bytes(last).into(), text.len() - HALF)
    } else {
        let (&first, &last) = (text.first_chunk()?, text.last_chunk()?);
        joined(u16::from_le_bytes(first).into(), u16::from_le_bytes(last).into(), text.len() - 2)
    };
    Some(word.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Piece {
        Token(String),
        Move(String),
        Comment(Vec<String>),
        Open,
        Close,
    }

    /// The same texts wrapped in the simplest way: all tokens are known before any line is.
    fn wrapped(pieces: &[Piece]) -> String {
        let (mut tokens, mut prefix) = (Vec::<String>::new(), String::new());
        for piece in pieces {
            match piece {
                Piece::Token(text) | Piece::Move(text) => tokens.push(std::mem::take(&mut prefix) + text),
                Piece::Comment(words) => {
                    for (index, word) in words.iter().enumerate() {
                        let opening =
                            if index == 0 { std::mem::take(&mut prefix) + "{" } else { String::new() };
                        let closing = if index + 1 == words.len() { "}" } else { "" };
                        match tokens.last_mut() {
                            Some(last) if index > 0 && word.starts_with('%') => {
                                *last += &format!(" {word}{closing}");
                            }
                            _ => tokens.push(format!("{opening}{word}{closing}")),
                        }
                    }
                }
                Piece::Open => prefix.push('('),
                Piece::Close => match tokens.last_mut() {
                    Some(last) if prefix.is_empty() && last.chars().count() < MAX_COLUMNS => last.push(')'),
                    _ => tokens.push(std::mem::take(&mut prefix) + ")"),
                },
            }
        }
        let (mut text, mut column) = (String::new(), 0);
        for token in tokens {
            let width = token.chars().count();
            if column > 0 {
                let fits = column + 1 + width <= MAX_COLUMNS;
                text.push(if fits { ' ' } else { '\n' });
                column = if fits { column + 1 } else { 0 };
            }
            text += &token;
            column += width;
        }
        if column > 0 { text + "\n" } else { text }
    }

    fn pieces() -> impl Strategy<Value = Piece> {
        let word = "[a-d%é]{1,12}|[abé]{70,90}|\\[%clk|0:01:02\\]";
        prop_oneof![
            3 => "[a-zé]{1,30}".prop_map(Piece::Token),
            6 => "[A-Za-z0-9+#=-]{1,10}".prop_map(Piece::Move),
            6 => prop::collection::vec(word, 1..30).prop_map(Piece::Comment),
            1 => Just(Piece::Open),
            2 => Just(Piece::Close),
        ]
    }

    proptest! {
        #[test]
        fn lines_are_as_long_as_possible(pieces in prop::collection::vec(pieces(), 0..40)) {
            let mut lines = LineWrapper::default();
            for piece in &pieces {
                match piece {
                    Piece::Token(text) => lines.token(text),
                    Piece::Move(text) => lines.mv(text.as_bytes()),
                    Piece::Comment(words) => lines.comment(&words.join(" ")),
                    Piece::Open => lines.open(),
                    Piece::Close => lines.close(),
                }
            }
            let mut text = String::new();
            lines.finish_into(&mut text);
            prop_assert_eq!(text, wrapped(&pieces));
        }
    }
}
