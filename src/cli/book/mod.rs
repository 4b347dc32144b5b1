//! `hematite book`: opening books in the Polyglot format.

mod info;
mod make;
mod show;

use super::input::Input;
use super::{CliError, Verdict};
use crate::book::Book;
use std::io::Write;
use std::path::Path;

/// Show and make opening books in the Polyglot format (.bin).
#[derive(clap::Subcommand, Debug)]
pub(super) enum Command {
    Info(info::Arguments),
    Show(show::Arguments),
    Make(make::Arguments),
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        match self {
            Self::Info(arguments) => arguments.run(out),
            Self::Show(arguments) => arguments.run(out),
            Self::Make(arguments) => arguments.run(out),
        }
    }
}

/// Reads a book, compressed or not.
fn open(path: &Path) -> Result<Book, CliError> {
    let Input { name, reader } = Input::open(path)?;
    Book::read(reader).map_err(|error| CliError::Input { name, problem: error.to_string() })
}
