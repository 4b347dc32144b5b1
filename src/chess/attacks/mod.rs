//! The squares that a piece attacks, from precomputed tables.
//!
//! Leapers are looked up directly; sliders through magic bitboards, or through PEXT on CPUs that execute it fast. All
//! tables are computed at compile time.

mod choice;
mod magics;
mod sliders;

pub(super) use choice::BUILT_IN;
pub use choice::{Choice, SliderLookup};
pub(crate) use sliders::Sliders;

use super::{Bitboard, Color, Role, Square};

/// The square with this index in a set, counted from a1; `None` if the set has fewer squares.
#[inline(always)]
pub fn nth(squares: Bitboard, index: usize) -> Option<Square> {
    BUILT_IN.nth(squares, index)
}

/// File and rank steps of a rook, then of a bishop.
pub(crate) const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
pub(crate) const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Squares one step away, by square.
const fn leaper_table<const STEPS: usize>(steps: [(i8, i8); STEPS]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut step = 0;
        while step < STEPS {
            if let Some(to) = Square::ALL[from].offset(steps[step].0, steps[step].1) {
                table[from] = table[from].with(to);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

/// The squares visible along `steps` from `from`, up to and including the first occupied one. Slow: it is used to
/// compute the tables and to check them.
pub(crate) const fn slide(from: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    let mut step = 0;
    while step < steps.len() {
        let mut next = from.offset(steps[step].0, steps[step].1);
        while let Some(square) = next {
            attacks = attacks.with(square);
            if occupied.contains(square) {
                break;
            }
            next = square.offset(steps[step].0, steps[step].1);
        }
        step += 1;
    }
    attacks
}

/// The squares that a slider attacks on an empty board, by square.
const fn ray_table(steps: &[(i8, i8)]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        table[from] = slide(Square::ALL[from], Bitboard::EMPTY, steps);
        from += 1;
    }
    table
}

/// The squares that a piece attacks on an empty board, by role and square. Those of pawns depend on the color.
static ON_EMPTY_BOARD: [[Bitboard; Square::COUNT]; Role::COUNT] = [
    [Bitboard::EMPTY; Square::COUNT],
    leaper_table(KNIGHT_STEPS),
    ray_table(&BISHOP_STEPS),
    ray_table(&ROOK_STEPS),
    ray_table(&KING_STEPS),
    leaper_table(KING_STEPS),
];
static PAWN: [[Bitboard; Square::COUNT]; Color::COUNT] =
    [leaper_table([(-1, 1), (1, 1)]), leaper_table([(-1, -1), (1, -1)])];
static BETWEEN: SquarePairs = line_tables().0;
static BEYOND: SquarePairs = line_tables().1;

type SquarePairs = [[Bitboard; Square::COUNT]; Square::COUNT];

/// Two tables by pairs of squares: the squares between them, and those beyond the second one.
const fn line_tables() -> (SquarePairs, SquarePairs) {
    let mut between = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut beyond = between;
    let mut from = 0;
    while from < Square::COUNT {
        let mut step = 0;
        while step < KING_STEPS.len() {
            let mut passed = Bitboard::EMPTY;
            let mut next = Square::ALL[from].offset(KING_STEPS[step].0, KING_STEPS[step].1);
            while let Some(square) = next {
                between[from][square as usize] = passed;
                beyond[from][square as usize] = slide(square, Bitboard::EMPTY, &[KING_STEPS[step]]);
                passed = passed.with(square);
                next = square.offset(KING_STEPS[step].0, KING_STEPS[step].1);
            }
            step += 1;
        }
        from += 1;
    }
    (between, beyond)
}

/// Squares a knight attacks.
#[inline(always)]
pub fn knight(from: Square) -> Bitboard {
    on_empty_board(Role::Knight, from)
}

/// Squares a king attacks.
#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    on_empty_board(Role::King, from)
}

/// Squares a pawn of `color` attacks.
#[inline(always)]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    PAWN[color][from]
}

/// Squares that pawns of `color` attack.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = color.forward(pawns);
    ahead.east() | ahead.west()
}

/// Squares a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(from: Square) -> Bitboard {
    on_empty_board(Role::Rook, from)
}

/// Squares a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(from: Square) -> Bitboard {
    on_empty_board(Role::Bishop, from)
}

