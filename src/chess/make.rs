//! Making moves on a board, by copying it, with one function for each kind of move; and the piece changes of a move.
//!
//! Each function has the side to move as a type parameter and returns a board with the other side to move.

use super::board::Pins;
use super::piece::Side;
use super::{Bitboard, Board, CastlingSide, Key, Move, MoveKind, Piece, Role, Square, attacks};

impl Board {
    /// The board after a legal move of a piece of this role.
    #[inline(always)]
    pub(super) fn after_for<S: Side>(&self, mv: Move, moved: Role) -> Self {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal if moved == Role::Pawn => self.after_move::<S>([Role::Pawn; 2], from, to),
            MoveKind::Normal => self.after_move::<S>([moved; 2], from, to),
            MoveKind::EnPassant => self.after_en_passant::<S>(from, to),
            MoveKind::Castle => self.after_castle::<S>(to),
            _ => self.after_move::<S>([Role::Pawn, mv.promotion().unwrap_or(Role::Queen)], from, to),
        }
    }

    /// The board after a piece moves, captures or promotes: after any move except castling and en passant. `roles` are
    /// the roles on the origin and on the target.
    #[inline(always)]
    pub(super) fn after_move<S: Side>(&self, roles: [Role; 2], from: Square, to: Square) -> Self {
        self.moved::<S>(roles, from, to).finished::<S>()
    }

    /// The board after a legal move of a piece of this role; `info` is that of this board.
    #[inline(always)]
    pub(super) fn after_with<S: Side>(&self, info: &CheckInfo, mv: Move, moved: Role) -> Self {
        let arrives = match mv.kind() {
            MoveKind::Normal => moved,
            MoveKind::EnPassant | MoveKind::Castle => return self.after_for::<S>(mv, moved),
            _ => mv.promotion().unwrap_or(Role::Queen),
        };
        let (from, to) = (mv.from(), mv.to());
        let mut board = self.moved::<S>([moved, arrives], from, to);
        if info.is_line_changed(arrives, from, to) {
            return board.finished::<S>();
        }
        board.turn = S::Other::COLOR;
        board.checkers = info.leaper_checks[arrives] & to;
        board.pins = info.pins;
        board
    }

    /// The board after a piece moves, captures or promotes, before the side to move changes.
    #[inline(always)]
    fn moved<S: Side>(&self, roles: [Role; 2], from: Square, to: Square) -> Self {
        let mut board = self.carried::<S>(roles, from, to);
        if roles[0] == Role::King {
            board.castling_rooks -= S::COLOR.back_rank();
        }
        if roles[0] == Role::Pawn && from.index().abs_diff(to.index()) == DOUBLE_STEP {
            board.set_en_passant::<S>(S::backward(to.bitboard()));
        }
        board
    }

    /// The board after an en passant capture.
    #[inline(always)]
    pub(super) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Self {
        let mut board = self.carried::<S>([Role::Pawn; 2], from, to);
        let captured = S::backward(to.bitboard());
        board.roles[Role::Pawn] -= captured;
        board.colors[S::Other::COLOR] -= captured;
        board.finished::<S>()
    }

    /// The board after castling with the rook on this square.
    #[inline(always)]
    pub(super) fn after_castle<S: Side>(&self, rook: Square) -> Self {
        let king = self.king(S::COLOR);
        let [king_to, rook_to] = CastlingSide::of(king, rook).castled(S::COLOR.back_rank());
        let mut board = *self;
        board.roles[Role::King] = (board.roles[Role::King] - king) | king_to;
        board.roles[Role::Rook] = (board.roles[Role::Rook] - rook) | rook_to;
        let ours = &mut board.colors[S::COLOR];
        *ours = (*ours - king - rook) | king_to | rook_to;
        board.castling_rooks -= S::COLOR.back_rank();
        board.en_passant = None;
        board.finished::<S>()
    }

    /// The board after a piece moves from `from` to `to`, optionally with another role there; a piece on `to` is
    /// captured, and the castling rights of these squares are lost.
    #[inline(always)]
    fn carried<S: Side>(&self, roles: [Role; 2], from: Square, to: Square) -> Self {
        let squares = from.bitboard() | to;
        let roles = carry(&self.roles, roles, from, to, to.bitboard());
        let mut colors = self.colors;
        colors[S::COLOR] ^= squares;
        colors[S::Other::COLOR] -= to;
        Self { roles, colors, castling_rooks: self.castling_rooks - squares, en_passant: None, ..*self }
    }

    /// Sets the square that a double step of `S` has passed, if a capture there is legal.
    #[inline(always)]
    pub(super) fn set_en_passant<S: Side>(&mut self, passed: Bitboard) {
        let target = passed.first().expect("a pawn has passed a square");
        let capturers = attacks::pawn(S::COLOR, target) & self.pieces(S::Other::COLOR, Role::Pawn);
        if !capturers.is_empty() {
            // A copy, so that the board itself stays in registers: the test is a call, which needs it in memory, and
            // vectors loaded from single fields that have just been stored would wait for them.
            let board = *self;
            if capturers.into_iter().any(|from| board.is_en_passant_safe::<S::Other>(from, target)) {
                self.en_passant = Some(target);
            }
        }
    }

    /// Changes the side to move, and finds checks and pins against it.
    #[inline(always)]
    fn finished<S: Side>(mut self) -> Self {
        self.turn = S::Other::COLOR;
        self.find_checks_and_pins::<S::Other>();
        self
    }

    /// The board after `S` passes. Must not be called in check.
    #[inline]
    pub(super) fn after_pass<S: Side>(&self) -> Self {
        debug_assert!(!self.is_check(), "a side in check cannot pass");
        Self { en_passant: None, ..*self }.finished::<S>()
    }
}

