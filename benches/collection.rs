//! Collections: the time to create them, to add to them and to query them, and their size.
//!
//! `cargo bench --bench collection` generates 20,000 games of random moves whose tree resembles that of real games;
//! `HEMATITE_BENCH_GAMES=500000,1000000,2000000` generates these numbers, one set after the other. The games are always
//! the same, and are kept in the folder stated by `HEMATITE_BENCH_FOLDER`, by default one in `target`: existing sets
//! are not generated again, and incomplete ones are completed.
//!
//! Every time is that of a separate process with the files in the cache of the system: the best of nine, or of as many
//! as fit into a few seconds. Programs that answer the same query take turns. Besides Hematite, Debian's pgn-extract
//! and Scid are measured if they are installed; the output names programs that are left out.

mod programs;

use hematite::chess::{Color, Move, Position, Role, Square};
use hematite::notation::eco::opening;
use hematite::notation::{Fen, San};
use hematite::rng::Rng;
use programs::find_program;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const HEMATITE: &str = env!("CARGO_BIN_EXE_hematite");
const GAMES_VARIABLE: &str = "HEMATITE_BENCH_GAMES";
const DEFAULT_GAMES: u64 = 20_000;
const FOLDER_VARIABLE: &str = "HEMATITE_BENCH_FOLDER";
/// The number of games that are added to a collection.
const ADDED: u64 = 1000;
/// The number of the first added game, beyond those of any set.
const FIRST_ADDED: u64 = 1 << 40;
/// The maximum number of measurements of each query, and the time after which it is not repeated.
const ROUNDS: usize = 9;
const PATIENCE: Duration = Duration::from_secs(20);
/// The number of games that a thread generates at a time.
const BATCH: u64 = 1000;
/// The number of games of a file from which sets are assembled.
const PART: u64 = 100_000;
/// The version of the generated games, which changes with their text, so that older games are not reused.
const KIND: u32 = 1;

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
    println!("{cores} cores; times of cold processes with a warm cache, best of up to {ROUNDS}");
    let folder = std::env::var_os(FOLDER_VARIABLE)
        .map_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("collection"), PathBuf::from);
    fs::create_dir_all(&folder).expect("the folder can be written");
    for count in counts {
        Bench::new(folder.clone(), count, cores).run();
    }
}

/// A set of games on the disk, and the programs that are measured on it.
struct Bench {
    folder: PathBuf,
    count: u64,
    cores: usize,
    pgn: String,
    bytes: u64,
    /// The number of positions of all main lines.
    positions: u64,
    hdb: String,
    pgn_extract: Option<PathBuf>,
    scid: Option<PathBuf>,
}

impl Bench {
    /// Generates the missing part of the set.
    fn new(folder: PathBuf, count: u64, cores: usize) -> Self {
        let (pgn, positions) = make_set(&folder, count, cores);
        let bytes = fs::metadata(&pgn).expect("it was made").len();
        let text = |path: PathBuf| path.to_str().expect("UTF-8").to_owned();
        let hdb = text(pgn.with_extension("hdb"));
        let (pgn_extract, scid) = (find_program("pgn-extract"), find_program("tkscid"));
        Self { folder, count, cores, pgn: text(pgn), bytes, positions, hdb, pgn_extract, scid }
    }

    /// Runs all measurements.
    fn run(&self) {
        let megabytes = self.bytes as f64 / 1e6;
        println!(
            "\n{} games, {:.1} million positions, {megabytes:.0} MB of PGN",
            self.count,
            self.positions as f64 / 1e6
        );
        for (name, program) in [("pgn-extract", &self.pgn_extract), ("Scid (tkscid)", &self.scid)] {
            if program.is_none() {
                println!("left out: {name}, which is not installed");
            }
        }
        self.make();
        self.add();
        let scid_base = self.make_scid_base();
        println!("{:26} {:>11} {:>9} {:>12} {:>9}", "", "collection", "PGN", "pgn-extract", "Scid");
        for question in &questions() {
            self.ask(question, scid_base.as_deref());
        }
    }

