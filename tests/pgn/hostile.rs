//! Hostile input needs little time and memory, and damaged input causes no fault.

use super::{Trickle, check_round_trip};
use crate::support;
use hematite::notation::pgn::pgc::PgcReader;
use hematite::notation::pgn::{GameBuilder, Reader, games};
use proptest::prelude::*;
use std::fs;
use std::io;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Environment variables that make a test read hostile input in a separate process.
const HOSTILE: &str = "HEMATITE_TEST_HOSTILE";

/// Bytes that are generated while they are read, so that they need no memory.
struct Made<'a> {
    parts: [(&'a [u8], usize); 3],
    at: usize,
}

impl Read for Made<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for (part, times) in self.parts.iter_mut() {
            if *times > 0 {
                let count = (part.len() - self.at).min(buffer.len());
                buffer[..count].copy_from_slice(&part[self.at..self.at + count]);
                self.at += count;
                if self.at == part.len() {
                    self.at = 0;
                    *times -= 1;
                }
                return Ok(count);
            }
        }
        Ok(0)
    }
}

/// The parts of hostile files: a start, a middle that is repeated many times, and an end.
const HOSTILE_FILES: [(&str, [(&str, usize); 3]); 13] = [
    ("a tag of 10 MB", [("[Event \"", 1), ("x", 10_000_000), ("\"]\n\n1. e4 *", 1)]),
    ("a tag with 10 MB of quotes", [("[Event \"", 1), ("\"", 10_000_000), ("\"]\n\n1. e4 *", 1)]),
    ("a line of 100 MB", [("1. e4 {", 1), ("comment ", 12_500_000), ("} e5 *", 1)]),
    ("a comment of 100 MB before the tags", [("{", 1), ("comment ", 12_500_000), ("}[A \"\"] 1. e4 *", 1)]),
    ("100 MB of moves on one line", [("", 0), ("Nf3 Nf6 Ng1 Ng8 ", 6_250_000), ("*", 1)]),
    ("a million variations", [("1. e4 ", 1), ("(", 1_000_000), (" *", 1)]),
    ("a million variations with moves", [("1. e4 ", 1), ("(e4 ", 1_000_000), (" *", 1)]),
    ("a million closings", [("1. e4 ", 1), (")", 1_000_000), (" *", 1)]),
    ("a million tags", [("", 0), ("[A \"\"]", 1_000_000), (" 1. e4 *", 1)]),
    ("a million comments before a move", [("", 0), ("{comment} ", 1_000_000), (" 1. e4 *", 1)]),
    ("a symbol of 10 MB", [("1. ", 1), ("e4", 5_000_000), (" *", 1)]),
    ("a million results", [("1. e4 ", 1), ("* ", 1_000_000), ("*", 1)]),
    ("a line of 10 MB behind a semicolon", [("1. e4 ;", 1), ("x", 10_000_000), ("\n*", 1)]),
];

#[test]
fn hostile_files_take_little_memory_and_time() {
    const MAX_MIB: u64 = 100;
    if let Ok(index) = std::env::var(HOSTILE) {
        let index: usize = index.parse().expect("an index");
        let parts = HOSTILE_FILES[index].1.map(|(text, times)| (text.as_bytes(), times));
        for game in games(Made { parts, at: 0 }) {
            let (game, errors) = game.expect("it can be read");
            assert!(errors.len() <= 16, "{} errors", errors.len());
            drop(game);
        }
        let status = fs::read_to_string("/proc/self/status").expect("there is /proc");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        println!("peak {} MiB", kib / 1024);
        assert!(kib / 1024 < MAX_MIB, "{} MiB", kib / 1024);
        return;
    }
    if !Path::new("/proc/self/status").exists() {
        return support::skip("no /proc");
    }
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    let test = format!("{module}::hostile_files_take_little_memory_and_time");
    for (index, (name, _)) in HOSTILE_FILES.iter().enumerate() {
        let start = Instant::now();
        let output = Command::new(std::env::current_exe().expect("a test binary"))
            .args([test.as_str(), "--exact", "--nocapture"])
            .env(HOSTILE, index.to_string())
            .output()
            .expect("the test binary runs");
        let time = start.elapsed();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {text}");
        let peak = text.lines().find(|line| line.contains("peak")).unwrap_or_default();
        println!("{name}: {:.1} s, {peak}", time.as_secs_f64());
        // Far above what it takes, far below what a quadratic time would be.
        assert!(time < Duration::from_secs(120), "{name}: {time:?}");
    }
}

/// A text with all elements of PGN, to be damaged.
const RICH: &str = "\u{feff}[Event \"a \\\"b\\\" c\"]\n[Site \"é\"]\r\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n%escape\n1. O-O {x [%clk 0:01:00]} (1. O-O-O $1 O-O; rest\n2. Rd7!? (2. Kb1)) 1... O-O-O 2. Rf7 += -- 1/2-1/2\n\n[Event \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 exd6e.p. *\n\n[Event \"c\"]\n1-0";

proptest! {
    #![proptest_config(ProptestConfig { cases: support::fuzz_cases(3000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spoiled_text_never_panics_and_what_is_read_round_trips(
        changes in prop::collection::vec((0..RICH.len(), prop_oneof![
            any::<u8>(),
            prop::sample::select(b"{}()[]\"\\;%$*!?\n\r .-=0\xef\xff".to_vec()),
        ], 0..3_u8), 1..12),
        step in 1..64_usize,
    ) {
        let mut text = RICH.as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.min(text.len().saturating_sub(1));
            match kind {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                _ => drop(text.remove(at)),
            }
        }
        let found: Vec<_> = games(&text[..]).collect::<Result<_, _>>().expect("memory can be read");
        let pieces: Vec<_> = games(Trickle(&text, step)).collect::<Result<_, _>>().expect("memory can be read");
        prop_assert_eq!(&pieces, &found);
        for (game, _) in &found {
            check_round_trip(game, &String::from_utf8_lossy(&text));
        }
        let mut syntax = Reader::new(&text[..]);
        let mut count = 0;
        while syntax.read_game(&mut ()).expect("memory can be read") {
            count += 1;
        }
        prop_assert!(count <= text.len());
    }

    #[test]
    fn any_bytes_are_read(text in prop::collection::vec(any::<u8>(), 0..400)) {
        for game in games(&text[..]) {
            let (game, _) = game.expect("memory can be read");
            check_round_trip(&game, &String::from_utf8_lossy(&text));
        }
        let mut builder = GameBuilder::new();
        let mut reader = PgcReader::new(&text[..]);
        while let Ok(true) = reader.read_game(&mut builder) {}
    }
}
