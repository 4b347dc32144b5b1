//! `hematite pgn stats`: statistics of a collection.

use super::query_filter::{Counts, QueryFilter};
use super::{Findings, Inputs, MAX_FINDINGS, QueryArg, Selection, verdict};
use crate::cli::streams::write_json;
use crate::cli::values::JsonArg;
use crate::cli::{CliError, ExitStatus};
use crate::notation::eco::{EcoCode, Opening, opening};
use crate::notation::percent;
use crate::notation::pgn::{GameResult, PgnError, PgnProblem, RawText, Tracker, Visitor};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::ops::AddAssign;

const EXAMPLES: &str = "\
Examples:
  hematite pgn stats games.pgn
  hematite pgn stats --json archive/ | jq .results
  hematite pgn stats --broken drop games.pgn
  hematite pgn stats --query 'player:tal date>=1960' games.pgn

Errors are printed on standard error, and counted. Exit code 1 if a game has moves that cannot be
read, or with --strict if there is any error.";

/// The maximum number of lines of a table.
const SHOWN_ENTRIES: usize = 12;

/// Count games, plies, results, lengths and openings.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    json: JsonArg,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    selection: Selection,
}

/// The counts of all games.
#[derive(Default, Serialize)]
struct Stats {
    games: u64,
    /// The number of plies of main lines.
    plies: u64,
    /// The number of plies of variations.
    variation_plies: u64,
    comments: u64,
    games_with_errors: u64,
    results: BTreeMap<&'static str, u64>,
    /// The number of games with this number of plies.
    lengths: BTreeMap<u64, u64>,
    /// The number of games whose last opening has this code.
    #[serde(serialize_with = "by_text")]
    eco: BTreeMap<EcoCode, u64>,
    /// The number of games by the first part of the opening's name.
    openings: BTreeMap<&'static str, u64>,
}

/// Writes the codes as strings, since keys in JSON must be strings.
fn by_text<S: Serializer>(table: &BTreeMap<EcoCode, u64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(table.iter().map(|(code, count)| (code.to_string(), count)))
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.variation_plies += other.variation_plies;
        self.comments += other.comments;
        self.games_with_errors += other.games_with_errors;
        for (result, count) in other.results {
            *self.results.entry(result).or_default() += count;
        }
        for (length, count) in other.lengths {
            *self.lengths.entry(length).or_default() += count;
        }
        for (code, count) in other.eco {
            *self.eco.entry(code).or_default() += count;
        }
        for (name, count) in other.openings {
            *self.openings.entry(name).or_default() += count;
        }
    }
}

impl Stats {
    /// The median of the lengths of games, in plies.
    fn median(&self) -> u64 {
        let mut seen = 0;
        for (&length, &count) in &self.lengths {
            seen += count;
            if seen * 2 >= self.games {
                return length;
            }
        }
        0
    }

    fn percent(&self, count: u64) -> f64 {
        percent(count, self.games).unwrap_or_default()
    }

    fn show(&self, out: &mut dyn Write) -> Result<(), CliError> {
        writeln!(out, "games        {:>12}", self.games)?;
        writeln!(out, "plies        {:>12}", self.plies)?;
        writeln!(out, "in variations{:>12}", self.variation_plies)?;
        writeln!(out, "comments     {:>12}", self.comments)?;
        writeln!(out, "with errors  {:>12}", self.games_with_errors)?;
        writeln!(out)?;
        for result in GameResult::ALL {
            let count = self.results.get(result.as_str()).copied().unwrap_or_default();
            writeln!(out, "{result:<13}{count:>12} {:>6.2} %", self.percent(count))?;
        }
        writeln!(out)?;
        let mean = if self.games == 0 { 0.0 } else { self.plies as f64 / self.games as f64 };
        let least = self.lengths.first_key_value().map_or(0, |entry| *entry.0);
        let most = self.lengths.last_key_value().map_or(0, |entry| *entry.0);
        writeln!(out, "length in plies: mean {mean:.1}, median {}, {least} to {most}", self.median())?;
        self.show_table(&self.eco, "ECO codes", out)?;
        self.show_table(&self.openings, "openings", out)
    }

