//! The parameters of a network, and their layout in memory.

use super::vector::AlignedVec;
use crate::nnue::features::{INPUTS, PIECE_SQUARES, ThreatBucket};
use crate::nnue::{Architecture, FloatNetwork, L2_SIZE, L3_SIZE, OUTPUT_BUCKETS, WIDTH_STEP};
use crate::rng::Rng;
use std::ops::Range;

/// The number of neurons in a group: some of the first half of the layer, followed by their partners.
pub(super) const GROUP: usize = WIDTH_STEP;
/// The number of products of a group.
pub(super) const PAIRS: usize = GROUP / 2;

/// The index of the weight from an input, one of `inputs`, to a neuron in a layer of this width: group by group, with a
/// row for each input. Biases are stored as the weights of a single input.
pub(super) const fn place(width: usize, inputs: usize, input: usize, neuron: usize) -> usize {
    let [half, pair] = [neuron / (width / 2), neuron % (width / 2)];
    (pair / PAIRS * inputs + input) * GROUP + half * PAIRS + pair % PAIRS
}

/// The range of each part of a network in one long row of numbers.
///
/// Weights, gradients and the optimizer's moments are all such rows, so that they can be added up and updated without
/// regard to the parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout(pub Architecture);

/// A part of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The weights from each input to each neuron of the first hidden layer, in groups of neurons ([`place`]).
    FeatureWeights,
    /// The biases of the first hidden layer, in the same groups.
    FeatureBiases,
    /// For each bucket and neuron of the second hidden layer, the weights from the products of the side to move, then
    /// from those of the other side.
    SecondWeights,
    /// For each bucket and neuron of the second hidden layer, the weights from the scalars.
    ScalarWeights,
    /// The biases of the second hidden layer, for each bucket.
    SecondBiases,
    /// For each bucket and neuron of the third hidden layer, the weights from each neuron of the second one.
    ThirdWeights,
    /// The biases of the third hidden layer, for each bucket.
    ThirdBiases,
    /// For each bucket, the weights from each neuron of the third hidden layer.
    OutputWeights,
    /// The bias of the output, for each bucket.
    OutputBiases,
    /// The shared parts of the weights of the first hidden layer: those of a piece and square under all threats, in the
    /// same groups. They are already included in these weights: a network does not store them.
    SharedWeights,
}

impl Part {
    /// All parts, in the order of their ranges.
    pub(super) const ALL: [Self; 10] = [
        Self::FeatureWeights,
        Self::FeatureBiases,
        Self::SecondWeights,
        Self::ScalarWeights,
        Self::SecondBiases,
        Self::ThirdWeights,
        Self::ThirdBiases,
        Self::OutputWeights,
        Self::OutputBiases,
        Self::SharedWeights,
    ];

    /// Whether the part has a number for each neuron, instead of one for each input of a neuron.
    pub(super) const fn is_bias(self) -> bool {
        matches!(self, Self::FeatureBiases | Self::SecondBiases | Self::ThirdBiases | Self::OutputBiases)
    }
}

/// The initial bias of neurons of later layers, within the range in which they have a gradient.
const FIRST_BIAS: f32 = 0.3;

impl Layout {
    /// The number of parameters of a part.
    pub(super) const fn size(self, part: Part) -> usize {
        match part {
            Part::FeatureWeights => self.0.feature_weights(),
            Part::FeatureBiases => self.0.l1_size(),
            Part::SecondWeights => self.0.second_weights(),
            Part::ScalarWeights => self.0.scalar_weights(),
            Part::SecondBiases => OUTPUT_BUCKETS * L2_SIZE,
            Part::ThirdWeights => self.0.third_weights(),
            Part::ThirdBiases => OUTPUT_BUCKETS * L3_SIZE,
            Part::OutputWeights => self.0.output_weights(),
            Part::OutputBiases => OUTPUT_BUCKETS,
            Part::SharedWeights => PIECE_SQUARES * self.0.l1_size(),
        }
    }

    /// The range of a part.
    pub(super) fn range(self, part: Part) -> Range<usize> {
        let start = Part::ALL.iter().take_while(|other| **other != part).map(|other| self.size(*other)).sum();
        start..start + self.size(part)
    }

    /// The total number of parameters.
    pub(super) fn parameters(self) -> usize {
        Part::ALL.iter().map(|part| self.size(*part)).sum()
    }

    /// The parts of a row of parameters.
    pub(super) fn split(self, row: &[f32]) -> Parts<&[f32]> {
        let mut rest = row;
        Parts(Part::ALL.map(|part| rest.split_off(..self.size(part)).expect("the row is long enough")))
    }

