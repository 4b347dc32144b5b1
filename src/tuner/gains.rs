//! How far parameters are moved in each iteration.

/// Exponent by which steps shrink (Spall 1998, as all of these).
const ALPHA: f64 = 0.602;
/// Exponent by which perturbations shrink.
const GAMMA: f64 = 0.101;
/// Share of the iterations by which the first steps are held back.
const STABILITY: f64 = 0.1;

/// The gain sequences: both perturbations and steps are given by what they are in the last
/// iteration, and are larger before
/// (<https://official-stockfish.github.io/docs/fishtest-wiki/Creating-my-first-test.html#spsa>).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// How many iterations there will be.
    pub iterations: u64,
    /// Step of the last iteration for each game won, as a share of the squared perturbation: `r_end`.
    pub rate: f64,
}

impl Gains {
    /// How far a parameter is moved to either side in an iteration, counted from 1: `c_k`, of
    /// which `step` is the last one.
    pub fn perturbation(&self, step: i32, iteration: u64) -> f64 {
        let (all, now) = (self.iterations as f64, iteration.max(1) as f64);
        f64::from(step) * (all / now).powf(GAMMA)
    }

    /// How far a parameter goes for each game that the better side wins more: `a_k / c_k`.
    pub fn stride(&self, step: i32, iteration: u64) -> f64 {
        let (all, now) = (self.iterations as f64, iteration.max(1) as f64);
        let stability = STABILITY * all;
        let last = self.rate * f64::from(step).powi(2);
        let gain = last * ((stability + all) / (stability + now)).powf(ALPHA);
        gain / self.perturbation(step, iteration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_those_of_the_books() {
        let gains = Gains { iterations: 1000, rate: 0.002 };
        let is_near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-6;
        // c = 10 * 1000^0.101, c_1 = c / 1^0.101, c_1000 = 10
        assert!(is_near(gains.perturbation(10, 1), 20.090_928));
        assert!(is_near(gains.perturbation(10, 1000), 10.0));
        // a = 0.002 * 10^2 * 1100^0.602, a_1 = a / 101^0.602
        assert!(is_near(gains.stride(10, 1), 0.842_068 / 20.090_928), "{}", gains.stride(10, 1));
        assert!(is_near(gains.stride(10, 1000), 0.02));
    }

    #[test]
    fn gains_shrink() {
        let gains = Gains { iterations: 200, rate: 0.002 };
        for iteration in 1..200 {
            assert!(gains.perturbation(7, iteration) > gains.perturbation(7, iteration + 1));
            let gain = |iteration| gains.stride(7, iteration) * gains.perturbation(7, iteration);
            assert!(gain(iteration) > gain(iteration + 1));
        }
    }
}
