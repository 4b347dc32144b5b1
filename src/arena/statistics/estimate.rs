//! Differences in strength, with their errors, from the distribution of scores.

use std::f64::consts::{LN_10, TAU};
use std::fmt;

/// A value and the half width of its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The most likely value; infinite if one side scored all points.
    pub value: f64,
    /// The half width; infinite if the interval is unbounded.
    pub error: f64,
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} +/- {:.2}", self.value, self.error)
    }
}

/// The difference in strength, estimated from a sample of games or of pairs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    score: f64,
    /// Variance of one sample.
    variance: f64,
    samples: f64,
    /// The number of games in a sample.
    games: f64,
}

/// Elo per natural unit of a logistic score.
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;
/// Normalized Elo per standard deviation of a game, chosen so that normalized Elo is about Elo if few games are drawn
/// (Van den Bergh, "Normalized Elo", <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
pub(super) const NORMALIZED_ELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The expected score of a side that is stronger by this much, in logistic Elo.
pub(super) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

impl Estimate {
    /// The estimate from single games.
    pub fn of_games(games: &Distribution<3>) -> Self {
        Self::of(games, 1.0)
    }

    /// The estimate from pairs of games.
    pub fn of_pairs(pairs: &Distribution<5>) -> Self {
        Self::of(pairs, 2.0)
    }

    fn of<const N: usize>(samples: &Distribution<N>, games: f64) -> Self {
        Self { score: samples.mean(), variance: samples.variance(), samples: samples.count(), games }
    }

    /// The mean score of a game, from 0 to 1.
    pub const fn score(&self) -> f64 {
        self.score
    }

    /// The difference in logistic Elo, which follows from the expected score.
    pub fn elo(&self) -> Interval {
        let elo = |score: f64| match score {
            ..=0.0 => f64::NEG_INFINITY,
            1.0.. => f64::INFINITY,
            _ => ELO_PER_LOGIT * (score / (1.0 - score)).ln(),
        };
        let margin = Z_95 * self.deviation_of_mean();
        let width = elo(self.score + margin) - elo(self.score - margin);
        // A single sample has no variance. The difference of two infinite ends with the same sign is not a number, and
        // the interval is then unbounded.
        let error = if self.samples <= 1.0 || width.is_nan() { f64::INFINITY } else { width / 2.0 };
        Interval { value: elo(self.score), error }
    }

    /// The difference in normalized Elo, which determines the number of games needed to detect it.
    pub fn normalized_elo(&self) -> Interval {
        let scale = NORMALIZED_ELO_PER_DEVIATION / (self.games * self.variance).sqrt();
        let value = if self.score == 0.5 { 0.0 } else { (self.score - 0.5) * scale };
        let error = Z_95 * self.deviation_of_mean() * scale;
        Interval { value, error: if error.is_finite() { error } else { f64::INFINITY } }
    }

    /// The likelihood of superiority: the probability, from 0 to 1, that the side is the stronger one.
    pub fn los(&self) -> f64 {
        // NaN without samples, or if all samples are equal and level; its result is one half.
        cumulative((self.score - 0.5) / self.deviation_of_mean())
    }

    fn deviation_of_mean(&self) -> f64 {
        (self.variance / self.samples).sqrt()
    }
}

/// Frequencies of `N` scores, equally spaced from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distribution<const N: usize> {
    frequencies: [f64; N],
    count: f64,
}

/// The number of samples assumed for a score that did not occur, since the likelihood of a distribution with that score
/// must not be zero. fishtest and fastchess use the same value.
const NEVER: f64 = 1e-3;

impl<const N: usize> Distribution<N> {
    /// The distribution of these numbers of samples of each score, the lowest first.
    pub fn new(counts: [u64; N]) -> Self {
        Self::of(counts.map(|count| count as f64))
    }

    fn of(counts: [f64; N]) -> Self {
        let count: f64 = counts.iter().sum();
        let frequencies = counts.map(|part| if count > 0.0 { part / count } else { 0.0 });
        Self { frequencies, count }
    }

    /// The distribution with a small number of samples of each score that did not occur.
    pub(super) fn regularized(&self) -> Self {
        let counts = self.frequencies.map(|frequency| frequency * self.count);
        Self::of(counts.map(|count| if count == 0.0 { NEVER } else { count }))
    }

    /// The number of samples.
    pub const fn count(&self) -> f64 {
        self.count
    }

    /// The frequency of each score, from 0 to 1.
    pub const fn frequencies(&self) -> [f64; N] {
        self.frequencies
    }

    /// The scores, from 0 to 1.
    pub fn scores() -> [f64; N] {
        std::array::from_fn(|index| index as f64 / (N - 1) as f64)
    }

    /// The mean score; a half if there are no samples.
    pub fn mean(&self) -> f64 {
        if self.count > 0.0 { mean(&self.frequencies) } else { 0.5 }
    }

    /// The variance of one sample.
    pub fn variance(&self) -> f64 {
        variance(&self.frequencies)
    }
}

/// The mean of the scores with these probabilities.
pub(super) fn mean<const N: usize>(probabilities: &[f64; N]) -> f64 {
    Distribution::<N>::scores().iter().zip(probabilities).map(|(score, p)| score * p).sum()
}

