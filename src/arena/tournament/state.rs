//! The progress of a match, its saved state, and the lock of that state.

use crate::arena::config::{ConfigError, MatchConfig};
use crate::arena::game::Termination;
use crate::arena::log::other_match;
use crate::arena::opening::OpeningSuite;
use crate::arena::schedule::{Pairing, Results};
use crate::arena::statistics::{GameScore, MatchTable, PairTally};
use crate::files::{AtomicFile, LockFile, check_regular, open_regular};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::Path;
use thiserror::Error;

/// All counts of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The names of the engines.
    pub names: Vec<String>,
    /// The total number of games.
    pub total_games: usize,
    /// The number of games counted so far.
    pub games: usize,
    /// All pairings below this number are over.
    first_open: usize,
    /// The pairings from this number on that are also over.
    closed: BTreeSet<usize>,
    /// The results of the first engine of each two engines.
    tallies: Vec<(usize, usize, PairTally)>,
    /// The number of games by the kind of their termination.
    pub terminations: BTreeMap<String, u64>,
    /// The number of faults of each engine, by their kind.
    pub faults: Vec<BTreeMap<String, u64>>,
    /// The time spent on the match, in seconds.
    pub seconds: f64,
}

impl Progress {
    /// The progress at the start of a match.
    pub fn new(names: Vec<String>, total_games: usize) -> Self {
        Self {
            faults: vec![BTreeMap::new(); names.len()],
            names,
            total_games,
            games: 0,
            first_open: 0,
            closed: BTreeSet::new(),
            tallies: Vec::new(),
            terminations: BTreeMap::new(),
            seconds: 0.0,
        }
    }

    /// Counts the games of a pairing, given their terminations.
    pub fn add(&mut self, pairing: &Pairing, terminations: &[&Termination]) {
        let mut scores = Vec::new();
        for (game, termination) in terminations.iter().enumerate() {
            let (white, black) = pairing.colors(game);
            let loser = termination.loser().map(|color| [white, black][color]);
            scores.push(match loser {
                None => GameScore::Draw,
                Some(loser) if loser == pairing.first => GameScore::Loss,
                Some(_) => GameScore::Win,
            });
            *self.terminations.entry(termination.kind().to_owned()).or_default() += 1;
            if let Some(faults) =
                termination.culprit().and_then(|side| self.faults.get_mut([white, black][side]))
            {
                *faults.entry(termination.kind().to_owned()).or_default() += 1;
            }
        }
        let mut tally = PairTally::default();
        match scores.as_chunks::<2>() {
            (pairs, []) => pairs.iter().for_each(|&[first, second]| tally.add_pair(first, second)),
            // Games that are not all halves of pairs are counted singly.
            _ => scores.iter().for_each(|&score| tally.add_game(score)),
        }
        let engines = (pairing.first, pairing.second);
        match self.tallies.iter_mut().find(|entry| (entry.0, entry.1) == engines) {
            Some(entry) => entry.2 += tally,
            None => self.tallies.push((engines.0, engines.1, tally)),
        }
        self.games += scores.len();
        self.closed.insert(pairing.index);
        while self.closed.remove(&self.first_open) {
            self.first_open += 1;
        }
    }

    /// The results of the first engine against the second.
    pub fn tally(&self) -> PairTally {
        self.tallies
            .iter()
            .find(|entry| (entry.0, entry.1) == (0, 1))
            .map_or_else(PairTally::default, |entry| entry.2)
    }

    /// The results of all engines.
    pub fn crosstable(&self) -> MatchTable {
        let mut table = MatchTable::new(self.names.clone());
        for &(first, second, tally) in &self.tallies {
            table.add(first, second, tally);
        }
        table
    }

    /// The number of games that ended by a fault of an engine.
    pub fn fault_count(&self) -> u64 {
        self.faults.iter().flat_map(BTreeMap::values).sum()
    }
}

impl Results for Progress {
    fn is_over(&self, pairing: usize) -> bool {
        pairing < self.first_open || self.closed.contains(&pairing)
    }

