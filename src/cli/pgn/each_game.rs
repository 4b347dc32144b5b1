//! Reading all games of all inputs on several threads.

use super::{Findings, InputEnd, Inputs, MAX_FINDINGS, Selection};
use crate::cli::CliError;
use crate::database::{Options, Source};
use crate::notation::pgn::{Game, GameBuilder, PgnError, Visitor};
use std::ops::ControlFlow;

/// The number of games that are passed on at a time.
const BATCH: usize = 256;

/// Reads all games that are taken on several threads. Each thread makes something of them, which is taken in the order
/// of the input.
pub(super) fn each_game<T: Send + 'static>(
    inputs: &Inputs,
    selection: Selection,
    sources: &[Source],
    end: &mut InputEnd,
    make: &(impl Fn(&Game) -> T + Sync),
    take: &mut dyn FnMut(&Source, T) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let reading = Reading {
        builder: || inputs.builder(),
        errors: GameBuilder::errors,
        make: |builder: &mut GameBuilder| make(builder.game()),
    };
    each_reading(inputs, selection, sources, end, &reading, take)
}

/// How games are read, and what is made of each of them.
pub(super) struct Reading<N, B, M> {
    /// What reads the games of a thread.
    pub builder: N,
    /// The errors in the game that it has read.
    pub errors: fn(&B) -> &[PgnError],
    pub make: M,
}

/// As [`each_game`], with any visitor.
pub(super) fn each_reading<B: Visitor, T: Send + 'static>(
    inputs: &Inputs,
    selection: Selection,
    sources: &[Source],
    end: &mut InputEnd,
    reading: &Reading<impl Fn() -> B + Sync, B, impl Fn(&mut B) -> T + Sync>,
    take: &mut dyn FnMut(&Source, T) -> Result<(), CliError>,
) -> Result<(), CliError> {
    inputs.read_sources(
        Options::default(),
        sources,
        end,
        false,
        |part, emit| {
            let mut builder = (reading.builder)();
            let mut batch = Vec::new();
            let mut findings = Findings::default();
            while part.reader.read_game(&mut builder)? {
                if findings.add_game((reading.errors)(&builder), selection) {
                    batch.push((reading.make)(&mut builder));
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
