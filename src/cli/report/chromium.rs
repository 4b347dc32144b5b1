//! PDF output by an installed Chromium browser.

use crate::cli::{CliError, signals};
use crate::client::Group;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The executables of Chromium and of browsers that are based on it.
const NAMES: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chrome.exe",
    "msedge",
    "msedge.exe",
];
/// The environment variable for the path of another browser.
const VARIABLE: &str = "HEMATITE_CHROMIUM";
/// The time limit for printing.
const PATIENCE: Duration = Duration::from_secs(300);
/// The time between two checks whether printing is done.
const NAP: Duration = Duration::from_millis(20);
/// The number of attempts to remove the files of a browser whose processes are ending.
const ATTEMPTS: usize = 100;

/// The path of the browser.
fn program() -> Result<PathBuf, CliError> {
    if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        return Ok(named.into());
    }
    let folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    let mut found = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    found.find(|path| path.is_file()).ok_or_else(|| {
        CliError::Failed(format!(
            "--pdf needs Chromium, which is not installed: none of {} is on the PATH, and {VARIABLE} names no other; \
             expected one of them, or a page to print from any browser",
            NAMES[..5].join(", ")
        ))
    })
}

/// Prints an HTML page as PDF. An interruption ends the browser and removes its files.
pub(super) fn pdf(page: &str) -> Result<Vec<u8>, CliError> {
    let program = program()?;
    let is_interrupted = signals::interrupted_flag()?;
    let failed =
        |problem: &dyn std::fmt::Display| CliError::Failed(format!("{}: {problem}", program.display()));
    let folder = tempfile::tempdir()?;
    let [input, output] = ["page.html", "page.pdf"].map(|name| folder.path().join(name));
    fs::write(&input, page)?;
    let mut command = Command::new(&program);
    command
        .args(["--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"])
        .arg(with_path("--user-data-dir=", &folder.path().join("profile")))
        .arg(with_path("--print-to-pdf=", &output))
        .args(sandbox())
        .arg(with_path("file://", &input))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // The browser has processes of its own, which end with its group.
    let mut browser = Group::start(&mut command).map_err(|error| failed(&error))?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = browser.exit_status(NAP) {
            break status;
        }
        let is_late = start.elapsed() > PATIENCE;
        if is_late || signals::flow(is_interrupted).is_break() {
            drop(browser);
            remove(folder.path());
            let seconds = PATIENCE.as_secs();
            return Err(match is_late {
                true => failed(&format!("it has not printed the page in {seconds} seconds")),
                false => CliError::interrupted("interrupted; nothing is printed"),
            });
        }
    };
    fs::read(&output).map_err(|_| failed(&format!("it has printed nothing ({status})")))
}

/// Removes the files of a browser that was killed. Its processes that are still ending may write into the folder.
fn remove(folder: &Path) {
    for _ in 0..ATTEMPTS {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => thread::sleep(NAP),
            _ => return,
        }
    }
}

fn with_path(option: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(option);
    argument.push(path);
    argument
}

/// Chromium refuses to run in a sandbox for the superuser. The page is generated here and loads nothing.
fn sandbox() -> Option<&'static str> {
    #[cfg(unix)]
    let is_root = rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    let is_root = false;
    is_root.then_some("--no-sandbox")
}
