//! `hematite pgn archive`: games in the folder structure of the PGN standard, to which later games are added.

use super::each_game::each_game;
use super::export::temporary_error;
use super::split::{By, keys};
use super::{InputEnd, Inputs, QueryArg, Selection};
use crate::cli::streams::write_json;
use crate::cli::values::byte_size;
use crate::cli::{CliError, ExitStatus, signals};
use crate::database::{EVENTS, Holding, PLAYERS, PgnArchive, REPOSITORY, Sorter};
use crate::files::{LockFile, OutputFile, PathExcerpt};
use crate::notation::pgn::{CollatingKey, Date, Export, Game};
use crate::notation::pluralize;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

const EXAMPLES: &str = "\
Examples:
  hematite pgn archive games.pgn -o archive
  hematite pgn archive twic/ -o archive
  hematite pgn find 'elo>=2500' games.pgn.zst | hematite pgn archive - -o archive

The folders are those of section 11.5 of the PGN standard:
  Events/Event name.pgn      the games of an event
  MGR/1993/199304.pgn        the games of a month; zeros stand for what is not known
  Players/Lastname.pgn       the games of the players of this last name
In each folder a file ReadMe lists the files with their games and dates, and a file News has what was added and when.
Files are in the collating order of the standard, and in its export format. A game is added to a file only if it is not
there yet as it is exported. So the same command completes an archive after it was interrupted; every file is complete
at any time.";

/// The name of the lock file in the folder of the archive.
const LOCK: &str = ".lock";

/// Put games into the folders of an archive, by events, months and players.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// The folder of the archive, new or with games from before.
    #[arg(long = "out-dir", short = 'o', value_name = "DIR")]
    folder: PathBuf,

    /// Hold this much in memory, and the rest in temporary files (in the folder that TMPDIR names): bytes, or 64M, 2G.
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = byte_size)]
    memory: u64,

    /// Write a JSON object with the numbers of games and files.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    selection: Selection,
}

/// A game to be added to the archive.
struct Filed {
    /// The files for the game, as paths within the archive.
    files: Vec<PathBuf>,
    order: Vec<u8>,
    text: String,
    has_gap: bool,
}

impl Filed {
    fn new(game: &Game) -> Self {
        let mut files = Vec::new();
        let mut has_gap = false;
        for (folder, by) in [(EVENTS, By::Event), (REPOSITORY, By::Month), (PLAYERS, By::Player)] {
            let keys = keys(by, true, game);
            has_gap |= keys.has_gap;
            files.extend(keys.files.into_iter().map(|(file, _)| {
                let mut path = Path::new(folder).join(file).into_os_string();
                path.push(".pgn");
                PathBuf::from(path)
            }));
        }
        let (order, text) = sortable(game);
        Self { files, order, text, has_gap }
    }
}

/// The text of a game and its sort key. Only games with the same text have the same key: it is the collating key,
/// followed by a hash of the text.
fn sortable(game: &Game) -> (Vec<u8>, String) {
    let text = Export::new().game(game);
    let mut key = CollatingKey::new(game).into_bytes();
    key.extend(xxh3_128(text.as_bytes()).to_be_bytes());
    (key, text)
}

/// A file of the archive to which games may be added.
struct Target {
    path: PathBuf,
    /// The number of games in the file before.
    before: u64,
    added: u64,
    /// The content of the file at the end.
    holding: Holding,
}

/// The origin of a game; of equal games, that of the archive is sorted first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Archive,
    Input,
}

/// The sort key of a game for a file of the archive: the number of the file, the order in it, and the origin.
fn key_in(target: u32, mut order: Vec<u8>, origin: Origin) -> Vec<u8> {
    order.splice(..0, target.to_be_bytes());
    order.push(origin as u8);
    order
}

/// The parts of a sort key.
struct Key<'a> {
    target: u32,
    date: Date,
    /// The bytes that identify a game within the archive.
    identity: &'a [u8],
    is_new: bool,
}

impl<'a> Key<'a> {
    fn read(key: &'a [u8]) -> Option<Self> {
        let (&origin, identity) = key.split_last()?;
        let (number, order) = identity.split_first_chunk()?;
        let &[high, low, month, day, ..] = order else { return None };
        let date = Date::from_numbers(u16::from_be_bytes([high, low]), month, day);
        Some(Self {
            target: u32::from_be_bytes(*number),
            date,
            identity,
            is_new: origin == Origin::Input as u8,
        })
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        signals::install_handlers()?;
        let failed =
            |error: io::Error| CliError::Failed(format!("{}: {error}", PathExcerpt::new(&self.folder)));
        let query = self.query.read(self.inputs.files())?;
        let mut end = InputEnd::default();
        let sources = self.inputs.sources(&mut end);
        if sources.is_empty() {
            // Without any source no archive is created.
            end.status()?;
        }
        let lock = LockFile::take(&self.folder.join(LOCK)).map_err(failed)?;
        let _lock = lock.ok_or_else(|| {
            failed(io::Error::new(io::ErrorKind::ResourceBusy, "another process adds to this archive"))
        })?;
        let archive = PgnArchive::open(&self.folder).map_err(failed)?;
        let mut sorter = Sorter::new(usize::try_from(self.memory).unwrap_or(usize::MAX));
        let mut targets: Vec<Target> = Vec::new();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let (mut games, mut gaps) = (0_u64, 0_u64);
        each_game(
            &self.inputs,
            query.as_ref(),
            self.selection,
            &sources,
            &mut end,
            &Filed::new,
            &mut |_, Filed { files, order, text, has_gap }| {
                games += 1;
                gaps += u64::from(has_gap);
                for file in files {
                    let path = archive.path(&file);
                    let number = *numbers.entry(path.to_string_lossy().to_lowercase()).or_insert_with(|| {
                        targets.push(Target { path, before: 0, added: 0, holding: Holding::default() });
                        // The number fits: file systems have fewer files than this.
                        targets.len() as u32 - 1
                    });
                    let key = key_in(number, order.clone(), Origin::Input);
                    sorter.push(&key, text.as_bytes()).map_err(temporary_error)?;
                }
                Ok(())
            },
        )?;
        let status = end.status()?;
        self.read_old(&mut targets, &mut sorter)?;
        let written = write(sorter, &mut targets)?;
        let counted: HashMap<PathBuf, Holding> =
            targets.iter().map(|target| (target.path.clone(), target.holding.clone())).collect();
        let today = Timestamp::now().strftime("%Y-%m-%d").to_string();
        archive.describe(&counted, &mut |path| self.count(path), &today).map_err(failed)?;
        let repository = self.folder.join(REPOSITORY);
        let of_repository = targets.iter().filter(|target| target.path.starts_with(&repository));
        let added: u64 = of_repository.map(|target| target.added).sum();
        if self.json {
            write_json(out, &Report { read: games, new: added, files: written, incomplete_dates: gaps })?;
            return Ok(status);
        }
        if gaps > 0 {
            // A failure to write is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{} with an incomplete date", pluralize(gaps, "game"));
        }
        writeln!(
            out,
            "{}: {} read, {added} new; {} written",
            self.folder.display(),
            pluralize(games, "game"),
            pluralize(written, "file")
        )?;
        Ok(status)
    }

