//! What one process at a time may have.

use super::Provisional;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Keeps others from a file as long as it is open. False if somebody else does so. Where the system has no locks,
/// nobody does.
pub fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Stands for what cannot be locked itself, such as a folder, or a file that is replaced: others are kept from that as
/// long as this lives. The file that is locked in its place has no other use, and is removed in the end.
#[derive(Debug)]
pub struct LockFile {
    // Dropped first: a file is removed only by the one who has it locked.
    _provisional: Provisional,
    _file: File,
}

impl LockFile {
    /// Locks the file of this name, which need not be there yet; `None` if somebody else has it.
    ///
    /// # Errors
    /// If there can be no such file.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let file = File::options().write(true).create(true).truncate(false).open(path)?;
            if !lock(&file) {
                return Ok(None);
            }
            // Whoever had it until now may have removed what we have opened.
            if is_at(&file, path)? {
                return Ok(Some(Self { _provisional: Provisional::new(path.to_owned()), _file: file }));
            }
        }
    }
}

/// Is this still the file of that name?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(found) => Ok(identity(found) == identity(file.metadata()?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Elsewhere a file that somebody has open keeps its name.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A name that no other test has.
    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("hematite-lock-file-{}-{name}", std::process::id()))
    }

    #[test]
    fn one_at_a_time_has_it_and_nothing_is_left() {
        let path = path("one");
        for is_left_behind in [false, true] {
            if is_left_behind {
                fs::write(&path, "").expect("left by somebody who was killed");
            }
            let taken = LockFile::take(&path).expect("it can be made").expect("nobody else has it");
            assert!(LockFile::take(&path).expect("it can be opened").is_none(), "it is locked");
            drop(taken);
            assert!(!path.exists());
        }
        assert!(LockFile::take(&path.join("missing")).is_err(), "there is no such folder");
    }

    /// Everybody who has it for a moment removes the file that others are about to lock.
    #[test]
    fn it_is_handed_on_to_one() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        const HOLDERS: usize = 4;
        const ATTEMPTS: usize = 500;
        let path = path("hand");
        let holders = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..HOLDERS {
                scope.spawn(|| {
                    for _ in 0..ATTEMPTS {
                        let Ok(Some(_lock)) = LockFile::take(&path) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        holders.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
