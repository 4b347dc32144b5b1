//! Counting moves without lists, and counting replies: the sum, over all moves of one side, of the number of legal
//! replies, without making most of the moves. "Ours" is the side to move, "theirs" the side that replies.
//!
//! The replies in the current position are computed once. A move changes only a few of them: it opens and closes lines
//! of sliders, gives pawns something to capture or blocks them, and attacks squares around the king. Moves that could
//! give check or change a pin are made, and the replies to them are generated.

use crate::chess::attacks::{self, Sliders};
use crate::chess::generate::{All, PawnStep, Sink};
use crate::chess::piece::Side;
use crate::chess::{Bitboard, Board, CastlingSide, Rank, Role, Square};
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// Counts the moves of `S`, the side to move.
#[inline(never)]
pub(super) fn moves<S: Side, L: Sliders>(lookup: L, board: &Board) -> u32 {
    board.count_moves::<S, L>(lookup)
}

/// A rook, a bishop, or one of the two halves of a queen.
#[derive(Clone, Copy)]
struct Slider {
    from: Square,
    is_orthogonal: bool,
    /// The squares that the slider attacks, including the first piece on every line.
    attacks: Bitboard,
}

impl Slider {
    #[inline(always)]
    fn new(sliders: impl Sliders, from: Square, is_orthogonal: bool, occupied: Bitboard) -> Self {
        let attacks =
            if is_orthogonal { sliders.rook(from, occupied) } else { sliders.bishop(from, occupied) };
        Self { from, is_orthogonal, attacks }
    }

    /// This slider after a piece has left a square.
    #[inline(always)]
    fn lifted(self, sliders: impl Sliders, square: Square, occupied: Bitboard) -> Self {
        if self.attacks.contains(square) {
            Self::new(sliders, self.from, self.is_orthogonal, occupied)
        } else {
            self
        }
    }
}

/// The two halves of each of fifteen queens.
const MAX_SLIDERS: usize = 30;

/// Sliders of one side, and all squares that they attack.
#[derive(Default)]
struct SliderList {
    sliders: ArrayVec<Slider, MAX_SLIDERS>,
    attacks: Bitboard,
}

impl SliderList {
    #[inline(always)]
    fn push(&mut self, slider: Slider) {
        self.attacks |= slider.attacks;
        self.sliders.push(slider);
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.attacks = Bitboard::EMPTY;
        self.sliders.clear();
    }

    /// Adds the sliders among these pieces to the list.
    #[inline(always)]
    fn extend(&mut self, lookup: impl Sliders, board: &Board, pieces: Bitboard) {
        let occupied = board.occupied();
        for from in board.orthogonal_sliders() & pieces {
            self.push(Slider::new(lookup, from, true, occupied));
        }
        for from in board.diagonal_sliders() & pieces {
            self.push(Slider::new(lookup, from, false, occupied));
        }
    }

    /// The number of moves of the sliders, if they cannot move to the squares `taken`.
    #[inline(always)]
    fn moves(&self, taken: Bitboard) -> u32 {
        self.sliders.iter().map(|slider| (slider.attacks - taken).count()).sum()
    }
}

/// A way to castle.
struct Castling {
    rook: Square,
    /// The squares that must be empty.
    way: Bitboard,
    /// The squares of the king that must not be attacked.
    king_way: Bitboard,
}

/// Counts the replies to the moves of `S`, which it receives as a sink.
pub(super) struct Replies<'a, S: Side, L: Sliders> {
    lookup: L,
    board: &'a Board,
    occupied: Bitboard,
    theirs: ReplyMoves,
    ours: OwnAttacks,
    /// Their sliders, after a piece of ours has left a square that they attack.
    their_sliders: SliderList,
    /// Our sliders that attack the zone of their king, after another piece of ours has left its square.
    watchers: SliderList,
    /// The number of replies to all moves so far.
    count: u64,
    side: PhantomData<S>,
}

