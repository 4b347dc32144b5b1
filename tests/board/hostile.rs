//! Malicious requests, and requests of faulty programs.

use super::client::{Board, PONG, Socket};
use serde_json::json;

/// A request with the placeholders `{host}`, `{id}` and `{token}`, and the possible statuses of the answer; none if the
/// connection may be closed without an answer.
pub(super) type Case<'a> = (&'a str, &'a str, &'a [u16]);

pub(super) const JSON: &str = "Content-Type: application/json\r\n";

/// Requests that the server refuses.
pub(super) const CASES: &[Case<'static>] = &[
    ("no host", "GET / HTTP/1.1\r\n\r\n", &[400]),
    ("old HTTP", "GET / HTTP/1.0\r\n\r\n", &[400]),
    ("two hosts", "GET / HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n", &[400]),
    ("empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", &[400, 403]),
    ("rebound name", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", &[403]),
    ("rebound name with port", "GET /api/games HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n", &[403]),
    ("other port", "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", &[403]),
    ("other address", "GET / HTTP/1.1\r\nHost: 127.0.0.2:{port}\r\n\r\n", &[403]),
    ("user in host", "GET / HTTP/1.1\r\nHost: a@{host}\r\n\r\n", &[400, 403]),
    ("suffix of host", "GET / HTTP/1.1\r\nHost: localhost.evil.example:{port}\r\n\r\n", &[403]),
    ("Latin-1 in host", "GET / HTTP/1.1\r\nHost: \u{e9}\r\n\r\n", &[400, 403]),
    ("absolute target", "GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n\r\n", &[403]),
    ("asterisk", "OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n", &[403, 404, 405, 400]),
    ("CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: {host}\r\n\r\n", &[400, 403, 404, 405]),
    ("TRACE", "TRACE / HTTP/1.1\r\nHost: {host}\r\n\r\n", &[405]),
    ("PUT", "PUT /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n", &[405]),
    ("DELETE", "DELETE /api/games/{id} HTTP/1.1\r\nHost: {host}\r\n\r\n", &[405]),
    ("PATCH", "PATCH /api/games/{id} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n", &[405]),
    (
        "preflight",
        "OPTIONS /api/games HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n\r\n",
        &[403],
    ),
    ("made-up method", "HACK / HTTP/1.1\r\nHost: {host}\r\n\r\n", &[405]),
    ("GET of acts", "GET /api/games/{id}/acts HTTP/1.1\r\nHost: {host}\r\n\r\n", &[405]),
    ("POST of a page", "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n", &[405]),
    ("nothing there", "GET /wp-admin HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("up the folders", "GET /assets/../../etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("up, encoded", "GET /assets/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("up, twice encoded", "GET /assets/%252e%252e%252fCargo.toml HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("backslashes", "GET /assets/..\\..\\x HTTP/1.1\r\nHost: {host}\r\n\r\n", &[400, 404]),
    ("no UTF-8 in the path", "GET /api/games/%ff%fe HTTP/1.1\r\nHost: {host}\r\n\r\n", &[400, 404]),
    ("zero in the path", "GET /api/games/%00 HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("short name", "GET /api/games/1 HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("SQL", "GET /api/games/'%20OR%201=1-- HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("another name", "GET /api/games/AAAAAAAAAAAAAAAAAAAAAA HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("two slashes", "GET //api/games HTTP/1.1\r\nHost: {host}\r\n\r\n", &[404]),
    ("unknown parameter", "GET /api/games?x=1 HTTP/1.1\r\nHost: {host}\r\n\r\n", &[400]),
    ("negative parameter", "GET /api/games?skip=-1 HTTP/1.1\r\nHost: {host}\r\n\r\n", &[400]),
    ("huge parameter", "GET /api/games?limit=99999999999 HTTP/1.1\r\nHost: {host}\r\n\r\n", &[400]),
    (
        "foreign origin",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n{json}Content-Length: 2\r\n\r\n{}",
        &[403],
    ),
    (
        "null origin",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nOrigin: null\r\n{json}Content-Length: 2\r\n\r\n{}",
        &[403],
    ),
    (
        "other port's origin",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nOrigin: http://127.0.0.1:1\r\n{json}Content-Length: 2\r\n\r\n{}",
        &[403],
    ),
    (
        "two origins",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nOrigin: http://evil.example\r\n{json}Content-Length: 2\r\n\r\n{}",
        &[403],
    ),
    (
        "cross site",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: cross-site\r\n{json}Content-Length: 2\r\n\r\n{}",
        &[403],
    ),
    (
        "form",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n\r\n{}",
        &[415],
    ),
    (
        "plain text",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
        &[415],
    ),
    ("no type", "POST /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{}", &[415]),
    (
        "packed",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
        &[415],
    ),
    (
        "too long",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 99999999\r\n\r\n{}",
        &[413],
    ),
    (
        "endless",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 99999999999999999999999\r\n\r\n{}",
        &[400, 413],
    ),
    (
        "negative length",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: -1\r\n\r\n{}",
        &[400],
    ),
    (
        "two lengths",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
        &[400],
    ),
    (
        "length and chunks",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 2\r\nTransfer-Encoding: chunked, x\r\n\r\n{}",
        &[400],
    ),
    (
        "bad chunk",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        &[400],
    ),
    (
        "unknown coding",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Transfer-Encoding: magic\r\n\r\n",
        &[400],
    ),
    ("no JSON", "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 2\r\n\r\n{]", &[400]),
    ("empty body", "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 0\r\n\r\n", &[400]),
    ("other JSON", "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 4\r\n\r\ntrue", &[400]),
    (
        "unknown field",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 7\r\n\r\n{\"a\":1}",
        &[400],
    ),
    (
        "no UTF-8",
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 2\r\n\r\n\u{fe}\u{fe}",
        &[400],
    ),
    (
        "no token",
        "POST /api/games/{id}/acts HTTP/1.1\r\nHost: {host}\r\n{json}Content-Length: 24\r\n\r\n{\"act\":{\"act\":\"resign\"}}",
        &[401],
    ),
    (
        "wrong token",
        "POST /api/games/{id}/acts HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer AAAAAAAAAAAAAAAAAAAAAA\r\n{json}Content-Length: 24\r\n\r\n{\"act\":{\"act\":\"resign\"}}",
        &[401],
    ),
    (
        "short token",
        "GET /api/games/{id} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer A\r\n\r\n",
        &[401],
    ),
    (
        "other scheme",
        "GET /api/games/{id} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Basic e3Rva2VufQ==\r\n\r\n",
        &[401],
    ),
    (
        "two tokens",
        "GET /api/games/{id} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nAuthorization: Bearer {token}\r\n\r\n",
        &[401],
    ),
    (
        "token in the address",
        "GET /api/games/{id}/journal?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n",
        &[403],
    ),
    (
        "unknown act",
        "POST /api/games/{id}/acts HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{json}Content-Length: 21\r\n\r\n{\"act\":{\"act\":\"win\"}}",
        &[400],
    ),
    (
        "foreign socket",
        "GET /api/games/{id}/socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        &[403],
    ),
    (
        "socket without a key",
        "GET /api/games/{id}/socket HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
        &[400],
    ),
    (
        "old socket",
        "GET /api/games/{id}/socket HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        &[400, 426],
    ),
    ("socket as a page", "GET /api/games/{id}/socket HTTP/1.1\r\nHost: {host}\r\n\r\n", &[400, 426]),
    (
        "other upgrade",
        "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        &[200, 404],
    ),
    ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &[400, 505]),
    ("TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}", &[400]),
    ("rubbish", "hello\r\n\r\n", &[400]),
    ("folded header", "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\n\r\n", &[400, 200, 404]),
    ("bare line feeds in a header", "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\rb\r\n\r\n", &[400]),
    ("space in a header's name", "GET / HTTP/1.1\r\nHost : {host}\r\n\r\n", &[400]),
];

#[test]
fn none_of_many_hostile_requests_gets_in() {
    let board = Board::start("hostile", &["--max-requests", "10000"]);
    let game = board.pair("600");
    for (name, request, statuses) in CASES {
        let text = request
            .replace("{host}", &board.address.to_string())
            .replace("{port}", &board.address.port().to_string())
            .replace("{id}", &game.id)
            .replace("{token}", &game.white)
            .replace("{json}", JSON);
        // Letters beyond ASCII are sent as single bytes.
        let bytes: Vec<u8> =
            text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect();
        let mut bytes = bytes;
        if let Some(end) = text.find("\r\n\r\n").filter(|_| !text.contains("Connection:")) {
            bytes.splice(end..end, *b"\r\nConnection: close");
        }
        match board.raw(&bytes) {
            Some(answer) => {
                assert!(statuses.contains(&answer.status), "{name}: {answer:?}");
                let is_ours = answer.header("content-security-policy").is_some();
                if is_ours && answer.status >= 400 {
                    assert!(
                        answer.body.is_empty() || answer.json()["code"].is_string(),
                        "{name}: {answer:?}"
                    );
                }
            }
            None => assert!(statuses.contains(&400), "{name}: no answer"),
        }
    }
    let headers = format!("GET / HTTP/1.1\r\nHost: {}\r\n{}\r\n", board.address, "X: y\r\n".repeat(500));
    assert!(board.raw(headers.as_bytes()).is_none_or(|answer| answer.status >= 400), "many headers");
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(100_000), board.address);
    assert!(board.raw(long.as_bytes()).is_none_or(|answer| answer.status >= 400), "a long address");
    let deep = json!({"act": {"act": "move", "move": "x"}})
        .to_string()
        .replace("\"x\"", &("[".repeat(10_000) + &"]".repeat(10_000)));
    let deep = format!(
        "POST /api/games/{}/acts HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n{JSON}Content-Length: {}\r\n\r\n{deep}",
        game.id,
        board.address,
        game.white,
        deep.len()
    );
    assert_eq!(board.raw(deep.as_bytes()).map(|answer| answer.status), Some(400), "deep JSON");
    let state = game.state(Some(&game.white));
    assert_eq!((&state["plies"], &state["phase"]), (&json!([]), &json!("playing")), "nothing has changed");
}

#[test]
fn none_of_many_hostile_messages_gets_in() {
    let board = Board::start("hostile-frames", &["--max-requests", "10000"]);
    let game = board.pair("600");
    let path = game.path("/socket");
    let long = format!("{{\"hello\":{{\"token\":\"{}\"}}}}", "A".repeat(100_000));
    let first: &[(&str, u8, &[u8])] = &[
        ("no JSON", 1, b"{"),
        ("no greeting", 1, b"{\"act\":{\"act\":\"resign\"}}"),
        ("no UTF-8", 1, b"\xff\xfe"),
        ("bytes", 2, b"{\"hello\":{}}"),
        ("unknown field", 1, b"{\"hello\":{\"x\":1}}"),
        ("wrong token", 1, b"{\"hello\":{\"token\":\"AAAAAAAAAAAAAAAAAAAAAA\"}}"),
        ("too long", 1, long.as_bytes()),
        ("reserved kind", 3, b""),
        ("continuation of nothing", 0, b"x"),
        ("long ping", 9, &[0; 200]),
        ("good-bye", 8, b""),
    ];
    for (name, kind, payload) in first {
        let mut socket = Socket::open(&board, &path);
        socket.send(*kind, payload);
        for message in socket.hear_all() {
            assert!(message["error"]["code"].is_string(), "{name}: {message}");
        }
    }
    let then: &[(&str, &[u8])] = &[
        ("no JSON", b"move e2e4"),
        ("two greetings", b"{\"hello\":{}}"),
        ("unknown act", b"{\"act\":{\"act\":\"win\"}}"),
        ("number too large", b"{\"act\":{\"act\":\"add_time\",\"side\":\"white\",\"time_ms\":1e99}}"),
    ];
    for (name, payload) in then {
        let (mut socket, _) = game.socket(Some(&game.white));
        socket.send(1, payload);
        let told = socket.hear_all();
        assert!(told.iter().any(|message| message["error"]["code"].is_string()), "{name}");
    }
    // A spectator can send, but nothing comes of it.
    let (mut socket, _) = game.socket(None);
    socket.say(&json!({"act": {"act": "move", "move": "e2e4"}, "id": 1}));
    assert_eq!(socket.answer(1)["refused"]["code"], "not_yours");
    // Without a mask a frame is not that of a client (RFC 6455, 5.1).
    let mut socket = Socket::open(&board, &path);
    std::io::Write::write_all(socket.stream.get_mut(), &[0x81, 2, b'{', b'}']).expect("it reads");
    socket.hear_all();
    assert_eq!(game.state(None)["plies"], json!([]), "nothing has changed");
}

#[test]
fn who_asks_too_much_waits_and_others_do_not() {
    let board = Board::start("limits", &["--max-requests", "1", "--max-connections", "3"]);
    let statuses: Vec<u16> = (0..20).map(|_| board.get("/api/about").status).collect();
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 429].contains(status)), "{statuses:?}");
    assert_ne!(board.get("/assets/modern.svg").status, 429, "the page still loads");
    let open: Vec<_> = (0..3).map(|_| board.kept_connection()).collect();
    assert!(board.raw(b"GET / HTTP/1.1\r\n\r\n").is_none(), "a fourth connection is closed");
    drop(open);
}

#[test]
fn pongs_are_answers_and_cost_nothing() {
    let board = Board::start("pongs", &["--max-requests", "2"]);
    let game = board.pair("600");
    let (mut socket, _) = game.socket(Some(&game.black));
    while board.get("/api/about").status != 429 {}
    for _ in 0..20 {
        socket.send(PONG, b"x");
    }
    std::thread::sleep(std::time::Duration::from_secs(1));
    socket.say(&json!({"act": {"act": "offer_draw"}, "id": 1}));
    assert_eq!(socket.answer(1)["state"]["draw_offer"], "black", "the socket is open");
}

#[test]
fn one_address_sends_few_long_bodies_at_once() {
    let board = Board::start("long-bodies", &["--max-connections", "25"]);
    let text = "1. e4 ".repeat(300_000);
    let body = json!({ "text": text }).to_string();
    let head = format!(
        "POST /api/analysis/read HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        board.address,
        body.len()
    );
    let mut slow = board.connect();
    std::io::Write::write_all(&mut slow, (head.clone() + &body[..1000]).as_bytes()).expect("it reads");
    std::thread::sleep(std::time::Duration::from_millis(200));
    let refused = board.raw((head.clone() + &body).as_bytes());
    assert!(refused.is_none_or(|answer| answer.status == 429), "the first is not complete yet");
    assert_eq!(board.post("/api/analysis/read", &json!({"text": "1. e4 *"})).status, 200, "short ones pass");
    drop(slow);
    let begin = std::time::Instant::now();
    while board.raw((head.clone() + &body).as_bytes()).is_none_or(|answer| answer.status == 429) {
        assert!(begin.elapsed() < super::client::PATIENCE, "the place is given back");
    }
}

#[test]
fn a_player_who_repeats_acts_does_not_fill_the_journal() {
    let board = Board::start("repeated-acts", &["--max-requests", "10000"]);
    let game = board.pair("600");
    let size = || board.ask("GET", &game.path("/journal"), Some(&game.arbiter), None).text().lines().count();
    let (mut socket, _) = game.socket(Some(&game.black));
    let options = json!({"act": "choose", "options": {"premove": true}});
    let acts = [options, json!({"act": "cancel_premove"})];
    let mut sizes = Vec::new();
    for last in [0, 199] {
        for id in last / 2..=last {
            socket.say(&json!({"act": acts[id % 2], "id": id}));
        }
        assert!(socket.answer(last as u64)["refused"].is_null());
        sizes.push(size());
    }
    assert_eq!(sizes[0], sizes[1], "what is chosen already is not recorded again");
    game.play(&game.white, "e2e4");
}
