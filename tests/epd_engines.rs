//! `hematite epd run` with engines, with and without faults.

use super::epd_command::{MATES, MIXED, own_engine, run, text};
use crate::support::binary::folder;
use crate::support::{self, side_by_side};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn any_engine_can_be_run() {
    let engine = own_engine();
    let base = ["run", MATES, "--depth", "8", "--hash", "1", "--json", "-"];
    let of_engine = run(&[base.as_slice(), &["--engine", &engine]].concat(), b"").json();
    assert!(of_engine["engine"].as_str().is_some_and(|name| name.starts_with("Hematite")), "{of_engine}");
    let own = run(&base, b"").json();
    let results = |object: &Value| {
        let of = |position: &Value| {
            let keys = ["san", "mate", "nodes", "depth", "solved"];
            (keys.map(|key| position[key].clone()), position["solution"]["nodes"].clone())
        };
        object["positions"].as_array().expect("a list").iter().map(of).collect::<Vec<_>>()
    };
    // The same search, heard in two ways.
    assert_eq!(results(&of_engine), results(&own));

    let chess960 = b"4k3/8/8/8/8/8/5PPP/5K1R w H - bm Kg1; am O-O; id \"960\";";
    let shown = run(&["run", "-", "--depth", "4", "--engine", &engine, "--json", "-"], chess960);
    let object = shown.json();
    assert!(object["positions"][0]["san"].is_string(), "{shown:?}");
}

/// The command of an engine that answers `uci` and `isready`, and everything else by these lines of a shell script.
#[cfg(unix)]
fn script(folder: &Path, name: &str, rest: &str) -> String {
    let path = folder.join(name);
    let lines = [
        "n=0; while read -r line; do case \"$line\" in",
        "uci) echo 'id name Bad'; echo uciok;;",
        "isready) echo readyok;;",
        "quit) exit;;",
        rest,
        "esac; done",
    ];
    fs::write(&path, lines.join("\n")).expect("the folder can be written to");
    format!("sh '{}'", path.display())
}

#[test]
#[cfg(unix)]
fn engines_may_behave_badly() {
    let folder = folder("engines");
    let script = |name, rest| script(&folder, name, rest);
    let silent = script("silent", "go*) echo bestmove a1a8;;");
    let talks = script(
        "talks",
        "go*) echo info depth 1 pv a1a7; echo garbage; echo info depth x score y pv z; \
         echo info depth 3 nodes 9 time 2 score cp 1 pv a1a8 g8f8; echo info depth 4 multipv 2 pv a1a7; \
         echo bestmove a1a8;;",
    );
    let illegal = script("illegal", "go*) echo bestmove e2e5;;");
    let none = script("none", "go*) echo 'bestmove (none)';;");
    let suite = MIXED.lines().next().expect("a line").as_bytes();
    // Without any word before the answer, it is right from its last moment on.
    let cases = [
        ("silent", &silent, 0, true, Value::Null, Value::from(0)),
        ("talks", &talks, 0, true, Value::from(1), Value::from(3)),
        ("illegal", &illegal, 1, false, Value::Null, Value::Null),
        ("no move", &none, 0, false, Value::Null, Value::Null),
    ];
    for (name, engine, code, is_solved, score, depth) in cases {
        let shown = run(&["run", "-", "--time", "50", "--engine", engine, "--json"], suite);
        assert_eq!(shown.code, Some(code), "{name}: {shown:?}");
        assert_eq!(shown.err.is_empty(), code == 0, "{name}: {shown:?}");
        let position = shown.json()["positions"][0].clone();
        assert_eq!(position["solved"], is_solved, "{name}: {position}");
        assert_eq!(position["score_cp"], score, "{name}: {position}");
        assert_eq!(position["solution"]["depth"], depth, "{name}: {position}");
    }
    let shown = run(&["run", "-", "--time", "50", "--engine", &illegal], suite);
    assert!(
        shown.out.contains("`e2e5` is not legal") && shown.out.contains("1 fault of the engine"),
        "{shown:?}"
    );
    assert!(
        shown.err.starts_with("warning: standard input: line 1: not solved, since the engine failed"),
        "{shown:?}"
    );

    for (name, engine, start, expected) in [
        ("no program", "/no/such/engine --uci", "start=20", "no such program"),
        ("no engine", "true", "start=20", "has ended, expected `uciok`"),
        ("no answer", "cat", "start=300ms", "no answer in N s, expected `uciok`"),
        ("nothing", " ", "start=20", "empty command"),
    ] {
        let arguments = ["run", "-", "--time", "50", "--engine", engine, "--timeouts", start];
        let shown = run(&arguments, suite);
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{name}");
        let message = support::with_any_seconds(&shown.err);
        assert!(message.starts_with("error: engine") && message.contains(expected), "{name}: {shown:?}");
    }
}

