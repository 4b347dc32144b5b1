//! Writing FENs.

use super::MAX_RIGHTS;
use crate::chess::{
    Bitboard, Board, CastlingRight, CastlingSide, Color, File, Piece, Placement, Position, Rank, Role, Square,
};
use arrayvec::ArrayString;
use std::fmt;
use wide::u8x16;

/// The size into which every FEN fits, in bytes: at most 71 characters of pieces, and 32 of all other fields.
const MAX_BYTES: usize = 112;

/// The text of a FEN.
pub type FenText = ArrayString<MAX_BYTES>;

/// A position, or only its placement, to be written as a FEN.
///
/// ```
/// use hematite_core::notation::{Fen, position_from_fen};
/// let text = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
/// let position = position_from_fen(text).unwrap();
/// assert_eq!(Fen::new(&position).shredder().to_string(), text);
/// assert_eq!(Fen::new(&position).to_string(), text.replace("HFhf", "KQkq"));
/// assert!(text.starts_with(&Fen::new(&position).shredder().without_counters().to_string()));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Fen<'a, P = Position> {
    position: &'a P,
    names_files: bool,
    has_counters: bool,
}

impl<'a> Fen<'a> {
    /// The standard form, with the castling rights of X-FEN: `KQkq` if the rook is the outermost one of its wing,
    /// otherwise the file of the rook.
    pub const fn new(position: &'a Position) -> Self {
        Self { position, names_files: false, has_counters: true }
    }
}

impl<'a> Fen<'a, Placement> {
    /// The standard form, for a placement.
    pub const fn of(position: &'a Placement) -> Self {
        Self { position, names_files: false, has_counters: true }
    }
}

impl<P: Described> Fen<'_, P> {
    /// The form of Shredder: castling rights are always the files of the rooks.
    pub const fn shredder(self) -> Self {
        Self { names_files: true, ..self }
    }

    /// Only the first four fields, as in EPD.
    pub const fn without_counters(self) -> Self {
        Self { has_counters: false, ..self }
    }

    /// The letter of a right in this form.
    fn right(&self, right: CastlingRight) -> CastlingRight {
        match right {
            CastlingRight::WithRookOn(color, file) if !self.names_files => self
                .outermost_wing(Square::new(file, color.back_rank()), color)
                .map_or(right, |wing| CastlingRight::Outermost(color, wing)),
            _ => right,
        }
    }

    /// The wing on which this castling rook is the outermost one; `None` if another rook is beyond it.
    fn outermost_wing(&self, rook: Square, color: Color) -> Option<CastlingSide> {
        let pieces = |role| self.position.color(color) & self.position.role(role);
        let rooks = pieces(Role::Rook) & color.back_rank();
        if Some(rook) > pieces(Role::King).first() {
            (rooks.last() == Some(rook)).then_some(CastlingSide::King)
        } else {
            (rooks.first() == Some(rook)).then_some(CastlingSide::Queen)
        }
    }
}

impl<P: Described> Fen<'_, P> {
    /// The text of the FEN, without allocation.
    pub fn text(&self) -> FenText {
        FenWriter::default().text(self)
    }
}

impl<P: Described> fmt::Display for Fen<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The parts of a position that a FEN states.
pub trait Described {
    /// All pieces of one side.
    fn color(&self, color: Color) -> Bitboard;
    /// All pieces of one role.
    fn role(&self, role: Role) -> Bitboard;
    /// The piece on a square.
    fn piece_at(&self, square: Square) -> Option<Piece>;
    /// The side to move.
    fn turn(&self) -> Color;
    /// The rooks with which a side may still castle.
    fn castling_rooks(&self, color: Color) -> Bitboard;
    /// The square that a pawn passed in the last move.
    fn double_push_square(&self) -> Option<Square>;
    /// Plies since the last capture or pawn move.
    fn halfmove_clock(&self) -> u16;
    /// The number of the full move to be played.
    fn fullmove_number(&self) -> u16;

    /// All pieces.
    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.color(Color::White) | self.color(Color::Black)
    }
}

