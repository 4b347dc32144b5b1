//! The positions that a game goes through while it is read.

use super::{PgnProblem, RawText};
use crate::chess::{Position, Problem, Setup};
use crate::notation::{
    Excerpt, PieceLetters, PositionError, SanMove, SanReader, parse_fen, position_from_fen,
};
use std::mem;

/// Whether to skip the next part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skip {
    /// The visitor takes it.
    No,
    /// The reader skips it as fast as it can.
    Yes,
}

/// Follows a game from position to position, for a [`super::Visitor`] that needs the moves. Every
/// move is checked.
///
/// It must receive tags, moves and variations as they are read.
#[derive(Clone, Debug)]
pub struct Tracker {
    reader: SanReader,
    start: Start,
    has_fen: bool,
    has_variant: bool,
    /// The initial position of games without a FEN.
    standard: Position,
    line: Line,
    /// The lines that continue after a variation.
    waiting: Vec<Line>,
}

/// A line of play: the position, and the one before. They change places with every move, so
/// that none is copied.
#[derive(Clone, Copy, Debug)]
struct Line {
    positions: [Position; 2],
    /// Whether the second one is the latest.
    is_second: bool,
    /// Whether the other one is the position before. It is not without a move.
    has_before: bool,
}

impl Line {
    const fn new(start: Position) -> Self {
        Self { positions: [start; 2], is_second: false, has_before: false }
    }

    #[inline(always)]
    const fn now(&self) -> &Position {
        let [first, second] = &self.positions;
        if self.is_second { second } else { first }
    }

    #[inline(always)]
    const fn before(&self) -> Option<&Position> {
        let [first, second] = &self.positions;
        match (self.has_before, self.is_second) {
            (false, _) => None,
            (true, true) => Some(first),
            (true, false) => Some(second),
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: SanMove) {
        let [first, second] = &mut self.positions;
        let (now, next) = if self.is_second { (second, first) } else { (first, second) };
        *next = mv.after(now);
        self.is_second = !self.is_second;
        self.has_before = true;
    }
}

impl Default for Tracker {
    fn default() -> Self {
        Self::new()
    }
}

impl Tracker {
    /// At the initial position of chess.
    pub fn new() -> Self {
        let standard = Position::start();
        Self {
            reader: SanReader::default(),
            start: Start::default(),
            has_fen: false,
            has_variant: false,
            standard,
            line: Line::new(standard),
            waiting: Vec::new(),
        }
    }

    /// The same, for moves with the piece letters of another language.
    #[must_use]
    pub fn with_letters(self, letters: PieceLetters) -> Self {
        Self { reader: SanReader::default().letters(letters), ..self }
    }

    /// A new game starts.
    pub fn begin_game(&mut self) {
        self.start = Start::default();
        self.has_fen = false;
        self.has_variant = false;
        self.waiting.clear();
    }

    /// A tag, which may describe the initial position. Of tags that come twice, the first counts.
    ///
    /// # Errors
    /// [`PgnProblem::Position`] or [`PgnProblem::Variant`] if it does so wrongly.
    #[inline]
    pub fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        match name {
            b"FEN" if !mem::replace(&mut self.has_fen, true) => self.start.read_fen(&value.decode()),
            b"Variant" if !mem::replace(&mut self.has_variant, true) => {
                self.start.read_variant(&value.decode())
            }
            _ => Ok(()),
        }
    }

    /// The tags have been read: the game is at its initial position. Its moves must be skipped if
    /// that is unknown.
    pub fn end_tags(&mut self) -> Skip {
        self.line = Line::new(match self.start {
            Start::Standard => self.standard,
            Start::SetUp(position) => position,
            Start::Unknown => return Skip::Yes,
        });
        Skip::No
    }

    /// The position that has been reached.
    #[inline]
    pub const fn position(&self) -> &Position {
        self.line.now()
    }

    /// The position before the latest move of this line; `None` if there was no move.
    #[inline]
    pub const fn before(&self) -> Option<&Position> {
        self.line.before()
    }

