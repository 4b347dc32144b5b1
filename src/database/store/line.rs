//! The main line of a game as numbers, which can be compared without replaying it.

use super::code::Bytes;
use super::move_number::{SHORT, number_of};
use super::record::{BEGIN, COMMENT, END, ESCAPE, FIRST_CODE, FIRST_RESULT, LONG, NAG, NULL, RESULTS};
use crate::chess::{Move, Position};
use crate::notation::pgn::{Encoding, GameResult, RawText, push_words};

/// The number of a null move.
const PASS: u16 = u16::MAX;
/// The flag for moves without a number, which are identified by their bits instead: this happens only if a side has
/// more men than in a real game.
const UNNUMBERED: u16 = 1 << 15;

/// The number of a move, or of a null move, in a position, which identifies it there. Stored games use the same
/// numbers.
pub(in crate::database) fn line_number(position: &Position, mv: Option<Move>) -> u16 {
    match mv {
        Some(mv) => number_of(position, mv).map_or(UNNUMBERED | mv.bits(), |number| number as u16),
        None => PASS,
    }
}

/// The data of a stored game that is known without replaying it.
#[derive(Clone, Copy, Debug)]
pub struct StoredLine<'a> {
    /// The values of the requested tags.
    pub texts: &'a [Option<&'a str>],
    /// The initial position, if it is not the standard one.
    pub start: Option<&'a Position>,
    /// The numbers of the moves of the main line: in equal positions, equal moves have equal numbers.
    pub numbers: &'a [u16],
    /// The result.
    pub result: GameResult,
    /// The amount of annotations: the moves in variations, the glyphs, and the bytes of comments, as for a game.
    pub notes: usize,
    /// The number of tags.
    pub tags: usize,
}

/// The results of [`LineReader::read`] in addition to the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineFacts {
    pub result: GameResult,
    pub notes: usize,
}

/// Reads the main lines of stored games.
#[derive(Default)]
pub(super) struct LineReader {
    /// The numbers of the latest game.
    pub numbers: Vec<u16>,
    comment: String,
}

impl LineReader {
    /// Reads the main line of a game. `None` if it is damaged or has no result, so that it must be read as a game.
    pub(super) fn read(&mut self, moves: &[u8], texts: &[u8]) -> Option<LineFacts> {
        self.numbers.clear();
        let (mut moves, mut texts) = (Bytes(moves), Bytes(texts));
        let (mut depth, mut notes, mut result) = (0_usize, 0, None);
        while !moves.is_empty() {
            // Most bytes are moves.
            let run = moves.0.iter().position(|&code| code >= FIRST_CODE).unwrap_or(moves.0.len());
            let run = moves.take(run).ok()?;
            if depth == 0 {
                self.numbers.extend(run.iter().map(|&code| u16::from(code)));
            } else {
                notes += run.len();
            }
            let Ok(code) = moves.byte() else { break };
            match code {
                LONG | NULL => {
                    let number = match code {
                        LONG => SHORT as u16 + u16::from(moves.byte().ok()?),
                        _ => PASS,
                    };
                    if depth == 0 {
                        self.numbers.push(number);
                    } else {
                        notes += 1;
                    }
                }
                NAG => {
                    moves.byte().ok()?;
                    notes += 1;
                }
                COMMENT => {
                    let text = RawText::new(texts.bytes().ok()?, Encoding::Utf8);
                    self.comment.clear();
                    push_words(&mut self.comment, &text.decode());
                    notes += self.comment.len();
                }
                ESCAPE => {
                    texts.bytes().ok()?;
                }
                BEGIN => depth += 1,
                END => depth = depth.checked_sub(1)?,
                _ => result = Some(*RESULTS.get(usize::from(code.checked_sub(FIRST_RESULT)?))?),
            }
        }
        let is_whole = depth == 0 && texts.is_empty();
        result.filter(|_| is_whole).map(|result| LineFacts { result, notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_has_numbers_and_the_rest_is_counted() {
        let comment = b" two  words ";
        let mut texts = vec![comment.len() as u8];
        texts.extend(comment);
        let result = FIRST_RESULT + 1;
        let moves = [7, BEGIN, 9, LONG, 3, NAG, 1, END, 8, COMMENT, LONG, 250, NULL, result];
        let mut reader = LineReader::default();
        let facts = reader.read(&moves, &texts).expect("a whole game");
        // Two moves in a variation, a glyph, and the nine bytes of a comment.
        assert_eq!(facts, LineFacts { result: RESULTS[1], notes: 2 + 1 + "two words".len() });
        assert_eq!(reader.numbers, [7, 8, SHORT as u16 + 250, PASS]);
        for damaged in
            [&moves[..2], &[7], &[END, result], &[COMMENT, result], &[BEGIN, result], &[LONG], &[239]]
        {
            assert_eq!(reader.read(damaged, &[]), None, "{damaged:?}");
        }
        assert_eq!(reader.read(&[7, result], &texts), None, "a text that belongs to nothing");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(
            moves in prop::collection::vec(prop_oneof![0_u8..30, any::<u8>()], 0..100),
            texts in prop::collection::vec(any::<u8>(), 0..50),
        ) {
            let mut reader = LineReader::default();
            let _ = reader.read(&moves, &texts);
            prop_assert!(reader.numbers.len() <= moves.len());
        }
    }
}
