//! The positions of a game while it is read.

use super::{PgnProblem, RawText};
use crate::chess::{Move, Position};
use crate::notation::{
    Excerpt, PieceLetters, PositionError, RepairedPosition, SanMove, SanReader, repair_fen,
};
use std::borrow::Cow;
use std::mem;

/// Whether to skip the next part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skip {
    /// The visitor receives the part.
    No,
    /// The reader skips the part as fast as it can.
    Yes,
}

/// Follows a game from position to position, for a [`super::Visitor`] that needs the moves. Every move is checked.
///
/// The tracker must receive tags, moves and variations in the order in which they are read.
#[derive(Clone, Debug)]
pub struct Tracker {
    reader: SanReader,
    start: Start,
    has_fen: bool,
    has_variant: bool,
    has_other_goal: bool,
    /// The initial position of games without a FEN.
    standard: Position,
    line: Line,
    /// The lines that continue after a variation.
    waiting: Vec<Line>,
}

/// A line of play: its position and the one before. A move overwrites the older one, so that no position is copied.
#[derive(Clone, Copy, Debug)]
struct Line {
    positions: [Position; 2],
    /// Whether the second position is the later one.
    is_second: bool,
    /// Whether there is a previous position. There is none before the first move.
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
            (true, false) => Some(second),
            (true, true) => Some(first),
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: SanMove) {
        let [first, second] = &mut self.positions;
        let (now, next) = if self.is_second { (&*second, first) } else { (&*first, second) };
        // Not the value of the `match`: that would be stored field by field, and then copied by vectors, which would
        // wait for these stores.
        match mv {
            SanMove::Move(mv) => *next = now.after(mv).0,
            SanMove::Null => *next = now.after_null(),
        }
        self.is_second = !self.is_second;
        self.has_before = true;
    }

    #[inline(always)]
    const fn reach(&mut self, after: &Position) {
        let [first, second] = &mut self.positions;
        *(if self.is_second { first } else { second }) = *after;
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
    /// A tracker at the standard initial position.
    pub fn new() -> Self {
        let standard = Position::start();
        Self {
            reader: SanReader::default(),
            start: Start::default(),
            has_fen: false,
            has_variant: false,
            has_other_goal: false,
            standard,
            line: Line::new(standard),
            waiting: Vec::new(),
        }
    }

    /// A tracker for moves with the piece letters of another language.
    #[must_use]
    pub fn with_letters(self, letters: PieceLetters) -> Self {
        Self { reader: SanReader::default().letters(letters), ..self }
    }

    /// A new game starts.
    pub fn begin_game(&mut self) {
        self.start = Start::default();
        self.has_fen = false;
        self.has_variant = false;
        self.has_other_goal = false;
        self.waiting.clear();
    }

    /// A tag, which may describe the initial position. The first of repeated tags is used.
    ///
    /// # Errors
    /// [`PgnProblem::Position`] or [`PgnProblem::Variant`] if its description is not valid or unknown.
    #[inline]
    pub fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        match name {
            b"FEN" if !mem::replace(&mut self.has_fen, true) => self.start.read_fen(&value.decode()),
            b"Variant" if !mem::replace(&mut self.has_variant, true) => {
                let value = value.decode();
                self.has_other_goal = OTHER_GOALS.contains(&&*plain_variant(&value));
                self.start.read_variant(&value)
            }
            _ => Ok(()),
        }
    }

    /// The tags have been read, and the game is at its initial position. Its moves must be skipped if that is unknown.
    pub fn end_tags(&mut self) -> Skip {
        self.line = Line::new(match self.start {
            Start::Standard => self.standard,
            Start::SetUp(position) => position,
            Start::Unknown => return Skip::Yes,
        });
        Skip::No
    }

    /// Whether the game is of a variant with other ways to win than chess, such as King of the Hill.
    pub const fn has_other_goal(&self) -> bool {
        self.has_other_goal
    }

    /// The current position.
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

    /// Plays a move as written.
    ///
    /// # Errors
    /// [`PgnProblem::Move`] if it is not legal.
    #[inline]
    pub fn play(&mut self, text: &[u8]) -> Result<SanMove, Box<PgnProblem>> {
        self.play_and_compare(text).map(|(mv, _)| mv)
    }

    /// Like [`Self::play`]. Also returns whether the text without the sign of a check or mate is known to be canonical.
    #[inline(always)]
    pub(super) fn play_and_compare(&mut self, text: &[u8]) -> Result<(SanMove, bool), Box<PgnProblem>> {
        match self.reader.read_and_compare(text, self.line.now()) {
            Ok((mv, is_canonical)) => {
                self.line.play(mv);
                Ok((mv, is_canonical))
            }
            Err(error) => Err(Box::new(PgnProblem::Move(error))),
        }
    }

    /// Plays a move that is known to be legal.
    #[inline]
    pub fn advance(&mut self, mv: Move) {
        self.line.play(SanMove::Move(mv));
    }

    /// Plays a legal move whose resulting position is known.
    #[inline]
    pub fn advance_to(&mut self, after: &Position) {
        self.line.reach(after);
    }

    /// Plays a move that is known to be legal, or a pass.
    #[inline]
    pub(super) fn advance_by(&mut self, mv: SanMove) {
        self.line.play(mv);
    }

    /// Returns to the initial position of the game.
    pub(super) fn restart(&mut self) {
        self.waiting.clear();
        self.end_tags();
    }

    /// A variation starts: the latest move of the line is taken back.
    ///
    /// # Errors
    /// [`PgnProblem::VariationWithoutMove`] if the line has no move.
    pub fn begin_variation(&mut self) -> Result<(), Box<PgnProblem>> {
        let Some(&before) = self.line.before() else {
            return Err(Box::new(PgnProblem::VariationWithoutMove));
        };
        self.waiting.push(self.line);
        self.line = Line::new(before);
        Ok(())
    }

    /// The variation ends: the line to which it belongs continues.
    pub fn end_variation(&mut self) {
        if let Some(line) = self.waiting.pop() {
            self.line = line;
        }
    }
}

