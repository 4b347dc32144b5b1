//! EPD, a position with facts about it on one line (PGN standard, section 16.2).
//!
//! An [`Epd`] is the position and its [`Operation`]s: one variant for each opcode of section
//! 16.2.5 and the later `acd`, and one for all others, which are kept as they are. It is
//! displayed as the standard prescribes: operations in ASCII order of their opcodes, moves in
//! canonical SAN.
//!
//! [`parse_epd`] reads one record, [`EpdReader`] a file line by line.

mod centipawn_evaluation;
mod error;
mod level;
mod operand;
mod operation;
mod read;
mod read_moves;
mod read_operation;
mod reader;
mod record;
mod scan;
mod write;

pub use centipawn_evaluation::CentipawnEvaluation;
pub use error::{EpdError, EpdProblem};
pub use level::Level;
pub use operand::Operand;
pub use operation::{Correspondent, Operation};
pub use read::{EpdLine, parse_epd, parse_epd_line};
pub use reader::EpdReader;
pub use record::Epd;
