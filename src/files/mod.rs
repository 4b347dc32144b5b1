//! Files: what is compressed is read as if it were not, and what is written is there when it is
//! complete, or not at all.

mod compressed;
mod new_file;

pub use compressed::{EXTENSIONS, decompressed};
pub use new_file::{NewFile, remove_unfinished};