    /// The parts of a row of parameters, mutable.
    pub(super) fn split_mut(self, row: &mut [f32]) -> Parts<&mut [f32]> {
        let mut rest = row;
        Parts(Part::ALL.map(|part| rest.split_off_mut(..self.size(part)).expect("the row is long enough")))
    }

    /// Random initial weights, and biases with which later neurons have a gradient.
    ///
    /// Each weight is uniformly distributed around zero, with a width that keeps sums over all terms of the layer at
    /// the magnitude of the terms' limits. Those of the scalars are zero.
    pub(super) fn random_parameters(self, rng: &mut Rng) -> AlignedVec {
        /// The approximate number of active inputs of a perspective.
        const ACTIVE_INPUTS: usize = 32;
        let mut row = AlignedVec::zeroed(self.parameters());
        let mut parts = self.split_mut(&mut row);
        let layers = [
            (Part::SharedWeights, ACTIVE_INPUTS),
            (Part::SecondWeights, self.0.l1_size()),
            (Part::ThirdWeights, L2_SIZE),
            (Part::OutputWeights, L3_SIZE),
        ];
        for (part, terms) in layers {
            fill(parts.get_mut(part), rng, (terms as f32).sqrt().recip());
        }
        for part in [Part::SecondBiases, Part::ThirdBiases] {
            parts.get_mut(part).fill(FIRST_BIAS);
        }
        // Initially the weights do not depend on the threats.
        let (weights, shared) = parts.feature_and_shared_mut();
        let groups = weights.chunks_exact_mut(INPUTS * GROUP).zip(shared.chunks_exact(PIECE_SQUARES * GROUP));
        for (weights, shared) in groups {
            weights.chunks_exact_mut(shared.len()).for_each(|threat| threat.copy_from_slice(shared));
        }
        row
    }

    /// The parameters of a network of at most this width. Additional neurons have random weights, but no effect: their
    /// output weights are zero.
    pub(super) fn widened(self, network: &FloatNetwork, rng: &mut Rng) -> AlignedVec {
        let narrow = Layout(network.parameters.architecture());
        let (from, mut row) = (narrow.row(network), self.random_parameters(rng));
        let (old, mut parts) = (narrow.split(&from), self.split_mut(&mut row));
        parts.get_mut(Part::SecondWeights).fill(0.0);
        for part in Part::ALL {
            let (from, to) = (old.get(part), parts.get_mut(part));
            match part {
                // More groups follow.
                Part::FeatureWeights | Part::FeatureBiases | Part::SharedWeights => {
                    to[..from.len()].copy_from_slice(from);
                }
                // Each row has two halves.
                Part::SecondWeights => {
                    let [short, long] = [narrow, self].map(|layout| layout.0.products());
                    for (from, to) in from.chunks_exact(short).zip(to.chunks_exact_mut(long)) {
                        to[..short].copy_from_slice(from);
                    }
                }
                _ => to.copy_from_slice(from),
            }
        }
        row
    }

    /// The indices of the weights of the first hidden layer from this many inputs, or of its biases, in the order of a
    /// network.
    fn places(self, inputs: usize) -> impl Iterator<Item = usize> {
        let width = self.0.l1_size();
        (0..inputs).flat_map(move |input| (0..width).map(move |neuron| place(width, inputs, input, neuron)))
    }

    /// The network with these parameters.
    pub(super) fn network(self, row: &[f32]) -> FloatNetwork {
        let mut network = FloatNetwork::zeroed(self.0);
        let parts = self.split(row);
        let gather = |to: &mut [f32], inputs, part| {
            for (to, place) in to.iter_mut().zip(self.places(inputs)) {
                *to = parts.get(part)[place];
            }
        };
        let numbers = &mut network.parameters;
        gather(numbers.feature_weights_mut(), INPUTS, Part::FeatureWeights);
        gather(numbers.feature_bias_mut(), 1, Part::FeatureBiases);
        numbers.second_weights_mut().copy_from_slice(parts.get(Part::SecondWeights));
        numbers.scalar_weights_mut().copy_from_slice(parts.get(Part::ScalarWeights));
        numbers.second_bias_mut().copy_from_slice(parts.get(Part::SecondBiases));
        numbers.third_weights_mut().copy_from_slice(parts.get(Part::ThirdWeights));
        numbers.third_bias_mut().copy_from_slice(parts.get(Part::ThirdBiases));
        numbers.output_weights_mut().copy_from_slice(parts.get(Part::OutputWeights));
        numbers.output_bias_mut().copy_from_slice(parts.get(Part::OutputBiases));
        network
    }

