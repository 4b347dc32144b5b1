//! Collections: how long it takes to make one, to add to it and to ask it, and how large it is.
//!
//! `cargo bench --bench collection` makes games of random moves with a tree as real games have it, 20,000 of them;
//! `HEMATITE_BENCH_GAMES=500000,1000000,2000000` makes as many, one set after the other. Every time is that of a process
//! of its own with the files in the cache of the system, the best of three. Beside it, in the same run and on the same
//! games, are Debian's pgn-extract and Scid (`tkscid`, with `pgnscid`), where they are installed.

use hematite::chess::{Color, Move, Position, Role};
use hematite::notation::San;
use hematite::notation::eco::opening;
use hematite::rng::Rng;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const HEMATITE: &str = env!("CARGO_BIN_EXE_hematite");
const GAMES_VARIABLE: &str = "HEMATITE_BENCH_GAMES";
const DEFAULT_GAMES: u64 = 20_000;
/// The games that are added to a collection.
const ADDED: u64 = 1000;
const ROUNDS: usize = 3;
/// Games that one thread makes at a time.
const BATCH: u64 = 1000;

fn main() {
    let counts: Vec<u64> = match std::env::var(GAMES_VARIABLE) {
        Ok(list) => list
            .split(',')
            .map(|count| count.trim().parse().expect("numbers with commas between them"))
            .collect(),
        Err(_) => {
            println!("{DEFAULT_GAMES} games; {GAMES_VARIABLE} sets other numbers");
            vec![DEFAULT_GAMES]
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("{cores} cores; times of cold processes with a warm cache, best of {ROUNDS}");
    let folder = std::env::temp_dir().join(format!("hematite-bench-collection-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    for count in counts {
        bench(&folder, count, cores);
    }
    // Only this bench has put it there.
    let _ = fs::remove_dir_all(&folder);
}

/// A set of games on the disk.
struct Set {
    pgn: String,
    bytes: u64,
    /// The positions of all main lines.
    positions: u64,
}

fn bench(folder: &Path, count: u64, cores: usize) {
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let set = write_games(&path("games.pgn"), 0, count, cores);
    let more = write_games(&path("more.pgn"), count, ADDED, cores);
    let megabytes = set.bytes as f64 / 1e6;
    println!(
        "\n{count} games, {:.1} million positions, {megabytes:.0} MB of PGN",
        set.positions as f64 / 1e6
    );
    let hdb = path("games.hdb");
    let rate = |time: Duration| format!("{:.0} MB/s", megabytes / time.as_secs_f64());
    let check = best(&["pgn", "check", "-q", &set.pgn]);
    row("pgn check", check, &rate(check));
    let remove = || {
        // There is none at first.
        let _ = fs::remove_dir_all(&hdb);
    };
    let create = best_after(&["db", "create", &hdb, &set.pgn], remove);
    let ratio = check.as_secs_f64() / create.as_secs_f64();
    row("db create", create, &format!("{}, {ratio:.2} times the speed of pgn check", rate(create)));
    remove();
    let (memory, status) = peak_memory(&["db", "create", &hdb, &set.pgn]);
    assert!(status.success(), "a collection can be made");
    if let Some(kilobytes) = memory {
        println!("{:26} {:>10.0} MB", "  its memory", kilobytes as f64 / 1e3);
    }
    let size = folder_size(Path::new(&hdb));
    let index = index_size(&hdb);
    let share = |bytes: u64| bytes as f64 / set.bytes as f64;
    println!("{:26} {:>10.3} of the PGN, {:.3} without the index", "size", share(size), share(size - index));
    let undo = || assert!(hematite(&["db", "undo", &hdb]).success(), "an addition can be taken back");
    let add = || hematite(&["db", "add", &hdb, &more.pgn]);
    let mut added = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        assert!(add().success(), "games can be added");
        added = added.min(start.elapsed());
        undo();
    }
    row(&format!("db add of {ADDED} games"), added, "");
    questions(&set, &hdb, cores);
    peers(folder, &set);
    fs::remove_file(&set.pgn).expect("it is there");
}

/// A question for both sources.
struct Question {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Whether it has to look at all positions.
    is_scan: bool,
}

/// The position after `1. e4 c5 2. Nf3 d6 3. d4 cxd4`.
const POSITION: &str = "fen:\"rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq -\"";

const QUESTIONS: [Question; 9] = [
    Question { name: "header", arguments: &["find", "--count", PLAYER, "-q"], is_scan: false },
    Question {
        name: "header, regular expression",
        arguments: &["find", "--count", "event:/^open .*7$/", "-q"],
        is_scan: false,
    },
    Question { name: "exact position", arguments: &["find", "--count", POSITION, "-q"], is_scan: false },
    Question {
        name: "tree node",
        arguments: &["tree", "-q", "--moves", "1. e4 c5 2. Nf3 d6"],
        is_scan: false,
    },
    Question { name: "players", arguments: &["players", "-q", "--json"], is_scan: false },
    Question { name: "pattern", arguments: &["find", "--count", PATTERN, "-q"], is_scan: true },
    Question {
        name: "material for 10 plies",
        arguments: &["find", "--count", "material:KRPkr for 10", "-q"],
        is_scan: true,
    },
    Question {
        name: "sequence",
        arguments: &["find", "--count", "move:Bxh7+ then move:Ng5+ within 4", "-q"],
        is_scan: true,
    },
    Question { name: "pattern and header", arguments: &["find", "--count", BOTH, "-q"], is_scan: false },
];

const PLAYER: &str = "player:\"Player 17\" date>=2000";
const PATTERN: &str = "pattern:\"8/8/2p5/3p4/3P4/4P3/8/8\"";
const BOTH: &str = "pattern:\"8/8/2p5/3p4/3P4/4P3/8/8\" player:\"Player 17\"";

fn questions(set: &Set, hdb: &str, cores: usize) {
    println!("{:26} {:>10} {:>10}", "", "collection", "PGN");
    for Question { name, arguments, is_scan } in QUESTIONS {
        let ask = |source: &str| best(&[&["pgn"], arguments, &[source]].concat());
        let (stored, text) = (ask(hdb), ask(&set.pgn));
        let pace = set.positions as f64 / stored.as_secs_f64() / 1e6 / cores as f64;
        let pace = if is_scan { format!("{pace:.1} million positions/s a core") } else { String::new() };
        println!("{name:26} {:>8.1} ms {:>7.0} ms   {pace}", milliseconds(stored), milliseconds(text));
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn row(name: &str, time: Duration, note: &str) {
    println!("{name:26} {:>8.1} ms   {note}", milliseconds(time));
}

/// Runs the program. Exit code 1 is the answer no.
fn hematite(arguments: &[&str]) -> ExitStatus {
    let mut command = Command::new(HEMATITE);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("the program runs")
}

/// The best time of a few.
fn best(arguments: &[&str]) -> Duration {
    best_after(arguments, || ())
}

/// The same, with something done before each round.
fn best_after(arguments: &[&str], before: impl Fn()) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        before();
        let start = Instant::now();
        let status = hematite(arguments);
        best = best.min(start.elapsed());
        assert!(matches!(status.code(), Some(0 | 1)), "{arguments:?}: {status}");
    }
    best
}

/// The most memory of a process in kilobytes, as Linux tells it while it runs.
fn peak_memory(arguments: &[&str]) -> (Option<u64>, ExitStatus) {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut command = Command::new(HEMATITE);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program runs");
    let mut most = None;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = most.max(peak.and_then(|peak| peak.trim().split(' ').next()?.parse().ok()));
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return (most, status);
        }
        thread::sleep(PAUSE);
    }
}

