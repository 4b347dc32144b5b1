//! Placements: positions of games that are followed move by move.

use super::board::{Pins, king_attackers, piece_methods};
use super::legality::set_methods;
use super::make::{DOUBLE_STEP, carry};
use super::piece::{Black, Side, White};
use super::{
    Bitboard, Board, CastlingSide, Color, File, FindMove, Key, Move, MoveKind, Piece, Position, Rank, Role,
    Square, attacks,
};

/// The pieces, rights and clocks of a position, without checks, pins, legal en passant captures and a key.
///
/// Games are followed on placements in half the time that [`Position`]s take. A position finds checks and pins for all
/// moves of its list; here the pieces that can reach a square are found for a single move, and whether their king is
/// attacked afterward.
///
/// It always belongs to a legal position, which [`Self::position`] returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    roles: [Bitboard; Role::COUNT],
    colors: [Bitboard; Color::COUNT],
    /// The rooks that may still castle, of both sides.
    castling_rooks: Bitboard,
    turn: Color,
    double_push_square: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

const _: () = assert!(size_of::<Placement>() == 80);

/// Calls a function with the side to move as its type parameter.
macro_rules! for_turn {
    ($placement:ident.$function:ident($($argument:expr),*)) => {
        match $placement.turn {
            Color::White => $placement.$function::<White>($($argument),*),
            Color::Black => $placement.$function::<Black>($($argument),*),
        }
    };
}

impl Placement {
    piece_methods!();

    /// The placement of a position.
    #[inline(always)]
    pub const fn of(position: &Position) -> Self {
        let &Position { board, double_push_square, halfmove_clock, fullmove_number, .. } = position;
        let Board { roles, colors, castling_rooks, turn, .. } = board;
        Self { roles, colors, castling_rooks, turn, double_push_square, halfmove_clock, fullmove_number }
    }

    /// The position.
    pub fn position(&self) -> Position {
        let &Self { double_push_square, halfmove_clock, fullmove_number, .. } = self;
        let key = Key::default();
        let mut position =
            Position { board: self.board(), key, double_push_square, halfmove_clock, fullmove_number };
        position.key = position.key_from_scratch();
        position
    }

    /// The board.
    pub fn board(&self) -> Board {
        let &Self { roles, colors, castling_rooks, turn, .. } = self;
        let (checkers, pins) = (Bitboard::EMPTY, Pins::default());
        let board = Board { roles, colors, castling_rooks, checkers, pins, turn, en_passant: None };
        for_turn!(self.finish(board))
    }

    /// The board with checks, pins and en passant.
    #[inline(always)]
    fn finish<S: Side>(&self, mut board: Board) -> Board {
        board.find_checks_and_pins::<S>();
        if let Some(passed) = self.double_push_square {
            board.set_en_passant::<S::Other>(passed.bitboard());
        }
        board
    }

    /// The square that a pawn passed in the last move, whether it can be captured or not.
    #[inline(always)]
    pub const fn double_push_square(&self) -> Option<Square> {
        self.double_push_square
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the full move to be played, counted from 1.
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !for_turn!(self.is_king_safe(self.king(self.turn), self.occupied(), self.colors[!self.turn]))
    }

    /// The placement after a legal move.
    pub fn after(&self, mv: Move) -> Self {
        let mut after = *self;
        self.play_to(mv, &mut after);
        after
    }

    /// Stores the placement after a legal move, field by field where it stays: a placement that is returned is stored
    /// twice, and the copy waits for the first store.
    #[inline(always)]
    pub fn play_to(&self, mv: Move, after: &mut Self) {
        for_turn!(self.play_to_for(mv, after));
    }

    /// The placement after the side to move passes, which must not be in check.
    pub fn after_null(&self) -> Self {
        Self {
            turn: !self.turn,
            double_push_square: None,
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove_number: self.fullmove_number.saturating_add(self.turn as u16),
            ..*self
        }
    }

    /// Whether none of these pieces attacks the king of `S` on this square, apart from their king.
    #[inline(always)]
    fn is_king_safe<S: Side>(&self, king: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
        !king_attackers::<S>(&self.roles, king, occupied).intersects(enemies)
    }

