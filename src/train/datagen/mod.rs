//! The engine plays against itself, to get games that a network can be trained on.
//!
//! A run is a folder: chunks of games ([`crate::train::data`]) and a manifest, a line of JSON
//! for each chunk. Game number `n` depends on the seed, `n` and the settings alone, whatever the
//! number of threads, so that a run can stop at any time and go on later without a game played
//! twice.

mod adjudicator;
mod entry;
mod error;
mod folder;
mod numbers;
mod opening;
mod origin;
mod player;
mod progress;
mod run;
mod settings;
mod signature;
mod worker;

pub use entry::Entry;
pub use error::DatagenError;
pub use folder::{Folder, MANIFEST, read_manifest};
pub use opening::Book;
pub use origin::{Engine, Origin};
pub use player::{Played, Player};
pub use progress::{Listener, Progress};
pub use run::{Ending, Run, Targets};
pub use settings::{Adjudication, BookId, Settings};
