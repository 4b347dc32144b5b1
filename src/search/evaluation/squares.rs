//! What a piece is worth where it stands: material and a bonus for its square, from a few
//! rules instead of tables drawn by hand
//! (<https://www.chessprogramming.org/Piece-Square_Tables>).

use super::tapered::Tapered;
use crate::chess::{Color, Piece, Placed, Role, Square};

/// Material, in centipawns.
const MATERIAL: [Tapered; Role::COUNT] = [
    Tapered::new(82, 106),
    Tapered::new(330, 300),
    Tapered::new(352, 322),
    Tapered::new(478, 548),
    Tapered::new(1008, 990),
    Tapered::ZERO,
];

/// What a pawn gains on its way, by rank.
const PAWN_ADVANCE: [Tapered; 8] = [
    Tapered::ZERO,
    Tapered::new(-4, 2),
    Tapered::new(-2, 0),
    Tapered::new(4, 4),
    Tapered::new(14, 14),
    Tapered::new(30, 38),
    Tapered::new(60, 72),
    Tapered::ZERO,
];

/// What the king gains or loses on each file, from the edge to the center, on his back rank.
const KING_FILE: [Tapered; 4] =
    [Tapered::new(22, -14), Tapered::new(32, 0), Tapered::new(2, 6), Tapered::new(-14, 10)];

static TABLE: [[Tapered; Square::COUNT]; Piece::COUNT] = table();

/// The worth of a piece where it stands: positive for White's, negative for Black's.
#[inline(always)]
pub(super) fn value(placed: Placed) -> Tapered {
    TABLE[placed.piece][placed.square]
}

/// Distance of a square from the four in the middle, in king steps along file and rank
/// together: 0 to 6.
pub(super) const fn off_center(square: Square) -> i32 {
    from_middle(square.file() as i32) + from_middle(square.rank() as i32)
}

/// 0 for the two middle lines of a board, 3 for the outer ones.
const fn from_middle(line: i32) -> i32 {
    if line < 4 { 3 - line } else { line - 4 }
}

const fn table() -> [[Tapered; Square::COUNT]; Piece::COUNT] {
    let mut table = [[Tapered::ZERO; Square::COUNT]; Piece::COUNT];
    let mut role = 0;
    while role < Role::COUNT {
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::ALL[index];
            let value = MATERIAL[role].plus(bonus(Role::ALL[role], square));
            let white = Piece::new(Color::White, Role::ALL[role]) as usize;
            let black = Piece::new(Color::Black, Role::ALL[role]) as usize;
            table[white][index] = value;
            table[black][square.flipped() as usize] = value.times(-1);
            index += 1;
        }
        role += 1;
    }
    table
}

/// What White's piece gains by standing here.
const fn bonus(role: Role, square: Square) -> Tapered {
    let file = from_middle(square.file() as i32);
    let rank = square.rank() as i32;
    let off = off_center(square);
    let is_edge = file == 3 || rank == 0 || rank == 7;
    match role {
        Role::Pawn => {
            let center = match (file, rank) {
                (0, 3 | 4) => 20,
                (0, 2) => 8,
                (0, 1) => -10,
                (1, 3 | 4) => 8,
                _ => 0,
            };
            PAWN_ADVANCE[rank as usize].plus(Tapered::new(center - 3 * file, 3 * file))
        }
        Role::Knight => {
            let edge = if is_edge { -12 } else { 0 };
            // Outposts are in the other half, but not too far.
            let forward = if rank >= 3 && rank <= 5 { 9 } else { 0 };
            Tapered::new(26 - 9 * off + edge + forward, 20 - 8 * off + edge / 2)
        }
        Role::Bishop => {
            let home = if rank == 0 { -14 } else { 0 };
            let is_long_diagonal = square.file() as i32 == rank || square.file() as i32 + rank == 7;
            let diagonal = if is_long_diagonal { 9 } else { 0 };
            Tapered::new(14 - 4 * off + home + diagonal, 10 - 4 * off)
        }
        Role::Rook => {
            let seventh = if rank == 6 { 18 } else { 0 };
            let advanced = if rank >= 4 { 5 } else { 0 };
            Tapered::new(8 - 5 * file + seventh, 2 + seventh / 2 + advanced)
        }
        Role::Queen => {
            let home = if rank == 0 { -4 } else { 0 };
            Tapered::new(6 - 2 * off + home, 26 - 8 * off)
        }
        Role::King => {
            let exposed = if rank < 3 { 22 * rank } else { 66 };
            let safety = KING_FILE[3 - file as usize];
            let safety = if rank == 0 { safety } else { Tapered::new(-8, 0) };
            safety.plus(Tapered::new(-exposed, 34 - 11 * off + 4 * rank))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_mirror_each_other() {
        for role in Role::ALL {
            for square in Square::ALL {
                let white = value(Placed { piece: Piece::new(Color::White, role), square });
                let black = value(Placed { piece: Piece::new(Color::Black, role), square: square.flipped() });
                assert_eq!(white + black, Tapered::ZERO, "{role:?} {square}");
            }
        }
    }

    #[test]
    fn the_middle_is_worth_more_to_a_knight_and_a_corner_to_a_king() {
        let at = |piece, square| value(Placed { piece, square });
        let (center, corner) = (Square::E4, Square::A1);
        let knight = at(Piece::WhiteKnight, center) - at(Piece::WhiteKnight, corner);
        assert!(knight.blend(24) > 0 && knight.blend(0) > 0);
        let king = at(Piece::WhiteKing, center) - at(Piece::WhiteKing, Square::G1);
        assert!(king.blend(24) < 0 && king.blend(0) > 0);
    }
}
