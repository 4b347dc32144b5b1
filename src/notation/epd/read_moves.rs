//! Operands that are moves.

use super::EpdProblem;
use super::read_operation::{Failure, RawOperation};
use crate::chess::{Move, Position};
use crate::notation::{Excerpt, SanError, Turn, parse_san};
use std::num::NonZeroU16;

/// One word of the operands.
enum Word<'a> {
    Move(&'a str),
    /// `#4`: mate in so many moves.
    Mate(NonZeroU16),
    /// A move number, or a check or an annotation that stands apart from its move.
    Sign,
}

impl<'a> Word<'a> {
    fn new(text: &'a str) -> Self {
        if let Some(Ok(moves)) = text.strip_prefix('#').map(str::parse) {
            return Self::Mate(moves);
        }
        if text.chars().all(|letter| matches!(letter, '+' | '#' | '!' | '?')) {
            return Self::Sign;
        }
        // `1.e4`, `1...e5`; castling with zeros has no dot.
        let after_digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let mv = if after_digits.starts_with('.') { after_digits.trim_start_matches('.') } else { text };
        if mv.is_empty() { Self::Sign } else { Self::Move(mv) }
    }
}

/// The words of an operation with the columns of their operands.
fn words<'a>(raw: &'a RawOperation) -> impl Iterator<Item = (usize, Word<'a>)> {
    raw.operands().flat_map(|(column, text)| {
        let is_between = |letter: char| letter == ',' || letter.is_whitespace();
        text.split(is_between).filter(|word| !word.is_empty()).map(move |word| (column, Word::new(word)))
    })
}

/// Reads moves that are all playable from the position, and the mate that may be told with them.
pub(super) fn read_alternatives(
    raw: &RawOperation,
    position: &Position,
) -> Result<(Vec<Move>, Option<NonZeroU16>), Failure> {
    let mut moves = Vec::new();
    let mut mate = None;
    for (column, word) in words(raw) {
        match word {
            Word::Move(text) => moves.push(read_move(raw, column, text, position)?),
            Word::Mate(distance) => mate = Some(distance),
            Word::Sign => {}
        }
    }
    Ok((moves, mate))
}

/// Reads moves that are played one after the other.
pub(super) fn read_variation(raw: &RawOperation, start: &Position) -> Result<Vec<Move>, Failure> {
    let mut position = *start;
    let mut moves = Vec::new();
    for (column, word) in words(raw) {
        if let Word::Move(text) = word {
            let mv = read_move(raw, column, text, &position)?;
            position = position.after(mv).0;
            moves.push(mv);
        }
    }
    Ok(moves)
}

/// Reads exactly one move.
pub(super) fn read_one_move(raw: &RawOperation, position: &Position) -> Result<Move, Failure> {
    match read_alternatives(raw, position)? {
        (moves, None) if moves.len() == 1 => Ok(moves[0]),
        _ => Err(raw.unexpected("one move")),
    }
}

fn read_move(raw: &RawOperation, column: usize, text: &str, position: &Position) -> Result<Move, Failure> {
    let error = match parse_san(text, position) {
        Ok(Turn::Move(mv)) => return Ok(mv),
        Ok(Turn::Null) => SanError::NotAMove(Excerpt::new(text)),
        Err(error) => error,
    };
    Err((column, EpdProblem::Move { opcode: raw.opcode()?.to_owned(), error }))
}
