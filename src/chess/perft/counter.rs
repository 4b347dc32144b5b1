//! Perft on several threads, with a hash table, and stoppable.

use super::{CountTable, count};
use crate::chess::{Move, Position};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Counts on several threads, optionally with a hash table.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    threads: NonZeroUsize,
    table: Option<&'a CountTable>,
    stop: Option<&'a AtomicBool>,
}

/// A subtree to be counted by whichever thread is free.
struct Task {
    /// The index of the first move that it belongs to.
    first: usize,
    position: Position,
    depth: u32,
}

/// Trees this deep are cut into tasks two half-moves below the root.
const SPLIT_DEPTH: u32 = 4;
/// Subtrees shallower than this are counted faster than they are looked up.
const TABLE_DEPTH: u32 = 2;
/// Only nodes at least this deep check whether to stop; the trees below take milliseconds.
const STOP_DEPTH: u32 = 3;

impl Default for Counter<'_> {
    /// One thread, no table.
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, table: None, stop: None }
    }
}

impl<'a> Counter<'a> {
    /// Counts on this many threads; on fewer if the system won't start them.
    #[must_use]
    pub const fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Counts transpositions once.
    #[must_use]
    pub const fn table(self, table: &'a CountTable) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Stops soon after this becomes true.
    #[must_use]
    pub const fn stop(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The number of ways to play `depth` half-moves; `None` if stopped.
    pub fn count(&self, position: &Position, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            _ => Some(self.divide(position, depth)?.into_iter().map(|(_, nodes)| nodes).sum()),
        }
    }

    /// The same for each legal first move, in the order in which they are generated; `None`
    /// if stopped. There are none at depth 0.
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
                totals[task.first].fetch_add(nodes, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.get().min(tasks.len()) {
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break; // those that run do all the work
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
            position.legal_moves().into_iter().map(|mv| self.walk(&position.after(mv).0, depth - 1)).sum()
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
}
