//! SPSA: gain sequences, parameters being tuned, and iterations; and screening, which only measures.

use crate::rng::Rng;
use crate::search::{Parameter, Params};
use serde::{Deserialize, Serialize};

/// The exponent by which steps shrink (Spall 1998, as for all of these).
const ALPHA: f64 = 0.602;
/// The exponent by which perturbations shrink.
const GAMMA: f64 = 0.101;
/// The share of the iterations by which the first steps are damped.
const STABILITY: f64 = 0.1;
/// Elo per natural unit of a logistic score.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// The standard deviations on either side of a 95 % confidence interval.
const Z_95: f64 = 1.96;

/// The gain sequences: perturbations and steps are defined by their values in the last iteration, and are larger before
/// (<https://official-stockfish.github.io/docs/fishtest-wiki/Creating-my-first-test.html#spsa>).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// The number of iterations.
    pub iterations: u64,
    /// The step of the last iteration for each game won, relative to the squared perturbation: `r_end`.
    pub rate: f64,
    /// In a screening, the constant perturbation in units of each parameter's step; nothing moves.
    pub screen: Option<f64>,
}

impl Gains {
    /// The distance by which a parameter is moved in either direction in an iteration, counted from 1: `c_k`, whose
    /// last value is `step`.
    pub fn perturbation(&self, step: i32, iteration: u64) -> f64 {
        if let Some(steps) = self.screen {
            return f64::from(step) * steps;
        }
        let (all, now) = (self.iterations as f64, iteration.max(1) as f64);
        f64::from(step) * (all / now).powf(GAMMA)
    }

    /// The distance that a parameter moves for each game by which the better side leads: `a_k / c_k`.
    pub fn step_size(&self, step: i32, iteration: u64) -> f64 {
        if self.screen.is_some() {
            return 0.0;
        }
        let (all, now) = (self.iterations as f64, iteration.max(1) as f64);
        let stability = STABILITY * all;
        let last = self.rate * f64::from(step).powi(2);
        let gain = last * ((stability + all) / (stability + now)).powf(ALPHA);
        gain / self.perturbation(step, iteration)
    }
}

/// A parameter that is being tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuned {
    /// The name of the parameter.
    pub name: String,
    /// The value in a build without tuning.
    pub default: i32,
    /// The minimum value.
    pub low: i32,
    /// The maximum value.
    pub high: i32,
    /// The distance by which the parameter is moved in either direction in the last iteration: `c_end`.
    pub step: i32,
    /// The tuned value, which need not be an integer.
    pub value: f64,
}

impl Tuned {
    /// A parameter with its declared values.
    pub fn new(parameter: &Parameter) -> Self {
        let Parameter { name, default, low, high, step } = *parameter;
        Self { name: name.to_owned(), default, low, high, step, value: default.into() }
    }

    /// The tuned value minus the default.
    pub fn change(&self) -> f64 {
        self.value - f64::from(self.default)
    }

    /// The integer nearest to the tuned value.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32 // in the range of the parameter, whose limits are of this type
    }

    /// Moves the tuned value within its range.
    pub(super) fn shift(&mut self, by: f64) {
        self.value = (self.value + by).clamp(self.low.into(), self.high.into());
    }

    /// The reason why tuning cannot be resumed with this parameter, if any.
    pub(super) fn problem(&self) -> Option<String> {
        let Self { name, value, .. } = self;
        let Some(declared) = Params::declared(name) else {
            return Some(format!("no search parameter is called {name}"));
        };
        if (Self { value: declared.default.into(), ..self.clone() }) != Self::new(declared) {
            return Some(format!("default, range or step of {name} are not those of this program"));
        }
        let is_in_range = (f64::from(self.low)..=f64::from(self.high)).contains(value);
        (!is_in_range).then(|| format!("{name} is {value}, expected {} to {}", self.low, self.high))
    }
}

