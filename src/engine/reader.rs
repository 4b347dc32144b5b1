//! The thread that reads lines.

use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::thread;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// Its bytes, without the line end.
    Line(Vec<u8>),
    /// It was longer than [`LONGEST_LINE`] and has been dropped.
    TooLong,
}

/// The longest line that is kept, in bytes: a hundred times the longest game there can be, so
/// that a stream without line ends does not fill the memory.
pub(super) const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// How many lines may wait for the session. It hardly ever waits itself, so this bounds the
/// memory and not the speed.
const QUEUE: usize = 1024;

/// Starts a thread that reads lines until the end of the input, where the channel closes.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn spawn(input: impl Read + Send + 'static) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(QUEUE);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        while let Some(line) = read_line(&mut input, LONGEST_LINE) {
            if sender.send(line).is_err() {
                break; // the session is over
            }
        }
    })?;
    Ok(receiver)
}

/// Reads a line; `None` at the end of the input. What stands behind the last line end is a
/// line too, and an input that fails is one that has ended.
fn read_line(input: &mut impl BufRead, longest: usize) -> Option<Input> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
            Ok(bytes) => bytes,
        };
        let is_at_end = bytes.is_empty();
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (part, used) = match end {
            Some(end) => (&bytes[..end], end + 1),
            None => (bytes, bytes.len()),
        };
        if line.len() + part.len() > longest {
            is_too_long = true;
            line = Vec::new();
        }
        if !is_too_long {
            line.extend_from_slice(part);
        }
        input.consume(used);
        if is_at_end && line.is_empty() && !is_too_long {
            return None;
        }
        if is_at_end || end.is_some() {
            return Some(if is_too_long { Input::TooLong } else { Input::Line(line) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_bounded() {
        let line = |text: &str| Input::Line(text.as_bytes().to_vec());
        let cases = [
            ("nothing", "", vec![]),
            ("one", "uci\n", vec![line("uci")]),
            ("the last without an end", "uci\nquit", vec![line("uci"), line("quit")]),
            ("empty lines", "\n\nd\n", vec![line(""), line(""), line("d")]),
            ("just short enough", "123456789\nd\n", vec![line("123456789"), line("d")]),
            ("too long", "1234567890\nd\n", vec![Input::TooLong, line("d")]),
            ("much too long", "12345678901234567890123456789\nd\n", vec![Input::TooLong, line("d")]),
            ("too long at the end", "d\n1234567890", vec![line("d"), Input::TooLong]),
        ];
        for (name, text, expected) in cases {
            for buffer in [1, 4, 64] {
                let mut input = BufReader::with_capacity(buffer, text.as_bytes());
                let found: Vec<_> = std::iter::from_fn(|| read_line(&mut input, 9)).collect();
                assert_eq!(found, expected, "{name}, buffer of {buffer}");
            }
        }
    }
}
