//! SAN, the notation of moves in PGN and EPD (PGN standard, section 8.2.3).
//!
//! [`San`] writes it: canonical, long or with figurines. [`parse_san`] and [`SanReader`] read
//! it, and what real files hold in its place:
//!
//! | read | for example |
//! |---|---|
//! | canonical SAN | `Nf3`, `exd5`, `R1xd2+`, `e8=Q#`, `O-O` |
//! | too few or too many signs | `Nxf3` without a capture, `ed5`, `e8Q`, `e8(Q)`, `Nf3++`, `Qd1 +` |
//! | more origin than needed, or less where only one move is legal | `Ng1f3`, `d5` for `exd5` |
//! | other castling signs | `0-0`, `o-o-o`, `OO` |
//! | the pawn's letter, en passant | `Pe4`, `exd6e.p.` |
//! | long algebraic notation and UCI moves | `e2-e4`, `Ng1xf3`, `e7e8q`, `e1g1` |
//! | annotations | `Nf3!?` |
//! | other case where it is unambiguous | `nf3`, `bc4` (a pawn's move if there is one), `E2-E4` |
//! | figurines | `♘f3` |
//! | null moves | `--`, `Z0`, `0000` |
//! | the piece letters of another language, if asked for | `Sf3` ([`Letters`]) |

mod annotation;
mod canonical;
mod error;
mod explain;
mod illegality;
mod letters;
mod read;
mod spelling;
mod turn;
mod write;

pub use annotation::Annotation;
pub use error::SanError;
pub use illegality::Illegality;
pub use letters::Letters;
pub use read::{SanReader, parse_san};
pub use turn::Turn;
pub use write::{San, SanText};
