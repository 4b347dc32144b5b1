//! Examples for tests, and the gradient check: each gradient is compared with the slope found by a second
//! implementation, in double precision, by changing the parameter slightly.

use super::half_precision::{RoundedWeights, nearest};
use super::optimizer::AdamW;
use super::parameters::{GROUP, Layout, Part, place};
use super::worker::{Model, Worker};
use super::{Curve, Example, Length, Loss, Plan, Schedule, Selection, Settings, Target, WdlWeight};
use crate::chess::{Board, Color, Position, Role};
use crate::nnue::features::{self, INPUTS};
use crate::nnue::{Architecture, EVAL_SCALE, L2_SIZE, L3_SIZE, SCALAR_ONE, SCALARS};
use crate::rng::Rng;
use crate::train::data::GameResult;

/// Positions of random games, whose targets are determined by their material.
pub(super) fn examples(count: usize, seed: u64) -> Vec<Example> {
    const PLIES: usize = 80;
    const CURVE: Curve = Curve { offset: 0.0, scale: 300.0 };
    let mut rng = Rng::new(seed);
    let mut examples = Vec::with_capacity(count);
    while examples.len() < count {
        let mut position = Position::start();
        for _ in 0..PLIES {
            let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
            position = position.after(mv).0;
            let score = material(&position);
            examples.push(Example::new(position.board(), CURVE.points(f32::from(score))));
        }
    }
    rng.shuffle(&mut examples);
    examples.truncate(count);
    examples
}

fn material(position: &Position) -> i16 {
    const VALUES: [i16; Role::COUNT] = [100, 300, 300, 500, 900, 0];
    let side = |color: Color| {
        Role::ALL.iter().map(|&role| VALUES[role] * position.pieces(color, role).count() as i16).sum::<i16>()
    };
    side(position.turn()) - side(!position.turn())
}

/// The settings of a small network that is trained for a few steps.
pub(super) fn settings() -> Settings {
    Settings {
        width: 16,
        batch: 256,
        optimizer: AdamW::with_decay(0.01),
        schedule: Schedule { peak: 0.01, end: 0.0001, warmup: 2, steps: 20 },
        seed: 1,
        threads: 2,
        ema: None,
        wdl: WdlWeight::default(),
        loss: Loss::default(),
    }
}

/// A plan whose files do not exist.
pub(super) fn plan() -> Plan {
    Plan {
        data: vec!["games".into()],
        data_weights: Vec::new(),
        out: "new.nnue".into(),
        checkpoint: "new.checkpoint".into(),
        init_net: None,
        selection: Selection {
            min_ply: 16,
            max_score: 3000,
            max_clock: None,
            max_change: None,
            validation: 0.02,
            max_positions: None,
            seed: 1,
        },
        target: Target {
            wdl: WdlWeight::Constant(0.3),
            curve: Curve { offset: 0.0, scale: 400.0 },
            td_lambda: 0.5,
        },
        length: Length::Epochs(1),
        fit_curve: false,
        report: None,
        warmup: None,
        settings: settings(),
    }
}

/// The width of two groups of the first hidden layer.
const WIDTH: usize = 2 * GROUP;

/// The sum of the losses, computed directly by the formulas.
fn reference_loss(parameters: &[f64], loss: Loss, toward_result: f32, examples: &[Example]) -> f64 {
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let mut sum = 0.0;
    for example in examples {
        let position = example.position().expect("it was a position");
        let output = reference_output(parameters, position.board());
        let points = f64::from(example.points_toward_result(toward_result));
        let Curve { offset, scale } = loss.output;
        let chance = |units: f64| sigmoid((units - f64::from(offset)) / f64::from(scale));
        let units = output * f64::from(EVAL_SCALE);
        sum += f64::from(example.weight())
            * (0.5 * (1.0 + chance(units) - chance(-units)) - points).abs().powf(loss.exponent.into());
    }
    sum
}

fn reference_output(parameters: &[f64], board: &Board) -> f64 {
    let layout = Layout(Architecture::new(WIDTH).expect("a width"));
    let part = |part| &parameters[layout.range(part)];
    let bucket = (board.occupied().count() as usize - 1) / 4;
    let mut products = Vec::new();
    for perspective in [board.turn(), !board.turn()] {
        let sum = |neuron: usize| {
            let rows = features::active(board, perspective)
                .map(|input| part(Part::FeatureWeights)[place(WIDTH, INPUTS, input, neuron)]);
            (part(Part::FeatureBiases)[place(WIDTH, 1, 0, neuron)] + rows.sum::<f64>()).clamp(0.0, 1.0)
        };
        products.extend((0..WIDTH / 2).map(|neuron| sum(neuron) * sum(neuron + WIDTH / 2)));
    }
    let layer = |weights, biases, neurons: usize, inputs: &[f64]| -> Vec<f64> {
        let neuron = |index: usize| {
            let row = &part(weights)[(bucket * neurons + index) * inputs.len()..];
            part(biases)[bucket * neurons + index]
                + row.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f64>()
        };
        (0..neurons).map(neuron).collect()
    };
    let squares =
        |sums: Vec<f64>| -> Vec<f64> { sums.iter().map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect() };
    let scalars = features::scalars_of(board).map(|scalar| f64::from(scalar) / f64::from(SCALAR_ONE));
    let rows = part(Part::ScalarWeights).chunks_exact(SCALARS).skip(bucket * L2_SIZE);
    let mut second = layer(Part::SecondWeights, Part::SecondBiases, L2_SIZE, &products);
    for (sum, row) in second.iter_mut().zip(rows) {
        *sum += row.iter().zip(scalars).map(|(weight, scalar)| weight * scalar).sum::<f64>();
    }
    let second = squares(second);
    let third = squares(layer(Part::ThirdWeights, Part::ThirdBiases, L3_SIZE, &second));
    layer(Part::OutputWeights, Part::OutputBiases, 1, &third)[0]
}

