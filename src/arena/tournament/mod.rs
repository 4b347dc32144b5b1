//! A match from its plan to its end: workers that play, a state that survives, and somebody who
//! listens.

mod error;
mod listener;
mod lock;
mod progress;
mod run;
mod state;
mod worker;

pub use error::TournamentError;
pub use listener::{GameReport, Listener};
pub use progress::Progress;
pub use run::{Ending, Tournament};
pub use state::{State, StateError};
