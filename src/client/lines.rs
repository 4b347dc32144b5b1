//! The threads that read what an engine says.

use super::process::Line;
use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::thread;
use std::time::Instant;

/// The longest line that is kept, in bytes; the rest of a longer one is dropped. The longest
/// lines that mean something are those with a variation, a few kilobytes.
const LONGEST_LINE: usize = 64 * 1024;

/// How many lines may wait. An engine that says more has to wait itself: it cannot fill our
/// memory.
const QUEUE: usize = 4096;

/// Starts a thread that reads lines, each with the time at which it came, until the end of the
/// output, where the channel closes.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn spawn_reader(output: impl Read + Send + 'static) -> io::Result<Receiver<Line>> {
    let (sender, receiver) = bounded(QUEUE);
    for_each_line(output, move |bytes| sender.send(Line { bytes, at: Instant::now() }).is_ok())?;
    Ok(receiver)
}

/// Starts a thread that hands over each line until there is no more or nobody wants more.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn for_each_line(
    output: impl Read + Send + 'static,
    mut take: impl FnMut(Vec<u8>) -> bool + Send + 'static,
) -> io::Result<()> {
    thread::Builder::new().name("engine output".to_owned()).spawn(move || {
        let mut output = BufReader::new(output);
        while let Some(line) = read_line(&mut output, LONGEST_LINE) {
            if !take(line) {
                break;
            }
        }
    })?;
    Ok(())
}

/// Reads a line without its end; `None` at the end of the output.
fn read_line(output: &mut impl BufRead, longest: usize) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let mut has_begun = false;
    loop {
        let bytes = match output.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
            Ok(bytes) => bytes,
        };
        if bytes.is_empty() {
            return has_begun.then_some(line);
        }
        has_begun = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (part, used) = end.map_or((bytes, bytes.len()), |end| (&bytes[..end], end + 1));
        line.extend_from_slice(&part[..part.len().min(longest - line.len())]);
        output.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Some(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_bounded() {
        let cases: [(&str, &[u8], &[&str]); 6] = [
            ("nothing", b"", &[]),
            ("two", b"uciok\nreadyok\n", &["uciok", "readyok"]),
            ("carriage returns", b"uciok\r\n\r\n", &["uciok", ""]),
            ("no end", b"uciok\nread", &["uciok", "read"]),
            ("just short enough", b"12345678\nx", &["12345678", "x"]),
            ("too long", b"1234567890123\nx\n", &["12345678", "x"]),
        ];
        for (name, text, expected) in cases {
            for capacity in [1, 3, 64] {
                let mut output = BufReader::with_capacity(capacity, text);
                let found: Vec<_> = std::iter::from_fn(|| read_line(&mut output, 8)).collect();
                let found: Vec<_> = found.iter().map(|line| String::from_utf8_lossy(line)).collect();
                assert_eq!(found, expected, "{name}, buffer of {capacity}");
            }
        }
    }
}
