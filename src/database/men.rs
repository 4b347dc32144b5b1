//! The placement of pieces without checks, pins and keys, with which a game is replayed in a fraction of the time.

use crate::chess::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, Position, Role, Square, attacks};

/// The properties of a position that both a board and [`Men`] have.
pub(super) trait Arrangement {
    fn turn(&self) -> Color;
    /// All pieces of a color.
    fn color(&self, color: Color) -> Bitboard;
    /// All pieces of a role, pawns and kings included.
    fn role(&self, role: Role) -> Bitboard;
    /// The role of the piece on a square.
    fn role_at(&self, square: Square) -> Option<Role>;
    /// The target square of a legal en passant capture.
    fn en_passant(&self) -> Option<Square>;
    /// The rooks of both colors that may still castle.
    fn castling_rooks(&self) -> Bitboard;

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.color(Color::White) | self.color(Color::Black)
    }

    #[inline(always)]
    fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// The king of a color; `None` is only possible in a damaged collection.
    #[inline(always)]
    fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).first()
    }
}

impl Arrangement for Board {
    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn()
    }

    #[inline(always)]
    fn color(&self, color: Color) -> Bitboard {
        self.color(color)
    }

    #[inline(always)]
    fn role(&self, role: Role) -> Bitboard {
        self.role(role)
    }

    #[inline(always)]
    fn role_at(&self, square: Square) -> Option<Role> {
        self.role_at(square)
    }

    #[inline(always)]
    fn en_passant(&self) -> Option<Square> {
        self.en_passant()
    }

    #[inline(always)]
    fn castling_rooks(&self) -> Bitboard {
        Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, color| all | self.castling_rooks(color))
    }
}

/// The pieces of a position, the side to move, castling rights and en passant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    roles: [Bitboard; Role::COUNT],
    colors: [Bitboard; Color::COUNT],
    castling_rooks: Bitboard,
    turn: Color,
    /// The square passed by a double step on the previous move, even if no capture there is legal.
    passed: Option<Square>,
    /// The role of the piece on each square, which is needed most often.
    squares: [Option<Role>; Square::COUNT],
}

impl PartialEq for Men {
    fn eq(&self, other: &Self) -> bool {
        self.roles == other.roles
            && self.colors == other.colors
            && self.castling_rooks == other.castling_rooks
            && self.turn == other.turn
            && self.en_passant() == other.en_passant()
    }
}

impl Eq for Men {}

impl Arrangement for Men {
    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    #[inline(always)]
    fn role(&self, role: Role) -> Bitboard {
        self.roles[role]
    }

    #[inline(always)]
    fn role_at(&self, square: Square) -> Option<Role> {
        self.squares[square]
    }

    /// Determines the legality of the capture only here, since this is needed far less often than double steps occur.
    fn en_passant(&self) -> Option<Square> {
        self.passed.filter(|&passed| self.is_en_passant_legal(passed))
    }

    #[inline(always)]
    fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }
}

/// The effects of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub mv: Move,
    /// The role of the piece that moved, before a promotion.
    pub role: Role,
    pub captured: Option<Role>,
}

impl From<&Board> for Men {
    fn from(board: &Board) -> Self {
        Self {
            roles: Role::ALL.map(|role| board.role(role)),
            colors: Color::ALL.map(|color| board.color(color)),
            castling_rooks: Arrangement::castling_rooks(board),
            turn: board.turn(),
            passed: board.en_passant(),
            squares: Square::ALL.map(|square| board.role_at(square)),
        }
    }
}

impl Men {
    /// The pieces of the initial position.
    pub(super) fn start() -> Self {
        Self::from(Position::start().board())
    }

    /// Whether the same pieces are on the same squares, with the same side to move.
    pub(super) fn are_those_of(&self, board: &Board) -> bool {
        self.turn == board.turn()
            && Color::ALL.into_iter().all(|color| self.colors[color] == board.color(color))
            && Role::ALL.into_iter().all(|role| self.roles[role] == board.role(role))
    }

    /// Plays a legal move of a piece with this role. Illegal moves have unspecified effects.
    #[inline(always)]
    pub(super) fn play(&mut self, mv: Move, role: Role) -> Played {
        let (from, to, color) = (mv.from(), mv.to(), self.turn);
        self.turn = !color;
        self.passed = None;
        if mv.kind() != MoveKind::Normal {
            return self.play_special(mv, role, color);
        }
        let captured = self.squares[to];
        if let Some(captured) = captured {
            self.roles[captured] -= to;
            self.colors[!color] -= to;
        }
        let squares = from.bitboard() | to;
        self.roles[role] ^= squares;
        self.colors[color] ^= squares;
        self.squares[from] = None;
        self.squares[to] = Some(role);
        self.castling_rooks -= squares;
        if role == Role::King {
            self.castling_rooks -= color.back_rank();
        }
        if role == Role::Pawn && from.index().abs_diff(to.index()) == DOUBLE_STEP {
            self.passed = (!color).forward(to.bitboard()).first();
        }
        Played { mv, role, captured }
    }

