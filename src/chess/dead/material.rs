//! Material that can never mate, even if both sides cooperate.

use crate::chess::{Board, Color, Role};

/// Whether no arrangement of this material, promotions included, is a mate by `winner`.
///
/// * A lone king never mates.
/// * A lone knight needs a piece of the loser that blocks the loser's king and cannot capture the knight. A queen can
///   capture it from every square where it would be of use.
/// * Bishops on one color leave the squares of the other color to the king, or to pieces that block them. Rooks and
///   queens next to the king reach the adjacent square through which the check comes.
pub(super) fn is_too_little(board: &Board, winner: Color) -> bool {
    let own = |role| board.pieces(winner, role);
    let has_other = |role| !board.pieces(!winner, role).is_empty();
    if !(own(Role::Pawn) | own(Role::Rook) | own(Role::Queen)).is_empty() {
        return false;
    }
    let (knights, bishops) = (own(Role::Knight), own(Role::Bishop));
    if knights.is_empty() {
        let all = board.role(Role::Bishop);
        let is_one_shade = all.is_within_one_shade();
        return bishops.is_empty() || is_one_shade && !has_other(Role::Knight) && !has_other(Role::Pawn);
    }
    let is_alone = bishops.is_empty() && !knights.is_many();
    is_alone && ![Role::Pawn, Role::Knight, Role::Bishop, Role::Rook].into_iter().any(has_other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Bitboard, Piece, Position, Setup, Square, attacks};

    fn setup(men: &[(Square, Piece)]) -> Setup {
        let mut setup = Setup { turn: Color::Black, ..Setup::EMPTY };
        for &(square, man) in men {
            setup.pieces[square] = Some(man);
        }
        setup
    }

    #[test]
    fn some_material_is_too_little() {
        use Piece::*;
        /// A name, the pieces besides the kings, and whether White cannot mate.
        type Case = (&'static str, &'static [(Square, Piece)], bool);
        let cases: &[Case] = &[
            ("a king", &[], true),
            ("a king against a queen", &[(Square::C4, BlackQueen)], true),
            ("a rook", &[(Square::C3, WhiteRook)], false),
            ("a pawn", &[(Square::C3, WhitePawn)], false),
            ("a knight", &[(Square::C3, WhiteKnight)], true),
            ("a knight against a queen", &[(Square::C3, WhiteKnight), (Square::C4, BlackQueen)], true),
            ("a knight against a rook", &[(Square::C3, WhiteKnight), (Square::C4, BlackRook)], false),
            ("a knight against a bishop", &[(Square::C3, WhiteKnight), (Square::C4, BlackBishop)], false),
            ("a knight against a knight", &[(Square::C3, WhiteKnight), (Square::C4, BlackKnight)], false),
            ("a knight against a pawn", &[(Square::C3, WhiteKnight), (Square::C4, BlackPawn)], false),
            ("two knights", &[(Square::C3, WhiteKnight), (Square::C4, WhiteKnight)], false),
            ("a bishop", &[(Square::C3, WhiteBishop)], true),
            ("bishops of one shade", &[(Square::C3, WhiteBishop), (Square::D4, WhiteBishop)], true),
            ("bishops of both shades", &[(Square::C3, WhiteBishop), (Square::C4, WhiteBishop)], false),
            ("a bishop against its like", &[(Square::C3, WhiteBishop), (Square::D4, BlackBishop)], true),
            ("a bishop against another", &[(Square::C3, WhiteBishop), (Square::C4, BlackBishop)], false),
            ("a bishop against a rook", &[(Square::C3, WhiteBishop), (Square::C4, BlackRook)], true),
            ("a bishop against a queen", &[(Square::C3, WhiteBishop), (Square::C4, BlackQueen)], true),
            ("a bishop against a knight", &[(Square::C3, WhiteBishop), (Square::C4, BlackKnight)], false),
            ("a bishop against a pawn", &[(Square::C3, WhiteBishop), (Square::C4, BlackPawn)], false),
        ];
        for (name, men, expected) in cases {
            let kings = [(Square::A1, WhiteKing), (Square::H7, BlackKing)];
            let position = Position::try_from(setup(&[&kings, *men].concat())).expect(name);
            assert_eq!(is_too_little(&position, Color::White), *expected, "{name}");
        }
    }

    /// Whether a king and one piece of role `checker` mate if each flight square of the other king is filled with a
    /// piece of one of the roles `blockers`. Additional blockers could only add replies to the check.
    fn mates(checker: Role, blockers: &[Role]) -> bool {
        /// One square of each class under reflection and rotation of the board.
        const KINGS: [Square; 10] = [
            Square::A1,
            Square::B1,
            Square::C1,
            Square::D1,
            Square::B2,
            Square::C2,
            Square::D2,
            Square::C3,
            Square::D3,
            Square::D4,
        ];
        KINGS.into_iter().any(|king| {
            let far =
                Square::ALL.into_iter().filter(|&own| own != king && !attacks::king(king).contains(own));
            far.into_iter().any(|own| {
                let checks = attacks::attacks(checker, Color::White, king, Bitboard::EMPTY) - own;
                checks.into_iter().any(|from| {
                    let men = [
                        (king, Piece::BlackKing),
                        (own, Piece::WhiteKing),
                        (from, Piece::new(Color::White, checker)),
                    ];
                    let setup = setup(&men);
                    let Ok(open) = Position::try_from(setup.clone()) else { return false };
                    let flights: Vec<Square> =
                        open.legal_moves().iter().map(|mv| mv.to()).filter(|&to| to != from).collect();
                    open.is_check() && is_mate_when_filled(setup, &flights, blockers)
                })
            })
        })
    }

    /// Whether there is a mate with a piece of one of the roles `blockers` on each of these squares.
    fn is_mate_when_filled(setup: Setup, flights: &[Square], blockers: &[Role]) -> bool {
        let Some((&square, rest)) = flights.split_first() else {
            return Position::try_from(setup).is_ok_and(|position| position.is_checkmate());
        };
        blockers.iter().any(|&role| {
            let mut setup = setup.clone();
            setup.pieces[square] = Some(Piece::new(Color::Black, role));
            is_mate_when_filled(setup, rest, blockers)
        })
    }

    #[test]
    fn queens_do_not_help_a_knight_and_rooks_do() {
        assert!(!mates(Role::Knight, &[Role::Queen]));
        assert!(mates(Role::Knight, &[Role::Rook]));
        assert!(mates(Role::Knight, &[Role::Bishop]));
        assert!(mates(Role::Knight, &[Role::Knight]));
    }

    #[test]
    fn rooks_and_queens_do_not_help_a_bishop_and_knights_do() {
        assert!(!mates(Role::Bishop, &[Role::Queen, Role::Rook]));
        assert!(mates(Role::Bishop, &[Role::Knight]));
    }
}
