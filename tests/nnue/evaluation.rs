//! The evaluations of a network.

use crate::nnue::walks::{Events, game, starts};
use crate::support::network::{material, nonsense};
use hematite::chess::{Board, Color, Piece, Position, Role, Setup, Square, attacks};
use hematite::nnue::features::ThreatBucket;
use hematite::nnue::{Architecture, BoundsError, FloatNetwork, Kernel, Network, features};
use hematite::nnue::{EVAL_SCALE, L2_SIZE, L3_SIZE, MAX_OUTPUT_WEIGHT, SCALARS};
use hematite::notation::position_from_fen;
use hematite::rng::Rng;

const WIDTHS: [usize; 5] = [16, 32, 48, 256, 1024];

fn positions(seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let games = starts(seed).into_iter().map(|start| game(&mut rng, &start, &mut Events::default()));
    games.flatten().step_by(7).map(|step| step.position).collect()
}

/// The threat to the piece on a square, determined attacker by attacker.
fn threat(board: &Board, square: Square) -> ThreatBucket {
    let piece = board.piece_at(square).expect("it is occupied");
    if piece.role() == Role::King {
        return ThreatBucket::new(false, false, false);
    }
    // Knights and bishops are worth the same, and a king is worth more than what it attacks.
    let worth = |role: Role| [1, 3, 3, 5, 9, i32::MAX][role];
    let attackers = board.attackers(square, board.occupied());
    let enemies = attackers & board.color(!piece.color());
    let is_lesser = |from| board.role_at(from).is_some_and(|role| worth(role) < worth(piece.role()));
    let is_defended = attackers.intersects(board.color(piece.color()));
    ThreatBucket::new(!enemies.is_empty(), enemies.into_iter().any(is_lesser), is_defended)
}

/// The scalars, determined square by square.
fn scalars(board: &Board) -> [i64; SCALARS] {
    const VALUES: [i64; Role::COUNT] = [1, 3, 3, 5, 9, 0];
    let occupied = board.occupied();
    let roles_on = |side: Color, square: Square| -> Vec<Role> {
        let from = board.attackers(square, occupied) & board.color(side);
        from.into_iter().filter_map(|from| board.role_at(from)).collect()
    };
    let mut scalars = Vec::new();
    for side in [board.turn(), !board.turn()] {
        let king = board.king(side);
        let steps = |a: Square, b: Square| {
            let files = (a.file() as i64).abs_diff(b.file() as i64);
            files.max((a.rank() as i64).abs_diff(b.rank() as i64)) as i64
        };
        let is_own = |square| board.color_at(square) == Some(side);
        let [mut hanging, mut attacked, mut lesser, mut undefended, mut pinned] = [0; 5];
        for square in board.color(side) {
            let role = board.role_at(square).expect("it is occupied");
            let [by_own, by_other] = [side, !side].map(|side| roles_on(side, square));
            let value = VALUES[role];
            undefended += if by_own.is_empty() { value } else { 0 };
            attacked += if by_other.is_empty() { 0 } else { value };
            hanging += if by_own.is_empty() && !by_other.is_empty() { value } else { 0 };
            let is_lesser = |other: &Role| VALUES[*other] < value && *other != Role::King;
            lesser += if by_other.iter().any(is_lesser) { value } else { 0 };
            // Without a pinned piece one more enemy attacks the king, on the line of the piece.
            let without = board.attackers(king, occupied.without(square)) & board.color(!side);
            let is_pinned = !(without - board.attackers(king, occupied)).is_empty();
            pinned += if is_pinned { value } else { 0 };
        }
        let [mut checks, mut ring, mut own, mut twice, mut alone, mut forks, mut mobility] = [0; 7];
        let mut safe = [0; Role::COUNT];
        for square in Square::ALL {
            let [by_own, by_other] = [side, !side].map(|side| roles_on(side, square));
            own += i64::from(!by_own.is_empty());
            twice += i64::from(by_own.len() > 1);
            alone += i64::from(!by_own.is_empty() && by_other.is_empty());
            let center = [king.file() as i64, king.rank() as i64].map(|line| line.clamp(1, 6));
            let is_near = (square.file() as i64 - center[0]).abs() <= 1
                && (square.rank() as i64 - center[1]).abs() <= 1;
            ring += i64::from(is_near && !by_other.is_empty());
            let is_free = !is_own(square) && !by_other.contains(&Role::Pawn);
            mobility += i64::from(is_free && by_own.contains(&Role::Queen));
            let large = [Role::Rook, Role::Queen, Role::King].map(|role| board.pieces(!side, role));
            let large = large[0] | large[1] | large[2];
            let is_fork = attacks::knight(square).into_iter().filter(|to| large.contains(*to)).count() > 1;
            forks += i64::from(is_free && is_fork && by_own.contains(&Role::Knight));
            let is_safe = by_own.is_empty() || by_own == [Role::King];
            let mut minors = false;
            let mut all = [false; 3];
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let is_check = attacks::attacks(role, !side, square, occupied).contains(king)
                    && board.color_at(square) != Some(!side)
                    && by_other.contains(&role);
                let kind = (role as usize).max(2) - 2;
                all[kind] |= is_check;
                minors |= is_check && kind == 0;
                if is_check && is_safe && kind > 0 {
                    safe[role] += 1;
                }
            }
            checks += all.into_iter().map(i64::from).sum::<i64>();
            safe[Role::Knight] += i64::from(minors && is_safe);
        }
        let pawns = board.role(Role::Pawn).into_iter().map(|pawn| steps(king, pawn)).sum();
        let numbers = [
            (hanging, 16),
            (attacked, 32),
            (lesser, 16),
            (undefended, 32),
            (checks, 16),
            (safe[Role::Queen], 8),
            (safe[Role::Rook], 8),
            (safe[Role::Knight], 4),
            (ring, 16),
            (own, 64),
            (twice, 32),
            (alone, 64),
            (pinned, 16),
            (forks, 4),
            (mobility, 32),
            (pawns, 64),
        ];
        scalars.extend(numbers.map(|(number, limit)| (number * (2032 / limit)).min(2032)));
    }
    scalars.try_into().expect("the scalars of both sides")
}

