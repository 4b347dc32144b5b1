//! Reading the moves of a game.

use super::reader::{Closing, LOOK_AHEAD, Reader, skip_newline};
use super::{Encoding, GameResult, MAX_DEPTH, Nag, PgnProblem, RawText, Skip, Visitor};
use crate::notation::Excerpt;
use std::io::{self, Read};

/// The kind of token that a byte may start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A move or a word.
    Letter,
    Digit,
    /// `+`, `-`, `=`, which start assessments and null moves.
    Sign,
    /// Continues a symbol, but starts none.
    Inner,
    /// `!` and `?`
    Suffix,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => Class::Digit,
            b'A'..=b'Z' | b'a'..=b'z' | b'@' | 0x80..=0xff => Class::Letter,
            b'+' | b'-' | b'=' => Class::Sign,
            b'_' | b'#' | b':' | b'/' => Class::Inner,
            b'!' | b'?' => Class::Suffix,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// The length of the symbol that starts here.
#[inline(always)]
fn symbol_length(bytes: &[u8]) -> usize {
    let is_symbol = |byte: &&u8| {
        matches!(CLASSES[usize::from(**byte)], Class::Letter | Class::Digit | Class::Sign | Class::Inner)
    };
    bytes.iter().take_while(is_symbol).count()
}

#[inline(always)]
fn run_length(bytes: &[u8], class: Class) -> usize {
    bytes.iter().take_while(|byte| CLASSES[usize::from(**byte)] == class).count()
}

/// The position of the reader in the tree of variations.
struct Tree {
    depth: u32,
    /// The variation that is skipped with all that is in it; 0 is the main line.
    skipped: Option<Skipped>,
}

#[derive(Clone, Copy)]
struct Skipped {
    depth: u32,
    /// Whether the visitor has received its start.
    is_open: bool,
}

impl Tree {
    #[inline(always)]
    const fn is_heard(&self) -> bool {
        self.skipped.is_none()
    }

    /// Skips the rest of the current line, whose start the visitor has received.
    const fn skip_line(&mut self) {
        self.skipped = Some(Skipped { depth: self.depth, is_open: true });
    }
}

impl<R: Read> Reader<R> {
    /// Reads moves to the end of the game.
    pub(super) fn read_moves<V: Visitor>(&mut self, skip: Skip, visitor: &mut V) -> io::Result<()> {
        let mut tree = Tree { depth: 0, skipped: None };
        if skip == Skip::Yes {
            tree.skip_line();
        }
        let mut result = None;
        // The first token has been found: `next` would lose the gap before it.
        let mut token = self.buffer.rest().first().copied();
        while let Some(byte) = token {
            match CLASSES[usize::from(byte)] {
                Class::Letter if byte.is_ascii() => self.read_symbol(&mut tree, visitor)?,
                Class::Letter => {
                    // One half, as a letter.
                    let length = symbol_length(self.buffer.rest());
                    result = self.result_marker(length).filter(|_| tree.depth == 0);
                    if result.is_some() {
                        self.buffer.advance(length);
                        break;
                    }
                    self.read_symbol(&mut tree, visitor)?;
                }
                Class::Digit => {
                    result = self.read_number(&mut tree, visitor)?;
                    if result.is_some() {
                        break;
                    }
                }
                Class::Sign => self.read_signs(&mut tree, visitor)?,
                Class::Suffix => self.read_suffix(&tree, visitor),
                Class::Inner => self.stray(&tree, visitor)?,
                Class::Other => match byte {
                    b'{' => self.read_comment(&mut tree, visitor)?,
                    b'.' => self.buffer.advance(1),
                    b'$' => self.read_glyph(&tree, visitor)?,
                    b'(' => self.read_opening(&mut tree, visitor),
                    b')' => self.read_closing(&mut tree, visitor),
                    b'*' => {
                        if tree.depth == 0 {
                            result = Some(GameResult::Unknown);
                        }
                        self.buffer.advance(1);
                        if result.is_some() {
                            break;
                        }
                    }
                    b';' => {
                        self.buffer.advance(1);
                        self.read_line(&mut tree, visitor, true)?;
                    }
                    b'%' if self.gap.ends_line => {
                        self.buffer.advance(1);
                        self.read_line(&mut tree, visitor, false)?;
                    }
                    b'[' if self.gap.begins_line() && self.is_tag() => break,
                    _ => self.stray(&tree, visitor)?,
                },
            }
            token = self.next()?;
        }
        self.close_variations(&mut tree, visitor);
        match result {
            Some(result) => {
                visitor.result(result);
                self.read_line_end(skip, visitor)
            }
            None => {
                self.problem(0, PgnProblem::MissingResult, visitor);
                Ok(())
            }
        }
    }

