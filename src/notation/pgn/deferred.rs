//! Building a game only on demand, and writing it without building it.

use super::element_order::ElementOrder;
use super::export_tags::Header;
use super::followed::Line;
use super::text::{push_bytes, words_length};
use super::{
    Encoding, Game, GameBuilder, GameResult, Nag, PgnError, PgnProblem, RawText, Skip, Tags, Tracker,
    Visitor, has_unread_mark, push_words,
};
use crate::chess::{Move, Position};
use crate::notation::MoveNumber;
use crate::notation::san::{with_sign, word_without_sign};
use crate::notation::word::Word;

/// The number of calls, and of bytes of text, above which a game is built at once. A [`GameBuilder`] has its own
/// limits, which are far larger.
const MAX_CALLS: usize = 1 << 16;
const MAX_TEXT: usize = 1 << 20;

/// A [`GameBuilder`] that only reads the tags and follows the moves, and stores the calls of the reader. On demand it
/// builds the game by repeating these calls.
#[derive(Debug, Default)]
pub struct DeferredBuilder {
    builder: GameBuilder,
    /// Whether the builder has received all calls so far, and receives the next ones directly.
    is_built: bool,
    calls: Vec<Call>,
    /// The texts of the calls, concatenated. They are decoded only if the game is built.
    texts: Vec<u8>,
    latest: Option<Move>,
    /// Whether the text of the latest move, without the sign of a check or mate, is known to be canonical.
    is_canonical: bool,
}

/// A stored call.
#[derive(Clone, Copy, Debug)]
enum Call {
    Move(Option<Move>),
    Nag(Nag),
    /// A comment of this many bytes.
    Comment(u32),
    Escape(u32),
    Unread(u32),
    Begin,
    End,
    Result(GameResult),
    Complete,
}

impl DeferredBuilder {
    /// A deferred builder that uses `builder`, which has the piece letters of the games.
    pub fn new(builder: GameBuilder) -> Self {
        Self { builder, ..Self::default() }
    }

    /// The latest game.
    pub fn game(&mut self) -> &mut Game {
        self.build();
        self.builder.game_mut()
    }

    /// The latest game with its tags, its initial position and its result; it has its moves only after it was built.
    pub const fn header(&self) -> &Game {
        self.builder.game()
    }

    /// The tags of the latest game.
    pub const fn tags(&self) -> &Tags {
        &self.header().tags
    }

    /// Whether the latest game starts from another position than the standard one.
    pub fn is_set_up(&self) -> bool {
        self.header().is_set_up()
    }

    /// The errors found in the latest game.
    pub fn errors(&self) -> &[PgnError] {
        self.builder.errors()
    }

    /// The last position of the latest game's main line; see [`GameBuilder::last_position`].
    pub fn last_position(&self) -> Option<&Position> {
        self.builder.last_position()
    }

    /// The latest move read; `None` for a pass.
    pub const fn latest_move(&self) -> Option<Move> {
        self.latest
    }

    /// Appends the moves of the main line of the latest game, `None` for a pass. Returns the size of the rest of the
    /// game: the number of moves in variations, plus the number of glyphs, plus the number of bytes of comments. `None`
    /// if this is known only after the game is built.
    pub fn main_line(&self, moves: &mut Vec<Option<Move>>) -> Option<usize> {
        // A mark of unread text may be changed when the game is built.
        if self.is_built || has_unread_mark(&self.texts) {
            return None;
        }
        let mut texts = &*self.texts;
        let (mut depth, mut notes) = (0_usize, 0);
        for &call in &self.calls {
            match call {
                Call::Move(mv) if depth == 0 => moves.push(mv),
                Call::Move(_) | Call::Nag(_) => notes += 1,
                Call::Comment(length) => {
                    let text;
                    (text, texts) = texts.split_at(length as usize);
                    notes += words_length(&Encoding::Utf8.decode(text));
                }
                Call::Escape(length) => texts = &texts[length as usize..],
                Call::Unread(_) => return None,
                Call::Begin => depth += 1,
                Call::End => depth = depth.saturating_sub(1),
                Call::Result(_) | Call::Complete => {}
            }
        }
        Some(notes)
    }

    /// The tracker that follows the game.
    pub const fn tracker(&self) -> &Tracker {
        self.builder.tracker()
    }

