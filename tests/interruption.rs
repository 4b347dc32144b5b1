//! Interrupted commands leave no incomplete files.

use crate::support::binary::{BINARY, folder};
use crate::support::signals::heed;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A record for a suite that takes minutes, but whose first positions take little time.
const RECORD: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5;\n";
const RECORDS: usize = 5000;

/// The time limit for expected events. It affects only tests that fail.
const PATIENCE: Duration = Duration::from_secs(120);

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it can be listed");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn write_suite(folder: &Path) -> PathBuf {
    let path = folder.join("suite.epd");
    fs::write(&path, RECORD.repeat(RECORDS)).expect("it can be written");
    path
}

fn start(command: &mut Command) -> Child {
    heed();
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("the binary starts")
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "{signal}");
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}: never");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_suite_that_is_interrupted_tells_what_it_has_found() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = folder(&format!("interruption{signal}"));
        let (out, json) = (folder.join("out.epd"), folder.join("out.json"));
        fs::write(&out, "old").expect("it can be written");
        let mut command = Command::new(BINARY);
        command.args(["epd", "run", "--time", "50", "--hash", "1"]).arg(write_suite(&folder));
        command.arg("--out").arg(&out);
        let mut child = start(command.arg("--json").arg(&json));
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut text = String::new();
        stdout.read_line(&mut text).expect("a position is done");
        assert_eq!(names(&folder).len(), 4, "{signal}: two files are begun: {:?}", names(&folder));
        send(signal, &child);
        stdout.read_to_string(&mut text).expect("the rest");
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(2), "{signal}: {ended:?}");
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(told.starts_with("error: interrupted; "), "{signal}: {told}");
        let done = text.lines().filter(|line| line.contains("/5000 ")).count();
        assert!((1..RECORDS).contains(&done), "{signal}: {text}");
        let total = text.lines().find(|line| line.starts_with("all ")).unwrap_or_default();
        assert!(total.contains(&format!("/{done} ")), "{signal}: {text}");
        assert_eq!(names(&folder), ["out.epd", "out.json", "suite.epd"], "{signal}");
        let records = fs::read_to_string(&out).expect("a file");
        let annotated = records.lines().filter(|line| line.contains(" acd ")).count();
        assert_eq!((records.lines().count(), annotated), (RECORDS, done), "{signal}");
        let object: serde_json::Value =
            serde_json::from_slice(&fs::read(&json).expect("a file")).expect("JSON");
        assert_eq!(object["ending"], "interrupted", "{signal}");
        assert_eq!(object["positions"].as_array().map(Vec::len), Some(done), "{signal}");
    }
}

#[test]
fn who_interrupts_twice_does_not_wait() {
    let folder = folder("interruption-twice");
    let mut command = Command::new(BINARY);
    let out = folder.join("out.epd");
    command.args(["epd", "run", "--time", "600000"]).arg(write_suite(&folder));
    let child = start(command.arg("--out").arg(&out));
    wait_until("the file is begun", || names(&folder).len() == 2);
    // The search may notice the first at once; the second ends what it has not ended.
    send("-INT", &child);
    let again = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
    assert!(again.is_ok());
    let ended = child.wait_with_output().expect("it ends");
    let expected: &[&str] = match ended.status.code() {
        Some(2) => &["out.epd", "suite.epd"],
        Some(130) => &["suite.epd"],
        _ => panic!("{ended:?}"),
    };
    assert_eq!(names(&folder), expected);
}

#[test]
fn an_interrupted_export_leaves_no_file() {
    for (command, signal) in [("export", "-INT"), ("fen", "-TERM"), ("pgc", "-HUP")] {
        let folder = folder(&format!("interruption-{command}"));
        let out = folder.join("out");
        let mut child = start(Command::new(BINARY).args(["pgn", command, "-", "-o"]).arg(&out));
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(b"1. e4 e5 *\n\n").expect("it reads");
        wait_until("the file is begun", || names(&folder).len() == 1);
        send(signal, &child);
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(130), "{command}: {status:?}");
        assert_eq!(names(&folder), [""; 0], "{command}");
        drop(stdin);
    }
}

/// A browser that prints for too long ends with all its processes, and its files are removed.
#[test]
fn an_interrupted_browser_leaves_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("interruption-browser");
    let [browser, files, ids, out] = ["browser", "tmp", "ids", "out.pdf"].map(|name| folder.join(name));
    fs::create_dir(&files).expect("a folder can be made");
    let script = "#!/bin/sh\nfor argument; do\ncase $argument in --user-data-dir=*) mkdir \"${argument#*=}\" ;; esac\ndone\n\
                  sleep 600 &\necho $! $$ > \"$IDS.new\"\nmv \"$IDS.new\" \"$IDS\"\nwait\n";
    fs::write(&browser, script).expect("it can be written");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("it can be made a program");
    let mut command = Command::new(BINARY);
    command.args(["report", "-", "-o"]).arg(&out);
    command.env("HEMATITE_CHROMIUM", &browser).env("TMPDIR", &files).env("IDS", &ids);
    let mut child = start(&mut command);
    child.stdin.take().expect("it is piped").write_all(b"1. e4 e5 *\n").expect("it reads");
    wait_until("the browser is started", || ids.exists());
    assert_eq!(names(&files).len(), 1, "the page and the profile");
    send("-INT", &child);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(told.starts_with("error: interrupted; "), "{told}");
    assert_eq!((names(&files), out.exists()), (Vec::new(), false));
    // A process that has ended may wait to be collected.
    let is_running = |id: &str| {
        let state = Command::new("ps").args(["-o", "stat=", "-p", id]).output().expect("there is ps");
        let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    };
    let ids = fs::read_to_string(&ids).expect("it was written");
    wait_until("the browser has ended", || !ids.split_whitespace().any(is_running));
}

#[test]
fn a_hangup_that_is_to_be_ignored_is_ignored() {
    let folder = folder("interruption-hangup");
    let out = folder.join("out");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" pgn export - -o \"$1\"", BINARY]).arg(&out);
    let mut child = start(&mut shell);
    let mut stdin = child.stdin.take().expect("it is piped");
    wait_until("the file is begun", || names(&folder).len() == 1);
    send("-HUP", &child);
    stdin.write_all(b"1. e4 e5 *\n\n").expect("it still reads");
    drop(stdin);
    let status = child.wait().expect("it ends");
    assert_eq!((status.code(), status.signal()), (Some(0), None));
    assert!(fs::read_to_string(&out).is_ok_and(|text| text.ends_with("1. e4 e5 *\n\n")));
}
