//! The inner loops, for each instruction set that is worth it; the machine's best is chosen
//! when the program runs. All give the same integers.

mod block;
mod plain;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

pub(super) use block::{Block, blocks_for};

use once_cell::sync::OnceCell;
use std::fmt;

/// Instructions that the machine has been seen to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Set);

/// What a [`Kernel`] is made of; nobody else can name an instruction set unseen.
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

/// Calls the function of this name that is compiled for the kernel's instructions.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a kernel with this set is made only where the instructions were detected,
            // and a machine does not lose them while the program runs.
            #[allow(unsafe_code)]
            Set::Avx512 => unsafe { avx512::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Set::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Set::Neon => unsafe { neon::$function($($argument),*) },
            Set::Portable => plain::$function($($argument),*),
        }
    };
}

impl Kernel {
    /// The fastest that this machine has.
    pub fn best() -> Self {
        static BEST: OnceCell<Kernel> = OnceCell::new();
        *BEST.get_or_init(|| Self::available().next().unwrap_or(Self(Set::Portable)))
    }

    /// All that this machine has, the fastest first and the portable one last.
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

    /// Fills `to` with `from` and the rows `added`, less the rows `removed`. All are equally long.
    #[inline]
    pub(super) fn update<const A: usize, const R: usize>(
        self,
        to: &mut [Block],
        from: &[Block],
        added: [&[Block]; A],
        removed: [&[Block]; R],
    ) {
        dispatch!(self, update(to, from, added, removed));
    }

    /// Adds to `sums` the rows of `weights` with the numbers `added`, less those `removed`. A
    /// row is as long as `sums`.
    #[inline]
    pub(super) fn accumulate(self, sums: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
        dispatch!(self, accumulate(sums, weights, added, removed));
    }

    /// The sum of all activations times their weights: an activation is the square of a sum
    /// clamped to `0..=`[`super::ACTIVATION_SCALE`]. A sum that does not fit wraps.
    #[inline]
    pub(super) fn output(self, sums: &[Block], weights: &[Block]) -> i32 {
        dispatch!(self, output(sums, weights))
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::block::LANES;
    use super::*;
    use proptest::prelude::*;

    fn blocks(count: usize) -> impl Strategy<Value = Vec<Block>> {
        // The numbers at the ends of the ranges matter most.
        let number =
            prop_oneof![any::<i16>(), -300_i16..600, Just(0), Just(255), Just(i16::MIN), Just(i16::MAX)];
        proptest::collection::vec(proptest::array::uniform32(number).prop_map(Block), count)
    }

    /// Output weights: those that a network can have.
    fn weights(count: usize) -> impl Strategy<Value = Vec<Block>> {
        let number = any::<i8>().prop_map(i16::from);
        proptest::collection::vec(proptest::array::uniform32(number).prop_map(Block), count)
    }

    fn lane(blocks: &[Block], lane: usize) -> i16 {
        blocks[lane / LANES].0[lane % LANES]
    }

    /// As many blocks as make use of every way through the loops.
    const BLOCKS: usize = 7;
    const ROWS: usize = 5;

    proptest! {
        #[test]
        fn every_kernel_updates_alike(rows in blocks(5 * BLOCKS), count in 1..=BLOCKS) {
            let row = |index: usize| &rows[index * BLOCKS..][..count];
            for kernel in Kernel::available() {
                let mut to = vec![Block::ZERO; count];
                kernel.update(&mut to, row(0), [row(1), row(2)], [row(3), row(4)]);
                for index in 0..count * LANES {
                    let expected = lane(row(0), index)
                        .wrapping_add(lane(row(1), index))
                        .wrapping_add(lane(row(2), index))
                        .wrapping_sub(lane(row(3), index))
                        .wrapping_sub(lane(row(4), index));
                    prop_assert_eq!(lane(&to, index), expected, "{} lane {}", kernel, index);
                }
                kernel.update(&mut to, row(0), [], []);
                prop_assert_eq!(&to[..], row(0), "{} copies", kernel);
            }
        }

        #[test]
        fn every_kernel_accumulates_alike(
            start in blocks(BLOCKS),
            rows in blocks(ROWS * BLOCKS),
            count in 1..=BLOCKS,
            added in proptest::collection::vec(0..ROWS as u16, 0..9),
            removed in proptest::collection::vec(0..ROWS as u16, 0..9),
        ) {
            for kernel in Kernel::available() {
                let mut sums = start[..count].to_vec();
                let rows = &rows[..ROWS * count];
                kernel.accumulate(&mut sums, rows, &added, &removed);
                for index in 0..count * LANES {
                    let of = |row: &u16| lane(&rows[usize::from(*row) * count..], index);
                    let plus = added.iter().map(of).fold(lane(&start, index), i16::wrapping_add);
                    let expected = removed.iter().map(of).fold(plus, i16::wrapping_sub);
                    prop_assert_eq!(lane(&sums, index), expected, "{} lane {}", kernel, index);
                }
            }
        }

        #[test]
        fn every_kernel_sums_up_alike(sums in blocks(BLOCKS), weights in weights(BLOCKS), count in 1..=BLOCKS) {
            let term = |index| {
                let activation = i32::from(lane(&sums, index)).clamp(0, 255);
                activation * activation * i32::from(lane(&weights, index))
            };
            let expected = (0..count * LANES).map(term).fold(0, i32::wrapping_add);
            for kernel in Kernel::available() {
                prop_assert_eq!(kernel.output(&sums[..count], &weights[..count]), expected, "{}", kernel);
            }
        }
    }

    #[test]
    fn the_portable_kernel_is_always_there() {
        assert_eq!(Kernel::available().last().map(Kernel::name), Some("portable"));
        assert_eq!(Some(Kernel::best()), Kernel::available().next());
    }
}
