//! Pages as PDF, printed by Chromium where it is installed.

use crate::cli::CliError;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The names of Chromium and of browsers that are made of it.
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
/// Names another program.
const VARIABLE: &str = "HEMATITE_CHROMIUM";
/// How long printing may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// The time between two looks at whether it is done.
const NAP: Duration = Duration::from_millis(20);

/// The program that prints.
fn program() -> Result<PathBuf, CliError> {
    if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        return Ok(named.into());
    }
    let folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    let mut found = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    found.find(|path| path.is_file()).ok_or_else(|| {
        CliError::Usage(format!(
            "--pdf needs Chromium, which is not installed: none of {} is on the PATH, and {VARIABLE} names no other; \
             expected one of them, or a page to print from any browser",
            NAMES[..5].join(", ")
        ))
    })
}

/// Prints a page.
pub(super) fn pdf(page: &str) -> Result<Vec<u8>, CliError> {
    let program = program()?;
    let failed =
        |problem: &dyn std::fmt::Display| CliError::Usage(format!("{}: {problem}", program.display()));
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
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if start.elapsed() > PATIENCE => {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed(&format!(
                    "it has not printed the page in {} seconds",
                    PATIENCE.as_secs()
                )));
            }
            None => thread::sleep(NAP),
        }
    };
    fs::read(&output).map_err(|_| failed(&format!("it has printed nothing ({status})")))
}

fn with_path(option: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(option);
    argument.push(path);
    argument
}

/// Chromium refuses to sandbox itself for the superuser. The page is ours and loads nothing.
fn sandbox() -> Option<&'static str> {
    #[cfg(unix)]
    let is_root = rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    let is_root = false;
    is_root.then_some("--no-sandbox")
}
