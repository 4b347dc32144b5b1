//! The order of the elements of a game.

/// Follows the elements of a game while it is read, and finds out whether they have the order in which a game writes
/// them after it is built.
///
/// Each method returns whether they still have: in a game that is built, the glyphs of a move come before its comments,
/// and a variation is neither empty nor on the first move of another.
#[derive(Debug)]
pub(super) struct ElementOrder {
    line: Line,
    /// The lines that continue after a variation.
    waiting: Vec<Line>,
}

/// A line of play that is being read.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The number of moves of the line.
    moves: usize,
    latest: Latest,
}

/// The latest element of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Latest {
    /// Nothing, or a variation.
    Border,
    /// A comment after a border, which belongs to the next move.
    CommentBefore,
    /// A move or a glyph of it.
    Move,
    /// A comment on a move.
    Comment,
    /// The result.
    Result,
}

impl Line {
    const START: Self = Self { moves: 0, latest: Latest::Border };
}

impl ElementOrder {
    /// The order before the first element.
    pub(super) const fn new() -> Self {
        Self { line: Line::START, waiting: Vec::new() }
    }

    /// A new game starts.
    pub(super) fn begin_game(&mut self) {
        self.line = Line::START;
        self.waiting.clear();
    }

    /// A move, or a pass.
    pub(super) const fn mv(&mut self) {
        self.line.moves += 1;
        self.line.latest = Latest::Move;
    }

    /// A glyph.
    #[must_use]
    pub(super) fn nag(&self) -> bool {
        self.line.latest == Latest::Move
    }

    /// A comment that is not empty.
    #[must_use]
    pub(super) const fn comment(&mut self) -> bool {
        self.line.latest = match self.line.latest {
            Latest::Border | Latest::CommentBefore => Latest::CommentBefore,
            Latest::Move | Latest::Comment => Latest::Comment,
            Latest::Result => return false,
        };
        true
    }

    /// A variation starts.
    #[must_use]
    pub(super) fn begin_variation(&mut self) -> bool {
        // A comment before a move that does not follow; and variations on the first move of a variation, which are its
        // siblings.
        let is_sibling = !self.waiting.is_empty() && self.line.moves == 1;
        let is_usual = self.line.latest != Latest::CommentBefore && !is_sibling;
        self.line.latest = Latest::Border;
        self.waiting.push(self.line);
        self.line = Line::START;
        is_usual
    }

    /// A variation ends.
    #[must_use]
    pub(super) fn end_variation(&mut self) -> bool {
        let is_usual = self.line.moves > 0 && self.line.latest != Latest::CommentBefore;
        if let Some(line) = self.waiting.pop() {
            self.line = line;
        }
        is_usual
    }

    /// The result.
    #[must_use]
    pub(super) fn result(&mut self) -> bool {
        let is_usual = self.complete();
        self.line.latest = Latest::Result;
        is_usual
    }

    /// The end of the game.
    #[must_use]
    pub(super) fn complete(&self) -> bool {
        self.line.latest != Latest::CommentBefore
    }
}
