//! The search for a helpmate: both sides do what they can for one of them to mate.
//!
//! It is a best-first search. The best position is the one that looks nearest to a mate, and no position is entered
//! twice, so that a search that has nothing left to enter has proved that there is no mate.

use crate::chess::attacks::{attacks, king};
use crate::chess::generate::MAX_MOVES;
use crate::chess::{Bitboard, Color, File, Key, KeyHasher, Move, Position, Rank, Role, Square};
use arrayvec::ArrayVec;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::BuildHasherDefault;

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// These moves lead to a mate.
    Mate(Vec<Move>),
    /// No moves do.
    Nothing,
    /// The search was given up.
    OutOfBudget,
}

/// The work after which a search is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    /// Positions that are entered: a bound of the memory.
    pub positions: u32,
    /// Moves that are made. Many of them lead to positions that were reached before or are hopeless, which take time and no
    /// memory.
    pub moves: u32,
}

/// A position that has been reached.
struct Node {
    position: Position,
    /// The number of the node before the move; that of the root is its own.
    parent: u32,
    /// The move that led here; `None` at the root.
    mv: Option<Move>,
    /// Moves since the root.
    plies: u16,
    /// Whether its moves have been made.
    is_done: bool,
}

/// What is in the way of a mate, in numbers: see [`Situation::features`].
const FEATURES: usize = 9;

/// What each feature costs, in three views of how mates come about. They are of our own making and found by trial: they
/// find helpmates in few positions, and what one of them overlooks another finds.
const VIEWS: [[u32; FEATURES]; 3] = [
    // The king's flights are closed, without regard to the length of the line.
    [10, 2, 1, 1, 3, 2, 8, 1, 0],
    // The king is driven to the edge, and the other king comes near.
    [1, 0, 5, 6, 3, 2, 8, 0, 0],
    // As the first, with regard to the length of the line.
    [10, 2, 1, 1, 3, 2, 8, 1, 1],
];

/// Searches for a mate by `winner` within a budget. `is_hopeless` is asked about a position,
/// the one after a move there, and the moves made before; what it says of is not searched.
///
/// Each of the [`VIEWS`] has a queue of its own, and they take turns, so that what one of them overlooks does not keep the others
/// from finding it.
pub(super) fn search(
    root: &Position,
    winner: Color,
    budget: Budget,
    mut is_hopeless: impl FnMut(&Position, &Position, u16) -> bool,
) -> Found {
    let mut nodes = vec![Node { position: *root, parent: 0, mv: None, plies: 0, is_done: false }];
    let mut seen = Seen::default();
    seen.insert(root.key());
    // Of several that look as near, the latest comes first.
    let mut queues = VIEWS.map(|_| BinaryHeap::from([(Reverse(0), 0)]));
    let (mut turn, mut moves) = (0, 0);
    loop {
        turn += 1;
        let index = turn % queues.len();
        let Some((_, index)) = queues[index].pop() else { return Found::Nothing };
        let Node { position, plies, is_done, .. } = nodes[index as usize];
        if is_done {
            continue;
        }
        nodes[index as usize].is_done = true;
        for &mv in &position.legal_moves() {
            if moves >= budget.moves {
                return Found::OutOfBudget;
            }
            moves += 1;
            let child = position.after(mv).0;
            if !seen.insert(child.key()) || is_hopeless(&position, &child, plies) {
                continue;
            }
            let number = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
            let answers =
                (child.turn() != winner && child.is_check()).then(|| child.legal_moves().len() as u32);
            let plies = plies.saturating_add(1);
            nodes.push(Node { position: child, parent: index, mv: Some(mv), plies, is_done: false });
            if answers == Some(0) {
                return Found::Mate(line(&nodes, number));
            }
            if number >= budget.positions {
                return Found::OutOfBudget;
            }
            let situation = Situation::new(&child, winner, child.attacked_by(winner));
            let ([flights, calm], [apart, edge]) = (situation.cage(), situation.kings());
            let [hindrance, wall, promotion] = situation.men();
            let answers = answers.unwrap_or(0);
            let plies = u32::from(plies);
            let features = [flights, calm, apart, edge, hindrance, wall, promotion, answers, plies];
            for (view, queue) in VIEWS.iter().zip(&mut queues) {
                queue.push((Reverse(cost(view, &features)), number));
            }
        }
    }
}

