//! Games that occur more than once, what to keep of them, and in what two games differ.

mod digest;
mod groups;
mod merge;
mod texts;

pub use digest::{Digests, LineForm};
pub use groups::{ComparedGame, DuplicateGroup, Duplicates, Level, SameRules};
pub use merge::{GameDifferences, TagDifference, merge_game};
