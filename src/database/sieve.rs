//! Filtering games by a query. Games are followed move by move without being built, if possible.

use super::query::{Header, Query, TagColumns};
use super::tally::Counted;
use crate::chess::{Move, Position};
use crate::notation::PieceLetters;
use crate::notation::pgn::{
    Game, GameBuilder, GameResult, GameSource, MAX_GAME_TAGS, PgnError, PgnProblem, RawText, Skip, Tracker,
    Visitor,
};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Receives the main lines of games, one by one.
pub trait Follow {
    /// Whether the moves are needed, and not only the tags.
    const WANTS_MOVES: bool = true;
    /// Whether games can be counted by columns of tags if these are available and no moves are needed.
    const WANTS_COLUMNS: bool = false;

    /// Receives the number of games that are skipped because they are not wanted.
    fn pass(&mut self, _games: u64) {}

    /// The position for which the counts of a collection are enough; `None` if the games are needed.
    fn counted_position(&self) -> Option<&Position> {
        None
    }

    /// Receives the counts of a collection for that position, in games from here on which are then skipped.
    fn add_counted(&mut self, _counted: &Counted) {}

    /// Counts these games by their tags, if [`Self::WANTS_COLUMNS`].
    ///
    /// # Errors
    /// If the tags cannot be read.
    fn add_columns(&mut self, _columns: TagColumns<'_>, _games: &[usize]) -> io::Result<()> {
        Ok(())
    }

    /// Starts a game; `None` if its moves cannot be read. After a break, its moves are not passed.
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()>;

    /// Receives a move (`None` for a null move) with the positions before and after it. After a break, no more moves of
    /// the game are passed.
    fn play(&mut self, before: &Position, mv: Option<Move>, after: &Position) -> ControlFlow<()>;
}

/// A follower that needs only tags, and no moves.
#[derive(Clone, Default, Debug)]
pub struct HeadersOnly<T>(
    /// The data that is collected from the tags.
    pub T,
);

impl<T> Follow for HeadersOnly<T> {
    const WANTS_MOVES: bool = false;

    fn begin(&mut self, _: Option<&Position>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn play(&mut self, _: &Position, _: Option<Move>, _: &Position) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// The tags of a game, in memory that is reused for the next game.
#[derive(Default)]
struct TagList {
    pairs: Vec<(String, String)>,
    len: usize,
}

impl TagList {
    /// Adds the value of a tag, unless the tag exists.
    fn add(&mut self, name: &[u8], value: RawText<'_>) {
        let Ok(name) = std::str::from_utf8(name) else { return };
        // Of repeated tags, the first counts. Games have few tags, and with the limit, the search remains fast for any
        // input.
        if self.len >= MAX_GAME_TAGS || self.tag(name).is_some() {
            return;
        }
        if self.len == self.pairs.len() {
            self.pairs.push(Default::default());
        }
        let (own_name, own_value) = &mut self.pairs[self.len];
        self.len += 1;
        own_name.clear();
        own_name.push_str(name);
        own_value.clear();
        own_value.push_str(&value.decode());
    }
}

impl Header for TagList {
    fn tag(&self, name: &str) -> Option<&str> {
        self.pairs[..self.len].iter().find(|pair| pair.0 == name).map(|pair| &*pair.1)
    }
}

/// The use of the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// The moves are not read, since the tags rule the game out.
    RuledOut,
    /// A game is built from the moves, since the query needs it.
    Build,
    /// The moves are passed on at once.
    Follow,
    /// The moves are only checked.
    Check,
    /// The moves are skipped.
    Pass,
}

/// A visitor that reads games and passes on the main lines of those that a query finds.
pub struct Sieve<'a, F> {
    query: Option<&'a Query>,
    /// Whether moves are checked even if the follower does not need them.
    is_thorough: bool,
    builder: GameBuilder,
    tracker: Tracker,
    tags: TagList,
    tag_result: Option<GameResult>,
    result: Option<GameResult>,
    mode: Mode,
    errors: Vec<PgnError>,
    /// The receiver of the moves.
    pub follower: F,
}

impl<'a, F: Follow> Sieve<'a, F> {
    /// A sieve for the games that the query finds, or for all games without a query. If it is not thorough, moves that
    /// the follower does not need are not checked.
    pub fn new(query: Option<&'a Query>, letters: PieceLetters, is_thorough: bool, follower: F) -> Self {
        Self {
            query,
            is_thorough,
            builder: GameBuilder::new().with_letters(letters),
            tracker: Tracker::new().with_letters(letters),
            tags: TagList::default(),
            tag_result: None,
            result: None,
            mode: Mode::Pass,
            errors: Vec::new(),
            follower,
        }
    }

