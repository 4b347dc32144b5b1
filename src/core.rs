//! What plays, searches and learns: the lower layers of Hematite as a crate of their own.
//!
//! It is compiled beside the crate `hematite`, which has all its modules as its own: two crates of half the size keep two
//! cores of the compiler busy, where one crate kept one.

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
