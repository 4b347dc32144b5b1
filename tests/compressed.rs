//! Every command that reads a file also reads it compressed, from a file and from standard input, and output is
//! compressed according to the name of the file.

use crate::arena::runner::Place;
use crate::support::binary::{folder, run};
use crate::support::engine::Engine;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

fn all_of(mut compressor: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    compressor.read_to_end(&mut bytes).expect("memory can be read");
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    all_of(flate2::read::GzEncoder::new(bytes, flate2::Compression::default()))
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory can be compressed")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    all_of(liblzma::read::XzEncoder::new(bytes, 6))
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    all_of(bzip2::read::BzEncoder::new(bytes, bzip2::Compression::default()))
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("memory can be written");
        archive.write_all(bytes).expect("memory can be written");
    }
    archive.finish().expect("memory can be written").into_inner()
}

/// The frame that `pzstd` writes before each part: its length for a reader with several threads.
const SKIPPABLE: &[u8] = &[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];

/// The bytes uncompressed and in each compressed form, with the suffixes of the names of such files.
fn compressed(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("", bytes.to_vec()),
        (".gz", gzip(bytes)),
        (".bz2", bzip2(bytes)),
        (".zst", zstandard(bytes)),
        (".xz", xz(bytes)),
        (".zip", zip(&[("content", bytes)])),
    ]
}

/// All forms in which a text may be packed.
fn packed(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let bytes = text.as_bytes();
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let padded = |bytes: Vec<u8>| [bytes, vec![0; 512]].concat();
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(order).collect()
    };
    let unmarked = |order: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
    let mut all = compressed(bytes);
    all.extend([
        (".pzstd.zst", [SKIPPABLE, &zstandard(first), SKIPPABLE, &zstandard(second)].concat()),
        (".two.gz", [gzip(first), gzip(second)].concat()),
        (".two.xz", [xz(first), xz(second)].concat()),
        (".padded.gz", padded(gzip(bytes))),
        (".padded.bz2", padded(bzip2(bytes))),
        (".padded.zst", padded(zstandard(bytes))),
        (".padded.xz", padded(xz(bytes))),
        (".little", wide(u16::to_le_bytes)),
        (".big", wide(u16::to_be_bytes)),
        (".unmarked-little", unmarked(u16::to_le_bytes)),
        (".unmarked-big", unmarked(u16::to_be_bytes)),
        (".little.gz", gzip(&wide(u16::to_le_bytes))),
    ]);
    all
}

/// The arguments of a command before the name of its input, the input, and the expected output.
struct Case {
    command: &'static [&'static str],
    name: &'static str,
    text: &'static str,
    expected: &'static str,
}

const RECORD: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"easy.1\";\n";
const GAME: &str = "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";
const CASES: &[Case] = &[
    Case {
        command: &["perft", "--suite"],
        name: "suite.epd",
        text: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n",
        expected: "2 counts checked, 0 wrong, 0 left out",
    },
    Case {
        command: &["epd", "check"],
        name: "suite.epd",
        text: RECORD,
        expected: "1 file, 1 record: 0 problems in 0 records\n",
    },
    Case {
        command: &["epd", "run", "--depth", "3", "--hash", "1"],
        name: "suite.epd",
        text: RECORD,
        expected: "1/1 + easy.1",
    },
    Case {
        command: &["pgn", "check"],
        name: "games.pgn",
        text: GAME,
        expected: "1 game, 2 plies: 0 findings in 0 games\n",
    },
    Case { command: &["pgn", "export"], name: "games.pgn", text: GAME, expected: "\n1. e4 e5 *\n" },
    Case {
        command: &["match", "--print-config", "--config"],
        name: "match.toml",
        text: "rounds = 7\n[each]\nnodes = 1\n[[engine]]\ncmd = \"a\"\n[[engine]]\ncmd = \"b\"\n",
        expected: "rounds = 7\n",
    },
];

