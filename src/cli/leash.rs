//! `hematite leash`: becomes another program, which dies with the one that started it. The
//! match runner starts engines so.

use super::{CliError, Verdict};
use crate::client::join_leash;
use std::path::PathBuf;

/// The name of the command.
pub(super) const NAME: &str = "leash";

/// Become another program, to be killed when the parent process ends.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    /// The number of the parent process.
    parent: u32,
    /// The program.
    program: PathBuf,
    /// Its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self) -> Result<Verdict, CliError> {
        let problem = join_leash(self.parent, &self.program, &self.arguments).to_string();
        Err(CliError::Input { name: self.program.display().to_string(), problem })
    }
}
