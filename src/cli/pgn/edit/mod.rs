//! `hematite pgn edit`: single games of a file are inserted, replaced, moved, deleted or opened in an editor, while all
//! others remain identical byte for byte.

mod draft;

pub(in crate::cli) use draft::edit_text;
use draft::failed;

use super::{Finding, Inputs, progress_bar, warn};
use crate::cli::values::{GameRange, integer_in};
use crate::cli::{CliError, ExitStatus, signals};
use crate::database::{EditedFile, NewGame, Options, Source, Span, Splice, Wanted, own_text};
use crate::notation::pgn::Export;
use crate::notation::pluralize;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const EXAMPLES: &str = "\
Examples:
  hematite pgn edit open games.pgn 3
  hematite pgn edit insert games.pgn --before 3 new.pgn
  hematite pgn show --raw --game 7 other.pgn | hematite pgn edit append games.pgn
  hematite pgn edit replace games.pgn 3 corrected.pgn --backup
  hematite pgn edit move games.pgn 5 --to 1
  hematite pgn edit delete games.pgn 2,7..9

Numbers are those of `hematite pgn find --list`. The other games stay byte for byte as they are, the file is replaced as
a whole or not at all, and no other hematite changes it meanwhile. New games must be without errors, unless --force is
given. Of collections `hematite db` changes games.";

/// The maximum size of new games that are kept in memory, in bytes.
const MAX_NEW: usize = 1 << 28;

/// Insert, replace, move and delete games of a file, or open one in an editor.
#[derive(clap::Subcommand, Debug)]
pub(in crate::cli) enum Command {
    /// Insert games before one of a file.
    #[command(after_help = "Example:\n  hematite pgn edit insert games.pgn --before 3 new.pgn")]
    Insert(InsertArguments),
    /// Add games at the end of a file, which is made if necessary.
    #[command(after_help = "Example:\n  hematite pgn edit append games.pgn new.pgn")]
    Append(AppendArguments),
    /// Replace a game.
    #[command(after_help = "Example:\n  hematite pgn edit replace games.pgn 3 corrected.pgn")]
    Replace(ReplaceArguments),
    /// Move a game to another place.
    #[command(after_help = "Example:\n  hematite pgn edit move games.pgn 5 --to 1")]
    Move(MoveArguments),
    /// Delete games.
    #[command(after_help = "Example:\n  hematite pgn edit delete games.pgn 2,7..9 --backup")]
    Delete(DeleteArguments),
    /// Open a game in the editor that VISUAL or EDITOR names, and put it back if it is right.
    #[command(after_help = OPEN_HELP)]
    Open(OpenArguments),
}

const OPEN_HELP: &str = "\
Example:
  EDITOR=nano hematite pgn edit open games.pgn 3

The text is checked when the editor ends. If there is an error in it, the file stays as it is, the error names the line,
and the text is kept in a file that is named.";

