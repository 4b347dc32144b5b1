//! PGN reading compared with pgn-reader and shakmaty, in one run: the same text from memory, with interleaved rounds of
//! which the best time is kept.
//!
//! `cargo bench --bench pgn` prints megabytes per second and ratios for reading only the syntax, for reading with all
//! moves checked, and for checked reading on two threads. The text is the file of public games in `HEMATITE_BENCH_PGN`,
//! or otherwise one of random moves that is generated here, repeated to 100 MB (`HEMATITE_BENCH_MB` sets another size).
//! If Debian's pgn-extract is installed, it checks the same file on disk.

mod programs;

use hematite::chess::Position;
use hematite::database::{Options, Source, read};
use hematite::notation::San;
use hematite::notation::pgn::{Nag, PgnProblem, RawText, Reader, Skip, Tracker, Visitor};
use hematite::rng::Rng;
use pgn_reader::{RawComment, RawTag, SanPlus};
use programs::find_program;
use shakmaty::Position as _;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The number of runs of which the best is kept.
const ROUNDS: usize = 9;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const DEFAULT_MEGABYTES: usize = 100;

/// The counts of a reading, so that no work can be optimized away.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Count {
    games: usize,
    tags: usize,
    moves: usize,
    comments: usize,
}

fn main() {
    let text = text();
    println!("{:.0} MB, best of {ROUNDS}", text.len() as f64 / 1e6);
    println!("{:24} {:>10} {:>12} {:>6}", "", "hematite", "pgn-reader", "ratio");

    let (ours, theirs) = both(|| our_syntax(&text), || their_syntax(&text));
    row("syntax", &text, ours, theirs);
    let (ours, theirs) = both(|| our_check(&text), || their_check(&text));
    row("checked", &text, ours, theirs);

    let path = std::env::temp_dir().join(format!("hematite-bench-{}.pgn", std::process::id()));
    std::fs::write(&path, &text).expect("the folder for temporary files can be written");
    let (two, one) = both(|| parallel(&path, 2), || parallel(&path, 1));
    let rate = |time: Duration| text.len() as f64 / time.as_secs_f64() / 1e6;
    println!("\n{:24} {:>10.0} MB/s", "1 thread, from disk", rate(one));
    println!(
        "{:24} {:>10.0} MB/s, {:.2} times one",
        "2 threads, from disk",
        rate(two),
        rate(two) / rate(one)
    );
    match pgn_extract(&path) {
        Some(time) => {
            let times = rate(one) / rate(time);
            println!(
                "{:24} {:>10.0} MB/s; one thread is {times:.1} times as fast",
                "pgn-extract -r",
                rate(time)
            );
        }
        None => println!("left out: pgn-extract, which is not installed"),
    }
    // Only this benchmark has created the file.
    let _ = std::fs::remove_file(path);
}

/// The text of the games, repeated to the size.
fn text() -> Vec<u8> {
    let mut games = match std::env::var_os("HEMATITE_BENCH_PGN") {
        Some(path) => {
            let mut games =
                std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            // Only the first of the repeated texts could begin with it.
            if games.starts_with(BYTE_ORDER_MARK) {
                games.drain(..BYTE_ORDER_MARK.len());
            }
            games
        }
        None => {
            println!("games of random moves; HEMATITE_BENCH_PGN names a file of others");
            random_games().into_bytes()
        }
    };
    games.extend(b"\n\n");
    let megabytes = std::env::var("HEMATITE_BENCH_MB").ok().and_then(|size| size.parse().ok());
    let size = megabytes.unwrap_or(DEFAULT_MEGABYTES) * 1_000_000;
    games.repeat(size.div_ceil(games.len()))
}

/// Games with clocks, in the format of a server.
fn random_games() -> String {
    const GAMES: usize = 400;
    const PLIES: u32 = 70;
    let mut rng = Rng::new(1);
    let mut text = String::new();
    for number in 0..GAMES {
        let mut position = Position::start();
        text += &format!("[Event \"Random\"]\n[Site \"?\"]\n[Date \"2026.11.24\"]\n[Round \"{number}\"]\n");
        text += "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n";
        for ply in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len() as u64) as usize];
            let dots = if ply % 2 == 0 { "." } else { "..." };
            let (minutes, seconds) = (9 - ply / 10, 59 - ply % 60);
            text += &format!(
                "{}{dots} {} {{ [%clk 0:{minutes:02}:{seconds:02}] }} ",
                ply / 2 + 1,
                San::new(&position, mv)
            );
            position = position.after(mv).0;
        }
        text += "*\n\n";
    }
    text
}

/// The best times of two functions. Prints their counts if they differ.
fn both<T: PartialEq + std::fmt::Debug>(a: impl Fn() -> T, b: impl Fn() -> T) -> (Duration, Duration) {
    let mut best = [Duration::MAX; 2];
    for round in 0..ROUNDS {
        let start = Instant::now();
        let first = black_box(a());
        best[0] = best[0].min(start.elapsed());
        let start = Instant::now();
        let second = black_box(b());
        best[1] = best[1].min(start.elapsed());
        if round == 0 && first != second {
            println!("the counts differ: {first:?} and {second:?}");
        }
    }
    (best[0], best[1])
}

