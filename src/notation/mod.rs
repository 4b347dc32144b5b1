//! Text to chess and back: one grammar for each format.

pub mod eco;
mod epd;
mod excerpt;
mod fen;
pub mod pgn;
mod san;
mod uci_move;

pub use epd::{
    CentipawnEvaluation, Correspondent, Epd, EpdError, EpdLine, EpdProblem, EpdReader, Level, Operand,
    Operation, parse_epd, parse_epd_line,
};
pub use excerpt::Excerpt;
pub use fen::{Fen, FenError, FenField, PositionError, parse_fen, position_from_fen};
pub use san::{Illegality, Letters, San, SanError, SanReader, SanText, Turn, parse_san};
pub use uci_move::{CastlingStyle, UciMove, UciMoveError, parse_uci_move};
