//! The match runner as a process, its engines, and the processes that it leaves.

use crate::support::signals::heed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time limit for expected events. It affects only tests that fail.
const PATIENCE: Duration = Duration::from_secs(120);

/// The path of the runner.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_hematite");

/// The path of the mock engine, which cargo builds as an example.
pub(crate) fn mock() -> String {
    let folder = Path::new(BINARY).parent().expect("it lies in a folder");
    let path = folder.join("examples").join(format!("mock-engine{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "{} is missing: `cargo test` builds it, and `cargo build --profile test --examples`",
        path.display()
    );
    path.display().to_string()
}

/// A separate folder for each test, and a mark for the processes that it starts.
pub(crate) struct Place {
    folder: PathBuf,
    /// A word that occurs on the command line of every engine of this test.
    pub(crate) mark: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("mark-{}-{number}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&mark);
        fs::create_dir_all(&folder).expect("a folder for the test");
        Self { folder, mark }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The words for a mock engine with this behavior.
    pub(crate) fn engine(&self, manner: &str) -> Vec<String> {
        let arguments = format!("args={} {manner}", self.mark);
        vec!["--engine".to_owned(), format!("cmd={}", mock()), arguments]
    }

    /// The arguments of a match between mock engines with these behaviors, followed by further words.
    pub(crate) fn arguments(&self, manners: &[&str], words: &str) -> Vec<String> {
        let mut arguments = vec!["match".to_owned()];
        manners.iter().for_each(|manner| arguments.extend(self.engine(manner)));
        arguments.extend(self.words(words));
        arguments
    }

    /// The words of a command line, on which paths of this folder are one word each even if they contain blanks.
    pub(crate) fn words(&self, line: &str) -> Vec<String> {
        const FOLDER: &str = "\0";
        let folder = self.path("");
        let word = |word: &str| word.replace(FOLDER, &folder);
        line.replace(&folder, FOLDER).split_whitespace().map(word).collect()
    }

    /// Runs a match between mock engines, and checks that no process remains.
    pub(crate) fn play(&self, manners: &[&str], words: &str) -> Played {
        let played = run(&self.arguments(manners, words));
        self.assert_no_process_left();
        played
    }

    /// Checks that no process of this test remains, where the system lists processes.
    pub(crate) fn assert_no_process_left(&self) {
        let begin = Instant::now();
        loop {
            let left = processes(&self.mark);
            if left.is_empty() {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "processes are left: {left:?}");
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The command lines of running processes that contain this word; empty if the system does not list processes.
pub(crate) fn processes(word: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let is_ours =
        |id: &str| id.bytes().all(|byte| byte.is_ascii_digit()) && id != std::process::id().to_string();
    entries
        .filter_map(Result::ok)
        .filter(|entry| is_ours(&entry.file_name().to_string_lossy()))
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(word))
        .collect()
}

/// The output of a run.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Played {
    /// The JSON object on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl From<Output> for Played {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Played {
    Command::new(BINARY).args(arguments).stdin(Stdio::null()).output().expect("the binary runs").into()
}

/// Starts the runner without waiting for its end.
pub(crate) fn start<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Child {
    heed();
    Command::new(BINARY)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

/// Waits until the condition holds.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}: never");
        sleep(Duration::from_millis(2));
    }
}
