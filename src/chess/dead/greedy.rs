//! A greedy search for a helpmate: it makes the move of the lowest cost in each position and never takes a move back.
//!
//! Most positions have so many helpmates that this search finds one, in a fraction of the time of a full search. Moves
//! are not made to compute their costs: the effect of a move is derived from the piece that moves, as if it opened and
//! closed no lines. Of the loser's pieces only the king is examined closely, since the others only have to wait.

use super::geometry::{
    Attacked, corner_distance, diagonals, disc, edge_distance, lines, rank_distance, steps,
};
use super::series;
use super::weights::Weights;
use crate::chess::attacks::{BUILT_IN, attacks, between, bishop, king, knight, pawn, pawns, queen, rook};
use crate::chess::generate::{All, MAX_MOVES, PawnStep, Sink, each_pawn_move};
use crate::chess::piece::{Black, Side, White};
use crate::chess::{Bitboard, Color, Key, Move, MoveKind, Position, Role, Square};
use arrayvec::ArrayVec;

/// The maximum length of a line, in plies.
const MAX_PLIES: usize = 40;

/// The promotion distance of a side without pawns, in steps.
const NO_PAWN: u32 = 7;
/// The cost of bringing a new queen into play, in steps.
const NEW_QUEEN: i32 = 3;

/// Searches greedily for a mate by `winner` with these weights; `None` if the search ends without one. Captures after
/// which `is_hopeless` returns true are not made.
pub(super) fn search(
    root: &Position,
    winner: Color,
    weights: &Weights,
    is_hopeless: impl Fn(&Position) -> bool,
) -> Option<Vec<Move>> {
    let mut line = ArrayVec::<Move, MAX_PLIES>::new();
    let mut keys = ArrayVec::<Key, MAX_PLIES>::new();
    let (mut position, mut attacked) = (*root, Attacked::by(root, winner));
    let mut choice = choose(root, winner, weights, attacked, FIRST);
    while !line.is_full() {
        keys.push(position.key());
        if position.turn() == winner
            && !position.is_check()
            && let Some(rest) = series::search(&position, winner, attacked)
            && line.try_extend_from_slice(&rest).is_ok()
        {
            return Some(line.to_vec());
        }
        (position, attacked, choice) = loop {
            let Choice { order, mv } = choice?;
            let child = position.after(mv).0;
            let attacked_then =
                attacked.unchanged_by(&position, winner, mv).unwrap_or_else(|| Attacked::by(&child, winner));
            // The loser has a choice unless there is no legal move at all.
            let next = choose(&child, winner, weights, attacked_then, FIRST);
            if next.is_none() && child.is_check() && child.turn() != winner {
                line.push(mv);
                return Some(line.to_vec());
            }
            let is_capture = position.occupied().count() != child.occupied().count();
            // No position before the last capture or pawn move can be repeated.
            let mut since = keys.iter().rev().take(child.halfmove_clock().into());
            let is_repeated = since.any(|&key| key == child.key());
            let is_end = next.is_none() || is_repeated || is_capture && is_hopeless(&child);
            if !is_end {
                line.push(mv);
                break (child, attacked_then, next);
            }
            choice = choose(&position, winner, weights, attacked, order + 1);
        };
    }
    None
}

/// A move with its rank among the moves of its position, the best first.
#[derive(Clone, Copy)]
struct Choice {
    order: Order,
    mv: Move,
}

/// The rank of a move: its cost, and the order of moves of equal cost.
type Order = i32;
/// The lowest rank, before that of any move.
const FIRST: Order = Order::MIN;
/// The cost of a mate, which is below all other costs.
const MATE: i32 = FIRST / ORDERS / 2;
/// The number of ranks per cost, which exceeds the number of moves of any position.
const ORDERS: i32 = 512;
const _: () = assert!(MAX_MOVES < ORDERS as usize);

/// The move that looks best among those whose rank is at least `from`.
fn choose(
    position: &Position,
    winner: Color,
    weights: &Weights,
    attacked: Attacked,
    from: Order,
) -> Option<Choice> {
    let costs = PositionCosts::new(position, winner, weights, attacked);
    let choices = Choices { from, best: None, count: 0 };
    match (position.turn() == winner, winner) {
        (true, Color::White) => best_of_winner::<White>(costs, choices),
        (true, Color::Black) => best_of_winner::<Black>(costs, choices),
        (false, Color::White) => best_of_loser::<Black>(costs, choices),
        (false, Color::Black) => best_of_loser::<White>(costs, choices),
    }
}

