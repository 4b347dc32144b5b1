//! The comments of the library and of its pages are plain statements. CONTRIBUTING.md has the rules; these are those
//! that can be checked.

use crate::layers::{files_named, source_folder};
use std::fs;

/// The maximum width of a line that is a comment, in columns.
const MAX_WIDTH: usize = 120;
/// Words with which no comment begins: a noun or a verb says the same without a riddle.
const NOT_FIRST: [&str; 4] = ["How", "What", "Who", "Whoever"];
/// Words for which there are nouns: the player, the caller, the user, the server.
const NOT_USED: [&str; 5] = ["anybody", "nobody", "somebody", "someone", "whoever"];

/// The extensions of files with comments: Rust, and the scripts and styles of pages.
const COMMENTED: [&str; 3] = ["rs", "js", "css"];

/// The text of a line that is a comment or the start of one, without its signs.
fn comment_of(line: &str) -> Option<&str> {
    let line = line.trim();
    match line.strip_prefix("/*") {
        Some(block) => Some(block.strip_suffix("*/").unwrap_or(block).trim()),
        None => line.strip_prefix("//").map(|comment| comment.trim_start_matches(['/', '!']).trim_start()),
    }
}

/// The faults of the comments of a file, with their lines.
fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut is_continued = false;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = comment_of(line) else {
            is_continued = false;
            continue;
        };
        let words = || comment.split(|letter: char| !letter.is_alphanumeric());
        if !is_continued && NOT_FIRST.contains(&words().next().unwrap_or_default()) {
            faults.push(format!("{number}: begins with a question: {comment}"));
        }
        if let Some(word) = words().find(|word| NOT_USED.contains(&word.to_lowercase().as_str())) {
            faults.push(format!("{number}: `{word}` for a noun: {comment}"));
        }
        let width = line.chars().count();
        if width > MAX_WIDTH {
            faults.push(format!("{number}: {width} columns, expected at most {MAX_WIDTH}"));
        }
        is_continued = line.trim_start().starts_with("//") && !comment.is_empty();
    }
    faults
}

#[test]
fn comments_are_plain() {
    let source = source_folder();
    let mut all = Vec::new();
    for path in files_named(&source, &COMMENTED) {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.strip_prefix(&source).expect("it was found there").display().to_string();
        all.extend(faults(&text).into_iter().map(|fault| format!("src/{name}:{fault}")));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

#[test]
fn faults_are_found() {
    let cases = [
        ("/// The number of games.\nfn f() {}", 0),
        ("/// How many games there are.", 1),
        ("//! What is here.\n//!\n//! Who asks.", 2),
        ("/// The games,\n/// How they end.", 0),
        ("let a = 1; // whoever", 0),
        ("    // Nobody waits.", 1),
        ("const A: &str = \"What\";", 0),
        ("/* What stands here. */", 1),
        ("/* The board. */\n/* Who stands on it. */", 1),
    ];
    for (text, expected) in cases {
        assert_eq!(faults(text).len(), expected, "{text}");
    }
    let wide = format!("// {}", "a".repeat(MAX_WIDTH));
    assert_eq!(faults(&wide).len(), 1);
}
