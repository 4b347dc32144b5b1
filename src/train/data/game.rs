//! Complete games with the scores of their moves, and their start positions in 29 bytes.

use super::GameError;
use crate::chess::{Bitboard, CastlingRight, Color, File, Move, Piece, Position, Rank, Role, Setup, Square};
use crate::search::Score;
use crate::selfplay::{GameResult, Ply, Termination, plies_before};

/// A game, all of whose moves are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    plies: Vec<Ply>,
    result: GameResult,
    termination: Termination,
}

impl Game {
    /// A game from a position, its moves and its end.
    ///
    /// # Errors
    /// [`GameError::Illegal`] for the first move that is not legal, [`GameError::TooLong`] if the number of plies does
    /// not fit into two bytes.
    pub fn new(
        start: Position,
        plies: Vec<Ply>,
        result: GameResult,
        termination: Termination,
    ) -> Result<Self, GameError> {
        if plies.len() > usize::from(u16::MAX) {
            return Err(GameError::TooLong(plies.len()));
        }
        let mut position = start;
        for (ply, &Ply { mv, .. }) in plies.iter().enumerate() {
            position = position.play(mv).map_err(|_| GameError::Illegal { ply, mv })?;
        }
        Ok(Self { start, plies, result, termination })
    }

    /// The start position. Its clocks also count the moves before it.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves with their scores.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The result.
    pub const fn result(&self) -> GameResult {
        self.result
    }

    /// The reason for the end.
    pub const fn termination(&self) -> Termination {
        self.termination
    }

    /// All positions in which a move was chosen, in their order.
    pub fn samples(&self) -> Samples<'_> {
        Samples {
            position: self.start,
            ply: plies_before(&self.start),
            result: self.result,
            plies: self.plies.iter(),
        }
    }
}

/// A position of a game with its move, score and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The move that was chosen.
    pub mv: Move,
    /// The score of the search, from the point of view of the side to move.
    pub score: Score,
    /// The score of the next position of the game, from the point of view of the same side; `None` for the last one.
    pub next_score: Option<Score>,
    /// The result of the game.
    pub result: GameResult,
    /// The number of plies from the start of the game to the position.
    pub ply: u32,
}

/// The positions of a game, one after the other.
#[derive(Clone, Debug)]
pub struct Samples<'a> {
    position: Position,
    ply: u32,
    result: GameResult,
    plies: std::slice::Iter<'a, Ply>,
}

impl Iterator for Samples<'_> {
    type Item = Sample;

    #[inline]
    fn next(&mut self) -> Option<Sample> {
        let &Ply { mv, score } = self.plies.next()?;
        let next_score = self.plies.as_slice().first().map(|next| -next.score);
        let sample =
            Sample { position: self.position, mv, score, next_score, result: self.result, ply: self.ply };
        // A game has only legal moves.
        self.position = self.position.after(mv).0;
        self.ply += 1;
        Some(sample)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.plies.size_hint()
    }
}

impl ExactSizeIterator for Samples<'_> {}

/// The size of a packed position, in bytes.
pub(in crate::train) const START_BYTES: usize = 29;

const PIECES_AT: usize = 8;
const FLAGS_AT: usize = 24;
const HALFMOVE_CLOCK_AT: usize = 25;
const FULLMOVE_NUMBER_AT: usize = 27;

/// The code of a rook that may still castle, in place of its role.
const CASTLING_ROOK: u8 = 6;
const COLOR_BIT: u8 = 1 << 3;
const ROLE_MASK: u8 = COLOR_BIT - 1;
/// The number of nibbles for pieces.
const MAX_PIECES: u32 = 32;

const BLACK_TO_MOVE: u8 = 1;
const DOUBLE_STEP: u8 = 1 << 1;
const FILE_SHIFT: u32 = 2;
const FILE_MASK: u8 = 7;
const ALL_FLAGS: u8 = BLACK_TO_MOVE | DOUBLE_STEP | FILE_MASK << FILE_SHIFT;

/// The content of the bytes of a packed position, which need not be valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::train) struct StartFields {
    /// For each square the nibble of its piece, or [`StartFields::EMPTY`].
    pub(in crate::train) codes: [u8; Square::COUNT],
    /// The byte of the side to move and the double step.
    pub(in crate::train) flags: u8,
    /// The halfmove clock.
    pub(in crate::train) halfmove_clock: u16,
    /// The full-move number.
    pub(in crate::train) fullmove_number: u16,
}

impl StartFields {
    /// The code of an empty square, which no piece has.
    pub(in crate::train) const EMPTY: u8 = 7;

    /// The content of bytes written by [`StartFields::pack`] or [`pack_start`].
    pub(in crate::train) fn of(bytes: &[u8; START_BYTES]) -> Self {
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut occupied = [0; PIECES_AT];
        occupied.copy_from_slice(&bytes[..PIECES_AT]);
        let occupied = Bitboard::from_bits(u64::from_le_bytes(occupied));
        let mut codes = [Self::EMPTY; Square::COUNT];
        for (index, square) in occupied.into_iter().take(MAX_PIECES as usize).enumerate() {
            codes[square] = bytes[PIECES_AT + index / 2] >> (4 * (index % 2)) & (COLOR_BIT | ROLE_MASK);
        }
        Self {
            codes,
            flags: bytes[FLAGS_AT],
            halfmove_clock: number(HALFMOVE_CLOCK_AT),
            fullmove_number: number(FULLMOVE_NUMBER_AT),
        }
    }

