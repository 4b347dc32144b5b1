//! The index of a segment: from the key of a position to the games that contain it.
//!
//! The keys are truncated to about as many bits as there are entries: for each bucket, the index contains the number of
//! games and the games. An entry takes some 18 bits, whatever its key, while a whole key with its game and ply would
//! take 70. The price is small: about one of the games found for a key is wrong, and the replay that determines the ply
//! of the position detects it.

use super::code::{Bytes, DIGIT_BITS, damage, put};
use super::partition::Partition;
use super::positions::Positions;
use rayon::prelude::*;
use std::io;

/// The number of bits of a game's number in a segment.
pub(super) const GAME_BITS: u32 = 16;
/// The number of buckets of a part of the index, which is read as a whole.
const BUCKETS: usize = 1 << 13;
/// The maximum number of bits of a key that determine its bucket.
const MAX_BITS: u32 = 32;

/// The number of bits for this many entries: two to four entries per three buckets.
fn bits_for(entries: usize) -> u32 {
    let bits = usize::BITS - entries.saturating_mul(3).div_ceil(4).max(1).saturating_sub(1).leading_zeros();
    bits.clamp(1, MAX_BITS)
}

/// The location of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    /// The number of the part.
    pub part: usize,
    bucket: usize,
}

impl Slot {
    pub(super) fn of(key: u64, bits: u32) -> io::Result<Self> {
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(damage("the index has a wrong number of bits"));
        }
        let bucket = bucket_of(key, bits);
        Ok(Self { part: bucket / BUCKETS, bucket: bucket % BUCKETS })
    }
}

/// A part of the index: for each of its buckets the number of games, then the games.
pub(super) struct IndexPart {
    pub counts: Vec<u8>,
    pub games: Vec<u8>,
}

/// An index.
pub(super) struct Index {
    /// The number of bits of a key that determine its bucket.
    pub bits: u32,
    pub parts: Vec<IndexPart>,
    /// A bit for each bucket: whether it is crowded.
    crowded: Vec<u64>,
}

impl Index {
    /// Whether a key of the index may have [`CROWD`] positions, since its bucket has that many.
    #[inline]
    pub(super) fn is_crowded(&self, key: u64) -> bool {
        let bucket = bucket_of(key, self.bits);
        self.crowded[bucket / WORD] >> (bucket % WORD) & 1 != 0
    }
}

/// The number of bits of a word.
const WORD: usize = u64::BITS as usize;
/// The number of positions that make a bucket crowded.
pub(super) const CROWD: u32 = 8;

/// The bucket of a key.
#[inline(always)]
const fn bucket_of(key: u64, bits: u32) -> usize {
    (key >> (u64::BITS - bits)) as usize
}

/// A bucket of a part, and a game in it: the game in the lowest bits, the bucket above them.
type Entry = u32;
const _: () = assert!((BUCKETS as u64) << GAME_BITS <= 1 << Entry::BITS, "they fit");

/// Builds the index of these positions, which are in the order of their games, without the key `left_out`.
pub(super) fn build(positions: &[Positions], left_out: u64) -> Index {
    let entries = |list: &Positions| list.keys().iter().filter(|&&key| key != left_out).count();
    let bits = bits_for(positions.par_iter().map(entries).sum());
    let buckets = 1_usize << bits;
    let parts = buckets.div_ceil(BUCKETS);
    // Sorts list by list, each of which fits in the processor's cache.
    let sort = |list: &Positions| {
        let mut sizes = vec![0; parts];
        for &key in list.keys() {
            sizes[bucket_of(key, bits) / BUCKETS] += usize::from(key != left_out);
        }
        let indexed = list.keys_of_games().filter(|&(key, _)| key != left_out);
        let entry = |(key, game): (u64, u16)| {
            let bucket = bucket_of(key, bits);
            (bucket / BUCKETS, ((bucket % BUCKETS) << GAME_BITS) as Entry | Entry::from(game))
        };
        Partition::of_sizes(sizes, indexed.map(entry))
    };
    let entries: Vec<Partition<Entry>> = positions.par_iter().map(sort).collect();
    let part = |number| build_part(entries.iter().map(|entries| entries.part(number)), buckets.min(BUCKETS));
    let (parts, crowded): (Vec<_>, Vec<_>) = (0..parts).into_par_iter().map(part).unzip();
    Index { bits, parts, crowded: crowded.concat() }
}

