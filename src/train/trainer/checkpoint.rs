//! A run of training in a file, so that it can go on.
//!
//! The file holds `HEMTRAIN`, the version (4 bytes), the length (4 bytes) and the text of a JSON
//! object with plan, settings and step, then parameters, means and mean squares as `f32`, and
//! the XXH3 checksum of all bytes before it. All numbers are little-endian.

use super::optimizer::Moments;
use super::training::Memory;
use super::{Plan, Settings, Training, TrainingError};
use crate::files::{NewFile, open_regular};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// What a checkpoint begins with.
const MAGIC: [u8; 8] = *b"HEMTRAIN";
/// Of the format; a checkpoint of another is refused.
const VERSION: u32 = 3;
/// Bytes of the checksum at the end.
const CHECKSUM_BYTES: usize = 8;

/// All that is needed to go on as if there had been no interruption.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    head: Head,
    memory: Memory,
}

/// What is written as text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Head {
    plan: Plan,
    settings: Settings,
    /// Tells the examples from others.
    data: u64,
    step: u64,
}

/// Why a checkpoint cannot be used.
#[derive(Debug)]
pub enum CheckpointError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It does not begin as a checkpoint does.
    NotACheckpoint,
    /// It is written in another version of the format.
    Version(u32),
    /// It ends too early or goes on after its end.
    Length {
        /// How many bytes there are.
        found: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// It is damaged.
    Checksum,
    /// The text cannot be understood.
    Head(serde_json::Error),
    /// The settings are those of no network.
    Training(TrainingError),
    /// The examples are not those that it was trained with.
    Data {
        /// What the examples are now.
        found: u64,
        /// What they were.
        expected: u64,
    },
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotACheckpoint => f.write_str("not a checkpoint of training"),
            Self::Version(found) => write!(f, "format version {found}, expected {VERSION}"),
            Self::Length { found, expected } => write!(f, "{found} bytes, expected {expected}"),
            Self::Checksum => f.write_str("damaged: the checksum is wrong"),
            Self::Head(error) => write!(f, "the settings cannot be read: {error}"),
            Self::Training(error) => error.fmt(f),
            Self::Data { found, expected } => write!(
                f,
                "the games give other positions than before: {found:016x}, expected {expected:016x}"
            ),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<TrainingError> for CheckpointError {
    fn from(error: TrainingError) -> Self {
        Self::Training(error)
    }
}

impl Checkpoint {
    /// What has become of a plan so far. `data` is the fingerprint of its examples.
    pub fn new(plan: &Plan, data: u64, trainer: &Training) -> Self {
        let memory = trainer.memory();
        let head = Head { plan: plan.clone(), settings: *trainer.settings(), data, step: memory.step };
        Self { head, memory }
    }

    /// What was asked for.
    pub const fn plan(&self) -> &Plan {
        &self.head.plan
    }

    /// Batches that were learned from.
    pub const fn steps_done(&self) -> u64 {
        self.head.step
    }

    /// Has everything been learned that was to be?
    pub const fn is_complete(&self) -> bool {
        self.head.step >= self.head.settings.schedule.steps
    }

    /// The training that goes on with examples of this fingerprint.
    ///
    /// # Errors
    /// [`CheckpointError::Data`] if they are others, [`CheckpointError::Training`] if the machine
    /// has no threads left.
    pub fn training(self, data: u64) -> Result<Training, CheckpointError> {
        if data != self.head.data {
            return Err(CheckpointError::Data { found: data, expected: self.head.data });
        }
        Ok(Training::with_memory(self.head.settings, self.memory)?)
    }

    /// Writes it, under another name until it is complete.
    ///
    /// # Errors
    /// [`CheckpointError::Io`], and [`CheckpointError::Head`] if a path is not Unicode.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let bytes = self.bytes()?;
        let write = || {
            let mut file = NewFile::create(path)?;
            file.write_all(&bytes)?;
            file.sync()?;
            file.complete()
        };
        write().map_err(CheckpointError::Io)
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`CheckpointError`] for the first thing that is not as expected.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let mut bytes = Vec::new();
        open_regular(path)?.read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    fn bytes(&self) -> Result<Vec<u8>, CheckpointError> {
        let head = serde_json::to_vec(&self.head).map_err(CheckpointError::Head)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        let Memory { parameters, moments: Moments { mean, square }, .. } = &self.memory;
        for row in [parameters, mean, square] {
            bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        Ok(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(CheckpointError::NotACheckpoint)?;
        let short = || CheckpointError::Length {
            found: bytes.len(),
            expected: MAGIC.len() + 2 * size_of::<u32>() + CHECKSUM_BYTES,
        };
        let (version, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        let (summed, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or_else(short)?;
        if xxh3_64(summed) != u64::from_le_bytes(*checksum) {
            return Err(CheckpointError::Checksum);
        }
        let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let (head, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(short)?;
        let head: Head = serde_json::from_slice(head).map_err(CheckpointError::Head)?;
        let mut memory = Memory::zeroed(Training::layout(&head.settings)?);
        memory.step = head.step;
        let rows = [&mut memory.parameters, &mut memory.moments.mean, &mut memory.moments.square];
        let expected = bytes.len() - rest.len()
            + rows.iter().map(|row| size_of_val(&row[..])).sum::<usize>()
            + CHECKSUM_BYTES;
        if bytes.len() != expected {
            return Err(CheckpointError::Length { found: bytes.len(), expected });
        }
        let numbers = rest.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
        for (place, number) in rows.into_iter().flat_map(|row| row.iter_mut()).zip(numbers) {
            *place = number;
        }
        Ok(Self { head, memory })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::trainer::testing::{examples, plan, settings};

    fn checkpoint() -> Checkpoint {
        let mut trainer = Training::new(settings(), None).expect("good settings");
        trainer.learn(&examples(300, 1));
        Checkpoint::new(&plan(), 7, &trainer)
    }

    #[test]
    fn bytes_round_trip() {
        let checkpoint = checkpoint();
        let bytes = checkpoint.bytes().expect("the paths are Unicode");
        assert_eq!(Checkpoint::from_bytes(&bytes).expect("a checkpoint"), checkpoint);
    }

    #[test]
    fn training_goes_on_exactly() {
        let examples = examples(1000, 4);
        let mut whole = Training::new(settings(), None).expect("good settings");
        let mut halves = Training::new(settings(), None).expect("good settings");
        while !whole.is_done() {
            whole.learn(&examples);
            let bytes = Checkpoint::new(&plan(), 7, &halves).bytes().expect("the paths are Unicode");
            halves = Checkpoint::from_bytes(&bytes).and_then(|saved| saved.training(7)).expect("it goes on");
            halves.learn(&examples);
        }
        assert_eq!(whole.memory(), halves.memory());
    }

    #[test]
    fn other_examples_are_refused() {
        let error = checkpoint().training(8).expect_err("other examples");
        let expected =
            "the games give other positions than before: 0000000000000008, expected 0000000000000007";
        assert_eq!(error.to_string(), expected);
    }

    /// Many would never end.
    #[cfg(unix)]
    #[test]
    fn a_device_is_no_checkpoint() {
        let error = Checkpoint::read(Path::new("/dev/null")).expect_err("no checkpoint");
        assert_eq!(error.to_string(), "a device, expected a regular file");
    }

    #[test]
    fn what_is_no_checkpoint_is_refused() {
        let good = checkpoint().bytes().expect("the paths are Unicode");
        let changed = |at: usize, by: u8| {
            let mut bytes = good.clone();
            bytes[at] ^= by;
            bytes
        };
        let cases = [
            ("nothing", Vec::new(), "not a checkpoint of training"),
            ("something else", b"HEMGAMES".to_vec(), "not a checkpoint of training"),
            ("the first bytes", MAGIC.to_vec(), "8 bytes, expected 24"),
            ("another version", changed(8, 1), "format version 2, expected 3"),
            ("a damaged head", changed(30, 1), "damaged: the checksum is wrong"),
            ("a damaged number", changed(good.len() - 100, 1), "damaged: the checksum is wrong"),
            ("cut off", good[..good.len() - 1].to_vec(), "damaged: the checksum is wrong"),
        ];
        for (name, bytes, expected) in cases {
            let error = Checkpoint::from_bytes(&bytes).expect_err(name);
            assert_eq!(error.to_string(), expected, "{name}");
        }
        // Bytes of any length that say that they are right.
        for length in 12..good.len().min(2000) {
            let mut bytes = good[..length].to_vec();
            bytes.extend(xxh3_64(&bytes).to_le_bytes());
            assert!(Checkpoint::from_bytes(&bytes).is_err(), "{length} bytes");
        }
    }
}