#[test]
fn gradients_are_slopes() {
    /// The numbers of parameters of each part that are tested, with the default settings and with others, which differ
    /// only in the last factor.
    const TRIED: usize = 300;
    const FEW: usize = 20;
    let [one_sided, two_sided] = [0.0, 250.0].map(|offset| Curve { offset, scale: 130.0 });
    let cases = [
        ("squares", Loss::default(), 0.0, TRIED),
        ("another exponent", Loss { exponent: 2.5, ..Loss::default() }, 0.0, FEW),
        ("a curve of two sides", Loss { output: two_sided, ..Loss::default() }, 0.0, FEW),
        ("another scale", Loss { output: one_sided, ..Loss::default() }, 0.0, FEW),
        ("a result that weighs more", Loss::default(), 0.5, FEW),
    ];
    for (name, loss, toward_result, tried) in cases {
        check_gradients(name, loss, toward_result, tried);
    }
}

/// Checks the gradients of this loss, for `tried` parameters of each part.
fn check_gradients(name: &str, loss: Loss, toward_result: f32, tried: usize) {
    /// The amount by which a parameter is changed.
    const STEP: f64 = 1e-6;
    /// The tolerance for single precision, relative to the magnitude of the gradients of the part.
    const TOLERANCE: f64 = 1e-4;
    /// The same for the first layer, where the gradient of each example has eight bits.
    const ROUNDED_TOLERANCE: f64 = 1.0 / 256.0;
    let layout = Layout(Architecture::new(WIDTH).expect("a width"));
    let mut rng = Rng::new(5);
    let mut parameters = layout.random_parameters(&mut rng);
    for bias in &mut parameters[layout.range(Part::FeatureBiases)] {
        *bias = 0.1 + (rng.below(100) as f32) / 200.0;
    }
    for weight in &mut parameters[layout.range(Part::ScalarWeights)] {
        *weight = (rng.below(100) as f32) / 200.0 - 0.25;
    }
    for bias in &mut parameters[layout.range(Part::OutputBiases)] {
        *bias = (rng.below(100) as f32) / 100.0 - 0.5;
    }
    let mut examples = examples(60, settings().seed);
    for (number, example) in examples.iter_mut().enumerate() {
        let result = GameResult::ALL[number % GameResult::ALL.len()];
        let weight = if number % 4 == 0 { 0.5 } else { 1.0 };
        *example = example.with_result(result, Color::White).with_weight(weight);
    }
    // Weights that are not changed by rounding.
    for part in [Part::FeatureWeights, Part::FeatureBiases] {
        parameters[layout.range(part)].iter_mut().for_each(|weight| *weight = nearest(*weight));
    }
    let rounded = RoundedWeights::of(WIDTH, &layout.split(&parameters));
    let model = Model { layout, parameters: &parameters, rounded: &rounded, toward_result, loss };
    let mut worker = Worker::new(layout, examples.len());
    let sum = worker.learn(model, &examples, 0..examples.len()).loss;
    let mut exact: Vec<f64> = parameters.iter().map(|&parameter| f64::from(parameter)).collect();
    let expected = reference_loss(&exact, loss, toward_result, &examples);
    assert!((sum - expected).abs() < 1e-4 * expected, "{name}: {sum} {expected}");
    assert!((worker.loss(model, &examples).loss - sum).abs() < 1e-9, "{name}");
    // The shared parts of weights have no gradients of their own.
    for part in Part::ALL.into_iter().filter(|part| *part != Part::SharedWeights) {
        let range = layout.range(part);
        let tolerance = match part {
            Part::FeatureWeights | Part::FeatureBiases => ROUNDED_TOLERANCE,
            _ => TOLERANCE,
        };
        let size = worker.gradient()[range.clone()].iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        assert!(size > 1e-3, "{name}: {part:?} has no gradient");
        let mut indices: Vec<usize> = range.collect();
        rng.shuffle(&mut indices);
        // Most parameters of the first layer have no effect on a few examples.
        let has_effect = |index: &usize| worker.gradient()[*index] != 0.0;
        let moving = indices.iter().copied().find(has_effect);
        indices.truncate(tried);
        indices.extend(moving);
        let mut moved = 0;
        for index in indices {
            let mut at = |offset: f64| {
                let before = exact[index];
                exact[index] = before + offset;
                let loss = reference_loss(&exact, loss, toward_result, &examples);
                exact[index] = before;
                loss
            };
            let slope = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            let gradient = f64::from(worker.gradient()[index]);
            moved += usize::from(slope != 0.0);
            assert!(
                (gradient - slope).abs() < tolerance * f64::from(size),
                "{name}: {part:?} {index}: {gradient}, expected {slope}"
            );
        }
        assert!(moved > 0, "{name}: {part:?}: no parameter that was tried has an effect");
    }
}
