//! Writing tokens on lines of limited width.

use super::Nag;
use super::text::push_bytes;
use crate::chess::Color;
use crate::notation::MoveNumber;
use crate::notation::word::Word;

/// The maximum number of characters on a line: less than 80 (PGN standard, 4.3 and 8.2.1).
pub(super) const MAX_COLUMNS: usize = 79;

/// Writes tokens on lines, separated by single spaces.
///
/// A space is written behind each token. In the end some of the spaces become line ends: to find these takes much less
/// time than to measure each token. Texts must be valid UTF-8.
#[derive(Default, Debug)]
pub(super) struct LineWrapper {
    out: Vec<u8>,
    /// The start of the text that has not been broken into lines yet.
    start: usize,
    /// Whether this text may have other characters than those of ASCII.
    has_wide: bool,
}

impl LineWrapper {
    /// Removes the text and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.start = 0;
        self.has_wide = false;
    }

    /// Adds a token.
    pub(super) fn token(&mut self, token: &str) {
        self.has_wide |= !token.is_ascii();
        self.out.extend_from_slice(token.as_bytes());
        self.out.push(b' ');
    }

    /// Adds a move in ASCII, after its number if it needs one.
    #[inline(always)]
    pub(super) fn mv(&mut self, number: MoveNumber, needs_number: bool, text: &[u8]) {
        self.move_number(number, needs_number);
        match Word::of(text) {
            Some(word) => self.push(word.with(b' ')),
            None => self.long_move(text),
        }
    }

    /// Adds a move of at most seven bytes, after its number if it needs one.
    #[inline(always)]
    pub(super) fn short_move(&mut self, number: MoveNumber, needs_number: bool, text: Word) {
        self.move_number(number, needs_number);
        self.push(text.with(b' '));
    }

    #[cold]
    fn long_move(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
        self.out.push(b' ');
    }

    /// Adds the number of a move, if it needs one.
    #[inline(always)]
    pub(super) fn move_number(&mut self, number: MoveNumber, is_needed: bool) {
        let color = number.color();
        if color == Color::Black && !is_needed {
            return;
        }
        match NUMBERS[color].get(number.number() as usize) {
            Some(&number) => self.push(number),
            None => self.large_number(number),
        }
    }

    #[cold]
    fn large_number(&mut self, number: MoveNumber) {
        self.token(&number.to_string());
    }

    /// Adds a glyph.
    pub(super) fn nag(&mut self, nag: Nag) {
        self.out.push(b'$');
        self.push(NUMBERS[Color::White][usize::from(nag.0)]);
        self.out.truncate(self.out.len() - ". ".len());
        self.out.push(b' ');
    }

    /// Opens a parenthesis before the next token.
    pub(super) fn open(&mut self) {
        self.out.push(b'(');
        let open = self.out.iter().rev().take_while(|&&byte| byte == b'(').count();
        if open >= MAX_COLUMNS / 2 {
            self.out.push(b' ');
        }
    }

    /// Closes a parenthesis after the latest token.
    pub(super) fn close(&mut self) {
        if let Some((b' ', text)) = self.out[self.start..].split_last()
            && is_short_token(text)
        {
            self.out.pop();
        }
        self.token(")");
    }

    /// Adds a comment, whose words are separated by single spaces. It may be broken there.
    pub(super) fn comment(&mut self, text: &str) {
        if text.contains('}') {
            // A text with a closing brace can only be a comment up to the end of a line.
            return self.whole_line(b';', text);
        }
        self.has_wide |= !text.is_ascii();
        self.plain_comment(text.as_bytes());
    }

    /// Adds a comment of ASCII without a closing brace.
    #[inline]
    pub(super) fn plain_comment(&mut self, text: &[u8]) {
        self.out.push(b'{');
        push_bytes(&mut self.out, text);
        self.out.extend_from_slice(b"} ");
    }

    /// Adds a token on a separate line.
    pub(super) fn whole_line(&mut self, mark: u8, text: &str) {
        if self.out.last() == Some(&b'(') {
            self.out.push(b' ');
        }
        self.break_lines();
        self.out.push(mark);
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
        self.start = self.out.len();
    }

    /// Adds a short text. All bytes are copied, which takes no call.
    #[inline(always)]
    fn push(&mut self, text: Word) {
        let end = self.out.len() + text.len();
        self.out.extend_from_slice(&text.padded());
        self.out.truncate(end);
    }

    /// Ends the last line, and appends the whole text to another text.
    pub(super) fn finish_into(&mut self, text: &mut Vec<u8>) {
        // No token follows these parentheses.
        while self.out.last() == Some(&b'(') {
            self.out.pop();
        }
        self.break_lines();
        text.extend_from_slice(&self.out);
    }

    /// Breaks the tokens since the start into lines.
    fn break_lines(&mut self) {
        let mut rest = &mut self.out[self.start..];
        self.start += rest.len();
        while let Some(end) = line_end(rest, self.has_wide) {
            rest[end] = b'\n';
            rest = &mut rest[end + 1..];
        }
        if let Some(last) = rest.last_mut() {
            *last = b'\n';
        }
        self.has_wide = false;
    }
}

