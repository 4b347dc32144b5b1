//! What is kept of the games: PGN and final positions, whole pairs at a time.

mod comment;
mod date;
mod file;
mod game;

pub use comment::Details;
pub use file::LogFile;
pub(super) use file::other_match;
pub use game::{GameLabels, final_position, pgn};
