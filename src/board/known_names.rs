//! The names of players, events and sites in a file, which are proposed for queries.

use crate::database::Header;
use std::collections::HashMap;

/// The maximum number of names of each kind per file.
const MAX_KNOWN: usize = 200_000;

/// The names in the tags of a file, each with its number of games, most frequent names first.
#[derive(Default)]
pub(super) struct KnownNames {
    pub players: Vec<(String, u64)>,
    pub events: Vec<(String, u64)>,
    pub sites: Vec<(String, u64)>,
}

/// The names of players, events and sites while they are being counted.
#[derive(Default)]
pub(super) struct CountedNames([HashMap<String, u64>; 3]);

impl CountedNames {
    /// Counts the names of a game.
    pub(super) fn add(&mut self, header: &dyn Header) {
        for (kind, tags) in [&["White", "Black"][..], &["Event"], &["Site"]].into_iter().enumerate() {
            for tag in tags {
                let Some(name) = header.tag(tag).map(str::trim).filter(|name| !matches!(*name, "" | "?"))
                else {
                    continue;
                };
                if let Some(count) = self.0[kind].get_mut(name) {
                    *count += 1;
                } else if self.0[kind].len() < MAX_KNOWN {
                    self.0[kind].insert(name.to_owned(), 1);
                }
            }
        }
    }

    /// Adds the counts of other games.
    pub(super) fn merge(&mut self, other: Self) {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            for (name, count) in others {
                let is_new = !own.contains_key(&name);
                if !is_new || own.len() < MAX_KNOWN {
                    *own.entry(name).or_default() += count;
                }
            }
        }
    }
}

impl From<CountedNames> for KnownNames {
    fn from(counted: CountedNames) -> Self {
        let [players, events, sites] = counted.0.map(|names| {
            let mut names: Vec<(String, u64)> = names.into_iter().collect();
            names.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            names
        });
        Self { players, events, sites }
    }
}
