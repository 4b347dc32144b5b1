//! `hematite epd`: checks files of EPD records, and runs them as test suites.

mod check;
mod report;
mod reporter;
mod run;

use super::{CliError, ExitStatus};
use clap::Subcommand;
use std::io::Write;

/// Check EPD files, or run them as test suites.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(check::Arguments),
    Run(run::Arguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self.command {
            Command::Check(arguments) => arguments.run(out),
            Command::Run(arguments) => arguments.run(out),
        }
    }
}
