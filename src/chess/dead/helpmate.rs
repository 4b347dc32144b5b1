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
    OutOfNodes,
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
}

/// Searches for a mate by `winner` in at most `max_nodes` positions. Positions that are `hopeless` are not searched.
pub(super) fn search(
    root: &Position,
    winner: Color,
    max_nodes: u32,
    mut is_hopeless: impl FnMut(&Position, &Position) -> bool,
) -> Found {
    let mut nodes = vec![Node { position: *root, parent: 0, mv: None, plies: 0 }];
    let mut seen = Seen::default();
    seen.insert(root.key());
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    while let Some(Reverse((_, index))) = queue.pop() {
        let Node { position, plies, .. } = nodes[index as usize];
        for &mv in &position.legal_moves() {
            let child = position.after(mv).0;
            if !seen.insert(child.key()) || is_hopeless(&position, &child) {
                continue;
            }
            let number = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
            let is_mate = child.turn() != winner && child.is_check() && child.legal_moves().is_empty();
            nodes.push(Node { position: child, parent: index, mv: Some(mv), plies: plies.saturating_add(1) });
            if is_mate {
                return Found::Mate(line(&nodes, number));
            }
            if number >= max_nodes {
                return Found::OutOfNodes;
            }
            queue.push(Reverse((distance(&child, winner) + u32::from(plies), number)));
        }
    }
    Found::Nothing
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

/// How far from a mate by `winner` a position looks.
fn distance(position: &Position, winner: Color) -> u32 {
    let loser = !winner;
    let target = position.king(loser);
    let own = position.king(winner);
    let attacked = position.attacked_by(winner);
    let flights = (king(target) - attacked - position.color(loser)).count();
    let heavy = position.pieces(winner, Role::Queen) | position.pieces(winner, Role::Rook);
    let mut distance = 6 * flights + 2 * steps(own, target).saturating_sub(2);
    if heavy.is_empty() {
        let pawns = position.pieces(winner, Role::Pawn);
        let left = pawns.into_iter().map(|pawn| rank_distance(pawn, winner)).min();
        distance += left.map_or(6 * corner_distance(target), |left| 20 + 8 * left);
    } else {
        distance += 3 * edge_distance(target);
    }
    distance
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
