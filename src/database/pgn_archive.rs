//! The folders of an archive (PGN standard, 11.5). Each has a file `ReadMe`, which lists its content, and a file `News`
//! with the changes, the latest first.
//!
//! The list is read again: a file that has the size stated in the list need not be counted. The news is the difference
//! between the old list and the current content, so it is complete even if a command is interrupted.

use crate::files::AtomicFile;
use crate::notation::pgn::Date;
use crate::notation::pluralize;
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write as _};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The folder of files for each event.
pub const EVENTS: &str = "Events";
/// The folder of the Master Games Repository, with all games in folders by year.
pub const REPOSITORY: &str = "MGR";
/// The folder of files for each player.
pub const PLAYERS: &str = "Players";
/// The file that lists the content of a folder.
const READ_ME: &str = "ReadMe";
/// The file with the changes of a folder.
const NEWS: &str = "News";
/// A line of every list. A file without it was not made by this program.
const MARK: &str = "This list is made by `hematite pgn archive`.";
/// The text for an unknown date.
const NO_DATE: &str = "-";
/// The maximum number of lines of news about one change.
const MAX_NEWS: usize = 100;

/// The statistics of the games in a file or a folder.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Holding {
    /// The number of games.
    pub games: u64,
    /// The dates of the first and of the last game, if any date is known.
    pub dates: Option<(Date, Date)>,
    /// The size of the file or of all files, in bytes.
    pub bytes: u64,
}

impl Holding {
    /// Adds a game.
    pub fn add_game(&mut self, date: Date) {
        self.games += 1;
        if date.year.is_some() {
            self.add_dates((date, date));
        }
    }

    fn add_dates(&mut self, (first, last): (Date, Date)) {
        let (earliest, latest) = self.dates.unwrap_or((first, last));
        self.dates = Some((earliest.min(first), latest.max(last)));
    }

    fn add(&mut self, other: &Self) {
        // The numbers come from a file, so the sum may overflow.
        self.games = self.games.saturating_add(other.games);
        self.bytes = self.bytes.saturating_add(other.bytes);
        if let Some(dates) = other.dates {
            self.add_dates(dates);
        }
    }
}

/// A date as it is listed.
struct Shown(Option<Date>);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(date) => date.fmt(f),
            None => f.pad(NO_DATE),
        }
    }
}

/// The content of a folder: files, or folders of files, by their names.
type Holdings = BTreeMap<String, Holding>;

/// The text of the list of a folder, with its title in the first line.
fn list(title: &str, is_of_files: bool, holdings: &Holdings) -> String {
    let mut sum = Holding::default();
    holdings.values().for_each(|holding| sum.add(holding));
    let (kind, kinds) = if is_of_files { ("File", "file") } else { ("Folder", "folder") };
    let mut text = format!(
        "{title}\n{MARK}\n\n{} in {}\n\n",
        pluralize(sum.games, "game"),
        pluralize(holdings.len() as u64, kinds)
    );
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:>9}  {:<10}  {:<10}  {:>12}  {kind}", "Games", "First", "Last", "Bytes");
    for (name, Holding { games, dates, bytes }) in holdings {
        let (first, last) = (Shown(dates.map(|dates| dates.0)), Shown(dates.map(|dates| dates.1)));
        let _ = writeln!(text, "{games:>9}  {first:<10}  {last:<10}  {bytes:>12}  {name}");
    }
    text
}

/// Reads a list and skips all other lines.
fn read_list(text: &str) -> Holdings {
    let row = |line: &str| {
        let mut rest = line;
        let mut field = || {
            let (field, behind) = rest.trim_start().split_once("  ")?;
            rest = behind;
            Some(field)
        };
        let games = field()?.parse().ok()?;
        let dates = match (field()?, field()?) {
            (NO_DATE, NO_DATE) => None,
            (first, last) => Some((Date::parse(first)?, Date::parse(last)?)),
        };
        let bytes = field()?.parse().ok()?;
        Some((rest.to_owned(), Holding { games, dates, bytes }))
    };
    text.lines().filter_map(row).collect()
}

