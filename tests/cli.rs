//! The output and the exit codes of the built binary.

use crate::support;
use crate::support::binary::run_unread;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

const BINARY: &str = env!("CARGO_BIN_EXE_hematite");
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The output of a run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs the binary with this text on standard input.
fn run(arguments: &[&str], input: &str) -> Run {
    assert_cmd::Command::new(BINARY)
        .args(arguments)
        .write_stdin(input)
        .output()
        .expect("the binary runs")
        .into()
}

/// The JSON object of a run that succeeds or has a negative answer.
fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn perft_counts() {
    let cases: &[(&str, &[&str], u64)] = &[
        ("depth 0", &["0"], 1),
        ("the initial position", &["4"], 197_281),
        ("the same by its word", &["--fen", "startpos", "3"], 8_902),
        ("another position", &["--fen", KIWIPETE, "3"], 97_862),
        ("four fields", &["--fen", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "4"], 43_238),
        ("Shredder-FEN", &["--fen", "r3k2r/8/8/8/8/8/8/R3K2R b HAha - 0 1", "3"], 13_744),
        ("threads and hash", &["--threads", "2", "--hash", "1", "4"], 197_281),
    ];
    for (name, arguments, nodes) in cases {
        let shown = run(&[&["perft"], *arguments].concat(), "");
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{name}");
        let words: Vec<&str> = shown.out.split_whitespace().collect();
        let [count, noun, seconds, "seconds,", speed, "Mnps"] = words[..] else {
            panic!("{name}: {shown:?}")
        };
        assert_eq!(noun, if *nodes == 1 { "node," } else { "nodes," }, "{name}");
        assert_eq!(count.parse(), Ok(*nodes), "{name}");
        assert!(seconds.parse::<f64>().is_ok() && speed.parse::<f64>().is_ok(), "{name}: {shown:?}");
        let object = json(&run(&[&["perft", "--json"], *arguments].concat(), ""));
        assert_eq!(object["nodes"], *nodes, "{name}");
        assert!(object["seconds"].is_f64() && object["mnps"].is_f64(), "{name}: {object}");
        assert!(object["divide"].is_null(), "{name}: {object}");
    }
}

#[test]
fn perft_divides() {
    let shown = run(&["perft", "--divide", "--fen", KIWIPETE, "2"], "");
    let (listing, summary) = shown.out.split_once("\n\n").expect("an empty line before the summary");
    let mut counts = Vec::new();
    for line in listing.lines() {
        let (mv, nodes) = line.split_once(": ").expect("`move: nodes`");
        counts.push((mv, nodes.parse::<u64>().expect("a number")));
    }
    assert_eq!(counts.len(), 48);
    assert_eq!(counts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 2039);
    assert!(counts.contains(&("e1g1", 43)) && counts.contains(&("e1c1", 43)), "{listing}");
    assert!(summary.starts_with("2039 nodes, "), "{summary}");

    let object = json(&run(&["perft", "--divide", "--json", "--chess960", "--fen", KIWIPETE, "2"], ""));
    assert_eq!(object["fen"], KIWIPETE);
    assert_eq!(object["depth"], 2);
    let branches = object["divide"].as_array().expect("a list");
    assert_eq!(branches.len(), 48);
    assert!(branches.iter().any(|branch| branch["move"] == "e1h1" && branch["nodes"] == 43), "{object}");
}

#[test]
fn right_suites_pass() {
    let suite = format!(
        "# comment\n{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862\n\nid start\nepd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nperft 3 8902\n"
    );
    let shown = run(&["perft", "--suite", "-"], &suite);
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{shown:?}");
    assert!(shown.out.starts_with("4 counts checked, 0 wrong, 0 left out; 108851 nodes, "), "{shown:?}");

    let shown = run(&["perft", "--suite", "-", "--max-nodes", "2039", "--json"], &suite);
    let object = json(&shown);
    assert_eq!(shown.code, Some(0));
    assert_eq!(
        (&object["checked"], &object["failed"], &object["skipped"]),
        (&2.into(), &0.into(), &2.into())
    );
    assert_eq!(object["failures"], serde_json::json!([]));
}

