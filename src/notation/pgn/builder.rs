//! Building a game from the calls of a reader.

use super::export_tags::Header;
use super::game::{GameFull, MAX_GAME_TAGS, MAX_GAME_TEXT, NoteKind};
use super::known_tags::{KnownNames, WaitingTags};
use super::tags::{free_name, is_plain_value, plain_name, without_controls};
use super::{
    Encoding, Game, GameResult, GameSource, Nag, NodeId, PgnError, PgnProblem, RawText, Reader, Skip,
    Tracker, UNREAD, Visitor, unread_mark,
};
use crate::chess::{Move, Position};
use crate::notation::{PieceLetters, SanMove};
use std::io::{self, Read};
use std::sync::Arc;

/// A visitor that builds a [`Game`].
#[derive(Default, Debug)]
pub struct GameBuilder {
    game: Game,
    errors: Vec<PgnError>,
    tracker: Tracker,
    /// The latest node of the line.
    at: NodeId,
    /// Whether annotations currently belong to the next move, as at the start of a line and after a variation.
    is_before: bool,
    /// Annotations of a move that has not been read yet.
    early: Vec<(NoteKind, String)>,
    /// The size of these annotations in memory, in bytes.
    early_bytes: usize,
    /// The latest nodes of the lines that continue after a variation.
    waiting: Vec<NodeId>,
    is_full: bool,
    /// Whether it has been reported that the game is full.
    is_full_reported: bool,
    /// Whether the moves are skipped.
    is_skipped: bool,
    /// Whether the name of a tag has other characters than letters, digits and underscores.
    has_odd_tag: bool,
    /// The names of the tags of earlier games: few games have others.
    known_names: KnownNames,
    /// Whether plain tags with known names wait until the tag section ends.
    tags_wait: bool,
    waiting_tags: WaitingTags,
    /// Whether all tags of the game have waited.
    has_plain_tags: bool,
}

impl Default for NodeId {
    fn default() -> Self {
        Self::ROOT
    }
}

impl GameBuilder {
    /// A builder without a game.
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder for moves with the piece letters of another language.
    #[must_use]
    pub fn with_letters(self, letters: PieceLetters) -> Self {
        Self { tracker: self.tracker.with_letters(letters), ..self }
    }

    /// The builder, which adds most tags to a game only when the tag section ends.
    #[must_use]
    pub(super) fn with_waiting_tags(self) -> Self {
        Self { tags_wait: true, ..self }
    }

