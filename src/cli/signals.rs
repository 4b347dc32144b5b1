//! The end of the process: Ctrl-C, SIGTERM and SIGHUP, and the hidden command that ends remaining engines.

use super::outcome::{CliError, ExitStatus};
use super::terminal;
use crate::client::{Launcher, stand_guard};
use crate::files::remove_temporary_files;
use crossbeam_channel::{Receiver, Sender, bounded, never};
use once_cell::sync::OnceCell;
use std::io;
use std::ops::ControlFlow;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of an interrupted program, as in shells.
const EXIT_INTERRUPTED: i32 = 130;

/// Whether the program has been interrupted.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the command checks [`IS_INTERRUPTED`] and ends cleanly.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);
/// Sends the interruption to a session.
static ANNOUNCER: OnceCell<Sender<()>> = OnceCell::new();

/// Removes temporary files when the program is interrupted.
///
/// # Errors
/// [`CliError::Failed`] if the signal handlers cannot be installed.
pub(super) fn install_handlers() -> Result<(), CliError> {
    static RESULT: OnceCell<Result<(), String>> = OnceCell::new();
    let result = RESULT.get_or_init(|| install(interrupt).map_err(|error| error.to_string()));
    result.clone().map_err(|error| CliError::Failed(format!("Ctrl-C cannot be caught: {error}")))
}

/// Installs handlers for a command that ends cleanly: it must check whether the flag becomes true. A second
/// interruption ends the program at once.
///
/// # Errors
/// As [`catch`].
pub(super) fn interrupted_flag() -> Result<&'static AtomicBool, CliError> {
    install_handlers()?;
    IS_WATCHED.store(true, Ordering::Relaxed);
    Ok(&IS_INTERRUPTED)
}

/// Whether work continues: a break if the program is interrupted.
pub(super) fn flow(is_interrupted: &AtomicBool) -> ControlFlow<()> {
    if is_interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Installs handlers for a session that also waits for other events: the receiver gets one message. If handlers cannot
/// be installed, it gets none, and a signal ends the program as usual.
pub(super) fn interrupts() -> Receiver<()> {
    let (sender, receiver) = bounded(1);
    if ANNOUNCER.set(sender).is_ok() && interrupted_flag().is_ok() { receiver } else { never() }
}

fn interrupt() {
    let is_first = !IS_INTERRUPTED.swap(true, Ordering::Relaxed);
    if is_first && IS_WATCHED.load(Ordering::Relaxed) {
        if let Some(announcer) = ANNOUNCER.get() {
            let _ = announcer.try_send(()); // there is room for one
        }
        return;
    }
    remove_temporary_files();
    terminal::restore();
    process::exit(EXIT_INTERRUPTED);
}

#[cfg(unix)]
fn install(interrupt: fn()) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    // A program that was started with `nohup` must not end with its terminal.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let listen = move || signals.forever().for_each(|_| interrupt());
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Whether the parent process set this signal to be ignored (`nohup`). Always false outside Linux.
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

/// The name of the command that kills the engines of a match runner that has ended.
const GUARD: &str = "guard";

/// A launcher of engines whose guard is a command of this program.
pub(super) fn launcher() -> Launcher {
    match std::env::current_exe() {
        Ok(program) => Launcher::guarded(&program, GUARD),
        Err(_) => Launcher::new(),
    }
}

/// Kill the process groups that are named on standard input when it ends.
#[derive(clap::Args, Debug)]
pub(super) struct GuardArguments {}

impl GuardArguments {
    pub(super) fn run(self) -> Result<ExitStatus, CliError> {
        stand_guard(io::stdin().lock());
        Ok(ExitStatus::Yes)
    }
}
