//! Sorting games in bounded memory, with sorted runs in temporary files that are merged; and distributing them to many
//! files.

use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};

/// The maximum number of runs that are merged at once: each has an open file and a buffer.
const MAX_RUNS: usize = 64;
/// The size of buffers for reading and writing, in bytes.
const BUFFER: usize = 1 << 17;

/// The key and the text of a game.
type Entry = (Vec<u8>, Vec<u8>);

/// Receives the key and the text of a game.
type Take<'a> = dyn FnMut(&[u8], &[u8]) -> io::Result<()> + 'a;

/// Sorts games by the bytes of their keys; the order of games with equal keys is kept.
pub struct Sorter {
    /// The number of bytes of keys and texts in memory.
    memory: usize,
    held: usize,
    entries: Vec<Entry>,
    runs: Vec<File>,
}

impl Sorter {
    /// A sorter that uses about this many bytes of memory, and temporary files beyond it.
    pub const fn new(memory: usize) -> Self {
        Self { memory, held: 0, entries: Vec::new(), runs: Vec::new() }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, key: Vec<u8>, text: Vec<u8>) -> io::Result<()> {
        self.held += key.len() + text.len() + size_of::<Entry>();
        self.entries.push((key, text));
        if self.held < self.memory {
            return Ok(());
        }
        self.spill()?;
        if self.runs.len() == MAX_RUNS {
            let mut longer = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
            merge(std::mem::take(&mut self.runs), &mut |key, text| write_entry(&mut longer, key, text))?;
            self.runs.push(longer.into_inner()?);
        }
        Ok(())
    }

    /// Writes the games in memory to a run.
    fn spill(&mut self) -> io::Result<()> {
        self.entries.par_sort_by(|one, other| one.0.cmp(&other.0));
        let mut run = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
        for (key, text) in self.entries.drain(..) {
            write_entry(&mut run, &key, &text)?;
        }
        self.runs.push(run.into_inner()?);
        self.held = 0;
        Ok(())
    }

    /// Passes the keys and the texts of all games to `take` in order.
    ///
    /// # Errors
    /// If a temporary file cannot be read, or `take` fails.
    pub fn finish(mut self, take: &mut Take<'_>) -> io::Result<()> {
        if self.runs.is_empty() {
            self.entries.par_sort_by(|one, other| one.0.cmp(&other.0));
            return self.entries.iter().try_for_each(|(key, text)| take(key, text));
        }
        self.spill()?;
        merge(self.runs, take)
    }
}

/// Writes an entry of a run: the lengths of the key and the text, four bytes each, and both of them.
fn write_entry(run: &mut impl Write, key: &[u8], text: &[u8]) -> io::Result<()> {
    for part in [key, text] {
        let length = u32::try_from(part.len()).map_err(|_| {
            io::Error::new(ErrorKind::InvalidInput, "a game of more than 4 GiB cannot be sorted")
        })?;
        run.write_all(&length.to_le_bytes())?;
    }
    run.write_all(key)?;
    run.write_all(text)
}

/// Passes on the entries of runs in the order of their keys; for equal keys, those of earlier runs first.
fn merge(runs: Vec<File>, take: &mut Take<'_>) -> io::Result<()> {
    let mut readers = Vec::new();
    for mut run in runs {
        run.rewind()?;
        readers.push(BufReader::with_capacity(BUFFER, run));
    }
    let mut heap = BinaryHeap::new();
    for (index, reader) in readers.iter_mut().enumerate() {
        if let Some((key, text)) = read_entry(reader)? {
            heap.push(Reverse((key, index, text)));
        }
    }
    while let Some(Reverse((key, index, text))) = heap.pop() {
        take(&key, &text)?;
        if let Some((key, text)) = read_entry(&mut readers[index])? {
            heap.push(Reverse((key, index, text)));
        }
    }
    Ok(())
}