/// The news, one line for each changed file; `None` if there is none.
fn news(old: &Holdings, new: &Holdings, today: &str) -> Option<String> {
    let mut lines = Vec::new();
    for (name, holding) in new {
        let before = old.get(name);
        let games = pluralize(holding.games, "game");
        match before.map(|before| before.games) {
            None => lines.push(format!("{name}: new, {games}")),
            Some(before) if before < holding.games => {
                lines.push(format!("{name}: {games}, {} of them new", holding.games - before));
            }
            Some(before) if before > holding.games => lines.push(format!("{name}: {games}, {before} before")),
            Some(_) if before != Some(holding) => lines.push(format!("{name}: {games}, changed")),
            Some(_) => {}
        }
    }
    lines.extend(old.keys().filter(|&name| !new.contains_key(name)).map(|name| format!("{name}: gone")));
    if lines.is_empty() {
        return None;
    }
    let more = lines.len().saturating_sub(MAX_NEWS);
    lines.truncate(MAX_NEWS);
    let mut text = format!("{today}\n");
    lines.iter().for_each(|line| text += &format!("  {line}\n"));
    if more > 0 {
        text += &format!("  and {more} more\n");
    }
    Some(text + "\n")
}

/// An archive in the file system.
pub struct PgnArchive {
    folder: PathBuf,
    /// The PGN files by their paths in lowercase, since some file systems ignore case.
    files: BTreeMap<String, PathBuf>,
}

/// The key of a path within the archive.
fn key(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

/// The entries of a folder, ordered by name; none if the folder does not exist.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let listed = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed.map_err(|error| named(folder, &error))?,
    };
    let mut paths: Vec<PathBuf> = listed.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether the file contains games.
fn is_games(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pgn") && path.is_file()
}

fn is_year(path: &Path) -> bool {
    let name = name(path);
    name.len() == 4 && name.bytes().all(|byte| byte.is_ascii_digit()) && path.is_dir()
}

/// The list of a folder, if it exists.
fn old_list(folder: &Path) -> io::Result<Option<String>> {
    let path = folder.join(READ_ME);
    match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => Ok(Some(String::from_utf8_lossy(&read.map_err(|error| named(&path, &error))?).into_owned())),
    }
}

impl PgnArchive {
    /// Opens the archive in a folder, which may be missing.
    ///
    /// # Errors
    /// If the folder cannot be read, or has a list that was not made by this program.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let mut this = Self { folder: folder.to_owned(), files: BTreeMap::new() };
        let mut folders = this.folders_of_files()?;
        for folder in &folders {
            for path in entries(&this.folder.join(folder))? {
                if is_games(&path) {
                    let path = folder.join(path.file_name().unwrap_or_default());
                    this.files.insert(key(&path), path);
                }
            }
        }
        folders.extend([PathBuf::new(), REPOSITORY.into()]);
        for folder in folders {
            let folder = this.folder.join(folder);
            if old_list(&folder)?.is_some_and(|list| !list.lines().any(|line| line == MARK)) {
                let problem =
                    "it is a file that `hematite pgn archive` has not made, expected another folder";
                return Err(named(&folder.join(READ_ME), &io::Error::new(ErrorKind::AlreadyExists, problem)));
            }
        }
        Ok(this)
    }

    /// The folders that contain PGN files, as paths within the archive.
    fn folders_of_files(&self) -> io::Result<Vec<PathBuf>> {
        let mut folders: Vec<PathBuf> = vec![EVENTS.into(), PLAYERS.into()];
        for path in entries(&self.folder.join(REPOSITORY))? {
            if is_year(&path) {
                folders.push(Path::new(REPOSITORY).join(path.file_name().unwrap_or_default()));
            }
        }
        Ok(folders)
    }

    /// The path of a file in the archive: that of an existing file if the names differ only in case.
    pub fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(self.files.get(&key(path)).map_or(path, PathBuf::as_path))
    }

    /// Updates the lists and the news of all folders. `counted` contains known statistics by path; `count` determines
    /// those of the other files that differ from their list.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn describe(
        &self,
        counted: &HashMap<PathBuf, Holding>,
        count: &mut dyn FnMut(&Path) -> io::Result<Holding>,
        today: &str,
    ) -> io::Result<()> {
        let mut parts = Holdings::new();
        let mut years = Holdings::new();
        for folder in self.folders_of_files()? {
            let path = self.folder.join(&folder);
            let title = match folder.to_str() {
                Some(EVENTS) => "Events: a file for each event".to_owned(),
                Some(PLAYERS) => "Players: a file for the games of each last name".to_owned(),
                _ => format!("The games of the year {}: a file for each month", name(&folder)),
            };
            let old = old_list(&path)?.map_or_else(Holdings::new, |list| read_list(&list));
            let mut files = Holdings::new();
            for file in entries(&path)? {
                if !is_games(&file) {
                    continue;
                }
                let bytes = fs::metadata(&file).map_err(|error| named(&file, &error))?.len();
                let known = counted.get(&file).or_else(|| old.get(&name(&file)));
                let holding = match known.filter(|holding| holding.bytes == bytes) {
                    Some(holding) => holding.clone(),
                    None => Holding { bytes, ..count(&file)? },
                };
                files.insert(name(&file), holding);
            }
            let Some(sum) = update(&path, &title, true, &old, &files, today)? else { continue };
            let holdings = if folder.starts_with(REPOSITORY) { &mut years } else { &mut parts };
            holdings.insert(name(&folder), sum);
        }
        let add = |path: PathBuf, title: &str, holdings: &Holdings| {
            let old = old_list(&path)?.map_or_else(Holdings::new, |list| read_list(&list));
            update(&path, title, false, &old, holdings, today)
        };
        let title = "Master Games Repository: all games by year and month";
        if let Some(sum) = add(self.folder.join(REPOSITORY), title, &years)? {
            parts.insert(REPOSITORY.to_owned(), sum);
        }
        let title = "An archive of chess games in the folders of the PGN standard";
        add(self.folder.clone(), title, &parts).map(|_| ())
    }
}

