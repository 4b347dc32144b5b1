//! The tags and the sources of stored games, game by game and by column.

use super::columns::Column;
use super::shared::Shared;
use crate::database::game_set::GameSet;
use crate::database::query::{Columns, Header, Verdicts};
use crate::notation::pgn::GameSource;
use std::cell::RefCell;
use std::io;

/// The tags of a stored game.
pub(super) struct StoredHeader<'a> {
    shared: &'a Shared,
    game: usize,
    /// The error with which a tag could not be read.
    failure: RefCell<Option<io::Error>>,
}

impl<'a> StoredHeader<'a> {
    pub(super) fn new(shared: &'a Shared, game: usize) -> Self {
        Self { shared, game, failure: RefCell::default() }
    }

    fn value(&self, name: &str) -> io::Result<Option<&str>> {
        let Some(tag) = self.shared.segment.tag_number(name)? else { return Ok(None) };
        self.shared.segment.value(tag, self.game)
    }

    fn failed(&self, error: io::Error) {
        *self.failure.borrow_mut() = Some(error);
    }

    /// Returns `answer`, or the error with which a tag could not be read.
    pub(super) fn checked<T>(self, answer: T) -> io::Result<T> {
        self.failure.into_inner().map_or(Ok(answer), Err)
    }
}

impl Header for StoredHeader<'_> {
    fn tag(&self, name: &str) -> Option<&str> {
        self.value(name).unwrap_or_else(|error| {
            self.failed(error);
            None
        })
    }

    fn source(&self) -> Option<&GameSource> {
        self.shared.source(self.game).map(|source| source.map(|source| &**source)).unwrap_or_else(|error| {
            self.failed(error);
            None
        })
    }
}

impl Columns for Shared {
    fn games(&self) -> usize {
        self.segment.games()
    }

    fn column(&self, name: &str) -> io::Result<Option<(Vec<&str>, &[u32])>> {
        Ok(self.segment.column_of(name)?.map(|column| (column.values(), column.ids())))
    }

    fn numbers(&self, name: &str) -> io::Result<Option<&[u32]>> {
        Ok(self.segment.column_of(name)?.map(Column::ids))
    }

    fn of_sources(&self, test: &dyn Fn(Option<&GameSource>) -> bool) -> io::Result<GameSet> {
        let mut start = 0;
        let mut passing = Vec::new();
        for &(origin, end) in self.runs()? {
            let run = std::mem::replace(&mut start, end)..end;
            if test(self.names.get(origin).map(|source| &**source)) {
                passing.extend(run);
            }
        }
        Ok(GameSet::of(self.segment.games(), passing))
    }

    fn show(&self, game: usize, to: &mut dyn FnMut(&dyn Header)) -> io::Result<()> {
        let header = StoredHeader::new(self, game);
        to(&header);
        header.checked(())
    }

    fn ask(&self, ask: &dyn Fn(&dyn Header) -> Option<bool>) -> io::Result<Verdicts> {
        let mut answers = Vec::with_capacity(self.games());
        for game in 0..self.games() {
            let header = StoredHeader::new(self, game);
            let answer = ask(&header);
            answers.push(header.checked(answer)?);
        }
        let having = |wanted: bool| GameSet::filter(&answers, |&answer| answer == Some(wanted));
        Ok(Verdicts { yes: having(true), no: having(false) })
    }
}
