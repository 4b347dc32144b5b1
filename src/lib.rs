//! Hematite: a UCI chess engine and the bench around it, on one legality core.
//!
//! Modules use only those below them, as `ARCHITECTURE.md` shows; `tests/layers.rs` keeps it so.

// The engine alone leaves out commands, but not the modules that they share with the others.
#![cfg_attr(not(all(feature = "workbench", feature = "training")), allow(dead_code))]

pub use hematite_games::{
    analysis, book, chess, client, cpu, database, files, nnue, notation, render, rng, search, selfplay,
    study, tablebase, train, tuner, uci, zone,
};

pub mod arena;
#[cfg(feature = "board")]
pub mod board;
pub mod cli;
pub mod engine;
pub mod suite;
