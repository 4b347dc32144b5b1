//! Hematite: a UCI chess engine and the bench around it, on one legality core.
//!
//! Layers point down: `cli` uses `engine`, `suite`, which use `search`, `uci`, which use
//! `notation`, which uses `chess`. `tests/layers.rs` keeps it so.

pub use hematite_core::{
    book, chess, cpu, files, nnue, notation, rng, search, selfplay, tablebase, train, tuner,
};

pub mod analysis;
pub mod arena;
#[cfg(feature = "board")]
pub mod board;
pub mod cli;
pub mod client;
pub mod database;
pub mod engine;
pub mod render;
pub mod suite;
pub mod uci;
pub mod zone;