/// The random directions in which the parameters are moved in an iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    number: u64,
    /// The direction for each parameter, 1 or -1, in which it is moved for the first player.
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

    /// The number of the iteration, counted from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The values of both players in the next pair of games: the moved values within their ranges, rounded randomly to
    /// one of the adjacent integers so that they are right on average.
    pub fn values(&mut self, gains: &Gains, parameters: &[Tuned]) -> [Vec<i32>; 2] {
        let mut side = |sign: f64| {
            let moved = parameters.iter().zip(&self.flips).map(|(parameter, flip)| {
                let wanted = parameter.value + sign * flip * gains.perturbation(parameter.step, self.number);
                let rounded = (wanted + self.rng.fraction()).floor();
                // This also clamps a value outside the range of integers.
                (rounded as i32).clamp(parameter.low, parameter.high)
            });
            moved.collect()
        };
        [side(1.0), side(-1.0)]
    }

    /// Moves the parameters toward those of the player that won more games: the first one if `difference` is positive.
    pub fn learn(&self, gains: &Gains, parameters: &mut [Tuned], difference: i64) {
        for (parameter, flip) in parameters.iter_mut().zip(&self.flips) {
            parameter.shift(gains.step_size(parameter.step, self.number) * difference as f64 * flip);
        }
    }
}

/// The results of a screening: what each parameter's higher value brought against its lower one, while all other
/// parameters were drawn by lot.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Screening {
    /// For each parameter, the games won minus the games lost by the side with the higher value.
    leads: Vec<i64>,
    /// The sum over the iterations of the square of this difference, whose sign alone depends on the parameter.
    squares: u64,
}

/// The effect of a parameter's higher value against its lower one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The difference in Elo.
    pub elo: f64,
    /// Half of the 95 % confidence interval, in Elo.
    pub error: f64,
}

impl Screening {
    /// A screening of this number of parameters without games.
    pub(super) fn new(parameters: usize) -> Self {
        Self { leads: vec![0; parameters], squares: 0 }
    }

    /// The number of parameters.
    pub(super) const fn parameters(&self) -> usize {
        self.leads.len()
    }

    /// Adds the results of an iteration: the games that the first player won minus those that it lost.
    pub(super) fn learn(&mut self, iteration: &Iteration, difference: i64) {
        for (lead, flip) in self.leads.iter_mut().zip(&iteration.flips) {
            *lead = lead.saturating_add(if *flip > 0.0 { difference } else { -difference });
        }
        self.squares = self.squares.saturating_add(difference.unsigned_abs().saturating_pow(2));
    }

