//! Programs that are written for other engines.

use crate::support::engine::binary;
use std::process::Command;

/// Whether Python has a package.
fn has_package(name: &str) -> bool {
    let status = Command::new("python3").args(["-c", &format!("import {name}")]).output();
    status.is_ok_and(|output| output.status.success())
}

/// Runs a script of `tests/python` with the path of the binary as its argument, if Python has the package.
fn run(script: &str, package: &str) {
    if !has_package(package) {
        eprintln!("skipped: python3 has no package `{package}`, which `pip install {package}` installs");
        return;
    }
    let path = format!("{}/tests/python/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3").arg(path).arg(binary()).output().expect("python3 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn every_call_of_the_package_stockfish_works() {
    run("stockfish_api.py", "stockfish");
}

#[test]
fn python_chess_plays_and_analyzes() {
    run("chess_engine.py", "chess");
}
