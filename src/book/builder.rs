//! Building books from games.

use super::PolyglotKey;
use super::format::{Entry, KeyFollower, PolyglotMove};
use crate::chess::{Color, KeyHasher, Move, Placement};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::io::{self, Write};
use std::ops::AddAssign;

/// The points of a game for the moves of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scoring {
    /// A game that the side has won.
    pub win: u32,
    /// A draw.
    pub draw: u32,
    /// A game that the side has lost.
    pub loss: u32,
}

impl Default for Scoring {
    /// The points of Polyglot, twice the usual ones.
    fn default() -> Self {
        Self { win: 2, draw: 1, loss: 0 }
    }
}

/// The statistics of a move in a position.
#[derive(Clone, Copy, Default, Debug)]
struct Record {
    games: u64,
    /// The sum of the points of the games by the [`Scoring`].
    score: u64,
    /// Twice the points of the games, with 1 for a win and 1/2 for a draw.
    half_points: u64,
}

impl AddAssign for Record {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.score += other.score;
        self.half_points += other.half_points;
    }
}

/// A move in a position of the book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    key: PolyglotKey,
    mv: PolyglotMove,
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        /// An odd number that spreads the bits of moves over the whole hash.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        state.write_u64(self.key.bits() ^ u64::from(self.mv.0).wrapping_mul(SPREAD));
    }
}

/// A move that was played in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Played {
    key: PolyglotKey,
    mv: PolyglotMove,
    /// Whether the side that moved has won the game; `None` for a draw.
    is_winner: Option<bool>,
}

// A place within it would have room of its own behind the move.
const _: () = assert!(size_of::<Played>() == 16);

/// The number of shards of a builder, so large that the table of one shard fits into the cache while moves are counted
/// in it.
const SHARDS: usize = 256;
/// The number of moves that wait before they are counted in a shard.
const MAX_WAITING: usize = 2048;

/// The maximum number of reversible moves in which a repetition is looked for move by move. Longer games of such moves
/// are sorted.
const MAX_REVERSIBLE: usize = 100;

/// The moves of some of the positions.
#[derive(Clone, Default, Debug)]
struct Shard {
    records: HashMap<Place, Record, BuildHasherDefault<KeyHasher>>,
    /// The moves that have not been counted yet.
    waiting: Vec<Played>,
}

impl Shard {
    fn count_waiting(&mut self, scoring: Scoring) {
        for Played { key, mv, is_winner } in self.waiting.drain(..) {
            let (score, half_points) = match is_winner {
                None => (scoring.draw, 1),
                Some(true) => (scoring.win, 2),
                Some(false) => (scoring.loss, 0),
            };
            *self.records.entry(Place { key, mv }).or_default() +=
                Record { games: 1, score: u64::from(score), half_points };
        }
    }
}

/// Collects the moves of games for a book.
#[derive(Clone, Debug)]
pub struct Builder {
    scoring: Scoring,
    shards: Vec<Shard>,
    /// The moves of the current game.
    game: Vec<Played>,
}

/// The selection of moves, and their weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// Moves played in fewer games are omitted.
    pub min_games: u64,
    /// Moves with a lower score are omitted, in percent of the points.
    pub min_percent: f64,
    /// Whether all selected moves get the same weight.
    pub is_uniform: bool,
}

impl Default for Selection {
    /// At least three games, as in Polyglot.
    fn default() -> Self {
        Self { min_games: 3, min_percent: 0.0, is_uniform: false }
    }
}

/// The counts of a written book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Written {
    /// The number of positions.
    pub positions: u64,
    /// The number of moves.
    pub moves: u64,
    /// The number of moves that were omitted.
    pub left_out: u64,
}

impl Builder {
    /// A builder without moves.
    pub fn new(scoring: Scoring) -> Self {
        Self { scoring, shards: vec![Shard::default(); SHARDS], game: Vec::new() }
    }

