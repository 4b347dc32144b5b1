//! What is saved of a match, so that it can go on.

use super::Progress;
use crate::arena::plan::{Plan, PlanError};
use crate::files::NewFile;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A match, as far as it has come. The games themselves are in the files that it names, up to
/// the lengths that it tells: what follows there was written but not counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    version: u32,
    /// The plan, as TOML.
    plan: String,
    /// How many openings the book has.
    pub openings: usize,
    /// What has been counted.
    pub progress: Progress,
    /// Is there nothing left to play?
    pub is_finished: bool,
    /// The length of the file of games, in bytes.
    pub pgn_len: u64,
    /// The length of the file of final positions, in bytes.
    pub epd_len: u64,
}

/// The version that this program writes and reads.
const VERSION: u32 = 1;

/// A state that cannot be used.
#[derive(Debug)]
pub enum StateError {
    /// It cannot be read or written.
    File(io::Error),
    /// It is no state.
    Format(serde_json::Error),
    /// It was written by another version.
    Version(u32),
    /// The plan in it is none.
    Plan(PlanError),
    /// The plan in it is no TOML.
    Toml(String),
    /// The book has changed since.
    Book {
        /// How many openings it has.
        found: usize,
        /// How many it had.
        expected: usize,
    },
    /// A match has been saved there that is not over.
    Unfinished,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Format(error) => write!(f, "not the state of a match: {error}"),
            Self::Version(found) => write!(f, "state of version {found}, expected version {VERSION}"),
            Self::Plan(error) => error.fmt(f),
            Self::Toml(error) => f.write_str(error),
            Self::Book { found, expected } => {
                write!(f, "the book has {found} openings, expected {expected} as when the match began")
            }
            Self::Unfinished => f.write_str(
                "holds a match that is not over; --resume goes on with it, or remove the file to begin anew",
            ),
        }
    }
}

impl std::error::Error for StateError {}

impl State {
    /// A match that has not begun.
    pub fn new(plan: &Plan, openings: usize, progress: Progress) -> Self {
        Self {
            version: VERSION,
            plan: plan.write().to_string(),
            openings,
            progress,
            is_finished: false,
            pgn_len: 0,
            epd_len: 0,
        }
    }

    /// Reads a state.
    ///
    /// # Errors
    /// [`StateError`] if there is none that this version understands.
    pub fn load(path: &Path) -> Result<Self, StateError> {
        let text = fs::read_to_string(path).map_err(StateError::File)?;
        let state: Self = serde_json::from_str(&text).map_err(StateError::Format)?;
        if state.version == VERSION { Ok(state) } else { Err(StateError::Version(state.version)) }
    }

    /// The plan of the match.
    ///
    /// # Errors
    /// [`StateError`] if somebody has spoiled it.
    pub fn plan(&self) -> Result<Plan, StateError> {
        let table = self.plan.parse::<toml::Table>().map_err(|error| StateError::Toml(error.to_string()))?;
        Plan::read(table).map_err(StateError::Plan)
    }

    /// Saves it: whatever happens, the file holds the old state or the new one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut file = NewFile::create_alone(path)?;
        serde_json::to_writer(&mut file, self)?;
        file.write_all(b"\n")?;
        file.sync()?;
        file.complete()
    }
}