/// The file whose games are changed.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct Place {
    /// The file of games, packed or not.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Keep the file as it was under its name with .bak appended.
    #[arg(long)]
    backup: bool,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct InsertArguments {
    #[command(flatten)]
    place: Place,

    /// The number of the game before which they are inserted.
    #[arg(long, value_name = "N", value_parser = integer_in::<u64>(1..))]
    before: u64,

    #[command(flatten)]
    new: New,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct AppendArguments {
    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    new: New,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ReplaceArguments {
    #[command(flatten)]
    place: Place,

    /// The number of the game.
    #[arg(value_name = "N", value_parser = integer_in::<u64>(1..))]
    number: u64,

    #[command(flatten)]
    new: New,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct MoveArguments {
    #[command(flatten)]
    place: Place,

    /// The number of the game.
    #[arg(value_name = "N", value_parser = integer_in::<u64>(1..))]
    number: u64,

    /// The number that it gets.
    #[arg(long, value_name = "M", value_parser = integer_in::<u64>(1..))]
    to: u64,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct DeleteArguments {
    #[command(flatten)]
    place: Place,

    /// The numbers of the games, such as 3,10..20.
    #[arg(value_name = "NUMBERS", required = true, value_delimiter = ',')]
    games: Vec<GameRange>,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct OpenArguments {
    #[command(flatten)]
    place: Place,

    /// The number of the game.
    #[arg(value_name = "N", value_parser = integer_in::<u64>(1..))]
    number: u64,

    /// Put the game back even if there are errors in it.
    #[arg(long)]
    force: bool,
}

/// Games to be put into a file.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct New {
    /// The file, folder or collection of the new games [default: standard input].
    #[arg(value_name = "FROM", default_value = "-", hide_default_value = true)]
    from: PathBuf,

    /// Take games even if there are errors in them.
    #[arg(long)]
    force: bool,
}

/// The only game of a path. Errors in it are printed, and the game is refused unless `forced`.
pub(in crate::cli) fn read_one(path: &Path, forced: bool) -> Result<NewGame, CliError> {
    let mut new = read_new(path, forced)?;
    if let (Some(game), true) = (new.pop(), new.is_empty()) {
        return Ok(game);
    }
    let problem = format!("found {}, expected one", pluralize(new.len() as u64 + 1, "game"));
    Err(CliError::Input { name: path.display().to_string(), problem })
}

/// Reads the games of a path. Errors in them are printed, and the games are refused unless `forced`.
fn read_new(path: &Path, forced: bool) -> Result<Vec<NewGame>, CliError> {
    let inputs = Inputs::of(vec![path.to_owned()], Some(1));
    let (mut games, mut bytes, mut errors) = (Vec::new(), 0, 0_u64);
    let end = inputs.read_with(
        Options { keeps_text: true, ..Options::default() },
        true,
        |part, emit| {
            let mut builder = inputs.builder();
            while part.reader.read_game(&mut builder)? {
                let export = Export::new().game(builder.game());
                let kept = part.reader.source_text()?.map(|(_, text)| text);
                let text = kept.unwrap_or_else(|| export.clone().into_bytes());
                let findings: Vec<Finding> = builder.errors().iter().map(Finding::from).collect();
                emit((NewGame { text: own_text(&text).to_vec(), export }, findings))?;
            }
            Ok(())
        },
        &mut |source, bar, (game, findings): (NewGame, Vec<Finding>)| {
            errors += findings.len() as u64;
            for finding in findings {
                finding.print(&source.name(), bar);
            }
            bytes += game.text.len();
            games.push(game);
            if bytes > MAX_NEW {
                let problem = "more than 256 MiB of new games, expected fewer at a time";
                return Err(failed(path, problem));
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    let name = path.display().to_string();
    if end.status()? != ExitStatus::Yes {
        return Err(CliError::Input {
            name,
            problem: "it cannot be read to its end; nothing is changed".to_owned(),
        });
    }
    if games.is_empty() {
        return Err(CliError::Input { name, problem: "there is no game in it, expected one".to_owned() });
    }
    if errors > 0 && !forced {
        let problem =
            format!("{} in its games, expected none; --force takes them", pluralize(errors, "error"));
        return Err(CliError::Input { name, problem });
    }
    Ok(games)
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            Self::Insert(arguments) => arguments.run(out),
            Self::Append(arguments) => arguments.run(out),
            Self::Replace(arguments) => arguments.run(out),
            Self::Move(arguments) => arguments.run(out),
            Self::Delete(arguments) => arguments.run(out),
            Self::Open(arguments) => arguments.run(out),
        }
    }
}

/// The requested games by their numbers, and the number of all games; a bar shows the progress of reading.
fn find(target: &EditedFile, wanted: Wanted<'_>) -> Result<(BTreeMap<u64, Span>, u64), CliError> {
    let bar = progress_bar(&[Source::File(target.path.clone())], true);
    let shown = bar.clone();
    let warn = Arc::new(move |source: &Source, text: &str| shown.suspend(|| warn(source, text)));
    let found = target.find(wanted, warn, &|bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    Ok(found?)
}

/// Replaces the file by its pieces. An interruption leaves no temporary file.
fn replace(target: &EditedFile, pieces: &[Splice], is_kept: bool) -> Result<(), CliError> {
    signals::install_handlers()?;
    Ok(target.replace(pieces, is_kept)?)
}

/// Prints a summary of the change.
fn tell(out: &mut dyn Write, path: &Path, what: &str, games: u64) -> Result<ExitStatus, CliError> {
    writeln!(out, "{}: {what}; it has {} now", path.display(), pluralize(games, "game"))?;
    Ok(ExitStatus::Yes)
}

impl InsertArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let new = read_new(&self.new.from, self.new.force)?;
        let target = EditedFile::open(&self.place.file, false)?;
        let (found, games) = find(&target, Wanted::Numbers(&|number| number == self.before))?;
        target.check_number(self.before, games)?;
        let Some(span) = found.get(&self.before) else { return Err(target.lost().into()) };
        let pieces = target.inserted(span, &new);
        let count = new.len() as u64;
        let exports: Vec<String> = new.into_iter().map(|game| game.export).collect();
        target.check(&pieces, games + count, self.before, &exports)?;
        replace(&target, &pieces, self.place.backup)?;
        tell(out, &target.path, &format!("{} inserted", pluralize(count, "game")), games + count)
    }
}

impl AppendArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let new = read_new(&self.new.from, self.new.force)?;
        let target = EditedFile::open(&self.place.file, true)?;
        let (found, games) = find(&target, Wanted::Last)?;
        let pieces = target.appended(found.get(&games), target.joined(&new));
        let count = new.len() as u64;
        let exports: Vec<String> = new.into_iter().map(|game| game.export).collect();
        target.check(&pieces, games + count, games + 1, &exports)?;
        replace(&target, &pieces, self.place.backup)?;
        tell(out, &target.path, &format!("{} added", pluralize(count, "game")), games + count)
    }
}

impl ReplaceArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let game = read_one(&self.new.from, self.new.force)?;
        let target = EditedFile::open(&self.place.file, false)?;
        let (found, games) = find(&target, Wanted::Numbers(&|number| number == self.number))?;
        target.check_number(self.number, games)?;
        let Some(span) = found.get(&self.number) else { return Err(target.lost().into()) };
        signals::install_handlers()?;
        target.put_back(self.number, span, &game, games, self.place.backup)?;
        tell(out, &target.path, &format!("game {} replaced", self.number), games)
    }
}

