//! Collections and queries, analysis, documents, the playing zone, and other engines as processes: the middle layers of
//! Hematite as a crate of their own.
//!
//! The crate `hematite` exports all modules of this crate as its own, and this crate those of `hematite-core`. Tests
//! optimize this crate, since it reads games; they do not optimize the layers above.

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
