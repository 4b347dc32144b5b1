//! Shared parts of the tests: the built binary, the location of external test data, and the number of fuzz cases.

pub(crate) mod binary;
pub(crate) mod engine;
pub(crate) mod network;
pub(crate) mod place;
pub(crate) mod session;
pub(crate) mod signals;

use std::io::Write;
use std::path::PathBuf;

/// A message with a `N` for each number of seconds: on a busy machine a program waits longer than its limit.
pub(crate) fn with_any_seconds(message: &str) -> String {
    let is_seconds = |word: &str, next: Option<&&str>| {
        word.parse::<f64>().is_ok() && next.is_some_and(|next| next.trim_end_matches(',') == "s")
    };
    let words: Vec<&str> = message.split(' ').collect();
    let masked = words.iter().enumerate();
    let masked = masked.map(|(at, &word)| if is_seconds(word, words.get(at + 1)) { "N" } else { word });
    masked.collect::<Vec<_>>().join(" ")
}

/// The folder of public test data: the one that the environment variable `HEMATITE_DATA` names, or `../shared/data`
/// next to the project. The folder is not part of the project, so it may be absent.
fn data_folder() -> PathBuf {
    std::env::var_os("HEMATITE_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from)
}

/// The path of a file of public test data; `None`, with a note, if the data folder is absent.
///
/// # Panics
/// If the folder exists but the file does not.
pub(crate) fn data_path(name: &str) -> Option<PathBuf> {
    let folder = data_folder();
    if !folder.is_dir() {
        skip("no test data");
        return None;
    }
    let path = folder.join(name);
    assert!(path.is_file(), "{} is missing", path.display());
    Some(path)
}

/// The text of a file of public test data; `None`, with a note, if the data folder is absent.
pub(crate) fn data(name: &str) -> Option<String> {
    let path = data_path(name)?;
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// A folder of public test data; `None`, with a note, if the data folder is absent.
///
/// # Panics
/// If the data folder exists but this folder does not.
pub(crate) fn data_folder_of(name: &str) -> Option<PathBuf> {
    let folder = data_folder();
    if !folder.is_dir() {
        skip("no test data");
        return None;
    }
    let path = folder.join(name);
    assert!(path.is_dir(), "{} is missing", path.display());
    Some(path)
}

/// Checks each case on a separate thread: the cases spend most of their time waiting for clocks and silent programs.
///
/// # Panics
/// If one of the checks panics.
pub(crate) fn side_by_side<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    let check = &check;
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || check(case));
        }
    });
}

/// Whether a program can be run with these arguments and succeeds.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let output = std::process::Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// Runs a script of `tests/python` with the binary, a page of the documentation, a tool and files.
///
/// # Panics
/// If the script fails.
pub(crate) fn check_page_by_script(script: &str, page: &str, tool: &str, files: &[PathBuf]) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = std::process::Command::new("python3");
    command.arg(root.join("tests/python").join(script)).arg(binary::BINARY).arg(root.join(page));
    let output = command.arg(tool).args(files).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Reports that the test of this thread is skipped, and why. The usual output of a test is shown only if it fails; this
/// note is always shown.
pub(crate) fn skip(reason: &str) {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("a test");
    // Nobody may be there to read it.
    let _ = writeln!(std::io::stderr(), "{name} skipped: {reason}");
}

/// The number of hostile inputs that a test generates: the value of the environment variable `HEMATITE_FUZZ`, or
/// `usual`. With millions, the test is a fuzzer that runs for minutes.
pub(crate) fn fuzz_cases(usual: u32) -> u32 {
    std::env::var("HEMATITE_FUZZ").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}
