//! Lines of less than 80 characters.

use std::fmt::{self, Write};

/// The most characters on a line: less than 80 (PGN standard, 4.3 and 8.2.1).
const MAX_COLUMNS: usize = 79;

/// Puts tokens on lines, one space between two of them.
pub(super) struct Lines<'a> {
    out: &'a mut String,
    column: usize,
    /// The latest token, to which something may still be added.
    pending: String,
    /// What opens with the next token.
    prefix: String,
}

impl<'a> Lines<'a> {
    pub(super) fn new(out: &'a mut String) -> Self {
        Self { out, column: 0, pending: String::new(), prefix: String::new() }
    }

    /// Adds a token.
    pub(super) fn token(&mut self, token: &str) {
        self.words(format_args!("{token}"));
    }

    /// Adds a token that has yet to be written.
    pub(super) fn words(&mut self, token: fmt::Arguments<'_>) {
        self.flush();
        self.pending.push_str(&self.prefix);
        self.prefix.clear();
        // Writing to a string cannot fail.
        let _ = self.pending.write_fmt(token);
    }

    /// Opens a parenthesis before the next token.
    pub(super) fn open(&mut self) {
        self.prefix.push('(');
        if self.prefix.len() >= MAX_COLUMNS / 2 {
            self.token("");
        }
    }

    /// Closes a parenthesis behind the latest token.
    pub(super) fn close(&mut self) {
        if !self.prefix.is_empty() || self.pending.is_empty() || self.pending.chars().count() >= MAX_COLUMNS {
            self.token(")");
        } else {
            self.pending.push(')');
        }
    }

    /// Adds a comment. It may be broken where it has spaces.
    pub(super) fn comment(&mut self, text: &str) {
        if text.contains('}') {
            // What has a brace in it can only be the rest of a line.
            return self.whole_line(';', text);
        }
        self.flush();
        self.prefix.push('{');
        for word in text.split(' ') {
            if word.starts_with('%') && !self.pending.is_empty() && self.prefix.is_empty() {
                // On a line's first column it would be read as an escape.
                self.pending.push(' ');
                self.pending.push_str(word);
            } else {
                self.token(word);
            }
        }
        self.pending.push('}');
    }

    /// Adds a line of its own.
    pub(super) fn whole_line(&mut self, mark: char, text: &str) {
        if !self.prefix.is_empty() {
            self.token("");
        }
        self.flush();
        if self.column > 0 {
            self.out.push('\n');
        }
        self.out.push(mark);
        self.out.push_str(text);
        self.out.push('\n');
        self.column = 0;
    }

    /// Puts the latest token on a line.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let width = self.pending.chars().count();
        if self.column > 0 {
            if self.column + 1 + width > MAX_COLUMNS {
                self.out.push('\n');
                self.column = 0;
            } else {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(&self.pending);
        self.column += width;
        self.pending.clear();
    }

    /// Ends the last line.
    pub(super) fn finish(mut self) {
        self.flush();
        if self.column > 0 {
            self.out.push('\n');
        }
    }
}
