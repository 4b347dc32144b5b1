//! The straight way to a helpmate: of the moves of each position the one that looks best is made, and none is taken back.
//!
//! Most positions have so many helpmates that this finds one, in a fraction of the time that a search takes. Moves are
//! not made to be looked at: what a move changes is worked out from the man that moves, as if no line were opened or
//! closed. Of the loser's men only the king is looked at closely, since the others have nothing to do but to wait.

use super::geometry::{corner_distance, edge_distance, rank_distance, steps};
use super::slope::Slope;
use crate::chess::attacks::{BUILT_IN, attacks, bishop, king, knight, pawn, queen, rook};
use crate::chess::generate::{All, MAX_MOVES, PawnStep, Sink, each_pawn_move};
use crate::chess::piece::{Black, Side, White};
use crate::chess::{Bitboard, Color, Key, Move, MoveKind, Position, Role, Square};
use arrayvec::ArrayVec;

/// Moves that a dive makes before it is given up.
const MAX_DIVE: usize = 40;

/// Steps to promotion without a pawn.
const NO_PAWN: u32 = 7;
/// What a queen that is still to be brought into play costs, in steps.
const NEW_QUEEN: i32 = 3;

/// Goes straight for a mate by `winner`. A capture after which `is_hopeless` is true is not made.
pub(super) fn dive(
    root: &Position,
    winner: Color,
    slope: &Slope,
    is_hopeless: impl Fn(&Position) -> bool,
) -> Option<Vec<Move>> {
    let mut line = ArrayVec::<Move, MAX_DIVE>::new();
    let mut keys = ArrayVec::<Key, MAX_DIVE>::new();
    let (mut position, mut choice) = (*root, choose(root, winner, slope, FIRST));
    while !line.is_full() {
        keys.push(position.key());
        (position, choice) = loop {
            let Choice { order, mv } = choice?;
            let child = position.after(mv).0;
            // There is a choice unless there is no move at all.
            let next = choose(&child, winner, slope, FIRST);
            if next.is_none() && child.is_check() && child.turn() != winner {
                line.push(mv);
                return Some(line.to_vec());
            }
            let is_capture = position.occupied().count() != child.occupied().count();
            let is_end = next.is_none() || keys.contains(&child.key()) || is_capture && is_hopeless(&child);
            if !is_end {
                line.push(mv);
                break (child, next);
            }
            choice = choose(&position, winner, slope, order + 1);
        };
    }
    None
}

/// A move with its place among the moves of its position, the best first.
#[derive(Clone, Copy)]
struct Choice {
    order: i32,
    mv: Move,
}

/// Before the order of any move.
const FIRST: i32 = i32::MIN;
/// The cost of a mate, which is below all others.
const MATE: i32 = FIRST / ORDERS / 2;
/// More than the moves of a position: the orders that a cost leaves room for.
const ORDERS: i32 = 512;
const _: () = assert!(MAX_MOVES < ORDERS as usize);

/// The move that looks best, of those that do not come before `from`.
fn choose(position: &Position, winner: Color, slope: &Slope, from: i32) -> Option<Choice> {
    fn of<S: Side>(position: &Position, winner: Color, slope: &Slope, from: i32) -> Option<Choice> {
        let ground = Ground::new(position, winner, slope);
        let choices = Choices { from, best: None, count: 0 };
        if S::COLOR == winner {
            let mut seeker = Seeker::new(ground, choices);
            position.generate::<S, All, _>(BUILT_IN, &mut seeker);
            seeker.choices.best
        } else {
            let mut helper = Helper { ground, choices };
            position.generate::<S, All, _>(BUILT_IN, &mut helper);
            helper.choices.best
        }
    }
    match position.turn() {
        Color::White => of::<White>(position, winner, slope, from),
        Color::Black => of::<Black>(position, winner, slope, from),
    }
}

/// The best of the moves so far that do not come before `from`.
struct Choices {
    from: i32,
    best: Option<Choice>,
    count: i32,
}

impl Choices {
    #[inline(always)]
    fn add(&mut self, cost: i32, mv: Move) {
        // Of several that cost as much, the first comes first.
        let order = cost * ORDERS + self.count;
        self.count += 1;
        if order >= self.from && self.best.is_none_or(|best| order < best.order) {
            self.best = Some(Choice { order, mv });
        }
    }
}

