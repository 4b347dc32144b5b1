//! Reading tokens that are not plain moves: moves with characters beyond ASCII or with something appended to them,
//! words and signs.

use super::classes::{is_symbol, is_wide};
use super::read_moves::Tree;
use super::reader::{LOOK_AHEAD, Reader};
use super::result::result_at;
use super::symbols::{
    assessment, first_letter, folded, from_word, is_selector, is_space, is_word, may_be_move,
    split_assessment,
};
use super::{GameResult, PgnProblem, Visitor};
use crate::notation::Excerpt;
use std::io::{self, Read};

/// The length of `(Q)` after a pawn's move.
const PROMOTION_LENGTH: usize = 3;
/// The most signs of check after it, as in `++`.
const MAX_CHECK_SIGNS: usize = 2;

impl<R: Read> Reader<R> {
    /// Reads a promotion, a move with something appended to it, or a word.
    #[inline(never)]
    pub(super) fn read_unusual_symbol<V: Visitor>(
        &mut self,
        length: usize,
        tree: &mut Tree,
        visitor: &mut V,
    ) -> io::Result<()> {
        let rest = self.buffer.rest();
        if length >= LOOK_AHEAD {
            return self.skip_symbol(tree, visitor);
        }
        if is_wide(rest.get(length)) {
            // A result does not start with a letter.
            return self.read_wide(tree, visitor).map(|_| ());
        }
        let mut text = rest[..length].to_vec();
        let mut raw_length = length;
        // The only move that contains periods.
        if text.ends_with(b"e") && rest[length..].starts_with(b".p") {
            text.pop();
            raw_length += 2 + usize::from(rest.get(length + 2) == Some(&b'.'));
        }
        self.read_word(&text, raw_length, tree, visitor);
        Ok(())
    }

    /// Reads the next `length` bytes, which the visitor has rejected as a move: a promotion continues in parentheses.
    #[cold]
    pub(super) fn read_refused<V: Visitor>(
        &mut self,
        problem: PgnProblem,
        length: usize,
        tree: &mut Tree,
        visitor: &mut V,
    ) {
        let rest = self.buffer.rest();
        let mut whole = length;
        if matches!(rest[length..], [b'(', letter, b')', ..] if letter.is_ascii_alphabetic()) {
            whole += PROMOTION_LENGTH;
            let is_sign = |byte: &&u8| matches!(byte, b'+' | b'#');
            whole += rest[whole..].iter().take_while(is_sign).take(MAX_CHECK_SIGNS).count();
        }
        // A move with a remark has been played.
        let is_open = whole > length && !problem.is_remark();
        let (problem, length) = match is_open.then(|| visitor.mv(&rest[..whole])) {
            Some(Ok(())) => {
                self.buffer.advance(whole);
                return;
            }
            Some(Err(remark)) if remark.is_remark() => (*remark, whole),
            _ => (problem, length),
        };
        self.refuse(problem, length, tree, visitor);
        self.buffer.advance(length);
    }

    /// Reads a text of this many bytes in the file that may be a move.
    pub(super) fn read_word<V: Visitor>(
        &mut self,
        text: &[u8],
        length: usize,
        tree: &mut Tree,
        visitor: &mut V,
    ) {
        let known = from_word(text);
        let (core, nag) = known.map_or_else(|| split_assessment(text), |nag| (&b""[..], nag));
        if tree.is_received()
            && !core.is_empty()
            && let Err(problem) = visitor.mv(core)
        {
            self.refuse(*problem, length, tree, visitor);
        }
        if tree.is_received()
            && let Some(nag) = nag
        {
            visitor.nag(nag);
        }
        self.buffer.advance(length);
    }

