//! Reading games on all cores.

use super::{DataSet, Selection, Target};
use crate::train::data::{DataError, GameReader, Seen};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{fmt, thread};

/// Why games were not read to the end.
#[derive(Debug)]
pub enum LoadError {
    /// A file cannot be used.
    File(PathBuf, DataError),
    /// Two files have the same content.
    Double(PathBuf, PathBuf),
    /// Somebody asked to stop.
    Interrupted,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Double(path, other) => {
                write!(f, "{}: the same games as {}", path.display(), other.display())
            }
            Self::Interrupted => f.write_str("interrupted while reading the games"),
        }
    }
}

impl std::error::Error for LoadError {}

/// How far reading has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadProgress {
    /// Files that were read.
    pub files: usize,
    /// Examples to learn from.
    pub training: usize,
}

/// Reads files, and takes positions from their games. The result does not depend on the number
/// of threads. `listener` is told after every file.
///
/// # Errors
/// [`LoadError`] for the first file that is not as it should be, or if `stop` was set.
pub fn load(
    files: &[PathBuf],
    selection: &Selection,
    target: &Target,
    threads: usize,
    stop: &AtomicBool,
    mut listener: impl FnMut(LoadProgress),
) -> Result<DataSet, LoadError> {
    let limit =
        selection.max_positions.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let next = AtomicUsize::new(0);
    let is_enough = AtomicBool::new(false);
    let halt = || stop.load(Ordering::Relaxed) || is_enough.load(Ordering::Relaxed);
    thread::scope(|scope| {
        // Nobody reads far ahead of what is taken.
        let (sender, receiver) = crossbeam_channel::bounded(threads.max(1));
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, halt) = (&next, &halt);
            scope.spawn(move || {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(path) = files.get(index)
                {
                    let part = read(path, index as u64, (selection, target), limit, halt);
                    if sender.send((index, part)).is_err() || halt() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut data = DataSet::default();
        let mut early = BTreeMap::new();
        let mut seen = Seen::default();
        let result = (0..files.len()).try_for_each(|index| {
            while !early.contains_key(&index)
                && let Ok((index, part)) = receiver.recv()
            {
                early.insert(index, part);
            }
            let (part, checksum): (DataSet, _) =
                early.remove(&index).unwrap_or(Err(LoadError::Interrupted))?;
            // Games kept back to validate with might be learned from elsewhere.
            if let Some(other) = seen.add(&files[index], checksum) {
                return Err(LoadError::Double(files[index].clone(), other));
            }
            data.training.extend(&part.training[..part.training.len().min(limit - data.training.len())]);
            data.validation.extend(part.validation);
            data.counts += part.counts;
            listener(LoadProgress { files: index + 1, training: data.training.len() });
            if data.training.len() == limit {
                is_enough.store(true, Ordering::Relaxed);
                // Not an error, but the end all the same.
                return Err(LoadError::Interrupted);
            }
            Ok(())
        });
        // Who waits to send must not wait for ever.
        drop(receiver);
        match result {
            Err(LoadError::Interrupted) if is_enough.load(Ordering::Relaxed) => Ok(data),
            Err(error) => {
                is_enough.store(true, Ordering::Relaxed);
                Err(error)
            }
            Ok(()) => Ok(data),
        }
    })
}

/// Reads a file up to so many positions; with its checksum, if it was read to its end.
fn read(
    path: &Path,
    index: u64,
    (selection, target): (&Selection, &Target),
    limit: usize,
    halt: &impl Fn() -> bool,
) -> Result<(DataSet, Option<u64>), LoadError> {
    let fail = |error| LoadError::File(path.to_owned(), error);
    let mut data = DataSet::default();
    let mut reader = GameReader::open(path).map_err(fail)?;
    for (number, game) in reader.by_ref().enumerate() {
        if halt() {
            return Err(LoadError::Interrupted);
        }
        data.add_game(selection, target, &game.map_err(fail)?, [index, number as u64]);
        if data.training.len() >= limit {
            break;
        }
    }
    Ok((data, reader.checksum()))
}
