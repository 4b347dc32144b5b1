//! Text to chess and back: one grammar for each format.

mod excerpt;
mod fen;
mod uci_move;

pub use excerpt::Excerpt;
pub use fen::{Fen, FenError, FenField, PositionError, parse_fen, position_from_fen};
pub use uci_move::{CastlingStyle, UciMove, UciMoveError, parse_uci_move};
