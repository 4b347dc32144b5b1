//! How the decoder reads files.

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Files up to this size are kept in memory once they are used, in bytes: reading one takes a few milliseconds. A
/// look-up there takes a third of the time, as it needs no call of the system, nor an open file.
const KEPT_BYTES: u64 = 8 << 20;
/// All files that are kept together, in bytes; the most of what tables of five men need.
const ALL_KEPT_BYTES: u64 = 512 << 20;

/// Small files in memory, others where they are. Memory maps would be a little faster, but what
/// a file that is changed or lost meanwhile does to them cannot be caught.
pub(super) struct Storage {
    system: OsFilesystem,
    /// Bytes that are kept in memory.
    kept: AtomicU64,
}

impl Storage {
    pub(super) fn new() -> Self {
        Self { system: OsFilesystem::new(), kept: AtomicU64::new(0) }
    }
}

impl Filesystem for Storage {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let size = self.regular_file_size(path)?;
        let is_room = |kept: u64| kept.checked_add(size).filter(|&kept| kept <= ALL_KEPT_BYTES);
        if size <= KEPT_BYTES && self.kept.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_room).is_ok()
        {
            Ok(Box::new(Kept(fs::read(path)?)))
        } else {
            self.system.open(path)
        }
    }
}

/// The bytes of a file.
struct Kept(Vec<u8>);

impl RandomAccessFile for Kept {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let start = usize::try_from(offset).map_err(|_| ErrorKind::UnexpectedEof)?;
        let bytes = self.0.get(start..).unwrap_or_default();
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        Ok(count)
    }
}

/// Lets the process have as many files open as tables of seven men are, if the system does.
#[cfg(unix)]
pub(super) fn allow_many_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    const FILES: u64 = 8192;
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(FILES, |most| most.min(FILES));
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        // If that is refused, tables are missed that cannot be opened.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// Nothing limits them here.
#[cfg(not(unix))]
pub(super) fn allow_many_files() {}
