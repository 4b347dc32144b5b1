//! `hematite pgn tree --epd`: an EPD record for each position of a tree.

use crate::chess::{Key, Position};
use crate::cli::CliError;
use crate::database::Numbers;
use crate::notation::eco::opening;
use crate::notation::{CommentIndex, Epd, Operation, pluralize};
use std::collections::HashMap;
use std::io::Write;

/// The positions of a tree, each once, in the order of the output.
#[derive(Default)]
pub(super) struct TreeRecords {
    records: Vec<TreeRecord>,
    by_key: HashMap<Key, usize>,
}

struct TreeRecord {
    position: Position,
    /// The number of games whose moves lead to the position: all, won by White, drawn, won by Black, and without a
    /// result.
    games: [u64; 5],
    /// The lines that lead to the position.
    lines: Vec<String>,
}

impl TreeRecords {
    /// Adds the games that reach a position by the last move of a line.
    pub(super) fn add(&mut self, position: Position, numbers: &Numbers, line: String) {
        let index = *self.by_key.entry(position.key()).or_insert_with(|| {
            self.records.push(TreeRecord { position, games: [0; 5], lines: Vec::new() });
            self.records.len() - 1
        });
        let Numbers { games, white, draws, black, unfinished, .. } = *numbers;
        let record = &mut self.records[index];
        for (sum, count) in record.games.iter_mut().zip([games, white, draws, black, unfinished]) {
            *sum += count;
        }
        record.lines.push(line);
    }

    /// Writes a record for each position: the name of its opening, the numbers of its games in `c0`, and the lines that
    /// lead to it from `c1` on; the last comment contains all remaining lines.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let levels: Vec<CommentIndex> = CommentIndex::all().collect();
        for TreeRecord { position, games: [games, white, draws, black, unfinished], lines } in &self.records {
            let mut record = Epd::new(*position);
            if let Some(named) = opening(position) {
                record.set(Operation::Eco(Some(named.code().to_string())));
                record.set(Operation::VariationName(CommentIndex::PRIMARY, Some(named.name().to_owned())));
            }
            let counts = format!("{} +{white} ={draws} -{black} *{unfinished}", pluralize(*games, "game"));
            let (single, rest) = lines.split_at(lines.len().min(levels.len() - 2));
            let rest = (!rest.is_empty()).then(|| rest.join("; "));
            let texts = [counts].into_iter().chain(single.iter().cloned()).chain(rest);
            for (level, text) in levels.iter().zip(texts) {
                record.set(Operation::Comment(*level, Some(text)));
            }
            writeln!(out, "{record}")?;
        }
        Ok(())
    }
}
