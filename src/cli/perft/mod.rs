//! `hematite perft`: counts leaves below one position, or checks suites of known counts.

mod suite;

use super::position::START;
use super::values::{JsonArg, integer_in};
use crate::chess::Position;
use crate::chess::perft::{CountTable, Counter};
use crate::cli::streams::{MaxUnpacked, write_json};
use crate::cli::{CliError, ExitStatus};
use crate::notation::{CastlingStyle, Fen, UciMove, pluralize, repair_fen};
use crate::search::{MAX_HASH_MIB, MAX_THREADS, physical_memory};
use crate::suite::perft::MAX_DEPTH;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  hematite perft 6
  hematite perft --divide --fen 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' 4
  hematite perft --threads 4 --hash 256 7
  hematite perft --suite epd/perft.epd epd/perft-960.epd
  hematite perft --suite - --max-nodes 1M --json < suite.epd

A suite has lines `FEN ;D1 20 ;D2 400`, blocks of `id NAME`, `epd FEN`, `perft DEPTH NODES`,
or lines `NAME<tab>FEN<tab>DEPTH<tab>NODES`. A line that cannot be read is reported and left out.
Exit code 1 if a count is wrong or a line is left out, 2 if a suite cannot be read; the others are
checked.";

/// The depth below which a count is faster than the start of further threads.
const THREADS_DEPTH: u32 = 5;

/// Count the leaves of the tree of legal moves, or check suites of known counts.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Depth of the tree, in plies.
    #[arg(required_unless_present = "suite", value_parser = integer_in::<u32>(0..=MAX_DEPTH))]
    depth: Option<u32>,

    /// The position at the root, standard, X-FEN or Shredder-FEN, or `startpos` [default: the initial position].
    #[arg(long)]
    fen: Option<String>,

    /// Also show the count below each legal move.
    #[arg(long)]
    divide: bool,

    /// Check the counts of these suites, `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["depth", "fen", "divide"])]
    suite: Vec<PathBuf>,

    /// Leave out the counts of a suite that are larger than this, such as 1M.
    #[arg(long, value_name = "N", requires = "suite", value_parser = integer_in::<u64>(0..))]
    max_nodes: Option<u64>,

    #[command(flatten)]
    max: MaxUnpacked,

    /// Threads to count with.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: u16,

    /// Remember counts in a hash table of this size.
    #[arg(long, value_name = "MIB", value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: Option<u32>,

    /// Write castling as king takes rook, as with UCI_Chess960.
    #[arg(long)]
    chess960: bool,

    #[command(flatten)]
    json: JsonArg,
}

/// The task of the command.
enum Task {
    Count { position: Box<Position>, depth: u32, divide: bool },
    Suite { files: Vec<PathBuf>, max_nodes: u64, max: MaxUnpacked },
}

/// The options of a count and its output.
struct Options {
    threads: NonZeroUsize,
    table: Option<CountTable>,
    castling: CastlingStyle,
    json: bool,
}

impl Options {
    /// The number of leaves at this depth.
    fn perft(&self, position: &Position, depth: u32) -> u64 {
        self.counter(depth).count(position, depth).expect("nothing stops the count")
    }

    /// The number of leaves below each legal move; empty at depth 0.
    fn divide(&self, position: &Position, depth: u32) -> Vec<Branch> {
        let branches = self.counter(depth).divide(position, depth).expect("nothing stops the count");
        let spelled = |mv| UciMove::new(mv, self.castling).to_string();
        branches.into_iter().map(|(mv, nodes)| Branch { mv: spelled(mv), nodes }).collect()
    }

    fn counter(&self, depth: u32) -> Counter<'_> {
        let threads = if depth < THREADS_DEPTH { NonZeroUsize::MIN } else { self.threads };
        let counter = Counter::default().threads(threads);
        self.table.as_ref().map_or(counter, |table| counter.table(table))
    }
}