/// On an older CPU, the binary states the missing instructions before anything else.
#[test]
#[cfg(target_arch = "x86_64")]
fn an_older_cpu_is_told_which_instructions_are_missing() {
    let run_with = |variables: &[(&str, &str)]| {
        let mut command = assert_cmd::Command::new(BINARY);
        command.envs(variables.iter().copied()).args(["perft", "1"]);
        Run::from(command.output().expect("the binary runs"))
    };
    let run = |name: &str| run_with(&[("HEMATITE_WITHOUT", name)]);
    let told = run("sse2");
    let expected = "error: this CPU lacks instructions of this build: sse2; a portable build runs on it (see CONTRIBUTING.md)\n";
    assert_eq!((told.code, told.out.as_str(), told.err.as_str()), (Some(2), "", expected));
    assert_eq!(run("sse9").code, Some(0), "no build requires it");
    let unchecked = run_with(&[("HEMATITE_WITHOUT", "sse2"), ("HEMATITE_ANY_CPU", "1")]);
    assert_eq!((unchecked.code, unchecked.err.as_str()), (Some(0), ""));
}

/// The standard library runs before and during that check, so it must stay as it was built for every CPU.
#[test]
fn the_standard_library_is_not_compiled_for_this_cpu() {
    let manifest =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).expect("it is there");
    let manifest: toml::Table = manifest.parse().expect("the manifest is TOML");
    for (name, profile) in manifest["profile"].as_table().expect("there are profiles") {
        let lto = profile.get("lto");
        let is_local = lto.is_none_or(|lto| lto.as_bool() == Some(false) || lto.as_str() == Some("off"));
        assert!(is_local, "profile {name}: found lto = {lto:?}, expected false or \"off\"");
    }
}

#[test]
fn several_suites_are_one_run() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/epd/");
    let own = [format!("{folder}perft.epd"), format!("{folder}perft-960.epd")];
    let shown = run(&["perft", "--max-nodes", "10000", "--suite", &own[0], &own[1]], "");
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{shown:?}");
    assert!(shown.out.contains(" 0 wrong, "), "{shown:?}");
}

#[test]
fn wrong_suites_fail_with_their_divide() {
    let suite = "4k3/8/8/8/8/8/8/4K3 w - - ;D1 5 ;D2 26\nid two\nepd 8/8/8/8/8/2k5/8/K7 w - -\nperft 1 3\n";
    let shown = run(&["perft", "--suite", "-"], suite);
    assert_eq!((shown.code, shown.err.as_str()), (Some(1), ""), "{shown:?}");
    let lines: Vec<&str> = shown.out.lines().collect();
    let expected =
        ["standard input: line 1: depth 2: expected 26, found 25", "  4k3/8/8/8/8/8/8/4K3 w - - 0 1"];
    assert_eq!(lines[..2], expected);
    let mut branches = lines[2..7].to_vec();
    branches.sort_unstable();
    assert_eq!(branches, ["  e1d1: 5", "  e1d2: 5", "  e1e2: 5", "  e1f1: 5", "  e1f2: 5"]);
    assert_eq!(lines[7], "standard input: line 3: two: depth 1: expected 3, found 2");
    assert!(lines.last().is_some_and(|last| last.starts_with("3 counts checked, 2 wrong, 0 left out; ")));

    let shown = run(&["perft", "--suite", "-", "--json"], suite);
    assert_eq!(shown.code, Some(1));
    let object = json(&shown);
    let failure = &object["failures"][1];
    assert_eq!(
        (&failure["line"], &failure["name"], &failure["depth"]),
        (&3.into(), &"two".into(), &1.into())
    );
    assert_eq!((&failure["expected"], &failure["found"]), (&3.into(), &2.into()));
    assert_eq!(failure["divide"].as_array().map(Vec::len), Some(2));
}