    /// Reads a token with characters beyond ASCII: a move, an assessment, a result, a sign or a word.
    #[cold]
    #[inline(never)]
    pub(super) fn read_wide<V: Visitor>(
        &mut self,
        tree: &mut Tree,
        visitor: &mut V,
    ) -> io::Result<Option<(GameResult, usize)>> {
        let rest = self.buffer.rest();
        let rest = &rest[..rest.len().min(LOOK_AHEAD)];
        if let Some((result, length)) = result_at(rest) {
            return Ok(self.take_result(result, length, tree, visitor));
        }
        if let Some((nag, length)) = assessment(rest) {
            if tree.is_received() {
                visitor.nag(nag);
            }
            self.buffer.advance(length);
            return Ok(None);
        }
        let mut word = String::new();
        let mut length = 0;
        while let Some((letter, bytes)) = first_letter(&rest[length..]) {
            if is_selector(letter) {
                length += bytes;
                continue;
            }
            let is_part = match u8::try_from(letter).ok().filter(u8::is_ascii) {
                Some(byte) => is_symbol(byte),
                None => is_word(letter),
            };
            if !is_part || assessment(&rest[length..]).is_some() {
                break;
            }
            word.push(folded(letter));
            length += bytes;
        }
        if length >= LOOK_AHEAD - 4 {
            self.skip_symbol(tree, visitor)?;
        } else if word.is_empty() {
            self.pass_sign(tree, visitor);
        } else {
            // The only move that contains periods.
            if word.ends_with('e') && rest[length..].starts_with(b".p") {
                word.pop();
                length += 2 + usize::from(rest.get(length + 2) == Some(&b'.'));
            }
            self.read_word(word.as_bytes(), length, tree, visitor);
        }
        Ok(None)
    }

    /// Skips a non-ASCII sign without a meaning. An ellipsis is equivalent to three periods.
    pub(super) fn pass_sign<V: Visitor>(&mut self, tree: &Tree, visitor: &mut V) {
        let rest = self.buffer.rest();
        let mut length = 0;
        let mut is_reported = false;
        while let Some((letter, bytes)) = first_letter(&rest[length..])
            && !letter.is_ascii()
            && (length == 0 || !is_word(letter) && !is_space(letter) && assessment(&rest[length..]).is_none())
            && length < LOOK_AHEAD / 2
        {
            is_reported |= letter != '…' && !is_selector(letter) && !is_space(letter);
            length += bytes;
        }
        if is_reported && tree.is_received() {
            let found = self.excerpt(length);
            self.problem(0, PgnProblem::Stray(found), visitor);
        }
        self.buffer.advance(length);
    }

    /// Reports and skips a text that is not a token.
    #[cold]
    pub(super) fn stray<V: Visitor>(&mut self, tree: &Tree, visitor: &mut V) -> io::Result<()> {
        let rest = self.buffer.rest();
        // Adjacent characters are part of it, except those that open or close something.
        let is_part = |byte: &&u8| !b" \t\n\r{}()[];*".contains(byte);
        let mut length = 1 + rest[1..].iter().take(LOOK_AHEAD).take_while(is_part).count();
        if may_be_move(&rest[..length]) {
            // A sign before a move ends where the move starts.
            length = 1 + rest[1..length].iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
        }
        if tree.is_received() {
            let found: Excerpt = self.excerpt(length);
            self.problem(0, PgnProblem::Stray(found), visitor);
        }
        self.buffer.advance(length);
        Ok(())
    }

    /// Skips a symbol that is longer than any valid one.
    #[cold]
    pub(super) fn skip_symbol<V: Visitor>(&mut self, tree: &mut Tree, visitor: &mut V) -> io::Result<()> {
        if tree.is_received() {
            let found = self.excerpt(LOOK_AHEAD);
            self.end_line(PgnProblem::TooLong { found, limit: LOOK_AHEAD }, tree, visitor);
        }
        let is_part = |byte: &&u8| !byte.is_ascii() || is_symbol(**byte);
        loop {
            let length = self.buffer.rest().iter().take_while(is_part).count();
            self.buffer.advance(length);
            self.buffer.ensure(LOOK_AHEAD)?;
            if length == 0 || self.buffer.rest().is_empty() {
                return Ok(());
            }
        }
    }
}
