//! Legal move generation (<https://www.chessprogramming.org/Move_Generation>): only legal moves are generated, from the
//! checks and pins that the board stores.
//!
//! There is one generator; a [`Sink`] determines the use of the moves. Lists collect them, and perft counts whole sets
//! of targets at a time.

use super::attacks::Sliders;
use super::board::Pins;
use super::piece::Side;
use super::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, Rank, Role, Square, attacks};
use arrayvec::ArrayVec;

/// An upper bound of the number of legal moves of any position. Positions of games have at most 218, but arrangements
/// that promotions cannot produce are positions too: fifteen pieces besides the king with at most 27 moves each, those
/// of a queen in the middle of an empty board, and eight king moves.
pub const MAX_MOVES: usize = 15 * 27 + 8;

/// Moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The kind of legal moves to generate, known at compile time.
pub(super) trait GenType {
    /// Whether captures, en passant captures and promotions are generated.
    const NOISY: bool;
    /// Whether all other moves are generated.
    const QUIET: bool;
}

/// All legal moves.
pub(super) enum All {}
/// Captures and promotions.
pub(super) enum Noisy {}
/// Moves that neither capture nor promote.
pub(super) enum Quiet {}

impl GenType for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl GenType for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl GenType for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// The steps of a pawn, each with its distance in squares for White.
#[derive(Clone, Copy)]
pub(super) enum PawnStep {
    Push = 8,
    DoublePush = 16,
    CaptureWest = 7,
    CaptureEast = 9,
}

impl PawnStep {
    /// The square from which a pawn of `S` reaches `to` by this step.
    #[inline(always)]
    pub(super) fn origin<S: Side>(self, to: Square) -> Square {
        // "West" and "east" are White's; Black's pawns move the same distances downward.
        match S::COLOR {
            super::Color::White => Square::wrapping(to.index().wrapping_sub(self as usize)),
            super::Color::Black => Square::wrapping(to.index() + self as usize),
        }
    }

    /// The files to the right and the ranks up that a pawn of `S` goes.
    const fn offset<S: Side>(self) -> (i8, i8) {
        let (files, ranks) = match self {
            Self::Push => (0, 1),
            Self::DoublePush => (0, 2),
            Self::CaptureWest => (-1, 1),
            Self::CaptureEast => (1, 1),
        };
        match S::COLOR {
            super::Color::White => (files, ranks),
            super::Color::Black => (-files, -ranks),
        }
    }
}

/// Receives the generated moves, in sets.
pub(super) trait Sink<S: Side> {
    /// A knight, bishop, rook, queen or king may go to each of `targets`.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Pawns may move to each of `targets`, none of them on the last rank.
    fn pawns(&mut self, step: PawnStep, targets: Bitboard);
    /// Pawns may move to each of `targets`, all of them on the last rank.
    fn promotions(&mut self, step: PawnStep, targets: Bitboard);
    /// A pawn may capture en passant.
    fn en_passant(&mut self, from: Square, target: Square);
    /// The king may castle with the rook on this square.
    fn castle(&mut self, king: Square, rook: Square);
}

/// Passes the pawn moves of these kinds to `targets` to a function, one by one.
#[inline(always)]
pub(super) fn each_pawn_move<S: Side, const KINDS: usize>(
    step: PawnStep,
    targets: Bitboard,
    kinds: [MoveKind; KINDS],
    mut take: impl FnMut(Move),
) {
    for to in targets {
        for kind in kinds {
            take(Move::new(step.origin::<S>(to), to, kind));
        }
    }
}

/// A set of legal moves, for callers that count moves and need no list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveSet {
    /// A knight, bishop, rook, queen or king may go to each of the targets.
    Piece {
        /// The role of the piece.
        role: Role,
        /// The square of the piece.
        from: Square,
        /// The squares to which the piece may move.
        targets: Bitboard,
    },
    /// A pawn may move to each of the targets.
    Pawns {
        /// The files to the right and the ranks up from the square of each pawn to its target.
        offset: (i8, i8),
        /// The squares to which pawns may move.
        targets: Bitboard,
        /// Whether the pawns promote there, to any of four roles.
        promotes: bool,
    },
    /// A pawn may capture en passant.
    EnPassant {
        /// The square of the pawn.
        from: Square,
        /// The square to which the pawn may move.
        to: Square,
    },
    /// A king may castle with a rook.
    Castle {
        /// The square of the king.
        king: Square,
        /// The square of the rook.
        rook: Square,
    },
}

/// Passes the moves to a function as sets.
pub(super) struct Sets<F>(pub F);

impl<S: Side, F: FnMut(MoveSet)> Sink<S> for Sets<F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.0(MoveSet::Piece { role, from, targets });
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        self.0(MoveSet::Pawns { offset: step.offset::<S>(), targets, promotes: false });
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        self.0(MoveSet::Pawns { offset: step.offset::<S>(), targets, promotes: true });
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, target: Square) {
        self.0(MoveSet::EnPassant { from, to: target });
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.0(MoveSet::Castle { king, rook });
    }
}

