//! The positions that a game goes through while it is read.

use super::san::parse_san;
use super::start::Start;
use super::{PgnProblem, Skip};
use crate::chess::{Move, Position};
use crate::notation::Excerpt;

/// Follows a game from position to position, for a [`super::Visitor`] that wants to know which
/// moves are played. Every move is checked.
///
/// Tell it of tags, moves and variations as they are read.
#[derive(Clone, Debug)]
pub struct Tracker {
    start: Start,
    line: Line,
    /// The lines that wait for a variation to end.
    waiting: Vec<Line>,
}

/// A line of play.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Before the latest move, once there is one.
    before: Option<Position>,
    now: Position,
}

/// A move that has been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Played {
    /// A legal move.
    Move(Move),
    /// A null move, which some files have in variations: `--` or `Z0`.
    Pass,
}

impl Default for Tracker {
    fn default() -> Self {
        Self::new()
    }
}

impl Tracker {
    /// At the initial position of chess.
    pub fn new() -> Self {
        let line = Line { before: None, now: Position::start() };
        Self { start: Start::default(), line, waiting: Vec::new() }
    }

    /// A new game begins.
    pub fn begin_game(&mut self) {
        self.start = Start::default();
        self.waiting.clear();
    }

    /// A tag, which may describe the initial position.
    ///
    /// # Errors
    /// [`PgnProblem::Position`] or [`PgnProblem::Variant`] if it does so wrongly.
    #[inline]
    pub fn tag(&mut self, name: &str, value: &str) -> Result<(), Box<PgnProblem>> {
        match name {
            "FEN" => self.start.read_fen(value),
            "Variant" => self.start.read_variant(value),
            _ => Ok(()),
        }
    }

    /// The tags have been read: the game is at its initial position. Its moves are to be
    /// skipped if that is not known.
    pub fn end_tags(&mut self) -> Skip {
        match self.start.position() {
            Some(now) => {
                self.line = Line { before: None, now };
                Skip::No
            }
            None => Skip::Yes,
        }
    }

    /// The position that has been reached.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.line.now
    }

    /// The position before the latest move of this line; `None` if there was no move.
    #[inline]
    pub const fn before(&self) -> Option<&Position> {
        self.line.before.as_ref()
    }

    /// How many variations are open.
    pub fn depth(&self) -> usize {
        self.waiting.len()
    }

    /// Plays a move as it is written.
    ///
    /// # Errors
    /// [`PgnProblem::Move`] if it is not legal, [`PgnProblem::NullMove`] if nobody can pass.
    #[inline]
    pub fn play(&mut self, text: &str) -> Result<Played, Box<PgnProblem>> {
        let now = self.line.now;
        match parse_san(text, &now) {
            Ok(mv) => {
                self.line = Line { before: Some(now), now: now.after(mv).0 };
                Ok(Played::Move(mv))
            }
            Err(_) if is_null_move(text) => {
                if now.is_check() {
                    return Err(Box::new(PgnProblem::NullMove(Excerpt::new(text))));
                }
                self.line = Line { before: Some(now), now: now.after_null() };
                Ok(Played::Pass)
            }
            Err(error) => Err(Box::new(PgnProblem::Move { found: Excerpt::new(text), error })),
        }
    }

    /// A variation begins: the latest move of the line is taken back.
    ///
    /// # Errors
    /// [`PgnProblem::VariationWithoutMove`] if there is none.
    pub fn begin_variation(&mut self) -> Result<(), Box<PgnProblem>> {
        let Some(before) = self.line.before else { return Err(Box::new(PgnProblem::VariationWithoutMove)) };
        self.waiting.push(self.line);
        self.line = Line { before: None, now: before };
        Ok(())
    }

    /// The variation ends: the line goes on that it belongs to.
    pub fn end_variation(&mut self) {
        if let Some(line) = self.waiting.pop() {
            self.line = line;
        }
    }
}

/// Is this how files write that a side passes?
fn is_null_move(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass")
}
