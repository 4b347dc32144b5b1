//! Positions in the form of the decoder.

use crate::chess::{Bitboard, Color, Position, Role};
use shakmaty::{
    Bitboard as Squares, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square,
};

/// The position as the decoder knows it; `None` if it has castling rights, which tables do not
/// know of. Clocks are not taken over.
pub(super) fn convert(position: &Position) -> Option<Chess> {
    if [Color::White, Color::Black].into_iter().any(|color| !position.castling_rooks(color).is_empty()) {
        return None;
    }
    let squares = |set: Bitboard| Squares(set.bits());
    let role = |role| squares(position.role(role));
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: role(Role::Pawn),
            knight: role(Role::Knight),
            bishop: role(Role::Bishop),
            rook: role(Role::Rook),
            queen: role(Role::Queen),
            king: role(Role::King),
        },
        ByColor {
            black: squares(position.color(Color::Black)),
            white: squares(position.color(Color::White)),
        },
    )
    .ok()?;
    let setup = Setup {
        board,
        turn: if position.turn() == Color::White { shakmaty::Color::White } else { shakmaty::Color::Black },
        ep_square: position.en_passant().map(|square| Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    // What no game leads to, the tables know all the same.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}
