//! A hash table of subtree counts, shared by threads without a lock.

use crate::chess::Key;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of subtrees already walked, so that transpositions are walked once.
///
/// A slot torn by two writers fails the test of its key and reads as a miss: each slot holds
/// its key XOR its data, as in <https://www.chessprogramming.org/Shared_Hash_Table#Lockless>.
#[derive(Debug)]
pub struct CountTable {
    buckets: Vec<Bucket>,
}

/// Slots that share an index; the one with the smallest count gives way.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

#[derive(Debug, Default)]
struct Slot {
    key_xor_data: AtomicU64,
    /// Depth in the low byte, the count above it; zero if nothing is stored.
    data: AtomicU64,
}

/// The number that fits into a cache line.
const SLOTS: usize = 4;
const DEPTH_BITS: u32 = 8;
const MIB: usize = 1 << 20;

impl CountTable {
    /// An empty table of this many MiB, at least one bucket.
    ///
    /// # Errors
    /// [`TryReserveError`] if there is not enough memory.
    pub fn new(mib: usize) -> Result<Self, TryReserveError> {
        let count = (mib.saturating_mul(MIB) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Self { buckets })
    }

    /// The count below the position with this key at this depth, if it is known.
    #[inline]
    pub(super) fn get(&self, key: Key, depth: u32) -> Option<u64> {
        let slots = &self.bucket(key).0;
        slots.iter().map(|slot| slot.read(key)).find(|&data| data_depth(data) == depth).map(data_count)
    }

    /// Stores the count below a position.
    #[inline]
    pub(super) fn put(&self, key: Key, depth: u32, count: u64) {
        if count >> (u64::BITS - DEPTH_BITS) != 0 || depth >> DEPTH_BITS != 0 {
            return; // more than a slot can hold: it will be walked again
        }
        let slots = &self.bucket(key).0;
        let smallest = slots.iter().min_by_key(|slot| data_count(slot.data.load(Ordering::Relaxed)));
        if let Some(slot) = smallest {
            let data = count << DEPTH_BITS | u64::from(depth);
            slot.key_xor_data.store(key.bits() ^ data, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }

    fn bucket(&self, key: Key) -> &Bucket {
        // The high half of a 128-bit product spreads keys over any number of buckets.
        let index = (u128::from(key.bits()) * self.buckets.len() as u128) >> u64::BITS;
        &self.buckets[index as usize]
    }
}

impl Slot {
    /// The stored value for this key; zero, a count at depth zero, if there is none.
    fn read(&self, key: Key) -> u64 {
        let data = self.data.load(Ordering::Relaxed);
        if self.key_xor_data.load(Ordering::Relaxed) ^ data == key.bits() { data } else { 0 }
    }
}

fn data_depth(data: u64) -> u32 {
    data as u32 & ((1 << DEPTH_BITS) - 1)
}

fn data_count(data: u64) -> u64 {
    data >> DEPTH_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_put_and_nothing_else() {
        let table = CountTable::new(1).expect("a mebibyte");
        let key = |number: u64| Key::from_bits(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for number in 1..=1000 {
            table.put(key(number), 3, number);
        }
        for number in 1..=1000 {
            assert_eq!(table.get(key(number), 3), Some(number));
            assert_eq!(table.get(key(number), 4), None);
        }
        assert_eq!(table.get(key(1001), 3), None);
        table.put(key(5), 7, u64::MAX);
        assert_eq!(table.get(key(5), 7), None);
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(CountTable::new(usize::MAX).is_err());
    }
}
