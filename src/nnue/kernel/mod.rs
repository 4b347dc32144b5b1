//! The inner loops, compiled for several instruction sets, the best of which is selected at run time. All kernels
//! compute the same integers.

/// Defines the functions of a kernel, for a set of target features if one is given: those of [`plain`] with the number
/// of blocks that stay in registers, a function for the code of a square, and one for the layers after the first.
macro_rules! kernel {
    ([$($features:literal)?], $tile:expr, $code:expr, $propagate:expr) => {
        /// See [`crate::nnue::Kernel::compare`].
        $(#[target_feature(enable = $features)])?
        pub(in crate::nnue::kernel) fn compare(changes: &mut Changes, before: &Planes, now: &Planes) {
            changes.set($code, before, now);
        }

        /// See [`crate::nnue::Kernel::update`].
        $(#[target_feature(enable = $features)])?
        pub(in crate::nnue::kernel) fn update(
            to: &mut [Block],
            from: &[Block],
            weights: &[Block],
            added: &[u16],
            removed: &[u16],
        ) {
            plain::update::<{ $tile }>(to, from, weights, added, removed);
        }

        /// See [`crate::nnue::Kernel::propagate`].
        $(#[target_feature(enable = $features)])?
        pub(in crate::nnue::kernel) fn propagate(own: &[Block], other: &[Block], scalars: &Block, stack: &LayerStack) -> i32 {
            $propagate(own, other, scalars, stack)
        }
    };
}

mod plain;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod simd;

use super::features::{Changes, Planes};
use super::layer_stack::{Block, LayerStack};
use once_cell::sync::OnceCell;
use std::fmt;

/// An instruction set that this machine supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Set);

/// The instruction set of a [`Kernel`]. The field is private, so that no kernel is constructed without detection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

/// Calls the function of this name compiled for the instruction set of a kernel.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a kernel with this instruction set is constructed only if it was detected, and a machine does not
            // lose it while the program runs.
            #[allow(unsafe_code)]
            Set::Avx512 => unsafe { simd::avx512::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Set::Avx2 => unsafe { simd::avx2::$function($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Set::Neon => unsafe { simd::neon::$function($($argument),*) },
            Set::Portable => plain::portable::$function($($argument),*),
        }
    };
}

impl Kernel {
    /// The fastest kernel of this machine.
    pub fn best() -> Self {
        static BEST: OnceCell<Kernel> = OnceCell::new();
        *BEST.get_or_init(|| Self::available().next().unwrap_or(Self(Set::Portable)))
    }

    /// All kernels of this machine, the fastest first and the portable one last.
    pub fn available() -> impl Iterator<Item = Self> {
        [
            #[cfg(target_arch = "x86_64")]
            (is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni"))
            .then_some(Self(Set::Avx512)),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx2").then_some(Self(Set::Avx2)),
            #[cfg(target_arch = "aarch64")]
            std::arch::is_aarch64_feature_detected!("neon").then_some(Self(Set::Neon)),
            Some(Self(Set::Portable)),
        ]
        .into_iter()
        .flatten()
    }

    /// The name of the instruction set.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            Set::Neon => "neon",
            Set::Portable => "portable",
        }
    }

    /// Sets `changes` to those between two boards.
    #[inline]
    pub(super) fn compare(self, changes: &mut Changes, before: &Planes, now: &Planes) {
        dispatch!(self, compare(changes, before, now));
    }

    /// Sets `to` to `from` plus the rows `added` of `weights` minus the rows `removed`. A row is as long as `to`
    /// and `from`.
    #[inline]
    pub(super) fn update(
        self,
        to: &mut [Block],
        from: &[Block],
        weights: &[Block],
        added: &[u16],
        removed: &[u16],
    ) {
        dispatch!(self, update(to, from, weights, added, removed));
    }

    /// The output for the sums of the first hidden layer, of the side to move and of the other side, and for the
    /// scalars: see [`super::Architecture`] and `quantization.rs`.
    #[inline]
    pub(super) fn propagate(
        self,
        own: &[Block],
        other: &[Block],
        scalars: &Block,
        stack: &LayerStack,
    ) -> i32 {
        dispatch!(self, propagate(own, other, scalars, stack))
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::architecture::{L2_SIZE, L3_SIZE};
    use super::super::layer_stack::GROUP;
    use super::super::quantization::QB;
    use super::*;
    use crate::nnue::layer_stack::LANES;
    use proptest::prelude::*;

    fn blocks(count: usize) -> impl Strategy<Value = Vec<Block>> {
        // The ends of the ranges are the most important values.
        let number =
            prop_oneof![any::<i16>(), -300_i16..600, Just(0), Just(255), Just(i16::MIN), Just(i16::MAX)];
        proptest::collection::vec(proptest::array::uniform32(number).prop_map(Block), count)
    }

    /// Blocks of half of the sums of a perspective: a chunk and some more.
    const HALF: usize = plain::CHUNK + 1;

    /// Any layer stack for sums whose halves fill this many blocks.
    fn stack(half: usize) -> impl Strategy<Value = LayerStack> {
        let weights = |count| proptest::collection::vec(-QB..=QB, count);
        let biases = |count, largest: i32| proptest::collection::vec(-largest..=largest, count);
        let second = (weights(2 * half * L2_SIZE * LANES), biases(L2_SIZE, 1 << 24));
        let third = (weights(L2_SIZE * L3_SIZE), biases(L3_SIZE, 1 << 21));
        let output = (weights(L3_SIZE), -(1 << 21)..=1 << 21);
        (second, weights(L2_SIZE * LANES), third, output).prop_map(|(second, scalars, third, output)| {
            let block = |numbers: &[i32; LANES]| Block(numbers.map(|number| number as i16));
            let third_weights: Vec<Block> = third.0.as_chunks().0.iter().map(block).collect();
            LayerStack {
                second: second.0.as_chunks().0.iter().map(block).collect(),
                scalars: array(&scalars.as_chunks().0.iter().map(block).collect::<Vec<_>>()),
                second_bias: array(&second.1),
                third: array(third_weights.as_chunks().0),
                third_bias: array(third.1.as_chunks().0),
                output: array(&output.0),
                output_bias: output.1,
            }
        })
    }

    fn array<T: Copy, const N: usize>(numbers: &[T]) -> [T; N] {
        std::array::from_fn(|index| numbers[index])
    }

    /// The output, computed one number at a time without vector instructions.
    fn by_the_book(own: &[Block], other: &[Block], scalars: &Block, stack: &LayerStack) -> i64 {
        let half = own.len() / 2 * LANES;
        let clamped = |sums, index| i64::from(lane(sums, index)).clamp(0, 255);
        let product = |sums, index| clamped(sums, index) * clamped(sums, half + index) / 32;
        let products: Vec<i64> = [own, other]
            .into_iter()
            .flat_map(|sums| (0..half).map(move |index| product(sums, index)))
            .collect();
        let square = |sum: i64, one: i64| sum.div_euclid(64).clamp(0, 16 * one).pow(2) / (1 << 19);
        let second_weight = |neuron: usize, input: usize| {
            i64::from(stack.second[input / LANES * L2_SIZE + neuron].0[input % LANES])
        };
        let third_weight = |neuron: usize, input: usize| {
            let group = &stack.third[neuron / GROUP];
            i64::from(group[input / 2].0[2 * (neuron % GROUP) + input % 2])
        };
        let second: Vec<i64> = (0..L2_SIZE)
            .map(|neuron| {
                let terms = products.iter().enumerate();
                let terms = terms.map(|(index, product)| product * second_weight(neuron, index));
                let scalars = scalars.0.iter().zip(stack.scalars[neuron].0);
                let scalars = scalars.map(|(scalar, weight)| i64::from(*scalar) * i64::from(weight));
                let sum = i64::from(stack.second_bias[neuron]) + scalars.sum::<i64>() + terms.sum::<i64>();
                square(sum, 2032)
            })
            .collect();
        let third = (0..L3_SIZE).map(|neuron| {
            let terms = second.iter().enumerate();
            let terms = terms.map(|(index, input)| input * third_weight(neuron, index));
            i64::from(stack.third_bias[neuron / GROUP][neuron % GROUP]) + terms.sum::<i64>()
        });
        let terms = third.zip(stack.output).map(|(sum, weight)| square(sum, 2016) * i64::from(weight));
        i64::from(stack.output_bias) + terms.sum::<i64>()
    }

    fn lane(blocks: &[Block], lane: usize) -> i16 {
        blocks[lane / LANES].0[lane % LANES]
    }

    /// The number of blocks, enough to cover all paths through the loops.
    const BLOCKS: usize = 7;
    const ROWS: usize = 5;

    proptest! {
        #[test]
        fn every_kernel_updates_alike(
            from in blocks(BLOCKS),
            rows in blocks(ROWS * BLOCKS),
            count in 1..=BLOCKS,
            added in proptest::collection::vec(0..ROWS as u16, 0..9),
            removed in proptest::collection::vec(0..ROWS as u16, 0..9),
        ) {
            for kernel in Kernel::available() {
                let mut to = vec![Block::ZERO; count];
                let rows = &rows[..ROWS * count];
                kernel.update(&mut to, &from[..count], rows, &added, &removed);
                for index in 0..count * LANES {
                    let of = |row: &u16| lane(&rows[usize::from(*row) * count..], index);
                    let plus = added.iter().map(of).fold(lane(&from, index), i16::wrapping_add);
                    let expected = removed.iter().map(of).fold(plus, i16::wrapping_sub);
                    prop_assert_eq!(lane(&to, index), expected, "{} lane {}", kernel, index);
                }
            }
        }
    }

    proptest! {
        // Each case has thousands of numbers.
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_kernel_propagates_alike(
            own in blocks(2 * HALF),
            other in blocks(2 * HALF),
            scalars in proptest::array::uniform32(0..=2032_i16).prop_map(Block),
            stack in (1..=HALF).prop_flat_map(stack),
        ) {
            let blocks = stack.second.len() / L2_SIZE;
            let (own, other) = (&own[..blocks], &other[..blocks]);
            let expected = by_the_book(own, other, &scalars, &stack);
            for kernel in Kernel::available() {
                prop_assert_eq!(i64::from(kernel.propagate(own, other, &scalars, &stack)), expected, "{}", kernel);
            }
        }
    }

    #[test]
    fn the_portable_kernel_is_always_there() {
        assert_eq!(Kernel::available().last().map(Kernel::name), Some("portable"));
        assert_eq!(Some(Kernel::best()), Kernel::available().next());
    }
}
