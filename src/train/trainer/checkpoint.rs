//! Checkpoints: the state of a training run in a file.
//!
//! The file contains `HEMTRAIN`, the version (4 bytes), the length (4 bytes) and the text of a JSON object with plan,
//! settings and step. After them come the parameters, means and mean squares; the parameters before the first step, if
//! weights decay toward them; and the average, if there is one; all as `f32`. The XXH3 checksum of all these bytes
//! comes last. All numbers are little-endian.

use super::training::TrainerState;
use super::{Plan, Settings, Training, TrainingError};
use crate::files::{AtomicFile, Limited, open_regular};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of a checkpoint.
const MAGIC: [u8; 8] = *b"HEMTRAIN";
/// The version of the format that is written.
const VERSION: u32 = 4;
/// The oldest version that can be read; later versions have only added settings and rows.
const OLDEST_VERSION: u32 = 3;
/// The size of the checksum at the end, in bytes.
const CHECKSUM_BYTES: usize = 8;

/// The state of a run, which is sufficient to resume it with the same result.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    header: Header,
    state: TrainerState,
}

/// The part that is stored as text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    plan: Plan,
    settings: Settings,
    /// The fingerprint of the examples.
    data: u64,
    step: u64,
}

/// The reason why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not start like a checkpoint.
    #[error("not a checkpoint of training")]
    NotACheckpoint,
    /// The file has another version of the format.
    #[error("format version {0}, expected {OLDEST_VERSION} or {VERSION}")]
    Version(u32),
    /// The file is truncated, or has data after its end.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// The number of bytes found.
        found: usize,
        /// The number of bytes expected.
        expected: usize,
    },
    /// The checksum does not match.
    #[error("damaged: the checksum is wrong")]
    Checksum,
    /// The text cannot be parsed.
    #[error("the settings cannot be read: {0}")]
    Header(#[source] serde_json::Error),
    /// The settings do not fit a network.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// The examples differ from those of the run.
    #[error("the games give other positions than before: {found:016x}, expected {expected:016x}")]
    Data {
        /// The fingerprint of the examples found.
        found: u64,
        /// The fingerprint of the examples expected.
        expected: u64,
    },
}

impl Checkpoint {
    /// The checkpoint of a plan. `data` is the fingerprint of its examples.
    pub fn new(plan: &Plan, data: u64, trainer: &Training) -> Self {
        let state = trainer.state();
        let header = Header { plan: plan.clone(), settings: *trainer.settings(), data, step: state.step };
        Self { header, state }
    }

    /// The plan of the run.
    pub const fn plan(&self) -> &Plan {
        &self.header.plan
    }

    /// The number of batches done.
    pub const fn steps_done(&self) -> u64 {
        self.header.step
    }

    /// Whether all steps are done.
    pub const fn is_complete(&self) -> bool {
        self.header.step >= self.header.settings.schedule.steps
    }

    /// Resumes training with examples of this fingerprint.
    ///
    /// # Errors
    /// [`CheckpointError::Data`] if the examples differ from those of the run, [`CheckpointError::Training`] if the
    /// threads cannot be started.
    pub fn training(self, data: u64) -> Result<Training, CheckpointError> {
        if data != self.header.data {
            return Err(CheckpointError::Data { found: data, expected: self.header.data });
        }
        Ok(Training::with_state(self.header.settings, self.state)?)
    }

