//! A set of texts that occur often, each with a number.

use crate::chess::KeyHasher;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, RandomState};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Different texts in the order of their numbers, stored in one buffer.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    all: String,
    ends: Vec<usize>,
    /// The numbers of the texts, by their hashes in two halves.
    numbers: HashMap<(u64, u64), u32, BuildHasherDefault<KeyHasher>>,
    /// A random seed, so that no input can be made to collide.
    seed: u64,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            all: String::new(),
            ends: Vec::new(),
            numbers: HashMap::default(),
            seed: RandomState::new().hash_one(()),
        }
    }
}

impl Texts {
    /// The number of a text; a new text gets the next number.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let identity = xxh3_128_with_seed(text.as_bytes(), self.seed);
        let next = self.ends.len() as u32;
        let identity = ((identity >> u64::BITS) as u64, identity as u64);
        let number = *self.numbers.entry(identity).or_insert(next);
        if number == next {
            self.all.push_str(text);
            self.ends.push(self.all.len());
        }
        number
    }

    /// The text with this number.
    pub(super) fn get(&self, number: u32) -> &str {
        let index = number as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[index]]
    }

    /// All texts, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|number| self.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_numbers() {
        let mut texts = Texts::default();
        let numbers = ["a", "", "bc", "a", "bc", "é", ""].map(|text| texts.number(text));
        assert_eq!(numbers, [0, 1, 2, 0, 2, 3, 1]);
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["a", "", "bc", "é"]);
        assert_eq!(texts.get(2), "bc");
    }
}
