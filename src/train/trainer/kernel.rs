//! The loops that take the time: plain ones over slices of equal length, which the compiler
//! turns into vector instructions.

use crate::nnue::WIDTH_STEP;

/// Numbers that are added up side by side: as many as the widest vector registers hold.
const LANES: usize = 16;

const _: () = assert!(WIDTH_STEP.is_multiple_of(LANES));

/// Rows that are added in one pass over the sums.
const ROWS: usize = 4;

/// The row of an input in a table of rows of `hidden` numbers.
#[inline(always)]
fn row(table: &[f32], feature: u16, hidden: usize) -> &[f32] {
    &table[usize::from(feature) * hidden..][..hidden]
}

/// Sets `neurons` to the biases and the rows of the active inputs added up.
#[inline]
pub(super) fn accumulate(weights: &[f32], biases: &[f32], features: &[u16], neurons: &mut [f32]) {
    let hidden = neurons.len();
    neurons.copy_from_slice(&biases[..hidden]);
    // Several rows at a time: the sums are read and written less often.
    let (groups, rest) = features.as_chunks::<ROWS>();
    for group in groups {
        let [a, b, c, d] = group.map(|feature| row(weights, feature, hidden));
        for index in 0..hidden {
            neurons[index] += (a[index] + b[index]) + (c[index] + d[index]);
        }
    }
    for &feature in rest {
        add(neurons, row(weights, feature, hidden));
    }
}

/// Adds `change` to the row of each active input.
#[inline]
pub(super) fn scatter(table: &mut [f32], features: &[u16], change: &[f32]) {
    let hidden = change.len();
    for &feature in features {
        add(&mut table[usize::from(feature) * hidden..][..hidden], change);
    }
}

/// Adds numbers to numbers.
#[inline(always)]
pub(super) fn add(sums: &mut [f32], numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// Adds a multiple of numbers to numbers.
#[inline(always)]
pub(super) fn add_multiple(sums: &mut [f32], factor: f32, numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += factor * number;
    }
}

/// The weighted sum of numbers.
#[inline(always)]
pub(super) fn dot(numbers: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    for (numbers, weights) in numbers.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += numbers[lane] * weights[lane];
        }
    }
    sums.iter().sum()
}

/// Multiplies each neuron of the first half, clamped to 0 ..= 1, by its partner in the second half.
#[inline]
pub(super) fn multiply(neurons: &[f32], products: &mut [f32]) {
    let (first, second) = neurons.split_at(products.len());
    for ((product, first), second) in products.iter_mut().zip(first).zip(second) {
        *product = first.clamp(0.0, 1.0) * second.clamp(0.0, 1.0);
    }
}

/// The way back through [`multiply`]: turns the neurons into their own gradient; `pulls` is that of the products.
#[inline]
pub(super) fn multiply_back(neurons: &mut [f32], pulls: &[f32]) {
    let (first, second) = neurons.split_at_mut(pulls.len());
    for ((first, second), pull) in first.iter_mut().zip(second).zip(pulls) {
        let [a, b] = [*first, *second].map(|sum| sum.clamp(0.0, 1.0));
        *first = if a == *first { pull * b } else { 0.0 };
        *second = if b == *second { pull * a } else { 0.0 };
    }
}

/// The activation of a neuron of the later layers: its sum clamped to 0 ..= 1 and squared (SCReLU).
#[inline(always)]
pub(super) fn square(sum: f32) -> f32 {
    let clamped = sum.clamp(0.0, 1.0);
    clamped * clamped
}

/// How fast [`square`] grows.
#[inline(always)]
pub(super) fn slope(sum: f32) -> f32 {
    if sum < 1.0 { 2.0 * sum.max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIDDEN: usize = WIDTH_STEP;

    #[test]
    fn rows_are_added_up_whatever_their_number() {
        let table: Vec<f32> = (0..10 * HIDDEN).map(|index| (index % 37) as f32).collect();
        let biases = [0.5; HIDDEN];
        for count in 0..10 {
            let features: Vec<u16> = (0..count).map(|index| (index * 7 % 10) as u16).collect();
            let mut neurons = [9.0; HIDDEN];
            accumulate(&table, &biases, &features, &mut neurons);
            for (index, neuron) in neurons.iter().enumerate() {
                let rows = features.iter().map(|&feature| table[usize::from(feature) * HIDDEN + index]);
                assert_eq!(*neuron, 0.5 + rows.sum::<f32>(), "{count} rows");
            }
        }
    }

    #[test]
    fn rows_are_changed_where_inputs_are_active() {
        let mut table = vec![0.0; 4 * HIDDEN];
        let change: [f32; HIDDEN] = std::array::from_fn(|index| index as f32);
        scatter(&mut table, &[1, 3, 1], &change);
        for (index, number) in table.iter().enumerate() {
            let times = [0.0, 2.0, 0.0, 1.0][index / HIDDEN];
            assert_eq!(*number, times * (index % HIDDEN) as f32);
        }
    }

    #[test]
    fn neurons_are_multiplied_and_pulled() {
        let mut neurons = [0.0; HIDDEN];
        neurons[..4].copy_from_slice(&[-1.0, 0.5, 2.0, 0.25]);
        neurons[HIDDEN / 2..][..4].copy_from_slice(&[0.5, 0.5, 0.75, 3.0]);
        let mut products = [9.0; HIDDEN / 2];
        multiply(&neurons, &mut products);
        assert_eq!(products[..5], [0.0, 0.25, 0.75, 0.25, 0.0]);
        multiply_back(&mut neurons, &[2.0; HIDDEN / 2]);
        assert_eq!(neurons[..4], [0.0, 1.0, 0.0, 2.0]);
        assert_eq!(neurons[HIDDEN / 2..][..4], [0.0, 1.0, 2.0, 0.0]);
    }

    #[test]
    fn later_activations_are_clamped_squares() {
        let cases = [(-1.0, 0.0, 0.0), (0.5, 0.25, 1.0), (2.0, 1.0, 0.0), (0.75, 0.5625, 1.5)];
        for (sum, activation, growth) in cases {
            assert_eq!((square(sum), slope(sum)), (activation, growth), "{sum}");
        }
    }

    #[test]
    fn sums_are_weighted() {
        let numbers: [f32; HIDDEN] = std::array::from_fn(|index| index as f32);
        let mut sums = [1.0; HIDDEN];
        add_multiple(&mut sums, 0.5, &numbers);
        assert!((0..HIDDEN).all(|index| sums[index] == 1.0 + 0.5 * index as f32));
        assert_eq!(dot(&numbers, &[2.0; HIDDEN]), (HIDDEN * (HIDDEN - 1)) as f32);
    }
}
