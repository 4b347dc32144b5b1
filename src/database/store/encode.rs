//! Encoding games as blocks, which can be added to a collection.

use super::super::query::Query;
use super::record::{GameText, Recorder};
use super::writer::{BlockBuilder, Encoded};
use crate::notation::PieceLetters;
use crate::notation::pgn::{Export, Place};
use std::io;

/// A reader whose games can be stored.
pub(in crate::database) trait Recordable {
    fn next_place(&mut self) -> io::Result<Option<Place>>;
    fn origin(&mut self) -> io::Result<Option<usize>>;
    fn read_game(&mut self, visitor: &mut Recorder) -> io::Result<bool>;
    fn latest_text(&mut self) -> io::Result<Option<GameText>>;
}

/// Receives blocks of games.
type Emit<'a> = dyn FnMut(Encoded) -> io::Result<()> + 'a;

/// Encodes games as blocks. If the text of a game is needed but not available, the exported game is stored instead.
pub(in crate::database) struct Encoder {
    recorder: Recorder,
    block: BlockBuilder,
    /// The number of the source of the games in the current block.
    latest: Option<usize>,
}

impl Encoder {
    /// An encoder for games with these letters for pieces.
    pub(in crate::database) fn new(letters: PieceLetters) -> Self {
        Self { recorder: Recorder::new(letters), block: BlockBuilder::default(), latest: None }
    }

    /// Adds the games of a reader that the query finds, or all without a query; `origin` is their source, unless the
    /// reader knows it.
    pub(in crate::database) fn add(
        &mut self,
        reader: &mut dyn Recordable,
        query: Option<&Query>,
        origin: Option<usize>,
        emit: &mut Emit<'_>,
    ) -> io::Result<()> {
        while let Some(place) = reader.next_place()? {
            let origin = reader.origin()?.or(origin);
            if !self.block.is_empty() && (self.block.is_full() || origin != self.latest) {
                emit(self.block.take(self.latest))?;
            }
            self.latest = origin;
            reader.read_game(&mut self.recorder)?;
            if query.is_some_and(|query| !query.is_true(self.recorder.game(), None)) {
                continue;
            }
            let text = if self.recorder.needs_text() {
                let kept = reader.latest_text()?;
                Some(kept.unwrap_or_else(|| GameText {
                    bytes: Export::new().game(self.recorder.game()).into_bytes(),
                    place,
                    is_at_start: true,
                }))
            } else {
                None
            };
            self.block.push(self.recorder.record(place, text.as_ref()));
        }
        Ok(())
    }

    /// Emits the remaining games.
    pub(in crate::database) fn finish(mut self, emit: &mut Emit<'_>) -> io::Result<()> {
        if self.block.is_empty() { Ok(()) } else { emit(self.block.take(self.latest)) }
    }
}
