//! Reading PGC.

use super::{COMMENT_CLOSE, COMMENT_OPEN, NULL_MOVE, PgcError, PgcProblem, marker, ordered_moves};
use crate::notation::pgn::{
    Encoding, GameResult, MAX_DEPTH, Nag, RawText, SEVEN_TAG_ROSTER, Skip, Tracker, Visitor,
};
use std::io::{self, Read};

/// Reads games from PGC and passes them to a [`Visitor`], as a reader of PGN does.
pub struct PgcReader<R> {
    source: R,
    offset: u64,
}

/// A game that is being read.
struct Reading {
    tracker: Tracker,
    result: GameResult,
    has_moves_section: bool,
    /// Whether the visitor wants the moves and the rules are known.
    is_wanted: bool,
}

impl<R: Read> PgcReader<R> {
    /// Reads from the start of a file. The source is read byte by byte and should be buffered.
    pub const fn new(source: R) -> Self {
        Self { source, offset: 0 }
    }

    /// Reads the next game. False if there is none.
    ///
    /// # Errors
    /// [`PgcError`] where the data are not PGC. The visitor has received everything before that
    /// place, but no more can be read.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, PgcError> {
        loop {
            match self.marker()? {
                None => return Ok(false),
                Some(marker::NOOP) => {}
                // Between games, it belongs to none.
                Some(marker::ESCAPE) => {
                    self.string2()?;
                }
                Some(marker::REDUCED_GAME) => return self.read_reduced(visitor).map(|()| true),
                Some(marker::GAME_BEGIN) => return self.read_general(visitor).map(|()| true),
                Some(found @ marker::TAG_PAIR..=marker::VARIATION_END) => {
                    return Err(self.problem(PgcProblem::Misplaced(found)));
                }
                Some(found) => return Err(self.problem(PgcProblem::UnknownMarker(found))),
            }
        }
    }

    fn read_reduced<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), PgcError> {
        let mut reading = Reading::begin(visitor);
        for (name, _) in SEVEN_TAG_ROSTER {
            let value = self.string1()?;
            reading.tag(name, &value, visitor);
        }
        reading.begin_moves(visitor);
        let length = self.word()?;
        self.read_moves(length, &mut reading, visitor)?;
        reading.end(visitor);
        Ok(())
    }

    fn read_general<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), PgcError> {
        let mut reading = Reading::begin(visitor);
        let mut depth = 0;
        loop {
            let Some(marker) = self.marker()? else { return Err(self.problem(PgcProblem::UnexpectedEnd)) };
            if marker == marker::TAG_PAIR {
                if reading.has_moves_section {
                    return Err(self.problem(PgcProblem::Misplaced(marker)));
                }
                let (name, value) = (self.string1()?, self.string1()?);
                reading.tag(&Encoding::Latin1.decode(&name), &value, visitor);
                continue;
            }
            if marker == marker::NOOP {
                continue;
            }
            reading.begin_moves(visitor);
            match marker {
                marker::SHORT_MOVES => {
                    let length = u16::from(self.byte()?);
                    self.read_moves(length, &mut reading, visitor)?;
                }
                marker::LONG_MOVES => {
                    let length = self.word()?;
                    self.read_moves(length, &mut reading, visitor)?;
                }
                marker::NAG => {
                    let nag = Nag(self.byte()?);
                    if reading.is_wanted {
                        visitor.nag(nag);
                    }
                }
                marker::VARIATION_BEGIN => {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        return Err(self.problem(PgcProblem::TooDeep));
                    }
                    if reading.is_wanted
                        && (reading.tracker.begin_variation().is_err()
                            || visitor.begin_variation() != Ok(Skip::No))
                    {
                        return Err(self.problem(PgcProblem::Misplaced(marker)));
                    }
                }
                marker::VARIATION_END => {
                    if depth == 0 {
                        return Err(self.problem(PgcProblem::Misplaced(marker)));
                    }
                    depth -= 1;
                    if reading.is_wanted {
                        reading.tracker.end_variation();
                        visitor.end_variation();
                    }
                }
                marker::ESCAPE => {
                    let text = self.string2()?;
                    self.read_escape(&text, &mut reading, visitor)?;
                }
                marker::GAME_END if depth == 0 => {
                    reading.end(visitor);
                    return Ok(());
                }
                marker::GAME_END | marker::GAME_BEGIN | marker::REDUCED_GAME => {
                    return Err(self.problem(PgcProblem::Misplaced(marker)));
                }
                _ => return Err(self.problem(PgcProblem::UnknownMarker(marker))),
            }
        }
    }

    fn read_moves<V: Visitor>(
        &mut self,
        length: u16,
        reading: &mut Reading,
        visitor: &mut V,
    ) -> Result<(), PgcError> {
        for _ in 0..length {
            let found = self.byte()?;
            if !reading.is_wanted {
                continue;
            }
            let moves = ordered_moves(reading.tracker.position());
            let Some((text, _)) = moves.get(usize::from(found)) else {
                return Err(self.problem(PgcProblem::Ordinal { found, moves: moves.len() }));
            };
            reading.play(text.as_bytes(), visitor);
        }
        Ok(())
    }

    fn read_escape<V: Visitor>(
        &mut self,
        text: &[u8],
        reading: &mut Reading,
        visitor: &mut V,
    ) -> Result<(), PgcError> {
        if !reading.is_wanted {
            return Ok(());
        }
        match text {
            NULL_MOVE if reading.tracker.position().is_check() => {
                return Err(self.problem(PgcProblem::NullMove));
            }
            NULL_MOVE => reading.play(NULL_MOVE, visitor),
            [COMMENT_OPEN, comment @ .., COMMENT_CLOSE] => {
                reading.is_wanted = visitor.comment(RawText::new(comment, Encoding::Latin1)).is_ok();
            }
            _ => visitor.escape(RawText::new(text, Encoding::Latin1)),
        }
        Ok(())
    }

    /// The next byte, or `None` at the end.
    fn marker(&mut self) -> Result<Option<u8>, PgcError> {
        match self.byte() {
            Ok(byte) => Ok(Some(byte)),
            Err(PgcError { problem: PgcProblem::UnexpectedEnd, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn byte(&mut self) -> Result<u8, PgcError> {
        let mut byte = [0];
        self.fill(&mut byte)?;
        Ok(byte[0])
    }

    fn word(&mut self) -> Result<u16, PgcError> {
        let mut bytes = [0; 2];
        self.fill(&mut bytes)?;
        Ok(u16::from_le_bytes(bytes))
    }

    fn string1(&mut self) -> Result<Vec<u8>, PgcError> {
        let mut text = vec![0; usize::from(self.byte()?)];
        self.fill(&mut text)?;
        Ok(text)
    }

    fn string2(&mut self) -> Result<Vec<u8>, PgcError> {
        let mut text = vec![0; usize::from(self.word()?)];
        self.fill(&mut text)?;
        Ok(text)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), PgcError> {
        let offset = self.offset;
        self.source.read_exact(bytes).map_err(|error| {
            let problem = match error.kind() {
                io::ErrorKind::UnexpectedEof => PgcProblem::UnexpectedEnd,
                _ => PgcProblem::Io(error),
            };
            PgcError { offset, problem }
        })?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// An error at the byte that was read last.
    fn problem(&self, problem: PgcProblem) -> PgcError {
        PgcError { offset: self.offset.saturating_sub(1), problem }
    }
}

impl Reading {
    fn begin<V: Visitor>(visitor: &mut V) -> Self {
        visitor.begin_game();
        let tracker = Tracker::new();
        Self { tracker, result: GameResult::Unknown, has_moves_section: false, is_wanted: false }
    }

    fn tag<V: Visitor>(&mut self, name: &str, value: &[u8], visitor: &mut V) {
        if name == "Result" {
            self.result = GameResult::from_marker(value).unwrap_or_default();
        }
        let text = RawText::new(value, Encoding::Latin1);
        // After a wrong position the moves are skipped.
        let _ = self.tracker.tag(name.as_bytes(), text);
        let _ = visitor.tag(name.as_bytes(), text);
    }

    fn begin_moves<V: Visitor>(&mut self, visitor: &mut V) {
        if !self.has_moves_section {
            self.has_moves_section = true;
            let is_known = self.tracker.end_tags() == Skip::No;
            self.is_wanted = visitor.end_tags() == Skip::No && is_known;
        }
    }

    fn play<V: Visitor>(&mut self, text: &[u8], visitor: &mut V) {
        // A text of our own is legal; a visitor may refuse it nevertheless, if it is full.
        self.is_wanted = self.tracker.play(text).is_ok() && visitor.mv(text).is_ok();
    }

    fn end<V: Visitor>(&mut self, visitor: &mut V) {
        self.begin_moves(visitor);
        visitor.result(self.result);
        visitor.end_game();
    }
}
