//! Tuning of search parameters by games of the engine against itself: simultaneous perturbation stochastic
//! approximation (<https://www.chessprogramming.org/SPSA>).
//!
//! An iteration moves every parameter up or down, at random, and plays some pairs of games: one side has the parameters
//! moved in these directions, the other side in the opposite ones. Then every parameter is moved a little in the
//! direction of the side that won more games. The games depend only on the settings and the seed, not on the number of
//! threads, so a run can be stopped at any time and resumed with the same result.
//!
//! A screening plays the same games without moving the parameters, and tells the effect of each: many candidates are
//! measured in the same games, each with all of them. Its iterations do not depend on each other, so several are played
//! at once.

mod game_pair;
mod run;
mod selection;
mod settings;
mod spsa;
mod state;

pub use crate::selfplay::{Openings, OpeningsId, Tally};
pub use run::{Ending, Event, Progress, Run};
pub use selection::{SelectionError, select};
pub use settings::{NodeTimeControl, Settings};
pub use spsa::{Effect, Gains, Iteration, Screening, Tuned};
pub use state::{Point, State};

use crate::search::{ParameterError, ResourceError};
use std::io;
use std::path::PathBuf;

/// The reason why parameters cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum TunerError {
    /// The machine lacks memory or threads.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// A parameter cannot be set to a value that is needed.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The selection of parameters is not valid.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The file does not contain the state of a run of this program, for this reason.
    #[error("{}: {}", .0.display(), .1)]
    Content(PathBuf, String),
    /// The openings differ from those at the start of the run.
    #[error("openings: found {found}, expected {expected}")]
    Openings {
        /// The openings found.
        found: OpeningsId,
        /// The openings expected.
        expected: OpeningsId,
    },
}