    /// Measures the creation of the collection, compared with a mere check of the games.
    fn make(&self) {
        let remove = || {
            // Initially the collection does not exist.
            let _ = fs::remove_dir_all(&self.hdb);
        };
        let mut check = hematite(&["pgn", "check", "-q", &self.pgn]);
        let mut create = hematite(&["db", "create", "-q", &self.hdb, &self.pgn]);
        let mut memory = None;
        let times = best(&mut [&mut || time(&mut check), &mut || {
            remove();
            let start = Instant::now();
            memory = memory.max(peak_memory(&mut create));
            start.elapsed()
        }]);
        let rate = |time: Duration| self.bytes as f64 / 1e6 / time.as_secs_f64();
        println!("{:26} {:>9.2} s   {:.0} MB/s", "pgn check", times[0].as_secs_f64(), rate(times[0]));
        let ratio = times[0].as_secs_f64() / times[1].as_secs_f64();
        println!(
            "{:26} {:>9.2} s   {:.0} MB/s, {ratio:.2} times the speed of pgn check",
            "db create",
            times[1].as_secs_f64(),
            rate(times[1])
        );
        if let Some(kilobytes) = memory {
            println!("{:26} {:>9.0} MB", "  its memory", kilobytes as f64 / 1e3);
        }
        let size = folder_size(Path::new(&self.hdb));
        let index = index_size(&self.hdb);
        let share = |bytes: u64| bytes as f64 / self.bytes as f64;
        println!(
            "{:26} {:>9.3}     of the PGN, {:.3} without the index",
            "size",
            share(size),
            share(size - index)
        );
    }

    /// Measures adding games, and removes them again.
    fn add(&self) {
        let more = self.folder.join(format!("added-{KIND}-{ADDED}.pgn"));
        if !more.exists() {
            write_games(&more, FIRST_ADDED, ADDED, self.cores);
        }
        let mut add = hematite(&["db", "add", "-q", &self.hdb, more.to_str().expect("UTF-8")]);
        let mut undo = hematite(&["db", "undo", &self.hdb]);
        let times = best(&mut [&mut || {
            let added = time(&mut add);
            time(&mut undo);
            added
        }]);
        println!("{:26} {:>9.1} ms", format!("db add of {ADDED} games"), milliseconds(times[0]));
    }

    /// Creates a database in Scid's format.
    fn make_scid_base(&self) -> Option<String> {
        let scid = self.scid.as_ref()?;
        let base = self.pgn.trim_end_matches(".pgn").to_owned() + "-scid";
        if fs::exists(format!("{base}.si4")).unwrap_or(false) {
            return Some(base);
        }
        let script = format!(
            "sc_base create {base}\nsc_base import [sc_base current] {}\nsc_base close [sc_base current]\nexit 0\n",
            self.pgn
        );
        let start = Instant::now();
        let made = quiet(Command::new(scid).arg(self.write("make.tcl", &script))).status();
        if made.is_ok_and(|status| status.success()) {
            println!("{:26} {:>9.2} s", "Scid: import", start.elapsed().as_secs_f64());
            return Some(base);
        }
        println!("left out: Scid, which could not import the games");
        None
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    }

