//! Hidden commands, which other commands start as processes of their own.

use super::{CliError, Verdict};
use crate::client::stand_guard;
use std::io;

/// The name of the command that kills the engines which a match runner leaves behind.
pub(super) const GUARD: &str = "guard";

/// Kill the process groups that are named on standard input when it ends.
#[derive(clap::Args, Debug)]
pub(super) struct GuardArguments {}

impl GuardArguments {
    pub(super) fn run(self) -> Result<Verdict, CliError> {
        stand_guard(io::stdin().lock());
        Ok(Verdict::Yes)
    }
}