/// Implements [`Described`] by the methods of a type, and of the type with its pieces.
macro_rules! described {
    ($type:ident, $pieces:ident) => {
        impl Described for $type {
            #[inline(always)]
            fn color(&self, color: Color) -> Bitboard {
                $pieces::color(self, color)
            }
            #[inline(always)]
            fn role(&self, role: Role) -> Bitboard {
                $pieces::role(self, role)
            }
            #[inline(always)]
            fn piece_at(&self, square: Square) -> Option<Piece> {
                $pieces::piece_at(self, square)
            }
            #[inline(always)]
            fn turn(&self) -> Color {
                $pieces::turn(self)
            }
            #[inline(always)]
            fn castling_rooks(&self, color: Color) -> Bitboard {
                $pieces::castling_rooks(self, color)
            }
            #[inline(always)]
            fn double_push_square(&self) -> Option<Square> {
                $type::double_push_square(self)
            }
            #[inline(always)]
            fn halfmove_clock(&self) -> u16 {
                $type::halfmove_clock(self)
            }
            #[inline(always)]
            fn fullmove_number(&self) -> u16 {
                $type::fullmove_number(self)
            }
        }
    };
}

described!(Placement, Placement);
described!(Position, Board);

/// Writes FENs of consecutive positions. Only ranks that have changed are written again.
///
/// ```
/// use hematite_core::chess::Position;
/// use hematite_core::notation::{Fen, FenWriter};
/// let (mut writer, mut position) = (FenWriter::default(), Position::start());
/// while let Some(&mv) = position.legal_moves().first().filter(|_| position.fullmove_number() < 20) {
///     position = position.after(mv).0;
///     let mut text = Vec::new();
///     writer.push(&Fen::new(&position), &mut text);
///     assert_eq!(text, Fen::new(&position).text().as_bytes());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct FenWriter {
    /// The pieces of the latest position, in sets that differ if any piece does.
    pieces: [Bitboard; PIECE_SETS],
    /// Their letters, where there are pieces, the a-file in the lowest byte.
    letters: [u64; Rank::COUNT],
    /// The text of each rank, and a slash after it.
    ranks: [Part<RANK_BYTES>; Rank::COUNT],
}

/// A part of a FEN.
#[derive(Clone, Copy, Debug)]
struct Part<const ROOM: usize> {
    /// The text, and any bytes after it: all are copied, which takes no branch.
    bytes: [u8; ROOM],
    length: usize,
}

impl Default for FenWriter {
    /// The state before the first position: an empty board.
    fn default() -> Self {
        Self {
            pieces: [Bitboard::EMPTY; PIECE_SETS],
            letters: [0; Rank::COUNT],
            ranks: [rank_text(0, 0); Rank::COUNT],
        }
    }
}

impl FenWriter {
    /// The text of the FEN, without allocation.
    pub fn text(&mut self, fen: &Fen<'_, impl Described>) -> FenText {
        let (mut bytes, mut text) = ([0; MAX_BYTES], FenText::new());
        let length = self.write(fen, &mut bytes);
        // It is ASCII.
        text.push_str(std::str::from_utf8(&bytes[..length]).unwrap_or_default());
        text
    }

    /// Appends the text of the FEN to another text.
    pub fn push(&mut self, fen: &Fen<'_, impl Described>, text: &mut Vec<u8>) {
        let start = text.len();
        // The text is written in place, into room for any FEN, which is then cut off.
        text.extend_from_slice(&[0; MAX_BYTES]);
        let length = text.last_chunk_mut().map_or(0, |bytes| self.write(fen, bytes));
        text.truncate(start + length);
    }

    /// Writes the text of the FEN, and returns its length.
    #[inline(always)]
    fn write(&mut self, fen: &Fen<'_, impl Described>, bytes: &mut [u8; MAX_BYTES]) -> usize {
        let position = fen.position;
        self.update(position);
        let mut text = Text { bytes, length: 0 };
        for rank in Rank::ALL.into_iter().rev() {
            text.push_part(&self.ranks[rank]);
        }
        // There is no slash after the last rank.
        text.length -= 1;
        text.push(match position.turn() {
            Color::White => *b" w ",
            Color::Black => *b" b ",
        });
        text.push_part(&castling_text(fen));
        text.push(*b" ");
        text.push_part(&PASSED[position.double_push_square().map_or(Square::COUNT, Square::index)]);
        if fen.has_counters {
            text.push(*b" ");
            text.push_number(position.halfmove_clock());
            text.push(*b" ");
            text.push_number(position.fullmove_number());
        }
        text.length
    }