    /// The latest game, to write its tags.
    pub(super) fn header(&self) -> Header<'_> {
        Header { game: &self.game, names: self.known_names.current(), is_plain: self.has_plain_tags }
    }

    /// The latest game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The latest game, as a mutable reference.
    pub const fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The last position of the latest game's main line; `None` if the moves are skipped.
    pub fn last_position(&self) -> Option<&Position> {
        (!self.is_skipped).then(|| self.tracker.position())
    }

    /// The latest move of the line; `None` if the side passed, or at the start.
    pub fn latest_move(&self) -> Option<Move> {
        self.game.mv(self.at)
    }

    /// The tracker that follows the game.
    pub(super) const fn tracker(&self) -> &Tracker {
        &self.tracker
    }

    /// The tracker, which can be used without adding moves to the game.
    pub(super) const fn tracker_mut(&mut self) -> &mut Tracker {
        &mut self.tracker
    }

    /// Returns to the start of the game, after its tags and before its moves.
    pub(super) fn restart(&mut self) {
        self.tracker.restart();
    }

    /// Adds a move, or a pass, that is known to be legal.
    pub(super) fn add_known(&mut self, mv: Option<Move>) -> Result<(), Box<PgnProblem>> {
        if self.is_full {
            return Err(self.fill(GameFull));
        }
        self.tracker.advance_by(mv.map_or(SanMove::Null, SanMove::Move));
        self.add(mv)
    }

    /// The errors found in the latest game.
    pub fn errors(&self) -> &[PgnError] {
        &self.errors
    }

    /// Takes the latest game and its errors out of the builder.
    pub fn take(&mut self) -> (Game, Vec<PgnError>) {
        (std::mem::take(&mut self.game), std::mem::take(&mut self.errors))
    }

    fn note(&mut self, kind: NoteKind, text: &str) -> Result<(), GameFull> {
        if self.is_before {
            self.early_bytes += text.len() + size_of::<(NoteKind, String)>();
            if self.early_bytes > MAX_GAME_TEXT {
                Err(GameFull)
            } else {
                self.early.push((kind, text.to_owned()));
                Ok(())
            }
        } else {
            self.game.add_note(self.at, kind, false, text)
        }
    }

    /// Adds a tag whose name may be repeated or have unusual characters.
    #[cold]
    fn add_unknown_tag(&mut self, name: &[u8], value: &str) -> Result<(), Box<PgnProblem>> {
        let text = Encoding::Utf8.decode(name);
        let count = self.game.tags.len();
        // Of repeated tags the first one is used; the others are kept under other names.
        let same = self.game.tags.get(&text);
        if same.is_some_and(|same| same == value) {
            return Ok(());
        }
        if count >= MAX_GAME_TAGS {
            return Err(Box::new(PgnProblem::TooLarge));
        }
        let is_repeated = same.is_some();
        let plain = plain_name(&text);
        let is_odd = plain != text;
        let is_double = is_repeated
            || (is_odd || self.has_odd_tag)
                && self.game.tags.iter().any(|(other, _)| plain_name(other) == plain);
        self.has_odd_tag |= is_odd;
        if is_odd || is_double {
            self.known_names.leave();
        }
        if is_double {
            let is_free = |name: &str| self.game.tags.get(name).is_none();
            let kept = if is_repeated { free_name(&plain, count, is_free) } else { text.to_string() };
            self.game.tags.set(kept, value);
            return Err(Box::new(PgnProblem::RepeatedTag { name: plain.into_owned() }));
        }
        self.known_names.add(&text);
        let tracked = self.tracker.tag(name, RawText::from(value));
        self.game.tags.push(&text, value);
        tracked
    }

    /// Whether the current line has no moves yet.
    fn is_line_empty(&self) -> bool {
        match self.waiting.last() {
            None => self.at == NodeId::ROOT,
            Some(&main) => self.game.parent(main) == Some(self.at),
        }
    }

    fn fill(&mut self, _: GameFull) -> Box<PgnProblem> {
        self.is_full = true;
        self.is_full_reported = true;
        Box::new(PgnProblem::TooLarge)
    }

    /// Adds a move that has been played, or a pass.
    fn add(&mut self, mv: Option<Move>) -> Result<(), Box<PgnProblem>> {
        self.at = self.game.add(self.at, mv).map_err(|error| self.fill(error))?;
        self.settle(self.at, true);
        self.is_before = false;
        Ok(())
    }

    /// Adds the mark of a variation around text that could not be read.
    fn enclose_unread(&mut self) {
        for (_, text) in &mut self.early {
            if let Some(rest) = text.strip_prefix(UNREAD).and_then(|rest| rest.strip_suffix(']')) {
                *text = format!("{UNREAD}({rest})]");
            }
        }
    }

    /// Adds the waiting annotations to the move after them or, if there is none, to the latest one.
    fn settle(&mut self, node: NodeId, is_before: bool) {
        if self.early.is_empty() {
            return;
        }
        self.early_bytes = 0;
        for (kind, text) in std::mem::take(&mut self.early) {
            // A glyph is written after its move, even if it was read before it.
            let is_before = is_before && !matches!(kind, NoteKind::Nag(_));
            if self.game.add_note(node, kind, is_before, &text).is_err() {
                self.is_full = true;
            }
        }
    }
}

impl Visitor for GameBuilder {
    fn source(&mut self, source: &Arc<GameSource>) {
        self.game.set_source(source);
    }