/// Builds a part with this number of buckets from these lists of entries, which are in the order of their games; also
/// returns a bit for each bucket: whether it is crowded.
fn build_part<'e>(lists: impl Iterator<Item = &'e [Entry]> + Clone, buckets: usize) -> (IndexPart, Vec<u64>) {
    let bucket = |entry: Entry| (entry >> GAME_BITS) as usize;
    let mut counts = vec![0_u32; buckets];
    let mut entries = 0;
    for list in lists.clone() {
        list.iter().for_each(|&entry| counts[bucket(entry)] += 1);
        entries += list.len();
    }
    let word =
        |counts: &[u32]| counts.iter().rev().fold(0, |word, &count| word << 1 | u64::from(count >= CROWD));
    let crowded = counts.chunks(WORD).map(word).collect();
    let mut start = 0;
    for count in &mut counts {
        start += std::mem::replace(count, start);
    }
    let mut sorted = vec![0; entries];
    for &entry in lists.flatten() {
        let place = &mut counts[bucket(entry)];
        sorted[*place as usize] = entry;
        *place += 1;
    }
    counts.fill(0);
    let mut games = vec![0; entries * size_of::<u16>()];
    let mut free = games.chunks_exact_mut(size_of::<u16>());
    let mut latest = None;
    for entry in sorted {
        // A game is added once to a bucket, even if it occurs with several keys or several times with one key.
        if latest.replace(entry) != Some(entry)
            && let Some(place) = free.next()
        {
            place.copy_from_slice(&(entry as u16).to_le_bytes());
            counts[bucket(entry)] += 1;
        }
    }
    let unused = free.len() * size_of::<u16>();
    games.truncate(games.len() - unused);
    let mut bytes = Vec::with_capacity(buckets);
    if counts.iter().all(|&count| count < 1 << DIGIT_BITS) {
        // Each count fits in a byte.
        bytes.extend(counts.iter().map(|&count| count as u8));
    } else {
        counts.iter().for_each(|&count| put(&mut bytes, count.into()));
    }
    (IndexPart { counts: bytes, games }, crowded)
}

/// The number of games of a slot: at least that of the games with its key.
pub(super) fn count_of(slot: Slot, counts: &[u8]) -> io::Result<usize> {
    let mut counts = Bytes(counts);
    for _ in 0..slot.bucket {
        counts.length()?;
    }
    counts.length()
}

/// The games of a slot in a part of the index, in their order: those with its key, and possibly some others.
pub(super) fn games_of(slot: Slot, counts: &[u8], games: &[u8]) -> io::Result<Vec<u16>> {
    let mut counts = Bytes(counts);
    let mut games = Bytes(games);
    for _ in 0..slot.bucket {
        let count = counts.length()?;
        games.take(count.saturating_mul(size_of::<u16>()))?;
    }
    let count = counts.length()?;
    let found = games.take(count.saturating_mul(size_of::<u16>()))?;
    let mut games: Vec<u16> =
        found.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    // Sorted again, since a binary search must work even on damaged data.
    games.sort_unstable();
    games.dedup();
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;
    use crate::rng::Rng;

    #[test]
    fn every_game_is_found_and_few_others() {
        for count in [0, 1, 3, 1000, 40_000] {
            let mut rng = Rng::new(count);
            let keys: Vec<(u64, u16)> = (0..count).map(|_| (rng.next_u64(), rng.below(500) as u16)).collect();
            // Some keys occur in many games.
            let common = rng.next_u64();
            let all = keys.iter().copied().chain((0..300).map(|game| (common, game)));
            let mut lists: Vec<Positions> = Vec::new();
            let left_out = rng.next_u64();
            for number in 0..500 {
                let keys = all.clone().filter(|&(_, game)| game == number).map(|(key, _)| (key, None));
                let keys: Vec<_> = [(left_out, None)].into_iter().chain(keys).collect();
                Positions::of_game(number, Color::White, &keys).add_to(&mut lists);
            }
            let Index { bits, parts, .. } = build(&lists, left_out);
            let games = |key: u64| {
                let slot = Slot::of(key, bits).expect("the bits are right");
                let IndexPart { counts, games } = &parts[slot.part];
                let games = games_of(slot, counts, games).expect("it was built");
                assert_eq!(count_of(slot, counts).ok(), Some(games.len()));
                games
            };
            // A sample of the keys, since each is searched for from the start of its part.
            let step = keys.len() / 1000 + 1;
            let (mut named, mut asked) = (0, 0);
            for &(key, game) in keys.iter().step_by(step) {
                let found = games(key);
                assert!(found.binary_search(&game).is_ok(), "{key:x} is in {game}");
                named += found.len();
                asked += 1;
            }
            assert!(named <= 4 * asked + 600, "{named} games for {asked} keys");
            assert_eq!(games(common).iter().filter(|&&game| game < 300).count(), 300);
        }
    }

    #[test]
    fn damaged_parts_are_refused() {
        let slot = Slot::of(u64::MAX >> 4, 8).expect("the bits are right");
        assert!(games_of(slot, &[], &[]).is_err());
        assert!(count_of(slot, &[]).is_err());
        assert!(games_of(slot, &[1; 256], &[0; 8]).is_err());
        assert!(Slot::of(0, 0).is_err());
        assert!(Slot::of(0, 60).is_err());
    }
}
