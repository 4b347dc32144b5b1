//! Making moves on a board: by copy, one function for each thing a move can do.
//!
//! Each takes the side as a type and leaves a board with the other side to move.

use super::color::Side;
use super::{Bitboard, Board, Move, MoveKind, Role, Square, Wing, attacks};

impl Board {
    /// The board after a legal move of `S`, the side to move.
    #[inline]
    pub(super) fn after_move<S: Side>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => match self.role_at(from) {
                Some(Role::Pawn) => self.after_pawn_move::<S>(from, to),
                Some(role) => self.after_piece_move::<S>(role, from, to),
                None => unreachable!("a legal move starts from a piece"),
            },
            MoveKind::EnPassant => self.after_en_passant::<S>(from, to),
            MoveKind::Castle => self.after_castle::<S>(to),
            MoveKind::PromoteKnight => self.after_promotion::<S>(Role::Knight, from, to),
            MoveKind::PromoteBishop => self.after_promotion::<S>(Role::Bishop, from, to),
            MoveKind::PromoteRook => self.after_promotion::<S>(Role::Rook, from, to),
            MoveKind::PromoteQueen => self.after_promotion::<S>(Role::Queen, from, to),
        }
    }

    /// The board after a move of a knight, bishop, rook, queen or king other than castling.
    #[inline(always)]
    pub(super) fn after_piece_move<S: Side>(&self, role: Role, from: Square, to: Square) -> Self {
        let mut board = self.lifted::<S>(role, from, to);
        board.roles[role] |= to;
        if role == Role::King {
            board.castling_rooks -= S::COLOR.back_rank();
        }
        board.finished::<S>()
    }

    /// The board after a push or capture of a pawn, other than en passant and promotion.
    #[inline(always)]
    pub(super) fn after_pawn_move<S: Side>(&self, from: Square, to: Square) -> Self {
        let mut board = self.lifted::<S>(Role::Pawn, from, to);
        board.roles[Role::Pawn] |= to;
        if from.bitboard() == S::backward(S::backward(to.bitboard())) {
            board.set_en_passant::<S>(S::backward(to.bitboard()));
        }
        board.finished::<S>()
    }

    /// The board after a pawn becomes `role`.
    #[inline(always)]
    pub(super) fn after_promotion<S: Side>(&self, role: Role, from: Square, to: Square) -> Self {
        let mut board = self.lifted::<S>(Role::Pawn, from, to);
        board.roles[role] |= to;
        board.finished::<S>()
    }

    /// The board after an en passant capture.
    #[inline(always)]
    pub(super) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Self {
        let mut board = self.lifted::<S>(Role::Pawn, from, to);
        let captured = S::backward(to.bitboard());
        board.roles[Role::Pawn] = (board.roles[Role::Pawn] - captured) | to;
        board.colors[S::Other::COLOR] -= captured;
        board.finished::<S>()
    }

    /// The board after castling with the rook on this square.
    #[inline(always)]
    pub(super) fn after_castle<S: Side>(&self, rook: Square) -> Self {
        let king = self.king(S::COLOR);
        let [king_to, rook_to] = castled::<S>(self.wing(king, rook));
        let mut board = *self;
        board.roles[Role::King] = (board.roles[Role::King] - king) | king_to;
        board.roles[Role::Rook] = (board.roles[Role::Rook] - rook) | rook_to;
        let ours = &mut board.colors[S::COLOR];
        *ours = (*ours - king - rook) | king_to | rook_to;
        board.castling_rooks -= S::COLOR.back_rank();
        board.en_passant = None;
        board.finished::<S>()
    }

    /// The piece taken from `from`, whatever stood on `to` captured, the mover's color already
    /// on `to`, and the rights that these squares carried gone.
    #[inline(always)]
    fn lifted<S: Side>(&self, role: Role, from: Square, to: Square) -> Self {
        let mut board = *self;
        // Clearing every role is one vector instruction, and spares the question what was captured.
        for set in &mut board.roles {
            *set -= to;
        }
        board.roles[role] -= from;
        board.colors[S::COLOR] ^= from.bitboard() | to;
        board.colors[S::Other::COLOR] -= to;
        board.castling_rooks -= from.bitboard() | to;
        board.en_passant = None;
        board
    }

    /// Notes the square that a double step of `S` has passed, if a capture there is legal.
    #[inline(always)]
    pub(super) fn set_en_passant<S: Side>(&mut self, passed: Bitboard) {
        let target = passed.first().expect("a pawn has passed a square");
        let capturers = attacks::pawn(S::COLOR, target) & self.pieces(S::Other::COLOR, Role::Pawn);
        if capturers.into_iter().any(|from| self.is_en_passant_safe::<S::Other>(from, target)) {
            self.en_passant = Some(target);
        }
    }

    /// Hands the move to the other side.
    #[inline(always)]
    fn finished<S: Side>(mut self) -> Self {
        self.turn = S::Other::COLOR;
        self.find_checks_and_pins::<S::Other>();
        self
    }

    /// The board after `S` passes. Not to be called in check.
    #[inline]
    pub(super) fn after_pass<S: Side>(&self) -> Self {
        debug_assert!(!self.is_check(), "a side in check cannot pass");
        Self { en_passant: None, ..*self }.finished::<S>()
    }
}

/// Where king and rook of `S` stand after castling on this wing.
#[inline(always)]
pub(super) fn castled<S: Side>(wing: Wing) -> [Square; 2] {
    let rank = S::COLOR.back_rank();
    [Square::new(wing.king_file(), rank), Square::new(wing.rook_file(), rank)]
}