    /// Updates the text of the ranks that differ from those of the latest position.
    #[inline(always)]
    fn update(&mut self, position: &impl Described) {
        let pieces = piece_sets(position);
        let pairs = pieces.iter().zip(&self.pieces);
        let mut changed = pairs.fold(Bitboard::EMPTY, |changed, (&new, &old)| changed | (new ^ old));
        self.pieces = pieces;
        for square in changed & position.occupied() {
            let piece = position.piece_at(square).expect("a piece is on an occupied square");
            let (letters, place) =
                (&mut self.letters[square.rank()], square.file().index() as u32 * u8::BITS);
            // All letters of the rank are stored: a narrow store followed by a wider load would stall.
            *letters = *letters & !(u64::from(u8::MAX) << place) | u64::from(LETTERS[piece.index()]) << place;
        }
        // A move changes one rank or two, which is hard to predict, so there are always two.
        while let (Some(first), Some(last)) = (changed.first(), changed.last()) {
            for rank in [first.rank(), last.rank()] {
                self.ranks[rank] = rank_text(rank_set(position.occupied(), rank), self.letters[rank]);
                changed &= !rank.squares();
            }
        }
    }
}

/// The number of sets that are necessary to tell all pieces apart.
const PIECE_SETS: usize = 5;

/// The pieces of both colors, and those whose role has an index with each of three binary digits. A position has just
/// been stored, set by set: comparing all of its sets at once, by wider loads, would stall.
#[inline(always)]
fn piece_sets(position: &impl Described) -> [Bitboard; PIECE_SETS] {
    let [_, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| position.role(role));
    let [white, black] = Color::ALL.map(|color| position.color(color));
    [white, black, knights | rooks | kings, bishops | rooks, queens | kings]
}

/// The text of a FEN while it is written.
struct Text<'b> {
    bytes: &'b mut [u8; MAX_BYTES],
    length: usize,
}

impl Text<'_> {
    #[inline(always)]
    fn push<const COUNT: usize>(&mut self, bytes: [u8; COUNT]) {
        self.push_part(&Part { bytes, length: COUNT });
    }

    #[inline(always)]
    fn push_part<const ROOM: usize>(&mut self, part: &Part<ROOM>) {
        self.bytes[self.length..self.length + ROOM].copy_from_slice(&part.bytes);
        self.length += part.length;
    }

    /// Appends a number in decimal digits; most have one or two.
    #[inline(always)]
    fn push_number(&mut self, number: u16) {
        match NUMBERS.get(usize::from(number)) {
            Some(number) => self.push_part(number),
            None => self.push_long_number(number),
        }
    }

    #[cold]
    fn push_long_number(&mut self, number: u16) {
        for digit in number.to_string().bytes() {
            self.push([digit]);
        }
    }
}

/// The names of the squares that a pawn has passed, by their index, and the text for none.
static PASSED: [Part<2>; Square::COUNT + 1] = {
    let mut names = [Part { bytes: *b"- ", length: 1 }; Square::COUNT + 1];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        names[index] = Part { bytes: [square.file().letter() as u8, square.rank().digit() as u8], length: 2 };
        index += 1;
    }
    names
};

/// The texts of the numbers with one or two digits.
static NUMBERS: [Part<2>; 100] = {
    let mut numbers = [Part { bytes: [0; 2], length: 1 }; 100];
    let mut number = 0;
    while number < numbers.len() {
        let [tens, ones] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        numbers[number] = match tens {
            b'0' => Part { bytes: [ones, 0], length: 1 },
            _ => Part { bytes: [tens, ones], length: 2 },
        };
        number += 1;
    }
    numbers
};

/// The squares of the rooks that may castle in nearly all games, in the order of their rights in a FEN.
const CORNERS: [Square; MAX_RIGHTS] = [Square::H1, Square::A1, Square::H8, Square::A8];