    /// Builds the game so far, and passes the next calls to the builder directly.
    #[cold]
    fn build(&mut self) {
        if self.is_built {
            return;
        }
        self.is_built = true;
        let builder = &mut self.builder;
        builder.restart();
        let mut texts = &*self.texts;
        let mut take = |length: u32| {
            let text;
            (text, texts) = texts.split_at(length as usize);
            RawText::new(text, Encoding::Utf8)
        };
        for &call in &self.calls {
            // These calls did not fail when they were stored, and the limits are far away.
            let _ = match call {
                Call::Move(mv) => builder.add_known(mv),
                Call::Comment(length) => builder.comment(take(length)),
                Call::Begin => builder.begin_variation().map(|_| ()),
                Call::Nag(nag) => {
                    builder.nag(nag);
                    Ok(())
                }
                Call::Escape(length) => {
                    builder.escape(take(length));
                    Ok(())
                }
                Call::Unread(length) => {
                    builder.unread(take(length));
                    Ok(())
                }
                Call::End => {
                    builder.end_variation();
                    Ok(())
                }
                Call::Result(result) => {
                    builder.result(result);
                    Ok(())
                }
                Call::Complete => builder.complete(),
            };
        }
    }

    /// Whether a call is only stored.
    #[inline(always)]
    fn is_deferred(&mut self) -> bool {
        if self.calls.len() >= MAX_CALLS {
            self.build();
        }
        !self.is_built
    }

    /// Whether a call with this many bytes of text is only stored.
    #[inline(always)]
    fn is_text_deferred(&mut self, bytes: usize) -> bool {
        if self.texts.len() + bytes > MAX_TEXT {
            self.build();
        }
        self.is_deferred()
    }

    #[inline(always)]
    fn keep_text(&mut self, text: &[u8], call: fn(u32) -> Call) {
        push_bytes(&mut self.texts, text);
        // The text is shorter than the limit of stored text.
        self.calls.push(call(text.len() as u32));
    }

    /// Adds a comment that is already decoded.
    fn add_comment(&mut self, text: &str) -> Result<(), Box<PgnProblem>> {
        if self.is_text_deferred(text.len()) {
            self.keep_text(text.as_bytes(), Call::Comment);
            Ok(())
        } else {
            self.builder.comment(RawText::from(text))
        }
    }
}

impl Visitor for DeferredBuilder {
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        Some(&mut self.builder)
    }

    fn begin_game(&mut self) {
        self.builder.begin_game();
        self.is_built = false;
        self.calls.clear();
        self.texts.clear();
        self.latest = None;
    }

    fn end_tags(&mut self) -> Skip {
        let skip = self.builder.end_tags();
        // Moves that are skipped arrive as a single text, so deferring them has no benefit.
        self.is_built = skip == Skip::Yes;
        skip
    }

    #[inline(always)]
    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        if self.is_deferred() {
            let (mv, is_canonical) = self.builder.tracker_mut().play_and_compare(text)?;
            self.latest = mv.mv();
            self.is_canonical = is_canonical;
            self.calls.push(Call::Move(self.latest));
        } else {
            self.builder.mv(text)?;
            self.latest = self.builder.latest_move();
            self.is_canonical = false;
        }
        Ok(())
    }

    #[inline]
    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        if self.is_deferred() {
            self.builder.tracker_mut().advance_to(after);
            self.calls.push(Call::Move(Some(mv)));
        } else {
            self.builder.known_move(before, mv, after)?;
        }
        self.latest = Some(mv);
        Ok(())
    }

    fn unread(&mut self, text: RawText<'_>) {
        if self.is_text_deferred(text.bytes().len()) {
            self.keep_text(text.decode().as_bytes(), Call::Unread);
        } else {
            self.builder.unread(text);
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.is_deferred() {
            self.calls.push(Call::Nag(nag));
        } else {
            self.builder.nag(nag);
        }
    }

    #[inline]
    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        match text.utf8_bytes() {
            Some(bytes) if self.is_text_deferred(bytes.len()) => {
                self.keep_text(bytes, Call::Comment);
                Ok(())
            }
            _ => self.add_comment(&text.decode()),
        }
    }

    fn escape(&mut self, text: RawText<'_>) {
        if self.is_text_deferred(text.bytes().len()) {
            self.keep_text(text.decode().as_bytes(), Call::Escape);
        } else {
            self.builder.escape(text);
        }
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        if !self.is_deferred() {
            return self.builder.begin_variation();
        }
        self.builder.tracker_mut().begin_variation()?;
        self.calls.push(Call::Begin);
        Ok(Skip::No)
    }

    fn end_variation(&mut self) {
        if self.is_deferred() {
            self.builder.tracker_mut().end_variation();
            self.calls.push(Call::End);
        } else {
            self.builder.end_variation();
        }
    }

    fn result(&mut self, result: GameResult) {
        if self.is_deferred() {
            self.calls.push(Call::Result(result));
            self.builder.game_mut().result = result;
        } else {
            self.builder.result(result);
        }
    }

    /// A comment that waits for a move belongs to the latest move if neither a move nor a result follows.
    fn complete(&mut self) -> Result<(), Box<PgnProblem>> {
        if self.is_built {
            return self.builder.complete();
        }
        self.calls.push(Call::Complete);
        Ok(())
    }
}