/// Squares a piece of this role attacks on an empty board; none for pawns, whose attacks depend on the color.
#[inline(always)]
pub fn on_empty_board(role: Role, from: Square) -> Bitboard {
    ON_EMPTY_BOARD[role][from]
}

/// Squares strictly between two squares on a common rank, file or diagonal; none for others.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a][b]
}

/// The pieces that alone stand between a square and one of these sliders, whose lines are those of rooks or of bishops.
#[inline(always)]
pub fn blockers(to: Square, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    let sliders = rook_rays(to) & orthogonal | bishop_rays(to) & diagonal;
    sliders.into_iter().fold(Bitboard::EMPTY, |blockers, slider| {
        let between = between(to, slider) & occupied;
        if between.is_many() { blockers } else { blockers | between }
    })
}

/// Squares on the line from `a` through `b`, from the one after `b` to the edge; none if there is no such line.
#[inline(always)]
pub(super) fn beyond(a: Square, b: Square) -> Bitboard {
    BEYOND[a][b]
}

/// Squares a rook attacks among `occupied` squares.
#[inline(always)]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    BUILT_IN.rook(from, occupied)
}

/// Squares a bishop attacks among `occupied` squares.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    BUILT_IN.bishop(from, occupied)
}

/// Squares a queen attacks among `occupied` squares.
#[inline(always)]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    BUILT_IN.queen(from, occupied)
}

/// Squares a piece of this role and color attacks among `occupied` squares.
#[inline(always)]
pub fn attacks(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, from),
        Role::Knight => knight(from),
        Role::Bishop => bishop(from, occupied),
        Role::Rook => rook(from, occupied),
        Role::Queen => queen(from, occupied),
        Role::King => king(from),
    }
}

/// The squares from which a piece of this role attacks a square; none for pawns.
///
/// All roles take the same time, without a branch that could be mispredicted: on any board, a king attacks squares that
/// a queen attacks, and each role only those that it attacks on an empty board.
#[inline(always)]
pub fn reach(role: Role, to: Square, occupied: Bitboard) -> Bitboard {
    on_empty_board(role, to) & (queen(to, occupied) | knight(to))
}

/// The squares that any of these knights attacks.
#[inline(always)]
pub fn knights(knights: Bitboard) -> Bitboard {
    let (east, west) = (knights.east(), knights.west());
    let (near, far) = (east | west, east.east() | west.west());
    near.north().north() | near.south().south() | far.north() | far.south()
}

/// The squares that any of these sliders attacks among `occupied` squares, without a lookup and without a branch: all
/// directions are filled at once (<https://www.chessprogramming.org/Kogge-Stone_Algorithm>).
#[inline(always)]
pub fn sliders(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    const ALL: Bitboard = Bitboard::ALL;
    const AHEAD: [Bitboard; 4] = [ALL.north(), ALL.east(), ALL.north().east(), ALL.north().west()];
    const BACK: [Bitboard; 4] = [ALL.south(), ALL.west(), ALL.south().west(), ALL.south().east()];
    let sliders = [orthogonal, orthogonal, diagonal, diagonal];
    fill(sliders, occupied, AHEAD, |set, step| set << step)
        | fill(sliders, occupied, BACK, |set, step| set >> step)
}

/// The squares that sliders attack in four directions, given the squares on which a step can end: one across an edge
/// would end beyond the opposite edge.
#[inline(always)]
fn fill(
    sliders: [Bitboard; 4],
    occupied: Bitboard,
    ends: [Bitboard; 4],
    shift: impl Fn(u64, u32) -> u64,
) -> Bitboard {
    /// The distances to the next square.
    const STEPS: [u32; 4] = [8, 1, 9, 7];
    let mut reached = sliders.map(Bitboard::bits);
    let mut passed = ends.map(|ends| (ends - occupied).bits());
    for distance in [1, 2, 4] {
        for ((reached, passed), step) in reached.iter_mut().zip(&mut passed).zip(STEPS) {
            *reached |= *passed & shift(*reached, distance * step);
            *passed &= shift(*passed, distance * step);
        }
    }
    let mut attacks = Bitboard::EMPTY;
    for ((reached, ends), step) in reached.into_iter().zip(ends).zip(STEPS) {
        attacks |= Bitboard::from_bits(shift(reached, step)) & ends;
    }
    attacks
}