    /// A move, or a word where one should be.
    #[inline(always)]
    fn read_symbol<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<()> {
        let rest = self.buffer.rest();
        let mut length = symbol_length(rest);
        if length >= LOOK_AHEAD {
            return self.skip_symbol(tree, visitor);
        }
        let mut text = &rest[..length];
        if length <= 3 && matches!(text, b"\xc2\xbd" | b"\xbd" | b"N" | b"D" | b"ep") {
            // A novelty, a diagram, and half a point are not moves.
            self.buffer.advance(length);
            return Ok(());
        }
        // The only move with points in it.
        if text[length - 1] == b'e' && rest[length..].starts_with(b".p") {
            text = &text[..length - 1];
            length += 2 + usize::from(rest.get(length + 2) == Some(&b'.'));
        }
        if tree.is_heard()
            && !text.is_empty()
            && let Err(problem) = visitor.mv(text)
        {
            self.problem(0, *problem, visitor);
            tree.skip_line();
        }
        self.buffer.advance(length);
        Ok(())
    }

    /// A move number, a result, or castling with zeros.
    #[inline(always)]
    fn read_number<V: Visitor>(
        &mut self,
        tree: &mut Tree,
        visitor: &mut V,
    ) -> io::Result<Option<GameResult>> {
        let rest = self.buffer.rest();
        let digits = run_length(rest, Class::Digit);
        if rest.get(digits) == Some(&b'.') && digits < LOOK_AHEAD {
            self.buffer.advance(digits + 1);
            return Ok(None);
        }
        self.read_other_number(digits, tree, visitor)
    }

    #[inline(never)]
    fn read_other_number<V: Visitor>(
        &mut self,
        digits: usize,
        tree: &mut Tree,
        visitor: &mut V,
    ) -> io::Result<Option<GameResult>> {
        let rest = self.buffer.rest();
        let length = symbol_length(rest);
        if length >= LOOK_AHEAD {
            self.skip_symbol(tree, visitor)?;
            return Ok(None);
        }
        if let Some(result) = self.result_marker(length) {
            self.buffer.advance(length);
            // Some files have a result at the end of a variation; it is not that of the game.
            return Ok((tree.depth == 0).then_some(result));
        }
        let text = &rest[..length];
        if text.starts_with(b"0-0") || text == b"0000" {
            self.read_symbol(tree, visitor)?;
        } else if length > digits && CLASSES[usize::from(text[digits])] != Class::Letter {
            self.stray(tree, visitor)?;
        } else {
            // A number; a move may follow without a point.
            self.buffer.advance(digits);
        }
        Ok(None)
    }

    fn read_signs<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<()> {
        let rest = self.buffer.rest();
        let length = symbol_length(rest);
        let text = &rest[..length.min(LOOK_AHEAD)];
        if text == b"--" {
            return self.read_symbol(tree, visitor);
        }
        match Nag::from_signs(text) {
            Some(nag) => {
                if tree.is_heard() {
                    visitor.nag(nag);
                }
                self.buffer.advance(length);
            }
            // A check sign apart from its move.
            None if text == b"+" || text == b"++" => self.buffer.advance(length),
            None => self.stray(tree, visitor)?,
        }
        Ok(())
    }

