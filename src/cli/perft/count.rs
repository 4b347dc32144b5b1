//! Counting below one position.

use super::{Branch, Options, Pace};
use crate::chess::Position;
use crate::cli::output::write_json;
use crate::cli::{CliError, Verdict};
use crate::notation::Fen;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u32,
    #[serde(flatten)]
    pace: Pace,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

pub(super) fn run(
    position: &Position,
    depth: u32,
    divide: bool,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let start = Instant::now();
    // At depth 0 there is nothing to divide, but one leaf.
    let branches = (divide && depth > 0).then(|| options.divide(position, depth));
    let nodes = match &branches {
        Some(branches) => branches.iter().map(|branch| branch.nodes).sum(),
        None => options.perft(position, depth),
    };
    let pace = Pace::new(nodes, start.elapsed());
    if options.json {
        let report = Report { fen: Fen::new(position).to_string(), depth, pace, divide: branches };
        write_json(out, &report)?;
        return Ok(Verdict::Yes);
    }
    if let Some(branches) = branches {
        for branch in branches {
            writeln!(out, "{branch}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{pace}")?;
    Ok(Verdict::Yes)
}
