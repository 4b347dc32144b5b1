//! FEN, the one-line description of a position (PGN standard, section 16.1), with the castling
//! fields of X-FEN and Shredder-FEN (<https://www.chessprogramming.org/Forsyth-Edwards_Notation>).
//!
//! | field | read |
//! |---|---|
//! | piece placement | eight ranks of piece letters and numbers of empty squares |
//! | side to move | `w`, `b` |
//! | castling rights | `-`, or in any order `KQkq` (the outermost rook of that wing) and file letters |
//! | en passant square | `-`, or the square that a pawn has just passed |
//! | half-move clock | 0 to 65535; may be missing together with the next: 0 |
//! | full-move number | 0 to 65535; may be missing: 1 |
//!
//! Any white space separates the fields. [`parse_fen`] reads what is written, and
//! [`position_from_fen`] also demands that it is a chess position.

mod error;
mod read;
mod write;

pub use error::{FenError, FenField, PositionError};
pub use read::{parse_fen, position_from_fen};
pub use write::Fen;
