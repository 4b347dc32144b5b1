//! Keys of parts of a position, for what is known of all positions that share such a part
//! (<https://www.chessprogramming.org/Pawn_Hash_Table>).

use crate::chess::{Color, Delta, Key, Piece, Placed, Position, Role};

/// The parts of a position that are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Structure {
    /// The pawns of both sides.
    pub pawns: Key,
    /// The kings, knights and bishops of both sides.
    pub minors: Key,
    /// The kings, rooks and queens of both sides.
    pub majors: Key,
    /// All but the pawns of White and of Black.
    pub armies: [Key; Color::COUNT],
}

impl Structure {
    pub(super) fn of(position: &Position) -> Self {
        let mut structure = Self::default();
        for color in Color::ALL {
            for role in Role::ALL {
                for square in position.pieces(color, role) {
                    structure.toggle(Placed { piece: Piece::new(color, role), square });
                }
            }
        }
        structure
    }

    /// Follows a move.
    #[inline]
    pub(super) fn apply(&mut self, delta: &Delta) {
        delta.removed().for_each(|placed| self.toggle(placed));
        delta.added().for_each(|placed| self.toggle(placed));
    }

    #[inline]
    fn toggle(&mut self, Placed { piece, square }: Placed) {
        let key = Key::piece(piece, square);
        match piece.role() {
            Role::Pawn => {
                self.pawns ^= key;
                return;
            }
            Role::Knight | Role::Bishop => self.minors ^= key,
            Role::Rook | Role::Queen => self.majors ^= key,
            Role::King => {
                self.minors ^= key;
                self.majors ^= key;
            }
        }
        self.armies[piece.color()] ^= key;
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{position, walk};
    use super::*;

    #[test]
    fn structures_of_a_walk_are_those_of_its_end() {
        for seed in 100..140 {
            let mut structure = Structure::of(&Position::start());
            walk(seed, 120, |_, position, delta| {
                structure.apply(delta);
                assert_eq!(structure, Structure::of(position), "seed {seed}: {position:?}");
            });
        }
    }

    #[test]
    fn a_part_is_blind_to_the_rest() {
        let before = Structure::of(&position("r3k2r/pp3ppp/2n2n2/3p4/3P4/2N2N2/PP3PPP/R3K2R w - - 0 1"));
        let knight = Structure::of(&position("r3k2r/pp3ppp/2n2n2/3pN3/3P4/2N5/PP3PPP/R3K2R b - - 0 1"));
        assert_eq!(before.pawns, knight.pawns);
        assert_eq!(before.majors, knight.majors);
        assert_ne!(before.minors, knight.minors);
        assert_ne!(before.armies[Color::White], knight.armies[Color::White]);
        assert_eq!(before.armies[Color::Black], knight.armies[Color::Black]);
    }
}