    /// Whether the king of `S` is not attacked after a move of another piece, which captures what is on these squares.
    #[inline(always)]
    fn leaves_king_safe<S: Side>(&self, from: Square, to: Square, captured: Bitboard) -> bool {
        let occupied = (self.occupied() - from - captured) | to;
        self.is_king_safe::<S>(self.king(S::COLOR), occupied, self.colors[S::Other::COLOR] - captured)
    }

    #[inline(always)]
    fn find_piece_for<S: Side>(&self, role: Role, from: Bitboard, to: Square) -> Option<Move> {
        let origins = self.reaching::<S>(role, to) & from;
        let origin = if origins.is_many() {
            self.safe_origins::<S>(origins, role, to).single()?
        } else {
            let origin = origins.first()?;
            self.may_move::<S>(origin, role, to).then_some(origin)?
        };
        Some(Move::new(origin, to, MoveKind::Normal))
    }

    fn origins_for<S: Side>(&self, role: Role, to: Square) -> Bitboard {
        self.safe_origins::<S>(self.reaching::<S>(role, to), role, to)
    }

    /// The pieces of this role that reach a square which has none of their side, whether their king is safe or not.
    #[inline(always)]
    fn reaching<S: Side>(&self, role: Role, to: Square) -> Bitboard {
        let ours = self.colors[S::COLOR];
        let reaching = attacks::reach(role, to, self.occupied()) & self.roles[role] & ours;
        if ours.contains(to) { Bitboard::EMPTY } else { reaching }
    }

    /// Those of several pieces that reach a square and may move there: the others are pinned.
    #[inline(never)]
    fn safe_origins<S: Side>(&self, origins: Bitboard, role: Role, to: Square) -> Bitboard {
        origins.into_iter().filter(|&from| self.may_move::<S>(from, role, to)).collect()
    }

    /// Whether a piece that reaches a square leaves its king safe, or is the king and safe there.
    #[inline(always)]
    fn may_move<S: Side>(&self, from: Square, role: Role, to: Square) -> bool {
        if role != Role::King {
            return self.leaves_king_safe::<S>(from, to, to.bitboard());
        }
        self.is_king_safe::<S>(to, self.occupied() - from, self.colors[S::Other::COLOR] - to)
            && !attacks::king(to).intersects(self.pieces(S::Other::COLOR, Role::King))
    }

    #[inline(always)]
    fn find_push_for<S: Side>(&self, to: Square, kind: MoveKind) -> Option<Move> {
        let (occupied, pawns) = (self.occupied(), self.pieces(S::COLOR, Role::Pawn));
        let one = S::backward(to.bitboard());
        let two = S::backward((one - occupied) & S::COLOR.relative(Rank::Third));
        let from = ((one | two) & pawns).first()?;
        let is_legal = !occupied.contains(to)
            && is_pawn_kind::<S>(to, kind)
            && self.leaves_king_safe::<S>(from, to, Bitboard::EMPTY);
        is_legal.then(|| Move::new(from, to, kind))
    }

    #[inline(always)]
    fn find_capture_for<S: Side>(&self, from: File, to: Square, kind: MoveKind) -> Option<Move> {
        let pawns = self.pieces(S::COLOR, Role::Pawn) & from;
        let from = (attacks::pawn(S::Other::COLOR, to) & pawns).first()?;
        let (captured, kind) = if self.double_push_square == Some(to) {
            (S::backward(to.bitboard()), MoveKind::EnPassant)
        } else {
            (to.bitboard(), kind)
        };
        let is_legal = self.colors[S::Other::COLOR].intersects(captured)
            && (kind == MoveKind::EnPassant || is_pawn_kind::<S>(to, kind))
            && self.leaves_king_safe::<S>(from, to, captured);
        is_legal.then(|| Move::new(from, to, kind))
    }

