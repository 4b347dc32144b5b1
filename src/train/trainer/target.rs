//! What the network is to say about the positions of a game.

use crate::train::data::Game;
use serde::{Deserialize, Serialize};

/// How the scores and the result of a game become the points that each position should bring.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The weight of the game's result; the rest of 1 is the weight of the scores.
    pub wdl: f32,
    /// The score, in centipawns, that brings 1 / (1 + 1/e) = 73 % of the points.
    pub scale: f32,
    /// The weight of what the rest of the game was thought to bring beside the position's own score, 0 to 1: a
    /// score made from few nodes misses what those after it see (λ-returns,
    /// <https://www.chessprogramming.org/Temporal_Difference_Learning>).
    pub foresight: f32,
}

impl Target {
    /// The points, 0 to 1, that each position of a game should bring its side to move.
    pub(super) fn points(&self, game: &Game) -> Vec<f32> {
        let mut points: Vec<f32> =
            game.plies().iter().map(|ply| sigmoid(ply.score.value() as f32 / self.scale)).collect();
        for ply in (1..points.len()).rev() {
            let seen_later = 1.0 - points[ply];
            points[ply - 1] += self.foresight * (seen_later - points[ply - 1]);
        }
        let mut turn = game.start().turn();
        for points in &mut points {
            let by_result = f32::from(game.result().half_points(turn)) / 2.0;
            *points += self.wdl * (by_result - *points);
            turn = !turn;
        }
        points
    }
}

/// The logistic function.
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::search::Score;
    use crate::train::data::{GameResult, Ply, Termination};

    /// Black loses a game in which the first move was thought to be even and the second one to be bad.
    fn game() -> Game {
        let start = Position::start();
        let first = *start.legal_moves().first().expect("there are moves");
        let second = *start.after(first).0.legal_moves().first().expect("there are moves");
        let plies =
            [(first, 0), (second, -400)].map(|(mv, value)| Ply { mv, score: Score::centipawns(value) });
        let game = Game::new(start, plies.to_vec(), GameResult::WhiteWins, Termination::ALL[0]);
        game.expect("a legal game")
    }

    #[test]
    fn points_mix_scores_and_result() {
        const LOW: f32 = 0.268_941_4;
        let cases = [
            ("the result alone", 1.0, 0.0, [1.0, 0.0]),
            ("the scores alone", 0.0, 0.0, [0.5, LOW]),
            ("both", 0.25, 0.0, [0.625, 0.75 * LOW]),
            ("the next score", 0.0, 1.0, [1.0 - LOW, LOW]),
            ("some of the next score", 0.0, 0.5, [0.5 * (0.5 + 1.0 - LOW), LOW]),
            ("all", 0.25, 0.5, [0.25 + 0.375 * (0.5 + 1.0 - LOW), 0.75 * LOW]),
        ];
        for (name, wdl, foresight, expected) in cases {
            let points = Target { wdl, scale: 400.0, foresight }.points(&game());
            let is_near = points.len() == 2 && points.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(is_near, "{name}: {points:?}");
        }
    }
}
