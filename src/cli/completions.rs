//! `hematite completions`: what a shell needs to complete the arguments.

use super::{CliError, NAME, Verdict};
use clap::{Command, CommandFactory};
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
        clap_complete::generate(self.shell, &mut offered(), NAME, &mut script);
        out.write_all(&script)?;
        Ok(Verdict::Yes)
    }
}

/// What a person may want to call: the generator would offer hidden commands, too.
fn offered() -> Command {
    let all = super::Arguments::command();
    let offered = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .args(all.get_arguments().cloned())
        .subcommands(offered)
}
