//! What is kept of the games: PGN and final positions, whole pairs at a time.

mod comment;
mod date;
mod file;
mod game;
mod lock;

pub use comment::Details;
pub use file::LogFile;
pub use game::{GameLabels, final_position, pgn};
pub(super) use lock::lock;
