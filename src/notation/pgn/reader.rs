//! Reading a file game by game.

use super::buffer::Buffer;
use super::symbols::wide_space;
use super::{Encoding, GameResult, PgnError, PgnProblem, Place, Visitor};
use crate::notation::Excerpt;
use std::io::{self, Read};

/// The maximum length of tokens, in bytes, except comments, tag values and escape lines: the standard has at most 255
/// bytes. This many bytes are always in the window when a token is read.
pub(super) const LOOK_AHEAD: usize = 1024;

/// The maximum length of a comment, a tag value or a line, in bytes: 4000 times the limit of the standard, and small
/// enough that a file cannot exhaust the memory.
pub const MAX_TEXT_BYTES: usize = 1 << 20;

/// The maximum number of errors reported for one game, except the one that ends its main line: a text with more errors
/// is not PGN.
const MAX_ERRORS: u32 = 15;

/// The text that always starts a game after an empty line, even in a comment that is not closed. Most files contain it,
/// and can be split there.
pub const FIRST_TAG: &[u8] = b"[Event \"";

/// Reads games from any source, in constant memory.
///
/// The content of a file never ends the reading: errors in a game are passed to [`Visitor::error`], and the next game
/// is read.
///
/// ```
/// use hematite_core::notation::pgn::{Reader, Visitor};
///
/// #[derive(Default)]
/// struct Count { games: usize, moves: usize }
///
/// impl Visitor for Count {
///     fn mv(&mut self, _: &[u8]) -> Result<(), Box<hematite_core::notation::pgn::PgnProblem>> {
///         self.moves += 1;
///         Ok(())
///     }
///     fn end_game(&mut self) {
///         self.games += 1;
///     }
/// }
///
/// let mut count = Count::default();
/// let mut reader = Reader::new("1. e4 e5 1-0\n\n[Event \"?\"]\n\n1. d4 *".as_bytes());
/// while reader.read_game(&mut count).unwrap() {}
/// assert_eq!((count.games, count.moves), (2, 3));
/// ```
pub struct Reader<R> {
    pub(super) buffer: Buffer<R>,
    /// The text skipped before the current token.
    pub(super) gap: Gap,
    is_at_start: bool,
    /// The start of the next game, if it has been searched.
    first: Option<First>,
    pub(super) errors: u32,
    /// Errors before the next game, which the visitor receives when the game starts.
    unreported: Vec<PgnError>,
    /// Comments and escape lines before the moves of a game.
    pub(super) early: Vec<Early>,
    /// The size of these in memory, in bytes, including those omitted.
    early_bytes: usize,
    /// The result of the tag, if it has one.
    pub(super) tag_result: Option<GameResult>,
    has_last_problem: bool,
    max_line_chars: usize,
    /// The place where the text of the next game starts, if boundaries are tracked.
    boundary: Option<Place>,
}

/// The start of a game.
#[derive(Clone, Copy)]
enum First {
    /// A token that starts with this byte.
    Token(u8),
    /// Only a comment that is not closed, or after which there is no game. It is kept with the preceding game, or as a
    /// separate game if there is none.
    Comment,
}

/// White space between two tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The number of line ends in the gap.
    pub newlines: u32,
    /// Whether the gap ends with a line end, so that the token is in the first column.
    pub ends_line: bool,
}

impl Gap {
    const START: Self = Self::LINE_END;
    /// A single line end, possibly behind spaces.
    pub(super) const LINE_END: Self = Self { newlines: 1, ends_line: true };
    /// Nothing, or spaces.
    pub(super) const NONE: Self = Self { newlines: 0, ends_line: false };

    /// Whether the token is the first one on its line, possibly after spaces.
    pub(super) const fn begins_line(self) -> bool {
        self.newlines > 0
    }

    /// Whether the gap contains an empty line.
    pub(super) const fn has_empty_line(self) -> bool {
        self.newlines > 1
    }
}

