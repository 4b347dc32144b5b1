//! Distances on the board.

use crate::chess::{Color, File, Rank, Square};

/// Moves of a king between two squares.
pub(super) fn steps(a: Square, b: Square) -> u32 {
    let files = (a.file() as u32).abs_diff(b.file() as u32);
    let ranks = (a.rank() as u32).abs_diff(b.rank() as u32);
    files.max(ranks)
}

/// Moves of a pawn until it promotes.
pub(super) fn rank_distance(pawn: Square, color: Color) -> u32 {
    Rank::Eighth as u32 - color.relative(pawn.rank()) as u32
}

/// Squares to the nearest edge of the files, and of the ranks.
fn edges(square: Square) -> [u32; 2] {
    let far = |index: u32| index.min(File::COUNT as u32 - 1 - index);
    [far(square.file() as u32), far(square.rank() as u32)]
}

pub(super) fn edge_distance(square: Square) -> u32 {
    let [files, ranks] = edges(square);
    files.min(ranks)
}

pub(super) fn corner_distance(square: Square) -> u32 {
    let [files, ranks] = edges(square);
    files + ranks
}
