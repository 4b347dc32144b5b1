//! `setoption` with any name and any value.
#![no_main]

use hematite::engine::{Environment, run};
use libfuzzer_sys::fuzz_target;
use std::io::{self, Cursor};

/// Whether the line would make the machine provide much memory or many threads, or would write a file.
fn is_costly(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    let is_large = text.bytes().filter(u8::is_ascii_digit).count() > 1;
    is_large && ["hash", "threads"].iter().any(|word| text.contains(word)) || text.contains("debug")
}

fuzz_target!(|data: &[u8]| {
    let mut script = Vec::new();
    for line in data.split(|&byte| byte == b'\n').filter(|line| !is_costly(line)) {
        script.extend_from_slice(b"setoption ");
        script.extend_from_slice(line);
        script.push(b'\n');
    }
    script.extend_from_slice(b"uci\nisready\nquit\n");
    run(Cursor::new(script), io::sink(), Environment::default());
});
