//! Positions and random walks for the tests of the search.

use crate::chess::{CastlingRight, Color, Delta, Move, MoveKind, Piece, Position, Role, Setup, Square, Wing};
use crate::rng::Rng;

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
    setup.halfmove_clock = fields[4].parse().expect("a halfmove clock");
    setup.fullmove_number = fields[5].parse().expect("a full-move number");
    Position::try_from(setup).expect("a legal position")
}

/// The move that UCI writes so.
pub(super) fn mv(text: &str) -> Move {
    let square = |text: &str| text.parse::<Square>().expect("a square");
    let kind = text.chars().nth(4).map_or(MoveKind::Normal, |letter| {
        Role::from_letter(letter).and_then(MoveKind::promotion).expect("a promotion")
    });
    Move::new(square(&text[0..2]), square(&text[2..4]), kind)
}

/// Plays random moves from the initial position, and shows each move, the position after it
/// and what it changed.
pub(super) fn walk(seed: u64, plies: usize, mut visit: impl FnMut(Move, &Position, &Delta)) {
    let mut rng = Rng::new(seed);
    let mut position = Position::start();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let Some(&mv) = rng.choose(&moves) else { break };
        let (next, delta) = position.after(mv);
        position = next;
        visit(mv, &position, &delta);
    }
}
