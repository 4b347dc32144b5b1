//! The thread that reads input.

use crate::files::read_line;
use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufReader, Read};
use std::thread;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// Its bytes, without the line end.
    Line(Vec<u8>),
    /// It was longer than [`LONGEST_LINE`] and has been dropped.
    TooLong,
}

/// The longest line that is accepted, in bytes: a hundred times the longest possible game, so that an input without
/// line ends does not fill the memory.
pub(super) const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// The number of lines that may wait for the session. It bounds the memory; the session hardly ever lags.
const QUEUE: usize = 1024;

/// Starts a thread that reads lines until the end of the input, where the channel closes. An input that fails is one
/// that has ended.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn spawn(input: impl Read + Send + 'static) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(QUEUE);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(line)) = read_line(&mut input, LONGEST_LINE) {
            let line = if line.is_cut { Input::TooLong } else { Input::Line(line.bytes) };
            if sender.send(line).is_err() {
                break; // the session is over
            }
        }
    })?;
    Ok(receiver)
}