impl<S: Side> Sink<S> for MoveList {
    #[inline(always)]
    fn piece(&mut self, _role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to, MoveKind::Normal));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        each_pawn_move::<S, _>(step, targets, [MoveKind::Normal], |mv| self.push(mv));
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        each_pawn_move::<S, _>(step, targets, MoveKind::PROMOTIONS, |mv| self.push(mv));
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, target: Square) {
        self.push(Move::new(from, target, MoveKind::EnPassant));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.push(Move::new(king, rook, MoveKind::Castle));
    }
}

/// Records only whether there is a move.
struct Any(bool);

impl<S: Side> Sink<S> for Any {
    #[inline(always)]
    fn piece(&mut self, _role: Role, _from: Square, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }

    #[inline(always)]
    fn pawns(&mut self, _step: PawnStep, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }

    #[inline(always)]
    fn promotions(&mut self, _step: PawnStep, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }

    #[inline(always)]
    fn en_passant(&mut self, _from: Square, _target: Square) {
        self.0 = true;
    }

    #[inline(always)]
    fn castle(&mut self, _king: Square, _rook: Square) {
        self.0 = true;
    }
}

/// Counts moves without listing them.
struct Count(u32);

impl<S: Side> Sink<S> for Count {
    #[inline(always)]
    fn piece(&mut self, _role: Role, _from: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, _step: PawnStep, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, _step: PawnStep, targets: Bitboard) {
        self.0 += Role::PROMOTIONS.len() as u32 * targets.count();
    }

    #[inline(always)]
    fn en_passant(&mut self, _from: Square, _target: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castle(&mut self, _king: Square, _rook: Square) {
        self.0 += 1;
    }
}

impl Board {
    /// The number of legal moves of `S`, the side to move.
    #[inline(always)]
    pub(super) fn count_moves<S: Side, L: Sliders>(&self, lookup: L) -> u32 {
        let mut count = Count(0);
        self.generate::<S, All, L>(lookup, &mut count);
        count.0
    }

    /// Whether `S`, the side to move, has a legal move. In check, the king has one most often.
    #[inline(always)]
    pub(super) fn has_moves<S: Side, L: Sliders>(&self, lookup: L) -> bool {
        if !self.king_targets().is_empty() {
            return true;
        }
        let mut any = Any(false);
        self.generate_others::<S, All, L>(lookup, !self.colors[S::COLOR], &mut any);
        any.0
    }

    /// Passes the legal moves of `S`, the side to move, to `sink`.
    #[inline(always)]
    pub(super) fn generate<S: Side, W: GenType, L: Sliders>(&self, lookup: L, sink: &mut impl Sink<S>) {
        let wanted = match (W::NOISY, W::QUIET) {
            (true, true) => !self.colors[S::COLOR],
            (true, false) => self.colors[S::Other::COLOR],
            _ => !self.occupied(),
        };
        self.generate_king::<S>(lookup, wanted, sink);
        self.generate_others::<S, W, L>(lookup, wanted, sink);
    }

    /// Generates the moves of the pieces other than the king, and castling.
    #[inline(always)]
    pub(super) fn generate_others<S: Side, W: GenType, L: Sliders>(
        &self,
        lookup: L,
        wanted: Bitboard,
        sink: &mut impl Sink<S>,
    ) {
        let ours = self.colors[S::COLOR];
        let Some(resolving) = self.resolving_squares(S::COLOR) else { return };
        self.generate_pawns::<S, W>(ours, resolving, sink);
        self.generate_pieces::<S>(lookup, ours, wanted & resolving, sink);
        if W::QUIET {
            self.generate_castling::<S>(lookup, sink);
        }
    }

    /// The squares to which a piece other than the king may move with regard to checks, a capture en passant aside;
    /// `None` in double check, where only the king can move.
    #[inline(always)]
    fn resolving_squares(&self, color: Color) -> Option<Bitboard> {
        if self.checkers.is_many() {
            return None;
        }
        Some(match self.checkers.first() {
            Some(checker) => attacks::between(self.king(color), checker) | checker,
            None => Bitboard::ALL,
        })
    }

    /// Generates the moves of the pieces on these squares, without castling.
    #[inline(always)]
    pub(super) fn generate_from<S: Side, L: Sliders>(
        &self,
        lookup: L,
        squares: Bitboard,
        sink: &mut impl Sink<S>,
    ) {
        let ours = self.colors[S::COLOR];
        let pieces = squares & ours;
        if pieces.intersects(self.roles[Role::King]) {
            sink.piece(Role::King, self.king(S::COLOR), self.king_targets());
        }
        let Some(resolving) = self.resolving_squares(S::COLOR) else { return };
        if pieces.intersects(self.roles[Role::Pawn]) {
            self.generate_pawns::<S, All>(pieces, resolving, sink);
        }
        self.generate_pieces::<S>(lookup, pieces, resolving - ours, sink);
    }

