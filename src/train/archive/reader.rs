//! Unpacking the chunks of an archive.

use super::section::{CODES, Section};
use super::writer::is_chunk_name;
use super::{ArchiveError, CLOSING, Counted, FormatError, MAGIC, Mode, Parts, Progress, SECTION, VERSION};
use crate::files::AtomicFile;
use crate::selfplay::{Inbox, Message, pool};
use crate::train::data::{GameWriter, Totals, lock_folder};
use crc64fast::Digest;
use crossbeam_channel::Sender;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// An archive that is complete: its checksum is correct.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    mode: Mode,
    note: String,
    sections: Vec<Place>,
    /// The counts of the closing part.
    totals: Progress,
}

/// The location of a section in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The offset of its first byte after the lengths.
    at: u64,
    chunks: u32,
    lengths: [u64; CODES],
}

impl Archive {
    /// Reads an archive once to check that it is complete.
    ///
    /// # Errors
    /// [`ArchiveError::Archive`] if it cannot be read, or is not a complete archive.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let read = || {
            let file = File::open(path).map_err(FormatError::Read)?;
            let mut scanner = Scanner::new(BufReader::with_capacity(BUFFER, file));
            scanner.scan(path)
        };
        read().map_err(|error| ArchiveError::Archive(path.to_owned(), error))
    }

    /// The scores that the archive keeps.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The origin of the chunks, a JSON object.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The counts of the archive and its size; the size of the chunks is unknown.
    pub const fn totals(&self) -> &Progress {
        &self.totals
    }

    /// The codes of a section.
    fn codes(&self, place: &Place) -> io::Result<[Vec<u8>; CODES]> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(place.at))?;
        let mut codes = [const { Vec::new() }; CODES];
        for (code, &length) in codes.iter_mut().zip(&place.lengths) {
            // This takes no more memory than there are bytes in the file.
            file.by_ref().take(length).read_to_end(code)?;
        }
        Ok(codes)
    }
}

/// Reads an archive from its first byte to its last.
struct Scanner<R> {
    reader: R,
    checksum: Digest,
    at: u64,
}

impl<R: Read> Scanner<R> {
    fn new(reader: R) -> Self {
        Self { reader, checksum: Digest::new(), at: 0 }
    }

    fn scan(&mut self, path: &Path) -> Result<Archive, FormatError> {
        let magic = self.array()?;
        if magic != MAGIC {
            return Err(FormatError::Magic(magic));
        }
        let version = u32::from_le_bytes(self.array()?);
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        let [code] = self.array()?;
        let mode = *Mode::ALL.get(usize::from(code)).ok_or(FormatError::Mode(code))?;
        let length = u16::from_le_bytes(self.array()?);
        let mut note = Vec::new();
        self.copy(length.into(), |bytes| note.extend(bytes))?;
        let note = String::from_utf8(note).map_err(|_| FormatError::Note)?;

        let mut sections = Vec::new();
        let (mut chunks, mut parts) = (0, Parts::default());
        loop {
            let at = self.at;
            match self.array()? {
                [SECTION] => {}
                [CLOSING] => break,
                [found] => return Err(FormatError::Tag { found, at }),
            }
            let in_section = u32::from_le_bytes(self.array()?);
            let mut lengths = [0; CODES];
            for length in &mut lengths {
                *length = u64::from_le_bytes(self.array()?);
            }
            let place = Place { at: self.at, chunks: in_section, lengths };
            lengths.iter().try_for_each(|&length| self.copy(length, |_| ()))?;
            let [starts, moves, scores] = lengths;
            parts += Parts { starts, moves, scores };
            chunks += u64::from(in_section);
            sections.push(place);
        }
        let stated_sections = u32::from_le_bytes(self.array()?);
        let [stated_chunks, games, positions] = [self.count()?, self.count()?, self.count()?];
        let computed = self.checksum.sum64();
        let stated = self.count()?;
        if computed != stated {
            return Err(FormatError::Checksum { computed, stated });
        }
        if u64::from(stated_sections) != sections.len() as u64 || stated_chunks != chunks {
            return Err(FormatError::Counts);
        }
        let at = self.at;
        match self.array::<1>() {
            Err(FormatError::Torn { .. }) => {}
            Ok(_) => return Err(FormatError::Trailing { at }),
            Err(error) => return Err(error),
        }
        let totals = Progress { chunks, games, positions, archive_bytes: at, parts, ..Progress::default() };
        Ok(Archive { path: path.to_owned(), mode, note, sections, totals })
    }

