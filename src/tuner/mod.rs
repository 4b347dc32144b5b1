//! The numbers that steer the search are tuned by games of the engine against itself:
//! simultaneous perturbation stochastic approximation
//! (<https://www.chessprogramming.org/SPSA>).
//!
//! An iteration moves every parameter a little up or down, by chance, and plays some pairs of
//! games, one side with the parameters moved so, the other with all moved the other way; then
//! every parameter goes a little toward the side that won more. What is played depends on the
//! settings and the seed alone, whatever the number of threads, so that a run can stop at any
//! time and go on later as if it had not.

mod adjudicator;
mod allowance;
mod duel;
mod error;
mod gains;
mod iteration;
mod openings;
mod parameter;
mod run;
mod selection;
mod settings;
mod state;
mod tally;

pub use allowance::Allowance;
pub use error::TunerError;
pub use gains::Gains;
pub use iteration::Iteration;
pub use openings::{Openings, OpeningsId};
pub use parameter::Tuned;
pub use run::{Ending, Listener, Progress, Run};
pub use selection::{SelectionError, select};
pub use settings::Settings;
pub use state::{Point, State};
pub use tally::Tally;
