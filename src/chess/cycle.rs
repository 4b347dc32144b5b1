//! Moves that are told by the difference of two keys: they lead back to where the game has been.
//!
//! Only 3,668 moves of pieces can be taken back by another of the same piece. Each differs in the key by a number of its
//! own, so one look into a table tells whether such a move lies between two positions (M. N. J. van Kervinck, "The design and
//! implementation of the Rookie 2.0 chess playing program", 2002; <https://www.chessprogramming.org/Cuckoo_Hashing>).

use super::{Bitboard, Color, Key, Piece, Role, Square, attacks};
use once_cell::sync::Lazy;

/// Bits of a slot's number.
const SLOT_BITS: u32 = 13;
const SLOTS: usize = 1 << SLOT_BITS;

/// A move of a piece that the same piece could take back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reversible {
    /// By how much the keys before and after it differ.
    key: Key,
    /// The squares between which it goes.
    pub squares: [Square; 2],
}

impl Reversible {
    /// The move that leads from one of two positions to the other, if their keys differ by so much.
    #[inline]
    pub(super) fn between(difference: Key) -> Option<Self> {
        let table = &**TABLE;
        let found = |slot: usize| table[slot].filter(|reversible| reversible.key == difference);
        let [first, second] = slots(difference);
        found(first).or_else(|| found(second))
    }
}

/// The two slots in which a move can lie.
#[inline]
const fn slots(key: Key) -> [usize; 2] {
    let bits = key.bits() as usize;
    [bits % SLOTS, (bits >> SLOT_BITS) % SLOTS]
}

/// Each move in one of its two slots: one that finds its slot taken drives the other out to its second one (Pagh, Rodler
/// 2001, "Cuckoo Hashing").
static TABLE: Lazy<Box<[Option<Reversible>]>> = Lazy::new(|| {
    let mut table = vec![None; SLOTS].into_boxed_slice();
    for reversible in all() {
        let mut homeless = reversible;
        let mut slot = slots(homeless.key)[0];
        while let Some(other) = table[slot].replace(homeless) {
            homeless = other;
            let [first, second] = slots(homeless.key);
            slot = if slot == first { second } else { first };
        }
    }
    table
});

fn all() -> impl Iterator<Item = Reversible> {
    let pieces = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece::new(color, role)));
    pieces.filter(|piece| piece.role() != Role::Pawn).flat_map(|piece| {
        Square::ALL.into_iter().flat_map(move |from| {
            let targets = attacks::attacks(piece.role(), piece.color(), from, Bitboard::EMPTY);
            targets.into_iter().filter(move |&to| from < to).map(move |to| Reversible {
                key: Key::piece(piece, from) ^ Key::piece(piece, to) ^ Key::turn(Color::Black),
                squares: [from, to],
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves of a knight, bishop, rook, queen or king on an empty board, for both sides, either direction counted once.
    const MOVES: usize = 3668;

    #[test]
    fn every_move_is_found_and_nothing_else() {
        assert_eq!(all().count(), MOVES);
        assert_eq!(TABLE.iter().flatten().count(), MOVES);
        for reversible in all() {
            assert_eq!(Reversible::between(reversible.key), Some(reversible));
            assert_eq!(Reversible::between(reversible.key ^ Key::turn(Color::Black)), None);
        }
    }
}
