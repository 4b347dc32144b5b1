//! `hematite bench`: a reproducible node count, and the speed of the search.

use super::streams::write_json;
use super::values::{JsonArg, integer_in, positive};
use super::{CliError, ExitStatus};
use crate::engine::bench::{self, BenchError, Options, Totals};
use crate::search::{MAX_HASH_MIB, MAX_PLY, MAX_THREADS, Statistics};
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  hematite bench
  hematite bench 8
  hematite bench 12 --threads 2 --hash 64
  hematite bench --json
  hematite bench --statistics --nodes 40k

The last line is `N nodes N nps`. With one thread the number of nodes is the same on every
machine and in every build, and changes only with the search. Nodes and milliseconds are also
printed on standard error. --statistics needs a build that counts what the search does:
`cargo build --release --features tune`.";

/// The maximum depth of a search, in plies.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

/// Search fixed positions to a fixed depth, and print nodes and speed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Depth of each search, in plies.
    #[arg(help = depth_help(), value_parser = integer_in::<u32>(1..=MAX_DEPTH))]
    depth: Option<u32>,

    /// Search threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: u16,

    /// Size of the hash table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = Options::HASH_MIB as u32, value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: u32,

    /// Nodes after which each search ends, such as 40k.
    #[arg(long, value_name = "N", value_parser = positive)]
    nodes: Option<u64>,

    /// Print at the end what the searches have done: cutoffs, quiescence search, reductions, hash table, depth.
    #[arg(long)]
    statistics: bool,

    #[command(flatten)]
    json: JsonArg,
}

fn depth_help() -> String {
    format!("Depth of each search, in plies [default: {}, or no limit with --nodes]", Options::DEPTH)
}

#[derive(Serialize)]
struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_per_position: Option<u64>,
    threads: u16,
    hash_mib: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Rates>,
}

/// Rates of the events of all searches; `None` if there is nothing to relate to.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
struct Rates {
    /// The share of cutoffs by the first move.
    first_move_cutoffs: Option<f64>,
    /// The number of moves searched at a node with a cutoff.
    moves_per_cutoff: Option<f64>,
    /// The share of nodes in the quiescence search.
    quiescence_nodes: Option<f64>,
    /// The share of reduced searches of late moves that were repeated.
    re_searches: Option<f64>,
    /// The share of probes of the hash table that found the position.
    hash_hits: Option<f64>,
    /// The depth that a search has completed, in plies.
    mean_depth: Option<f64>,
}

impl Rates {
    fn new(totals: &Totals) -> Self {
        let rate = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let counts = &totals.statistics;
        Self {
            first_move_cutoffs: rate(counts.first_move_cutoffs, counts.cutoffs),
            moves_per_cutoff: rate(counts.cutoff_moves, counts.cutoffs),
            quiescence_nodes: rate(counts.quiescence_nodes, totals.nodes),
            re_searches: rate(counts.re_searches, counts.reductions),
            hash_hits: rate(counts.hits, counts.probes),
            mean_depth: rate(totals.depths, u64::from(totals.searches)),
        }
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PERCENT: f64 = 100.0;
        let mut line = |name: &str, rate: Option<f64>, factor: f64, unit: &str| match rate {
            Some(rate) => writeln!(f, "{name:27}: {:.2}{unit}", rate * factor),
            None => writeln!(f, "{name:27}: none"),
        };
        line("Cutoffs by the first move", self.first_move_cutoffs, PERCENT, " %")?;
        line("Moves searched at a cutoff", self.moves_per_cutoff, 1.0, "")?;
        line("Nodes in quiescence search", self.quiescence_nodes, PERCENT, " %")?;
        line("Reduced searches repeated", self.re_searches, PERCENT, " %")?;
        line("Hash table hits", self.hash_hits, PERCENT, " %")?;
        line("Mean depth", self.mean_depth, 1.0, "")
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.statistics && !Statistics::ARE_COUNTED {
            return Err(CliError::usage(
                "--statistics: this build does not count what the search does; \
                 `cargo build --release --features tune` makes one that does",
            ));
        }
        let depth = self.depth.or(self.nodes.is_none().then_some(Options::DEPTH));
        let options = Options {
            depth: depth.unwrap_or(MAX_DEPTH),
            nodes: self.nodes,
            threads: usize::from(self.threads),
            hash_mib: self.hash as usize,
            ..Options::default()
        };
        let ran = if self.json.is_given() {
            bench::run(options, &mut io::sink())
        } else {
            bench::run(options, out)
        };
        match ran {
            Ok(totals) if self.json.is_given() => {
                let report = Report {
                    depth,
                    nodes_per_position: self.nodes,
                    threads: self.threads,
                    hash_mib: self.hash,
                    nodes: totals.nodes,
                    seconds: totals.elapsed.as_secs_f64(),
                    nps: totals.nps(),
                    statistics: self.statistics.then(|| Rates::new(&totals)),
                };
                write_json(out, &report)?;
                Ok(ExitStatus::Yes)
            }
            Ok(totals) => {
                if self.statistics {
                    write!(out, "{}", Rates::new(&totals))?;
                }
                // A closed standard error does not matter.
                let _ = writeln!(io::stderr(), "{}", totals.summary());
                Ok(ExitStatus::Yes)
            }
            Err(BenchError::Output(error)) => Err(CliError::Output(error)),
            Err(error) => Err(CliError::Failed(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_relate_counts() {
        let statistics = Statistics {
            probes: 8,
            hits: 2,
            quiescence_nodes: 30,
            reductions: 5,
            re_searches: 1,
            cutoffs: 10,
            first_move_cutoffs: 9,
            cutoff_moves: 12,
        };
        let totals = Totals { nodes: 40, searches: 2, depths: 25, statistics, ..Totals::default() };
        let text = "\
Cutoffs by the first move  : 90.00 %
Moves searched at a cutoff : 1.20
Nodes in quiescence search : 75.00 %
Reduced searches repeated  : 20.00 %
Hash table hits            : 25.00 %
Mean depth                 : 12.50
";
        assert_eq!(Rates::new(&totals).to_string(), text);
        let none = Rates::new(&Totals::default());
        assert_eq!((none.mean_depth, none.hash_hits), (None, None));
        assert!(none.to_string().starts_with("Cutoffs by the first move  : none\n"), "{none}");
    }
}
