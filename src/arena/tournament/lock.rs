//! What keeps two matches from one state.

use crate::arena::log::other_match;
use crate::files::{LockFile, check_regular};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// What is added to the name of a state for its lock.
const EXTENSION: &str = "lock";

/// Keeps other matches from a state, which need not be there yet. A state is replaced whenever it is saved, so a file
/// beside it is locked in its place.
///
/// # Errors
/// If another match has it, if there is something that cannot be a state, or if no file can be made beside it.
pub(super) fn lock_state(state: &Path) -> io::Result<LockFile> {
    // Nothing is to be made beside a device.
    check_regular(state)
        .or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
    // However it is called, it is the same state.
    let state = fs::canonicalize(state).unwrap_or_else(|_| state.to_owned());
    LockFile::take(&state.with_added_extension(EXTENSION))?.ok_or_else(other_match)
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
            let lock = lock_state(&state).expect("nobody else has it");
            for name in &other_names {
                let refused = lock_state(name).expect_err("it is locked");
                assert_eq!(refused.to_string(), "another match writes this file", "{is_there}");
            }
            fs::write(&state, "{}").expect("it can be written");
            drop(lock);
            let names = fs::read_dir(&folder).expect("it can be listed").count();
            assert_eq!(names, 1, "the state alone is left");
        }
        fs::write(folder.join("state.lock"), "").expect("left by somebody who was killed");
        assert!(lock_state(&state).is_ok());
        let refused = lock_state(&folder).expect_err("no file");
        assert_eq!(refused.to_string(), "a folder, expected a regular file");
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
