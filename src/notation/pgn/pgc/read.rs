//! Reading PGC.

use super::ordinal::move_with_ordinal;
use super::{COMMENT_CLOSE, COMMENT_OPEN, NULL_MOVE, PgcError, PgcProblem, marker};
use crate::notation::pgn::{
    Encoding, GameResult, MAX_DEPTH, Nag, RawText, SEVEN_TAG_ROSTER, Skip, Tracker, Visitor,
};

/// Reads games from PGC and passes them to a [`Visitor`], like a reader of PGN. Moves are passed as known moves.
pub struct PgcReader<'a> {
    /// The data that have not been read yet.
    rest: &'a [u8],
    /// The offset in the file of the end of the data.
    end: u64,
}

/// A game that is being read.
struct Reading {
    tracker: Tracker,
    result: GameResult,
    has_moves_section: bool,
    /// Whether the visitor wants the moves and the rules are known.
    is_wanted: bool,
}

impl<'a> PgcReader<'a> {
    /// Reads the data of a file.
    pub const fn new(data: &'a [u8]) -> Self {
        Self::within(data, 0)
    }

    /// Reads a part of a file that has this many bytes before it.
    pub const fn within(data: &'a [u8], offset: u64) -> Self {
        Self { rest: data, end: offset + data.len() as u64 }
    }

    /// The offset of the next byte in the file.
    pub const fn offset(&self) -> u64 {
        self.end - self.rest.len() as u64
    }

    /// Skips the next game without examining its moves. Returns false if something other than a game follows, at which
    /// [`PgcReader::read_game`] fails.
    ///
    /// # Errors
    /// [`PgcProblem::UnexpectedEnd`] if the data end before the game does.
    pub fn skip_game(&mut self) -> Result<bool, PgcError> {
        let mut is_within = false;
        loop {
            match self.byte()? {
                marker::NOOP | marker::VARIATION_BEGIN | marker::VARIATION_END => {}
                marker::ESCAPE | marker::LONG_MOVES => drop(self.string2()?),
                marker::SHORT_MOVES => drop(self.string1()?),
                marker::NAG => drop(self.byte()?),
                marker::TAG_PAIR => {
                    self.string1()?;
                    self.string1()?;
                }
                marker::REDUCED_GAME if !is_within => {
                    for _ in SEVEN_TAG_ROSTER {
                        self.string1()?;
                    }
                    self.string2()?;
                    return Ok(true);
                }
                marker::GAME_BEGIN if !is_within => is_within = true,
                marker::GAME_END if is_within => return Ok(true),
                _ => return Ok(false),
            }
        }
    }

