//! `hematite guard`: kills the engines that a match runner leaves behind. The runner starts it.

use super::{CliError, Verdict};
use crate::client::stand_guard;
use std::io;

/// The name of the command.
pub(super) const NAME: &str = "guard";

/// Kill the groups of processes that are named on standard input, when it ends.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {}

impl Arguments {
    pub(super) fn run(self) -> Result<Verdict, CliError> {
        stand_guard(io::stdin().lock());
        Ok(Verdict::Yes)
    }
}
