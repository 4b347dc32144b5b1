//! What keeps two matches from one file.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};

/// Keeps other matches from a file as long as it is open.
///
/// # Errors
/// If another match does so. Where the system has no locks, there is none.
pub(in crate::arena) fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(ErrorKind::ResourceBusy, "another match writes this file"))
        }
        _ => Ok(()),
    }
}
