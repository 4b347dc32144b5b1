//! Reading all games of all inputs on several threads.

use super::{Findings, InputEnd, Inputs, MAX_FINDINGS, Selection};
use crate::cli::CliError;
use crate::database::{Options, Part, Query, Source};
use crate::notation::pgn::{Game, GameBuilder};
use std::io;
use std::ops::ControlFlow;

/// The number of games that are passed on at a time.
const BATCH: usize = 256;

/// Reads all games that the query finds and that are taken on several threads. Each thread makes something of them, which is taken in the order
/// of the input.
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

/// Reads the next game that the query finds, or the next one without a query. Returns whether there is one.
///
/// # Errors
/// An error of the source.
pub(super) fn read_found(
    part: &mut Part<'_>,
    query: Option<&Query>,
    builder: &mut GameBuilder,
) -> io::Result<bool> {
    loop {
        if query.is_some() {
            part.reader.skip(query)?;
        }
        if !part.reader.read_game(builder)? {
            return Ok(false);
        }
        if query.is_none_or(|query| query.is_true(builder.game(), builder.last_position())) {
            return Ok(true);
        }
    }
}
