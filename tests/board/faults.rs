//! Failures of machines and programs.

use super::client::{Board, Socket, command, ended};
use crate::support::binary::folder;
use serde_json::{Value, json};
use std::io::Read;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A pseudo-random number that selects the moment of a failure.
fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 31
}

/// Kills the server repeatedly while players send moves and offers, and compares the acknowledged acts with the stored
/// ones.
fn kill_rounds(name: &str, rounds: u64) {
    /// Knights that move out and back, so that legal moves never run out. The game soon ends by repetition.
    const DANCE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut place = folder(&format!("board-{name}"));
    let mut acknowledged = Vec::<(String, String, usize, bool, [u64; 2], Instant)>::new();
    for round in 0..rounds {
        let board = Board::start_in(place, &["--max-requests", "100000"]);
        for (id, white, plies, has_offer, left_ms, since) in acknowledged.drain(..) {
            let state = board.ask("GET", &format!("/api/games/{id}"), Some(&white), None).json();
            let found = state["plies"].as_array().map_or(0, Vec::len);
            assert!(
                found == plies || found == plies + 1,
                "round {round}: {found} moves, {plies} acknowledged"
            );
            if found == plies && has_offer && state["phase"] == "playing" {
                assert_eq!(state["draw_offer"], "white", "round {round}");
            }
            // Nobody has more time than was seen before, nor has lost more than has passed since.
            let now = clocks(&state);
            let passed = since.elapsed().as_millis() as u64 + 1;
            for (now, left_ms) in now.into_iter().zip(left_ms) {
                assert!(
                    now <= left_ms && now + passed >= left_ms,
                    "round {round}: {now} ms of {left_ms}, {passed} ms"
                );
            }
        }
        let is_over = AtomicBool::new(false);
        let delay = Duration::from_millis(20 + mixed(round) % 150);
        acknowledged = std::thread::scope(|scope| {
            let players: Vec<_> = (0..4)
                .map(|_| {
                    let (board, is_over) = (&board, &is_over);
                    scope.spawn(move || {
                        let game = board.pair("3600");
                        let mut since = Instant::now();
                        let state = game.state(None);
                        let mut left = clocks(&state);
                        let (mut plies, mut has_offer) = (0, false);
                        while !is_over.load(Ordering::Relaxed) && plies < 8 {
                            let token = if plies % 2 == 0 { &game.white } else { &game.black };
                            let act = match plies {
                                3 if !has_offer => json!({"act": "offer_draw"}),
                                _ => json!({"act": "move", "move": DANCE[plies % 4]}),
                            };
                            let is_offer = act["act"] == "offer_draw";
                            let token = if is_offer { &game.white } else { token };
                            let sent = Instant::now();
                            let Some(answer) = try_act(board, &game.id, token, &act) else { break };
                            since = sent;
                            left = clocks(&answer);
                            if is_offer {
                                has_offer = true;
                            } else {
                                plies += 1;
                                has_offer = has_offer && plies < 4;
                            }
                        }
                        (game.id.clone(), game.white.clone(), plies, has_offer, left, since)
                    })
                })
                .collect();
            std::thread::sleep(delay);
            let status = Command::new("kill").args(["-9", &board.child.id().to_string()]).status();
            assert!(status.is_ok_and(|status| status.success()));
            is_over.store(true, Ordering::Relaxed);
            players.into_iter().filter_map(|player| player.join().ok()).collect()
        });
        place = board.kill();
    }
}

/// The times left for White and Black, in milliseconds.
fn clocks(state: &Value) -> [u64; 2] {
    ["white_ms", "black_ms"].map(|name| state["clocks"][name].as_u64().expect("a clock"))
}

