//! Engine against engine: games over UCI, and the statistics of their results.
//!
//! [`statistics`] computes Elo, error bars and the verdict of a sequential test from results.

pub mod check;
pub mod config;
pub mod game;
pub mod log;
pub mod opening;
mod scalar;
pub mod schedule;
pub mod statistics;
pub mod tournament;