/// The best move of the winner.
#[inline(never)]
fn best_of_winner<S: Side>(costs: PositionCosts<'_>, choices: Choices) -> Option<Choice> {
    let position = costs.position;
    let mut moves = WinnerMoves::new(costs, choices);
    let own = position.color(S::COLOR);
    position.generate_king::<S>(BUILT_IN, moves.king_targets() - own, &mut moves);
    position.generate_others::<S, All, _>(BUILT_IN, !own, &mut moves);
    moves.choices.best
}

/// The best move of the loser.
#[inline(never)]
fn best_of_loser<S: Side>(costs: PositionCosts<'_>, choices: Choices) -> Option<Choice> {
    let position = costs.position;
    let own = position.color(S::COLOR);
    let mut moves = LoserMoves { costs, choices };
    // The squares that the winner attacks are known, so the remaining king moves are legal.
    for to in king(moves.costs.target) - own - moves.costs.attacked {
        moves.add_king(to);
    }
    position.generate_others::<S, All, _>(BUILT_IN, !own, &mut moves);
    moves.choices.best
}

/// The best move so far among those whose rank is at least `from`.
struct Choices {
    from: Order,
    best: Option<Choice>,
    count: i32,
}

impl Choices {
    #[inline(always)]
    fn add(&mut self, cost: i32, mv: Move) {
        let order = cost * ORDERS + self.count;
        self.count += 1;
        if order >= self.from && self.best.is_none_or(|best| order < best.order) {
            self.best = Some(Choice { order, mv });
        }
    }
}

/// A position of the search, with the parts of the costs that all of its moves share.
struct PositionCosts<'a> {
    position: &'a Position,
    weights: &'a Weights,
    winner: Color,
    /// The king of the loser.
    target: Square,
    /// The king of the winner.
    king: Square,
    /// The squares that the winner attacks when the loser's king is taken off the board, so that it does not shield the
    /// squares behind it; and the squares attacked by at least two pieces.
    attacked: Bitboard,
    attacked_twice: Bitboard,
    /// The pieces of the loser other than the king.
    others: Bitboard,
    /// Whether the winner has a rook or a queen; whether the winner has only minor pieces.
    is_heavy: bool,
    is_light: bool,
    /// The costs of the position: of the squares of the kings, of the squares next to the loser's king, and of the
    /// other pieces.
    kings_cost: i32,
    zone_cost: i32,
    men_cost: i32,
}

impl<'a> PositionCosts<'a> {
    /// The costs of the position before a move is made.
    #[inline(always)]
    fn new(position: &'a Position, winner: Color, weights: &'a Weights, attacked: Attacked) -> Self {
        let (target, own_king) = (position.king(!winner), position.king(winner));
        let pawns = position.pieces(winner, Role::Pawn);
        let own = |role| position.pieces(winner, role);
        let is_heavy = !(own(Role::Rook) | own(Role::Queen)).is_empty();
        let mut costs = Self {
            position,
            weights,
            winner,
            target,
            king: own_king,
            attacked: attacked.once,
            attacked_twice: attacked.twice,
            others: position.color(!winner) - target,
            is_heavy,
            is_light: !is_heavy && pawns.is_empty(),
            kings_cost: 0,
            zone_cost: 0,
            men_cost: 0,
        };
        costs.kings_cost = costs.kings(costs.king, costs.target);
        costs.zone_cost = costs.king_zone(costs.target, costs.attacked, costs.others);
        if costs.is_light {
            costs.men_cost = costs.light_men(own(Role::Knight) | own(Role::Bishop), costs.others, target);
        } else if !is_heavy {
            costs.men_cost = costs.promotion(pawns);
        }
        costs
    }

    /// The cost of the kings on these squares.
    #[inline(always)]
    fn kings(&self, own: Square, target: Square) -> i32 {
        let apart = steps(own, target).abs_diff(2);
        let edge = if self.is_heavy { edge_distance(target) } else { corner_distance(target) };
        self.weights.apart * apart as i32
            + self.weights.edge * edge as i32
            + self.weights.corner * corner_distance(target) as i32
    }

    /// The cost of the squares next to the loser's king, if these are the loser's other pieces.
    #[inline(always)]
    fn king_zone(&self, target: Square, attacked: Bitboard, others: Bitboard) -> i32 {
        let unattacked = king(target) - attacked;
        self.weights.unattacked * unattacked.count() as i32
            + self.weights.flights * (unattacked - others).count() as i32
    }

