//! Files: what is compressed is read as if it were not, and what is written is there when it is
//! complete, or not at all. What is no regular file can be told before it is opened, and what one process
//! at a time may have is locked.

mod compressed;
mod lock_file;
mod new_file;
mod path_excerpt;
mod regular;
mod unfinished;

pub use compressed::{EXTENSIONS, decompressed};
pub use lock_file::{LockFile, lock};
pub use new_file::{NewFile, name_to_be};
pub use path_excerpt::PathExcerpt;
pub use regular::{check_regular, open_regular};
pub use unfinished::{Provisional, remove_unfinished};