/// Writes the list and the news of a folder if they have changed, and returns its content; `None` if there is no
/// content and no list.
fn update(
    folder: &Path,
    title: &str,
    is_of_files: bool,
    old: &Holdings,
    new: &Holdings,
    today: &str,
) -> io::Result<Option<Holding>> {
    if new.is_empty() && old.is_empty() {
        return Ok(None);
    }
    if let Some(news) = news(old, new, today) {
        let path = folder.join(NEWS);
        let earlier = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| named(&path, &error))?,
        };
        // The news is already in the file if an earlier run wrote it and then failed to replace the list.
        if !earlier.starts_with(news.as_bytes()) {
            replace(&path, &[news.as_bytes(), &earlier].concat())?;
        }
    }
    let text = list(title, is_of_files, new);
    if old_list(folder)?.as_deref() != Some(&text) {
        replace(&folder.join(READ_ME), text.as_bytes())?;
    }
    let mut sum = Holding::default();
    new.values().for_each(|holding| sum.add(holding));
    Ok(Some(sum))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let write = || {
        let mut file = AtomicFile::create_alone(path)?;
        file.write_all(bytes)?;
        file.commit()
    };
    write().map_err(|error| named(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(games: u64, dates: Option<(Date, Date)>, bytes: u64) -> Holding {
        Holding { games, dates, bytes }
    }

    #[test]
    fn lists_come_back() {
        let holdings = Holdings::from([
            ("a  b  1 2.pgn".to_owned(), holding(1, None, 7)),
            (
                "1992.pgn".to_owned(),
                holding(
                    1_234_567_890,
                    Some((Date::from_numbers(1992, 0, 0), Date::from_numbers(1992, 12, 31))),
                    u64::MAX,
                ),
            ),
        ]);
        let text = list("1  1992.01.01  1992.01.01  1", true, &holdings);
        assert_eq!(read_list(&text), holdings, "{text}");
        assert!(text.contains("1234567891 games in 2 files\n"), "{text}");
        assert!(
            text.contains("1234567890  1992.??.??  1992.12.31  18446744073709551615  1992.pgn\n"),
            "{text}"
        );
    }

    #[test]
    fn news_are_what_differs() {
        let old = Holdings::from([
            ("fewer".to_owned(), holding(3, None, 30)),
            ("gone".to_owned(), holding(3, None, 30)),
            ("more".to_owned(), holding(3, None, 30)),
            ("other".to_owned(), holding(3, None, 30)),
            ("same".to_owned(), holding(3, None, 30)),
        ]);
        let new = Holdings::from([
            ("fewer".to_owned(), holding(2, None, 20)),
            ("more".to_owned(), holding(5, None, 50)),
            ("new".to_owned(), holding(1, None, 10)),
            ("other".to_owned(), holding(3, None, 31)),
            ("same".to_owned(), holding(3, None, 30)),
        ]);
        assert_eq!(
            news(&old, &new, "today").as_deref(),
            Some(
                "today\n  fewer: 2 games, 3 before\n  more: 5 games, 2 of them new\n  new: new, 1 game\n  \
                 other: 3 games, changed\n  gone: gone\n\n"
            )
        );
        assert_eq!(news(&new, &new, "today"), None);
    }
}
