//! `hematite db`: collections of games, which are queried without reading whole files.

mod edit;
mod queries;
mod sources;

use super::pgn::{
    DuplicatesArguments, ExportArguments as PgnExportArguments, Inputs, QueryArg, progress_bar, read_query,
};
use super::signals;
use super::streams::{IgnoreBrokenPipe, plain, write_json};
use super::values::{GameRange, JsonArg, integer_in};
use super::{CliError, ExitStatus, OpeningListArg};
use crate::database::{Change, Collection, Encoded, Info, Marks, Origin, Query, Source, SourceFile, Undone};
use crate::notation::pgn::GameBuilder;
use crate::notation::pluralize;
use crate::search::MAX_THREADS;
use indicatif::HumanBytes;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::ptr;

const CREATE_EXAMPLES: &str = "\
Examples:
  hematite db create games.hdb games.pgn
  hematite db create archive.hdb archive/ lichess.pgn.zst
  hematite pgn find player:tal games.pgn | hematite db create tal.hdb -

A collection is a folder that every `hematite pgn` command reads in place of a file of PGN, with the same
results. Games with errors are kept as they are. The collection is there when all games are in it; if a file
cannot be read to its end, it is not made. Exit code 2 then.";

const ADD_EXAMPLES: &str = "\
Examples:
  hematite db add games.hdb new.pgn
  hematite db add games.hdb other.hdb --quiet

A file that has been added before, whose games are still there, is refused if its content has not changed since; with
--again it is added all the same.

All games are added or, if a file cannot be read to its end, none. Readers see the state before until it
is done. One process at a time changes a collection.";

const INFO_EXAMPLES: &str = "\
Examples:
  hematite db info games.hdb
  hematite db info --json games.hdb";

const CHECK_EXAMPLES: &str = "\
Examples:
  hematite db check games.hdb
  hematite db check --json games.hdb
  hematite db check --sources games.hdb

Every checksum is verified and every game is read. Damage is a line that names the segment; the games of
the other segments can be read. Exit code 1 if there is any.

With --sources each file that games were added from is compared with what it was then, by its content: same, changed, missing,
unreadable, or unknown if games came from standard input. Exit code 1 if one is changed, missing or unreadable.";

const EXPORT_EXAMPLES: &str = "\
Examples:
  hematite db export games.hdb -o games.pgn
  hematite db export games.hdb --strip comments --sort | zstd > games.pgn.zst
  hematite db export --epd --eco games.hdb -o games.epd
  hematite db export --parquet tables games.hdb

This is `hematite pgn export` for a collection: the output is the same, byte for byte, as that for the
files that were added.";

const DELETE_EXAMPLES: &str = "\
Examples:
  hematite db delete games.hdb 'plies<5'
  hematite db delete games.hdb --games 3,10..20
  hematite db delete games.hdb --dry-run 'date:none'

Games are marked as deleted: no command reads them any more, `hematite db undo` restores them, and
`hematite db compact` removes them for good. Numbers are those of `hematite pgn find --list`. Exit code 1 if
there is no such game.";

const UNDO_EXAMPLES: &str = "\
Example:
  hematite db undo games.hdb

Each call undoes one more change: it removes games that `db add` added, and restores those that `db delete` deleted or
`db edit` changed. `db create`, and changes before the last `db compact`, cannot be undone. Exit code 1 if there is no
change to undo.";

const COMPACT_EXAMPLES: &str = "\
Example:
  hematite db compact games.hdb

Games that are marked as deleted are dropped, and small additions are joined. The collection is as before
if the command fails.";

/// Make collections of games, change, check and export them.
#[derive(clap::Subcommand, Debug)]
#[command(defer = true)]
pub(super) enum Command {
    Create(CreateArguments),
    Add(AddArguments),
    Info(InfoArguments),
    Check(CheckArguments),
    Export(ExportArguments),
    #[command(subcommand, after_help = edit::EXAMPLES)]
    Edit(edit::Command),
    Delete(DeleteArguments),
    Remove(sources::RemoveArguments),
    Duplicates(DuplicatesArguments),
    Undo(UndoArguments),
    Queries(queries::Arguments),
    Compact(CompactArguments),
}