/// Eight positions with the same right move.
#[cfg(unix)]
fn eight() -> Vec<u8> {
    (1..=8)
        .map(|number| format!("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"x.{number}\";\n"))
        .collect::<String>()
        .into()
}

#[test]
#[cfg(unix)]
fn a_fault_of_an_engine_costs_a_position() {
    let folder = folder("engine-faults");
    let cases = [
        (
            "crash",
            "go*) n=$((n+1)); [ $n = 2 ] && exit 3; echo bestmove a1a8;;",
            "has ended, expected `bestmove`",
        ),
        ("stall", "go*) n=$((n+1)); [ $n = 2 ] || echo bestmove a1a8;;", "no answer in"),
    ];
    side_by_side(cases, |(name, rest, fault)| {
        let engine = script(&folder, name, rest);
        let [json, out] = ["json", "epd"].map(|kind| folder.join(format!("{name}.{kind}")));
        let files = ["--json", text(&json), "--out", text(&out)];
        let limits = ["--time", "20", "--timeouts", "stop=1s,quit=300ms"];
        let arguments = [&["run", "-", "--engine", &engine][..], &limits, &files].concat();
        let shown = run(&arguments, &eight());
        assert_eq!(shown.code, Some(1), "{name}: {shown:?}");
        // Every second position, since a new process answers the first one.
        assert_eq!(shown.err.matches(fault).count(), 4, "{name}: {shown:?}");
        assert!(shown.err.contains("warning: standard input: line 2: "), "{name}: {shown:?}");
        assert!(
            shown.out.contains("4/8") && shown.out.contains("4 faults of the engine"),
            "{name}: {shown:?}"
        );
        let object: Value = serde_json::from_slice(&fs::read(&json).expect("a file")).expect("JSON");
        assert_eq!((&object["ending"], &object["faults"]), (&"done".into(), &4.into()), "{name}: {object}");
        let faults = object["positions"].as_array().expect("a list").iter();
        let faults: Vec<bool> = faults.map(|position| position["fault"].is_string()).collect();
        assert_eq!(faults, [false, true, false, true, false, true, false, true], "{name}");
        let records = fs::read_to_string(&out).expect("a file");
        let annotated: Vec<bool> = records.lines().map(|line| line.contains(" acd ")).collect();
        assert_eq!(annotated, [true, false, true, false, true, false, true, false], "{name}");
    });
}

/// Without `--time`, the longest search time is a limit for silent engines.
#[test]
#[cfg(unix)]
fn a_silent_engine_is_stopped() {
    let folder = folder("engine-silent");
    let engine = script(&folder, "silent", "stop) echo bestmove a1a8;;");
    let suite = MIXED.lines().next().expect("a line").as_bytes();
    let shown = run(&["run", "-", "--depth", "3", "--engine", &engine, "--timeouts", "think=200ms"], suite);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.out.contains("1/1"), "{shown:?}");
}

#[test]
#[cfg(unix)]
fn an_engine_that_fails_again_and_again_is_given_up() {
    let folder = folder("engine-given-up");
    let ends = script(&folder, "ends", "go*) exit;;");
    // It does not start a second time.
    let once = folder.join("started");
    let starts_once = script(&folder, "once", "go*) exit;;");
    let file = folder.join("once");
    let body = fs::read_to_string(&file).expect("a script");
    let guarded = format!("[ -e '{0}' ] && exit; touch '{0}'; {body}", once.display());
    fs::write(&file, guarded).expect("the folder can be written to");
    for (name, engine, problem) in [
        ("ends", &ends, "it has ended, expected `bestmove`; it was restarted 5 times in a row"),
        ("starts once", &starts_once, "it has ended, expected `uciok`; it was restarted 5 times in a row"),
    ] {
        let (json, out) = (folder.join("result.json"), folder.join("out.epd"));
        let files = ["--json", text(&json), "--out", text(&out)];
        let shown = run(&[&["run", "-", "--time", "50", "--engine", engine][..], &files].concat(), &eight());
        assert_eq!(shown.code, Some(2), "{name}: {shown:?}");
        assert!(shown.err.lines().last().is_some_and(|line| line.contains(problem)), "{name}: {shown:?}");
        assert!(
            shown.out.contains("0/5") && shown.out.contains("5 faults of the engine"),
            "{name}: {shown:?}"
        );
        let object: Value = serde_json::from_slice(&fs::read(&json).expect("a file")).expect("JSON");
        assert_eq!(
            (&object["ending"], &object["total"]["positions"]),
            (&"failed".into(), &5.into()),
            "{name}"
        );
        assert_eq!(fs::read_to_string(&out).expect("a file").lines().count(), 8, "{name}: no record is lost");
    }
}

