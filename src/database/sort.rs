//! Sorting games in bounded memory, with sorted runs in temporary files that are merged; and distributing them to many
//! files.

use crate::notation::pgn::Collated;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};

/// The maximum number of runs that are merged at once: each has an open file and a buffer.
const MAX_RUNS: usize = 64;
/// The size of buffers for reading and writing, in bytes.
const BUFFER: usize = 1 << 17;

/// Receives the key and the text of a game.
type Take<'a> = dyn FnMut(&[u8], &[u8]) -> io::Result<()> + 'a;

/// Sorts games by the bytes of their keys, and those with equal keys by the part of their texts that [`Collated`] calls
/// movetext; the order of games that are equal in both is kept.
pub struct Sorter {
    /// The number of bytes of keys and texts in memory.
    memory: usize,
    held: usize,
    /// The keys and texts of games, those of each game one after the other.
    batches: Vec<Vec<u8>>,
    entries: Vec<Entry>,
    runs: Vec<File>,
}

/// A game in memory.
#[derive(Clone, Copy)]
struct Entry {
    prefix: Prefix,
    /// Its place in the order in which games came: the number of the batch, and the offset of its key in the batch.
    place: (usize, usize),
    lengths: Lengths,
}

/// The first bytes of a key, as a number with the same order; those that are missing are zero. For most games it is all
/// that has to be compared.
type Prefix = u128;

fn prefix_of(key: &[u8]) -> Prefix {
    let mut first = [0; size_of::<Prefix>()];
    let count = key.len().min(first.len());
    first[..count].copy_from_slice(&key[..count]);
    Prefix::from_be_bytes(first)
}

/// The lengths of the parts of a game, as in [`Collated`].
#[derive(Clone, Copy, Default)]
struct Lengths {
    key: u32,
    tags: u32,
    movetext: u32,
}

impl Lengths {
    /// The number of bytes of lengths in a run.
    const SIZE: usize = 3 * size_of::<u32>();

    fn new(game: Collated) -> io::Result<Self> {
        let too_long =
            || io::Error::new(ErrorKind::InvalidInput, "a game of more than 4 GiB cannot be sorted");
        let [key, tags, movetext] =
            [game.key, game.tags, game.movetext].map(|length| u32::try_from(length).map_err(|_| too_long()));
        Ok(Self { key: key?, tags: tags?, movetext: movetext? })
    }

    /// The number of bytes of the game.
    fn total(self) -> usize {
        [self.key, self.tags, self.movetext].map(|length| length as usize).iter().sum()
    }

    fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        for (bytes, length) in bytes.as_chunks_mut().0.iter_mut().zip([self.key, self.tags, self.movetext]) {
            *bytes = length.to_le_bytes();
        }
        bytes
    }

    fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let mut this = Self::default();
        let lengths = [&mut this.key, &mut this.tags, &mut this.movetext];
        for (length, bytes) in lengths.into_iter().zip(bytes.as_chunks().0) {
            *length = u32::from_le_bytes(*bytes);
        }
        this
    }

    /// The key and the text of a game.
    fn split(self, game: &[u8]) -> (&[u8], &[u8]) {
        game.split_at(self.key as usize)
    }

    /// All that determines the place of a game.
    fn order(self, prefix: Prefix, game: &[u8]) -> (Prefix, &[u8], &[u8]) {
        let (key, text) = self.split(game);
        (prefix, key, &text[self.tags as usize..])
    }
}

impl Sorter {
    /// A sorter that uses about this many bytes of memory, and temporary files beyond it.
    pub const fn new(memory: usize) -> Self {
        Self { memory, held: 0, batches: Vec::new(), entries: Vec::new(), runs: Vec::new() }
    }

