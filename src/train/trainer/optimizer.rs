//! The AdamW optimizer and the schedule of its learning rate.

use super::parameters::{GROUP, Layout, Part};
use super::vector::AlignedVec;
use crate::nnue::features::{INPUTS, MAX_ACTIVE, PIECE_SQUARES, ThreatBucket};
use crate::nnue::{MAX_OUTPUT_WEIGHT, QA};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// The constants of AdamW (<https://arxiv.org/abs/1711.05101>, Loshchilov and Hutter 2019).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AdamW {
    /// The factor of the old mean gradient in a step.
    pub beta1: f32,
    /// The factor of the old mean squared gradient in a step.
    pub beta2: f32,
    /// A small number that keeps the quotient finite.
    pub epsilon: f32,
    /// The share of each weight that decays, times the learning rate.
    pub decay: f32,
    /// The values toward which weights decay.
    #[serde(default)]
    pub decay_toward: DecayTarget,
    /// Whether biases do not decay.
    #[serde(default)]
    pub no_bias_decay: bool,
    /// The share by which the threat-specific part of a weight of the first layer decays, times the learning rate; it
    /// decays toward zero or the start, as all weights do.
    #[serde(default)]
    pub threat_decay: f32,
}

/// The values toward which weights decay.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecayTarget {
    /// Zero, which keeps weights small unless they reduce the loss.
    #[default]
    Zero,
    /// The weights before the first step, which preserves the knowledge of the initial network (L2-SP,
    /// <https://arxiv.org/abs/1802.01483>, Li, Grandvalet and Davoine 2018).
    Start,
}

impl AdamW {
    /// The optimizer with this decay of all weights toward zero. The other constants are those recommended by Kingma
    /// and Ba (<https://arxiv.org/abs/1412.6980>).
    pub const fn with_decay(decay: f32) -> Self {
        Self {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay,
            decay_toward: DecayTarget::Zero,
            no_bias_decay: false,
            threat_decay: decay,
        }
    }

    /// The factor of the weights of a part by the decay of a step with this learning rate.
    fn kept(self, part: Part, rate: f64) -> f32 {
        if self.no_bias_decay && part.is_bias() {
            return 1.0;
        }
        let decay = match part {
            Part::FeatureWeights => self.threat_decay,
            // They are few, and every example has all of them.
            Part::ScalarWeights => 0.0,
            _ => self.decay,
        };
        (1.0 - rate * f64::from(decay)).max(0.0) as f32
    }
}

/// The maximum magnitude of the weights of each part. With it the sums of the first layer of the quantized network
/// cannot overflow; those of later layers are checked when it is quantized.
pub(super) const fn limit(part: Part) -> f32 {
    match part {
        // The sum of the maximum number of active weights and a bias is far below the limit of 16 bits.
        Part::FeatureWeights | Part::FeatureBiases | Part::SharedWeights => 2.0,
        Part::SecondWeights | Part::ScalarWeights | Part::ThirdWeights | Part::OutputWeights => {
            MAX_OUTPUT_WEIGHT
        }
        // Far more than is useful for a sum.
        Part::SecondBiases | Part::ThirdBiases | Part::OutputBiases => 64.0,
    }
}

const _: () = assert!(limit(Part::FeatureWeights) * QA as f32 * (MAX_ACTIVE as f32 + 1.0) < i16::MAX as f32);

/// The means over the steps so far, for each parameter.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Moments {
    /// The means of the gradients.
    pub mean: AlignedVec,
    /// The means of the squared gradients.
    pub square: AlignedVec,
}

/// The gradients of a batch, and its number.
#[derive(Clone, Copy)]
pub(super) struct Batch<'a> {
    /// The partial sums of its gradients.
    pub gradients: &'a [&'a [f32]],
    /// The sum of the weights of its examples: their number, if all weights are 1.
    pub weight: f64,
    /// The learning rate.
    pub rate: f64,
    /// The number of batches before it.
    pub step: u64,
}

/// The number of parameters of a task: large enough to be worth a task, and small enough that all threads have tasks.
const TASK: usize = 4096;