/// The rights of each set of these rooks, whose numbers have a bit for each corner: a rook in a corner is the outermost
/// one.
static CORNER_RIGHTS: [Part<MAX_RIGHTS>; 1 << MAX_RIGHTS] = {
    let mut texts = [Part { bytes: *b"-   ", length: 1 }; 1 << MAX_RIGHTS];
    let mut set = 1;
    while set < texts.len() {
        let (mut index, mut length) = (0, 0);
        while index < MAX_RIGHTS {
            if set & 1 << index != 0 {
                texts[set].bytes[length] = b"KQkq"[index];
                length += 1;
            }
            index += 1;
        }
        texts[set].length = length;
        set += 1;
    }
    texts
};

/// The castling rights.
#[inline(always)]
fn castling_text(fen: &Fen<'_, impl Described>) -> Part<MAX_RIGHTS> {
    let rooks = Color::ALL.map(|color| fen.position.castling_rooks(color));
    let rooks = rooks[0] | rooks[1];
    let is_in = |corner: Square| usize::from(rooks.contains(corner));
    if rooks.is_empty() || !fen.names_files && rooks.is_subset(CORNERS.into_iter().collect()) {
        let [first, second, third, fourth] = CORNERS.map(is_in);
        return CORNER_RIGHTS[first | second << 1 | third << 2 | fourth << 3];
    }
    general_castling_text(fen)
}

#[cold]
fn general_castling_text(fen: &Fen<'_, impl Described>) -> Part<MAX_RIGHTS> {
    let mut text = Part { bytes: [0; MAX_RIGHTS], length: 0 };
    // White first, and the king's side first.
    for color in Color::ALL {
        let mut rooks = fen.position.castling_rooks(color);
        while let Some(rook) = rooks.last() {
            rooks = rooks.without(rook);
            text.bytes[text.length] = fen.right(CastlingRight::WithRookOn(color, rook.file())).letter() as u8;
            text.length += 1;
        }
    }
    text
}

/// The size of the text of a rank, with the slash and room for a copy in one step.
const RANK_BYTES: usize = 16;

/// The files of the pieces on a rank, as a number with a bit for each.
fn rank_set(pieces: Bitboard, rank: Rank) -> usize {
    (pieces.bits() >> (rank as usize * File::COUNT)) as usize % RANK_PATTERNS.len()
}

/// The text of a rank with a slash, given the set of the files with pieces and their letters.
#[inline(always)]
fn rank_text(set: usize, letters: u64) -> Part<RANK_BYTES> {
    let RankPattern { files, others, length } = &RANK_PATTERNS[set];
    let letters = u8x16::new(u128::from(letters).to_le_bytes());
    let bytes = letters.shuffle_zeroing(u8x16::new(*files)) | u8x16::new(*others);
    Part { bytes: bytes.to_array(), length: *length }
}

/// The form of the text of a rank with a slash.
#[derive(Clone, Copy)]
struct RankPattern {
    /// For each byte of the text the file whose letter it is, or [`NO_FILE`].
    files: [u8; RANK_BYTES],
    /// The bytes that are no letters: numbers of empty squares, and the slash.
    others: [u8; RANK_BYTES],
    /// The number of bytes.
    length: usize,
}

const NO_FILE: u8 = RANK_BYTES as u8;

/// The form of the text for each set of files with pieces.
static RANK_PATTERNS: [RankPattern; 1 << File::COUNT] = {
    let none = RankPattern { files: [NO_FILE; RANK_BYTES], others: [0; RANK_BYTES], length: 0 };
    let mut patterns = [none; 1 << File::COUNT];
    let mut set = 0;
    while set < patterns.len() {
        let pattern = &mut patterns[set];
        let (mut file, mut empty) = (0, 0);
        while file <= File::COUNT {
            let has_piece = file < File::COUNT && set & 1 << file != 0;
            if empty > 0 && (has_piece || file == File::COUNT) {
                pattern.others[pattern.length] = b'0' + empty;
                pattern.length += 1;
                empty = 0;
            }
            if has_piece {
                pattern.files[pattern.length] = file as u8;
                pattern.length += 1;
            } else {
                empty += 1;
            }
            file += 1;
        }
        pattern.others[pattern.length] = b'/';
        pattern.length += 1;
        set += 1;
    }
    patterns
};

/// The letter of each piece.
const LETTERS: [u8; Piece::COUNT] = {
    let mut letters = [0; Piece::COUNT];
    let mut index = 0;
    while index < letters.len() {
        letters[index] = Piece::ALL[index].letter() as u8;
        index += 1;
    }
    letters
};
