//! Where in a file something stands.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Bytes before it, counted from the start of the file, a byte order mark included.
    pub offset: u64,
    /// The line, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1.
    pub column: u64,
}

impl Place {
    /// The first byte of a file.
    pub const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// The place behind these bytes, which begin here. A line ends with LF, CRLF or CR; the
    /// byte that follows, if any, tells whether a CR at the end of the bytes is one of its own.
    pub fn after(self, bytes: &[u8], next: Option<u8>) -> Self {
        let mut place = Self { offset: self.offset + bytes.len() as u64, ..self };
        let mut lines = memchr::memchr_iter(b'\n', bytes).count();
        let mut line_start = memchr::memrchr(b'\n', bytes).map(|last| last + 1);
        // Carriage returns are rare but in files that have one with every line feed.
        for at in memchr::memchr_iter(b'\r', bytes) {
            if bytes.get(at + 1).copied().or(next) != Some(b'\n') {
                lines += 1;
                line_start = line_start.max(Some(at + 1));
            }
        }
        place.line += lines as u64;
        if line_start.is_some() {
            place.column = 1;
        }
        let rest = &bytes[line_start.unwrap_or(0)..];
        place.column += rest.iter().filter(|&&byte| !is_continuation(byte)).count() as u64;
        place
    }
}

/// Is this a byte that continues a character of UTF-8?
const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let cases = [
            ("nothing", "", None, (1, 1)),
            ("one line", "abc", None, (1, 4)),
            ("two bytes of one letter", "aé", None, (1, 3)),
            ("LF", "a\nbc", None, (2, 3)),
            ("CRLF", "a\r\nbc\r\n", None, (3, 1)),
            ("CR", "a\rbc\r", Some(b'x'), (3, 1)),
            ("CRLF cut in two", "a\r", Some(b'\n'), (1, 3)),
            ("all of them", "\n\r\r\n\nx", None, (5, 2)),
        ];
        for (name, text, next, (line, column)) in cases {
            let bytes = text.as_bytes();
            let expected = Place { offset: bytes.len() as u64, line, column };
            assert_eq!(Place::START.after(bytes, next), expected, "{name}");
        }
    }
}
