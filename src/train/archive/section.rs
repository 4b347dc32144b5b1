//! Sections: several chunks that are coded together, so that the probabilities adapt to all of them.

use super::Mode;
use super::moves::MoveModel;
use super::range_coder::{BitCoder, CERTAIN, Decoder, Encoder};
use super::scores::{Circumstances, ScoreModel};
use super::starts::{NumberModel, StartModel, TextModel};
use crate::chess::{Color, Position};
use crate::search::Score;
use crate::selfplay::{GameResult, Ply, Termination, plies_before};
use crate::train::data::{Game, START_BYTES, pack_start, unpack_start};

/// The number of codes of a section.
pub(super) const CODES: usize = 3;
/// The maximum length of the name of a chunk, in bytes.
pub(super) const MAX_NAME: usize = 255;
/// The maximum length of the note of a chunk, in bytes.
const MAX_NOTE: usize = u16::MAX as usize;

/// The ply from which coarse archives keep scores, since training uses them only from there on.
const COARSE_FROM: u32 = 16;

/// A section that is being written or read: the adaptive models and the coders.
#[derive(Debug)]
pub(super) struct Section<C> {
    mode: Mode,
    /// The coders of names, notes, numbers and start positions; of moves; and of scores.
    coders: [C; CODES],
    names: TextModel,
    notes: TextModel,
    games: NumberModel,
    lengths: NumberModel,
    endings: NumberModel,
    starts: StartModel,
    moves: MoveModel,
    scores: ScoreModel,
}

/// The data of a chunk before its games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct ChunkHead {
    /// The name of the file.
    pub(super) name: String,
    /// The note of the chunk.
    pub(super) note: String,
    pub(super) games: u32,
}

/// The reason why a section is not valid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SectionError {
    /// The code ends before its expected content.
    #[error("ends before its last game")]
    Short,
    /// The name or the note of a chunk is not valid.
    #[error("the name or note of a chunk is not one")]
    Head,
    /// The start position of a game is not valid, for this reason.
    #[error("start position: {0}")]
    Start(String),
    /// The result of a game and the reason for its end are not valid.
    #[error("result and termination {0}, expected at most {max}", max = ENDINGS - 1)]
    Ending(u32),
    /// A game has more plies than possible.
    #[error("{0} plies, expected at most {max}", max = u16::MAX)]
    Plies(u32),
    /// A position has no legal move before the last ply.
    #[error("ply {0}: no legal move, expected one")]
    Move(usize),
    /// A number is not a score.
    #[error("ply {0}: not a score")]
    Score(usize),
}

/// The number of combinations of terminations and results.
const ENDINGS: u32 = (Termination::ALL.len() * RESULTS) as u32;
const RESULTS: usize = GameResult::ALL.len();

impl Section<Encoder> {
    pub(super) fn encode(mode: Mode) -> Self {
        Self::new(mode, [(); CODES].map(|()| Encoder::new()))
    }

    /// Starts a chunk.
    pub(super) fn append_head(&mut self, head: &ChunkHead) -> Result<(), SectionError> {
        self.code_head(head).map(drop)
    }

    /// Appends a game, and returns it as it will be unpacked.
    pub(super) fn append(&mut self, game: &Game) -> Result<Game, SectionError> {
        self.code_game(Some(game))
    }

    /// Ends a chunk.
    pub(super) fn append_checksum(&mut self, checksum: u64) {
        self.code_checksum(checksum);
    }

    /// Ends the section, and returns its codes.
    pub(super) fn finish(self) -> [Vec<u8>; CODES] {
        self.coders.map(Encoder::finish)
    }
}

impl<'a> Section<Decoder<'a>> {
    pub(super) fn decode(mode: Mode, codes: [&'a [u8]; CODES]) -> Self {
        Self::new(mode, codes.map(Decoder::new))
    }

    pub(super) fn read_head(&mut self) -> Result<ChunkHead, SectionError> {
        self.code_head(&ChunkHead::default())
    }

    pub(super) fn read(&mut self) -> Result<Game, SectionError> {
        self.code_game(None)
    }

    pub(super) fn read_checksum(&mut self) -> u64 {
        self.code_checksum(0)
    }
}

impl<C: BitCoder> Section<C> {
    fn new(mode: Mode, coders: [C; CODES]) -> Self {
        Self {
            mode,
            coders,
            names: TextModel::new(),
            notes: TextModel::new(),
            games: NumberModel::new(),
            lengths: NumberModel::new(),
            endings: NumberModel::new(),
            starts: StartModel::new(),
            moves: MoveModel::new(),
            scores: ScoreModel::new(mode),
        }
    }