    fn compare(&self, first: usize, second: usize) -> Ordering {
        let results = self.crosstable().tally(first, second).results;
        results.wins.cmp(&results.losses)
    }
}

/// A saved match. The games themselves are in the files that it names, up to the stated lengths: text after that was
/// written but not counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    version: u32,
    /// The configuration, as TOML.
    #[serde(rename = "plan")]
    config: String,
    /// The number of openings of the book.
    openings: usize,
    /// The checksum of the openings; missing in states of earlier versions.
    #[serde(default)]
    checksum: Option<String>,
    /// The counts.
    pub progress: Progress,
    /// Whether no games are left to play.
    pub is_finished: bool,
    /// The length of the PGN file, in bytes.
    pub pgn_len: u64,
    /// The length of the file of final positions, in bytes.
    pub epd_len: u64,
}

/// The format version that this program writes and reads.
const VERSION: u32 = 1;

/// The reason why a state cannot be used.
#[derive(Debug, Error)]
pub enum StateError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(io::Error),
    /// The file is not a state.
    #[error("not the state of a match: {0}")]
    Format(serde_json::Error),
    /// The state has another format version.
    #[error("state of version {0}, expected version {VERSION}")]
    Version(u32),
    /// The configuration in the state is not valid.
    #[error(transparent)]
    Config(ConfigError),
    /// The configuration in the state is not TOML.
    #[error("{0}")]
    Toml(String),
    /// The book has another number of openings than before.
    #[error("the book has {found} openings, expected {expected} as when the match started")]
    Book {
        /// The number of openings found.
        found: usize,
        /// The number of openings expected.
        expected: usize,
    },
    /// The book has the same number of openings as before, but different ones.
    #[error("the book has other openings than when the match started: checksum {found}, expected {expected}")]
    Openings {
        /// The checksum found.
        found: String,
        /// The checksum expected.
        expected: String,
    },
    /// The file contains a match that is not over.
    #[error("holds a match that is not over; --resume continues it, or remove the file to start again")]
    Unfinished,
    /// The file must not be overwritten, since it is not a state.
    #[error("{0}; it is not overwritten, expected no file or the state of a match that is over")]
    Occupied(Box<Self>),
}

impl State {
    /// The state of a match that has not started.
    pub fn new(config: &MatchConfig, book: &OpeningSuite, progress: Progress) -> Self {
        Self {
            version: VERSION,
            config: config.write().to_string(),
            openings: book.len(),
            checksum: Some(book.checksum()),
            progress,
            is_finished: false,
            pgn_len: 0,
            epd_len: 0,
        }
    }

    /// Reads a state.
    ///
    /// # Errors
    /// [`StateError`] if the file cannot be read as a state of this version.
    pub fn load(path: &Path) -> Result<Self, StateError> {
        /// The field that the states of all versions have.
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let file = open_regular(path).map_err(StateError::File)?;
        // A large file that is not a state is only read up to the first error.
        let content: Value = serde_json::from_reader(BufReader::new(file)).map_err(StateError::Format)?;
        let Versioned { version } = Versioned::deserialize(&content).map_err(StateError::Format)?;
        if version != VERSION {
            return Err(StateError::Version(version));
        }
        serde_json::from_value(content).map_err(StateError::Format)
    }

