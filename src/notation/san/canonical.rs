//! The common case: canonical SAN, read without generating moves.
//!
//! `x`, `+` and `#` may be wrong or missing, since neither decides which move is meant.

use crate::chess::{Bitboard, Board, Color, File, Move, MoveKind, Rank, Role, Square, Wing, attacks};

/// The only legal move of this text, or `None` if the text is not canonical SAN or there is
/// not exactly one move.
#[inline]
pub(super) fn read(text: &[u8], board: &Board) -> Option<Move> {
    let core = match text {
        [core @ .., b'+' | b'#'] => core,
        _ => text,
    };
    match *core {
        [file, rank] => push(board, square(file, rank)?, MoveKind::Normal),
        [b'O', b'-', b'O'] => castle(board, Wing::King),
        [b'O', b'-', b'O', b'-', b'O'] => castle(board, Wing::Queen),
        [role, file, rank] => piece(board, self::role(role)?, Bitboard::ALL, square(file, rank)?),
        [from @ b'a'..=b'h', b'x', file, rank] => {
            capture(board, self::file(from)?, square(file, rank)?, MoveKind::Normal)
        }
        [file, rank, b'=', becomes] => push(board, square(file, rank)?, promotion(becomes)?),
        [role, b'x', file, rank] => piece(board, self::role(role)?, Bitboard::ALL, square(file, rank)?),
        [role, from, file, rank] | [role, from, b'x', file, rank] => {
            piece(board, self::role(role)?, file_or_rank(from)?, square(file, rank)?)
        }
        [from, b'x', file, rank, b'=', becomes] => {
            capture(board, self::file(from)?, square(file, rank)?, promotion(becomes)?)
        }
        [role, from_file, from_rank, file, rank] | [role, from_file, from_rank, b'x', file, rank] => {
            let from = square(from_file, from_rank)?;
            piece(board, self::role(role)?, from.bitboard(), square(file, rank)?)
        }
        _ => None,
    }
}

#[inline]
fn file(letter: u8) -> Option<File> {
    File::from_index(usize::from(letter.wrapping_sub(b'a')))
}

#[inline]
fn rank(digit: u8) -> Option<Rank> {
    Rank::from_index(usize::from(digit.wrapping_sub(b'1')))
}

#[inline]
fn square(file: u8, rank: u8) -> Option<Square> {
    Some(Square::new(self::file(file)?, self::rank(rank)?))
}

#[inline]
fn file_or_rank(letter: u8) -> Option<Bitboard> {
    match file(letter) {
        Some(file) => Some(file.squares()),
        None => Some(rank(letter)?.squares()),
    }
}

/// A piece other than a pawn.
#[inline]
fn role(letter: u8) -> Option<Role> {
    match letter {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

#[inline]
fn promotion(letter: u8) -> Option<MoveKind> {
    MoveKind::promotion(role(letter)?)
}

/// The legal move of such a piece from one of these squares.
#[inline]
fn piece(board: &Board, role: Role, from: Bitboard, to: Square) -> Option<Move> {
    let from = (board.origins(role, to) & from).single()?;
    Some(Move::new(from, to, MoveKind::Normal))
}

/// The legal push, single or double.
#[inline]
fn push(board: &Board, to: Square, kind: MoveKind) -> Option<Move> {
    let backward = match board.turn() {
        Color::White => Bitboard::south,
        Color::Black => Bitboard::north,
    };
    let pawns = board.pieces(board.turn(), Role::Pawn);
    let behind = backward(to.bitboard());
    let from = (behind & pawns).first().or_else(|| (backward(behind) & pawns).first())?;
    legal(board, Move::new(from, to, kind))
}

/// The legal capture by the pawn of this file.
#[inline]
fn capture(board: &Board, file: File, to: Square, kind: MoveKind) -> Option<Move> {
    let pawns = board.pieces(board.turn(), Role::Pawn) & file;
    let from = (attacks::pawn(!board.turn(), to) & pawns).first()?;
    let kind = if board.en_passant() == Some(to) { MoveKind::EnPassant } else { kind };
    legal(board, Move::new(from, to, kind))
}

#[inline]
fn castle(board: &Board, wing: Wing) -> Option<Move> {
    let rook = board.castling_rook(board.turn(), wing)?;
    legal(board, Move::new(board.king(board.turn()), rook, MoveKind::Castle))
}

#[inline]
fn legal(board: &Board, mv: Move) -> Option<Move> {
    board.is_legal(mv).then_some(mv)
}