/// Write the games of collections in the export format of the PGN standard.
#[derive(clap::Args, Debug)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(super) struct ExportArguments {
    #[command(flatten)]
    export: PgnExportArguments,
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // For the other commands, the change matters more than the output.
        if let Self::Export(arguments) = self {
            return arguments.export.run(out);
        }
        let out = &mut IgnoreBrokenPipe::new(out);
        match self {
            Self::Export(_) => unreachable!("it has run"),
            Self::Create(arguments) => arguments.run(out),
            Self::Add(arguments) => arguments.run(out),
            Self::Info(arguments) => arguments.run(out),
            Self::Check(arguments) => arguments.run(out),
            Self::Edit(command) => command.run(out),
            Self::Delete(arguments) => arguments.run(out),
            Self::Remove(arguments) => arguments.run(out),
            Self::Duplicates(arguments) => arguments.run(out),
            Self::Undo(arguments) => arguments.run(out),
            Self::Queries(arguments) => arguments.run(out),
            Self::Compact(arguments) => arguments.run(out),
        }
    }
}

/// Make a collection of games.
#[derive(clap::Args, Debug)]
#[command(after_help = CREATE_EXAMPLES)]
pub(super) struct CreateArguments {
    #[command(flatten)]
    added: Added,
}

/// Add games to a collection.
#[derive(clap::Args, Debug)]
#[command(after_help = ADD_EXAMPLES)]
pub(super) struct AddArguments {
    #[command(flatten)]
    added: Added,

    /// Add files again that have been added before and have not changed since.
    #[arg(long)]
    again: bool,
}

/// A collection, and the games to add to it.
#[derive(clap::Args, Debug)]
struct Added {
    /// The folder of the collection, by custom NAME.hdb.
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    query: QueryArg,

    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,

    /// Write a JSON object with the numbers of games and sources.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

/// The options for reading a whole collection.
#[derive(clap::Args, Debug)]
struct WholeCollection {
    /// The folder of the collection.
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    /// Threads to read with [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: Option<u16>,
}

/// Show the games, the size and the sources of a collection.
#[derive(clap::Args, Debug)]
#[command(after_help = INFO_EXAMPLES)]
pub(super) struct InfoArguments {
    /// The folder of the collection.
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    #[command(flatten)]
    json: JsonArg,
}

/// Verify every checksum of a collection and read every game.
#[derive(clap::Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub(super) struct CheckArguments {
    /// The folder of the collection.
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    /// Compare the files that games were added from with what they were then instead.
    #[arg(long)]
    sources: bool,

    #[command(flatten)]
    json: JsonArg,
}

/// Mark games of a collection as deleted.
#[derive(clap::Args, Debug)]
#[command(after_help = DELETE_EXAMPLES)]
pub(super) struct DeleteArguments {
    #[command(flatten)]
    whole: WholeCollection,

    /// The games that this query finds; docs/queries.md describes the language.
    #[arg(value_name = "QUERY", required_unless_present = "games", allow_hyphen_values = true)]
    query: Option<String>,

    /// The games with these numbers, such as 3,10..20.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', conflicts_with = "query")]
    games: Vec<GameRange>,

    /// Only print how many games there are.
    #[arg(long)]
    dry_run: bool,

    /// Write a JSON object with the number of games.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    openings: OpeningListArg,
}

/// Take back the latest change of a collection.
#[derive(clap::Args, Debug)]
#[command(after_help = UNDO_EXAMPLES)]
pub(super) struct UndoArguments {
    /// The folder of the collection.
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    /// Write a JSON object with what is gone and what is back.
    #[arg(long)]
    json: bool,
}

/// Drop games that are marked as deleted, and join small additions.
#[derive(clap::Args, Debug)]
#[command(after_help = COMPACT_EXAMPLES)]
pub(super) struct CompactArguments {
    #[command(flatten)]
    whole: WholeCollection,

    /// Write a JSON object with the sizes before and after.
    #[arg(long)]
    json: bool,
}

