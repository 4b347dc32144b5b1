//! Ctrl-C.

use super::CliError;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a program that was told twice to stop, as shells have it.
const EXIT_INTERRUPTED: i32 = 130;

/// From now on the first Ctrl-C, or the system's polite request to end, sets the flag; the
/// second one ends the program at once.
///
/// # Errors
/// [`CliError::Usage`] if the system does not allow it.
pub(super) fn interruption() -> Result<Arc<AtomicBool>, CliError> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(EXIT_INTERRUPTED);
        }
    })
    .map_err(|error| CliError::Usage(format!("Ctrl-C cannot be caught: {error}")))?;
    Ok(is_interrupted)
}