/// A position in a dive, with what its moves have in common.
struct Ground<'a> {
    position: &'a Position,
    slope: &'a Slope,
    winner: Color,
    /// The king that is to be mated.
    target: Square,
    /// The king of the winner.
    king: Square,
    /// The squares that the winner attacks with the other king out of the way, who does not hide the squares behind
    /// him; and those that several men attack.
    attacked: Bitboard,
    attacked_twice: Bitboard,
    /// The men of the loser other than the king.
    others: Bitboard,
    /// Whether the winner has a rook or a queen; whether he has nothing but minor pieces.
    is_heavy: bool,
    is_light: bool,
    /// What the position costs by the places of the kings, by the squares beside the loser's, and by the other men.
    kings_cost: i32,
    cage_cost: i32,
    men_cost: i32,
}

impl<'a> Ground<'a> {
    /// What there is before the moves.
    #[inline(always)]
    fn new(position: &'a Position, winner: Color, slope: &'a Slope) -> Self {
        let (target, own_king) = (position.king(!winner), position.king(winner));
        let seen_through = position.occupied() - target;
        let (mut once, mut twice) = (king(own_king), Bitboard::EMPTY);
        let mut add = |attacked: Bitboard| {
            twice |= once & attacked;
            once |= attacked;
        };
        let pawns = position.pieces(winner, Role::Pawn);
        let ahead = match winner {
            Color::White => pawns.north(),
            Color::Black => pawns.south(),
        };
        add(ahead.east());
        add(ahead.west());
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in position.pieces(winner, role) {
                add(attacks(role, winner, from, seen_through));
            }
        }
        let own = |role| position.pieces(winner, role);
        let is_heavy = !(own(Role::Rook) | own(Role::Queen)).is_empty();
        let mut ground = Self {
            position,
            slope,
            winner,
            target,
            king: own_king,
            attacked: once,
            attacked_twice: twice,
            others: position.color(!winner) - target,
            is_heavy,
            is_light: !is_heavy && pawns.is_empty(),
            kings_cost: 0,
            cage_cost: 0,
            men_cost: 0,
        };
        ground.kings_cost = ground.kings(ground.king, ground.target);
        ground.cage_cost = ground.cage(ground.target, ground.attacked, ground.others);
        if ground.is_light {
            ground.men_cost = ground.light_men(own(Role::Knight) | own(Role::Bishop), ground.others, target);
        } else if !is_heavy {
            ground.men_cost = ground.promotion(pawns);
        }
        ground
    }

    /// What the kings cost on these squares.
    #[inline(always)]
    fn kings(&self, own: Square, target: Square) -> i32 {
        let apart = steps(own, target).abs_diff(2);
        let edge = if self.is_heavy { edge_distance(target) } else { corner_distance(target) };
        self.slope.apart * apart as i32
            + self.slope.edge * edge as i32
            + self.slope.corner * corner_distance(target) as i32
    }

    /// What the squares beside the loser's king cost, with these men of his.
    #[inline(always)]
    fn cage(&self, target: Square, attacked: Bitboard, others: Bitboard) -> i32 {
        let calm = king(target) - attacked;
        self.slope.calm * calm.count() as i32 + self.slope.flights * (calm - others).count() as i32
    }

    /// Where there are only knights and bishops, men of the loser are no hindrance but needed, beside the king.
    fn light_men(&self, minors: Bitboard, others: Bitboard, target: Square) -> i32 {
        let pawns = self.position.pieces(!self.winner, Role::Pawn) & others;
        let apart: u32 = (minors | (others - pawns)).into_iter().map(|from| steps(from, target)).sum();
        let wall: u32 = pawns.into_iter().map(|pawn| rank_distance(pawn, !self.winner)).sum();
        self.slope.hindrance * apart as i32 + self.slope.wall * wall as i32
    }

    /// What the way to a queen costs.
    fn promotion(&self, pawns: Bitboard) -> i32 {
        let nearest = pawns.into_iter().map(|pawn| rank_distance(pawn, self.winner)).min();
        self.slope.promotion * (nearest.unwrap_or(NO_PAWN) as i32 + NEW_QUEEN)
    }

    /// What it gains to capture what stands on this square.
    #[inline(always)]
    fn prey(&self, to: Square) -> i32 {
        if !self.others.contains(to) || self.is_light {
            0
        } else if self.position.role(Role::Pawn).contains(to) {
            self.slope.wall
        } else {
            self.slope.hindrance
        }
    }

    /// The knights and bishops of the winner.
    fn minors(&self) -> Bitboard {
        self.position.pieces(self.winner, Role::Knight) | self.position.pieces(self.winner, Role::Bishop)
    }
}

