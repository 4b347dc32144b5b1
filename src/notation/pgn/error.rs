//! Errors in games, and places in texts.

use super::GameResult;
use crate::notation::{Excerpt, PositionError, SanError, SanText};
use std::fmt;

/// The maximum nesting depth of variations. Deeper ones are skipped: real games do not have them, and the limit
/// prevents a file from exhausting the memory.
pub const MAX_DEPTH: u32 = 256;

/// An error in a PGN text. It does not end the reading: everything before it is kept, and the next game is read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct PgnError {
    /// The place in the text.
    pub place: Place,
    /// The problem at that place.
    pub problem: PgnProblem,
}

/// A problem in a game. The messages state the text found and the text expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnProblem {
    /// A tag pair is not `[Name "value"]`.
    #[error("found {0}, expected a tag pair such as [Event \"?\"]")]
    Tag(Excerpt),
    /// The value of a tag pair is not closed on its line. It is read to the end of the line.
    #[error("the tag value {0} is not closed, expected \"]")]
    UnclosedValue(Excerpt),
    /// The value of a tag pair contains unescaped quotes. They are read as intended.
    #[error("the tag value {0} has a quote in it, expected it to be written \\\"")]
    UnescapedQuote(Excerpt),
    /// The text is not a legal move. The rest of its line is omitted.
    #[error(transparent)]
    Move(SanError),
    /// A variation without a preceding move that it could replace. It is omitted.
    #[error("a variation, but no move before it to replace")]
    VariationWithoutMove,
    /// Variations are nested deeper than the limit. Deeper ones are omitted.
    #[error("more than {MAX_DEPTH} variations within one another")]
    TooDeep,
    /// A `)` without its `(`.
    #[error("found `)`, but no variation is open")]
    UnopenedVariation,
    /// A `(` without its `)`.
    #[error("the game ends within a variation, expected `)`")]
    UnclosedVariation,
    /// A `{` without its `}`. The comment is read up to the start of the next game.
    #[error("the comment is not closed, expected `}}`")]
    UnclosedComment,
    /// A token is longer than the limit. It is omitted.
    #[error("{found} continues for more than {limit} bytes, which is too long to be read")]
    TooLong {
        /// The start of the token.
        found: Excerpt,
        /// The maximum number of bytes that are read.
        limit: usize,
    },
    /// A glyph is not `$0` to `$255`.
    #[error("found {0}, expected a glyph $0 to $255")]
    Glyph(Excerpt),
    /// A text that is not a token of PGN.
    #[error("found {0}, expected a move, a comment or a result")]
    Stray(Excerpt),
    /// A word that is not a move. It is ignored, and the game continues.
    #[error("{0} is not a move, expected SAN such as Nf3, exd5 or O-O; it is passed over")]
    Word(Excerpt),
    /// The tag and the termination marker state different results.
    #[error("the tag Result is {tag}, but the game ends with {marker}; {} counts", counted(*.tag, *.marker))]
    Result {
        /// The result of the tag.
        tag: GameResult,
        /// The termination marker.
        marker: GameResult,
    },
    /// A tag has the same name as an earlier one. Both values are kept.
    #[error("the tag {name} is there with several values, which are kept as {name}, {name}_2 and so on")]
    RepeatedTag {
        /// The name as written.
        name: String,
    },
    /// The number before a move differs from that of the position.
    #[error("the move number is {found}, expected {expected}; moves may be missing")]
    Number {
        /// The number found.
        found: u32,
        /// The number of the move in the position.
        expected: u32,
    },
    /// A sign of check or mate after a move that does not give it.
    #[error("{found} gives no {}, expected {expected}", if *.is_mate { "mate" } else { "check" })]
    FalseSign {
        /// The move.
        found: Excerpt,
        /// Whether it is the sign of mate.
        is_mate: bool,
        /// The move in SAN.
        expected: SanText,
    },
    /// A line is longer than the standard permits.
    #[error("the line has more than {0} characters, expected at most {0}")]
    LongLine(usize),
    /// A comment in which an export has stored text that could not be read.
    #[error("moves that could not be read are kept in a comment: {0}")]
    Unread(Excerpt),
    /// There is text after the result on its line.
    #[error("found {0} after the result, expected the next game on a line of its own")]
    AfterResult(Excerpt),
    /// There are moves after the result on its line. They are kept as text.
    #[error("found {0} after the result, expected no moves there")]
    MovesAfterResult(Excerpt),
    /// A result within a variation. It is not the result of the game, and is ignored.
    #[error("the result {0} is in a variation, expected it after the moves of the game; it is passed over")]
    VariationResult(GameResult),
    /// A comment that is not closed before the next game starts, or after which there is no game. It is kept with the
    /// preceding game, or as a game without moves if there is none.
    #[error("a comment that belongs to no game, expected tags or moves after it")]
    MissingGame,
    /// The game ends without a termination marker.
    #[error("the game ends without a result, expected 1-0, 0-1, 1/2-1/2 or *")]
    MissingResult,
    /// The initial position is not a chess position.
    #[error(
        "the initial position {found} {}: {error}",
        if *.is_repaired { "is repaired" } else { "is not a chess position" }
    )]
    Position {
        /// The FEN.
        found: Excerpt,
        /// The problem.
        #[source]
        error: PositionError,
        /// Whether it was read nevertheless, without the wrong parts.
        is_repaired: bool,
    },
    /// The rules of this variant are unknown. The moves are not read.
    #[error("the variant {0} is not known, expected standard chess or Chess960")]
    Variant(Excerpt),
    /// The game exceeds the limits of a game. The rest is omitted.
    #[error("the game is too large to be held, expected fewer moves and text")]
    TooLarge,
}