    /// Generates the moves of the king to these squares, without castling.
    #[inline(always)]
    pub(super) fn generate_king<S: Side>(
        &self,
        lookup: impl Sliders,
        wanted: Bitboard,
        sink: &mut impl Sink<S>,
    ) {
        let king = self.king(S::COLOR);
        // The king does not shield the squares behind it from sliders.
        let occupied = self.occupied() - king;
        let mut safe = Bitboard::EMPTY;
        for to in (attacks::king(king) & wanted) - self.pawn_and_king_attacks::<S::Other>() {
            if !self.is_attacked_by_piece::<S>(lookup, to, occupied) {
                safe |= to;
            }
        }
        sink.piece(Role::King, king, safe);
    }

    /// Generates the moves of knights, bishops, rooks and queens among these pieces to the wanted squares.
    #[inline(always)]
    fn generate_pieces<S: Side>(
        &self,
        lookup: impl Sliders,
        pieces: Bitboard,
        wanted: Bitboard,
        sink: &mut impl Sink<S>,
    ) {
        let occupied = self.occupied();
        let pins = self.pins.orthogonal | self.pins.diagonal;
        // A pinned knight has no legal move.
        for from in (self.roles[Role::Knight] & pieces) - pins {
            sink.piece(Role::Knight, from, attacks::knight(from) & wanted);
        }
        for from in (self.roles[Role::Bishop] & pieces) - pins {
            sink.piece(Role::Bishop, from, lookup.bishop(from, occupied) & wanted);
        }
        for from in (self.roles[Role::Rook] & pieces) - pins {
            sink.piece(Role::Rook, from, lookup.rook(from, occupied) & wanted);
        }
        for from in (self.roles[Role::Queen] & pieces) - pins {
            sink.piece(Role::Queen, from, lookup.queen(from, occupied) & wanted);
        }
        for from in self.diagonal_sliders() & pieces & self.pins.diagonal {
            let role = if self.roles[Role::Queen].contains(from) { Role::Queen } else { Role::Bishop };
            sink.piece(role, from, lookup.bishop(from, occupied) & wanted & self.pins.diagonal);
        }
        for from in self.orthogonal_sliders() & pieces & self.pins.orthogonal {
            let role = if self.roles[Role::Queen].contains(from) { Role::Queen } else { Role::Rook };
            sink.piece(role, from, lookup.rook(from, occupied) & wanted & self.pins.orthogonal);
        }
    }

    /// Passes the pieces of one role of the side to move to `visit`, each with its targets. There are none in double
    /// check, except the king, and no pawns; castling is not among the moves of the king.
    ///
    /// Made for a role that is known at compile time. Unlike in [`Self::generate_from`], each slider comes only once,
    /// pinned or not.
    #[inline(always)]
    pub(super) fn visit_pieces(
        &self,
        lookup: impl Sliders,
        role: Role,
        mut visit: impl FnMut(Square, Bitboard),
    ) {
        if role == Role::King {
            return visit(self.king(self.turn), self.king_targets());
        }
        let Some(resolving) = self.resolving_squares(self.turn) else { return };
        let (ours, occupied) = (self.colors[self.turn], self.occupied());
        let wanted = resolving - ours;
        let Pins { orthogonal, diagonal } = self.pins;
        for from in self.roles[role] & ours {
            let is_free = !(orthogonal | diagonal).contains(from);
            // A pinned slider stays on its line, and a pinned knight has no legal move.
            let ranks_and_files = || {
                let line =
                    if is_free { Bitboard::ALL } else { orthogonal.only_if(orthogonal.contains(from)) };
                lookup.rook(from, occupied) & line
            };
            let diagonals = || {
                let line = if is_free { Bitboard::ALL } else { diagonal.only_if(diagonal.contains(from)) };
                lookup.bishop(from, occupied) & line
            };
            let reach = match role {
                Role::Knight => attacks::knight(from).only_if(is_free),
                Role::Bishop => diagonals(),
                Role::Rook => ranks_and_files(),
                Role::Queen => diagonals() | ranks_and_files(),
                Role::Pawn | Role::King => Bitboard::EMPTY,
            };
            visit(from, reach & wanted);
        }
    }

