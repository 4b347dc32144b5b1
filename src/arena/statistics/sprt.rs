//! The sequential probability ratio test, and the generalized log-likelihood ratio of two
//! hypotheses about a multinomial distribution (Van den Bergh, "Comparing the approximations for
//! the generalized log likelihood ratio of a multinomial distribution",
//! <https://www.cantate.be/Fishtest/comparing_approximations.pdf>, and "Comments on normalized
//! Elo", <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
//!
//! Each hypothesis fixes one number, the mean or the mean in standard deviations. It is represented by the distribution
//! with this number that makes the samples most likely.

use super::estimate::{NORMALIZED_ELO_PER_DEVIATION, expected_score, mean, variance};
use super::{Distribution, PairTally, Pairs, Results};
use crate::arena::scalar;
use serde::{Deserialize, Serialize};
use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The Elo scale in which the hypotheses of a test are stated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// The expected score, on the logistic scale.
    Logistic,
    /// The expected score in standard deviations of a game: a test takes about the same number of games at any draw
    /// rate.
    #[default]
    Normalized,
    /// The scale of BayesElo, which only applies to single games: the draw rate is estimated, and the hypotheses are
    /// converted to scores by it. This is the model of that name in fastchess. For the same test as in cutechess,
    /// divide its hypotheses by `4x / (1 + x)^2` with `x = 10^(-draw Elo / 400)`: it scales them so that a small
    /// difference is as large as in logistic Elo.
    Bayesian,
}

impl EloModel {
    /// All models.
    pub const ALL: [Self; 3] = [Self::Logistic, Self::Normalized, Self::Bayesian];

    /// The name of the model in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
            Self::Bayesian => "bayesian",
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EloModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|model| model.name() == text)
            .ok_or_else(|| "expected logistic, normalized or bayesian".to_owned())
    }
}

/// A test of "the difference is `elo1`" against "the difference is `elo0`", stopped as soon as the evidence for one of
/// them is strong enough.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "SprtTable")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// A test as written, before its numbers are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtTable {
    #[serde(default, deserialize_with = "scalar::number")]
    elo0: f64,
    #[serde(deserialize_with = "scalar::number")]
    elo1: f64,
    #[serde(default = "default_risk", deserialize_with = "scalar::number")]
    alpha: f64,
    #[serde(default = "default_risk", deserialize_with = "scalar::number")]
    beta: f64,
    #[serde(default)]
    model: EloModel,
}

const fn default_risk() -> f64 {
    Sprt::DEFAULT_RISK
}

impl TryFrom<SprtTable> for Sprt {
    type Error = SprtError;

    fn try_from(SprtTable { elo0, elo1, alpha, beta, model }: SprtTable) -> Result<Self, SprtError> {
        Self::new(elo0, elo1, alpha, beta, model)
    }
}

/// The verdict of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// The reason why a test is not possible.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The hypotheses are not two possible numbers in ascending order.
    #[error(
        "elo0={elo0} elo1={elo1}, expected elo0 to be less than elo1, and both between -{max} and {max}",
        max = Sprt::MAX_ELO
    )]
    Hypotheses {
        /// The lower hypothesis.
        elo0: f64,
        /// The higher hypothesis.
        elo1: f64,
    },
    /// The risks are out of the range in which a test is possible.
    #[error("alpha={alpha} beta={beta}, expected both to be between 0 and 1 and their sum to be less than 1")]
    Risks {
        /// The risk of accepting H1 wrongly.
        alpha: f64,
        /// The risk of accepting H0 wrongly.
        beta: f64,
    },
}

impl Sprt {
    /// The maximum magnitude of a hypothesis; beyond it, scores are too close to 0 or 1 to compute with.
    pub const MAX_ELO: f64 = 5000.0;
    /// The usual risk of each error.
    pub const DEFAULT_RISK: f64 = 0.05;

