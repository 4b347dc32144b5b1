//! The numbers of the first hidden layer in 16 bits: half as many bytes have to be moved.
//!
//! The weights are rounded for the forward pass only; what is learned are those of 32 bits.

use super::parameters::{GROUP, Part, Parts};
use crate::nnue::QA;
use crate::nnue::features::INPUTS;
use rayon::prelude::*;
use std::iter;
use wide::{f32x16, i16x16, i16x32, i32x16, u32x16};

/// A number for each neuron of a group.
pub(super) type Neurons = f32x16;
/// 16 bits for each neuron of a band.
pub(super) type Row = i16x32;
/// The number of groups of neurons in a band. If the number of groups is odd, the last one of the last band is unused.
pub(super) const GROUPS: usize = size_of::<Row>() / size_of::<i16>() / GROUP;

const _: () = assert!(size_of::<Neurons>() == GROUP * size_of::<f32>());

/// The integer for 1 in weights and sums. Rounding is far finer than in the quantized network, and sums of up to 8 fit,
/// which is far beyond the range in which neurons differ.
const ONE: f32 = 4096.0;

const _: () = assert!(ONE >= 16.0 * QA as f32);

/// The rounded weights from all inputs to the neurons of a band, and their biases.
pub(super) type Band = [Row; INPUTS + 1];

/// The place of the biases in a [`Band`].
pub(super) const BIASES: usize = INPUTS;

/// The weights and biases of the layer, rounded.
#[derive(Clone, Debug)]
pub(super) struct RoundedWeights {
    /// Those of each band.
    rows: Vec<Row>,
}

impl RoundedWeights {
    /// The buffer for a layer of this width.
    pub(super) fn new(width: usize) -> Self {
        Self { rows: vec![Row::ZERO; size_of::<Band>() / size_of::<Row>() * bands(width)] }
    }

    /// Rounds the weights of a network.
    pub(super) fn set(&mut self, parts: &Parts<&[f32]>) {
        let weights: &[Neurons] = bytemuck::cast_slice(parts.get(Part::FeatureWeights));
        let biases: &[Neurons] = bytemuck::cast_slice(parts.get(Part::FeatureBiases));
        let groups = weights.par_chunks(GROUPS * INPUTS).zip(biases.par_chunks(GROUPS));
        self.rows.par_chunks_mut(INPUTS + 1).zip(groups).for_each(|(rows, (weights, biases))| {
            let (weights, other_weights) = weights.split_at(INPUTS);
            let (biases, other_biases) = biases.split_at(1);
            let others = other_weights.iter().chain(other_biases);
            // The last group of an odd number is alone.
            let others = others.chain(iter::repeat(&Neurons::ZERO));
            for (row, groups) in rows.iter_mut().zip(weights.iter().chain(biases).zip(others)) {
                *row = bytemuck::cast(<[_; GROUPS]>::from(groups).map(rounded));
            }
        });
    }

    /// The weights of each band.
    pub(super) fn bands(&self) -> &[Band] {
        self.rows.as_chunks().0
    }
}

/// The number of bands of a layer of this width.
pub(super) const fn bands(width: usize) -> usize {
    width.div_ceil(GROUPS * GROUP)
}

#[inline(always)]
fn rounded(numbers: &Neurons) -> i16x16 {
    i16x16::new((*numbers * ONE).fast_round_int().to_array().map(|number| number as i16))
}

/// The sums of a band as real numbers, group by group.
#[inline(always)]
pub(super) fn sums_of(row: Row) -> [Neurons; GROUPS] {
    let groups: [i16x16; GROUPS] = bytemuck::cast(row);
    groups.map(|sums| Neurons::from_i32x16(i32x16::from_i16x16(sums)) * ONE.recip())
}

/// The bits of a number that remain: those of a `bfloat16`, which has the range of an `f32`, and a precision of eight
/// bits.
const KEPT: u32 = !0 << u16::BITS;
/// Half the value of the last bit that remains.
const HALF: u32 = 1 << (u16::BITS - 1);

/// Rounds the gradients of the sums of a band.
#[inline(always)]
pub(super) fn packed(gradients: [Neurons; GROUPS]) -> Row {
    let [high, low] = gradients.map(|numbers| bytemuck::cast::<_, u32x16>(numbers) + u32x16::splat(HALF));
    bytemuck::cast((high & u32x16::splat(KEPT)) | (low >> u16::BITS))
}

/// The gradients of a band, group by group.
#[inline(always)]
pub(super) fn unpacked(row: Row) -> [Neurons; GROUPS] {
    let row: u32x16 = bytemuck::cast(row);
    [row & u32x16::splat(KEPT), row << u16::BITS].map(bytemuck::cast)
}

#[cfg(test)]
impl RoundedWeights {
    /// The rounded weights of a network.
    pub(super) fn of(width: usize, parts: &Parts<&[f32]>) -> Self {
        let mut this = Self::new(width);
        this.set(parts);
        this
    }
}

/// The nearest number that a rounded weight can have.
#[cfg(test)]
pub(super) fn nearest(weight: f32) -> f32 {
    (weight * ONE).round_ties_even() / ONE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Architecture;
    use crate::rng::Rng;
    use crate::train::trainer::parameters::Layout;

    #[test]
    fn weights_are_rounded_band_by_band() {
        // The last band has only one group.
        const WIDTH: usize = 3 * GROUP;
        let layout = Layout(Architecture::new(WIDTH).expect("a width"));
        let row = layout.random_parameters(&mut Rng::new(1));
        let parts = layout.split(&row);
        let rounded = RoundedWeights::of(WIDTH, &parts);
        for input in [0, 1, INPUTS - 1, BIASES] {
            let found: Vec<f32> = rounded
                .bands()
                .iter()
                .flat_map(|band| sums_of(band[input]))
                .flat_map(Neurons::to_array)
                .collect();
            assert_eq!(found.len(), 4 * GROUP);
            for group in 0..WIDTH / GROUP {
                for neuron in 0..GROUP {
                    let place = (group * INPUTS + input) * GROUP + neuron;
                    let expected = match input {
                        BIASES => parts.get(Part::FeatureBiases)[group * GROUP + neuron],
                        _ => parts.get(Part::FeatureWeights)[place],
                    };
                    let found = found[group * GROUP + neuron];
                    assert!((found - expected).abs() <= 0.5 / ONE, "{input} {group}: {found} {expected}");
                    assert_eq!(found, nearest(expected));
                }
            }
        }
    }

    #[test]
    fn gradients_keep_eight_bits() {
        let numbers = [0.0, 1.0, -1.0, 1.0 / 3.0, -1e-20, 3e20, 1.003_906_3, 0.999_99];
        let gradients =
            [0, 3].map(|shift| Neurons::new(std::array::from_fn(|lane| numbers[(lane + shift) % 8])));
        let found = unpacked(packed(gradients));
        for (found, expected) in found.into_iter().zip(gradients) {
            for (found, expected) in found.to_array().into_iter().zip(expected.to_array()) {
                assert!((found - expected).abs() <= expected.abs() / 256.0, "{found} {expected}");
            }
        }
    }
}
