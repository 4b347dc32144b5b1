//! Suites of positions: reading them, running them, reporting.

pub mod epd;
pub mod perft;