    /// Writes the checkpoint, under a temporary name until it is complete.
    ///
    /// # Errors
    /// [`CheckpointError::Io`], and [`CheckpointError::Header`] if a path is not Unicode.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let bytes = self.bytes()?;
        let write = || {
            let mut file = AtomicFile::create(path)?;
            file.write_all(&bytes)?;
            file.sync()?;
            file.commit()
        };
        write().map_err(CheckpointError::Io)
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// [`CheckpointError`] for the first thing that is not as expected.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let mut bytes = Vec::new();
        Limited::new(open_regular(path)?, Limited::DEFAULT).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    fn bytes(&self) -> Result<Vec<u8>, CheckpointError> {
        let header = serde_json::to_vec(&self.header).map_err(CheckpointError::Header)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        for row in self.state.rows() {
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
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(CheckpointError::Version(version));
        }
        let (summed, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or_else(short)?;
        if xxh3_64(summed) != u64::from_le_bytes(*checksum) {
            return Err(CheckpointError::Checksum);
        }
        let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let (header, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(short)?;
        let header: Header = serde_json::from_slice(header).map_err(CheckpointError::Header)?;
        let mut state = TrainerState::zeroed(&header.settings, Training::layout(&header.settings)?);
        state.step = header.step;
        let expected = bytes.len() - rest.len()
            + state.rows().map(|row| size_of_val(&row[..])).sum::<usize>()
            + CHECKSUM_BYTES;
        if bytes.len() != expected {
            return Err(CheckpointError::Length { found: bytes.len(), expected });
        }
        let numbers = rest.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
        for (place, number) in state.rows_mut().flat_map(|row| row.iter_mut()).zip(numbers) {
            *place = number;
        }
        Ok(Self { header, state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::trainer::testing::{examples, plan, settings};
    use crate::train::trainer::{AdamW, DecayTarget, Ema};
    use serde_json::Value;

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
    fn training_resumes_exactly() {
        let examples = examples(1000, 4);
        let ema = Some(Ema { factor: 0.8, start: 0.3 });
        let toward_start = AdamW { decay_toward: DecayTarget::Start, ..settings().optimizer };
        let cases = [
            settings(),
            Settings { ema, ..settings() },
            Settings { optimizer: toward_start, ..settings() },
            Settings { ema, optimizer: toward_start, ..settings() },
        ];
        for settings in cases {
            let mut whole = Training::new(settings, None).expect("good settings");
            let mut halves = Training::new(settings, None).expect("good settings");
            while !whole.is_done() {
                whole.learn(&examples);
                let bytes = Checkpoint::new(&plan(), 7, &halves).bytes().expect("the paths are Unicode");
                halves =
                    Checkpoint::from_bytes(&bytes).and_then(|saved| saved.training(7)).expect("it resumes");
                halves.learn(&examples);
            }
            assert_eq!(whole.state(), halves.state(), "{settings:?}");
            assert_eq!(whole.network(), halves.network(), "{settings:?}");
        }
    }

    /// Former checkpoints have fewer settings and rows.
    #[test]
    fn checkpoints_of_the_version_before_are_read() {
        let expected = checkpoint();
        let mut header = serde_json::to_value(&expected.header).expect("the paths are Unicode");
        let later = [
            ("/plan", &["data_weights", "fit_curve"][..]),
            ("/plan/target", &["offset"]),
            ("/plan/settings", &["ema", "wdl", "loss"]),
            ("/plan/settings/optimizer", &["decay_toward", "no_bias_decay"]),
            ("/settings", &["ema", "wdl", "loss"]),
            ("/settings/optimizer", &["decay_toward", "no_bias_decay"]),
        ];
        for (place, names) in later {
            let object = header.pointer_mut(place).and_then(Value::as_object_mut).expect(place);
            for name in names {
                assert!(object.remove(*name).is_some(), "{place}/{name}");
            }
        }
        let header = header.to_string();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(OLDEST_VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        for row in expected.state.rows() {
            bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        assert_eq!(Checkpoint::from_bytes(&bytes).expect("a checkpoint"), expected);
    }

    #[test]
    fn other_examples_are_refused() {
        let error = checkpoint().training(8).expect_err("other examples");
        let expected =
            "the games give other positions than before: 0000000000000008, expected 0000000000000007";
        assert_eq!(error.to_string(), expected);
    }

    /// Reading from many devices would never end.
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
            ("another version", changed(8, 1), "format version 5, expected 3 or 4"),
            ("a damaged header", changed(30, 1), "damaged: the checksum is wrong"),
            ("a damaged number", changed(good.len() - 100, 1), "damaged: the checksum is wrong"),
            ("cut off", good[..good.len() - 1].to_vec(), "damaged: the checksum is wrong"),
        ];
        for (name, bytes, expected) in cases {
            let error = Checkpoint::from_bytes(&bytes).expect_err(name);
            assert_eq!(error.to_string(), expected, "{name}");
        }
        // Bytes of any length with a correct checksum.
        for length in 12..good.len().min(2000) {
            let mut bytes = good[..length].to_vec();
            bytes.extend(xxh3_64(&bytes).to_le_bytes());
            assert!(Checkpoint::from_bytes(&bytes).is_err(), "{length} bytes");
        }
    }
}
