//! `hematite man`: the manual pages.

use super::{CliError, Verdict};
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite man | man -l -
  hematite man --out-dir ~/.local/share/man/man1";

/// Write the manual page, or those of all commands.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Write a page for each command to this folder, which must exist.
    #[arg(long, value_name = "FOLDER")]
    out_dir: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        let command = super::Arguments::command();
        match self.out_dir {
            None => Man::new(command).render(&mut &mut *out)?,
            Some(folder) => clap_mangen::generate_to(command, &folder).map_err(|error| CliError::Input {
                name: folder.display().to_string(),
                problem: error.to_string(),
            })?,
        }
        Ok(Verdict::Yes)
    }
}
