//! `hematite bench`: a reproducible node count, and the speed of the search.

use super::streams::write_json;
use super::values::{JsonArg, integer_in};
use super::{CliError, ExitStatus};
use crate::engine::bench::{self, BenchError, Options};
use crate::search::{MAX_HASH_MIB, MAX_PLY, MAX_THREADS};
use serde::Serialize;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  hematite bench
  hematite bench 8
  hematite bench 12 --threads 2 --hash 64
  hematite bench --json

The last line is `N nodes N nps`. With one thread the number of nodes is the same on every
machine and in every build, and changes only with the search. Nodes and milliseconds are also
printed on standard error.";

/// Search fixed positions to a fixed depth, and print nodes and speed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Depth of each search, in plies.
    #[arg(default_value_t = Options::DEPTH, value_parser = integer_in::<u32>(1..=MAX_PLY as u32 - 1))]
    depth: u32,

    /// Search threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: u16,

    /// Size of the hash table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = Options::HASH_MIB as u32, value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: u32,

    #[command(flatten)]
    json: JsonArg,
}

#[derive(Serialize)]
struct Report {
    depth: u32,
    threads: u16,
    hash_mib: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let options = Options {
            depth: self.depth,
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
                let Self { depth, threads, hash: hash_mib, .. } = self;
                let (nodes, seconds, nps) = (totals.nodes, totals.elapsed.as_secs_f64(), totals.nps());
                write_json(out, &Report { depth, threads, hash_mib, nodes, seconds, nps })?;
                Ok(ExitStatus::Yes)
            }
            Ok(totals) => {
                // A closed standard error does not matter.
                let _ = writeln!(io::stderr(), "{}", totals.summary());
                Ok(ExitStatus::Yes)
            }
            Err(BenchError::Output(error)) => Err(CliError::Output(error)),
            Err(error) => Err(CliError::Usage(error.to_string())),
        }
    }
}
