//! Arbitrary messages to the board: each request is answered without a server error; each message on a socket is
//! answered, or the socket is closed. The server runs in this process, so that its code guides the fuzzer.
#![no_main]

use hematite::board::{EngineSettings, Limits, Server, Settings};
use hematite::client::{EngineConfig, Launcher};
use libfuzzer_sys::fuzz_target;
use once_cell::sync::OnceCell;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Paths that take a body, and sockets. Paths with an engine are excluded, since they would only start processes.
/// `{game}` and `{event}` stand for the game and the tournament.
const POSTS: [&str; 15] = [
    "/api/positions",
    "/api/analysis/read",
    "/api/analysis/write",
    "/api/analysis/compare",
    "/api/analysis/tags",
    "/api/games",
    "/api/games/{game}/acts",
    "/api/games/{game}/rematch",
    "/api/games/{game}/epd",
    "/api/tournaments",
    "/api/tournaments/{event}/acts",
    "/api/files/0/tree",
    "/api/files/0/notable",
    "/api/files/0/novelty",
    "/api/files/0/changes",
];
const SOCKETS: [&str; 3] = ["/api/games/{game}/socket", "/api/tournaments/{event}/socket", "/api/study"];
const GAMES: &str =
    "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[White \"Cid\"]\n\n1. d4 d5 *\n";
/// The time limit for an answer: the server works in memory and with a small file.
const PATIENCE: Duration = Duration::from_secs(30);

struct Board {
    address: SocketAddr,
    game: String,
    event: String,
    /// The tokens of a player of the game, and of the host of the tournament.
    player: String,
    host: String,
    _server: Server,
}

fn board() -> &'static Board {
    static BOARD: OnceCell<Board> = OnceCell::new();
    BOARD.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("hematite-fuzz-board-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let games = folder.join("games.pgn");
        std::fs::write(&games, GAMES).expect("it can be written");
        let config = EngineConfig { command: "/nonexistent/engine".to_owned(), ..EngineConfig::default() };
        let engine = EngineSettings {
            name: "none".to_owned(),
            config,
            launcher: Launcher::default(),
            is_own: false,
            second: None,
            tables: None,
            books: Vec::new(),
            searches: 1,
        };
        let settings = Settings {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: Some(0),
            hosts: Vec::new(),
            state: folder.join("board.sqlite"),
            progress: Some(folder.join("progress.sqlite")),
            limits: Limits { connections: 1000, requests: 1_000_000 },
            files: vec![games],
            collection: None,
            engine,
        };
        let server = Server::start(&settings).expect("it starts");
        let address = server.address();
        let made = |path: &str, body: &str| {
            let (status, answer) = post(address, path, None, body.as_bytes());
            let text = String::from_utf8(answer).expect("it is text");
            assert_eq!(status, 201, "{path}: {text}");
            text
        };
        let field = |text: &str, name: &str| {
            let (_, rest) = text.split_once(&format!("\"{name}\":\"")).expect("the field is there");
            rest.split('"').next().expect("it has an end").to_owned()
        };
        let game =
            made("/api/games", r#"{"white": {"person": "Ann"}, "black": {"person": "Bob"}, "casual": true}"#);
        let event = made(
            "/api/tournaments",
            r#"{"name": "Club", "format": {"round_robin": {}}, "game": {"time_control": "600+5"}}"#,
        );
        Board {
            address,
            game: field(&game, "id"),
            event: field(&event, "id"),
            player: field(&game, "white"),
            host: field(&event, "host"),
            _server: server,
        }
    })
}

thread_local! {
    static CONNECTION: RefCell<Option<BufReader<TcpStream>>> = const { RefCell::new(None) };
}

fn connect(address: SocketAddr) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    stream.set_nodelay(true).expect("it can be set");
    BufReader::new(stream)
}

/// Sends a request on the open connection, and returns the status and the body.
fn post(address: SocketAddr, path: &str, token: Option<&str>, body: &[u8]) -> (u16, Vec<u8>) {
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{token}Content-Length: {}\r\n\r\n",
        body.len()
    );
    CONNECTION.with_borrow_mut(|connection| {
        for _ in 0..2 {
            let stream = connection.get_or_insert_with(|| connect(address));
            let sent =
                stream.get_mut().write_all(head.as_bytes()).and_then(|()| stream.get_mut().write_all(body));
            if let (Ok(()), Some(answer)) = (sent, read_answer(stream)) {
                return answer;
            }
            // The server may have closed one that was idle.
            *connection = None;
        }
        panic!("no answer to {path}");
    })
}

fn read_answer(stream: &mut BufReader<TcpStream>) -> Option<(u16, Vec<u8>)> {
    let (mut status, mut length) = (None, 0);
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|&count| count > 0)?;
        let line = line.trim().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(rest) = line.strip_prefix("http/1.1 ") {
            status = rest.split(' ').next()?.parse().ok();
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((status?, body))
}

/// Opens a socket, sends frames, and reads until the socket is closed: the last frame asks for that.
fn talk(address: SocketAddr, path: &str, text: &[u8]) {
    let mut stream = connect(address);
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.get_mut().write_all(head.as_bytes()).expect("it reads");
    assert_eq!(read_answer(&mut stream).map(|(status, _)| status), Some(101), "{path}");
    for message in text.split(|&byte| byte == b'\n') {
        let length = u16::try_from(message.len().min(4096)).expect("it is short");
        let mut frame = vec![0x81, 0x80 | 126];
        frame.extend(length.to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(&message[..usize::from(length)]);
        // It may have been closed.
        let _ = stream.get_mut().write_all(&frame);
    }
    let _ = stream.get_mut().write_all(&[0x88, 0x80, 0, 0, 0, 0]);
    let mut rest = Vec::new();
    if let Err(error) = stream.read_to_end(&mut rest) {
        assert!(error.kind() != std::io::ErrorKind::WouldBlock, "the socket is not closed: {path}");
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&which, body)) = data.split_first() else { return };
    let board = board();
    let named = |path: &str| path.replace("{game}", &board.game).replace("{event}", &board.event);
    let which = usize::from(which) % (POSTS.len() + SOCKETS.len());
    if let Some(path) = POSTS.get(which) {
        let token = if path.contains("{event}") { &board.host } else { &board.player };
        let path = named(path);
        let (status, answer) = post(board.address, &path, Some(token), body);
        let text = String::from_utf8_lossy(&answer);
        // 503 is told where there is no engine.
        assert!(status < 500 || status == 503, "{path}: {status} {text}");
    } else {
        talk(board.address, &named(SOCKETS[which - POSTS.len()]), body);
    }
});
