//! Collections of games: files, folders and streams, compressed or not, read on several threads
//! with the results in the order of the input, and sorted in bounded memory; and the language to ask for games.

mod parallel;
mod query;
mod sort;
mod source;
mod split;

pub use parallel::{Options, Part, ReadError, read};
pub use query::{Header, Place, Places, Query, QueryError};
pub use sort::Sorter;
pub use source::{Source, find_sources};
