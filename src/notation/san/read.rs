//! Reading moves.

use super::resolve::{Failure, spellings};
use super::{PieceLetters, San, SanError, SanMove, SanText};
use crate::chess::{
    Bitboard, Board, CastlingSide, File, Move, MoveKind, Position, Rank, Role, Square, attacks,
};
use crate::notation::Excerpt;

/// Reads moves. The default reads English letters and all of these:
///
/// | read | for example |
/// |---|---|
/// | canonical SAN | `Nf3`, `exd5`, `R1xd2+`, `e8=Q#`, `O-O` |
/// | too few or too many signs | `Nxf3` without a capture, `ed5`, `e8Q`, `e8(Q)`, `Nf3++`, `Qd1 +` |
/// | more origin than needed, or less where only one move is legal | `Ng1f3`, `d5` for `exd5` |
/// | other castling signs | `0-0`, `o-o-o`, `OO` |
/// | the pawn's letter, en passant | `Pe4`, `exd6e.p.` |
/// | long algebraic notation and UCI moves | `e2-e4`, `Ng1xf3`, `e7e8q`, `e1g1` |
/// | annotations | `Nf3!?` |
/// | other case where it is unambiguous | `nf3`, `bc4` (a pawn's move if there is one), `E2-E4` |
/// | figurines | `♘f3` |
/// | null moves | `--`, `Z0`, `0000` |
/// | the piece letters of another language, if asked for | `Sf3` ([`PieceLetters`]) |
///
/// ```
/// use hematite_core::chess::Position;
/// use hematite_core::notation::{PieceLetters, SanReader};
/// let reader = SanReader::default().letters(PieceLetters::GERMAN);
/// let mv = reader.read(b"Sf3", &Position::start()).unwrap();
/// assert_eq!(reader.read(b"g1f3", &Position::start()), Ok(mv));
/// assert!(reader.canonical().read(b"g1f3", &Position::start()).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub struct SanReader {
    letters: PieceLetters,
    is_canonical: bool,
    /// Whether canonical English SAN is tried first, since nearly all moves have that form.
    is_quick: bool,
}

impl Default for SanReader {
    fn default() -> Self {
        Self { letters: PieceLetters::ENGLISH, is_canonical: false, is_quick: true }
    }
}

impl SanReader {
    /// A reader of the piece letters of another language instead of the English ones.
    pub fn letters(self, letters: PieceLetters) -> Self {
        Self { letters, is_quick: !self.is_canonical && letters == PieceLetters::ENGLISH, ..self }
    }

    /// A reader that only accepts canonical SAN, with `x`, `+` and `#` exactly where they belong. Other readers do not
    /// compare these signs with the board.
    pub const fn canonical(self) -> Self {
        Self { is_canonical: true, is_quick: false, ..self }
    }

    /// Reads a move that is legal in this position.
    ///
    /// # Errors
    /// [`SanError`] if the text is not a move, is illegal, or may mean several legal moves.
    #[inline]
    pub fn read(&self, text: &[u8], position: &Position) -> Result<SanMove, SanError> {
        self.read_and_compare(text, position).map(|(mv, _)| mv)
    }

    /// Like [`Self::read`]. Also returns whether the text without the sign of a check or mate is known to be canonical.
    #[inline(always)]
    pub(in crate::notation) fn read_and_compare(
        &self,
        text: &[u8],
        position: &Position,
    ) -> Result<(SanMove, bool), SanError> {
        if self.is_quick
            && let Some((mv, is_canonical)) = read_canonical(text, position)
        {
            return Ok((SanMove::Move(mv), is_canonical));
        }
        self.read_other(text, position).map(|mv| (mv, false))
    }

    #[cold]
    fn read_other(&self, text: &[u8], position: &Position) -> Result<SanMove, SanError> {
        let text = &String::from_utf8_lossy(text);
        let found = || Excerpt::new(text.trim());
        let mut first_failure = None;
        for spelling in spellings(text, self.letters) {
            match spelling.resolve(position) {
                Ok(mv) if self.is_canonical => return self.demand_canonical(mv, text, position),
                Ok(mv) => return Ok(mv),
                Err(failure) => first_failure = first_failure.or(Some(failure)),
            }
        }
        Err(match first_failure {
            None => SanError::NotAMove(found()),
            Some(Failure::Illegal(reason)) => SanError::Illegal { found: found(), reason },
            Some(Failure::Ambiguous(moves)) => {
                SanError::Ambiguous { found: found(), moves: self.write_all(&moves, position) }
            }
        })
    }

    fn demand_canonical(&self, mv: SanMove, text: &str, position: &Position) -> Result<SanMove, SanError> {
        let SanMove::Move(legal) = mv else { return Err(SanError::NotAMove(Excerpt::new(text))) };
        let expected = San::new(position, legal).letters(self.letters).text();
        if expected.as_str() == text {
            Ok(mv)
        } else {
            Err(SanError::NotCanonical { found: Excerpt::new(text), expected })
        }
    }

    /// The texts of the moves, in ASCII order.
    fn write_all(&self, moves: &[Move], position: &Position) -> Vec<SanText> {
        let mut texts: Vec<SanText> =
            moves.iter().map(|&mv| San::new(position, mv).letters(self.letters).text()).collect();
        texts.sort_unstable();
        texts
    }
}

