//! The games that `hematite pgn duplicates` compares, and their numbers in the input.

use super::{Findings, MAX_FINDINGS};
use crate::database::{Digests, LineForm, SameRules, Source};
use std::io;
use std::ptr;

/// The number of games that are passed on at a time.
const BATCH: usize = 4096;

/// Passes on the games that a thread has read.
pub(super) type Emit<'a> = dyn FnMut(Batch) -> io::Result<()> + 'a;

/// The games that a thread has read.
pub(super) struct Batch {
    rules: SameRules,
    form: LineForm,
    pub digests: Digests,
    pub findings: Findings,
    /// With a query, the games among which those that are compared have been found.
    pub passed: Option<Passed>,
}

/// Some consecutive games of a source.
#[derive(Default)]
pub(super) struct Passed {
    pub games: u64,
    /// Those that are compared, each by the number of games before it.
    pub taken: Vec<u64>,
}

impl Batch {
    pub(super) fn new(rules: SameRules, form: LineForm) -> Self {
        let digests = Digests::new(rules.plies, form);
        Self { rules, form, digests, findings: Findings::default(), passed: None }
    }

    pub(super) fn is_full(&self) -> bool {
        self.digests.len() >= BATCH || self.findings.found.len() >= MAX_FINDINGS
    }

    /// Passes on the games, if there are enough of them, and starts anew.
    pub(super) fn pass_on(&mut self, emit: &mut Emit<'_>) -> io::Result<()> {
        if !self.is_full() {
            return Ok(());
        }
        let next = Self::new(self.rules, self.form);
        emit(std::mem::replace(self, next))
    }
}

/// Counts the games of each source that are compared.
pub(super) struct Numbering<'a> {
    pub sources: &'a [Source],
    /// The total number of games up to the end of each source that has been counted.
    ends: Vec<usize>,
    /// The total number of games before each source, those that are not compared included.
    starts: Vec<u64>,
    /// The number of games up to here, those that are not compared included.
    passed: u64,
    /// With a query, the number of games before each game.
    before: Option<Vec<u64>>,
}

impl<'a> Numbering<'a> {
    pub(super) fn new(sources: &'a [Source], has_query: bool) -> Self {
        let before = has_query.then(Vec::new);
        Self { sources, ends: Vec::new(), starts: Vec::new(), passed: 0, before }
    }

    /// Adds games of a source, which follow the earlier ones.
    pub(super) fn add(&mut self, source: &Source, batch: &Batch) {
        let games = batch.digests.len();
        let before = self.ends.last().copied().unwrap_or(0);
        let latest = self.ends.len().saturating_sub(1);
        // All sources come from this list.
        let Some(more) = self.sources[latest..].iter().position(|other| ptr::eq(other, source)) else {
            return;
        };
        self.ends.resize(latest + more + 1, before);
        self.ends[latest + more] += games;
        self.starts.resize(latest + more + 1, self.passed);
        let start = self.passed;
        self.passed += match &batch.passed {
            Some(Passed { games, taken }) => {
                self.before.iter_mut().for_each(|all| all.extend(taken.iter().map(|before| start + before)));
                *games
            }
            None => {
                self.before.iter_mut().for_each(|all| all.extend(start..start + games as u64));
                games as u64
            }
        };
    }

    /// The index of the game behind so many games of the input; `None` if it is not compared.
    pub(super) fn index(&self, games: usize) -> Option<usize> {
        match &self.before {
            Some(before) => before.binary_search(&(games as u64)).ok(),
            None => Some(games),
        }
    }

    /// The number of games in the first `sources` sources.
    pub(super) fn end(&self, sources: usize) -> usize {
        let counted = sources.min(self.ends.len());
        counted.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// The source of a game, and the number of the game in it, counted from 1.
    pub(super) fn place(&self, game: usize) -> (&'a Source, u64) {
        let source = self.ends.partition_point(|&end| end <= game);
        let before = self.before.as_ref().map_or(game as u64, |before| before[game]);
        (&self.sources[source], before - self.starts[source] + 1)
    }
}