impl MoveArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let (from, to) = (self.number, self.to);
        let target = EditedFile::open(&self.place.file, false)?;
        let is_wanted = |number| EditedFile::is_for_move(from, to, number);
        let (found, games) = find(&target, Wanted::Numbers(&is_wanted))?;
        target.check_number(from.max(to), games)?;
        if from == to {
            return tell(out, &target.path, &format!("game {from} is in its place"), games);
        }
        let (pieces, export) = target.moved(from, to, found).ok_or_else(|| target.lost())?;
        target.check(&pieces, games, to, &export)?;
        replace(&target, &pieces, self.place.backup)?;
        tell(out, &target.path, &format!("game {from} is game {to} now"), games)
    }
}

impl DeleteArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let target = EditedFile::open(&self.place.file, false)?;
        let is_deleted = |number: u64| self.games.iter().any(|range| range.contains(number));
        // The end of a deleted game is the start of the next one.
        let is_wanted = |number| is_deleted(number) || is_deleted(number - 1);
        let (found, games) = find(&target, Wanted::Numbers(&is_wanted))?;
        for range in &self.games {
            target.check_number(range.last(), games)?;
        }
        let (pieces, deleted) = EditedFile::without(&found, &is_deleted);
        target.check(&pieces, games - deleted, 1, &[])?;
        replace(&target, &pieces, self.place.backup)?;
        tell(out, &target.path, &format!("{} deleted", pluralize(deleted, "game")), games - deleted)
    }
}

impl OpenArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let number = self.number;
        let target = EditedFile::open(&self.place.file, false)?;
        let (found, games) = find(&target, Wanted::Numbers(&|other| other == number))?;
        target.check_number(number, games)?;
        let Some(span) = found.get(&number) else { return Err(target.lost().into()) };
        let is_changed = edit_text(number, &span.text, target.line_end, &mut |draft| {
            let game = read_one(draft, self.force)?;
            signals::install_handlers()?;
            Ok(target.put_back(number, span, &game, games, self.place.backup)?)
        })?;
        let state = if is_changed { "replaced" } else { "is unchanged" };
        tell(out, &target.path, &format!("game {number} {state}"), games)
    }
}
