//! Tuning of search parameters by games of the engine against itself: simultaneous perturbation
//! stochastic approximation (<https://www.chessprogramming.org/SPSA>).
//!
//! An iteration moves every parameter a little up or down, at random, and plays some pairs of
//! games, one side with the parameters moved so, the other with all moved the other way; then
//! every parameter moves a little toward the side that won more. The games depend on the
//! settings and the seed alone, regardless of the number of threads, so that a run can stop at any
//! time and continue later as if it had not.

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
pub use spsa::{Gains, Iteration, Tuned};
pub use state::{Point, State};

use crate::search::{ParameterError, ResourceError};
use std::io;
use std::path::PathBuf;

/// Why parameters cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum TunerError {
    /// The machine lacks memory or threads.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// A parameter cannot be set to a value that must be tried.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// No such parameters can be tuned.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// A file that does not hold the state of a run of this program, and the reason.
    #[error("{}: {}", .0.display(), .1)]
    Content(PathBuf, String),
    /// The openings are not those that the run started with.
    #[error("openings: found {found}, expected {expected}")]
    Openings {
        /// The openings that were found.
        found: OpeningsId,
        /// The openings that were expected.
        expected: OpeningsId,
    },
}
