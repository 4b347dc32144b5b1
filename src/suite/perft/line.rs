//! The grammar of one line of a suite.

use super::{Count, MAX_DEPTH, SuiteProblem};
use crate::chess::Position;
use crate::notation::{Excerpt, position_from_fen};

/// What a line says.
pub(super) enum Line {
    /// Nothing: it is blank or a comment.
    Comment,
    /// `id NAME`: what the next position is called.
    Name(String),
    /// `epd FEN`: a position whose counts are on the lines that follow.
    Position(Position),
    /// `perft DEPTH NODES`: a count of the position above.
    Count(Count),
    /// A position with its counts.
    Case(Option<String>, Position, Vec<Count>),
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
            return Ok(Self::Case(name, position_from_fen(fen)?, vec![count]));
        }
        match text.split_once(char::is_whitespace) {
            Some(("id", name)) => Ok(Self::Name(name.trim().to_owned())),
            Some(("epd", fen)) => Ok(Self::Position(position_from_fen(fen)?)),
            Some(("perft", count)) => Ok(Self::Count(parse_count(count)?)),
            _ => parse_epd(text),
        }
    }
}

/// Reads `FEN ;D1 20 ;D2 400` and, among the operations, `id "name"`.
fn parse_epd(text: &str) -> Result<Line, SuiteProblem> {
    let mut parts = text.split(';');
    let position = position_from_fen(parts.next().unwrap_or_default())?;
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