    /// The squares to which the king may move, without castling.
    ///
    /// All attacks of the other side are found at once, without a branch. In the positions of games this is faster than
    /// the tests of single squares in [`Self::generate_king`], because the CPU cannot predict their results there.
    #[inline(always)]
    fn king_targets(&self) -> Bitboard {
        let king = self.king(self.turn);
        let enemies = self.colors[!self.turn];
        let by_leapers = attacks::pawns(!self.turn, self.roles[Role::Pawn] & enemies)
            | attacks::knights(self.roles[Role::Knight] & enemies)
            | attacks::king(self.king(!self.turn));
        // The king does not shield the squares behind it from sliders.
        let by_sliders = attacks::sliders(
            self.orthogonal_sliders() & enemies,
            self.diagonal_sliders() & enemies,
            self.occupied() - king,
        );
        attacks::king(king) - self.colors[self.turn] - by_leapers - by_sliders
    }

    /// Generates the moves of the pawns among these pieces.
    #[inline(always)]
    fn generate_pawns<S: Side, W: GenType>(
        &self,
        pieces: Bitboard,
        resolving: Bitboard,
        sink: &mut impl Sink<S>,
    ) {
        let pawns = self.roles[Role::Pawn] & pieces;
        let empty = !self.occupied();
        let last_rank = S::COLOR.relative(Rank::Eighth).squares();
        let third_rank = S::COLOR.relative(Rank::Third).squares();

        // A diagonally pinned pawn cannot push; one pinned on the file can, one on the rank cannot.
        let pushable = pawns - self.pins.diagonal;
        let free = S::forward(pushable - self.pins.orthogonal);
        let pinned = S::forward(pushable & self.pins.orthogonal) & self.pins.orthogonal;
        let pushes = (free | pinned) & empty;
        if W::QUIET {
            sink.pawns(PawnStep::Push, (pushes & resolving) - last_rank);
            sink.pawns(PawnStep::DoublePush, S::forward(pushes & third_rank) & empty & resolving);
        }
        if !W::NOISY {
            return;
        }

        let takers = pawns - self.pins.orthogonal;
        let (free, pinned) = (takers - self.pins.diagonal, takers & self.pins.diagonal);
        let prey = self.colors[S::Other::COLOR] & resolving;
        let toward = |step: fn(Bitboard) -> Bitboard| {
            let free = step(S::forward(free));
            let pinned = step(S::forward(pinned)) & self.pins.diagonal;
            (free | pinned) & prey
        };
        // White's "west" capture is seven squares away; for Black seven squares lead east.
        let (west, east) = match S::COLOR {
            super::Color::White => (toward(Bitboard::west), toward(Bitboard::east)),
            super::Color::Black => (toward(Bitboard::east), toward(Bitboard::west)),
        };
        sink.pawns(PawnStep::CaptureWest, west - last_rank);
        sink.pawns(PawnStep::CaptureEast, east - last_rank);
        if pawns.intersects(S::backward(last_rank)) {
            sink.promotions(PawnStep::Push, pushes & resolving & last_rank);
            sink.promotions(PawnStep::CaptureWest, west & last_rank);
            sink.promotions(PawnStep::CaptureEast, east & last_rank);
        }

        if let Some(target) = self.en_passant {
            // Two pawns leave their squares, which pins and check squares do not take into account.
            for from in attacks::pawn(S::Other::COLOR, target) & pawns {
                if self.is_en_passant_safe::<S>(from, target) {
                    sink.en_passant(from, target);
                }
            }
        }
    }

    /// Generates the moves of all pawns.
    #[inline(always)]
    pub(super) fn generate_all_pawns<S: Side>(&self, sink: &mut impl Sink<S>) {
        if let Some(resolving) = self.resolving_squares(S::COLOR) {
            self.generate_pawns::<S, All>(self.colors[S::COLOR], resolving, sink);
        }
    }

    /// Generates castling moves. In check there are none.
    #[inline(always)]
    pub(super) fn generate_castling<S: Side>(&self, lookup: impl Sliders, sink: &mut impl Sink<S>) {
        if !self.checkers.is_empty() {
            return;
        }
        for rook in self.castling_rooks & self.colors[S::COLOR] {
            if self.may_castle::<S>(lookup, rook) {
                sink.castle(self.king(S::COLOR), rook);
            }
        }
    }

    /// Whether the king, which is not in check, may castle with this rook, which has the right.
    #[inline]
    pub(super) fn may_castle<S: Side>(&self, lookup: impl Sliders, rook: Square) -> bool {
        let king = self.king(S::COLOR);
        let [king_to, rook_to] = CastlingSide::of(king, rook).castled(S::COLOR.back_rank());
        let king_path = attacks::between(king, king_to) | king_to;
        let rook_path = attacks::between(rook, rook_to) | rook_to;
        let others = self.occupied() - king - rook;
        // A rook pinned on the back rank would uncover its king.
        !(king_path | rook_path).intersects(others)
            && !self.pins.orthogonal.contains(rook)
            && (king_path - king)
                .into_iter()
                .all(|square| !self.is_attacked::<S>(lookup, square, self.occupied()))
    }
}