/// The value computed number by number, as the documentation describes it.
fn by_the_book(network: &Network, board: &Board) -> i64 {
    let numbers = network.parameters();
    let width = numbers.architecture().l1_size();
    let bucket = (board.occupied().count() as usize - 1) / 4;
    let mut products = Vec::new();
    for perspective in [board.turn(), !board.turn()] {
        let sum = |neuron: usize| {
            let mut total = i64::from(numbers.feature_bias()[neuron]);
            for square in board.occupied() {
                let piece = board.piece_at(square).expect("it is occupied");
                let input = features::index(
                    perspective,
                    board.king(perspective),
                    piece,
                    square,
                    threat(board, square),
                );
                total += i64::from(numbers.feature_weights()[input * width + neuron]);
            }
            assert!(i16::try_from(total).is_ok(), "neuron {neuron} sums up to {total}");
            total.clamp(0, 255)
        };
        products.extend((0..width / 2).map(|neuron| sum(neuron) * sum(neuron + width / 2) / 32));
    }
    let layer = |weights: &[i16], biases: &[i32], neurons: usize, inputs: &[i64]| -> Vec<i64> {
        let neuron = |index: usize| {
            let row = &weights[(bucket * neurons + index) * inputs.len()..];
            let sum = row.iter().zip(inputs).map(|(weight, input)| i64::from(*weight) * input).sum::<i64>();
            let sum = sum + i64::from(biases[bucket * neurons + index]);
            assert!(i32::try_from(sum).is_ok(), "neuron {index} sums up to {sum}");
            sum
        };
        (0..neurons).map(neuron).collect()
    };
    let squares = |sums: Vec<i64>, one: i64| -> Vec<i64> {
        sums.iter().map(|sum| sum.div_euclid(64).clamp(0, 16 * one).pow(2) / (1 << 19)).collect()
    };
    let (second_one, third_one, output_one) = (2032, 2016, 1984);
    let rows = numbers.scalar_weights().chunks_exact(SCALARS).skip(bucket * L2_SIZE);
    let scalars = scalars(board);
    let mut second = layer(numbers.second_weights(), numbers.second_bias(), L2_SIZE, &products);
    for (sum, row) in second.iter_mut().zip(rows) {
        *sum += row.iter().zip(scalars).map(|(weight, scalar)| i64::from(*weight) * scalar).sum::<i64>();
    }
    let second = squares(second, second_one);
    let third = squares(layer(numbers.third_weights(), numbers.third_bias(), L3_SIZE, &second), third_one);
    layer(numbers.output_weights(), numbers.output_bias(), 1, &third)[0] * 300 / (output_one * 1024)
}

#[test]
fn every_kernel_and_width_gives_the_value_by_the_book() {
    for width in WIDTHS {
        let network = nonsense(width, 5).quantize().expect("its sums fit");
        let positions = positions(1);
        // Once for all kernels: it takes most of the time.
        let expected: Vec<i64> = positions.iter().map(|position| by_the_book(&network, position)).collect();
        for kernel in Kernel::available() {
            let network = network.clone().with_kernel(kernel);
            for (position, &expected) in positions.iter().zip(&expected) {
                assert_eq!(i64::from(network.evaluate(position)), expected, "{kernel}, width {width}");
            }
        }
    }
}

/// The board with colors swapped and ranks flipped, and optionally with files mirrored.
fn transformed(position: &Position, swaps: bool, mirrors: bool) -> Position {
    let mut setup = Setup::EMPTY;
    for square in position.occupied() {
        let piece = position.piece_at(square).expect("it is occupied");
        let mut to: Square = square;
        let mut turned = piece;
        if swaps {
            to = to.flip_rank();
            turned = Piece::new(!piece.color(), piece.role());
        }
        if mirrors {
            to = to.flip_file();
        }
        setup.pieces[to] = Some(turned);
    }
    setup.turn = if swaps { !position.turn() } else { position.turn() };
    Position::try_from(setup).expect("as legal as before")
}

