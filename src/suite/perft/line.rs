//! A line of a suite: its grammar, its content and its errors.

use crate::chess::Position;
use crate::notation::{Excerpt, PositionError, RepairedPosition, repair_fen};
use std::io;
use thiserror::Error;

/// The deepest count that a suite may ask for, in plies. Beyond a dozen plies only locked
/// positions have trees that can be walked; the limit catches typing errors.
pub const MAX_DEPTH: u32 = 64;

/// The number of leaves of the tree of legal moves at a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The depth in plies, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// The number of leaves.
    pub nodes: u64,
}

/// A position with its known counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The line on which the position is, counted from 1.
    pub line: usize,
    /// Its name in the suite.
    pub name: Option<String>,
    /// The root of the trees.
    pub position: Position,
    /// The message about repairs of its FEN, if there are any.
    pub repairs: Option<String>,
    /// The known counts, in the order of the suite; at least one.
    pub counts: Vec<Count>,
}

/// The content of a line.
pub(super) enum Line {
    /// Nothing: it is blank or a comment.
    Comment,
    /// `id NAME`: the name of the next position.
    Name(String),
    /// `epd FEN`: a position whose counts are on the lines that follow.
    Position(RepairedPosition),
    /// `perft DEPTH NODES`: a count of the position above.
    Count(Count),
    /// A position with its counts.
    Case(Option<String>, RepairedPosition, Vec<Count>),
}

impl Line {
    pub(super) fn parse(raw: &str) -> Result<Self, SuiteProblem> {
        // Some programs end their lines with NUL bytes.
        let raw = raw.trim_end_matches(|end: char| end.is_whitespace() || end == '\0');
        let text = raw.trim_start();
        if text.is_empty() || text.starts_with('#') {
            return Ok(Self::Comment);
        }
        if let [name, fen, depth, nodes] = raw.split('\t').collect::<Vec<_>>()[..]
            && fen.contains('/')
        {
            let name = Some(name.trim()).filter(|name| !name.is_empty()).map(str::to_owned);
            let count = parse_count(&format!("{depth} {nodes}"))?;
            return Ok(Self::Case(name, repair_fen(fen)?, vec![count]));
        }
        match text.split_once(char::is_whitespace) {
            Some(("id", name)) => Ok(Self::Name(name.trim().to_owned())),
            Some(("epd", fen)) => Ok(Self::Position(repair_fen(fen)?)),
            Some(("perft", count)) => Ok(Self::Count(parse_count(count)?)),
            _ => parse_epd(text),
        }
    }
}

/// Reads `FEN ;D1 20 ;D2 400` and, among the operations, `id "name"`.
fn parse_epd(text: &str) -> Result<Line, SuiteProblem> {
    let mut parts = text.split(';');
    let position = repair_fen(parts.next().unwrap_or_default())?;
    let mut name = None;
    let mut counts = Vec::new();
    for operation in parts.map(str::trim).filter(|operation| !operation.is_empty()) {
        if let Some(count) = operation.strip_prefix(['D', 'd']) {
            counts.push(parse_count(count).map_err(|_| SuiteProblem::Operation(Excerpt::new(operation)))?);
        } else if let Some(("id", text)) = operation.split_once(char::is_whitespace) {
            name = Some(text.trim().trim_matches('"').to_owned());
        } else {
            return Err(SuiteProblem::Operation(Excerpt::new(operation)));
        }
    }
    Ok(Line::Case(name, position, counts))
}

/// Reads `2 400`.
fn parse_count(text: &str) -> Result<Count, SuiteProblem> {
    let mut numbers = text.split_whitespace();
    let depth = numbers.next().and_then(|depth| depth.parse().ok()).filter(|depth| *depth <= MAX_DEPTH);
    let nodes = numbers.next().and_then(|nodes| nodes.parse().ok());
    match (depth, nodes, numbers.next()) {
        (Some(depth), Some(nodes), None) => Ok(Count { depth, nodes }),
        _ => Err(SuiteProblem::Count(Excerpt::new(text.trim()))),
    }
}

/// A line of a suite that cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct SuiteError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    #[source]
    pub problem: SuiteProblem,
}

/// The problem of a line of a suite.
#[derive(Debug, Error)]
pub enum SuiteProblem {
    /// The rest of the file cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// The line is longer than this many bytes.
    #[error("longer than {0} bytes, expected one position")]
    TooLong(usize),
    /// The position is not a chess position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Not an operation of an EPD line.
    #[error("expected `;D<depth> <nodes>`, found {0}")]
    Operation(Excerpt),
    /// Not the depth and the number of a count.
    #[error("expected a depth 0 to {MAX_DEPTH} and a number of nodes, found {0}")]
    Count(Excerpt),
    /// The position has no counts.
    #[error("a position without counts, expected `;D<depth> <nodes>`")]
    NoCounts,
    /// A count without a position above it.
    #[error("a count without a position, expected `epd <FEN>` before it")]
    NoPosition,
}