#[test]
fn perft_suites_go_on_after_a_line_that_cannot_be_read() {
    let folder = support::binary::folder("perft-refused");
    let name = folder.join("counts.epd");
    let long = "8".repeat(1 << 17);
    let suite = format!(
        "4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n4k3/8/8/8/8/8/8/4K3 w - - ;D1 five\n{long}\n\
         id broken\nepd 8/8 w - -\nperft 1 7\n4k3/8/8/8/8/8/8/4K3 w - - ;D2 25\n"
    );
    std::fs::write(&name, suite).expect("the folder can be written to");
    let name = name.to_str().expect("UTF-8");
    let shown = run(&["perft", "--suite", name], "");
    assert_eq!(shown.code, Some(1), "{shown:?}");
    let lines: Vec<&str> = shown.out.lines().collect();
    let [count, length, position, sum] = lines[..] else { panic!("{shown:?}") };
    assert_eq!(count, format!("{name}: line 2: left out: expected `;D<depth> <nodes>`, found `D1 five`"));
    assert!(length.starts_with(&format!("{name}: line 3: left out: longer than ")), "{length}");
    assert!(
        position.starts_with(&format!("{name}: line 5: left out: piece placement: 2 ranks")),
        "{position}"
    );
    assert!(sum.starts_with("2 counts checked, 0 wrong, 0 left out, 3 lines not read; "), "{sum}");
    let object = json(&run(&["perft", "--suite", name, "--json"], ""));
    assert_eq!((&object["checked"], &object["refused"][2]["line"]), (&2.into(), &5.into()), "{object}");
    let shown = run(&["perft", "--suite", name, "--max-nodes", "1k"], "");
    assert!(shown.out.contains("2 counts checked"), "{shown:?}");
}

