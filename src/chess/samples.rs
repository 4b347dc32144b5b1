//! Positions and moves for the tests of modules below FEN and UCI.

use super::{
    CastlingRight, CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Setup, Square,
    chess960_back_rank,
};

/// Plays random moves from each of the first `games` initial positions of Chess960, for at most 150 plies, and passes
/// each position with the move made in it to `visit`.
pub(crate) fn walk(games: u16, mut visit: impl FnMut(&Position, Move)) {
    const PLIES: usize = 150;
    for start in 0..games {
        let back_rank = chess960_back_rank(start).expect("there are 960 of them");
        let mut position = Position::try_from(Setup::chess960(back_rank)).expect("a legal start");
        for _ in 0..PLIES {
            // The key serves as a random number.
            let moves = position.legal_moves();
            let Some(index) = position.key().bits().checked_rem(moves.len() as u64) else { break };
            let mv = moves[usize::try_from(index).expect("below the number of moves")];
            visit(&position, mv);
            position = position.after(mv).0;
        }
    }
}

/// The position of a FEN without an en passant square. The clocks may be missing.
pub(crate) fn position(fen: &str) -> Position {
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
        let side = if letter.eq_ignore_ascii_case(&'k') { CastlingSide::King } else { CastlingSide::Queen };
        setup.castling.push(CastlingRight::Outermost(color, side));
    }
    setup.halfmove_clock = fields.get(4).map_or(0, |clock| clock.parse().expect("a halfmove clock"));
    setup.fullmove_number = fields.get(5).map_or(1, |number| number.parse().expect("a full-move number"));
    Position::try_from(setup).expect("a legal position")
}

/// The move in UCI notation.
pub(crate) fn mv(text: &str) -> Move {
    let square = |text: &str| text.parse::<Square>().expect("a square");
    let kind = text.chars().nth(4).map_or(MoveKind::Normal, |letter| {
        Role::from_letter(letter).and_then(MoveKind::promotion).expect("a promotion")
    });
    Move::new(square(&text[0..2]), square(&text[2..4]), kind)
}
