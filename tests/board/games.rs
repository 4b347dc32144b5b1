//! Games: seats, roles, moves, clocks and results.

use super::client::Board;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

#[test]
fn two_people_play_to_mate_and_again() {
    let board = Board::start("mate", &[]);
    let game = board.pair("300+3");
    let (mut watcher, first) = game.socket(None);
    assert_eq!((&first["role"], &first["phase"]), (&json!("spectator"), &json!("playing")));
    assert_eq!(first["can"], json!([]));
    game.play_all("f2f3 e7e5 g2g4 d8h4");
    let last = watcher.hear_until(|message| message["state"]["phase"] == "over")["state"].clone();
    assert_eq!(last["ending"]["result"], "0-1");
    assert_eq!(last["ending"]["reason"], "checkmate");
    assert_eq!(last["plies"].as_array().map(Vec::len), Some(4));
    assert_eq!(last["plies"][3]["san"], "Qh4#");
    let late = game.act(&game.white, json!({"act": "move", "move": "a2a3"}));
    assert_eq!((late.status, late.json()["code"].clone()), (409, json!("over")));
    let pgn = board.get(&game.path("/pgn")).text();
    for part in ["[White \"Ann\"]", "[Termination \"normal\"]", "[TimeControl \"300+3\"]", "%clk", "0-1\n"] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    let checked = crate::support::binary::run(&["pgn", "check", "-"], pgn.as_bytes());
    assert_eq!(checked.code, Some(0), "{checked:?}");
    // Another game, colors swapped, with the same tokens.
    let path = game.path("/rematch");
    let offer = board.ask("POST", &path, Some(&game.white), None).json();
    assert_eq!(offer["rematch"], json!({"offered_by": "white"}));
    let again = board.ask("POST", &path, Some(&game.black), None).json();
    let made = &again["rematch"];
    assert_eq!(made["token"].as_str(), Some(&*game.black));
    let path = format!("/api/games/{}", made["id"].as_str().expect("a name"));
    assert_eq!(board.ask("GET", &path, Some(&game.black), None).json()["role"], "white");
    assert_eq!(board.ask("GET", &path, None, None).json()["seats"]["white"]["player"], "Bob");
    assert!(board.ask("GET", &game.path(""), None, None).json()["rematch"]["token"].is_null());
}

