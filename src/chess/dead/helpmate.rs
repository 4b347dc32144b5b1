//! The search for a helpmate: both sides do what they can for one of them to mate.
//!
//! It is a best-first search. The best position is the one that looks nearest to a mate, and no position is entered
//! twice, so that a search that has nothing left to enter has proved that there is no mate.

use crate::chess::attacks::king;
use crate::chess::{Color, File, Key, Move, Position, Rank, Role, Square};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

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

/// What is in the way of a mate, in numbers: see [`features`].
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
            let features = features(&child, winner, answers.unwrap_or(0), u32::from(plies));
            for (view, queue) in VIEWS.iter().zip(&mut queues) {
                let cost: u32 = view.iter().zip(features).map(|(cost, count)| cost * count).sum();
                queue.push((Reverse(cost), number));
            }
        }
    }
}

/// What is in the way of a mate: squares beside the king that he can go to; squares beside him that are not attacked;
/// how far the kings are from being two squares apart; squares to the edge, or to the corner without rooks and queens;
/// pieces of the other side; its pawns; steps until a pawn promotes; answers to a check; moves made.
///
/// Where there are only knights and bishops, men of the other side are no hindrance but needed, beside the king. Then
/// their distances to him count instead.
fn features(position: &Position, winner: Color, answers: u32, plies: u32) -> [u32; FEATURES] {
    /// Steps without a pawn: a promotion to less than a rook is no progress.
    const NO_PAWN: u32 = 7;
    let loser = !winner;
    let target = position.king(loser);
    let calm = king(target) - position.attacked_by(winner);
    let apart = steps(position.king(winner), target).abs_diff(2);
    let pawns = position.pieces(winner, Role::Pawn);
    let is_heavy = !(position.pieces(winner, Role::Queen) | position.pieces(winner, Role::Rook)).is_empty();
    let others = position.color(loser) - target;
    let other_pawns = others & position.role(Role::Pawn);
    let edge = if is_heavy { edge_distance(target) } else { corner_distance(target) };
    let (mut hindrance, mut wall) = ((others - other_pawns).count(), other_pawns.count());
    if !is_heavy && pawns.is_empty() {
        let minors = position.color(winner) - position.king(winner);
        hindrance = (minors | (others - other_pawns)).into_iter().map(|from| steps(from, target)).sum();
        wall = other_pawns.into_iter().map(|pawn| rank_distance(pawn, loser)).sum();
    }
    [
        (calm - position.color(loser)).count(),
        calm.count(),
        apart,
        edge,
        hindrance,
        wall,
        if is_heavy {
            0
        } else {
            pawns.into_iter().map(|pawn| rank_distance(pawn, winner)).min().unwrap_or(NO_PAWN) + 3
        },
        answers,
        plies,
    ]
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

/// Takes the key for its hash.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(u8::BITS) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, bits: u64) {
        self.0 = bits;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

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
