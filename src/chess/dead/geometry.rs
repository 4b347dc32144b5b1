//! Distances on the board.

use crate::chess::{Bitboard, Color, File, Rank, Square};

/// More than the moves of a king between any two squares.
const RADII: usize = File::COUNT;

static STEPS: [[u8; Square::COUNT]; Square::COUNT] = step_tables().0;
static DISCS: [[Bitboard; RADII]; Square::COUNT] = step_tables().1;

/// The moves of a king between two squares, and by square and radius the squares within as many moves.
const fn step_tables() -> ([[u8; Square::COUNT]; Square::COUNT], [[Bitboard; RADII]; Square::COUNT]) {
    let mut steps = [[0; Square::COUNT]; Square::COUNT];
    let mut discs = [[Bitboard::EMPTY; RADII]; Square::COUNT];
    let mut a = 0;
    while a < Square::COUNT {
        let mut b = 0;
        while b < Square::COUNT {
            let files = (a % File::COUNT).abs_diff(b % File::COUNT);
            let ranks = (a / File::COUNT).abs_diff(b / File::COUNT);
            let apart = if files > ranks { files } else { ranks };
            steps[a][b] = apart as u8;
            let mut radius = apart;
            while radius < RADII {
                discs[a][radius] = discs[a][radius].with(Square::ALL[b]);
                radius += 1;
            }
            b += 1;
        }
        a += 1;
    }
    (steps, discs)
}

/// Moves of a king between two squares.
#[inline(always)]
pub(super) fn steps(a: Square, b: Square) -> u32 {
    u32::from(STEPS[a][b])
}

/// The squares within `radius` moves of a king from `center`, which is one of them.
#[inline(always)]
pub(super) fn disc(center: Square, radius: u32) -> Bitboard {
    DISCS[center][(radius as usize).min(RADII - 1)]
}

/// The squares from which bishops attack any of these.
#[inline(always)]
pub(super) fn diagonals(squares: Bitboard, occupied: Bitboard) -> Bitboard {
    seen(squares, occupied, |from| from.north().east())
        | seen(squares, occupied, |from| from.north().west())
        | seen(squares, occupied, |from| from.south().east())
        | seen(squares, occupied, |from| from.south().west())
}

/// The squares from which rooks attack any of these.
#[inline(always)]
pub(super) fn lines(squares: Bitboard, occupied: Bitboard) -> Bitboard {
    seen(squares, occupied, Bitboard::north)
        | seen(squares, occupied, Bitboard::south)
        | seen(squares, occupied, Bitboard::east)
        | seen(squares, occupied, Bitboard::west)
}

/// The squares that are seen from any of these in one direction: a fill for all at once is cheaper than a look at each.
#[inline(always)]
fn seen(squares: Bitboard, occupied: Bitboard, step: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    /// The longest way beyond the first square.
    const REST: usize = File::COUNT - 2;
    let first = step(squares);
    (0..REST).fold(first, |seen, _| seen | step(seen - occupied))
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
