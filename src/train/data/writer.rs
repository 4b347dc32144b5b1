//! Writing games.

use super::{CLOSING, Checksum, GAME, Game, GameResult, MAGIC, Ply, Totals, VERSION, start};
use std::io::{self, Error, ErrorKind, Write};

/// Writes a chunk to anything; [`super::Chunk`] writes files.
#[derive(Debug)]
pub struct GameWriter<W> {
    writer: W,
    checksum: Checksum,
    totals: Totals,
    /// The game being written, kept so that it need not be allocated anew.
    buffer: Vec<u8>,
}

impl<W: Write> GameWriter<W> {
    /// Begins a chunk; the note tells where its games come from.
    ///
    /// # Errors
    /// If it cannot be written, or the note is longer than 65,535 bytes.
    pub fn new(writer: W, note: &str) -> io::Result<Self> {
        let length = u16::try_from(note.len())
            .map_err(|_| Error::new(ErrorKind::InvalidInput, "the note is too long"))?;
        let mut this =
            Self { writer, checksum: Checksum::new(), totals: Totals::default(), buffer: Vec::new() };
        this.buffer.extend(MAGIC);
        this.buffer.extend(VERSION.to_le_bytes());
        this.buffer.extend(length.to_le_bytes());
        this.buffer.extend(note.bytes());
        this.write_buffer()?;
        Ok(this)
    }

    /// What was written so far.
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If it cannot be written; then the chunk is of no use any more.
    pub fn append(&mut self, game: &Game) -> io::Result<()> {
        self.buffer.push(GAME);
        self.buffer.extend(start::pack(game.start()));
        self.buffer.push(game.result() as u8);
        self.buffer.push(game.termination() as u8);
        // A game is never longer than that.
        self.buffer.extend((game.plies().len() as u16).to_le_bytes());
        for &Ply { mv, score } in game.plies() {
            self.buffer.extend(mv.bits().to_le_bytes());
            self.buffer.extend((score.value() as i16).to_le_bytes());
        }
        self.totals.add(game);
        self.write_buffer()
    }

    /// Ends the chunk, and tells its checksum.
    ///
    /// # Errors
    /// If it cannot be written, or holds more games than four bytes can count.
    pub fn close(mut self) -> io::Result<(W, u64)> {
        let count = |number: u64| {
            u32::try_from(number)
                .map_err(|_| Error::new(ErrorKind::InvalidInput, "too many games for a chunk"))
        };
        self.buffer.push(CLOSING);
        self.buffer.extend(count(self.totals.games)?.to_le_bytes());
        self.buffer.extend(self.totals.positions.to_le_bytes());
        for result in GameResult::ALL {
            self.buffer.extend(count(self.totals.with_result(result))?.to_le_bytes());
        }
        self.write_buffer()?;
        let checksum = self.checksum.value();
        self.writer.write_all(&checksum.to_le_bytes())?;
        self.writer.flush()?;
        Ok((self.writer, checksum))
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        self.checksum.update(&self.buffer);
        let written = self.writer.write_all(&self.buffer);
        self.buffer.clear();
        written
    }
}