    /// The cost of the other pieces if the winner has only knights and bishops: then the loser's pieces are not
    /// obstacles but are needed next to the loser's king.
    fn light_men(&self, minors: Bitboard, others: Bitboard, target: Square) -> i32 {
        let pawns = self.position.pieces(!self.winner, Role::Pawn) & others;
        let apart: u32 = (minors | (others - pawns)).into_iter().map(|from| steps(from, target)).sum();
        let wall: u32 = pawns.into_iter().map(|pawn| rank_distance(pawn, !self.winner)).sum();
        self.weights.pieces * apart as i32 + self.weights.pawns * wall as i32
    }

    /// The cost of the distance to a new queen.
    fn promotion(&self, pawns: Bitboard) -> i32 {
        let nearest = pawns.into_iter().map(|pawn| rank_distance(pawn, self.winner)).min();
        self.weights.promotion * (nearest.unwrap_or(NO_PAWN) as i32 + NEW_QUEEN)
    }

    /// The cost saved by a capture on this square.
    #[inline(always)]
    fn capture_gain(&self, to: Square) -> i32 {
        if !self.others.contains(to) || self.is_light {
            0
        } else if self.position.role(Role::Pawn).contains(to) {
            self.weights.pawns
        } else {
            self.weights.pieces
        }
    }

    /// The number of replies to a check by a piece that attacks the squares `after`. Small numbers are exact.
    fn answers(&self, mv: Move, after: Bitboard) -> i32 {
        /// With more replies than this, an exact count is not needed, even if one of them is by a pinned piece.
        const MANY: u32 = 2;
        let (position, to) = (self.position, mv.to());
        if after.contains(self.target) {
            let line = between(to, self.target) | to;
            let occupied = position.occupied();
            let other = |role| position.pieces(!self.winner, role);
            let count = |seen: Bitboard| (seen & line).count();
            let mut seen = (pawn(self.winner, to) & other(Role::Pawn)).count();
            seen += other(Role::Knight).into_iter().map(|from| count(knight(from))).sum::<u32>();
            seen += other(Role::Bishop).into_iter().map(|from| count(bishop(from, occupied))).sum::<u32>();
            seen += other(Role::Rook).into_iter().map(|from| count(rook(from, occupied))).sum::<u32>();
            seen += other(Role::Queen).into_iter().map(|from| count(queen(from, occupied))).sum::<u32>();
            if seen > MANY {
                return seen as i32;
            }
        }
        position.after(mv).0.count_legal_moves() as i32
    }

    /// The knights and bishops of the winner.
    fn minors(&self) -> Bitboard {
        self.position.pieces(self.winner, Role::Knight) | self.position.pieces(self.winner, Role::Bishop)
    }
}

/// Computes the costs of the moves of one side as they are generated.
trait Appraise {
    /// Adds the moves of a piece other than a pawn.
    fn add_moves(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Of the targets of pawns by this step, those that are useful, and one of the others.
    fn useful_pawn_targets<S: Side>(&self, step: PawnStep, targets: Bitboard) -> Bitboard;
    /// Adds a pawn move.
    fn add_pawn(&mut self, mv: Move);
    /// Adds a castling move.
    fn add_castle(&mut self, mv: Move);
}

impl<S: Side, A: Appraise> Sink<S> for A {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.add_moves(role, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        let targets = self.useful_pawn_targets::<S>(step, targets);
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
        self.add_castle(Move::new(king, rook, MoveKind::Castle));
    }
}

/// The moves of the winner and their costs.
struct WinnerMoves<'a> {
    costs: PositionCosts<'a>,
    choices: Choices,
    /// The squares from which knights, bishops, rooks and pawns of the winner attack the loser's king, or a square next
    /// to it that is not attacked yet. Empty if the winner has only knights and bishops, because all of their moves are
    /// considered.
    jumps: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    pawn_posts: Bitboard,
}

