//! The search for a helpmate: both sides do what they can for one of them to mate.
//!
//! It is a best-first search. The best position is the one that looks nearest to a mate, and no position is entered
//! twice, so that a search that has nothing left to enter has proved that there is no mate.

use super::geometry::{corner_distance, edge_distance, rank_distance, steps};
use crate::chess::attacks::king;
use crate::chess::{Bitboard, Color, Key, KeyHasher, Move, Position, Role, Square};
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
