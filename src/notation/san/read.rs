//! Reading moves.

use super::resolve::{Failure, spellings};
use super::{PieceLetters, San, SanError, SanMove, SanText};
use crate::chess::{Bitboard, CastlingSide, File, FindMove, Move, MoveKind, Position, Rank, Role, Square};
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

/// A move that has been found by its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::notation) struct Found {
    pub mv: Move,
    /// Whether the text without the sign of a check or mate is known to be canonical.
    pub is_canonical: bool,
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
        match self.read_quickly(text, position.board()) {
            Some(found) => Ok(SanMove::Move(found.mv)),
            None => self.read_slowly(text, position),
        }
    }

    /// The only legal move with this text, if it has the form in which nearly all moves are written.
    #[inline(always)]
    pub(in crate::notation) fn read_quickly(&self, text: &[u8], board: &impl FindMove) -> Option<Found> {
        if self.is_quick { read_canonical(text, board) } else { None }
    }

    /// Like [`Self::read`], for a text that [`Self::read_quickly`] has not read.
    #[cold]
    pub(in crate::notation) fn read_slowly(
        &self,
        text: &[u8],
        position: &Position,
    ) -> Result<SanMove, SanError> {
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
/// exactly one move.
#[inline(always)]
fn read_canonical(text: &[u8], board: &impl FindMove) -> Option<Found> {
    let core = match text {
        [core @ .., b'+' | b'#'] => core,
        _ => text,
    };
    match *core {
        [b'a'..=b'h', ..] => Some(Found { mv: pawn(board, core)?, is_canonical: true }),
        [b'O', ..] => {
            let wing = match core {
                b"O-O" => CastlingSide::King,
                b"O-O-O" => CastlingSide::Queen,
                _ => return None,
            };
            Some(Found { mv: board.find_castling(wing)?, is_canonical: true })
        }
        [letter, ref origin @ .., file, rank] => {
            let to = square(file, rank)?;
            let mv = board.find_piece(role(letter)?, stated_origin(origin)?, to)?;
            // A piece captures only on an occupied square, and an origin may be stated without need.
            let is_capture = board.occupied().contains(to);
            let is_canonical = match origin {
                [] => !is_capture,
                [b'x'] => is_capture,
                _ => false,
            };
            Some(Found { mv, is_canonical })
        }
        _ => None,
    }
}

/// The squares from which a piece may come by the text between its letter and its target: a file, a rank or both, and
/// the sign of a capture.
#[inline(always)]
fn stated_origin(text: &[u8]) -> Option<Bitboard> {
    match *text {
        [] | [b'x'] => Some(Bitboard::ALL),
        [one] | [one, b'x'] => file_or_rank(one),
        [file, rank] | [file, rank, b'x'] => Some(square(file, rank)?.bitboard()),
        _ => None,
    }
}

/// The legal move of a pawn.
#[inline(always)]
fn pawn(board: &impl FindMove, core: &[u8]) -> Option<Move> {
    let (core, kind) = match *core {
        [ref core @ .., b'=', becomes] => (core, promotion(becomes)?),
        _ => (core, MoveKind::Normal),
    };
    match *core {
        [file, rank] => board.find_push(square(file, rank)?, kind),
        [from, b'x', file, rank] => board.find_capture(self::file(from)?, square(file, rank)?, kind),
        _ => None,
    }
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
#[inline(always)]
fn role(letter: u8) -> Option<Role> {
    /// The roles by letter: a lookup has no branch that could be mispredicted.
    static ROLES: [Option<Role>; 1 << u8::BITS] = {
        let mut roles = [None; 1 << u8::BITS];
        roles[b'N' as usize] = Some(Role::Knight);
        roles[b'B' as usize] = Some(Role::Bishop);
        roles[b'R' as usize] = Some(Role::Rook);
        roles[b'Q' as usize] = Some(Role::Queen);
        roles[b'K' as usize] = Some(Role::King);
        roles
    };
    ROLES[usize::from(letter)]
}

#[inline]
fn promotion(letter: u8) -> Option<MoveKind> {
    MoveKind::promotion(role(letter)?)
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