    /// The packed bytes. Pieces for which there is no room are omitted, but not their squares.
    pub(in crate::train) fn pack(&self) -> [u8; START_BYTES] {
        let mut bytes = [0; START_BYTES];
        let is_filled = |square: &Square| self.codes[*square] != Self::EMPTY;
        let occupied =
            Square::ALL.into_iter().filter(is_filled).fold(Bitboard::EMPTY, |all, square| all | square);
        bytes[..PIECES_AT].copy_from_slice(&occupied.bits().to_le_bytes());
        for (index, square) in occupied.into_iter().take(MAX_PIECES as usize).enumerate() {
            bytes[PIECES_AT + index / 2] |= self.codes[square] << (4 * (index % 2));
        }
        bytes[FLAGS_AT] = self.flags;
        bytes[HALFMOVE_CLOCK_AT..][..2].copy_from_slice(&self.halfmove_clock.to_le_bytes());
        bytes[FULLMOVE_NUMBER_AT..][..2].copy_from_slice(&self.fullmove_number.to_le_bytes());
        bytes
    }
}

/// Packs a position.
pub(in crate::train) fn pack_start(position: &Position) -> [u8; START_BYTES] {
    let mut bytes = [0; START_BYTES];
    let castling = Color::ALL.map(|color| position.castling_rooks(color));
    bytes[..PIECES_AT].copy_from_slice(&position.occupied().bits().to_le_bytes());
    for (index, square) in position.occupied().into_iter().enumerate() {
        let Some(piece) = position.piece_at(square) else { continue };
        let may_castle = castling[piece.color()].contains(square);
        let role = if may_castle { CASTLING_ROOK } else { piece.role() as u8 };
        let color = if piece.color() == Color::Black { COLOR_BIT } else { 0 };
        bytes[PIECES_AT + index / 2] |= (role | color) << (4 * (index % 2));
    }
    bytes[FLAGS_AT] = if position.turn() == Color::Black { BLACK_TO_MOVE } else { 0 };
    if let Some(passed) = position.double_push_square() {
        bytes[FLAGS_AT] |= DOUBLE_STEP | (passed.file() as u8) << FILE_SHIFT;
    }
    bytes[HALFMOVE_CLOCK_AT..][..2].copy_from_slice(&position.halfmove_clock().to_le_bytes());
    bytes[FULLMOVE_NUMBER_AT..][..2].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes
}

/// Unpacks a position.
pub(in crate::train) fn unpack_start(bytes: &[u8; START_BYTES]) -> Result<Position, StartError> {
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let mut occupied = [0; PIECES_AT];
    occupied.copy_from_slice(&bytes[..PIECES_AT]);
    let occupied = Bitboard::from_bits(u64::from_le_bytes(occupied));
    if occupied.count() > MAX_PIECES {
        return Err(StartError::TooManyPieces(occupied.count()));
    }
    let flags = bytes[FLAGS_AT];
    let has_step = flags & DOUBLE_STEP != 0;
    if flags & !ALL_FLAGS != 0 || (!has_step && flags >> FILE_SHIFT != 0) {
        return Err(StartError::Flags(flags));
    }
    let turn = if flags & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
    let file = File::from_index(usize::from(flags >> FILE_SHIFT & FILE_MASK));
    let mut setup = Setup {
        turn,
        en_passant: file.filter(|_| has_step).map(|file| Square::new(file, turn.relative(Rank::Sixth))),
        halfmove_clock: number(HALFMOVE_CLOCK_AT),
        fullmove_number: number(FULLMOVE_NUMBER_AT),
        ..Setup::EMPTY
    };
    let mut squares = occupied.into_iter();
    for index in 0..MAX_PIECES as usize {
        let nibble = bytes[PIECES_AT + index / 2] >> (4 * (index % 2)) & (COLOR_BIT | ROLE_MASK);
        let Some(square) = squares.next() else {
            if nibble != 0 {
                return Err(StartError::Piece(nibble));
            }
            continue;
        };
        let color = if nibble & COLOR_BIT == 0 { Color::White } else { Color::Black };
        let role = match nibble & ROLE_MASK {
            CASTLING_ROOK => {
                setup.castling.push(CastlingRight::WithRookOn(color, square.file()));
                Role::Rook
            }
            code => Role::from_index(usize::from(code)).ok_or(StartError::Piece(nibble))?,
        };
        setup.pieces[square] = Some(Piece::new(color, role));
        // A castling right only has a rook on the back rank.
        if nibble & ROLE_MASK == CASTLING_ROOK && square.rank() != color.back_rank() {
            return Err(StartError::Piece(nibble));
        }
    }
    Position::try_from(setup).map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        StartError::Illegal(problems.join("; "))
    })
}

/// The reason why bytes are not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::train) enum StartError {
    /// There are this many pieces, which is too many.
    #[error("{0} pieces, expected at most {MAX_PIECES}")]
    TooManyPieces(u32),
    /// A nibble is not a piece, or not one that may be on its square.
    #[error("piece code {0} is none or must not be on its square")]
    Piece(u8),
    /// There are unknown bits.
    #[error("unknown flags {0:#010b}")]
    Flags(u8),
    /// The position breaks the rules of chess, for these reasons.
    #[error("not a chess position: {0}")]
    Illegal(String),
}
