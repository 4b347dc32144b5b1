//! Reading packed files, writing files atomically and compressed, checking for regular files, lock files and logs.

mod atomic_file;
mod lock_file;
mod open;
mod output_file;
mod packed;
mod transcript;

pub use atomic_file::{AtomicFile, TempPath, final_name, remove_temporary_files};
pub use lock_file::{LockFile, lock};
pub use open::{
    Limited, LineRead, check_regular, make_folder_of, open_regular, read_line, refuse_packed_extension,
    without_packed_extension,
};
pub use output_file::{OutputFile, WriteError};
pub use packed::{ArchiveMember, Packed, Unpacked, Warn, archive_members, utf16_order};
pub use transcript::{Stamp, Transcript, append_lines, line_ends_before};

use std::fmt;
use std::path::Path;

/// Raises the limit of open files to at least 8192, if the system allows it: tablebases of seven pieces and collections
/// of many parts need many files.
#[cfg(unix)]
pub fn allow_many_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    const FILES: u64 = 8192;
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(FILES, |most| most.min(FILES));
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        // A failure has no consequence here: if the limit is too low, opening a file fails later.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// Does nothing, since other systems have no such limit.
#[cfg(not(unix))]
pub fn allow_many_files() {}

/// A field of a CSV record (RFC 4180), in quotes if necessary. Line ends become spaces, so that a record is one line.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"").replace(['\n', '\r'], " "))
    } else {
        text.to_owned()
    }
}

/// A path for a message: in backquotes, on one line, and of limited length. Only the end of a long path is shown, since
/// the names of files in a folder differ there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathExcerpt<'a>(&'a Path);

impl<'a> PathExcerpt<'a> {
    /// The maximum number of characters that are shown; real folders have fewer.
    const MAX_CHARS: usize = 120;

    /// Wraps a path.
    pub fn new<P: AsRef<Path> + ?Sized>(path: &'a P) -> Self {
        Self(path.as_ref())
    }
}

impl fmt::Display for PathExcerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string_lossy();
        let start = text.char_indices().rev().nth(Self::MAX_CHARS - 1).map_or(0, |(start, _)| start);
        f.write_str(if start == 0 { "`" } else { "`..." })?;
        for letter in text[start..].chars() {
            if letter.is_control() {
                write!(f, "{}", letter.escape_default())?;
            } else {
                write!(f, "{letter}")?;
            }
        }
        f.write_str("`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_shown_on_one_short_line() {
        let long = format!("/{}/net.nnue", "é".repeat(110));
        assert_eq!(long.chars().count(), PathExcerpt::MAX_CHARS);
        let cases = [
            ("plain", "/tmp/net.nnue", "`/tmp/net.nnue`".to_owned()),
            ("empty", "", "``".to_owned()),
            ("control characters", "a\n\u{1b}", r"`a\n\u{1b}`".to_owned()),
            ("as long as it may be", &long, format!("`{long}`")),
            ("longer", &format!("/{long}"), format!("`...{long}`")),
        ];
        for (name, path, expected) in cases {
            assert_eq!(PathExcerpt::new(path).to_string(), expected, "{name}");
        }
    }
}