/// The numbers of a step that are the same for all parameters of a part.
#[derive(Clone, Copy)]
struct Step {
    adam: AdamW,
    /// The factor that converts the sum of the gradients of a batch to a mean.
    per_weight: f32,
    /// The learning rate divided by the bias correction of the mean.
    rate: f32,
    /// The bias correction of the mean square.
    square_correction: f32,
    /// The factor of a weight after decay.
    kept: f32,
}

impl Moments {
    pub(super) fn new(layout: Layout) -> Self {
        Self {
            mean: AlignedVec::zeroed(layout.parameters()),
            square: AlignedVec::zeroed(layout.parameters()),
        }
    }

    /// Moves the parameters against the gradients of a batch. They decay toward `start`, or toward zero if it is
    /// `None`.
    pub(super) fn step(
        &mut self,
        adam: AdamW,
        layout: Layout,
        parameters: &mut [f32],
        start: Option<&[f32]>,
        batch: &Batch<'_>,
    ) {
        let &Batch { gradients, weight, rate, step } = batch;
        // The means start at zero, so early ones are too small by a known factor.
        let exponent = i32::try_from(step).unwrap_or(i32::MAX).saturating_add(1);
        let mean_correction = 1.0 - f64::from(adam.beta1).powi(exponent);
        let square_correction = 1.0 - f64::from(adam.beta2).powi(exponent);
        let step_of = |part| Step {
            adam,
            per_weight: 1.0 / weight as f32,
            rate: (rate / mean_correction) as f32,
            square_correction: (1.0 / square_correction) as f32,
            kept: adam.kept(part, rate),
        };
        self.step_of_first_layer(step_of, layout, parameters, start, gradients);
        for part in Part::ALL {
            if matches!(part, Part::FeatureWeights | Part::SharedWeights) {
                continue;
            }
            let step = step_of(part);
            let range = layout.range(part);
            let (first, limit) = (range.start, limit(part));
            parameters[range.clone()]
                .par_chunks_mut(TASK)
                .zip(self.mean[range.clone()].par_chunks_mut(TASK))
                .zip(self.square[range].par_chunks_mut(TASK))
                .enumerate()
                .for_each(|(task, ((weights, means), squares))| {
                    let first = first + task * TASK;
                    let mut sums = [0.0; TASK];
                    let sums = &mut sums[..weights.len()];
                    add_up(sums, gradients, first);
                    step.decay(weights, start.map(|start| &start[first..]));
                    step.apply(weights, means, squares, sums, limit);
                });
        }
    }

    /// Moves the weights of the first layer. The part that the weights of a piece and square have in common under all
    /// threats learns from the sum of their gradients, and the threat-specific part of each weight from its own
    /// gradient (<https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md>, "feature
    /// factorization"): the weights of rare threats have only few examples.
    fn step_of_first_layer(
        &mut self,
        step_of: impl Fn(Part) -> Step,
        layout: Layout,
        parameters: &mut [f32],
        start: Option<&[f32]>,
        gradients: &[&[f32]],
    ) {
        let [weights, shared] = [Part::FeatureWeights, Part::SharedWeights].map(|part| layout.range(part));
        let (own_step, shared_step) = (step_of(Part::FeatureWeights), step_of(Part::SharedWeights));
        let limit = limit(Part::FeatureWeights);
        // The shared parts are the last ones of each row.
        let [(own, common), (own_means, common_means), (own_squares, common_squares)] =
            [parameters, &mut self.mean, &mut self.square].map(|row| {
                let (own, common) = row.split_at_mut(shared.start);
                (own[weights.clone()].par_chunks_mut(WEIGHTS_GROUP), common.par_chunks_mut(SHARED_GROUP))
            });
        let own = own.zip(own_means).zip(own_squares);
        let common = common.zip(common_means).zip(common_squares);
        own.zip(common).enumerate().for_each(|(group, (own, common))| {
            let (((own, own_means), own_squares), ((common, common_means), common_squares)) = (own, common);
            // A few places at a time under all threats, so that gradients are in the cache when they are used again.
            for place in (0..SHARED_GROUP).step_by(TASK) {
                let places = place..place + TASK;
                let first_of = |threat| weights.start + group * WEIGHTS_GROUP + threat * SHARED_GROUP + place;
                let mut sums = [0.0; TASK];
                (0..ThreatBucket::COUNT).for_each(|threat| add_up(&mut sums, gradients, first_of(threat)));
                let after = &mut common[places.clone()];
                let mut before = [0.0; TASK];
                before.copy_from_slice(after);
                let shared_start = start.map(|start| &start[shared.start + group * SHARED_GROUP + place..]);
                shared_step.decay(after, shared_start);
                let [means, squares] =
                    [&mut *common_means, common_squares].map(|row| &mut row[places.clone()]);
                shared_step.apply(after, means, squares, &sums, limit);
                for threat in 0..ThreatBucket::COUNT {
                    let first = threat * SHARED_GROUP + place;
                    let [weights, means, squares] =
                        [&mut *own, own_means, own_squares].map(|row| &mut row[first..first + TASK]);
                    let mut sums = [0.0; TASK];
                    add_up(&mut sums, gradients, first_of(threat));
                    let start = start.map(|start| &start[first_of(threat)..]).zip(shared_start);
                    own_step.take_apart(weights, &before, start);
                    own_step.apply(weights, means, squares, &sums, limit);
                    for (weight, shared) in weights.iter_mut().zip(&*after) {
                        *weight = (*weight + shared).clamp(-limit, limit);
                    }
                }
            }
        });
    }
}

