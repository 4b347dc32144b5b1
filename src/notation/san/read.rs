//! From text to a move.

use super::spelling::{Failure, spellings};
use super::{Letters, San, SanError, SanText, Turn, canonical};
use crate::chess::{Move, Position};
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
/// | the piece letters of another language, if asked for | `Sf3` ([`Letters`]) |
///
/// ```
/// use hematite::chess::Position;
/// use hematite::notation::{Letters, SanReader};
/// let reader = SanReader::default().letters(Letters::GERMAN);
/// let turn = reader.read(b"Sf3", &Position::start()).unwrap();
/// assert_eq!(reader.read(b"g1f3", &Position::start()), Ok(turn));
/// assert!(reader.canonical().read(b"g1f3", &Position::start()).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub struct SanReader {
    letters: Letters,
    is_canonical: bool,
    /// Is canonical English SAN tried first? Nearly all moves are that.
    is_quick: bool,
}

impl Default for SanReader {
    fn default() -> Self {
        Self { letters: Letters::ENGLISH, is_canonical: false, is_quick: true }
    }
}

impl SanReader {
    /// With the piece letters of another language instead of the English ones.
    pub fn letters(self, letters: Letters) -> Self {
        Self { letters, is_quick: !self.is_canonical && letters == Letters::ENGLISH, ..self }
    }

    /// Only canonical SAN, with the right `x`, `+` and `#` where they belong. Without this
    /// they are never compared with what happens on the board.
    pub const fn canonical(self) -> Self {
        Self { is_canonical: true, is_quick: false, ..self }
    }

    /// Reads what is legal in this position.
    ///
    /// # Errors
    /// [`SanError`] if the text is not a move, not legal, or may be several legal moves.
    #[inline]
    pub fn read(&self, text: &[u8], position: &Position) -> Result<Turn, SanError> {
        if self.is_quick
            && let Some(mv) = canonical::read(text, position)
        {
            return Ok(Turn::Move(mv));
        }
        self.read_other(text, position)
    }

    #[cold]
    fn read_other(&self, text: &[u8], position: &Position) -> Result<Turn, SanError> {
        let text = &String::from_utf8_lossy(text);
        let found = || Excerpt::new(text.trim());
        let mut first_failure = None;
        for spelling in spellings(text, self.letters) {
            match spelling.resolve(position) {
                Ok(turn) if self.is_canonical => return self.demand_canonical(turn, text, position),
                Ok(turn) => return Ok(turn),
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

    fn demand_canonical(&self, turn: Turn, text: &str, position: &Position) -> Result<Turn, SanError> {
        let Turn::Move(mv) = turn else { return Err(SanError::NotAMove(Excerpt::new(text))) };
        let expected = San::new(position, mv).letters(self.letters).text();
        if expected.as_str() == text {
            Ok(turn)
        } else {
            Err(SanError::NotCanonical { found: Excerpt::new(text), expected })
        }
    }

    /// The moves as they are written, in ASCII order.
    fn write_all(&self, moves: &[Move], position: &Position) -> Vec<SanText> {
        let mut texts: Vec<SanText> =
            moves.iter().map(|&mv| San::new(position, mv).letters(self.letters).text()).collect();
        texts.sort_unstable();
        texts
    }
}

/// Reads what is legal in this position, as [`SanReader::default`] does.
///
/// # Errors
/// [`SanError`] if the text is not a move, not legal, or may be several legal moves.
pub fn parse_san(text: &str, position: &Position) -> Result<Turn, SanError> {
    SanReader::default().read(text.as_bytes(), position)
}
