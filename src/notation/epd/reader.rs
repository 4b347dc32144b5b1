//! Reading a file, one record after the other.

use super::{EpdError, EpdLine, EpdProblem, parse_epd_line};
use crate::notation::pgn::{BYTE_ORDER_MARK, Encoding};
use std::io::{self, BufRead};

/// The longest line that is read, in bytes. The standard asks for 1024, which some records
/// exceed; a file without line ends does not fill the memory.
const MAX_LINE: usize = 64 * 1024;

/// Reads the lines of a file as they are asked for. A line without a position is an error, and
/// reading goes on after it; a line with a wrong operation is read as far as it is right.
///
/// Skipped are blank lines and comments, which begin with `#`. The text is UTF-8, with or without
/// a byte order mark, or Latin-1; lines end in LF, CRLF or CR.
///
/// ```
/// use hematite::notation::EpdReader;
/// let file = "# two positions\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n8/8 w - -\n";
/// let mut records = EpdReader::new(file.as_bytes());
/// assert!(records.next().unwrap().unwrap().problems.is_empty());
/// let error = records.next().unwrap().unwrap_err();
/// assert!(error.to_string().starts_with("line 3, column 1: piece placement: 2 ranks"));
/// assert!(records.next().is_none());
/// ```
#[derive(Debug)]
pub struct EpdReader<R> {
    reader: R,
    /// The number of the line that was read last.
    line: usize,
    /// The last line ended in CR, so that an LF belongs to it.
    after_cr: bool,
    is_over: bool,
}

impl<R: BufRead> EpdReader<R> {
    /// The records of a file.
    pub const fn new(reader: R) -> Self {
        Self { reader, line: 0, after_cr: false, is_over: false }
    }

    /// The next line without its end; `None` after the last one.
    fn read_line(&mut self) -> Option<Result<Vec<u8>, EpdProblem>> {
        let mut line = Vec::new();
        let mut length = 0_usize;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(EpdProblem::Io(error)));
                }
            };
            if buffer.is_empty() {
                self.is_over = true;
                break if length == 0 { None } else { Some(()) };
            }
            let skipped = usize::from(self.after_cr && buffer[0] == b'\n');
            self.after_cr = false;
            let end = buffer[skipped..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &buffer[skipped..skipped + end.unwrap_or(buffer.len() - skipped)];
            if line.len() + part.len() <= MAX_LINE {
                line.extend_from_slice(part);
            }
            length = length.saturating_add(part.len());
            let used = skipped + part.len() + usize::from(end.is_some());
            self.after_cr = end.is_some_and(|end| buffer[skipped + end] == b'\r');
            self.reader.consume(used);
            if end.is_some() {
                break Some(());
            }
        }?;
        Some(if length > MAX_LINE { Err(EpdProblem::TooLong(MAX_LINE)) } else { Ok(line) })
    }
}

impl<R: BufRead> Iterator for EpdReader<R> {
    type Item = Result<EpdLine, EpdError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            self.line += 1;
            let line = match self.read_line()? {
                Ok(bytes) => bytes,
                Err(problem) => return Some(Err(EpdError { line: self.line, column: 1, problem })),
            };
            let is_first = self.line == 1;
            let marked = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first);
            // Line by line: UTF-8 if it is that, and Latin-1 if not.
            let text = &*Encoding::Utf8.decode(marked.unwrap_or(&line));
            let first = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\0');
            if !first.is_empty() && !first.starts_with('#') {
                return Some(parse_epd_line(text, self.line));
            }
        }
        None
    }
}
