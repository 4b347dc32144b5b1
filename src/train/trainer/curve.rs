//! The curve that converts scores to expected points.

use crate::nnue::EVAL_SCALE;
use serde::{Deserialize, Serialize};

/// The expected points of a score: a logistic curve for the win probability, and its mirror image for the loss
/// probability; the rest are draws (<https://www.chessprogramming.org/Pawn_Advantage,_Win_Percentage,_and_Elo>).
///
/// With an offset of zero there are no draws, and the points are the logistic function of the score.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// The score at which half of the games are won, zero or more.
    #[serde(default)]
    pub offset: f32,
    /// The distance from the offset to the score at which 1 / (1 + 1/e) = 73 % of the games are won, above zero.
    pub scale: f32,
}

/// The curve of the network's output in search units.
impl Default for Curve {
    fn default() -> Self {
        Self { offset: 0.0, scale: EVAL_SCALE as f32 }
    }
}

impl Curve {
    /// The points, 0 to 1, of a score in the units of the curve.
    #[inline]
    pub fn points(self, score: f32) -> f32 {
        self.chances(score).points()
    }

    /// The curve for scores in units that are `units` times as large.
    #[inline]
    pub(super) fn in_units_of(self, units: f32) -> Self {
        Self { offset: self.offset / units, scale: self.scale / units }
    }

    /// The probabilities at a score.
    #[inline]
    pub(super) fn chances(self, score: f32) -> Chances {
        let win = |score: f32| sigmoid((score - self.offset) / self.scale);
        Chances { win: win(score), loss: (self.offset > 0.0).then(|| win(-score)), scale: self.scale }
    }
}

/// The probabilities of a win and of a loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Chances {
    win: f32,
    /// The probability of a loss; `None` if there are no draws, so that it is the rest of 1.
    loss: Option<f32>,
    scale: f32,
}

impl Chances {
    /// The expected points.
    #[inline]
    pub(super) fn points(self) -> f32 {
        self.loss.map_or(self.win, |loss| 0.5 * (1.0 + self.win - loss))
    }

    /// The derivative by the score of a quantity whose derivative by the points is given.
    #[inline]
    pub(super) fn pull(self, by_points: f32) -> f32 {
        let Self { win, loss, scale } = self;
        match loss {
            None => by_points * win * (1.0 - win) / scale,
            Some(loss) => 0.5 * by_points * (win * (1.0 - win) + loss * (1.0 - loss)) / scale,
        }
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

    #[test]
    fn points_follow_from_the_chances_of_wins_and_losses() {
        const WIN: f32 = 0.731_058_6;
        let curve = Curve { offset: 200.0, scale: 100.0 };
        // Hardly any games are lost far ahead, and draws count half.
        let far = 1.0 / (1.0 + 5.0_f32.exp());
        let cases = [
            ("even", 0.0, 0.5),
            ("half of the games are won", 200.0, 0.5 * (1.5 - 1.0 / (1.0 + 4.0_f32.exp()))),
            ("one scale further", 300.0, 0.5 * (1.0 + WIN - far)),
            ("the other side", -300.0, 0.5 * (1.0 - WIN + far)),
            ("decided", 10_000.0, 1.0),
        ];
        for (name, score, expected) in cases {
            let points = curve.points(score);
            assert!((points - expected).abs() < 1e-6, "{name}: {points}, expected {expected}");
            assert!((curve.in_units_of(300.0).points(score / 300.0) - points).abs() < 1e-6, "{name}");
        }
        let logistic = Curve { offset: 0.0, scale: 400.0 };
        assert_eq!(logistic.points(-123.0), sigmoid(-123.0 / 400.0));
        // A tiny offset has nearly no effect.
        let near = Curve { offset: 1e-3, ..logistic };
        assert!((near.points(-123.0) - logistic.points(-123.0)).abs() < 1e-6);
    }

    #[test]
    fn pulls_are_slopes() {
        const STEP: f32 = 1.0;
        for curve in [Curve::default(), Curve { offset: 250.0, scale: 90.0 }] {
            for score in [-700.0, -250.0, 0.0, 30.0, 300.0] {
                let slope = (curve.points(score + STEP) - curve.points(score - STEP)) / (2.0 * STEP);
                let pull = curve.chances(score).pull(3.0);
                assert!((pull - 3.0 * slope).abs() < 1e-5, "{curve:?} at {score}: {pull}, {slope}");
            }
        }
    }
}
