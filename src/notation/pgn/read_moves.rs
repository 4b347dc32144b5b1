//! Reading the moves of a game.

use super::classes::{CLASSES, Class, ends_plainly, is_symbol, is_wide};
use super::error::counted;
use super::reader::{Closing, LOOK_AHEAD, Reader, skip_newline};
use super::result::result_at;
use super::symbols::{first_letter, from_signs, is_dash, may_be_move, wide_space};
use super::usual::{End, read_usual};
use super::{Encoding, GameResult, MAX_DEPTH, MAX_GAME_TEXT, Nag, PgnProblem, RawText, Skip, Visitor};
use crate::notation::SanError;
use std::io::{self, Read};

/// The length of the ASCII symbol that starts here.
#[inline(always)]
fn symbol_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| is_symbol(byte)).count()
}

#[inline(always)]
fn run_length(bytes: &[u8], class: Class) -> usize {
    bytes.iter().take_while(|byte| CLASSES[usize::from(**byte)] == class).count()
}

/// The position of the reader in the tree of variations.
pub(super) struct Tree {
    pub depth: u32,
    /// The variation that is skipped with its whole content; depth 0 is the main line.
    skipped: Option<Skipped>,
}

#[derive(Clone, Copy)]
struct Skipped {
    depth: u32,
    /// Whether the visitor has received the start of the variation.
    is_open: bool,
}

impl Tree {
    #[inline(always)]
    pub(super) const fn is_received(&self) -> bool {
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
            self.buffer.hold();
            if !self.gap.ends_line && self.buffer.rest().first() == Some(&b'%') {
                // In the first column it would be read as an escape line.
                self.buffer.add_to_held(b" ");
            }
        }
        let mut result = None;
        // The first token has been found, and `next` would lose the gap before it.
        let mut token = self.buffer.rest().first().copied();
        loop {
            if tree.is_received() && token.is_some() {
                token = self.read_usual_tokens(&mut tree, visitor)?;
            }
            let Some(byte) = token else { break };
            match CLASSES[usize::from(byte)] {
                Class::Letter => self.read_symbol(&mut tree, visitor)?,
                Class::Digit => {
                    result = self.read_number(&mut tree, visitor)?;
                    if result.is_some() {
                        break;
                    }
                }
                Class::Sign => {
                    result = self.read_signs(&mut tree, visitor)?;
                    if result.is_some() {
                        break;
                    }
                }
                Class::Wide => {
                    result = self.read_wide(&mut tree, visitor)?;
                    if result.is_some() {
                        break;
                    }
                }
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
                            result = Some((GameResult::Unknown, 1));
                            break;
                        }
                        self.buffer.advance(1);
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
        self.pass_unread(visitor);
        match result {
            Some((marker, length)) => {
                let tag = self.tag_result.unwrap_or(marker);
                if tag != marker {
                    self.problem(0, PgnProblem::Result { tag, marker }, visitor);
                }
                self.buffer.advance(length);
                visitor.result(counted(tag, marker));
                self.read_line_end(skip, visitor)
            }
            None => {
                self.problem(0, PgnProblem::MissingResult, visitor);
                Ok(())
            }
        }
    }

    /// Reads tokens as long as they have the most usual forms. Returns the start of the next token.
    #[inline(always)]
    fn read_usual_tokens<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<Option<u8>> {
        let (length, end) = read_usual(self.buffer.rest(), self.gap, visitor);
        self.buffer.advance(length);
        match end {
            End::Token(gap, byte) => {
                self.gap = gap;
                return Ok(Some(byte));
            }
            End::Gap => {}
            problem => self.report_usual(problem, tree, visitor),
        }
        self.next()
    }

    /// Reads a usual token with which the visitor has a problem.
    #[cold]
    fn report_usual<V: Visitor>(&mut self, end: End, tree: &mut Tree, visitor: &mut V) {
        match end {
            End::Gap | End::Token(..) => {}
            End::Number(remark, length) => {
                self.problem(0, *remark, visitor);
                self.buffer.advance(length);
            }
            End::Move(problem, length) => self.read_refused(*problem, length, tree, visitor),
            End::Comment(problem, length) => {
                self.buffer.advance(1);
                self.object(*problem, tree, visitor);
                self.buffer.advance(length + 1);
            }
        }
    }

