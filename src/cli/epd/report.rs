//! The result as JSON.

use crate::suite::epd::{CaseResult, Summary, Tally, TimeStep};
use serde::Serialize;

/// The JSON object of a run.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    engine: &'a str,
    settings: RunSettings,
    total: Tally,
    left_out: usize,
    suites: Vec<NamedTally<'a>>,
    themes: Vec<NamedTally<'a>>,
    grid: Vec<TimeStep>,
    positions: &'a [PositionResult<'a>],
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
struct NamedTally<'a> {
    name: &'a str,
    #[serde(flatten)]
    tally: Tally,
}

/// The result of a position of a file.
#[derive(Serialize)]
pub(super) struct PositionResult<'a> {
    pub file: &'a str,
    #[serde(flatten)]
    pub result: CaseResult<'a>,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        engine: &'a str,
        settings: RunSettings,
        suites: &'a [(String, Tally)],
        summary: &'a Summary,
        positions: &'a [PositionResult<'a>],
    ) -> Self {
        let named = |tallies: &'a [(String, Tally)]| {
            tallies.iter().map(|&(ref name, tally)| NamedTally { name, tally }).collect()
        };
        Self {
            engine,
            settings,
            total: summary.total,
            left_out: summary.left_out,
            suites: named(suites),
            themes: named(summary.themes()),
            grid: summary.grid(),
            positions,
        }
    }
}
