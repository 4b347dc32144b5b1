//! Text to chess and back: one grammar for each format.

mod excerpt;
mod fen;

pub use excerpt::Excerpt;
pub use fen::{Fen, FenError, FenField, PositionError, parse_fen, position_from_fen};