impl<'a> WinnerMoves<'a> {
    /// No move has been added yet.
    #[inline(always)]
    fn new(costs: PositionCosts<'a>, choices: Choices) -> Self {
        let (position, winner, target) = (costs.position, costs.winner, costs.target);
        let has = |role| !position.pieces(winner, role).is_empty();
        let seen_through = position.occupied() - target;
        let wanted = ((king(target) - costs.attacked) | target).only_if(!costs.is_light);
        let (needs_orthogonal, needs_diagonal) =
            (has(Role::Rook) || has(Role::Queen), has(Role::Bishop) || has(Role::Queen));
        let jumped_from = wanted.only_if(has(Role::Knight));
        Self {
            jumps: jumped_from.into_iter().fold(Bitboard::EMPTY, |all, square| all | knight(square)),
            diagonal: if needs_diagonal { diagonals(wanted, seen_through) } else { Bitboard::EMPTY },
            orthogonal: if needs_orthogonal { lines(wanted, seen_through) } else { Bitboard::EMPTY },
            pawn_posts: pawns(!winner, wanted),
            costs,
            choices,
        }
    }
}

impl WinnerMoves<'_> {
    /// The useful targets of the king, or all squares if any king move may be needed.
    #[inline(always)]
    fn king_targets(&self) -> Bitboard {
        /// Within this distance, in king moves, the king reaches the squares next to the other king in one or two
        /// moves.
        const NEAR: u32 = 4;
        let costs = &self.costs;
        let apart = steps(costs.king, costs.target);
        let is_any = apart <= NEAR || costs.is_light || !costs.position.checkers().is_empty();
        if is_any { Bitboard::ALL } else { disc(costs.target, apart - 1) | costs.others }
    }

    /// Adds moves of a piece other than the king. The piece attacks `before` from its origin and `attacks` from its
    /// target. `extra` is added to the cost of each move.
    #[inline(always)]
    fn add(
        &mut self,
        before: Bitboard,
        moves: impl Iterator<Item = Move>,
        attacks: impl Fn(Move) -> Bitboard,
        extra: impl Fn(&PositionCosts<'_>, Move) -> i32,
    ) {
        let costs = &self.costs;
        let weights = costs.weights;
        // Squares attacked only by the moving piece are no longer attacked.
        let rest = costs.attacked - (before - costs.attacked_twice);
        let open = king(costs.target) - rest;
        for mv in moves {
            let (to, after) = (mv.to(), attacks(mv));
            let unattacked = open - after;
            let flights = unattacked - (costs.others - to);
            let mut cost = weights.unattacked * unattacked.count() as i32
                + weights.flights * flights.count() as i32
                - costs.zone_cost
                - costs.capture_gain(to)
                + extra(costs, mv);
            if (rest | after).contains(costs.target) {
                cost += weights.check;
                if flights.is_empty() {
                    let answers = costs.answers(mv, after);
                    // A mate has the lowest cost of all.
                    cost = if answers == 0 { MATE } else { cost + weights.answers * answers };
                }
            }
            self.choices.add(cost, mv);
        }
    }

    /// Adds a king move.
    #[inline(never)]
    fn add_king(&mut self, to: Square) {
        let costs = &self.costs;
        let mv = Move::new(costs.king, to, MoveKind::Normal);
        let rest = costs.attacked - (king(costs.king) - costs.attacked_twice);
        let attacked = rest | king(to);
        let mut cost = costs.king_zone(costs.target, attacked, costs.others - to) - costs.zone_cost;
        cost += costs.kings(to, costs.target) - costs.kings_cost - costs.capture_gain(to);
        if costs.is_light && costs.others.contains(to) {
            cost += costs.light_men(costs.minors(), costs.others - to, costs.target) - costs.men_cost;
        }
        self.choices.add(cost, mv);
    }

    /// Adds moves of a piece other than the king; `attacks` returns the squares that it attacks from a square.
    ///
    /// Not inlined, and neither are the functions below: the generator has many copies of the calls, which would not
    /// fit into the instruction cache.
    #[inline(never)]
    fn add_piece(
        &mut self,
        from: Square,
        targets: Bitboard,
        (posts, step_cost): (Bitboard, i32),
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        let seen_through = self.costs.position.occupied() - self.costs.target;
        let before = attacks(from, seen_through);
        let to_move = |to| Move::new(from, to, MoveKind::Normal);
        let after = |mv: Move| attacks(mv.to(), seen_through - from);
        if self.costs.is_light {
            self.add(before, targets.into_iter().map(to_move), after, |costs, mv| {
                let minors = (costs.minors() - from) | mv.to();
                costs.light_men(minors, costs.others - mv.to(), costs.target) - costs.men_cost
            });
            return;
        }
        // Of the targets that are not useful, the nearest one is as good as any.
        let useful = targets & (posts | self.costs.others);
        let targets = useful | self.nearest(targets - useful, step_cost);
        self.add(before, targets.into_iter().map(to_move), after, |costs, mv| {
            step_cost * (steps(mv.to(), costs.target) as i32 - steps(from, costs.target) as i32)
        });
    }

    /// One of these squares: the nearest one to the loser's king if distance has a cost, otherwise any.
    #[inline(always)]
    fn nearest(&self, squares: Bitboard, step_cost: i32) -> Bitboard {
        if step_cost == 0 || squares.is_empty() {
            return first_of(squares);
        }
        let nearest = |radius| first_of(squares & disc(self.costs.target, radius));
        (1..).map(nearest).find(|found| !found.is_empty()).unwrap_or_default()
    }
}