#[test]
fn values_do_not_depend_on_color_or_wing() {
    let float = nonsense(32, 9);
    let network = float.quantize().expect("its sums fit");
    for position in positions(2) {
        let value = network.evaluate(&position);
        for (swaps, mirrors) in [(true, false), (false, true), (true, true)] {
            let other = transformed(&position, swaps, mirrors);
            assert_eq!(network.evaluate(&other), value, "{position:?}");
            assert!((float.evaluate(&other) - float.evaluate(&position)).abs() < 1e-3, "{position:?}");
        }
    }
}

#[test]
fn quantization_costs_little() {
    for width in WIDTHS {
        let float = material(width, 3);
        let network = float.quantize().expect("its sums fit");
        for position in positions(3) {
            let exact = float.evaluate(&position) * EVAL_SCALE as f32;
            let difference = (exact - network.evaluate(&position) as f32).abs();
            let bound = 0.02 * exact.abs() + 80.0;
            assert!(difference <= bound, "width {width}: {exact} became {}", network.evaluate(&position));
        }
    }
}

#[test]
fn more_pieces_are_better() {
    let network = material(256, 4).quantize().expect("its sums fit");
    let value = |fen: &str| network.evaluate(&position_from_fen(fen).expect("a legal position"));
    assert!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").abs() < 50);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 100);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -100);
}

#[test]
fn numbers_that_could_overflow_are_refused() {
    type Change = fn(&mut FloatNetwork);
    let cases: [(&str, Change, &str); 8] = [
        ("nothing", |_| {}, ""),
        (
            "the largest output weight",
            |network| network.parameters.output_weights_mut()[3] = MAX_OUTPUT_WEIGHT,
            "",
        ),
        (
            "an output weight",
            |network| network.parameters.output_weights_mut()[3] = -2.1,
            "output weight 3 is -2.1, expected a number from -1.9990234 to 1.9990234",
        ),
        (
            "a feature weight",
            |network| network.parameters.feature_weights_mut()[40] = 129.0,
            "feature weight 40 is 129, expected a number from -128.49803 to 128.49803",
        ),
        (
            "no number",
            |network| network.parameters.feature_bias_mut()[1] = f32::NAN,
            "feature bias 1 is NaN, expected a number from -128.49803 to 128.49803",
        ),
        (
            "a neuron above",
            |network| network.parameters.feature_weights_mut().iter_mut().step_by(16).for_each(|w| *w = 4.5),
            "hidden neuron 0 could sum up to 0 or 36736, expected at most -32768 to 32767",
        ),
        (
            "a neuron below",
            |network| {
                network.parameters.feature_bias_mut()[2] = -100.0;
                network.parameters.feature_weights_mut()[2..]
                    .iter_mut()
                    .step_by(16)
                    .take(10)
                    .for_each(|w| *w = -3.0);
            },
            "hidden neuron 2 could sum up to -33150 or -25500, expected at most -32768 to 32767",
        ),
        (
            "an infinite bias",
            |network| network.parameters.output_bias_mut()[7] = f32::INFINITY,
            "output bias 7 is inf, expected a number from -528.5161 to 528.5161",
        ),
    ];
    for (name, change, expected) in cases {
        let mut network = FloatNetwork::zeroed(Architecture::new(16).expect("a width"));
        change(&mut network);
        let found = network.quantize().map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(found, expected, "{name}");
    }
    let mut network = FloatNetwork::zeroed(Architecture::new(1024).expect("a width"));
    network.parameters.second_weights_mut()[1024..][..1000].fill(-1.9);
    let error = network.quantize().expect_err("the second neuron could overflow");
    assert!(matches!(error, BoundsError::Sum { what: "second neuron", neuron: 1, high: 0, .. }), "{error}");
}

/// The extreme case within the bounds: every neuron at its limit, with 32 pieces.
#[test]
fn the_limits_are_kept() {
    let mut float = FloatNetwork::zeroed(Architecture::new(256).expect("a width"));
    let numbers = &mut float.parameters;
    numbers.feature_weights_mut().fill(4.01);
    numbers.second_weights_mut().fill(MAX_OUTPUT_WEIGHT);
    numbers.third_weights_mut().fill(MAX_OUTPUT_WEIGHT);
    numbers.output_weights_mut().fill(MAX_OUTPUT_WEIGHT);
    let network = float.quantize().expect("32 times 1023 is below 32768");
    let start = Position::start();
    assert_eq!(start.color(Color::White).count() + start.color(Color::Black).count(), 32);
    for kernel in Kernel::available() {
        let network = network.clone().with_kernel(kernel);
        assert_eq!(i64::from(network.evaluate(&start)), by_the_book(&network, &start), "{kernel}");
        assert_eq!(network.evaluate(&start), 32 * 300 * 2047 / 1024);
    }
}