#[test]
fn errors_say_what_and_exit_with_two() {
    let cases: &[(&str, &[&str], &str, &str)] = &[
        (
            "a bad FEN",
            &["perft", "--fen", "8/8/8/8/8/8/8/7 w - -", "1"],
            "",
            "error: --fen: piece placement: rank 1 has 7 squares, expected 8\n",
        ),
        (
            "no chess position",
            &["perft", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 0", "1"],
            "",
            "error: --fen: piece placement: Black has 0 kings, expected 1; full-move number: 0, expected 1 or more\n",
        ),
        (
            "a bad line in a suite",
            &["perft", "--suite", "-"],
            "# head\n4k3/8/8/8/8/8/8/4K3 w - - ;D1 five\n",
            "error: standard input: line 2: expected `;D<depth> <nodes>`, found `D1 five`\n",
        ),
        (
            "an empty suite",
            &["perft", "--suite", "-"],
            "# nothing\n",
            "error: standard input: no positions, expected lines such as `FEN ;D1 20`\n",
        ),
        ("no file", &["perft", "--suite", "no/such/file"], "", "error: no/such/file: "),
        ("no depth", &["perft"], "", "error: the following required arguments were not provided:"),
        ("too deep", &["perft", "65"], "", "error: invalid value '65' for '[DEPTH]'"),
        ("not a depth", &["perft", "-1"], "", "error: invalid value '-1' for '[DEPTH]'"),
        (
            "not a rate",
            &["train", "--data", "games", "--out", "new.nnue", "--lr", "-1"],
            "",
            "error: invalid value '-1' for '--lr <RATE>': expected a number above 0",
        ),
        ("no threads", &["perft", "--threads", "0", "1"], "", "error: invalid value '0' for '--threads <N>'"),
        ("depth and suite", &["perft", "--suite", "-", "--divide"], "", "error: "),
        ("no such command", &["chess"], "", "error: unrecognized subcommand 'chess'"),
    ];
    for (name, arguments, input, message) in cases {
        let shown = run(arguments, input);
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{name}: {shown:?}");
        assert!(shown.err.starts_with(message), "{name}: {shown:?}");
    }
}

#[test]
fn only_what_is_near_is_suggested() {
    let cases: [(&[&str], Option<&str>); 10] = [
        (&["pgn", "fnd"], Some("a similar subcommand exists: 'find'")),
        (&["pgn", "dup"], Some("a similar subcommand exists: 'duplicates'")),
        (&["analyze"], Some("a similar subcommand exists: 'analyse'")),
        (&["export"], Some("some similar subcommands exist: 'db export', 'pgn export'")),
        (&["pgn", "check", "--jsn", "-"], Some("a similar argument exists: '--json'")),
        (&["pgn", "split", "-", "--by", "players"], Some("a similar value exists: 'player'")),
        (&["pgn", "x"], None),
        (&["pgn", "search"], None),
        (&["match", "--tme", "3"], None),
        (&["engine"], None),
    ];
    for (arguments, expected) in cases {
        let shown = run(arguments, "");
        let tip = shown.err.lines().find_map(|line| line.trim().strip_prefix("tip: "));
        assert_eq!((shown.code, tip), (Some(2), expected), "{arguments:?}: {}", shown.err);
    }
    let shown = run(&["match", "--tme", "3"], "").err;
    assert!(shown.contains("Usage: hematite match [OPTIONS]"), "{shown}");
}

#[test]
fn help_and_version_are_answers() {
    for (arguments, expected) in [
        (&["--help"][..], "Usage: hematite"),
        (&["help", "perft"], "hematite perft 6"),
        (&["perft", "--help"], "hematite perft --suite"),
        (&["perft", "-h"], "--max-nodes"),
        (&["--version"], concat!("hematite ", env!("CARGO_PKG_VERSION"))),
    ] {
        let shown = run(arguments, "");
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(shown.out.contains(expected), "{arguments:?}: {}", shown.out);
    }
}

/// Scripts keep working: options that have other names now are still read by those they had before.
#[test]
fn former_names_of_options_are_read() {
    /// A command and its options with values.
    type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);
    let cases: [Case; 8] = [
        (
            &["train", "--data", "a"],
            &[
                ("--out", "b"),
                ("--lr-end", "0.1"),
                ("--warm-up", "5"),
                ("--decay", "0.1"),
                ("--start", "c"),
                ("--report", "7"),
                ("--foresight", "0.5"),
                ("--scale", "300"),
            ],
        ),
        (&["net", "compare", "a", "b"], &[("--bound", "3")]),
        (&["net", "quantise", "a"], &[("--out", "b")]),
        (&["datagen", "--soft-nodes", "9"], &[("--out", "b")]),
        (&["tune", "--params", "a"], &[("--out", "b")]),
        (&["epd", "run", "a"], &[("--out", "b")]),
        (&["pgn", "export", "a"], &[("--out", "b")]),
        (&["report", "a"], &[("--out", "b")]),
    ];
    for (command, options) in cases {
        for (option, value) in options {
            let run = run(&[command, &[option, value, "--help"]].concat(), "");
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{command:?} {option}");
        }
        let run = run(&[command, &["--nonsense", "1", "--help"]].concat(), "");
        assert_eq!(run.code, Some(2), "{command:?}");
    }
}

#[test]
fn shells_and_manuals_are_served() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let shown = run(&["completions", shell], "");
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{shell}");
        assert!(shown.out.contains("hematite") && shown.out.contains("max-nodes"), "{shell}: {}", shown.out);
        assert!(!shown.out.contains("guard"), "{shell}: what is hidden is offered");
    }
    let shown = run(&["completions", "command.com"], "");
    assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""));
    let page = run(&["man"], "");
    assert!(page.code == Some(0) && page.out.contains(".TH hematite 1"), "{page:?}");
    let folder = std::env::temp_dir().join(format!("hematite-man-{}", std::process::id()));
    let path = folder.to_str().expect("UTF-8");
    // The folder is made.
    let shown = run(&["man", "--out-dir", path], "");
    assert_eq!((shown.code, shown.out.as_str(), shown.err.as_str()), (Some(0), "", ""));
    assert!(folder.join("hematite-perft.1").is_file());
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn arguments_may_be_commands_of_the_engine() {
    let shown = run(&["position startpos moves e2e4", "fen"], "never read");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n";
    assert_eq!((shown.code, shown.out.as_str(), shown.err.as_str()), (Some(0), fen, ""));
    let shown = run(&["bench 1"], "");
    assert!(shown.out.trim_end().ends_with(" nps"), "{shown:?}");
    assert!(shown.err.starts_with("Total time (ms) : "), "{shown:?}");
    assert!(shown.err.contains("\nNodes searched  : "), "{shown:?}");
    assert!(shown.err.contains("\nNodes/second    : "), "{shown:?}");
}

