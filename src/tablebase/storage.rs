//! How the decoder reads files.

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Files up to this size are kept in memory once they are used, in bytes. A look-up there takes
/// no call of the system, and an open file neither; all tables of four men are smaller.
const KEPT_BYTES: u64 = 1 << 20;

/// Small files in memory, others where they are. Memory maps would be a little faster, but what
/// a file that is changed or lost meanwhile does to them cannot be caught.
pub(super) struct Storage {
    system: OsFilesystem,
}

impl Storage {
    pub(super) fn new() -> Self {
        Self { system: OsFilesystem::new() }
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
        if self.regular_file_size(path)? <= KEPT_BYTES {
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