/// What counts in a position on the way to a mate.
#[derive(Clone, Copy)]
struct Situation {
    winner: Color,
    /// The king that is to be mated.
    target: Square,
    /// The king of the winner.
    king: Square,
    /// The squares that the winner attacks.
    attacked: Bitboard,
    /// The pawns, the minor pieces, and the rooks and queens of the winner.
    pawns: Bitboard,
    minors: Bitboard,
    heavy: Bitboard,
    /// The men of the other side beside its king.
    others: Bitboard,
    /// The pawns among them.
    other_pawns: Bitboard,
}

impl Situation {
    fn new(position: &Position, winner: Color, attacked: Bitboard) -> Self {
        let loser = !winner;
        let own = |role| position.pieces(winner, role);
        let target = position.king(loser);
        Self {
            winner,
            target,
            king: position.king(winner),
            attacked,
            pawns: own(Role::Pawn),
            minors: own(Role::Knight) | own(Role::Bishop),
            heavy: own(Role::Rook) | own(Role::Queen),
            others: position.color(loser) - target,
            other_pawns: position.pieces(loser, Role::Pawn),
        }
    }

    /// After a move of this side from one square to another; the squares attacked are not touched.
    fn after(mut self, color: Color, mv: Move, role: Role) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let both = from.bitboard() | to;
        if color == self.winner {
            self.others -= to;
            self.other_pawns -= to;
            match mv.promotion() {
                _ if role == Role::King => self.king = to,
                Some(Role::Rook | Role::Queen) => {
                    (self.pawns, self.heavy) = (self.pawns - from, self.heavy | to)
                }
                Some(_) => (self.pawns, self.minors) = (self.pawns - from, self.minors | to),
                None if role == Role::Pawn => self.pawns ^= both,
                None if matches!(role, Role::Rook | Role::Queen) => self.heavy ^= both,
                None => self.minors ^= both,
            }
        } else {
            self.pawns -= to;
            self.minors -= to;
            self.heavy -= to;
            if role == Role::King {
                self.target = to;
            } else {
                self.others ^= both;
                if role == Role::Pawn {
                    self.other_pawns -= from;
                    if mv.promotion().is_none() {
                        self.other_pawns |= to;
                    }
                }
            }
        }
        self
    }

    /// What is in the way of a mate: squares beside the king that he can go to; squares beside him that are not
    /// attacked.
    fn cage(&self) -> [u32; 2] {
        let calm = king(self.target) - self.attacked;
        [(calm - self.others).count(), calm.count()]
    }

    /// How far the kings are from being two squares apart; squares to the edge, or to the corner without rooks and
    /// queens.
    fn kings(&self) -> [u32; 2] {
        let apart = steps(self.king, self.target).abs_diff(2);
        let edge =
            if self.heavy.is_empty() { corner_distance(self.target) } else { edge_distance(self.target) };
        [apart, edge]
    }

    /// Which men are in the way: pieces of the other side; its pawns; steps until a pawn promotes.
    ///
    /// Where there are only knights and bishops, men of the other side are no hindrance but needed, beside the king. Then
    /// their distances to him count instead.
    fn men(&self) -> [u32; 3] {
        /// Steps without a pawn: a promotion to less than a rook is no progress.
        const NO_PAWN: u32 = 7;
        let other_pieces = self.others - self.other_pawns;
        let (mut hindrance, mut wall) = (other_pieces.count(), self.other_pawns.count());
        if self.is_light() {
            hindrance = (self.minors | other_pieces).into_iter().map(|from| steps(from, self.target)).sum();
            wall = self.other_pawns.into_iter().map(|pawn| rank_distance(pawn, !self.winner)).sum();
        }
        let promotion = if self.heavy.is_empty() {
            let nearest = self.pawns.into_iter().map(|pawn| rank_distance(pawn, self.winner)).min();
            nearest.unwrap_or(NO_PAWN) + 3
        } else {
            0
        };
        [hindrance, wall, promotion]
    }

    /// Whether the winner has nothing but knights and bishops.
    fn is_light(&self) -> bool {
        (self.heavy | self.pawns).is_empty()
    }
}