    /// Passes the text of a line that was not read to its end, which is here, to the visitor.
    fn pass_unread<V: Visitor>(&mut self, visitor: &mut V) {
        if let Some(text) = self.buffer.release() {
            if text.len() >= MAX_GAME_TEXT {
                self.problem(0, PgnProblem::TooLarge, visitor);
            }
            let text = text.trim_ascii_end();
            if !text.is_empty() {
                visitor.unread(RawText::new(text, Encoding::Utf8));
            }
        }
    }

    /// Ends the current line before the next `length` bytes, which the visitor has rejected.
    #[cold]
    pub(super) fn end_line<V: Visitor>(&mut self, problem: PgnProblem, tree: &mut Tree, visitor: &mut V) {
        self.last_problem(problem, visitor);
        tree.skip_line();
        self.buffer.hold();
    }

    /// Handles the error of a visitor that has rejected the next `length` bytes as a move.
    #[cold]
    pub(super) fn refuse<V: Visitor>(
        &mut self,
        problem: PgnProblem,
        length: usize,
        tree: &mut Tree,
        visitor: &mut V,
    ) {
        let text = &self.buffer.rest()[..length];
        if problem.is_remark() {
            self.problem(0, problem, visitor);
        } else if matches!(problem, PgnProblem::Move(SanError::NotAMove(_))) && !may_be_move(text) {
            let found = self.excerpt(length);
            self.problem(0, PgnProblem::Word(found), visitor);
        } else {
            self.end_line(problem, tree, visitor);
        }
    }

    /// Reads a move, or a word instead of a move.
    #[inline(always)]
    fn read_symbol<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<()> {
        let rest = self.buffer.rest();
        let length = symbol_length(rest);
        let text = &rest[..length];
        let is_plain = match text {
            [.., before, last] => ends_plainly(*before, *last),
            _ => false,
        };
        if !is_plain || is_wide(rest.get(length)) || length >= LOOK_AHEAD {
            return self.read_unusual_symbol(length, tree, visitor);
        }
        if tree.is_received()
            && let Err(problem) = visitor.mv(text)
        {
            self.read_refused(*problem, length, tree, visitor);
            return Ok(());
        }
        self.buffer.advance(length);
        Ok(())
    }

