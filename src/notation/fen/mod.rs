//! FEN, the one-line description of a position (PGN standard, section 16.1), with the castling
//! fields of X-FEN and Shredder-FEN (<https://www.chessprogramming.org/Forsyth-Edwards_Notation>).
//!
//! [`parse_fen`] reads what is written, [`position_from_fen`] also demands that it is a chess
//! position, and [`Fen`] writes.

mod error;
mod position;
mod read;
mod write;

pub use error::{FenError, FenField, PositionError};
pub use position::position_from_fen;
pub use read::parse_fen;
pub use write::Fen;