/// The replies to a move that neither gives check nor changes a pin.
#[derive(Default)]
struct ReplyMoves {
    pieces: Bitboard,
    /// The pawns that are not pinned.
    pawns: Bitboard,
    knights: Bitboard,
    sliders: SliderList,
    /// The number of moves of the sliders.
    slider_moves: u32,
    /// The number of moves of knights and of pinned pieces.
    other_moves: u32,
    /// Whether a pawn is about to promote.
    is_promoting: bool,
    /// The squares around the king.
    ring: Bitboard,
    castling: ArrayVec<Castling, 2>,
    /// The squares to which the king may move or which it may cross.
    zone: Bitboard,
    /// The squares on which a piece of ours that arrives there blocks pawns, can be captured by pawns, or prevents
    /// castling.
    area: Bitboard,
    /// The squares from which a piece of ours, by role, attacks the zone.
    posts: [Bitboard; Role::COUNT],
    /// The squares on which a piece of ours that leaves or arrives may change a check or a pin: the lines of our
    /// sliders to the king.
    lines: Bitboard,
    /// The squares on which a piece of ours, by role, may give check or pin.
    aims: [Bitboard; Role::COUNT],
}

/// The pieces of the side to move and their attacks.
#[derive(Default)]
struct OwnAttacks {
    pieces: Bitboard,
    pawns: Bitboard,
    knights: Bitboard,
    knight_attacks: Bitboard,
    king_attacks: Bitboard,
    sliders: SliderList,
    /// The sliders that attack squares of the zone of their king.
    watchers: SliderList,
    /// The watchers, and pieces without which one of our sliders would attack more of the zone.
    concerned: Bitboard,
}

/// The board without the piece that moves.
struct WithoutMover<'a> {
    occupied: Bitboard,
    /// Our other pieces.
    ours: Bitboard,
    /// Their sliders, and the number of moves of these.
    sliders: &'a SliderList,
    slider_moves: u32,
    /// The squares that our other pieces attack, without the sliders.
    attacks: Bitboard,
    /// Our other sliders that attack the zone of their king.
    watchers: &'a SliderList,
}

/// The number of moves of these pawns of `T`.
#[inline(always)]
fn pawn_moves<T: Side>(pawns: Bitboard, empty: Bitboard, prey: Bitboard, is_promoting: bool) -> u32 {
    let ahead = T::forward(pawns);
    let push = ahead & empty;
    let double = T::forward(push & T::COLOR.relative(Rank::Third)) & empty;
    let (west, east) = (ahead.west() & prey, ahead.east() & prey);
    let moves = push.count() + double.count() + west.count() + east.count();
    if !is_promoting {
        return moves;
    }
    let last_rank = T::COLOR.relative(Rank::Eighth);
    let promotions = (push & last_rank).count() + (west & last_rank).count() + (east & last_rank).count();
    moves + (Role::PROMOTIONS.len() as u32 - 1) * promotions
}

