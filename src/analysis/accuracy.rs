//! The accuracy and the average loss of players in a game, as lichess computes them
//! (<https://lichess.org/page/accuracy>, and `AccuracyPercent` and `AccuracyCP` of
//! <https://github.com/lichess-org/lila>).

use super::judgement::{Judgement, limited, win_percent};
use crate::chess::Color;
use crate::notation::pgn::EvaluationScore;

/// The score of the initial position from White's point of view.
pub const START: EvaluationScore = EvaluationScore::Centipawns(15);

/// The accuracy of a move that loses `d` percent of winning chances is `SCALE exp(-DECAY d) - OFFSET + BONUS`.
const SCALE: f64 = 103.1668100711649;
const DECAY: f64 = 0.04354415386753951;
const OFFSET: f64 = 3.166924740191411;
/// Added for the uncertainty of searches.
const BONUS: f64 = 1.0;
/// The accuracy of a move that loses no winning chances.
const PERFECT: f64 = 100.0;

/// The number of windows in a game; the length of a window is also bounded.
const WINDOWS_A_GAME: usize = 10;
const MIN_WINDOW: usize = 2;
const MAX_WINDOW: usize = 8;

/// The bounds of the weight of a move, which is the standard deviation of the chances in its window, in percent.
const MIN_WEIGHT: f64 = 0.5;
const MAX_WEIGHT: f64 = 12.0;

/// The lower bound of accuracies in the harmonic mean, so that a single move does not decide it.
const MIN_HARMONIC: f64 = 1.0;

/// The accuracy of a move between two scores, both from White's point of view, in percent: 100 if it loses no winning
/// chances.
pub fn move_accuracy(before: EvaluationScore, after: EvaluationScore, mover: Color) -> f64 {
    accuracy(win_percent(before), win_percent(after), mover)
}

/// The accuracy of a move, from White's winning chances in percent before and after it.
fn accuracy(before: f64, after: f64, mover: Color) -> f64 {
    let loss = match mover {
        Color::White => before - after,
        Color::Black => after - before,
    };
    if loss <= 0.0 {
        return PERFECT;
    }
    (SCALE * (-DECAY * loss).exp() - OFFSET + BONUS).clamp(0.0, PERFECT)
}

/// The centipawns that a move loses, at least 0. Both scores are from White's point of view and are limited to 10
/// pawns.
pub fn centipawn_loss(before: EvaluationScore, after: EvaluationScore, mover: Color) -> u32 {
    let loss = limited(before) - limited(after);
    let loss = if mover == Color::White { loss } else { -loss };
    u32::try_from(loss).unwrap_or(0)
}

/// The summary of one player's moves in a game.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlayerSummary {
    /// The number of moves with a score before and after.
    pub moves: usize,
    /// The accuracy, from 0 to 100; `None` if no move has scores.
    pub accuracy: Option<f64>,
    /// The average loss in centipawns; `None` if no move has scores.
    pub average_loss_cp: Option<f64>,
    /// The numbers of inaccuracies, mistakes and blunders.
    pub judged: [usize; 3],
}

impl PlayerSummary {
    /// The number of moves with this judgement.
    pub const fn count(&self, judgement: Judgement) -> usize {
        self.judged[judgement as usize]
    }
}

/// The summaries of both players of a game.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct GameSummary {
    /// White.
    pub white: PlayerSummary,
    /// Black.
    pub black: PlayerSummary,
}

impl GameSummary {
    /// The summary of one player.
    pub const fn player(&self, color: Color) -> &PlayerSummary {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// Summarizes a game in which `first` moves first, by the score before the first move and the scores after each ply,
/// all from White's point of view. The position after checkmate has no score. A move without a score before or after it
/// is not counted, and neither is a null move, for which `is_move` is false.
///
/// The accuracy of a game is the mean of two means of the accuracies of its moves: one that is weighted by the
/// volatility of the winning chances around the move, and the harmonic mean.
pub fn summarize(
    first: Color,
    start: Option<EvaluationScore>,
    scores: &[Option<EvaluationScore>],
    is_move: impl Fn(usize) -> bool,
) -> GameSummary {
    let counted = counted(first, start, scores, is_move);
    let player = |color| {
        let moves = || counted.iter().filter(move |counted| counted.mover == color);
        let mut judged = [0; 3];
        for judgement in moves().filter_map(|counted| counted.judgement) {
            judged[judgement as usize] += 1;
        }
        let accuracy = moves().map(|counted| counted.accuracy);
        let weighted = weighted_mean(moves().map(|counted| (counted.accuracy, counted.weight)));
        let accuracy = weighted.zip(harmonic_mean(accuracy)).map(|(first, second)| (first + second) / 2.0);
        let average_loss_cp = average(moves().map(|counted| f64::from(counted.loss)));
        PlayerSummary { moves: moves().count(), accuracy, average_loss_cp, judged }
    };
    GameSummary { white: player(Color::White), black: player(Color::Black) }
}

/// A move that is counted.
struct Counted {
    mover: Color,
    accuracy: f64,
    /// The weight of the move in the accuracy of the game.
    weight: f64,
    /// The loss in centipawns.
    loss: u32,
    judgement: Option<Judgement>,
}

fn counted(
    first: Color,
    start: Option<EvaluationScore>,
    scores: &[Option<EvaluationScore>],
    is_move: impl Fn(usize) -> bool,
) -> Vec<Counted> {
    let all: Vec<Option<EvaluationScore>> = std::iter::once(start).chain(scores.iter().copied()).collect();
    let scored = scores.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let window = (scored / WINDOWS_A_GAME).clamp(MIN_WINDOW, MAX_WINDOW);
    let count = |index: usize| {
        let (before, after) = (all[index]?, all[index + 1]?);
        let mover = if index.is_multiple_of(2) { first } else { !first };
        // The window ends with the score after the move; the windows of the first moves start with the game.
        let from = (index + 2).saturating_sub(window);
        let around = all[from..(from + window).min(all.len())].iter().flatten();
        let percents: Vec<f64> = around.map(|&score| win_percent(score)).collect();
        Some(Counted {
            mover,
            accuracy: move_accuracy(before, after, mover),
            weight: standard_deviation(&percents).unwrap_or(0.0).clamp(MIN_WEIGHT, MAX_WEIGHT),
            loss: centipawn_loss(before, after, mover),
            judgement: Judgement::of_move(before, after, mover),
        })
    };
    (0..scores.len()).filter(|&index| is_move(index)).filter_map(count).collect()
}

/// The arithmetic mean; `None` if there are no values.
pub fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    weighted_mean(values.map(|value| (value, 1.0)))
}

/// The mean of values with positive weights.
fn weighted_mean(values: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (value, weight) in values {
        sum += value * weight;
        weights += weight;
    }
    (weights > 0.0).then(|| sum / weights)
}

fn harmonic_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    average(values.map(|value| value.max(MIN_HARMONIC).recip())).map(f64::recip)
}

