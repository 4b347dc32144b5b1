//! The page of `hematite board` in a real browser.

use crate::support;
use crate::support::binary::{BINARY, folder, has};
use std::path::Path;
use std::process::Command;

#[test]
fn browsers_play_on_the_board() {
    run_script("board_page.py", "board-page", &[]);
}

#[test]
fn games_are_begun_and_watched_on_the_board() {
    run_script("board_home.py", "board-home", &[]);
}

#[test]
fn games_are_edited_on_the_board() {
    run_script("board_analysis.py", "board-analysis", &[]);
}

#[test]
fn files_are_searched_and_changed_on_the_board() {
    run_script("board_files.py", "board-files", &[]);
}

#[test]
fn lists_of_games_are_gone_through_on_the_board() {
    run_script("board_lists.py", "board-lists", &[]);
}

#[test]
fn next_moves_and_states_are_shown_on_the_board() {
    run_script("board_states.py", "board-states", &[]);
}

#[test]
fn whole_games_are_played_on_the_board() {
    run_script("board_play.py", "board-play", &[]);
}

#[test]
fn roles_and_rules_are_kept_on_the_board() {
    run_script("board_rules.py", "board-rules", &[]);
}

#[test]
fn tournaments_are_played_on_the_board() {
    run_script("board_tournament.py", "board-tournament", &[]);
}

#[test]
fn an_arbiter_follows_all_games_on_the_board() {
    run_script("board_arbiter.py", "board-arbiter", &[]);
}

#[test]
#[ignore = "indexes 200,000 games, which takes long without --release"]
fn a_list_of_200_000_games_is_gone_through_on_the_board() {
    run_script("board_lists.py", "board-long-list", &["--long"]);
}

#[test]
#[ignore = "measures times, which depend on the machine; with --release and --nocapture"]
fn the_times_of_the_page_are_told() {
    print!("{}", run_script("board_page.py", "board-times", &["--times"]));
}

#[test]
#[ignore = "plays a match for the pictures of the documents, which differ each time"]
fn the_pictures_of_the_documents_can_be_made() {
    let told = run_script("board_pictures.py", "board-pictures", &[]);
    for name in ["board-game.png", "board-analysis.png", "board-next-moves.png", "board-watch.png"] {
        assert!(told.is_empty() || told.contains(name), "{name}: {told}");
    }
}

#[test]
#[ignore = "takes pictures of every view to be looked at, which takes minutes"]
fn every_view_of_the_board_is_quiet_and_fits() {
    print!("{}", run_script("screenshots.py", "board-screenshots", &[]));
}

/// Runs the script with a folder of this name, and returns its output.
fn run_script(script: &str, name: &str, arguments: &[&str]) -> String {
    if !has("chromium") || !has("chromedriver") || !has("python3") {
        support::skip("no chromium with chromedriver and python3");
        return String::new();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let output = Command::new("python3").arg(script).arg(BINARY).arg(folder(name)).args(arguments).output();
    let output = output.expect("python3 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}
