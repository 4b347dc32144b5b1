//! Perft: the project's own suites in full, and the public ones as far as a test run has time for.

use crate::support;
use hematite::chess::perft::perft;
use hematite::suite::perft::{Case, Check, Summary, cases, run};
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

/// Runs a suite up to `max_nodes` per count; all its lines must be readable and right.
fn check(path: &Path, max_nodes: u64) -> Summary {
    let name = path.display();
    let file = File::open(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let cases: Vec<Case> = cases(BufReader::new(file))
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut failures = Vec::new();
    let summary = run(&cases, max_nodes, perft, &mut |check| {
        if !check.is_right() {
            let Check { case, expected, found } = check;
            let (line, depth, nodes) = (case.line, expected.depth, expected.nodes);
            failures.push(format!("line {line} depth {depth}: expected {nodes}, found {found}"));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(failures, Vec::<String>::new(), "{name}");
    summary
}

/// Runs a suite of the project in full.
fn check_own(name: &str, positions: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("epd").join(name);
    let summary = check(&path, u64::MAX);
    assert!(summary.checked > positions, "{name}: {summary:?}");
}

#[test]
fn own_standard_suite() {
    check_own("perft.epd", 40);
}

#[test]
fn own_chess960_suite() {
    check_own("perft-960.epd", 30);
}

/// The public suites: the number of counts, and the largest count, in nodes, that a test run has time for. All together
/// visit six billion nodes.
const PUBLIC: &[(&str, usize, u64)] = &[
    ("random.perft", 41_028, 1_000_000),
    ("tricky.perft", 91, 50_000_000),
    ("chess960.perft", 5_760, 10_000_000),
    ("stress.epd", 814, 50_000_000),
    ("double-checks.epd", 184, u64::MAX),
    ("dfrc.tsv", 86, 100_000_000),
];

#[test]
fn public_suites_up_to_a_bound() {
    for &(name, counts, max_nodes) in PUBLIC {
        check_public(name, counts, max_nodes);
    }
}

/// Visits about five trillion nodes, which takes hours even on many cores.
#[test]
#[ignore = "takes hours"]
fn public_suites_in_full() {
    std::thread::scope(|scope| {
        for &(name, counts, _) in PUBLIC {
            scope.spawn(move || check_public(name, counts, u64::MAX));
        }
    });
}

fn check_public(name: &str, counts: usize, max_nodes: u64) {
    let Some(path) = support::data_path(&format!("perft/{name}")) else { return };
    let summary = check(&path, max_nodes);
    assert_eq!(summary.checked + summary.skipped, counts, "{name}");
}

/// The lookup of slider attacks is chosen at run time, and all lookups give the same counts.
#[test]
fn every_lookup_of_sliders_counts_alike() {
    let own = ["perft.epd", "perft-960.epd"].map(|name| format!("{}/epd/{name}", env!("CARGO_MANIFEST_DIR")));
    let public: Vec<String> = PUBLIC
        .iter()
        .filter_map(|(name, ..)| Some(support::data_path(&format!("perft/{name}"))?.display().to_string()))
        .collect();
    let run = |lookup: &str, arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hematite"))
            .env("HEMATITE_SLIDERS", lookup)
            .args(arguments)
            .output()
            .expect("the binary runs");
        assert!(output.status.success(), "{lookup}: {output:?}");
        String::from_utf8(output.stdout).expect("the program writes UTF-8")
    };
    let mut lookups = vec![("magic", "magic bitboards")];
    if can_use_pext() {
        lookups.push(("pext", "PEXT"));
    }
    for (lookup, name) in lookups {
        for (suites, max_nodes) in [(&own[..], "1000000"), (&public, "100000")] {
            let suites = suites.iter().map(String::as_str);
            let arguments: Vec<&str> = ["perft", "--suite"].into_iter().chain(suites).collect();
            if arguments.len() > 2 {
                let shown = run(lookup, &[&arguments[..], &["--max-nodes", max_nodes]].concat());
                assert!(shown.contains(" 0 wrong, "), "{shown}");
            }
        }
        let chosen = run(lookup, &["compiler"]);
        let line = chosen.lines().find(|line| line.starts_with("In perft "));
        let expected = format!(": {name}: HEMATITE_SLIDERS asks for it");
        assert!(line.is_some_and(|line| line.ends_with(&expected)), "{chosen}");
    }
}

#[cfg(target_arch = "x86_64")]
fn can_use_pext() -> bool {
    is_x86_feature_detected!("bmi2")
}

#[cfg(not(target_arch = "x86_64"))]
fn can_use_pext() -> bool {
    false
}

/// The lookups for sliders and in perft are printed with the reason of each choice.
#[test]
fn the_lookup_of_sliders_has_a_reason() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_hematite")).arg("compiler").output().expect("the binary runs");
    let shown = String::from_utf8(output.stdout).expect("the program writes UTF-8");
    for start in ["Sliders     : ", "In perft    : "] {
        let choice = shown.lines().find_map(|line| line.strip_prefix(start)).expect("a choice");
        let (lookup, reason) = choice.split_once(": ").expect("a reason");
        assert!(["PEXT", "magic bitboards"].contains(&lookup) && !reason.is_empty(), "{shown}");
    }
}
