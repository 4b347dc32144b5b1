//! The normal distribution.

use std::f64::consts::TAU;

/// How many standard deviations to both sides of the mean hold 95 % of a normal distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Beyond so many standard deviations nothing is left that a double could show beside 1.
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
