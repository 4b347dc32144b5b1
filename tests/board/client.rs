//! A server for a single test, and minimal clients for HTTP and WebSocket.

use crate::support::binary::{BINARY, folder};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The time limit for expected events. It affects only tests that fail.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub(crate) struct Board {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) folder: PathBuf,
}

/// The answer to an HTTP request.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("it is UTF-8")
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// The command that starts a server with its state in this folder.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    crate::support::signals::heed();
    let mut command = Command::new(BINARY);
    command.args(["board", "--port", "0", "--state"]).arg(folder.join("state.sqlite"));
    command.arg("--progress").arg(folder.join("progress.sqlite")).args(arguments);
    // The defaults of the user do not count in tests.
    command.env("XDG_CONFIG_HOME", folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end of a program, and fails if it does not end.
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status;
        }
        if begin.elapsed() > PATIENCE {
            let _ = child.kill(); // the test has failed
            panic!("a program that has to end goes on");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Board {
    /// Starts a server in a folder with this name.
    pub(crate) fn start(name: &str, arguments: &[&str]) -> Self {
        let folder = folder(&format!("board-{name}"));
        Self::start_in(folder, arguments)
    }

    /// Starts a server with the existing state in a folder.
    pub(crate) fn start_in(folder: PathBuf, arguments: &[&str]) -> Self {
        let command = command(&folder, arguments);
        Self::start_by(command, folder)
    }

    /// Starts a server by a command from [`command`], or by one that runs such a command.
    pub(crate) fn start_by(mut command: Command, folder: PathBuf) -> Self {
        let mut child = command.spawn().expect("the server starts");
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            let _ = out.read_line(&mut line); // an empty line is told below
            sender.send(line)
        });
        let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            let _ = child.kill();
            "nothing".to_owned()
        });
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(". ").next());
        let Some(address) = address.and_then(|address| address.parse().ok()) else {
            let mut told = String::new();
            let _ = child.stderr.take().expect("it is piped").read_to_string(&mut told);
            panic!("the server says {line:?}, and {told}");
        };
        Self { child, address, folder }
    }

    /// Kills the server as in a failure of the machine, and returns the folder of its state.
    pub(crate) fn kill(mut self) -> PathBuf {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
        self.folder.clone()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        connect_to(self.address)
    }

    /// A connection that the server serves and keeps open. The server may still count one that has just ended, so a
    /// connection that it closes is opened again.
    pub(crate) fn kept_connection(&self) -> TcpStream {
        let request = format!("GET /api/about HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        let start = Instant::now();
        loop {
            let mut stream = self.connect();
            let _ = stream.write_all(request.as_bytes()); // it may be closed already
            if stream.read(&mut [0]).is_ok_and(|count| count > 0) {
                return stream;
            }
            assert!(start.elapsed() < PATIENCE, "no connection is served");
        }
    }

    /// Sends bytes on a separate connection and reads the answer; `None` if there is none.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        raw_to(self.address, bytes)
    }

    /// Sends a request.
    pub(crate) fn ask(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Answer {
        let body = body.map(|body| body.to_string());
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if let Some(token) = token {
            text += &format!("Authorization: Bearer {token}\r\n");
        }
        if let Some(body) = &body {
            text += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        }
        text += "\r\n";
        text += body.as_deref().unwrap_or_default();
        self.raw(text.as_bytes()).expect("it answers")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, None, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, None, Some(body))
    }

    /// Creates a game.
    pub(crate) fn create(&self, request: &Value) -> Match<'_> {
        let answer = self.post("/api/games", request);
        assert_eq!(answer.status, 201, "{answer:?}");
        Match::new(self, &answer.json())
    }

    /// Creates a game between Ann and Bob.
    pub(crate) fn pair(&self, time_control: &str) -> Match<'_> {
        self.create(&json!({"time_control": time_control, "casual": true, "white": {"person": "Ann"}, "black": {"person": "Bob"}}))
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

/// A game with its tokens.
#[derive(Clone)]
pub(crate) struct Match<'a> {
    board: &'a Board,
    pub(crate) id: String,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) arbiter: String,
}

impl<'a> Match<'a> {
    pub(crate) fn new(board: &'a Board, created: &Value) -> Self {
        let token = |name: &str| created["tokens"][name].as_str().unwrap_or_default().to_owned();
        let id = created["id"].as_str().expect("it has a name").to_owned();
        Self { board, id, white: token("white"), black: token("black"), arbiter: token("arbiter") }
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/api/games/{}{rest}", self.id)
    }

    /// Sends an act.
    pub(crate) fn act(&self, token: &str, act: Value) -> Answer {
        self.board.ask("POST", &self.path("/acts"), Some(token), Some(&json!({ "act": act })))
    }

    /// Sends a move, which must be accepted.
    pub(crate) fn play(&self, token: &str, mv: &str) -> Value {
        let answer = self.act(token, json!({"act": "move", "move": mv}));
        assert_eq!(answer.status, 200, "{mv}: {}", answer.text());
        answer.json()
    }

    /// Sends moves in turn, White's first.
    pub(crate) fn play_all(&self, moves: &str) {
        for (index, mv) in moves.split_whitespace().enumerate() {
            self.play(if index % 2 == 0 { &self.white } else { &self.black }, mv);
        }
    }

