//! One iteration: which way each parameter is moved, and what is learned from it.

use super::{Gains, Tuned};
use crate::rng::Rng;

/// Which way each parameter is moved in an iteration, by chance.
#[derive(Clone, Debug)]
pub struct Iteration {
    number: u64,
    /// 1 or -1 for each parameter: which way it is moved for the first player.
    flips: Vec<f64>,
    rng: Rng,
}

impl Iteration {
    /// The iteration with this number, counted from 1, of the run with this seed.
    pub fn new(seed: u64, number: u64, parameters: usize) -> Self {
        let salt = Rng::new(seed).next_u64();
        let mut rng = Rng::new(salt ^ number);
        let mut flip = || if rng.below(2) == 0 { -1.0 } else { 1.0 };
        let flips = std::iter::repeat_with(&mut flip).take(parameters).collect();
        Self { number, flips, rng }
    }

    /// The values that both players use in the next pair of games: integers around what is wanted,
    /// rounded by chance so that they are right on average, within their ranges.
    pub fn values(&mut self, gains: &Gains, parameters: &[Tuned]) -> [Vec<i32>; 2] {
        let mut side = |sign: f64| {
            let moved = parameters.iter().zip(&self.flips).map(|(parameter, flip)| {
                let wanted = parameter.value + sign * flip * gains.perturbation(parameter.step, self.number);
                let rounded = (wanted + self.rng.fraction()).floor();
                // What is outside any integer is clamped, too.
                (rounded as i32).clamp(parameter.low, parameter.high)
            });
            moved.collect()
        };
        [side(1.0), side(-1.0)]
    }

    /// Moves the parameters toward the player who has won more games: the first if `difference`
    /// is positive.
    pub fn learn(&self, gains: &Gains, parameters: &mut [Tuned], difference: i64) {
        for (parameter, flip) in parameters.iter_mut().zip(&self.flips) {
            parameter.shift(gains.stride(parameter.step, self.number) * difference as f64 * flip);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuned(name: &str, (low, high): (i32, i32), step: i32, value: f64) -> Tuned {
        Tuned { name: name.to_owned(), default: value as i32, low, high, step, value }
    }

    #[test]
    fn values_lie_around_the_parameters_and_are_right_on_average() {
        const DRAWS: u32 = 20_000;
        let gains = Gains { iterations: 100, rate: 0.002 };
        let parameters = [tuned("a", (-100, 100), 3, -20.3), tuned("b", (0, 1000), 40, 500.6)];
        let mut iteration = Iteration::new(5, 100, parameters.len());
        let mut sums = [[0.0; 2]; 2];
        for _ in 0..DRAWS {
            for (sums, values) in sums.iter_mut().zip(iteration.values(&gains, &parameters)) {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum += f64::from(value);
                }
            }
        }
        for (index, parameter) in parameters.iter().enumerate() {
            let flip = iteration.flips[index];
            for (sums, sign) in sums.iter().zip([flip, -flip]) {
                let (found, expected) =
                    (sums[index] / f64::from(DRAWS), parameter.value + sign * f64::from(parameter.step));
                // A rounding has a deviation of less than a half: these are five of the mean.
                assert!((found - expected).abs() < 0.02, "{}: {found}, not {expected}", parameter.name);
            }
        }
    }

    #[test]
    fn values_stay_in_range() {
        let gains = Gains { iterations: 100, rate: 1000.0 };
        let mut parameters = [tuned("low", (0, 9), 3, 0.0), tuned("high", (0, 9), 3, 9.0)];
        for number in 1..=100 {
            let mut iteration = Iteration::new(1, number, parameters.len());
            let values = iteration.values(&gains, &parameters);
            assert!(values.iter().flatten().all(|value| (0..=9).contains(value)), "{values:?}");
            iteration.learn(&gains, &mut parameters, 50);
            assert!(parameters.iter().all(|parameter| (0.0..=9.0).contains(&parameter.value)));
        }
    }

    #[test]
    fn flips_are_even_and_those_of_the_seed() {
        let flips = |seed, number| Iteration::new(seed, number, 1000).flips;
        let up = flips(1, 1).iter().filter(|&&flip| flip > 0.0).count();
        assert!((400..600).contains(&up), "{up} of 1000");
        assert_eq!(flips(1, 1), flips(1, 1));
        assert_ne!(flips(1, 1), flips(1, 2), "another iteration");
        assert_ne!(flips(1, 1), flips(2, 1), "another seed");
    }

    /// Tunes two parameters by games whose chances depend on how far each player is from the best
    /// values, and tells what comes out.
    fn tune_toward(best: [f64; 2], seed: u64) -> [f64; 2] {
        const GAMES: usize = 16;
        let gains = Gains { iterations: 1500, rate: 0.01 };
        let mut parameters = [tuned("a", (-100, 100), 5, 0.0), tuned("b", (0, 1000), 40, 500.0)];
        let mut games = Rng::new(seed + 1000);
        // In units of the steps, squared.
        let distance = |values: &[i32]| {
            let share = |index: usize, step: f64| ((f64::from(values[index]) - best[index]) / step).powi(2);
            share(0, 5.0) + share(1, 40.0)
        };
        for number in 1..=gains.iterations {
            let mut iteration = Iteration::new(seed, number, parameters.len());
            let [first, second] = iteration.values(&gains, &parameters);
            let advantage = 0.05 * (distance(&second) - distance(&first));
            let chance = 1.0 / (1.0 + (-advantage).exp());
            let won = (0..GAMES).filter(|_| games.fraction() < chance).count() as i64;
            iteration.learn(&gains, &mut parameters, 2 * won - GAMES as i64);
        }
        parameters.map(|parameter| parameter.value)
    }

    #[test]
    fn the_best_values_are_found_in_spite_of_noise() {
        for seed in 0..4 {
            let [a, b] = tune_toward([20.0, 350.0], seed);
            assert!((a - 20.0).abs() < 5.0 && (b - 350.0).abs() < 40.0, "seed {seed}: {a} {b}");
        }
        let bits = |seed| tune_toward([20.0, 350.0], seed).map(f64::to_bits);
        assert_eq!(bits(9), bits(9));
        assert_ne!(bits(9), bits(10));
    }
}