/// Appraises the moves of the winner.
struct Seeker<'a> {
    ground: Ground<'a>,
    choices: Choices,
    /// The diagonals and straight lines on which the king, or a square beside him that nobody attacks, is attacked.
    diagonal: Bitboard,
    orthogonal: Bitboard,
}

impl<'a> Seeker<'a> {
    /// Nothing has been appraised yet.
    #[inline(always)]
    fn new(ground: Ground<'a>, choices: Choices) -> Self {
        let seen_through = ground.position.occupied() - ground.target;
        // Only rooks and queens have so many moves that it pays to know which are of use.
        let wanted = ((king(ground.target) - ground.attacked) | ground.target).only_if(ground.is_heavy);
        let mut seeker = Self { diagonal: Bitboard::EMPTY, orthogonal: Bitboard::EMPTY, ground, choices };
        for square in wanted {
            seeker.diagonal |= bishop(square, seen_through);
            seeker.orthogonal |= rook(square, seen_through);
        }
        seeker
    }
}

impl Seeker<'_> {
    /// A move of a man other than the king, who attacks these squares from where he is and those from where he goes.
    #[inline(always)]
    fn add(&mut self, mv: Move, before: Bitboard, after: Bitboard, men_cost: i32) {
        let ground = &self.ground;
        let to = mv.to();
        // What only the man that moves has attacked is free.
        let rest = ground.attacked - (before - ground.attacked_twice);
        let attacked = rest | after;
        let others = ground.others - to;
        let calm = king(ground.target) - attacked;
        let cage = ground.cage(ground.target, attacked, others);
        let is_tight = (calm - others).is_empty() && attacked.contains(ground.target);
        let mut cost = cage - ground.cage_cost - ground.prey(to) + men_cost;
        if attacked.contains(ground.target) {
            cost += ground.slope.check;
        }
        if is_tight {
            let answers = answers(ground.position, mv);
            // A mate is made at once.
            cost = if answers == 0 { MATE } else { cost + ground.slope.answers * answers };
        }
        self.choices.add(cost, mv);
    }

    /// A move of the king.
    #[inline(never)]
    fn add_king(&mut self, to: Square) {
        let ground = &self.ground;
        let mv = Move::new(ground.king, to, MoveKind::Normal);
        let rest = ground.attacked - (king(ground.king) - ground.attacked_twice);
        let attacked = rest | king(to);
        let mut cost = ground.cage(ground.target, attacked, ground.others - to) - ground.cage_cost;
        cost += ground.kings(to, ground.target) - ground.kings_cost - ground.prey(to);
        if ground.is_light && ground.others.contains(to) {
            cost += ground.light_men(ground.minors(), ground.others - to, ground.target) - ground.men_cost;
        }
        self.choices.add(cost, mv);
    }

    /// Moves of a piece other than the king, who attacks what `attacks` tells.
    ///
    /// Not inlined, as neither is what follows: what the generator has many copies of would not fit the cache.
    #[inline(never)]
    fn add_piece(
        &mut self,
        from: Square,
        targets: Bitboard,
        (posts, step_cost): (Bitboard, i32),
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        let seen_through = self.ground.position.occupied() - self.ground.target;
        let before = attacks(from, seen_through);
        if self.ground.is_light {
            for to in targets {
                let ground = &self.ground;
                let minors = (ground.minors() - from) | to;
                let men_cost = ground.light_men(minors, ground.others - to, ground.target) - ground.men_cost;
                let after = attacks(to, seen_through - from);
                self.add(Move::new(from, to, MoveKind::Normal), before, after, men_cost);
            }
            return;
        }
        // Of those that are of no use one is as good as another.
        let useful = targets & (posts | self.ground.others);
        for to in useful | first_of(targets - useful) {
            let after = attacks(to, seen_through - from);
            let nearer = steps(to, self.ground.target) as i32 - steps(from, self.ground.target) as i32;
            self.add(Move::new(from, to, MoveKind::Normal), before, after, step_cost * nearer);
        }
    }

    /// A move of a pawn.
    #[inline(never)]
    fn add_pawn(&mut self, mv: Move) {
        let ground = &self.ground;
        let to = mv.to();
        let before = pawn(ground.winner, mv.from());
        let role = mv.promotion().unwrap_or(Role::Pawn);
        let after = attacks(role, ground.winner, to, ground.position.occupied() - ground.target - mv.from());
        let men_cost = match role {
            _ if ground.is_heavy => 0,
            Role::Pawn => (ground.promotion(to.bitboard()) - ground.men_cost).min(0),
            Role::Rook | Role::Queen => -ground.men_cost,
            _ => 0,
        };
        self.add(mv, before, after, men_cost);
    }
}

