//! The thread that writes to an engine.

use crossbeam_channel::{Sender, bounded};
use std::io::{self, Write};
use std::thread;

/// How many lines may wait until the engine reads them: more than are sent while nothing is
/// awaited of it, and few enough not to fill our memory.
const QUEUE: usize = 4096;

/// Starts a thread that writes the lines it is sent, so that an engine which does not read can
/// make nobody else wait. It closes the input when there is nobody to send any more, and ends
/// when the engine does.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn spawn_writer(mut input: impl Write + Send + 'static) -> io::Result<Sender<String>> {
    let (sender, lines) = bounded::<String>(QUEUE);
    thread::Builder::new().name("engine input".to_owned()).spawn(move || {
        for mut line in lines {
            line.push('\n');
            if input.write_all(line.as_bytes()).is_err() {
                break;
            }
        }
    })?;
    Ok(sender)
}
