//! Training step by step, and the order of the examples: a different one in every epoch, which is computed and not
//! stored.

use super::half_precision::RoundedWeights;
use super::optimizer::{Batch, Moments};
use super::parameters::Layout;
use super::vector::AlignedVec;
use super::worker::{Model, Sums, Worker};
use super::{DecayTarget, Example, Settings, average, loss::TASK};
use crate::nnue::{Architecture, FloatNetwork, WidthError};
use crate::rng::Rng;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// A network in training. The same settings and examples result in the same network, bit by bit.
#[derive(Debug)]
pub struct Training {
    settings: Settings,
    layout: Layout,
    parameters: AlignedVec,
    /// The buffer for the rounded weights of a step.
    rounded: RoundedWeights,
    moments: Moments,
    /// The parameters before the first step, if weights decay toward them.
    start: Option<AlignedVec>,
    /// The average of the parameters, if configured; zero before averaging starts.
    average: Option<AlignedVec>,
    workers: Vec<Worker>,
    pool: ThreadPool,
    step: u64,
}

/// The reason why training cannot start.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// The width is not valid.
    #[error(transparent)]
    Width(WidthError),
    /// The initial network has more neurons than the settings allow.
    #[error("the initial network has {found} hidden neurons, expected {expected} or fewer")]
    Start {
        /// The number of neurons of the initial network.
        found: usize,
        /// The number of neurons in the settings, which is the maximum.
        expected: usize,
    },
    /// The threads cannot be started.
    #[error("threads cannot be started: {0}")]
    Threads(#[source] ThreadPoolBuildError),
}

/// The state of training: the step, the parameters, and all other data on which later steps depend.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TrainerState {
    pub step: u64,
    pub parameters: AlignedVec,
    pub moments: Moments,
    /// The parameters before the first step; `None` if weights do not decay toward them.
    pub start: Option<AlignedVec>,
    /// The average of the parameters; `None` if it is not configured.
    pub average: Option<AlignedVec>,
}

impl TrainerState {
    /// A state with the sizes of that before the first step, all zero.
    pub(super) fn zeroed(settings: &Settings, layout: Layout) -> Self {
        let row = || AlignedVec::zeroed(layout.parameters());
        Self {
            step: 0,
            parameters: row(),
            moments: Moments::new(layout),
            start: (settings.optimizer.decay_toward == DecayTarget::Start).then(row),
            average: settings.ema.map(|_| row()),
        }
    }

    /// All rows of numbers, in the order of a checkpoint.
    pub(super) fn rows(&self) -> impl Iterator<Item = &AlignedVec> {
        let rows = [&self.parameters, &self.moments.mean, &self.moments.square];
        rows.into_iter().chain(&self.start).chain(&self.average)
    }

    /// All rows of numbers, mutable.
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut AlignedVec> {
        let rows = [&mut self.parameters, &mut self.moments.mean, &mut self.moments.square];
        rows.into_iter().chain(&mut self.start).chain(&mut self.average)
    }
}

impl Training {
    /// Starts with random weights, or with those of a network. If the network has fewer neurons, the output is
    /// initially the same.
    ///
    /// # Errors
    /// [`TrainingError`] if the settings do not fit a network, or do not fit the initial one.
    pub fn new(settings: Settings, start: Option<&FloatNetwork>) -> Result<Self, TrainingError> {
        let layout = Self::layout(&settings)?;
        let mut state = TrainerState::zeroed(&settings, layout);
        state.parameters = match start {
            None => layout.random_parameters(&mut Rng::new(settings.seed)),
            Some(network) if network.parameters.architecture().l1_size() <= settings.width => {
                layout.widened(network, &mut Rng::new(settings.seed))
            }
            Some(network) => {
                let found = network.parameters.architecture().l1_size();
                return Err(TrainingError::Start { found, expected: settings.width });
            }
        };
        if let Some(row) = &mut state.start {
            row.copy_from_slice(&state.parameters);
        }
        Self::with_state(settings, state)
    }

