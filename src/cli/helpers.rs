//! Hidden commands, which other commands start as processes of their own.

use super::{CliError, ExitStatus};
use crate::client::{Launcher, stand_guard};
use std::io;

/// The name of the command that kills the engines which a match runner leaves behind.
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