fn row(name: &str, text: &[u8], ours: Duration, theirs: Duration) {
    let rate = |time: Duration| text.len() as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{name:24} {:>5.0} MB/s {:>7.0} MB/s {:>6.2}",
        rate(ours),
        rate(theirs),
        rate(ours) / rate(theirs)
    );
}

impl Visitor for Count {
    fn tag(&mut self, _: &[u8], _: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.tags += 1;
        Ok(())
    }
    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        black_box(text);
        self.moves += 1;
        Ok(())
    }
    fn comment(&mut self, _: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.comments += 1;
        Ok(())
    }
    fn end_game(&mut self) {
        self.games += 1;
    }
}

fn our_syntax(text: &[u8]) -> Count {
    let mut count = Count::default();
    let mut reader = Reader::new(text);
    while reader.read_game(&mut count).expect("memory can be read") {}
    count
}

/// Checks every move.
#[derive(Default)]
struct Check {
    count: Count,
    tracker: Tracker,
}

impl Visitor for Check {
    fn begin_game(&mut self) {
        self.tracker.begin_game();
    }
    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.count.tags += 1;
        self.tracker.tag(name, value)
    }
    fn end_tags(&mut self) -> Skip {
        self.tracker.end_tags()
    }
    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.tracker.play(text)?;
        self.count.moves += 1;
        Ok(())
    }
    fn nag(&mut self, _: Nag) {}
    fn comment(&mut self, _: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.count.comments += 1;
        Ok(())
    }
    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        Ok(Skip::Yes)
    }
    fn end_game(&mut self) {
        self.count.games += 1;
    }
}

fn our_check(text: &[u8]) -> Count {
    let mut check = Check::default();
    let mut reader = Reader::new(text);
    while reader.read_game(&mut check).expect("memory can be read") {}
    check.count
}

fn parallel(path: &std::path::Path, threads: usize) -> Count {
    let mut count = Count::default();
    let sources = [Source::File(path.to_owned())];
    let options = Options { threads, ..Options::default() };
    let end = read(
        &sources,
        &options,
        |part, emit| {
            let mut check = Check::default();
            while part.reader.read_game(&mut check)? {}
            emit(check.count)?;
            Ok(())
        },
        |_, part: std::io::Result<Count>| {
            let part = part.expect("the file can be read");
            count.games += part.games;
            count.tags += part.tags;
            count.moves += part.moves;
            count.comments += part.comments;
            ControlFlow::<()>::Continue(())
        },
    );
    assert!(end.is_continue());
    count
}

impl pgn_reader::Visitor for Count {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        self.tags += 1;
        ControlFlow::Continue(())
    }
    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        black_box(san);
        self.moves += 1;
        ControlFlow::Continue(())
    }
    fn comment(&mut self, (): &mut (), _: RawComment<'_>) -> ControlFlow<()> {
        self.comments += 1;
        ControlFlow::Continue(())
    }
    fn end_game(&mut self, (): ()) {
        self.games += 1;
    }
}

fn their_syntax(text: &[u8]) -> Count {
    let mut count = Count::default();
    pgn_reader::Reader::new(text).visit_all_games(&mut count).expect("memory can be read");
    count
}

/// The example "validate" of pgn-reader, with counts.
struct TheirCheck(Count);

impl pgn_reader::Visitor for TheirCheck {
    type Tags = Option<shakmaty::Chess>;
    type Movetext = shakmaty::Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<shakmaty::Chess>> {
        ControlFlow::Continue(None)
    }
    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.0.tags += 1;
        if name == b"FEN" {
            let fen = shakmaty::fen::Fen::from_ascii(value.as_bytes()).expect("a FEN");
            *tags = Some(fen.into_position(shakmaty::CastlingMode::Chess960).expect("a position"));
        }
        ControlFlow::Continue(())
    }
    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<(), shakmaty::Chess> {
        ControlFlow::Continue(tags.unwrap_or_default())
    }
    fn san(&mut self, position: &mut shakmaty::Chess, san: SanPlus) -> ControlFlow<()> {
        let mv = san.san.to_move(position).expect("a legal move");
        position.play_unchecked(mv);
        self.0.moves += 1;
        ControlFlow::Continue(())
    }
    fn comment(&mut self, _: &mut shakmaty::Chess, _: RawComment<'_>) -> ControlFlow<()> {
        self.0.comments += 1;
        ControlFlow::Continue(())
    }
    fn end_game(&mut self, _: shakmaty::Chess) {
        self.0.games += 1;
    }
}

fn their_check(text: &[u8]) -> Count {
    let mut check = TheirCheck(Count::default());
    pgn_reader::Reader::new(text).visit_all_games(&mut check).expect("memory can be read");
    check.0
}

/// The time in which pgn-extract checks the file; `None` if it is not installed.
fn pgn_extract(path: &std::path::Path) -> Option<Duration> {
    let mut command = Command::new(find_program("pgn-extract")?);
    command.arg("-r").arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    command.status().ok().filter(std::process::ExitStatus::success).map(|_| start.elapsed())
}
