//! Suites of positions: reading them, running them, reporting.

pub mod perft;
