//! Puzzles.
mod motifs;
mod patterns;
mod themes;
pub use themes::Theme;
