//! Thousands of random variations of hostile requests and frames: none of them gains access, and the server continues
//! to run.

use super::client::{Answer, Board, PATIENCE, read_answer};
use super::hostile::{CASES, JSON};
use hematite::rng::Rng;
use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// The number of concurrent clients.
const CLIENTS: u64 = 8;
/// The time to wait for an answer: incomplete requests get none.
const BRIEF: Duration = Duration::from_millis(150);
/// A token that does not exist.
const WRONG_TOKEN: &str = "AAAAAAAAAAAAAAAAAAAAAA";
const METHODS: &[&str] =
    &["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "G\0T", ""];
const PATHS: &[&str] = &[
    "/",
    "/api/about",
    "/api/games",
    "/api/games/{id}",
    "/api/games/{id}/acts",
    "/api/games/{id}/rematch",
    "/api/games/{id}/pgn",
    "/api/games/{id}/journal",
    "/api/games/{id}/socket",
    "/api/positions",
    "/api/diagram?size=64&fen=8/8/8/8/8/8/8/8",
    "/api/analysis/read",
    "/api/analysis/write",
    "/api/analysis/engine",
    "/api/files/0/games",
    "/api/files/0/games/1",
    "/api/files/0/tree",
    "/api/files/0/players?query=(((",
    "/api/study",
    "/assets/../../etc/passwd",
    "//evil.example/api/games",
    "/%2e%2e/%2e%2e/",
];
const WORDS: &[&str] = &[
    "\0",
    "\r\n",
    "\r\n\r\n",
    "\n",
    "%00",
    "..%2f",
    "%c0%ae",
    "\u{ff}\u{fe}",
    "99999999999999999999",
    "-1",
    "1e999",
    "null",
    "{\"act\":{\"act\":\"resign\"}}",
    "{{{{{{{{[[[[[[[[",
    "\"",
    "'; DROP TABLE games; --",
    "<script>",
    "Host: evil.example\r\n",
    "Origin: http://evil.example\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Content-Length: 0\r\n",
    "Expect: 100-continue\r\n",
    "Authorization: Bearer AAAAAAAAAAAAAAAAAAAAAA\r\n",
    "Upgrade: websocket\r\n",
    "Connection: Upgrade\r\n",
];

fn pick<'a, T: ?Sized>(rng: &mut Rng, of: &[&'a T]) -> &'a T {
    of[rng.below(of.len() as u64) as usize]
}

/// One of the hostile requests, for this server and this game.
fn base(rng: &mut Rng, address: SocketAddr, id: &str) -> Vec<u8> {
    let (_, request, _) = CASES[rng.below(CASES.len() as u64) as usize];
    let text = request
        .replace("{host}", &address.to_string())
        .replace("{port}", &address.port().to_string())
        .replace("{id}", id)
        .replace("{token}", WRONG_TOKEN)
        .replace("{json}", JSON);
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect()
}

/// Changes a request in one way.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>, address: SocketAddr, id: &str) {
    let length = bytes.len() as u64;
    let at = rng.below(length + 1) as usize;
    let end = (at + 1 + rng.below(24) as usize).min(bytes.len());
    match rng.below(10) {
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.below(256) as u8;
            }
        }
        2 => drop(bytes.drain(at.min(end)..end)),
        3 => {
            let part = bytes[at.min(end)..end].to_vec();
            let times = 1 + rng.below(40) as usize;
            bytes.splice(at..at, part.repeat(times));
        }
        4 | 5 => drop(bytes.splice(at..at, pick(rng, WORDS).bytes())),
        6 => bytes.truncate(at),
        7 => {
            let space = bytes.iter().position(|&byte| byte == b' ').unwrap_or(0);
            bytes.splice(..space, pick(rng, METHODS).bytes());
        }
        8 => {
            let mut spaces = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b' ').map(|(at, _)| at);
            if let (Some(first), Some(second)) = (spaces.next(), spaces.next()) {
                let path = pick(rng, PATHS).replace("{id}", id);
                bytes.splice(first + 1..second, path.into_bytes());
            }
        }
        _ => {
            // The head of this one, and the rest of another.
            let other = base(rng, address, id);
            let head_end = |bytes: &[u8]| bytes.windows(4).position(|four| four == b"\r\n\r\n");
            if let (Some(own), Some(others)) = (head_end(bytes), head_end(&other)) {
                bytes.truncate(own);
                bytes.extend(&other[others..]);
            }
        }
    }
}

/// Whether the server may serve a request: it is for one of the server's names, and does not come from a foreign page.
fn may_be_served(request: &[u8], address: SocketAddr) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let head = text.split("\r\n\r\n").next().unwrap_or_default();
    let ours = [address.to_string(), format!("localhost:{}", address.port())];
    let values = |name: &str| -> Vec<String> {
        let lines = head.split(['\r', '\n']).filter_map(|line| line.split_once(':'));
        lines.filter(|(found, _)| *found == name).map(|(_, value)| value.trim().to_owned()).collect()
    };
    let (hosts, origins) = (values("host"), values("origin"));
    let is_named = hosts.len() == 1 && ours.contains(&hosts[0]);
    let is_harmless = (text.starts_with("get ") || text.starts_with("head ")) && values("upgrade").is_empty();
    let is_own_page = |origin: &String| ours.iter().any(|host| origin.ends_with(&format!("://{host}")));
    is_named && (is_harmless || origins.iter().all(is_own_page))
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect_timeout(&address, PATIENCE).expect("it listens");
    stream.set_read_timeout(Some(BRIEF)).expect("it can be set");
    stream.set_nodelay(true).expect("it can be set");
    stream
}

