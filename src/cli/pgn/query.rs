//! The query of a command, and the named queries of collections.

use crate::cli::streams::{Input, STDIN};
use crate::cli::{CliError, OpeningListArg};
use crate::database::{Collection, Query, is_collection};
use crate::files::PathExcerpt;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The games that a command counts.
#[derive(clap::Args, Clone, Debug)]
#[group(skip)]
pub(in crate::cli) struct QueryArg {
    #[command(flatten)]
    text: QueryText,

    #[command(flatten)]
    openings: OpeningListArg,
}

/// The text of a query, or its file.
#[derive(clap::Args, Clone, Debug)]
#[group(id = "QueryArg", multiple = false)]
struct QueryText {
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
        match (&self.text.query, &self.text.query_file) {
            (Some(text), _) => Ok(Some(("query".to_owned(), text.clone()))),
            (None, Some(path)) => Input::open(path)?.read_text().map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The query for these files, if there is one. It may refer to named queries of the collections among them.
    ///
    /// # Errors
    /// If the query cannot be read, or if one of the files does not exist and is a query.
    pub(in crate::cli) fn read(&self, files: &[PathBuf]) -> Result<Option<Query>, CliError> {
        check_files(files)?;
        let Some((name, text)) = self.text()? else { return Ok(None) };
        read_query(name, &text, files).map(Some)
    }
}

/// The names among these files that belong to no file.
fn missing(files: &[PathBuf]) -> impl Iterator<Item = &str> {
    let is_missing = |path: &&PathBuf| path.as_os_str() != STDIN && !path.exists();
    files.iter().filter(is_missing).filter_map(|path| path.to_str())
}

/// Refuses a query in the place of a file.
///
/// # Errors
/// [`CliError::Usage`] if a file does not exist and its name is a query.
fn check_files(files: &[PathBuf]) -> Result<(), CliError> {
    let is_query = |name: &&str| !name.trim().is_empty() && name.parse::<Query>().is_ok();
    match missing(files).find(is_query) {
        None => Ok(()),
        Some(name) => Err(CliError::Usage(format!(
            "there is no file {}, which is a query; this command takes queries as --query '{}'",
            PathExcerpt::new(Path::new(name)),
            name.escape_debug()
        ))),
    }
}

/// Refuses queries and names of players in the place of files.
///
/// # Errors
/// [`CliError::Usage`] if files do not exist and their names have no extension and no folder.
pub(super) fn check_names(files: &[PathBuf]) -> Result<(), CliError> {
    check_files(files)?;
    let is_plain = |name: &&str| !name.contains(['.', '/', std::path::MAIN_SEPARATOR]);
    let names: Vec<&str> = missing(files).filter(is_plain).collect();
    let option = match names[..] {
        [] => return Ok(()),
        [one, other] => format!("--between '{}' '{}'", one.escape_debug(), other.escape_debug()),
        _ => format!("--query 'player:\"{}\"'", names[0].escape_debug()),
    };
    let name = PathExcerpt::new(Path::new(names[0]));
    Err(CliError::Usage(format!("there is no file {name}; this command takes names of players as {option}")))
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