    /// Plays castling, promotions and en passant captures.
    fn play_special(&mut self, mv: Move, role: Role, color: Color) -> Played {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            self.castle(color, from, to);
            return Played { mv, role, captured: None };
        }
        let prey = match mv.kind() {
            MoveKind::EnPassant => (!color).forward(to.bitboard()).first(),
            _ => Some(to),
        };
        let prey = prey.filter(|&square| self.colors[!color].contains(square));
        let captured = prey.and_then(|square| self.squares[square]);
        if let (Some(square), Some(captured)) = (prey, captured) {
            self.roles[captured] -= square;
            self.colors[!color] -= square;
            self.squares[square] = None;
        }
        let becomes = mv.promotion().unwrap_or(role);
        self.roles[role] -= from;
        self.roles[becomes] |= to;
        self.colors[color] ^= from.bitboard() | to;
        self.squares[from] = None;
        self.squares[to] = Some(becomes);
        self.castling_rooks -= from.bitboard() | to;
        Played { mv, role, captured }
    }

    /// Plays a null move.
    pub(super) fn pass(&mut self) {
        self.turn = !self.turn;
        self.passed = None;
    }

    fn castle(&mut self, color: Color, king: Square, rook: Square) {
        let rank = color.back_rank();
        let [king_to, rook_to] = CastlingSide::of(king, rook).castled(rank);
        self.roles[Role::King] = (self.roles[Role::King] - king) | king_to;
        self.roles[Role::Rook] = (self.roles[Role::Rook] - rook) | rook_to;
        self.colors[color] = (self.colors[color] - king - rook) | king_to | rook_to;
        self.castling_rooks -= rank;
        self.squares[king] = None;
        self.squares[rook] = None;
        self.squares[king_to] = Some(Role::King);
        self.squares[rook_to] = Some(Role::Rook);
    }

    /// Whether a pawn of the side to move may legally capture a pawn that has just passed this square.
    fn is_en_passant_legal(&self, passed: Square) -> bool {
        let color = !self.turn;
        let capturers = attacks::pawn(color, passed) & self.pieces(!color, Role::Pawn);
        let stepped = color.forward(passed.bitboard());
        let is_safe = |from: Square| {
            let occupied = (self.occupied() - from - stepped) | passed;
            let king = self.king(!color);
            king.is_some_and(|king| !(self.attackers(king, color, occupied) - stepped).intersects(occupied))
        };
        capturers.into_iter().any(is_safe)
    }

    /// The pieces of this color that attack a square, given the occupied squares.
    fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.roles[Role::Queen];
        self.colors[color]
            & (attacks::pawn(!color, square) & self.roles[Role::Pawn]
                | attacks::knight(square) & self.roles[Role::Knight]
                | attacks::bishop(square, occupied) & (self.roles[Role::Bishop] | queens)
                | attacks::rook(square, occupied) & (self.roles[Role::Rook] | queens))
    }

    /// Whether the side to move is in check.
    pub(super) fn is_check(&self) -> bool {
        let king = self.king(self.turn);
        king.is_some_and(|king| !self.attackers(king, !self.turn, self.occupied()).is_empty())
    }
}

/// The distance between the square numbers of a double pawn step.
const DOUBLE_STEP: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;
    use crate::rng::Rng;

    /// In random games, positions and men must agree.
    #[test]
    fn men_follow_positions() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/2p1p3/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ];
        let mut rng = Rng::new(7);
        let (mut captures, mut en_passant) = (0, 0);
        for round in 0..300 {
            let Ok(mut position) = position_from_fen(starts[round % starts.len()]) else { continue };
            let mut men = Men::from(position.board());
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.below(moves.len() as u64) as usize];
                let role = position.role_at(mv.from()).expect("a man moves");
                let played = men.play(mv, role);
                assert_eq!(played.captured, position.captured_role(mv), "{position:?} {mv:?}");
                captures += u32::from(played.captured.is_some());
                position = position.after(mv).0;
                assert_eq!(men, Men::from(position.board()), "{position:?} {mv:?}");
                assert!(
                    Square::ALL.into_iter().all(|square| men.role_at(square) == position.role_at(square))
                );
                assert!(men.are_those_of(position.board()));
                assert_eq!(men.is_check(), position.is_check());
                en_passant += u32::from(men.en_passant().is_some());
            }
        }
        assert!(captures > 1000 && en_passant > 30, "{captures} captures, {en_passant} en passant");
    }
}
