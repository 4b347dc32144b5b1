//! Details of games that require their moves: openings, lengths, and the places where a query matches.

use super::files::{FileError, GameFile, Unwanted};
use super::game_rows::{Hit, Order, Row, Told, hits_of};
use crate::database::{Options, Part, Places, Query, Source, read};
use crate::notation::pgn::GameBuilder;
use serde::Serialize;
use std::io;
use std::ops::ControlFlow;
use std::path::MAIN_SEPARATOR;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The games with the highest ratings and the latest games, out of `count` games.
#[derive(Serialize)]
pub(super) struct Notable {
    count: u64,
    top: Vec<Row>,
    latest: Vec<Row>,
}

impl GameFile {
    /// The games with the highest ratings and the latest games, of those that match a query and contain a position. The
    /// position is also given as a query.
    pub(super) fn notable(
        &self,
        text: &str,
        position: &str,
        limit: usize,
        unwanted: &Unwanted,
    ) -> Result<Notable, FileError> {
        // Parsed alone first, so that columns of errors are right. The newline ends a comment in the query.
        self.query(text)?;
        let all = if text.trim().is_empty() { position.to_owned() } else { format!("({text}\n) {position}") };
        let (query, position) = (self.query(&all)?, self.query(position)?);
        let orders = [Order::Rating, Order::Latest];
        let (results, [mut top, mut latest]) = self.first_by(&query, orders, limit, unwanted)?;
        self.complete(&mut top, &position, unwanted)?;
        self.complete(&mut latest, &position, unwanted)?;
        Ok(Notable { count: results.games(), top, latest })
    }

    /// Adds the details to rows, which requires reading the moves of their games.
    pub(super) fn complete(
        &self,
        rows: &mut [Row],
        query: &Query,
        unwanted: &Unwanted,
    ) -> Result<(), FileError> {
        let mut wanted: Vec<(u64, usize)> =
            rows.iter().enumerate().map(|(index, row)| (row.number - 1, index)).collect();
        wanted.sort_unstable();
        let wanted = wanted;
        let (passed, next) = (AtomicU64::new(0), AtomicUsize::new(0));
        let options = Options { threads: 1, ..Options::default() };
        let work = |part: &mut Part<'_>, emit: &mut dyn FnMut((usize, Told)) -> io::Result<()>| {
            let mut builder = GameBuilder::new();
            // There is only one reading thread, so no other changes the counts.
            while let Some(&(number, index)) = wanted.get(next.load(Ordering::Relaxed)) {
                let before = number - passed.load(Ordering::Relaxed);
                let count = part.reader.pass(before)?;
                passed.fetch_add(count, Ordering::Relaxed);
                if count < before || !part.reader.read_game(&mut builder)? {
                    break;
                }
                passed.fetch_add(1, Ordering::Relaxed);
                next.fetch_add(1, Ordering::Relaxed);
                emit((index, Told::of(builder.game(), query)))?;
            }
            Ok(())
        };
        let mut left = wanted.len();
        let sources = if left == 0 { Vec::new() } else { self.sources()? };
        let end = read(&sources, &options, work, |source, told: io::Result<(usize, Told)>| match told {
            _ if unwanted.load(Ordering::Relaxed) => ControlFlow::Break(Some(FileError::Unwanted)),
            Ok((index, mut told)) => {
                told.file = self.file_of(source, told.file.take());
                rows[index].take(told);
                left -= 1;
                if left == 0 { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
            }
            Err(error) => ControlFlow::Break(Some(FileError::Read(format!("{}: {error}", source.name())))),
        });
        match end {
            ControlFlow::Break(Some(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// The file of a game, if there are several: its path within the folder, or the file that was added to the
    /// collection.
    fn file_of(&self, source: &Source, added: Option<String>) -> Option<String> {
        match source {
            Source::Collection(_) => added,
            _ if source.path() == Some(self.path()) && matches!(source, Source::File(_)) => None,
            _ => {
                let folder = format!("{}{}", self.path().display(), MAIN_SEPARATOR);
                let name = source.name();
                Some(name.strip_prefix(&folder).unwrap_or(&name).to_owned())
            }
        }
    }

    /// The places of a game where a query matches.
    pub(super) fn hits(&self, number: u64, text: &str, unwanted: &Unwanted) -> Result<Vec<Hit>, FileError> {
        let query = self.query(text)?;
        Ok(hits_of(&self.game(number, unwanted)?, &query, Places::All))
    }
}
