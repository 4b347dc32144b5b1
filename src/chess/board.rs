//! Boards: the pieces, the side to move and the rights that decide which moves are legal.

use super::attacks::{AttackMap, Sliders};
use super::piece::Side;
use super::{Bitboard, CastlingSide, Color, Piece, Rank, Role, Square, attacks};

/// The pieces of the side to move that may move only along a line with their king, by the kind of line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pins {
    /// Rank and file pins: every square from the king to the pinning rook or queen.
    pub orthogonal: Bitboard,
    /// Diagonal pins: every square from the king to the pinning bishop or queen.
    pub diagonal: Bitboard,
}

/// The lines between a king and the enemy sliders that look toward it ("snipers").
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct KingLines {
    /// The sliders that give check.
    pub checkers: Bitboard,
    /// The pins.
    pub pins: Pins,
    /// The snipers and all squares between them and the king.
    pub squares: Bitboard,
}

impl KingLines {
    /// Adds the line of a sniper, and returns it if it is a pin.
    #[inline(always)]
    fn add(&mut self, board: &Board, color: Color, king: Square, sniper: Square) -> Bitboard {
        let between = attacks::between(king, sniper);
        let blockers = between & board.occupied();
        self.squares |= between | sniper;
        if blockers.is_empty() {
            self.checkers |= sniper;
        } else if !blockers.is_many() && blockers.intersects(board.colors[color]) {
            return between | sniper;
        }
        Bitboard::EMPTY
    }
}

/// The methods of a type with the fields `roles`, `colors`, `castling_rooks` and `turn`, of boards and placements.
macro_rules! piece_methods {
    () => {
        /// The side to move.
        #[inline(always)]
        pub const fn turn(&self) -> Color {
            self.turn
        }

        /// All pieces.
        #[inline(always)]
        pub fn occupied(&self) -> Bitboard {
            self.colors[0] | self.colors[1]
        }

        /// All pieces of one side.
        #[inline(always)]
        pub fn color(&self, color: Color) -> Bitboard {
            self.colors[color]
        }

        /// All pieces of one role, of both sides.
        #[inline(always)]
        pub fn role(&self, role: Role) -> Bitboard {
            self.roles[role]
        }

        /// The pieces of this color and role.
        #[inline(always)]
        pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
            self.colors[color] & self.roles[role]
        }

        /// The square of this side's king.
        #[inline(always)]
        pub fn king(&self, color: Color) -> Square {
            self.pieces(color, Role::King).first().expect("each color has a king")
        }

        /// The role of the piece on a square.
        #[inline(always)]
        pub fn role_at(&self, square: Square) -> Option<Role> {
            if !self.occupied().contains(square) {
                return None;
            }
            // The three digits of the role's index, without a branch that could be mispredicted.
            let [_, knights, bishops, rooks, queens, kings] = self.roles;
            let digit = |set: Bitboard| usize::from(set.contains(square));
            let index =
                digit(knights | rooks | kings) | digit(bishops | rooks) << 1 | digit(queens | kings) << 2;
            Some($crate::chess::board::ROLES_BY_DIGITS[index])
        }

        /// The color of the piece on a square.
        #[inline(always)]
        pub fn color_at(&self, square: Square) -> Option<Color> {
            if self.colors[Color::White].contains(square) {
                Some(Color::White)
            } else {
                self.colors[Color::Black].contains(square).then_some(Color::Black)
            }
        }

        /// The piece on a square.
        #[inline]
        pub fn piece_at(&self, square: Square) -> Option<Piece> {
            Some(Piece::new(self.color_at(square)?, self.role_at(square)?))
        }

        /// The rooks with which a side may still castle.
        #[inline]
        pub fn castling_rooks(&self, color: Color) -> Bitboard {
            self.castling_rooks & self.colors[color]
        }

        /// The rook with which a side may still castle on this side.
        #[inline]
        pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
            let king = self.king(color);
            self.castling_rooks(color).into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
        }
    };
}

pub(super) use piece_methods;

/// The pieces, the side to move, castling and en passant rights: everything that determines which moves are legal. A
/// [`super::Position`] adds the data that determine the end of a game.
///
/// Always a legal arrangement: each side has one king, and the side that has just moved is not in check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) roles: [Bitboard; Role::COUNT],
    pub(super) colors: [Bitboard; Color::COUNT],
    /// The rooks that may still castle, of both sides.
    pub(super) castling_rooks: Bitboard,
    pub(super) checkers: Bitboard,
    pub(super) pins: Pins,
    pub(super) turn: Color,
    pub(super) en_passant: Option<Square>,
}

