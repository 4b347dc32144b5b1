//! Distances on the board, and the squares that the mating side attacks.

use crate::chess::attacks::{bishop, king, knight, queen, rook};
use crate::chess::{Bitboard, Color, File, Move, MoveKind, Position, Rank, Role, Square};

/// The number of radii in the tables; no two squares are this many king moves apart.
const RADII: usize = File::COUNT;

static STEPS: [[u8; Square::COUNT]; Square::COUNT] = step_tables().0;
static DISCS: [[Bitboard; RADII]; Square::COUNT] = step_tables().1;

/// Two tables: the number of king moves between two squares; and, by square and radius, the squares within that many
/// king moves.
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

/// The number of king moves between two squares.
#[inline(always)]
pub(super) fn steps(a: Square, b: Square) -> u32 {
    u32::from(STEPS[a][b])
}

/// The squares within `radius` king moves of `center`, including `center`.
#[inline(always)]
pub(super) fn disc(center: Square, radius: u32) -> Bitboard {
    DISCS[center][(radius as usize).min(RADII - 1)]
}

/// The squares from which a bishop attacks any of these squares.
#[inline(always)]
pub(super) fn diagonals(squares: Bitboard, occupied: Bitboard) -> Bitboard {
    seen(squares, occupied, |from| from.north().east())
        | seen(squares, occupied, |from| from.north().west())
        | seen(squares, occupied, |from| from.south().east())
        | seen(squares, occupied, |from| from.south().west())
}

/// The squares from which a rook attacks any of these squares.
#[inline(always)]
pub(super) fn lines(squares: Bitboard, occupied: Bitboard) -> Bitboard {
    seen(squares, occupied, Bitboard::north)
        | seen(squares, occupied, Bitboard::south)
        | seen(squares, occupied, Bitboard::east)
        | seen(squares, occupied, Bitboard::west)
}

/// The squares visible from any of these squares in one direction. A fill for all of them at once is cheaper than a
/// lookup for each.
#[inline(always)]
fn seen(squares: Bitboard, occupied: Bitboard, step: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    /// The maximum number of further squares after the first one.
    const REST: usize = File::COUNT - 2;
    let first = step(squares);
    (0..REST).fold(first, |seen, _| seen | step(seen - occupied))
}

/// The number of pawn moves, of one square each, until promotion.
pub(super) fn rank_distance(pawn: Square, color: Color) -> u32 {
    Rank::Eighth as u32 - color.relative(pawn.rank()) as u32
}

/// The number of squares to the nearest edge, by files and by ranks.
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

/// The squares that the winner attacks when the loser's king is taken off the board, so that it does not shield the
/// squares behind it from sliders.
#[derive(Clone, Copy)]
pub(super) struct Attacked {
    /// The squares attacked by at least one piece.
    pub(super) once: Bitboard,
    /// The squares attacked by at least two pieces.
    pub(super) twice: Bitboard,
}

impl Attacked {
    /// The squares that `winner` attacks in this position.
    pub(super) fn by(position: &Position, winner: Color) -> Self {
        let seen_through = position.occupied() - position.king(!winner);
        let (mut once, mut twice) = (king(position.king(winner)), Bitboard::EMPTY);
        let mut add = |attacked: Bitboard| {
            twice |= once & attacked;
            once |= attacked;
        };
        let own = |role| position.pieces(winner, role);
        let ahead = winner.forward(own(Role::Pawn));
        add(ahead.east());
        add(ahead.west());
        own(Role::Knight).into_iter().for_each(|from| add(knight(from)));
        own(Role::Bishop).into_iter().for_each(|from| add(bishop(from, seen_through)));
        own(Role::Rook).into_iter().for_each(|from| add(rook(from, seen_through)));
        own(Role::Queen).into_iter().for_each(|from| add(queen(from, seen_through)));
        Self { once, twice }
    }

    /// The attacked squares after this move; `None` if the move may change them.
    #[inline(always)]
    pub(super) fn unchanged_by(self, position: &Position, winner: Color, mv: Move) -> Option<Self> {
        let is_plain = position.turn() != winner
            && mv.kind() == MoveKind::Normal
            && !position.occupied().contains(mv.to());
        // The king shields nothing, and any other piece only squares that are attacked through its origin or its
        // target.
        let opens_nothing =
            mv.from() == position.king(!winner) || !self.once.intersects(mv.from().bitboard() | mv.to());
        (is_plain && opens_nothing).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples;

    #[test]
    fn what_is_carried_on_is_what_is_found_anew() {
        let mut carried = 0;
        samples::walk(100, |position, mv| {
            let (loser, king_square) = (position.turn(), position.king(position.turn()));
            let attacked = Attacked::by(position, !loser);
            let safe = king(king_square) - position.color(loser) - attacked.once;
            let is_step = |mv: &&Move| mv.from() == king_square && !mv.is_castle();
            let steps: Bitboard = position.legal_moves().iter().filter(is_step).map(|mv| mv.to()).collect();
            assert_eq!(safe, steps, "{position:?}");
            if let Some(unchanged) = attacked.unchanged_by(position, !loser, mv) {
                let anew = Attacked::by(&position.after(mv).0, !loser);
                assert_eq!([unchanged.once, unchanged.twice], [anew.once, anew.twice], "{mv:?}");
                carried += 1;
            }
        });
        assert!(carried > 1000, "{carried}");
    }
}