    /// Adds the moves of a game that this side has won, or a draw if `winner` is `None`, each with the position before
    /// it. Repetitions within a game count once.
    pub fn add_game(&mut self, moves: &[(Placement, Move)], winner: Option<Color>) {
        let mut keys = KeyFollower::default();
        let mut game = std::mem::take(&mut self.game);
        let mut may_repeat = false;
        for (position, mv) in moves {
            let (key, mv) = (keys.key(position), PolyglotMove::of(*mv));
            // A repeated position comes after reversible moves alone, and most often there are only few of them.
            let reversible = usize::from(position.halfmove_clock());
            let earlier = game.len().saturating_sub(reversible);
            if reversible > MAX_REVERSIBLE {
                may_repeat = true;
            } else if game[earlier..].iter().any(|played| (played.key, played.mv) == (key, mv)) {
                continue;
            }
            game.push(Played { key, mv, is_winner: winner.map(|winner| winner == position.turn()) });
        }
        if may_repeat {
            game.sort_unstable();
            game.dedup();
        }
        for played in game.drain(..) {
            // Other bits of the key than those that determine the place in the shard's table.
            let shard = &mut self.shards[(played.key.bits() >> u32::BITS) as usize % SHARDS];
            shard.waiting.push(played);
            if shard.waiting.len() >= MAX_WAITING {
                shard.count_waiting(self.scoring);
            }
        }
        self.game = game;
    }

    /// Adds the moves of another builder with the same scoring.
    pub fn merge(&mut self, other: Self) {
        for (shard, other) in self.shards.iter_mut().zip(other.shards) {
            for (place, record) in other.records {
                *shard.records.entry(place).or_default() += record;
            }
            shard.waiting.extend(other.waiting);
            if shard.waiting.len() >= MAX_WAITING {
                shard.count_waiting(self.scoring);
            }
        }
    }

    /// Writes the book.
    ///
    /// Weights are the points of the games; if one is too large for the format, all weights of the position are scaled
    /// down, but none to zero. Moves without points are omitted.
    ///
    /// # Errors
    /// If the book cannot be written.
    pub fn write(mut self, selection: &Selection, out: &mut dyn Write) -> io::Result<Written> {
        self.shards.iter_mut().for_each(|shard| shard.count_waiting(self.scoring));
        let all = self.shards.iter().map(|shard| shard.records.len() as u64).sum::<u64>();
        let is_kept = |record: &Record| {
            let percent = record.half_points as f64 * 50.0 / record.games as f64;
            record.games >= selection.min_games && percent >= selection.min_percent && record.score > 0
        };
        let records = self.shards.into_iter().flat_map(|shard| shard.records);
        let mut kept: Vec<(Place, Record)> = records.filter(|(_, record)| is_kept(record)).collect();
        // The move with the largest weight first, and moves of equal weight in the order of their codes.
        kept.sort_unstable_by_key(|&(Place { key, mv }, record)| (key, Reverse(record.score), mv));
        let mut written = Written { left_out: all - kept.len() as u64, ..Written::default() };
        for moves in kept.chunk_by(|(one, _), (other, _)| one.key == other.key) {
            let heaviest = moves.iter().map(|(_, record)| record.score).max().unwrap_or_default();
            for &(Place { key, mv }, record) in moves {
                let weight = if selection.is_uniform { 1 } else { weight(record.score, heaviest) };
                out.write_all(&Entry { key, mv, weight, learn: 0 }.to_bytes())?;
            }
            written.positions += 1;
            written.moves += moves.len() as u64;
        }
        Ok(written)
    }
}

