//! The target of a position: the expected points by the scores and the result of its game.

use super::Curve;
use super::example::points_of;
use crate::train::data::Game;
use serde::{Deserialize, Serialize};

/// The target: a weighted mean of the scores and the result of a game, in points, for each position.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The weight of the game's result; the rest of 1 is the weight of the scores.
    pub wdl: WdlWeight,
    /// The curve from scores in search units to points.
    #[serde(flatten)]
    pub curve: Curve,
    /// Lambda of TD(lambda): the weight of the later scores of the game compared to the position's own score, 0 to 1. A
    /// score from few nodes does not include what later searches find (λ-returns,
    /// <https://www.chessprogramming.org/Temporal_Difference_Learning>).
    #[serde(alias = "foresight")]
    pub td_lambda: f32,
}

impl Target {
    /// The target points, 0 to 1, of each position of a game for its side to move, with the minimum weight of the
    /// result in the run.
    pub(super) fn points(&self, game: &Game) -> Vec<f32> {
        let mut points: Vec<f32> =
            game.plies().iter().map(|ply| self.curve.points(ply.score.units() as f32)).collect();
        for ply in (1..points.len()).rev() {
            let seen_later = 1.0 - points[ply];
            points[ply - 1] += self.td_lambda * (seen_later - points[ply - 1]);
        }
        let mut turn = game.start().turn();
        for points in &mut points {
            *points += self.wdl.least() * (points_of(game.result(), turn) - *points);
            turn = !turn;
        }
        points
    }
}

/// The weight of the game's result over a run, 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WdlWeight {
    /// The weight is the same in all steps.
    Constant(f32),
    /// The weight changes by the same amount in each step.
    Linear {
        /// The weight in the first step.
        start: f32,
        /// The weight in the last step.
        end: f32,
    },
}

impl Default for WdlWeight {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

impl WdlWeight {
    /// The weight in the last step.
    pub const fn end(self) -> f32 {
        match self {
            Self::Constant(weight) | Self::Linear { end: weight, .. } => weight,
        }
    }

    /// Whether the weight changes.
    pub(super) const fn is_scheduled(self) -> bool {
        matches!(self, Self::Linear { .. })
    }

    /// The minimum weight of the run, which is included in the points of an example from the start.
    fn least(self) -> f32 {
        match self {
            Self::Constant(weight) => weight,
            Self::Linear { start, end } => start.min(end),
        }
    }

    /// The share, 0 to 1, by which `step` of `steps` moves the points from those with the minimum weight toward the
    /// result.
    pub(super) fn share(self, step: u64, steps: u64) -> f32 {
        let Self::Linear { start, end } = self else { return 0.0 };
        let last = steps.saturating_sub(1).max(1);
        let part = (step.min(last) as f64 / last as f64) as f32;
        let (weight, least) = (start + part * (end - start), self.least());
        // If the weight of the result is 1, no further change is possible.
        if least < 1.0 { ((weight - least) / (1.0 - least)).clamp(0.0, 1.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Color, Position};
    use crate::search::Score;
    use crate::train::data::{GameResult, Ply, Termination};
    use crate::train::trainer::Example;

    const CURVE: Curve = Curve { offset: 0.0, scale: 400.0 };

    /// A game that Black loses, in which the first move was scored as level and the second one as bad.
    fn game() -> Game {
        let start = Position::start();
        let first = *start.legal_moves().first().expect("there are moves");
        let second = *start.after(first).0.legal_moves().first().expect("there are moves");
        let plies =
            [(first, 0), (second, -400)].map(|(mv, value)| Ply { mv, score: Score::from_units(value) });
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
        for (name, wdl, td_lambda, expected) in cases {
            let points = Target { wdl: WdlWeight::Constant(wdl), curve: CURVE, td_lambda }.points(&game());
            let is_near = points.len() == 2 && points.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(is_near, "{name}: {points:?}");
        }
    }

    #[test]
    fn a_scheduled_weight_gives_the_points_of_each_step() {
        const STEPS: u64 = 5;
        let schedules = [(0.25, 0.75), (0.75, 0.25), (0.0, 1.0), (1.0, 0.5), (1.0, 1.0), (0.3, 0.3)];
        for (start, end) in schedules {
            let wdl = WdlWeight::Linear { start, end };
            let target = |wdl| Target { wdl, curve: CURVE, td_lambda: 0.0 };
            let turns = [Color::White, Color::Black];
            for (ply, (points, turn)) in target(wdl).points(&game()).into_iter().zip(turns).enumerate() {
                let example = Example::new(Position::start().board(), points);
                let example = example.with_result(GameResult::WhiteWins, turn);
                for step in 0..STEPS {
                    let weight = start + (end - start) * step as f32 / (STEPS - 1) as f32;
                    let expected = target(WdlWeight::Constant(weight)).points(&game())[ply];
                    let found = example.points_toward_result(wdl.share(step, STEPS));
                    assert!((found - expected).abs() < 3e-5, "{wdl:?}, {ply} at {step}: {found}, {expected}");
                }
            }
            assert_eq!(wdl.share(1 << 40, STEPS), wdl.share(STEPS - 1, STEPS), "{wdl:?}");
            assert_eq!(wdl.end(), end);
        }
        // A constant weight does not change the points at all.
        assert_eq!(WdlWeight::Constant(0.3).share(3, STEPS), 0.0);
        assert!(
            !WdlWeight::Constant(0.3).is_scheduled()
                && WdlWeight::Linear { start: 0.1, end: 0.2 }.is_scheduled()
        );
    }

    #[test]
    fn weights_are_written_as_numbers_or_pairs() {
        let cases = [
            ("0.3", WdlWeight::Constant(0.3)),
            (r#"{"start":0.2,"end":0.5}"#, WdlWeight::Linear { start: 0.2, end: 0.5 }),
        ];
        for (text, wdl) in cases {
            assert_eq!(serde_json::from_str::<WdlWeight>(text).expect(text), wdl);
            assert_eq!(serde_json::to_string(&wdl).expect("it can be written"), text);
        }
    }

    #[test]
    fn targets_of_earlier_versions_are_read() {
        let target = Target { wdl: WdlWeight::Constant(0.3), curve: CURVE, td_lambda: 0.5 };
        for text in [
            r#"{"wdl":0.3,"scale":400.0,"td_lambda":0.5}"#,
            r#"{"wdl":0.3,"scale":400.0,"foresight":0.5}"#,
            r#"{"wdl":0.3,"offset":0.0,"scale":400.0,"td_lambda":0.5}"#,
        ] {
            assert_eq!(serde_json::from_str::<Target>(text).expect(text), target);
        }
        let text = serde_json::to_string(&target).expect("it can be written");
        assert_eq!(serde_json::from_str::<Target>(&text).expect("it was written"), target);
    }
}
