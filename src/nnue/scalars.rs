//! The scalar inputs of the network: counts and sums over the attacks of each side, which enter the second hidden layer
//! directly.
//!
//! The first hidden layer sees pieces one by one, and would have to learn such sums from many rare combinations of
//! pieces. `net/HISTORY.md` states what they bring. Each side has sixteen scalars:
//!
//! | scalar | stands for 1 |
//! | --- | --- |
//! | the value of its hanging pieces, which are attacked and not defended | 16 pawns |
//! | the value of its attacked pieces | 32 pawns |
//! | the value of its pieces that a piece of lower value attacks | 16 pawns |
//! | the value of its undefended pieces | 32 pawns |
//! | squares from which the opponent can give check: by knights and bishops, rooks, and queens | 16 squares |
//! | squares from which a queen can give check safely | 8 squares |
//! | the same for rooks | 8 squares |
//! | the same for knights and bishops | 4 squares |
//! | attacked squares around its king | 16 squares |
//! | squares that it attacks | 64 squares |
//! | squares that it attacks twice | 32 squares |
//! | squares that only it attacks | 64 squares |
//! | the value of its pinned pieces | 16 pawns |
//! | squares from which its knights would fork pieces of higher value | 4 squares |
//! | squares that its queens can go to without being taken by a pawn | 32 squares |
//! | king moves from its king to each pawn of both sides | 64 moves |
//!
//! A safe check is not answered by capturing the piece, except by the king if another piece defends it. Larger numbers
//! count as 1.

use crate::chess::attacks::{bishop, blockers, king, knight, queen, rook};
use crate::chess::{Bitboard, Color, Role, Square};

/// The number of scalars of both sides.
pub const SCALARS: usize = 32;
/// The integer for 1 in the scalars, which is that of the products, the other inputs of the second hidden layer.
pub const SCALAR_ONE: i16 = 2032;
/// The number of scalars of a side.
const SIDE_SCALARS: usize = SCALARS / Color::COUNT;

/// The pieces of a side by role.
pub(super) type SidePieces = [Bitboard; Role::COUNT];
/// The pieces of a board, by color and role.
pub(super) type Pieces = [SidePieces; Color::COUNT];

/// The squares that the pieces of a side attack, including those of its own pieces.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Attacks {
    /// The squares attacked by pieces of each role.
    by: [Bitboard; Role::COUNT],
    /// The squares attacked by any piece.
    pub any: Bitboard,
    /// The squares attacked by two pieces or more.
    twice: Bitboard,
}

impl Attacks {
    /// The attacks of the pieces of both sides.
    #[inline(always)]
    pub(super) fn of(pieces: &Pieces) -> [Self; Color::COUNT] {
        let occupied = all(pieces.as_flattened());
        // Not by `map`, in which the color would not be known at compile time.
        let [white, black] = pieces;
        [Self::of_side(Color::White, white, occupied), Self::of_side(Color::Black, black, occupied)]
    }

    #[inline(always)]
    fn of_side(color: Color, own: &SidePieces, occupied: Bitboard) -> Self {
        let mut this = Self::default();
        let mut add = |role: Role, attacked: Bitboard| {
            this.twice |= this.any & attacked;
            this.any |= attacked;
            this.by[role] |= attacked;
        };
        // Two sets of squares, so that those attacked by two pawns count twice.
        let ahead = color.forward(own[Role::Pawn]);
        add(Role::Pawn, ahead.east());
        add(Role::Pawn, ahead.west());
        own[Role::Knight].into_iter().for_each(|from| add(Role::Knight, knight(from)));
        own[Role::Bishop].into_iter().for_each(|from| add(Role::Bishop, bishop(from, occupied)));
        own[Role::Rook].into_iter().for_each(|from| add(Role::Rook, rook(from, occupied)));
        own[Role::Queen].into_iter().for_each(|from| add(Role::Queen, queen(from, occupied)));
        own[Role::King].into_iter().for_each(|from| add(Role::King, king(from)));
        this
    }

    /// The pieces that a piece of this side attacks and that are worth more than it. Kings are left out on both sides.
    #[inline(always)]
    pub(super) fn on_greater(&self, other: &SidePieces) -> Bitboard {
        let by_pawns = self.by[Role::Pawn];
        let by_minors = by_pawns | self.by[Role::Knight] | self.by[Role::Bishop];
        (other[Role::Knight] | other[Role::Bishop]) & by_pawns
            | other[Role::Rook] & by_minors
            | other[Role::Queen] & (by_minors | self.by[Role::Rook])
    }
}

