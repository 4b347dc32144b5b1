//! Where games begin: books of positions and of games, and the order in which they are used.

mod book;
mod epd;
mod file;
mod games;
mod order;
mod variant;

pub use book::{Book, BookError, BookFormat, Opening};
pub use order::{Order, Sequence};
pub use variant::Variant;