/// The number of weights of a group of neurons for all inputs, and of their shared parts.
const WEIGHTS_GROUP: usize = INPUTS * GROUP;
const SHARED_GROUP: usize = PIECE_SQUARES * GROUP;

const _: () = assert!(SHARED_GROUP.is_multiple_of(TASK), "no task has weights of two threats");

/// Adds these gradients from index `first` on to the sums.
#[inline]
fn add_up(sums: &mut [f32], gradients: &[&[f32]], first: usize) {
    for gradient in gradients {
        for (sum, number) in sums.iter_mut().zip(&gradient[first..]) {
            *sum += number;
        }
    }
}

impl Step {
    /// Moves some parameters toward their start values, or toward zero.
    #[inline]
    fn decay(self, weights: &mut [f32], start: Option<&[f32]>) {
        match start {
            None => weights.iter_mut().for_each(|weight| *weight *= self.kept),
            Some(start) => {
                for (weight, start) in weights.iter_mut().zip(start) {
                    *weight = start + self.kept * (*weight - start);
                }
            }
        }
    }

    /// Subtracts the shared parts of some weights, and moves what is left toward zero, or toward the same of the start
    /// values, which are given with their shared parts.
    #[inline]
    fn take_apart(self, weights: &mut [f32], shared: &[f32], start: Option<(&[f32], &[f32])>) {
        weights.iter_mut().zip(shared).for_each(|(weight, shared)| *weight -= shared);
        let Some((start, shared_start)) = start else { return self.decay(weights, None) };
        for (weight, (start, shared)) in weights.iter_mut().zip(start.iter().zip(shared_start)) {
            *weight = (start - shared) + self.kept * (*weight - (start - shared));
        }
    }

    /// Moves some parameters against their gradients.
    #[inline]
    fn apply(
        self,
        weights: &mut [f32],
        means: &mut [f32],
        squares: &mut [f32],
        gradients: &[f32],
        limit: f32,
    ) {
        let AdamW { beta1, beta2, epsilon, .. } = self.adam;
        for (((weight, mean), square), gradient) in weights.iter_mut().zip(means).zip(squares).zip(gradients)
        {
            let gradient = gradient * self.per_weight;
            *mean = beta1 * *mean + (1.0 - beta1) * gradient;
            *square = beta2 * *square + (1.0 - beta2) * gradient * gradient;
            let size = (*square * self.square_correction).sqrt() + epsilon;
            *weight = (*weight - self.rate * *mean / size).clamp(-limit, limit);
        }
    }
}

