//! LaTeX: documents of games for the packages xskak and chessboard.

mod board;
mod document;
mod game;
mod paper;
mod text;

pub use board::board;
pub use paper::Paper;
pub use text::{code, escape, heading};
