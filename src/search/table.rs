//! The hash table shared by all threads (<https://www.chessprogramming.org/Transposition_Table>).
//!
//! The table is free of data races by construction: a slot consists of two atomic words, the key XOR the data and
//! the data (Hyatt and Mann 2002). A slot torn by two writers fails the key test and reads as a miss, so no
//! lock is needed.

use super::params::Params;
use super::{Bound, ResourceError, Score, memory};
use crate::chess::{Key, Move};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;

const BYTES_PER_MIB: usize = 1 << 20;
const SLOTS_PER_CLUSTER: usize = 4;
/// The age of entries is counted modulo this.
const GENERATIONS: u8 = 32;
/// The number of clusters sampled for the fill level.
const SAMPLED_CLUSTERS: usize = 500;

/// A slot; empty if both words are zero.
#[derive(Default)]
struct Slot {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

/// The slots of one cache line, so that a probe costs one memory access.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; SLOTS_PER_CLUSTER]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// An entry for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The best move. Any encodable move: its legality must be checked.
    pub mv: Option<Move>,
    /// The score; mates are counted from this position.
    pub score: Score,
    /// The bound type of the score.
    pub bound: Bound,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The depth of the search, in plies.
    pub depth: i32,
    /// Whether the position is or was in a principal variation.
    pub is_pv: bool,
}

impl Entry {
    /// The score of the entry at `ply`; mates are counted from the root. `None` for a mate or tablebase score
    /// beyond the maximum ply.
    pub(super) fn score_at(&self, ply: usize) -> Option<Score> {
        let score = self.score.relative_to_root(ply);
        let kind = |score: Score| (score.is_mate(), score.is_decisive());
        (kind(score) == kind(self.score)).then_some(score)
    }
}

const SCORE_SHIFT: u32 = 16;
const EVAL_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const PV_SHIFT: u32 = 58;
const AGE_SHIFT: u32 = 59;
/// Marks a missing evaluation in the packed form.
const NO_EVAL: i16 = i16::MIN;

/// An entry and its age in one word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed(u64);

impl Packed {
    fn new(entry: &Entry, age: u8) -> Self {
        let score = |score: Score| u64::from(score.units() as i16 as u16);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Self(
            u64::from(entry.mv.map_or(0, Move::bits))
                | score(entry.score) << SCORE_SHIFT
                | entry.eval.map_or(u64::from(NO_EVAL as u16), score) << EVAL_SHIFT
                | (entry.depth.clamp(0, i32::from(u8::MAX)) as u64) << DEPTH_SHIFT
                | bound << BOUND_SHIFT
                | u64::from(entry.is_pv) << PV_SHIFT
                | u64::from(age % GENERATIONS) << AGE_SHIFT,
        )
    }

    fn unpack(self) -> Option<Entry> {
        let eval = (self.0 >> EVAL_SHIFT) as u16 as i16;
        Some(Entry {
            mv: self.mv(),
            score: Score::from_raw(i32::from((self.0 >> SCORE_SHIFT) as u16 as i16)),
            bound: match self.0 >> BOUND_SHIFT & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => return None,
            },
            eval: (eval != NO_EVAL).then(|| Score::from_raw(i32::from(eval))),
            depth: self.depth(),
            is_pv: self.0 >> PV_SHIFT & 1 != 0,
        })
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> DEPTH_SHIFT) as u8)
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of searches since the entry was written.
    fn age(self, now: u8) -> u8 {
        (GENERATIONS + now - (self.0 >> AGE_SHIFT) as u8) % GENERATIONS
    }
}

/// The hash table.
pub struct Table {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

impl Table {
    /// A table of `mib` MiB, at least 1.
    ///
    /// # Errors
    /// [`ResourceError::Hash`] if there is not enough memory.
    pub fn new(mib: usize) -> Result<Self, ResourceError> {
        Self::reserve(mib).map(Reserved::fill)
    }

    /// Allocates the memory of a table without touching it.
    ///
    /// # Errors
    /// [`ResourceError::Hash`] if there is not enough memory.
    pub(super) fn reserve(mib: usize) -> Result<Reserved, ResourceError> {
        let refused = || ResourceError::Hash(mib);
        let bytes = mib.max(1).checked_mul(BYTES_PER_MIB).ok_or_else(refused)?;
        if memory::physical().is_some_and(|there_is| bytes as u64 > there_is) {
            return Err(refused());
        }
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(bytes / size_of::<Cluster>()).map_err(|_| refused())?;
        memory::advise_huge_pages(clusters.spare_capacity_mut());
        Ok(Reserved { clusters, count: bytes / size_of::<Cluster>() })
    }