    /// A test of `elo1` against `elo0` that accepts `elo1` wrongly with probability `alpha` and `elo0` with probability
    /// `beta`.
    ///
    /// # Errors
    /// [`SprtError`] if `elo0` is not less than `elo1`, one of them exceeds [`Sprt::MAX_ELO`], or the risks are not
    /// valid.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, SprtError> {
        let is_possible = |elo: f64| elo.abs() <= Self::MAX_ELO; // false for NaN
        if !(is_possible(elo0) && is_possible(elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Risks { alpha, beta });
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The lower hypothesis.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The higher hypothesis.
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The risk of accepting H1 wrongly.
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The risk of accepting H0 wrongly.
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// The scale of the hypotheses.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The log-likelihood ratio at or below which H0 is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at or above which H1 is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 against H0: from pairs if all games are paired and the model applies to pairs,
    /// otherwise from single games.
    pub fn llr(&self, tally: &PairTally) -> f64 {
        if tally.is_paired() && self.model != EloModel::Bayesian {
            self.llr_of_pairs(&tally.pairs)
        } else {
            self.llr_of_games(&tally.results)
        }
    }

    fn llr_of_pairs(&self, pairs: &Pairs) -> f64 {
        let pairs = pairs.distribution();
        match self.model {
            EloModel::Normalized => {
                // The standard deviation of a pair is 1/sqrt(2) of that of a game.
                let deviations = |elo: f64| SQRT_2 * elo / NORMALIZED_ELO_PER_DEVIATION;
                llr_normalized(&pairs, deviations(self.elo0), deviations(self.elo1))
            }
            _ => llr_logistic(&pairs, expected_score(self.elo0), expected_score(self.elo1)),
        }
    }

    fn llr_of_games(&self, results: &Results) -> f64 {
        let games = results.distribution();
        match self.model {
            EloModel::Normalized => {
                let deviations = |elo: f64| elo / NORMALIZED_ELO_PER_DEVIATION;
                llr_normalized(&games, deviations(self.elo0), deviations(self.elo1))
            }
            EloModel::Logistic => llr_logistic(&games, expected_score(self.elo0), expected_score(self.elo1)),
            EloModel::Bayesian => self.bayesian_llr(results),
        }
    }

    /// The ratio of the BayesElo model. Half a game of each kind is added (Jeffreys' prior), as in cutechess: the draw
    /// rate cannot be estimated without both a win and a loss, and the test of a one-sided match would never end.
    fn bayesian_llr(&self, results: &Results) -> f64 {
        const PRIOR: f64 = 0.5;
        if results.games() == 0 {
            return 0.0;
        }
        let counts = [results.losses, results.draws, results.wins].map(|count| count as f64 + PRIOR);
        let games: f64 = counts.iter().sum();
        let [losses, draws, wins] = counts.map(|count| count / games);
        let draw_elo = 200.0 * ((1.0 - losses) / losses * (1.0 - wins) / wins).log10();
        let probabilities = |elo: f64| {
            let [win, loss] = [expected_score(elo - draw_elo), expected_score(-elo - draw_elo)];
            // This equals 1 - win - loss in this model, but it is not rounded to 0 or less if draws are rare.
            let draw = win * loss * (draws / (losses * wins));
            [loss, draw, win]
        };
        let (p0, p1) = (probabilities(self.elo0), probabilities(self.elo1));
        (0..3).map(|index| counts[index] * (p1[index] / p0[index]).ln()).sum()
    }

    /// The verdict at this log-likelihood ratio, if there is one yet.
    pub fn verdict(&self, ratio: f64) -> Option<Hypothesis> {
        if ratio >= self.upper() {
            Some(Hypothesis::H1)
        } else if ratio <= self.lower() {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }

    /// The progress of the test toward the bound on its side; 1 is the bound.
    pub fn progress(&self, ratio: f64) -> f64 {
        if ratio >= 0.0 { ratio / self.upper() } else { ratio / self.lower() }
    }
}

/// The log-likelihood ratio of "the mean score is `score1`" against "the mean score is `score0`".
pub(super) fn llr_logistic<const N: usize>(samples: &Distribution<N>, score0: f64, score1: f64) -> f64 {
    llr(samples, |frequencies, score| most_likely(frequencies, &deviations(score)), score0, score1)
}

/// The log-likelihood ratio of "the mean score is `deviations1` standard deviations above one half" against "it is
/// `deviations0` above one half".
pub(super) fn llr_normalized<const N: usize>(
    samples: &Distribution<N>,
    deviations0: f64,
    deviations1: f64,
) -> f64 {
    llr(samples, most_likely_with_deviation, deviations0, deviations1)
}

fn llr<const N: usize>(
    samples: &Distribution<N>,
    most_likely: impl Fn(&[f64; N], f64) -> [f64; N],
    hypothesis0: f64,
    hypothesis1: f64,
) -> f64 {
    if samples.count() == 0.0 {
        return 0.0;
    }
    let samples = samples.regularized();
    let frequencies = samples.frequencies();
    let p0 = most_likely(&frequencies, hypothesis0);
    let p1 = most_likely(&frequencies, hypothesis1);
    let mean: f64 = (0..N).map(|index| frequencies[index] * (p1[index] / p0[index]).ln()).sum();
    samples.count() * mean
}

/// The distance of each score from `center`, positive above it.
fn deviations<const N: usize>(center: f64) -> [f64; N] {
    Distribution::<N>::scores().map(|score| score - center)
}

/// The distribution in which the mean of `phi` is zero and that makes these frequencies most likely: `p = f / (1 +
/// theta * phi)` (Proposition 1.1 of the first paper). `phi` must have values on both sides of zero.
fn most_likely<const N: usize>(frequencies: &[f64; N], phi: &[f64; N]) -> [f64; N] {
    let lowest = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean_of_phi = |theta: f64| -> f64 {
        frequencies.iter().zip(phi).map(|(f, phi)| f * phi / (1.0 + theta * phi)).sum()
    };
    let theta = falling_root(mean_of_phi, -1.0 / highest, -1.0 / lowest);
    std::array::from_fn(|index| frequencies[index] / (1.0 + theta * phi[index]))
}

/// The most likely distribution whose mean is `wanted` standard deviations above one half. The condition is not linear,
/// so it is repeatedly linearized around the latest guess (section 4.1 of the second paper).
fn most_likely_with_deviation<const N: usize>(frequencies: &[f64; N], wanted: f64) -> [f64; N] {
    /// The maximum number of guesses; usually two or three are sufficient, and never more than a few.
    const MAX_GUESSES: usize = 50;
    /// The change in probability at which the iteration ends.
    const NEGLIGIBLE: f64 = 1e-10;
    let mut guess = guess_with_deviation(frequencies, wanted);
    for _ in 0..MAX_GUESSES {
        let (mean, deviation) = (mean(&guess), variance(&guess).sqrt());
        let phi = Distribution::<N>::scores().map(|score| {
            let distance = (score - mean) / deviation;
            score - 0.5 - 0.5 * wanted * deviation * (1.0 + distance * distance)
        });
        let next = most_likely(frequencies, &phi);
        let change = guess.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        guess = next;
        if change < NEGLIGIBLE {
            break;
        }
    }
    guess
}

/// Among the distributions that are most likely for their mean, the one whose mean is `wanted` standard deviations
/// above one half. For a guess that meets the condition, `phi` has values on both sides of zero, and this is true of
/// every later guess: the deviation is a concave function of the probabilities. For guesses that do not meet the
/// condition, such as the uniform distribution, it is false if hypotheses are extreme.
fn guess_with_deviation<const N: usize>(frequencies: &[f64; N], wanted: f64) -> [f64; N] {
    let guess = |score: f64| most_likely(frequencies, &deviations(score));
    let missing = |score: f64| wanted * variance(&guess(score)).sqrt() - (score - 0.5);
    guess(falling_root(missing, 0.0, 1.0))
}

/// The root of a function that is positive near `low` and negative near `high`.
fn falling_root(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    /// The number of bisections after which the precision of a double is exhausted.
    const HALVINGS: usize = 64;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if function(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use EloModel::{Logistic, Normalized};

    // The test

    fn test(elo0: f64, elo1: f64, risk: f64, model: EloModel) -> Sprt {
        Sprt::new(elo0, elo1, risk, risk, model).expect("a valid test")
    }

    #[test]
    fn bounds_and_verdicts() {
        let sprt = test(0.0, 10.0, 0.05, Normalized);
        assert_eq!(format!("{:.2} {:.2}", sprt.lower(), sprt.upper()), "-2.94 2.94");
        let strict = test(0.0, 10.0, 0.01, Logistic);
        assert_eq!(format!("{:.2} {:.2}", strict.lower(), strict.upper()), "-4.60 4.60");
        let uneven = Sprt::new(0.0, 5.0, 0.05, 0.10, Logistic).expect("a valid test");
        assert_eq!(format!("{:.2} {:.2}", uneven.lower(), uneven.upper()), "-2.25 2.89");
        let cases = [
            (2.95, Some(Hypothesis::H1)),
            (2.94, None),
            (0.0, None),
            (-2.94, None),
            (-2.95, Some(Hypothesis::H0)),
        ];
        for (ratio, expected) in cases {
            assert_eq!(sprt.verdict(ratio), expected, "{ratio}");
        }
        assert_eq!(sprt.progress(sprt.upper()), 1.0);
        assert_eq!(sprt.progress(sprt.lower()), 1.0);
    }

    #[test]
    fn nothing_is_known_without_games() {
        for model in EloModel::ALL {
            assert_eq!(test(0.0, 10.0, 0.05, model).llr(&PairTally::default()), 0.0, "{model}");
        }
    }

    /// For all results and hypotheses the ratio is a number, and better results have higher ratios.
    #[test]
    fn extreme_results_and_hypotheses_have_ratios() {
        let pairs = |counts: [u64; 5]| {
            let [ll, ld, level, wd, ww] = counts;
            let results = Results { wins: 2 * ww + wd, draws: wd + 2 * level + ld, losses: 2 * ll + ld };
            PairTally { results, pairs: Pairs { ptnml: counts, win_loss_pairs: 0 } }
        };
        /// More games than any match has.
        const MANY: u64 = 1_000_000_000;
        let matches = [
            [MANY, 0, 0, 0, 0],
            [1, 0, 0, 0, 0],
            [144, 3, 1, 0, 0],
            [0, 0, 1, 0, 0],
            [10, 20, 30, 20, 10],
            [MANY / 1000, 1, 0, 0, MANY],
            [0, 0, 0, 0, 1],
            [0, 0, 0, 0, MANY],
        ];
        let hypotheses = [
            (-5000.0, -4999.0),
            (-5000.0, 5000.0),
            (-1500.0, -500.0),
            (-5.0, 5000.0),
            (0.0, 0.001),
            (4999.0, 5000.0),
        ];
        for model in EloModel::ALL {
            for (elo0, elo1) in hypotheses {
                let sprt = test(elo0, elo1, 0.05, model);
                for tally in matches.map(pairs) {
                    for tally in [tally, PairTally { pairs: Pairs::default(), ..tally }] {
                        let ratio = sprt.llr(&tally);
                        assert!(ratio.is_finite(), "{model} {elo0} {elo1} {tally:?}: {ratio}");
                    }
                }
                let [worst, best] =
                    [matches[0], matches[matches.len() - 1]].map(|counts| sprt.llr(&pairs(counts)));
                assert!(worst < best, "{model} {elo0} {elo1}: {worst} {best}");
            }
        }
    }

    #[test]
    fn impossible_tests_are_refused() {
        let cases = [
            (10.0, 0.0, 0.05, 0.05, "elo0=10 elo1=0, expected elo0 to be less than elo1"),
            (0.0, 0.0, 0.05, 0.05, "elo0=0 elo1=0, expected"),
            (f64::NAN, 0.0, 0.05, 0.05, "elo0=NaN"),
            (0.0, 5001.0, 0.05, 0.05, "elo0=0 elo1=5001, expected elo0 to be less than elo1, and both"),
            (0.0, 10.0, 0.0, 0.05, "alpha=0 beta=0.05, expected both"),
            (0.0, 10.0, 0.5, 0.5, "alpha=0.5 beta=0.5, expected both"),
        ];
        for (elo0, elo1, alpha, beta, message) in cases {
            let error = Sprt::new(elo0, elo1, alpha, beta, Normalized).expect_err(message);
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }

    // Log-likelihood ratios

    #[test]
    fn the_most_likely_distribution_has_the_number_that_was_asked_for() {
        let frequencies = Distribution::new([20, 30, 25, 15, 10]).frequencies();
        for score in [0.3, 0.5, 0.7] {
            let p = most_likely(&frequencies, &deviations::<5>(score));
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{score}: {p:?}");
            assert!((mean(&p) - score).abs() < 1e-9, "{score}: {p:?}");
        }
        for wanted in [-9.0, -0.2, 0.0, 0.1, 30.0] {
            let p = most_likely_with_deviation(&frequencies, wanted);
            let found = (mean(&p) - 0.5) / variance(&p).sqrt();
            assert!((found - wanted).abs() < 1e-6, "{wanted}: {found}, {p:?}");
        }
    }
}
