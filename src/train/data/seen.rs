//! The same games may be given twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The checksums of the chunks that were read, to find those with the same content.
#[derive(Default)]
pub(in crate::train) struct Seen(BTreeMap<u64, PathBuf>);

impl Seen {
    /// A chunk that was read to its end, if it has a checksum; returns another one with the same content that was
    /// read before.
    pub(in crate::train) fn add(&mut self, file: &Path, checksum: Option<u64>) -> Option<PathBuf> {
        self.0.insert(checksum?, file.to_owned())
    }
}