    /// Resumes from a state.
    pub(super) fn with_state(settings: Settings, state: TrainerState) -> Result<Self, TrainingError> {
        let layout = Self::layout(&settings)?;
        let threads = settings.threads.max(1);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(TrainingError::Threads)?;
        let TrainerState { step, parameters, moments, start, average } = state;
        let share = settings.batch.max(1).div_ceil(threads);
        let workers = vec![Worker::new(layout, share); threads];
        let rounded = RoundedWeights::new(settings.width);
        Ok(Self { settings, layout, parameters, rounded, moments, start, average, workers, pool, step })
    }

    /// The layout of the parameters of a network.
    pub(super) fn layout(settings: &Settings) -> Result<Layout, TrainingError> {
        Architecture::new(settings.width).map(Layout).map_err(TrainingError::Width)
    }

    /// The state from which training can be resumed.
    pub(super) fn state(&self) -> TrainerState {
        TrainerState {
            step: self.step,
            parameters: self.parameters.clone(),
            moments: self.moments.clone(),
            start: self.start.clone(),
            average: self.average.clone(),
        }
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of batches done.
    pub const fn steps_done(&self) -> u64 {
        self.step
    }

    /// Whether all steps of the schedule are done.
    pub const fn is_done(&self) -> bool {
        self.step >= self.settings.schedule.steps
    }

    /// Whether all weights are finite numbers.
    pub fn is_finite(&self) -> bool {
        self.parameters.iter().all(|weight| weight.is_finite())
    }

    /// The rate of the next step.
    pub fn learning_rate(&self) -> f64 {
        self.settings.schedule.rate(self.step)
    }

    /// Learns from the next batch of these examples, and returns its mean loss before the step. Without examples
    /// nothing changes, and the loss is zero.
    pub fn learn(&mut self, examples: &[Example]) -> f64 {
        let loss = if examples.is_empty() { 0.0 } else { self.learn_batch(examples) };
        let steps = self.settings.schedule.steps;
        let gain = self.settings.ema.and_then(|ema| ema.gain(self.step, steps));
        if let (Some(average), Some(gain)) = (&mut self.average, gain) {
            self.pool.install(|| average::take_in(average, &self.parameters, gain));
        }
        self.step += 1;
        loss
    }

    /// Moves the weights by the next batch, and returns its mean loss before the step. There must be examples.
    fn learn_batch(&mut self, examples: &[Example]) -> f64 {
        let batch = self.settings.batch.max(1);
        let order = Order { length: examples.len() as u64, seed: self.settings.seed };
        let first = self.step * batch as u64;
        let toward_result = self.settings.wdl.share(self.step, self.settings.schedule.steps);
        let (rounded, parts) = (&mut self.rounded, self.layout.split(&self.parameters));
        self.pool.install(|| rounded.set(&parts));
        let model = Model {
            layout: self.layout,
            parameters: &self.parameters,
            rounded: &self.rounded,
            toward_result,
            loss: self.settings.loss,
        };
        let workers = &mut self.workers;
        let count = workers.len();
        let parts: Vec<Sums> = self.pool.install(|| {
            let learn = |(index, worker): (usize, &mut Worker)| {
                // The batch is divided evenly, so that each worker always has the same part.
                let [start, end] = [index, index + 1].map(|share| share * batch / count);
                worker.learn(model, examples, order.from(first + start as u64).take(end - start))
            };
            workers.par_iter_mut().enumerate().map(learn).collect()
        });
        let sums: Sums = parts.into_iter().sum();
        let gradients: Vec<&[f32]> = self.workers.iter().map(Worker::gradient).collect();
        let (rate, step) = (self.learning_rate(), self.step);
        let Self { moments, parameters, start, layout, settings, .. } = self;
        self.pool.install(|| {
            let batch = Batch { gradients: &gradients, weight: sums.weight, rate, step };
            moments.step(settings.optimizer, *layout, parameters, start.as_deref(), &batch);
        });
        sums.mean()
    }

    /// The mean loss of the latest weights over examples; `None` if there are none. The target is that of the last
    /// step, so that losses of one run can be compared.
    pub fn loss(&self, examples: &[Example]) -> Option<f64> {
        self.loss_of(&self.parameters, examples)
    }

    /// The mean loss of the average of the weights over examples; `None` if there are no examples, or no average yet.
    pub fn average_loss(&self, examples: &[Example]) -> Option<f64> {
        self.loss_of(self.averaged()?, examples)
    }

    fn loss_of(&self, parameters: &AlignedVec, examples: &[Example]) -> Option<f64> {
        if examples.is_empty() {
            return None;
        }
        let Settings { wdl, schedule, loss, .. } = self.settings;
        let toward_result = wdl.share(schedule.steps, schedule.steps);
        let mut rounded = RoundedWeights::new(self.settings.width);
        self.pool.install(|| rounded.set(&self.layout.split(parameters)));
        let model = Model { layout: self.layout, parameters, rounded: &rounded, toward_result, loss };
        let parts: Vec<Sums> = self.pool.install(|| {
            let worker = || Worker::without_gradient(self.layout);
            let tasks = examples.par_chunks(TASK);
            tasks.map_init(worker, |worker, task| worker.loss(model, task)).collect()
        });
        Some(parts.into_iter().sum::<Sums>().mean())
    }

    /// The current network: the average of the weights if there is one, otherwise the latest weights.
    pub fn network(&self) -> FloatNetwork {
        self.layout.network(self.averaged().unwrap_or(&self.parameters))
    }

    /// The average of the weights, if there is one yet.
    fn averaged(&self) -> Option<&AlignedVec> {
        let has_begun = self.settings.ema?.has_begun(self.step, self.settings.schedule.steps);
        self.average.as_ref().filter(|_| has_begun)
    }
}

/// The number of rounds of the Feistel network that permutes an index. Four make it pseudorandom (Luby and Rackoff
/// 1988); two more cost little.
const ROUNDS: usize = 6;

/// A random order of the numbers below a length, in which each number can be computed separately.
///
/// A Feistel network permutes the numbers of just enough bits; results beyond the length are permuted again until they
/// are not ("cycle walking", Black and Rogaway 2002).
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    length: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// The order of `length` numbers, at least one, for this seed.
    pub(super) fn new(length: u64, seed: u64) -> Self {
        let bits = (u64::BITS - length.saturating_sub(1).leading_zeros()).max(2);
        let low_bits = bits / 2;
        let mut rng = Rng::new(seed);
        Self {
            length: length.max(1),
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys: std::array::from_fn(|_| rng.next_u64()),
        }
    }

