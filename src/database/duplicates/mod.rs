//! Duplicates: finding games that occur more than once, merging them, and showing the differences between two games.

mod digest;
mod groups;
mod merge;
mod profile;
mod texts;

pub use digest::{Digests, LineForm};
pub use groups::{ComparedGame, DuplicateGroup, Duplicates, Level, SameRules};
pub use merge::{GameDifferences, TagDifference, merge_game};
