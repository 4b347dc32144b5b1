//! What plays, searches and learns: the lower layers of Hematite as a crate of their own.
//!
//! Millions of moves run through them even in tests, so that they are optimized there. What is above them is not, which
//! saves most of the time of the compiler. The crate `hematite` has all their modules as its own.

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
