//! A position: a board with its key and its clocks.

use super::attacks::BUILT_IN;
use super::generate::{All, MoveSet, Noisy, Quiet, Sets};
use super::make::{DOUBLE_STEP, PlacedPiece};
use super::piece::{Black, Side, White};
use super::{
    Bitboard, Board, CastlingSide, Color, Delta, Key, Move, MoveKind, MoveList, Piece, Role, Square,
};
use std::ops::Deref;

/// A legal chess position, a value that is copied to make a move.
///
/// It dereferences to its [`Board`], which answers questions about pieces, checks and moves. It does not include the
/// game history: see [`super::KeyHistory`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) board: Board,
    pub(super) key: Key,
    /// The square passed by the last double step, whether it can be captured or not, as in FEN.
    pub(super) double_push_square: Option<Square>,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

const _: () = assert!(size_of::<Position>() == 120);

/// A move that is not legal in its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a legal move")]
pub struct IllegalMove(pub Move);

impl Deref for Position {
    type Target = Board;
    #[inline(always)]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl Position {
    /// The board, which determines the legal moves.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The key, for hash tables and repetitions.
    #[inline(always)]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The square that a pawn passed in the last move, whether it can be captured or not. [`Board::en_passant`] returns
    /// the square only if a capture there is legal.
    pub const fn double_push_square(&self) -> Option<Square> {
        self.double_push_square
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the full move to be played, counted from 1.
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Every legal move.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        match self.turn {
            Color::White => self.generate::<White, All, _>(BUILT_IN, &mut moves),
            Color::Black => self.generate::<Black, All, _>(BUILT_IN, &mut moves),
        }
        moves
    }