/// The cost of these features in a view.
#[inline(always)]
fn cost(view: &[u32], features: &[u32]) -> u32 {
    view.iter().zip(features).map(|(cost, count)| cost * count).sum()
}

/// Moves that a dive makes before it is given up.
const MAX_DIVE: usize = 40;

/// What counts in a dive. As the [`VIEWS`] these are of our own making and found by trial.
pub(super) struct Slope {
    /// Squares beside the king that are not attacked.
    calm: u32,
    /// See [`Situation::kings`].
    kings: [u32; 2],
    /// See [`Situation::men`].
    men: [u32; 3],
    /// Answers to a check that leaves the king no square.
    answers: u32,
}

/// Two ways down: what one of them overlooks the other often finds.
pub(super) const SLOPES: [Slope; 2] = [
    Slope { calm: 4, kings: [24, 35], men: [55, 10, 5], answers: 10 },
    Slope { calm: 0, kings: [10, 30], men: [3, 19, 20], answers: 1 },
];

/// Goes straight for a mate: of the moves of each position it makes the one that looks best, and never looks back.
///
/// Most positions have so many helpmates that this finds one, in a fraction of the time that a search takes.
pub(super) fn dive(
    root: &Position,
    winner: Color,
    slope: &Slope,
    is_hopeless: impl Fn(&Position) -> bool,
) -> Option<Vec<Move>> {
    /// That of a move that is not to be made again.
    const USED: u32 = u32::MAX;
    let mut line = ArrayVec::<Move, MAX_DIVE>::new();
    let mut keys = ArrayVec::<Key, MAX_DIVE>::new();
    let mut costs = ArrayVec::<u32, MAX_MOVES>::new();
    let (mut position, mut moves) = (*root, root.legal_moves());
    while !line.is_full() {
        keys.push(position.key());
        Ground::new(&position, winner, slope).appraise(&moves, &mut costs);
        (position, moves) = loop {
            let (index, cost) = costs.iter_mut().enumerate().min_by_key(|(_, cost)| **cost)?;
            if std::mem::replace(cost, USED) == USED {
                return None;
            }
            let child = position.after(moves[index]).0;
            let answers = child.legal_moves();
            if answers.is_empty() && child.is_check() && child.turn() != winner {
                line.push(moves[index]);
                return Some(line.to_vec());
            }
            let is_capture = position.occupied().count() != child.occupied().count();
            let is_end =
                answers.is_empty() || keys.contains(&child.key()) || is_capture && is_hopeless(&child);
            if !is_end {
                line.push(moves[index]);
                break (child, answers);
            }
        };
    }
    None
}

/// A position in a dive, with what its moves have in common. They are not made to be looked at: what changes on the
/// squares beside the king is worked out from the piece that moves, as if no line were opened or closed.
struct Ground<'a> {
    position: &'a Position,
    slope: &'a Slope,
    /// What is attacked is that with the other king out of the way, who does not hide the squares behind him.
    situation: Situation,
    /// The man of the winner on each square, and what it attacks.
    men: [(Role, Bitboard); Square::COUNT],
    /// What several of them attack.
    attacked_twice: Bitboard,
    /// What the position costs by the squares beside the king, by the kings, and by the men.
    costs: [u32; 3],
}

impl<'a> Ground<'a> {
    fn new(position: &'a Position, winner: Color, slope: &'a Slope) -> Self {
        let seen_through = position.occupied() - position.king(!winner);
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut men = [(Role::King, Bitboard::EMPTY); Square::COUNT];
        for role in Role::ALL {
            for from in position.pieces(winner, role) {
                let attacked = attacks(role, winner, from, seen_through);
                men[from] = (role, attacked);
                twice |= once & attacked;
                once |= attacked;
            }
        }
        let situation = Situation::new(position, winner, once);
        let [_, calm] = situation.cage();
        let costs =
            [slope.calm * calm, cost(&slope.kings, &situation.kings()), cost(&slope.men, &situation.men())];
        Self { position, slope, situation, men, attacked_twice: twice, costs }
    }

