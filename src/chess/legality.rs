//! Legality of a single move, and the moves that a text may mean, without generating the other moves.

use super::attacks::BUILT_IN;
use super::piece::{Black, Side, White};
use super::{Bitboard, Board, CastlingSide, Color, File, Move, MoveKind, Rank, Role, Square, attacks};

/// Finds single legal moves by what the text of a move states, and what the text of a legal move must state.
pub trait FindMove {
    /// All pieces.
    fn occupied(&self) -> Bitboard;

    /// The role of the piece on a square.
    fn role_at(&self, square: Square) -> Option<Role>;

    /// The pieces of this role of the side to move.
    fn ours(&self, role: Role) -> Bitboard;

    /// The pieces of this role that may legally move to a square, other than by castling. The set is empty for pawns,
    /// which push and capture in different ways.
    fn origins(&self, role: Role, to: Square) -> Bitboard;

    /// The only legal move of a piece of this role, other than a pawn, from one of these squares; not castling.
    fn find_piece(&self, role: Role, from: Bitboard, to: Square) -> Option<Move>;

    /// The legal push to this square. The kind is that of a promotion or [`MoveKind::Normal`].
    fn find_push(&self, to: Square, kind: MoveKind) -> Option<Move>;

    /// The legal capture by a pawn of this file. The kind is that of a promotion, or [`MoveKind::Normal`] also en
    /// passant.
    fn find_capture(&self, from: File, to: Square, kind: MoveKind) -> Option<Move>;

    /// The castling move on this side, if it is legal.
    fn find_castling(&self, side: CastlingSide) -> Option<Move>;
}

/// The methods of [`FindMove`] that only look at the sets of a board or a placement.
macro_rules! set_methods {
    () => {
        #[inline(always)]
        fn occupied(&self) -> Bitboard {
            self.occupied()
        }

        #[inline(always)]
        fn role_at(&self, square: Square) -> Option<Role> {
            self.role_at(square)
        }

        #[inline(always)]
        fn ours(&self, role: Role) -> Bitboard {
            self.pieces(self.turn, role)
        }
    };
}
pub(super) use set_methods;

impl FindMove for Board {
    set_methods!();

    #[inline]
    fn origins(&self, role: Role, to: Square) -> Bitboard {
        match self.turn {
            Color::White => self.origins_for::<White>(role, to),
            Color::Black => self.origins_for::<Black>(role, to),
        }
    }

    #[inline(always)]
    fn find_piece(&self, role: Role, from: Bitboard, to: Square) -> Option<Move> {
        let origin = (self.origins(role, to) & from).single()?;
        Some(Move::new(origin, to, MoveKind::Normal))
    }

    #[inline]
    fn find_push(&self, to: Square, kind: MoveKind) -> Option<Move> {
        // A pawn of the other side would move backward.
        let backward = !self.turn;
        let pawns = self.pieces(self.turn, Role::Pawn);
        let one = backward.forward(to.bitboard());
        let from = (one & pawns).first().or_else(|| (backward.forward(one) & pawns).first())?;
        self.only_legal(Move::new(from, to, kind))
    }

    #[inline]
    fn find_capture(&self, from: File, to: Square, kind: MoveKind) -> Option<Move> {
        let pawns = self.pieces(self.turn, Role::Pawn) & from;
        let from = (attacks::pawn(!self.turn, to) & pawns).first()?;
        let kind = if self.en_passant == Some(to) { MoveKind::EnPassant } else { kind };
        self.only_legal(Move::new(from, to, kind))
    }

    #[inline]
    fn find_castling(&self, side: CastlingSide) -> Option<Move> {
        let rook = self.castling_rook(self.turn, side)?;
        self.only_legal(Move::new(self.king(self.turn), rook, MoveKind::Castle))
    }
}

impl Board {
    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_moves(&self) -> bool {
        match self.turn {
            Color::White => self.has_moves::<White, _>(BUILT_IN),
            Color::Black => self.has_moves::<Black, _>(BUILT_IN),
        }
    }

