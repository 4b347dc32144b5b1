//! Splitting a PGN stream between games.

use crate::notation::pgn::{FIRST_TAG, GameResult, Place};
use memchr::{memmem, memrchr2};
use parking_lot::Mutex;
use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::Arc;

/// The approximate size of chunks, in bytes: large enough that the overhead per chunk is negligible, small enough that
/// many fit in memory.
const CHUNK_BYTES: usize = 1 << 20;
/// The maximum size of a chunk; if there is no cut within it, the rest of the stream is one chunk.
const MAX_CHUNK_BYTES: usize = 8 << 20;

/// Some complete games of a stream.
pub(super) struct PgnChunk {
    /// The place of the chunk's start.
    pub place: Place,
    pub content: Box<dyn Read + Send>,
}

/// Splits a stream where a result and an empty line are followed by `[Event "`, which always starts a game. Other text
/// between two games belongs to one of them.
pub(super) struct Splitter {
    /// `None` when the whole stream has been returned.
    source: Option<Box<dyn Read + Send>>,
    /// The bytes that have been read but not returned.
    rest: Vec<u8>,
    place: Place,
    /// The error that ends the stream, returned after the text before it.
    failure: Option<io::Error>,
}

impl Splitter {
    pub(super) fn new(source: Box<dyn Read + Send>) -> Self {
        Self { source: Some(source), rest: Vec::new(), place: Place::START, failure: None }
    }

    /// The next chunk; `None` at the end. If the source cannot be read to its end, the text before the error comes
    /// first.
    pub(super) fn next(&mut self, spare: &SpareBuffers) -> io::Result<Option<PgnChunk>> {
        let mut buffer = spare.take();
        buffer.append(&self.rest);
        self.rest.clear();
        let mut wanted = CHUNK_BYTES;
        let cut = loop {
            let Some(source) = &mut self.source else { return self.last(buffer, spare) };
            match buffer.fill(source, wanted) {
                Ok(true) => self.source = None,
                Ok(false) => match last_cut(buffer.text()) {
                    Some(cut) => break cut,
                    None if buffer.filled < MAX_CHUNK_BYTES => wanted = buffer.filled * 2,
                    None => return Ok(Some(self.all(buffer, spare))),
                },
                Err(error) => {
                    self.source = None;
                    self.failure = Some(error);
                }
            }
        };
        self.rest.extend_from_slice(&buffer.text()[cut..]);
        buffer.filled = cut;
        let place = self.place;
        self.place = place.after(buffer.text(), self.rest.first().copied());
        Ok(Some(PgnChunk { place, content: Box::new(ChunkText::new(buffer, spare)) }))
    }

    /// The remaining text at the end of the source.
    fn last(&mut self, buffer: Buffer, spare: &SpareBuffers) -> io::Result<Option<PgnChunk>> {
        if buffer.filled == 0 {
            return self.failure.take().map_or(Ok(None), Err);
        }
        Ok(Some(self.all(buffer, spare)))
    }

    /// The rest of the stream as one chunk.
    fn all(&mut self, buffer: Buffer, spare: &SpareBuffers) -> PgnChunk {
        let read = ChunkText::new(buffer, spare);
        let content: Box<dyn Read + Send> = match self.source.take() {
            Some(source) => Box::new(read.chain(source)),
            None => Box::new(read),
        };
        PgnChunk { place: self.place, content }
    }
}

/// A buffer that is zeroed only once, even if it is reused.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    /// The number of bytes that are text; the others are left from earlier.
    filled: usize,
}

