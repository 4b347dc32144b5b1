//! Endgame tables, with real files of up to four men.

mod faults;
mod games;
mod probing;
mod ranking;
mod referee;
pub(crate) mod sample;
