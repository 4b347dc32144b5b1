//! `hematite completions` and `hematite man`.

use super::streams::OutputArg;
use super::{CliError, ExitStatus, NAME};
use crate::files::WriteError;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  hematite completions bash -o ~/.local/share/bash-completion/completions/hematite
  hematite completions zsh -o ~/.zfunc/_hematite
  hematite completions fish -o ~/.config/fish/completions/hematite.fish";

/// Print the completion script of a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(super) struct CompletionsArguments {
    /// Shell.
    shell: Shell,

    #[command(flatten)]
    target: OutputArg,
}

impl CompletionsArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The generator panics if a write fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut offered(), NAME, &mut script);
        let mut output = self.target.open(out)?;
        output.write_all(&script)?;
        output.finish()?;
        Ok(ExitStatus::Yes)
    }
}

/// The visible commands: the generator would also include hidden ones.
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
    /// Write a page for each command to this folder, which is made if it is missing.
    #[arg(long, value_name = "FOLDER")]
    out_dir: Option<PathBuf>,
}

impl ManArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // There is no page for `help`.
        let mut command = super::Arguments::command().disable_help_subcommand(true);
        command.build();
        let command = super::with_flowing_help(command);
        match self.out_dir {
            None => Man::new(command).render(&mut &mut *out)?,
            Some(folder) => fs::create_dir_all(&folder)
                .and_then(|()| clap_mangen::generate_to(command, &folder))
                .map_err(|error| WriteError::name(&folder, error))?,
        }
        Ok(ExitStatus::Yes)
    }
}