/// Text before the tags.
pub(super) enum Early {
    Comment(String),
    Escape(String),
}

impl<R: Read> Reader<R> {
    /// Reads from the start of a file.
    pub fn new(source: R) -> Self {
        Self::within(source, Place::START)
    }

    /// Reads from this place in a file, where a game starts.
    pub fn within(source: R, place: Place) -> Self {
        Self {
            buffer: Buffer::new(source, place),
            gap: Gap::START,
            is_at_start: true,
            first: None,
            errors: 0,
            unreported: Vec::new(),
            early: Vec::new(),
            early_bytes: 0,
            tag_result: None,
            has_last_problem: false,
            max_line_chars: 0,
            boundary: None,
        }
    }

    /// Continues to read from this place, directly after a game.
    pub fn behind(source: R, place: Place) -> Self {
        Self { is_at_start: false, ..Self::within(source, place) }
    }

    /// Starts to track the ends of games.
    pub fn track_boundaries(&mut self) {
        self.boundary = Some(self.buffer.place(0));
    }

    /// The place where the text of the latest game ends and that of the next game, with its comments, starts. It is
    /// valid after a call of [`next_place`](Self::next_place); `None` if boundaries are not tracked.
    pub const fn boundary(&self) -> Option<Place> {
        self.boundary
    }

    /// Also reports lines with more characters than this.
    pub fn limit_lines(&mut self, max_chars: usize) {
        self.buffer.limit_lines(max_chars);
        self.max_line_chars = max_chars;
    }

