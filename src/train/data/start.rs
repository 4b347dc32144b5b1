//! Start positions in 29 bytes.

use crate::chess::{Bitboard, CastlingRight, Color, File, Piece, Position, Rank, Role, Setup, Square};

/// Bytes of a packed position.
pub(super) const BYTES: usize = 29;

const PIECES_AT: usize = 8;
const FLAGS_AT: usize = 24;
const HALFMOVE_CLOCK_AT: usize = 25;
const FULLMOVE_NUMBER_AT: usize = 27;

/// The code of a rook that may still castle, in the place of its role.
const CASTLING_ROOK: u8 = 6;
const COLOR_BIT: u8 = 1 << 3;
const ROLE_MASK: u8 = COLOR_BIT - 1;
/// As many pieces as there are nibbles.
const MAX_PIECES: u32 = 32;

const BLACK_TO_MOVE: u8 = 1;
const DOUBLE_STEP: u8 = 1 << 1;
const FILE_SHIFT: u32 = 2;
const FILE_MASK: u8 = 7;
const ALL_FLAGS: u8 = BLACK_TO_MOVE | DOUBLE_STEP | FILE_MASK << FILE_SHIFT;

/// Packs a position.
pub(super) fn pack(position: &Position) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
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
pub(super) fn unpack(bytes: &[u8; BYTES]) -> Result<Position, StartError> {
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
        // The castling right finds its rook only on the back rank.
        if nibble & ROLE_MASK == CASTLING_ROOK && square.rank() != color.back_rank() {
            return Err(StartError::Piece(nibble));
        }
    }
    Position::try_from(setup).map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        StartError::Illegal(problems.join("; "))
    })
}

/// Bytes that are not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum StartError {
    /// This many pieces.
    #[error("{0} pieces, expected at most {MAX_PIECES}")]
    TooManyPieces(u32),
    /// A nibble that is not a piece, or not a piece that may be on its square.
    #[error("piece code {0} is none or must not be on its square")]
    Piece(u8),
    /// Unknown bits.
    #[error("unknown flags {0:#010b}")]
    Flags(u8),
    /// A position that breaks the rules of chess, and the reasons.
    #[error("not a chess position: {0}")]
    Illegal(String),
}
