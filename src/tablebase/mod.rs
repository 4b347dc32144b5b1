//! Endgame tablebases in Ronald de Man's Syzygy format: what positions with few pieces are worth,
//! and how long it takes (<https://www.chessprogramming.org/Syzygy_Bases>).
//!
//! The decoder is the crate `shakmaty-syzygy`; this module finds and checks the files, brings positions into the
//! decoder's form, and ranks the moves of a game. Whatever is wrong with a file, a probe answers `None`.

mod fault;
mod folders;
mod layout;
mod material;
mod outcome;
mod position;
mod ranking;
mod storage;
mod tables;

pub use fault::Fault;
pub use outcome::{Distance, Wdl};
pub use ranking::{RankedMove, Ranking};
pub use tables::{MAX_MEN, Tablebase};
