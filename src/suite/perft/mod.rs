//! Perft suites: positions with known numbers of leaves by depth.
//!
//! Three forms are read, even mixed in one file; blank lines and lines that start with `#`
//! are comments in all of them.
//!
//! ```text
//! 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191      an EPD line
//!
//! id pos-3                                                     a block
//! epd 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -
//! perft 1 14
//! perft 2 191
//!
//! pos-3→8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1→2→191        separated by tabs
//! ```

mod case;
mod cases;
mod error;
mod line;
mod run;

pub use case::{Case, Count, MAX_DEPTH};
pub use cases::{Cases, cases};
pub use error::{SuiteError, SuiteProblem};
pub use run::{Check, Listener, Summary, run};