impl<S: Side> Sink<S> for Seeker<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        let minor = (Bitboard::ALL, self.ground.slope.minor);
        let straight = self.orthogonal;
        match role {
            Role::Pawn | Role::King => targets.into_iter().for_each(|to| self.add_king(to)),
            Role::Knight => self.add_piece(from, targets, minor, |from, _| knight(from)),
            Role::Bishop => self.add_piece(from, targets, minor, bishop),
            Role::Rook => self.add_piece(from, targets, (straight, 0), rook),
            Role::Queen => self.add_piece(from, targets, (straight | self.diagonal, 0), queen),
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        each_pawn_move::<S, _>(step, targets, [MoveKind::Normal], |mv| self.add_pawn(mv));
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        each_pawn_move::<S, _>(step, targets, MoveKind::PROMOTIONS, |mv| self.add_pawn(mv));
    }

    fn en_passant(&mut self, from: Square, target: Square) {
        self.add_pawn(Move::new(from, target, MoveKind::EnPassant));
    }

    fn castle(&mut self, king: Square, rook: Square) {
        self.choices.add(0, Move::new(king, rook, MoveKind::Castle));
    }
}

/// Appraises the moves of the loser.
struct Helper<'a> {
    ground: Ground<'a>,
    choices: Choices,
}

impl Helper<'_> {
    /// A move of the king.
    #[inline(never)]
    fn add_king(&mut self, to: Square) {
        let ground = &self.ground;
        let mut cost = ground.cage(to, ground.attacked, ground.others) - ground.cage_cost;
        cost += ground.kings(ground.king, to) - ground.kings_cost;
        if ground.is_light {
            cost += ground.light_men(ground.minors() - to, ground.others, to) - ground.men_cost;
        } else {
            cost += self.loss(to);
        }
        self.choices.add(cost, Move::new(ground.target, to, MoveKind::Normal));
    }

    /// What the winner loses by a capture on this square.
    #[inline(always)]
    fn loss(&self, to: Square) -> i32 {
        let ground = &self.ground;
        let position = ground.position;
        if !position.color(ground.winner).contains(to) {
            return 0;
        }
        let heavy = (position.role(Role::Rook) | position.role(Role::Queen)) & position.color(ground.winner);
        if heavy == to.bitboard() || !ground.is_heavy {
            let pawns = position.pieces(ground.winner, Role::Pawn) - to;
            return ground.promotion(pawns) - ground.men_cost + ground.slope.capture;
        }
        ground.slope.capture
    }

    /// Moves of a piece other than the king.
    #[inline(never)]
    fn add_piece(&mut self, from: Square, targets: Bitboard) {
        for to in self.useful(from, targets) {
            self.add(Move::new(from, to, MoveKind::Normal));
        }
    }

    /// A move of a pawn.
    #[inline(never)]
    fn add_pawn(&mut self, mv: Move) {
        self.add(mv);
    }

    /// Of the moves that only wait one is as good as another.
    #[inline(always)]
    fn useful(&self, from: Square, targets: Bitboard) -> Bitboard {
        let ground = &self.ground;
        let zone = king(ground.target);
        if ground.is_light || zone.contains(from) {
            return targets;
        }
        let useful = targets & (zone | ground.position.color(ground.winner));
        useful | first_of(targets - useful)
    }

    /// A move of a man other than the king.
    #[inline(always)]
    fn add(&mut self, mv: Move) {
        let ground = &self.ground;
        let (from, to) = (mv.from(), mv.to());
        let mut cost = 0;
        let zone = king(ground.target);
        if ground.slope.flights != 0 && zone.intersects(from.bitboard() | to) {
            cost +=
                ground.cage(ground.target, ground.attacked, (ground.others - from) | to) - ground.cage_cost;
        }
        if ground.is_light {
            let others = (ground.others - from) | to;
            cost += ground.light_men(ground.minors() - to, others, ground.target) - ground.men_cost;
        } else {
            cost += self.loss(to);
            if mv.promotion().is_some() {
                cost += ground.slope.hindrance - ground.slope.wall;
            }
        }
        self.choices.add(cost, mv);
    }
}

