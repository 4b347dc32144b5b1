//! The values of a tag while a segment is written.

use super::code::{put, put_bytes};
use super::segment::NEW_VALUE;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Hashes the values of tags, of which there are many.
#[derive(Clone, Debug)]
struct ValueHash {
    seed: u64,
}

impl Default for ValueHash {
    fn default() -> Self {
        // A random seed, so that no input can be made whose values collide.
        Self { seed: RandomState::new().hash_one(()) }
    }
}

impl BuildHasher for ValueHash {
    type Hasher = ValueHasher;

    fn build_hasher(&self) -> ValueHasher {
        ValueHasher(self.seed)
    }
}

struct ValueHasher(u64);

impl Hasher for ValueHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64_with_seed(bytes, self.0);
    }

    /// The sign of the end of a text.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The values of a tag.
#[derive(Default)]
pub(super) struct ColumnWriter {
    name: String,
    numbers: HashMap<Box<str>, u64, ValueHash>,
    values: Vec<u8>,
    ids: Vec<u8>,
    /// The games that have a number.
    games: usize,
}

impl ColumnWriter {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn fill(&mut self, games: usize) {
        self.ids.resize(self.ids.len() + games - self.games, 0);
        self.games = games;
    }

    /// Sets the value of a game, behind all that have one. Returns the bytes that it takes.
    pub(super) fn set(&mut self, game: usize, value: &str) -> usize {
        self.fill(game);
        self.games += 1;
        if let Some(&number) = self.numbers.get(value) {
            put(&mut self.ids, number + NEW_VALUE);
            return 0;
        }
        put(&mut self.ids, NEW_VALUE);
        put_bytes(&mut self.values, value.as_bytes());
        let bytes = 2 * value.len();
        self.numbers.insert(value.into(), self.numbers.len() as u64 + 1);
        bytes
    }

    /// The values, and for each of so many games the number of its value.
    pub(super) fn finish(mut self, games: usize) -> (Vec<u8>, Vec<u8>) {
        self.fill(games);
        let mut values = Vec::new();
        put(&mut values, self.numbers.len() as u64);
        values.append(&mut self.values);
        (values, self.ids)
    }
}