/// The error of a collection, with its path.
fn failed(collection: &Path, error: &io::Error) -> CliError {
    CliError::Input { name: collection.display().to_string(), problem: error.to_string() }
}

impl CreateArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        signals::install_handlers()?;
        let added = self.added;
        let change = Change::create(&added.collection).map_err(|error| failed(&added.collection, &error))?;
        added.run(change, out)
    }
}

impl AddArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        signals::install_handlers()?;
        let added = self.added;
        // From here on no other process adds the same files.
        let change = Change::open(&added.collection).map_err(|error| failed(&added.collection, &error))?;
        if !self.again {
            added.check_sources()?;
        }
        added.run(change, out)
    }
}

/// The games that have been added.
#[derive(Serialize)]
struct AddedGames {
    games: u64,
    games_with_errors: u64,
    sources: u64,
}

/// Games that have been deleted, or would be in a dry run.
#[derive(Serialize)]
struct DeletedGames {
    deleted: u64,
    dry_run: bool,
}

/// The change that `db undo` has undone.
#[derive(Serialize)]
struct UndoneChange {
    /// The time of the change that is undone; `None` if there was no change.
    time: Option<String>,
    /// The number of added games that were removed.
    gone: u64,
    /// The number of deleted games that were restored.
    back: u64,
}

/// The size of a collection before and after `db compact`.
#[derive(Serialize)]
struct Compacted {
    bytes_before: u64,
    bytes_after: u64,
}

impl Added {
    /// Refuses a file whose games are in the collection, and that has not changed since they were added.
    ///
    /// # Errors
    /// [`CliError::Usage`] for the first such file, or the error of the collection.
    fn check_sources(&self) -> Result<(), CliError> {
        let info = open(&self.collection)?.info().map_err(|error| failed(&self.collection, &error))?;
        let present = || info.sources.iter().filter(|source| source.games > source.deleted);
        for source in self.inputs.quiet_sources() {
            let Some(path) = source.path().and_then(|path| std::path::absolute(path).ok()) else { continue };
            let is_path = |origin: &Origin| origin.file.as_ref().is_some_and(|file| file.path == path);
            // The content is only read if it matters.
            if !present().any(|source| is_path(&source.origin)) {
                continue;
            }
            // A file that cannot be read is reported when its games are read.
            let Ok(Some(file)) = SourceFile::of(&source) else { continue };
            if let Some(known) = present().find(|source| source.origin.file.as_ref() == Some(&file)) {
                return Err(CliError::Usage(format!(
                    "{} was added to {} at {} and has not changed since, expected another file; --again adds its \
                     games a second time",
                    source.name(),
                    self.collection.display(),
                    known.origin.added
                )));
            }
        }
        Ok(())
    }