    /// The state as the owner of this token sees it.
    pub(crate) fn state(&self, token: Option<&str>) -> Value {
        let answer = self.board.ask("GET", &self.path(""), token, None);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// A socket, and the first state that it has received.
    pub(crate) fn socket(&self, token: Option<&str>) -> (Socket, Value) {
        let mut socket = Socket::open(self.board, &self.path("/socket"));
        socket.say(&json!({"hello": {"token": token}}));
        let state = socket.hear();
        (socket, state["state"].clone())
    }

    /// A page of a player, once the game shows that the player is there. Without this wait, the arrival may be an event
    /// after whatever a test does next.
    pub(crate) fn page(&self, side: &str) -> Socket {
        let token = if side == "white" { &self.white } else { &self.black };
        let is_there = |state: &Value| state["seats"][side]["away_ms"].is_null();
        let (mut socket, state) = self.socket(Some(token));
        if !is_there(&state) {
            socket.hear_until(|message| is_there(&message["state"]));
        }
        socket
    }

    /// Waits until the state satisfies the condition.
    pub(crate) fn wait_for(&self, token: Option<&str>, is_so: impl Fn(&Value) -> bool) -> Value {
        let (mut socket, state) = self.socket(token);
        if is_so(&state) {
            return state;
        }
        socket.hear_until(|message| is_so(&message["state"]))["state"].clone()
    }
}

fn connect_to(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect_timeout(&address, PATIENCE).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    stream.set_nodelay(true).expect("it can be set");
    stream
}

/// Sends bytes to any server on a separate connection and reads the answer; `None` if there is none.
pub(crate) fn raw_to(address: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    let mut stream = connect_to(address);
    // It may be cut off while it still sends.
    let _ = stream.write_all(bytes);
    read_answer(&mut BufReader::new(stream))
}

/// The answer of any server to a request without a body.
pub(crate) fn get_from(address: SocketAddr, path: &str) -> Answer {
    let text = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    raw_to(address, text.as_bytes()).expect("it answers")
}

/// Reads an answer; `None` if the connection ends before the answer is complete.
pub(crate) fn read_answer(stream: &mut impl BufRead) -> Option<Answer> {
    let mut head = String::new();
    loop {
        let before = head.len();
        stream.read_line(&mut head).ok().filter(|&length| length > 0)?;
        if head[before..].trim().is_empty() {
            break;
        }
    }
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut answer = Answer { status, head, body: Vec::new() };
    match answer.header("content-length").and_then(|length| length.parse::<usize>().ok()) {
        Some(length) => {
            answer.body.resize(length, 0);
            stream.read_exact(&mut answer.body).ok()?;
        }
        None if status == 101 => {}
        None => drop(stream.read_to_end(&mut answer.body)),
    }
    Some(answer)
}

/// A WebSocket (RFC 6455), limited to the features that the tests need.
pub(crate) struct Socket {
    pub(crate) stream: BufReader<TcpStream>,
}

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
pub(crate) const PONG: u8 = 10;

impl Socket {
    pub(crate) fn open(board: &Board, path: &str) -> Self {
        Self::open_at(board.address, path)
    }

    pub(crate) fn open_at(address: SocketAddr, path: &str) -> Self {
        let mut stream = BufReader::new(connect_to(address));
        let text = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            address
        );
        stream.get_mut().write_all(text.as_bytes()).expect("it reads");
        let answer = read_answer(&mut stream).expect("it answers");
        assert_eq!(answer.status, 101, "{answer:?}");
        Self { stream }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.send(TEXT, message.to_string().as_bytes());
    }

    /// Sends a frame of any kind.
    pub(crate) fn send(&mut self, kind: u8, payload: &[u8]) {
        let mut frame = vec![0x80 | kind];
        match payload.len() {
            length @ 0..=125 => frame.push(0x80 | length as u8),
            length @ 126..=0xffff => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // A mask of zeros leaves everything as it is.
        frame.extend([0; 4]);
        frame.extend(payload);
        // It may be cut off.
        let _ = self.stream.get_mut().write_all(&frame);
    }

    /// Waits for the next message.
    pub(crate) fn hear(&mut self) -> Value {
        self.next().expect("the socket is open")
    }

    /// Waits for the next message that satisfies the condition.
    pub(crate) fn hear_until(&mut self, mut is_so: impl FnMut(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let message = self.hear();
            if is_so(&message) {
                return message;
            }
            assert!(begin.elapsed() < PATIENCE, "the last of what came is {message}");
        }
    }

    /// All messages until the socket is closed; fails if it is not closed.
    pub(crate) fn hear_all(&mut self) -> Vec<Value> {
        let begin = Instant::now();
        let mut messages = Vec::new();
        while let Some(message) = self.next() {
            messages.push(message);
            assert!(begin.elapsed() < PATIENCE, "the socket is not closed");
        }
        messages
    }

    /// Waits for the answer to the message with this number.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        self.hear_until(|message| message["id"] == id)
    }

    /// Waits for the next message; `None` if the socket is closed.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let begin = Instant::now();
        loop {
            // The server asks now and then whether we are there: that is no message.
            assert!(begin.elapsed() < PATIENCE, "no message comes");
            let mut head = [0; 2];
            self.stream.read_exact(&mut head).ok()?;
            let length = match head[1] & 0x7f {
                126 => {
                    let mut bytes = [0; 2];
                    self.stream.read_exact(&mut bytes).ok()?;
                    u64::from(u16::from_be_bytes(bytes))
                }
                127 => {
                    let mut bytes = [0; 8];
                    self.stream.read_exact(&mut bytes).ok()?;
                    u64::from_be_bytes(bytes)
                }
                length => u64::from(length),
            };
            let mut payload = vec![0; usize::try_from(length).expect("it is short")];
            self.stream.read_exact(&mut payload).ok()?;
            match head[0] & 0x0f {
                TEXT => return Some(serde_json::from_slice(&payload).expect("it is JSON")),
                PING => self.send(PONG, &payload),
                CLOSE => return None,
                _ => {}
            }
        }
    }
}
