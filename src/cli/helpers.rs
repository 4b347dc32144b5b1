//! Hidden commands, which other commands start as processes of their own.

use super::{CliError, ExitStatus};
use crate::client::stand_guard;
use std::io;

/// The name of the command that kills the engines which a match runner leaves behind.
pub(super) const GUARD: &str = "guard";

/// Kill the process groups that are named on standard input when it ends.
#[derive(clap::Args, Debug)]
pub(super) struct GuardArguments {}

impl GuardArguments {
    pub(super) fn run(self) -> Result<ExitStatus, CliError> {
        stand_guard(io::stdin().lock());
        Ok(ExitStatus::Yes)
    }
}
