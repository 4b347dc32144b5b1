//! `hematite db edit`: replacement of games of a collection by changed ones, in one step that can be undone.

use super::{WholeCollection, failed, open};
use crate::cli::pgn::{QueryArg, RetagArguments, RetagChanges, RetagRules, edit_text, is_made, read_one};
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::database::{Change, Encoded, Query, Reencoder, TagChange};
use crate::notation::pgn::{Export, GameBuilder, Place};
use crate::notation::pluralize;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) const EXAMPLES: &str = "\
Examples:
  hematite db edit open games.hdb 3
  hematite db edit replace games.hdb 3 corrected.pgn
  hematite db edit retag games.hdb --names names.txt --query 'player:tal'

Numbers are those of `hematite pgn find --list`. The changed games are put behind all others and the old ones are marked
as deleted, in one step: `hematite db undo` takes it back, until `hematite db compact` drops the old games.";

const OPEN_HELP: &str = "\
Example:
  EDITOR=nano hematite db edit open games.hdb 3

The text is checked when the editor ends. If there is an error in it, the collection stays as it is, the error names the
line, and the text is kept in a file that is named.";

const RETAG_HELP: &str = "\
Examples:
  hematite db edit retag games.hdb --dry-run
  hematite db edit retag games.hdb --fix none --set 'Event=Linares 1993' --query 'event:linares date:1993'

The rules are those of `hematite pgn retag`, whose help describes them. Only games that change are written anew. Exit code
1 if there is none.";

/// Replace games of a collection by changed ones.
#[derive(clap::Subcommand, Debug)]
pub(in crate::cli) enum Command {
    /// Open a game in the editor that VISUAL or EDITOR names, and put it back if it is right.
    #[command(after_help = OPEN_HELP)]
    Open(OpenArguments),
    /// Replace a game.
    #[command(after_help = "Example:\n  hematite db edit replace games.hdb 3 corrected.pgn")]
    Replace(ReplaceArguments),
    /// Put the tags of games in order.
    #[command(after_help = RETAG_HELP)]
    Retag(Box<RetagCollection>),
}

/// A game of a collection.
#[derive(clap::Args, Debug)]
struct Chosen {
    /// The folder of the collection.
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    /// The number of the game.
    #[arg(value_name = "N", value_parser = integer_in::<u64>(1..))]
    number: u64,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct OpenArguments {
    #[command(flatten)]
    chosen: Chosen,

    /// Put the game back even if there are errors in it.
    #[arg(long)]
    force: bool,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ReplaceArguments {
    #[command(flatten)]
    chosen: Chosen,

    /// The file, folder or collection with the new game [default: standard input].
    #[arg(value_name = "FROM", default_value = "-", hide_default_value = true)]
    from: PathBuf,

    /// Take the game even if there are errors in it.
    #[arg(long)]
    force: bool,
}

#[derive(clap::Args, Debug)]
#[command(mut_arg("query", |arg| arg.help("Change only the games that this query finds; docs/queries.md has the language")))]
pub(in crate::cli) struct RetagCollection {
    #[command(flatten)]
    whole: WholeCollection,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    rules: RetagRules,

    /// Change nothing, but write a table of the changes.
    #[arg(long)]
    dry_run: bool,

    /// With --dry-run: write one JSON object.
    #[arg(long, requires = "dry_run")]
    json: bool,
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            Self::Open(arguments) => arguments.run(out),
            Self::Replace(arguments) => arguments.run(out),
            Self::Retag(arguments) => arguments.run(out),
        }
    }
}

/// A stored game that is being replaced.
struct OldGame {
    text: Vec<u8>,
    place: Place,
    origin: Option<usize>,
}

impl Chosen {
    fn whole(&self) -> WholeCollection {
        WholeCollection { collection: self.collection.clone(), threads: Some(1) }
    }

    /// Reads the game; games before it are skipped.
    fn read(&self) -> Result<OldGame, CliError> {
        let whole = self.whole();
        let games = AtomicU64::new(0);
        let mut found = None;
        let end = whole.inputs().read_to_store(
            |part, emit| {
                // The collection is read by one thread.
                let before = self.number - 1 - games.load(Ordering::Relaxed);
                let passed = part.reader.pass(before)?;
                games.fetch_add(passed, Ordering::Relaxed);
                let place = if passed < before { None } else { part.reader.next_place()? };
                let Some(place) = place else { return Ok(()) };
                let origin = part.reader.origin()?;
                let mut builder = GameBuilder::new();
                if part.reader.read_game(&mut builder)? {
                    let kept = part.reader.source_text()?.map(|(_, text)| text);
                    let text = kept.unwrap_or_else(|| Export::new().game(builder.game()).into_bytes());
                    games.fetch_add(1, Ordering::Relaxed);
                    emit(OldGame { text: text.trim_ascii().to_vec(), place, origin })?;
                }
                Ok(())
            },
            &mut |_, _, game| {
                found = Some(game);
                Ok(ControlFlow::Break(()))
            },
        )?;
        // After damage, games have other numbers.
        if end.status()? != ExitStatus::Yes {
            return Err(whole.damaged());
        }
        if let Some(found) = found {
            return Ok(found);
        }
        let has = pluralize(games.into_inner(), "game");
        let problem = format!("it has {has}, expected a game {}", self.number);
        Err(CliError::Input { name: self.collection.display().to_string(), problem })
    }

