//! The tables themselves.

use super::Fault;
use super::folders::{self, Metric};
use super::layout;
use super::material::Material;
use super::outcome::{Distance, Wdl};
use super::position::convert;
use super::storage::{self, Storage};
use crate::chess::Position;
use shakmaty::Chess;
use shakmaty_syzygy::{ProbeError, SyzygyError, Tablebase as Decoder};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The most men of a position in any table there is, kings included.
pub const MAX_MEN: u32 = 7;

/// What there is for some material.
#[derive(Default, Debug)]
struct Known {
    has_wdl: bool,
    has_dtz: bool,
    /// A table that is needed was found to be damaged.
    is_broken: AtomicBool,
}

impl Known {
    const fn has(&self, metric: Metric) -> bool {
        match metric {
            Metric::Wdl => self.has_wdl,
            Metric::Dtz => self.has_dtz,
        }
    }
}

/// All tables that are at hand. They are opened when they are first needed.
pub struct Tablebase {
    decoder: Decoder<Chess>,
    known: HashMap<Material, Known>,
    men: u32,
    /// The first damage that a probe has met.
    damage: OnceLock<Fault>,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("men", &self.men)
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

impl Tablebase {
    /// The tables in the folders of a path, which are separated as those of the system's search
    /// path are, and what cannot be used of them. Of several files for the same table the first one
    /// that can be used counts, and those behind it are not looked at.
    pub fn load(path: &str) -> (Self, Vec<Fault>) {
        let mut faults = Vec::new();
        storage::allow_many_files();
        let mut tables = Self {
            decoder: Decoder::with_filesystem(Arc::new(Storage::new())),
            known: HashMap::new(),
            men: 0,
            damage: OnceLock::new(),
        };
        for file in folders::list(path, &mut faults) {
            if tables.known.get(&file.material).is_some_and(|known| known.has(file.metric)) {
                continue;
            }
            if let Err(fault) = layout::check(&file).and_then(|()| {
                let failed = |error| Fault::File { path: file.path.clone(), error };
                tables.decoder.add_file(&file.path).map_err(failed)
            }) {
                faults.push(fault);
                continue;
            }
            let known = tables.known.entry(file.material).or_default();
            match file.metric {
                Metric::Wdl => known.has_wdl = true,
                Metric::Dtz => known.has_dtz = true,
            }
            // What a position is worth is told by WDL tables alone.
            if file.metric == Metric::Wdl {
                tables.men = tables.men.max(file.men);
            }
        }
        (tables, faults)
    }

    /// How many tables tell win, draw or loss.
    pub fn count(&self) -> usize {
        self.known.values().filter(|known| known.has_wdl).count()
    }

    /// How many tables tell distances.
    pub fn distance_count(&self) -> usize {
        self.known.values().filter(|known| known.has_dtz).count()
    }

    /// The most men of a position that can be looked up; 0 if there are no tables.
    pub const fn men(&self) -> u32 {
        self.men
    }

    /// What the first table that was found to be damaged had.
    pub fn damage(&self) -> Option<&Fault> {
        self.damage.get()
    }

    /// The result of a position that has just come about by a capture or pawn move, or in which no
    /// halfmove clock counts. `None` if no table knows.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.probe(
            position,
            |known| known.has_wdl,
            |decoder, position| decoder.probe_wdl_after_zeroing(position),
        )
        .map(Wdl::from)
    }

    /// The distance to the next capture or pawn move of the best line; `Some(None)` is a draw, `None`
    /// says that no table knows.
    pub fn distance(&self, position: &Position) -> Option<Option<Distance>> {
        // Where a pawn move or capture wins, the distance is known without a table for it.
        self.probe(position, |known| known.has_wdl, |decoder, position| decoder.probe_dtz(position))
            .map(Distance::new)
    }

    fn probe<T>(
        &self,
        position: &Position,
        is_there: impl Fn(&Known) -> bool,
        ask: impl Fn(&Decoder<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        /// There is no table for the two kings, nor need there be.
        const KINGS: u32 = 2;
        let men = position.occupied().count();
        if men > self.men {
            return None;
        }
        let known = self.known.get(&Material::of(position));
        if men > KINGS
            && !known.is_some_and(|known| is_there(known) && !known.is_broken.load(Ordering::Relaxed))
        {
            return None;
        }
        match ask(&self.decoder, &convert(position)?) {
            Ok(found) => Some(found),
            Err(error) => {
                if let (SyzygyError::ProbeFailed { metric, material, error }, Some(known)) = (error, known) {
                    known.is_broken.store(true, Ordering::Relaxed);
                    let reason = format!("the {metric} table {material} is damaged{}", detail(&error));
                    let _ = self.damage.set(Fault::Probe { reason }); // only the first is told
                }
                None
            }
        }
    }
}

/// What is to be said of a damage beyond that it is there.
fn detail(error: &ProbeError) -> String {
    match error {
        // The decoder would add where it stood in its own code.
        ProbeError::CorruptedTable { .. } => String::new(),
        ProbeError::Read { .. } | ProbeError::Magic { .. } => format!(": {error}"),
    }
}