    /// The costs of these moves.
    fn appraise<const MAX: usize>(&self, moves: &[Move], costs: &mut ArrayVec<u32, MAX>) {
        costs.clear();
        costs.extend(moves.iter().map(|&mv| self.cost(mv)));
    }

    /// What a move costs. Most change little, and only that is looked at.
    #[inline(always)]
    fn cost(&self, mv: Move) -> u32 {
        let Self { position, slope, situation, costs: [calm_cost, kings_cost, men_cost], .. } = *self;
        let turn = position.turn();
        let (from, to) = (mv.from(), mv.to());
        let is_king = position.role(Role::King).contains(from);
        let changes_men = situation.is_light()
            || position.role(Role::Pawn).contains(from)
            || position.occupied().contains(to);
        let after = match position.role_at(from) {
            Some(role) if is_king || changes_men => situation.after(turn, mv, role),
            _ => situation,
        };
        let men_cost = if changes_men { cost(&slope.men, &after.men()) } else { men_cost };
        let kings_cost = if is_king || changes_men { cost(&slope.kings, &after.kings()) } else { kings_cost };
        if turn != situation.winner {
            let calm_cost = if is_king { slope.calm * after.cage()[1] } else { calm_cost };
            return calm_cost + kings_cost + men_cost;
        }
        let (role, attacked_before) = self.men[from];
        let lands = mv.promotion().unwrap_or(role);
        let seen_through = position.occupied() - situation.target - from;
        // What only the piece that moves has attacked is free.
        let rest = situation.attacked - (attacked_before - self.attacked_twice);
        let attacked = rest | attacks(lands, turn, to, seen_through);
        let (calm, before) = (king(situation.target) - attacked, king(situation.target) - situation.attacked);
        let calm_cost = if calm == before { calm_cost } else { slope.calm * calm.count() };
        let is_tight = attacked.contains(situation.target) && (calm - after.others).is_empty();
        let answers = if is_tight { position.after(mv).0.legal_moves().len() as u32 } else { 0 };
        // A mate is found when the move is made, which costs nothing is made first.
        let is_mate = is_tight && answers == 0;
        if is_mate { 0 } else { calm_cost + kings_cost + men_cost + slope.answers * answers }
    }
}

/// The moves that led to a node.
fn line(nodes: &[Node], mut number: u32) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Node { parent, mv: Some(mv), .. } = nodes[number as usize] {
        moves.push(mv);
        number = parent;
    }
    moves.reverse();
    moves
}

/// Moves of a king between two squares.
fn steps(a: Square, b: Square) -> u32 {
    let files = (a.file() as u32).abs_diff(b.file() as u32);
    let ranks = (a.rank() as u32).abs_diff(b.rank() as u32);
    files.max(ranks)
}

/// Moves of a pawn until it promotes.
fn rank_distance(pawn: Square, color: Color) -> u32 {
    Rank::Eighth as u32 - color.relative(pawn.rank()) as u32
}

/// Squares to the nearest edge of the files, and of the ranks.
fn edges(square: Square) -> [u32; 2] {
    let far = |index: u32| index.min(File::COUNT as u32 - 1 - index);
    [far(square.file() as u32), far(square.rank() as u32)]
}

fn edge_distance(square: Square) -> u32 {
    let [files, ranks] = edges(square);
    files.min(ranks)
}

fn corner_distance(square: Square) -> u32 {
    let [files, ranks] = edges(square);
    files + ranks
}

/// The positions that have been reached, by their keys, which are random numbers already.
type Seen = HashSet<Key, BuildHasherDefault<KeyHasher>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_bounded() {
        let root = Position::start();
        let moves = root.legal_moves().len() as u32;
        let cases = [
            ("moves", Budget { positions: 1000, moves: moves - 1 }, true, Found::OutOfBudget, moves - 1),
            ("no move is left", Budget { positions: 1000, moves }, true, Found::Nothing, moves),
            ("positions", Budget { positions: 5, moves: 1000 }, false, Found::OutOfBudget, 5),
        ];
        for (name, budget, is_hopeless, expected, expected_moves) in cases {
            let mut made = 0;
            let found = search(&root, Color::White, budget, |_, _, _| {
                made += 1;
                is_hopeless
            });
            assert_eq!((found, made), (expected, expected_moves), "{name}");
        }
    }
}
