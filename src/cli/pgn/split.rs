//! `hematite pgn split`: the games of a file, distributed to files by player, event or date.

use super::each_game::each_game;
use super::export::temporary_error;
use super::{InputEnd, Inputs, QueryArg, Selection};
use crate::cli::streams::{new_file, write_json};
use crate::cli::values::{byte_size, integer_in};
use crate::cli::{CliError, ExitStatus};
use crate::database::{Source, Spool, is_known_name};
use crate::files::{PathExcerpt, without_packed_extension};
use crate::notation::pgn::{Date, Export, Game, GameResult};
use crate::notation::pluralize;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::ptr;

const EXAMPLES: &str = "\
Examples:
  hematite pgn split --by player games.pgn -o players
  hematite pgn split --by month --tree archive/ -o by-month
  hematite pgn split --games 1000 games.pgn -o parts
  hematite pgn split --bytes 10M games.pgn.zst -o parts

Names of files: of a player `Lastname.pgn`, of an event `Event name.pgn`, of dates `1993.pgn`, `199304.pgn` and
`19930425.pgn`, with zeros for what is not known; signs that file systems refuse become underscores. Parts of a file
have its name and 1, 2, 3, or a, b, c if that ends in a digit. The games are written as `hematite pgn export` writes
them. Files that exist are refused, unless --replace is given; then nothing is written.";

/// Write the games of a collection to several files, by players, events, dates or sizes.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    parts: Parts,

    /// With --by year, month or day: make folders `1993` and below them `199304`.
    #[arg(long)]
    tree: bool,

    /// The folder of the files.
    #[arg(long = "out-dir", short = 'o', value_name = "DIR")]
    folder: PathBuf,

    /// Replace files that exist.
    #[arg(long)]
    replace: bool,

    /// Write a JSON object with the files and their games.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    selection: Selection,
}

#[derive(clap::Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct Parts {
    /// A file for each of these.
    #[arg(long, value_name = "WHAT")]
    by: Option<By>,
    /// Files of this many games.
    #[arg(long, value_name = "N", value_parser = integer_in::<u64>(1..))]
    games: Option<u64>,
    /// Files of at most this many bytes, unless one game has more. Bytes, or 64k, 10M.
    #[arg(long, value_name = "SIZE", value_parser = byte_size)]
    bytes: Option<u64>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// Players; a game is in the files of both.
    Player,
    Event,
    Site,
    Year,
    Month,
    Day,
    /// ECO codes: those of the tags.
    Eco,
    Result,
}

/// The maximum length of the name of a file, in characters, without additions.
const MAX_NAME: usize = 100;
/// The same in bytes: file systems have names of at most 255, additions included.
const MAX_NAME_BYTES: usize = 200;

/// Converts a text to a name that is valid in all file systems.
fn safe_name(text: &str) -> String {
    let is_safe = |letter: char| {
        !letter.is_control() && !matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    let mut safe: String =
        text.chars().map(|letter| if is_safe(letter) { letter } else { '_' }).take(MAX_NAME).collect();
    safe.truncate(safe.floor_char_boundary(MAX_NAME_BYTES));
    let safe = safe.trim().trim_matches('.').trim();
    // Such names are reserved for devices on Windows.
    let is_device = ["con", "prn", "aux", "nul"].contains(&&*safe.to_lowercase());
    if !is_known_name(safe) {
        "Unknown".to_owned()
    } else if is_device {
        format!("{safe}_")
    } else {
        safe.to_owned()
    }
}

/// The name of a numbered part of a file, counted from 1.
fn part_name(stem: &str, number: u64) -> String {
    if !stem.ends_with(|letter: char| letter.is_ascii_digit()) {
        return format!("{stem}{number}");
    }
    const LETTERS: u64 = 26;
    let mut letters = Vec::new();
    let mut rest = number;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % LETTERS) as u8));
        rest /= LETTERS;
    }
    stem.chars().chain(letters.into_iter().rev()).collect()
}

/// The files of a game.
pub(super) struct Keys {
    /// The paths without extension, each with the text that it is derived from.
    pub files: Vec<(PathBuf, String)>,
    /// Whether the date that the name is derived from is incomplete.
    pub has_gap: bool,
}