fn folder_size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("the folder can be listed");
    entries.map(|entry| entry.and_then(|entry| entry.metadata()).map_or(0, |file| file.len())).sum()
}

fn index_size(hdb: &str) -> u64 {
    let output =
        Command::new(HEMATITE).args(["db", "info", "--json", hdb]).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = text.split_once("\"index_bytes\":").map(|(_, rest)| rest.trim_start_matches(' '));
    let digits =
        number.map(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default());
    digits.and_then(|digits| digits.parse().ok()).expect("`db info` tells the size of the index")
}

/// What other programs need for the same questions.
fn peers(folder: &Path, set: &Set) {
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let time = |command: &mut Command| {
        let mut best: Option<Duration> = None;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            match command.status() {
                Ok(status) if status.success() => {
                    best = Some(best.map_or(start.elapsed(), |best| best.min(start.elapsed())))
                }
                _ => return None,
            }
        }
        best
    };
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("a file can be written");
        path(name)
    };
    let tags = write("tags", "Player \"Player 17\"\nDate >= \"2000.01.01\"\n");
    let pattern = write("pattern", "FENPattern \"*/*/??p?????/???p????/???P????/????P???/*/*\"\n");
    let line = write("line", "e4 c5 Nf3 d6 d4 cxd4\n");
    let extracts: [(&str, &[&str]); 5] = [
        ("header", &["-t", &tags]),
        ("line and transpositions", &["-x", &line]),
        ("pattern", &["-t", &pattern]),
        ("duplicates", &["-D"]),
        ("check", &["-r"]),
    ];
    for (name, arguments) in extracts {
        let mut command = Command::new("pgn-extract");
        command.args(["-s", "-o", &path("extracted.pgn")]).args(arguments).arg(&set.pgn);
        match time(&mut command) {
            Some(time) => row(&format!("pgn-extract: {name}"), time, ""),
            None => {
                println!("left out: pgn-extract, which is not installed or failed");
                break;
            }
        }
    }
    // Scid has a format of its own.
    let base = path("scid-base");
    let start = Instant::now();
    let made = Command::new("pgnscid")
        .args(["-f", &set.pgn, &base])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        return println!("left out: Scid, since `pgnscid` is not installed or failed");
    }
    row("Scid: pgnscid", start.elapsed(), "");
    let base = format!("sc_base open {base}");
    let scripts = [
        ("header", "sc_search header -white \"Player 17\" -ignoreColors 1 -date {2000 2100}"),
        (
            "material",
            "sc_search material -wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} -wn {0 0} -bn {0 0} -wp {1 1} -bp {0 0} -length 10",
        ),
        ("position", "sc_move addSan e4 c5 Nf3 d6 d4 cxd4; sc_search board 0 E false"),
    ];
    for (name, script) in scripts {
        let file = write("script.tcl", &format!("{base}\n{script}\nexit 0\n"));
        match time(Command::new("tkscid").arg(&file)) {
            Some(time) => row(&format!("Scid: {name}"), time, ""),
            None => println!("left out: Scid: {name}, since `tkscid` is not installed or failed"),
        }
    }
}