/// Waits until a query finds this number of games in the first file.
fn wait_for_games(board: &Board, query: &str, count: u64) {
    let begin = std::time::Instant::now();
    loop {
        let found = board.get(&format!("/api/files/0/games?query={query}")).json();
        if found["count"] == count {
            return;
        }
        assert!(begin.elapsed() < super::client::PATIENCE, "{found}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn finished_games_go_into_the_collection_once() {
    let folder = crate::support::binary::folder("board-recording");
    let collection = folder.join("own.hdb");
    let arguments = ["--collection", collection.to_str().expect("it is UTF-8")];
    let board = Board::start_in(folder.clone(), &arguments);
    wait_for_games(&board, "", 0);
    let game = board.pair("300+3");
    game.play_all("f2f3 e7e5 g2g4 d8h4");
    wait_for_games(&board, "winner:bob%20end:mate", 1);
    // A game without moves is none, and one that is not over is not yet there.
    let aborted = board.pair("60");
    assert_eq!(aborted.act(&aborted.white, json!({"act": "abort"})).status, 200);
    let open = board.pair("-");
    open.play_all("d2d4 d7d5");
    let again = board.pair("300+3");
    again.play_all("e2e4 c7c5");
    assert_eq!(again.act(&again.black, json!({"act": "resign"})).status, 200);
    wait_for_games(&board, "", 2);
    let kept = board.get("/api/files/0/games/1").json();
    let tag = |name: &str| {
        let tags = kept["tags"].as_array().expect("tags");
        tags.iter().find(|tag| tag[0] == name).map(|tag| tag[1].as_str().expect("a text").to_owned())
    };
    assert_eq!(tag("Site").as_deref(), Some("NET"));
    assert_eq!((tag("Mode").as_deref(), tag("PlyCount").as_deref()), (Some("ICS"), Some("4")));
    assert!(kept["nodes"][0]["clk_s"].is_number(), "{kept}");
    // A server that was killed before it has noted that: the games are not added again, and others are.
    let folder = board.kill();
    let state = rusqlite::Connection::open(folder.join("state.sqlite")).expect("it is free");
    state.execute("DELETE FROM recorded", []).expect("there is this table");
    drop(state);
    let board = Board::start_in(folder, &arguments);
    let last = board.pair("300+3");
    last.play_all("f2f3 e7e5 g2g4 d8h4");
    wait_for_games(&board, "end:mate", 2);
    wait_for_games(&board, "", 3);
    // All games in one file.
    let all = board.get("/api/games.pgn");
    assert_eq!(all.header("content-type"), Some("application/x-chess-pgn"));
    let checked = crate::support::binary::run(&["pgn", "stats", "--json", "-"], &all.body);
    let stats: Value =
        serde_json::from_str(&checked.out).unwrap_or_else(|error| panic!("{error}: {checked:?}"));
    assert_eq!(stats["games"], 4, "{stats}");
}

#[test]
fn a_game_by_mail_goes_on_here() {
    let board = Board::start("mail", &[]);
    let (here, there) = (board.pair("-"), board.pair("-"));
    assert_eq!(board.get(&here.path("/epd")).json()["code"], "bad_record");
    here.play_all("e2e4 c7c5");
    let sent = board.get(&here.path("/epd?sender=bob@example.org&receiver=ann@example.org&game=3"));
    assert!(sent.header("content-type").is_some_and(|kind| kind.starts_with("text/plain")), "{sent:?}");
    let text = sent.text();
    assert_eq!(
        text,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 fmvn 1; hmvc 0; rc 1; sm c5; tcgs 3; \
         tcri \"ann@example.org\" \"Ann\"; tcsi \"bob@example.org\" \"Bob\";\n"
    );
    let receive = |token: &str, epd: &str| {
        board.ask("POST", &there.path("/epd"), Some(token), Some(&json!({ "epd": epd })))
    };
    // It is about another position until White has moved there, too.
    let early = receive(&there.black, &text);
    assert_eq!((early.status, early.json()["code"].clone()), (409, json!("bad_record")));
    there.play(&there.white, "e2e4");
    assert_eq!(receive(&there.white, &text).status, 409, "it is Black's");
    let state = receive(&there.black, &text);
    assert_eq!((state.status, &state.json()["plies"][1]["san"]), (200, &json!("c5")), "{state:?}");
    assert_eq!(receive(&there.white, "what").json()["code"], "bad_epd");
    let path = there.path("/epd");
    assert_eq!(board.ask("POST", &path, None, Some(&json!({ "epd": text }))).status, 401);
    let offer = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - draw_offer; sm Nf3;";
    let offered = receive(&there.white, offer).json();
    assert_eq!((&offered["draw_offer"], &offered["plies"][2]["san"]), (&json!("white"), &json!("Nf3")));
    let accept = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - draw_accept;";
    assert_eq!(receive(&there.black, accept).json()["ending"]["reason"], "agreement");
}

/// Requests from another machine, or through a proxy, get only the games they have a link to; the host of a server for the
/// network keeps all rights.
#[test]
fn only_the_host_has_lists_saves_and_studies() {
    let folder = crate::support::binary::folder("board-for-others-source");
    let file = folder.join("games.pgn");
    let text = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    std::fs::write(&file, text).expect("it can be written");
    let path = file.to_str().expect("it is UTF-8");
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    let mut cases: Vec<(&str, Vec<&str>, IpAddr, bool)> = vec![
        ("here", vec![path], here, true),
        ("host", vec![path, "--listen", "0.0.0.0"], here, true),
        ("named", vec![path, "--host", "chess.example.org"], here, false),
    ];
    match own_address() {
        Some(own) => cases.push(("guest", vec![path, "--listen", "0.0.0.0"], own, false)),
        None => crate::support::skip("no address in a network"),
    }
    for (name, mut arguments, address, is_local) in cases {
        let collection = folder.join(format!("{name}.hdb"));
        arguments.extend(["--collection", collection.to_str().expect("it is UTF-8")]);
        let mut board = Board::start(&format!("for-others-{name}"), &arguments);
        board.address.set_ip(address);
        let game = board.pair("600");
        game.play(&game.white, "e2e4");
        let event = json!({"name": "Club", "format": {"round_robin": {}}, "game": {"time_control": "600"}});
        assert_eq!(board.post("/api/tournaments", &event).status, 201, "{name}");
        let count = |path: &str| board.get(path).json().as_array().map(Vec::len);
        let listed = Some(usize::from(is_local));
        assert_eq!((count("/api/games"), count("/api/tournaments")), (listed, listed), "{name}");
        // The link still shows the game to those who have it.
        assert_eq!(game.state(None)["plies"].as_array().map(Vec::len), Some(1), "{name}");
        let refused = |answer: &super::client::Answer| {
            let is_refused = answer.status == 403 && answer.json()["code"] == "not_here";
            assert_eq!(is_refused, !is_local, "{name}: {answer:?}");
        };
        refused(&board.get("/api/games.pgn"));
        // Files are read, and not changed.
        assert_eq!(board.get("/api/about").json()["files"][0]["can_save"], json!(is_local), "{name}");
        let listed = board.get("/api/files/0/games").json();
        assert_eq!(listed["count"], 1, "{name}");
        // The games played here are not.
        let names = board.get("/api/about").json()["files"].as_array().map(Vec::len);
        assert_eq!(names, Some(if is_local { 2 } else { 1 }), "{name}");
        for path in
            ["games", "print?games=1", "players", "openings", "crosstable", "names?kind=player&prefix=a"]
        {
            let answer = board.get(&format!("/api/files/1/{path}"));
            let is_refused = answer.status == 403 && answer.json()["code"] == "not_here";
            assert_eq!(is_refused, !is_local, "{name}: {path}: {answer:?}");
        }
        refused(&board.post("/api/files/1/tree", &json!({})));
        let document = board.post("/api/analysis/read", &json!({"text": text})).json()["games"][0].clone();
        let shown = board.get("/api/files/0/games/1").json();
        let replaced = json!({"game": document, "version": shown["version"]});
        refused(&board.ask("PUT", "/api/files/0/games/1", None, Some(&replaced)));
        let change = json!({"stamp": "another", "change": {"do": "delete", "number": 1}});
        let changed = board.post("/api/files/0/changes", &change);
        assert_eq!(changed.status, if is_local { 409 } else { 403 }, "{name}: {changed:?}");
        refused(&board.post("/api/files/0/games", &json!({"game": document})));
        if is_local {
            std::fs::write(&file, text).expect("it can be written");
        }
        assert_eq!(std::fs::read_to_string(&file).expect("it can be read"), text, "{name}");
        // The progress belongs to the host.
        let ask = format!(
            "GET /api/study HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            board.address
        );
        let studied = board.raw(ask.as_bytes()).expect("it answers");
        assert_eq!(studied.status, if is_local { 101 } else { 403 }, "{name}: {studied:?}");
    }
}

/// The address of this machine in its network.
fn own_address() -> Option<IpAddr> {
    // Nothing is sent: connecting only selects the address.
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|address| !address.is_loopback())
}

#[test]
fn a_request_through_a_proxy_has_no_rights_of_the_host() {
    let board = Board::start("proxy-headers", &["--listen", "0.0.0.0", "--max-requests", "1000"]);
    board.pair("600");
    let port = board.address.port();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let count = |host: &str, version: &str, header: &str| {
        let request =
            format!("GET /api/games HTTP/{version}\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n");
        let answer = super::client::raw_to(address, request.as_bytes()).expect("it answers");
        (answer.status, answer.json().as_array().map(Vec::len))
    };
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}")] {
        assert_eq!(count(&host, "1.1", ""), (200, Some(1)), "{host}");
        assert_eq!(count(&host, "1.1", "X-Requested-With: page\r\n"), (200, Some(1)), "{host}");
        assert_eq!(count(&host, "1.0", ""), (200, Some(0)), "as nginx asks without further settings");
        for header in [
            "Forwarded: for=192.0.2.43",
            "X-Forwarded-For: 127.0.0.1",
            "x-forwarded-proto: https",
            "X-Real-IP: 192.0.2.43",
            "Via: 1.1 proxy",
            "X-Forwarded-For: ",
        ] {
            assert_eq!(count(&host, "1.1", &format!("{header}\r\n")), (200, Some(0)), "{host}, {header}");
        }
    }
    // A name that resolves to this machine is not its own (DNS rebinding).
    assert_eq!(count(&format!("evil.example:{port}"), "1.1", "").0, 403);
}