/// The variance of the scores with these probabilities.
pub(super) fn variance<const N: usize>(probabilities: &[f64; N]) -> f64 {
    let mean = mean(probabilities);
    Distribution::<N>::scores().iter().zip(probabilities).map(|(score, p)| (score - mean).powi(2) * p).sum()
}

/// The number of standard deviations on both sides of the mean that contain 95 % of a normal distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Beyond this many standard deviations the probability differs from 0 or 1 by less than the precision of a double.
const FAR: f64 = 9.0;

/// The probability that a standard normal variable is at most `x`, by its Taylor series
/// (Marsaglia, "Evaluating the Normal Distribution", 2004).
pub(super) fn cumulative(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    if x.abs() > FAR {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    loop {
        odd += 2.0;
        term *= x * x / odd;
        let next = sum + term;
        if next == sum {
            return (0.5 + sum * (-0.5 * x * x).exp() / TAU.sqrt()).clamp(0.0, 1.0);
        }
        sum = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Estimates

    fn assert_near(name: &str, found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{name}: found {found}, expected {expected}");
    }

    struct Case {
        name: &'static str,
        estimate: Estimate,
        score: f64,
        elo: Option<(f64, f64)>,
        normalized: (f64, f64),
        los: Option<f64>,
    }

    /// The values of fastchess (from its tests of both models), to the digits printed there.
    #[test]
    fn published_estimates() {
        let games = |wins, losses, draws| Estimate::of_games(&Distribution::new([losses, draws, wins]));
        let pairs = |counts| Estimate::of_pairs(&Distribution::new(counts));
        let cases = [
            Case {
                name: "76 wins, 89 losses",
                estimate: games(76, 89, 123),
                score: 0.477,
                elo: None,
                normalized: (-20.76, 40.13),
                los: Some(0.1553),
            },
            Case {
                name: "136 wins, 96 losses",
                estimate: games(136, 96, 111),
                score: 0.558,
                elo: Some((40.70, 30.43)),
                normalized: (49.77, 36.77),
                los: Some(0.9960),
            },
            Case {
                name: "34 wins, 356 losses",
                estimate: games(34, 356, 0),
                score: 0.087,
                elo: None,
                normalized: (-508.44, 34.48),
                los: None,
            },
            Case {
                name: "290 pairs",
                estimate: pairs([34, 54, 31 + 32, 64, 75]),
                score: 0.579,
                elo: Some((55.58, 27.65)),
                normalized: (57.94, 28.28),
                los: Some(1.0),
            },
            Case {
                name: "1930 pairs",
                estimate: pairs([332, 433, 457 + 41, 333, 334]),
                score: 0.488,
                elo: Some((-8.64, 10.33)),
                normalized: (-9.17, 10.96),
                los: Some(0.0505),
            },
            Case {
                name: "32904 pairs",
                estimate: pairs([7895, 8757, 5485 + 200, 568, 9999]),
                score: 0.470,
                elo: Some((-21.04, 2.95)),
                normalized: (-19.01, 2.65),
                los: Some(0.0),
            },
        ];
        for Case { name, estimate, score, elo, normalized, los } in cases {
            assert_near(name, estimate.score(), score, 0.0006);
            if let Some((value, error)) = elo {
                assert_near(name, estimate.elo().value, value, 0.006);
                assert_near(name, estimate.elo().error, error, 0.006);
            }
            assert_near(name, estimate.normalized_elo().value, normalized.0, 0.006);
            assert_near(name, estimate.normalized_elo().error, normalized.1, 0.006);
            if let Some(los) = los {
                assert_near(name, estimate.los(), los, 0.00006);
            }
        }
    }

    #[test]
    fn one_sided_and_empty_results_are_no_numbers_but_infinities() {
        let won = Estimate::of_games(&Distribution::new([0, 0, 7]));
        assert_eq!(won.elo().to_string(), "inf +/- inf");
        assert_eq!((won.normalized_elo().value, won.los()), (f64::INFINITY, 1.0));
        let lost = Estimate::of_pairs(&Distribution::new([7, 0, 0, 0, 0]));
        assert_eq!(lost.elo().to_string(), "-inf +/- inf");
        assert_eq!(lost.los(), 0.0);
        for level in [Distribution::new([0, 0, 0]), Distribution::new([0, 5, 0])] {
            let estimate = Estimate::of_games(&level);
            assert_eq!((estimate.elo().value, estimate.los()), (0.0, 0.5));
            assert_eq!(estimate.normalized_elo().value, 0.0);
            assert!(!estimate.elo().error.is_nan() && !estimate.normalized_elo().error.is_nan());
        }
    }

    #[test]
    fn expected_scores_are_those_of_elo() {
        assert_near("level", expected_score(0.0), 0.5, 1e-15);
        assert_near("ten to one", expected_score(400.0), 10.0 / 11.0, 1e-12);
    }

    // Normal distribution

    #[test]
    fn values_of_the_tables() {
        let cases = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (2.0, 0.977_249_868_051_821),
            (Z_95, 0.975),
            (-3.0, 0.001_349_898_031_630),
            (6.0, 0.999_999_999_013_412),
            (40.0, 1.0),
            (f64::NEG_INFINITY, 0.0),
        ];
        for (x, expected) in cases {
            assert!((cumulative(x) - expected).abs() < 1e-13, "{x}: {}", cumulative(x));
        }
    }
}
