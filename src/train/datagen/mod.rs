//! Generation of training data: games of the engine against itself.
//!
//! A run is a folder: chunks of games ([`crate::train::data`]) and a manifest with a line of JSON for each chunk. Game
//! number `n` depends only on the seed, `n` and the settings, not on the number of threads, so a run can be stopped at
//! any time and resumed later, and no game is played twice.

mod folder;
mod player;
mod rescore;
mod run;
mod settings;
mod worker;

pub use crate::selfplay::{Adjudication, Openings, OpeningsId};
pub use folder::{Entry, Folder, MANIFEST, read_manifest};
pub use player::{Played, SelfPlay};
pub use rescore::{RescoreProgress, Rescoring, Searches};
pub use run::{Ending, Event, Progress, Run, Targets};
pub use settings::{Engine, Origin, Settings};

use crate::search::ResourceError;
use std::io;
use std::path::PathBuf;

/// The reason why games cannot be played or stored.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The machine lacks memory or threads.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// This many consecutive openings were already decided.
    #[error("{0} openings in a row were decided, expected some that are not")]
    Openings(usize),
    /// A file or folder cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// Another process uses the folder.
    #[error("{}: another process writes to this folder", .0.display())]
    Locked(PathBuf),
    /// The folder contains games of another run.
    #[error(
        "{}: holds games of another run ({}); expected the same settings, or another folder",
        folder.display(),
        differences.join(", ")
    )]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// The descriptions of the settings that differ: those of the folder, and those of this run.
        differences: Vec<String>,
    },
    /// A file has invalid content, for this reason.
    #[error("{}: {}", .0.display(), .1)]
    Content(PathBuf, String),
}
