//! PGN, the text of chess games (<https://www.chessprogramming.org/Portable_Game_Notation>,
//! standard of 1994.03.12).
//!
//! A [`Reader`] parses a file and calls a [`Visitor`], in constant memory. [`Game`] is a game with its variations,
//! which the visitor [`GameBuilder`] builds; [`Export`] writes it. [`pgc`] is the binary form of the standard.
//!
//! # Extensions of the standard
//!
//! Real files differ from the standard. The following deviations are accepted:
//!
//! * empty lines between tags, and games without moves or without a result (an error is reported, and the game is
//!   kept);
//! * quotes in tag values without a backslash, and a backslash before the last quote;
//! * more text, longer lines and other letters than the standard allows, in UTF-8, Latin-1 or
//!   Windows-1252;
//! * results such as `1:0`, `1 – 0` or `½-½`, results within variations, words and moves after a result; if the tag and
//!   the marker differ, a known result takes precedence over an unknown one;
//! * suffixes separated from their move, `e.p.`, assessments in signs such as `+-` and `±`, null moves;
//! * all kinds of spaces between tokens, and words and signs that are not moves: they are reported and ignored.
//!
//! After a move that cannot be played, the rest of its line is kept as text: an export writes it in a comment
//! [`{[%unread ...]}`](unread_mark). The moves of variants with other rules are kept as text.
//!
//! A tag `[Event "` after an empty line always starts a game, even in a comment that is not closed. So a file can be
//! split there without being read from its start.

mod buffer;
mod builder;
mod classes;
mod collate;
mod command;
mod deferred;
mod element_order;
mod error;
mod export;
mod export_tags;
mod exporter;
mod followed;
mod game;
mod known_tags;
mod lines;
mod nag;
pub mod pgc;
mod read_moves;
mod read_tags;
mod read_words;
mod reader;
mod result;
mod symbols;
mod tags;
mod text;
mod tracker;
mod usual;

pub use builder::{GameBuilder, games};
pub use collate::{Collated, CollatingKey, collate, push_collated, push_round};
pub use command::{Command, Evaluation, EvaluationScore, MarkColor, commands, without_commands};
pub use deferred::DeferredBuilder;
pub use error::{MAX_DEPTH, PgnError, PgnProblem, Place};
pub use export::{Export, MoveStyle, castling_style};
pub use exporter::Exporter;
pub use followed::Reached;
pub use game::{
    Element, Game, GameFull, GameSource, MAX_GAME_MOVES, MAX_GAME_NOTES, MAX_GAME_TAGS, MAX_GAME_TEXT,
    NodeId, Part, Walk,
};
pub use reader::FIRST_TAG;
pub use reader::{MAX_TEXT_BYTES, Reader};
pub use result::GameResult;
pub use symbols::Nag;
pub use tags::{Date, SEVEN_TAG_ROSTER, START_TAGS, Tags};
pub use text::{Encoding, RawText, UNREAD, has_unread_mark, push_words, split_at_unread, unread_mark};
pub use tracker::{Skip, Tracker};

pub use text::BYTE_ORDER_MARK;

use super::San;
use crate::chess::{Move, Position};
use std::sync::Arc;