/// Sends an act whose answer may never arrive.
fn try_act(board: &Board, id: &str, token: &str, act: &Value) -> Option<Value> {
    let body = json!({ "act": act }).to_string();
    let text = format!(
        "POST /api/games/{id}/acts HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        board.address,
        body.len()
    );
    let mut stream = std::net::TcpStream::connect(board.address).ok()?;
    std::io::Write::write_all(&mut stream, text.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    if head.starts_with("HTTP/1.1 200") { serde_json::from_str(body).ok() } else { None }
}

#[test]
fn a_server_that_is_killed_has_kept_what_it_acknowledged() {
    kill_rounds("kills", 4);
}

#[test]
#[ignore = "a hundred rounds"]
fn all_of_a_hundred_kills_lose_nothing() {
    kill_rounds("kills-all", 100);
}

#[test]
fn the_time_while_the_server_is_down_is_charged_to_nobody() {
    let board = Board::start("downtime", &[]);
    let game = board.pair("600");
    game.play(&game.white, "e2e4");
    let (id, white) = (game.id.clone(), game.white.clone());
    let before = game.state(None)["clocks"]["black_ms"].as_u64().expect("a clock");
    let place = board.kill();
    std::thread::sleep(Duration::from_millis(1200)); // the server is down: that is what is tested
    let board = Board::start_in(place, &[]);
    let state = board.ask("GET", &format!("/api/games/{id}"), Some(&white), None).json();
    let after = state["clocks"]["black_ms"].as_u64().expect("a clock");
    // What has passed since the move when the server is killed is written nowhere, so a little may be given back.
    assert!(before.abs_diff(after) < 1000, "{before} ms before, {after} ms after");
    assert_eq!((&state["role"], &state["turn"]), (&json!("white"), &json!("black")));
    assert!(!state["seats"]["black"]["away_ms"].is_null(), "nobody is connected");
}

#[test]
fn a_clock_of_the_system_that_is_set_back_changes_no_game() {
    const DAY_MS: u64 = 86_400_000;
    let board = Board::start("set-back", &[]);
    let game = board.pair("600+0");
    game.play_all("e2e4 e7e5");
    let id = game.id.clone();
    let (white, black) = (game.white.clone(), game.black.clone());
    let before = game.state(None);
    let place = board.kill();
    // What was written by a clock that was a day ahead is what a clock finds that has been set back by a day.
    let file = rusqlite::Connection::open(place.join("state.sqlite")).expect("it can be opened");
    let changed = file.execute("UPDATE games SET created_unix_ms = created_unix_ms + ?1", [DAY_MS]);
    assert_eq!(changed.expect("it can be written"), 1);
    drop(file);
    let board = Board::start_in(place, &[]);
    let path = format!("/api/games/{id}");
    let ask = |token: &str| board.ask("GET", &path, Some(token), None).json();
    let after = ask(&white);
    assert_eq!((&after["plies"], &after["turn"]), (&before["plies"], &json!("white")));
    let left = |state: &Value, name: &str| state["clocks"][name].as_u64().expect("a clock");
    assert_eq!(left(&after, "black_ms"), left(&before, "black_ms"));
    assert!(left(&after, "white_ms").abs_diff(left(&before, "white_ms")) < 60_000, "{after}");
    // It goes on, and a new game stands beside it.
    for (token, mv) in [(&white, "g1f3"), (&black, "b8c6")] {
        let act = json!({"act": {"act": "move", "move": mv}});
        assert_eq!(board.ask("POST", &format!("{path}/acts"), Some(token), Some(&act)).status, 200, "{mv}");
    }
    assert!(left(&ask(&white), "white_ms") <= left(&after, "white_ms"), "no time is given back");
    let new = board.pair("600");
    let listed = board.get("/api/games").text();
    assert!(listed.contains(&id) && listed.contains(&new.id), "{listed}");
}

#[test]
fn an_interruption_ends_the_server_in_a_second() {
    for signal in ["-INT", "-TERM"] {
        let mut board = Board::start(&format!("interrupted{signal}"), &[]);
        let game = board.pair("600");
        let (mut player, _) = game.socket(Some(&game.white));
        let mut analysis = Socket::open(&board, "/api/analysis/engine");
        analysis.say(&json!({"search": {"moves": []}}));
        analysis.hear_until(|message| !message["info"].is_null());
        let begin = Instant::now();
        let status = Command::new("kill").args([signal, &board.child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()));
        player.hear_all();
        assert_eq!(ended(&mut board.child).code(), Some(0), "{signal}");
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?} on a busy machine", begin.elapsed());
    }
}

