//! What keeps two matches from one state.

use crate::arena::log::lock;
use crate::files::{Provisional, check_regular};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Keeps other matches from a state as long as it lives. A state is replaced whenever it is saved, so a file beside it
/// is locked in its place, which is removed in the end.
#[derive(Debug)]
pub(super) struct StateLock {
    // Dropped first: a file is removed only by the match that has it locked.
    _provisional: Provisional,
    _file: File,
}

/// What is added to the name of a state for its lock.
const EXTENSION: &str = "lock";

impl StateLock {
    /// Locks a state, which need not be there yet.
    ///
    /// # Errors
    /// If another match has it, if there is something that cannot be a state, or if no file can be made beside it.
    pub(super) fn new(state: &Path) -> io::Result<Self> {
        // Nothing is to be made beside a device.
        check_regular(state)
            .or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
        // However it is called, it is the same state.
        let state = fs::canonicalize(state).unwrap_or_else(|_| state.to_owned());
        let path = state.with_added_extension(EXTENSION);
        loop {
            let file = File::options().write(true).create(true).truncate(false).open(&path)?;
            lock(&file)?;
            // Whoever had it until now may have removed what we have opened.
            if is_at(&file, &path)? {
                return Ok(Self { _provisional: Provisional::new(path), _file: file });
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

    #[test]
    fn a_state_belongs_to_one_match_at_a_time() {
        let folder = std::env::temp_dir().join(format!("hematite-state-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let state = folder.join("state");
        let other_names = [folder.join("./state"), state.clone()];
        for is_there in [false, true] {
            let lock = StateLock::new(&state).expect("nobody else has it");
            for name in &other_names {
                let refused = StateLock::new(name).expect_err("it is locked");
                assert_eq!(refused.to_string(), "another match writes this file", "{is_there}");
            }
            fs::write(&state, "{}").expect("it can be written");
            drop(lock);
            let names = fs::read_dir(&folder).expect("it can be listed").count();
            assert_eq!(names, 1, "the state alone is left");
        }
        fs::write(folder.join("state.lock"), "").expect("left by somebody who was killed");
        assert!(StateLock::new(&state).is_ok());
        let refused = StateLock::new(&folder).expect_err("no file");
        assert_eq!(refused.to_string(), "a folder, expected a regular file");
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    /// Everybody who has it for a moment removes the file that others are about to lock.
    #[test]
    fn a_lock_is_handed_on_to_one() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        const HOLDERS: usize = 4;
        const ATTEMPTS: usize = 500;
        let state = std::env::temp_dir().join(format!("hematite-state-hand-{}", std::process::id()));
        let holders = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..HOLDERS {
                scope.spawn(|| {
                    for _ in 0..ATTEMPTS {
                        let Ok(_lock) = StateLock::new(&state) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        holders.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
