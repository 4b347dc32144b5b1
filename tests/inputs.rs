//! Files that cannot be read or written: the effects and the error messages, and files that are too large for the
//! memory.

use crate::arena::runner::Place;
use crate::support;
use crate::support::binary::{BINARY, Run, folder, run};
use std::fs;
use std::io::Read;
use std::path::Path;

const GAME: &str = "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
const RECORD: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"easy.1\";\n";
const SUITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = flate2::read::GzEncoder::new(bytes, flate2::Compression::default());
    encoder.read_to_end(&mut packed).expect("memory can be compressed");
    packed
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::write(path, content).expect("a file can be written");
}

// One bad input

/// A folder of two good files, and two bad ones between them.
fn games(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    write(&folder.join("a.pgn"), GAME);
    write(&folder.join("m.pgn.gz"), b"\x1f\x8b\x08\0garbage");
    write(&folder.join("n.pgn.zip"), b"PK\x03\x04garbage");
    write(&folder.join("z.pgn"), GAME);
    folder
}

/// Checks that there are two errors, each on its own line.
fn assert_two_errors(shown: &Run, what: &str) {
    let lines: Vec<&str> = shown.err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(
        lines.len() == 2 && lines[0].contains("m.pgn.gz: ") && lines[1].contains("n.pgn.zip: "),
        "{what}: {shown:?}"
    );
    assert_eq!(shown.code, Some(2), "{what}: {shown:?}");
}

