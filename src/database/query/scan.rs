//! The text of a query during parsing: words, operators and values, and errors with positions.

use super::headers::{BadValue, Operator};
use super::positions::split_operator;
use super::text::Text;
use crate::notation::Excerpt;
use std::fmt;

/// The error for an invalid query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The text found there; `None` at the end.
    found: Option<Excerpt>,
    expected: String,
}

impl std::error::Error for QueryError {}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: found ", self.column)?;
        match &self.found {
            Some(found) => write!(f, "{found}")?,
            None => f.write_str("the end of the query")?,
        }
        write!(f, ", expected {}", self.expected)
    }
}

/// A value as written.
pub(super) struct Value {
    pub text: String,
    pub is_quoted: bool,
    pub is_regex: bool,
    /// The offset of its text in the query.
    pub start: usize,
}

/// The offsets of a term with an unquoted text: its start, that of the text, and the end.
#[derive(Clone, Copy)]
pub(super) struct Unquoted {
    pub term: usize,
    pub text: usize,
    pub end: usize,
}

/// A text, and the offset up to which it has been read.
pub(super) struct Scanner<'a> {
    pub text: &'a str,
    pub at: usize,
}

pub(super) type Result<T> = std::result::Result<T, QueryError>;

impl<'a> Scanner<'a> {
    pub(super) fn error(&self, at: usize, expected: impl Into<String>) -> QueryError {
        // An offset within a value with escapes may be inexact; it never exceeds the text.
        let at = (0..=at.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        let (before, rest) = self.text.split_at(at);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ')').unwrap_or(rest.len());
        let found = match &rest[..end] {
            "" => rest.chars().next().map(|letter| Excerpt::new(letter.encode_utf8(&mut [0; 4]))),
            word => Some(Excerpt::new(word)),
        };
        QueryError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            found,
            expected: expected.into(),
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Skips white space, and comments from `#` to the end of their line.
    pub(super) fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let text = rest.trim_start();
            self.at += rest.len() - text.len();
            if !text.starts_with('#') {
                return;
            }
            self.at += text.find('\n').unwrap_or(text.len());
        }
    }

    /// The next word, without consuming it: letters, digits, and `.`, `_` and `-` within.
    pub(super) fn peek_word(&self) -> &'a str {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
        let rest = self.rest();
        if !rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return "";
        }
        &rest[..rest.find(|letter: char| !is_word(letter)).unwrap_or(rest.len())]
    }

    /// Consumes this word if it is next and is not a term, as it would be with an operator after it.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is_here = self.peek_word().eq_ignore_ascii_case(word)
            && split_operator(&self.rest()[word.len()..]).is_none();
        if is_here {
            self.at += word.len();
            self.skip_space();
        }
        is_here
    }

    pub(super) fn take(&mut self, sign: char) -> bool {
        let is_here = self.rest().starts_with(sign);
        if is_here {
            self.at += sign.len_utf8();
            self.skip_space();
        }
        is_here
    }

    /// A number of at least one.
    pub(super) fn positive(&mut self, of: &str) -> Result<u32> {
        let rest = self.rest();
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ')').unwrap_or(rest.len());
        let Some(number) = rest[..end].parse().ok().filter(|&number| number > 0) else {
            return Err(self.error(self.at, format!("a number of {of}")));
        };
        self.at += end;
        self.skip_space();
        Ok(number)
    }

    pub(super) fn operator(&mut self) -> Option<Operator> {
        let (operator, rest) = split_operator(self.rest())?;
        self.at = self.text.len() - rest.len();
        Some(operator)
    }

    /// The expected form if the next word was meant to belong to the text of the previous term.
    pub(super) fn quoted(&self, latest: Option<Unquoted>, start: usize) -> Option<String> {
        /// The maximum length of texts that are repeated in the message.
        const MAX_CHARS: usize = 60;
        let Unquoted { term, text, .. } = latest.filter(|latest| latest.end == start)?;
        let end = self.text[start..].find(|letter: char| letter.is_whitespace() || letter == ')');
        let end = end.map_or(self.text.len(), |end| start + end);
        let whole = format!("{}\"{}\"", &self.text[term..text], &self.text[text..end]);
        let is_short = end > start && whole.chars().count() <= MAX_CHARS;
        is_short.then(|| format!("a term, or quotes around a text of several words: {whole}"))
    }

    /// Reads a value directly after its operator.
    pub(super) fn value(&mut self) -> Result<Value> {
        let delimiter = self.rest().chars().next().filter(|letter| matches!(letter, '"' | '/'));
        let Some(delimiter) = delimiter else {
            let rest = self.rest();
            let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | '"');
            let end = rest.find(is_end).unwrap_or(rest.len());
            if end == 0 {
                return Err(self.error(self.at, "a value; one with spaces or parentheses needs quotes"));
            }
            let start = self.at;
            self.at += end;
            self.skip_space();
            return Ok(Value { text: rest[..end].to_owned(), is_quoted: false, is_regex: false, start });
        };
        let open = self.at;
        let start = open + 1;
        let mut text = String::new();
        let mut letters = self.text[start..].char_indices();
        while let Some((offset, letter)) = letters.next() {
            if letter == delimiter {
                self.at = start + offset + 1;
                self.skip_space();
                return Ok(Value { text, is_quoted: true, is_regex: delimiter == '/', start });
            }
            // Within quotes, `\"` and `\\` are escapes; within slashes, `\/` is.
            let next = letters.clone().next().map(|(_, next)| next);
            let is_escape = letter == '\\'
                && next.is_some_and(|next| next == delimiter || next == '\\' && delimiter == '"');
            let is_kept_pair = letter == '\\' && delimiter == '/' && next == Some('\\');
            if is_kept_pair {
                text.push(letter);
            }
            if is_escape || is_kept_pair {
                text.extend(letters.next().map(|(_, next)| next));
            } else {
                text.push(letter);
            }
        }
        Err(self.error(open, format!("a `{delimiter}` that ends this")))
    }

    /// Converts an error in a value to an error at its position in the query.
    pub(super) fn checked<T>(&self, value: &Value, read: std::result::Result<T, BadValue>) -> Result<T> {
        read.map_err(|error| self.error(value.start + error.at, error.expected))
    }

    pub(super) fn text(&self, operator: Operator, value: &Value) -> Result<Text> {
        let text = if value.is_regex {
            Text::regex(&value.text)
        } else {
            Text::read(operator, &value.text, value.is_quoted)
        };
        self.checked(value, text)
    }

    /// The value of one of several names.
    pub(super) fn one_of<T: Copy>(&self, value: &Value, names: &[(&str, T)]) -> Result<T> {
        names.iter().find(|(name, _)| *name == value.text).map(|&(_, found)| found).ok_or_else(|| {
            let names: Vec<&str> = names.iter().map(|&(name, _)| name).collect();
            self.error(value.start, format!("one of {}", names.join(", ")))
        })
    }
}
