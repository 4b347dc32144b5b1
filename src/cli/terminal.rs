//! Single key presses on a terminal. The terminal is restored whenever the program ends.

use std::io;

/// A key that was pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Backspace,
    Escape,
    Letter(char),
    /// Any other key.
    Other,
    /// The end of the input.
    Closed,
}

/// The first key in some bytes, and the number of its bytes; `None` if the bytes are only the start of a key.
fn first_key(bytes: &[u8]) -> Option<(Key, usize)> {
    const ESCAPE: u8 = 0x1b;
    match *bytes {
        [] | [ESCAPE] | [ESCAPE, b'[' | b'O'] => None,
        [ESCAPE, b'[' | b'O', ref rest @ ..] => {
            // Parameters, then the letter that ends it.
            let length = rest.iter().position(|byte| (0x40..=0x7e).contains(byte))?;
            let key = match &rest[..=length] {
                [.., b'A'] => Key::Up,
                [.., b'B'] => Key::Down,
                [.., b'C'] => Key::Right,
                [.., b'D'] => Key::Left,
                [.., b'H'] | b"1~" | b"7~" => Key::Home,
                [.., b'F'] | b"4~" | b"8~" => Key::End,
                b"5~" => Key::PageUp,
                b"6~" => Key::PageDown,
                _ => Key::Other,
            };
            Some((key, length + 3))
        }
        [ESCAPE, ..] => Some((Key::Escape, 1)),
        [b'\r' | b'\n', ..] => Some((Key::Enter, 1)),
        [0x7f | 0x08, ..] => Some((Key::Backspace, 1)),
        // Ctrl-D, the end of the input.
        [0x04, ..] => Some((Key::Closed, 1)),
        [letter, ..] if letter.is_ascii_graphic() || letter == b' ' => Some((Key::Letter(letter.into()), 1)),
        [_, ..] => Some((Key::Other, 1)),
    }
}

#[cfg(unix)]
mod system {
    use super::{Key, first_key};
    use parking_lot::Mutex;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::{read, retry_on_intr};
    use rustix::termios::{
        LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr,
    };
    use std::io;

    /// The mode of the terminal before it was changed; `None` while it is unchanged.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);
    /// The time to wait for the remaining bytes of a key after the first one.
    const REST_OF_KEY: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

    /// Restores the terminal if its mode was changed.
    pub(in crate::cli) fn restore() {
        if let Some(before) = BEFORE.lock().take() {
            // An error cannot be reported, and there is no other way to restore the terminal.
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &before);
        }
    }

    /// The terminal of standard input, which delivers keys when they are pressed and does not echo them.
    pub(in crate::cli) struct Keys {
        waiting: Vec<u8>,
    }

    impl Keys {
        /// Changes the mode of the terminal until the value is dropped.
        ///
        /// # Errors
        /// An error if standard input is not a terminal.
        pub(in crate::cli) fn new() -> io::Result<Self> {
            let mut mode = tcgetattr(io::stdin())?;
            *BEFORE.lock() = Some(mode.clone());
            // Ctrl-C remains a signal, whose handler restores the terminal; Ctrl-Z and Ctrl-\ would not restore it.
            mode.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
            mode.special_codes[SpecialCodeIndex::VSUSP] = 0;
            mode.special_codes[SpecialCodeIndex::VQUIT] = 0;
            mode.special_codes[SpecialCodeIndex::VMIN] = 1;
            mode.special_codes[SpecialCodeIndex::VTIME] = 0;
            let keys = Self { waiting: Vec::new() };
            tcsetattr(io::stdin(), OptionalActions::Now, &mode)?;
            // A panic may end the program at once, without dropping values.
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                report(panic);
            }));
            Ok(keys)
        }

        /// Waits for the next key.
        ///
        /// # Errors
        /// An error if the terminal cannot be read.
        pub(in crate::cli) fn next(&mut self) -> io::Result<Key> {
            loop {
                if let Some((key, length)) = first_key(&self.waiting) {
                    self.waiting.drain(..length);
                    return Ok(key);
                }
                if !self.waiting.is_empty() && !has_more()? {
                    // The bytes are the start of a key: the key Escape, or an unknown key.
                    let key = if self.waiting.len() == 1 { Key::Escape } else { Key::Other };
                    self.waiting.clear();
                    return Ok(key);
                }
                /// More than the length of any key, in bytes.
                const BYTES: usize = 64;
                let mut bytes = [0; BYTES];
                let count = retry_on_intr(|| read(io::stdin(), &mut bytes))?;
                if count == 0 {
                    return Ok(Key::Closed);
                }
                self.waiting.extend_from_slice(&bytes[..count]);
            }
        }
    }

    impl Drop for Keys {
        fn drop(&mut self) {
            restore();
        }
    }

    /// Whether more bytes arrive within a moment.
    fn has_more() -> io::Result<bool> {
        let input = io::stdin();
        let mut polled = [PollFd::new(&input, PollFlags::IN)];
        Ok(retry_on_intr(|| poll(&mut polled, Some(&REST_OF_KEY)))? > 0)
    }

    /// The numbers of columns and lines of the terminal of standard output; `None` if they are not known.
    pub(in crate::cli) fn size() -> Option<(usize, usize)> {
        let size = tcgetwinsize(io::stdout()).ok()?;
        Some((usize::from(size.ws_col), usize::from(size.ws_row)))
            .filter(|&(columns, lines)| columns > 0 && lines > 0)
    }
}

#[cfg(not(unix))]
mod system {
    use super::Key;
    use std::io;

    pub(in crate::cli) fn restore() {}

    /// On such a system there are no single keys, and commands use prompts instead.
    pub(in crate::cli) struct Keys;

    impl Keys {
        pub(in crate::cli) fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(in crate::cli) fn next(&mut self) -> io::Result<Key> {
            Ok(Key::Closed)
        }
    }

    pub(in crate::cli) fn size() -> Option<(usize, usize)> {
        None
    }
}

pub(super) use system::{Keys, restore, size};

/// Opens the keys if standard input and standard output are a terminal.
pub(super) fn keys() -> Option<Keys> {
    use std::io::IsTerminal;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_terminal { Keys::new().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_bytes() {
        type Case = (&'static [u8], Option<(Key, usize)>);
        let cases: [Case; 20] = [
            (b"", None),
            (b"\x1b", None),
            (b"\x1b[", None),
            (b"\x1b[1;5", None),
            (b"\x1b[A", Some((Key::Up, 3))),
            (b"\x1bOA", Some((Key::Up, 3))),
            (b"\x1b[Bq", Some((Key::Down, 3))),
            (b"\x1b[1;5C", Some((Key::Right, 6))),
            (b"\x1b[D", Some((Key::Left, 3))),
            (b"\x1b[5~", Some((Key::PageUp, 4))),
            (b"\x1b[6~", Some((Key::PageDown, 4))),
            (b"\x1b[H", Some((Key::Home, 3))),
            (b"\x1b[4~", Some((Key::End, 4))),
            (b"\x1b[24~", Some((Key::Other, 5))),
            (b"\x1bq", Some((Key::Escape, 1))),
            (b"\r\n", Some((Key::Enter, 1))),
            (b"\x7f", Some((Key::Backspace, 1))),
            (b"\x04", Some((Key::Closed, 1))),
            (b"q", Some((Key::Letter('q'), 1))),
            (b"\xc3\xa9", Some((Key::Other, 1))),
        ];
        for (bytes, expected) in cases {
            assert_eq!(first_key(bytes), expected, "{bytes:?}");
        }
    }
}
