//! The configuration of a reverse proxy in `docs/board.md`, run by nginx.

use super::client::{Board, PATIENCE};
use crate::support;
use crate::support::binary::{folder, has};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const DOCUMENT: &str = include_str!("../../docs/board.md");
/// The host name in the document.
const NAME: &str = "chess.example.org";

/// The text of the document within a fenced block of this kind.
fn fenced(kind: &str) -> &'static str {
    let start = format!("```{kind}\n");
    let (_, rest) = DOCUMENT.split_once(&start).expect("the document has it");
    rest.split_once("```").expect("it ends").0
}

/// Replaces a text that must occur.
fn replaced(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old} is not in {text}");
    text.replace(old, new)
}

/// A program that is killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended
        let _ = self.0.wait();
    }
}

#[test]
fn the_proxy_of_the_document_is_played_through() {
    // These two have ways of their own to tell their versions.
    let runs = |program: &str, word: &str| {
        Command::new(program).arg(word).output().is_ok_and(|output| output.status.success())
    };
    if !runs("nginx", "-v") || !runs("openssl", "version") || !has("python3") {
        return support::skip("no nginx with openssl and python3");
    }
    let place = folder("board-proxy");
    let path = |name: &str| place.join(name).to_str().expect("it is UTF-8").to_owned();
    let (certificate, key) = (path("fullchain.pem"), path("privkey.pem"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", &format!("/CN={NAME}"), "-addext", &format!("subjectAltName=DNS:{NAME}")])
        .args(["-keyout", &key, "-out", &certificate])
        .output()
        .expect("openssl runs");
    assert!(made.status.success(), "{made:?}");
    // As the document starts it, but for the port.
    let command =
        DOCUMENT.lines().find(|line| line.contains("board --port 8080 --host")).expect("it is told");
    let options: Vec<&str> = command.split(' ').skip_while(|word| *word != "--host").collect();
    let board = Board::start("proxied", &options);
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("one is free")
        .port();
    let site = replaced(fenced("nginx"), "listen 443 ssl", &format!("listen 127.0.0.1:{port} ssl"));
    let site = replaced(&site, "127.0.0.1:8080", &board.address.to_string());
    // Relative to the folder of the test, whose path may contain blanks.
    let site = replaced(&site, &format!("/etc/letsencrypt/live/{NAME}/"), "");
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {kind};\n"))
        .concat();
    let whole = format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{site}}}\n"
    );
    let configuration = path("nginx.conf");
    std::fs::write(&configuration, whole).expect("it can be written");
    let log = path("error.log");
    let nginx = Command::new("nginx")
        .args(["-c", &configuration, "-e", &log, "-p", &path("")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nginx runs");
    let mut nginx = Running(nginx);
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = nginx.0.try_wait().expect("it can be waited for");
        let told = std::fs::read_to_string(&log).unwrap_or_default();
        assert!(ended.is_none() && begin.elapsed() < PATIENCE, "nginx does not listen: {told}");
        std::thread::sleep(Duration::from_millis(10));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/board_proxy.py");
    let port = port.to_string();
    let played = Command::new("python3").arg(script).args([NAME, &port, &certificate]).output();
    let played = played.expect("python3 runs");
    let told = std::fs::read_to_string(&log).unwrap_or_default();
    assert!(played.status.success(), "{played:?}, and nginx says {told}");
}