/// The sets of the roles after a piece moves, optionally with another role on its target, and captures what is on these
/// squares.
///
/// Every set is computed from the old ones and nothing is changed in memory: a store followed by a wider load would
/// stall, and this is the most frequently executed code.
#[inline(always)]
pub(super) fn carry(
    roles: &[Bitboard; Role::COUNT],
    [leaves, arrives]: [Role; 2],
    from: Square,
    to: Square,
    captured: Bitboard,
) -> [Bitboard; Role::COUNT] {
    let (leaves, arrives) = (&ROLE_MASKS[leaves].0, &ROLE_MASKS[arrives].0);
    let mut after = *roles;
    for ((role, leaves), arrives) in after.iter_mut().zip(leaves).zip(arrives) {
        // Clearing the squares for every role makes it unnecessary to determine the captured one.
        *role = (*role - (from.bitboard() & *leaves | captured)) | to.bitboard() & *arrives;
    }
    after
}

/// For each role a set: a choice between roles without a branch, for all roles at once. It lies in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct RoleMask([Bitboard; Role::COUNT]);

/// For each role the mask that has all squares for this role, and none for the others.
static ROLE_MASKS: [RoleMask; Role::COUNT] = {
    let mut masks = [RoleMask([Bitboard::EMPTY; Role::COUNT]); Role::COUNT];
    let mut role = 0;
    while role < Role::COUNT {
        masks[role].0[role] = Bitboard::ALL;
        role += 1;
    }
    masks
};

/// The checks and pins against the other side from which the moves of a board start: most moves change nothing on the
/// lines of the enemy king, and checks and pins are not searched for after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckInfo {
    /// The pins of the pieces of the other side.
    pins: Pins,
    /// The squares of the lines between the enemy king and sliders: leaving one may change checks and pins.
    lines: Bitboard,
    /// For each role, the targets on which such a piece may change checks by sliders, or pins.
    line_targets: [Bitboard; Role::COUNT],
    /// For each role, the squares from which such a piece gives check, unless it is a slider.
    leaper_checks: [Bitboard; Role::COUNT],
}

impl CheckInfo {
    /// That of a board on which `S` is the side to move.
    #[inline(always)]
    pub(super) fn of<S: Side>(board: &Board) -> Self {
        let king = board.king(S::Other::COLOR);
        let lines = board.king_lines::<S::Other>();
        let (rank_and_file, diagonals) = (attacks::rook_rays(king), attacks::bishop_rays(king));
        let mut line_targets = [lines.squares; Role::COUNT];
        line_targets[Role::Bishop] |= diagonals;
        line_targets[Role::Rook] |= rank_and_file;
        line_targets[Role::Queen] |= rank_and_file | diagonals;
        let mut leaper_checks = [Bitboard::EMPTY; Role::COUNT];
        leaper_checks[Role::Pawn] = attacks::pawn(S::Other::COLOR, king);
        leaper_checks[Role::Knight] = attacks::knight(king);
        Self { pins: lines.pins, lines: lines.squares, line_targets, leaper_checks }
    }

    /// Whether a move of a piece that arrives with this role may change checks by sliders, or pins.
    #[inline(always)]
    fn is_line_changed(&self, arrives: Role, from: Square, to: Square) -> bool {
        self.lines.contains(from) || self.line_targets[arrives].contains(to)
    }
}

/// The distance between the square numbers of a double pawn step.
pub(super) const DOUBLE_STEP: usize = 16;

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// The piece.
    pub piece: Piece,
    /// The square of the piece.
    pub square: Square,
}

impl PlacedPiece {
    /// The number of pieces times the number of squares.
    pub const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// A distinct number below [`PlacedPiece::COUNT`], for tables by piece and square.
    #[inline]
    pub const fn index(self) -> usize {
        self.piece.index() * Square::COUNT + self.square.index()
    }
}

/// The piece changes of a move, at most four: a piece leaves its square and appears on another, possibly with another
/// role; one is captured, or the rook moves in castling.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Delta {
    removed: [Option<PlacedPiece>; 2],
    added: [Option<PlacedPiece>; 2],
}

const _: () = assert!(size_of::<Delta>() == 8);

impl Delta {
    /// No change, as after a null move.
    pub const NONE: Self = Self { removed: [None; 2], added: [None; 2] };

