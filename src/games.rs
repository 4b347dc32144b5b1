//! What works with games: collections and queries, analysis, documents, the playing zone and other engines as processes;
//! the middle layers of Hematite as a crate of their own.
//!
//! It is compiled beside the crate `hematite`, which has all its modules as its own, as this one has those of
//! `hematite-core`. Tests optimize it, since it reads games; of the rest of the program they do not.

pub use hematite_core::{
    book, chess, cpu, files, nnue, notation, rng, search, selfplay, tablebase, train, tuner,
};

pub mod analysis;
pub mod client;
pub mod database;
pub mod render;
pub mod study;
pub mod uci;
pub mod zone;
