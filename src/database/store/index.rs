//! The index of a segment: from the key of a position to the games in which it is.
//!
//! The keys are cut to about as many bits as there are entries: bucket after bucket the index has the number of its
//! games, and the games. So an entry takes some 18 bits, whatever its key, where a whole key with its game and ply
//! takes 70. The price is small: of the games that it names about one is wrong, and the replay that finds the ply
//! of the position finds that out as well.

use super::code::{Bytes, damage, put};
use super::radix::sort_by_bits;
use std::io;

/// The games of a segment are numbered with as many bits.
pub(super) const GAME_BITS: u32 = 16;
/// The buckets of a part of the index, which is read as a whole.
const BUCKETS: usize = 1 << 13;
/// The most bits of a key that tell its bucket.
const MAX_BITS: u32 = 32;

/// A key and a game in which it is: in the highest bits the key, in the lowest ones the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry(u64);

impl Entry {
    pub(super) const fn new(key: u64, game: u16) -> Self {
        Self(key >> GAME_BITS << GAME_BITS | game as u64)
    }
}

/// The number of bits for this many entries: two entries in three buckets, or up to four in three.
fn bits_for(entries: usize) -> u32 {
    let bits = usize::BITS - entries.saturating_mul(3).div_ceil(4).max(1).saturating_sub(1).leading_zeros();
    bits.clamp(1, MAX_BITS)
}

/// Where a key is to be found.
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
        let bucket = usize::try_from(key >> (u64::BITS - bits)).map_err(|_| damage("too many buckets"))?;
        Ok(Self { part: bucket / BUCKETS, bucket: bucket % BUCKETS })
    }
}

/// A part of the index: for each of its buckets the number of games, then the games.
pub(super) struct IndexPart {
    pub counts: Vec<u8>,
    pub games: Vec<u8>,
}

/// The index of these entries: its number of bits, and its parts.
pub(super) fn build(entries: Vec<Entry>) -> (u32, Vec<IndexPart>) {
    let bits = bits_for(entries.len());
    let bucket = |entry: &Entry| (entry.0 >> (u64::BITS - bits)) as usize;
    let mut entries = sort_by_bits(entries, bits, bucket);
    // Most often a game comes with one key to a bucket, and if with several, one after the other.
    entries.dedup_by_key(|entry| (bucket(entry), entry.0 as u16));
    let mut parts = Vec::new();
    let mut rest = &entries[..];
    for first in (0..1_usize << bits).step_by(BUCKETS) {
        let last = (first + BUCKETS).min(1 << bits);
        let (mut counts, mut games) = (Vec::new(), Vec::new());
        for number in first..last {
            let count = rest.iter().take_while(|entry| bucket(entry) <= number).count();
            let (here, behind) = rest.split_at(count);
            rest = behind;
            put(&mut counts, here.len() as u64);
            games.extend(here.iter().flat_map(|entry| (entry.0 as u16).to_le_bytes()));
        }
        parts.push(IndexPart { counts, games });
    }
    (bits, parts)
}

/// The games of a slot in one part of the index, in their order: those with its key, and perhaps some others.
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
    // Whatever the order is, they are searched.
    games.sort_unstable();
    games.dedup();
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn every_game_is_found_and_few_others() {
        for count in [0, 1, 3, 1000, 40_000] {
            let mut rng = Rng::new(count);
            let keys: Vec<(u64, u16)> = (0..count).map(|_| (rng.next_u64(), rng.below(500) as u16)).collect();
            // Some are in many games.
            let common = rng.next_u64();
            let all = keys.iter().copied().chain((0..300).map(|game| (common, game)));
            let (bits, parts) = build(all.clone().map(|(key, game)| Entry::new(key, game)).collect());
            let games = |key: u64| {
                let slot = Slot::of(key, bits).expect("the bits are right");
                let IndexPart { counts, games } = &parts[slot.part];
                games_of(slot, counts, games).expect("it was built")
            };
            // Some of many: each is looked for from the start of its part.
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
        assert!(games_of(slot, &[1; 256], &[0; 8]).is_err());
        assert!(Slot::of(0, 0).is_err());
        assert!(Slot::of(0, 60).is_err());
    }
}
