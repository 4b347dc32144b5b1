//! `hematite completions` and `hematite man`.

use super::{CliError, ExitStatus, NAME};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::path::PathBuf;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  hematite completions bash > ~/.local/share/bash-completion/completions/hematite
  hematite completions zsh > ~/.zfunc/_hematite
  hematite completions fish > ~/.config/fish/completions/hematite.fish";

/// Print the completion script of a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(super) struct CompletionsArguments {
    /// Shell.
    shell: Shell,
}

impl CompletionsArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The generator panics if a write fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut offered(), NAME, &mut script);
        out.write_all(&script)?;
        Ok(ExitStatus::Yes)
    }
}

/// The visible commands: the generator would also offer hidden ones.
fn offered() -> Command {
    let all = super::Arguments::command();
    let offered = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .args(all.get_arguments().cloned())
        .subcommands(offered)
}

const MAN_EXAMPLES: &str = "\
Examples:
  hematite man | man -l -
  hematite man --out-dir ~/.local/share/man/man1";

/// Print the manual page, or write the pages of all commands.
#[derive(clap::Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(super) struct ManArguments {
    /// Write a page for each command to this folder, which must exist.
    #[arg(long, value_name = "FOLDER")]
    out_dir: Option<PathBuf>,
}

impl ManArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let command = super::Arguments::command();
        match self.out_dir {
            None => Man::new(command).render(&mut &mut *out)?,
            Some(folder) => clap_mangen::generate_to(command, &folder).map_err(|error| CliError::Input {
                name: folder.display().to_string(),
                problem: error.to_string(),
            })?,
        }
        Ok(ExitStatus::Yes)
    }
}
