//! Games that are counted or listed during reading, if a query finds them.

use crate::chess::{Move, Position};
use crate::database::{Part, Query};
use crate::notation::pgn::{
    GameBuilder, GameResult, GameSource, Nag, PgnError, PgnProblem, RawText, Skip, Tracker, Visitor,
};
use std::io;
use std::sync::Arc;

/// A visitor that counts games, and can leave out the current one.
pub(in crate::cli) trait Counts: Visitor {
    /// Leaves out the current game; called before the end of the game.
    fn leave_out(&mut self);
}

/// Passes games to another visitor. With a query it also builds them, to leave out those that the query does not find.
pub(in crate::cli) struct QueryFilter<'q, V> {
    pub(in crate::cli) counts: V,
    query: Option<&'q Query>,
    builder: GameBuilder,
    is_ruled_out: bool,
    /// The number of open variations that the other visitor skips.
    muted: usize,
}

impl<'q, V: Counts> QueryFilter<'q, V> {
    /// A filter for a visitor; the builder must have the piece letters of the games.
    pub(in crate::cli) fn new(counts: V, query: Option<&'q Query>, builder: GameBuilder) -> Self {
        Self { counts, query, builder, is_ruled_out: false, muted: 0 }
    }

    /// Lets the index of a collection exclude games that the query does not find; called before the first game.
    ///
    /// # Errors
    /// An error of the source.
    pub(in crate::cli) fn begin(&self, part: &mut Part<'_>) -> io::Result<()> {
        part.reader.require_found(self.query)
    }

    /// Skips games that the query certainly does not find, where this is known without reading them.
    ///
    /// # Errors
    /// An error of the source.
    pub(super) fn skip(&self, part: &mut Part<'_>) -> io::Result<()> {
        if self.query.is_some() {
            part.reader.skip(self.query)?;
        }
        Ok(())
    }

    /// Reads the next game that the query may find. Returns whether there is one.
    ///
    /// # Errors
    /// An error of the source.
    pub(in crate::cli) fn read_next(&mut self, part: &mut Part<'_>) -> io::Result<bool> {
        self.skip(part)?;
        self.read(part)
    }

    /// Reads the next game. Returns whether there is one.
    ///
    /// # Errors
    /// An error of the source.
    pub(super) fn read(&mut self, part: &mut Part<'_>) -> io::Result<bool> {
        if self.query.is_some() {
            part.reader.read_game(self)
        } else {
            part.reader.read_game(&mut self.counts)
        }
    }
}

/// The builder omits text that it cannot read; errors of a game are reported by the other visitor.
impl<V: Counts> Visitor for QueryFilter<'_, V> {
    fn tracker(&mut self) -> Option<&mut Tracker> {
        self.counts.tracker()
    }

    fn source(&mut self, source: &Arc<GameSource>) {
        self.builder.source(source);
        self.counts.source(source);
    }

    fn begin_game(&mut self) {
        (self.is_ruled_out, self.muted) = (false, 0);
        self.builder.begin_game();
        self.counts.begin_game();
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        let _ = self.builder.tag(name, value);
        self.counts.tag(name, value)
    }

    fn end_tags(&mut self) -> Skip {
        self.builder.end_tags();
        let skip = self.counts.end_tags();
        self.is_ruled_out =
            self.query.is_some_and(|query| query.by_header(self.builder.game()) == Some(false));
        if self.is_ruled_out { Skip::Yes } else { skip }
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        let built = self.builder.mv(text);
        if self.muted > 0 { built } else { self.counts.mv(text) }
    }

    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        let built = self.builder.known_move(before, mv, after);
        if self.muted > 0 { built } else { self.counts.known_move(before, mv, after) }
    }

    fn number(&mut self, digits: &[u8]) -> Result<(), Box<PgnProblem>> {
        let _ = self.builder.number(digits);
        if self.muted > 0 { Ok(()) } else { self.counts.number(digits) }
    }

    fn unread(&mut self, text: RawText<'_>) {
        self.builder.unread(text);
        if self.muted == 0 {
            self.counts.unread(text);
        }
    }

    fn nag(&mut self, nag: Nag) {
        self.builder.nag(nag);
        if self.muted == 0 {
            self.counts.nag(nag);
        }
    }

    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        let _ = self.builder.comment(text);
        if self.muted > 0 { Ok(()) } else { self.counts.comment(text) }
    }

    fn escape(&mut self, text: RawText<'_>) {
        self.builder.escape(text);
        if self.muted == 0 {
            self.counts.escape(text);
        }
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        let is_skipped = self.muted > 0 || self.counts.begin_variation()? == Skip::Yes;
        let skip = self.builder.begin_variation()?;
        if is_skipped && skip == Skip::No {
            self.muted += 1;
        }
        Ok(skip)
    }

    fn end_variation(&mut self) {
        self.builder.end_variation();
        if self.muted > 0 {
            self.muted -= 1;
        } else {
            self.counts.end_variation();
        }
    }

    fn result(&mut self, result: GameResult) {
        self.builder.result(result);
        self.counts.result(result);
    }

    fn error(&mut self, error: PgnError) {
        if self.muted == 0 {
            self.counts.error(error);
        }
    }

    fn complete(&mut self) -> Result<(), Box<PgnProblem>> {
        let _ = self.builder.complete();
        self.counts.complete()
    }

    fn end_game(&mut self) {
        let is_found = !self.is_ruled_out
            && self
                .query
                .is_none_or(|query| query.is_true(self.builder.game(), self.builder.last_position()));
        if !is_found {
            self.counts.leave_out();
        }
        self.counts.end_game();
    }
}