    /// Reads the next game, and returns false if there is none.
    ///
    /// # Errors
    /// An error of the source; the content of the file is never an error.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        self.find_game()?;
        let Some(first) = self.first.take() else { return Ok(false) };
        visitor.begin_game();
        for error in std::mem::take(&mut self.unreported) {
            visitor.error(error);
        }
        self.tag_result = None;
        self.has_last_problem = false;
        let missing = match first {
            First::Token(b'[') if !self.read_tags(visitor)? => Some(PgnProblem::MissingResult),
            First::Token(_) => None,
            First::Comment => Some(PgnProblem::MissingGame),
        };
        let skip = self.finish_tags(visitor);
        match missing {
            Some(problem) => self.problem(0, problem, visitor),
            None => self.read_moves(skip, visitor)?,
        }
        if self.max_line_chars > 0 {
            self.report_long_lines(visitor);
        }
        self.find_game()?;
        if let Some(First::Comment) = self.first {
            // Only comments follow, up to the end or to a comment that is not closed.
            self.first = None;
            for error in std::mem::take(&mut self.unreported) {
                visitor.error(error);
            }
            self.pass_on_early(skip, visitor);
            self.problem(0, PgnProblem::MissingGame, visitor);
        } else if self.first.is_none() {
            // Escape lines, which are not an error.
            self.pass_on_early(skip, visitor);
        }
        if let Err(problem) = visitor.complete() {
            self.last_problem(*problem, visitor);
        }
        visitor.end_game();
        Ok(true)
    }

    #[cold]
    fn report_long_lines<V: Visitor>(&mut self, visitor: &mut V) {
        while let Some(place) = self.buffer.long_line() {
            self.errors = self.errors.saturating_add(1);
            if self.errors <= MAX_ERRORS {
                visitor.error(PgnError { place, problem: PgnProblem::LongLine(self.max_line_chars) });
            }
        }
    }

    /// The place where the next game starts; `None` if there is none.
    ///
    /// # Errors
    /// An error of the source.
    pub fn next_place(&mut self) -> io::Result<Option<Place>> {
        self.find_game()?;
        Ok(self.first.map(|_| self.buffer.place(0)))
    }

    /// Skips the text before the next game.
    fn find_game(&mut self) -> io::Result<()> {
        if self.first.is_none() {
            if self.boundary.is_some() {
                self.boundary = Some(self.buffer.place(0));
            }
            self.errors = 0;
            self.early.clear();
            self.early_bytes = 0;
            self.gap = if self.is_at_start { Gap::START } else { Gap::NONE };
            self.is_at_start = false;
            let token = self.next_after_gap()?;
            let mut unreported = std::mem::take(&mut self.unreported);
            let token = self.pass_early(token, &mut unreported)?;
            self.unreported = unreported;
            let is_comment = |early: &Early| matches!(early, Early::Comment(_));
            let has_comment = !self.unreported.is_empty() || self.early.iter().any(is_comment);
            self.first = token.map(First::Token).or(has_comment.then_some(First::Comment));
        }
        Ok(())
    }

    /// Skips to the next token of the game, and keeps comments and escape lines. `None` at the end of the game.
    pub(super) fn next_but_early<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<Option<u8>> {
        let token = self.next()?;
        self.pass_early(token, visitor)
    }

    fn pass_early<V: Visitor>(&mut self, mut token: Option<u8>, visitor: &mut V) -> io::Result<Option<u8>> {
        while let Some(byte) = token {
            match byte {
                b'%' if self.gap.ends_line => self.pass_early_line(Early::Escape, visitor)?,
                b';' => self.pass_early_line(Early::Comment, visitor)?,
                b'{' if self.pass_early_comment(visitor)? == Closing::Missing => {
                    // After the comment there is another game, or the end of the file.
                    self.next()?;
                    return Ok(None);
                }
                b'{' => {}
                _ => break,
            }
            token = self.next()?;
        }
        Ok(token)
    }

    fn pass_early_line<V: Visitor>(&mut self, kind: fn(String) -> Early, visitor: &mut V) -> io::Result<()> {
        self.buffer.advance(1);
        let (length, is_complete) = self.take_line()?;
        if !is_complete || length > MAX_TEXT_BYTES {
            return self.skip_long_line(length, visitor);
        }
        self.keep_early(kind, length, visitor);
        self.buffer.advance(length);
        Ok(())
    }

    fn pass_early_comment<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<Closing> {
        self.buffer.advance(1);
        let (length, closing) = self.take_comment()?;
        if closing == Closing::TooLong || length > MAX_TEXT_BYTES {
            return self.skip_long_comment(length, visitor);
        }
        if closing == Closing::Missing {
            self.problem(0, PgnProblem::UnclosedComment, visitor);
        }
        self.keep_early(Early::Comment, length, visitor);
        self.buffer.advance(length);
        self.close_comment();
        Ok(closing)
    }

    /// Keeps the next `bytes` bytes, if there is room.
    pub(super) fn keep_early<V: Visitor>(
        &mut self,
        kind: fn(String) -> Early,
        bytes: usize,
        visitor: &mut V,
    ) {
        let was_full = self.early_bytes > MAX_TEXT_BYTES;
        // Even an empty text uses some memory.
        self.early_bytes = self.early_bytes.saturating_add(bytes + size_of::<Early>());
        if self.early_bytes <= MAX_TEXT_BYTES {
            let text = Encoding::Utf8.decode(&self.buffer.rest()[..bytes]).into_owned();
            self.early.push(kind(text));
        } else if !was_full {
            self.problem(0, PgnProblem::TooLarge, visitor);
        }
    }

    /// Skips a comment that is too long, of which this many bytes are in the window.
    #[cold]
    pub(super) fn skip_long_comment<V: Visitor>(
        &mut self,
        mut length: usize,
        visitor: &mut V,
    ) -> io::Result<Closing> {
        self.too_long(length, visitor);
        loop {
            self.buffer.advance(length);
            let closing;
            (length, closing) = self.take_comment()?;
            if closing != Closing::TooLong {
                self.buffer.advance(length);
                self.close_comment();
                return Ok(closing);
            }
        }
    }

    /// Skips a line that is too long, of which this many bytes are in the window.
    #[cold]
    pub(super) fn skip_long_line<V: Visitor>(&mut self, length: usize, visitor: &mut V) -> io::Result<()> {
        self.too_long(length, visitor);
        self.skip_line()
    }

    fn too_long<V: Visitor>(&mut self, length: usize, visitor: &mut V) {
        let found = self.excerpt(length);
        self.problem(0, PgnProblem::TooLong { found, limit: MAX_TEXT_BYTES }, visitor);
    }

    /// Skips white space and returns the byte after it. `None` at the end.
    #[inline(always)]
    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        self.gap = Gap::NONE;
        let rest = self.buffer.rest();
        // In nearly all cases there is one space, or none.
        if rest.len() > LOOK_AHEAD {
            match (rest[0], rest[1]) {
                (b' ', byte @ b'!'..=b'~') => {
                    self.buffer.advance(1);
                    return Ok(Some(byte));
                }
                (byte @ b'!'..=b'~', _) => return Ok(Some(byte)),
                _ => {}
            }
        }
        self.next_after_gap()
    }

    /// The length of a non-ASCII space this far ahead, if there is one; 0 if the window ends within the character.
    #[cold]
    fn wide_space(&self, ahead: usize) -> Option<usize> {
        const MAX_SPACE_BYTES: usize = 3;
        let rest = &self.buffer.rest()[ahead..];
        if rest.len() < MAX_SPACE_BYTES && !self.buffer.is_exhausted() { Some(0) } else { wide_space(rest) }
    }

    /// Like [`Self::next`], but continues the gap.
    fn next_after_gap(&mut self) -> io::Result<Option<u8>> {
        loop {
            let rest = self.buffer.rest();
            let mut length = 0;
            let mut gap = self.gap;
            let found = loop {
                let Some(&byte) = rest.get(length) else { break None };
                match byte {
                    b' ' => gap.ends_line = false,
                    b'\n' => gap = Gap { newlines: gap.newlines.saturating_add(1), ends_line: true },
                    // The byte after it has not been read yet.
                    b'\r' if length + 1 == rest.len() && !self.buffer.is_exhausted() => break None,
                    b'\r' => {
                        // In a CRLF pair the LF counts as the line end.
                        let is_pair = rest.get(length + 1) == Some(&b'\n');
                        let newlines = gap.newlines.saturating_add(u32::from(!is_pair));
                        gap = Gap { newlines, ends_line: true };
                    }
                    // Old programs end files and blocks with NUL or SUB.
                    b'\t' | 0x0b | 0x0c | 0 | 0x1a => gap.ends_line = false,
                    // A space beyond ASCII, or a byte order mark; the rest of the character may not have been read yet.
                    0x80.. => match self.wide_space(length) {
                        Some(0) => break None,
                        Some(bytes) => {
                            gap.ends_line &= rest[length..].starts_with(super::text::BYTE_ORDER_MARK);
                            length += bytes - 1;
                        }
                        None => break Some(byte),
                    },
                    _ => break Some(byte),
                }
                length += 1;
            };
            self.gap = gap;
            self.buffer.advance(length);
            self.buffer.ensure(LOOK_AHEAD)?;
            if found.is_some() || self.buffer.is_exhausted() && self.buffer.rest().is_empty() {
                return Ok(found);
            }
        }
    }

    /// The length of the rest of the line without its end, as far as it fits into the window; and whether that is the
    /// whole line.
    pub(super) fn take_line(&mut self) -> io::Result<(usize, bool)> {
        let mut seen = 0;
        loop {
            let rest = self.buffer.rest();
            if let Some(end) = memchr::memchr2(b'\n', b'\r', &rest[seen..]) {
                return Ok((seen + end, true));
            }
            seen = rest.len();
            if seen > MAX_TEXT_BYTES {
                return Ok((seen, false));
            }
            if !self.buffer.extend()? {
                return Ok((seen, true));
            }
        }
    }

    /// The length of the comment up to its closing brace, as far as it fits into the window; and how it ends.
    #[inline(always)]
    pub(super) fn take_comment(&mut self) -> io::Result<(usize, Closing)> {
        let rest = self.buffer.rest();
        match memchr::memchr3(b'}', b'\n', b'\r', rest) {
            Some(end) if rest[end] == b'}' => Ok((end, Closing::Brace)),
            found => self.take_long_comment(found.unwrap_or(rest.len())),
        }
    }

    /// The length and the end of a comment that continues after the `seen` bytes.
    fn take_long_comment(&mut self, mut seen: usize) -> io::Result<(usize, Closing)> {
        loop {
            let rest = self.buffer.rest();
            match comment_end(rest, seen, self.buffer.is_exhausted()) {
                Ok(end) => return Ok(end),
                Err(so_far) => seen = so_far,
            }
            if seen > MAX_TEXT_BYTES {
                return Ok((seen, Closing::TooLong));
            }
            if !self.buffer.extend()? && seen >= self.buffer.rest().len() {
                return Ok((self.buffer.rest().len(), Closing::Missing));
            }
        }
    }

    /// Skips the closing brace, if there is one.
    pub(super) fn close_comment(&mut self) {
        if self.buffer.rest().first() == Some(&b'}') {
            self.buffer.advance(1);
        }
    }

    /// Reports a problem this many bytes ahead.
    #[cold]
    pub(super) fn problem<V: Visitor>(&mut self, ahead: usize, problem: PgnProblem, visitor: &mut V) {
        self.errors = self.errors.saturating_add(1);
        if self.errors <= MAX_ERRORS {
            visitor.error(PgnError { place: self.buffer.place(ahead), problem });
        }
    }

    /// Reports a problem that ends a line. One such problem is reported in each game even after too many errors, so
    /// that a game that is not read to its end always has an error.
    #[cold]
    pub(super) fn last_problem<V: Visitor>(&mut self, problem: PgnProblem, visitor: &mut V) {
        if self.errors >= MAX_ERRORS && !self.has_last_problem {
            visitor.error(PgnError { place: self.buffer.place(0), problem });
        } else {
            self.problem(0, problem, visitor);
        }
        self.has_last_problem = true;
    }

    /// The next bytes for a message.
    #[cold]
    pub(super) fn excerpt(&self, bytes: usize) -> Excerpt {
        let rest = self.buffer.rest();
        // An excerpt is always shorter than this.
        let shown = &rest[..bytes.min(rest.len()).min(LOOK_AHEAD)];
        Excerpt::new(&Encoding::Utf8.decode(shown))
    }
}

