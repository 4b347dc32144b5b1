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

/// The weighted sum of the activations: squares of the neurons clamped to 0 ..= 1 (SCReLU).
#[inline]
pub(super) fn activate(neurons: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    for (neurons, weights) in neurons.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            let clamped = neurons[lane].clamp(0.0, 1.0);
            sums[lane] += clamped * clamped * weights[lane];
        }
    }
    sums.iter().sum()
}

/// The way back through [`activate`]: adds the gradient of the weights to `gradient`, and turns
/// the neurons into their own gradient. `pull` is the gradient of the weighted sum.
#[inline]
pub(super) fn deactivate(neurons: &mut [f32], weights: &[f32], gradient: &mut [f32], pull: f32) {
    for ((neuron, weight), gradient) in neurons.iter_mut().zip(weights).zip(gradient) {
        let clamped = neuron.clamp(0.0, 1.0);
        *gradient += pull * clamped * clamped;
        let slope = 2.0 * pull * weight * clamped;
        *neuron = if *neuron < 1.0 { slope } else { 0.0 };
    }
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
    fn activation_is_a_clamped_square() {
        let mut neurons = [0.0; HIDDEN];
        neurons[..4].copy_from_slice(&[-1.0, 0.5, 2.0, 1.0]);
        let weights = [3.0; HIDDEN];
        assert_eq!(activate(&neurons, &weights), 3.0 * (0.25 + 1.0 + 1.0));
        let mut gradient = [1.0; HIDDEN];
        deactivate(&mut neurons, &weights, &mut gradient, 0.5);
        assert_eq!(neurons[..5], [0.0, 1.5, 0.0, 0.0, 0.0]);
        assert_eq!(gradient[..5], [1.0, 1.125, 1.5, 1.5, 1.0]);
    }
}