impl ReplyMoves {
    #[inline(always)]
    fn fill<S: Side>(&mut self, lookup: impl Sliders, board: &Board) {
        let color = S::Other::COLOR;
        let occupied = board.occupied();
        let pieces = board.color(color);
        let king = board.king(color);
        let pawns = board.role(Role::Pawn) & pieces;
        self.pieces = pieces;
        self.is_promoting = pawns.intersects(color.relative(Rank::Seventh).squares());
        let pinned = self.add_pinned::<S>(board, king, pawns);
        self.pawns = pawns - pinned;
        self.knights = (board.role(Role::Knight) & pieces) - pinned;
        for from in self.knights {
            self.other_moves += (attacks::knight(from) - pieces).count();
        }
        self.sliders.extend(lookup, board, pieces - pinned);
        self.slider_moves = self.sliders.moves(pieces);

        let ahead = S::Other::forward(self.pawns);
        let double = S::Other::forward(ahead & color.relative(Rank::Third));
        self.area = ahead | double | ahead.west() | ahead.east();

        self.ring = attacks::king(king);
        // A piece of theirs in the ring may be captured, so its square is part of the zone.
        self.zone = self.ring;
        let mut goals = self.ring - pieces;
        for rook in (board.castling_rooks & pieces) - pinned {
            let [king_to, rook_to] = CastlingSide::of(king, rook).castled(S::Other::COLOR.back_rank());
            let king_way = attacks::between(king, king_to) | king_to;
            let way = (king_way | attacks::between(rook, rook_to) | rook_to) - king - rook;
            // A piece of theirs on the way blocks it even if it is captured, since then a piece of ours is there.
            if !way.intersects(pieces) {
                self.zone |= king_way;
                // In Chess960 the rook may be on the way of the king.
                goals |= king_way;
                self.area |= way;
                self.castling.push(Castling { rook, way, king_way });
            }
        }

        let [pawn, knight, bishop, rook, queen, king_posts] = &mut self.posts;
        let ours = board.color(S::COLOR);
        let has_diagonal = board.diagonal_sliders().intersects(ours);
        let has_orthogonal = board.orthogonal_sliders().intersects(ours);
        for square in goals {
            *pawn |= attacks::pawn(color, square);
            *knight |= attacks::knight(square);
            *king_posts |= attacks::king(square);
            if has_diagonal {
                *bishop |= lookup.bishop(square, occupied);
            }
            if has_orthogonal {
                *rook |= lookup.rook(square, occupied);
            }
        }
        *queen = *bishop | *rook;

        // If a slider pins or gives check, at most one piece is between it and the king.
        let orthogonal = lookup.rook(king, occupied - lookup.rook(king, occupied));
        let diagonal = lookup.bishop(king, occupied - lookup.bishop(king, occupied));
        self.aims = [
            attacks::pawn(color, king),
            attacks::knight(king),
            diagonal,
            orthogonal,
            orthogonal | diagonal,
            Bitboard::EMPTY,
        ];
    }

    /// The number of king moves, including castling, if `pieces` remain.
    #[inline(always)]
    fn king_moves(&self, pieces: Bitboard, occupied: Bitboard, attacked: impl FnOnce() -> Bitboard) -> u32 {
        let ring = self.ring - pieces;
        if ring.is_empty() && self.castling.is_empty() {
            return 0;
        }
        let attacked = attacked();
        let mut moves = (ring - attacked).count();
        for castling in &self.castling {
            let is_possible = pieces.contains(castling.rook)
                && !castling.way.intersects(occupied)
                && !castling.king_way.intersects(attacked);
            moves += u32::from(is_possible);
        }
        moves
    }

    /// Finds the lines of our sliders to their king, and counts the moves of the pieces pinned on them, which stay on
    /// the line. Returns the pinned pieces.
    #[inline(always)]
    fn add_pinned<S: Side>(&mut self, board: &Board, king: Square, pawns: Bitboard) -> Bitboard {
        let ours = board.color(S::COLOR);
        let orthogonal = attacks::rook_rays(king) & board.orthogonal_sliders() & ours;
        let diagonal = attacks::bishop_rays(king) & board.diagonal_sliders() & ours;
        let mut all_pinned = Bitboard::EMPTY;
        for sniper in orthogonal | diagonal {
            let line = attacks::between(king, sniper) | sniper;
            self.lines |= line;
            let pinned = (line - sniper) & board.occupied();
            if pinned.is_many() || !pinned.intersects(self.pieces) {
                continue;
            }
            all_pinned |= pinned;
            let goers = if orthogonal.contains(sniper) {
                board.orthogonal_sliders()
            } else {
                board.diagonal_sliders()
            };
            if pinned.intersects(goers) {
                self.other_moves += (line - pinned).count();
            } else if pinned.intersects(pawns) {
                let empty = line - board.occupied();
                self.other_moves += pawn_moves::<S::Other>(pinned, empty, sniper.into(), self.is_promoting);
            }
        }
        all_pinned
    }
}

impl OwnAttacks {
    #[inline(always)]
    fn fill<S: Side>(&mut self, lookup: impl Sliders, board: &Board, zone: Bitboard) {
        self.pieces = board.color(S::COLOR);
        self.pawns = board.role(Role::Pawn) & self.pieces;
        self.knights = board.role(Role::Knight) & self.pieces;
        self.knight_attacks =
            self.knights.into_iter().fold(Bitboard::EMPTY, |all, from| all | attacks::knight(from));
        self.king_attacks = attacks::king(board.king(S::COLOR));
        self.sliders.extend(lookup, board, self.pieces);
        for slider in &self.sliders.sliders {
            if slider.attacks.intersects(zone) {
                self.watchers.push(*slider);
                self.concerned |= slider.from;
            }
            for blocker in slider.attacks & self.pieces {
                let opened = attacks::beyond(slider.from, blocker) & zone;
                self.concerned |= blocker.bitboard().only_if(!opened.is_empty());
            }
        }
    }
}