    /// Checks that the state of a new match can be saved to this file. Only the state of a match that is over is
    /// overwritten.
    ///
    /// # Errors
    /// [`StateError::Unfinished`] if the file contains a match that can be resumed, [`StateError::Occupied`] if it
    /// contains anything else.
    pub fn check_place(path: &Path) -> Result<(), StateError> {
        match Self::load(path) {
            Ok(state) if state.is_finished => Ok(()),
            Ok(_) => Err(StateError::Unfinished),
            Err(StateError::File(error)) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StateError::Occupied(Box::new(error))),
        }
    }

    /// Checks that the book has the same openings as at the start of the match.
    ///
    /// # Errors
    /// [`StateError::Book`] or [`StateError::Openings`] if it has different openings.
    pub fn check_book(&self, book: &OpeningSuite) -> Result<(), StateError> {
        if book.len() != self.openings {
            return Err(StateError::Book { found: book.len(), expected: self.openings });
        }
        match &self.checksum {
            Some(expected) if !book.has_checksum(expected) => {
                Err(StateError::Openings { found: book.checksum(), expected: expected.clone() })
            }
            _ => Ok(()),
        }
    }

    /// The configuration of the match.
    ///
    /// # Errors
    /// [`StateError`] if the configuration is not valid.
    pub fn config(&self) -> Result<MatchConfig, StateError> {
        let table =
            self.config.parse::<toml::Table>().map_err(|error| StateError::Toml(error.to_string()))?;
        MatchConfig::read(table).map_err(StateError::Config)
    }

    /// Saves the state: the file always contains either the old state or the new one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut file = AtomicFile::create_alone(path)?;
        serde_json::to_writer(&mut file, self)?;
        file.write_all(b"\n")?;
        file.sync()?;
        file.commit()
    }
}

/// The extension of the lock file of a state.
const EXTENSION: &str = "lock";

/// Locks a state, which need not exist yet, for this match. Saving replaces the state file, so a separate file next to
/// it is locked.
///
/// # Errors
/// If another match has locked the state, if the path cannot be a state, or if no file can be created next to it.
pub(super) fn lock_state(state: &Path) -> io::Result<LockFile> {
    // No lock file is created next to a device.
    check_regular(state)
        .or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
    // Different paths may name the same state.
    let state = fs::canonicalize(state).unwrap_or_else(|_| state.to_owned());
    LockFile::take(&state.with_added_extension(EXTENSION))?.ok_or_else(other_match)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;

    #[test]
    fn a_state_belongs_to_one_match_at_a_time() {
        let folder = std::env::temp_dir().join(format!("hematite-state-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let state = folder.join("state");
        let other_names = [folder.join("./state"), state.clone()];
        for is_there in [false, true] {
            let lock = lock_state(&state).expect("nobody else has it");
            for name in &other_names {
                let refused = lock_state(name).expect_err("it is locked");
                assert_eq!(refused.to_string(), "another match writes this file", "{is_there}");
            }
            fs::write(&state, "{}").expect("it can be written");
            drop(lock);
            let names = fs::read_dir(&folder).expect("it can be listed").count();
            assert_eq!(names, 1, "the state alone is left");
        }
        fs::write(folder.join("state.lock"), "").expect("left by somebody who was killed");
        assert!(lock_state(&state).is_ok());
        let refused = lock_state(&folder).expect_err("no file");
        assert_eq!(refused.to_string(), "a folder, expected a regular file");
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    #[test]
    fn encounters_are_counted_once_in_any_order() {
        let mut progress = Progress::new(vec!["a".into(), "b".into()], 6);
        let pairings = [0, 1, 2].map(|index| Pairing {
            index,
            first: 0,
            second: 1,
            white: 0,
            games: 2,
            swaps: true,
            opening: index,
        });
        let white_lost = Termination::TimeForfeit { loser: Color::White };
        let white_won = Termination::ResignAdjudication { loser: Color::Black };
        progress.add(&pairings[2], &[&white_won, &white_lost]);
        assert_eq!((0..3).map(|e| progress.is_over(e)).collect::<Vec<_>>(), [false, false, true]);
        progress.add(&pairings[0], &[&Termination::MaxMoves, &white_won]);
        progress.add(&pairings[1], &[&white_lost, &white_won]);
        assert_eq!((progress.first_open, progress.closed.len(), progress.games), (3, 0, 6));
        // Two wins; a draw as White and a loss as Black; two losses.
        assert_eq!(progress.tally().pairs.ptnml, [1, 1, 0, 0, 1]);
        assert_eq!(progress.terminations["time loss"], 2);
        assert_eq!((progress.faults[0]["time loss"], progress.faults[1]["time loss"]), (1, 1));
        assert_eq!(progress.fault_count(), 2);
    }
}