/// Receives the parts of a game in the order in which they are written.
///
/// One visitor may receive many games, one after another. Texts are borrowed from the reader. By default every method
/// passes the call to the [`inner`](Self::inner) visitor. Without one it does nothing, except that a
/// [`tracker`](Self::tracker) receives tags and variations.
///
/// | call | times |
/// |---|---|
/// | [`source`](Self::source) | before the game starts, from readers that know the source of the games |
/// | [`begin_game`](Self::begin_game) | once |
/// | [`tag`](Self::tag) | any |
/// | [`end_tags`](Self::end_tags) | once |
/// | moves, numbers, glyphs, comments, escapes, variations | any, unless skipped |
/// | [`unread`](Self::unread) | once in each line that is not read to its end |
/// | [`result`](Self::result) | at most once |
/// | comments | those on the line of the result, directly below, and after the last game |
/// | [`unread`](Self::unread) | at most once for moves after the result |
/// | [`complete`](Self::complete) | once |
/// | [`end_game`](Self::end_game) | once |
pub trait Visitor {
    /// The visitor that receives the calls that this one does not handle. A visitor with an inner one that handles
    /// [`mv`](Self::mv) must also handle [`known_move`](Self::known_move), which otherwise only the inner one receives.
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        None
    }

    /// The tracker that follows the game, if there is one. The visitor itself must pass the starts of games and the
    /// moves to it.
    fn tracker(&mut self) -> Option<&mut Tracker> {
        None
    }

    /// Sets the source of the next games.
    fn source(&mut self, source: &Arc<GameSource>) {
        if let Some(inner) = self.inner() {
            inner.source(source);
        }
    }

    /// A game starts.
    fn begin_game(&mut self) {
        if let Some(inner) = self.inner() {
            inner.begin_game();
        }
    }

    /// A tag pair. The name consists of ASCII letters, digits and underscores, unless it is invalid.
    ///
    /// # Errors
    /// The problem with the tag, which is reported with its place.
    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        if let Some(inner) = self.inner() {
            return inner.tag(name, value);
        }
        self.tracker().map_or(Ok(()), |tracker| tracker.tag(name, value))
    }

    /// The tag section ends. Returns whether to skip the moves.
    fn end_tags(&mut self) -> Skip {
        if let Some(inner) = self.inner() {
            return inner.end_tags();
        }
        self.tracker().map_or(Skip::No, Tracker::end_tags)
    }

    /// A move as written, without a suffix such as `!?`, which follows as a glyph.
    ///
    /// # Errors
    /// The reason why the move cannot be played. The rest of its line is then skipped, and passed to
    /// [`unread`](Self::unread): up to the end of the variation, or to the result. A word that cannot be a move, such
    /// as `novelty`, is only ignored.
    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.inner().map_or(Ok(()), |inner| inner.mv(text))
    }

    /// A legal move of the position `before`, in a game that is stored as moves, and the position `after` it. By
    /// default this calls [`mv`](Self::mv) with the text of the move.
    ///
    /// # Errors
    /// The errors of [`mv`](Self::mv).
    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        if let Some(inner) = self.inner() {
            return inner.known_move(before, mv, after);
        }
        self.mv(San::new(before, mv).text().as_bytes())
    }

    /// The digits of the number before a move.
    ///
    /// # Errors
    /// A problem with the number, which is reported with its place.
    fn number(&mut self, digits: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.inner().map_or(Ok(()), |inner| inner.number(digits))
    }

    /// The text of moves that are not read, as in the file: the rest of a line after a move that cannot be played, or
    /// all moves of a game that is skipped.
    fn unread(&mut self, text: RawText<'_>) {
        if let Some(inner) = self.inner() {
            inner.unread(text);
        }
    }

    /// An annotation of the latest move or, at the start of a line, of the next one.
    fn nag(&mut self, nag: Nag) {
        if let Some(inner) = self.inner() {
            inner.nag(nag);
        }
    }

    /// A comment, without its braces or its semicolon.
    ///
    /// # Errors
    /// The reason why the line has to end here.
    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.inner().map_or(Ok(()), |inner| inner.comment(text))
    }

    /// The rest of a line that starts with `%`.
    fn escape(&mut self, text: RawText<'_>) {
        if let Some(inner) = self.inner() {
            inner.escape(text);
        }
    }

    /// A variation on the latest move starts. Returns whether to skip it;
    /// [`end_variation`](Self::end_variation) follows only if it is not skipped.
    ///
    /// # Errors
    /// The reason why a variation is not possible here. It is then skipped.
    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        if let Some(inner) = self.inner() {
            return inner.begin_variation();
        }
        self.tracker().map_or(Ok(()), Tracker::begin_variation)?;
        Ok(Skip::No)
    }

    /// The variation ends, and the line to which it belongs continues.
    fn end_variation(&mut self) {
        if let Some(inner) = self.inner() {
            inner.end_variation();
        } else if let Some(tracker) = self.tracker() {
            tracker.end_variation();
        }
    }

    /// The game termination marker, or the result of the tag if the marker is `*`.
    fn result(&mut self, result: GameResult) {
        if let Some(inner) = self.inner() {
            inner.result(result);
        }
    }

    /// An error of the text, or one returned by a method.
    fn error(&mut self, error: PgnError) {
        if let Some(inner) = self.inner() {
            inner.error(error);
        }
    }

    /// The game is about to end. Open variations have been ended.
    ///
    /// # Errors
    /// The reason why a part of the game is omitted, unless it was returned before.
    fn complete(&mut self) -> Result<(), Box<PgnProblem>> {
        self.inner().map_or(Ok(()), |inner| inner.complete())
    }

    /// The game ends.
    fn end_game(&mut self) {
        if let Some(inner) = self.inner() {
            inner.end_game();
        }
    }
}

/// Passes all calls to the inner visitor: readers are compiled only once for all visitors that are used through this
/// type.
impl Visitor for &mut dyn Visitor {
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        Some(&mut **self)
    }
}

/// Ignores all calls: only the syntax is read.
impl Visitor for () {}

/// Collects the errors.
impl Visitor for Vec<PgnError> {
    fn error(&mut self, error: PgnError) {
        self.push(error);
    }
}
