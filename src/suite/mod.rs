//! Suites of positions: reading, running and results.

pub mod epd;
pub mod perft;