impl Appraise for WinnerMoves<'_> {
    #[inline(always)]
    fn add_moves(&mut self, role: Role, from: Square, targets: Bitboard) {
        let step_cost = self.costs.weights.minor;
        let orthogonal = self.orthogonal;
        match role {
            Role::Pawn | Role::King => targets.into_iter().for_each(|to| self.add_king(to)),
            Role::Knight => self.add_piece(from, targets, (self.jumps, step_cost), |from, _| knight(from)),
            Role::Bishop => self.add_piece(from, targets, (self.diagonal, step_cost), bishop),
            Role::Rook => self.add_piece(from, targets, (orthogonal, 0), rook),
            Role::Queen => self.add_piece(from, targets, (orthogonal | self.diagonal, 0), queen),
        }
    }

    #[inline(always)]
    fn useful_pawn_targets<S: Side>(&self, _step: PawnStep, targets: Bitboard) -> Bitboard {
        let costs = &self.costs;
        let useful = if costs.is_heavy { targets & (self.pawn_posts | costs.others) } else { targets };
        useful | first_of(targets - useful)
    }

    #[inline(never)]
    fn add_pawn(&mut self, mv: Move) {
        let costs = &self.costs;
        let (from, to) = (mv.from(), mv.to());
        let role = mv.promotion().unwrap_or(Role::Pawn);
        let before = pawn(costs.winner, from);
        let after = attacks(role, costs.winner, to, costs.position.occupied() - costs.target - from);
        let men_cost = match role {
            _ if costs.is_heavy => 0,
            Role::Pawn => (costs.promotion(to.bitboard()) - costs.men_cost).min(0),
            Role::Rook | Role::Queen => -costs.men_cost,
            _ => 0,
        };
        self.add(before, std::iter::once(mv), |_| after, |_, _| men_cost);
    }

    fn add_castle(&mut self, mv: Move) {
        self.choices.add(0, mv);
    }
}

/// The moves of the loser and their costs.
struct LoserMoves<'a> {
    costs: PositionCosts<'a>,
    choices: Choices,
}

impl LoserMoves<'_> {
    /// Adds a king move.
    #[inline(never)]
    fn add_king(&mut self, to: Square) {
        let costs = &self.costs;
        let mut cost = costs.king_zone(to, costs.attacked, costs.others) - costs.zone_cost;
        cost += costs.kings(costs.king, to) - costs.kings_cost;
        if costs.is_light {
            cost += costs.light_men(costs.minors() - to, costs.others, to) - costs.men_cost;
        } else {
            cost += self.loss(to);
        }
        self.choices.add(cost, Move::new(costs.target, to, MoveKind::Normal));
    }

    /// The cost to the winner of a capture on this square.
    #[inline(always)]
    fn loss(&self, to: Square) -> i32 {
        let costs = &self.costs;
        let position = costs.position;
        if !position.color(costs.winner).contains(to) {
            return 0;
        }
        let heavy = (position.role(Role::Rook) | position.role(Role::Queen)) & position.color(costs.winner);
        if heavy == to.bitboard() || !costs.is_heavy {
            let pawns = position.pieces(costs.winner, Role::Pawn) - to;
            return costs.promotion(pawns) - costs.men_cost + costs.weights.capture;
        }
        costs.weights.capture
    }

    /// Adds moves of a piece other than the king.
    #[inline(never)]
    fn add_piece(&mut self, from: Square, targets: Bitboard) {
        for to in self.useful(from, targets) {
            self.add(Move::new(from, to, MoveKind::Normal));
        }
    }

    /// The useful targets, and one of the others, since all waiting moves are equally good.
    #[inline(always)]
    fn useful(&self, from: Square, targets: Bitboard) -> Bitboard {
        let costs = &self.costs;
        let zone = king(costs.target);
        if costs.is_light || zone.contains(from) {
            return targets;
        }
        let useful = targets & (zone | costs.position.color(costs.winner));
        useful | first_of(targets - useful)
    }

    /// Adds a move of a piece other than the king.
    #[inline(always)]
    fn add(&mut self, mv: Move) {
        let costs = &self.costs;
        let (from, to) = (mv.from(), mv.to());
        let mut cost = 0;
        let zone = king(costs.target);
        if costs.weights.flights != 0 && zone.intersects(from.bitboard() | to) {
            cost +=
                costs.king_zone(costs.target, costs.attacked, (costs.others - from) | to) - costs.zone_cost;
        }
        if costs.is_light {
            let others = (costs.others - from) | to;
            cost += costs.light_men(costs.minors() - to, others, costs.target) - costs.men_cost;
        } else {
            cost += self.loss(to);
            if mv.promotion().is_some() {
                cost += costs.weights.pieces - costs.weights.pawns;
            }
        }
        self.choices.add(cost, mv);
    }
}