    /// Measures a query with all programs that can answer it, in turns.
    fn ask(&self, question: &Question, scid_base: Option<&str>) {
        let of = |source: &str| {
            let mut command = hematite(&["pgn"]);
            command.args(&question.arguments).args(["-q", source]);
            command
        };
        let (mut stored, mut text) = (of(&self.hdb), of(&self.pgn));
        let extract = self.pgn_extract.as_ref().zip(question.pgn_extract.as_ref()).map(
            |(program, (option, content))| {
                let mut command = Command::new(program);
                command.args(["-s", "-o"]).arg(self.folder.join("extracted.pgn")).arg(option);
                if !content.is_empty() {
                    command.arg(self.write("criteria", content));
                }
                command.arg(&self.pgn);
                command
            },
        );
        let scid =
            self.scid.as_ref().zip(question.scid.as_ref()).zip(scid_base).map(|((program, script), base)| {
                // Replaces the procedure that shows progress in Scid's window.
                let progress = "proc ::progressCallBack {args} {return 1}";
                let script = format!("{progress}\nsc_base open {base}\n{script}\nexit 0\n");
                let mut command = Command::new(program);
                command.arg(self.write("question.tcl", &script));
                command
            });
        let (mut extract, mut scid) = (extract, scid);
        let mut askers: Vec<Box<dyn FnMut() -> Duration + '_>> =
            vec![Box::new(|| time(&mut stored)), Box::new(|| time(&mut text))];
        let has_extract = extract.is_some();
        if let Some(command) = &mut extract {
            askers.push(Box::new(|| time(command)));
        }
        if let Some(command) = &mut scid {
            askers.push(Box::new(|| time(command)));
        }
        let mut askers: Vec<&mut dyn FnMut() -> Duration> =
            askers.iter_mut().map(|asker| &mut **asker as &mut dyn FnMut() -> Duration).collect();
        let times = best(&mut askers);
        let (stored, text) = (times[0], times[1]);
        let mut others = times[2..].iter();
        let shown = |time: Option<&Duration>, unit: &str| {
            time.map_or_else(String::new, |&time| format!("{:.0}{unit}", milliseconds(time)))
        };
        let extract = shown(others.next().filter(|_| has_extract), " ms");
        let scid = shown(if has_extract { others.next() } else { times.get(2) }, " ms");
        print!(
            "{:26} {:>8.1} ms {:>6.0} ms {extract:>12} {scid:>9}",
            question.name,
            milliseconds(stored),
            milliseconds(text)
        );
        if question.is_scan {
            let pace = |time: Duration| self.positions as f64 / time.as_secs_f64() / 1e6 / self.cores as f64;
            print!("   {:.1} million positions/s a core, PGN {:.1}", pace(stored), pace(text));
        }
        println!();
    }
}

/// A query for all programs.
struct Question {
    name: &'static str,
    arguments: Vec<String>,
    /// Whether the query must examine all positions.
    is_scan: bool,
    /// The option of pgn-extract, and the content of the file that follows it.
    pgn_extract: Option<(&'static str, String)>,
    /// The script for Scid.
    scid: Option<String>,
}

impl Question {
    fn new(name: &'static str, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Self { name, arguments, is_scan: false, pgn_extract: None, scid: None }
    }

    fn scanning(self) -> Self {
        Self { is_scan: true, ..self }
    }

    fn with_pgn_extract(self, option: &'static str, content: &str) -> Self {
        Self { pgn_extract: Some((option, content.to_owned())), ..self }
    }