    /// The parameters of a network of this architecture.
    pub(super) fn row(self, network: &FloatNetwork) -> AlignedVec {
        let mut row = AlignedVec::zeroed(self.parameters());
        let mut parts = self.split_mut(&mut row);
        let numbers = &network.parameters;
        let grouped = [
            (numbers.feature_weights(), INPUTS, Part::FeatureWeights),
            (numbers.feature_bias(), 1, Part::FeatureBiases),
        ];
        for (from, inputs, part) in grouped {
            let to = parts.get_mut(part);
            for (from, place) in from.iter().zip(self.places(inputs)) {
                to[place] = *from;
            }
        }
        let others = [
            (numbers.second_weights(), Part::SecondWeights),
            (numbers.scalar_weights(), Part::ScalarWeights),
            (numbers.second_bias(), Part::SecondBiases),
            (numbers.third_weights(), Part::ThirdWeights),
            (numbers.third_bias(), Part::ThirdBiases),
            (numbers.output_weights(), Part::OutputWeights),
            (numbers.output_bias(), Part::OutputBiases),
        ];
        for (from, part) in others {
            parts.get_mut(part).copy_from_slice(from);
        }
        let (weights, shared) = parts.feature_and_shared_mut();
        let groups = weights.chunks_exact(INPUTS * GROUP).zip(shared.chunks_exact_mut(PIECE_SQUARES * GROUP));
        for (weights, shared) in groups {
            let (first, others) = weights.split_at(shared.len());
            shared.copy_from_slice(first);
            for other in others.chunks_exact(first.len()) {
                for ((shared, first), other) in shared.iter_mut().zip(first).zip(other) {
                    // The mean, which is exactly the weight if it is the same for all threats.
                    *shared += (other - first) / ThreatBucket::COUNT as f32;
                }
            }
        }
        row
    }
}

/// Fills a slice with numbers uniformly distributed between `-width` and `width`.
fn fill(numbers: &mut [f32], rng: &mut Rng, width: f32) {
    /// The number of bits of the fraction of an `f32`.
    const BITS: u32 = f32::MANTISSA_DIGITS;
    for number in numbers {
        let part = (rng.next_u64() >> (u64::BITS - BITS)) as f32 / (1 << BITS) as f32;
        *number = width * (2.0 * part - 1.0);
    }
}

/// A value for each part of the parameters, in the order of [`Part::ALL`].
pub(super) struct Parts<T>([T; Part::ALL.len()]);

impl<'a> Parts<&'a [f32]> {
    /// The numbers of a part.
    #[inline(always)]
    pub(super) fn get(&self, part: Part) -> &'a [f32] {
        self.0[part as usize]
    }
}

impl Parts<&mut [f32]> {
    /// The numbers of a part, mutable.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, part: Part) -> &mut [f32] {
        self.0[part as usize]
    }

    /// The weights of the first hidden layer and their shared parts, mutable.
    fn feature_and_shared_mut(&mut self) -> (&mut [f32], &mut [f32]) {
        let [weights, .., shared] = &mut self.0;
        (weights, shared)
    }

    /// The weights and biases of the first hidden layer, mutable.
    #[inline(always)]
    pub(super) fn first_layer_mut(&mut self) -> [&mut [f32]; 2] {
        let [weights, biases, ..] = &mut self.0;
        [weights, biases]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_a_place() {
        const WIDTH: usize = 3 * GROUP;
        let mut places: Vec<usize> = (0..INPUTS)
            .flat_map(|input| (0..WIDTH).map(move |neuron| place(WIDTH, INPUTS, input, neuron)))
            .collect();
        // The first neurons of both halves are in the same group.
        assert_eq!(places[WIDTH / 2], places[0] + PAIRS);
        places.sort_unstable();
        assert!(places.into_iter().eq(0..INPUTS * WIDTH));
    }

    #[test]
    fn parts_fill_the_row() {
        let layout = Layout(Architecture::new(16).expect("a width"));
        let mut end = 0;
        for part in Part::ALL {
            assert_eq!(layout.range(part).start, end, "{part:?}");
            end = layout.range(part).end;
        }
        assert_eq!(end, layout.parameters());
        let row = layout.random_parameters(&mut Rng::new(1));
        let parts = layout.split(&row);
        assert_eq!(parts.get(Part::OutputWeights), &row[layout.range(Part::OutputWeights)]);
        assert_eq!(parts.get(Part::OutputBiases).len(), OUTPUT_BUCKETS);
        let feature_weights = parts.get(Part::SharedWeights);
        let mean = feature_weights.iter().sum::<f32>() / feature_weights.len() as f32;
        assert!(mean.abs() < 0.01, "{mean}");
        assert_eq!(row, layout.random_parameters(&mut Rng::new(1)));
        assert_ne!(row, layout.random_parameters(&mut Rng::new(2)));
        assert_eq!(layout.row(&layout.network(&row)), row);
    }
}
