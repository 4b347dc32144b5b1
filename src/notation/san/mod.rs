//! SAN, the notation of moves in PGN and EPD (PGN standard, section 8.2.3).
//!
//! [`San`] writes it: canonical, long or with figurines. [`parse_san`] and [`SanReader`] read
//! it, and what real files hold in its place.

mod canonical;
mod error;
mod explain;
mod illegality;
mod letters;
mod read;
mod spelling;
mod turn;
mod write;

pub use error::SanError;
pub use illegality::Illegality;
pub use letters::Letters;
pub use read::{SanReader, parse_san};
pub use turn::Turn;
pub use write::{San, SanText};
