//! The hash table of the mate search: the lengths of mates that are proved and refuted.

use crate::chess::{Key, Move};
use std::num::NonZeroU8;

/// The number of buckets; a power of two.
const BUCKETS: usize = 1 << 18;

/// The role of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MateSide {
    /// The side that tries to mate.
    Attacker,
    /// The side that is to be mated.
    Defender,
}

/// One position with one side to move.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The move that proved the mate, or refuted the last attempt.
    mv: Option<Move>,
    /// There is a mate in this many moves or fewer.
    proved: Option<NonZeroU8>,
    /// There is no mate in this many moves or fewer.
    refuted: u8,
}

impl Slot {
    /// The relative cost of computing the entry.
    fn cost(&self) -> u8 {
        self.refuted.max(self.proved.map_or(0, NonZeroU8::get))
    }
}

/// A table of fixed size (8 MiB). A bucket holds an expensive entry and the latest entry.
pub(super) struct MateTable {
    buckets: Vec<[Slot; 2]>,
}

impl MateTable {
    pub(super) fn new() -> Self {
        Self { buckets: vec![Default::default(); BUCKETS] }
    }

    /// Whether the position has a mate in `moves` moves, if known.
    pub(super) fn probe(&self, key: Key, side: MateSide, moves: usize) -> Option<bool> {
        let slot = self.find(key, side)?;
        if slot.proved.is_some_and(|proved| usize::from(proved.get()) <= moves) {
            return Some(true);
        }
        (usize::from(slot.refuted) >= moves).then_some(false)
    }

    /// The move that decided the position last.
    pub(super) fn best(&self, key: Key, side: MateSide) -> Option<Move> {
        self.find(key, side)?.mv
    }

    /// Stores whether a position has a mate in `moves` moves or fewer, and the move that proves it.
    pub(super) fn store(&mut self, key: Key, side: MateSide, moves: usize, is_mate: bool, mv: Option<Move>) {
        let key = side_key(key, side);
        let moves = u8::try_from(moves).unwrap_or(u8::MAX);
        let bucket = &mut self.buckets[bucket_index(key)];
        let index = match bucket.iter().position(|slot| slot.key == key) {
            Some(index) => index,
            None => {
                let index = usize::from(moves < bucket[0].cost());
                bucket[index] = Slot { key, ..Slot::default() };
                index
            }
        };
        let slot = &mut bucket[index];
        slot.mv = mv.or(slot.mv);
        if is_mate {
            let fewest = slot.proved.map_or(moves, |proved| proved.get().min(moves));
            slot.proved = NonZeroU8::new(fewest);
        } else {
            slot.refuted = slot.refuted.max(moves);
        }
    }

    fn find(&self, key: Key, side: MateSide) -> Option<&Slot> {
        let key = side_key(key, side);
        self.buckets[bucket_index(key)].iter().find(|slot| slot.key == key)
    }
}

/// The key of a position for one side: both sides have entries of their own.
const fn side_key(key: Key, side: MateSide) -> u64 {
    match side {
        MateSide::Attacker => key.bits(),
        MateSide::Defender => !key.bits(),
    }
}

const fn bucket_index(key: u64) -> usize {
    key as usize % BUCKETS
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;
    use MateSide::{Attacker, Defender};

    #[test]
    fn what_is_proved_holds_for_more_moves_and_what_is_refuted_for_fewer() {
        let mut table = MateTable::new();
        let key = Key::from_bits(77);
        assert_eq!(table.probe(key, Attacker, 3), None);
        table.store(key, Attacker, 2, false, None);
        table.store(key, Attacker, 4, true, Some(mv("e2e4")));
        for (moves, expected) in
            [(1, Some(false)), (2, Some(false)), (3, None), (4, Some(true)), (5, Some(true))]
        {
            assert_eq!(table.probe(key, Attacker, moves), expected, "{moves}");
        }
        assert_eq!(table.best(key, Attacker), Some(mv("e2e4")));
        assert_eq!(table.probe(key, Defender, 5), None, "another question");
    }

    #[test]
    fn what_was_dear_outlives_what_was_cheap() {
        let mut table = MateTable::new();
        let key = |number: u64| Key::from_bits(5 + number * BUCKETS as u64);
        table.store(key(1), Attacker, 9, false, None);
        for number in 2..20 {
            table.store(key(number), Attacker, 2, false, None);
            assert_eq!(table.probe(key(number), Attacker, 2), Some(false), "the last one is always kept");
        }
        assert_eq!(table.probe(key(1), Attacker, 9), Some(false));
        assert_eq!(table.probe(key(2), Attacker, 2), None);
    }
}
