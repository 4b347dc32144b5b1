//! How fast the engine is in games: with all its threads, over a time.

use super::bench::{BenchError, POSITIONS};
use super::listener::nodes_per_second;
use crate::chess::Line;
use crate::search::{Job, Limits, Searcher, Signals};
use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How the speed is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Options {
    /// How long it is to take.
    pub time: Duration,
    /// Threads that search.
    pub threads: usize,
    /// Size of the hash table, in MiB.
    pub hash_mib: usize,
}

/// Time for it if none is stated: enough for the processor to get as hot as in games.
const DEFAULT_TIME: Duration = Duration::from_secs(20);
/// Hash for each thread if none is stated, in MiB.
const DEFAULT_HASH_MIB: usize = 16;

impl Options {
    /// What was asked for, and every processor for what was not.
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

/// What was measured.
pub(super) struct Speed {
    options: Options,
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

/// Searches the positions of bench, each for its share of the time, and tells the speed.
///
/// # Errors
/// [`BenchError`] if the machine lacks the memory or the threads, or `signals` say stop.
pub(super) fn measure(options: Options, signals: &Arc<Signals>) -> Result<Speed, BenchError> {
    let mut searcher = Searcher::new(options.threads, options.hash_mib).map_err(BenchError::Resource)?;
    let mut speed = Speed { options, positions: 0, nodes: 0, elapsed: Duration::ZERO, deepest: 0 };
    let share = options.time / POSITIONS.len() as u32;
    for position in POSITIONS.iter() {
        let limits = Limits { move_time: Some(share), ..Limits::default() };
        let job = Job { position: *position, line: Line::new(position), limits, multi_pv: 1 };
        let started = Instant::now();
        let report = searcher.search(job, signals, &mut ());
        speed.elapsed += started.elapsed();
        speed.positions += 1;
        speed.nodes += report.nodes;
        speed.deepest = speed.deepest.max(report.depth);
        if signals.is_stopped() {
            return Err(BenchError::Stopped);
        }
    }
    Ok(speed)
}
