//! Hematite: a UCI chess engine and the bench around it, on one legality core.
//!
//! Layers point down: `cli` uses `engine`, `suite`, which use `search`, `uci`, which use
//! `notation`, which uses `chess`. `tests/layers.rs` keeps it so.

pub mod arena;
pub mod book;
pub mod chess;
pub mod cli;
pub mod client;
pub mod cpu;
pub mod database;
pub mod engine;
pub mod files;
pub mod nnue;
pub mod notation;
pub mod render;
pub mod rng;
pub mod search;
pub mod selfplay;
pub mod suite;
pub mod tablebase;
pub mod train;
pub mod tuner;
pub mod uci;
pub mod zone;