    /// Clears the table with up to this many threads.
    pub(super) fn clear(&self, threads: usize) {
        self.generation.store(0, Ordering::Relaxed);
        let share = self.clusters.len().div_ceil(threads.max(1));
        thread::scope(|scope| {
            for clusters in self.clusters.chunks(share) {
                let wipe = || {
                    for slot in clusters.iter().flat_map(|cluster| &cluster.0) {
                        slot.key_xor_data.store(0, Ordering::Relaxed);
                        slot.data.store(0, Ordering::Relaxed);
                    }
                };
                // If no thread can be started, this one does the work.
                if threads <= 1 || thread::Builder::new().spawn_scoped(scope, wipe).is_err() {
                    wipe();
                }
            }
        });
    }

    /// Starts a new search, which ages all entries.
    pub(super) fn start_search(&self) {
        let next = (self.generation() + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// The cluster of a key, which is used as a fraction of the table length
    /// (<https://lemire.me/blog/2016/06/27/a-fast-alternative-to-the-modulo-reduction/>).
    #[inline]
    fn cluster(&self, key: Key) -> &Cluster {
        let index = (u128::from(key.bits()) * self.clusters.len() as u128) >> u64::BITS;
        &self.clusters[index as usize]
    }

    /// The entry of the position with this key.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let found = slot.key_xor_data.load(Ordering::Relaxed) ^ data;
            if found == key.bits() { Packed(data).unpack() } else { None }
        })
    }

    /// Stores an entry. It replaces an entry of the same position if that one is from an earlier search, or if the new
    /// one is exact or about as deep; an entry that stays takes over the move. Without an entry of the same position it
    /// replaces the shallowest and oldest entry of the cluster.
    pub(super) fn store(&self, key: Key, mut entry: Entry, params: &Params) {
        let now = self.generation();
        let worth = |packed: Packed| {
            if packed.is_empty() {
                i32::MIN
            } else {
                packed.depth() - params.hash_age_weight() * i32::from(packed.age(now))
            }
        };
        let mut victim: Option<(&Slot, i32)> = None;
        for slot in &self.cluster(key).0 {
            let old = Packed(slot.data.load(Ordering::Relaxed));
            if slot.key_xor_data.load(Ordering::Relaxed) ^ old.0 == key.bits() && !old.is_empty() {
                let is_recent = old.age(now) == 0;
                let is_shallow = entry.depth + params.hash_keep_depth() <= old.depth();
                let mv = entry.mv.or(old.mv());
                if let (true, true, Some(kept)) = (is_recent, is_shallow, old.unpack())
                    && entry.bound != Bound::Exact
                {
                    entry = kept;
                }
                entry.mv = mv;
                victim = Some((slot, 0));
                break;
            }
            if victim.is_none_or(|(_, least)| worth(old) < least) {
                victim = Some((slot, worth(old)));
            }
        }
        if let Some((slot, _)) = victim {
            let data = Packed::new(&entry, now).0;
            slot.key_xor_data.store(key.bits() ^ data, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }

    /// The part of the table filled by this search, in permille.
    pub(super) fn hashfull(&self) -> u32 {
        let now = self.generation();
        let sample = &self.clusters[..SAMPLED_CLUSTERS.min(self.clusters.len())];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| Packed(slot.data.load(Ordering::Relaxed)))
            .filter(|packed| !packed.is_empty() && packed.age(now) == 0)
            .count();
        (used * 1000 / (sample.len() * SLOTS_PER_CLUSTER)) as u32
    }

    /// Prefetches the cluster of a key.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        memory::prefetch(self.cluster(key));
    }
}

/// Memory that is allocated but not initialized.
pub(super) struct Reserved {
    clusters: Vec<Cluster>,
    count: usize,
}

impl Reserved {
    /// Initializes an empty table.
    pub(super) fn fill(mut self) -> Table {
        self.clusters.resize_with(self.count, Cluster::default);
        Table { clusters: self.clusters, generation: AtomicU8::new(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MoveKind, Square};
    use std::sync::Barrier;

    const PARAMS: fn() -> Params = Params::default;

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: Some(Move::new(Square::E2, Square::E4, MoveKind::Normal)),
            score: Score::from_units(-31),
            bound: Bound::Lower,
            eval: Some(Score::from_units(17)),
            depth,
            is_pv: true,
        }
    }

    /// Keys that are all in the first cluster.
    fn key(number: u64) -> Key {
        Key::from_bits(number)
    }

