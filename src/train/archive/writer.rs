//! Packing chunks into an archive.

use super::section::{ChunkHead, MAX_NAME, Section};
use super::{ArchiveError, CLOSING, Counted, MAGIC, Mode, Parts, Progress, SECTION, VERSION};
use crate::files::AtomicFile;
use crate::selfplay::{Inbox, Message, pool};
use crate::train::data::{ChunkReader, EXTENSION, GameWriter, Totals, closing_of, note_of};
use crc64fast::Digest;
use crossbeam_channel::Sender;
use serde_json::Map;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of positions from which on no further chunk is added to a section.
const SECTION_POSITIONS: u64 = 1 << 20;

/// The packing of chunks into an archive.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The chunks, with different names.
    pub files: Vec<PathBuf>,
    /// The path of the archive.
    pub out: PathBuf,
    /// The scores that the archive keeps.
    pub mode: Mode,
    /// The number of threads; at least one. The archive does not depend on it.
    pub threads: usize,
}

/// A message of a thread.
enum Event {
    /// The number of games of a chunk that were packed.
    Games(u64),
    /// A section that is complete.
    Section { number: usize, bytes: Vec<u8>, progress: Progress },
}

impl Packing {
    /// Packs the chunks until the last one or until `on_progress`, which is called after every chunk and ten times per
    /// second, returns a break.
    ///
    /// # Errors
    /// [`ArchiveError`]; after an error or an interruption, no part of the archive remains.
    pub fn run(
        &self,
        on_progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Progress, ArchiveError> {
        if self.out.exists() {
            return Err(ArchiveError::Exists(self.out.clone()));
        }
        let names = self.names()?;
        let sections = self.sections()?;
        let more = Map::from_iter([("mode".to_owned(), self.mode.name().into())]);
        let note = note_of(&self.files, "packed", more)?;
        let failed = |error| ArchiveError::Output(self.out.clone(), error);
        let file = AtomicFile::create(&self.out).map_err(failed)?;
        let mut writer = ArchiveWriter::new(file, self.mode, &note).map_err(failed)?;

        let stop = AtomicBool::new(false);
        let next = AtomicUsize::new(0);
        let (sections, names, next, stop_flag) = (&sections, &names, &next, &stop);
        let worker = || {
            move |events: &Sender<Event>| {
                while !stop_flag.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(range) = sections.get(number) else { break };
                    let chunks = self.files[range.clone()].iter().zip(&names[range.clone()]);
                    let Some((bytes, progress)) = self.pack(chunks, stop_flag, events)? else { break };
                    let _ = events.send(Event::Section { number, bytes, progress });
                }
                Ok(())
            }
        };
        let workers = std::iter::repeat_with(worker).take(self.threads.max(1)).collect();
        let progress = pool("pack", workers, &stop, |inbox| {
            write_sections(&inbox, &mut writer, &stop, on_progress).map_err(failed)
        })?;
        if progress.is_interrupted {
            return Ok(progress);
        }
        let archive_bytes = writer.close(&progress).map_err(failed)?;
        Ok(Progress { archive_bytes, ..progress })
    }

    /// The names of the files.
    fn names(&self) -> Result<Vec<String>, ArchiveError> {
        let mut known: BTreeMap<&str, &Path> = BTreeMap::new();
        let mut names = Vec::new();
        for path in &self.files {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.filter(|name| is_chunk_name(name));
            let name = name.ok_or_else(|| ArchiveError::ChunkName(path.clone()))?;
            if let Some(other) = known.insert(name, path) {
                return Err(ArchiveError::SameName(path.clone(), other.to_owned()));
            }
            names.push(name.to_owned());
        }
        Ok(names)
    }

    /// The chunks of each section.
    fn sections(&self) -> Result<Vec<Range<usize>>, ArchiveError> {
        let mut sections: Vec<Range<usize>> = Vec::new();
        let mut positions = SECTION_POSITIONS;
        for (index, path) in self.files.iter().enumerate() {
            let failed = |error| ArchiveError::Chunk(path.clone(), error);
            let totals = closing_of(path).map_err(failed)?.totals;
            match sections.last_mut() {
                Some(section) if positions.saturating_add(totals.positions) <= SECTION_POSITIONS => {
                    section.end = index + 1;
                    positions += totals.positions;
                }
                _ => {
                    sections.push(index..index + 1);
                    positions = totals.positions;
                }
            }
        }
        Ok(sections)
    }