    fn run(self, mut change: Change, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let fail = |error: io::Error| failed(&self.collection, &error);
        let letters = self.inputs.letters();
        let query = self.query.read(self.inputs.files())?;
        let (mut games, mut with_errors, mut sources) = (0, 0, 0_u64);
        let mut latest: Option<(*const Source, usize)> = None;
        let end = self.inputs.read_to_store(
            |part, emit| part.reader.encode(letters, query.as_ref(), emit),
            &mut |source, _, block: Encoded| {
                games += block.games() as u64;
                with_errors += block.games_with_errors() as u64;
                let origin = match latest {
                    Some((of, origin)) if ptr::eq(of, source) => origin,
                    _ => {
                        sources += 1;
                        // A file that cannot be read is reported when its games are read.
                        change.add_origin(source.name(), SourceFile::of(source).unwrap_or_default())
                    }
                };
                latest = Some((ptr::from_ref(source), origin));
                change.add(block, origin).map_err(fail)?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        let status = end.status()?;
        if status != ExitStatus::Yes {
            let problem = "no game is added, since not all can be read";
            return Err(CliError::Input {
                name: self.collection.display().to_string(),
                problem: problem.to_owned(),
            });
        }
        change.finish().map_err(fail)?;
        if self.json {
            write_json(out, &AddedGames { games, games_with_errors: with_errors, sources })?;
        } else if !self.quiet {
            let (games, sources) = (pluralize(games, "game"), pluralize(sources, "source"));
            let errors = if with_errors > 0 { format!(", {with_errors} with errors") } else { String::new() };
            writeln!(out, "{}: {games} from {sources} added{errors}", self.collection.display())?;
        }
        Ok(status)
    }
}

/// Opens the current state of a collection.
fn open(collection: &Path) -> Result<Collection, CliError> {
    Collection::open(collection).map_err(|error| failed(collection, &error))
}

impl InfoArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let info = open(&self.collection)?.info().map_err(|error| failed(&self.collection, &error))?;
        if self.json.is_given() {
            write_json(out, &info)?;
            return Ok(ExitStatus::Yes);
        }
        let Info { games, deleted, segments, bytes, index_bytes, changes, sources } = info;
        writeln!(out, "games     {games}")?;
        writeln!(out, "deleted   {deleted}")?;
        writeln!(out, "segments  {segments}")?;
        writeln!(out, "size      {}, {} of it the index", HumanBytes(bytes), HumanBytes(index_bytes))?;
        writeln!(out, "changes   {changes}")?;
        writeln!(out, "sources   {}", sources.len())?;
        for source in sources {
            let Origin { name, added, .. } = source.origin;
            let deleted =
                if source.deleted > 0 { format!(" ({} deleted)", source.deleted) } else { String::new() };
            writeln!(out, "  {added}  {:>9}  {}{deleted}", source.games, plain(&name))?;
        }
        Ok(ExitStatus::Yes)
    }
}

/// The findings of a check.
#[derive(Serialize)]
struct Checked {
    games: u64,
    bytes: u64,
    damage: Vec<String>,
}

impl CheckArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.sources {
            return sources::check(&self.collection, self.json.is_given(), out);
        }
        let collection = open(&self.collection)?;
        let (games, bytes) = (collection.games(), collection.size());
        let bar = progress_bar(&[Source::Collection(self.collection.clone())], false);
        let damage = collection.check(&|bytes| bar.inc(bytes));
        bar.finish_and_clear();
        let verdict = if damage.is_empty() { ExitStatus::Yes } else { ExitStatus::No };
        if self.json.is_given() {
            write_json(out, &Checked { games, bytes, damage })?;
            return Ok(verdict);
        }
        for problem in &damage {
            writeln!(out, "{}: {problem}", self.collection.display())?;
        }
        let found = if damage.is_empty() {
            "no damage".to_owned()
        } else {
            pluralize(damage.len() as u64, "damaged part")
        };
        writeln!(out, "{}, {}: {found}", pluralize(games, "game"), HumanBytes(bytes))?;
        Ok(verdict)
    }
}

impl WholeCollection {
    fn inputs(&self) -> Inputs {
        Inputs::of(vec![self.collection.clone()], self.threads)
    }

    fn change(&self) -> Result<Change, CliError> {
        signals::install_handlers()?;
        Change::open(&self.collection).map_err(|error| failed(&self.collection, &error))
    }

    /// Deletes the marked games, unless this is a dry run, and returns their number.
    fn delete(&self, marks: Marks, mut change: Change, dry_run: bool) -> Result<u64, CliError> {
        let deleted = marks.games() as u64;
        if deleted > 0 && !dry_run {
            let fail = |error| failed(&self.collection, &error);
            marks.apply(&mut change).map_err(fail)?;
            change.finish().map_err(fail)?;
        }
        Ok(deleted)
    }

    /// The error for damaged data: a collection that cannot be read completely is not changed.
    fn damaged(&self) -> CliError {
        let problem = "nothing is changed, since not all games can be read";
        CliError::Input { name: self.collection.display().to_string(), problem: problem.to_owned() }
    }