    #[test]
    fn entries_pack_and_unpack() {
        let cases = [
            ("usual", entry(7)),
            ("no move", Entry { mv: None, ..entry(0) }),
            ("in check", Entry { eval: None, ..entry(255) }),
            ("mated", Entry { score: Score::mated(0), bound: Bound::Exact, ..entry(1) }),
            ("mating", Entry { score: Score::mating(1), bound: Bound::Upper, is_pv: false, ..entry(1) }),
        ];
        for (name, entry) in cases {
            let packed = Packed::new(&entry, 31);
            assert_eq!(packed.unpack(), Some(entry), "{name}");
            assert_eq!(packed.age(31), 0, "{name}");
            assert_eq!(packed.age(1), 2, "{name}: generations wrap");
        }
        assert_eq!(Packed(0).unpack(), None);
    }

    #[test]
    fn what_is_stored_is_found_until_it_is_cleared() {
        let table = Table::new(1).expect("a MiB is there");
        table.start_search();
        assert_eq!(table.probe(key(1)), None);
        table.store(key(1), entry(5), &PARAMS());
        assert_eq!(table.probe(key(1)), Some(entry(5)));
        assert_eq!(table.probe(key(2)), None, "another key of the same cluster");
        table.clear(2);
        assert_eq!(table.probe(key(1)), None);
    }

    #[test]
    fn the_shallowest_and_oldest_entry_gives_way() {
        let table = Table::new(1).expect("a MiB is there");
        for number in 1..=4 {
            table.store(key(number), entry(number as i32 + 3), &PARAMS());
        }
        table.store(key(5), entry(1), &PARAMS());
        assert_eq!(table.probe(key(1)), None, "the shallowest");
        assert_eq!(table.probe(key(5)), Some(entry(1)));
        table.start_search();
        table.start_search();
        table.store(key(4), entry(7), &PARAMS());
        table.store(key(6), entry(0), &PARAMS());
        assert_eq!(table.probe(key(5)), None, "old and shallow");
        assert_eq!(table.probe(key(4)), Some(entry(7)));
    }

    #[test]
    fn a_position_keeps_its_move_and_its_deep_entry() {
        let table = Table::new(1).expect("a MiB is there");
        table.store(key(1), entry(9), &PARAMS());
        table.store(key(1), Entry { mv: None, ..entry(2) }, &PARAMS());
        assert_eq!(table.probe(key(1)), Some(entry(9)), "much shallower");
        let other = Some(Move::new(Square::D2, Square::D4, MoveKind::Normal));
        table.store(key(1), Entry { mv: other, ..entry(2) }, &PARAMS());
        assert_eq!(table.probe(key(1)), Some(Entry { mv: other, ..entry(9) }), "its move is newer");
        table.store(key(1), entry(9), &PARAMS());
        table.store(key(1), Entry { mv: None, ..entry(10) }, &PARAMS());
        assert_eq!(table.probe(key(1)), Some(entry(10)), "deeper, without a move of its own");
    }

    #[test]
    fn a_mate_beyond_the_deepest_ply_has_no_score() {
        let mate = Entry { score: Score::mating(100), ..entry(3) };
        assert_eq!(mate.score_at(20), Some(Score::mating(120)));
        assert_eq!(mate.score_at(60), None);
        assert_eq!(entry(3).score_at(60), Some(Score::from_units(-31)));
    }

    #[test]
    fn fullness_counts_what_this_search_wrote() {
        let table = Table::new(1).expect("a MiB is there");
        assert_eq!(table.hashfull(), 0);
        let spread = u64::MAX / (BYTES_PER_MIB / size_of::<Cluster>()) as u64;
        for cluster in 0..SAMPLED_CLUSTERS as u64 {
            table.store(key(cluster * (spread + 1) + 1), entry(3), &PARAMS());
        }
        assert_eq!(table.hashfull(), 1000 / SLOTS_PER_CLUSTER as u32);
        table.start_search();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        const PEBIBYTE: usize = 1 << 30;
        for mib in [PEBIBYTE, usize::MAX / BYTES_PER_MIB, usize::MAX] {
            assert!(Table::new(mib).is_err(), "{mib} MiB");
        }
        assert_eq!(Table::new(0).expect("at least a MiB").clusters.len(), 1 << 14);
    }

    #[test]
    fn racing_writers_leave_no_torn_entry() {
        let table = Table::new(1).expect("a MiB is there");
        let start = Barrier::new(2);
        thread::scope(|scope| {
            for writer in 0..2 {
                let (table, start) = (&table, &start);
                scope.spawn(move || {
                    start.wait();
                    for round in 0..50_000_u64 {
                        // Each key has one depth, so a mixture of two entries is detected.
                        let number = (round + writer) % 8 + 1;
                        table.store(key(number), entry(number as i32), &PARAMS());
                        let probed = number % 8 + 1;
                        if let Some(found) = table.probe(key(probed)) {
                            assert_eq!(found, entry(probed as i32));
                        }
                    }
                });
            }
        });
    }
}
