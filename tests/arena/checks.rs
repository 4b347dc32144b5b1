//! `match check` on engines that conform to the protocol, and on some that do not.

use crate::arena::runner::{BINARY, Place, mock, run};
use crate::support::{side_by_side, with_any_seconds};

/// The failed steps, with their messages.
fn failures(arguments: &[&str]) -> Vec<(String, String)> {
    let checked = run(&[&["match", "check", "--json", "--patience", "2"], arguments].concat());
    let object = checked.json();
    let steps = object["steps"].as_array().expect("a list");
    assert!(steps.len() > 20, "{object}");
    let failed: Vec<_> = steps
        .iter()
        .filter(|step| step["passed"] == false)
        .map(|step| {
            (step["step"].as_str().unwrap_or("").to_owned(), step["text"].as_str().unwrap_or("").to_owned())
        })
        .collect();
    assert_eq!(checked.code, Some(i32::from(!failed.is_empty())), "{object}");
    assert_eq!(object["failed"], failed.len(), "{object}");
    failed
}

/// Steps are not run on an engine that does not answer `uci`: each of them would wait in vain.
#[test]
fn an_engine_that_does_not_introduce_itself_is_given_up() {
    let place = Place::new();
    let failed = failures(&[&mock(), &place.mark, "silent"]);
    assert!(failed[0].1.starts_with("no answer in "), "{failed:?}");
    assert!(failed.iter().skip(2).all(|(_, text)| text.starts_with("not tried: ")), "{failed:?}");
    place.assert_no_process_left();
}

#[test]
fn ours_passes_every_step() {
    assert_eq!(failures(&[BINARY]), []);
    let shown = run(&["match", "check", BINARY]);
    assert!(shown.out.lines().all(|line| !line.starts_with("FAIL")), "{}", shown.out);
    assert!(shown.out.ends_with(" steps, 0 failed\n"), "{}", shown.out);
}

#[test]
fn what_is_wrong_with_an_engine_is_found() {
    let mock = mock();
    let cases = [
        ("good", "", &[][..]),
        ("rubbish is skipped", "rubbish", &[]),
        ("stubborn", "stubborn", &["go searchmoves"]),
        ("deaf", "deaf", &["end of input", "quit"]),
        ("crash", "crash 1", &["position and go: legal moves"]),
        ("illegal", "illegal 1", &["position and go: legal moves"]),
    ];
    side_by_side(cases, |(name, manner, expected)| {
        let place = Place::new();
        let arguments: Vec<&str> =
            [mock.as_str(), place.mark.as_str()].into_iter().chain(manner.split_whitespace()).collect();
        let failed = failures(&arguments);
        for step in expected {
            assert!(failed.iter().any(|(failed, _)| failed.starts_with(step)), "{name}: {step}: {failed:?}");
        }
        assert_eq!(failed.is_empty(), expected.is_empty(), "{name}: {failed:?}");
        place.assert_no_process_left();
    });
}

/// No searches are started on an engine that does not answer `go`: each of them would wait in vain.
#[test]
fn an_engine_that_does_not_search_is_not_asked_again() {
    let place = Place::new();
    let mock = mock();
    let with = |limits: &str, manner: &str| {
        let words = format!("--timeouts {limits}");
        let words = words.split(' ').chain([mock.as_str(), place.mark.as_str()]).chain(manner.split(' '));
        failures(&words.collect::<Vec<_>>())
    };
    let failed = with("think=300ms stop=200ms quit=3s", "mute 1");
    assert_eq!(failed[0].0, "position and go: legal moves", "{failed:?}");
    assert!(failed[0].1.starts_with("no answer in "), "{failed:?}");
    let (not_tried, others): (Vec<_>, Vec<_>) =
        failed[1..].iter().partition(|(_, text)| text == "not tried: the engine does not answer to `go`");
    assert_eq!(not_tried.len(), 14, "{failed:?}");
    let names: Vec<&str> = others.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["quit while searching", "end of input while searching"], "{failed:?}");
    // One that can be stopped is asked to the end.
    let failed = with("think=300ms stop=60 quit=60", "endless");
    assert!(failed.len() > 5, "{failed:?}");
    let message = "no answer in N s, expected bestmove; it came after `stop`";
    assert!(failed.iter().all(|(_, text)| with_any_seconds(text) == message), "{failed:?}");
    place.assert_no_process_left();
}

#[test]
fn time_limits_are_named() {
    let cases = [
        ("thikn=1", "unknown name, did you mean think; expected one of start, ping, stop, quit, think"),
        ("think=1d", "expected a time such as 5, 500ms, 30s or 2m, at most a day"),
        ("think", "expected NAME=TIME such as think=30s"),
    ];
    for (limit, message) in cases {
        let checked = run(&["match", "check", "--timeouts", limit, BINARY]);
        assert_eq!(checked.code, Some(2), "{limit}: {checked:?}");
        assert!(checked.err.contains(message), "{limit}: {}", checked.err);
    }
}
