//! The visitor of `hematite pgn find`.

use crate::chess::{Move, Position};
use crate::database::{Query, Scan};
use crate::notation::pgn::{DeferredBuilder, GameBuilder, PgnProblem, RawText, Skip, Visitor};

/// Reads a game. Its moves are read only if the tags do not rule it out, and it is built only if the main line does not
/// decide either.
pub(super) struct Finder<'a> {
    pub(super) builder: DeferredBuilder,
    pub(super) query: &'a Query,
    scan: Option<Scan<'a>>,
    /// The moves of the main line.
    moves: Vec<Option<Move>>,
    /// The number of open variations.
    depth: usize,
    /// Whether the tags rule the game out.
    pub(super) is_ruled_out: bool,
}

impl<'a> Finder<'a> {
    pub(super) fn new(builder: GameBuilder, query: &'a Query) -> Self {
        Self {
            builder: DeferredBuilder::new(builder),
            query,
            scan: query.scan(),
            moves: Vec::new(),
            depth: 0,
            is_ruled_out: false,
        }
    }

    /// The verdict of the query from the tags and the main line; `None` if the built game is needed.
    pub(super) fn look(&mut self) -> Option<bool> {
        let builder = &self.builder;
        if builder.is_set_up() || !builder.errors().is_empty() || builder.last_position().is_none() {
            return None;
        }
        self.scan.as_mut()?.verdict_on(builder.header(), &self.moves)
    }

    /// Whether the query finds the game that has been read.
    pub(super) fn finds(&mut self) -> bool {
        !self.is_ruled_out
            && self.look().unwrap_or_else(|| {
                let last = self.builder.last_position().copied();
                self.query.is_true(self.builder.game(), last.as_ref())
            })
    }

    fn add_move(&mut self) {
        if self.depth == 0 {
            self.moves.push(self.builder.latest_move());
        }
    }
}

impl Visitor for Finder<'_> {
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        Some(&mut self.builder)
    }

    fn begin_game(&mut self) {
        self.is_ruled_out = false;
        self.moves.clear();
        self.depth = 0;
        self.builder.begin_game();
    }

    fn end_tags(&mut self) -> Skip {
        let skip = self.builder.end_tags();
        self.is_ruled_out = self.query.by_header(self.builder.header()) == Some(false);
        if self.is_ruled_out { Skip::Yes } else { skip }
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.builder.mv(text)?;
        self.add_move();
        Ok(())
    }

    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        self.builder.known_move(before, mv, after)?;
        self.add_move();
        Ok(())
    }

    fn unread(&mut self, text: RawText<'_>) {
        if !self.is_ruled_out {
            self.builder.unread(text);
        }
    }

    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        if self.is_ruled_out { Ok(()) } else { self.builder.comment(text) }
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        let skip = self.builder.begin_variation()?;
        self.depth += 1;
        Ok(skip)
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.builder.end_variation();
    }
}
