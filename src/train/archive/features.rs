//! The features of a legal move by which the archive predicts it: an index for each group of features.
//!
//! The features are part of the format. They depend only on the rules of chess, not on a search or an evaluation, and
//! never change.

use crate::chess::{Bitboard, Color, Move, Position, Role, Square, attacks};

/// The number of groups of features. Each legal move has exactly one feature of each group.
pub(super) const GROUPS: usize = 18;

/// The features of a move, as indices of one table.
pub(super) type Features = [u32; GROUPS];

/// The number of squares.
const SQUARES: usize = Square::COUNT;
/// The number of combinations of role and square.
const PLACES: usize = Role::COUNT * SQUARES;
/// The number of values of a captured role, including none.
const VICTIMS: usize = Role::COUNT;
/// The number of kinds of danger to a piece on a square.
const DANGERS: usize = 4;
/// The number of distances between squares, in king moves from 0 to 7.
const DISTANCES: usize = 8;
/// The number of phases: many pieces or few.
const PHASES: usize = 2;
/// The minimum number of pieces of a position with many pieces.
const MANY_PIECES: u32 = 20;

/// The groups that are learned separately in each game come last: the target of a piece of a color, and the origin and
/// target of a move.
const FIRST_OF_GAME: usize = GROUPS - 2;

/// The number of features of each group.
const SIZES: [usize; GROUPS] = [
    PLACES * PHASES,                           // the piece and its target
    PLACES * PHASES,                           // the piece and its origin
    VICTIMS * Role::COUNT * DANGERS * DANGERS, // the captured and the capturing piece, the dangers on target and origin
    2 * 2 * VICTIMS * DANGERS, // whether to the target of the last move, and whether that was a capture
    CHECKS * Role::COUNT * DANGERS * 2, // whether the move gives check
    VICTIMS * Role::COUNT * DANGERS, // the most valuable piece that the moved piece attacks from its target
    2 * Role::COUNT * DANGERS * DANGERS, // whether the piece escapes the attack of the piece that has just moved
    RETURNS * Role::COUNT * 2 * 2,       // whether the same piece moves again
    MOBILITIES * Role::COUNT,            // the number of attacked squares, compared to before
    3 * 2 * 2 * DANGERS * Role::COUNT,   // pieces in danger, and whether the moving piece is one
    Role::COUNT * DISTANCES * DISTANCES, // distances to the other king
    Role::COUNT * DISTANCES * DISTANCES, // distances to the own king
    Role::COUNT * DISTANCES * DISTANCES, // distances to the last move's target
    7 * 2 * 8 * DANGERS,                 // the kind of move; for pawns whether passed, and the rank
    (PLACES + 1) * PLACES,               // the other side's last move and this one
    (PLACES + 1) * PLACES,               // the own last move and this one
    Color::COUNT * PLACES,               // of this game: the piece and its target
    Color::COUNT * SQUARES * SQUARES,    // of this game: origin and target
];

const CHECKS: usize = 3;
const RETURNS: usize = 3;
/// The number of values of a change of mobility, -8 to 8.
const MOBILITIES: usize = 17;

/// The first feature of each group.
const OFFSETS: [usize; GROUPS] = {
    let mut offsets = [0; GROUPS];
    let mut group = 1;
    while group < GROUPS {
        offsets[group] = offsets[group - 1] + SIZES[group - 1];
        group += 1;
    }
    offsets
};

/// All features of all groups.
pub(super) const FEATURES: usize = OFFSETS[GROUPS - 1] + SIZES[GROUPS - 1];
/// The first feature that is learned separately in each game.
pub(super) const GAME_FEATURES: usize = OFFSETS[FIRST_OF_GAME];

/// A move that was played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    role: Role,
    from: Square,
    /// The current square of the piece.
    to: Square,
    is_capture: bool,
}

impl Played {
    pub(super) fn new(position: &Position, mv: Move) -> Self {
        Self {
            role: position.role_at(mv.from()).expect("a legal move starts from a piece"),
            from: mv.from(),
            to: mv.landing(),
            is_capture: position.captured_role(mv).is_some(),
        }
    }
}

/// A position with the data from which the features of its moves are computed.
#[derive(Debug)]
pub(super) struct MoveFeatures<'a> {
    position: &'a Position,
    us: Color,
    occupied: Bitboard,
    /// The squares that the other side attacks.
    attacked: Bitboard,
    /// For each role, the squares that less valuable pieces of the other side attack.
    attacked_by_lesser: [Bitboard; Role::COUNT],
    /// The squares that our side attacks at least once, and at least twice.
    guarded: Bitboard,
    guarded_twice: Bitboard,
    /// For each role, the squares from which it gives check.
    checks: [Bitboard; Role::COUNT],
    /// Our pieces between one of our sliders and the other king.
    hiding: Bitboard,
    /// Our pieces in danger.
    in_danger: Bitboard,
    phase: usize,
    their_last: Option<Played>,
    our_last: Option<Played>,
    /// The squares that the piece that has just moved attacks.
    newly_attacked: Bitboard,
}