/// The files of a game; with `is_tree`, those of dates are in folders.
pub(super) fn keys(by: By, is_tree: bool, game: &Game) -> Keys {
    let tag = |name: &str| game.tags.get(name).unwrap_or_default().trim();
    // Other dates do not fit the format of the names.
    let date = game.tags.date().map(Date::numbers);
    let date = date.filter(|&(year, month, day)| year <= 9999 && month <= 12 && day <= 31);
    let (year, month, day) = date.unwrap_or_default();
    let named = |text: &str| (PathBuf::from(safe_name(text)), text.to_owned());
    let dated = |name: String| {
        let mut path = PathBuf::new();
        if is_tree && by != By::Year {
            path.push(format!("{year:04}"));
        }
        if is_tree && by == By::Day {
            path.push(format!("{year:04}{month:02}"));
        }
        path.push(&name);
        (path, name)
    };
    let (files, has_gap) = match by {
        By::Player => {
            let names = ["White", "Black"].iter().flat_map(|name| tag(name).split(':'));
            let mut files: Vec<_> = names
                .map(str::trim)
                .filter(|name| is_known_name(name))
                .map(|name| (named(name.split(',').next().unwrap_or_default()).0, name.to_owned()))
                .collect();
            let mut seen = HashSet::new();
            files.retain(|(name, _)| seen.insert(plain_case(name)));
            if files.is_empty() {
                files.push(named("?"));
            }
            (files, false)
        }
        By::Event => (vec![named(tag("Event"))], false),
        By::Site => (vec![named(tag("Site"))], false),
        By::Eco => (vec![named(tag("ECO").get(..3).unwrap_or_default())], false),
        By::Result => (
            vec![named(match game.result {
                GameResult::Draw => "draw",
                GameResult::Unknown => "unfinished",
                won => won.as_str(),
            })],
            false,
        ),
        By::Year => (vec![dated(format!("{year:04}"))], year == 0),
        By::Month => (vec![dated(format!("{year:04}{month:02}"))], month == 0),
        By::Day => (vec![dated(format!("{year:04}{month:02}{day:02}"))], day == 0),
    };
    Keys { files, has_gap }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.tree && !matches!(self.parts.by, Some(By::Year | By::Month | By::Day)) {
            return Err(CliError::usage("--tree is for --by year, month and day"));
        }
        let query = self.query.read(self.inputs.files())?;
        let mut end = InputEnd::default();
        let sources = self.inputs.sources(&mut end);
        let mut spool = Spool::new().map_err(temporary_error)?;
        let mut gaps = 0_u64;
        let mut numbered = NumberedParts::default();
        each_game(
            &self.inputs,
            query.as_ref(),
            self.selection,
            &sources,
            &mut end,
            &|game| (self.parts.by.map(|by| keys(by, self.tree, game)), Export::new().game(game)),
            &mut |source, (keys, text)| {
                if let Some(Keys { files, has_gap }) = keys {
                    gaps += u64::from(has_gap);
                    return push(&mut spool, &text, files);
                }
                let name = numbered.add(source, text.len() as u64, self.parts);
                push(&mut spool, &text, vec![(PathBuf::from(name), source.name())])
            },
        )?;
        let status = end.status()?;
        let files = write_files(spool, &self.folder, self.replace, self.json)?;
        if self.json {
            write_json(out, &Report { files, incomplete_dates: gaps })?;
            return Ok(status);
        }
        if gaps > 0 {
            // A failure to write is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{} with an incomplete date", pluralize(gaps, "game"));
        }
        writeln!(out, "{} in {}", pluralize(files.len() as u64, "file"), PathExcerpt::new(&self.folder))?;
        Ok(status)
    }
}

/// The numbered parts of all sources.
#[derive(Default)]
struct NumberedParts {
    /// The latest part for each name of a source: sources in several folders may share a name.
    latest: HashMap<String, u64>,
    current: Option<CurrentPart>,
}

/// The part to which games of a source are added.
struct CurrentPart {
    source: *const Source,
    name: String,
    games: u64,
    bytes: u64,
}

