//! The result as JSON.

use crate::cli::CliError;
use crate::cli::output::write_json;
use crate::notation::{CastlingStyle, Fen, San, UciMove};
use crate::suite::epd::{Moment, Summary, Tally, Trial};
use crate::uci::InfoValue;
use serde::Serialize;
use std::io::Write;

/// What a program reads.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    engine: &'a str,
    settings: RunSettings,
    total: TallyEntry<'a>,
    left_out: usize,
    suites: Vec<TallyEntry<'a>>,
    themes: Vec<TallyEntry<'a>>,
    grid: Vec<GridEntry>,
    positions: Vec<CaseResult>,
}

/// The options of a run.
#[derive(Serialize)]
pub(super) struct RunSettings {
    pub time_ms: Option<u64>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub threads: u16,
    pub hash_mib: u32,
    pub stop_early: Option<u32>,
}

#[derive(Serialize)]
struct TallyEntry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    positions: usize,
    solved: usize,
    percent: Option<f64>,
    points: u64,
    max_points: u64,
    points_percent: Option<f64>,
    mean_seconds: Option<f64>,
    mean_nodes: Option<f64>,
    mean_depth: Option<f64>,
}

#[derive(Serialize)]
struct GridEntry {
    seconds: f64,
    solved: usize,
}

/// What has become of a position.
#[derive(Serialize)]
pub(super) struct CaseResult {
    file: String,
    line: usize,
    id: Option<String>,
    fen: String,
    goal: Option<String>,
    /// The answer, in SAN and as UCI has it.
    san: Option<String>,
    uci: Option<String>,
    illegal: Option<String>,
    score_cp: Option<i32>,
    mate: Option<i32>,
    depth: u32,
    nodes: u64,
    seconds: f64,
    points: Option<u32>,
    max_points: Option<u32>,
    solved: bool,
    solution: Option<Solution>,
}

/// The moment since which the right move has been first.
#[derive(Serialize)]
struct Solution {
    seconds: f64,
    nodes: u64,
    depth: u32,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        engine: &'a str,
        settings: RunSettings,
        suites: &'a [(String, Tally)],
        summary: &'a Summary,
        positions: Vec<CaseResult>,
    ) -> Self {
        let entries = |tallies: &'a [(String, Tally)]| {
            tallies.iter().map(|(name, tally)| TallyEntry::new(Some(name), tally)).collect()
        };
        let steps = summary.grid().steps.into_iter();
        Self {
            engine,
            settings,
            total: TallyEntry::new(None, &summary.total),
            left_out: summary.left_out,
            suites: entries(suites),
            themes: entries(summary.themes()),
            grid: steps
                .map(|step| GridEntry { seconds: step.within.as_secs_f64(), solved: step.solved })
                .collect(),
            positions,
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), CliError> {
        write_json(out, self)?;
        Ok(())
    }
}

impl<'a> TallyEntry<'a> {
    fn new(name: Option<&'a str>, tally: &Tally) -> Self {
        let means = tally.means();
        Self {
            name,
            positions: tally.cases,
            solved: tally.solved,
            percent: tally.percent(),
            points: tally.points,
            max_points: tally.max_points,
            points_percent: tally.points_percent(),
            mean_seconds: means.map(|means| means.elapsed.as_secs_f64()),
            mean_nodes: means.map(|means| means.nodes),
            mean_depth: means.map(|means| means.depth),
        }
    }
}

impl CaseResult {
    pub(super) fn new(file: &str, trial: &Trial<'_>) -> Self {
        let Trial { case, answer, solution, points } = trial;
        let position = case.epd.position();
        let (score_cp, mate) = match answer.score {
            Some(InfoValue::Centipawns(value)) => (Some(value), None),
            Some(InfoValue::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        Self {
            file: file.to_owned(),
            line: case.line,
            id: case.epd.id().map(str::to_owned),
            fen: Fen::new(position).to_string(),
            goal: case.goal.as_ref().map(ToString::to_string),
            san: answer.best.map(|mv| San::new(position, mv).to_string()),
            uci: answer.best.map(|mv| UciMove::new(mv, CastlingStyle::Standard).to_string()),
            illegal: answer.illegal.as_ref().map(ToString::to_string),
            score_cp,
            mate,
            depth: answer.end.depth,
            nodes: answer.end.nodes,
            seconds: answer.end.elapsed.as_secs_f64(),
            points: *points,
            max_points: case.points.as_ref().map(|points| points.max()),
            solved: solution.is_some(),
            solution: solution.map(|Moment { elapsed, nodes, depth }| Solution {
                seconds: elapsed.as_secs_f64(),
                nodes,
                depth,
            }),
        }
    }

    pub(super) const fn is_solved(&self) -> bool {
        self.solved
    }
}
