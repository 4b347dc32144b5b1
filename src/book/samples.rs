//! Positions for the tests of books.

use crate::chess::{CastlingRight, Color, Move, MoveKind, Piece, Position, Setup, Square, Wing};

/// The position that a FEN without an en passant square describes.
pub(super) fn position(fen: &str) -> Position {
    let mut setup = Setup::EMPTY;
    let fields: Vec<&str> = fen.split(' ').collect();
    for (row, rank) in fields[0].split('/').enumerate() {
        let mut square = (7 - row) * 8;
        for letter in rank.chars() {
            if let Some(empty) = letter.to_digit(10) {
                square += empty as usize;
            } else {
                setup.pieces[square] = Piece::from_letter(letter);
                square += 1;
            }
        }
    }
    setup.turn = if fields[1] == "w" { Color::White } else { Color::Black };
    for letter in fields[2].chars().filter(|&letter| letter != '-') {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let wing = if letter.eq_ignore_ascii_case(&'k') { Wing::King } else { Wing::Queen };
        setup.castling.push(CastlingRight::Outermost(color, wing));
    }
    Position::try_from(setup).expect("a legal position")
}

/// The move that is written so.
pub(super) fn mv(text: &str) -> Move {
    let square = |text: &str| text.parse::<Square>().expect("a square");
    Move::new(square(&text[0..2]), square(&text[2..4]), MoveKind::Normal)
}

/// The position after these moves from the initial one.
pub(super) fn played(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::start(), |position, text| {
        let (from, to) = (mv(text).from(), mv(text).to());
        let legal = position.legal_moves();
        let mv = legal.iter().find(|mv| mv.from() == from && mv.to() == to).expect("a legal move");
        position.after(*mv).0
    })
}