    /// The number of legal moves, counted without listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let count = match self.turn {
            Color::White => self.board.count_moves::<White, _>(BUILT_IN),
            Color::Black => self.board.count_moves::<Black, _>(BUILT_IN),
        };
        count as usize
    }

    /// Passes the legal moves of the pieces on these squares to `visit`, in sets. Castling is not among those of the
    /// king.
    #[inline]
    pub fn visit_moves_from(&self, squares: Bitboard, visit: impl FnMut(MoveSet)) {
        match self.turn {
            Color::White => self.generate_from::<White, _>(BUILT_IN, squares, &mut Sets(visit)),
            Color::Black => self.generate_from::<Black, _>(BUILT_IN, squares, &mut Sets(visit)),
        }
    }

    /// Passes the pieces of one role of the side to move to `visit`, each with the squares to which it may move. There
    /// are no pawns, and castling is not among the moves of the king.
    #[inline(always)]
    pub fn visit_pieces(&self, role: Role, visit: impl FnMut(Square, Bitboard)) {
        self.board.visit_pieces(BUILT_IN, role, visit);
    }

    /// Passes the legal moves of the pawns to `visit`, in sets.
    #[inline]
    pub fn visit_pawn_moves(&self, visit: impl FnMut(MoveSet)) {
        match self.turn {
            Color::White => self.generate_all_pawns::<White>(&mut Sets(visit)),
            Color::Black => self.generate_all_pawns::<Black>(&mut Sets(visit)),
        }
    }

    /// Passes the legal castling moves to `visit`.
    #[inline]
    pub fn visit_castling(&self, visit: impl FnMut(MoveSet)) {
        match self.turn {
            Color::White => self.generate_castling::<White>(BUILT_IN, &mut Sets(visit)),
            Color::Black => self.generate_castling::<Black>(BUILT_IN, &mut Sets(visit)),
        }
    }

    /// Adds the legal captures and promotions to `moves`.
    #[inline]
    pub fn add_noisy_moves(&self, moves: &mut MoveList) {
        match self.turn {
            Color::White => self.generate::<White, Noisy, _>(BUILT_IN, moves),
            Color::Black => self.generate::<Black, Noisy, _>(BUILT_IN, moves),
        }
    }

    /// Adds the legal moves that neither capture nor promote to `moves`.
    #[inline]
    pub fn add_quiet_moves(&self, moves: &mut MoveList) {
        match self.turn {
            Color::White => self.generate::<White, Quiet, _>(BUILT_IN, moves),
            Color::Black => self.generate::<Black, Quiet, _>(BUILT_IN, moves),
        }
    }

    /// Whether this legal move captures or promotes.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Normal => self.occupied().contains(mv.to()),
            MoveKind::Castle => false,
            _ => true,
        }
    }

    /// The role that this legal move captures.
    #[inline]
    pub fn captured_role(&self, mv: Move) -> Option<Role> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castle => None,
            _ => self.role_at(mv.to()),
        }
    }

    /// The position after a move, whose legality is checked.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal in this position.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.after(mv).0) } else { Err(IllegalMove(mv)) }
    }

    /// The position after a legal move, and the piece changes of the move.
    #[inline]
    pub fn after(&self, mv: Move) -> (Self, Delta) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal");
        match self.turn {
            Color::White => self.after_for::<White>(mv),
            Color::Black => self.after_for::<Black>(mv),
        }
    }

    /// The key after a legal move that is neither castling nor a promotion, without changes of the castling rights and
    /// of the en passant square: accurate enough for a prefetch.
    #[inline(always)]
    pub fn expected_key(&self, mv: Move) -> Key {
        let part = |color, role, square| Key::piece(Piece::new(color, role), square);
        let moved = self
            .role_at(mv.from())
            .map(|role| part(self.turn, role, mv.from()) ^ part(self.turn, role, mv.to()));
        let captured = self.captured_role(mv).map(|role| part(!self.turn, role, mv.to()));
        self.key ^ Key::turn(Color::Black) ^ moved.unwrap_or_default() ^ captured.unwrap_or_default()
    }

    #[inline(always)]
    fn after_for<S: Side>(&self, mv: Move) -> (Self, Delta) {
        let (from, to) = (mv.from(), mv.to());
        let moved = self.role_at(from).expect("a legal move starts from a piece");
        let delta = self.delta::<S>(mv, moved);
        let mut key = self.key ^ delta.key() ^ Key::turn(Color::Black);
        let board = self.board.after_for::<S>(mv, moved);
        let is_double_step = moved == Role::Pawn && from.index().abs_diff(to.index()) == DOUBLE_STEP;
        let double_push_square = is_double_step.then(|| Square::wrapping((from.index() + to.index()) / 2));
        if self.en_passant != board.en_passant {
            key ^= Key::en_passant(self.en_passant) ^ Key::en_passant(board.en_passant);
        }
        if self.castling_rooks != board.castling_rooks {
            key ^= Key::castling(self.castling_rooks ^ board.castling_rooks);
        }
        let is_irreversible = delta.captured().is_some() || moved == Role::Pawn;
        let position = Self {
            board,
            key,
            double_push_square,
            halfmove_clock: if is_irreversible { 0 } else { self.halfmove_clock.saturating_add(1) },
            fullmove_number: self.fullmove_number.saturating_add(S::COLOR as u16),
        };
        (position, delta)
    }

    #[inline(always)]
    fn delta<S: Side>(&self, mv: Move, moved: Role) -> Delta {
        let (from, to) = (mv.from(), mv.to());
        let ours = |role, square| PlacedPiece { piece: Piece::new(S::COLOR, role), square };
        match mv.kind() {
            MoveKind::Castle => {
                let [king_to, rook_to] = CastlingSide::of(from, to).castled(S::COLOR.back_rank());
                Delta::castle(
                    [ours(Role::King, from), ours(Role::King, king_to)],
                    [ours(Role::Rook, to), ours(Role::Rook, rook_to)],
                )
            }
            MoveKind::EnPassant => {
                let pawn = Piece::new(S::Other::COLOR, Role::Pawn);
                let square = S::backward(to.bitboard()).first();
                let captured = square.map(|square| PlacedPiece { piece: pawn, square });
                Delta::capture(ours(Role::Pawn, from), ours(Role::Pawn, to), captured)
            }
            _ => {
                let theirs = |role| PlacedPiece { piece: Piece::new(S::Other::COLOR, role), square: to };
                let captured = self.role_at(to).map(theirs);
                Delta::capture(ours(moved, from), ours(mv.promotion().unwrap_or(moved), to), captured)
            }
        }
    }

    /// The position after the side to move passes: a null move, which is not a legal move of chess and must not be made
    /// in check.
    #[inline]
    pub fn after_null(&self) -> Self {
        let board = match self.turn {
            Color::White => self.board.after_pass::<White>(),
            Color::Black => self.board.after_pass::<Black>(),
        };
        Self {
            board,
            key: self.key ^ Key::turn(Color::Black) ^ Key::en_passant(self.en_passant),
            double_push_square: None,
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove_number: self.fullmove_number.saturating_add(self.turn as u16),
        }
    }

    /// The key computed from scratch, to compare with [`Position::key`].
    pub fn key_from_scratch(&self) -> Key {
        let pieces = Square::ALL
            .into_iter()
            .filter_map(|square| self.piece_at(square).map(|piece| Key::piece(piece, square)))
            .fold(Key::default(), |key, part| key ^ part);
        pieces ^ Key::castling(self.castling_rooks) ^ Key::en_passant(self.en_passant) ^ Key::turn(self.turn)
    }
}