    /// Adds a game whose key alone determines its place.
    ///
    /// # Errors
    /// If a temporary file cannot be written, or the game has more than 4 GiB.
    pub fn push(&mut self, key: &[u8], text: &[u8]) -> io::Result<()> {
        let length = key.len() + text.len();
        if self.batches.last().is_none_or(|batch| batch.len() + length > batch.capacity()) {
            self.batches.push(Vec::with_capacity(length.max(BUFFER)));
        }
        let last = self.batches.len() - 1;
        let batch = &mut self.batches[last];
        let start = batch.len();
        batch.extend_from_slice(key);
        batch.extend_from_slice(text);
        self.add((last, start), Collated { key: key.len(), tags: text.len(), movetext: 0 })?;
        self.keep_within_memory()
    }

    /// Adds games with these lengths, whose keys and texts follow one another.
    ///
    /// # Errors
    /// If a temporary file cannot be written, or a game has more than 4 GiB.
    pub fn push_batch(&mut self, batch: Vec<u8>, games: &[Collated]) -> io::Result<()> {
        let number = self.batches.len();
        self.batches.push(batch);
        let mut start = 0;
        for &game in games {
            start += self.add((number, start), game)?;
        }
        debug_assert_eq!(start, self.batches[number].len(), "every byte belongs to a game");
        self.keep_within_memory()
    }

    /// Adds the entry of a game, and returns the number of its bytes.
    fn add(&mut self, place: (usize, usize), game: Collated) -> io::Result<usize> {
        let lengths = Lengths::new(game)?;
        let (batch, start) = place;
        let prefix = prefix_of(&self.batches[batch][start..][..game.key]);
        self.entries.push(Entry { prefix, place, lengths });
        self.held += lengths.total() + size_of::<Entry>();
        Ok(lengths.total())
    }

    fn keep_within_memory(&mut self) -> io::Result<()> {
        if self.held < self.memory {
            return Ok(());
        }
        self.spill()?;
        if self.runs.len() == MAX_RUNS {
            let mut longer = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
            merge(std::mem::take(&mut self.runs), &mut |lengths, game| {
                write_game(&mut longer, lengths, game)
            })?;
            self.runs.push(longer.into_inner()?);
        }
        Ok(())
    }

    /// Removes the games from memory, and passes them to `take` in order.
    fn empty(&mut self, take: &mut dyn FnMut(Lengths, &[u8]) -> io::Result<()>) -> io::Result<()> {
        let (batches, mut entries) = (std::mem::take(&mut self.batches), std::mem::take(&mut self.entries));
        self.held = 0;
        let game = |entry: &Entry| &batches[entry.place.0][entry.place.1..][..entry.lengths.total()];
        entries.par_sort_unstable_by(|one, other| {
            let order = |entry: &Entry| (entry.lengths.order(entry.prefix, game(entry)), entry.place);
            // The prefixes of most games differ, and nothing else has to be read.
            one.prefix.cmp(&other.prefix).then_with(|| order(one).cmp(&order(other)))
        });
        entries.iter().try_for_each(|entry| take(entry.lengths, game(entry)))
    }

    /// Writes the games in memory to a run.
    fn spill(&mut self) -> io::Result<()> {
        let mut run = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
        self.empty(&mut |lengths, game| write_game(&mut run, lengths, game))?;
        self.runs.push(run.into_inner()?);
        Ok(())
    }

    /// Passes the keys and the texts of all games to `take` in order.
    ///
    /// # Errors
    /// If a temporary file cannot be read, or `take` fails.
    pub fn finish(mut self, take: &mut Take<'_>) -> io::Result<()> {
        let mut take_game = |lengths: Lengths, game: &[u8]| {
            let (key, text) = lengths.split(game);
            take(key, text)
        };
        if self.runs.is_empty() {
            return self.empty(&mut take_game);
        }
        self.spill()?;
        merge(self.runs, &mut take_game)
    }
}

/// Writes a game to a run: the lengths of its parts, four bytes each, and its bytes.
fn write_game(run: &mut impl Write, lengths: Lengths, game: &[u8]) -> io::Result<()> {
    run.write_all(&lengths.to_bytes())?;
    run.write_all(game)
}

/// A run that is read, with its next game.
struct Run {
    file: BufReader<File>,
    prefix: Prefix,
    lengths: Lengths,
    /// The key and the text of the game.
    game: Vec<u8>,
}

