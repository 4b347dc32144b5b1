//! The search for a helpmate: both sides cooperate so that one of them mates.
//!
//! This is a best-first search. The position that looks nearest to a mate is expanded first, and no position is
//! expanded twice, so a search that has expanded all positions has proved that there is no mate.

use super::geometry::{corner_distance, edge_distance, rank_distance, steps};
use crate::chess::attacks::king;
use crate::chess::{Bitboard, Color, Key, KeyHasher, Move, Position, Role, Square};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::BuildHasherDefault;

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// These moves lead to a mate.
    Mate(Vec<Move>),
    /// No sequence of legal moves leads to a mate.
    Nothing,
    /// The budget was used up first.
    OutOfBudget,
}

/// The limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    /// The maximum number of positions stored, which limits the memory.
    pub positions: u32,
    /// The maximum number of moves made. Many of them lead to positions that were reached before or are hopeless: these
    /// take time, but no memory.
    pub moves: u32,
}

/// A position that has been reached.
struct Node {
    position: Position,
    /// The number of the node before the move; the root refers to itself.
    parent: u32,
    /// The move that led here; `None` at the root.
    mv: Option<Move>,
    /// The number of plies from the root.
    plies: u16,
    /// Whether the position has been expanded.
    is_done: bool,
}

/// The number of features from which the cost of a position is computed: see [`search`].
const FEATURES: usize = 9;

/// The cost of each feature in three views of how mates are reached. The values are original and were found by trial;
/// each view finds helpmates that another one misses.
const VIEWS: [[u32; FEATURES]; 3] = [
    // Close the king's flight squares, regardless of the length of the line.
    [10, 2, 1, 1, 3, 2, 8, 1, 0],
    // Drive the king to the edge, and bring the other king near it.
    [1, 0, 5, 6, 3, 2, 8, 0, 0],
    // Like the first view, but prefer shorter lines.
    [10, 2, 1, 1, 3, 2, 8, 1, 1],
];

/// Searches for a mate by `winner` within a budget. `is_hopeless` receives a position, the position after a move in it,
/// and the number of plies before the move; positions for which it returns true are not searched.
///
/// Each of the [`VIEWS`] has its own queue, and the queues take turns, so that a mate that one view misses can be found
/// by another.
pub(super) fn search(
    root: &Position,
    winner: Color,
    budget: Budget,
    mut is_hopeless: impl FnMut(&Position, &Position, u16) -> bool,
) -> Found {
    let mut nodes = vec![Node { position: *root, parent: 0, mv: None, plies: 0, is_done: false }];
    let mut seen = Seen::default();
    seen.insert(root.key());
    // Of positions of equal cost, the latest comes first.
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
                (child.turn() != winner && child.is_check()).then(|| child.count_legal_moves() as u32);
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

/// The properties of a position that matter for a mate.
#[derive(Clone, Copy)]
struct Situation {
    winner: Color,
    /// The king of the loser.
    target: Square,
    /// The king of the winner.
    king: Square,
    /// The squares that the winner attacks.
    attacked: Bitboard,
    /// The pawns, the minor pieces, and the rooks and queens of the winner.
    pawns: Bitboard,
    minors: Bitboard,
    heavy: Bitboard,
    /// The pieces of the loser other than the king.
    others: Bitboard,
    /// The pawns of the loser.
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

    /// The number of flight squares of the loser's king, and the number of squares next to it that are not attacked.
    fn cage(&self) -> [u32; 2] {
        let calm = king(self.target) - self.attacked;
        [(calm - self.others).count(), calm.count()]
    }

    /// The deviation of the distance between the kings from two squares; and the number of squares from the loser's
    /// king to the edge, or to the corner if the winner has no rook or queen.
    fn kings(&self) -> [u32; 2] {
        let apart = steps(self.king, self.target).abs_diff(2);
        let edge =
            if self.heavy.is_empty() { corner_distance(self.target) } else { edge_distance(self.target) };
        [apart, edge]
    }

    /// The number of the loser's pieces other than pawns, the number of the loser's pawns, and the number of steps
    /// until a pawn promotes.
    ///
    /// If the winner has only knights and bishops, the loser's pieces are not obstacles but are needed next to the
    /// loser's king. Then the sums of distances replace the first two numbers.
    fn men(&self) -> [u32; 3] {
        /// The promotion distance without pawns; a promotion to less than a rook does not count as progress.
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

    /// Whether the winner has only knights and bishops besides the king.
    fn is_light(&self) -> bool {
        (self.heavy | self.pawns).is_empty()
    }
}

/// The cost of these features in a view.
#[inline(always)]
fn cost(view: &[u32], features: &[u32]) -> u32 {
    view.iter().zip(features).map(|(cost, count)| cost * count).sum()
}

/// The moves from the root to a node.
fn line(nodes: &[Node], mut number: u32) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Node { parent, mv: Some(mv), .. } = nodes[number as usize] {
        moves.push(mv);
        number = parent;
    }
    moves.reverse();
    moves
}

/// The set of positions reached, by their keys, which are already random numbers.
type Seen = HashSet<Key, BuildHasherDefault<KeyHasher>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_bounded() {
        let root = Position::start();
        let moves = root.count_legal_moves() as u32;
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
