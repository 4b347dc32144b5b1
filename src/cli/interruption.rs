//! What happens when somebody wants the program to end: Ctrl-C, SIGTERM, SIGHUP.

use super::CliError;
use crate::files::remove_unfinished;
use crossbeam_channel::{Receiver, Sender, bounded, never};
use std::ops::ControlFlow;
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a program that was told to end at once, as shells have it.
const EXIT_INTERRUPTED: i32 = 130;

/// Has somebody asked for the end?
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Does the command look at that, and end in order?
static IS_WATCHED: AtomicBool = AtomicBool::new(false);
/// Who is told of it.
static ANNOUNCER: OnceLock<Sender<()>> = OnceLock::new();

/// Sees to it that the program leaves no unfinished file when it is interrupted.
///
/// # Errors
/// [`CliError::Usage`] if the system does not let us catch it.
pub(super) fn catch() -> Result<(), CliError> {
    static RESULT: OnceLock<Result<(), String>> = OnceLock::new();
    let result = RESULT.get_or_init(|| install(interrupt).map_err(|error| error.to_string()));
    result.clone().map_err(|error| CliError::Usage(format!("Ctrl-C cannot be caught: {error}")))
}

/// The same, for a command that ends in order: it has to look whether this has become true. Who
/// asks for the end a second time gets it at once.
///
/// # Errors
/// As [`catch`].
pub(super) fn watch() -> Result<&'static AtomicBool, CliError> {
    catch()?;
    IS_WATCHED.store(true, Ordering::Relaxed);
    Ok(&IS_INTERRUPTED)
}

/// Whether work goes on: not if the program is interrupted.
pub(super) fn flow(is_interrupted: &AtomicBool) -> ControlFlow<()> {
    if is_interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The same, for a session that waits for other things, too: it is told once. Where that is not to
/// be had, it never is, and the program ends as programs do.
pub(super) fn announced() -> Receiver<()> {
    let (sender, receiver) = bounded(1);
    if ANNOUNCER.set(sender).is_ok() && watch().is_ok() { receiver } else { never() }
}

fn interrupt() {
    let is_first = !IS_INTERRUPTED.swap(true, Ordering::Relaxed);
    if is_first && IS_WATCHED.load(Ordering::Relaxed) {
        if let Some(announcer) = ANNOUNCER.get() {
            let _ = announcer.try_send(()); // there is room for one
        }
        return;
    }
    remove_unfinished();
    process::exit(EXIT_INTERRUPTED);
}

#[cfg(unix)]
fn install(interrupt: fn()) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    // Whoever starts us with `nohup` does not want us to end with the terminal.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let listen = move || signals.forever().for_each(|_| interrupt());
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Has whoever started us told that this signal is to be ignored? Told by Linux; elsewhere, no.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn install(interrupt: fn()) -> std::io::Result<()> {
    ctrlc::set_handler(interrupt).map_err(std::io::Error::other)
}