    /// The number of open variations.
    pub fn depth(&self) -> usize {
        self.waiting.len()
    }

    /// Plays a move as it is written.
    ///
    /// # Errors
    /// [`PgnProblem::Move`] if it is not legal.
    #[inline]
    pub fn play(&mut self, text: &[u8]) -> Result<SanMove, Box<PgnProblem>> {
        match self.reader.read(text, self.line.now()) {
            Ok(mv) => {
                self.line.play(mv);
                Ok(mv)
            }
            Err(error) => Err(Box::new(PgnProblem::Move(error))),
        }
    }

    /// A variation starts: the latest move of the line is taken back.
    ///
    /// # Errors
    /// [`PgnProblem::VariationWithoutMove`] if there is none.
    pub fn begin_variation(&mut self) -> Result<(), Box<PgnProblem>> {
        let Some(&before) = self.line.before() else {
            return Err(Box::new(PgnProblem::VariationWithoutMove));
        };
        self.waiting.push(self.line);
        self.line = Line::new(before);
        Ok(())
    }

    /// The variation ends: the line that it belongs to continues.
    pub fn end_variation(&mut self) {
        if let Some(line) = self.waiting.pop() {
            self.line = line;
        }
    }
}

/// Variants whose moves are those of standard chess or Chess960, as files name them; letters
/// only, in lower case.
const KNOWN_VARIANTS: [&str; 14] = [
    "",
    "standard",
    "chess",
    "normal",
    "regular",
    "fromposition",
    "setupposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
    "frc",
    "freestyle",
    "doublechess960",
];

/// The initial position according to the tags.
#[derive(Clone, Copy, Default, Debug)]
enum Start {
    /// Nothing.
    #[default]
    Standard,
    /// This position.
    SetUp(Position),
    /// It cannot be read, or the rules are not known.
    Unknown,
}

impl Start {
    /// Reads the `Variant` tag.
    fn read_variant(&mut self, value: &str) -> Result<(), Box<PgnProblem>> {
        let letters = value.chars().filter(char::is_ascii_alphanumeric);
        let plain = letters.collect::<String>().to_ascii_lowercase();
        if KNOWN_VARIANTS.contains(&&*plain) {
            return Ok(());
        }
        *self = Self::Unknown;
        Err(Box::new(PgnProblem::Variant(Excerpt::new(value))))
    }

    /// Reads the `FEN` tag. Errors that do not affect the moves are repaired, and reported
    /// nevertheless.
    fn read_fen(&mut self, value: &str) -> Result<(), Box<PgnProblem>> {
        if matches!(self, Self::Unknown) {
            return Ok(());
        }
        let (position, error) = read(value);
        *self = position.map_or(Self::Unknown, Self::SetUp);
        match error {
            None => Ok(()),
            Some(error) => {
                let (found, is_repaired) = (Excerpt::new(value), position.is_some());
                Err(Box::new(PgnProblem::Position { found, error, is_repaired }))
            }
        }
    }
}

/// The position of a FEN, if there is one, and its errors, if there are any.
fn read(fen: &str) -> (Option<Position>, Option<PositionError>) {
    match position_from_fen(fen) {
        Ok(position) => (Some(position), None),
        Err(error) => {
            let repaired = parse_fen(fen).ok().and_then(|setup| repaired(setup, &error.problems));
            (repaired, Some(error))
        }
    }
}

/// The position without the errors that do not affect the moves, if there are no others.
fn repaired(mut setup: Setup, problems: &[Problem]) -> Option<Position> {
    for problem in problems {
        match *problem {
            Problem::CastlingKing(right) | Problem::CastlingRook(right) | Problem::CastlingTwice(right) => {
                setup.castling.retain(|&other| other != right);
            }
            Problem::EnPassantRank(_)
            | Problem::EnPassantPawn { .. }
            | Problem::EnPassantBlocked { .. }
            | Problem::EnPassantCheck(_) => setup.en_passant = None,
            Problem::FullmoveNumber => setup.fullmove_number = 1,
            _ => {}
        }
    }
    Position::try_from(setup).ok()
}
