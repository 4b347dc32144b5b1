//! How often each score came.

/// Frequencies of `N` scores, equally spaced from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distribution<const N: usize> {
    frequencies: [f64; N],
    count: f64,
}

/// What stands for a score that never came, in samples: the likelihood of a distribution that
/// allows it must not be zero. The value is the one that fishtest and fastchess use.
const NEVER: f64 = 1e-3;

impl<const N: usize> Distribution<N> {
    /// The distribution of so many samples of each score, the lowest first.
    pub fn new(counts: [u64; N]) -> Self {
        Self::of(counts.map(|count| count as f64))
    }

    fn of(counts: [f64; N]) -> Self {
        let count: f64 = counts.iter().sum();
        let frequencies = counts.map(|part| if count > 0.0 { part / count } else { 0.0 });
        Self { frequencies, count }
    }

    /// The same, but with a trace of every score.
    pub(super) fn regularized(&self) -> Self {
        let counts = self.frequencies.map(|frequency| frequency * self.count);
        Self::of(counts.map(|count| if count == 0.0 { NEVER } else { count }))
    }

    /// The number of samples.
    pub const fn count(&self) -> f64 {
        self.count
    }

    /// How often each score came, from 0 to 1.
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