    fn read_suffix<V: Visitor>(&mut self, tree: &Tree, visitor: &mut V) {
        let rest = self.buffer.rest();
        let length = run_length(rest, Class::Suffix);
        if let Some(nag) = Nag::from_suffix(&rest[..length])
            && tree.is_heard()
        {
            visitor.nag(nag);
        }
        self.buffer.advance(length);
    }

    fn read_glyph<V: Visitor>(&mut self, tree: &Tree, visitor: &mut V) -> io::Result<()> {
        let rest = self.buffer.rest();
        let digits = run_length(&rest[1..], Class::Digit);
        let number = std::str::from_utf8(&rest[1..=digits]).ok().and_then(|number| number.parse().ok());
        match number {
            Some(number) if tree.is_heard() => visitor.nag(Nag(number)),
            Some(_) => {}
            None => {
                let found = self.excerpt(digits + 1);
                self.problem(0, PgnProblem::Glyph(found), visitor);
            }
        }
        self.buffer.advance(digits + 1);
        Ok(())
    }

    #[inline(always)]
    fn read_comment<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<()> {
        self.buffer.advance(1);
        let (length, closing) = self.take_comment()?;
        if closing == Closing::Brace {
            if tree.is_heard() {
                self.hear_comment(length, tree, visitor);
            }
            self.buffer.advance(length + 1);
            return Ok(());
        }
        self.read_open_comment(length, closing, tree, visitor)
    }

    #[cold]
    fn read_open_comment<V: Visitor>(
        &mut self,
        length: usize,
        closing: Closing,
        tree: &mut Tree,
        visitor: &mut V,
    ) -> io::Result<()> {
        if closing == Closing::Missing {
            self.problem(0, PgnProblem::UnclosedComment, visitor);
            if tree.is_heard() {
                self.hear_comment(length, tree, visitor);
            }
            self.buffer.advance(length);
            return Ok(());
        }
        self.skip_long_comment(length, visitor)?;
        Ok(())
    }

    #[inline(always)]
    fn hear_comment<V: Visitor>(&mut self, length: usize, tree: &mut Tree, visitor: &mut V) {
        let text = RawText::new(&self.buffer.rest()[..length], Encoding::Utf8);
        if let Err(problem) = visitor.comment(text) {
            self.problem(0, *problem, visitor);
            tree.skip_line();
        }
    }

    /// The rest of a line: a comment or an escape.
    fn read_line<V: Visitor>(
        &mut self,
        tree: &mut Tree,
        visitor: &mut V,
        is_comment: bool,
    ) -> io::Result<()> {
        let (length, is_complete) = self.take_line()?;
        if !is_complete {
            return self.skip_long_line(length, visitor);
        }
        if tree.is_heard() {
            if is_comment {
                self.hear_comment(length, tree, visitor);
            } else {
                visitor.escape(RawText::new(&self.buffer.rest()[..length], Encoding::Utf8));
            }
        }
        self.buffer.advance(length);
        Ok(())
    }

