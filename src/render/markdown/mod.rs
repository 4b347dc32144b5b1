//! Markdown: reading documents with directives, and writing games.

mod document;
mod game;
mod text;

pub use document::{Document, Part};
pub(super) use document::{Segment, is_safe, options, segments};
pub use game::{Diagrams, Written};
pub use text::{PICTURE, address, code_block, escape, finish};
