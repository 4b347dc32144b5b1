//! The endgame tables that the user names.

use crate::tablebase::{Fault, Tablebase};
use std::fmt;
use std::sync::Arc;

/// Endgame tables, and what has been said of them.
#[derive(Debug)]
pub(super) struct Endgames {
    tables: Arc<Tablebase>,
    /// What could not be used.
    faults: Vec<Fault>,
    is_damage_told: bool,
}

impl Endgames {
    /// The tables in the folders of a path.
    pub(super) fn load(path: &str) -> Self {
        let (tables, faults) = Tablebase::load(path);
        Self { tables: Arc::new(tables), faults, is_damage_told: false }
    }

    pub(super) const fn tables(&self) -> &Arc<Tablebase> {
        &self.tables
    }

    pub(super) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The damage that searches have met since this was last asked.
    pub(super) fn news(&mut self) -> Option<&Fault> {
        let damage = self.tables.damage().filter(|_| !self.is_damage_told)?;
        self.is_damage_told = true;
        Some(damage)
    }
}

impl fmt::Display for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, distances) = (self.tables.count(), self.tables.distance_count());
        match self.tables.men() {
            0 => f.write_str("no endgame tables are used"),
            men => {
                write!(f, "{count} endgame tables of up to {men} men are used, {distances} with distances")
            }
        }
    }
}