    fn read_opening<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) {
        tree.depth = tree.depth.saturating_add(1);
        if tree.is_heard() {
            let wanted = if tree.depth > MAX_DEPTH {
                Err(Box::new(PgnProblem::TooDeep))
            } else {
                visitor.begin_variation()
            };
            let skipped = Skipped { depth: tree.depth, is_open: false };
            match wanted {
                Ok(Skip::No) => {}
                Ok(Skip::Yes) => tree.skipped = Some(skipped),
                Err(problem) => {
                    self.problem(0, *problem, visitor);
                    tree.skipped = Some(skipped);
                }
            }
        }
        self.buffer.advance(1);
    }

    fn read_closing<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) {
        if tree.depth == 0 {
            if tree.is_heard() {
                self.problem(0, PgnProblem::UnopenedVariation, visitor);
            }
        } else {
            close_variation(tree, visitor);
        }
        self.buffer.advance(1);
    }

    /// Ends what is open at the end of the game.
    fn close_variations<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) {
        if tree.depth > 0 && tree.skipped.is_none_or(|skipped| skipped.depth > 0) {
            self.problem(0, PgnProblem::UnclosedVariation, visitor);
        }
        while tree.depth > 0 {
            close_variation(tree, visitor);
        }
    }

    /// Text behind a result: comments on its line and on those right below belong to the game, all
    /// else on its line is wrong unless another game starts.
    fn read_line_end<V: Visitor>(&mut self, skip: Skip, visitor: &mut V) -> io::Result<()> {
        let mut tree = Tree { depth: 0, skipped: None };
        if skip == Skip::Yes {
            tree.skip_line();
        }
        let mut is_reported = false;
        let mut is_below = false;
        loop {
            // The end of the last line is left for what comes next.
            self.buffer.ensure(LOOK_AHEAD)?;
            let rest = self.buffer.rest();
            let Some(&byte) = rest.first() else { return Ok(()) };
            match CLASSES[usize::from(byte)] {
                _ if byte == b' ' || byte == b'\t' => self.buffer.advance(1),
                _ if byte == b'{' => self.read_comment(&mut tree, visitor)?,
                _ if byte == b';' => {
                    self.buffer.advance(1);
                    self.read_line(&mut tree, visitor, true)?;
                }
                _ if byte == b'\n' || byte == b'\r' => match comment_below(rest) {
                    Some(ahead) => {
                        is_below = true;
                        self.buffer.advance(ahead);
                    }
                    None => return Ok(()),
                },
                _ if is_below => return Ok(()),
                Class::Digit if self.result_marker(symbol_length(rest)).is_none() => return Ok(()),
                Class::Letter | Class::Digit | Class::Sign => {
                    let length = symbol_length(rest);
                    if !is_reported {
                        is_reported = true;
                        let found = self.excerpt(length);
                        self.problem(0, PgnProblem::AfterResult(found), visitor);
                    }
                    self.buffer.advance(length);
                }
                Class::Other if byte == b'*' => {
                    if !is_reported {
                        is_reported = true;
                        let found = self.excerpt(1);
                        self.problem(0, PgnProblem::AfterResult(found), visitor);
                    }
                    self.buffer.advance(1);
                }
                _ => return Ok(()),
            }
        }
    }

    /// A symbol longer than any.
    #[cold]
    fn skip_symbol<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<()> {
        if tree.is_heard() {
            let found = self.excerpt(LOOK_AHEAD);
            self.problem(0, PgnProblem::TooLong { found, limit: LOOK_AHEAD }, visitor);
            tree.skip_line();
        }
        loop {
            let length = symbol_length(self.buffer.rest());
            self.buffer.advance(length);
            self.buffer.ensure(LOOK_AHEAD)?;
            if length == 0 || self.buffer.rest().is_empty() {
                return Ok(());
            }
        }
    }

    /// A text that is not a token: it is reported and skipped.
    #[cold]
    fn stray<V: Visitor>(&mut self, tree: &Tree, visitor: &mut V) -> io::Result<()> {
        let rest = self.buffer.rest();
        // Adjacent characters are part of it, except those that may open or close something.
        let is_part = |byte: &&u8| !b" \t\n\r{}()[];*".contains(byte);
        let length = 1 + rest[1..].iter().take(LOOK_AHEAD).take_while(is_part).count();
        if tree.is_heard() {
            let found: Excerpt = self.excerpt(length);
            self.problem(0, PgnProblem::Stray(found), visitor);
        }
        self.buffer.advance(length);
        Ok(())
    }
}

/// The distance from the end of a line to a comment at the start of the next one, if there is one.
/// Indents are seen as far as the window is sure to reach.
fn comment_below(rest: &[u8]) -> Option<usize> {
    let line = skip_newline(rest, 0);
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let start = line + rest[line..].iter().take(LOOK_AHEAD / 2).take_while(is_blank).count();
    matches!(rest.get(start), Some(b'{' | b';')).then_some(start)
}

fn close_variation<V: Visitor>(tree: &mut Tree, visitor: &mut V) {
    match tree.skipped {
        None => visitor.end_variation(),
        Some(skipped) if skipped.depth == tree.depth => {
            tree.skipped = None;
            if skipped.is_open {
                visitor.end_variation();
            }
        }
        Some(_) => {}
    }
    tree.depth -= 1;
}
