//! The buffered part of a file that is being read.

use super::{MAX_GAME_TEXT, Place};
use std::collections::VecDeque;
use std::io::{self, Read};

/// The number of bytes read at a time: large enough that the cost of a call is small compared to the parsing, and small
/// enough to stay in the second-level cache.
const BLOCK_BYTES: usize = 128 * 1024;

/// A window on the bytes of a file. It grows only on request, for a long token.
pub(super) struct Buffer<R> {
    source: R,
    /// The bytes of the window: filled up to `end`, read up to `start`.
    data: Vec<u8>,
    start: usize,
    end: usize,
    is_exhausted: bool,
    /// The place of the byte at `mark`.
    mark: usize,
    mark_place: Place,
    /// The start of text that is kept while it is read, if any.
    held: Option<usize>,
    /// The part of the kept text that has left the window.
    kept: Vec<u8>,
    lines: Option<LineLimit>,
}

/// The search for lines that are longer than a limit.
struct LineLimit {
    max_chars: usize,
    /// The place up to which the text has been measured.
    place: Place,
    /// The start of the line at `place`, and the number of its characters so far.
    line_start: Place,
    chars: usize,
    /// The starts of the lines that are too long.
    found: VecDeque<Place>,
}

/// The maximum length of kept text, in bytes: no game can hold more.
const MAX_KEPT_BYTES: usize = MAX_GAME_TEXT;

impl<R: Read> Buffer<R> {
    pub(super) fn new(source: R, place: Place) -> Self {
        let data = vec![0; BLOCK_BYTES];
        Self {
            source,
            data,
            start: 0,
            end: 0,
            is_exhausted: false,
            mark: 0,
            mark_place: place,
            held: None,
            kept: Vec::new(),
            lines: None,
        }
    }

    /// Reports lines with more characters than this, from here on.
    pub(super) fn limit_lines(&mut self, max_chars: usize) {
        let place = self.place(0);
        let mut lines = LineLimit { max_chars, place, line_start: place, chars: 0, found: VecDeque::new() };
        lines.measure(&self.data[self.start..self.end]);
        self.lines = Some(lines);
    }

    /// Takes the start of the next line that is too long and starts before the unread bytes.
    pub(super) fn long_line(&mut self) -> Option<Place> {
        if self.lines.as_ref()?.found.is_empty() {
            return None;
        }
        let here = self.place(0);
        self.lines.as_mut()?.found.pop_front_if(|place| place.offset < here.offset)
    }

    /// Starts to keep the text that is read from here on.
    pub(super) fn hold(&mut self) {
        self.held = Some(self.start);
        self.kept.clear();
    }

    /// Ends keeping text, and returns the text read since [`Self::hold`].
    pub(super) fn release(&mut self) -> Option<Vec<u8>> {
        let held = self.held?;
        self.keep(held);
        self.held = None;
        Some(std::mem::take(&mut self.kept))
    }

    /// Inserts additional text into the kept text at this place.
    pub(super) fn add_to_held(&mut self, text: &[u8]) {
        if let Some(held) = self.held.replace(self.start) {
            self.keep(held);
            self.kept.extend_from_slice(text);
        } else {
            self.held = None;
        }
    }

    fn keep(&mut self, held: usize) {
        let room = MAX_KEPT_BYTES.saturating_sub(self.kept.len());
        let text = &self.data[held..self.start];
        self.kept.extend_from_slice(&text[..text.len().min(room)]);
    }

    /// The unread bytes in the window.
    #[inline(always)]
    pub(super) fn rest(&self) -> &[u8] {
        &self.data[self.start..self.end]
    }

    /// Whether there is nothing after the window.
    #[inline(always)]
    pub(super) const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Marks this many bytes as read.
    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        debug_assert!(self.start <= self.end);
    }

    /// Reads until the window has at least this many unread bytes, or all bytes that are left.
    #[inline(always)]
    pub(super) fn ensure(&mut self, bytes: usize) -> io::Result<()> {
        if self.end - self.start < bytes && !self.is_exhausted { self.ensure_slowly(bytes) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn ensure_slowly(&mut self, bytes: usize) -> io::Result<()> {
        while self.end - self.start < bytes && !self.is_exhausted {
            self.extend()?;
        }
        Ok(())
    }

    /// Appends more bytes to the window, and returns false if there are none.
    pub(super) fn extend(&mut self) -> io::Result<bool> {
        if self.start > 0 {
            self.drop_read();
        }
        if self.end == self.data.len() {
            self.data.resize(self.data.len() * 2, 0);
        }
        let read = loop {
            match self.source.read(&mut self.data[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        if let Some(lines) = &mut self.lines {
            lines.measure(&self.data[self.end..self.end + read]);
        }
        self.end += read;
        self.is_exhausted = read == 0;
        Ok(!self.is_exhausted)
    }

    /// Makes room by dropping the bytes that have been read.
    fn drop_read(&mut self) {
        if let Some(held) = self.held.replace(0) {
            self.keep(held);
        } else {
            self.held = None;
        }
        self.move_mark(self.start);
        self.data.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        self.mark = 0;
    }

    fn move_mark(&mut self, to: usize) {
        self.mark_place =
            self.mark_place.after(&self.data[self.mark..to], self.data[..self.end].get(to).copied());
        self.mark = to;
    }

    /// The place of the byte this far ahead.
    pub(super) fn place(&mut self, ahead: usize) -> Place {
        // Lines are counted only on demand, and only once.
        if self.mark < self.start {
            self.move_mark(self.start);
        }
        let at = self.start + ahead;
        self.mark_place.after(&self.data[self.mark..at], self.data[..self.end].get(at).copied())
    }
}

impl LineLimit {
    fn measure(&mut self, bytes: &[u8]) {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let mut start = 0;
        while start < bytes.len() {
            let length = bytes[start..].iter().position(is_end);
            let end = length.map_or(bytes.len(), |length| start + length);
            let chars = bytes[start..end].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
            if self.chars <= self.max_chars && self.chars + chars > self.max_chars {
                self.found.push_back(self.line_start);
            }
            self.chars += chars;
            let behind = bytes.len().min(end + 1);
            // If the bytes end with CR, an LF is assumed to follow.
            let next = bytes.get(behind).copied().or(Some(b'\n'));
            self.place = self.place.after(&bytes[start..behind], next);
            if length.is_some() {
                self.chars = 0;
                self.line_start = self.place;
            }
            start = behind;
        }
    }
}
