//! After any end of the runner, no engine remains, and no process that an engine has started.

use crate::arena::runner::{Place, mock, processes, start, wait_until};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Duration;

/// An engine that ends neither at `quit` nor at the end of its input, and does not answer.
const DEAF_AND_MUTE: &str = "deaf mute 1";

/// A script that starts an engine, and thereby hides it from a runner that kills only its own child processes.
fn script(place: &Place) -> String {
    let path = place.path("engine.sh");
    let text = format!("#!/bin/sh\n'{}' {} {DEAF_AND_MUTE}\ntrue\n", mock(), place.mark);
    std::fs::write(&path, text).expect("the script is written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be executed");
    path
}

fn send(signal: &str, process: u32) {
    let status = Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "{signal}");
}

#[test]
fn no_engine_outlives_the_runner() {
    let cases: [(&str, &[&str]); 7] = [
        ("killed", &["-KILL"]),
        ("aborted, as in a panic", &["-ABRT"]),
        ("quit", &["-QUIT"]),
        ("interrupted", &["-INT"]),
        ("interrupted twice", &["-INT", "-INT"]),
        ("terminated", &["-TERM"]),
        ("its terminal closed", &["-HUP"]),
    ];
    for (name, signals) in cases {
        let place = Place::new();
        let direct = place.arguments(&[DEAF_AND_MUTE], "");
        let rest = ["--engine", &format!("cmd={}", script(&place)), "--each", "tc=600"].map(str::to_owned);
        let quick = ["--timeouts", "quit=0.1", "stop=0.1"].map(str::to_owned);
        let mut runner = start(&[&direct[..], &rest, &quick].concat());
        // The engines have been asked for their names, and two are in a game: the script and what
        // it has started make three processes, beside the runner itself.
        let is_playing = || {
            let running = processes(&place.mark);
            running.iter().filter(|line| line.contains(DEAF_AND_MUTE) && !line.contains(" match ")).count()
                >= 2
        };
        wait_until(name, is_playing);
        std::thread::sleep(Duration::from_millis(300));
        for signal in signals {
            send(signal, runner.id());
        }
        runner.wait().expect("it ends");
        place.assert_no_process_left();
    }
}

#[test]
fn no_engine_outlives_its_examination() {
    let place = Place::new();
    let log = place.path("talk.log");
    let mut runner = start(&["match", "check", "--log", &log, &script(&place)]);
    let engine = |line: &String| line.contains(DEAF_AND_MUTE);
    // An engine is watched before the first line is sent to it, but not yet when it starts.
    let is_asked = || std::fs::read_to_string(&log).is_ok_and(|talk| talk.contains("> uci\n"));
    wait_until("the engine runs", || is_asked() && processes(&place.mark).iter().any(engine));
    send("-KILL", runner.id());
    runner.wait().expect("it ends");
    place.assert_no_process_left();
}
