//! Lines on standard input, whatever they are: no panic, no hang, one `bestmove` for each `go`.
#![no_main]

use hematite::engine::{Surroundings, run};
use hematite::uci::{Command, GoTokens};
use libfuzzer_sys::fuzz_target;
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

/// Standard output that can be read when the session is over.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer has panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Does the line neither take long by right, nor end the session, nor change files and memory of this machine?
fn is_harmless(line: &[u8]) -> bool {
    match Command::parse(line).command {
        Some(Command::Go(GoTokens { perft, .. })) => perft.is_none(),
        Some(
            Command::Wait
            | Command::Quit
            | Command::Perft(_)
            | Command::Bench(_)
            | Command::Speedtest(_)
            | Command::GenFens(_),
        ) => false,
        Some(Command::SetOption { name, .. }) => {
            let name = name.to_lowercase();
            !["hash", "threads", "file"].iter().any(|word| name.contains(word))
        }
        _ => true,
    }
}

fuzz_target!(|data: &[u8]| {
    let mut script = Vec::new();
    let mut searches = 0;
    for line in data.split(|&byte| byte == b'\n').filter(|line| is_harmless(line)) {
        searches += usize::from(matches!(Command::parse(line).command, Some(Command::Go(_))));
        script.extend_from_slice(line);
        script.push(b'\n');
    }
    script.extend_from_slice(b"stop\nquit\n");
    let page = Page::default();
    run(Cursor::new(script), page.clone(), Surroundings::default());
    let bytes = page.0.lock().expect("no writer has panicked").clone();
    let text = String::from_utf8(bytes).expect("all that is told is UTF-8");
    assert_eq!(text.lines().filter(|line| line.starts_with("bestmove ")).count(), searches);
});
