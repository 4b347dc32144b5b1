//! Distances on the board, and what the side attacks that is to mate.

use crate::chess::attacks::{bishop, king, knight, queen, rook};
use crate::chess::{Bitboard, Color, File, Move, MoveKind, Position, Rank, Role, Square};

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

/// The squares that the winner attacks with the other king out of the way, who does not hide the squares behind him.
#[derive(Clone, Copy)]
pub(super) struct Attacked {
    /// By one man or more.
    pub(super) once: Bitboard,
    /// By several men.
    pub(super) twice: Bitboard,
}

impl Attacked {
    /// What this side attacks.
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

    /// The same if this move, made in this position, changes nothing of it.
    #[inline(always)]
    pub(super) fn unchanged_by(self, position: &Position, winner: Color, mv: Move) -> Option<Self> {
        let is_plain = position.turn() != winner
            && mv.kind() == MoveKind::Normal
            && !position.occupied().contains(mv.to());
        // The king hides nothing, and other men only what is attacked before or after them.
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
