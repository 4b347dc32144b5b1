//! A match as somebody wants it: read from tables of keys and values, checked, and written as
//! such tables again. The command line and TOML files say the same things with the same names.

mod error;
mod keys;
mod read;
mod write;

pub use error::PlanError;

use super::game::{Adjudication, Limits};
use super::log::Details;
use super::opening::{Book, BookError, BookFormat, Sequence, Variant};
use super::schedule::{Format, Schedule};
use super::statistics::Sprt;
use crate::client::{EngineSettings, Timeouts};
use std::path::PathBuf;

/// Everything that is to be known of a match before it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The engines; at least two.
    pub entrants: Vec<Entrant>,
    /// Who plays whom.
    pub format: Format,
    /// How many encounters each pairing has.
    pub rounds: usize,
    /// Is each opening played twice, with colors swapped?
    pub is_repeated: bool,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// The chess that is played.
    pub variant: Variant,
    /// The book of openings, if there is one.
    pub book: Option<BookFile>,
    /// In which order openings are used.
    pub sequence: Sequence,
    /// When games are over though the rules would let them go on.
    pub adjudication: Adjudication,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// How long engines may take for what they must do at once.
    pub timeouts: Timeouts,
    /// Where the games are written.
    pub pgn: Option<PathBuf>,
    /// What their comments tell.
    pub details: Details,
    /// Where final positions are written.
    pub epd: Option<PathBuf>,
    /// Where all that is said is written.
    pub log: Option<PathBuf>,
    /// Where the state is saved: if nothing is said, beside the games.
    pub state: Option<PathBuf>,
    /// After how many games there is a report.
    pub report_interval: usize,
    /// The `Event` tag of games.
    pub event: String,
    /// The `Site` tag of games.
    pub site: String,
}

/// An engine in a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant {
    /// The program and its options.
    pub settings: EngineSettings,
    /// What it may use.
    pub limits: Limits,
}

/// A file of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookFile {
    /// The file.
    pub path: PathBuf,
    /// How it is written, if that is stated.
    pub format: Option<BookFormat>,
    /// How many half-moves of games are kept.
    pub plies: Option<usize>,
}

impl Plan {
    /// Reads a plan from tables of keys and values: `engine` is an array of tables, `each` holds
    /// what all engines share.
    ///
    /// # Errors
    /// [`PlanError`] for the first thing that is wrong, with what was expected.
    pub fn read(table: toml::Table) -> Result<Self, PlanError> {
        read::plan(table)
    }

    /// The tables that read back as this plan, with every setting that is not left out.
    pub fn write(&self) -> toml::Table {
        write::plan(self)
    }

    /// All encounters.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            players: self.entrants.len(),
            format: self.format,
            rounds: self.rounds,
            is_repeated: self.is_repeated,
        }
    }

    /// Reads the book, or makes the one that the variant has without a file.
    ///
    /// # Errors
    /// [`BookError`] if the file is no book.
    pub fn open_book(&self) -> Result<Book, BookError> {
        match &self.book {
            Some(book) => Book::read(&book.path, book.format, book.plies),
            None => Ok(self.variant.default_book(self.sequence.seed)),
        }
    }
}
