//! The examples, and which positions become some.

use super::{Example, Selection, Target};
use crate::rng::Rng;
use crate::train::data::{Game, Sample};
use std::ops::AddAssign;

/// Examples to learn from, and others that tell what was learned.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct DataSet {
    /// To learn from.
    pub training: Vec<Example>,
    /// From games of their own, to see what the network says about what it has not learned.
    pub validation: Vec<Example>,
    /// What became of the positions.
    pub counts: Counts,
}

/// How many positions were taken, and why others were not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Games whose positions are for validation.
    pub validation_games: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Left out because of their place in the opening.
    pub early: u64,
    /// Left out because the side to move is in check.
    pub checks: u64,
    /// Left out because the best move captures or promotes.
    pub noisy: u64,
    /// Left out because the score is a mate or beyond the limit.
    pub decided: u64,
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
    }
}

impl DataSet {
    /// Takes the positions of a game. Its place, the number of its file and its own in that,
    /// decides whether it is for validation.
    pub(super) fn add_game(&mut self, selection: &Selection, target: &Target, game: &Game, place: [u64; 2]) {
        let is_for_validation = selection.is_for_validation(place);
        let examples = if is_for_validation { &mut self.validation } else { &mut self.training };
        self.counts.games += 1;
        self.counts.validation_games += u64::from(is_for_validation);
        for (sample, points) in game.samples().zip(target.points(game)) {
            self.counts.positions += 1;
            if selection.takes(&sample, &mut self.counts) {
                examples.push(Example::new(sample.position.board(), points));
            }
        }
    }

    /// A number that tells this set from others, in the order of the examples too.
    pub fn fingerprint(&self) -> u64 {
        /// Odd, so that no example before another is forgotten.
        const FACTOR: u64 = 0xd134_2543_de82_ef95;
        let all = self.training.iter().chain(&self.validation);
        let start = self.training.len() as u64;
        all.fold(start, |sum, example| sum.wrapping_mul(FACTOR).wrapping_add(example.hash()))
    }
}

impl Selection {
    /// Is the game at this place kept back? The games around it have no part in that.
    fn is_for_validation(&self, place: [u64; 2]) -> bool {
        let [file, game] = place;
        let of_file = Rng::new(self.seed ^ file).next_u64();
        Rng::new(of_file ^ game).fraction() < self.validation
    }

    /// Is a position to be learned from? If not, the reason is counted.
    fn takes(&self, sample: &Sample, counts: &mut Counts) -> bool {
        let position = &sample.position;
        let is_decided = sample.score.is_mate()
            || sample.score.value().unsigned_abs() > u32::from(self.max_score.unsigned_abs());
        let reason = if sample.ply < self.min_ply {
            &mut counts.early
        } else if position.is_check() {
            &mut counts.checks
        } else if position.is_noisy(sample.mv) {
            &mut counts.noisy
        } else if is_decided {
            &mut counts.decided
        } else {
            return true;
        };
        *reason += 1;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::search::Score;
    use crate::train::data::{GameResult, Ply, Termination};

    const SELECTION: Selection =
        Selection { min_ply: 2, max_score: 1000, validation: 0.25, max_positions: None, seed: 1 };
    /// The result alone.
    const TARGET: Target = Target { wdl: 1.0, scale: 300.0, foresight: 0.0 };

    /// The game of these moves, each with a score.
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
            ("g8f6", -40),     // taken
            ("f1b5", 1000),    // taken
            ("c7c6", 50),      // in check
            ("b1c3", 1001),    // decided
            ("a7a6", -31_990), // mated
        ]);
        let mut data = DataSet::default();
        data.add_game(&Selection { validation: 0.0, ..SELECTION }, &TARGET, &game, [0, 0]);
        let expected =
            Counts { games: 1, validation_games: 0, positions: 8, early: 2, checks: 1, noisy: 1, decided: 2 };
        assert_eq!(data.counts, expected);
        let taken: Vec<_> = data.training.iter().map(Example::points).collect();
        assert_eq!(taken, [1.0, 0.0]);
        assert_eq!(data.validation, []);
    }

    #[test]
    fn games_are_kept_back_whole() {
        let game = game(&[("e2e4", 1), ("e7e5", 2), ("g1f3", 3), ("g8f6", 4)]);
        let mut data = DataSet::default();
        for number in 0..1000 {
            data.add_game(&SELECTION, &TARGET, &game, [number / 100, number % 100]);
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
