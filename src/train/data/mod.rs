//! Games for training, in a compact binary format: version 1.
//!
//! A *chunk* is a file of whole games, named `*.games`. All numbers are little-endian.
//!
//! | part    | bytes | content                                                              |
//! |---------|-------|----------------------------------------------------------------------|
//! | header  | 8     | `HEMGAMES`                                                           |
//! |         | 4     | version: 1                                                           |
//! |         | 2     | length of the note                                                   |
//! |         |       | the note, UTF-8: the origin of the games, a JSON object               |
//! | game    | 1     | `G`                                                                  |
//! |         | 8     | occupied squares of the start position, a1 the lowest bit            |
//! |         | 16    | its pieces in the order of the squares, a nibble each, the low first |
//! |         | 1     | bit 0: Black is to move; bit 1: a pawn has just made a double step;  |
//! |         |       | bits 2 to 4: the file of that pawn                                   |
//! |         | 2     | halfmove clock                                                       |
//! |         | 2     | full-move number                                                     |
//! |         | 1     | result: 0 Black wins, 1 draw, 2 White wins                           |
//! |         | 1     | [`Termination`], counted from 0                                      |
//! |         | 2     | number of plies                                                      |
//! |         | 4     | for each ply: the move, [`crate::chess::Move::bits`], and the score, |
//! |         |       | two bytes each                                                       |
//! | closing | 1     | `E`                                                                  |
//! |         | 4     | number of games                                                      |
//! |         | 8     | number of positions: plies of all games                              |
//! |         | 3 × 4 | games that Black wins, draws, games that White wins                  |
//! |         | 8     | CRC-64/XZ of all bytes before it                                     |
//!
//! The nibble of a piece has the color in its highest bit (1 is Black) and below it the role: pawn 0, knight, bishop,
//! rook, queen, king 5; 6 is a rook that may still castle, which is also sufficient for Chess960. Unused nibbles and
//! bits are zero.
//!
//! A score is the result of the search that chose the move, in search units, from the point of view of **the side to
//! move**; mates are encoded as in [`crate::search::Score`]. The clocks of the start position count from the start of
//! the game, including the moves before the first recorded one, so that the ply of a move is known.
//!
//! Files are written under a temporary name and renamed when they are closed. A file that is incomplete nevertheless
//! has no closing part or a wrong checksum.

mod combine;
mod error;
mod files;
mod game;
mod reader;
mod writer;

pub use crate::selfplay::{GameResult, Ply, Termination};
pub(in crate::train) use combine::{Seen, note_of};
pub use combine::{Shuffle, merge};
pub use error::{CombineError, DataError, GameError};
pub(in crate::train) use files::remove_unfinished;
pub use files::{EXTENSION, FileError, Totals, chunk_files, chunks_in, lock_folder};
pub use game::{Game, Sample, Samples};
pub(in crate::train) use game::{START_BYTES, StartFields, pack_start, unpack_start};
pub use reader::{ChunkReader, closing_of};
pub use writer::{Chunk, ClosedChunk, GameWriter};

/// The first bytes of a chunk.
const MAGIC: [u8; 8] = *b"HEMGAMES";
/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;
/// The first byte of a game.
const GAME: u8 = b'G';
/// The first byte of the closing part.
const CLOSING: u8 = b'E';
/// The size of a game before its plies, without its first byte, in bytes.
const GAME_HEAD: usize = game::START_BYTES + 4;
/// The size of a ply, in bytes.
const PLY_BYTES: usize = 4;