fn standard_deviation(values: &[f64]) -> Option<f64> {
    let mean = average(values.iter().copied())?;
    average(values.iter().map(|value| (value - mean).powi(2))).map(f64::sqrt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use EvaluationScore::{Centipawns, Mate};

    fn is_near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 0.005)
    }

    #[test]
    fn moves_have_accuracy() {
        let cases = [
            ("nothing lost", 0, 0, 100.0),
            ("gained", 0, 50, 100.0),
            ("a pawn lost", 0, -100, 67.24),
            ("everything lost", 1000, -1000, 0.0),
        ];
        for (name, before, after, expected) in cases {
            let found = move_accuracy(Centipawns(before), Centipawns(after), Color::White);
            assert!((found - expected).abs() < 0.01, "{name}: {found}");
            let found = move_accuracy(Centipawns(-before), Centipawns(-after), Color::Black);
            assert!((found - expected).abs() < 0.01, "{name}, by Black: {found}");
        }
    }

    #[test]
    fn losses_are_limited() {
        let cases = [
            (Centipawns(30), Centipawns(-20), Color::White, 50),
            (Centipawns(30), Centipawns(-20), Color::Black, 0),
            (Mate(2), Centipawns(400), Color::White, 600),
            (Centipawns(-3000), Mate(1), Color::Black, 2000),
        ];
        for (before, after, mover, expected) in cases {
            assert_eq!(centipawn_loss(before, after, mover), expected, "{before:?} {after:?}");
        }
    }

    /// The summary is compared with the definition, with explicit lists of windows.
    #[test]
    fn a_game_is_summed_up() {
        let scores = [20, 10, 15, -40, -20, -150, -140, -130, -330, 20, 40, 35];
        let scores: Vec<_> = scores.map(|score| Some(Centipawns(score))).to_vec();
        let found = summarize(Color::White, Some(START), &scores, |_| true);
        let all: Vec<f64> = std::iter::once(START)
            .chain(scores.iter().flatten().copied())
            .map(|score| 100.0 / (1.0 + (-0.00368208 * f64::from(limited(score))).exp()))
            .collect();
        for (player, from, sign) in [(found.white, 0, 1.0), (found.black, 1, -1.0)] {
            let (mut sum, mut weights, mut inverses, mut count) = (0.0, 0.0, 0.0, 0.0);
            for index in (from..12).step_by(2) {
                let (before, after) = (all[index], all[index + 1]);
                let mean = (before + after) / 2.0;
                let deviation = (((before - mean).powi(2) + (after - mean).powi(2)) / 2.0).sqrt();
                let weight = deviation.clamp(0.5, 12.0);
                let loss = (before - after) * sign;
                let raw = 103.1668100711649 * (-0.04354415386753951 * loss).exp() - 2.166924740191411;
                let accuracy = if loss > 0.0 { raw.clamp(0.0, 100.0) } else { 100.0 };
                sum += accuracy * weight;
                weights += weight;
                inverses += 1.0 / accuracy.max(1.0);
                count += 1.0;
            }
            let expected = (sum / weights + count / inverses) / 2.0;
            assert!(is_near(player.accuracy, expected), "{player:?}, expected {expected}");
        }
        assert_eq!((found.white.moves, found.black.moves), (6, 6));
        assert_eq!((found.white.judged, found.black.judged), ([0, 0, 1], [0, 0, 1]));
        assert!(is_near(found.white.average_loss_cp, 200.0 / 6.0 + 0.0), "{found:?}");
    }

    #[test]
    fn gaps_do_not_count() {
        let scores = [Some(Centipawns(20)), None, Some(Centipawns(20)), Some(Mate(1)), None];
        let found = summarize(Color::Black, Some(START), &scores, |_| true);
        assert_eq!((found.black.moves, found.white.moves), (1, 1));
        assert_eq!(found.white.judged, [0, 0, 0]);
        let none = summarize(Color::White, None, &[], |_| true);
        assert_eq!(none, GameSummary::default());
        let one = summarize(Color::White, Some(START), &[Some(START)], |_| true);
        assert!(is_near(one.white.accuracy, 100.0), "{one:?}");
    }

    #[test]
    fn null_moves_do_not_count() {
        let scores = [20, 20, -300, -300].map(|score| Some(Centipawns(score)));
        let found = summarize(Color::White, Some(START), &scores, |index| index != 2);
        assert_eq!((found.white.moves, found.white.judged), (1, [0; 3]));
        assert_eq!((found.black.moves, found.black.average_loss_cp), (2, Some(0.0)));
    }
}
