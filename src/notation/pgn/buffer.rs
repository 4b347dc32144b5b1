//! The part of a file that is being read.

use super::Place;
use std::io::{self, Read};

/// The number of bytes read at a time: large enough that a call costs nothing beside the parsing,
/// small enough to stay in the second-level cache.
const BLOCK_BYTES: usize = 128 * 1024;

/// A window on the bytes of a file. It grows only when asked to, for a long token.
pub(super) struct Buffer<R> {
    source: R,
    /// Filled up to `end`, read up to `start`.
    data: Vec<u8>,
    start: usize,
    end: usize,
    is_exhausted: bool,
    /// The place of the byte at `mark`.
    mark: usize,
    mark_place: Place,
}

impl<R: Read> Buffer<R> {
    pub(super) fn new(source: R, place: Place) -> Self {
        let data = vec![0; BLOCK_BYTES];
        Self { source, data, start: 0, end: 0, is_exhausted: false, mark: 0, mark_place: place }
    }

    /// The unread bytes in the window.
    #[inline(always)]
    pub(super) fn rest(&self) -> &[u8] {
        &self.data[self.start..self.end]
    }

    /// Whether there is nothing behind the window.
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

    /// Reads until at least this many bytes are in the window, or all there are.
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

    /// Appends more bytes to the window. False if there are none.
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
        self.end += read;
        self.is_exhausted = read == 0;
        Ok(!self.is_exhausted)
    }

    /// Makes room by dropping what has been read.
    fn drop_read(&mut self) {
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
        // Lines are counted only when a place is needed, but never twice.
        if self.mark < self.start {
            self.move_mark(self.start);
        }
        let at = self.start + ahead;
        self.mark_place.after(&self.data[self.mark..at], self.data[..self.end].get(at).copied())
    }
}