/// A learning rate that increases for some steps and then decreases along half a cosine
/// (<https://arxiv.org/abs/1608.03983>, Loshchilov and Hutter 2017, without restarts).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// The maximum rate.
    pub peak: f64,
    /// The rate of the last step.
    pub end: f64,
    /// The number of steps until the maximum rate is reached.
    #[serde(alias = "warm_up")]
    pub warmup: u64,
    /// The total number of steps.
    pub steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f64 {
        if step < self.warmup {
            return self.peak * (step + 1) as f64 / self.warmup as f64;
        }
        let falling = self.steps.saturating_sub(self.warmup + 1).max(1);
        let part = (step - self.warmup).min(falling) as f64 / falling as f64;
        self.end + (self.peak - self.end) * 0.5 * (1.0 + (PI * part).cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Architecture;

    // Schedule

    #[test]
    fn schedules_of_earlier_versions_are_read() {
        let schedule = Schedule { peak: 0.5, end: 0.25, warmup: 3, steps: 9 };
        for name in ["warmup", "warm_up"] {
            let text = format!(r#"{{"peak":0.5,"end":0.25,"{name}":3,"steps":9}}"#);
            assert_eq!(serde_json::from_str::<Schedule>(&text).expect(name), schedule);
        }
    }

    // Optimizer

    const WIDTH: usize = 16;

    fn layout() -> Layout {
        Layout(Architecture::new(WIDTH).expect("a width"))
    }

    const RATE: f64 = 0.01;
    const DECAY: f64 = 0.1;

    /// A weight computed by the formulas of the paper, in double precision.
    #[derive(Default)]
    struct Expected {
        weight: f64,
        decay: f64,
        mean: f64,
        square: f64,
    }

    impl Expected {
        fn step(&mut self, gradient: f64, step: u64) {
            self.mean = 0.9 * self.mean + 0.1 * gradient;
            self.square = 0.999 * self.square + 0.001 * gradient * gradient;
            let power = step as i32 + 1;
            let mean = self.mean / (1.0 - 0.9_f64.powi(power));
            let square = self.square / (1.0 - 0.999_f64.powi(power));
            self.weight -= RATE * self.decay * self.weight + RATE * mean / (square.sqrt() + 1e-8);
        }
    }

    #[test]
    fn steps_follow_the_formula() {
        let adam = AdamW::with_decay(DECAY as f32);
        let weight_of_batch = 4.0;
        let mut parameters = vec![0.5; layout().parameters()];
        let mut moments = Moments::new(layout());
        let half = || Expected { weight: 0.5, decay: DECAY, ..Expected::default() };
        let mut scalar = Expected { decay: 0.0, ..half() };
        // Initially the weights of the first layer consist only of the shared part.
        let (mut plain, mut shared, mut own) =
            (half(), half(), Expected { decay: DECAY, ..Expected::default() });
        for step in 0..20 {
            let sum = (step as f32 - 7.3) * 0.2;
            // Two workers have computed half of it each.
            let half = vec![sum / 2.0; layout().parameters()];
            let batch = Batch { gradients: &[&half, &half], weight: weight_of_batch, rate: RATE, step };
            moments.step(adam, layout(), &mut parameters, None, &batch);
            let gradient = f64::from(sum) / weight_of_batch;
            plain.step(gradient, step);
            scalar.step(gradient, step);
            shared.step(gradient * ThreatBucket::COUNT as f64, step);
            own.step(gradient, step);
            for part in Part::ALL {
                let expected = match part {
                    Part::FeatureWeights => shared.weight + own.weight,
                    Part::SharedWeights => shared.weight,
                    Part::ScalarWeights => scalar.weight,
                    _ => plain.weight,
                };
                for parameter in &parameters[layout().range(part)] {
                    let found = f64::from(*parameter);
                    assert!((found - expected).abs() < 1e-5, "{part:?} at {step}: {found}, {expected}");
                }
            }
        }
    }

    /// The gradient of one threat affects the weights of the others only through the shared part.
    #[test]
    fn threats_learn_together_and_apart() {
        let mut parameters = vec![0.0; layout().parameters()];
        let mut moments = Moments::new(layout());
        let adam = AdamW { threat_decay: 0.5, ..AdamW::with_decay(0.0) };
        let mut gradient = vec![0.0; layout().parameters()];
        let (pushed, other) = (SHARED_GROUP + 5, 3 * SHARED_GROUP + 5);
        gradient[pushed] = -1.0;
        for step in 0..3 {
            let batch = Batch { gradients: &[&gradient], weight: 1.0, rate: 0.1, step };
            moments.step(adam, layout(), &mut parameters, None, &batch);
        }
        let shared = parameters[layout().range(Part::SharedWeights).start + 5];
        assert!(shared > 0.29 && parameters[other] == shared, "{shared} {}", parameters[other]);
        // Its specific part grows as fast, and decays.
        assert!((0.26..0.3).contains(&(parameters[pushed] - shared)), "{} {shared}", parameters[pushed]);
        assert!(
            parameters[layout().range(Part::FeatureWeights)].iter().filter(|weight| **weight != 0.0).count()
                == ThreatBucket::COUNT
        );
    }

    #[test]
    fn weights_stay_within_what_can_be_quantized() {
        let mut parameters = vec![0.0; layout().parameters()];
        let mut moments = Moments::new(layout());
        let push = vec![-1.0; layout().parameters()];
        for step in 0..400 {
            let batch = Batch { gradients: &[&push], weight: 1.0, rate: 1.0, step };
            moments.step(AdamW::with_decay(0.01), layout(), &mut parameters, None, &batch);
        }
        for part in Part::ALL {
            for parameter in &parameters[layout().range(part)] {
                assert!(*parameter <= limit(part) && *parameter > 0.9 * limit(part), "{part:?}: {parameter}");
            }
        }
    }

    /// Without a gradient only the decay has an effect.
    #[test]
    fn weights_decay_toward_zero_or_their_start() {
        const START: f32 = 0.5;
        const STEPS: u64 = 10;
        let rate = 0.1;
        let still = vec![0.0; layout().parameters()];
        let start = vec![START; layout().parameters()];
        let decayed = |weight: f32, adam: AdamW, start: Option<&[f32]>| {
            let mut parameters = vec![weight; layout().parameters()];
            let mut moments = Moments::new(layout());
            for step in 0..STEPS {
                let batch = Batch { gradients: &[&still], weight: 1.0, rate, step };
                moments.step(adam, layout(), &mut parameters, start, &batch);
            }
            Part::ALL.map(|part| {
                let weights = &parameters[layout().range(part)];
                assert!(weights.iter().all(|weight| *weight == weights[0]), "{part:?}");
                weights[0]
            })
        };
        let adam = AdamW::with_decay(0.5);
        let left = (1.0 - 0.1_f32 * 0.5).powi(STEPS as i32);
        let is_near = |found: f32, expected: f32| (found - expected).abs() < 1e-6;
        let spared = AdamW { no_bias_decay: true, ..adam };
        for (index, part) in Part::ALL.into_iter().enumerate() {
            let found = |weight, adam, start| decayed(weight, adam, start)[index];
            let left = if part == Part::ScalarWeights { 1.0 } else { left };
            assert!(is_near(found(1.0, adam, None), left), "{part:?}");
            assert!(is_near(found(1.0, adam, Some(&start)), START + 0.5 * left), "{part:?}");
            assert_eq!(found(START, adam, Some(&start)), START, "{part:?}");
            let kept = found(1.0, spared, None);
            assert_eq!(kept == 1.0, part.is_bias() || part == Part::ScalarWeights, "{part:?}: {kept}");
        }
    }

    // Schedule

    #[test]
    fn the_rate_climbs_and_falls() {
        let schedule = Schedule { peak: 1e-3, end: 1e-5, warmup: 10, steps: 111 };
        let cases = [
            ("the first step", 0, 1e-4),
            ("the last of the climb", 9, 1e-3),
            ("the top", 10, 1e-3),
            ("half way", 60, 0.5 * (1e-3 + 1e-5)),
            ("the last step", 110, 1e-5),
            ("beyond", 1000, 1e-5),
        ];
        for (name, step, rate) in cases {
            assert!((schedule.rate(step) - rate).abs() < 1e-12, "{name}: {}", schedule.rate(step));
        }
        assert!((10..110).all(|step| schedule.rate(step + 1) < schedule.rate(step)));
        let short = Schedule { peak: 1e-3, end: 1e-5, warmup: 0, steps: 1 };
        assert_eq!(short.rate(0), 1e-3);
    }
}