    fn with_scid(self, script: &str) -> Self {
        Self { scid: Some(script.to_owned()), ..self }
    }
}

const PLAYER: &str = "player:\"Player 17\" date>=2000";
const PATTERN: &str = "pattern:\"8/8/2p5/3p4/3P4/4P3/8/8\"";
const BOTH: &str = "pattern:\"8/8/2p5/3p4/3P4/4P3/8/8\" player:\"Player 17\"";

/// The most frequent moves from the initial position, up to this number of plies, and the position after them.
fn main_line(plies: u32) -> (String, Position) {
    let mut position = Position::start();
    let mut line = Vec::new();
    for _ in 0..plies {
        let Some(mv) = preferred(&position) else { break };
        line.push(San::new(&position, mv).text().to_string());
        position = position.after(mv).0;
    }
    (line.join(" "), position)
}

fn questions() -> Vec<Question> {
    let (short, position) = main_line(6);
    let (long, _) = main_line(16);
    let fen = Fen::new(&position).to_string();
    let tree = |name, line: &str| {
        let question = Question::new(name, &["tree", "--moves", line]);
        question.with_scid(&format!("{}\n{TREE}", scid_moves(line)))
    };
    vec![
        Question::new("header", &["find", "--count", PLAYER])
            .with_pgn_extract("-t", "Player \"Player 17\"\nDate >= \"2000.01.01\"\n")
            .with_scid("sc_search header -white \"Player 17\" -ignoreColors 1 -date {2000 2100}"),
        Question::new("header, regular expression", &["find", "--count", "event:/^open .*7$/"]),
        Question::new("exact position", &["find", "--count", &format!("fen:\"{fen}\"")])
            .with_pgn_extract("-x", &format!("{short}\n"))
            .with_scid(&format!("{}\nsc_search board 2 E false false", scid_moves(&short))),
        tree("tree node at the start", ""),
        tree("tree node at ply 6", &short),
        tree("tree node at ply 16", &long),
        Question::new("players", &["players", "--json"]),
        Question::new("pattern", &["find", "--count", PATTERN])
            .scanning()
            .with_pgn_extract("-t", "FENPattern \"*/*/??p?????/???p????/???P????/????P???/*/*\"\n"),
        Question::new("material for 10 plies", &["find", "--count", "material:KRPkr for 10"])
            .scanning()
            .with_pgn_extract("-y", "10 R P1 r\n")
            .with_scid(MATERIAL),
        Question::new("sequence", &["find", "--count", "move:Nf3 then move:Bg5 within 4"]).scanning(),
        Question::new("pattern and header", &["find", "--count", BOTH]),
        Question::new("duplicates", &["duplicates", "--level", "moves"]).with_pgn_extract("-D", ""),
        Question::new("check", &["check"]).with_pgn_extract("-r", ""),
    ]
}

/// The commands with which Scid moves to a position.
fn scid_moves(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("sc_move addSan {line}") }
}

/// The command with which Scid computes the tree of a position.
const TREE: &str = "sc_tree stats [sc_base current] [sc_filter new [sc_base current]]";

/// The command with which Scid searches for rook and pawn against rook.
const MATERIAL: &str = "sc_search material -wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} \
    -wn {0 0} -bn {0 0} -wp {1 1} -bp {0 0} -length 10";

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn hematite(arguments: &[&str]) -> Command {
    let mut command = Command::new(HEMATITE);
    command.args(arguments);
    command
}

/// The time that a command takes. Exit code 1 is a negative answer, not an error.
fn time(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = quiet(command).status().expect("the program runs");
    let time = start.elapsed();
    assert!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    time
}

/// The best time of each command; the commands take turns.
fn best(commands: &mut [&mut dyn FnMut() -> Duration]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; commands.len()];
    let mut spent = vec![Duration::ZERO; commands.len()];
    for _ in 0..ROUNDS {
        for ((best, spent), command) in best.iter_mut().zip(&mut spent).zip(&mut *commands) {
            if *spent < PATIENCE {
                let time = command();
                *spent += time;
                *best = time.min(*best);
            }
        }
    }
    best
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Runs a command and returns its peak memory in kilobytes, as Linux reports it while the command runs.
fn peak_memory(command: &mut Command) -> Option<u64> {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut child = quiet(command).spawn().expect("the program runs");
    let mut most = None;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = most.max(peak.and_then(|peak| peak.trim().split(' ').next()?.parse().ok()));
        if let Some(status) = child.try_wait().expect("it can be asked") {
            assert!(status.success(), "{command:?}: {status}");
            return most;
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

/// A set of this many games, assembled from parts that are kept, and the number of its positions.
fn make_set(folder: &Path, count: u64, cores: usize) -> (PathBuf, u64) {
    let parts: Vec<(PathBuf, u64)> = (0..count)
        .step_by(PART as usize)
        .map(|first| make_part(folder, first, PART.min(count - first), cores))
        .collect();
    let positions = parts.iter().map(|(_, positions)| positions).sum();
    let set = folder.join(format!("games-{KIND}-{count}.pgn"));
    if !set.exists() {
        let unfinished = set.with_extension("unfinished");
        let mut file = File::create(&unfinished).expect("a file can be written");
        for (part, _) in &parts {
            io::copy(&mut File::open(part).expect("it was made"), &mut file).expect("a file can be written");
        }
        fs::rename(unfinished, &set).expect("a file can be renamed");
    }
    (set, positions)
}

/// A part of a set, whose name states the number of its positions.
fn make_part(folder: &Path, first: u64, count: u64, cores: usize) -> (PathBuf, u64) {
    let start = format!("part-{KIND}-{first}-{count}-");
    let known = fs::read_dir(folder).expect("the folder can be listed").find_map(|entry| {
        let path = entry.expect("the folder can be listed").path();
        let positions =
            path.file_name()?.to_str()?.strip_prefix(&start)?.strip_suffix(".pgn")?.parse().ok()?;
        Some((path, positions))
    });
    known.unwrap_or_else(|| {
        let unfinished = folder.join("part.unfinished");
        let positions = write_games(&unfinished, first, count, cores);
        let path = folder.join(format!("{start}{positions}.pgn"));
        fs::rename(unfinished, &path).expect("a file can be renamed");
        (path, positions)
    })
}

/// Writes the games with these numbers, generated on all cores, and returns the number of their positions.
fn write_games(path: &Path, first: u64, count: u64, cores: usize) -> u64 {
    let mut file = BufWriter::new(File::create(path).expect("a file can be written"));
    let mut positions = 0;
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
            positions += count;
        }
        next += cores as u64 * BATCH;
    }
    file.flush().expect("a file can be written");
    positions
}

