//! NEON: a block is four registers, and the compiler finds them by itself.

use super::block::Block;
use super::plain;
use crate::nnue::head::Head;

/// See [`super::Kernel::update`].
#[target_feature(enable = "neon")]
pub(super) fn update<const A: usize, const R: usize>(
    to: &mut [Block],
    from: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    plain::update(to, from, added, removed);
}

/// See [`super::Kernel::accumulate`].
#[target_feature(enable = "neon")]
pub(super) fn accumulate(sums: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    plain::accumulate(sums, weights, added, removed);
}

/// See [`super::Kernel::judge`].
#[target_feature(enable = "neon")]
pub(super) fn judge(own: &[Block], other: &[Block], head: &Head) -> i32 {
    plain::judge(own, other, head)
}
