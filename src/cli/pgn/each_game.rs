//! Reading all games of all inputs on several threads.

use super::{Findings, InputEnd, Inputs, MAX_FINDINGS, Selection};
use crate::cli::CliError;
use crate::database::{Options, Source};
use crate::notation::pgn::Game;
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
    inputs.read_sources(
        Options::default(),
        sources,
        end,
        false,
        |part, emit| {
            let mut builder = inputs.builder();
            let mut batch = Vec::new();
            let mut findings = Findings::default();
            while part.reader.read_game(&mut builder)? {
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