/// The text of these games, and the number of their positions.
fn games(first: u64, end: u64) -> (String, u64) {
    let mut text = String::new();
    let mut positions = 0;
    for number in first..end {
        positions += write_game(number, &mut text);
    }
    (text, positions)
}

/// The number of players; those with low numbers have more games.
const PLAYERS: u64 = 20_000;
/// The number of plies in which some moves are popular in all games.
const BOOK_PLIES: u32 = 20;

/// Writes the game whose seed is its number, and returns the number of its positions.
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

/// A plausible move: the one with the highest sum of a rough value and large noise, which in the opening is mostly the
/// same for all games.
fn choose(position: &Position, ply: u32, rng: &mut Rng) -> Option<Move> {
    // In the opening the noise mostly depends on the position, and only a little on the game.
    let is_book = ply < BOOK_PLIES;
    let noise = |mv: Move, rng: &mut Rng| {
        let fixed = liking(position, mv);
        let own = rng.below(90).min(rng.below(90)) as i64;
        if is_book { fixed + own + rng.below(60) as i64 } else { fixed / 3 + 2 * own }
    };
    let moves = position.legal_moves();
    moves.iter().copied().max_by_key(|&mv| value(position, mv) + noise(mv, rng))
}

/// The most frequent move of an opening position.
fn preferred(position: &Position) -> Option<Move> {
    position.legal_moves().iter().copied().max_by_key(|&mv| value(position, mv) + liking(position, mv))
}

/// The popularity of a move in a position, which is random but the same in all games.
fn liking(position: &Position, mv: Move) -> i64 {
    Rng::new(position.key().bits() ^ u64::from(mv.bits()) << 32).below(240) as i64
}

/// The rough value of a move, in centipawns.
fn value(position: &Position, mv: Move) -> i64 {
    const VALUES: [i64; Role::COUNT] = [100, 320, 330, 500, 950, 0];
    let (from, to) = (mv.from(), mv.to());
    let role = position.role_at(from).unwrap_or(Role::Pawn);
    let center = |square: Square| {
        let (file, rank) = (square.file().index() as i64, square.rank().index() as i64);
        -((2 * file - 7).abs() + (2 * rank - 7).abs())
    };
    let captured = position.captured_role(mv).map_or(0, |role| VALUES[role as usize]);
    let guards = position.attackers(to, position.occupied()) & position.color(!position.turn());
    let risk = if guards.is_empty() { 0 } else { VALUES[role as usize] };
    let castle = if mv.is_castle() { 150 } else { 0 };
    let promotion = mv.promotion().map_or(0, |role| VALUES[role as usize]);
    let step =
        if mv.is_castle() { 0 } else { (center(to) - center(from)) * if role == Role::King { 2 } else { 6 } };
    captured - risk * i64::from(captured < risk) + castle + promotion + step
}