/// The next entry of a run; `None` at its end.
fn read_entry(run: &mut impl Read) -> io::Result<Option<Entry>> {
    let mut lengths = [0; 2 * size_of::<u32>()];
    match run.read_exact(&mut lengths) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let [key_length, text_length] =
        [0, 4].map(|at| u32::from_le_bytes([0, 1, 2, 3].map(|byte| lengths[at + byte])) as usize);
    let mut key = vec![0; key_length];
    let mut text = vec![0; text_length];
    run.read_exact(&mut key)?;
    run.read_exact(&mut text)?;
    Ok(Some((key, text)))
}

/// Games on their way to many files: their texts are in one temporary file, so that few files are open.
pub struct Spool<N> {
    file: BufWriter<File>,
    length: u64,
    targets: BTreeMap<String, SpoolTarget<N>>,
}

/// A file to which games of a spool will be written.
pub struct SpoolTarget<N> {
    /// The name of the file.
    pub name: N,
    /// The values after which the file is named.
    pub origins: BTreeSet<String>,
    /// The offsets and the lengths of the games in the temporary file.
    games: Vec<(u64, usize)>,
}

impl<N> SpoolTarget<N> {
    /// The number of games.
    pub const fn games(&self) -> usize {
        self.games.len()
    }
}

impl<N> Spool<N> {
    /// A spool without games.
    ///
    /// # Errors
    /// If the temporary file cannot be created.
    pub fn new() -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
        Ok(Self { file, length: 0, targets: BTreeMap::new() })
    }

    /// Adds a game to files. Each file has a unique key, a name, and a value after which it is named.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    pub fn push(&mut self, text: &str, files: impl Iterator<Item = (String, N, String)>) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        for (key, name, origin) in files {
            let none = || SpoolTarget { name, origins: BTreeSet::new(), games: Vec::new() };
            let target = self.targets.entry(key).or_insert_with(none);
            target.games.push((self.length, text.len()));
            target.origins.insert(origin);
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// The names of all files.
    pub fn targets(&self) -> impl Iterator<Item = &N> {
        self.targets.values().map(|target| &target.name)
    }

    /// Removes and returns all files, in the order of their keys.
    pub fn take_targets(&mut self) -> impl Iterator<Item = SpoolTarget<N>> + use<N> {
        std::mem::take(&mut self.targets).into_values()
    }

    /// Writes the games of a file to `out`, in the order in which they were added.
    ///
    /// # Errors
    /// If the temporary file cannot be read, or `out` cannot be written.
    pub fn copy(&mut self, target: &SpoolTarget<N>, out: &mut dyn Write) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        let mut text = Vec::new();
        for &(start, length) in &target.games {
            text.resize(length, 0);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut text)?;
            out.write_all(&text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::{CollatingKey, games};
    use crate::rng::Rng;

    #[test]
    fn any_memory_gives_the_same_order() {
        let mut rng = Rng::new(3);
        let mut text = String::new();
        for number in 0..1500 {
            let (year, round) = (1990 + rng.below(20), rng.below(30));
            let mv = ["e4", "d4", "c4"][rng.below(3) as usize];
            text += &format!(
                "[Date \"{year}.??.??\"]\n[Round \"{round}\"]\n[Annotator \"{number}\"]\n\n1. {mv} *\n\n"
            );
        }
        let sorted = |memory| {
            let mut sorter = Sorter::new(memory);
            for game in games(text.as_bytes()) {
                let (game, _) = game.expect("memory can be read");
                let number = game.tags.get("Annotator").expect("a number").to_owned() + "\n";
                let key = CollatingKey::new(&game).into_bytes();
                sorter.push(key, number.into_bytes()).expect("temporary files can be written");
            }
            let mut out = Vec::new();
            sorter
                .finish(&mut |_, text| {
                    out.extend(text);
                    Ok(())
                })
                .expect("memory can be written");
            String::from_utf8(out).expect("digits")
        };
        let expected = sorted(usize::MAX);
        assert_eq!(expected.lines().count(), 1500);
        // A run for each game, so that runs are merged into longer ones; some runs; and two runs.
        for memory in [1, 5_000, 100_000] {
            assert_eq!(sorted(memory), expected, "{memory} bytes");
        }
    }
}
