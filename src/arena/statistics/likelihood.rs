//! The generalized log-likelihood ratio of two hypotheses about a multinomial distribution
//! (Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of
//! a multinomial distribution", <https://www.cantate.be/Fishtest/comparing_approximations.pdf>,
//! and "Comments on normalized Elo",
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
//!
//! Each hypothesis fixes one number, the mean or the mean in standard deviations. It is
//! represented by the distribution that has this number and makes the samples most likely.

use super::Distribution;
use super::distribution::{mean, variance};

/// Log-likelihood ratio of "the mean score is `score1`" against "it is `score0`".
pub(super) fn of_scores<const N: usize>(samples: &Distribution<N>, score0: f64, score1: f64) -> f64 {
    ratio(samples, |frequencies, score| most_likely(frequencies, &deviations(score)), score0, score1)
}

/// Log-likelihood ratio of "the mean score lies `deviations1` standard deviations above one
/// half" against "it lies `deviations0` above".
pub(super) fn of_deviations<const N: usize>(
    samples: &Distribution<N>,
    deviations0: f64,
    deviations1: f64,
) -> f64 {
    ratio(samples, most_likely_with_deviation, deviations0, deviations1)
}

fn ratio<const N: usize>(
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

/// How far each score lies above `center`.
fn deviations<const N: usize>(center: f64) -> [f64; N] {
    Distribution::<N>::scores().map(|score| score - center)
}

/// The distribution in which `phi` has the mean zero and that makes these frequencies most
/// likely: `p = f / (1 + theta * phi)` (Proposition 1.1 of the first paper). `phi` must have
/// values on both sides of zero.
fn most_likely<const N: usize>(frequencies: &[f64; N], phi: &[f64; N]) -> [f64; N] {
    let lowest = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean_of_phi = |theta: f64| -> f64 {
        frequencies.iter().zip(phi).map(|(f, phi)| f * phi / (1.0 + theta * phi)).sum()
    };
    let theta = falling_root(mean_of_phi, -1.0 / highest, -1.0 / lowest);
    std::array::from_fn(|index| frequencies[index] / (1.0 + theta * phi[index]))
}

/// The most likely distribution whose mean lies so many standard deviations above one half.
/// The condition is not linear, so it is made so around the latest guess, again and again
/// (section 4.1 of the second paper).
fn most_likely_with_deviation<const N: usize>(frequencies: &[f64; N], wanted: f64) -> [f64; N] {
    /// Guesses after which the last is good enough; most often two or three are, never more than
    /// a few.
    const MAX_GUESSES: usize = 50;
    /// A change in probability that does not matter.
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

/// Of the distributions that are most likely for their mean, the one whose mean lies so many
/// standard deviations above one half. A guess for which the condition holds leaves `phi` on both
/// sides of zero, then and for every guess after it: the deviation is a concave function of the
/// probabilities. Guesses that are chosen without regard to the condition, the uniform
/// distribution among them, do not where hypotheses are extreme.
fn guess_with_deviation<const N: usize>(frequencies: &[f64; N], wanted: f64) -> [f64; N] {
    let guess = |score: f64| most_likely(frequencies, &deviations(score));
    let missing = |score: f64| wanted * variance(&guess(score)).sqrt() - (score - 0.5);
    guess(falling_root(missing, 0.0, 1.0))
}

/// Where a function crosses zero that is positive near `low` and negative near `high`.
fn falling_root(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    /// Halvings after which a double has no digit left to gain.
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
