//! The material of a position, which names its table.

use crate::chess::{Color, Position, Role};

/// The most men of any table, kings included.
pub const MAX_MEN: u32 = 7;

/// The bits of a count of pieces: at most 5 beside the two kings.
const COUNT_BITS: u32 = 3;
const COUNT_MASK: u16 = (1 << COUNT_BITS) - 1;
/// The counted roles in the order of names of tables, with their letters.
const ROLES: [(Role, u8); 5] =
    [(Role::Queen, b'Q'), (Role::Rook, b'R'), (Role::Bishop, b'B'), (Role::Knight, b'N'), (Role::Pawn, b'P')];
/// A piece in the file of a table is its role, from 1 for a pawn to 6 for a king, plus this for Black.
const BLACK_CODE: u8 = 8;
const PAWN_CODE: u8 = 1;
const KING_CODE: u8 = 6;

/// The pieces of both sides beside the kings, without regard to color.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material([u16; 2]);

impl Material {
    fn new(one: u16, other: u16) -> Self {
        Self(if one >= other { [one, other] } else { [other, one] })
    }

    /// The material of a position with at most [`MAX_MEN`] men.
    pub(super) fn of(position: &Position) -> Self {
        let side = |color| {
            ROLES
                .iter()
                .fold(0, |sum, &(role, _)| sum << COUNT_BITS | position.pieces(color, role).count() as u16)
        };
        Self::new(side(Color::White), side(Color::Black))
    }

    /// The material of a table with this name, such as `KQvKR`, and its number of men.
    pub(super) fn named(name: &str) -> Option<(Self, u32)> {
        let (one, other) = name.split_once('v')?;
        let men = (one.len() + other.len()) as u32;
        let side = |letters: &str| {
            let pieces = letters.as_bytes().strip_prefix(b"K")?;
            let position = |letter: &u8| ROLES.iter().position(|(_, role)| role == letter);
            let places = pieces.iter().map(position).collect::<Option<Vec<_>>>()?;
            if !places.is_sorted() {
                return None;
            }
            Some(places.into_iter().map(|place| one_piece(ROLES.len() - 1 - place)).sum::<u16>())
        };
        if men > MAX_MEN {
            return None;
        }
        Some((Self::new(side(one)?, side(other)?), men))
    }

    /// The material of pieces with these codes in the file of a table.
    pub(super) fn of_codes(codes: &[u8]) -> Option<Self> {
        let side = |color: u8| {
            let mut kings = 0;
            let mut pieces = 0;
            for code in codes.iter().filter(|&code| code & BLACK_CODE == color) {
                match code & !BLACK_CODE {
                    KING_CODE => kings += 1,
                    role @ PAWN_CODE..KING_CODE => pieces += one_piece(usize::from(role - PAWN_CODE)),
                    _ => return None,
                }
            }
            (kings == 1 && codes.len() as u32 <= MAX_MEN).then_some(pieces)
        };
        Some(Self::new(side(0)?, side(BLACK_CODE)?))
    }

    /// Whether both sides have the same pieces.
    pub(super) fn is_symmetric(self) -> bool {
        self.0[0] == self.0[1]
    }

    /// Whether there are pawns.
    pub(super) fn has_pawns(self) -> bool {
        self.0.iter().any(|side| side & COUNT_MASK != 0)
    }

    /// Whether both sides have pawns.
    pub(super) fn both_have_pawns(self) -> bool {
        self.0.iter().all(|side| side & COUNT_MASK != 0)
    }

    /// Whether a side has exactly one of some piece, beside the king.
    pub(super) fn has_unique_piece(self) -> bool {
        let counts =
            |side: u16| (0..ROLES.len() as u32).map(move |place| side >> (place * COUNT_BITS) & COUNT_MASK);
        self.0.into_iter().flat_map(counts).any(|count| count == 1)
    }
}

/// One piece whose role is this many places above the pawn.
const fn one_piece(above_pawn: usize) -> u16 {
    1 << (COUNT_BITS * above_pawn as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::position;

    #[test]
    fn names_and_positions_agree() {
        let cases = [
            ("KvK", "8/8/4k3/8/8/4K3/8/8 w - - 0 1", 2),
            ("KQvK", "8/8/4k3/8/8/4K3/8/7Q w - - 0 1", 3),
            ("KQvK", "8/8/4k3/8/8/4K3/8/7q w - - 0 1", 3),
            ("KNNvKP", "8/4p3/4k3/8/8/4K3/8/6NN b - - 0 1", 5),
            ("KPvKNN", "8/4p3/4k3/8/8/4K3/8/6NN b - - 0 1", 5),
            ("KPPPPPvK", "8/8/4k3/8/8/4K3/PPPPP3/8 w - - 0 1", 7),
            ("KRBvKRN", "8/4rn2/4k3/8/8/4K3/4RB2/8 w - - 0 1", 6),
        ];
        for (name, fen, men) in cases {
            assert_eq!(Material::named(name), Some((Material::of(&position(fen)), men)), "{name}");
        }
    }

    #[test]
    fn other_names_are_none_of_tables() {
        for name in
            ["", "v", "KQ", "KQvKv", "QKvK", "KXvK", "KPQvK", "KQQQQQQvK", "kqvk", "KQvK ", "KKvK", "KQvKQ1"]
        {
            assert_eq!(Material::named(name), None, "{name}");
        }
    }
}