    fn count(&mut self) -> Result<u64, FormatError> {
        self.array().map(u64::from_le_bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut bytes = [0; N];
        match self.reader.read_exact(&mut bytes) {
            Ok(()) => {
                self.checksum.write(&bytes);
                self.at += N as u64;
                Ok(bytes)
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(FormatError::Torn { at: self.at }),
            Err(error) => Err(FormatError::Read(error)),
        }
    }

    /// Reads this many bytes, and passes them to `take` in pieces.
    fn copy(&mut self, length: u64, mut take: impl FnMut(&[u8])) -> Result<(), FormatError> {
        let mut left = length;
        let mut buffer = [0; 1 << 13];
        while left > 0 {
            let wanted = left.min(buffer.len() as u64) as usize;
            let read = match self.reader.read(&mut buffer[..wanted]) {
                Ok(0) => return Err(FormatError::Torn { at: self.at }),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(FormatError::Read(error)),
            };
            self.checksum.write(&buffer[..read]);
            take(&buffer[..read]);
            self.at += read as u64;
            left -= read as u64;
        }
        Ok(())
    }
}

/// The unpacking of an archive.
#[derive(Clone, Debug)]
pub struct Unpacking {
    /// The archive.
    pub archive: Archive,
    /// The folder for the chunks, none of which may exist there; if `None`, they are only checked.
    pub out: Option<PathBuf>,
    /// The number of threads; at least one.
    pub threads: usize,
}

/// A message of a thread: a chunk that is complete.
struct Unpacked {
    totals: Totals,
    bytes: u64,
}

impl Unpacking {
    /// Unpacks the chunks until the last one or until `on_progress`, which is called after every chunk and ten times
    /// per second, returns a break.
    ///
    /// # Errors
    /// [`ArchiveError`]; all chunks that were completed remain.
    pub fn run(
        &self,
        on_progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Progress, ArchiveError> {
        let _lock = match &self.out {
            None => None,
            Some(out) => {
                let failed = |error| ArchiveError::Output(out.clone(), error);
                fs::create_dir_all(out).map_err(failed)?;
                let lock = lock_folder(out).map_err(failed)?;
                Some(lock.ok_or_else(|| ArchiveError::Locked(out.clone()))?)
            }
        };
        let stop = AtomicBool::new(false);
        let next = AtomicUsize::new(0);
        let (next, stop_flag) = (&next, &stop);
        let worker = || {
            move |events: &Sender<Unpacked>| {
                while !stop_flag.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(place) = self.archive.sections.get(index) else { break };
                    self.unpack(index, place, stop_flag, events)?;
                }
                Ok(())
            }
        };
        let workers = std::iter::repeat_with(worker).take(self.threads.max(1)).collect();
        let progress = pool("unpack", workers, &stop, |inbox| {
            Ok::<_, ArchiveError>(follow(&inbox, &stop, on_progress))
        })?;
        let stated = self.archive.totals();
        let is_as_stated = progress.games == stated.games && progress.positions == stated.positions;
        if !progress.is_interrupted && !is_as_stated {
            return Err(self.error(FormatError::Counts));
        }
        Ok(Progress { archive_bytes: stated.archive_bytes, parts: stated.parts, ..progress })
    }

    fn error(&self, error: FormatError) -> ArchiveError {
        ArchiveError::Archive(self.archive.path.clone(), error)
    }

    /// Unpacks the chunks of a section.
    fn unpack(
        &self,
        index: usize,
        place: &Place,
        stop: &AtomicBool,
        events: &Sender<Unpacked>,
    ) -> Result<(), ArchiveError> {
        let in_section = |problem| self.error(FormatError::Section { number: index + 1, problem });
        let codes = self.archive.codes(place).map_err(|error| self.error(FormatError::Read(error)))?;
        let mut section = Section::decode(self.archive.mode, codes.each_ref().map(Vec::as_slice));
        for _ in 0..place.chunks {
            let head = section.read_head().map_err(in_section)?;
            if !is_chunk_name(&head.name) {
                return Err(self.error(FormatError::Name(head.name)));
            }
            let path = self.path_of(&head.name);
            let failed = |error| ArchiveError::Output(path.clone(), error);
            let file = match &self.out {
                Some(_) if path.exists() => return Err(ArchiveError::Exists(path)),
                Some(_) => Some(AtomicFile::create(&path).map_err(failed)?),
                None => None,
            };
            let mut chunk = GameWriter::new(Counted { file, bytes: 0 }, &head.note).map_err(failed)?;
            for _ in 0..head.games {
                if stop.load(Ordering::Relaxed) {
                    return Ok(()); // no part of the chunk remains
                }
                chunk.append(&section.read().map_err(in_section)?).map_err(failed)?;
            }
            let totals = chunk.totals();
            let (Counted { file, bytes }, computed) = chunk.close().map_err(failed)?;
            let stated = section.read_checksum();
            if computed != stated {
                return Err(self.error(FormatError::Chunk { name: head.name, computed, stated }));
            }
            if let Some(mut file) = file {
                // The file must get its name only after the data are on the disk.
                file.sync().and_then(|()| file.commit()).map_err(failed)?;
            }
            let _ = events.send(Unpacked { totals, bytes });
        }
        Ok(())
    }

    /// The path of a chunk.
    fn path_of(&self, name: &str) -> PathBuf {
        self.out.as_ref().map_or_else(|| PathBuf::from(name), |out| out.join(name))
    }
}

/// Adds up the messages of the threads.
fn follow(
    inbox: &Inbox<Unpacked>,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Progress {
    let mut progress = Progress::default();
    while let Some(message) = inbox.next() {
        if let Message::Sent(Unpacked { totals, bytes }) = message {
            progress.chunks += 1;
            progress.games += totals.games;
            progress.positions += totals.positions;
            progress.chunk_bytes += bytes;
        }
        if on_progress(&progress).is_break() {
            progress.is_interrupted = true;
            stop.store(true, Ordering::Relaxed);
        }
    }
    progress
}
