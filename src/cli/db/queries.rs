//! `hematite db queries`: named queries that are stored in a collection.

use super::{failed, open};
use crate::cli::streams::{Input, plain, write_json};
use crate::cli::{CliError, ExitStatus, signals};
use crate::database::{Change, Query};
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite db queries games.hdb --set french 'eco:C00..C19 white:tal'
  hematite pgn find query:french games.hdb
  hematite pgn tree --query 'query:french date>=1960' games.hdb
  hematite db queries games.hdb --delete french
  hematite db queries --json games.hdb

Without an option, the queries are printed. Wherever a command takes a query, query:NAME stands for one
that a collection among its files keeps, as if it stood there in parentheses. `hematite db undo` does not
change them. Exit code 1 if there is none to print or to delete.";

/// Keep queries in a collection, and show them.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// The folder of the collection.
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    /// Keep this query under this name; an older one of the name is replaced.
    #[arg(long, num_args = 2, allow_hyphen_values = true, value_names = ["NAME", "QUERY"], conflicts_with_all = ["set_file", "delete"])]
    set: Option<Vec<String>>,

    /// Keep the query of this file under this name.
    #[arg(long, num_args = 2, value_names = ["NAME", "FILE"], conflicts_with = "delete")]
    set_file: Option<Vec<String>>,

    /// Delete the query of this name.
    #[arg(long, value_name = "NAME")]
    delete: Option<String>,

    /// Write a JSON object with the queries.
    #[arg(long, conflicts_with_all = ["set", "set_file", "delete"])]
    json: bool,
}

impl Arguments {
    pub(in crate::cli) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let name = self.collection.display();
        if let Some([key, text]) = self.set.as_deref() {
            return self.keep("--set", key, format!("--set {key}"), text, out);
        }
        if let Some([key, path]) = self.set_file.as_deref() {
            let (file, text) = Input::open(path.as_ref())?.read_text()?;
            return self.keep("--set-file", key, file, &text, out);
        }
        if let Some(key) = &self.delete {
            let mut change = self.change()?;
            if !change.set_query(key, None) {
                writeln!(out, "{name}: there is no query {}", plain(key))?;
                return Ok(ExitStatus::No);
            }
            change.finish().map_err(|error| failed(&self.collection, &error))?;
            writeln!(out, "{name}: the query {} is deleted", plain(key))?;
            return Ok(ExitStatus::Yes);
        }
        let collection = open(&self.collection)?;
        let queries = collection.queries();
        if self.json {
            write_json(out, queries)?;
        } else {
            for (key, text) in queries {
                // A query of a file may have several lines.
                let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                writeln!(out, "{:<16}  {}", plain(key), plain(&line))?;
            }
        }
        Ok(if queries.is_empty() { ExitStatus::No } else { ExitStatus::Yes })
    }

    fn change(&self) -> Result<Change, CliError> {
        signals::install_handlers()?;
        Change::open(&self.collection).map_err(|error| failed(&self.collection, &error))
    }

    /// Stores a query if it can be read. Errors state the option or the file of the query.
    fn keep(
        &self,
        option: &str,
        key: &str,
        source: String,
        text: &str,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-');
        if key.is_empty() || !key.chars().all(is_name) {
            let problem =
                format!("{option}: found `{key}`, expected a name of letters, digits, `.`, `_` and `-`");
            return Err(CliError::Usage(problem));
        }
        // The query is checked together with the stored ones: it may not refer to itself through them.
        let mut queries = open(&self.collection)?.queries().clone();
        queries.insert(key.to_owned(), text.to_owned());
        Query::with_saved(text, &queries)
            .and_then(|_| Query::with_saved(&format!("query:{key}"), &queries))
            .map_err(|error| CliError::Input { name: source, problem: error.to_string() })?;
        let mut change = self.change()?;
        let is_other = change.set_query(key, Some(text.to_owned()));
        change.finish().map_err(|error| failed(&self.collection, &error))?;
        let what = if is_other { "is replaced" } else { "is kept" };
        writeln!(out, "{}: the query {key} {what}", self.collection.display())?;
        Ok(ExitStatus::Yes)
    }
}