impl<'a> MoveFeatures<'a> {
    /// `their_last` and `our_last` are the last moves before the position.
    pub(super) fn new(position: &'a Position, [their_last, our_last]: [Option<Played>; 2]) -> Self {
        let us = position.turn();
        let occupied = position.occupied();
        let king = position.king(!us);
        let orthogonal = attacks::rook(king, occupied);
        let diagonal = attacks::bishop(king, occupied);
        let (mut guarded, mut guarded_twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for from in position.color(us) {
            let Some(role) = position.role_at(from) else { continue };
            let reached = attacks::attacks(role, us, from, occupied);
            guarded_twice |= guarded & reached;
            guarded |= reached;
        }
        let newly_attacked = their_last
            .and_then(|last| Some(attacks::attacks(position.role_at(last.to)?, !us, last.to, occupied)))
            .unwrap_or(Bitboard::EMPTY);
        let theirs = position.attack_map(!us);
        let mut this = Self {
            position,
            us,
            occupied,
            attacked: theirs.by_any,
            attacked_by_lesser: theirs.by_lesser(),
            guarded,
            guarded_twice,
            checks: [
                attacks::pawn(!us, king),
                attacks::knight(king),
                diagonal,
                orthogonal,
                diagonal | orthogonal,
                Bitboard::EMPTY,
            ],
            hiding: Bitboard::EMPTY,
            in_danger: Bitboard::EMPTY,
            phase: usize::from(occupied.count() >= MANY_PIECES),
            their_last,
            our_last,
            newly_attacked,
        };
        let ours = position.color(us);
        let snipers = attacks::rook_rays(king) & position.orthogonal_sliders()
            | attacks::bishop_rays(king) & position.diagonal_sliders();
        for sniper in snipers & ours {
            let between = attacks::between(king, sniper) & occupied;
            if between.single().is_some() {
                this.hiding |= between & ours;
            }
        }
        for square in ours {
            if let Some(role) = position.role_at(square)
                && role != Role::King
                && matches!(this.danger(role, square, guarded), BY_LESSER | UNGUARDED)
            {
                this.in_danger |= square;
            }
        }
        this
    }

    /// The danger to a piece of ours on a square, if our side guards the squares `guarded`.
    #[inline]
    fn danger(&self, role: Role, square: Square, guarded: Bitboard) -> usize {
        if !self.attacked.contains(square) {
            SAFE
        } else if self.attacked_by_lesser[role].contains(square) {
            BY_LESSER
        } else if guarded.contains(square) {
            GUARDED
        } else {
            UNGUARDED
        }
    }

    /// The features of a legal move, and its kind for the contexts of the coder.
    pub(super) fn features(&self, mv: Move) -> (Features, Kind) {
        let position = self.position;
        let (from, to) = (mv.from(), mv.landing());
        let role = position.role_at(from).unwrap_or(Role::Pawn);
        let seen = |square: Square| match self.us {
            Color::White => square,
            Color::Black => square.flip_rank(),
        };
        let victim = position.captured_role(mv).map_or(0, |role| role as usize + 1).min(VICTIMS - 1);
        let is_capture = usize::from(victim > 0);
        // The moving piece guards its target before the move, but not after it; an advancing pawn does not guard its
        // target.
        let is_advance = role == Role::Pawn && from.file() == to.file();
        let guarded = if is_advance { self.guarded } else { self.guarded_twice };
        let after = mv.promotion().unwrap_or(role);
        let danger_there = self.danger(after, to, guarded);
        let danger_here = self.danger(role, from, self.guarded);
        let check = if self.checks[after].contains(to) { 2 } else { usize::from(self.hiding.contains(from)) };

        let before = attacks::attacks(role, self.us, from, self.occupied);
        let reached = attacks::attacks(after, self.us, to, self.occupied - from);
        let theirs = position.color(!self.us);
        // The most valuable piece that is attacked, and is worth more or undefended: 1 for a pawn to 5 for the queen, 0
        // for none.
        let is_prey = |man: Role| {
            let targets = reached & theirs & position.role(man);
            let hanging = if man as usize <= after as usize { targets - self.attacked } else { targets };
            !hanging.is_empty()
        };
        let men = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let prey = men.into_iter().rposition(is_prey).map_or(0, |index| index + 1);
        let change = reached.count() as i32 - before.count() as i32;
        let mobility = (change + 8).clamp(0, MOBILITIES as i32 - 1) as usize;

        let is_on_last = usize::from(self.their_last.is_some_and(|last| last.to == to));
        let last_captured = usize::from(self.their_last.is_some_and(|last| last.is_capture));
        let is_chased = usize::from(self.newly_attacked.contains(from));
        let returns = match self.our_last {
            Some(last) if last.to == from => 1 + usize::from(last.from == to),
            _ => 0,
        };
        let in_danger = self.in_danger.count().min(2) as usize;
        let is_in_danger = usize::from(self.in_danger.contains(from));
        let distances = |other: Square| {
            (role as usize * DISTANCES + distance(from, other)) * DISTANCES + distance(to, other)
        };
        let place = role as usize * SQUARES + seen(to) as usize;
        let origin = role as usize * SQUARES + seen(from) as usize;
        let rank = seen(to).rank() as usize;
        let is_passed = usize::from(role == Role::Pawn && self.is_passed(to));
        let after_last = |last: Option<Played>| {
            let last = last.map_or(PLACES, |last| last.role as usize * SQUARES + seen(last.to) as usize);
            last * PLACES + place
        };
        let us = self.us as usize;

        let indices = [
            place * PHASES + self.phase,
            origin * PHASES + self.phase,
            ((victim * Role::COUNT + role as usize) * DANGERS + danger_there) * DANGERS + danger_here,
            ((is_on_last * 2 + last_captured) * VICTIMS + victim) * DANGERS + danger_there,
            ((check * Role::COUNT + role as usize) * DANGERS + danger_there) * 2 + is_capture,
            (prey * Role::COUNT + role as usize) * DANGERS + danger_there,
            ((is_chased * Role::COUNT + role as usize) * DANGERS + danger_there) * DANGERS + danger_here,
            ((returns * Role::COUNT + role as usize) * 2 + is_capture) * 2 + last_captured,
            mobility * Role::COUNT + role as usize,
            (((in_danger * 2 + is_in_danger) * 2 + is_capture) * DANGERS + danger_there) * Role::COUNT
                + role as usize,
            distances(position.king(!self.us)),
            distances(position.king(self.us)),
            distances(self.their_last.map_or(position.king(!self.us), |last| last.to)),
            ((mv.kind() as usize * 2 + is_passed) * 8 + if role == Role::Pawn { rank } else { 0 }) * DANGERS
                + danger_there,
            after_last(self.their_last),
            after_last(self.our_last),
            us * PLACES + place,
            (us * SQUARES + from as usize) * SQUARES + to as usize,
        ];
        let mut features = [0; GROUPS];
        for (group, index) in indices.into_iter().enumerate() {
            debug_assert!(index < SIZES[group], "group {group}: {index}");
            features[group] = (OFFSETS[group] + index) as u32;
        }
        let kind = Kind {
            material: ((victim * Role::COUNT + role as usize) * DANGERS + danger_there) * 2 + is_on_last,
            place: (place * 2 + is_in_danger) * 3 + check,
            is_capture: is_capture == 1,
        };
        (features, kind)
    }

    /// Whether no pawn of the other side can stop or capture a pawn of ours on its way from this square.
    fn is_passed(&self, square: Square) -> bool {
        let file = square.file().squares();
        let files = file | file.east() | file.west();
        let pawns = self.position.pieces(!self.us, Role::Pawn) & files;
        let is_ahead = |pawn: Square| match self.us {
            Color::White => pawn.rank() > square.rank(),
            Color::Black => pawn.rank() < square.rank(),
        };
        !pawns.into_iter().any(is_ahead)
    }
}

/// The piece is not attacked.
const SAFE: usize = 0;
/// The piece is attacked by a less valuable piece.
const BY_LESSER: usize = 1;
/// The piece is attacked and guarded.
const GUARDED: usize = 2;
/// The piece is attacked and not guarded.
const UNGUARDED: usize = 3;

/// The kind of a move, for the contexts of the coder.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Kind {
    /// The piece, the captured piece, the danger to the piece on its target, and whether the target is that of the last
    /// move; below [`MATERIALS`].
    pub(super) material: usize,
    /// The piece and its target, whether it was in danger, and whether it gives check; below [`KIND_PLACES`].
    pub(super) place: usize,
    pub(super) is_capture: bool,
}

pub(super) const MATERIALS: usize = VICTIMS * Role::COUNT * DANGERS * 2;
pub(super) const KIND_PLACES: usize = PLACES * 2 * 3;

/// The distance of two squares in king moves.
fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    files.max((a.rank() as usize).abs_diff(b.rank() as usize))
}