    fn begin_game(&mut self) {
        self.game.reset(Position::start());
        self.errors.clear();
        self.tracker.begin_game();
        self.at = NodeId::ROOT;
        self.is_before = true;
        self.early.clear();
        self.early_bytes = 0;
        self.waiting.clear();
        self.is_full = false;
        self.is_full_reported = false;
        self.is_skipped = false;
        self.has_odd_tag = false;
        self.known_names.begin_game();
        self.waiting_tags.clear();
        self.has_plain_tags = true;
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        let known = self.known_names.follow(name);
        if known.is_some() && self.tags_wait && is_plain_value(value.bytes()) {
            self.waiting_tags.push(name, value.bytes());
            return self.tracker.tag(name, value);
        }
        self.has_plain_tags = false;
        self.waiting_tags.move_to(&mut self.game.tags);
        let mut value = value.decode();
        if let Some(plain) = without_controls(&value) {
            value = plain.into();
        }
        if let Some(known) = known {
            self.game.tags.push(known, &value);
            return self.tracker.tag(name, RawText::from(&*value));
        }
        self.add_unknown_tag(name, &value)
    }

    fn end_tags(&mut self) -> Skip {
        self.waiting_tags.move_to(&mut self.game.tags);
        let skip = self.tracker.end_tags();
        if let Some(&start) = self.tracker.start() {
            self.game.set_start(start);
        }
        if let Some(result) = self.game.tags.result() {
            self.game.result = result;
        }
        self.is_skipped = skip == Skip::Yes;
        skip
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        if self.is_full {
            return Err(self.fill(GameFull));
        }
        let mv = self.tracker.play(text)?.mv();
        self.add(mv)
    }

    fn known_move(&mut self, _: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        if self.is_full {
            return Err(self.fill(GameFull));
        }
        self.tracker.advance_to(after);
        self.add(Some(mv))
    }

    fn unread(&mut self, text: RawText<'_>) {
        let text = text.decode();
        if self.is_skipped {
            self.is_full |= self.game.add_unread(&text).is_err();
        } else {
            let noted = self.note(NoteKind::Comment, &unread_mark(&text));
            self.is_full |= noted.is_err();
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.is_line_empty() {
            let noted = self.note(NoteKind::Nag(nag), "");
            self.is_full |= noted.is_err();
        } else if self.game.add_nag(self.at, nag).is_err() {
            self.is_full = true;
        }
    }

    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.note(NoteKind::Comment, &text.decode()).map_err(|error| self.fill(error))
    }

    fn escape(&mut self, text: RawText<'_>) {
        let noted = self.note(NoteKind::Escape, &text.decode());
        self.is_full |= noted.is_err();
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        self.tracker.begin_variation()?;
        self.settle(self.at, false);
        self.waiting.push(self.at);
        self.at = self.game.parent(self.at).unwrap_or(NodeId::ROOT);
        self.is_before = true;
        Ok(Skip::No)
    }

    fn end_variation(&mut self) {
        self.tracker.end_variation();
        let Some(main) = self.waiting.pop() else { return };
        // The comments of a variation without moves belong to the move that it was meant to replace.
        let is_empty = self.game.parent(main) == Some(self.at);
        if is_empty {
            self.enclose_unread();
        }
        self.settle(if is_empty { main } else { self.at }, false);
        self.at = main;
        self.is_before = true;
    }

    fn result(&mut self, result: GameResult) {
        self.game.result = result;
        self.settle(self.at, false);
        self.is_before = false;
    }

    fn error(&mut self, error: PgnError) {
        self.errors.push(error);
    }

    fn complete(&mut self) -> Result<(), Box<PgnProblem>> {
        self.settle(self.at, false);
        if self.is_full && !self.is_full_reported { Err(self.fill(GameFull)) } else { Ok(()) }
    }
}

impl Game {
    /// Reads the first game of a text, and the errors in it. `None` if there is no game.
    ///
    /// # Errors
    /// An error of the source.
    pub fn read(source: impl Read) -> io::Result<Option<(Self, Vec<PgnError>)>> {
        games(source).next().transpose()
    }
}

/// The games of a text, each with its errors.
///
/// # Errors
/// An error of the source; no game follows it.
pub fn games(source: impl Read) -> impl Iterator<Item = io::Result<(Game, Vec<PgnError>)>> {
    let mut reader = Reader::new(source);
    let mut builder = GameBuilder::new();
    let mut has_ended = false;
    std::iter::from_fn(move || {
        if has_ended {
            return None;
        }
        let read = reader.read_game(&mut builder).map(|found| found.then(|| builder.take())).transpose();
        has_ended = !matches!(read, Some(Ok(_)));
        read
    })
}