impl Run {
    /// The run at its first game; `None` if it has none.
    fn open(mut file: File) -> io::Result<Option<Self>> {
        file.rewind()?;
        let file = BufReader::with_capacity(BUFFER, file);
        let mut this = Self { file, prefix: 0, lengths: Lengths::default(), game: Vec::new() };
        Ok(this.advance()?.then_some(this))
    }

    /// Reads the next game. Returns whether there is one.
    fn advance(&mut self) -> io::Result<bool> {
        if self.file.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let mut lengths = [0; Lengths::SIZE];
        self.file.read_exact(&mut lengths)?;
        self.lengths = Lengths::from_bytes(lengths);
        self.game.resize(self.lengths.total(), 0);
        self.file.read_exact(&mut self.game)?;
        self.prefix = prefix_of(self.lengths.split(&self.game).0);
        Ok(true)
    }

    /// All that determines the place of the next game among those of other runs.
    fn order(&self) -> (Prefix, &[u8], &[u8]) {
        self.lengths.order(self.prefix, &self.game)
    }
}

/// Passes on the games of runs in order; of equal ones, those of earlier runs first.
fn merge(files: Vec<File>, take: &mut dyn FnMut(Lengths, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut runs = Vec::new();
    for file in files {
        runs.extend(Run::open(file)?);
    }
    // The runs by their next games, the first one last.
    let mut waiting: Vec<usize> = (0..runs.len()).collect();
    waiting.sort_by_key(|&index| Reverse((runs[index].order(), index)));
    while let Some(index) = waiting.pop() {
        take(runs[index].lengths, &runs[index].game)?;
        if runs[index].advance()? {
            let order = (runs[index].order(), index);
            let place = waiting.partition_point(|&other| (runs[other].order(), other) > order);
            waiting.insert(place, index);
        }
    }
    Ok(())
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
    use crate::notation::pgn::{CollatingKey, Export, Game, games};
    use crate::rng::Rng;

    #[test]
    fn any_memory_gives_the_same_order() {
        const GAMES: usize = 1500;
        let mut rng = Rng::new(3);
        let mut text = String::new();
        for number in 0..GAMES {
            let (year, round) = (1990 + rng.below(20), rng.below(30));
            let mv = ["e4", "d4", "c4"][rng.below(3) as usize];
            text += &format!(
                "[Date \"{year}.??.??\"]\n[Round \"{round}\"]\n[Annotator \"{number}\"]\n\n1. {mv} *\n\n"
            );
        }
        let games: Vec<Game> =
            games(text.as_bytes()).map(|game| game.expect("memory can be read").0).collect();
        let finished = |sorter: Sorter| {
            let mut out = Vec::new();
            let finished = sorter.finish(&mut |_, text| {
                out.extend(text);
                Ok(())
            });
            finished.expect("temporary files can be read");
            String::from_utf8(out).expect("a game of ASCII")
        };
        let export = Export::new();
        let mut expected: Vec<&Game> = games.iter().collect();
        expected.sort_by_cached_key(|game| CollatingKey::new(game));
        let expected: String = expected.into_iter().map(|game| export.game(game)).collect();
        // A run for each game, so that runs are merged into longer ones; some runs; two runs; and none.
        for memory in [1, 5_000, 100_000, usize::MAX] {
            let mut by_key = Sorter::new(memory);
            for game in &games {
                let key = CollatingKey::new(game).into_bytes();
                by_key.push(&key, export.game(game).as_bytes()).expect("temporary files can be written");
            }
            assert_eq!(finished(by_key), expected, "{memory} bytes");

            let mut by_movetext = Sorter::new(memory);
            for games in games.chunks(7) {
                let mut bytes = Vec::new();
                let lengths: Vec<Collated> =
                    games.iter().map(|game| export.write_collated(game, &mut bytes)).collect();
                by_movetext.push_batch(bytes, &lengths).expect("temporary files can be written");
            }
            assert_eq!(finished(by_movetext), expected, "batches, {memory} bytes");
        }
    }
}
