//! Locks shared by several processes.

use super::TempPath;
use super::open::make_folder_of;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Locks a file as long as it is open, and returns false if another process has locked it. Always true on systems
/// without locks.
pub fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// A lock for something that cannot be locked itself, such as a folder or a file that is replaced. The locked file has
/// no other use, and is removed on drop.
#[derive(Debug)]
pub struct LockFile {
    // Dropped first: the file is removed while it is locked.
    _provisional: TempPath,
    _file: File,
}

impl LockFile {
    /// Locks the file of this name, which is created with its folder if necessary; `None` if another process has locked
    /// it.
    ///
    /// # Errors
    /// If the file cannot be opened or created, or is not empty: then it is not a lock but a file of a user, which must
    /// not be removed.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        make_folder_of(path)?;
        loop {
            let file = File::options().write(true).create(true).truncate(false).open(path)?;
            if !lock(&file) {
                return Ok(None);
            }
            // The last owner of the lock may have removed the file that was just opened.
            if is_at(&file, path)? {
                if file.metadata()?.len() > 0 {
                    let name = path.file_name().unwrap_or_default().display();
                    let problem =
                        format!("`{name}` is not empty, expected no file of this name or an empty lock");
                    return Err(io::Error::new(ErrorKind::AlreadyExists, problem));
                }
                return Ok(Some(Self { _provisional: TempPath::new(path.to_owned()), _file: file }));
            }
        }
    }
}

/// Whether this open file is still the file of that name.
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

/// On other systems an open file keeps its name.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A path for one test.
    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("hematite-lock-file-{}-{name}", std::process::id()))
    }

    #[test]
    fn one_owner_at_a_time_and_no_file_is_left() {
        let path = path("one");
        for is_left_behind in [false, true] {
            if is_left_behind {
                fs::write(&path, "").expect("left by a killed process");
            }
            let taken = LockFile::take(&path).expect("it can be made").expect("it is not locked");
            assert!(LockFile::take(&path).expect("it can be opened").is_none(), "it is locked");
            drop(taken);
            assert!(!path.exists());
        }
        let file = std::env::current_exe().expect("the program is a file");
        assert!(LockFile::take(&file.join("lock")).is_err(), "a file is not a folder");
    }

    #[test]
    fn a_file_with_content_is_not_a_lock() {
        let path = path("content");
        fs::write(&path, "a note").expect("it can be written");
        let error = LockFile::take(&path).expect_err("it is somebody's file");
        assert!(error.to_string().contains("is not empty"), "{error}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("a note"));
        fs::remove_file(&path).expect("it is there");
    }

    /// Each owner removes the file that others are about to lock.
    #[test]
    fn it_passes_to_one_owner() {
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