impl PgnProblem {
    /// Whether moves are not read because of this problem.
    pub const fn is_unread(&self) -> bool {
        match self {
            Self::Move(error) => !matches!(error, SanError::NotCanonical { .. }),
            Self::Position { is_repaired, .. } => !*is_repaired,
            Self::VariationWithoutMove
            | Self::TooDeep
            | Self::TooLong { .. }
            | Self::TooLarge
            | Self::MovesAfterResult(_)
            | Self::Variant(_) => true,
            _ => false,
        }
    }

    /// Whether the game continues after this problem, although a visitor has returned it as an error.
    pub(super) const fn is_remark(&self) -> bool {
        matches!(
            self,
            Self::Move(SanError::NotCanonical { .. })
                | Self::Number { .. }
                | Self::FalseSign { .. }
                | Self::Unread(_)
        )
    }
}

/// Of two results, the one that is not unknown; if neither is unknown, the marker after the moves.
pub(super) const fn counted(tag: GameResult, marker: GameResult) -> GameResult {
    match marker {
        GameResult::Unknown => tag,
        _ => marker,
    }
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The number of bytes before the place, counted from the start of the file, including a byte order mark.
    pub offset: u64,
    /// The line, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1.
    pub column: u64,
}

impl Place {
    /// The place of the first byte of a file.
    pub const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// The place after these bytes, which start at this place. A line ends with LF, CRLF or CR; the next byte, if any,
    /// determines whether a CR at the end of the bytes ends a line.
    pub fn after(self, bytes: &[u8], next: Option<u8>) -> Self {
        let mut place = Self { offset: self.offset + bytes.len() as u64, ..self };
        let mut lines = memchr::memchr_iter(b'\n', bytes).count();
        let mut line_start = memchr::memrchr(b'\n', bytes).map(|last| last + 1);
        // Carriage returns are rare except in files that have one before every line feed.
        if has_lone_return(bytes, next) {
            for at in memchr::memchr_iter(b'\r', bytes) {
                if bytes.get(at + 1).copied().or(next) != Some(b'\n') {
                    lines += 1;
                    line_start = line_start.max(Some(at + 1));
                }
            }
        }
        place.line += lines as u64;
        if line_start.is_some() {
            place.column = 1;
        }
        let rest = &bytes[line_start.unwrap_or(0)..];
        place.column += rest.iter().filter(|&&byte| !is_continuation(byte)).count() as u64;
        place
    }
}

/// Whether there is a carriage return without a line feed behind it.
fn has_lone_return(bytes: &[u8], next: Option<u8>) -> bool {
    // Most files have none at all.
    if memchr::memchr(b'\r', bytes).is_none() {
        return false;
    }
    let Some((last, after_first)) = bytes.last().zip(bytes.get(1..)) else { return false };
    let pairs = bytes.iter().zip(after_first);
    // Without branches, so that many bytes are compared at once.
    let among = pairs.fold(false, |any, (byte, after)| any | ((*byte == b'\r') & (*after != b'\n')));
    among || *last == b'\r' && next != Some(b'\n')
}

/// Whether this byte continues a character of UTF-8.
const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let cases = [
            ("nothing", "", None, (1, 1)),
            ("one line", "abc", None, (1, 4)),
            ("two bytes of one letter", "aé", None, (1, 3)),
            ("LF", "a\nbc", None, (2, 3)),
            ("CRLF", "a\r\nbc\r\n", None, (3, 1)),
            ("CR", "a\rbc\r", Some(b'x'), (3, 1)),
            ("CRLF cut in two", "a\r", Some(b'\n'), (1, 3)),
            ("all of them", "\n\r\r\n\nx", None, (5, 2)),
        ];
        for (name, text, next, (line, column)) in cases {
            let bytes = text.as_bytes();
            let expected = Place { offset: bytes.len() as u64, line, column };
            assert_eq!(Place::START.after(bytes, next), expected, "{name}");
        }
    }
}
