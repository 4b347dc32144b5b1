//! An untrained network with the values of material and piece squares, for the first self-play games.

use super::features::{INPUTS, PIECE_SQUARES};
use super::quantization::QA;
use super::{Architecture, EVAL_SCALE, FloatNetwork, L2_SIZE, L3_SIZE, WIDTH_STEP};
use crate::chess::{Role, Square};

/// Piece values, in search units.
const MATERIAL: [i32; Role::COUNT] = [100, 320, 330, 500, 950, 0];
/// Bonus of a knight or bishop per step toward the center, in search units.
const MINOR_STEP: i32 = 8;
/// Bonus of a pawn per rank, in search units.
const PAWN_STEP: i32 = 6;
/// Penalty of a king per rank advanced, in search units.
const KING_STEP: i32 = 10;

/// The number of pairs of neurons of the first hidden layer.
const PAIRS: usize = WIDTH_STEP / 2;
/// The limit of the balance, in search units. With this value the weights of all layers are integers.
const LIMIT: i32 = PAIRS as i32 * EVAL_SCALE;
/// The value of a neuron for an equal board, in the middle of its range.
const MIDDLE: f32 = 0.5;

impl FloatNetwork {
    /// A network of minimum width that evaluates material and piece squares.
    ///
    /// The network is linear. In the first hidden layer one neuron of each pair is always 1, so that the product is the
    /// other neuron. Later neurons square their sum, but the squares of `1/2 + x` and `1/2 - x` differ by `2x`, so two
    /// neurons with opposite weights compute a linear function.
    pub fn material() -> Self {
        const NARROWEST: Architecture = match Architecture::new(WIDTH_STEP) {
            Ok(architecture) => architecture,
            Err(_) => panic!("the least width is a width"),
        };
        let mut network = Self::zeroed(NARROWEST);
        let numbers = &mut network.parameters;
        let (first, partners) = numbers.feature_bias_mut().split_at_mut(PAIRS);
        first.fill(MIDDLE);
        partners.fill(1.0);
        for input in 0..INPUTS {
            let row = &mut numbers.feature_weights_mut()[input * WIDTH_STEP..][..PAIRS];
            for (pair, weight) in row.iter_mut().enumerate() {
                *weight = share(value(input), pair);
            }
        }
        // The balance in units of twice the limit. Both perspectives contain it in all of their products.
        let part = 1.0 / (2 * PAIRS) as f32;
        for rows in numbers.second_weights_mut().chunks_exact_mut(L2_SIZE * WIDTH_STEP) {
            for (row, part) in rows.chunks_exact_mut(WIDTH_STEP).zip([part, -part]) {
                let (own, other) = row.split_at_mut(PAIRS);
                own.fill(part);
                other.fill(-part);
            }
        }
        for biases in numbers.second_bias_mut().chunks_exact_mut(L2_SIZE) {
            biases[..2].fill(MIDDLE);
        }
        // The same weights in all neurons of the third layer, so that no output weight is too large.
        for (neuron, row) in numbers.third_weights_mut().chunks_exact_mut(L2_SIZE).enumerate() {
            let sign = if neuron.is_multiple_of(2) { 1.0 } else { -1.0 };
            row[..2].copy_from_slice(&[sign * MIDDLE, -sign * MIDDLE]);
        }
        numbers.third_bias_mut().fill(MIDDLE);
        let reach = LIMIT as f32 / EVAL_SCALE as f32 / (L3_SIZE / 2) as f32;
        for weights in numbers.output_weights_mut().chunks_exact_mut(2) {
            weights.copy_from_slice(&[reach, -reach]);
        }
        network
    }
}

/// The contribution of a pair of neurons to this many search units. The weights become integers, so the pairs are
/// rounded differently to make their sum as accurate as possible.
fn share(units: i32, pair: usize) -> f32 {
    let steps = units * QA * PAIRS as i32 / (2 * LIMIT);
    (steps + pair as i32).div_euclid(PAIRS as i32) as f32 / QA as f32
}

/// The value of an input for its perspective, in search units.
fn value(input: usize) -> i32 {
    let input = input % PIECE_SQUARES;
    let (piece, square) = (input / Square::COUNT, Square::ALL[input % Square::COUNT]);
    let (is_foreign, role) = (piece >= Role::COUNT, Role::ALL[piece % Role::COUNT]);
    let square = if is_foreign { square.flip_rank() } else { square };
    let rank = square.rank() as i32;
    let center = [square.file() as i32, rank].map(|line| line.min(7 - line)).iter().sum::<i32>();
    let bonus = match role {
        Role::Pawn => PAWN_STEP * rank,
        Role::Knight | Role::Bishop => MINOR_STEP * center,
        Role::King => -KING_STEP * rank,
        Role::Rook | Role::Queen => 0,
    };
    let value = MATERIAL[role as usize] + bonus;
    if is_foreign { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn pieces_are_worth_what_they_should_be() {
        let network = FloatNetwork::material();
        let quantized = network.quantize().expect("its sums fit");
        let start = Position::start();
        assert_eq!(quantized.evaluate(start.board()), 0);
        let cases = [
            (Role::Pawn, 100),
            (Role::Knight, 320),
            (Role::Bishop, 330),
            (Role::Rook, 500),
            (Role::Queen, 950),
        ];
        for (role, worth) in cases {
            let mut setup = crate::chess::Setup::from(&start);
            let square =
                start.pieces(!start.turn(), role).into_iter().next().expect("each side has each piece");
            setup.pieces[square.index()] = None;
            setup.castling.clear();
            let position = Position::try_from(setup).expect("legal without it");
            let [real, integer] =
                [network.evaluate(&position) * EVAL_SCALE as f32, quantized.evaluate(&position) as f32];
            assert!((real - worth as f32).abs() < 40.0, "{role:?}: {real}");
            assert!((integer - real).abs() < 10.0, "{role:?}: {integer} for {real}");
        }
    }
}
