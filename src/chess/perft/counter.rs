//! Perft on several threads, stoppable, with a lock-free hash table of subtree counts that the threads share.

use super::count;
use crate::chess::{Key, Move, Position};
use std::collections::TryReserveError;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Counts on several threads, optionally with a hash table.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    threads: NonZeroUsize,
    table: Option<&'a CountTable>,
    stop: Option<&'a AtomicBool>,
}

/// A subtree to be counted by the next free thread.
struct Task {
    /// The index of the first move of the subtree.
    first: usize,
    position: Position,
    depth: u32,
}

/// Trees of at least this depth are split into tasks two plies below the root.
const SPLIT_DEPTH: u32 = 4;
/// Below this depth, counting a subtree is faster than looking it up.
const TABLE_DEPTH: u32 = 2;
/// Only nodes of at least this depth check whether to stop; shallower subtrees take milliseconds.
const STOP_DEPTH: u32 = 3;

impl Default for Counter<'_> {
    /// One thread and no hash table.
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, table: None, stop: None }
    }
}

impl<'a> Counter<'a> {
    /// Counts on this many threads, or on fewer if the system cannot start them.
    #[must_use]
    pub const fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Uses a hash table, so that transpositions are counted once.
    #[must_use]
    pub const fn table(self, table: &'a CountTable) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Stops soon after this becomes true.
    #[must_use]
    pub const fn stop(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The number of sequences of `depth` plies, [`u64::MAX`] if there are as many or more; `None` if stopped.
    pub fn count(&self, position: &Position, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            _ => Some(sum(self.divide(position, depth)?.into_iter().map(|(_, nodes)| nodes))),
        }
    }

    /// The number of sequences of `depth` plies for each legal first move, in the order of generation; `None` if
    /// stopped. Empty at depth 0.
    pub fn divide(&self, position: &Position, depth: u32) -> Option<Vec<(Move, u64)>> {
        if depth == 0 {
            return Some(Vec::new());
        }
        let moves = position.legal_moves();
        let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let tasks = self.tasks(position, depth);
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let nodes = self.walk(&task.position, task.depth);
                let total = &totals[task.first];
                let _ = total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |sum| {
                    Some(sum.saturating_add(nodes)) // always an update
                });
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.get().min(tasks.len()) {
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break; // the threads that were started do all the work
                }
            }
            work();
        });
        let nodes = totals.into_iter().map(AtomicU64::into_inner);
        (!self.is_stopped()).then(|| moves.into_iter().zip(nodes).collect())
    }

    fn tasks(&self, position: &Position, depth: u32) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (first, mv) in position.legal_moves().into_iter().enumerate() {
            let child = position.after(mv).0;
            if depth < SPLIT_DEPTH {
                tasks.push(Task { first, position: child, depth: depth - 1 });
            } else {
                let grandchildren = child.legal_moves().into_iter().map(|mv| child.after(mv).0);
                tasks.extend(grandchildren.map(|position| Task { first, position, depth: depth - 2 }));
            }
        }
        tasks
    }

    fn walk(&self, position: &Position, depth: u32) -> u64 {
        if depth >= STOP_DEPTH && self.is_stopped() {
            return 0;
        }
        if depth < TABLE_DEPTH || (depth < STOP_DEPTH && self.table.is_none()) {
            return count(&position.board, depth);
        }
        if let Some(nodes) = self.table.and_then(|table| table.get(position.key(), depth)) {
            return nodes;
        }
        let nodes = if depth == TABLE_DEPTH {
            count(&position.board, depth)
        } else {
            sum(position.legal_moves().into_iter().map(|mv| self.walk(&position.after(mv).0, depth - 1)))
        };
        if let Some(table) = self.table
            && !self.is_stopped()
        {
            table.put(position.key(), depth, nodes);
        }
        nodes
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The sum of these counts, which does not exceed the largest number.
fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// A hash table of the counts of subtrees, so that each transposition is counted once.
///
/// A slot torn by two writers fails the test of its key and reads as a miss: each slot stores its key XOR its data, as
/// in <https://www.chessprogramming.org/Shared_Hash_Table#Lockless>.
#[derive(Debug)]
pub struct CountTable {
    buckets: Vec<Bucket>,
}

/// Slots that share an index; the one with the smallest count is replaced.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

#[derive(Debug, Default)]
struct Slot {
    key_xor_data: AtomicU64,
    /// The depth in the low byte, the count above it; zero if the slot is empty.
    data: AtomicU64,
}

/// The number of slots in a cache line.
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

    /// The count of the subtree of this depth below the position with this key, if it is stored.
    #[inline]
    pub(super) fn get(&self, key: Key, depth: u32) -> Option<u64> {
        let slots = &self.bucket(key).0;
        slots.iter().map(|slot| slot.read(key)).find(|&data| data_depth(data) == depth).map(data_count)
    }

    /// Stores the count below a position.
    #[inline]
    pub(super) fn put(&self, key: Key, depth: u32, count: u64) {
        if count >> (u64::BITS - DEPTH_BITS) != 0 || depth >> DEPTH_BITS != 0 {
            return; // more than a slot can store: it will be counted again
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
    /// The stored value for this key, or zero, a count at depth zero, if there is none.
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
    use crate::chess::perft::perft;

    #[test]
    fn threads_and_table_change_nothing_but_speed() {
        let start = Position::start();
        let table = CountTable::new(1).expect("a mebibyte");
        let three = NonZeroUsize::new(3).expect("not zero");
        let counters = [
            Counter::default(),
            Counter::default().threads(three),
            Counter::default().table(&table),
            Counter::default().table(&table).threads(three),
        ];
        for depth in 0..=5 {
            let expected = perft(&start, depth);
            for counter in counters {
                assert_eq!(counter.count(&start, depth), Some(expected), "depth {depth}, {counter:?}");
            }
        }
    }

    #[test]
    fn a_stopped_count_is_no_count() {
        let stop = AtomicBool::new(true);
        assert_eq!(Counter::default().stop(&stop).count(&Position::start(), 5), None);
    }

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
