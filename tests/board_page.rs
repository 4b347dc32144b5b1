//! The page of `hematite board` in a real browser.

use crate::support;
use crate::support::binary::{BINARY, folder, has};
use std::path::Path;
use std::process::Command;

#[test]
fn browsers_play_on_the_board() {
    if !has("chromium") || !has("chromedriver") || !has("python3") {
        return support::skip("no chromium with chromedriver and python3");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/board_page.py");
    let output = Command::new("python3").arg(script).arg(BINARY).arg(folder("board-page")).output();
    let output = output.expect("python3 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}
