//! A complete session in one process with random lines. The fuzz targets use it as well.

use hematite::engine::{Environment, run};
use hematite::uci::{Command, GoTokens};
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

/// The input and the output of a session.
pub(crate) struct Session {
    /// The lines of input.
    pub script: Vec<u8>,
    /// The number of lines that start a search.
    pub searches: usize,
    /// The output.
    pub text: String,
}

impl Session {
    /// Runs a session with the harmless ones of these lines, followed by `stop` and `quit`.
    pub(crate) fn of(lines: &[u8]) -> Self {
        let mut script = Vec::new();
        let mut searches = 0;
        for line in lines.split(|&byte| byte == b'\n').filter(|line| is_harmless(line)) {
            searches += usize::from(matches!(Command::parse(line).command, Some(Command::Go(_))));
            script.extend_from_slice(line);
            script.push(b'\n');
        }
        script.extend_from_slice(b"stop\nquit\n");
        let page = Page::default();
        run(Cursor::new(script.clone()), page.clone(), Environment::default());
        let bytes = page.0.lock().expect("nobody panics").clone();
        Self { script, searches, text: String::from_utf8(bytes).expect("the engine writes UTF-8") }
    }

    /// The number of best moves in the output.
    pub(crate) fn best_moves(&self) -> usize {
        self.text.lines().filter(|line| line.starts_with("bestmove ")).count()
    }
}

/// A writer whose content can be read.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the line takes little time, does not end the session, and does not use files or much memory of this machine.
fn is_harmless(line: &[u8]) -> bool {
    match Command::parse(line).command {
        Some(Command::Go(GoTokens { perft, .. })) => perft.is_none(),
        Some(Command::Wait | Command::Quit | Command::Perft(_) | Command::Bench(_)) => false,
        Some(Command::Speedtest(_) | Command::GenFens(_)) => false,
        Some(Command::SetOption { name, .. }) => {
            let name = name.to_lowercase();
            !["hash", "threads", "file"].iter().any(|word| name.contains(word))
        }
        _ => true,
    }
}
