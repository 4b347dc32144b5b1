//! Is one given move legal? Answered without generating the others.

use super::color::{Black, Side, White};
use super::{Bitboard, Board, Color, Move, MoveKind, Rank, Role, attacks};

impl Board {
    /// Is this move legal here? Any encodable move may be asked about: a move from a hash
    /// table, from a killer slot or from a user.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.turn {
            Color::White => self.is_legal_for::<White>(mv),
            Color::Black => self.is_legal_for::<Black>(mv),
        }
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
                    && self.may_castle::<S>(to)
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
                        && !self.is_attacked::<S>(to, self.occupied() - from);
                }
                self.reach::<S>(role, mv).contains(to) && self.leaves_king_safe::<S>(mv)
            }
        }
    }

    /// Where the piece could go if neither check nor pin held it.
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

    /// Does a move of a piece other than the king resolve the check and respect the pin?
    fn leaves_king_safe<S: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(S::COLOR);
        let resolves = match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.has_several() => false,
            Some(checker) => (attacks::between(king, checker) | checker).contains(to),
        };
        // On the ray from the king to the pinning piece, not on the ray of another pin.
        let stays_in_line =
            attacks::between(king, to).contains(from) || attacks::between(king, from).contains(to);
        resolves && (stays_in_line || !(self.pins.straight | self.pins.diagonal).contains(from))
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::{Move, Piece, Position, Setup, Square};

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
        }
    }
}