    /// The numbers of the games that a query finds, counted from 1.
    fn find(&self, query: &Query) -> Result<Vec<u64>, CliError> {
        let mut found = Vec::new();
        let mut before = 0;
        let end = self.inputs().read(
            false,
            |part, emit| {
                let mut builder = GameBuilder::new();
                let (mut games, mut found) = (0, Vec::new());
                part.reader.require_found(Some(query))?;
                loop {
                    games += part.reader.skip(Some(query))?;
                    if !part.reader.read_game(&mut builder)? {
                        break;
                    }
                    games += 1;
                    if query.is_true(builder.game(), builder.last_position()) {
                        found.push(games);
                    }
                }
                emit((games, found))
            },
            |_, _, (games, numbers): (u64, Vec<u64>)| {
                found.extend(numbers.into_iter().map(|number| before + number));
                before += games;
                Ok(())
            },
        )?;
        if end.status()? != ExitStatus::Yes {
            return Err(self.damaged());
        }
        Ok(found)
    }
}

impl DeleteArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let whole = &self.whole;
        let change = whole.change()?;
        let collection = open(&whole.collection)?;
        let marks = match &self.query {
            Some(query) => {
                let files = std::slice::from_ref(&whole.collection);
                let query = read_query("query".to_owned(), query, files)?;
                collection.marks(whole.find(&query)?)
            }
            None => {
                let games = collection.games();
                collection.marks(GameRange::numbers(self.games, games))
            }
        };
        let deleted = whole.delete(marks, change, self.dry_run)?;
        let (name, games) = (whole.collection.display(), pluralize(deleted, "game"));
        if self.json {
            write_json(out, &DeletedGames { deleted, dry_run: self.dry_run })?;
        } else if deleted == 0 {
            writeln!(out, "{name}: there is no such game")?;
        } else {
            writeln!(out, "{name}: {games} {}", if self.dry_run { "would be deleted" } else { "deleted" })?;
        }
        Ok(if deleted > 0 { ExitStatus::Yes } else { ExitStatus::No })
    }
}

impl UndoArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        signals::install_handlers()?;
        let fail = |error| failed(&self.collection, &error);
        let mut change = Change::open(&self.collection).map_err(fail)?;
        let name = self.collection.display();
        let Some(Undone { time, added, deleted }) = change.undo() else {
            if self.json {
                write_json(out, &UndoneChange { time: None, gone: 0, back: 0 })?;
                return Ok(ExitStatus::No);
            }
            writeln!(out, "{name}: there is no change to take back")?;
            return Ok(ExitStatus::No);
        };
        change.finish().map_err(fail)?;
        if self.json {
            write_json(out, &UndoneChange { time: Some(time.to_string()), gone: added, back: deleted })?;
            return Ok(ExitStatus::Yes);
        }
        let (gone, back) = (pluralize(added, "added game"), pluralize(deleted, "deleted game"));
        let what = match (added, deleted) {
            (_, 0) => format!("{gone} gone"),
            (0, _) => format!("{back} back"),
            _ => format!("{gone} gone, {back} back"),
        };
        writeln!(out, "{name}: the change of {time} is taken back: {what}")?;
        Ok(ExitStatus::Yes)
    }
}

impl CompactArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let whole = &self.whole;
        let fail = |error: io::Error| failed(&whole.collection, &error);
        let mut change = whole.change()?;
        let name = whole.collection.display();
        let before = open(&whole.collection)?;
        if !before.can_be_compacted() {
            if self.json {
                write_json(out, &Compacted { bytes_before: before.size(), bytes_after: before.size() })?;
                return Ok(ExitStatus::Yes);
            }
            writeln!(out, "{name}: there is nothing to drop or to join")?;
            return Ok(ExitStatus::Yes);
        }
        let inputs = whole.inputs();
        let letters = inputs.letters();
        change.clear();
        let end = inputs.read_to_store(
            |part, emit| part.reader.encode(letters, None, emit),
            &mut |_, _, block: Encoded| {
                let origin = block.origin().unwrap_or(0);
                change.add(block, origin).map_err(fail)?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if end.status()? != ExitStatus::Yes {
            return Err(whole.damaged());
        }
        change.finish().map_err(fail)?;
        let (before, after) = (before.size(), open(&whole.collection)?.size());
        if self.json {
            write_json(out, &Compacted { bytes_before: before, bytes_after: after })?;
        } else {
            writeln!(out, "{name}: {} before, {} now", HumanBytes(before), HumanBytes(after))?;
        }
        Ok(ExitStatus::Yes)
    }
}
