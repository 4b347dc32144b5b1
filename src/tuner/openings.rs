//! Where the games begin.

use super::TunerError;
use crate::chess::Position;
use crate::rng::Rng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// Which openings they are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsId {
    /// The file that they were read from.
    pub file: PathBuf,
    /// How many there are.
    pub count: usize,
    /// A checksum of the positions.
    pub checksum: String,
}

impl fmt::Display for OpeningsId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a book of {} with checksum {}", self.count, self.checksum)
    }
}

/// Positions at which games begin, at least one.
#[derive(Clone, Debug)]
pub struct Openings {
    id: OpeningsId,
    positions: Vec<Position>,
}

impl Openings {
    /// Openings of this file; `None` if there are none.
    pub fn new(file: &Path, positions: Vec<Position>) -> Option<Self> {
        let mut checksum = Xxh3::new();
        for position in &positions {
            checksum.update(&position.key().bits().to_le_bytes());
        }
        let checksum = format!("{:016x}", checksum.digest());
        let id = OpeningsId { file: file.to_owned(), count: positions.len(), checksum };
        (!positions.is_empty()).then_some(Self { id, positions })
    }

    /// What the settings say of them.
    pub const fn id(&self) -> &OpeningsId {
        &self.id
    }

    /// The same in an order that a seed determines.
    pub(super) fn shuffled(mut self, seed: u64) -> Self {
        Rng::new(seed).shuffle(&mut self.positions);
        self
    }

    /// The opening with this number; after the last comes the first again.
    pub(super) fn opening(&self, number: u64) -> &Position {
        &self.positions[(number % self.positions.len() as u64) as usize]
    }

    /// Are they those that a run began with? The file may have another name now.
    ///
    /// # Errors
    /// [`TunerError::Openings`] if they are not.
    pub(super) fn check(&self, expected: &OpeningsId) -> Result<(), TunerError> {
        let found = OpeningsId { file: expected.file.clone(), ..self.id.clone() };
        if found == *expected {
            return Ok(());
        }
        Err(TunerError::Openings { found: found.to_string(), expected: expected.to_string() })
    }
}
