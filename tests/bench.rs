//! The bench signature: the number of nodes that identifies the search.

use assert_cmd::Command;
use hematite::search::Statistics;

/// The signature changes only with the search and the evaluation; the commit that changes it states `Bench: N`.
const SIGNATURE: u64 = 2_138_085;

/// The output of a command that must succeed.
fn said(arguments: &[&str], input: &str) -> String {
    let mut command = Command::cargo_bin("hematite").expect("the binary is built");
    let output = command.args(arguments).write_stdin(input).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

/// The number of nodes in a last line `N nodes N nps`.
fn nodes(text: &str) -> u64 {
    let last = text.lines().last().expect("a last line");
    match last.split(' ').collect::<Vec<_>>()[..] {
        [nodes, "nodes", speed, "nps"] => {
            speed.parse::<u64>().expect("a speed");
            nodes.parse().expect("a number of nodes")
        }
        _ => panic!("expected `N nodes N nps`, found `{last}`"),
    }
}

#[test]
fn the_signature_is_that_of_this_search() {
    assert_eq!(nodes(&said(&[], "bench\nwait\n")), SIGNATURE);
}

#[test]
fn the_nodes_are_the_same_on_the_command_line_and_in_uci() {
    let shallow = nodes(&said(&["bench", "6"], ""));
    assert_eq!(nodes(&said(&[], "bench 6\nwait\n")), shallow);
    assert!((1..SIGNATURE).contains(&shallow), "{shallow}");
    let json: serde_json::Value =
        serde_json::from_str(&said(&["bench", "6", "--json"], "")).expect("one JSON object");
    assert_eq!((&json["depth"], &json["threads"], &json["nodes"]), (&6.into(), &1.into(), &shallow.into()));
    assert!(json["nps"].as_u64().is_some_and(|speed| speed > 0), "{json}");
}

#[test]
fn nodes_limit_each_search() {
    let text = said(&["bench", "--nodes", "100"], "");
    assert_eq!(nodes(&text), 100 * (text.lines().count() as u64 - 1), "one thread keeps the limit exactly");
    let json: serde_json::Value =
        serde_json::from_str(&said(&["bench", "--nodes", "100", "--json"], "")).expect("one JSON object");
    assert_eq!((&json["nodes_per_position"], &json["depth"]), (&100.into(), &serde_json::Value::Null));
}

#[test]
fn statistics_are_those_of_a_search() {
    let mut command = Command::cargo_bin("hematite").expect("the binary is built");
    let output = command.args(["bench", "6", "--statistics", "--json"]).output().expect("it runs");
    if !Statistics::ARE_COUNTED {
        let problem = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{problem}");
        assert!(problem.contains("cargo build --release --features tune"), "{problem}");
        return;
    }
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let rate = |name: &str| json["statistics"][name].as_f64().unwrap_or_else(|| panic!("{name}: {json}"));
    assert_eq!(rate("mean_depth"), 6.0);
    // A search whose order of moves is good cuts off by the first move most often, and repeats few searches.
    assert!((0.7..1.0).contains(&rate("first_move_cutoffs")), "{json}");
    assert!((1.0..2.0).contains(&rate("moves_per_cutoff")), "{json}");
    assert!((0.1..0.9).contains(&rate("quiescence_nodes")), "{json}");
    assert!((0.0..0.5).contains(&rate("re_searches")) && rate("re_searches") > 0.0, "{json}");
    assert!((0.05..0.9).contains(&rate("hash_hits")), "{json}");
    let text = said(&["bench", "6", "--statistics"], "");
    assert!(text.contains(" nps\nCutoffs by the first move  : ") && text.ends_with("6.00\n"), "{text}");
}