impl Buffer {
    fn text(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Makes room for this many bytes of text in total.
    fn reserve(&mut self, wanted: usize) {
        if self.bytes.len() < wanted {
            // The system provides zeroed memory at no cost.
            let mut larger = vec![0; wanted];
            larger[..self.filled].copy_from_slice(self.text());
            self.bytes = larger;
        }
    }

    fn append(&mut self, text: &[u8]) {
        let end = self.filled + text.len();
        self.reserve(end.max(CHUNK_BYTES));
        self.bytes[self.filled..end].copy_from_slice(text);
        self.filled = end;
    }

    /// Reads until there are this many bytes; returns true at the end. Bytes read before an error are kept.
    fn fill(&mut self, source: &mut impl Read, wanted: usize) -> io::Result<bool> {
        self.reserve(wanted);
        while self.filled < wanted {
            match source.read(&mut self.bytes[self.filled..wanted]) {
                Ok(0) => return Ok(true),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        self.text()
    }
}

/// The buffers of chunks that have been read. Each thread has its own, which stay in the cache of its processor.
#[derive(Clone, Default)]
pub(super) struct SpareBuffers(Arc<Mutex<Vec<Buffer>>>);

impl SpareBuffers {
    fn take(&self) -> Buffer {
        self.0.lock().pop().unwrap_or_default()
    }

    /// Keeps a buffer for reuse, unless it is unusually large.
    fn keep(&self, mut buffer: Buffer) {
        if buffer.bytes.len() <= CHUNK_BYTES {
            buffer.filled = 0;
            self.0.lock().push(buffer);
        }
    }
}

/// The text of a chunk, whose buffer is reused after the text is dropped.
struct ChunkText {
    read: Cursor<Buffer>,
    spare: SpareBuffers,
}

impl ChunkText {
    fn new(buffer: Buffer, spare: &SpareBuffers) -> Self {
        Self { read: Cursor::new(buffer), spare: spare.clone() }
    }
}

impl Read for ChunkText {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.read.read(into)
    }
}

impl Drop for ChunkText {
    fn drop(&mut self) {
        self.spare.keep(std::mem::take(self.read.get_mut()));
    }
}

/// The last offset at which the text can be split, other than its start.
fn last_cut(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    while let Some(at) = memmem::rfind(&text[..end], FIRST_TAG) {
        if is_behind_empty_line(&text[..at]) && is_behind_result(&text[..at]) {
            return Some(at);
        }
        end = at;
    }
    None
}

/// Whether these bytes end with an empty line.
fn is_behind_empty_line(bytes: &[u8]) -> bool {
    let before = bytes.strip_suffix(b"\r\n").or_else(|| bytes.strip_suffix(b"\n"));
    let before = before.or_else(|| bytes.strip_suffix(b"\r"));
    before.is_some_and(|before| before.ends_with(b"\n") || before.ends_with(b"\r"))
}

/// Whether these bytes end with the result of a game.
fn is_behind_result(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    let line = memrchr2(b'\n', b'\r', text).map_or(text, |end| &text[end + 1..]);
    let word = line.iter().rposition(u8::is_ascii_whitespace).map_or(line, |space| &line[space + 1..]);
    let is_comment = line.starts_with(b"%") || line.contains(&b';');
    !is_comment && GameResult::from_marker(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_only_behind_results_and_empty_lines() {
        let cases: [(&str, &[u8], Option<usize>); 12] = [
            ("nothing", b"", None),
            ("the beginning is no cut", b"[Event \"a\"]\n", None),
            ("LF", b"1-0\n\n[Event \"a\"]", Some(5)),
            ("CRLF", b"1-0\r\n\r\n[Event \"a\"]", Some(7)),
            ("CR", b"1-0\r\r[Event \"a\"]", Some(5)),
            ("no empty line", b"1-0\r\n[Event \"a\"]", None),
            ("the last one", b"*\n\n[Event \"a\"]\n\n*\n\n[Event \"b\"]\n[Event \"c\"]", Some(19)),
            ("another tag", b"*\n\n[Site \"a\"]", None),
            ("behind moves", b"1. e4 1/2-1/2 \n\n[Event \"a\"]", Some(16)),
            ("a comment that belongs to the next game", b"1-0\n\n{one}\n\n[Event \"a\"]", None),
            ("another comment", b"1-0\n\n; it ends 1-0\n\n[Event \"a\"]", None),
            ("tags without moves", b"[Event \"a\"]\n\n[Event \"b\"]", None),
        ];
        for (name, text, expected) in cases {
            assert_eq!(last_cut(text), expected, "{name}");
        }
    }

    #[test]
    fn pieces_make_up_the_whole() {
        let game = "[Event \"é\"]\n\n1. e4 e5 *\n\n";
        let text = game.repeat(3 * CHUNK_BYTES / game.len());
        let (mut splitter, spare) =
            (Splitter::new(Box::new(Cursor::new(text.clone()))), SpareBuffers::default());
        let mut whole = Vec::new();
        let mut chunks = 0;
        while let Some(mut chunk) = splitter.next(&spare).expect("memory can be read") {
            chunks += 1;
            assert_eq!(chunk.place.offset, whole.len() as u64);
            assert_eq!(chunk.place, Place::START.after(&whole, None));
            chunk.content.read_to_end(&mut whole).expect("memory can be read");
            assert!(whole.ends_with(b"\n\n"));
        }
        assert!(chunks > 2, "{chunks} chunks");
        assert_eq!(whole, text.as_bytes());
    }

    #[test]
    fn what_cannot_be_cut_is_one_piece() {
        let text = "1. e4 e5 * ".repeat(2 * MAX_CHUNK_BYTES / 11);
        let (mut splitter, spare) =
            (Splitter::new(Box::new(Cursor::new(text.clone()))), SpareBuffers::default());
        let mut chunk = splitter.next(&spare).expect("memory can be read").expect("a chunk");
        let mut whole = String::new();
        chunk.content.read_to_string(&mut whole).expect("memory can be read");
        assert!(whole == text);
        assert!(splitter.next(&spare).expect("memory can be read").is_none());
    }
}
