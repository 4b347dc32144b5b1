//! The positions of a game while it is read.

use super::followed::{Line, Reached};
use super::{PgnProblem, RawText};
use crate::chess::{Move, Placement, Position};
use crate::notation::{
    Excerpt, MoveNumber, PieceLetters, PositionError, RepairedPosition, SanMove, SanReader, repair_fen,
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
            line: Line::new(Placement::of(&standard)),
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
        let Some(start) = self.start() else { return Skip::Yes };
        self.line = Line::new(Placement::of(start));
        Skip::No
    }

    /// The initial position of the game according to the tags so far; `None` if it is unknown.
    pub const fn start(&self) -> Option<&Position> {
        match &self.start {
            Start::Standard => Some(&self.standard),
            Start::SetUp(position) => Some(position),
            Start::Unknown => None,
        }
    }

    /// Whether the game is of a variant with other ways to win than chess, such as King of the Hill.
    pub const fn has_other_goal(&self) -> bool {
        self.has_other_goal
    }

    /// The current position. A tracker that is asked for it follows the rest of the line more slowly than
    /// one that is only asked what it has [`reached`](Self::reached).
    #[inline(always)]
    pub fn position(&self) -> &Position {
        self.line.position()
    }

    /// The position before the latest move of this line; `None` if there was no move.
    #[inline(always)]
    pub fn before(&self) -> Option<&Position> {
        self.line.position_before()
    }

    /// The current position, as far as it is known.
    #[inline(always)]
    pub fn reached(&self) -> Reached<'_> {
        self.line.reached()
    }

    /// The placement before the latest move of this line; `None` if there was no move.
    #[inline(always)]
    pub fn placement_before(&self) -> Option<Placement> {
        self.line.placement_before()
    }

    /// The number of the next move.
    #[inline(always)]
    pub fn number(&self) -> MoveNumber {
        self.line.number()
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.line.is_check()
    }

    /// The line that is being followed.
    #[inline(always)]
    pub(super) const fn line(&self) -> &Line {
        &self.line
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
        if let Some(found) = self.line.read_quickly(text, &self.reader) {
            self.line.play_move(found.mv);
            return Ok((SanMove::Move(found.mv), found.is_canonical));
        }
        self.play_other(text).map(|mv| (mv, false))
    }

    #[cold]
    fn play_other(&mut self, text: &[u8]) -> Result<SanMove, Box<PgnProblem>> {
        let read = self.reader.read_slowly(text, self.line.position());
        let mv = read.map_err(|error| Box::new(PgnProblem::Move(error)))?;
        self.line.play(mv);
        Ok(mv)
    }

    /// Plays a move that is known to be legal.
    #[inline]
    pub fn advance(&mut self, mv: Move) {
        self.line.play_move(mv);
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
        let Some(before) = self.line.placement_before().map(Line::new) else {
            return Err(Box::new(PgnProblem::VariationWithoutMove));
        };
        self.waiting.push(std::mem::replace(&mut self.line, before));
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