#[test]
fn options_reach_the_search_and_the_engine() {
    let folder = folder("epd-options");
    let network = folder.join("other.nnue");
    let file = fs::File::create(&network).expect("the folder can be written to");
    let other = support::network::material(32, 1).quantize().expect("small weights");
    other.write(file).expect("the folder can be written to");
    let network = format!("EvalFile={}", network.display());
    let engine = own_engine();
    let castling = b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\nr3k3/p7/8/8/8/8/P7/4K2R w K - am Kd1;\n";
    let results = |arguments: &[&str]| {
        let base = ["run", "-", "--depth", "6", "--json"];
        let shown = run(&[&base[..], arguments].concat(), castling);
        assert_eq!(shown.code, Some(0), "{arguments:?}: {shown:?}");
        let of = |position: &Value| ["san", "nodes", "score_cp"].map(|key| position[key].clone());
        let object = shown.json();
        (object["positions"].as_array().expect("a list").iter().map(of).collect::<Vec<_>>(), object)
    };
    let (usual, _) = results(&[]);
    for option in [network.as_str(), "MultiPV=3", "Contempt=150", "multipv=2"] {
        let (own, object) = results(&["--option", option]);
        assert!(own != usual || option.starts_with("Contempt"), "{option}");
        let (of_engine, _) = results(&["--option", option, "--engine", &engine]);
        assert_eq!(own, of_engine, "{option}");
        assert_eq!(object["settings"]["options"].as_object().map(serde_json::Map::len), Some(1), "{object}");
    }
    let (_, object) =
        results(&["--option", "Hash=2", "--option", "Threads=1", "--option", "Syzygy50MoveRule=false"]);
    assert_eq!(object["settings"]["hash_mib"], 2, "{object}");

    // Castling wins a rook.
    let suite = b"3k4/8/8/8/8/8/1r6/R3K3 w Q - bm O-O-O;\n";
    for (value, castled) in [("true", "e1a1"), ("false", "e1c1")] {
        let option = format!("UCI_Chess960={value}");
        for more in [&[][..], &["--engine", &engine]] {
            let base = ["run", "-", "--depth", "8", "--json", "--option", &option];
            let object = run(&[&base[..], more].concat(), suite).json();
            assert_eq!(object["positions"][0]["uci"], castled, "{value} {more:?}: {object}");
        }
    }
}

#[test]
fn options_that_cannot_be_set_are_refused() {
    let engine = own_engine();
    let own: &[&[&str]] = &[&[]];
    let both: &[&[&str]] = &[&[], &["--engine", &engine]];
    /// Options, the solvers that refuse them, and the error.
    type Case<'a> = (&'a [&'a str], &'a [&'a [&'a str]], &'a str);
    let cases: &[Case] = &[
        (&["Hahs=1"], own, "--option Hahs: there is no such option, expected Hash"),
        (&["Hahs=1"], &both[1..], "option Hahs: the engine does not have it, did you mean Hash?"),
        (&["Xyzzy=1"], own, "there is no such option, expected Hash, Threads, "),
        (&["Hash=0"], both, "`0`, expected a whole number from 1 to"),
        (&["MultiPV=many"], both, "`many`, expected a whole number from 1 to"),
        (&["UCI_Chess960=perhaps"], both, "`perhaps`, expected `true` or `false`"),
        (&["Ponder=true"], own, "--option Ponder: it does not matter to a suite"),
        (&["EvalFile=/no/such/file"], own, "/no/such/file: "),
        (&["SyzygyPath=/no/such/folder"], own, "/no/such/folder"),
        (&["Hash=1", "hash=2"], both, "--option hash: given twice"),
        (&["Hash"], both, "expected NAME=VALUE"),
        (&["=1"], both, "expected NAME=VALUE"),
    ];
    for (options, solvers, expected) in cases {
        let flags: Vec<&str> = options.iter().flat_map(|option| ["--option", option]).collect();
        for solver in *solvers {
            let shown = run(&[&["run", MATES, "--depth", "1"], &flags[..], solver].concat(), b"");
            assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{options:?}: {shown:?}");
            assert!(shown.err.contains(expected), "{options:?} {solver:?}: {shown:?}");
        }
    }
    let shown = run(&["run", MATES, "--depth", "1", "--hash", "1", "--option", "Hash=2"], b"");
    assert!(shown.code == Some(2) && shown.err.contains("--option Hash: given twice"), "{shown:?}");
    for (timeouts, expected) in [
        ("go=1", "expected NAME=TIME with one of start, ping, stop, quit, think"),
        ("start", "expected NAME=TIME with one of start, ping, stop, quit, think"),
        ("start=soon", "expected a time such as 90s, 500ms, 15m, 2m30s or 8h"),
    ] {
        let shown = run(&["run", MATES, "--depth", "1", "--engine", &engine, "--timeouts", timeouts], b"");
        assert!(shown.code == Some(2) && shown.err.contains(expected), "{timeouts}: {shown:?}");
    }
}
