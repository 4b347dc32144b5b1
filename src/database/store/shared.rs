//! Segments of a collection during reading, which are shared by several threads if there are few segments.

use super::code::damage;
use super::manifest::segment_name;
use super::segment::Segment;
use crate::notation::pgn::GameSource;
use once_cell::sync::OnceCell;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// A segment that can be read.
pub(super) struct Opened {
    pub number: u32,
    pub games: u64,
    pub bytes: u64,
    pub checksum: u64,
    pub file: io::Result<File>,
    /// The games that are marked as deleted, in their order.
    pub deleted: Arc<Vec<u16>>,
}

impl Opened {
    fn name(&self) -> String {
        segment_name(self.number)
    }

    /// Reads the list of parts.
    ///
    /// # Errors
    /// If it cannot be read, or does not agree with the manifest.
    pub(super) fn read(self) -> io::Result<Segment> {
        let name = self.name();
        let file =
            self.file.map_err(|error| io::Error::new(error.kind(), format!("segment {name}: {error}")))?;
        let segment = Segment::open(&name, file, self.checksum)?;
        if segment.games() as u64 != self.games {
            return Err(segment.named(&damage("it has another number of games than the manifest says")));
        }
        Ok(segment)
    }
}

/// A segment that several threads read.
pub(super) struct Shared {
    pub segment: Segment,
    pub bytes: u64,
    pub deleted: Arc<Vec<u16>>,
    /// The sources of runs of games, each with the number after its last game.
    origins: OnceCell<Vec<(usize, usize)>>,
    /// The sources of the collection.
    pub names: Sources,
}

/// The sources of a collection.
pub(super) type Sources = Arc<Vec<Arc<GameSource>>>;

impl Shared {
    pub(super) fn open(opened: Opened, names: Sources) -> io::Result<Arc<Self>> {
        let (bytes, deleted) = (opened.bytes, Arc::clone(&opened.deleted));
        let segment = opened.read()?;
        Ok(Arc::new(Self { segment, bytes, deleted, origins: OnceCell::new(), names }))
    }

    /// The sources of runs of games, each with the number after its last game.
    pub(super) fn runs(&self) -> io::Result<&[(usize, usize)]> {
        let runs = self.origins.get_or_try_init(|| {
            let mut end = 0;
            let runs = self.segment.origins()?.into_iter().map(|(origin, games)| {
                end += games;
                (origin, end)
            });
            Ok::<_, io::Error>(runs.collect::<Vec<_>>())
        })?;
        Ok(runs)
    }

    /// The number of the source of a game.
    pub(super) fn origin(&self, game: usize) -> io::Result<Option<usize>> {
        let runs = self.runs()?;
        let run = runs.partition_point(|&(_, end)| end <= game);
        Ok(runs.get(run).map(|&(origin, _)| origin))
    }

    /// The source of a game.
    pub(super) fn source(&self, game: usize) -> io::Result<Option<&Arc<GameSource>>> {
        Ok(self.origin(game)?.and_then(|origin| self.names.get(origin)))
    }
}