    /// Packs the chunks of a section; `None` if it was interrupted.
    fn pack<'a>(
        &self,
        chunks: impl ExactSizeIterator<Item = (&'a PathBuf, &'a String)>,
        stop: &AtomicBool,
        events: &Sender<Event>,
    ) -> Result<Option<(Vec<u8>, Progress)>, ArchiveError> {
        let mut section = Section::encode(self.mode);
        let mut progress = Progress { chunks: chunks.len() as u64, ..Progress::default() };
        for (path, name) in chunks {
            let failed = |error| ArchiveError::Chunk(path.clone(), error);
            let changed = || ArchiveError::Changed(path.clone());
            let Totals { games, .. } = closing_of(path).map_err(failed)?.totals;
            let mut reader = ChunkReader::open(path).map_err(failed)?;
            let note = reader.note().to_owned();
            let games = u32::try_from(games).map_err(|_| changed())?;
            let head = ChunkHead { name: name.clone(), note, games };
            section.append_head(&head).map_err(|_| changed())?;
            // The chunk as it will be unpacked.
            let again = |error| ArchiveError::Output(path.clone(), error);
            let mut unpacked = GameWriter::new(Counted::default(), &head.note).map_err(again)?;
            for game in reader.by_ref() {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let game = section.append(&game.map_err(failed)?).map_err(|_| changed())?;
                unpacked.append(&game).map_err(again)?;
            }
            let totals = unpacked.totals();
            let (Counted { bytes, .. }, checksum) = unpacked.close().map_err(again)?;
            let is_same = self.mode == Mode::Coarse || reader.checksum() == Some(checksum);
            if totals.games != u64::from(games) || !is_same {
                return Err(changed());
            }
            section.append_checksum(checksum);
            progress.games += totals.games;
            progress.positions += totals.positions;
            progress.chunk_bytes += bytes;
            let _ = events.send(Event::Games(totals.games));
        }
        let codes = section.finish();
        let [starts, moves, scores] = codes.each_ref().map(|code| code.len() as u64);
        progress.parts = Parts { starts, moves, scores };
        let mut bytes = vec![SECTION];
        bytes.extend((progress.chunks as u32).to_le_bytes());
        for code in &codes {
            bytes.extend((code.len() as u64).to_le_bytes());
        }
        codes.iter().for_each(|code| bytes.extend(code));
        Ok(Some((bytes, progress)))
    }
}

/// Whether a chunk may have this name: it must not be a path out of its folder.
pub(super) fn is_chunk_name(name: &str) -> bool {
    let path = Path::new(name);
    name.len() <= MAX_NAME
        && !name.contains(['/', '\\', '\0', ':'])
        && path.file_name().is_some_and(|last| last == name)
        && path.extension().is_some_and(|found| found == EXTENSION)
}

/// Writes the sections sent by the threads in the order of their numbers.
fn write_sections(
    inbox: &Inbox<Event>,
    writer: &mut ArchiveWriter,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> io::Result<Progress> {
    let mut all = Progress::default();
    let mut shown = Progress::default();
    let mut early = BTreeMap::new();
    while let Some(message) = inbox.next() {
        match message {
            Message::Sent(Event::Games(games)) => {
                shown.games += games;
                shown.chunks += 1;
            }
            Message::Sent(Event::Section { number, bytes, progress }) => {
                early.insert(number, bytes);
                all.chunks += progress.chunks;
                all.games += progress.games;
                all.positions += progress.positions;
                all.chunk_bytes += progress.chunk_bytes;
                all.parts += progress.parts;
            }
            Message::Tick => {}
        }
        while let Some(bytes) = early.remove(&(writer.sections as usize)) {
            writer.append(&bytes)?;
        }
        if on_progress(&shown).is_break() {
            all.is_interrupted = true;
            stop.store(true, Ordering::Relaxed);
        }
    }
    Ok(all)
}

/// Writes an archive from its sections.
struct ArchiveWriter {
    file: AtomicFile,
    checksum: Digest,
    sections: u32,
    bytes: u64,
}

impl ArchiveWriter {
    fn new(file: AtomicFile, mode: Mode, note: &str) -> io::Result<Self> {
        let mut this = Self { file, checksum: Digest::new(), sections: 0, bytes: 0 };
        let length = u16::try_from(note.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "the note is too long"))?;
        this.write(&MAGIC)?;
        this.write(&VERSION.to_le_bytes())?;
        this.write(&[mode as u8])?;
        this.write(&length.to_le_bytes())?;
        this.write(note.as_bytes())?;
        Ok(this)
    }

    fn append(&mut self, section: &[u8]) -> io::Result<()> {
        self.sections += 1;
        self.write(section)
    }

    /// Ends the archive, renames the file to its final name, and returns its size.
    fn close(mut self, progress: &Progress) -> io::Result<u64> {
        self.write(&[CLOSING])?;
        self.write(&self.sections.to_le_bytes())?;
        for count in [progress.chunks, progress.games, progress.positions] {
            self.write(&count.to_le_bytes())?;
        }
        let checksum = self.checksum.sum64();
        self.write(&checksum.to_le_bytes())?;
        // The file must get its name only after the data are on the disk.
        self.file.sync()?;
        self.file.commit()?;
        Ok(self.bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.write(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}