const _: () = assert!(size_of::<Board>() == 104);

impl Board {
    piece_methods!();

    /// Bishops and queens of both sides.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.roles[Role::Bishop] | self.roles[Role::Queen]
    }

    /// Rooks and queens of both sides.
    #[inline(always)]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.roles[Role::Rook] | self.roles[Role::Queen]
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn is_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The pieces of the side to move that may move only along a line with their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        (self.pins.orthogonal | self.pins.diagonal) & self.colors[self.turn]
    }

    /// The square on which the side to move has a legal en passant capture.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Pieces of both sides that attack a square when these squares are occupied.
    #[inline(always)]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
            | attacks::knight(square) & self.roles[Role::Knight]
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.orthogonal_sliders()
            | attacks::king(square) & self.roles[Role::King]
    }

    /// The squares that the pieces of a color attack, by the value of the attackers.
    #[inline]
    pub fn attack_map(&self, color: Color) -> AttackMap {
        AttackMap::new(color, |role| self.pieces(color, role), self.occupied())
    }

    /// The squares that the pieces of a color attack, including those of its own pieces.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.attack_map(color).by_any
    }

    /// The sum of the conventional values of a side's pieces, in pawns.
    pub fn material(&self, color: Color) -> u32 {
        Role::ALL.into_iter().map(|role| role.points() * self.pieces(color, role).count()).sum()
    }

    /// The number of squares in the opponent's half of the board that a side attacks, occupied or not, each counted
    /// once (<https://www.chessprogramming.org/Space>).
    pub fn space(&self, color: Color) -> u32 {
        let half: Bitboard =
            Rank::ALL[4..].iter().fold(Bitboard::EMPTY, |half, &rank| half | color.relative(rank).squares());
        (self.attacked_by(color) & half).count()
    }

    /// For each role, the squares from which such a piece of `color` would attack a greater piece of the
    /// opponent, knights and bishops counting as equal.
    #[inline(always)]
    pub fn attacks_on_greater(&self, color: Color) -> [Bitboard; Role::COUNT] {
        let (theirs, occupied) = (self.color(!color), self.occupied());
        let queens = theirs & self.role(Role::Queen);
        let majors = queens | theirs & self.role(Role::Rook);
        let pieces = majors | theirs & (self.role(Role::Knight) | self.role(Role::Bishop));
        fn origins(targets: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
            targets.into_iter().map(attacks).fold(Bitboard::EMPTY, |all, from| all | from)
        }
        [
            origins(pieces, |square| attacks::pawn(!color, square)),
            origins(majors, attacks::knight),
            origins(majors, |square| attacks::bishop(square, occupied)),
            origins(queens, |square| attacks::rook(square, occupied)),
            Bitboard::EMPTY,
            Bitboard::EMPTY,
        ]
    }

    /// Whether a piece of the other side attacks `square` when these squares are occupied.
    #[inline(always)]
    pub(super) fn is_attacked<S: Side>(
        &self,
        lookup: impl Sliders,
        square: Square,
        occupied: Bitboard,
    ) -> bool {
        self.pawn_and_king_attacks::<S::Other>().contains(square)
            || self.is_attacked_by_piece::<S>(lookup, square, occupied)
    }

    /// Squares that pawns and king of `S` attack.
    #[inline(always)]
    pub(super) fn pawn_and_king_attacks<S: Side>(&self) -> Bitboard {
        attacks::king(self.king(S::COLOR)) | self.pawn_attacks::<S>()
    }

    /// Squares that pawns of `S` attack.
    #[inline(always)]
    fn pawn_attacks<S: Side>(&self) -> Bitboard {
        attacks::pawns(S::COLOR, self.pieces(S::COLOR, Role::Pawn))
    }

    /// Whether a knight, bishop, rook or queen of the other side attacks `square` when these
    /// squares are occupied.
    #[inline(always)]
    pub(super) fn is_attacked_by_piece<S: Side>(
        &self,
        lookup: impl Sliders,
        square: Square,
        occupied: Bitboard,
    ) -> bool {
        let enemies = self.colors[S::Other::COLOR];
        let knights = attacks::knight(square) & self.roles[Role::Knight] & enemies;
        // Most squares are not on a line with an enemy slider, and this test is cheaper.
        let diagonal = self.diagonal_sliders() & enemies;
        let orthogonal = self.orthogonal_sliders() & enemies;
        !knights.is_empty()
            || attacks::bishop_rays(square).intersects(diagonal)
                && lookup.bishop(square, occupied).intersects(diagonal)
            || attacks::rook_rays(square).intersects(orthogonal)
                && lookup.rook(square, occupied).intersects(orthogonal)
    }

    /// Finds checks and pins against the side to move, which is `S`.
    #[inline(always)]
    pub(super) fn find_checks_and_pins<S: Side>(&mut self) {
        let king = self.king(S::COLOR);
        let leapers = attacks::pawn(S::COLOR, king) & self.roles[Role::Pawn]
            | attacks::knight(king) & self.roles[Role::Knight];
        let lines = self.king_lines::<S>();
        self.checkers = leapers & self.colors[S::Other::COLOR] | lines.checkers;
        self.pins = lines.pins;
    }

    /// The lines between the king of `S` and the enemy sliders that look toward it.
    #[inline(always)]
    pub(super) fn king_lines<S: Side>(&self) -> KingLines {
        let king = self.king(S::COLOR);
        let enemies = self.colors[S::Other::COLOR];
        let mut lines = KingLines::default();
        for sniper in attacks::rook_rays(king) & self.orthogonal_sliders() & enemies {
            let pin = lines.add(self, S::COLOR, king, sniper);
            lines.pins.orthogonal |= pin;
        }
        for sniper in attacks::bishop_rays(king) & self.diagonal_sliders() & enemies {
            let pin = lines.add(self, S::COLOR, king, sniper);
            lines.pins.diagonal |= pin;
        }
        lines
    }

    /// Whether the en passant capture from `from` to `target` leaves the king of `S` unattacked.
    #[inline]
    pub(super) fn is_en_passant_safe<S: Side>(&self, from: Square, target: Square) -> bool {
        let captured = S::backward(target.bitboard());
        let occupied = (self.occupied() - from - captured) | target;
        let enemies = self.colors[S::Other::COLOR] - captured;
        !king_attackers::<S>(&self.roles, self.king(S::COLOR), occupied).intersects(enemies)
    }
}

