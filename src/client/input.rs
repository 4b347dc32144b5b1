//! What an engine is told.

use crossbeam_channel::{Sender, bounded};
use std::io::{self, Write};
use std::process::ChildStdin;
use std::thread;

/// How many lines may wait until the engine reads them: more than are sent while nothing is
/// awaited of it, and few enough not to fill our memory.
const QUEUE: usize = 4096;

/// The standard input of an engine, which closes when this is dropped. An engine that does not
/// read can make nobody wait.
pub(super) enum Input {
    /// Lines are written at once, without waiting: there is room for many kilobytes.
    #[cfg(unix)]
    Direct(ChildStdin),
    /// There was no room any more, or the system cannot do that: a thread writes, and waits. It
    /// ends when the engine does.
    Queued(Sender<Vec<u8>>),
}

impl Input {
    /// Takes over the pipe to an engine that has just been started.
    ///
    /// # Errors
    /// If the system cannot write without waiting, or not start a thread.
    pub(super) fn new(pipe: ChildStdin) -> io::Result<Self> {
        #[cfg(unix)]
        {
            rustix::io::ioctl_fionbio(&pipe, true)?;
            Ok(Self::Direct(pipe))
        }
        #[cfg(not(unix))]
        spawn_writer(pipe).map(Self::Queued)
    }

    /// Sends a line. `None` if that cannot be done any more: the engine has ended, or leaves more
    /// unread than anybody would say.
    pub(super) fn send(self, line: &str) -> Option<Self> {
        let line = format!("{line}\n").into_bytes();
        match self {
            #[cfg(unix)]
            Self::Direct(mut pipe) => {
                let written = write_without_waiting(&mut pipe, &line)?;
                if written == line.len() {
                    return Some(Self::Direct(pipe));
                }
                rustix::io::ioctl_fionbio(&pipe, false).ok()?;
                enqueue(spawn_writer(pipe).ok()?, line[written..].to_vec())
            }
            Self::Queued(lines) => enqueue(lines, line),
        }
    }
}

/// Leaves bytes to the thread, unless too much waits already.
fn enqueue(lines: Sender<Vec<u8>>, bytes: Vec<u8>) -> Option<Input> {
    lines.try_send(bytes).ok()?;
    Some(Input::Queued(lines))
}

/// Writes as much as there is room for, and tells how many bytes that were; `None` if nobody can
/// read them.
#[cfg(unix)]
fn write_without_waiting(pipe: &mut ChildStdin, bytes: &[u8]) -> Option<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match pipe.write(&bytes[written..]) {
            Ok(0) => return None,
            Ok(more) => written += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(_) => return None,
        }
    }
    Some(written)
}

/// Starts a thread that writes what it is sent, and waits as long as it takes.
fn spawn_writer(mut pipe: ChildStdin) -> io::Result<Sender<Vec<u8>>> {
    let (sender, pieces) = bounded::<Vec<u8>>(QUEUE);
    thread::Builder::new().name("engine input".to_owned()).spawn(move || {
        for bytes in pieces {
            if pipe.write_all(&bytes).is_err() {
                break;
            }
        }
    })?;
    Ok(sender)
}
