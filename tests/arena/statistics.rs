//! `match sprt`: statistics from numbers alone, and the exit codes of tests.

use crate::arena::runner::{Place, run};
use crate::support::binary::run_unread;

#[test]
fn figures_become_a_report() {
    let shown = run(&[
        "match", "sprt", "--ptnml", "871", "26175", "55983", "26678", "821", "--elo1", "2", "--model",
        "logistic",
    ]);
    assert_eq!(shown.code, Some(1), "H0 is accepted: {shown:?}");
    assert!(
        shown.out.contains(
            "Games: 221056, Points: 110729.5 (50.09 %)\nPtnml(0-2): [871, 26175, 55983, 26678, 821]\n"
        ),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("\nLLR: -4.98 (169.1%) (-2.94, 2.94) [0.00, 2.00]\nH0 was accepted\n"),
        "{}",
        shown.out
    );

    let shown = run(&["match", "sprt", "--wins", "136", "--losses", "96", "--draws", "111"]);
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
    assert!(
        shown
            .out
            .starts_with("Elo: 40.70 +/- 30.43, nElo: 49.77 +/- 36.77\nLOS: 99.60 %, DrawRatio: 32.36 %\n"),
        "{}",
        shown.out
    );

    let shown = run(&[
        "match", "sprt", "--wins", "10", "--losses", "0", "--draws", "0", "--elo0", "-5", "--elo1", "5",
        "--json",
    ]);
    let object = shown.json();
    assert_eq!((object["wins"].as_u64(), object["elo"].is_null()), (Some(10), true), "{object}");
    assert!(object["sprt"]["llr"].as_f64() > Some(0.0), "{object}");
}

#[test]
fn extreme_figures_have_ratios() {
    let shown = run(&[
        "match",
        "sprt",
        "--losses",
        "1000000",
        "--draws",
        "1",
        "--wins",
        "1000000000",
        "--elo0",
        "-5",
        "--elo1",
        "5000",
        "--model",
        "bayesian",
        "--json",
    ]);
    assert!(shown.json()["sprt"]["llr"].is_f64(), "{shown:?}");
    let shown = run(&[
        "match", "sprt", "--ptnml", "1", "2", "3", "2", "1", "--elo0", "-1e-9", "--elo1", "5", "--json",
    ]);
    assert_eq!(shown.json()["sprt"]["elo0"], -1e-9, "{shown:?}");
}

#[test]
fn an_answer_counts_that_nobody_reads() {
    let figures = ["match", "sprt", "--wins", "100", "--losses", "300", "--draws", "100", "--elo1", "5"];
    assert_eq!(run_unread(&figures, b""), Some(1), "H0 is accepted");
    assert_eq!(run_unread(&figures[..8], b""), Some(0), "nothing is tested");
    let place = Place::new();
    let words = "--each nodes=1 --rounds 1000 --repeat --report 2 --sprt elo0=0 elo1=50";
    for (manners, expected) in [(["illegal 1", ""], 1), (["", "illegal 1"], 0)] {
        let arguments = place.arguments(&manners, words);
        assert_eq!(run(&arguments).code, Some(expected), "{manners:?}");
        assert_eq!(run_unread(&arguments, b""), Some(expected), "{manners:?}");
    }
    let mock = crate::arena::runner::mock();
    let check = ["match", "check", "--patience", "2", &mock, &place.mark, "illegal", "1"];
    assert_eq!(run_unread(&check, b""), Some(1), "a step fails");
    place.assert_no_process_left();
}

#[test]
fn impossible_figures_are_refused() {
    let cases: &[(&[&str], &str)] = &[
        (&["--wins", "1"], "error: the following required arguments were not provided"),
        (&["--ptnml", "1", "2", "3"], "error: 5 values required"),
        (&["--wins", "-1", "--draws", "0", "--losses", "0"], "error: "),
        (
            &["--ptnml", "1", "2", "3", "4", "5", "--elo0", "5", "--elo1", "0"],
            "error: elo0=5 elo1=0, expected elo0 to be less",
        ),
        (
            &["--ptnml", "1", "2", "3", "4", "5", "--model", "x"],
            "error: invalid value 'x' for '--model <MODEL>': expected logistic",
        ),
        (
            &["--ptnml", "1", "2", "3", "4", "5", "--elo1", "5", "--model", "bayesian"],
            "error: --ptnml: found --model bayesian",
        ),
    ];
    for (arguments, message) in cases {
        let shown = run(&[&["match", "sprt"], *arguments].concat());
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{arguments:?}: {shown:?}");
        assert!(shown.err.starts_with(message), "{arguments:?}: {}", shown.err);
    }
}
