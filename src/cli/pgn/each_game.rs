//! Reading all games of all inputs on several threads.

use super::{Findings, InputEnd, Inputs, MAX_FINDINGS, Selection};
use crate::cli::CliError;
use crate::database::{Options, Part, Query, Source};
use crate::notation::pgn::{Exporter, Game, GameBuilder, Visitor};
use std::io;
use std::ops::ControlFlow;
use std::ptr;

/// The number of games that are passed on at a time.
const BATCH: usize = 256;

/// Reads all selected games that the query finds, on several threads. Each thread makes a value from its games; the
/// values are taken in the order of the input.
pub(super) fn each_game<T: Send + 'static>(
    inputs: &Inputs,
    query: Option<&Query>,
    selection: Selection,
    sources: &[Source],
    end: &mut InputEnd,
    make: &(impl Fn(&Game) -> T + Sync),
    take: &mut dyn FnMut(&Source, T) -> Result<(), CliError>,
) -> Result<(), CliError> {
    inputs.read_sources(
        Options { by_segment: query.is_some_and(Query::is_indexed), ..Options::default() },
        sources,
        end,
        false,
        |part, emit| {
            let mut builder = inputs.builder();
            part.reader.require_found(query)?;
            let mut batch = Vec::new();
            let mut findings = Findings::default();
            while read_found(part, query, &mut builder)? {
                if findings.add_game(builder.errors(), selection) {
                    batch.push(make(builder.game()));
                }
                if batch.len() >= BATCH || findings.found.len() >= MAX_FINDINGS {
                    emit((std::mem::take(&mut batch), std::mem::take(&mut findings)))?;
                }
            }
            emit((batch, findings))
        },
        &mut |source, bar, (batch, findings): (Vec<T>, Findings)| {
            selection.print(&findings.found, source, bar);
            batch.into_iter().try_for_each(|made| take(source, made))?;
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// Counts games in each source while they arrive in the order of the input.
pub(in crate::cli) struct GameCounter<'a> {
    sources: &'a [Source],
    /// The index of the current source, and the number of its games that have been counted.
    current: usize,
    behind: u64,
}

impl<'a> GameCounter<'a> {
    pub(in crate::cli) const fn new(sources: &'a [Source]) -> Self {
        Self { sources, current: 0, behind: 0 }
    }

    /// Adds games of a source. Returns the index of the source, and the number of its earlier games.
    pub(in crate::cli) fn add(&mut self, source: &Source, games: u64) -> (usize, u64) {
        while self.sources.get(self.current).is_some_and(|earlier| !ptr::eq(earlier, source)) {
            (self.current, self.behind) = (self.current + 1, 0);
        }
        let before = self.behind;
        self.behind += games;
        (self.current, before)
    }
}

/// A visitor that reads a game for a query.
pub(in crate::cli) trait ReadsGame: Visitor {
    /// Whether the query finds the game that was read.
    fn is_found_by(&mut self, query: &Query) -> bool;
}

impl ReadsGame for GameBuilder {
    fn is_found_by(&mut self, query: &Query) -> bool {
        query.is_true(self.game(), self.last_position())
    }
}

impl ReadsGame for Exporter {
    fn is_found_by(&mut self, query: &Query) -> bool {
        query.is_true(self.game_mut(), None)
    }
}

/// Reads the next game that the query finds, or the next one without a query. Returns whether there is one.
///
/// # Errors
/// An error of the source.
pub(in crate::cli) fn read_found(
    part: &mut Part<'_>,
    query: Option<&Query>,
    reader: &mut impl ReadsGame,
) -> io::Result<bool> {
    loop {
        if query.is_some() {
            part.reader.skip(query)?;
        }
        if !part.reader.read_game(reader)? {
            return Ok(false);
        }
        if query.is_none_or(|query| reader.is_found_by(query)) {
            return Ok(true);
        }
    }
}
