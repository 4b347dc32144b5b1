//! Positions for the tests of books.

use crate::chess::Position;

pub(super) use crate::chess::samples::{mv, position};

/// The position after these moves from the initial one.
pub(super) fn played(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::start(), |position, text| {
        let (from, to) = (mv(text).from(), mv(text).to());
        let legal = position.legal_moves();
        let mv = legal.iter().find(|mv| mv.from() == from && mv.to() == to).expect("a legal move");
        position.after(*mv).0
    })
}
