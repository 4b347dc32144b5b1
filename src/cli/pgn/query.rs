//! The query of a command, and the named queries of collections.

use crate::cli::CliError;
use crate::cli::streams::Input;
use crate::database::{Collection, Query, is_collection};
use crate::files::PathExcerpt;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The games that a command counts.
#[derive(clap::Args, Clone, Debug)]
#[group(multiple = false)]
pub(in crate::cli) struct QueryArg {
    /// Take only games that this query finds, such as 'player:tal date>=1960'; docs/queries.md has the language.
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<String>,

    /// Read the query from this file.
    #[arg(long, value_name = "FILE")]
    query_file: Option<PathBuf>,
}

impl QueryArg {
    /// The text of the query, and its name for errors.
    pub(super) fn text(&self) -> Result<Option<(String, String)>, CliError> {
        match (&self.query, &self.query_file) {
            (Some(text), _) => Ok(Some(("query".to_owned(), text.clone()))),
            (None, Some(path)) => Input::open(path)?.read_text().map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The query for these files, if there is one. It may refer to named queries of the collections among them.
    pub(in crate::cli) fn read(&self, files: &[PathBuf]) -> Result<Option<Query>, CliError> {
        let Some((name, text)) = self.text()? else { return Ok(None) };
        read_query(name, &text, files).map(Some)
    }
}

/// The text as a quoted string of a query.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The query of a command combined with terms of the command, which have this name in errors.
///
/// # Errors
/// As [`QueryArg::read`].
pub(super) fn with_terms(
    own: &QueryArg,
    name: &str,
    terms: &str,
    files: &[PathBuf],
) -> Result<Query, CliError> {
    // The user's query is parsed on its own first, so that an error has its own place.
    own.read(files)?;
    let text = match own.text()? {
        Some((_, own)) if !own.trim().is_empty() => format!("{terms} ({own}\n)"),
        _ => terms.to_owned(),
    };
    read_query(name.to_owned(), &text, files)
}

/// Parses a query for these files. It may refer to named queries of the collections among them; of equal names, that of
/// the first collection applies.
pub(in crate::cli) fn read_query(name: String, text: &str, files: &[PathBuf]) -> Result<Query, CliError> {
    /// The word that any reference to a named query contains.
    const NAMING: &str = "query";
    let mut saved = BTreeMap::new();
    // Most queries contain no reference, and opening a collection takes some time.
    if text.to_ascii_lowercase().contains(NAMING) {
        for folder in files.iter().rev().filter(|path| is_collection(path)) {
            let collection = Collection::open(folder).map_err(|error| CliError::Input {
                name: folder.display().to_string(),
                problem: error.to_string(),
            })?;
            saved.extend(collection.queries().clone());
        }
    }
    Query::with_saved(text, &saved).map_err(|error| match text.split_whitespace().next() {
        // A query may start with one hyphen, but rarely starts with two.
        Some(first) if first.starts_with("--") => {
            CliError::Usage(format!("found `{}`, which is no option of this command", first.escape_debug()))
        }
        Some(_) if Path::new(text).exists() => CliError::Usage(format!(
            "found the file {}, expected a query before the files, such as 'result:1-0'; '' finds all games",
            PathExcerpt::new(Path::new(text))
        )),
        _ => CliError::Input { name, problem: format!("{error}") },
    })
}
