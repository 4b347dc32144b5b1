//! The values of a tag during the writing of a segment.

use super::code::{put, put_bytes};
use super::columns::NEW_VALUE;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The values of a tag.
pub(super) struct ColumnWriter {
    name: String,
    /// The values in the order of their numbers, each after its length.
    values: Vec<u8>,
    /// The range of each value in `values`.
    ranges: Vec<Range<usize>>,
    /// The number of each value, counted from 1, with its hash.
    numbers: HashTable<(u64, usize)>,
    /// A random seed, so that no input can be made to collide.
    seed: u64,
    ids: Vec<u8>,
    /// The number of games with an entry in `ids`.
    games: usize,
    /// The number of the latest value, counted from 1.
    latest: Option<usize>,
}

impl ColumnWriter {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            values: Vec::new(),
            ranges: Vec::new(),
            numbers: HashTable::new(),
            seed: RandomState::new().hash_one(()),
            ids: Vec::new(),
            games: 0,
            latest: None,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn fill(&mut self, games: usize) {
        self.ids.resize(self.ids.len() + games - self.games, 0);
        self.games = games;
    }

    /// Sets the value of a game after all games that have one. Returns the number of bytes that it takes.
    pub(super) fn set(&mut self, game: usize, value: &str) -> usize {
        if self.games < game {
            self.fill(game);
        }
        self.games += 1;
        let value = value.as_bytes();
        let is_value = |number: usize| self.values[self.ranges[number - 1].clone()] == *value;
        // Many games have the same event, date or round as the previous one.
        let known = match self.latest {
            Some(latest) if is_value(latest) => Some(latest),
            _ => {
                let hash = xxh3_64_with_seed(value, self.seed);
                let is_known = |&(other, number): &(u64, usize)| other == hash && is_value(number);
                match self.numbers.entry(hash, is_known, |&(hash, _)| hash) {
                    Entry::Occupied(entry) => Some(entry.get().1),
                    Entry::Vacant(entry) => {
                        entry.insert((hash, self.ranges.len() + 1));
                        None
                    }
                }
            }
        };
        if let Some(number) = known {
            put(&mut self.ids, number as u64 + NEW_VALUE);
            self.latest = known;
            return 0;
        }
        put(&mut self.ids, NEW_VALUE);
        put_bytes(&mut self.values, value);
        self.ranges.push(self.values.len() - value.len()..self.values.len());
        self.latest = Some(self.ranges.len());
        2 * value.len()
    }

    /// The values, and the number of its value for each of `games` games.
    pub(super) fn finish(mut self, games: usize) -> (Vec<u8>, Vec<u8>) {
        self.fill(games);
        let mut values = Vec::new();
        put(&mut values, self.ranges.len() as u64);
        values.append(&mut self.values);
        (values, self.ids)
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Bytes;
    use super::*;
    use crate::rng::Rng;
    use std::collections::HashMap;

    #[test]
    fn every_value_is_written_once_and_has_a_number() {
        let mut rng = Rng::new(6);
        let mut column = ColumnWriter::new("Site");
        let (mut numbers, mut expected, mut ids) = (HashMap::new(), Vec::new(), Vec::new());
        let mut game = 0;
        for _ in 0..5000 {
            let missing = if rng.below(4) == 0 { rng.below(3) as usize } else { 0 };
            ids.resize(ids.len() + missing, 0);
            game += missing;
            let value = "x".repeat(rng.below(3) as usize) + &rng.below(1000).to_string();
            let next = numbers.len() as u64 + 1;
            let number = *numbers.entry(value.clone()).or_insert(next);
            let is_new = number == next;
            assert_eq!(column.set(game, &value), if is_new { 2 * value.len() } else { 0 });
            if is_new {
                expected.push(value);
            }
            ids.push(if is_new { NEW_VALUE } else { number + NEW_VALUE });
            game += 1;
        }
        ids.push(0);
        let (values, found) = column.finish(game + 1);
        let mut values = Bytes(&values);
        let count = values.count().expect("they were written");
        let values: Vec<&str> = (0..count).map(|_| values.text().expect("a value")).collect();
        assert_eq!(values, expected);
        let mut found = Bytes(&found);
        let found: Vec<u64> = ids.iter().map(|_| found.number().expect("a number")).collect();
        assert_eq!(found, ids);
    }
}
