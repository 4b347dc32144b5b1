//! The sources of a collection: whether their files are unchanged, and the removal of a source.

use super::{DeletedGames, WholeCollection, failed, open};
use crate::cli::streams::{plain, write_json};
use crate::cli::{CliError, ExitStatus};
use crate::database::{FileState, SourceComparison, SourceInfo};
use crate::notation::pluralize;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  hematite db remove games.hdb old.pgn
  hematite db remove --dry-run games.hdb archive/1993.pgn

Games are marked as deleted: `hematite db undo` restores them, and `hematite db compact` removes them for good. Exit code 1 if no
game of the source is left.";

/// Delete all games that were added from one file.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct RemoveArguments {
    #[command(flatten)]
    whole: WholeCollection,

    /// The name of the source, as `hematite db info` shows it; that of the file alone if only one source has it.
    #[arg(value_name = "SOURCE")]
    source: String,

    /// Only print how many games there are.
    #[arg(long)]
    dry_run: bool,

    /// Write a JSON object with the number of games.
    #[arg(long)]
    json: bool,
}

impl RemoveArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let whole = &self.whole;
        let fail = |error| failed(&whole.collection, &error);
        let change = whole.change()?;
        let collection = open(&whole.collection)?;
        let names: Vec<&str> = collection.sources().map(|origin| &*origin.name).collect();
        let source = chosen(&names, &self.source)?;
        let meant: Vec<usize> = (0..names.len()).filter(|&index| names[index] == source).collect();
        let marks = collection.marks_of(&meant).map_err(fail)?;
        let deleted = whole.delete(marks, change, self.dry_run)?;
        let (name, games) = (whole.collection.display(), pluralize(deleted, "game"));
        if self.json {
            write_json(out, &DeletedGames { deleted, dry_run: self.dry_run })?;
        } else {
            let what = if self.dry_run { "would be deleted" } else { "deleted" };
            writeln!(out, "{name}: {games} of {} {what}", plain(&source))?;
        }
        Ok(if deleted > 0 { ExitStatus::Yes } else { ExitStatus::No })
    }
}

/// The full name of the source `wanted`, which may be stated without its folder; an error unless it is unique.
fn chosen(names: &[&str], wanted: &str) -> Result<String, CliError> {
    if names.contains(&wanted) {
        return Ok(wanted.to_owned());
    }
    let has_name = |name: &&&str| Path::new(name).file_name().is_some_and(|file| file == wanted);
    let found: BTreeSet<&str> = names.iter().filter(has_name).copied().collect();
    let list = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(", ");
    match found.len() {
        1 => Ok(list(&found)),
        0 => {
            let all: BTreeSet<&str> = names.iter().copied().collect();
            Err(CliError::Usage(format!("found no source `{wanted}`, expected one of {}", list(&all))))
        }
        _ => Err(CliError::Usage(format!(
            "found several sources of the name `{wanted}`, expected one of {}",
            list(&found)
        ))),
    }
}

/// A source, and the state of its file.
#[derive(Serialize)]
struct CheckedSource {
    #[serde(flatten)]
    source: SourceInfo,
    state: FileState,
}

#[derive(Serialize)]
struct CheckedSources {
    sources: Vec<CheckedSource>,
}

/// Reports for each source whether its file is unchanged since games were added from it.
pub(super) fn check(collection: &Path, as_json: bool, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
    let info = open(collection)?.info().map_err(|error| failed(collection, &error))?;
    let mut comparison = SourceComparison::default();
    let sources: Vec<CheckedSource> = info
        .sources
        .into_iter()
        .filter(|source| source.games > source.deleted)
        .map(|source| {
            let file = source.origin.file.as_ref();
            let state = file.map_or(FileState::Unknown, |file| comparison.state(file));
            CheckedSource { source, state }
        })
        .collect();
    let is_other = |state| matches!(state, FileState::Changed | FileState::Missing | FileState::Unreadable);
    let others = sources.iter().filter(|source| is_other(source.state)).count();
    let answer = if others > 0 { ExitStatus::No } else { ExitStatus::Yes };
    if as_json {
        write_json(out, &CheckedSources { sources })?;
        return Ok(answer);
    }
    for CheckedSource { source, state } in &sources {
        let word = match state {
            FileState::Same => "same",
            FileState::Changed => "changed",
            FileState::Missing => "missing",
            FileState::Unreadable => "unreadable",
            FileState::Unknown => "unknown",
        };
        let games = source.games - source.deleted;
        writeln!(out, "{word:<10}  {}  {games:>9}  {}", source.origin.added, plain(&source.origin.name))?;
    }
    Ok(answer)
}