    fn code_head(&mut self, head: &ChunkHead) -> Result<ChunkHead, SectionError> {
        let [coder, ..] = &mut self.coders;
        let text = |bytes: Option<Vec<u8>>| bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let name = text(self.names.code(coder, head.name.as_bytes(), MAX_NAME)).ok_or(SectionError::Head)?;
        let note = text(self.notes.code(coder, head.note.as_bytes(), MAX_NOTE)).ok_or(SectionError::Head)?;
        let games = self.games.code(coder, head.games);
        Ok(ChunkHead { name, note, games })
    }

    /// Codes bits that cannot be predicted.
    fn code_checksum(&mut self, checksum: u64) -> u64 {
        let [coder, ..] = &mut self.coders;
        (0..u64::BITS)
            .fold(0, |sum, bit| sum | u64::from(coder.code(checksum >> bit & 1 == 1, CERTAIN / 2)) << bit)
    }

    /// Codes a game, which an encoder must be given.
    fn code_game(&mut self, wanted: Option<&Game>) -> Result<Game, SectionError> {
        let [heads, moves, scores] = &mut self.coders;
        let start = wanted.map_or([0; START_BYTES], |game| pack_start(game.start()));
        let start = self.starts.code(heads, &start);
        let start = unpack_start(&start).map_err(|error| SectionError::Start(error.to_string()))?;
        let ending =
            wanted.map_or(0, |game| game.termination() as u32 * RESULTS as u32 + game.result() as u32);
        let ending = self.endings.code(heads, ending);
        let (result, termination) = ending_of(ending).ok_or(SectionError::Ending(ending))?;
        let length = self.lengths.code(heads, wanted.map_or(0, |game| game.plies().len() as u32));
        if length > u16::MAX.into() {
            return Err(SectionError::Plies(length));
        }
        let length = length as usize;

        self.moves.start_game();
        self.scores.start_game();
        let mut position = start;
        let mut plies = Vec::new();
        let mut kept = Kept::default();
        for ply in 0..length {
            let wanted = wanted.map(|game| game.plies()[ply]);
            let coded = self.moves.code(moves, &position, wanted.map(|ply| ply.mv));
            let coded = coded.ok_or(SectionError::Move(ply))?;
            let (is_check, is_noisy) = (position.is_check(), position.is_noisy(coded.mv));
            let is_kept = match self.mode {
                Mode::Lossless => true,
                Mode::Coarse => !is_check && !is_noisy && plies_before(&start) + ply as u32 >= COARSE_FROM,
            };
            if is_kept {
                let known = Circumstances {
                    result,
                    termination,
                    left: length - 1 - ply,
                    pieces: position.occupied().count(),
                    is_white: position.turn() == Color::White,
                    is_check,
                    is_noisy,
                    rank: coded.rank,
                };
                let score = self.scores.code(scores, &known, wanted.map(|ply| ply.score));
                kept.keep(&mut plies, &position, score.ok_or(SectionError::Score(ply))?);
            }
            plies.push(Ply { mv: coded.mv, score: kept.score(&position) });
            if moves.is_exhausted() || scores.is_exhausted() || heads.is_exhausted() {
                return Err(SectionError::Short);
            }
            position = position.after(coded.mv).0;
        }
        if heads.is_exhausted() {
            return Err(SectionError::Short);
        }
        Ok(Game::new(start, plies, result, termination).expect("its moves are from the lists of legal ones"))
    }
}

/// The last score that was kept, which replaces those that were not: from White's point of view, so that both sides
/// agree.
#[derive(Default)]
struct Kept(Option<Score>);

impl Kept {
    /// Records the score of the next ply. The first one also replaces those of the plies before it.
    fn keep(&mut self, plies: &mut [Ply], position: &Position, score: Score) {
        let is_first = self.0.is_none();
        self.0 = Some(white_view(position.turn(), score));
        if is_first {
            let mut turn = position.turn();
            for ply in plies.iter_mut().rev() {
                turn = !turn;
                ply.score = white_view(turn, white_view(position.turn(), score));
            }
        }
    }

    /// The score for the side to move.
    fn score(&self, position: &Position) -> Score {
        white_view(position.turn(), self.0.unwrap_or(Score::DRAW))
    }
}

/// Converts a score of the side `turn` to White's point of view, or back.
fn white_view(turn: Color, score: Score) -> Score {
    match turn {
        Color::White => score,
        Color::Black => -score,
    }
}

fn ending_of(code: u32) -> Option<(GameResult, Termination)> {
    let code = code as usize;
    Some((GameResult::ALL[code % RESULTS], *Termination::ALL.get(code / RESULTS)?))
}