/// Writes games with these numbers, made on all cores.
fn write_games(path: &str, first: u64, count: u64, cores: usize) -> Set {
    let mut file = BufWriter::new(File::create(path).expect("a file can be written"));
    let (mut bytes, mut positions) = (0, 0);
    let mut next = first;
    let end = first + count;
    while next < end {
        let starts: Vec<u64> =
            (0..cores as u64).map(|core| next + core * BATCH).filter(|&start| start < end).collect();
        let batches = thread::scope(|scope| {
            let batch = |start: u64| scope.spawn(move || games(start, (start + BATCH).min(end)));
            let running: Vec<_> = starts.iter().map(|&start| batch(start)).collect();
            running.into_iter().map(|thread| thread.join().expect("games can be made")).collect::<Vec<_>>()
        });
        for (text, count) in batches {
            file.write_all(text.as_bytes()).expect("a file can be written");
            bytes += text.len() as u64;
            positions += count;
        }
        next += cores as u64 * BATCH;
    }
    file.flush().expect("a file can be written");
    Set { pgn: path.to_owned(), bytes, positions }
}

/// The text of some games, and the number of their positions.
fn games(first: u64, end: u64) -> (String, u64) {
    let mut text = String::new();
    let mut positions = 0;
    for number in first..end {
        positions += write_game(number, &mut text);
    }
    (text, positions)
}

/// The players; the first ones play most.
const PLAYERS: u64 = 20_000;
/// Up to here the moves of a position are popular or not, the same in all games.
const BOOK_PLIES: u32 = 20;

