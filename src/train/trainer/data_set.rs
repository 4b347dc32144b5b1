//! The examples of a data set, read from games on all cores.

use super::{Example, Selection, Source, Target};
use crate::rng::Rng;
use crate::train::data::{ChunkReader, DataError, Game, Sample, Seen};
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Examples for training and for validation.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct DataSet {
    /// The examples for training.
    pub training: Vec<Example>,
    /// The examples for validation, from games that are not in training.
    pub validation: Vec<Example>,
    /// The numbers of positions used and skipped.
    pub counts: Counts,
}

/// The number of positions used, and the numbers of positions skipped by reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// The number of games.
    pub games: u64,
    /// The number of games for validation.
    pub validation_games: u64,
    /// The number of positions of all games.
    pub positions: u64,
    /// The number of positions skipped because they are in the opening.
    pub early: u64,
    /// The number of positions skipped because the side to move is in check.
    pub checks: u64,
    /// The number of positions skipped because the best move captures or promotes.
    pub noisy: u64,
    /// The number of positions skipped because the score is a mate or beyond the limit.
    pub decided: u64,
    /// The number of positions skipped because the halfmove clock is beyond its limit.
    pub clock: u64,
    /// The number of positions skipped because the score of the next position refutes theirs.
    pub refuted: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.validation_games += other.validation_games;
        self.positions += other.positions;
        self.early += other.early;
        self.checks += other.checks;
        self.noisy += other.noisy;
        self.decided += other.decided;
        self.clock += other.clock;
        self.refuted += other.refuted;
    }
}

impl DataSet {
    /// Adds the positions of a game, with this factor of their loss. `place`, the number of its file and its number in
    /// the file, determines whether it is for validation.
    fn add_game(
        &mut self,
        selection: &Selection,
        target: &Target,
        weight: f32,
        game: &Game,
        place: [u64; 2],
    ) {
        let is_for_validation = selection.is_for_validation(place);
        let examples = if is_for_validation { &mut self.validation } else { &mut self.training };
        self.counts.games += 1;
        self.counts.validation_games += u64::from(is_for_validation);
        for (sample, points) in game.samples().zip(target.points(game)) {
            self.counts.positions += 1;
            if selection.takes(&sample, &mut self.counts) {
                let board = sample.position.board();
                let example = Example::new(board, points).with_weight(weight);
                let is_scheduled = target.wdl.is_scheduled();
                examples.push(if is_scheduled {
                    example.with_result(sample.result, board.turn())
                } else {
                    example
                });
            }
        }
    }

    /// A number that is different for other sets, and for another order of the examples.
    pub fn fingerprint(&self) -> u64 {
        /// An odd factor, so that every example affects the result.
        const FACTOR: u64 = 0xd134_2543_de82_ef95;
        let all = self.training.iter().chain(&self.validation);
        let start = self.training.len() as u64;
        all.fold(start, |sum, example| sum.wrapping_mul(FACTOR).wrapping_add(example.hash()))
    }
}

impl Selection {
    /// Whether the game at this place is for validation, regardless of the games around it.
    pub(super) fn is_for_validation(&self, place: [u64; 2]) -> bool {
        let [file, game] = place;
        let of_file = Rng::new(self.seed ^ file).next_u64();
        Rng::new(of_file ^ game).fraction() < self.validation
    }

    /// Whether a position is used as an example. If not, the reason is counted.
    pub fn takes(&self, sample: &Sample, counts: &mut Counts) -> bool {
        let position = &sample.position;
        let is_decided = sample.score.is_mate()
            || sample.score.units().unsigned_abs() > u32::from(self.max_score.unsigned_abs());
        let is_refuted = || {
            let change = sample.next_score.map(|next| next.units().abs_diff(sample.score.units()));
            change.zip(self.max_change).is_some_and(|(change, limit)| change > u32::from(limit))
        };
        let reason = if sample.ply < self.min_ply {
            &mut counts.early
        } else if position.is_check() {
            &mut counts.checks
        } else if position.is_noisy(sample.mv) {
            &mut counts.noisy
        } else if is_decided {
            &mut counts.decided
        } else if self.max_clock.is_some_and(|limit| position.halfmove_clock() > limit) {
            &mut counts.clock
        } else if is_refuted() {
            &mut counts.refuted
        } else {
            return true;
        };
        *reason += 1;
        false
    }
}

/// The reason why games were not read completely.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file cannot be used.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] DataError),
    /// Two files have the same content.
    #[error("{}: the same games as {}", .0.display(), .1.display())]
    Double(PathBuf, PathBuf),
    /// Reading was interrupted.
    #[error("interrupted while reading the games")]
    Interrupted,
}

/// The progress of reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadProgress {
    /// The number of files read.
    pub files: usize,
    /// The number of examples for training.
    pub training: usize,
}

