//! Runs of the built binary and their output.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_hematite");

/// The output of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Run {
    /// The JSON object on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Runs the binary with these bytes on standard input.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Run {
    let mut command = assert_cmd::Command::new(BINARY);
    command.args(arguments).env("XDG_CONFIG_HOME", no_configuration());
    let output = command.write_stdin(input).output();
    output.expect("the binary runs").into()
}

/// A folder without configurations, so that those of the user do not count in tests.
pub(crate) fn no_configuration() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-configuration")
}

/// The exit code of a run whose standard output is closed.
pub(crate) fn run_unread<S: AsRef<OsStr>>(arguments: &[S], input: &[u8]) -> Option<i32> {
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let mut command = Command::new(BINARY);
    command.args(arguments).stdin(Stdio::piped()).stdout(writer).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary runs");
    // It may need none of it, and be gone.
    let _ = child.stdin.take().expect("it is a pipe").write_all(input);
    child.wait().expect("the binary ends").code()
}

/// Makes a named pipe.
#[cfg(unix)]
pub(crate) fn make_pipe(path: &Path) {
    let status = std::process::Command::new("mkfifo").arg(path).status().expect("there is mkfifo");
    assert!(status.success(), "{}", path.display());
}

/// An empty folder for a test. The name must not be used by any other test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tests").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Whether a program with this name can be started.
pub(crate) fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}
