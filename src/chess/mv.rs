//! A move packed into sixteen bits (<https://www.chessprogramming.org/Encoding_Moves>).

use super::{CastlingSide, Role, Square, ordinal};
use std::fmt;
use std::num::NonZeroU16;

ordinal! {
    /// The effects of a move beyond moving a piece from one square to another.
    MoveKind [7] {
        /// A piece goes from one square to another, and captures any piece there.
        Normal,
        /// A pawn captures the pawn that has just passed it.
        EnPassant,
        /// King and rook castle; the move is stored as the king capturing its own rook.
        Castle,
        /// A pawn becomes a knight.
        PromoteKnight,
        /// A pawn becomes a bishop.
        PromoteBishop,
        /// A pawn becomes a rook.
        PromoteRook,
        /// A pawn becomes a queen.
        PromoteQueen,
    }
}

impl MoveKind {
    /// The kinds of promotions, to the roles of [`Role::PROMOTIONS`].
    pub const PROMOTIONS: [Self; 4] =
        [Self::PromoteQueen, Self::PromoteRook, Self::PromoteBishop, Self::PromoteKnight];

    /// The kind of a promotion to `role`; `None` for a pawn or a king.
    pub const fn promotion(role: Role) -> Option<Self> {
        match role {
            Role::Knight => Some(Self::PromoteKnight),
            Role::Bishop => Some(Self::PromoteBishop),
            Role::Rook => Some(Self::PromoteRook),
            Role::Queen => Some(Self::PromoteQueen),
            Role::Pawn | Role::King => None,
        }
    }
}

/// A move: origin, target and kind. Castling goes from the king's square to the square of its own rook, so that
/// standard chess and Chess960 are treated alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

const TO_SHIFT: u32 = 6;
const KIND_SHIFT: u32 = 12;
const SQUARE_MASK: u16 = 63;

impl Move {
    /// The move of this kind between two different squares.
    ///
    /// # Panics
    /// If both squares are the same.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << TO_SHIFT | (kind as u16) << KIND_SHIFT;
        debug_assert!(from as u8 != to as u8);
        match NonZeroU16::new(bits) {
            Some(packed) => Self(packed),
            None => panic!("a move must leave its square"),
        }
    }

    /// The origin; for castling, the king's square.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0.get() as usize)
    }

    /// The target; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0.get() >> TO_SHIFT) as usize)
    }

    /// The square on which the piece arrives; for castling, the king's.
    #[inline]
    pub const fn landing(self) -> Square {
        let (from, to) = (self.from(), self.to());
        if self.is_castle() { CastlingSide::of(from, to).castled(from.rank())[0] } else { to }
    }

    /// The effects beyond moving a piece.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_index((self.0.get() >> KIND_SHIFT) as usize) {
            Some(kind) => kind,
            None => unreachable!(), // `new` and `from_bits` let only valid kinds in
        }
    }

    /// The role to which the pawn promotes, if this is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::PromoteKnight => Some(Role::Knight),
            MoveKind::PromoteBishop => Some(Role::Bishop),
            MoveKind::PromoteRook => Some(Role::Rook),
            MoveKind::PromoteQueen => Some(Role::Queen),
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Castle => None,
        }
    }

    /// Whether the move is castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        matches!(self.kind(), MoveKind::Castle)
    }

    /// The packed form, never zero; [`Move::from_bits`] unpacks it.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Unpacks a move packed by [`Move::bits`]. `None` for any value to which no move packs, so stale or torn
    /// hash-table bits cannot make an invalid `Move`.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let kind = MoveKind::from_index((bits >> KIND_SHIFT) as usize);
        match (NonZeroU16::new(bits), kind) {
            (Some(packed), Some(_)) if bits & SQUARE_MASK != bits >> TO_SHIFT & SQUARE_MASK => {
                Some(Self(packed))
            }
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    /// Origin, target and promotion; castling is written as king takes rook.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match (self.kind(), self.promotion()) {
            (_, Some(role)) => write!(f, "{}", role.letter()),
            (MoveKind::EnPassant, _) => f.write_str(" e.p."),
            (MoveKind::Castle, _) => f.write_str(" castling"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_a_move_that_packs_back_or_none() {
        let mut moves = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.bits(), bits);
                assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
                moves += 1;
            }
        }
        assert_eq!(moves, 64 * 63 * MoveKind::COUNT);
    }

    #[test]
    fn a_castling_king_lands_beside_his_rook() {
        let cases = [
            ("a move", Square::E1, Square::G1, MoveKind::Normal, Square::G1),
            ("the king's wing", Square::E1, Square::H1, MoveKind::Castle, Square::G1),
            ("the queen's wing", Square::E8, Square::A8, MoveKind::Castle, Square::C8),
            ("a king that steps over his rook", Square::F8, Square::G8, MoveKind::Castle, Square::G8),
            ("a king that goes back", Square::B1, Square::A1, MoveKind::Castle, Square::C1),
            ("a promotion", Square::E7, Square::H8, MoveKind::PromoteQueen, Square::H8),
        ];
        for (name, from, to, kind, expected) in cases {
            assert_eq!(Move::new(from, to, kind).landing(), expected, "{name}");
        }
    }
}