    /// Replaces the old game by the only game of a file.
    fn replace(&self, mut change: Change, old: &OldGame, from: &Path, forced: bool) -> Result<(), CliError> {
        let fail = |error: io::Error| failed(&self.collection, &error);
        let new = read_one(from, forced)?;
        let marks = open(&self.collection)?.marks([self.number]);
        let mut add = |block: Encoded| {
            let origin = block.origin().unwrap_or(0);
            change.add(block, origin)
        };
        let mut encoder = Reencoder::default();
        encoder.add(new.text, old.place, old.origin, &mut add).map_err(fail)?;
        encoder.finish(&mut add).map_err(fail)?;
        marks.apply(&mut change).map_err(fail)?;
        change.finish().map_err(fail)
    }

    fn tell(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let last = open(&self.collection)?.games();
        let (name, number) = (self.collection.display(), self.number);
        writeln!(out, "{name}: game {number} replaced; the new one is game {last}")?;
        Ok(ExitStatus::Yes)
    }
}

impl OpenArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let chosen = &self.chosen;
        // No other process changes the collection while the editor is open.
        let mut change = Some(chosen.whole().change()?);
        let old = chosen.read()?;
        let is_changed = edit_text(chosen.number, &old.text, "\n", &mut |draft| match change.take() {
            Some(change) => chosen.replace(change, &old, draft, self.force),
            None => Ok(()),
        })?;
        if is_changed {
            return chosen.tell(out);
        }
        writeln!(out, "{}: game {} is unchanged", chosen.collection.display(), chosen.number)?;
        Ok(ExitStatus::Yes)
    }
}

impl ReplaceArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let chosen = &self.chosen;
        let change = chosen.whole().change()?;
        let old = chosen.read()?;
        chosen.replace(change, &old, &self.from, self.force)?;
        chosen.tell(out)
    }
}

/// Changes of several games.
#[derive(Default)]
struct Batch {
    read: u64,
    /// The numbers of the changed games, counted from 1.
    changed: Vec<u64>,
    changes: HashMap<TagChange, u64>,
    blocks: Vec<Encoded>,
}

/// The maximum number of changed games that are passed on at a time.
const MAX_CHANGED: usize = 1 << 12;

impl RetagCollection {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.dry_run {
            return RetagArguments::dry_run(&self.whole.collection, self.query, self.rules, self.json)
                .run(out);
        }
        let whole = &self.whole;
        let fail = |error: io::Error| failed(&whole.collection, &error);
        let (retag, query) =
            (self.rules.retag()?, self.query.read(std::slice::from_ref(&self.whole.collection))?);
        let mut change = whole.change()?;
        let mut changes = RetagChanges::default();
        let mut numbers = Vec::new();
        let end = whole.inputs().read_to_store(
            |part, emit| {
                let mut builder = GameBuilder::new();
                let mut encoder = Reencoder::default();
                let mut batch = Batch::default();
                part.reader.require_found(query.as_ref())?;
                loop {
                    if let Some(query) = &query {
                        batch.read += part.reader.skip(Some(query))?;
                    }
                    let Some(place) = part.reader.next_place()? else { break };
                    let origin = part.reader.origin()?;
                    if !part.reader.read_game(&mut builder)? {
                        break;
                    }
                    batch.read += 1;
                    let is_meant = |query: &Query| query.is_true(builder.game(), builder.last_position());
                    if !query.as_ref().is_none_or(is_meant) {
                        continue;
                    }
                    let is_broken = builder.errors().iter().any(|error| error.problem.is_unread());
                    let found = retag.apply(builder.game_mut(), is_broken);
                    if found.iter().any(is_made) {
                        batch.changed.push(batch.read);
                        let text = Export::new().game(builder.game()).into_bytes();
                        encoder.add(text, place, origin, &mut |block| {
                            batch.blocks.push(block);
                            Ok(())
                        })?;
                    }
                    for change in found {
                        *batch.changes.entry(change).or_default() += 1;
                    }
                    if batch.changed.len() >= MAX_CHANGED {
                        emit(std::mem::take(&mut batch))?;
                    }
                }
                encoder.finish(&mut |block| {
                    batch.blocks.push(block);
                    Ok(())
                })?;
                emit(batch)
            },
            &mut |_, _, batch: Batch| {
                for block in batch.blocks {
                    let origin = block.origin().unwrap_or(0);
                    change.add(block, origin).map_err(fail)?;
                }
                numbers.extend(batch.changed.iter().map(|number| changes.read + number));
                changes.read += batch.read;
                changes.changed += batch.changed.len() as u64;
                batch.changes.into_iter().for_each(|(change, games)| changes.add(change, games));
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if end.status()? != ExitStatus::Yes {
            return Err(whole.damaged());
        }
        let answer = if numbers.is_empty() {
            ExitStatus::No
        } else {
            open(&whole.collection)?.marks(numbers).apply(&mut change).map_err(fail)?;
            change.finish().map_err(fail)?;
            ExitStatus::Yes
        };
        writeln!(out, "{}: {}", whole.collection.display(), changes.summary())?;
        Ok(answer)
    }
}