/// Writes a game with a seed of its own, and returns its positions.
fn write_game(number: u64, text: &mut String) -> u64 {
    let mut rng = Rng::new(number);
    let skewed = |rng: &mut Rng, most: u64| (0..2).fold(rng.below(most), |most, _| rng.below(1 + most));
    let (white, black) = (skewed(&mut rng, PLAYERS), skewed(&mut rng, PLAYERS));
    let (year, month, day) = (1990 + rng.below(35), 1 + rng.below(12), 1 + rng.below(28));
    let event = skewed(&mut rng, 5000);
    let elo = |player: u64, rng: &mut Rng| 2750 - player.isqrt() * 9 + rng.below(40);
    let (white_elo, black_elo) = (elo(white, &mut rng), elo(black, &mut rng));
    let mut position = Position::start();
    let mut line = Vec::new();
    let mut named = None;
    let plies = 30 + rng.below(60) as u32 + rng.below(60) as u32;
    while (line.len() as u32) < plies {
        let Some(mv) = choose(&position, line.len() as u32, &mut rng) else { break };
        line.push(mv);
        position = position.after(mv).0;
        if line.len() as u32 <= BOOK_PLIES {
            named = opening(&position).or(named);
        }
    }
    let result = ["1-0", "0-1", "1/2-1/2"][rng.below(3) as usize];
    let mut push = |name: &str, value: &str| *text += &format!("[{name} \"{value}\"]\n");
    push("Event", &format!("Open {event}"));
    push("Site", "?");
    push("Date", &format!("{year}.{month:02}.{day:02}"));
    push("Round", &format!("{}", 1 + rng.below(9)));
    push("White", &format!("Player {white}, A"));
    push("Black", &format!("Player {black}, A"));
    push("Result", result);
    push("WhiteElo", &white_elo.to_string());
    push("BlackElo", &black_elo.to_string());
    if let Some(opening) = named {
        push("ECO", &opening.code().to_string());
    }
    text.push('\n');
    let mut position = Position::start();
    let mut column = 0;
    for &mv in &line {
        let san = San::new(&position, mv).text();
        let number = match position.turn() {
            Color::White => format!("{}. ", position.fullmove_number()),
            Color::Black => String::new(),
        };
        let word = format!("{number}{san}");
        if column + word.len() > 78 {
            text.push('\n');
            column = 0;
        }
        column += word.len() + 1;
        *text += &word;
        text.push(' ');
        position = position.after(mv).0;
    }
    *text += &format!("{result}\n\n");
    line.len() as u64 + 1
}

/// A move that somebody might play: chosen by a rough value with much noise, which is the same in all games in the opening.
fn choose(position: &Position, ply: u32, rng: &mut Rng) -> Option<Move> {
    const VALUES: [i64; Role::COUNT] = [100, 320, 330, 500, 950, 0];
    let moves = position.legal_moves();
    let value = |mv: Move| {
        let (from, to) = (mv.from(), mv.to());
        let role = position.role_at(from).unwrap_or(Role::Pawn);
        let center = |square: hematite::chess::Square| {
            let (file, rank) = (square.file().index() as i64, square.rank().index() as i64);
            -((2 * file - 7).abs() + (2 * rank - 7).abs())
        };
        let captured = position.captured_role(mv).map_or(0, |role| VALUES[role as usize]);
        let is_guarded =
            !(position.attackers(to, position.occupied()) & position.color(!position.turn())).is_empty();
        let risk = if is_guarded { VALUES[role as usize] } else { 0 };
        let castle = if mv.is_castle() { 150 } else { 0 };
        let promotion = mv.promotion().map_or(0, |role| VALUES[role as usize]);
        let step = if mv.is_castle() {
            0
        } else {
            (center(to) - center(from)) * if role == Role::King { 2 } else { 6 }
        };
        captured - risk * i64::from(captured < risk) + castle + promotion + step
    };
    // In the opening the noise is that of the position, and only a little of the game.
    let is_book = ply < BOOK_PLIES;
    let seed = position.key().bits();
    let noise = |mv: Move, rng: &mut Rng| {
        let fixed = Rng::new(seed ^ u64::from(mv.bits()) << 32).below(240) as i64;
        let own = rng.below(90).min(rng.below(90)) as i64;
        if is_book { fixed + own + rng.below(60) as i64 } else { fixed / 3 + 2 * own }
    };
    moves.iter().copied().max_by_key(|&mv| value(mv) + noise(mv, rng))
}