impl Appraise for LoserMoves<'_> {
    #[inline(always)]
    fn add_moves(&mut self, role: Role, from: Square, targets: Bitboard) {
        let zone = king(self.costs.target);
        let is_waiting = !self.costs.is_light && role != Role::King && !zone.intersects(targets | from);
        let quiet = targets - self.costs.position.color(self.costs.winner);
        match quiet.first().filter(|_| is_waiting) {
            Some(to) => self.choices.add(0, Move::new(from, to, MoveKind::Normal)),
            None if role == Role::King => targets.into_iter().for_each(|to| self.add_king(to)),
            None => self.add_piece(from, targets),
        }
    }

    #[inline(always)]
    fn useful_pawn_targets<S: Side>(&self, step: PawnStep, targets: Bitboard) -> Bitboard {
        let costs = &self.costs;
        if costs.is_light || matches!(step, PawnStep::CaptureWest | PawnStep::CaptureEast) {
            return targets;
        }
        let zone = king(costs.target);
        let useful = targets & (zone | S::forward(zone) | S::forward(S::forward(zone)));
        useful | first_of(targets - useful)
    }

    #[inline(never)]
    fn add_pawn(&mut self, mv: Move) {
        self.add(mv);
    }

    fn add_castle(&mut self, mv: Move) {
        self.choices.add(0, mv);
    }
}

/// The first of these squares, if there is one.
#[inline(always)]
fn first_of(squares: Bitboard) -> Bitboard {
    Bitboard::from_bits(squares.bits() & squares.bits().wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::dead::weights::{CHASE, DRIVE, RUN, in_order};
    use crate::chess::samples::position;

    fn found(position: &Position, winner: Color, weights: &Weights) -> Option<Vec<Move>> {
        search(position, winner, weights, |_| false)
    }

    #[test]
    fn a_mate_is_made_at_once() {
        let cases = [
            ("by a rook", "6k1/5ppp/8/8/8/8/8/R5K1 w -"),
            ("by a queen", "k7/8/1K6/8/8/8/8/6Q1 w -"),
            ("by a promotion", "k7/7P/1K6/8/8/8/8/8 w -"),
        ];
        for (name, fen) in cases {
            for weights in [&CHASE, &DRIVE, &RUN] {
                assert_eq!(
                    found(&position(fen), Color::White, weights).map(|line| line.len()),
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
            let lines = in_order(&root, Color::White)
                .into_iter()
                .filter_map(|weights| found(&root, Color::White, weights));
            let mut count = 0;
            for line in lines {
                let end = line.iter().try_fold(root, |position, &mv| position.play(mv)).expect("legal moves");
                assert!(end.is_checkmate(), "{name}: {line:?}");
                assert!(end.turn() == Color::Black && line.len() <= MAX_PLIES, "{name}: {line:?}");
                count += 1;
            }
            assert!(count > 0, "{name}");
        }
    }

    #[test]
    fn what_is_hopeless_is_not_entered() {
        // The king must capture the queen.
        let root = position("k7/1Q6/8/8/8/8/8/6K1 b -");
        assert_eq!(search(&root, Color::White, &CHASE, |_| true), None);
    }
}