impl<S: Side> Sink<S> for Helper<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if role == Role::King {
            for to in targets {
                self.add_king(to);
            }
        } else {
            self.add_piece(from, targets);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        each_pawn_move::<S, _>(step, targets, [MoveKind::Normal], |mv| self.add_pawn(mv));
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        each_pawn_move::<S, _>(step, targets, MoveKind::PROMOTIONS, |mv| self.add_pawn(mv));
    }

    fn en_passant(&mut self, from: Square, target: Square) {
        self.add_pawn(Move::new(from, target, MoveKind::EnPassant));
    }

    fn castle(&mut self, king: Square, rook: Square) {
        self.choices.add(0, Move::new(king, rook, MoveKind::Castle));
    }
}

/// The number of legal answers to a move.
#[inline(never)]
fn answers(position: &Position, mv: Move) -> i32 {
    position.after(mv).0.legal_moves().len() as i32
}

/// The first of these squares, if there is one.
#[inline(always)]
fn first_of(squares: Bitboard) -> Bitboard {
    Bitboard::from_bits(squares.bits() & squares.bits().wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::dead::slope::{CHASE, DRIVE, RUN, slopes};
    use crate::chess::samples::position;

    fn found(position: &Position, winner: Color, slope: &Slope) -> Option<Vec<Move>> {
        dive(position, winner, slope, |_| false)
    }

    #[test]
    fn a_mate_is_made_at_once() {
        let cases = [
            ("by a rook", "6k1/5ppp/8/8/8/8/8/R5K1 w -"),
            ("by a queen", "k7/8/1K6/8/8/8/8/6Q1 w -"),
            ("by a promotion", "k7/7P/1K6/8/8/8/8/8 w -"),
        ];
        for (name, fen) in cases {
            for slope in [&CHASE, &DRIVE, &RUN] {
                assert_eq!(
                    found(&position(fen), Color::White, slope).map(|line| line.len()),
                    Some(1),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn what_is_found_is_a_short_line_of_legal_moves_to_mate() {
        let cases = [
            ("the start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
            ("a queen", "4k3/8/8/8/8/8/8/3QK3 w -"),
            ("a rook", "4k3/8/8/8/8/8/8/R3K3 b -"),
        ];
        for (name, fen) in cases {
            let root = position(fen);
            let lines =
                slopes(&root, Color::White).into_iter().filter_map(|slope| found(&root, Color::White, slope));
            let mut count = 0;
            for line in lines {
                let end = line.iter().try_fold(root, |position, &mv| position.play(mv)).expect("legal moves");
                assert!(end.is_check() && end.legal_moves().is_empty(), "{name}: {line:?}");
                assert!(end.turn() == Color::Black && line.len() <= MAX_DIVE, "{name}: {line:?}");
                count += 1;
            }
            assert!(count > 0, "{name}");
        }
    }

    #[test]
    fn what_is_hopeless_is_not_entered() {
        // The king must take the queen.
        let root = position("k7/1Q6/8/8/8/8/8/6K1 b -");
        assert_eq!(dive(&root, Color::White, &CHASE, |_| true), None);
    }
}