/// Sends requests, on persistent connections if possible, and checks each answer.
fn send_requests(rng: &mut Rng, count: u64, address: SocketAddr, id: &str, secrets: &[&str]) {
    let mut kept: Option<BufReader<TcpStream>> = None;
    for _ in 0..count {
        let mut request = base(rng, address, id);
        for _ in 0..1 + rng.below(3) {
            mutate(rng, &mut request, address, id);
        }
        let mut stream = kept.take().unwrap_or_else(|| BufReader::new(connect(address)));
        let _ = stream.get_mut().write_all(&request); // it may be cut off
        let Some(answer) = read_answer(&mut stream) else { continue };
        let shown = || format!("{answer:?} to {}", String::from_utf8_lossy(&request));
        assert!(answer.status != 500 && answer.status != 429, "{}", shown());
        let is_served = matches!(answer.status, 101 | 200..=399);
        assert!(!is_served || may_be_served(&request, address), "{}", shown());
        let told = String::from_utf8_lossy(&answer.body);
        assert!(!secrets.iter().any(|secret| told.contains(secret)), "{}", shown());
        if is_reusable(&answer, &request) {
            kept = Some(stream);
        }
    }
}

/// Whether the connection can be used for the next request: the last one was complete, and nothing followed it.
fn is_reusable(answer: &Answer, request: &[u8]) -> bool {
    request.ends_with(b"\r\n\r\n")
        && request.starts_with(b"GET ")
        && answer.header("content-length").is_some()
        && answer.header("connection").is_none()
        && answer.status == 200
}

/// Sends frames on sockets until the connection is closed.
fn send_frames(rng: &mut Rng, count: u64, address: SocketAddr, id: &str, secrets: &[&str]) {
    /// The number of frames that are sent on a socket.
    const TOGETHER: u64 = 8;
    let messages: [Value; 6] = [
        json!({"hello": {"token": WRONG_TOKEN}}),
        json!({"act": {"act": "move", "move": "e2e4"}, "id": 1}),
        json!({"act": {"act": "resign"}}),
        json!({"act": {"act": "adjudicate", "winner": "white", "cause": "emergency"}}),
        json!({"act": {"act": "add_time", "side": "white", "time_ms": 100_000}}),
        json!({"act": {"act": "sit", "name": "Eve"}, "version": 0}),
    ];
    for _ in 0..count / TOGETHER {
        let mut stream = connect(address);
        let greeting = format!(
            "GET /api/games/{id}/socket HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(greeting.as_bytes()).expect("it reads");
        let mut frames = if rng.below(2) == 0 { frame(1, br#"{"hello":{}}"#) } else { Vec::new() };
        for _ in 0..TOGETHER {
            let message = messages[rng.below(messages.len() as u64) as usize].to_string();
            let mut own = frame(1, message.as_bytes());
            for _ in 0..rng.below(3) {
                let at = rng.below(own.len() as u64) as usize;
                match rng.below(4) {
                    0 => own[0] = rng.below(256) as u8,
                    1 => own[1] = rng.below(256) as u8,
                    2 => own[at] = rng.below(256) as u8,
                    _ => drop(own.splice(at..at, pick(rng, WORDS).bytes())),
                }
            }
            frames.extend(own);
        }
        let _ = stream.write_all(&frames); // it may be cut off
        let _ = stream.shutdown(Shutdown::Write);
        let mut told = Vec::new();
        let _ = stream.read_to_end(&mut told);
        let told = String::from_utf8_lossy(&told);
        assert!(!secrets.iter().any(|secret| told.contains(secret)), "{told}");
    }
}

fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | kind];
    match u8::try_from(payload.len()) {
        Ok(length @ 0..=125) => frame.push(0x80 | length),
        _ => {
            frame.push(0x80 | 126);
            frame.extend((payload.len() as u16).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// Attacks the server by several clients; four of five attacks are requests.
fn attack(name: &str, count: u64, seed: u64) {
    let file = crate::support::binary::folder(&format!("board-{name}-source")).join("games.pgn");
    let games = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    std::fs::write(&file, games).expect("it can be written");
    let board = Board::start(name, &["--max-requests", "10000", file.to_str().expect("it is UTF-8")]);
    let game = board.pair("600");
    // Both have acted, so that both are there.
    game.play_all("d2d4 d7d5");
    let secrets = [&*game.white, &*game.black, &*game.arbiter];
    let before = game.state(Some(&game.white));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (address, id) = (board.address, &*game.id);
            scope.spawn(move || {
                let mut rng = Rng::new(seed + client);
                send_requests(&mut rng, count * 4 / 5 / CLIENTS, address, id, &secrets);
                send_frames(&mut rng, count / 5 / CLIENTS, address, id, &secrets);
            });
        }
    });
    println!("{count} in {:.1} s", begin.elapsed().as_secs_f64());
    let after = game.state(Some(&game.white));
    for part in ["version", "phase", "plies", "seats", "draw_offer", "takeback_offer", "ending", "rules"] {
        // Who watches comes and goes; nothing else may have changed.
        assert_eq!(after[part], before[part], "{part}");
    }
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), games);
    // Who plays goes on.
    game.play(&game.white, "c2c4");
    assert_eq!(board.get("/api/about").status, 200);
}

#[test]
fn hundreds_of_mutated_requests_change_nothing() {
    attack("mutants", 1000, 1);
}

#[test]
#[ignore = "takes half a minute; a thousand are sent always"]
fn ten_thousand_mutated_requests_change_nothing() {
    attack("many-mutants", 10_000, 1_000_003);
}