impl<'a, S: Side, L: Sliders> Replies<'a, S, L> {
    /// The sum of the number of replies over all legal moves.
    #[inline(never)]
    pub(super) fn count(lookup: L, board: &'a Board) -> u64 {
        let mut replies = Self {
            lookup,
            board,
            occupied: board.occupied(),
            theirs: ReplyMoves::default(),
            ours: OwnAttacks::default(),
            their_sliders: SliderList::default(),
            watchers: SliderList::default(),
            count: 0,
            side: PhantomData,
        };
        replies.theirs.fill::<S>(lookup, board);
        replies.ours.fill::<S>(lookup, board, replies.theirs.zone);
        board.generate::<S, All, L>(lookup, &mut replies);
        replies.count
    }

    /// Counts the replies to moves of a piece to these squares, which neither give check nor change a pin. Not inlined:
    /// a copy in each of its callers would add a third of a megabyte of code and would be slower.
    #[inline(never)]
    fn add(&mut self, role: Role, from: Square, targets: Bitboard) {
        let occupied = self.occupied - from;
        let (ours, theirs) = (&self.ours, &self.theirs);
        let (mut sliders, mut slider_moves) = (&theirs.sliders, theirs.slider_moves);
        if theirs.sliders.attacks.contains(from) {
            self.their_sliders.clear();
            for slider in &theirs.sliders.sliders {
                self.their_sliders.push(slider.lifted(self.lookup, from, occupied));
            }
            sliders = &self.their_sliders;
            slider_moves = sliders.moves(theirs.pieces);
        }
        let mut watchers = &ours.watchers;
        if ours.concerned.contains(from) {
            self.watchers.clear();
            for slider in &ours.sliders.sliders {
                let slider = slider.lifted(self.lookup, from, occupied);
                if slider.from != from && slider.attacks.intersects(theirs.zone) {
                    self.watchers.push(slider);
                }
            }
            watchers = &self.watchers;
        }
        let pawns = S::forward(if role == Role::Pawn { ours.pawns - from } else { ours.pawns });
        let mut attacks = pawns.west() | pawns.east();
        if role == Role::Knight {
            for knight in ours.knights - from {
                attacks |= attacks::knight(knight);
            }
        } else {
            attacks |= ours.knight_attacks;
        }
        if role != Role::King {
            attacks |= ours.king_attacks;
        }
        let lifted =
            WithoutMover { occupied, ours: ours.pieces - from, sliders, slider_moves, attacks, watchers };

        let mut count = 0;
        let quiet = targets - theirs.pieces;
        let mut calm = quiet - sliders.attacks - theirs.area - theirs.posts[role] - watchers.attacks;
        let is_slider = matches!(role, Role::Bishop | Role::Rook | Role::Queen);
        if is_slider && theirs.posts[role].contains(from) {
            // The piece may also attack the zone backward, through the square that it leaves.
            calm = Bitboard::EMPTY;
        }
        if !calm.is_empty() {
            count += calm.count() * self.replies_anywhere(&lifted);
        }
        for to in quiet - sliders.attacks - calm {
            count += self.replies::<false, false>(role, &lifted, to);
        }
        for to in quiet & sliders.attacks {
            count += self.replies::<false, true>(role, &lifted, to);
        }
        for to in targets & theirs.pieces {
            count += self.replies::<true, true>(role, &lifted, to);
        }
        self.count += u64::from(count);
    }

