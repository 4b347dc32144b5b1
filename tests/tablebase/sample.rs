//! Positions and tables for tests.

use crate::support::data_folder_of;
use hematite::chess::{Color, Piece, Position, Role, Setup, Square};
use hematite::notation::position_from_fen;
use hematite::rng::Rng;
use hematite::tablebase::Tablebase;
use std::path::PathBuf;

/// The folder of the tables, if it exists.
pub(crate) fn folder() -> Option<PathBuf> {
    data_folder_of("syzygy")
}

/// The tables of up to four pieces; `None`, with a note, without test data.
pub(crate) fn tables() -> Option<Tablebase> {
    let folder = folder()?;
    let (tables, faults) = Tablebase::load(folder.to_str().expect("the path is UTF-8"));
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!((tables.count(), tables.dtz_count(), tables.max_pieces()), (35, 35, 4));
    Some(tables)
}

pub(crate) fn position(fen: &str) -> Position {
    position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A position with this material, such as `KQvKR`, on random squares, with a random side to move. Where pawns permit
/// it, the last move was often a double step.
pub(crate) fn random(rng: &mut Rng, name: &str) -> Position {
    let roles =
        |letters: &str| letters.chars().map(|letter| Role::from_letter(letter).expect("a role")).collect();
    let (white, black) = name.split_once('v').expect("two sides");
    let (white, black): (Vec<Role>, Vec<Role>) = (roles(white), roles(black));
    loop {
        let mut setup = Setup::EMPTY;
        let mut squares: Vec<Square> = Square::ALL.to_vec();
        rng.shuffle(&mut squares);
        let pieces = white.iter().map(|&role| Piece::new(Color::White, role));
        let pieces = pieces.chain(black.iter().map(|&role| Piece::new(Color::Black, role)));
        for (piece, square) in pieces.zip(squares) {
            setup.pieces[square.index()] = Some(piece);
        }
        setup.turn = *rng.choose(&[Color::White, Color::Black]).expect("there are two");
        let passed: Vec<_> =
            Square::ALL.into_iter().filter(|&square| has_just_been_passed(&setup, square)).collect();
        if let Some(&square) = rng.choose(&passed) {
            setup.en_passant = Some(square);
        }
        if let Ok(position) = Position::try_from(setup) {
            return position;
        }
    }
}

/// Whether a pawn of the side not to move may have passed over this square.
fn has_just_been_passed(setup: &Setup, square: Square) -> bool {
    let (rank, step) = match setup.turn {
        Color::White => (5, -8),
        Color::Black => (2, 8),
    };
    let at = |steps: i32| setup.pieces[(square.index() as i32 + steps * step) as usize];
    square.index() / 8 == rank
        && at(0).is_none()
        && at(-1).is_none()
        && at(1) == Some(Piece::new(!setup.turn, Role::Pawn))
}

/// All material of three and four pieces.
pub(crate) const MATERIAL: [&str; 35] = [
    "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQQvK", "KQRvK", "KQBvK", "KQNvK", "KQPvK", "KRRvK", "KRBvK",
    "KRNvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNNvK", "KNPvK", "KPPvK", "KQvKQ", "KQvKR", "KQvKB",
    "KQvKN", "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP", "KBvKB", "KBvKN", "KBvKP", "KNvKN", "KNvKP",
    "KPvKP",
];