/// The pieces of both sides, other than kings, that attack a king of `S` on this square if they are enemies of it.
#[inline(always)]
pub(super) fn king_attackers<S: Side>(
    roles: &[Bitboard; Role::COUNT],
    king: Square,
    occupied: Bitboard,
) -> Bitboard {
    let [pawns, knights, bishops, rooks, queens, _] = *roles;
    attacks::pawn(S::COLOR, king) & pawns
        | attacks::knight(king) & knights
        | attacks::bishop(king, occupied) & (bishops | queens)
        | attacks::rook(king, occupied) & (rooks | queens)
}

/// The role by the three digits of its index; there are none with the last two.
pub(super) const ROLES_BY_DIGITS: [Role; 1 << 3] = {
    let [pawn, knight, bishop, rook, queen, king] = Role::ALL;
    [pawn, knight, bishop, rook, queen, king, king, king]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, Setup};

    #[test]
    fn material_and_space_of_the_initial_position() {
        let start = Position::start();
        for color in Color::ALL {
            assert_eq!((start.material(color), start.space(color)), (39, 0), "{color:?}");
        }
        assert_eq!(Setup::start().board().material(Color::White), 39);
    }

    #[test]
    fn space_is_what_is_attacked_beyond_the_middle() {
        let after = |moves: &[&str]| {
            moves.iter().fold(Position::start(), |position, uci| {
                let legal = position.legal_moves();
                let mv = legal.iter().find(|mv| format!("{}{}", mv.from(), mv.to()) == *uci);
                position.after(*mv.expect("it is legal")).0
            })
        };
        // The pawn: d5 and f5. The queen: h5. The bishop: b5 and a6.
        assert_eq!(after(&["e2e4"]).space(Color::White), 5);
        // The knight on f3 attacks e5 and g5, and takes h5 from the queen; each square counts once.
        let played = after(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!((played.space(Color::White), played.space(Color::Black)), (6, 5 + 1 - 1));
    }
}
