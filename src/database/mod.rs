//! Collections of games: files, folders and streams, compressed or not, read on several threads
//! with the results in the order of the input, and sorted in bounded memory.

mod parallel;
mod sort;
mod source;
mod split;

pub use parallel::{Options, Part, ReadError, read};
pub use sort::Sorter;
pub use source::{Source, find_sources};