#[test]
fn a_seat_is_claimed_once() {
    let board = Board::start("seats", &[]);
    let game = board.create(&json!({"white": {"person": "Ann"}}));
    assert_eq!(game.state(Some(&game.black))["can"], json!(["sit"]));
    let early = game.act(&game.white, json!({"act": "move", "move": "e2e4"}));
    assert_eq!(early.json()["code"], "not_begun");
    assert_eq!(game.act(&game.black, json!({"act": "resign"})).status, 403);
    let sat = game.act(&game.black, json!({"act": "sit", "name": "Bob"})).json();
    let token = sat["token"].as_str().expect("a token of his own").to_owned();
    assert_ne!(token, game.black);
    assert_eq!((&sat["role"], &sat["phase"]), (&json!("black"), &json!("playing")));
    // Somebody else with the same link comes too late, and watches.
    let eve = game.act(&game.black, json!({"act": "sit", "name": "Eve"}));
    assert_eq!((eve.status, eve.json()["code"].clone()), (409, json!("seat_taken")));
    let seen = game.state(Some(&game.black));
    assert_eq!((&seen["role"], &seen["invitation"]), (&json!("spectator"), &json!("taken")));
    assert_eq!(game.act(&game.black, json!({"act": "resign"})).status, 403);
    game.play(&game.white, "e2e4");
    game.play(&token, "e7e5");
}