#[test]
fn a_port_and_a_state_that_are_taken_are_told() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = taken.local_addr().expect("it has an address").port().to_string();
    let place = folder("board-taken");
    let told_by = |command: &mut Command| {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        assert_eq!(ended(&mut child).code(), Some(2));
        let mut text = String::new();
        child.stderr.take().expect("it is piped").read_to_string(&mut text).expect("it is UTF-8");
        text
    };
    let mut on_port = Command::new(crate::support::binary::BINARY);
    on_port.env("XDG_CONFIG_HOME", &place);
    on_port.args(["board", "--port", &port, "--state"]).arg(place.join("state.sqlite"));
    let text = told_by(&mut on_port);
    assert!(text.contains(&format!("127.0.0.1:{port}")), "{text}");
    let told = |arguments: &[&str]| told_by(&mut command(&place, arguments));
    let board = Board::start_in(place.clone(), &[]);
    assert!(told(&[]).contains("another `hematite board`"));
    drop(board);
    for option in ["--engine", "--second-engine"] {
        assert!(
            told(&[option, "no-such-engine"]).contains(&format!("{option}: no-such-engine: no such program"))
        );
    }
    std::fs::write(place.join("state.sqlite"), "this is no file of games").expect("it can be written");
    for rest in ["state.sqlite-wal", "state.sqlite-shm"] {
        let _ = std::fs::remove_file(place.join(rest)); // there may be none
    }
    assert!(told(&[]).contains("is not a file of `hematite board`"));
    assert!(told(&["no-such-file.pgn"]).contains("no-such-file.pgn"));
    // Whoever reads the file besides the server would end its lock on it.
    let place = folder("board-twice");
    let state = place.join("state.sqlite");
    let state = state.to_str().expect("it is UTF-8");
    drop(Board::start_in(place.clone(), &[]));
    for (arguments, option) in [(vec![state], "FILE"), (vec!["--progress", state], "--progress")] {
        let mut twice = Command::new(crate::support::binary::BINARY);
        twice.env("XDG_CONFIG_HOME", &place);
        twice.args(["board", "--port", "0", "--state", state]).args(arguments).stdin(Stdio::null());
        let text = told_by(&mut twice);
        assert!(text.contains(&format!("expected another file by {option}")), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_has_not_happened() {
    let board = start_without_signal("full");
    let game = board.pair("600");
    game.play(&game.white, "e2e4");
    let before = game.state(None);
    limit_files(&board, Some(0));
    let refused = game.act(&game.black, json!({"act": "move", "move": "e7e5"}));
    assert_eq!((refused.status, refused.json()["code"].clone()), (503, json!("not_saved")));
    assert_eq!(board.post("/api/games", &json!({})).status, 503);
    let after = game.state(None);
    assert_eq!((&after["plies"], &after["version"]), (&before["plies"], &before["version"]));
    limit_files(&board, None);
    game.play(&game.black, "e7e5");
    let (id, place) = (game.id.clone(), board.kill());
    let board = Board::start_in(place, &[]);
    let state = board.get(&format!("/api/games/{id}")).json();
    assert_eq!(state["plies"].as_array().map(Vec::len), Some(2), "what was accepted is there");
}

/// Limits the size of the files of a program; `None` removes the limit. For a program that ignores the signal of the
/// limit, this is like a full disk: see [`start_without_signal`].
#[cfg(target_os = "linux")]
fn limit_files(board: &Board, most: Option<u64>) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let id = i32::try_from(board.child.id()).ok().and_then(Pid::from_raw);
    prlimit(id, Resource::Fsize, Rlimit { current: most, maximum: None }).expect("the limit can be set");
}

/// Starts a server for which the limit on the size of files is only an error, not a signal.
#[cfg(target_os = "linux")]
fn start_without_signal(name: &str) -> Board {
    let place = folder(&format!("board-{name}"));
    let server = command(&place, &[]);
    let mut wrapped = Command::new("sh");
    wrapped.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]).arg(server.get_program()).args(server.get_args());
    wrapped.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Board::start_by(wrapped, place)
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_whose_move_cannot_be_saved_makes_it_later() {
    let board = start_without_signal("full-engine");
    let game = board.create(&json!({"white": {"person": "Ann"}, "black": {"engine": {}}, "casual": true}));
    game.play(&game.white, "e2e4");
    limit_files(&board, Some(0));
    // Longer than the engine thinks without a clock: that it does nothing is what is tested.
    std::thread::sleep(Duration::from_millis(3000));
    let state = game.state(Some(&game.white));
    let plies = |state: &Value| state["plies"].as_array().map_or(0, Vec::len);
    assert_eq!((plies(&state), &state["phase"]), (1, &json!("playing")), "the engine has moved too early");
    limit_files(&board, None);
    let state = game.wait_for(Some(&game.white), |state| plies(state) == 2 || state["phase"] == "over");
    assert_eq!((plies(&state), &state["phase"]), (2, &json!("playing")), "{state}");
}