/// The end of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closing {
    /// The comment ends with a brace.
    Brace,
    /// The brace is missing: the next game starts, or the file ends.
    Missing,
    /// The comment exceeds the limit.
    TooLong,
}

/// Finds the end of a comment, starting at `seen`. If it is not found, the error is the length of the text without an
/// end.
#[inline(always)]
fn comment_end(rest: &[u8], seen: usize, is_exhausted: bool) -> Result<(usize, Closing), usize> {
    let mut at = seen;
    while let Some(next) = memchr::memchr3(b'}', b'\n', b'\r', &rest[at..]) {
        at += next;
        if rest[at] == b'}' {
            return Ok((at, Closing::Brace));
        }
        let line = skip_newline(rest, at);
        let after = skip_newline(rest, line);
        if after > line && rest[after..].starts_with(FIRST_TAG) {
            return Ok((at, Closing::Missing));
        }
        if rest.len() < after + FIRST_TAG.len() && !is_exhausted {
            return Err(at);
        }
        at = line;
    }
    Err(rest.len())
}

/// The index after the line end at `at`, or `at` if there is none.
pub(super) const fn skip_newline(rest: &[u8], at: usize) -> usize {
    if at >= rest.len() {
        return at;
    }
    match rest[at] {
        b'\n' => at + 1,
        b'\r' if at + 1 < rest.len() && rest[at + 1] == b'\n' => at + 2,
        b'\r' => at + 1,
        _ => at,
    }
}