/// The weight of a move relative to the heaviest one of the position.
fn weight(score: u64, heaviest: u64) -> u16 {
    const MOST: u64 = u16::MAX as u64;
    let scaled = if heaviest <= MOST {
        score
    } else {
        (u128::from(score) * u128::from(MOST) / u128::from(heaviest)) as u64
    };
    scaled.clamp(1, MOST) as u16
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::super::{Book, BookMove};
    use super::*;
    use crate::chess::Position;

    #[test]
    fn weights_fit() {
        let cases =
            [(7, 9, 7), (65_535, 65_535, 65_535), (131_070, 131_070, 65_535), (1, 1 << 40, 1), (5, 5, 5)];
        for (score, heaviest, expected) in cases {
            assert_eq!(weight(score, heaviest), expected, "{score} of {heaviest}");
        }
    }

    #[test]
    fn what_a_game_repeats_counts_once() {
        let mut builder = Builder::new(Scoring::default());
        let start = Position::start();
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3"];
        let mut position = start;
        let game = moves.map(|text| {
            let before = position;
            position = position.after(mv(text)).0;
            (before.into(), mv(text))
        });
        builder.add_game(&game, Some(Color::White));
        let mut bytes = Vec::new();
        let all = Selection { min_games: 1, ..Selection::default() };
        builder.write(&all, &mut bytes).expect("memory can be written");
        let moves = Book::read(&bytes[..]).map(|book| book.moves(&start)).unwrap_or_default();
        assert_eq!(moves.iter().map(|found| (found.mv, found.weight)).collect::<Vec<_>>(), [(mv("g1f3"), 2)]);
    }

    #[test]
    fn repetitions_count_once_however_long_the_game_shuffles() {
        let texts = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for plies in [4, 8, MAX_REVERSIBLE, MAX_REVERSIBLE + 50] {
            let mut builder = Builder::new(Scoring::default());
            let mut position = Position::start();
            let game: Vec<_> = (0..plies)
                .map(|ply| {
                    let before = position;
                    position = position.after(mv(texts[ply % texts.len()])).0;
                    (before.into(), mv(texts[ply % texts.len()]))
                })
                .collect();
            builder.add_game(&game, None);
            let all = Selection { min_games: 1, ..Selection::default() };
            let written = builder.write(&all, &mut Vec::new()).expect("memory can be written");
            assert_eq!(written, Written { positions: 4, moves: 4, left_out: 0 }, "{plies} plies");
        }
    }

    #[test]
    fn moves_are_weighed_by_what_they_scored() {
        let start = Position::start();
        let games = [("e2e4", 3, 2, 1), ("d2d4", 2, 0, 0), ("c2c4", 0, 4, 0), ("g1f3", 0, 0, 3)];
        let build = |selection| {
            let mut builder = Builder::new(Scoring::default());
            for (text, wins, draws, losses) in games {
                for (count, winner) in
                    [(wins, Some(Color::White)), (draws, None), (losses, Some(Color::Black))]
                {
                    let mut part = Builder::new(Scoring::default());
                    (0..count).for_each(|_| part.add_game(&[(start.into(), mv(text))], winner));
                    builder.merge(part);
                }
            }
            let mut bytes = Vec::new();
            let written = builder.write(&selection, &mut bytes).expect("memory can be written");
            let moves = Book::read(&bytes[..]).map(|book| book.moves(&start)).unwrap_or_default();
            (written, moves.into_iter().map(|BookMove { mv, weight, .. }| (mv, weight)).collect::<Vec<_>>())
        };
        let all = Selection { min_games: 1, ..Selection::default() };
        let (written, moves) = build(all);
        assert_eq!(written, Written { positions: 1, moves: 3, left_out: 1 });
        assert_eq!(moves, [(mv("e2e4"), 8), (mv("c2c4"), 4), (mv("d2d4"), 4)]);
        let (_, moves) = build(Selection::default());
        assert_eq!(moves, [(mv("e2e4"), 8), (mv("c2c4"), 4)]);
        let (_, moves) = build(Selection { min_percent: 60.0, ..all });
        assert_eq!(moves, [(mv("e2e4"), 8), (mv("d2d4"), 4)]);
        let (_, moves) = build(Selection { is_uniform: true, ..all });
        assert!(moves.iter().all(|&(_, weight)| weight == 1), "{moves:?}");
        assert_eq!(build(Selection { min_games: 100, ..all }).1, []);
    }
}
