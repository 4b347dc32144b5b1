//! Reading games.

use super::game::unpack_start;
use super::{
    CLOSING, ClosedChunk, DataError, GAME, GAME_HEAD, Game, GameError, GameResult, MAGIC, PLY_BYTES, Ply,
    Termination, Totals, VERSION,
};
use crate::chess::Move;
use crate::search::Score;
use crc64fast::Digest;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// The number of bytes that are read at once from a file.
const BUFFER: usize = 1 << 18;

/// Reads the games of a chunk one after the other, and after the last one checks that the chunk is complete.
///
/// All games returned have only legal moves, whatever the bytes are. After an error nothing more is returned.
pub struct ChunkReader<R> {
    reader: R,
    note: String,
    checksum: Digest,
    totals: Totals,
    /// The number of bytes read so far.
    at: u64,
    /// The checksum stated in the closing part; `None` before that has been read.
    closed: Option<u64>,
    is_done: bool,
    buffer: Vec<u8>,
}

impl<R> fmt::Debug for ChunkReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkReader").field("note", &self.note).field("at", &self.at).finish_non_exhaustive()
    }
}

impl ChunkReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// The errors of [`ChunkReader::new`], or if the file cannot be opened.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::with_capacity(BUFFER, File::open(path).map_err(DataError::Read)?))
    }
}

/// The size of the closing part, in bytes: its first byte, the counts of games, positions and results, and the
/// checksum.
const CLOSING_BYTES: u64 = 1 + 4 + 8 + 3 * 4 + 8;

/// The totals and the checksum stated in the closing part of a chunk, without reading its games.
///
/// # Errors
/// [`DataError`] if the file cannot be read, is not a chunk, or was not closed.
pub fn closing_of(path: &Path) -> Result<ClosedChunk, DataError> {
    let mut reader = ChunkReader::open(path)?.reader;
    let length = reader.seek(SeekFrom::End(0)).map_err(DataError::Read)?;
    let closing = length.checked_sub(CLOSING_BYTES).ok_or(DataError::Torn { at: length })?;
    reader.seek(SeekFrom::Start(closing)).map_err(DataError::Read)?;
    let mut bytes = [0; CLOSING_BYTES as usize];
    reader.read_exact(&mut bytes).map_err(DataError::Read)?;
    let count = |at: usize| u64::from(u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[at + byte])));
    let [positions, checksum] =
        [5, 25].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte])));
    let totals = Totals { games: count(1), positions, results: [13, 17, 21].map(count) };
    match bytes[0] {
        CLOSING => Ok(ClosedChunk { totals, checksum }),
        _ => Err(DataError::Torn { at: length }),
    }
}

impl<R: Read> ChunkReader<R> {
    /// Reads the header of a chunk. The reader should be buffered.
    ///
    /// # Errors
    /// [`DataError`] if the bytes are not the header of a chunk.
    pub fn new(reader: R) -> Result<Self, DataError> {
        let mut this = Self {
            reader,
            note: String::new(),
            checksum: Digest::new(),
            totals: Totals::default(),
            at: 0,
            closed: None,
            is_done: false,
            buffer: Vec::new(),
        };
        let magic: [u8; 8] = this.array()?;
        if magic != MAGIC {
            return Err(DataError::Magic(magic));
        }
        let version = u32::from_le_bytes(this.array()?);
        if version != VERSION {
            return Err(DataError::Version(version));
        }
        let length = u16::from_le_bytes(this.array()?);
        this.fill(usize::from(length))?;
        this.note = str::from_utf8(&this.buffer).map_err(|_| DataError::Note)?.to_owned();
        Ok(this)
    }

    /// The origin of the games, a JSON object.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The totals read so far.
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    /// The checksum of the chunk; `None` until the whole chunk has been read and checked.
    pub const fn checksum(&self) -> Option<u64> {
        self.closed
    }

    /// Reads the rest of the chunk, and returns its totals and its checksum.
    ///
    /// # Errors
    /// The first error in the chunk.
    pub fn verify(mut self) -> Result<(Totals, u64), DataError> {
        while self.read()?.is_some() {}
        // If there is no further game, the closing part has been read.
        Ok((self.totals, self.closed.unwrap_or_default()))
    }