#[test]
fn everybody_does_only_what_the_role_allows() {
    let board = Board::start("roles", &[]);
    let game = board.pair("-");
    let mv = json!({"act": "move", "move": "e2e4"});
    let code = |token: &str, act: &Value| {
        let answer = game.act(token, act.clone());
        (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
    };
    let refused = |status: u16, code: &str| (status, code.to_owned());
    assert_eq!(code(&game.black, &mv), refused(409, "not_your_turn"));
    assert_eq!(code(&game.arbiter, &mv), refused(409, "not_yours"));
    assert_eq!(code(&game.white, &json!({"act": "pause"})), refused(409, "not_yours"));
    assert_eq!(code(&game.white, &json!({"act": "flag"})), refused(409, "not_yours"));
    assert_eq!(code(&game.white, &json!({"act": "disconnect"})), refused(403, "not_yours"));
    assert_eq!(code(&game.white, &json!({"act": "move", "move": "e2e5"})), refused(409, "illegal_move"));
    assert_eq!(board.ask("POST", &game.path("/acts"), None, Some(&json!({"act": mv}))).status, 401);
    let other = board.pair("-");
    assert_eq!(code(&other.white, &mv), refused(401, "unknown_token"), "a token of another game");
    assert_eq!(board.ask("GET", &game.path("/journal"), Some(&game.white), None).status, 403);
    assert_eq!(game.state(None)["plies"], json!([]), "nothing has changed");
    // The arbiter stops the clocks, lets an assistant move for White, and ends the game.
    assert_eq!(game.act(&game.arbiter, json!({"act": "pause"})).json()["phase"], "paused");
    assert_eq!(code(&game.white, &mv), refused(409, "paused"));
    assert_eq!(game.act(&game.arbiter, json!({"act": "resume"})).status, 200);
    let allowed =
        game.act(&game.arbiter, json!({"act": "allow_assistant", "side": "white", "name": "Cid"})).json();
    let assistant = allowed["token"].as_str().expect("a token for the assistant");
    assert_eq!(allowed["role"], "arbiter");
    assert_eq!(game.state(Some(assistant))["role"], "white_assistant");
    game.play(assistant, "e2e4");
    assert_eq!(code(assistant, &json!({"act": "resign"})), refused(409, "not_yours"));
    let end = json!({"act": "adjudicate", "winner": "black", "cause": "adjudication"});
    assert_eq!(game.act(&game.arbiter, end).json()["ending"]["result"], "0-1");
    let journal = board.ask("GET", &game.path("/journal"), Some(&game.arbiter), None).text();
    assert!(journal.lines().count() > 6 && journal.contains("\"allow_assistant\""), "{journal}");
}

#[test]
fn options_and_premoves_are_nobody_elses_business() {
    let board = Board::start("premoves", &[]);
    let game = board.pair("60");
    let options = json!({"smart_move": false, "premove": true, "auto_queen": true, "confirm_move": false});
    game.act(&game.black, json!({"act": "choose", "options": options}));
    game.act(&game.black, json!({"act": "premove", "move": "e7e5"}));
    let entered = game.act(&game.black, json!({"act": "premove", "move": "b8c6", "add": true})).json();
    assert_eq!(entered["premoves"], json!(["e7e5", "b8c6"]));
    for token in [Some(&*game.white), Some(&*game.arbiter), None] {
        let text = game.state(token).to_string();
        assert!(!text.contains("e7e5\"") && !text.contains("premoves"), "{text}");
        assert!(!text.contains("\"auto_queen\":true"), "{text}");
    }
    let state = game.play(&game.white, "e2e4");
    assert_eq!(state["plies"].as_array().map(Vec::len), Some(2));
    assert_eq!(state["plies"][1]["spent_ms"], 0);
}

#[test]
fn what_a_player_enters_before_moves_nothing_that_others_see() {
    let board = Board::start("private", &[]);
    let game = board.pair("60");
    let mut white = game.page("white");
    let mut second = game.page("black");
    let (mut watcher, _) = game.socket(None);
    // That somebody watches is told, and nothing else has happened.
    let seen = white.hear_until(|message| message["state"]["spectators"] == 1)["state"].clone();
    watcher.hear_until(|message| message["state"]["spectators"] == 1);
    let options = json!({"smart_move": true, "premove": true, "auto_queen": true, "confirm_move": false});
    for act in [
        json!({"act": "choose", "options": options}),
        json!({"act": "premove", "move": "d7d5"}),
        json!({"act": "cancel_premove"}),
        json!({"act": "premove", "move": "e7e5"}),
        json!({"act": "premove", "move": "b8c6", "add": true}),
    ] {
        assert_eq!(game.act(&game.black, act).status, 200);
    }
    // Another page of the same player shows it.
    second.hear_until(|message| message["state"]["premoves"] == json!(["e7e5", "b8c6"]));
    for token in [Some(&*game.white), Some(&*game.black), Some(&*game.arbiter), None] {
        assert_eq!(game.state(token)["version"], seen["version"]);
    }
    // A move that was meant for the position on the board is made, and is the next that the opponent and who watches
    // hear of.
    white.say(&json!({"act": {"act": "move", "move": "e2e4"}, "version": seen["version"], "id": 1}));
    let answer = white.hear();
    assert_eq!((&answer["id"], answer["state"]["plies"].as_array().map(Vec::len)), (&json!(1), Some(2)));
    assert_eq!(watcher.hear()["state"]["plies"].as_array().map(Vec::len), Some(2));
    // Who goes is not counted any more.
    drop(watcher);
    white.hear_until(|message| message["state"]["spectators"] == 0);
}

#[test]
fn a_right_that_comes_by_time_is_told_when_it_comes() {
    let board = Board::start("abandoned", &[]);
    let people = json!({"abandonment_s": 10, "white": {"person": "Ann"}, "black": {"person": "Bob"}});
    let game = board.create(&people);
    let white = game.page("white");
    let mut black = game.page("black");
    drop(white);
    let can_claim =
        |state: &Value| state["can"].as_array().is_some_and(|acts| acts.contains(&json!("claim_abandoned")));
    let away = black.hear_until(|message| !message["state"]["seats"]["white"]["away_ms"].is_null());
    assert!(!can_claim(&away["state"]), "{away}");
    let early = game.act(&game.black, json!({"act": "claim_abandoned", "draw": false}));
    assert_eq!((early.status, early.json()["code"].clone()), (409, json!("too_early")));
    // Nobody does anything meanwhile.
    let told = black.hear_until(|message| can_claim(&message["state"]));
    assert!(told["state"]["seats"]["white"]["away_ms"].as_u64().is_some_and(|ms| ms >= 10_000), "{told}");
    assert_eq!(told["state"]["version"], away["state"]["version"]);
    black.say(&json!({"act": {"act": "claim_abandoned", "draw": false}, "id": 1}));
    let ending = black.answer(1)["state"]["ending"].clone();
    assert_eq!((&ending["result"], &ending["reason"]), (&json!("0-1"), &json!("abandonment")));
    assert!(board.get(&game.path("/pgn")).text().contains("[Termination \"abandoned\"]"));
}

#[test]
fn time_is_given_in_casual_games_and_the_moves_of_a_period_are_counted() {
    let board = Board::start("periods", &[]);
    let game = board.pair("2/60:30");
    let to_go =
        |state: &Value| ["white_moves_to_go", "black_moves_to_go"].map(|name| state["clocks"][name].as_u64());
    assert_eq!(to_go(&game.state(None)), [Some(2), Some(2)]);
    game.play_all("e2e4 e7e5 g1f3");
    assert_eq!(to_go(&game.state(None)), [None, Some(1)]);
    let given = game.act(&game.white, json!({"act": "give_time"})).json();
    assert!(given["clocks"]["black_ms"].as_u64().is_some_and(|ms| ms > 60_000), "{given}");
    let told = given["events"].as_array().and_then(|events| events.last()).map(|event| event["text"].clone());
    assert_eq!(told, Some(json!("Black gets 15 seconds more.")));
    let serious =
        board.create(&json!({"time_control": "60", "white": {"person": "A"}, "black": {"person": "B"}}));
    let refused = serious.act(&serious.white, json!({"act": "give_time"}));
    assert_eq!((refused.status, refused.json()["code"].clone()), (409, json!("not_in_rules")));
}

#[test]
fn a_game_is_recorded_with_its_start_and_all_times() {
    let board = Board::start("tags", &[]);
    let fen = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    let people = json!({"time_control": "300", "start": {"fen": fen}, "white": {"person": "Ann"}, "black": {"person": "Bob"}});
    let game = board.create(&people);
    game.play(&game.black, "d7d5");
    game.play(&game.white, "e5d6");
    let pgn = board.get(&game.path("/pgn")).text();
    let has_tag = |name: &str, digits: &str| {
        let found = pgn.lines().find_map(|line| line.strip_prefix(&format!("[{name} \"")));
        let value =
            found.and_then(|rest| rest.strip_suffix("\"]")).unwrap_or_else(|| panic!("{name}: {pgn}"));
        let shape: String = value.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
        assert_eq!(shape, digits, "{name}");
    };
    for (name, digits) in
        [("Date", "9999.99.99"), ("UTCDate", "9999.99.99"), ("Time", "99:99:99"), ("UTCTime", "99:99:99")]
    {
        has_tag(name, digits);
    }
    for part in [
        "[SetUp \"1\"]",
        &format!("[FEN \"{fen}\"]"),
        "[PlyCount \"2\"]",
        "[Termination \"unterminated\"]",
        "[WhiteType \"human\"]",
        "[%emt 0:00:0",
        "exd6",
    ] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
}

#[test]
fn spectators_see_the_game_later_if_that_is_wished() {
    let board = Board::start("delay", &[]);
    let game = board.create(&json!({
        "time_control": "600", "casual": true, "spectator_delay": 2,
        "white": {"person": "Ann"}, "black": {"person": "Bob"}
    }));
    let count = |state: &Value| state["plies"].as_array().map(Vec::len);
    let (mut socket, _) = game.socket(None);
    game.play_all("e2e4 e7e5 g1f3");
    for token in [&game.white, &game.black, &game.arbiter] {
        assert_eq!(count(&game.state(Some(token))), Some(3));
    }
    let seen = game.state(None);
    assert_eq!(
        (count(&seen), &seen["turn"], &seen["clocks"]["running"]),
        (Some(1), &json!("black"), &json!("black"))
    );
    assert!(
        seen["fen"].as_str().is_some_and(|fen| fen.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/")),
        "{seen}"
    );
    let boards = board.get(&format!("/api/boards?games={},nothing", game.id)).json()["boards"].clone();
    assert_eq!(boards.as_array().map(Vec::len), Some(1), "{boards}");
    let (pieces, last, running) = (&boards[0]["pieces"], &boards[0]["last"], &boards[0]["running"]);
    assert_eq!(pieces, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    assert_eq!((last, running), (&json!(["e2", "e4"]), &json!("black")));
    let many = board.get(&format!("/api/boards?games={}", vec!["x"; 13].join(",")));
    assert_eq!((many.status, many.json()["code"].clone()), (400, json!("too_many_games")));
    assert_eq!(seen["version"], game.state(Some(&game.white))["version"], "messages are still put in order");
    // Nor is anything else told, by whatever way.
    let offered = game.act(&game.white, json!({"act": "offer_takeback"})).json();
    assert_eq!(offered["takeback_offer"], "white");
    assert_eq!(game.state(None)["takeback_offer"], Value::Null);
    for path in ["", "/pgn", "/epd"] {
        let text = board.get(&game.path(path)).text();
        assert!(!text.contains("Nf3"), "{path}: {text}");
    }
    let record = json!({"epd": "4k3/8/8/8/8/8/8/4K2R w K - sm Kd1;"});
    let invented = "A".repeat(game.white.len());
    for (token, code) in [(&invented, "unknown_token"), (&game.arbiter, "not_yours")] {
        let answer = board.ask("POST", &game.path("/epd"), Some(token), Some(&record));
        assert_eq!(answer.json()["code"], code, "{}", answer.text());
    }
    let own = board.ask("GET", &game.path("/pgn"), Some(&game.white), None).text();
    assert!(own.contains("Nf3"), "{own}");
    game.play(&game.black, "b8c6");
    socket.hear_until(|message| count(&message["state"]) == Some(2));
    // When it is over there is nothing left to hide.
    assert_eq!(game.act(&game.white, json!({"act": "resign"})).status, 200);
    assert_eq!(count(&game.state(None)), Some(4));
    let refused = board.post("/api/games", &json!({"spectator_delay": 101}));
    assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("bad_spectator_delay")));
}

#[test]
fn a_flag_falls_without_anybody() {
    let board = Board::start("flag", &[]);
    let game = board.pair("0.2");
    let state = game.wait_for(None, |state| state["phase"] == "over");
    assert_eq!(state["ending"]["reason"], "time_forfeit");
    assert_eq!((&state["ending"]["result"], &state["clocks"]["white_ms"]), (&json!("0-1"), &json!(0)));
    assert!(board.get(&game.path("/pgn")).text().contains("[Termination \"time forfeit\"]"));
    // Against a bare king it is a draw.
    let drawn = board.create(&json!({
        "time_control": "0.2", "start": {"fen": "8/8/8/8/8/2k5/8/K6R b - - 0 1"},
        "white": {"person": ""}, "black": {"person": ""}
    }));
    drawn.play(&drawn.black, "c3b3");
    let state = drawn.wait_for(None, |state| state["phase"] == "over");
    assert_eq!(state["ending"]["reason"], "drawn_time_forfeit");
}

#[test]
fn offers_are_answered_and_takebacks_agreed() {
    let board = Board::start("offers", &[]);
    let game = board.pair("-");
    game.play_all("e2e4 e7e5");
    assert_eq!(game.act(&game.black, json!({"act": "offer_takeback"})).status, 200);
    let taken = game.act(&game.white, json!({"act": "accept_takeback"})).json();
    assert_eq!(taken["plies"].as_array().map(Vec::len), Some(1));
    game.play(&game.black, "c7c5");
    let offered = game.act(&game.black, json!({"act": "offer_draw"})).json();
    assert_eq!(offered["draw_offer"], "black");
    assert!(game.state(Some(&game.white))["can"].as_array().expect("a list").contains(&json!("accept_draw")));
    assert_eq!(game.act(&game.white, json!({"act": "accept_draw"})).json()["ending"]["reason"], "agreement");
}

#[test]
fn two_pages_of_one_player_show_the_same_and_absence_is_seen() {
    let board = Board::start("pages", &[]);
    let game = board.pair("-");
    let (mut first, _) = game.socket(Some(&game.white));
    let (mut second, _) = game.socket(Some(&game.white));
    first.say(&json!({"act": {"act": "move", "move": "e2e4"}, "id": 7}));
    assert_eq!(first.answer(7)["state"]["plies"][0]["san"], "e4");
    let moved = second
        .hear_until(|message| message["state"]["plies"].as_array().is_some_and(|plies| plies.len() == 1));
    assert_eq!(moved["state"]["version"], game.state(None)["version"]);
    second.say(&json!({"act": {"act": "move", "move": "d2d4"}, "id": 8}));
    assert_eq!(second.answer(8)["refused"]["code"], "not_your_turn");
    drop(first);
    second.say(&json!({"act": {"act": "offer_draw"}, "id": 9}));
    assert!(second.answer(9)["state"]["seats"]["white"]["away_ms"].is_null(), "one page is open");
    drop(second);
    game.wait_for(Some(&game.black), |state| !state["seats"]["white"]["away_ms"].is_null());
    let (_, back) = game.socket(Some(&game.white));
    assert_eq!(back["draw_offer"], "white", "the offer stands");
    game.wait_for(Some(&game.black), |state| {
        state["seats"]["white"]["away_ms"].is_null() || state["version"].as_u64() > back["version"].as_u64()
    });
}

#[test]
fn who_has_not_come_yet_is_away() {
    let board = Board::start("arrivals", &[]);
    let request = json!({
        "time_control": "600", "abandonment_s": 10, "white": {"person": "Ann"}, "black": {"person": "Bob"}
    });
    let game = board.create(&request);
    let (_socket, _) = game.socket(Some(&game.black));
    let state = game.wait_for(Some(&game.black), |state| state["seats"]["black"]["away_ms"].is_null());
    assert!(state["seats"]["white"]["away_ms"].is_number(), "{state}");
    let texts = |state: &Value| state["events"].to_string();
    assert!(!texts(&state).contains("gone away") && !texts(&state).contains("is back"), "{state}");
    let claimed =
        game.wait_for(Some(&game.black), |state| state["can"].to_string().contains("claim_abandoned"));
    assert!(claimed["seats"]["white"]["away_ms"].as_u64() >= Some(10_000), "{claimed}");
    // An act is an arrival, too; who leaves after that has gone away.
    let state = game.play(&game.white, "e2e4");
    assert!(state["seats"]["white"]["away_ms"].is_null(), "{state}");
    drop(game.socket(Some(&game.white)));
    let left = game.wait_for(None, |state| state["seats"]["white"]["away_ms"].is_number());
    assert!(texts(&left).contains("White has gone away"), "{left}");
}

#[test]
fn messages_that_come_twice_or_late_change_nothing() {
    let board = Board::start("replays", &[]);
    let game = board.pair("300");
    let body = json!({"version": game.state(None)["version"], "act": {"act": "move", "move": "e2e4"}});
    let send = || board.ask("POST", &game.path("/acts"), Some(&game.white), Some(&body));
    assert_eq!(send().status, 200);
    let again = send();
    assert_eq!((again.status, again.json()["code"].clone()), (409, json!("stale")));
    let late = json!({"version": 1, "act": {"act": "move", "move": "e7e5"}});
    assert_eq!(board.ask("POST", &game.path("/acts"), Some(&game.black), Some(&late)).status, 409);
    assert_eq!(game.state(None)["plies"].as_array().map(Vec::len), Some(1));
    // Of two moves at once, in whatever order they come, one is made.
    let codes: Vec<u16> = std::thread::scope(|scope| {
        let play = |mv: &'static str| {
            let game = &game;
            scope.spawn(move || game.act(&game.black, json!({"act": "move", "move": mv})).status)
        };
        ["e7e5", "c7c5", "e7e6"]
            .map(play)
            .into_iter()
            .map(|thread| thread.join().expect("an answer"))
            .collect()
    });
    assert_eq!(codes.iter().filter(|&&code| code == 200).count(), 1, "{codes:?}");
}