    fn find_castling_for<S: Side>(&self, side: CastlingSide) -> Option<Move> {
        let (king, rook) = (self.king(S::COLOR), self.castling_rook(S::COLOR, side)?);
        let [king_to, rook_to] = side.castled(S::COLOR.back_rank());
        let king_path = attacks::between(king, king_to) | king_to | king;
        let rook_path = attacks::between(rook, rook_to) | rook_to;
        let others = self.occupied() - king - rook;
        let enemies = self.colors[S::Other::COLOR];
        let is_safe = |square, occupied| self.is_king_safe::<S>(square, occupied, enemies);
        // The last test is for a rook that has shielded its king on the back rank.
        let is_legal = !((king_path - king) | rook_path).intersects(others)
            && !king_path.intersects(attacks::king(self.king(S::Other::COLOR)))
            && king_path.into_iter().all(|square| is_safe(square, self.occupied()))
            && is_safe(king_to, others | king_to | rook_to);
        is_legal.then(|| Move::new(king, rook, MoveKind::Castle))
    }

    #[inline(always)]
    fn play_to_for<S: Side>(&self, mv: Move, after: &mut Self) {
        let (from, to) = (mv.from(), mv.to());
        let leaves = self.role_at(from).expect("a legal move starts from a piece");
        let (arrives, captured) = match mv.kind() {
            MoveKind::Normal => (leaves, to.bitboard()),
            MoveKind::EnPassant => (leaves, S::backward(to.bitboard())),
            MoveKind::Castle => return *after = self.after_castling::<S>(to),
            _ => (mv.promotion().unwrap_or(Role::Queen), to.bitboard()),
        };
        let enemies = self.colors[S::Other::COLOR];
        let is_double_step = leaves == Role::Pawn && from.index().abs_diff(to.index()) == DOUBLE_STEP;
        let is_irreversible = leaves == Role::Pawn || enemies.intersects(captured);
        after.roles = carry(&self.roles, [leaves, arrives], from, to, captured);
        after.colors[S::COLOR] = self.colors[S::COLOR] ^ (from.bitboard() | to);
        after.colors[S::Other::COLOR] = enemies - captured;
        let kept = self.castling_rooks - from - to;
        after.castling_rooks = if leaves == Role::King { kept - S::COLOR.back_rank() } else { kept };
        after.turn = S::Other::COLOR;
        after.double_push_square = is_double_step.then(|| Square::wrapping((from.index() + to.index()) / 2));
        after.halfmove_clock = if is_irreversible { 0 } else { self.halfmove_clock.saturating_add(1) };
        after.fullmove_number = self.fullmove_number.saturating_add(S::COLOR as u16);
    }

    /// The placement after castling with the rook on this square.
    #[inline(never)]
    fn after_castling<S: Side>(&self, rook: Square) -> Self {
        let king = self.king(S::COLOR);
        let [king_to, rook_to] = CastlingSide::of(king, rook).castled(S::COLOR.back_rank());
        let mut after = self.after_null();
        after.roles[Role::King] = (after.roles[Role::King] - king) | king_to;
        after.roles[Role::Rook] = (after.roles[Role::Rook] - rook) | rook_to;
        let ours = &mut after.colors[S::COLOR];
        *ours = (*ours - king - rook) | king_to | rook_to;
        after.castling_rooks -= S::COLOR.back_rank();
        after
    }
}

impl From<Position> for Placement {
    fn from(position: Position) -> Self {
        Self::of(&position)
    }
}

impl FindMove for Placement {
    set_methods!();

    #[inline]
    fn origins(&self, role: Role, to: Square) -> Bitboard {
        for_turn!(self.origins_for(role, to))
    }

    #[inline(always)]
    fn find_piece(&self, role: Role, from: Bitboard, to: Square) -> Option<Move> {
        for_turn!(self.find_piece_for(role, from, to))
    }

    #[inline(always)]
    fn find_push(&self, to: Square, kind: MoveKind) -> Option<Move> {
        for_turn!(self.find_push_for(to, kind))
    }

    #[inline(always)]
    fn find_capture(&self, from: File, to: Square, kind: MoveKind) -> Option<Move> {
        for_turn!(self.find_capture_for(from, to, kind))
    }

    #[inline]
    fn find_castling(&self, side: CastlingSide) -> Option<Move> {
        for_turn!(self.find_castling_for(side))
    }
}