/// Reads files, and uses positions of their games. The result does not depend on the number of threads. `listener` is
/// called after every file.
///
/// # Errors
/// [`LoadError`] for the first file that cannot be used, or if `stop` was set.
pub fn load(
    files: &[Source],
    selection: &Selection,
    target: &Target,
    threads: usize,
    stop: &AtomicBool,
    mut listener: impl FnMut(LoadProgress),
) -> Result<DataSet, LoadError> {
    let limit =
        selection.max_positions.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let next = AtomicUsize::new(0);
    let is_enough = AtomicBool::new(false);
    let halt = || stop.load(Ordering::Relaxed) || is_enough.load(Ordering::Relaxed);
    thread::scope(|scope| {
        // Bounded, so that no thread reads far ahead of the collecting thread.
        let (sender, receiver) = crossbeam_channel::bounded(threads.max(1));
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, halt) = (&next, &halt);
            scope.spawn(move || {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(file) = files.get(index)
                {
                    let part = read(file, index as u64, (selection, target), limit, halt);
                    if sender.send((index, part)).is_err() || halt() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut data = DataSet::default();
        let mut early = BTreeMap::new();
        let mut seen = Seen::default();
        let result = (0..files.len()).try_for_each(|index| {
            while !early.contains_key(&index)
                && let Ok((index, part)) = receiver.recv()
            {
                early.insert(index, part);
            }
            let (part, checksum): (DataSet, _) =
                early.remove(&index).unwrap_or(Err(LoadError::Interrupted))?;
            // A game for validation in one file could be an example for training from the other.
            let path = &files[index].path;
            if let Some(other) = seen.add(path, checksum) {
                return Err(LoadError::Double(path.clone(), other));
            }
            data.training.extend(&part.training[..part.training.len().min(limit - data.training.len())]);
            data.validation.extend(part.validation);
            data.counts += part.counts;
            listener(LoadProgress { files: index + 1, training: data.training.len() });
            if data.training.len() == limit {
                is_enough.store(true, Ordering::Relaxed);
                // Not an error: the limit has been reached, which ends the reading.
                return Err(LoadError::Interrupted);
            }
            Ok(())
        });
        // A thread that waits to send must not wait forever.
        drop(receiver);
        match result {
            Err(LoadError::Interrupted) if is_enough.load(Ordering::Relaxed) => Ok(data),
            Err(error) => {
                is_enough.store(true, Ordering::Relaxed);
                Err(error)
            }
            Ok(()) => Ok(data),
        }
    })
}

/// Reads a file up to this many positions. The checksum is `None` if the file was not read to its end.
fn read(
    file: &Source,
    index: u64,
    (selection, target): (&Selection, &Target),
    limit: usize,
    halt: &impl Fn() -> bool,
) -> Result<(DataSet, Option<u64>), LoadError> {
    let &Source { ref path, weight } = file;
    let fail = |error| LoadError::File(path.clone(), error);
    let mut data = DataSet::default();
    let mut reader = ChunkReader::open(path).map_err(fail)?;
    for (number, game) in reader.by_ref().enumerate() {
        if halt() {
            return Err(LoadError::Interrupted);
        }
        data.add_game(selection, target, weight, &game.map_err(fail)?, [index, number as u64]);
        if data.training.len() >= limit {
            break;
        }
    }
    Ok((data, reader.checksum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::search::Score;
    use crate::train::data::{GameResult, Ply, Termination};
    use crate::train::trainer::{Curve, WdlWeight};

    const SELECTION: Selection = Selection {
        min_ply: 2,
        max_score: 1000,
        max_clock: None,
        max_change: None,
        validation: 0.25,
        max_positions: None,
        seed: 1,
    };
    /// A target of the result alone.
    const TARGET: Target =
        Target { wdl: WdlWeight::Constant(1.0), curve: Curve { offset: 0.0, scale: 300.0 }, td_lambda: 0.0 };

    /// A game of these moves, each with a score.
    fn game(moves: &[(&str, i32)]) -> Game {
        let mut position = Position::start();
        let plies = moves.iter().map(|&(text, score)| {
            let squares = |mv: &Move| format!("{}{}", mv.from(), mv.to());
            let mv = *position.legal_moves().iter().find(|mv| squares(mv) == text).expect("a legal move");
            position = position.after(mv).0;
            Ply { mv, score: Score::new(score).expect("a score") }
        });
        let plies = plies.collect();
        Game::new(Position::start(), plies, GameResult::BlackWins, Termination::ALL[0]).expect("a legal game")
    }

    #[test]
    fn positions_are_left_out_for_a_reason() {
        let game = game(&[
            ("e2e4", 10),      // early
            ("d7d5", 20),      // early
            ("e4d5", 30),      // noisy
            ("g8f6", -40),     // used
            ("f1b5", 1000),    // used
            ("c7c6", 50),      // in check
            ("b1c3", 1001),    // decided
            ("a7a6", -31_990), // mated
        ]);
        let mut data = DataSet::default();
        data.add_game(&Selection { validation: 0.0, ..SELECTION }, &TARGET, 1.0, &game, [0, 0]);
        let expected =
            Counts { games: 1, positions: 8, early: 2, checks: 1, noisy: 1, decided: 2, ..Counts::default() };
        assert_eq!(data.counts, expected);
        let taken: Vec<_> = data.training.iter().map(Example::points).collect();
        assert_eq!(taken, [1.0, 0.0]);
        assert_eq!(data.validation, []);
    }

    #[test]
    fn positions_with_a_high_clock_or_a_refuted_score_may_be_left_out() {
        let game = game(&[
            ("e2e4", 0),
            ("e7e5", 0),
            ("g1f3", 50),     // clock 0
            ("b8c6", -250),   // clock 1: the score before is refuted
            ("f3g1", 250),    // clock 2
            ("c6b8", -255),   // clock 3
            ("g1f3", 31_990), // clock 4: a mate
        ]);
        let taken = |max_clock, max_change| {
            let selection = Selection { validation: 0.0, max_clock, max_change, ..SELECTION };
            let mut data = DataSet::default();
            data.add_game(&selection, &TARGET, 1.0, &game, [0, 0]);
            (data.training.len(), data.counts.clock, data.counts.refuted)
        };
        assert_eq!(taken(None, None), (4, 0, 0));
        assert_eq!(taken(Some(3), None), (4, 0, 0));
        assert_eq!(taken(Some(2), None), (3, 1, 0));
        assert_eq!(taken(Some(0), None), (1, 3, 0));
        assert_eq!(taken(None, Some(u16::MAX)), (4, 0, 0));
        // The last one is refuted by a mate.
        assert_eq!(taken(None, Some(200)), (3, 0, 1));
        assert_eq!(taken(None, Some(199)), (2, 0, 2));
        assert_eq!(taken(Some(2), Some(199)), (2, 1, 1));
        assert_eq!(taken(None, Some(0)), (1, 0, 3));
    }

    #[test]
    fn a_curve_of_two_sides_gives_the_points() {
        let game = game(&[("e2e4", 10), ("d7d5", 20), ("d2d4", 300), ("g8f6", -40)]);
        let curve = Curve { offset: 100.0, scale: 50.0 };
        let mut data = DataSet::default();
        let target = Target { wdl: WdlWeight::Constant(0.0), curve, td_lambda: 0.0 };
        data.add_game(&Selection { validation: 0.0, ..SELECTION }, &target, 1.0, &game, [0, 0]);
        let points: Vec<f32> = data.training.iter().map(Example::points).collect();
        let expected = [300.0, -40.0].map(|score| curve.points(score));
        assert!(points.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{points:?}, {expected:?}");
    }

    #[test]
    fn results_are_kept_where_their_weight_changes() {
        let game = game(&[("e2e4", 10), ("d7d5", 20), ("d2d4", 30), ("g8f6", 40)]);
        let points = |wdl, share| {
            let mut data = DataSet::default();
            let selection = Selection { validation: 0.0, ..SELECTION };
            data.add_game(&selection, &Target { wdl, ..TARGET }, 1.0, &game, [0, 0]);
            let points = |example: &Example| example.points_toward_result(share);
            (data.training.iter().map(points).collect::<Vec<_>>(), data.fingerprint())
        };
        // Black has won.
        let (result, linear) = points(WdlWeight::Linear { start: 0.0, end: 1.0 }, 1.0);
        assert_eq!(result, [0.0, 1.0]);
        let [(near, constant), (same, _)] = [0.0, 1.0].map(|share| points(WdlWeight::Constant(0.0), share));
        assert_eq!(near, same);
        assert_eq!(near, points(WdlWeight::Linear { start: 0.0, end: 1.0 }, 0.0).0);
        assert!(near.iter().all(|points| (0.5..0.6).contains(points)), "{near:?}");
        assert_ne!(linear, constant);
    }

    #[test]
    fn games_are_kept_back_whole() {
        let game = game(&[("e2e4", 1), ("e7e5", 2), ("g1f3", 3), ("g8f6", 4)]);
        let mut data = DataSet::default();
        for number in 0..1000 {
            data.add_game(&SELECTION, &TARGET, 1.0, &game, [number / 100, number % 100]);
        }
        assert_eq!(data.validation.len() as u64, 2 * data.counts.validation_games);
        assert_eq!(data.training.len() + data.validation.len(), 2000);
        // Six standard deviations.
        assert!(data.counts.validation_games.abs_diff(250) < 82, "{}", data.counts.validation_games);
        let fingerprint = data.fingerprint();
        data.training.swap(0, 1);
        assert_ne!(data.fingerprint(), fingerprint);
    }
}