/// The index of the space that ends the first line of some tokens; `None` if they have room on one line. A line is too
/// long only if it has only one token.
#[inline]
fn line_end(tokens: &[u8], has_wide: bool) -> Option<usize> {
    let room = if has_wide { char_starts(tokens).nth(MAX_COLUMNS)? } else { MAX_COLUMNS };
    // There is a space behind the last token.
    if room + 1 >= tokens.len() {
        return None;
    }
    last_break(tokens, room + 1).or_else(|| {
        let behind = room + 1..tokens.len() - 1;
        behind.into_iter().find(|&index| is_break(tokens, index))
    })
}

/// The index of the last space in front of `end` at which a line may be broken.
#[inline]
fn last_break(tokens: &[u8], mut end: usize) -> Option<usize> {
    loop {
        end = tokens[..end].iter().rposition(|&byte| byte == b' ')?;
        if is_break(tokens, end) {
            return Some(end);
        }
    }
}

/// Whether a line may be broken at this index: a percent sign in the first column would be read as an escape line.
#[inline]
fn is_break(tokens: &[u8], index: usize) -> bool {
    tokens[index] == b' ' && tokens.get(index + 1) != Some(&b'%')
}

/// The indices of the bytes with which characters start.
fn char_starts(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_start = |byte: u8| byte & 0xc0 != 0x80;
    text.iter().enumerate().filter(move |&(_, &byte)| is_start(byte)).map(|(index, _)| index)
}

/// Whether the last token of this text has room for one more character on a line.
fn is_short_token(text: &[u8]) -> bool {
    /// The maximum number of bytes that a line can have.
    const MAX_BYTES: usize = MAX_COLUMNS * char::MAX.len_utf8();
    let text = &text[text.len().saturating_sub(MAX_BYTES)..];
    let start = last_break(text, text.len()).map_or(0, |space| space + 1);
    char_starts(&text[start..]).count() < MAX_COLUMNS
}

/// The number of periods behind the number of a move.
const PERIODS: [usize; Color::COUNT] = [1, 3];

/// The numbers of most moves, with periods and a space.
static NUMBERS: [[Word; 1 + u8::MAX as usize]; Color::COUNT] = {
    const BASE: usize = 10;
    let mut numbers = [[Word::EMPTY; 1 + u8::MAX as usize]; Color::COUNT];
    let mut color = 0;
    while color < numbers.len() {
        let mut number = 0;
        while number < numbers[color].len() {
            // From the end to the start.
            let mut text = Word::EMPTY.with(b' ');
            while text.len() <= PERIODS[color] {
                text = text.after(b'.');
            }
            let mut rest = number;
            loop {
                text = text.after(b'0' + (rest % BASE) as u8);
                rest /= BASE;
                if rest == 0 {
                    break;
                }
            }
            numbers[color][number] = text;
            number += 1;
        }
        color += 1;
    }
    numbers
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Piece {
        Token(String),
        /// A number, or 0 for none, and a move of Black.
        Move(u16, String),
        Comment(Vec<String>),
        Open,
        Close,
    }

    /// The same texts wrapped in the simplest way: all tokens are known before any line is.
    fn wrapped(pieces: &[Piece]) -> String {
        let (mut tokens, mut prefix) = (Vec::<String>::new(), String::new());
        for piece in pieces {
            match piece {
                Piece::Token(text) => tokens.push(std::mem::take(&mut prefix) + text),
                Piece::Move(number, text) => {
                    let number = if *number > 0 { format!("{number}...") } else { String::new() };
                    let mut add = |text: &str| tokens.push(std::mem::take(&mut prefix) + text);
                    [&*number, text].into_iter().filter(|text| !text.is_empty()).for_each(&mut add);
                }
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
            6 => (prop_oneof![Just(0_u16), 1..400_u16], "[A-Za-z0-9+#=-]{1,10}")
                .prop_map(|(number, text)| Piece::Move(number, text)),
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
                    Piece::Move(number, text) => {
                        let fen = format!("4k3/8/8/8/8/8/8/4K3 b - - 0 {}", number.max(&1));
                        let position = position_from_fen(&fen).expect("a position");
                        lines.mv(MoveNumber::of(&position), *number > 0, text.as_bytes());
                    }
                    Piece::Comment(words) => lines.comment(&words.join(" ")),
                    Piece::Open => lines.open(),
                    Piece::Close => lines.close(),
                }
            }
            let mut text = Vec::new();
            lines.finish_into(&mut text);
            prop_assert_eq!(String::from_utf8(text), Ok(wrapped(&pieces)));
        }
    }
}