#[cfg(target_os = "linux")]
#[test]
fn who_has_left_while_nothing_could_be_saved_is_away_later() {
    let board = start_without_signal("full-presence");
    let game = board.pair("600");
    let away = |state: &Value| !state["seats"]["black"]["away_ms"].is_null();
    let (black, _) = game.socket(Some(&game.black));
    game.wait_for(None, |state| !away(state));
    limit_files(&board, Some(0));
    drop(black);
    // Until the server has noticed and tried: a move that is refused comes after it.
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(game.act(&game.white, json!({"act": "move", "move": "e2e4"})).status, 503);
    assert!(!away(&game.state(None)));
    limit_files(&board, None);
    game.wait_for(None, away);
}

#[test]
fn no_other_program_locks_the_file_of_a_running_server() {
    let board = Board::start("locked", &["--max-requests", "100000"]);
    let game = board.pair("600");
    let is_over = AtomicBool::new(false);
    let tries = std::thread::scope(|scope| {
        let tries = scope.spawn(|| {
            let mut tries = 0_u32;
            while !is_over.load(Ordering::Relaxed) {
                let other =
                    rusqlite::Connection::open(board.folder.join("state.sqlite")).expect("it is there");
                other.busy_timeout(Duration::ZERO).expect("it can be set");
                let error = other.execute_batch("BEGIN EXCLUSIVE").expect_err("the server has it");
                assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::DatabaseBusy), "{error}");
                tries += 1;
            }
            tries
        });
        game.play_all("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
        is_over.store(true, Ordering::Relaxed);
        tries.join().expect("it tries")
    });
    assert!(tries > 0);
    let id = game.id.clone();
    assert_eq!(plies_after_a_kill(board, &id), 6);
}

/// The number of moves of a game that are stored after the server has been killed and restarted.
fn plies_after_a_kill(board: Board, id: &str) -> usize {
    let board = Board::start_in(board.kill(), &[]);
    let state = board.get(&format!("/api/games/{id}")).json();
    state["plies"].as_array().map_or(0, Vec::len)
}

