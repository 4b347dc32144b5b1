//! A match that viewers watch while it is played, over real connections.

use super::client::{Socket, get_from, raw_to};
use crate::arena::runner::{BINARY, Place};
use crate::support::signals::heed;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// A running match with a page for viewers.
struct Shown {
    child: Child,
    address: SocketAddr,
    /// The thread that reads standard error, so that the match never waits for it.
    rest: Option<std::thread::JoinHandle<()>>,
}

impl Shown {
    fn start(place: &Place, words: &str) -> Self {
        let mut arguments = place.arguments(&["seed 1 score 30 delay 1", "seed 2 score -20 delay 1"], words);
        arguments.extend(["--live".to_owned(), "127.0.0.1:0".to_owned()]);
        heed();
        let mut child = Command::new(BINARY)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the runner starts");
        let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert_ne!(errors.read_line(&mut line).expect("it is text"), 0, "it ends without an address");
            if let Some((_, address)) = line.trim().split_once("the match is shown at http://") {
                let address = address.strip_suffix("/watch").expect("the page");
                break address.parse().expect("an address");
            }
        };
        let rest = std::thread::spawn(move || drop(errors.read_to_string(&mut String::new())));
        Self { child, address, rest: Some(rest) }
    }

    /// Waits for the end; returns the output and whether the exit code reports success.
    fn end(mut self) -> (String, bool) {
        let mut text = String::new();
        let mut out = self.child.stdout.take().expect("it is piped");
        out.read_to_string(&mut text).expect("it is text");
        let status = self.child.wait().expect("it ends");
        self.rest.take().expect("it is there").join().expect("it reads");
        (text, status.success())
    }
}

/// Sends Ctrl-C.
fn interrupt(child: &Child) {
    let process = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it can be sent");
}

impl Drop for Shown {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

#[test]
fn a_match_is_seen_as_it_is_played() {
    let place = Place::new();
    // It goes on until it is interrupted.
    let words =
        "--each tc=1000+1 --rounds 100000 --repeat --concurrency 2 --sprt elo0=0 elo1=0.1 --maxmoves 10";
    let shown = Shown::start(&place, words);
    let page = get_from(shown.address, "/watch");
    assert_eq!((page.status, page.text().contains("/assets/app.js")), (200, true));
    assert!(
        page.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'self'"))
    );
    assert_eq!(get_from(shown.address, "/").header("location"), Some("/watch"));
    assert_eq!(get_from(shown.address, "/api/games").status, 404);
    assert_eq!(get_from(shown.address, "/assets/watch.js").status, 200);
    let foreign =
        raw_to(shown.address, b"GET /api/live HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(foreign.map(|answer| answer.status), Some(403));
    let text = format!(
        "GET /api/live/socket HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        shown.address
    );
    assert_eq!(raw_to(shown.address, text.as_bytes()).map(|answer| answer.status), Some(403));
    // A viewer that reads nothing at all does not keep the match waiting.
    let _slow = Socket::open_at(shown.address, "/api/live/socket");
    let mut socket = Socket::open_at(shown.address, "/api/live/socket");
    let first = socket.hear();
    assert_eq!(first["standing"]["total"], 200_000);
    assert_eq!(first["standing"]["table"].as_array().map(Vec::len), Some(2));
    let mut last = Value::Null;
    let (mut places, mut moves) = (std::collections::BTreeSet::new(), 0);
    let mut is_ending = false;
    while let Some(news) = socket.next() {
        for board in news["boards"].as_array().expect("boards") {
            places.insert(board["place"].as_u64());
            let played = board["moves"].as_str().expect("moves").split_whitespace().count();
            assert_eq!(board["scores"].as_array().map(Vec::len), Some(played), "{board}");
            // One engine states +30 for itself and the other -20: seen from White.
            let scores = board["scores"].as_array().into_iter().flatten().filter_map(Value::as_i64);
            assert!(scores.clone().all(|score| [30, 20, -30, -20].contains(&score)), "{board}");
            moves += played;
            assert!(board["white_ms"].is_u64() && board["running_ms"].is_u64(), "{board}");
        }
        if !news["standing"].is_null() {
            last = news["standing"].clone();
        }
        let has_seen = places.len() == 2 && moves > 0 && last["games"].as_u64() > Some(0);
        if has_seen && !is_ending {
            is_ending = true;
            interrupt(&shown.child);
        }
    }
    // The last news is the end, whatever was missed between.
    assert_eq!(last["ended"], "The match has ended: interrupted; nothing was saved", "{last}");
    let played = last["games"].as_u64().expect("a number");
    let row = &last["table"][0];
    assert_eq!(row["games"].as_u64(), Some(played), "{last}");
    assert_eq!(
        last["sprt"]["curve"].as_array().and_then(|curve| curve.last()).map(|point| &point[0]),
        Some(&last["games"])
    );
    assert!(last["recent"].as_array().is_some_and(|recent| !recent.is_empty() && recent.len() <= 40));
    let (text, _) = shown.end();
    assert!(text.contains(&format!("Games: {played}, ")), "{text}");
}

#[test]
fn what_is_no_address_is_refused() {
    let help = crate::support::binary::run(&["match", "--help"], b"");
    assert!(help.out.contains("--live"), "{help:?}");
    let wrong = crate::support::binary::run(&["match", "--live", "example.org"], b"");
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}