    /// The next game; `None` after the closing part.
    fn read(&mut self) -> Result<Option<Game>, DataError> {
        let at = self.at;
        let [tag] = self.array()?;
        match tag {
            GAME => {
                let game = self.game(at)?;
                self.totals.add(&game);
                Ok(Some(game))
            }
            CLOSING => self.closing().map(|()| None),
            found => Err(DataError::Tag { found, at }),
        }
    }

    /// Reads a game after its first byte, which is at `at`.
    fn game(&mut self, at: u64) -> Result<Game, DataError> {
        let number = self.totals.games + 1;
        let wrong = |problem| DataError::Game { number, at, problem };
        let head: [u8; GAME_HEAD] = self.array()?;
        let (packed, rest) = head.split_first_chunk().expect("the head begins with a position");
        let [result, termination, plies @ ..] = rest else { unreachable!("four bytes are left") };
        let start = unpack_start(packed).map_err(|problem| wrong(GameError::Start(problem.to_string())))?;
        let code = *result;
        let result = GameResult::from_code(code).ok_or_else(|| wrong(GameError::Result(code)))?;
        let code = *termination;
        let termination = Termination::from_code(code).ok_or_else(|| wrong(GameError::Termination(code)))?;
        let plies = usize::from(u16::from_le_bytes([plies[0], plies[1]]));
        self.fill(plies * PLY_BYTES)?;
        let plies = plies_of(&self.buffer).map_err(wrong)?;
        Game::new(start, plies, result, termination).map_err(wrong)
    }

    /// Reads the closing part after its first byte.
    fn closing(&mut self) -> Result<(), DataError> {
        let stated = Totals {
            games: self.count()?,
            positions: u64::from_le_bytes(self.array()?),
            results: [self.count()?, self.count()?, self.count()?],
        };
        let computed = self.checksum.sum64();
        let stated_checksum = u64::from_le_bytes(self.array()?);
        if computed != stated_checksum {
            return Err(DataError::Checksum { computed, stated: stated_checksum });
        }
        if stated != self.totals {
            return Err(DataError::Counts);
        }
        let at = self.at;
        match self.array::<1>() {
            Err(DataError::Torn { .. }) => {}
            Ok(_) => return Err(DataError::Trailing { at }),
            Err(error) => return Err(error),
        }
        self.closed = Some(computed);
        Ok(())
    }

    fn count(&mut self) -> Result<u64, DataError> {
        self.array().map(u32::from_le_bytes).map(u64::from)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DataError> {
        let mut bytes = [0; N];
        let read = self.reader.read_exact(&mut bytes);
        self.note_read(read, &bytes)?;
        Ok(bytes)
    }

    /// Reads this many bytes into the buffer.
    fn fill(&mut self, length: usize) -> Result<(), DataError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(length, 0);
        let read = self.reader.read_exact(&mut buffer);
        let noted = self.note_read(read, &buffer);
        self.buffer = buffer;
        noted
    }

    fn note_read(&mut self, read: std::io::Result<()>, bytes: &[u8]) -> Result<(), DataError> {
        match read {
            Ok(()) => {
                self.checksum.write(bytes);
                self.at += bytes.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(DataError::Torn { at: self.at }),
            Err(error) => Err(DataError::Read(error)),
        }
    }
}

/// Unpacks the moves and scores.
fn plies_of(bytes: &[u8]) -> Result<Vec<Ply>, GameError> {
    let (plies, _) = bytes.as_chunks::<PLY_BYTES>();
    let unpack = |(ply, &[a, b, c, d]): (usize, &[u8; PLY_BYTES])| {
        let bits = u16::from_le_bytes([a, b]);
        let value = i16::from_le_bytes([c, d]);
        Ok(Ply {
            mv: Move::from_bits(bits).ok_or(GameError::MoveBits { ply, bits })?,
            score: Score::new(i32::from(value)).ok_or(GameError::Score { ply, value })?,
        })
    };
    plies.iter().enumerate().map(unpack).collect()
}

impl<R: Read> Iterator for ChunkReader<R> {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let game = self.read().transpose();
        self.is_done = !matches!(game, Some(Ok(_)));
        game
    }
}
