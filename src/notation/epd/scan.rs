//! Tokens of a line: words, strings and semicolons.

/// A token of a line and its column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    /// The column at which the token starts, in characters counted from 1.
    pub column: usize,
    pub kind: TokenKind<'a>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind<'a> {
    Semicolon,
    /// Characters up to white space or a semicolon.
    Word(&'a str),
    /// A string without its quotes, with its escapes resolved.
    Text(String),
    /// A quote without a closing quote, and the text after it.
    Unclosed(&'a str),
}

/// Reads a line token by token.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    rest: &'a str,
    /// The column at which the rest starts.
    column: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(line: &'a str) -> Self {
        Self { rest: line, column: 1 }
    }

    /// The unread rest of the line.
    pub(super) const fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word, if the next token is a word; quotes have no special meaning in it. The fields of a position are
    /// such words.
    pub(super) fn word(&mut self) -> Option<Token<'a>> {
        self.skip_white_space();
        let end = self.rest.find(ends_word).unwrap_or(self.rest.len());
        if end == 0 {
            return None;
        }
        let (column, word) = self.take(end);
        Some(Token { column, kind: TokenKind::Word(word) })
    }

    /// Puts the last `length` bytes of the word that was just read back, as the next word.
    pub(super) fn put_back(&mut self, line: &'a str, length: usize) {
        let at = line.len() - self.rest.len() - length;
        self.column -= line[at..at + length].chars().count();
        self.rest = &line[at..];
    }

    fn skip_white_space(&mut self) {
        let end = self.rest.find(|letter| !is_blank(letter)).unwrap_or(self.rest.len());
        self.take(end);
    }

    /// Takes this many bytes, and returns them with their column.
    fn take(&mut self, length: usize) -> (usize, &'a str) {
        let (taken, rest) = self.rest.split_at(length);
        let column = self.column;
        self.column += taken.chars().count();
        self.rest = rest;
        (column, taken)
    }

    /// Takes a string, which starts with the opening quote.
    fn string(&mut self) -> Token<'a> {
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1).peekable();
        while let Some((index, letter)) = letters.next() {
            match letter {
                '"' => {
                    let (column, _) = self.take(index + 1);
                    return Token { column, kind: TokenKind::Text(text) };
                }
                '\\' => match letters.next_if(|&(_, next)| matches!(next, '"' | '\\')) {
                    Some((_, escaped)) => text.push(escaped),
                    // Files without escapes may have backslashes as ordinary characters.
                    None => text.push('\\'),
                },
                _ => text.push(letter),
            }
        }
        let (column, unclosed) = self.take(self.rest.len());
        Token { column, kind: TokenKind::Unclosed(unclosed) }
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_white_space();
        match self.rest.chars().next()? {
            ';' => {
                let (column, _) = self.take(1);
                Some(Token { column, kind: TokenKind::Semicolon })
            }
            '"' => Some(self.string()),
            _ => self.word(),
        }
    }
}

/// Whether a character is white space, or one of the NUL bytes that some programs have left at line ends.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\0'
}

fn ends_word(letter: char) -> bool {
    is_blank(letter) || letter == ';'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_know_their_columns() {
        let line = "é  bm \"a \\\"b\\\\\\c\";;x\"y\0 \"open; z";
        let tokens: Vec<(usize, TokenKind)> =
            Scanner::new(line).map(|token| (token.column, token.kind)).collect();
        let expected = [
            (1, TokenKind::Word("é")),
            (4, TokenKind::Word("bm")),
            (7, TokenKind::Text("a \"b\\\\c".to_owned())),
            (18, TokenKind::Semicolon),
            (19, TokenKind::Semicolon),
            (20, TokenKind::Word("x\"y")),
            (25, TokenKind::Unclosed("\"open; z")),
        ];
        assert_eq!(tokens, expected);
    }
}