    /// Writes the most frequent entries, by the number of games.
    fn show_table<K: Ord + fmt::Display>(
        &self,
        table: &BTreeMap<K, u64>,
        what: &str,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let mut entries: Vec<_> = table.iter().collect();
        // Entries with the same number of games are in alphabetical order.
        entries.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        if !entries.is_empty() {
            writeln!(out)?;
        }
        for &(name, &count) in entries.iter().take(SHOWN_ENTRIES) {
            writeln!(out, "{:<28}{count:>10} {:>6.2} %", name.to_string(), self.percent(count))?;
        }
        if entries.len() > SHOWN_ENTRIES {
            writeln!(out, "and {} other {what}", entries.len() - SHOWN_ENTRIES)?;
        }
        Ok(())
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let query = self.query.read(self.inputs.files())?;
        let mut sum = Stats::default();
        let mut has_broken = false;
        let end = self.inputs.read(
            false,
            |part, emit| {
                let counter = Counter {
                    stats: Stats::default(),
                    findings: Findings::default(),
                    selection: self.selection,
                    tracker: self.inputs.tracker(),
                    plies: 0,
                    variation_plies: 0,
                    comments: 0,
                    result: None,
                    has_error: false,
                    opening: None,
                    is_left_out: false,
                };
                let mut filter = QueryFilter::new(counter, query.as_ref(), self.inputs.builder());
                filter.begin(part)?;
                while filter.read_next(part)? {
                    let findings = &mut filter.counts.findings;
                    if findings.found.len() >= MAX_FINDINGS {
                        emit((Stats::default(), std::mem::take(findings)))?;
                    }
                }
                emit((filter.counts.stats, filter.counts.findings))
            },
            |source, bar, (stats, findings): (Stats, Findings)| {
                sum += stats;
                has_broken |= findings.has_broken;
                self.selection.print(&findings.found, source, bar);
                Ok(())
            },
        )?;
        if self.json.is_given() {
            write_json(out, &sum)?;
        } else {
            sum.show(out)?;
        }
        Ok(verdict(has_broken).max(end.status()?))
    }
}

struct Counter {
    stats: Stats,
    findings: Findings,
    selection: Selection,
    tracker: Tracker,
    // The number of plies of the current game.
    plies: u64,
    variation_plies: u64,
    comments: u64,
    result: Option<GameResult>,
    has_error: bool,
    opening: Option<&'static Opening>,
    is_left_out: bool,
}

impl Counts for Counter {
    fn leave_out(&mut self) {
        self.is_left_out = true;
    }
}

impl Visitor for Counter {
    fn tracker(&mut self) -> Option<&mut Tracker> {
        Some(&mut self.tracker)
    }

    fn begin_game(&mut self) {
        self.tracker.begin_game();
        self.findings.begin_game();
        self.plies = 0;
        self.variation_plies = 0;
        self.comments = 0;
        self.result = None;
        self.has_error = false;
        self.opening = None;
        self.is_left_out = false;
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        GameResult::take_tag(&mut self.result, name, value.bytes());
        self.tracker.tag(name, value)
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.tracker.play(text)?;
        if self.tracker.depth() == 0 {
            self.plies += 1;
            self.opening = opening(self.tracker.position()).or(self.opening);
        } else {
            self.variation_plies += 1;
        }
        Ok(())
    }

    fn comment(&mut self, _: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.comments += 1;
        Ok(())
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
    }

    fn error(&mut self, error: PgnError) {
        self.has_error = true;
        self.findings.add(&error, self.selection);
    }

    fn end_game(&mut self) {
        if self.is_left_out {
            return self.findings.drop_game();
        }
        if !self.findings.end_game(self.selection) {
            return;
        }
        self.stats.variation_plies += self.variation_plies;
        self.stats.comments += self.comments;
        self.stats.games += 1;
        self.stats.plies += self.plies;
        self.stats.games_with_errors += u64::from(self.has_error);
        *self.stats.results.entry(self.result.unwrap_or_default().as_str()).or_default() += 1;
        *self.stats.lengths.entry(self.plies).or_default() += 1;
        if let Some(opening) = self.opening {
            *self.stats.eco.entry(opening.code()).or_default() += 1;
            *self.stats.openings.entry(opening.family()).or_default() += 1;
        }
    }
}