fn count_table(mib: u32) -> Result<CountTable, CliError> {
    // Some systems promise more memory than they have, and kill the process that uses it.
    let is_there = physical_memory().is_none_or(|bytes| u64::from(mib) << 20 <= bytes);
    let table = if is_there { CountTable::new(mib as usize).ok() } else { None };
    table.ok_or_else(|| CliError::Failed(format!("--hash: no memory for {mib} MiB")))
}

/// The count below one move.
#[derive(Serialize)]
struct Branch {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.mv, self.nodes)
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let (task, options) = self.validate()?;
        match task {
            Task::Count { position, depth, divide } => count(&position, depth, divide, &options, out),
            Task::Suite { files, max_nodes, max } => suite::run(&files, max_nodes, max, &options, out),
        }
    }

    fn validate(self) -> Result<(Task, Options), CliError> {
        let options = Options {
            threads: NonZeroUsize::new(self.threads.into()).unwrap_or(NonZeroUsize::MIN),
            table: self.hash.map(count_table).transpose()?,
            castling: if self.chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard },
            json: self.json.is_given(),
        };
        let Some(depth) = self.depth else {
            let max_nodes = self.max_nodes.unwrap_or(u64::MAX);
            return Ok((Task::Suite { files: self.suite, max_nodes, max: self.max }, options));
        };
        let position = match self.fen.as_deref() {
            None | Some(START) => Position::start(),
            Some(fen) => {
                let read = repair_fen(fen).map_err(|error| CliError::Usage(format!("--fen: {error}")))?;
                if let Some(note) = read.note() {
                    // A closed standard error does not matter.
                    let _ = writeln!(io::stderr(), "--fen: {note}");
                }
                read.position
            }
        };
        Ok((Task::Count { position: Box::new(position), depth, divide: self.divide }, options))
    }
}

#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u32,
    #[serde(flatten)]
    pace: Pace,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

/// Counts the leaves below one position.
fn count(
    position: &Position,
    depth: u32,
    divide: bool,
    options: &Options,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    let start = Instant::now();
    // At depth 0 there is one leaf and no move to divide it by.
    let branches = (divide && depth > 0).then(|| options.divide(position, depth));
    let nodes = match &branches {
        Some(branches) => branches.iter().map(|branch| branch.nodes).fold(0, u64::saturating_add),
        None => options.perft(position, depth),
    };
    if nodes == u64::MAX {
        let problem = format!("depth {depth}: found {nodes} leaves or more, expected a lower depth");
        return Err(CliError::Failed(problem));
    }
    let pace = Pace::new(nodes, start.elapsed());
    if options.json {
        let report = Report { fen: Fen::new(position).to_string(), depth, pace, divide: branches };
        write_json(out, &report)?;
        return Ok(ExitStatus::Yes);
    }
    if let Some(branches) = branches {
        for branch in branches {
            writeln!(out, "{branch}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{pace}")?;
    Ok(ExitStatus::Yes)
}

/// Nodes and the time that their count took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
struct Pace {
    nodes: u64,
    seconds: f64,
    /// Speed, in millions of nodes per second.
    mnps: f64,
}

impl Pace {
    fn new(nodes: u64, elapsed: Duration) -> Self {
        // An elapsed time of zero is taken as the smallest step of the clock.
        let seconds = elapsed.max(Duration::from_nanos(1)).as_secs_f64();
        Self { nodes, seconds, mnps: nodes as f64 / seconds / 1e6 }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:.3} seconds, {:.1} Mnps", pluralize(self.nodes, "node"), self.seconds, self.mnps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_nodes_seconds_and_millions_a_second() {
        let pace = Pace::new(3_000_000, Duration::from_millis(1500));
        assert_eq!(pace.to_string(), "3000000 nodes, 1.500 seconds, 2.0 Mnps");
        let one = Pace::new(1, Duration::from_millis(500));
        assert_eq!(one.to_string(), "1 node, 0.500 seconds, 0.0 Mnps");
        assert!(Pace::new(1, Duration::ZERO).mnps.is_finite());
    }
}