    /// Reads a move number, a result, or castling with zeros.
    #[inline(always)]
    fn read_number<V: Visitor>(
        &mut self,
        tree: &mut Tree,
        visitor: &mut V,
    ) -> io::Result<Option<(GameResult, usize)>> {
        let rest = self.buffer.rest();
        let digits = run_length(rest, Class::Digit);
        if rest.get(digits) == Some(&b'.') && digits < LOOK_AHEAD && rest[0] != b'0' {
            if tree.is_received()
                && let Err(remark) = visitor.number(&rest[..digits])
            {
                self.problem(0, *remark, visitor);
            }
            // Before a move of Black there are three periods.
            let is_black = self.buffer.rest()[digits..].starts_with(b"...");
            self.buffer.advance(digits + if is_black { 3 } else { 1 });
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
    ) -> io::Result<Option<(GameResult, usize)>> {
        let rest = self.buffer.rest();
        let length = symbol_length(rest);
        if length >= LOOK_AHEAD {
            self.skip_symbol(tree, visitor)?;
            return Ok(None);
        }
        if let Some((result, length)) = result_at(&rest[..rest.len().min(LOOK_AHEAD)]) {
            return Ok(self.take_result(result, length, tree, visitor));
        }
        let text = &rest[..length];
        let is_wide_castling = text == b"0"
            && is_wide(rest.get(1))
            && first_letter(&rest[1..]).is_some_and(|(dash, _)| is_dash(dash));
        // Zeros that no period follows are castling; with one they are the number of a move.
        let is_castling = matches!(text, b"00" | b"000") && rest.get(length) != Some(&b'.');
        if text.starts_with(b"0-0") || text == b"0000" || is_castling {
            self.read_symbol(tree, visitor)?;
        } else if is_wide_castling {
            return self.read_wide(tree, visitor);
        } else if length > digits && CLASSES[usize::from(text[digits])] != Class::Letter {
            self.stray(tree, visitor)?;
        } else {
            // A number; a move may follow without a period.
            if tree.is_received()
                && let Err(remark) = visitor.number(&rest[..digits])
            {
                self.problem(0, *remark, visitor);
            }
            self.buffer.advance(digits);
        }
        Ok(None)
    }

    /// Reads a result of this many bytes, if it is that of the game. Some files have a result at the end of a
    /// variation.
    #[cold]
    pub(super) fn take_result<V: Visitor>(
        &mut self,
        result: GameResult,
        length: usize,
        tree: &Tree,
        visitor: &mut V,
    ) -> Option<(GameResult, usize)> {
        if tree.depth == 0 {
            return Some((result, length));
        }
        if tree.is_received() {
            self.problem(0, PgnProblem::VariationResult(result), visitor);
        }
        self.buffer.advance(length);
        None
    }

    fn read_signs<V: Visitor>(
        &mut self,
        tree: &mut Tree,
        visitor: &mut V,
    ) -> io::Result<Option<(GameResult, usize)>> {
        let rest = self.buffer.rest();
        let length = symbol_length(rest);
        let text = &rest[..length.min(LOOK_AHEAD)];
        if is_wide(rest.get(length)) && length < LOOK_AHEAD {
            return self.read_wide(tree, visitor);
        }
        if text == b"--" {
            self.read_symbol(tree, visitor)?;
            return Ok(None);
        }
        if let Some(result) = GameResult::from_marker(text) {
            return Ok(self.take_result(result, length, tree, visitor));
        }
        match from_signs(text) {
            Some(nag) => {
                if tree.is_received() {
                    visitor.nag(nag);
                }
                self.buffer.advance(length);
            }
            // A check sign separated from its move.
            None if text == b"+" || text == b"++" => self.buffer.advance(length),
            None => self.stray(tree, visitor)?,
        }
        Ok(None)
    }

    fn read_suffix<V: Visitor>(&mut self, tree: &Tree, visitor: &mut V) {
        let rest = self.buffer.rest();
        let length = run_length(rest, Class::Suffix);
        if let Some(nag) = Nag::from_suffix(&rest[..length])
            && tree.is_received()
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
            Some(number) if tree.is_received() => visitor.nag(Nag(number)),
            Some(_) => {}
            None if tree.is_received() => {
                let found = self.excerpt(digits + 1);
                self.problem(0, PgnProblem::Glyph(found), visitor);
            }
            None => {}
        }
        self.buffer.advance(digits + 1);
        Ok(())
    }

