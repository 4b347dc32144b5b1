//! Every command that reads text reads it compressed, from files and from standard input.

use crate::support::binary::{folder, run};
use std::fs;
use std::io::Read;

fn all_of(mut compressor: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    compressor.read_to_end(&mut bytes).expect("memory can be read");
    bytes
}

/// The same text plain and in each way it may be compressed, with what such files' names end in.
fn packed(text: &str) -> [(&'static str, Vec<u8>); 4] {
    let text = text.as_bytes();
    [
        ("", text.to_vec()),
        (".gz", all_of(flate2::read::GzEncoder::new(text, flate2::Compression::default()))),
        (".bz2", all_of(bzip2::read::BzEncoder::new(text, bzip2::Compression::default()))),
        (".zst", zstd::encode_all(text, 1).expect("memory can be compressed")),
    ]
}

/// A command before the name of its input, the input, and what it must print.
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
        command: &["epd", "run", "--depth", "3"],
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
fn compressed_text_is_read_like_text() {
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
fn what_cannot_be_read_is_named() {
    let folder = folder("compressed-torn");
    for Case { command, name, text, .. } in CASES {
        for (suffix, bytes) in packed(text).into_iter().skip(1) {
            let path = folder.join(format!("{name}{suffix}"));
            fs::write(&path, &bytes[..bytes.len() - 5]).expect("a file can be written");
            let file = path.to_str().expect("UTF-8");
            let shown = run(&[command, &[file][..]].concat(), b"");
            assert_eq!(shown.code, Some(2), "{command:?} {suffix}: {shown:?}");
            assert!(
                shown.err.starts_with(&format!("error: {file}: ")),
                "{command:?} {suffix}: {}",
                shown.err
            );
        }
        let missing = folder.join("missing");
        let missing = missing.to_str().expect("UTF-8");
        let shown = run(&[command, &[missing][..]].concat(), b"");
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{command:?}: {shown:?}");
        assert!(shown.err.starts_with(&format!("error: {missing}: No such file")), "{}", shown.err);
    }
}