#[test]
fn a_bad_file_in_a_folder_costs_itself_only() {
    let folder = games("inputs-bad");
    let shown = |command: &[&str]| {
        let shown = run(&[command, &[text(&folder)][..]].concat(), b"");
        assert_two_errors(&shown, command[1]);
        shown
    };
    for threads in ["1", "3"] {
        let checked = shown(&["pgn", "check", "--threads", threads]);
        assert_eq!(checked.out, "2 games, 4 plies: 0 findings in 0 games\n");
    }
    assert_eq!(shown(&["pgn", "check", "--json"]).json()["games"], 2);
    assert_eq!(shown(&["pgn", "stats", "--json"]).json()["plies"], 4);
    assert!(shown(&["pgn", "stats"]).out.starts_with(&format!("games        {:>12}\n", 2)));
    assert_eq!(shown(&["pgn", "export"]).out, GAME.repeat(2));
    assert_eq!(shown(&["pgn", "export", "--sort"]).out, GAME.repeat(2));
    assert_eq!(shown(&["pgn", "fen"]).out.lines().count(), 6);
    assert_eq!(shown(&["backsolve", "--json"]).json()["read"], 3);
    assert!(shown(&["puzzles", "check"]).out.starts_with("0 puzzles: 0 true, 2 left out"));
    let out = folder.with_extension("bin");
    assert!(shown(&["book", "make", "--min-games", "2", "--out", text(&out)]).out.contains("from 2 games"));
    assert!(run(&["book", "show", text(&out)], b"").out.starts_with("e4 "));
    let out = folder.with_extension("pgc");
    shown(&["pgn", "pgc", "-o", text(&out)]);
    let again = run(&["pgn", "unpgc", "/nowhere.pgc", text(&out)], b"");
    assert_eq!((again.code, again.out), (Some(2), GAME.repeat(2)));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_costs_itself_only() {
    let folder = folder("inputs-link");
    for name in ["a.pgn", "z.pgn"] {
        write(&folder.join(name), GAME);
    }
    std::os::unix::fs::symlink("nowhere", folder.join("m.pgn")).expect("a link can be made");
    let shown = run(&["pgn", "check", text(&folder)], b"");
    assert_eq!((shown.code, shown.out.as_str()), (Some(2), "2 games, 4 plies: 0 findings in 0 games\n"));
    assert!(shown.err.ends_with("m.pgn: No such file or directory (os error 2)\n"), "{shown:?}");
}

#[test]
fn a_bad_file_in_a_list_costs_itself_only() {
    let folder = folder("inputs-list");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let (missing, games, records, suite) = (path("missing"), path("g.pgn"), path("r.epd"), path("s.epd"));
    write(Path::new(&games), GAME);
    write(Path::new(&records), RECORD);
    write(Path::new(&suite), SUITE);
    let wrong = path("wrong.epd");
    write(Path::new(&wrong), "no suite\n");
    let cases: [(&[&str], &str); 6] = [
        (&["pgn", "check", &games, &missing, &games], "2 games, 4 plies: 0 findings in 0 games\n"),
        (
            &["pgn", "fen", "--last", &missing, &games],
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq ",
        ),
        (&["epd", "check", &records, &missing, &records], "2 records: 0 problems in 0 records\n"),
        (&["epd", "run", "--depth", "2", &missing, &records], "1/1 + easy.1"),
        (&["perft", "--suite", &suite, &missing, &suite], "4 counts checked, 0 wrong, 0 left out"),
        (&["perft", "--suite", &wrong, &suite], "2 counts checked, 0 wrong, 0 left out"),
    ];
    for (command, expected) in cases {
        let shown = run(command, b"");
        assert_eq!(shown.code, Some(2), "{command:?}: {shown:?}");
        assert!(shown.out.contains(expected), "{command:?}: {shown:?}");
        let bad = if command.contains(&wrong.as_str()) { &wrong } else { &missing };
        let errors: Vec<&str> = shown.err.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(
            errors.len() == 1 && errors[0].starts_with(&format!("error: {bad}: ")),
            "{command:?}: {shown:?}"
        );
    }
    // A wrong answer does not hide what could not be read.
    let illegal = path("illegal.pgn");
    write(Path::new(&illegal), "1. e5 *\n");
    assert_eq!(run(&["pgn", "check", &illegal, &missing], b"").code, Some(2));
    // If nothing can be read, there is nothing to show.
    for command in [
        &["pgn", "stats", &missing, &missing][..],
        &["epd", "check", &missing],
        &["datagen", "info", &missing],
    ] {
        let shown = run(command, b"");
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{command:?}: {shown:?}");
    }
    let out = path("out.pgn");
    assert_eq!(run(&["pgn", "export", &missing, "-o", &out], b"").code, Some(2));
    assert!(!Path::new(&out).exists());
}

/// Of a file that ends early, the complete games are read, and the truncated one up to its end, which is reported.
#[test]
fn of_a_torn_file_all_that_is_there_is_read() {
    let folder = folder("inputs-torn");
    let path = folder.join("g.pgn.gz");
    // It hardly compresses, so the cut is somewhere in the middle.
    let mut rng = hematite::rng::Rng::new(3);
    let games: Vec<String> =
        (0..2000).map(|_| GAME.replace("\"x\"", &format!("\"{:x}\"", rng.next_u64()))).collect();
    let packed = gzip(games.concat().as_bytes());
    write(&path, &packed[..packed.len() / 2]);
    let exported = run(&["pgn", "export", text(&path)], b"");
    assert_eq!(exported.code, Some(2), "{}", exported.err);
    let told = format!("error: {}: the gzip data end too early\n", text(&path));
    assert!(exported.err.ends_with(&told), "{}", exported.err);
    let found = exported.out.matches("[Event ").count();
    assert!((500..1500).contains(&found), "{found} games");
    assert!(exported.out.starts_with(&games[..found - 1].concat()), "each of them whole, but for the last");
    let counted = run(&["pgn", "stats", "--json", text(&path)], b"");
    assert_eq!((counted.code, counted.json()["games"].as_u64()), (Some(2), Some(found as u64)));
    let torn = gzip(b"[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n");
    write(&path, &torn[..torn.len() - 20]);
    let exported = run(&["pgn", "export", text(&path)], b"");
    assert!(exported.out.contains("1. e4 e5 2. Nf3 Nc6"), "{exported:?}");
    assert!(exported.err.contains(": the game ends without a result, "), "{exported:?}");
}

#[test]
fn a_file_that_cannot_be_read_is_not_replaced() {
    let folder = folder("inputs-place");
    let path = folder.join("g.pgn");
    let packed = gzip(GAME.repeat(20_000).as_bytes());
    let torn = &packed[..packed.len() - 20];
    write(&path, torn);
    let other = folder.join("other.pgn");
    write(&other, GAME);
    for command in ["export", "fen", "pgc"] {
        let shown = run(&["pgn", command, text(&other), text(&path), "-o", text(&path)], b"");
        assert_eq!(shown.code, Some(2), "{command}: {shown:?}");
        let told = format!("error: {}: not replaced, since it cannot be read to its end\n", text(&path));
        assert!(shown.err.ends_with(&told), "{command}: {}", shown.err);
        assert!(fs::read(&path).expect("it is there") == torn, "{command}");
    }
    let out = folder.join("out.pgn");
    let (other_name, name, out) = (text(&other), text(&path), text(&out));
    let commands: [&[&str]; 4] = [
        &["analyse", "--depth", "1", "--hash", "1", other_name, "--reference", name, "-o", name],
        &["pgn", "duplicates", other_name, name, "-o", out, "--rejects", name],
        &["pgn", "novelties", other_name, "--reference", name, "-o", name],
        &["epd", "games", name, "-o", name],
    ];
    for command in commands {
        let shown = run(command, b"");
        assert_eq!(shown.code, Some(2), "{command:?}: {shown:?}");
        assert!(shown.err.contains("not replaced, since"), "{command:?}: {}", shown.err);
        assert!(fs::read(&path).expect("it is there") == torn, "{command:?}");
    }
    let analysed = run(&["analyse", "--depth", "1", "--hash", "1", other_name, "--reference", name], b"");
    assert_eq!(analysed.code, Some(2), "the reference is torn: {analysed:?}");
    assert_eq!(run(&["pgn", "export", text(&other), "-o", text(&other)], b"").code, Some(0));
    assert_eq!(fs::read_to_string(&other).ok().as_deref(), Some(GAME));
}

/// A command that reads positions does not replace an input that it cannot read completely.
#[test]
fn positions_that_cannot_be_read_are_not_replaced() {
    const COUNT: usize = 200;
    let folder = folder("inputs-positions");
    let mut rng = hematite::rng::Rng::new(4);
    // They hardly compress, so the cut is somewhere in the middle.
    let mut torn = |text: &str, part: &str| {
        let texts: Vec<String> =
            (0..COUNT).map(|_| text.replace(part, &format!("{:x}", rng.next_u64()))).collect();
        let packed = gzip(texts.concat().as_bytes());
        packed[..packed.len() / 2].to_vec()
    };
    let (records, games) = (torn(RECORD, "easy.1"), torn(GAME, "x"));
    let cases: [(&str, &[u8], &[&str]); 5] = [
        ("a.epd", &records, &["analyse", "--epd", "--depth", "1", "--hash", "1"]),
        ("b.epd", &records, &["backsolve"]),
        ("c.pgn", &games, &["backsolve"]),
        ("d.pgn", &games, &["puzzles", "--nodes", "100", "--scan-nodes", "10"]),
        ("e.pgn", &games, &["analyse", "--depth", "1", "--hash", "1"]),
    ];
    for (name, content, command) in cases {
        let path = folder.join(name);
        write(&path, content);
        let shown = run(&[command, &[text(&path), "-o", text(&path)]].concat(), b"");
        assert_eq!(shown.code, Some(2), "{command:?}: {shown:?}");
        let told = format!("error: {}: not replaced, since it cannot be read to its end\n", text(&path));
        assert!(shown.err.ends_with(&told), "{command:?}: {}", shown.err);
        assert!(fs::read(&path).expect("it is there") == content, "{command:?}");
    }
}

// Output

#[cfg(unix)]
#[test]
fn errors_of_writing_name_the_file() {
    if !Path::new("/dev/full").exists() {
        return support::skip("no /dev/full");
    }
    let folder = folder("inputs-full");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let (games, records, full) = (path("g.pgn"), path("r.epd"), path("full.pgn"));
    write(Path::new(&games), GAME);
    write(Path::new(&records), RECORD);
    std::os::unix::fs::symlink("/dev/full", &full).expect("a link can be made");
    let other = path("other");
    let cases: [&[&str]; 6] = [
        &["pgn", "export", &games, "-o", &full],
        &["pgn", "fen", &games, "-o", &full],
        &["pgn", "pgc", &games, "-o", &full],
        &["epd", "run", "--depth", "2", &records, "--json", &other, "--out", &full],
        &["epd", "run", "--depth", "2", &records, "--out", &other, "--json", &full],
        &["completions", "bash", "-o", &full],
    ];
    for command in cases {
        let shown = run(command, b"");
        let told = format!("error: cannot write {full}: No space left on device (os error 28)\n");
        assert_eq!((shown.code, shown.err), (Some(2), told), "{command:?}");
    }
    let shown = run(&["pgn", "export", &games, "-o", text(&folder)], b"");
    assert_eq!(shown.err, format!("error: cannot write {}: is a directory\n", text(&folder)));
}

#[test]
fn missing_folders_of_output_are_made() {
    let folder = folder("inputs-folders");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let games = path("g.pgn");
    write(Path::new(&games), GAME);
    let cases: [(&[&str], &str); 4] = [
        (&["pgn", "export", &games, "-o"], "a/b/x.pgn"),
        (&["completions", "bash", "-o"], "c/d/hematite"),
        (&["book", "make", &games, "--min-games", "1", "--out"], "e/f/book.bin"),
        (&["net", "material", "-o"], "g/h/m.nnue"),
    ];
    for (command, name) in cases {
        let out = path(name);
        let shown = run(&[command, &[out.as_str()][..]].concat(), b"");
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{command:?}");
        assert!(fs::metadata(&out).is_ok_and(|file| file.len() > 0), "{command:?}");
    }
    let pages = path("share/man/man1");
    assert_eq!(run(&["man", "--out-dir", &pages], b"").code, Some(0));
    assert!(folder.join("share/man/man1/hematite.1").is_file());
    let below = format!("{games}/man1");
    let shown = run(&["man", "--out-dir", &below], b"");
    assert_eq!(shown.code, Some(2));
    assert!(shown.err.starts_with(&format!("error: cannot write {below}: ")), "{shown:?}");
    let place = Place::new();
    let words = format!(
        "--each nodes=1 --maxmoves 2 --pgn {} --epd-out {} --log {} --state {}",
        place.path("a/g.pgn"),
        place.path("b/end.epd"),
        place.path("c/log"),
        place.path("d/state")
    );
    let played = place.play(&["", ""], &words);
    assert_eq!(played.code, Some(0), "{played:?}");
    assert!(place.text("a/g.pgn").contains("[Event "));
}

// Large files

/// Many copies of the same bytes, compressed: about a gigabyte in about a megabyte.
#[cfg(unix)]
fn bomb(line: &[u8]) -> Vec<u8> {
    const PART: usize = 16 << 20;
    const PARTS: usize = 64;
    let part = line.repeat(PART / line.len());
    gzip(&part).repeat(PARTS)
}

/// Runs the binary with an address space that is too small for a gigabyte.
#[cfg(unix)]
fn run_in_little_memory(arguments: &[&str]) -> Run {
    const KIBIBYTES: &str = "900000";
    let script = format!("ulimit -v {KIBIBYTES} && exec \"$0\" \"$@\"");
    let output = std::process::Command::new("sh").args(["-c", &script, BINARY]).args(arguments).output();
    output.expect("there is a shell").into()
}

#[cfg(unix)]
#[test]
fn what_unpacks_to_a_gigabyte_is_an_error_of_one_line() {
    let folder = folder("inputs-bombs");
    let path = folder.join("bomb.gz");
    let file = text(&path);
    let mut entry =
        hematite::book::PolyglotKey::of(&hematite::chess::Position::start()).bits().to_be_bytes().to_vec();
    entry.extend_from_slice(&[0x03, 0x1c, 0, 7, 0, 0, 0, 0]);
    let contents: [&[u8]; 3] = [b"a", b"\0", &entry];
    for content in contents {
        write(&path, bomb(content));
        let is_book = content.len() > 1;
        let openings = format!("--openings={file}");
        let match_command =
            ["match", "--engine", "cmd=x", "--engine", "cmd=x", "--each", "depth=1", &openings];
        let all: [&[&str]; 5] = [
            &["book", "show", file],
            &["book", "info", file],
            &match_command,
            &["perft", "--suite", file],
            &["match", "--config", file],
        ];
        let commands = match content {
            _ if is_book => &all[..2],
            b"a" => &all[..],
            _ => &all[..4],
        };
        for command in commands {
            let shown = run_in_little_memory(command);
            assert_eq!(shown.code, Some(2), "{command:?}: {shown:?}");
            let told = format!("error: {file}: ");
            assert!(shown.err.starts_with(&told) && shown.err.lines().count() == 1, "{command:?}: {shown:?}");
        }
    }
}

#[test]
fn what_may_be_unpacked_is_an_option() {
    let folder = folder("inputs-limit");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let (book, suite, records) = (path("b.bin"), path("s.epd"), path("r.epd"));
    let mut entry =
        hematite::book::PolyglotKey::of(&hematite::chess::Position::start()).bits().to_be_bytes().to_vec();
    entry.extend_from_slice(&[0x03, 0x1c, 0, 7, 0, 0, 0, 0]);
    write(Path::new(&book), gzip(&entry.repeat(100)));
    write(Path::new(&suite), SUITE.repeat(30));
    write(Path::new(&records), RECORD.repeat(30));
    let commands: [&[&str]; 4] = [
        &["book", "show", &book],
        &["book", "info", &book],
        &["perft", "--suite", &suite],
        &["epd", "run", "--depth", "1", &records],
    ];
    for command in commands {
        let shown = |max: &str| run(&[command, &["--max-unpacked", max][..]].concat(), b"");
        assert_eq!(shown("4k").code, Some(0), "{command:?}");
        let refused = shown("1k");
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{command:?}: {refused:?}");
        assert!(
            refused.err.contains(": more than 1024 bytes when unpacked, the limit\n"),
            "{command:?}: {refused:?}"
        );
    }
}

/// A match reads only the openings that it uses, and they are the same as those of the whole book.
#[test]
fn a_match_reads_the_openings_that_it_uses() {
    let place = Place::new();
    let (book, out) = (place.path("book.pgn"), place.path("end.pgn"));
    let first = ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4", "b4"];
    let mut games: Vec<String> = first.iter().map(|mv| format!("[Event \"x\"]\n\n1. {mv} *\n\n")).collect();
    let played = |words: &str| {
        let _ = fs::remove_file(&out);
        let words =
            format!("--each nodes=1 --rounds 2 --maxmoves 2 --openings file={book} {words} --pgn {out}");
        place.play(&["", ""], &words)
    };
    games[9] = "[Event \"x\"]\n\n1. Ke7 *\n\n".to_owned();
    write(Path::new(&book), games.concat());
    let shown = played("start=4");
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let text = place.text("end.pgn");
    assert!(text.contains("1. d3 {book}") && text.contains("1. e3 {book}"), "{text}");
    let shown = played("start=9");
    assert_eq!(shown.code, Some(2), "{shown:?}");
    assert!(shown.err.contains("book.pgn: line 39: game 10: "), "{shown:?}");
    // A place beyond the end is one after the start.
    let shown = played("start=22");
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let text = place.text("end.pgn");
    assert!(text.contains("1. b3 {book}") && text.contains("1. c3 {book}"), "{text}");
}
