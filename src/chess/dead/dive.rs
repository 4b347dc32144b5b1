//! The straight way to a helpmate: of the moves of each position the one that looks best is made, and none is taken back.
//!
//! Most positions have so many helpmates that this finds one, in a fraction of the time that a search takes. Moves are
//! not made to be looked at: what a move changes is worked out from the man that moves, as if no line were opened or
//! closed. Of the loser's men only the king is looked at closely, since the others have nothing to do but to wait.

use super::geometry::{corner_distance, edge_distance, rank_distance, steps};
use crate::chess::attacks::{BUILT_IN, attacks, king, pawn};
use crate::chess::generate::{All, PawnStep, Sink};
use crate::chess::piece::{Black, Side, White};
use crate::chess::{Bitboard, Color, Key, Move, MoveKind, Position, Role, Square};
use arrayvec::ArrayVec;

/// Moves that a dive makes before it is given up.
const MAX_DIVE: usize = 40;

/// What counts in a dive. The numbers are of our own making and found by trial.
#[derive(Clone, Debug)]
pub(super) struct Slope {
    /// Squares beside the loser's king that are not attacked.
    calm: i32,
    /// Those of them that he can go to.
    flights: i32,
    /// How far the kings are from being two squares apart.
    apart: i32,
    /// Steps of the loser's king to the edge, or to the corner without rooks and queens.
    edge: i32,
    /// Pieces of the loser; with nothing but minor pieces, the steps of all pieces to his king.
    hindrance: i32,
    /// Pawns of the loser; with nothing but minor pieces, their steps to promotion.
    wall: i32,
    /// Steps until a pawn promotes.
    promotion: i32,
    /// Answers to a check that leaves the king no square.
    answers: i32,
}

/// Several ways down: what one of them overlooks another often finds.
pub(super) const SLOPES: [Slope; 2] = [
    Slope { calm: 4, flights: 0, apart: 24, edge: 35, hindrance: 55, wall: 10, promotion: 5, answers: 10 },
    Slope { calm: 0, flights: 0, apart: 10, edge: 30, hindrance: 3, wall: 19, promotion: 20, answers: 1 },
];