    /// Adds the games that are in the files already.
    fn read_old(&self, targets: &mut [Target], sorter: &mut Sorter) -> Result<(), CliError> {
        let old = targets.iter().enumerate().filter(|(_, target)| target.path.exists());
        let numbers: HashMap<PathBuf, usize> =
            old.map(|(number, target)| (target.path.clone(), number)).collect();
        let mut paths: Vec<PathBuf> = numbers.keys().cloned().collect();
        paths.sort();
        self.each_of(paths, &sortable, &mut |path, (order, text)| {
            let Some(&number) = numbers.get(path) else { return Ok(()) };
            targets[number].before += 1;
            // The number of the target fits, see where it is assigned.
            let key = key_in(number as u32, order, Origin::Archive);
            sorter.push(&key, text.as_bytes()).map_err(temporary_error)
        })
    }

    /// Reads all games of files of the archive.
    fn each_of<T: Send + 'static>(
        &self,
        paths: Vec<PathBuf>,
        make: &(impl Fn(&Game) -> T + Sync),
        take: &mut dyn FnMut(&Path, T) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        if paths.is_empty() {
            return Ok(());
        }
        let inputs = Inputs::of(paths, self.inputs.threads);
        let mut end = InputEnd::default();
        let sources = inputs.sources(&mut end);
        each_game(&inputs, None, Selection::all(), &sources, &mut end, make, &mut |source, made| {
            source.path().map_or(Ok(()), |path| take(path, made))
        })?;
        if end.status()? != ExitStatus::Yes {
            let problem = "nothing is changed, since a file in it cannot be read to its end";
            return Err(CliError::Failed(format!("{}: {problem}", PathExcerpt::new(&self.folder))));
        }
        Ok(())
    }

    /// Counts the games of a file.
    fn count(&self, path: &Path) -> io::Result<Holding> {
        let mut holding = Holding::default();
        let date = |game: &Game| game.tags.date().unwrap_or_default();
        let counted = self.each_of(vec![path.to_owned()], &date, &mut |_, date| {
            holding.add_game(date);
            Ok(())
        });
        counted.map_err(|error| io::Error::other(error.to_string()))?;
        Ok(holding)
    }
}

/// A summary of the run.
#[derive(Serialize)]
struct Report {
    /// The number of games read.
    read: u64,
    /// The number of these games that were not in the archive.
    new: u64,
    /// The number of files written.
    files: u64,
    incomplete_dates: u64,
}

/// A file that is being written.
struct Writing {
    number: u32,
    file: OutputFile,
    added: u64,
    holding: Holding,
}

/// Writes the files that get new games, and counts the games of all files; returns the number of files written.
fn write(sorter: Sorter, targets: &mut [Target]) -> Result<u64, CliError> {
    let mut written = 0;
    let mut finish = |writing: Writing, targets: &mut [Target]| -> io::Result<()> {
        let target = &mut targets[writing.number as usize];
        (target.added, target.holding) = (writing.added, writing.holding);
        if target.added > 0 {
            writing.file.commit()?;
            written += 1;
        } else {
            // The file is left unchanged, even if it contains duplicates.
            target.holding.games = target.before;
        }
        target.holding.bytes = fs::metadata(&target.path)?.len();
        Ok(())
    };
    let mut current: Option<Writing> = None;
    let mut latest: Vec<u8> = Vec::new();
    sorter.finish(&mut |key, text| {
        let Some(Key { target, date, identity, is_new }) = Key::read(key) else { return Ok(()) };
        if identity == latest {
            return Ok(());
        }
        identity.clone_into(&mut latest);
        if let Some(done) = current.take_if(|writing| writing.number != target) {
            finish(done, targets)?;
        }
        let writing = match &mut current {
            Some(writing) => writing,
            None => {
                let file = OutputFile::create(&targets[target as usize].path)?;
                current.insert(Writing { number: target, file, added: 0, holding: Holding::default() })
            }
        };
        writing.added += u64::from(is_new);
        writing.holding.add_game(date);
        writing.file.write_all(text)
    })?;
    current.map_or(Ok(()), |done| finish(done, targets))?;
    Ok(written)
}