    /// The number at this place, which must be below the length.
    #[inline]
    pub(super) fn at(&self, place: u64) -> u64 {
        let mut number = place;
        loop {
            number = self.mix(number);
            if number < self.length {
                return number;
            }
        }
    }

    /// A permutation for any keys: each round changes one half depending on the other.
    #[inline]
    fn mix(&self, number: u64) -> u64 {
        let mut low = number & self.low_mask;
        let mut high = number >> self.low_bits;
        for keys in self.keys.as_chunks::<2>().0 {
            low ^= scramble(high, keys[0]) & self.low_mask;
            high ^= scramble(low, keys[1]) & self.high_mask;
        }
        high << self.low_bits | low
    }
}

#[inline]
fn scramble(half: u64, key: u64) -> u64 {
    /// An odd number with well-distributed bits: 2⁶⁴ divided by the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    // The upper half of a product depends on all bits of its factors.
    ((half ^ key).wrapping_mul(FACTOR)) >> 32
}

/// The endless sequence of examples: all of them in one order, then all of them in another order, and so on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    /// The number of examples, at least one.
    pub length: u64,
    /// The seed of all orders.
    pub seed: u64,
}

impl Order {
    /// The sequence of indices of examples from member `number` on.
    pub(super) fn from(self, number: u64) -> impl Iterator<Item = usize> {
        let length = self.length.max(1);
        let mut epoch = number / length;
        let mut place = number % length;
        let mut permutation = self.permutation(epoch);
        std::iter::repeat_with(move || {
            if place == length {
                place = 0;
                epoch += 1;
                permutation = self.permutation(epoch);
            }
            place += 1;
            permutation.at(place - 1) as usize
        })
    }

