//! The files that games were added from, as they were then: whether they are still the same.

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

/// What is read of a file at a time.
const PIECE: usize = 1 << 18;

/// A file, and its content when games were added from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its name in an archive of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The length of its content: of a file as it is stored, of a file in an archive as it is unpacked, of a collection
    /// that of its manifest.
    pub bytes: u64,
    /// The checksum of that: CRC-64/XZ as 16 hexadecimal digits.
    pub checksum: String,
}

/// What has become of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileState {
    /// It has the same content.
    Same,
    /// It has another one.
    Changed,
    /// There is none of this name.
    Missing,
    /// It cannot be read.
    Unreadable,
    /// It is not known what it was: games came from a stream, or an older program has added them.
    Unknown,
}

impl SourceFile {
    /// The file of a source as it is now; `None` if it is a stream, or its name cannot be kept.
    ///
    /// # Errors
    /// If it cannot be read.
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

/// The members of an archive by their names, or why they cannot be listed.
type Members = Result<HashMap<String, ArchiveMember>, ErrorKind>;

/// Compares files with what they were when games were added from them.
#[derive(Default)]
pub struct SourceComparison {
    /// Archives that have been listed: one may have thousands of members, and a list takes as long as all of them.
    archives: HashMap<PathBuf, Members>,
}

impl SourceComparison {
    /// What has become of a file.
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

    /// The source that the file is now; `None` if its archive has no such member any more.
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