/// The number of squares of a set, which fits into 16 bits as the scalars do.
#[inline(always)]
fn count(squares: Bitboard) -> u16 {
    squares.count() as u16
}

/// All of these pieces.
#[inline(always)]
fn all(pieces: &[Bitboard]) -> Bitboard {
    pieces.iter().fold(Bitboard::EMPTY, |all, some| all | *some)
}

/// Sets of the pieces of a side whose sizes, multiplied by 1, 2, 4 and 8, add up to the value of the pieces, as in
/// [`Role::points`].
#[derive(Clone, Copy)]
struct Values([Bitboard; 4]);

impl Values {
    #[inline(always)]
    fn new(own: &SidePieces) -> Self {
        let minors = own[Role::Knight] | own[Role::Bishop];
        let (rooks, queens) = (own[Role::Rook], own[Role::Queen]);
        Self([own[Role::Pawn] | minors | rooks | queens, minors, rooks, queens])
    }

    /// The values of the pieces on each of these sets of squares, in pawns.
    #[inline(always)]
    fn on<const N: usize>(self, squares: [Bitboard; N]) -> [u16; N] {
        let [all, minors, rooks, queens] =
            self.0.map(|pieces| squares.map(|squares| count(pieces & squares)));
        std::array::from_fn(|index| all[index] + 2 * minors[index] + 4 * rooks[index] + 8 * queens[index])
    }
}

/// The numbers that stand for 1, scalar by scalar.
const ONES: [u16; SIDE_SCALARS] = [16, 32, 16, 32, 16, 8, 8, 4, 16, 64, 32, 64, 16, 4, 32, 64];

/// The number of files, and of ranks.
const LINES: usize = 8;

/// The number of king moves between two squares.
const fn distance(from: usize, to: usize) -> usize {
    let files = (from % LINES).abs_diff(to % LINES);
    let ranks = (from / LINES).abs_diff(to / LINES);
    if files > ranks { files } else { ranks }
}

/// This line, or the next one if it is at the edge of the board.
const fn inner(line: usize) -> usize {
    match line {
        0 => 1,
        7 => 6,
        _ => line,
    }
}