    /// Reads the next game, and returns false if there is none.
    ///
    /// # Errors
    /// [`PgcError`] if the data are not PGC. The visitor has received everything before that place, and no more can be
    /// read.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, PgcError> {
        loop {
            match self.marker()? {
                None => return Ok(false),
                Some(marker::NOOP) => {}
                // Between games, an escape string does not belong to any game.
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
            reading.tag(name.as_bytes(), value, visitor);
        }
        reading.begin_moves(visitor);
        let moves = self.string2()?;
        self.read_moves(moves, &mut reading, visitor)?;
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
                reading.tag(name, value, visitor);
                continue;
            }
            if marker == marker::NOOP {
                continue;
            }
            reading.begin_moves(visitor);
            match marker {
                marker::SHORT_MOVES => {
                    let moves = self.string1()?;
                    self.read_moves(moves, &mut reading, visitor)?;
                }
                marker::LONG_MOVES => {
                    let moves = self.string2()?;
                    self.read_moves(moves, &mut reading, visitor)?;
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
                    self.read_escape(text, &mut reading, visitor)?;
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
        &self,
        moves: &[u8],
        reading: &mut Reading,
        visitor: &mut V,
    ) -> Result<(), PgcError> {
        for (index, &found) in moves.iter().enumerate() {
            if !reading.is_wanted {
                break;
            }
            let position = reading.tracker.position();
            let mv = move_with_ordinal(position, usize::from(found)).map_err(|legal| PgcError {
                offset: self.offset() - (moves.len() - index) as u64,
                problem: PgcProblem::Ordinal { found, moves: legal },
            })?;
            reading.tracker.advance(mv);
            // There is a position before every move. A visitor may reject a legal move if its game is full.
            let told = reading
                .tracker
                .before()
                .map(|before| visitor.known_move(before, mv, reading.tracker.position()));
            reading.is_wanted = told.is_some_and(|told| told.is_ok());
        }
        Ok(())
    }

    fn read_escape<V: Visitor>(
        &self,
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
            NULL_MOVE => {
                reading.is_wanted = reading.tracker.play(NULL_MOVE).is_ok() && visitor.mv(NULL_MOVE).is_ok();
            }
            [COMMENT_OPEN, comment @ .., COMMENT_CLOSE] => {
                // ASCII is the same in both, and most visitors read UTF-8 without decoding it.
                let encoding = if comment.is_ascii() { Encoding::Utf8 } else { Encoding::Latin1 };
                reading.is_wanted = visitor.comment(RawText::new(comment, encoding)).is_ok();
            }
            _ => visitor.escape(RawText::new(text, Encoding::Latin1)),
        }
        Ok(())
    }

    /// The next byte, or `None` at the end of the data.
    fn marker(&mut self) -> Result<Option<u8>, PgcError> {
        match self.byte() {
            Ok(byte) => Ok(Some(byte)),
            Err(PgcError { problem: PgcProblem::UnexpectedEnd, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn byte(&mut self) -> Result<u8, PgcError> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// The bytes after their number, which is one byte.
    fn string1(&mut self) -> Result<&'a [u8], PgcError> {
        let length = self.byte()?;
        self.take(usize::from(length))
    }

    /// The bytes after their number, which is two bytes.
    fn string2(&mut self) -> Result<&'a [u8], PgcError> {
        let length = [self.byte()?, self.byte()?];
        self.take(usize::from(u16::from_le_bytes(length)))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], PgcError> {
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            return Err(PgcError { offset: self.offset(), problem: PgcProblem::UnexpectedEnd });
        };
        self.rest = rest;
        Ok(bytes)
    }

    /// An error at the latest byte.
    fn problem(&self, problem: PgcProblem) -> PgcError {
        PgcError { offset: self.offset().saturating_sub(1), problem }
    }
}

impl Reading {
    fn begin<V: Visitor>(visitor: &mut V) -> Self {
        visitor.begin_game();
        let tracker = Tracker::new();
        Self { tracker, result: GameResult::Unknown, has_moves_section: false, is_wanted: false }
    }

    fn tag<V: Visitor>(&mut self, name: &[u8], value: &[u8], visitor: &mut V) {
        let decoded;
        // ASCII is the same in UTF-8, which visitors read.
        let name = if name.is_ascii() {
            name
        } else {
            decoded = Encoding::Latin1.decode(name);
            decoded.as_bytes()
        };
        if name == b"Result" {
            self.result = GameResult::from_tag(value).unwrap_or_default();
        }
        let text = RawText::new(value, Encoding::Latin1);
        // After an invalid initial position the moves are skipped.
        let _ = self.tracker.tag(name, text);
        let _ = visitor.tag(name, text);
    }

    fn begin_moves<V: Visitor>(&mut self, visitor: &mut V) {
        if !self.has_moves_section {
            self.has_moves_section = true;
            let is_known = self.tracker.end_tags() == Skip::No;
            self.is_wanted = visitor.end_tags() == Skip::No && is_known;
        }
    }

    fn end<V: Visitor>(&mut self, visitor: &mut V) {
        self.begin_moves(visitor);
        visitor.result(self.result);
        visitor.end_game();
    }
}
