//! Endgame tablebases, with real files of up to four pieces.

mod faults;
mod games;
mod probing;
mod ranking;
mod referee;
pub(crate) mod sample;
