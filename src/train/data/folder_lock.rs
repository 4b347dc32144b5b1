//! Folders that one process at a time writes to.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Locked while a process writes to the folder.
const NAME: &str = "lock";

/// As long as there is this, no other process gets it.
#[derive(Debug)]
pub struct FolderLock(#[expect(dead_code, reason = "held, not used")] File);

impl FolderLock {
    /// Takes the lock of a folder; `None` if another process has it.
    ///
    /// # Errors
    /// If there can be no file for it.
    pub fn take(folder: &Path) -> io::Result<Option<Self>> {
        let file = File::create(folder.join(NAME))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