/// A command that lists games ends quietly when its reader closes the pipe; reading all games would take long.
#[test]
fn a_command_that_lists_ends_quietly_when_nobody_reads() {
    const MOST_WRITES: usize = 1000;
    let games = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(1000);
    let mut child = Command::new(BINARY)
        .args(["pgn", "fen", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("it is a pipe");
    let has_ended = (0..MOST_WRITES).any(|_| input.write_all(games.as_bytes()).is_err());
    drop(input);
    let mut err = String::new();
    child.stderr.take().expect("it is a pipe").read_to_string(&mut err).expect("it is UTF-8");
    let status = child.wait().expect("the binary ends");
    assert_eq!((status.code(), err.as_str(), has_ended), (Some(0), "", true));
}

#[test]
fn a_verdict_counts_that_nobody_reads() {
    const SUITE: &str = "4k3/8/8/8/8/8/8/4K3 w - - ";
    let no_chunk = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let wrong_before_right = format!("{SUITE};D1 6\n{SUITE};D1 5\n");
    let right_before_wrong = format!("{SUITE};D1 5\n{SUITE};D1 6\n");
    let right = format!("{SUITE};D1 5 ;D2 25\n");
    let cases: &[(&[&str], &str, i32)] = &[
        (&["perft", "--suite", "-"], &wrong_before_right, 1),
        (&["perft", "--suite", "-"], &right_before_wrong, 1),
        (&["perft", "--suite", "-", "--json"], &wrong_before_right, 1),
        (&["perft", "--suite", "-"], &right, 0),
        (&["pgn", "check", "--no-tags", "-"], "1. e5 *\n\n1. e4 *\n", 1),
        (&["pgn", "check", "--no-tags", "--json", "-"], "1. e5 *\n", 1),
        (&["pgn", "check", "--no-tags", "-"], "1. e4 *\n", 0),
        (&["epd", "check", "-"], &format!("{SUITE}bm Ke3;\n{SUITE}bm Ke2;\n"), 1),
        (&["epd", "check", "-"], &format!("{SUITE}bm Ke2;\n"), 0),
        (&["datagen", "check", no_chunk], "", 1),
        (&["position", "8/8/8/8/8/8/8/8 w - - 0 1"], "", 1),
        (&["position", "startpos", "--moves", "e5", "--json"], "", 1),
        (&["position", "startpos"], "", 0),
    ];
    for (arguments, input, expected) in cases {
        assert_eq!(run(arguments, input).code, Some(*expected), "{arguments:?} {input}");
        assert_eq!(run_unread(arguments, input.as_bytes()), Some(*expected), "{arguments:?} {input}: unread");
    }
}

/// Writing to a full disk is an error, where the system has a device that is always full.
#[test]
fn a_full_disk_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return support::skip("no /dev/full");
    };
    let output = Command::new(BINARY).args(["perft", "1"]).stdout(full).output().expect("the binary runs");
    let shown = Run::from(output);
    assert_eq!(shown.code, Some(2));
    assert!(shown.err.starts_with("error: cannot write the output: "), "{shown:?}");
    for arguments in [&["--help"][..], &["--version"], &["book", "--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        let status = Command::new(BINARY).args(arguments).stdout(full).status().expect("the binary runs");
        assert_eq!(status.code(), Some(2), "{arguments:?}");
    }
}

/// Two kings alone have more than 2^64 games of 24 plies.
#[test]
fn counts_have_a_limit() {
    let shown = run(&["perft", "24", "--hash", "64", "--fen", "8/8/8/4k3/8/8/4K3/8 w - - 0 1"], "");
    assert_eq!((shown.code, &*shown.out), (Some(2), ""), "{shown:?}");
    assert!(shown.err.contains("expected a lower depth"), "{shown:?}");
}
