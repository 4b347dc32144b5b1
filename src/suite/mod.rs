//! Suites of positions: reading them, running them, and their results.

pub mod epd;
pub mod perft;