/// Goes straight for a mate by `winner`. Material of which `is_hopeless` is true after a capture is not entered.
pub(super) fn dive(
    root: &Position,
    winner: Color,
    slope: &Slope,
    is_hopeless: impl Fn(&Position) -> bool,
) -> Option<Vec<Move>> {
    let mut line = ArrayVec::<Move, MAX_DIVE>::new();
    let mut keys = ArrayVec::<Key, MAX_DIVE>::new();
    let mut position = *root;
    let mut choice = choose(root, winner, slope, FIRST);
    while !line.is_full() {
        keys.push(position.key());
        (position, choice) = loop {
            let Choice { order, mv } = choice?;
            let child = position.after(mv).0;
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

/// A move with its place among the moves of its position.
#[derive(Clone, Copy)]
struct Choice {
    order: i32,
    mv: Move,
}

/// Before the order of any move.
const FIRST: i32 = i32::MIN;

/// The move that looks best, of those that do not come before `from`.
fn choose(position: &Position, winner: Color, slope: &Slope, from: i32) -> Option<Choice> {
    fn of<S: Side>(position: &Position, winner: Color, slope: &Slope, from: i32) -> Option<Choice> {
        let ground = Ground::new(position, winner, slope);
        let choices = Choices { from, best: None, count: 0 };
        if S::COLOR == winner {
            let mut seeker = Seeker { ground, choices };
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

/// The best of the moves so far.
struct Choices {
    from: i32,
    best: Option<Choice>,
    count: i32,
}

impl Choices {
    #[inline(always)]
    fn add(&mut self, cost: i32, mv: Move) {
        // Of several that cost as much, the first comes first.
        let order = cost * 512 + self.count;
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
    /// What the place of the kings costs, and the squares beside the loser's.
    kings_cost: i32,
    cage_cost: i32,
    men_cost: i32,
}

impl<'a> Ground<'a> {
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
            ground.men_cost = slope.promotion * ground.nearest_promotion(pawns);
        }
        ground
    }

    #[inline(always)]
    fn kings(&self, own: Square, target: Square) -> i32 {
        let apart = steps(own, target).abs_diff(2);
        let edge = if self.is_heavy { edge_distance(target) } else { corner_distance(target) };
        self.slope.apart * apart as i32 + self.slope.edge * edge as i32
    }

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

    fn nearest_promotion(&self, pawns: Bitboard) -> i32 {
        const NO_PAWN: u32 = 7;
        let nearest = pawns.into_iter().map(|pawn| rank_distance(pawn, self.winner)).min();
        nearest.unwrap_or(NO_PAWN) as i32 + 3
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

    fn minors(&self) -> Bitboard {
        self.position.pieces(self.winner, Role::Knight) | self.position.pieces(self.winner, Role::Bishop)
    }
}

/// Appraises the moves of the winner.
struct Seeker<'a> {
    ground: Ground<'a>,
    choices: Choices,
}

impl Seeker<'_> {
    /// A move of a man other than the king, who attacks these squares from where he is.
    #[inline(always)]
    fn add(&mut self, mv: Move, role: Role, before: Bitboard, men_cost: i32) {
        let ground = &self.ground;
        let (from, to) = (mv.from(), mv.to());
        let seen_through = ground.position.occupied() - ground.target - from;
        // What only the man that moves has attacked is free.
        let rest = ground.attacked - (before - ground.attacked_twice);
        let attacked = rest | attacks(role, ground.winner, to, seen_through);
        let others = ground.others - to;
        let calm = king(ground.target) - attacked;
        let cage =
            ground.slope.calm * calm.count() as i32 + ground.slope.flights * (calm - others).count() as i32;
        let is_tight = (calm - others).is_empty() && attacked.contains(ground.target);
        let mut cost = cage - ground.cage_cost - ground.prey(to) + men_cost;
        if is_tight {
            let answers = ground.position.after(mv).0.legal_moves().len() as i32;
            // A mate is made at once.
            cost = if answers == 0 { i32::MIN / 1024 } else { cost + ground.slope.answers * answers };
        }
        self.choices.add(cost, mv);
    }

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

    #[inline(always)]
    fn add_pawn(&mut self, from: Square, to: Square, kind: MoveKind) {
        let ground = &self.ground;
        let before = pawn(ground.winner, from);
        let mv = Move::new(from, to, kind);
        if let Some(role) = mv.promotion() {
            let is_heavy = matches!(role, Role::Rook | Role::Queen);
            let men_cost = if ground.is_heavy || !is_heavy { 0 } else { -ground.men_cost };
            return self.add(mv, role, before, men_cost);
        }
        let mut men_cost = 0;
        if !ground.is_heavy {
            let after = ground.slope.promotion * (rank_distance(to, ground.winner) as i32 + 3);
            men_cost = (after - ground.men_cost).min(0);
        }
        self.add(mv, Role::Pawn, before, men_cost);
    }
}

impl<S: Side> Sink<S> for Seeker<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if role == Role::King {
            for to in targets {
                self.add_king(to);
            }
            return;
        }
        let ground = &self.ground;
        let before = attacks(role, S::COLOR, from, ground.position.occupied() - ground.target);
        for to in targets {
            let ground = &self.ground;
            let men_cost = if ground.is_light {
                let minors = (ground.minors() - from) | to;
                ground.light_men(minors, ground.others - to, ground.target) - ground.men_cost
            } else {
                0
            };
            self.add(Move::new(from, to, MoveKind::Normal), role, before, men_cost);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            self.add_pawn(step.origin::<S>(to), to, MoveKind::Normal);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            for kind in [
                MoveKind::PromoteQueen,
                MoveKind::PromoteRook,
                MoveKind::PromoteBishop,
                MoveKind::PromoteKnight,
            ] {
                self.add_pawn(step.origin::<S>(to), to, kind);
            }
        }
    }

    fn en_passant(&mut self, from: Square, target: Square) {
        self.add_pawn(from, target, MoveKind::EnPassant);
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
        if !position.color(ground.winner).contains(to) || position.role(Role::Knight).contains(to) {
            return 0;
        }
        let heavy = (position.role(Role::Rook) | position.role(Role::Queen)) & position.color(ground.winner);
        if heavy == to.bitboard() || !ground.is_heavy {
            let pawns = position.pieces(ground.winner, Role::Pawn) - to;
            return ground.slope.promotion * ground.nearest_promotion(pawns) - ground.men_cost;
        }
        0
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
        for to in targets {
            if role == Role::King {
                self.add_king(to);
            } else {
                self.add(Move::new(from, to, MoveKind::Normal));
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            self.add(Move::new(step.origin::<S>(to), to, MoveKind::Normal));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            for kind in [
                MoveKind::PromoteQueen,
                MoveKind::PromoteRook,
                MoveKind::PromoteBishop,
                MoveKind::PromoteKnight,
            ] {
                self.add(Move::new(step.origin::<S>(to), to, kind));
            }
        }
    }

    fn en_passant(&mut self, from: Square, target: Square) {
        self.add(Move::new(from, target, MoveKind::EnPassant));
    }

    fn castle(&mut self, king: Square, rook: Square) {
        self.choices.add(0, Move::new(king, rook, MoveKind::Castle));
    }
}
