//! Collections of games: files, folders and streams, compressed or not, read on several threads
//! with the results in the order of the input.

mod parallel;
mod source;
mod split;

pub use parallel::{Options, Part, ReadError, read};
pub use source::{Source, find_sources};
