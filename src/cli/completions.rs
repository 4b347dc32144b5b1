//! `hematite completions`: what a shell needs to complete the arguments.

use super::{CliError, NAME, Verdict};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite completions bash > ~/.local/share/bash-completion/completions/hematite
  hematite completions zsh > ~/.zfunc/_hematite
  hematite completions fish > ~/.config/fish/completions/hematite.fish";

/// Write the completions of a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The shell.
    shell: Shell,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        // The generator does not expect writing to fail.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Arguments::command(), NAME, &mut script);
        out.write_all(&script)?;
        Ok(Verdict::Yes)
    }
}