    fn permutation(self, epoch: u64) -> Permutation {
        Permutation::new(self.length, Rng::new(self.seed).next_u64().wrapping_add(epoch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;
    use crate::train::data::GameResult;
    use crate::train::trainer::testing::{examples, settings};
    use crate::train::trainer::{AdamW, Ema, WdlWeight};

    #[test]
    fn the_same_seed_and_threads_give_the_same_network() {
        let examples = examples(2000, 1);
        let train = |threads, seed| {
            let mut trainer =
                Training::new(Settings { threads, seed, ..settings() }, None).expect("good settings");
            while !trainer.is_done() {
                trainer.learn(&examples);
            }
            trainer.network()
        };
        let first = train(2, 1);
        assert_eq!(first, train(2, 1));
        assert_ne!(first, train(2, 2));
        // With another number of threads the order of additions differs, but the result is nearly the same.
        let [one, two] = [train(1, 1), first].map(|network| network.parameters.output_weights().to_vec());
        assert!(one.iter().zip(&two).all(|(a, b)| (a - b).abs() < 0.05), "{one:?} {two:?}");
    }

    #[test]
    fn the_loss_falls() {
        let examples = examples(4000, 2);
        let (training, validation) = examples.split_at(3500);
        let mut settings = settings();
        settings.schedule.steps = 200;
        let mut trainer = Training::new(settings, None).expect("good settings");
        let before = trainer.loss(validation).expect("there are examples");
        while !trainer.is_done() {
            trainer.learn(training);
        }
        let after = trainer.loss(validation).expect("there are examples");
        assert!(after < before / 2.0, "{before} {after}");
        assert_eq!(trainer.loss(&[]), None);
    }

    #[test]
    fn decay_pulls_back_to_the_initial_network() {
        let examples = examples(2000, 1);
        let initial =
            Training::new(Settings { seed: 5, ..settings() }, None).expect("good settings").network();
        // The mean distance between the weights of the first layer.
        let distance = |a: &FloatNetwork, b: &FloatNetwork| {
            let [a, b] = [a, b].map(|network| network.parameters.feature_weights());
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f32>() / a.len() as f32
        };
        let trained = |decay_toward| {
            let optimizer = AdamW { decay_toward, ..AdamW::with_decay(20.0) };
            let settings = Settings { optimizer, ..settings() };
            let mut trainer = Training::new(settings, Some(&initial)).expect("good settings");
            while !trainer.is_done() {
                trainer.learn(&examples);
            }
            assert_eq!(trainer.start.is_some(), decay_toward == DecayTarget::Start);
            trainer.network()
        };
        let zero = FloatNetwork::zeroed(initial.parameters.architecture());
        let [toward_zero, toward_start] = [DecayTarget::Zero, DecayTarget::Start].map(trained);
        assert!(distance(&toward_start, &initial) < 0.5 * distance(&toward_zero, &initial));
        assert!(distance(&toward_zero, &zero) < 0.5 * distance(&toward_start, &zero));
    }

    #[test]
    fn what_weighs_more_is_learned_more() {
        let turn = Color::White;
        let examples = examples(3000, 2);
        // Each position twice, with opposite points.
        let pairs = |weight: f32| -> Vec<Example> {
            let contrary = |example: &Example| {
                let position = example.position().expect("it was a position");
                Example::new(position.board(), 1.0 - example.points()).with_weight(weight)
            };
            examples.iter().copied().chain(examples.iter().map(contrary)).collect()
        };
        let mut settings = settings();
        settings.schedule.steps = 200;
        let agreement = |weight| {
            let mut trainer = Training::new(settings, None).expect("good settings");
            let pairs = pairs(weight);
            while !trainer.is_done() {
                trainer.learn(&pairs);
            }
            let mut worker = Worker::without_gradient(trainer.layout);
            let outputs = worker.evaluate(&trainer.parameters, &examples);
            examples
                .iter()
                .zip(outputs)
                .map(|(example, output)| output * (example.points() - 0.5))
                .sum::<f32>()
        };
        let [light, heavy] = [0.1, 10.0].map(agreement);
        assert!(light > 0.0 && heavy < 0.0, "{light} {heavy}");
        // The loss is a weighted mean.
        let trainer = Training::new(settings, None).expect("good settings");
        let [a, b] = [examples[0].with_weight(3.0), examples[1].with_result(GameResult::Draw, turn)];
        let [both, one, other] =
            [&[a, b][..], &[a], &[b]].map(|examples| trainer.loss(examples).expect("there are examples"));
        assert!((both - (3.0 * one + other) / 4.0).abs() < 1e-9, "{both} {one} {other}");
    }

    /// 2⁴⁰ batches are far more than any run has.
    #[test]
    fn very_long_runs_do_not_overflow() {
        const STEP: u64 = 1 << 40;
        let examples = examples(300, 3);
        let mut settings = Settings { ema: Some(Ema { factor: 0.999, start: 0.5 }), ..settings() };
        settings.schedule.steps = STEP + 2;
        let mut trainer = Training::new(settings, None).expect("good settings");
        trainer.step = STEP;
        let rate = trainer.learning_rate();
        assert!(rate > 0.0 && rate <= settings.schedule.peak, "{rate}");
        let before = trainer.network();
        while !trainer.is_done() {
            let loss = trainer.learn(&examples);
            assert!(loss > 0.0 && loss < 1.0, "{loss}");
        }
        assert_eq!(trainer.steps_done(), STEP + 2);
        assert_ne!(trainer.network(), before);
    }

    #[test]
    fn the_target_moves_toward_the_result() {
        let turn = Color::White;
        // The scores agree with the material; the results are the opposite.
        let contrary = |example: Example| {
            let result = if example.points() > 0.5 { GameResult::BlackWins } else { GameResult::WhiteWins };
            example.with_result(result, turn)
        };
        let examples: Vec<Example> = examples(3000, 2).into_iter().map(contrary).collect();
        let mut settings = settings();
        settings.schedule.steps = 200;
        let outputs = |wdl, last_share: f32| {
            let mut trainer = Training::new(Settings { wdl, ..settings }, None).expect("good settings");
            while !trainer.is_done() {
                trainer.learn(&examples);
            }
            let loss = trainer.loss(&examples).expect("there are examples");
            let mut worker = Worker::without_gradient(trainer.layout);
            // The agreement of the outputs with the scores, and their loss with the target of the last step.
            let (mut agreement, mut expected) = (0.0, 0.0);
            for (example, output) in examples.iter().zip(worker.evaluate(&trainer.parameters, &examples)) {
                agreement += output * (example.points() - 0.5);
                expected += settings.loss.of(output, example.points_toward_result(last_share));
            }
            expected /= examples.len() as f64;
            assert!((loss - expected).abs() < 1e-6, "{wdl:?}: {loss}, expected {expected}");
            agreement
        };
        let scores = outputs(WdlWeight::Constant(0.0), 0.0);
        let falling = outputs(WdlWeight::Linear { start: 1.0, end: 0.0 }, 0.0);
        let results = outputs(WdlWeight::Linear { start: 0.0, end: 1.0 }, 1.0);
        assert!(scores > 0.0 && falling > 0.0 && results < 0.0, "{scores} {falling} {results}");
        assert!(outputs(WdlWeight::Linear { start: 0.0, end: 0.0 }, 0.0) == scores);
    }

    #[test]
    fn the_average_becomes_the_network() {
        let examples = examples(2000, 1);
        let (training, validation) = examples.split_at(1500);
        let averaging = Settings { ema: Some(Ema { factor: 0.9, start: 0.5 }), ..settings() };
        let [mut plain, mut averaged] =
            [settings(), averaging].map(|settings| Training::new(settings, None).expect("good settings"));
        let mut rows = Vec::new();
        let half = settings().schedule.steps / 2;
        while !plain.is_done() {
            if plain.steps_done() <= half {
                assert_eq!(averaged.network(), plain.network());
                assert_eq!(averaged.average_loss(validation), None);
            }
            for trainer in [&mut plain, &mut averaged] {
                trainer.learn(training);
            }
            if plain.steps_done() > half {
                rows.push(plain.parameters.clone());
            }
        }
        // The latest weights do not change.
        assert_eq!(averaged.parameters, plain.parameters);
        assert_eq!(averaged.loss(validation), plain.loss(validation));
        assert_eq!(rows.len(), 10);
        let average = averaged.average.clone().expect("it is wanted");
        for (index, found) in average.iter().enumerate() {
            // With this factor, ten members have a plain mean.
            let expected = rows.iter().map(|row| f64::from(row[index])).sum::<f64>() / rows.len() as f64;
            assert!((f64::from(*found) - expected).abs() < 1e-6, "{index}: {found}, expected {expected}");
        }
        assert_eq!(averaged.network(), averaged.layout.network(&average));
        assert_ne!(averaged.network(), plain.network());
        assert!(averaged.average_loss(validation).is_some_and(|loss| loss > 0.0));
        assert_ne!(averaged.average_loss(validation), averaged.loss(validation));
        assert_eq!(plain.average_loss(validation), None);
    }

    #[test]
    fn what_is_learned_is_what_the_network_says() {
        let examples = examples(100, 3);
        let trainer = Training::new(settings(), None).expect("good settings");
        let network = trainer.network();
        let mut worker = Worker::without_gradient(trainer.layout);
        for (example, output) in examples.iter().zip(worker.evaluate(&trainer.parameters, &examples)) {
            let position = example.position().expect("it was a position");
            let expected = network.evaluate(position.board());
            // The weights of the first layer are rounded.
            assert!((output - expected).abs() < 1e-3, "{output} {expected}");
        }
    }

    #[test]
    fn an_initial_network_has_to_fit() {
        let network = Training::new(settings(), None).expect("good settings").network();
        let trainer = Training::new(Settings { seed: 9, ..settings() }, Some(&network));
        assert_eq!(trainer.expect("it fits").network(), network);
        let wide = Training::new(Settings { width: 32, ..settings() }, Some(&network))
            .expect("it can grow")
            .network();
        for example in examples(100, 4) {
            let position = example.position().expect("it was a position");
            let [expected, found] = [&network, &wide].map(|network| network.evaluate(position.board()));
            assert!((expected - found).abs() < 1e-4, "{expected} {found}");
        }
        let narrower = Training::new(settings(), Some(&wide));
        assert!(matches!(narrower, Err(TrainingError::Start { found: 32, expected: 16 })));
        let odd = Training::new(Settings { width: 17, ..settings() }, None);
        assert!(matches!(odd, Err(TrainingError::Width(_))));
    }

    #[test]
    fn an_order_has_every_number_once() {
        for length in [1, 2, 3, 4, 5, 31, 32, 33, 1000, 65_536, 65_537] {
            let permutation = Permutation::new(length, 7);
            let mut numbers: Vec<u64> = (0..length).map(|place| permutation.at(place)).collect();
            assert!(length < 31 || !numbers.is_sorted(), "{length}");
            numbers.sort_unstable();
            assert_eq!(numbers, (0..length).collect::<Vec<_>>(), "{length}");
        }
    }

    #[test]
    fn an_order_looks_random() {
        const LENGTH: u64 = 10_000;
        let permutation = Permutation::new(LENGTH, 3);
        let numbers: Vec<u64> = (0..LENGTH).map(|place| permutation.at(place)).collect();
        // A quarter of each quarter comes from each quarter, within six standard deviations.
        for (quarter, part) in numbers.chunks(LENGTH as usize / 4).enumerate() {
            for target in 0..4 {
                let count = part.iter().filter(|&&number| number / (LENGTH / 4) == target).count();
                assert!(count.abs_diff(625) < 130, "{count} of quarter {target} in quarter {quarter}");
            }
        }
        // Random orders have about one pair of neighbors that stay neighbors.
        let neighbors = numbers.windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
        assert!(neighbors < 10, "{neighbors} neighbors remain");
    }

    #[test]
    fn the_sequence_can_be_entered_anywhere() {
        let order = Order { length: 100, seed: 5 };
        let all: Vec<usize> = order.from(0).take(350).collect();
        for start in [0, 1, 99, 100, 101, 250] {
            let part: Vec<usize> = order.from(start as u64).take(100).collect();
            assert_eq!(part, all[start..start + 100], "from {start}");
        }
        assert_ne!(all[..100], all[100..200]);
    }
}
