//! The files from which games were added, and whether they have changed since.

use super::code::MANIFEST;
use crate::database::{Content, Source};
use crate::files::{ArchiveMember, archive_members};
use crc64fast::Digest;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of bytes of a file that are read at a time.
const PIECE: usize = 1 << 18;

/// A file, and its content at the time when games were added from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// The absolute path of the file.
    pub path: PathBuf,
    /// The name of the member, if the file is an archive with several files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The length of the content in bytes: of a file as stored, of a file in an archive when decompressed, of a
    /// collection that of its manifest.
    pub bytes: u64,
    /// The checksum of the content: CRC-64/XZ as 16 hexadecimal digits.
    pub checksum: String,
}

/// The state of a file compared with the time when its games were added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileState {
    /// The file has the same content.
    Same,
    /// The file has other content.
    Changed,
    /// The file does not exist.
    Missing,
    /// The file cannot be read.
    Unreadable,
    /// The earlier content is unknown: the games came from a stream, or an older program added them.
    Unknown,
}

impl SourceFile {
    /// The current file of a source; `None` if it is a stream, or its name cannot be stored.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of(source: &Source) -> io::Result<Option<Self>> {
        let Some(path) = source.path() else { return Ok(None) };
        let is_kept = path.to_str().is_some() && (path.is_dir() || fs::metadata(path)?.is_file());
        if !is_kept {
            return Ok(None);
        }
        let member = match source {
            Source::Member(_, member) => Some(member.name.clone()),
            _ => None,
        };
        let (bytes, checksum) = content_of(source)?;
        Ok(Some(Self { path: std::path::absolute(path)?, member, bytes, checksum }))
    }
}

/// The members of an archive by their names, or the error with which they cannot be listed.
type Members = Result<HashMap<String, ArchiveMember>, ErrorKind>;

/// Compares files with their states at the time when games were added from them.
#[derive(Default)]
pub struct SourceComparison {
    /// The archives that have been listed: an archive may have thousands of members, and a list takes as long for one
    /// as for all of them.
    archives: HashMap<PathBuf, Members>,
}

impl SourceComparison {
    /// The state of a file.
    pub fn state(&mut self, file: &SourceFile) -> FileState {
        let now = self.source(file).and_then(|source| source.map(|source| content_of(&source)).transpose());
        match now {
            Ok(Some((bytes, checksum))) if (bytes, &checksum) == (file.bytes, &file.checksum) => {
                FileState::Same
            }
            Ok(Some(_)) => FileState::Changed,
            Ok(None) => FileState::Missing,
            Err(error) if error.kind() == ErrorKind::NotFound => FileState::Missing,
            Err(_) => FileState::Unreadable,
        }
    }

    /// The source for the current file; `None` if its archive no longer contains the member.
    fn source(&mut self, file: &SourceFile) -> io::Result<Option<Source>> {
        let path = file.path.clone();
        let Some(name) = &file.member else {
            return Ok(Some(if path.is_dir() { Source::Collection(path) } else { Source::File(path) }));
        };
        let members = self.archives.entry(path.clone()).or_insert_with(|| members_of(&path));
        let member = members.as_ref().map_err(|&kind| io::Error::from(kind))?.get(name);
        Ok(member.map(|member| Source::Member(path, member.clone())))
    }
}

fn members_of(path: &Path) -> Members {
    let members = archive_members(path).map_err(|error| error.kind())?.unwrap_or_default();
    // Of equal names, the first counts.
    Ok(members.into_iter().rev().map(|member| (member.name.clone(), member)).collect())
}

/// The length and the checksum of the content of a source.
fn content_of(source: &Source) -> io::Result<(u64, String)> {
    match source {
        Source::Member(..) => sum_of(&mut source.open(Content::Binary, &Arc::default(), |_| ())?.reader),
        Source::Collection(path) => sum_of_file(&path.join(MANIFEST)),
        _ => sum_of_file(source.path().unwrap_or(Path::new(""))),
    }
}

fn sum_of_file(path: &Path) -> io::Result<(u64, String)> {
    sum_of(&mut File::open(path)?)
}

fn sum_of(reader: &mut dyn Read) -> io::Result<(u64, String)> {
    let (mut digest, mut bytes) = (Digest::new(), 0);
    let mut piece = vec![0; PIECE];
    loop {
        let length = match reader.read(&mut piece) {
            Ok(0) => return Ok((bytes, format!("{:016x}", digest.sum64()))),
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        digest.write(&piece[..length]);
        bytes += length as u64;
    }
}
