//! Positions for the tests of tables, random and described.

use crate::chess::{Color, Piece, Position, Setup};

/// The position that a FEN without castling rights and en passant square describes.
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
    setup.halfmove_clock = fields[4].parse().expect("a halfmove clock");
    Position::try_from(setup).expect("a legal position")
}
