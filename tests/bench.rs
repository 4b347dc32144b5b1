//! The bench signature: the number of nodes that identifies the search.

use assert_cmd::Command;

/// The signature changes only with the search and the evaluation; the commit that changes it states `Bench: N`.
const SIGNATURE: u64 = 2_174_814;

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