/// The squares that the pieces of one side attack, including those of its own pieces, cumulatively by the value of the
/// attackers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AttackMap {
    /// The squares attacked by pawns.
    pub by_pawns: Bitboard,
    /// The squares attacked by pawns, knights and bishops.
    pub by_minors: Bitboard,
    /// The squares attacked by pawns, knights, bishops and rooks.
    pub by_rooks: Bitboard,
    /// The squares attacked by any piece, including the king.
    pub by_any: Bitboard,
}

impl AttackMap {
    /// The attacks of the pieces of `color` among `occupied` squares.
    #[inline]
    pub fn new(color: Color, pieces: impl Fn(Role) -> Bitboard, occupied: Bitboard) -> Self {
        #[inline(always)]
        fn by(pieces: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
            pieces.into_iter().fold(Bitboard::EMPTY, |all, from| all | attacks(from))
        }
        let by_pawns = pawns(color, pieces(Role::Pawn));
        let by_knights = by(pieces(Role::Knight), knight);
        let by_minors = by_pawns | by_knights | by(pieces(Role::Bishop), |from| bishop(from, occupied));
        let by_rooks = by_minors | by(pieces(Role::Rook), |from| rook(from, occupied));
        let by_queens = by(pieces(Role::Queen), |from| queen(from, occupied));
        Self { by_pawns, by_minors, by_rooks, by_any: by_rooks | by_queens | by(pieces(Role::King), king) }
    }

    /// For each role, the squares on which a piece of lower value attacks it.
    #[inline]
    pub const fn by_lesser(&self) -> [Bitboard; Role::COUNT] {
        let Self { by_pawns, by_minors, by_rooks, .. } = *self;
        [Bitboard::EMPTY, by_pawns, by_pawns, by_minors, by_rooks, Bitboard::EMPTY]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leapers() {
        assert_eq!(knight(Square::A1), Square::B3.bitboard() | Square::C2);
        assert_eq!(king(Square::H8), Square::G8.bitboard() | Square::G7 | Square::H7);
        assert_eq!(pawn(Color::White, Square::A2), Square::B3.bitboard());
        assert_eq!(pawn(Color::Black, Square::E4), Square::D3.bitboard() | Square::F3);
    }

    #[test]
    fn reach_is_that_of_each_role() {
        for occupied in [0, 0x0081_0042_2400_1808, 0xffff_0000_0000_ffff, u64::MAX].map(Bitboard::from_bits) {
            for to in Square::ALL {
                for role in Role::ALL.into_iter().filter(|&role| role != Role::Pawn) {
                    assert_eq!(
                        reach(role, to, occupied),
                        attacks(role, Color::White, to, occupied),
                        "{role:?} {to}"
                    );
                }
                assert_eq!(reach(Role::Pawn, to, occupied), Bitboard::EMPTY);
            }
        }
    }

    #[test]
    fn pieces_together_attack_what_each_of_them_attacks() {
        /// Takes the bits of a word for a set of squares, at another place in each round.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let union = |pieces: Bitboard, attacks: &dyn Fn(Square) -> Bitboard| {
            pieces.into_iter().map(attacks).fold(Bitboard::EMPTY, |all, squares| all | squares)
        };
        let mut bits = 1_u64;
        for _ in 0..10_000 {
            let [orthogonal, diagonal, others] = [7, 19, 41].map(|turn| {
                bits = bits.wrapping_mul(FACTOR).rotate_left(turn);
                Bitboard::from_bits(bits & bits.rotate_left(turn) & bits.rotate_left(2 * turn))
            });
            let occupied = orthogonal | diagonal | others;
            let expected = union(orthogonal, &|from| rook(from, occupied))
                | union(diagonal, &|from| bishop(from, occupied));
            assert_eq!(sliders(orthogonal, diagonal, occupied), expected, "{orthogonal:?} {diagonal:?}");
            assert_eq!(knights(others), union(others, &knight), "{others:?}");
        }
    }

    #[test]
    fn between_is_what_two_sliders_both_see() {
        for a in Square::ALL {
            for b in Square::ALL {
                let expected = if rook_rays(a).contains(b) {
                    rook(a, b.bitboard()) & rook(b, a.bitboard())
                } else if bishop_rays(a).contains(b) {
                    bishop(a, b.bitboard()) & bishop(b, a.bitboard())
                } else {
                    Bitboard::EMPTY
                };
                assert_eq!(between(a, b), expected, "{a} {b}");
            }
        }
    }
}
