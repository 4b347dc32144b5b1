//! Measurements: bench, speedtest and perft.

use super::io::Writer;
use super::listener::nodes_per_second;
use crate::chess::perft::Counter;
use crate::chess::{KeyHistory, Position};
use crate::nnue::{self, Network};
use crate::notation::{CastlingStyle, Fen, PositionError, UciMove, repair_fen};
use crate::search::{Job, Limits, Params, ResourceError, Searcher, Signals, Statistics};
use once_cell::sync::Lazy;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The settings of a bench.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The depth of each search, in plies.
    pub depth: u32,
    /// The number of nodes after which each search ends.
    pub nodes: Option<u64>,
    /// The number of search threads. With more than one, the number of nodes varies.
    pub threads: usize,
    /// Size of the hash table, in MiB.
    pub hash_mib: usize,
    /// The network.
    pub network: Arc<Network>,
    /// The search parameters.
    pub params: Params,
}

impl Options {
    /// The default depth, in plies; the node count at this depth is the `Bench:` of commits.
    pub const DEPTH: u32 = 12;
    /// The default size of the hash table, in MiB.
    pub const HASH_MIB: usize = 16;
}

impl Default for Options {
    /// The settings of the node count that commits state as `Bench:`.
    fn default() -> Self {
        Self {
            depth: Self::DEPTH,
            nodes: None,
            threads: 1,
            hash_mib: Self::HASH_MIB,
            network: nnue::embedded(),
            params: Params::default(),
        }
    }
}

/// The result of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub elapsed: Duration,
    /// The number of searches.
    pub searches: u32,
    /// The sum of the depths that the searches have completed, in plies.
    pub depths: u64,
    /// The counts of all searches, if this build counts.
    pub statistics: Statistics,
}

impl fmt::Display for Totals {
    /// `N nodes N nps`, for test frameworks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nps())
    }
}

impl Totals {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }

    /// The summary on standard error that test frameworks and the Python package `stockfish` read.
    pub fn summary(&self) -> String {
        format!(
            "Total time (ms) : {}\nNodes searched  : {}\nNodes/second    : {}",
            self.elapsed.as_millis(),
            self.nodes,
            self.nps()
        )
    }
}

/// The reason why a measurement has no result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The machine lacks memory or threads.
    #[error("{0}")]
    Resource(#[source] ResourceError),
    /// The result cannot be written.
    #[error("cannot write the result: {0}")]
    Output(#[source] io::Error),
    /// The measurement was stopped.
    #[error("stopped")]
    Stopped,
}

/// The positions: one EPD record in each line, except blank lines and comments that start with `#`.
const SUITE: &str = include_str!("../../epd/bench.epd");
/// The number of FEN fields in a record: placement, side to move, castling rights, en passant square.
const POSITION_FIELDS: usize = 4;

static POSITIONS: Lazy<Vec<Position>> = Lazy::new(|| {
    SUITE
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| epd_position(line).expect("a test reads every position of the suite"))
        .collect()
});

/// The position of an EPD record, or of a FEN whose counters do not matter.
///
/// # Errors
/// If its first four fields are not those of a legal position.
pub(super) fn epd_position(record: &str) -> Result<Position, PositionError> {
    let fields: Vec<_> = record.split_whitespace().take(POSITION_FIELDS).collect();
    repair_fen(&fields.join(" ")).map(|read| read.position)
}

/// Searches all positions, and writes a line for each of them and the [`Totals`] as the last one.
///
/// # Errors
/// [`BenchError`] if the machine lacks memory or threads, or the output fails.
pub fn run(options: Options, output: &mut dyn Write) -> Result<Totals, BenchError> {
    let signals = Arc::new(Signals::default());
    let mut failure = None;
    let result = measure(options, &signals, &mut |line| {
        if let Err(error) = writeln!(output, "{line}").and_then(|()| output.flush()) {
            failure = Some(error);
            signals.stop();
        }
    });
    match failure {
        Some(error) => Err(BenchError::Output(error)),
        None => result,
    }
}

/// Measures like [`run`], but can be stopped by `signals`; passes each line without its end to `print`.
pub(super) fn measure(
    options: Options,
    signals: &Arc<Signals>,
    print: &mut dyn FnMut(&str),
) -> Result<Totals, BenchError> {
    let mut searcher = Searcher::new(options.threads, options.hash_mib).map_err(BenchError::Resource)?;
    searcher.set_network(options.network);
    searcher.set_params(options.params);
    let limits = Limits { depth: Some(options.depth), nodes: options.nodes, ..Limits::default() };
    let mut totals = Totals::default();
    for (index, position) in POSITIONS.iter().enumerate() {
        searcher.clear();
        let started = Instant::now();
        let job = Job {
            position: *position,
            key_history: KeyHistory::new(position),
            limits: limits.clone(),
            multi_pv: 1,
        };
        let result = searcher.search(job, signals, &mut ());
        totals.elapsed += started.elapsed();
        totals.nodes += result.nodes;
        totals.searches += 1;
        totals.depths += u64::from(result.depth);
        if signals.is_stopped() {
            return Err(BenchError::Stopped);
        }
        let best = result.best_move.map(|mv| UciMove::new(mv, CastlingStyle::Standard).to_string());
        print(&format!(
            "{:2}/{}: {:9} nodes, {}, {} in {}",
            index + 1,
            POSITIONS.len(),
            result.nodes,
            result.score,
            best.as_deref().unwrap_or("no move"),
            Fen::new(position).without_counters(),
        ));
    }
    totals.statistics = *searcher.statistics();
    print(&totals.to_string());
    Ok(totals)
}

