//! Endgame tablebases in Ronald de Man's Syzygy format: results of positions with few pieces,
//! and distances to the next capture or pawn move (<https://www.chessprogramming.org/Syzygy_Bases>).
//!
//! The decoder is the crate `shakmaty-syzygy`; this module finds and checks the files, converts positions for the
//! decoder, and ranks the root moves. A probe of a file with any fault returns `None`.

mod files;
mod root_moves;
mod tables;

pub use files::Fault;
pub use files::MAX_PIECES;
pub use root_moves::{RankedMove, Ranking};
pub use tables::{Dtz, Tablebase, Wdl};