    /// Whether this move is legal here. Any encodable move may be given: from a hash table, a
    /// killer slot or a user.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.turn {
            Color::White => self.is_legal_for::<White>(mv),
            Color::Black => self.is_legal_for::<Black>(mv),
        }
    }

    #[inline]
    fn origins_for<S: Side>(&self, role: Role, to: Square) -> Bitboard {
        let ours = self.colors[S::COLOR];
        let mut origins = attacks::reach(role, to, self.occupied()) & self.roles[role] & ours;
        if origins.is_empty() || ours.contains(to) {
            return Bitboard::EMPTY;
        }
        if role == Role::King {
            return if self.is_attacked::<S>(BUILT_IN, to, self.occupied() - origins) {
                Bitboard::EMPTY
            } else {
                origins
            };
        }
        if !self.resolves_check::<S>(to) {
            return Bitboard::EMPTY;
        }
        for pinned in origins & (self.pins.orthogonal | self.pins.diagonal) {
            if !self.stays_in_line::<S>(pinned, to) {
                origins -= pinned;
            }
        }
        origins
    }

    fn only_legal(&self, mv: Move) -> Option<Move> {
        self.is_legal(mv).then_some(mv)
    }

    fn is_legal_for<S: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let ours = self.colors[S::COLOR];
        if !ours.contains(from) {
            return false;
        }
        match mv.kind() {
            MoveKind::Castle => {
                self.roles[Role::King].contains(from)
                    && self.castling_rooks.contains(to)
                    && ours.contains(to)
                    && self.checkers.is_empty()
                    && self.may_castle::<S>(BUILT_IN, to)
            }
            MoveKind::EnPassant => {
                self.en_passant == Some(to)
                    && self.roles[Role::Pawn].contains(from)
                    && attacks::pawn(S::COLOR, from).contains(to)
                    && self.is_en_passant_safe::<S>(from, to)
            }
            kind => {
                if ours.contains(to) {
                    return false;
                }
                let Some(role) = self.role_at(from) else { return false };
                let promotes = kind != MoveKind::Normal;
                let must_promote = role == Role::Pawn && to.rank() == S::COLOR.relative(Rank::Eighth);
                if promotes != must_promote {
                    return false;
                }
                if role == Role::King {
                    return attacks::king(from).contains(to)
                        && !self.is_attacked::<S>(BUILT_IN, to, self.occupied() - from);
                }
                self.reach::<S>(role, mv).contains(to) && self.leaves_king_safe::<S>(mv)
            }
        }
    }

    /// The squares to which the piece could move without regard to checks and pins.
    fn reach<S: Side>(&self, role: Role, mv: Move) -> Bitboard {
        let from = mv.from();
        if role != Role::Pawn {
            return attacks::attacks(role, S::COLOR, from, self.occupied());
        }
        let empty = !self.occupied();
        let push = S::forward(from.bitboard()) & empty;
        let double = S::forward(push & S::COLOR.relative(Rank::Third)) & empty;
        push | double | attacks::pawn(S::COLOR, from) & self.colors[S::Other::COLOR]
    }

    /// Whether a move of a piece other than the king resolves the check and respects the pin.
    fn leaves_king_safe<S: Side>(&self, mv: Move) -> bool {
        let is_pinned = (self.pins.orthogonal | self.pins.diagonal).contains(mv.from());
        self.resolves_check::<S>(mv.to()) && (!is_pinned || self.stays_in_line::<S>(mv.from(), mv.to()))
    }

    /// Whether a piece other than the king that moves to this square ends the check, if there is one.
    #[inline(always)]
    fn resolves_check<S: Side>(&self, to: Square) -> bool {
        match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.is_many() => false,
            Some(checker) => (attacks::between(self.king(S::COLOR), checker) | checker).contains(to),
        }
    }

    /// Whether a pinned piece stays on the ray from the king to the pinning piece. The rays of other pins do not
    /// matter.
    #[inline(always)]
    fn stays_in_line<S: Side>(&self, from: Square, to: Square) -> bool {
        let king = self.king(S::COLOR);
        attacks::between(king, to).contains(from) || attacks::between(king, from).contains(to)
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::{Bitboard, FindMove, Move, Piece, Position, Role, Setup, Square};

    #[test]
    fn a_pinned_piece_may_not_cross_to_the_line_of_another_pin() {
        use Piece::*;
        let cases: [(&str, &[(Square, Piece)]); 4] = [
            (
                "a queen, pinned on a file, to a rank",
                &[
                    (Square::E1, WhiteKing),
                    (Square::E4, WhiteQueen),
                    (Square::E8, BlackRook),
                    (Square::C1, WhiteKnight),
                    (Square::A1, BlackRook),
                ],
            ),
            (
                "a pawn's double step from one diagonal to another",
                &[
                    (Square::D3, WhiteKing),
                    (Square::E2, WhitePawn),
                    (Square::F1, BlackBishop),
                    (Square::F5, WhiteKnight),
                    (Square::H7, BlackBishop),
                ],
            ),
            (
                "a queen, pinned on a diagonal, to another diagonal",
                &[
                    (Square::D1, WhiteKing),
                    (Square::E2, WhiteQueen),
                    (Square::H5, BlackBishop),
                    (Square::B3, WhiteKnight),
                    (Square::A4, BlackBishop),
                ],
            ),
            (
                "a queen, pinned on a diagonal, to a file",
                &[
                    (Square::D1, WhiteKing),
                    (Square::F3, WhiteQueen),
                    (Square::H5, BlackBishop),
                    (Square::D5, WhiteKnight),
                    (Square::D8, BlackRook),
                ],
            ),
        ];
        for (name, pieces) in cases {
            let mut setup = Setup::EMPTY;
            setup.pieces[Square::H8] = Some(BlackKing);
            for &(square, piece) in pieces {
                setup.pieces[square] = Some(piece);
            }
            let position = Position::try_from(setup).expect(name);
            let generated = position.legal_moves();
            for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
                assert_eq!(position.is_legal(mv), generated.contains(&mv), "{name}: {mv:?}");
            }
            assert_eq!(position.count_legal_moves(), generated.len(), "{name}");
            check_origins(&position, name);
        }
    }

    #[test]
    fn origins_are_those_of_the_generated_moves() {
        for start in 0..960 {
            let back_rank = crate::chess::chess960_back_rank(start).expect("there are 960 of them");
            let mut position = Position::try_from(Setup::chess960(back_rank)).expect("a legal start");
            for _ in 0..60 {
                check_origins(&position, "walk");
                // The key serves as a random number.
                let moves = position.legal_moves();
                assert_eq!(position.count_legal_moves(), moves.len(), "{position:?}");
                let index = position.key().bits().checked_rem(moves.len() as u64);
                let Some(index) = index else { break };
                let mv = moves[usize::try_from(index).expect("below the number of moves")];
                position = position.after(mv).0;
            }
        }
    }

    fn check_origins(position: &Position, name: &str) {
        let moves = position.legal_moves();
        for role in Role::ALL {
            for to in Square::ALL {
                let is_such = |mv: &&Move| {
                    mv.to() == to && !mv.is_castle() && position.role_at(mv.from()) == Some(role)
                };
                let expected: Bitboard = moves.iter().filter(is_such).map(|mv| mv.from()).collect();
                let expected = if role == Role::Pawn { Bitboard::EMPTY } else { expected };
                assert_eq!(position.origins(role, to), expected, "{name}: {} {to}", role.name());
                let mut visited = Bitboard::EMPTY;
                position.visit_pieces(role, |from, targets| {
                    visited |= from.bitboard().only_if(targets.contains(to));
                });
                assert_eq!(visited, expected, "{name}: {} {to}", role.name());
            }
        }
    }
}