/// Names of variants in which the moves are those of standard chess or Chess960 and only the end of the game differs,
/// as they occur in files; letters and digits only, in lower case.
const OTHER_GOALS: [&str; 10] = [
    "threecheck",
    "threechecks",
    "threecheckchess",
    "3check",
    "3checks",
    "fivecheck",
    "5check",
    "kingofthehill",
    "koth",
    "hill",
];

/// Names of Chess960, in the same form.
const CHESS960: [&str; 7] =
    ["chess960", "fischerandom", "fischerrandom", "fischerrandomchess", "frc", "freestyle", "doublechess960"];

/// Names of variants with the rules of standard chess, in the same form.
const KNOWN_VARIANTS: [&str; 7] =
    ["", "standard", "chess", "normal", "regular", "fromposition", "setupposition"];

/// The letters and digits of a variant's name, in lower case.
fn plain_variant(value: &str) -> String {
    value.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// Whether the value of the tag `Variant` is a name of Chess960.
pub(super) fn is_chess960(value: &str) -> bool {
    CHESS960.contains(&&*plain_variant(value))
}

/// A FEN of Three-check without its check counts, `3+3` or `+0+0`.
pub(super) fn without_check_counts(fen: &str) -> Cow<'_, str> {
    let is_counts = |field: &str| {
        let field = field.strip_prefix('+').unwrap_or(field);
        field.split_once('+').is_some_and(|(white, black)| {
            [white, black]
                .iter()
                .all(|side| side.len() == 1 && side.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    if fen.split(' ').any(is_counts) {
        return fen.split(' ').filter(|field| !is_counts(field)).collect::<Vec<_>>().join(" ").into();
    }
    Cow::Borrowed(fen)
}

/// The initial position according to the tags.
#[derive(Clone, Copy, Default, Debug)]
enum Start {
    /// The standard initial position.
    #[default]
    Standard,
    /// This position.
    SetUp(Position),
    /// The position cannot be read, or the rules are unknown.
    Unknown,
}

impl Start {
    /// Reads the `Variant` tag.
    fn read_variant(&mut self, value: &str) -> Result<(), Box<PgnProblem>> {
        let plain = &*plain_variant(value);
        if KNOWN_VARIANTS.contains(&plain) || CHESS960.contains(&plain) || OTHER_GOALS.contains(&plain) {
            return Ok(());
        }
        *self = Self::Unknown;
        Err(Box::new(PgnProblem::Variant(Excerpt::new(value))))
    }

    /// Reads the `FEN` tag. Errors that do not affect the moves are repaired, but reported.
    fn read_fen(&mut self, value: &str) -> Result<(), Box<PgnProblem>> {
        if matches!(self, Self::Unknown) {
            return Ok(());
        }
        let (position, error) = read(&without_check_counts(value));
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

/// The position of a FEN, if it can be read, and its errors, if there are any.
fn read(fen: &str) -> (Option<Position>, Option<PositionError>) {
    match repair_fen(fen) {
        Ok(RepairedPosition { position, repairs }) => {
            (Some(position), (!repairs.is_empty()).then(|| PositionError::from(repairs)))
        }
        Err(error) => (None, Some(error)),
    }
}