#[test]
fn a_server_waits_for_who_has_locked_its_file_before() {
    let place = Board::start("locked-before", &[]).kill();
    let other = rusqlite::Connection::open(place.join("state.sqlite")).expect("it is there");
    other.execute_batch("BEGIN EXCLUSIVE; UPDATE clock SET ms = ms").expect("nobody has it");
    let ending = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(700)); // the server waits: that is what is tested
        other.execute_batch("COMMIT").expect("it can be written");
    });
    let board = Board::start_in(place, &[]);
    ending.join().expect("it ends");
    board.pair("600").play_all("e2e4 e7e5");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_removed_while_games_are_played_is_made_again() {
    const STATE: &str = "state.sqlite";
    const LOG: &str = "state.sqlite-wal";
    for (name, removed) in [("state", &[STATE][..]), ("log", &[LOG]), ("both", &[STATE, LOG])] {
        let board = Board::start(&format!("removed-{name}"), &[]);
        let before = board.pair("600");
        before.play_all("d2d4 d7d5");
        let game = board.pair("600");
        game.play_all("e2e4 e7e5");
        for file in removed {
            std::fs::remove_file(board.folder.join(file)).expect("it is there");
        }
        game.play_all("g1f3 b8c6");
        let new = board.pair("600");
        let ids = [&before, &game, &new].map(|game| game.id.clone());
        let left: Vec<_> = std::fs::read_dir(&board.folder)
            .expect("it is a folder")
            .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".tmp"))
            .collect();
        assert_eq!(left, [""; 0], "{name}");
        let board = Board::start_in(board.kill(), &[]);
        let plies = ids.map(|id| {
            let state = board.get(&format!("/api/games/{id}")).json();
            state["plies"].as_array().map(Vec::len)
        });
        assert_eq!(plies, [Some(2), Some(4), Some(0)], "{name}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_where_it_would_not_be_found_again() {
    let board = Board::start("replaced", &[]);
    let game = board.pair("600");
    game.play_all("e2e4 e7e5");
    let state = board.folder.join("state.sqlite");
    let away = board.folder.join("away.sqlite");
    let refused = |part: &str| {
        let answer = game.act(&game.white, json!({"act": "move", "move": "g1f3"}));
        assert_eq!((answer.status, answer.json()["code"].clone()), (503, json!("not_saved")));
        assert!(answer.text().contains(part), "{}", answer.text());
        assert_eq!(board.post("/api/games", &json!({})).status, 503);
        assert_eq!(game.state(None)["plies"].as_array().map(Vec::len), Some(2));
    };
    // Another file is not touched.
    std::fs::rename(&state, &away).expect("it can be renamed");
    std::fs::write(&state, "something else").expect("it can be written");
    refused("taken the place");
    assert_eq!(std::fs::read_to_string(&state).ok().as_deref(), Some("something else"));
    std::fs::rename(&away, &state).expect("it can be renamed");
    game.play(&game.white, "g1f3");
    // A folder is not made again: it may have been another disk.
    let folder = board.folder.with_extension("moved");
    let _ = std::fs::remove_dir_all(&folder); // of an earlier run
    std::fs::rename(&board.folder, &folder).expect("it can be renamed");
    let answer = game.act(&game.black, json!({"act": "move", "move": "b8c6"}));
    assert_eq!(
        (answer.status, answer.json()["code"].clone()),
        (503, json!("not_saved")),
        "{}",
        answer.text()
    );
    std::fs::rename(&folder, &board.folder).expect("it can be renamed");
    game.play(&game.black, "b8c6");
    let id = game.id.clone();
    assert_eq!(plies_after_a_kill(board, &id), 4);
}

#[test]
fn a_client_that_reads_nothing_holds_nobody_up() {
    let board = Board::start("slow", &["--max-requests", "10000"]);
    let game = board.pair("-");
    let (_slow, _) = game.socket(None);
    let (mut watcher, _) = game.socket(None);
    // Megabytes of states come to the one who reads none.
    const ROUNDS: usize = 60;
    for _ in 0..ROUNDS {
        game.play_all("g1f3 g8f6");
        for _ in 0..2 {
            assert_eq!(game.act(&game.white, json!({"act": "offer_takeback"})).status, 200);
            assert_eq!(game.act(&game.black, json!({"act": "decline_takeback"})).status, 200);
        }
        assert_eq!(game.act(&game.white, json!({"act": "offer_takeback"})).status, 200);
        assert_eq!(game.act(&game.black, json!({"act": "accept_takeback"})).status, 200);
    }
    let version = game.state(None)["version"].as_u64();
    watcher.hear_until(|message| message["state"]["version"].as_u64() >= version);
}