    /// Whether the query finds the game that has been read; if so, the follower has received its moves. Call this once
    /// for each game.
    pub fn is_found(&mut self) -> bool {
        match (self.mode, self.query) {
            (Mode::RuledOut, _) => false,
            (Mode::Build, Some(query)) => {
                let game = self.builder.game();
                let is_found = query.is_true(game, self.builder.last_position());
                if is_found {
                    let has_moves = self.builder.last_position().is_some();
                    replay(game, has_moves, &mut self.follower);
                }
                is_found
            }
            _ => true,
        }
    }

    /// Whether the tags alone rule the game out, so that its errors do not matter.
    pub fn is_ruled_out(&self) -> bool {
        self.mode == Mode::RuledOut
    }

    /// The follower, and the tags and the result of the game.
    pub fn game(&mut self) -> (&mut F, &dyn Header, GameResult) {
        let result = self.result.or(self.tag_result).unwrap_or_default();
        (&mut self.follower, &self.tags, result)
    }

    /// Passes on the move that has been played.
    #[inline]
    fn pass_on(&mut self, mv: Option<Move>) {
        // After a move, the position before it is known.
        if let Some(before) = self.tracker.before()
            && self.follower.play(before, mv, self.tracker.position()).is_break()
        {
            self.mode = if self.is_thorough { Mode::Check } else { Mode::Pass };
        }
    }

    /// The errors found in the game.
    pub fn errors(&self) -> &[PgnError] {
        &self.errors
    }
}

/// Passes on the main line of a game.
fn replay(game: &Game, has_moves: bool, follower: &mut impl Follow) {
    if follower.begin(has_moves.then(|| game.start())).is_break() || !has_moves {
        return;
    }
    let mut now = *game.start();
    for node in game.mainline() {
        let before = now;
        let mv = game.mv(node);
        now = match mv {
            Some(mv) => before.after(mv).0,
            None => before.after_null(),
        };
        if follower.play(&before, mv, &now).is_break() {
            return;
        }
    }
}

impl<F: Follow> Visitor for Sieve<'_, F> {
    fn source(&mut self, source: &Arc<GameSource>) {
        if self.query.is_some() {
            self.builder.source(source);
        }
    }

    /// The builder of the game; `None` if the game is not built.
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        (self.mode == Mode::Build).then_some(&mut self.builder as &mut dyn Visitor)
    }

    fn begin_game(&mut self) {
        self.tracker.begin_game();
        if self.query.is_some() {
            self.builder.begin_game();
        }
        self.tags.len = 0;
        self.tag_result = None;
        self.result = None;
        self.mode = Mode::Pass;
        self.errors.clear();
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        GameResult::take_tag(&mut self.tag_result, name, value.bytes());
        self.tags.add(name, value);
        let tracked = self.tracker.tag(name, value);
        if self.query.is_some() { self.builder.tag(name, value) } else { tracked }
    }

    fn end_tags(&mut self) -> Skip {
        if let Some(query) = self.query {
            match query.by_header(self.builder.game()) {
                Some(true) => {}
                Some(false) => {
                    self.mode = Mode::RuledOut;
                    return Skip::Yes;
                }
                None => {
                    self.mode = Mode::Build;
                    return self.builder.end_tags();
                }
            }
        }
        let skip = self.tracker.end_tags();
        let start = (skip == Skip::No).then(|| self.tracker.position());
        self.mode = match self.follower.begin(start) {
            _ if skip == Skip::Yes => Mode::Pass,
            ControlFlow::Continue(()) => Mode::Follow,
            ControlFlow::Break(()) if self.is_thorough => Mode::Check,
            ControlFlow::Break(()) => Mode::Pass,
        };
        if self.mode == Mode::Pass { Skip::Yes } else { Skip::No }
    }

    #[inline]
    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        match self.mode {
            Mode::Follow => {
                let mv = self.tracker.play(text)?.mv();
                self.pass_on(mv);
                Ok(())
            }
            Mode::Build => self.builder.mv(text),
            Mode::Check => self.tracker.play(text).map(|_| ()),
            Mode::RuledOut | Mode::Pass => Ok(()),
        }
    }

    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        match self.mode {
            Mode::Follow => {
                self.tracker.advance_to(after);
                self.pass_on(Some(mv));
            }
            Mode::Build => return self.builder.known_move(before, mv, after),
            Mode::Check => self.tracker.advance_to(after),
            Mode::RuledOut | Mode::Pass => {}
        }
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        if self.mode == Mode::Build { self.builder.begin_variation() } else { Ok(Skip::Yes) }
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
        if self.mode == Mode::Build {
            self.builder.result(result);
        }
    }

    fn error(&mut self, error: PgnError) {
        self.errors.push(error);
    }
}