    /// The effect of a parameter after this number of iterations with `games` games each; `None` if there are too few,
    /// or one side has won all of them.
    pub fn effect(&self, index: usize, iterations: u64, games: u64) -> Option<Effect> {
        let (count, games) = (iterations as f64, games as f64);
        // Between -1, all games lost by the higher value, and 1, all games won.
        let lead = *self.leads.get(index)? as f64 / count / games;
        let variance = self.squares as f64 / count / games.powi(2) - lead.powi(2);
        let is_known = iterations > 1 && lead.abs() < 1.0;
        is_known.then(|| Effect {
            elo: ELO_PER_LOGIT * ((1.0 + lead) / (1.0 - lead)).ln(),
            error: Z_95 * (variance.max(0.0) / count).sqrt() * ELO_PER_LOGIT * 2.0 / (1.0 - lead.powi(2)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Gains

    #[test]
    fn gains_are_those_of_the_books() {
        let gains = Gains { iterations: 1000, rate: 0.002, screen: None };
        let is_near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-6;
        // c = 10 * 1000^0.101, c_1 = c / 1^0.101, c_1000 = 10
        assert!(is_near(gains.perturbation(10, 1), 20.090_928));
        assert!(is_near(gains.perturbation(10, 1000), 10.0));
        // a = 0.002 * 10^2 * 1100^0.602, a_1 = a / 101^0.602
        assert!(is_near(gains.step_size(10, 1), 0.842_068 / 20.090_928), "{}", gains.step_size(10, 1));
        assert!(is_near(gains.step_size(10, 1000), 0.02));
    }

    #[test]
    fn gains_shrink() {
        let gains = Gains { iterations: 200, rate: 0.002, screen: None };
        for iteration in 1..200 {
            assert!(gains.perturbation(7, iteration) > gains.perturbation(7, iteration + 1));
            let gain = |iteration| gains.step_size(7, iteration) * gains.perturbation(7, iteration);
            assert!(gain(iteration) > gain(iteration + 1));
        }
    }

    // Iteration

    fn tuned(name: &str, (low, high): (i32, i32), step: i32, value: f64) -> Tuned {
        Tuned { name: name.to_owned(), default: value as i32, low, high, step, value }
    }

    #[test]
    fn values_lie_around_the_parameters_and_are_right_on_average() {
        const DRAWS: u32 = 20_000;
        let gains = Gains { iterations: 100, rate: 0.002, screen: None };
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
                // A rounding has a standard deviation of less than one half: this is five of the mean.
                assert!((found - expected).abs() < 0.02, "{}: {found}, not {expected}", parameter.name);
            }
        }
    }

    #[test]
    fn values_stay_in_range() {
        let gains = Gains { iterations: 100, rate: 1000.0, screen: None };
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

    /// Tunes two parameters by games whose probabilities depend on the distance of each player from the best values,
    /// and returns the result.
    fn tune_toward(best: [f64; 2], seed: u64) -> [f64; 2] {
        const GAMES: usize = 16;
        let gains = Gains { iterations: 1500, rate: 0.01, screen: None };
        let mut parameters = [tuned("a", (-100, 100), 5, 0.0), tuned("b", (0, 1000), 40, 500.0)];
        let mut games = Rng::new(seed + 1000);
        // The squared distance, in units of the steps.
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

    // Screening

    #[test]
    fn a_screening_moves_nothing_and_keeps_its_distance() {
        let gains = Gains { iterations: 100, rate: 1.0, screen: Some(2.0) };
        let mut parameters = [tuned("a", (-100, 100), 3, -20.0)];
        for number in [1, 100] {
            let mut iteration = Iteration::new(1, number, 1);
            let [mut first, second] = iteration.values(&gains, &parameters);
            first.extend(second);
            first.sort_unstable();
            assert_eq!(first, [-26, -14]);
            iteration.learn(&gains, &mut parameters, 5);
            assert_eq!(parameters[0].change(), 0.0);
        }
    }

    #[test]
    fn the_effects_of_a_screening_are_found_with_their_errors() {
        const ITERATIONS: u64 = 4000;
        const GAMES: u64 = 4;
        // The higher value of the first parameter wins a game more in every fourth iteration, the third loses it.
        let mut rng = Rng::new(3);
        let mut screening = Screening::new(3);
        for number in 1..=ITERATIONS {
            let iteration = Iteration::new(7, number, 3);
            let noise = rng.below(5) as i64 - 2;
            let mut lead = |index: usize| if rng.below(4) == 0 { iteration.flips[index] as i64 } else { 0 };
            let (first, third) = (lead(0), lead(2));
            screening.learn(&iteration, noise + first - third);
        }
        let effect = |index| screening.effect(index, ITERATIONS, GAMES).expect("enough games");
        // A quarter of a game in four games is a score of 53.1 %.
        for (index, expected) in [(0, 21.7), (1, 0.0), (2, -21.7)] {
            let Effect { elo, error } = effect(index);
            assert!((elo - expected).abs() < 1.5 * error, "{index}: {elo} +- {error}, not {expected}");
            assert!((3.5..5.0).contains(&error), "{error}");
        }
        assert_eq!(Screening::new(1).effect(0, 0, GAMES), None);
        assert_eq!(screening.effect(3, ITERATIONS, GAMES), None);
    }
}
