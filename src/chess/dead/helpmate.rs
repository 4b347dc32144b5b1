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
    /// Whether its moves have been made.
    is_done: bool,
}

/// What is in the way of a mate, in numbers.
const FEATURES: usize = 9;
/// What each of them costs, in a view of how mates come about.
pub(super) type View = [u32; FEATURES];

/// Searches for a mate by `winner` in at most `max_nodes` positions. Positions that are `hopeless` are not searched.
///
/// Each view has a queue of its own, and they take turns, so that what one of them overlooks does not keep the others
/// from finding it.
pub(super) fn search(
    root: &Position,
    winner: Color,
    views: &[View],
    max_nodes: u32,
    mut is_hopeless: impl FnMut(&Position, &Position, u16) -> bool,
) -> Found {
    let mut nodes = vec![Node { position: *root, parent: 0, mv: None, plies: 0, is_done: false }];
    let mut seen = Seen::default();
    seen.insert(root.key());
    // Of several that look as near, the latest comes first.
    let mut queues: Vec<_> = views.iter().map(|_| BinaryHeap::from([(Reverse(0), 0)])).collect();
    let mut turn = 0;
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
            if number >= max_nodes {
                return Found::OutOfNodes;
            }
            let features = features(&child, winner, answers.unwrap_or(0), u32::from(plies));
            for (view, queue) in views.iter().zip(&mut queues) {
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
        hindrance = (minors | others - other_pawns).into_iter().map(|from| steps(from, target)).sum();
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
mod lab {
    use super::*;
    use crate::chess::Verdict;
    use crate::notation::position_from_fen;
    use crate::rng::Rng;
    use std::time::Instant;

    fn number(name: &str, usual: u32) -> u32 {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    }

    fn views() -> Vec<View> {
        std::env::var("VIEWS").ok().map_or_else(
            || super::super::VIEWS.to_vec(),
            |text| {
                text.split(';')
                    .map(|view| {
                        let numbers: Vec<u32> =
                            view.split(',').map(|number| number.trim().parse().unwrap()).collect();
                        numbers.try_into().unwrap()
                    })
                    .collect()
            },
        )
    }

    fn run(name: &str, positions: &[(Position, Color)], views: &[View], limit: u32) {
        let mut times = Vec::new();
        let (mut yes, mut no, mut lines) = (0, 0, 0);
        for (position, color) in positions {
            let start = Instant::now();
            if position.legal_moves().is_empty() || !super::super::material::is_too_little(position, *color) {
                let found = search(position, *color, views, limit, |before, after, _| {
                    before.occupied().count() != after.occupied().count()
                        && super::super::material::is_too_little(after, *color)
                });
                match found {
                    Found::Mate(line) => {
                        yes += 1;
                        lines += line.len();
                    }
                    Found::Nothing => no += 1,
                    Found::OutOfNodes => {
                        if std::env::var("SHOW").is_ok() {
                            println!("{} {}", crate::notation::Fen::new(position), color.name());
                        }
                    }
                }
            } else {
                no += 1;
            }
            times.push(start.elapsed());
        }
        times.sort();
        let sum: std::time::Duration = times.iter().sum();
        println!(
            "{name}: {} positions, yes {yes} no {no} undecided {}; plies {:.1}; mean {:?} median {:?} 90% {:?}",
            positions.len(),
            positions.len() - yes - no,
            lines as f64 / yes as f64,
            sum / times.len() as u32,
            times[times.len() / 2],
            times[times.len() * 9 / 10]
        );
    }

    #[test]
    #[ignore]
    fn lab() {
        let views = views();
        let limit = number("LIMIT", 20000);
        let many = number("MANY", 300);
        let mut rng = Rng::new(7);
        let mut walks = Vec::new();
        while walks.len() < many as usize {
            let mut position = Position::start();
            for _ in 0..rng.below(120) {
                let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
                position = position.after(mv).0;
            }
            if !position.legal_moves().is_empty() {
                walks.push((position, *rng.choose(&Color::ALL).unwrap()));
            }
        }
        run("walks", &walks, &views, limit);
        let mut few = Vec::new();
        const OTHERS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        while few.len() < many as usize {
            let mut setup =
                crate::chess::Setup { turn: *rng.choose(&Color::ALL).unwrap(), ..crate::chess::Setup::EMPTY };
            setup.pieces[*rng.choose(&Square::ALL).unwrap()] = Some(crate::chess::Piece::WhiteKing);
            setup.pieces[*rng.choose(&Square::ALL).unwrap()] = Some(crate::chess::Piece::BlackKing);
            for _ in 0..=rng.below(3) {
                let piece = crate::chess::Piece::new(
                    *rng.choose(&Color::ALL).unwrap(),
                    *rng.choose(&OTHERS).unwrap(),
                );
                setup.pieces[*rng.choose(&Square::ALL).unwrap()] = Some(piece);
            }
            if let Ok(position) = Position::try_from(setup) {
                few.push((position, *rng.choose(&Color::ALL).unwrap()));
            }
        }
        run("few", &few, &views, limit);
        let text = std::fs::read_to_string("/tmp/zone/vector.txt").unwrap();
        let mut all = [vec![], vec![]];
        for line in
            text.lines().filter(|line| line.as_bytes().get(2) == Some(&b' ') && !line.starts_with('#'))
        {
            let fen = line[3..].trim();
            let fen = if fen.ends_with(" w") || fen.ends_with(" b") {
                format!("{fen} - -")
            } else {
                fen.to_owned()
            };
            let Ok(position) = position_from_fen(&fen).map_err(|error| println!("{fen}: {error}")) else {
                continue;
            };
            for (color, letter) in [(Color::White, b'W'), (Color::Black, b'B')] {
                let can = line.as_bytes()[color as usize] == letter;
                all[usize::from(can)].push((position, color));
            }
        }
        run("cha yes", &all[1], &views, limit);
        if std::env::var("DEAD").is_ok() {
            let mut undecided = 0;
            for (position, color) in &all[0] {
                if position.can_checkmate(*color) == Verdict::Undecided {
                    undecided += 1;
                    println!("U {} {}", crate::notation::Fen::new(position), color.name());
                }
            }
            println!("{undecided} of {} undecided", all[0].len());
        }
    }
}