    #[inline(always)]
    fn read_comment<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<()> {
        self.buffer.advance(1);
        let (length, closing) = self.take_comment()?;
        if closing == Closing::Brace {
            if tree.is_received() {
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
            if tree.is_received() {
                self.hear_comment(length, tree, visitor);
            }
            self.buffer.advance(length);
        } else if self.skip_long_comment(length, visitor)? != Closing::Missing {
            return Ok(());
        }
        self.buffer.add_to_held(b"\n}");
        Ok(())
    }

    #[inline(always)]
    fn hear_comment<V: Visitor>(&mut self, length: usize, tree: &mut Tree, visitor: &mut V) {
        let text = RawText::new(&self.buffer.rest()[..length], Encoding::Utf8);
        if let Err(problem) = visitor.comment(text) {
            self.object(*problem, tree, visitor);
        }
    }

    /// Handles the problem that a visitor has with a comment, which starts here.
    #[cold]
    fn object<V: Visitor>(&mut self, problem: PgnProblem, tree: &mut Tree, visitor: &mut V) {
        if problem.is_remark() {
            self.problem(0, problem, visitor);
        } else {
            self.end_line(problem, tree, visitor);
        }
    }

    /// Reads the rest of a line: a comment or an escape line.
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
        if tree.is_received() {
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
        if tree.is_received() {
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
                    self.buffer.hold();
                }
            }
        }
        self.buffer.advance(1);
    }

    fn read_closing<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) {
        if tree.depth == 0 {
            if tree.is_received() {
                self.problem(0, PgnProblem::UnopenedVariation, visitor);
            }
            self.buffer.advance(1);
        } else {
            self.close_variation(1, tree, visitor);
        }
    }

    /// Ends all open variations at the end of the game.
    fn close_variations<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) {
        if tree.depth > 0 && tree.skipped.is_none_or(|skipped| skipped.depth > 0) {
            self.problem(0, PgnProblem::UnclosedVariation, visitor);
        }
        if tree.skipped.is_some_and(|skipped| skipped.depth == 0) && tree.depth > 0 {
            // Text that is written after the kept text must not be within a variation.
            self.buffer.add_to_held(b"\n");
            (0..tree.depth).for_each(|_| self.buffer.add_to_held(b")"));
        }
        while tree.depth > 0 {
            self.close_variation(0, tree, visitor);
        }
    }

    /// Ends the innermost variation, whose parenthesis has this many bytes.
    #[inline(always)]
    fn close_variation<V: Visitor>(&mut self, length: usize, tree: &mut Tree, visitor: &mut V) {
        match tree.skipped {
            None => visitor.end_variation(),
            Some(skipped) if skipped.depth == tree.depth => {
                tree.skipped = None;
                if skipped.is_open {
                    self.pass_unread(visitor);
                    visitor.end_variation();
                } else {
                    // The parentheses belong to the text that is not read.
                    self.buffer.advance(length);
                    self.pass_unread(visitor);
                    tree.depth -= 1;
                    return;
                }
            }
            Some(_) => {}
        }
        self.buffer.advance(length);
        tree.depth -= 1;
    }

    /// Reads text after a result: comments on its line and directly below belong to the game; anything else on its line
    /// is wrong unless another game starts.
    fn read_line_end<V: Visitor>(&mut self, skip: Skip, visitor: &mut V) -> io::Result<()> {
        let mut tree = Tree { depth: 0, skipped: None };
        if skip == Skip::Yes {
            tree.skip_line();
        }
        let mut is_reported = false;
        let mut is_below = false;
        loop {
            // In a game that is skipped, comments are kept as text.
            let is_comment = matches!(self.buffer.rest().first(), Some(b'{' | b';'));
            let is_held = tree.skipped.is_some() && skip == Skip::No;
            if skip == Skip::Yes && is_comment {
                self.buffer.hold();
            }
            // The end of the last line is left for the next token.
            self.buffer.ensure(LOOK_AHEAD)?;
            let rest = self.buffer.rest();
            let Some(&byte) = rest.first() else { break };
            match CLASSES[usize::from(byte)] {
                _ if byte == b' ' || byte == b'\t' => self.buffer.advance(1),
                _ if byte == b'{' => self.read_comment(&mut tree, visitor)?,
                _ if byte == b';' => {
                    self.buffer.advance(1);
                    self.read_line(&mut tree, visitor, true)?;
                }
                Class::Wide => match wide_space(rest) {
                    Some(length) => self.buffer.advance(length),
                    None => break,
                },
                _ if byte == b'\n' || byte == b'\r' => match comment_below(rest) {
                    Some(ahead) => {
                        is_below = true;
                        if skip == Skip::No {
                            self.pass_unread(visitor);
                            tree.skipped = None;
                        }
                        self.buffer.advance(ahead);
                    }
                    None => break,
                },
                _ if is_below => break,
                Class::Digit if result_at(rest).is_none() => break,
                Class::Letter | Class::Digit | Class::Sign => {
                    let length = symbol_length(rest);
                    let found = self.excerpt(length);
                    if tree.is_received() && may_be_move(&self.buffer.rest()[..length]) {
                        self.end_line(PgnProblem::MovesAfterResult(found), &mut tree, visitor);
                    } else if !is_reported && !is_held {
                        is_reported = true;
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
                _ => break,
            }
            if skip == Skip::Yes && is_comment {
                self.pass_unread(visitor);
            }
        }
        self.pass_unread(visitor);
        Ok(())
    }
}

/// The distance from the end of a line to a comment at the start of the next line, if there is one. Indents are
/// recognized as far as the window is certain to reach.
fn comment_below(rest: &[u8]) -> Option<usize> {
    let line = skip_newline(rest, 0);
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let start = line + rest[line..].iter().take(LOOK_AHEAD / 2).take_while(is_blank).count();
    matches!(rest.get(start), Some(b'{' | b';')).then_some(start)
}
