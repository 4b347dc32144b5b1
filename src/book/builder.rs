//! Building books from games.

use super::PolyglotKey;
use super::format::{Entry, PolyglotMove};
use crate::chess::{Color, KeyHasher, Move, Position};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
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
    /// Twice the points, as Polyglot counts.
    fn default() -> Self {
        Self { win: 2, draw: 1, loss: 0 }
    }
}

/// The statistics of a move.
#[derive(Clone, Copy, Default, Debug)]
struct Record {
    games: u64,
    /// The sum of their points.
    score: u64,
    /// Twice the points.
    half_points: u64,
}

impl AddAssign for Record {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.score += other.score;
        self.half_points += other.half_points;
    }
}

/// Collects the moves of games.
#[derive(Clone, Default, Debug)]
pub struct Builder {
    scoring: Scoring,
    records: HashMap<(PolyglotKey, PolyglotMove), Record, BuildHasherDefault<KeyHasher>>,
}

/// The selection of moves, and their weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// Moves played in fewer games are left out.
    pub min_games: u64,
    /// Moves that have scored less are left out, in percent of the points.
    pub min_percent: f64,
    /// Whether all selected moves get the same weight.
    pub is_uniform: bool,
}

impl Default for Selection {
    /// Three games, as Polyglot has it.
    fn default() -> Self {
        Self { min_games: 3, min_percent: 0.0, is_uniform: false }
    }
}

/// Counts of the written book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Written {
    /// Positions.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
    /// Moves that were left out.
    pub left_out: u64,
}

impl Builder {
    /// No moves yet.
    pub fn new(scoring: Scoring) -> Self {
        Self { scoring, records: HashMap::default() }
    }

    /// Adds the moves of a game that this side has won, or neither side if it is a draw, each with
    /// the position before it. Repetitions within a game count once.
    pub fn add_game(&mut self, moves: impl IntoIterator<Item = (Position, Move)>, winner: Option<Color>) {
        let Scoring { win, draw, loss } = self.scoring;
        let place = |(position, mv): (Position, Move)| {
            let is_winner = winner.map(|winner| winner == position.turn());
            ((PolyglotKey::of(&position), PolyglotMove::of(mv)), is_winner)
        };
        let mut places: Vec<_> = moves.into_iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        for (place, is_winner) in places {
            let (score, half_points) = match is_winner {
                None => (draw, 1),
                Some(true) => (win, 2),
                Some(false) => (loss, 0),
            };
            *self.records.entry(place).or_default() +=
                Record { games: 1, score: u64::from(score), half_points };
        }
    }

    /// Adds the moves of another builder with the same scoring.
    pub fn merge(&mut self, other: Self) {
        if self.records.is_empty() {
            self.records = other.records;
            return;
        }
        for (place, record) in other.records {
            *self.records.entry(place).or_default() += record;
        }
    }

    /// Writes the book.
    ///
    /// Weights are the points of the games; if one is too large for the format, all weights of the
    /// position are scaled down, but none to zero. A move without points is left out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(self, selection: &Selection, out: &mut dyn Write) -> io::Result<Written> {
        let all = self.records.len() as u64;
        let mut kept: Vec<_> = self
            .records
            .into_iter()
            .filter(|(_, record)| {
                let percent = record.half_points as f64 * 50.0 / record.games as f64;
                record.games >= selection.min_games && percent >= selection.min_percent && record.score > 0
            })
            .collect();
        // The heaviest move first, and equals in the order of their codes.
        kept.sort_unstable_by_key(|&((key, mv), record)| (key, std::cmp::Reverse(record.score), mv));
        let mut written = Written { left_out: all - kept.len() as u64, ..Written::default() };
        for moves in kept.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let heaviest = moves.iter().map(|(_, record)| record.score).max().unwrap_or_default();
            for &((key, mv), record) in moves {
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
            (before, mv(text))
        });
        builder.add_game(game, Some(Color::White));
        let mut bytes = Vec::new();
        let all = Selection { min_games: 1, ..Selection::default() };
        builder.write(&all, &mut bytes).expect("memory can be written");
        let moves = Book::read(&bytes[..]).map(|book| book.moves(&start)).unwrap_or_default();
        assert_eq!(moves.iter().map(|found| (found.mv, found.weight)).collect::<Vec<_>>(), [(mv("g1f3"), 2)]);
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
                    (0..count).for_each(|_| part.add_game([(start, mv(text))], winner));
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