    /// The number of replies to the move of a lifted piece to this square: a capture or not, on a square that their
    /// sliders attack or not.
    #[inline(always)]
    fn replies<const CAPTURES: bool, const BLOCKS: bool>(
        &self,
        role: Role,
        lifted: &WithoutMover,
        to: Square,
    ) -> u32 {
        let theirs = &self.theirs;
        let occupied = lifted.occupied | to;
        let (mut pieces, mut pawns) = (theirs.pieces, theirs.pawns);
        let mut moves = theirs.other_moves;
        if CAPTURES {
            pieces -= to;
            pawns -= to;
            moves += (attacks::knight(to) & theirs.knights).count();
            if theirs.knights.contains(to) {
                moves -= (attacks::knight(to) - theirs.pieces).count();
            }
            for slider in &lifted.sliders.sliders {
                let moves_of_it = (slider.attacks - pieces).count();
                moves += if slider.from == to { 0 } else { moves_of_it };
            }
        } else {
            moves += lifted.slider_moves;
            if BLOCKS {
                for slider in &lifted.sliders.sliders {
                    moves -= ((slider.attacks & attacks::beyond(slider.from, to)) - pieces).count();
                }
            }
        }
        moves += pawn_moves::<S::Other>(pawns, !occupied, lifted.ours | to, theirs.is_promoting);

        let attacked = || {
            let attacked = lifted.attacks | self.attacks_of(role, to, occupied);
            let watchers = lifted.watchers.sliders.iter();
            watchers
                .fold(attacked, |all, watcher| all | (watcher.attacks - attacks::beyond(watcher.from, to)))
        };
        moves + theirs.king_moves(pieces, occupied, attacked)
    }

    /// The number of replies to the move of a lifted piece to any square where it changes nothing.
    #[inline(always)]
    fn replies_anywhere(&self, lifted: &WithoutMover) -> u32 {
        let theirs = &self.theirs;
        let pawn_moves =
            pawn_moves::<S::Other>(theirs.pawns, !lifted.occupied, lifted.ours, theirs.is_promoting);
        let king_moves =
            theirs.king_moves(theirs.pieces, lifted.occupied, || lifted.attacks | lifted.watchers.attacks);
        theirs.other_moves + lifted.slider_moves + pawn_moves + king_moves
    }

    #[inline(always)]
    fn attacks_of(&self, role: Role, from: Square, occupied: Bitboard) -> Bitboard {
        match role {
            Role::Pawn => attacks::pawn(S::COLOR, from),
            Role::Knight => attacks::knight(from),
            Role::Bishop => self.lookup.bishop(from, occupied),
            Role::Rook => self.lookup.rook(from, occupied),
            Role::Queen => self.lookup.queen(from, occupied),
            Role::King => attacks::king(from),
        }
    }

    /// Counts the replies on the board after a move.
    #[inline(always)]
    fn make(&mut self, child: &Board) {
        self.count += u64::from(moves::<S::Other, L>(self.lookup, child));
    }
}

impl<S: Side, L: Sliders> Sink<S> for Replies<'_, S, L> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if targets.is_empty() {
            return;
        }
        let mut made = targets;
        if !self.theirs.lines.contains(from) {
            made &= self.theirs.lines | self.theirs.aims[role];
            self.add(role, from, targets - made);
        }
        for to in made {
            self.make(&self.board.after_move::<S>([role; 2], from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            let from = step.origin::<S>(to);
            // An en passant capture is not in any of the sets: a pawn beside the target may have one.
            let beside = to.bitboard().west() | to.bitboard().east();
            let may_be_taken = matches!(step, PawnStep::DoublePush)
                && beside.intersects(self.board.pieces(S::Other::COLOR, Role::Pawn));
            let changed = (from.bitboard() | to) & self.theirs.lines;
            if changed.is_empty() && !self.theirs.aims[Role::Pawn].contains(to) && !may_be_taken {
                self.add(Role::Pawn, from, to.bitboard());
            } else {
                self.make(&self.board.after_move::<S>([Role::Pawn; 2], from, to));
            }
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.make(&self.board.after_move::<S>([Role::Pawn, role], step.origin::<S>(to), to));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, target: Square) {
        self.make(&self.board.after_en_passant::<S>(from, target));
    }

    #[inline(always)]
    fn castle(&mut self, _king: Square, rook: Square) {
        self.make(&self.board.after_castle::<S>(rook));
    }
}