/// Writes the elements of a game while they are read, in the order in which a built game has them.
pub trait ElementWriter {
    /// Whether games can be written before they are built.
    fn can_stream(&self) -> bool {
        true
    }

    /// A new game starts.
    fn begin_game(&mut self);

    /// A move, or a pass.
    fn mv(&mut self, played: Played<'_>);

    /// A glyph of the latest move.
    fn nag(&mut self, nag: Nag);

    /// A comment that is not empty.
    fn comment(&mut self, comment: Comment<'_>);

    /// A variation on the latest move starts.
    fn begin_variation(&mut self);

    /// The variation ends.
    fn end_variation(&mut self);
}

/// A move that has been played, or a pass.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    positions: Positions<'a>,
    /// The move; `None` for a pass.
    pub mv: Option<Move>,
    /// The text from which the move was read, if it is known to be canonical without the sign of a check or mate.
    pub text: Option<&'a [u8]>,
}

/// The positions before and after a move.
#[derive(Clone, Copy, Debug)]
enum Positions<'a> {
    /// Those of the latest move of a line.
    OfLatest(&'a Line),
    /// Those that are known.
    Known(&'a Position, &'a Position),
}

impl<'a> Played<'a> {
    /// The number of the move.
    #[inline(always)]
    pub fn number(&self) -> MoveNumber {
        match self.positions {
            Positions::OfLatest(line) => line.latest_number(),
            Positions::Known(before, _) => MoveNumber::of(before),
        }
    }

    /// The position before the move.
    #[inline(always)]
    pub fn before(&self) -> &'a Position {
        match self.positions {
            Positions::OfLatest(line) => line.position_before().unwrap_or_else(|| line.position()),
            Positions::Known(before, _) => before,
        }
    }

    /// The text with English letters of the move, which is not a pass.
    #[inline(always)]
    pub(super) fn word(&self, mv: Move) -> Word {
        let word = match self.positions {
            Positions::OfLatest(line) => line.latest_word(mv),
            Positions::Known(before, _) => word_without_sign(before.board(), mv, false),
        };
        with_sign(word, self.is_check(), || self.is_mate())
    }

    /// Whether the move gives check.
    #[inline(always)]
    pub fn is_check(&self) -> bool {
        match self.positions {
            Positions::OfLatest(line) => line.is_check(),
            Positions::Known(_, after) => after.is_check(),
        }
    }

    /// Whether the move, which gives check, mates.
    #[inline(never)]
    pub fn is_mate(&self) -> bool {
        match self.positions {
            Positions::OfLatest(line) => !line.has_legal_moves(),
            Positions::Known(_, after) => !after.has_legal_moves(),
        }
    }
}