#[test]
fn packed_text_is_read_like_text() {
    let folder = folder("compressed");
    for Case { command, name, text, expected } in CASES {
        for (suffix, bytes) in packed(text) {
            let path = folder.join(format!("{name}{suffix}"));
            fs::write(&path, &bytes).expect("a file can be written");
            let file = path.to_str().expect("UTF-8");
            // What the data are is seen in them, so a name that says nothing is as good.
            let nameless = folder.join("input");
            fs::write(&nameless, &bytes).expect("a file can be written");
            let nameless = nameless.to_str().expect("UTF-8");
            for (input, stdin) in [(file, &b""[..]), (nameless, b""), ("-", &bytes)] {
                let shown = run(&[command, &[input][..]].concat(), stdin);
                assert_eq!(
                    (shown.code, shown.err.as_str()),
                    (Some(0), ""),
                    "{command:?} {input}{suffix}: {shown:?}"
                );
                assert!(shown.out.contains(expected), "{command:?} {input}{suffix}: {}", shown.out);
            }
        }
    }
}

#[test]
fn bytes_behind_the_end_are_ignored_with_a_warning() {
    let folder = folder("compressed-garbage");
    for Case { command, name, text, expected } in CASES {
        for (suffix, bytes) in compressed(text.as_bytes()).into_iter().skip(1) {
            let path = folder.join(format!("{name}{suffix}"));
            fs::write(&path, [&bytes[..], b"garbage"].concat()).expect("a file can be written");
            let file = path.to_str().expect("UTF-8");
            let shown = run(&[command, &[file][..]].concat(), b"");
            assert_eq!(shown.code, Some(0), "{command:?} {suffix}: {shown:?}");
            // What a zip archive is stands at its end, and other bytes may follow.
            let warning = format!("warning: {file}: trailing garbage ignored\n");
            let warned = if suffix == ".zip" { "" } else { &warning };
            assert_eq!(shown.err, warned, "{command:?} {suffix}");
            assert!(shown.out.contains(expected), "{command:?} {suffix}: {}", shown.out);
        }
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = folder("compressed-torn");
    for Case { command, name, text, .. } in CASES {
        for (suffix, bytes) in compressed(text.as_bytes()).into_iter().skip(1) {
            let path = folder.join(format!("{name}{suffix}"));
            fs::write(&path, &bytes[..bytes.len() - 5]).expect("a file can be written");
            let file = path.to_str().expect("UTF-8");
            let shown = run(&[command, &[file][..]].concat(), b"");
            assert_eq!(shown.code, Some(2), "{command:?} {suffix}: {shown:?}");
            let start = format!("error: {file}: ");
            let is_told = shown.err.starts_with(&start) && shown.err.lines().count() == 1;
            assert!(is_told, "{command:?} {suffix}: {}", shown.err);
        }
        let missing = folder.join("missing");
        let missing = missing.to_str().expect("UTF-8");
        let shown = run(&[command, &[missing][..]].concat(), b"");
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{command:?}: {shown:?}");
        assert!(shown.err.starts_with(&format!("error: {missing}: No such file")), "{}", shown.err);
    }
}

/// Files in other binary formats are refused with the name of the format.
#[test]
fn foreign_formats_are_refused_by_name() {
    let folder = folder("compressed-foreign");
    let mut tar = vec![b'a'; 1024];
    tar[257..262].copy_from_slice(b"ustar");
    let cases: [(&[u8], &str); 8] = [
        (b"7z\xbc\xaf\x27\x1c\0\x04abc", "a 7z archive, expected plain data"),
        (b"Rar!\x1a\x07\x01\0abc", "a RAR archive, expected plain data"),
        (b"\x04\x22\x4d\x18\x64\x40abc", "LZ4 data, expected plain data"),
        (b"LZIP\x01\x0cabc", "lzip data, expected plain data"),
        (b"\xff\xfe\0\0[\0\0\0", "a text in UTF-32, expected plain data"),
        (&tar, "a tar archive, expected plain data"),
        (&gzip(&tar), "a tar archive within gzip data, expected plain data in it"),
        (
            &zip(&[("a.pgn.gz", &gzip(GAME.as_bytes()))]),
            "gzip data within a zip archive, expected plain data in it",
        ),
    ];
    let commands: Vec<&[&str]> = CASES.iter().map(|case| case.command).collect();
    let others: [&[&str]; 4] = [&["pgn", "stats"], &["pgn", "fen"], &["pgn", "pgc"], &["book", "info"]];
    for (bytes, expected) in cases {
        let path = folder.join("input");
        fs::write(&path, bytes).expect("a file can be written");
        let file = path.to_str().expect("UTF-8");
        for command in commands.iter().chain(&others).filter(|command| **command != ["pgn", "pgc"]) {
            let shown = run(&[command, &[file][..]].concat(), b"");
            assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{command:?}: {shown:?}");
            let told = shown.err.strip_prefix(&format!("error: {file}: ")).unwrap_or_default();
            assert!(told.starts_with(expected) && told.lines().count() == 1, "{command:?}: {shown:?}");
        }
    }
}

/// Damage to a compressed file leads at most to an error, never to a panic.
#[test]
fn damaged_files_are_never_more_than_an_error() {
    let folder = folder("compressed-damaged");
    let mut rng = hematite::rng::Rng::new(7);
    let game = GAME.repeat(40);
    for (suffix, bytes) in compressed(game.as_bytes()).into_iter().skip(1) {
        for round in 0..crate::support::fuzz_cases(12) {
            let mut damaged = bytes.clone();
            if round % 2 == 0 {
                damaged.truncate(rng.below(bytes.len() as u64) as usize);
            }
            for _ in 0..rng.below(4) {
                let place = rng.below(damaged.len().max(1) as u64) as usize;
                if let Some(byte) = damaged.get_mut(place) {
                    *byte = rng.next_u64() as u8;
                }
            }
            let path = folder.join(format!("games.pgn{suffix}"));
            fs::write(&path, &damaged).expect("a file can be written");
            let shown = run(&["pgn", "check", "--quiet", path.to_str().expect("UTF-8")], b"");
            assert!(matches!(shown.code, Some(0..=2)), "{suffix}: {damaged:?}: {shown:?}");
            let is_named = shown.err.lines().all(|line| line.contains("games.pgn"));
            assert!(shown.err.lines().count() <= 1 && is_named, "{suffix}: {damaged:?}: {shown:?}");
            assert_eq!(shown.code == Some(2), shown.err.starts_with("error: "), "{suffix}: {shown:?}");
        }
    }
}

/// A Polyglot book of one entry.
fn book() -> Vec<u8> {
    let key = hematite::book::PolyglotKey::of(&hematite::chess::Position::start());
    let mut entry = key.bits().to_be_bytes().to_vec();
    entry.extend_from_slice(&[0x03, 0x1c, 0, 7, 0, 0, 0, 0]); // e2e4, weight 7
    entry
}

#[test]
fn packed_books_are_read() {
    let folder = folder("compressed-books");
    for (suffix, bytes) in compressed(&book()) {
        let path = folder.join(format!("book.bin{suffix}"));
        fs::write(&path, &bytes).expect("a file can be written");
        let file = path.to_str().expect("UTF-8");
        for (input, stdin) in [(file, &b""[..]), ("-", &bytes)] {
            let shown = run(&["book", "show", input], stdin);
            assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{input}{suffix}: {shown:?}");
            assert!(shown.out.starts_with("e4 "), "{input}{suffix}: {shown:?}");
        }
        let mut engine = Engine::start();
        engine.send(&format!("setoption name BookFile value {file}"));
        assert_eq!(engine.until_ready(), ["info string a book with 1 moves for 1 positions"], "{suffix}");
        engine.end().assert_well();
    }
}

#[test]
fn packed_openings_are_played() {
    let place = Place::new();
    for (suffix, bytes) in compressed(b"8/8/8/8/8/4k3/4p3/4K2R w - - 5 9\n") {
        let book = place.path(&format!("book.epd{suffix}"));
        fs::write(&book, bytes).expect("a file can be written");
        let words = format!("--each nodes=1 --maxmoves 2 --openings {book} --pgn {}", place.path("g.pgn"));
        let played = place.play(&["", ""], &words);
        assert_eq!(played.code, Some(0), "{suffix}: {played:?}");
        assert!(place.text("g.pgn").contains("8/8/8/8/8/4k3/4p3/4K2R w - - 5 9"), "{suffix}");
        fs::remove_file(place.path("g.pgn")).expect("it is there");
    }
}

// Archives

#[test]
fn an_archive_of_several_files_is_like_a_folder() {
    let folder = folder("compressed-archive");
    let path = folder.join("games.zip");
    let second = GAME.replace("e5", "c5");
    let files: [(&str, &[u8]); 4] = [
        ("a/one.pgn", GAME.as_bytes()),
        ("readme.txt", b"nothing"),
        ("two.pgn", second.as_bytes()),
        ("__MACOSX/two.pgn", b"nothing"),
    ];
    fs::write(&path, zip(&files)).expect("a file can be written");
    let file = path.to_str().expect("UTF-8");
    let shown = run(&["pgn", "export", file], b"");
    assert_eq!((shown.code, shown.out), (Some(0), format!("{GAME}{second}")));
    let bad = zip(&[("one.pgn", b"1. e4 *\n"), ("two.pgn", b"\n1. e5 *\n")]);
    fs::write(&path, bad).expect("a file can be written");
    let shown = run(&["pgn", "check", "--no-tags", file], b"");
    assert!(shown.out.starts_with(&format!("{file}/two.pgn:2:4: ")), "{shown:?}");
    let shown = run(&["epd", "check", file], b"");
    let told = format!("error: {file}: a zip archive of 2 files, expected one\n");
    assert_eq!((shown.code, shown.err), (Some(2), told));
    fs::write(&path, zip(&files[1..=1])).expect("a file can be written");
    assert_eq!(run(&["epd", "check", file], b"").code, Some(1), "its only file is read under any name");
    let two: [(&str, &[u8]); 2] = [("a.txt", b"x"), ("b.txt", b"x")];
    fs::write(&path, zip(&two)).expect("a file can be written");
    let shown = run(&["pgn", "check", file], b"");
    assert_eq!(shown.err, format!("error: {file}: no .pgn file in this archive\n"));
}

#[test]
fn archives_in_a_folder_are_read() {
    let folder = folder("compressed-archives-in-a-folder");
    let games = |moves: &str| format!("{moves} *\n");
    let (one, two) = (games("1. e4"), games("1. d4"));
    let inner = folder.join("inner");
    fs::create_dir(&inner).expect("a folder can be created");
    let archives = [
        ("several.zip", zip(&[("a.pgn", one.as_bytes()), ("note.txt", b"x"), ("b.PGN", two.as_bytes())])),
        ("single.ZIP", zip(&[("c.pgn", one.as_bytes())])),
        ("inner/deep.zip", zip(&[("d.pgn", two.as_bytes()), ("e.pgn", two.as_bytes())])),
        ("other.zip", zip(&[("a.txt", b"x"), ("b.txt", b"x")])),
        ("one-text.zip", zip(&[("a.txt", b"x")])),
        ("broken.zip", b"no archive".to_vec()),
    ];
    for (name, bytes) in &archives {
        fs::write(folder.join(name), bytes).expect("a file can be written");
    }
    let path = folder.to_str().expect("UTF-8");
    let count = run(&["pgn", "find", "", "--count", "--json", path], b"");
    assert_eq!((count.code, &*count.err), (Some(0), ""), "{}", count.out);
    assert_eq!(count.json()["found"], 5, "{}", count.out);
    for (name, _) in &archives[..3] {
        fs::remove_file(folder.join(name)).expect("a file can be removed");
    }
    let none = run(&["pgn", "find", "", "--count", path], b"");
    assert!(none.code == Some(2) && none.err.contains("no .pgn file in this folder"), "{}", none.err);
}

#[test]
fn a_folder_passes_over_no_packed_games() {
    let folder = folder("compressed-folder");
    for (suffix, bytes) in compressed(GAME.as_bytes()) {
        fs::write(folder.join(format!("g.pgn{suffix}")), bytes).expect("a file can be written");
    }
    fs::write(folder.join("h.PGN.7z"), b"7z\xbc\xaf\x27\x1c\0\x04").expect("a file can be written");
    fs::write(folder.join("notes.txt.gz"), b"no games").expect("a file can be written");
    let shown = run(&["pgn", "check", folder.to_str().expect("UTF-8")], b"");
    assert_eq!((shown.code, shown.out.as_str()), (Some(2), "6 games, 12 plies: 0 findings in 0 games\n"));
    assert!(shown.err.contains("h.PGN.7z: a 7z archive") && shown.err.lines().count() == 1, "{shown:?}");
}

// Output

/// Whether the start of a file fits the extension of its name.
fn is_what_its_name_says(path: &Path) -> bool {
    let bytes = fs::read(path).expect("it was written");
    let start: &[u8] = match path.extension().and_then(|extension| extension.to_str()) {
        Some("zst") => &[0x28, 0xb5, 0x2f, 0xfd],
        Some("gz") => &[0x1f, 0x8b],
        Some("bz2") => b"BZh",
        Some("xz") => b"\xfd7zXZ",
        _ => b"",
    };
    bytes.starts_with(start)
}

#[test]
fn output_is_compressed_by_its_name() {
    let folder = folder("compressed-output");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (games, suite, pgc) = (path("g.pgn"), path("s.epd"), path("g.pgc"));
    fs::write(&games, GAME.replace('*', "1-0")).expect("a file can be written");
    fs::write(&suite, RECORD).expect("a file can be written");
    assert_eq!(run(&["pgn", "pgc", &games, "-o", &pgc], b"").code, Some(0));
    let commands: [&[&str]; 10] = [
        &["pgn", "export", &games, "-o"],
        &["pgn", "fen", &games, "-o"],
        &["pgn", "pgc", &games, "-o"],
        &["pgn", "unpgc", &pgc, "-o"],
        &["book", "make", &games, "--min-games", "1", "--out"],
        &["epd", "run", "--depth", "2", "--hash", "1", &suite, "--out"],
        &["epd", "run", "--depth", "2", "--hash", "1", &suite, "--json"],
        &["completions", "bash", "-o"],
        &["net", "material", "-o"],
        &["pgn", "export", "--sort", &games, "-o"],
    ];
    for (number, command) in commands.into_iter().enumerate() {
        let plain = path(&format!("plain{number}"));
        let shown = run(&[command, &[plain.as_str()][..]].concat(), b"");
        assert_eq!(shown.code, Some(0), "{command:?}: {shown:?}");
        let is_timed = command.contains(&"run");
        for suffix in ["zst", "gz", "bz2", "xz", "ZST"] {
            let file = path(&format!("new/{number}.{suffix}"));
            let shown = run(&[command, &[file.as_str()][..]].concat(), b"");
            assert_eq!(shown.code, Some(0), "{command:?} {suffix}: {shown:?}");
            assert!(is_what_its_name_says(Path::new(&file)), "{command:?} {suffix}");
            let mut unpacked = Vec::new();
            let content =
                hematite::files::Packed::open(Path::new(&file)).and_then(hematite::files::Packed::bytes);
            content
                .and_then(|mut content| content.reader.read_to_end(&mut unpacked))
                .expect("it can be unpacked");
            let expected = fs::read(&plain).expect("it was written");
            assert!(!unpacked.is_empty() && (is_timed || unpacked == expected), "{command:?} {suffix}");
        }
        for suffix in ["zip", "7z", "rar", "lz4"] {
            let file = path(&format!("out.{suffix}"));
            let shown = run(&[command, &[file.as_str()][..]].concat(), b"");
            let told = format!("error: cannot write {file}: .{suffix} is not written, expected .zst");
            assert_eq!((shown.code, shown.err.starts_with(&told)), (Some(2), true), "{command:?}: {shown:?}");
            assert!(!Path::new(&file).exists(), "{command:?}");
        }
        fs::remove_file(&plain).expect("it was written");
    }
    let names: Vec<_> =
        fs::read_dir(&folder).expect("it is there").map(|entry| entry.map(|e| e.file_name())).collect();
    assert_eq!(names.len(), 4, "no remains: {names:?}");
}

/// Files that are continued later cannot be compressed.
#[test]
fn what_is_continued_is_not_compressed() {
    let place = Place::new();
    for flag in ["--pgn", "--epd-out", "--log", "--state"] {
        let file = place.path("out.gz");
        let played = place.play(&["", ""], &format!("--each nodes=1 --maxmoves 2 {flag} {file}"));
        assert_eq!(played.code, Some(2), "{flag}: {played:?}");
        let told = "this file is not compressed, expected a name that does not end in .gz";
        assert!(played.err.contains(told) && played.err.contains(&file), "{flag}: {played:?}");
        assert!(!Path::new(&file).exists(), "{flag}");
    }
}
