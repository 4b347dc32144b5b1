//! The rules, notation, search, network and training: the lower layers of Hematite as a crate of their own.
//!
//! The crate `hematite` exports all modules of this crate as its own. Two crates keep two cores of the compiler busy.

pub mod book;
pub mod chess;
pub mod cpu;
pub mod files;
pub mod nnue;
pub mod notation;
pub mod rng;
pub mod search;
pub mod selfplay;
pub mod tablebase;
pub mod train;
pub mod tuner;
