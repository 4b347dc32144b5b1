//! Many games at once.

use super::client::{Board, Socket, command};
use crate::support::binary::{folder, has};
use serde_json::{Value, json};
use std::fs::read_to_string;
use std::process::{Command, Stdio};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

const GAMES: usize = 500;
/// The time between two moves of a game.
const PACE: Duration = Duration::from_secs(5);
const MOVES: [&str; 12] =
    ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5"];
/// The maximum time from sending a move to its arrival at the opponent, and the maximum memory.
const MAX_LATENCY: Duration = Duration::from_millis(20);
const MAX_MEMORY_KIB: u64 = 200 * 1024;

/// Plays a game, and returns the opponent's waiting time for each move.
fn play(board: &Board, number: usize, start: &Barrier) -> Vec<Duration> {
    let game = board.pair("3600+5");
    let (white, _) = game.socket(Some(&game.white));
    let (black, _) = game.socket(Some(&game.black));
    let mut players: [Socket; 2] = [white, black];
    start.wait();
    // The moves of all games are spread over the time.
    let begin = Instant::now() + PACE.mul_f64(number as f64 / GAMES as f64);
    let mut waits = Vec::new();
    for (ply, mv) in (0_u32..).zip(MOVES) {
        thread::sleep((begin + PACE * ply).saturating_duration_since(Instant::now()));
        let mover = ply as usize % 2;
        let is_made =
            |message: &Value| message["state"]["plies"].as_array().map(Vec::len) == Some(ply as usize + 1);
        let sent = Instant::now();
        players[mover].say(&json!({"act": {"act": "move", "move": mv}, "id": ply}));
        players[1 - mover].hear_until(is_made);
        waits.push(sent.elapsed());
        players[mover].answer(u64::from(ply));
    }
    waits
}

/// The value of a line of `/proc/PID/status`, in KiB.
#[cfg(target_os = "linux")]
fn memory_kib(id: u32, name: &str) -> Option<u64> {
    let status = read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
}

/// Starts a server. It has one core for itself if the players are restricted to others: prefix the command of the test
/// with `taskset -c 1`.
#[cfg(target_os = "linux")]
fn start_on_one_core() -> Board {
    let place = folder("board-load");
    let server = command(&place, &["--max-requests", "100000", "--max-connections", "10000"]);
    if !has("taskset") {
        return Board::start_by(server, place);
    }
    let mut wrapped = Command::new("taskset");
    wrapped.args(["-c", "0"]).arg(server.get_program()).args(server.get_args());
    wrapped.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Board::start_by(wrapped, place)
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "a minute, on a machine that does nothing else"]
fn five_hundred_games_are_told_in_time() {
    let board = start_on_one_core();
    let start = Barrier::new(GAMES);
    let mut waits: Vec<Duration> = thread::scope(|scope| {
        let (board, start) = (&board, &start);
        let games: Vec<_> =
            (0..GAMES).map(|number| scope.spawn(move || play(board, number, start))).collect();
        games.into_iter().flat_map(|game| game.join().expect("the game is played")).collect()
    });
    waits.sort_unstable();
    let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
    let memory = memory_kib(board.child.id(), "VmHWM:").expect("the system says it");
    let told = format!(
        "{} moves: median {:?}, 99 % within {:?}, the last after {:?}; {} MiB",
        waits.len(),
        at(50),
        at(99),
        at(100),
        memory / 1024
    );
    println!("{told}");
    assert!(at(99) < MAX_LATENCY && memory < MAX_MEMORY_KIB, "{told}");
}
