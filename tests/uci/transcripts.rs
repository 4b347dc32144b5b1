//! Recorded sessions. A line of a transcript is one of
//!
//!     # a comment
//!     > a line from the GUI
//!     < the next line from the engine, `*` for any text
//!     + one or more such lines from the engine
//!
//! and the engine must print these lines and no others.

use crate::support::engine::Engine;
use std::collections::VecDeque;
use std::fs;
use std::path::Path;

/// Whether a line matches a pattern. A star stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(found) => rest = &rest[found + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The lines of an engine, with one line of lookahead.
struct Ear {
    engine: Engine,
    heard: VecDeque<String>,
}

impl Ear {
    fn next(&mut self) -> String {
        self.heard.pop_front().unwrap_or_else(|| self.engine.until("").remove(0))
    }
}

fn play(path: &Path) {
    let text = fs::read_to_string(path).expect("it can be read");
    let mut ear = Ear { engine: Engine::start(), heard: VecDeque::new() };
    for (index, line) in text.lines().enumerate() {
        let place = format!("{}:{}", path.display(), index + 1);
        match line.split_at_checked(2) {
            Some(("> ", command)) => ear.engine.send(command),
            Some(("< ", pattern)) => {
                let said = ear.next();
                assert!(matches(pattern, &said), "{place}: expected `{pattern}`, found `{said}`");
            }
            Some(("+ ", pattern)) => {
                let mut said = ear.next();
                assert!(matches(pattern, &said), "{place}: expected `{pattern}`, found `{said}`");
                while matches(pattern, &said) {
                    said = ear.next();
                }
                ear.heard.push_front(said);
            }
            _ => assert!(line.is_empty() || line.starts_with('#'), "{place}: `{line}`"),
        }
    }
    assert!(ear.heard.is_empty(), "{}: at the end: {:?}", path.display(), ear.heard);
    let before = ear.engine.said();
    let ended = ear.engine.end();
    ended.assert_well();
    assert_eq!(ended.lines[before..], [""; 0], "{}: at the end", path.display());
}

#[test]
fn every_session_goes_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci/transcripts");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("there are transcripts")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 5, "{paths:?}");
    paths.iter().for_each(|path| play(path));
}

#[test]
fn stars_stand_for_any_text() {
    let cases = [
        ("readyok", "readyok", true),
        ("readyok", "readyok ", false),
        ("bestmove *", "bestmove e2e4", true),
        ("info depth * pv *", "info depth 3 score cp 4 pv e2e4", true),
        ("info depth * pv e2e4", "info depth 3 pv d2d4", false),
        ("*", "", true),
    ];
    for (pattern, line, expected) in cases {
        assert_eq!(matches(pattern, line), expected, "{pattern}: {line}");
    }
}
