//! Endgame tablebases in Ronald de Man's Syzygy format: what positions with few pieces are worth,
//! and how long it takes (<https://www.chessprogramming.org/Syzygy_Bases>).
//!
//! The decoder is the crate `shakmaty-syzygy`; this module finds and checks the files, brings positions into the
//! decoder's form, and ranks the moves of a game. Whatever is wrong with a file, a probe answers `None`.

mod files;
mod header;
mod material;
mod root_moves;
mod tables;

pub use files::Fault;
pub use material::MAX_MEN;
pub use root_moves::{RankedMove, Ranking};
pub use tables::{Dtz, Tablebase, Wdl};