#[test]
fn games_start_anywhere_and_seats_may_be_swapped() {
    let board = Board::start("starts", &[]);
    let people = |start: Value| json!({"start": start, "white": {"person": "A"}, "black": {"person": "B"}, "random_colors": true});
    let game = board.create(&people(json!({"chess960": 518})));
    assert_eq!(game.state(None)["rules"]["chess960"], true);
    let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
    for wanted in
        ["Sicilian Defense: Najdorf Variation", "sicilian defense: najdorf variation", "B90", najdorf]
    {
        let game = board.create(&people(json!({"opening": wanted})));
        let fen = game.state(None)["fen"].clone();
        assert_eq!(fen, "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6", "{wanted}");
    }
    let mut seen = [false; 2];
    for _ in 0..64 {
        let made = board.post("/api/games", &people(json!("chess960"))).json();
        let name = made["state"]["seats"]["white"]["player"].as_str().expect("a name").to_owned();
        let swapped = made["swapped"].as_bool().expect("it says so");
        assert_eq!(name, if swapped { "B" } else { "A" });
        seen[usize::from(swapped)] = true;
        if seen == [true; 2] {
            break;
        }
        std::thread::sleep(Duration::from_millis(50)); // the limit of requests
    }
    assert_eq!(seen, [true; 2], "both are seen in 64 attempts");
    for (wrong, code) in [
        (json!({"start": {"chess960": 960}}), "bad_start"),
        (json!({"start": {"fen": "x"}}), "bad_fen"),
        (json!({"start": {"opening": "Sicilian Defence"}}), "bad_opening"),
        (json!({"time_control": "?"}), "bad_time_control"),
        (json!({"time_control": "1:1:1:1:1:1:1:1:1"}), "bad_time_control"),
        (json!({"time_control": "5 min"}), "bad_json"),
        (json!({"countdown_s": 99999}), "bad_countdown"),
        (json!({"abandonment_s": 1}), "bad_abandonment"),
        (json!({"white": {"engine": {"elo": 1}}}), "bad_elo"),
        (json!({"white": {"engine": {"level": "God"}}}), "bad_level"),
        (json!({"white": {"person": "x".repeat(200)}}), "name"),
        (json!({"whit": {}}), "bad_json"),
    ] {
        let answer = board.post("/api/games", &wrong);
        assert_eq!((answer.status, answer.json()["code"].as_str()), (400, Some(code)), "{wrong}");
    }
    let told = |time: &str| {
        let error = board.post("/api/games", &json!({ "time_control": time })).json()["error"].clone();
        error.as_str().expect("a text").to_owned()
    };
    assert!(told("5 min").contains("found `5 min`, expected a time control such as 40/9000"));
    assert!(told("?").contains("time_control: found `?`, expected at most 8 periods"));
    for (asked, expected) in [
        ("limit=many", "limit: found `many`, expected a whole number"),
        ("skip=-1", "skip: found `-1`, expected a whole number"),
        ("limt=1", "unknown field `limt`, expected `skip` or `limit`"),
    ] {
        let answer = board.get(&format!("/api/games?{asked}"));
        assert_eq!((answer.status, answer.json()["code"].as_str()), (400, Some("bad_request")), "{asked}");
        let told = answer.json()["error"].clone();
        assert!(told.as_str().is_some_and(|told| told.contains(expected)), "{told}");
    }
}