/// The words of a comment, separated by single spaces.
#[derive(Clone, Copy, Debug)]
pub enum Comment<'a> {
    /// Words of ASCII without anything that is special in a comment, as in nearly all comments.
    Plain(&'a [u8]),
    /// Any words.
    Words(&'a str),
}

/// A visitor that passes a game to a writer while it is read.
///
/// In most games everything has the order of a built game, so they are not built. As soon as something has another
/// order, such as a glyph after a comment, the game is built, and must be written from there.
#[derive(Debug)]
pub struct Streamed<W> {
    builder: DeferredBuilder,
    pub(super) writer: W,
    /// Whether the writer has received all that has been read so far.
    is_streamed: bool,
    order: ElementOrder,
    /// The words of a comment, if they differ from the text read.
    comment: String,
}

impl<W: ElementWriter> Streamed<W> {
    /// A visitor for this writer. The builder has the piece letters of the games.
    pub(super) fn with_writer(writer: W, builder: GameBuilder) -> Self {
        Self {
            builder: DeferredBuilder::new(builder.with_waiting_tags()),
            writer,
            is_streamed: false,
            order: ElementOrder::new(),
            comment: String::new(),
        }
    }

    /// The errors found in the latest game.
    pub fn errors(&self) -> &[PgnError] {
        self.builder.errors()
    }

    /// The last position of the latest game's main line; see [`GameBuilder::last_position`].
    pub fn last_position(&self) -> Option<&Position> {
        self.builder.last_position()
    }

    /// The latest game with its tags, its initial position and its result; it has its moves only if it was built.
    pub(super) fn header(&self) -> &Game {
        self.builder.header()
    }

    /// The latest game, which is built now if necessary.
    pub fn game_mut(&mut self) -> &mut Game {
        self.give_up();
        self.builder.game()
    }

    /// The writer and the latest game without its moves, if the writer has received all elements of the game.
    pub(super) fn streamed(&mut self) -> Option<(&mut W, Header<'_>)> {
        self.is_streamed.then(|| (&mut self.writer, self.builder.builder.header()))
    }

    /// Builds the game, because an element has another order than in the built game.
    #[cold]
    fn give_up(&mut self) {
        self.is_streamed = false;
        self.builder.build();
    }

    /// Builds the game if the order is not that of a built one. Returns the writer if it receives the element.
    #[inline]
    fn writer_if(&mut self, is_usual: bool) -> Option<&mut W> {
        if !is_usual {
            self.give_up();
        }
        self.is_streamed.then_some(&mut self.writer)
    }

    /// A comment whose words differ from the text read, or of a game that is built.
    #[inline(never)]
    fn other_comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.builder.comment(text)?;
        if !self.is_streamed {
            return Ok(());
        }
        self.comment.clear();
        push_words(&mut self.comment, &text.decode());
        if self.comment.is_empty() {
            return Ok(());
        }
        if self.order.comment() {
            self.writer.comment(Comment::Words(&self.comment));
        } else {
            self.give_up();
        }
        Ok(())
    }

    /// Writes a move, if the writer has received all elements before it.
    #[inline(always)]
    fn write_played(&mut self, played: Played<'_>) {
        if self.is_streamed {
            self.order.mv();
            self.writer.mv(played);
        }
    }
}

impl<W: ElementWriter> Visitor for Streamed<W> {
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        Some(&mut self.builder)
    }

    fn begin_game(&mut self) {
        self.builder.begin_game();
        self.order.begin_game();
        self.writer.begin_game();
    }

    fn end_tags(&mut self) -> Skip {
        let skip = self.builder.end_tags();
        self.is_streamed = true;
        // Games whose moves are not read are written after they are built.
        if skip == Skip::Yes || !self.writer.can_stream() {
            self.give_up();
        }
        skip
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.builder.mv(text)?;
        if !self.is_streamed {
            return Ok(());
        }
        let text = self.builder.is_canonical.then_some(text);
        let positions = Positions::OfLatest(self.builder.tracker().line());
        self.order.mv();
        self.writer.mv(Played { positions, mv: self.builder.latest_move(), text });
        Ok(())
    }

    #[inline]
    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        let played = Played { positions: Positions::Known(before, after), mv: Some(mv), text: None };
        if self.builder.is_deferred() {
            // A call that is only stored cannot fail, so the move is written first: the position after it has just been
            // stored field by field, and if it were copied at once, the copy would wait for these stores.
            self.write_played(played);
            return self.builder.known_move(before, mv, after);
        }
        self.builder.known_move(before, mv, after)?;
        self.write_played(played);
        Ok(())
    }

    fn unread(&mut self, text: RawText<'_>) {
        self.give_up();
        self.builder.unread(text);
    }

    fn nag(&mut self, nag: Nag) {
        self.builder.nag(nag);
        let is_usual = self.order.nag();
        if let Some(writer) = self.writer_if(is_usual) {
            writer.nag(nag);
        }
    }

    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        if self.is_streamed
            && let Some(words) = text.plain_words()
            && self.builder.is_text_deferred(words.len())
        {
            // The spaces around the words are not needed to build the game.
            self.builder.keep_text(words, Call::Comment);
            if self.order.comment() {
                self.writer.comment(Comment::Plain(words));
            } else {
                self.give_up();
            }
            return Ok(());
        }
        self.other_comment(text)
    }

    fn escape(&mut self, text: RawText<'_>) {
        self.give_up();
        self.builder.escape(text);
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        let skip = self.builder.begin_variation()?;
        let is_usual = self.order.begin_variation();
        if let Some(writer) = self.writer_if(is_usual) {
            writer.begin_variation();
        }
        Ok(skip)
    }

    fn end_variation(&mut self) {
        self.builder.end_variation();
        let is_usual = self.order.end_variation();
        if let Some(writer) = self.writer_if(is_usual) {
            writer.end_variation();
        }
    }

    fn result(&mut self, result: GameResult) {
        self.builder.result(result);
        let is_usual = self.order.result();
        self.writer_if(is_usual);
    }

    fn complete(&mut self) -> Result<(), Box<PgnProblem>> {
        let is_usual = self.order.complete();
        self.writer_if(is_usual);
        self.builder.complete()
    }
}