/// The settings of a speedtest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SpeedtestOptions {
    /// The total duration.
    pub time: Duration,
    /// The number of search threads.
    pub threads: usize,
    /// Size of the hash table, in MiB.
    pub hash_mib: usize,
}

/// The default duration: long enough for the processor to reach the temperature of games.
const DEFAULT_TIME: Duration = Duration::from_secs(20);
/// The default size of the hash table per thread, in MiB.
const DEFAULT_HASH_MIB: usize = 16;

impl SpeedtestOptions {
    /// Settings with these values; all processors by default.
    pub(super) fn new(seconds: Option<u32>, threads: Option<u32>, hash_mib: Option<u32>) -> Self {
        let threads = match threads {
            Some(threads) => threads as usize,
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        Self {
            time: seconds.map_or(DEFAULT_TIME, |seconds| Duration::from_secs(u64::from(seconds))),
            threads,
            hash_mib: hash_mib.map_or(threads * DEFAULT_HASH_MIB, |mib| mib as usize),
        }
    }
}

/// The result of a speedtest.
pub(super) struct Speed {
    options: SpeedtestOptions,
    positions: usize,
    nodes: u64,
    elapsed: Duration,
    deepest: u32,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Threads          : {}", self.options.threads)?;
        writeln!(f, "Hash (MiB)       : {}", self.options.hash_mib)?;
        writeln!(f, "Positions        : {}", self.positions)?;
        writeln!(f, "Deepest search   : {}", self.deepest)?;
        writeln!(f, "Total time (ms)  : {}", self.elapsed.as_millis())?;
        writeln!(f, "Nodes searched   : {}", self.nodes)?;
        write!(f, "Nodes per second : {}", nodes_per_second(self.nodes, self.elapsed))
    }
}

/// Searches the positions of bench, each for an equal share of the time, and returns the speed.
///
/// # Errors
/// [`BenchError`] if the machine lacks memory or threads, or `signals` stop it.
pub(super) fn speedtest(options: SpeedtestOptions, signals: &Arc<Signals>) -> Result<Speed, BenchError> {
    let mut searcher = Searcher::new(options.threads, options.hash_mib).map_err(BenchError::Resource)?;
    let mut speed = Speed { options, positions: 0, nodes: 0, elapsed: Duration::ZERO, deepest: 0 };
    let share = options.time / POSITIONS.len() as u32;
    for position in POSITIONS.iter() {
        let limits = Limits { move_time: Some(share), ..Limits::default() };
        let job = Job { position: *position, key_history: KeyHistory::new(position), limits, multi_pv: 1 };
        let started = Instant::now();
        let result = searcher.search(job, signals, &mut ());
        speed.elapsed += started.elapsed();
        speed.positions += 1;
        speed.nodes += result.nodes;
        speed.deepest = speed.deepest.max(result.depth);
        if signals.is_stopped() {
            return Err(BenchError::Stopped);
        }
    }
    Ok(speed)
}

/// Prints the number of leaves below each legal move, and their sum.
pub(super) fn perft_divide(
    position: &Position,
    depth: u32,
    style: CastlingStyle,
    writer: &Writer,
    signals: &Signals,
) {
    let counter = Counter::default().stop(signals.stop_flag());
    let mut total = 0;
    if let Some(below) = depth.checked_sub(1) {
        for mv in position.legal_moves() {
            if writer.is_closed() {
                return;
            }
            let Some(nodes) = counter.count(&position.after(mv).0, below).filter(|_| !signals.is_stopped())
            else {
                writer.info("perft: stopped");
                return;
            };
            writer.print(format_args!("{}: {nodes}", UciMove::new(mv, style)));
            total += nodes;
        }
    } else {
        total = 1;
    }
    writer.print(perft_total(total));
}

/// The last lines of a perft. Programs that drive Stockfish also read the empty line after the number.
pub(super) fn perft_total(nodes: u64) -> String {
    format!("\nNodes searched: {nodes}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_is_read() {
        assert_eq!(POSITIONS.len(), 50);
        for (index, position) in POSITIONS.iter().enumerate() {
            assert!(position.has_legal_moves(), "position {}", index + 1);
            assert!(!POSITIONS[..index].contains(position), "position {} occurs twice", index + 1);
        }
    }

    #[test]
    fn the_last_line_has_the_form_for_frameworks() {
        let totals = Totals { nodes: 3_000_000, elapsed: Duration::from_secs(2), ..Totals::default() };
        assert_eq!(totals.to_string(), "3000000 nodes 1500000 nps");
        assert_eq!(
            totals.summary(),
            "Total time (ms) : 2000\nNodes searched  : 3000000\nNodes/second    : 1500000"
        );
    }
}