    /// A piece moves from `from` to `arrives`; `captured` is removed.
    #[inline]
    pub(super) const fn capture(
        from: PlacedPiece,
        arrives: PlacedPiece,
        captured: Option<PlacedPiece>,
    ) -> Self {
        Self { removed: [Some(from), captured], added: [Some(arrives), None] }
    }

    /// King and rook castle; each pair is the piece before and after the move.
    #[inline]
    pub(super) const fn castle(king: [PlacedPiece; 2], rook: [PlacedPiece; 2]) -> Self {
        Self { removed: [Some(king[0]), Some(rook[0])], added: [Some(king[1]), Some(rook[1])] }
    }

    /// Pieces that leave their squares, the moving piece first.
    #[inline]
    pub fn removed(&self) -> impl Iterator<Item = PlacedPiece> {
        self.removed.into_iter().flatten()
    }

    /// Pieces that appear, the moving piece first.
    #[inline]
    pub fn added(&self) -> impl Iterator<Item = PlacedPiece> {
        self.added.into_iter().flatten()
    }

    /// The captured piece and its square.
    #[inline]
    pub fn captured(&self) -> Option<PlacedPiece> {
        match (self.removed[1], self.added[1]) {
            (Some(placed), None) => Some(placed),
            _ => None,
        }
    }

    /// The moving piece on its origin; `None` if nothing changes.
    #[inline]
    pub const fn mover(&self) -> Option<PlacedPiece> {
        self.removed[0]
    }

    /// The moving piece on its target; `None` if nothing changes.
    #[inline]
    pub const fn arrived(&self) -> Option<PlacedPiece> {
        self.added[0]
    }

    /// Passes each piece that leaves its square or appears on one to `visit`.
    #[inline(always)]
    pub fn for_each(&self, visit: impl FnMut(PlacedPiece)) {
        [self.removed[0], self.added[0], self.removed[1], self.added[1]]
            .into_iter()
            .flatten()
            .for_each(visit);
    }

    /// The change of the key of the pieces.
    #[inline]
    pub fn key(&self) -> Key {
        let mut key = Key::default();
        self.for_each(|placed| key ^= Key::piece(placed.piece, placed.square));
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::piece::{Black, White};
    use crate::chess::samples::{position, walk};
    use crate::chess::{Color, Position};

    /// Compares the boards after all moves, with and without the check info.
    fn compare(position: &Position) {
        fn compare_for<S: Side>(board: &Board, moves: &[Move]) {
            let info = CheckInfo::of::<S>(board);
            for &mv in moves {
                let moved = board.role_at(mv.from()).expect("a legal move starts from a piece");
                assert_eq!(
                    board.after_with::<S>(&info, mv, moved),
                    board.after_for::<S>(mv, moved),
                    "{mv:?}"
                );
            }
        }
        let moves = position.legal_moves();
        match position.turn() {
            Color::White => compare_for::<White>(position.board(), &moves),
            Color::Black => compare_for::<Black>(position.board(), &moves),
        }
    }

    #[test]
    fn a_delta_lists_each_piece_once() {
        walk(100, |position, _| {
            for mv in position.legal_moves() {
                let (_, delta) = position.after(mv);
                let mut visited = Vec::new();
                delta.for_each(|placed| visited.push((placed.piece, placed.square)));
                let mut listed: Vec<_> = delta
                    .removed()
                    .chain(delta.added())
                    .map(|placed| (placed.piece, placed.square))
                    .collect();
                assert_eq!(delta.mover().map(|mover| mover.square), Some(mv.from()), "{mv:?}");
                visited.sort_unstable();
                listed.sort_unstable();
                assert_eq!(visited, listed, "{mv:?}");
            }
        });
    }

    #[test]
    fn the_expected_key_is_that_of_the_board_without_its_rights() {
        let rights = |position: &Position| {
            Key::en_passant(position.en_passant())
                ^ Color::ALL
                    .map(|color| Key::castling(position.castling_rooks(color)))
                    .into_iter()
                    .fold(Key::default(), |all, one| all ^ one)
        };
        walk(100, |position, _| {
            for mv in position.legal_moves().into_iter().filter(|mv| mv.kind() == MoveKind::Normal) {
                let child = position.after(mv).0;
                let changed = rights(position) ^ rights(&child);
                assert_eq!(position.expected_key(mv), child.key() ^ changed, "{position:?} {mv:?}");
            }
        });
    }

    #[test]
    fn check_info_changes_no_board() {
        walk(300, |position, _| compare(position));
        let fens = [
            // Pieces discover checks, take pinned and pinning pieces, and pin others.
            "3k4/3n4/8/3R4/b2N4/8/3Q4/3R1K2 w - -",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            // A promoted piece checks, and pins along the rank it has reached.
            "4n3/PPP1P1k1/8/8/8/8/8/K7 w - -",
            "1k1b4/8/8/8/8/8/ppp2p2/4NK2 b - -",
        ];
        for fen in fens {
            compare(&position(fen));
        }
    }
}