/// Whether a pawn's move to this square, which is not en passant, is of this kind: it promotes on the last rank.
#[inline(always)]
fn is_pawn_kind<S: Side>(to: Square, kind: MoveKind) -> bool {
    (kind != MoveKind::Normal) == (to.rank() == S::COLOR.relative(Rank::Eighth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::{position, walk};

    /// Compares what a placement and a board find with the list of legal moves.
    fn check(position: &Position) {
        check_found(position, position.board());
        check_found(position, &Placement::of(position));
        check_made(position);
    }

    fn check_made(position: &Position) {
        let placement = Placement::of(position);
        assert_eq!(placement.position(), *position);
        assert_eq!(placement.is_check(), position.is_check(), "{position:?}");
        for mv in position.legal_moves() {
            let after = position.after(mv).0;
            assert_eq!(placement.after(mv), Placement::of(&after), "{position:?} {mv:?}");
        }
        if !position.is_check() {
            assert_eq!(placement.after_null().position(), position.after_null());
        }
    }

    fn check_found(position: &Position, found: &impl FindMove) {
        let moves = position.legal_moves();
        let kinds =
            [MoveKind::Normal].into_iter().chain(Role::ALL.into_iter().filter_map(MoveKind::promotion));
        let kinds: Vec<MoveKind> = kinds.collect();
        let role_of = |mv: &Move| position.role_at(mv.from());
        let only = |is_such: &dyn Fn(&Move) -> bool| {
            let mut such = moves.iter().copied().filter(is_such);
            such.next().filter(|_| such.next().is_none())
        };
        for to in Square::ALL {
            for role in Role::ALL.into_iter().filter(|&role| role != Role::Pawn) {
                let is_such = |mv: &Move| !mv.is_castle() && role_of(mv) == Some(role) && mv.to() == to;
                let expected = |from: Bitboard| only(&|mv| is_such(mv) && from.contains(mv.from()));
                let origins: Bitboard = moves.iter().filter(|mv| is_such(mv)).map(|mv| mv.from()).collect();
                assert_eq!(found.origins(role, to), origins, "{position:?} {role:?} {to}");
                assert_eq!(found.find_piece(role, Bitboard::ALL, to), expected(Bitboard::ALL));
                for file in File::ALL {
                    let from = file.squares();
                    assert_eq!(
                        found.find_piece(role, from, to),
                        expected(from),
                        "{position:?} {role:?} {to}"
                    );
                }
            }
            let pawn = |mv: &Move, kind: MoveKind| {
                let is_kind = mv.kind() == kind || mv.kind() == MoveKind::EnPassant;
                role_of(mv) == Some(Role::Pawn) && mv.to() == to && is_kind
            };
            for &kind in &kinds {
                let is_push = |mv: &Move| pawn(mv, kind) && mv.from().file() == to.file();
                assert_eq!(found.find_push(to, kind), only(&is_push), "{position:?} {to} {kind:?}");
                for file in File::ALL.into_iter().filter(|&file| file != to.file()) {
                    let is_capture = |mv: &Move| pawn(mv, kind) && mv.from().file() == file;
                    let capture = found.find_capture(file, to, kind);
                    assert_eq!(capture, only(&is_capture), "{position:?} {file:?} {to} {kind:?}");
                }
            }
        }
        for side in CastlingSide::ALL {
            let is_such = |mv: &Move| mv.is_castle() && CastlingSide::of(mv.from(), mv.to()) == side;
            assert_eq!(found.find_castling(side), only(&is_such), "{position:?} {side:?}");
        }
    }

    #[test]
    fn placements_find_the_legal_moves_and_make_them() {
        walk(40, |position, _| check(position));
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 7 30",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            // The castling rook shields the king from a rook beyond it.
            "4k3/8/8/8/8/8/8/rR2K3 w Q - 0 1",
            "7k/8/8/8/8/8/8/rRK5 w Q - 0 1",
            "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
            "r3k2r/8/8/8/8/8/6K1/8 b kq - 0 1",
            "4k2r/6K1/8/8/8/8/8/8 b k - 0 1",
        ];
        for fen in fens {
            let position = position(fen);
            check(&position);
            for mv in position.legal_moves() {
                check(&position.after(mv).0);
            }
        }
    }
}