/// Reads a move that is legal in this position, like [`SanReader::default`].
///
/// # Errors
/// [`SanError`] if the text is not a move, is illegal, or may mean several legal moves.
pub fn parse_san(text: &str, position: &Position) -> Result<SanMove, SanError> {
    SanReader::default().read(text.as_bytes(), position)
}

/// The only legal move with this text; `None` if the text does not have the form of canonical SAN or does not mean
/// exactly one move. Also returns whether the text without the sign of a check or mate is known to be canonical: a
/// piece captures only on an occupied square, and an origin may be stated without need.
#[inline(always)]
fn read_canonical(text: &[u8], board: &Board) -> Option<(Move, bool)> {
    let core = match text {
        [core @ .., b'+' | b'#'] => core,
        _ => text,
    };
    Some(match *core {
        [file, rank] => (push(board, square(file, rank)?, MoveKind::Normal)?, true),
        [b'O', b'-', b'O'] => (castle(board, CastlingSide::King)?, true),
        [b'O', b'-', b'O', b'-', b'O'] => (castle(board, CastlingSide::Queen)?, true),
        [role, file, rank] => {
            let to = square(file, rank)?;
            (piece(board, self::role(role)?, Bitboard::ALL, to)?, !board.occupied().contains(to))
        }
        [from @ b'a'..=b'h', b'x', file, rank] => {
            (capture(board, self::file(from)?, square(file, rank)?, MoveKind::Normal)?, true)
        }
        [file, rank, b'=', becomes] => (push(board, square(file, rank)?, promotion(becomes)?)?, true),
        [role, b'x', file, rank] => {
            let to = square(file, rank)?;
            (piece(board, self::role(role)?, Bitboard::ALL, to)?, board.occupied().contains(to))
        }
        [role, from, file, rank] | [role, from, b'x', file, rank] => {
            (piece(board, self::role(role)?, file_or_rank(from)?, square(file, rank)?)?, false)
        }
        [from, b'x', file, rank, b'=', becomes] => {
            (capture(board, self::file(from)?, square(file, rank)?, promotion(becomes)?)?, true)
        }
        [role, from_file, from_rank, file, rank] | [role, from_file, from_rank, b'x', file, rank] => {
            let from = square(from_file, from_rank)?;
            (piece(board, self::role(role)?, from.bitboard(), square(file, rank)?)?, false)
        }
        _ => return None,
    })
}

#[inline]
fn file(letter: u8) -> Option<File> {
    File::from_index(usize::from(letter.wrapping_sub(b'a')))
}

#[inline]
fn rank(digit: u8) -> Option<Rank> {
    Rank::from_index(usize::from(digit.wrapping_sub(b'1')))
}

#[inline]
fn square(file: u8, rank: u8) -> Option<Square> {
    Some(Square::new(self::file(file)?, self::rank(rank)?))
}

#[inline]
fn file_or_rank(letter: u8) -> Option<Bitboard> {
    match file(letter) {
        Some(file) => Some(file.squares()),
        None => Some(rank(letter)?.squares()),
    }
}

/// The role of a piece letter, except a pawn.
#[inline]
fn role(letter: u8) -> Option<Role> {
    match letter {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

#[inline]
fn promotion(letter: u8) -> Option<MoveKind> {
    MoveKind::promotion(role(letter)?)
}

/// The only legal move of a piece of this role from one of these squares.
#[inline]
fn piece(board: &Board, role: Role, from: Bitboard, to: Square) -> Option<Move> {
    let from = (board.origins(role, to) & from).single()?;
    Some(Move::new(from, to, MoveKind::Normal))
}

/// The legal push, single or double.
#[inline]
fn push(board: &Board, to: Square, kind: MoveKind) -> Option<Move> {
    // A pawn of the other side would move backward.
    let backward = !board.turn();
    let pawns = board.pieces(board.turn(), Role::Pawn);
    let behind = backward.forward(to.bitboard());
    let from = (behind & pawns).first().or_else(|| (backward.forward(behind) & pawns).first())?;
    legal(board, Move::new(from, to, kind))
}

/// The legal capture by the pawn of this file.
#[inline]
fn capture(board: &Board, file: File, to: Square, kind: MoveKind) -> Option<Move> {
    let pawns = board.pieces(board.turn(), Role::Pawn) & file;
    let from = (attacks::pawn(!board.turn(), to) & pawns).first()?;
    let kind = if board.en_passant() == Some(to) { MoveKind::EnPassant } else { kind };
    legal(board, Move::new(from, to, kind))
}

#[inline]
fn castle(board: &Board, wing: CastlingSide) -> Option<Move> {
    let rook = board.castling_rook(board.turn(), wing)?;
    legal(board, Move::new(board.king(board.turn()), rook, MoveKind::Castle))
}

#[inline]
fn legal(board: &Board, mv: Move) -> Option<Move> {
    board.is_legal(mv).then_some(mv)
}

/// A word without its move number, if it has one: `e4` for `1.e4`, and an empty text for `12...`.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_moves_are_skipped() {
        let cases = [
            ("1.e4", "e4"),
            ("12...", ""),
            ("1.", ""),
            ("3...Nf6", "Nf6"),
            ("0-0", "0-0"),
            ("e4", "e4"),
            ("0000", "0000"),
            ("", ""),
        ];
        for (word, expected) in cases {
            assert_eq!(without_number(word), expected, "{word}");
        }
    }
}