impl NumberedParts {
    /// The name of the part to which the next game of a source, of this many bytes, belongs.
    fn add(&mut self, source: &Source, bytes: u64, limits: Parts) -> String {
        let has_room = |part: &&mut CurrentPart| {
            part.source == ptr::from_ref(source)
                && limits.games.is_none_or(|most| part.games < most)
                && limits.bytes.is_none_or(|most| part.bytes + bytes <= most)
        };
        if let Some(part) = self.current.as_mut().filter(has_room) {
            (part.games, part.bytes) = (part.games + 1, part.bytes + bytes);
            return part.name.clone();
        }
        let stem = safe_name(&stem(source));
        let number = self.latest.entry(plain_case(Path::new(&stem))).or_default();
        *number += 1;
        let name = part_name(&stem, *number);
        self.current =
            Some(CurrentPart { source: ptr::from_ref(source), name: name.clone(), games: 1, bytes });
        name
    }
}

/// The name of a source without its folder and extensions.
fn stem(source: &Source) -> String {
    let Some(path) = source.path() else { return "games".to_owned() };
    let name = match source {
        Source::Member(_, member) => PathBuf::from(&member.name),
        _ => without_packed_extension(path).to_owned(),
    };
    name.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// A name in lower case: equal ones are the same file where case is ignored.
fn plain_case(name: &Path) -> String {
    name.to_string_lossy().to_lowercase()
}

/// Adds a game to files. Names that differ only in case refer to the same file, since some file systems ignore case.
fn push(spool: &mut Spool<PathBuf>, text: &str, files: Vec<(PathBuf, String)>) -> Result<(), CliError> {
    let files = files.into_iter().map(|(name, origin)| (plain_case(&name), name, origin));
    spool.push(text, files).map_err(temporary_error)
}

/// A summary of the files written.
#[derive(Serialize)]
struct Report {
    files: Vec<WrittenFile>,
    /// The number of games whose date is too incomplete for the name of the file.
    incomplete_dates: u64,
}

#[derive(Serialize)]
struct WrittenFile {
    file: String,
    games: usize,
    /// The players, events or other texts that the name is derived from.
    of: BTreeSet<String>,
}

/// Writes all files. Texts that share a file name are reported, unless `quiet`.
fn write_files(
    mut spool: Spool<PathBuf>,
    folder: &Path,
    replace: bool,
    quiet: bool,
) -> Result<Vec<WrittenFile>, CliError> {
    let path = |name: &Path| {
        let mut path = folder.join(name).into_os_string();
        path.push(".pgn");
        PathBuf::from(path)
    };
    if let Some(found) = spool.targets().map(|name| path(name)).find(|path| !replace && path.exists()) {
        let problem = "exists, expected a new file; --replace replaces it";
        return Err(CliError::Usage(format!("{}: {problem}", PathExcerpt::new(&found))));
    }
    let mut files = Vec::new();
    for target in spool.take_targets() {
        let path = path(&target.name);
        let mut file = new_file(&path)?;
        spool.copy(&target, &mut file)?;
        file.commit()?;
        if target.origins.len() > 1 && !quiet {
            let origins: Vec<&str> = target.origins.iter().map(|origin| &**origin).collect();
            // A failure is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{} has games of {}", PathExcerpt::new(&path), origins.join("; "));
        }
        let games = target.games();
        files.push(WrittenFile { file: path.display().to_string(), games, of: target.origins });
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe() {
        let cases = [
            ("Linares 18th", "Linares 18th"),
            ("a/b\\c:d*?\"<>|", "a_b_c_d______"),
            ("../../etc", "_.._etc"),
            ("..", "Unknown"),
            ("?", "Unknown"),
            ("", "Unknown"),
            (" con ", "con_"),
            ("Ståhlberg", "Ståhlberg"),
            ("a\nb\0", "a_b_"),
        ];
        for (text, expected) in cases {
            assert_eq!(safe_name(text), expected, "{text:?}");
        }
        assert_eq!(safe_name(&"é".repeat(500)).chars().count(), MAX_NAME);
    }

    #[test]
    fn parts_have_numbers_or_letters() {
        let parts = |stem, numbers: &[u64]| -> Vec<String> {
            numbers.iter().map(|&number| part_name(stem, number)).collect()
        };
        assert_eq!(parts("games", &[1, 2, 30]), ["games1", "games2", "games30"]);
        assert_eq!(
            parts("twic92", &[1, 2, 26, 27, 52, 53, 702, 703]),
            ["twic92a", "twic92b", "twic92z", "twic92aa", "twic92az", "twic92ba", "twic92zz", "twic92aaa"]
        );
    }
}