/// For each square of a king, three by three squares around it; at the edge of the board they reach farther inward.
static KING_ZONE: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let center = inner(from % LINES) + LINES * inner(from / LINES);
        let mut to = 0;
        while to < Square::COUNT {
            if distance(center, to) <= 1 {
                table[from] = table[from].with(Square::ALL[to]);
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// The number of bits of the number of king moves to the farthest square.
const DISTANCE_BITS: usize = (LINES - 1).ilog2() as usize + 1;

/// For each square and bit of a number of king moves, the squares that many moves away: sums of distances are sums of
/// counts.
static DISTANCES: [[Bitboard; DISTANCE_BITS]; Square::COUNT] = {
    let mut table = [[Bitboard::EMPTY; DISTANCE_BITS]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            let mut bit = 0;
            while bit < DISTANCE_BITS {
                if distance(from, to) >> bit & 1 != 0 {
                    table[from][bit] = table[from][bit].with(Square::ALL[to]);
                }
                bit += 1;
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// The sum of the numbers of king moves from a square to each of these.
#[inline(always)]
fn distances(from: Square, squares: Bitboard) -> u16 {
    let bits = DISTANCES[from as usize].iter().enumerate();
    bits.map(|(bit, those)| count(squares & *those) << bit).sum()
}

/// The scalars of a board, 0 to [`SCALAR_ONE`]: those of the side to move, then those of the other side.
#[inline(always)]
pub(super) fn scalars(pieces: &Pieces, attacks: &[Attacks; Color::COUNT], turn: Color) -> [i16; SCALARS] {
    let mut scalars = [0; SCALARS];
    for (color, to) in [turn, !turn].into_iter().zip(scalars.as_chunks_mut().0) {
        let [own, other] =
            [color, !color].map(|color| Side { pieces: &pieces[color], attacks: &attacks[color] });
        *to = own.scalars(other);
    }
    scalars
}

/// The scalars of the same board with the other side to move.
#[inline]
pub(super) fn of_other_side(mut scalars: [i16; SCALARS]) -> [i16; SCALARS] {
    scalars.rotate_left(SIDE_SCALARS);
    scalars
}

/// A side of a board.
#[derive(Clone, Copy)]
struct Side<'a> {
    pieces: &'a SidePieces,
    attacks: &'a Attacks,
}

impl Side<'_> {
    /// The scalars of this side against the other one.
    #[inline(always)]
    fn scalars(self, other: Self) -> [i16; SIDE_SCALARS] {
        let (ours, theirs) = (all(self.pieces), all(other.pieces));
        let (by_own, by_other) = (self.attacks, other.attacks);
        let value = Values::new(self.pieces);
        let home = self.pieces[Role::King].first().unwrap_or(Square::E1);
        let checks = other.checks(home, ours | theirs).map(|squares| squares - theirs);
        let safe = !by_own.any | (by_own.by[Role::King] - by_own.twice);
        let taken = ours | by_other.by[Role::Pawn];
        let pawns = self.pieces[Role::Pawn] | other.pieces[Role::Pawn];
        let [hanging, attacked, by_lesser, undefended, pinned] = value.on([
            by_other.any - by_own.any,
            by_other.any,
            by_other.on_greater(self.pieces),
            !by_own.any,
            other.pins(home, ours | theirs) & ours,
        ]);
        let [minors, rooks, queens] = checks.map(count);
        let [safe_minors, safe_rooks, safe_queens] = checks.map(|squares| count(squares & safe));
        let numbers = [
            hanging,
            attacked,
            by_lesser,
            undefended,
            minors + rooks + queens,
            safe_queens,
            safe_rooks,
            safe_minors,
            count(KING_ZONE[home as usize] & by_other.any),
            count(by_own.any),
            count(by_own.twice),
            count(by_own.any - by_other.any),
            pinned,
            count(self.forks(other.pieces) - taken),
            count(by_own.by[Role::Queen] - taken),
            distances(home, pawns),
        ];
        let mut scalars = [0; SIDE_SCALARS];
        for ((scalar, number), one) in scalars.iter_mut().zip(numbers).zip(ONES) {
            *scalar = (number * (SCALAR_ONE as u16 / one)).min(SCALAR_ONE as u16) as i16;
        }
        scalars
    }

    /// The squares from which this side checks a king: by knights and bishops, by rooks, and by queens.
    #[inline(always)]
    fn checks(self, king: Square, occupied: Bitboard) -> [Bitboard; 3] {
        let by = &self.attacks.by;
        let (lines, diagonals) = (rook(king, occupied), bishop(king, occupied));
        [
            knight(king) & by[Role::Knight] | diagonals & by[Role::Bishop],
            lines & by[Role::Rook],
            (lines | diagonals) & by[Role::Queen],
        ]
    }

    /// The pieces that alone stand between a king and a slider of this side.
    #[inline(always)]
    fn pins(self, king: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.pieces[Role::Queen];
        blockers(king, self.pieces[Role::Rook] | queens, self.pieces[Role::Bishop] | queens, occupied)
    }

    /// The squares that a knight of this side attacks and from which it would attack two larger pieces.
    #[inline(always)]
    fn forks(self, other: &SidePieces) -> Bitboard {
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for target in other[Role::Rook] | other[Role::Queen] | other[Role::King] {
            twice |= once & knight(target);
            once |= knight(target);
        }
        twice & self.attacks.by[Role::Knight]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_points_of_the_roles() {
        for role in Role::ALL {
            let mut pieces = [Bitboard::EMPTY; Role::COUNT];
            pieces[role] = Square::D4.bitboard() | Square::E5;
            assert_eq!(
                Values::new(&pieces).on([Square::E5.bitboard() | Square::A1, Bitboard::EMPTY]),
                [role.points() as u16, 0],
                "{role:?}"
            );
        }
    }

    #[test]
    fn zones_have_nine_squares_and_distances_add_up() {
        for square in Square::ALL {
            assert_eq!(KING_ZONE[square as usize].count(), 9, "{square}");
            assert!(KING_ZONE[square as usize].contains(square), "{square}");
        }
        // From a1: three squares at distance 1, five at 2, and so on.
        let total: u16 = (1..=7).map(|moves| moves * (2 * moves + 1)).sum();
        assert_eq!(distances(Square::A1, !Bitboard::EMPTY), total);
    }
}
