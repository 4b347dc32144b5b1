//! What the network is to say about an example.

use super::Example;
use serde::{Deserialize, Serialize};

/// How score and result of an example become the points it is expected to bring.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The weight of the game's result; the rest of 1 is the weight of the score.
    pub wdl: f32,
    /// The score, in centipawns, that brings 1 / (1 + 1/e) = 73 % of the points.
    pub scale: f32,
}

impl Target {
    /// The points that an example is expected to bring, 0 to 1.
    #[inline]
    pub fn points(&self, example: &Example) -> f32 {
        let by_score = sigmoid(f32::from(example.score()) / self.scale);
        self.wdl * example.points() + (1.0 - self.wdl) * by_score
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
    use crate::chess::{Position, Setup};

    #[test]
    fn points_mix_score_and_result() {
        let position = Position::try_from(Setup::start()).expect("a legal position");
        let cases = [
            ("the result alone", 1.0, 300, 0, 0.0),
            ("the score alone", 0.0, 0, 2, 0.5),
            ("a score of one scale", 0.0, 400, 0, 0.731_058_6),
            ("a score of minus one scale", 0.0, -400, 0, 0.268_941_4),
            ("both", 0.25, 0, 2, 0.625),
            ("an even game", 0.3, 0, 1, 0.5),
        ];
        for (name, wdl, score, half_points, expected) in cases {
            let example = Example::new(position.board(), score, half_points);
            let points = Target { wdl, scale: 400.0 }.points(&example);
            assert!((points - expected).abs() < 1e-6, "{name}: {points}");
        }
    }
}
