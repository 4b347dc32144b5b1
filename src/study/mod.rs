//! Study: a learner finds the moves of games, problems, an opening repertoire, or what should have been played.
//!
//! An [`Exercise`] is a tree of moves and a side; an [`Attempt`] asks for its moves one after the other and takes
//! guesses, hints and surrender. What was learned is kept in [`Progress`], which also knows when a position is to be
//! asked again ([`schedule`]). Nothing here prints, waits or asks for the time.

mod attempt;
mod comparison;
mod exercise;
mod mistakes;
mod problems;
mod progress;
mod repertoire;
mod schedule;

pub use attempt::{Answer, Attempt, Hint, MAX_POINTS, Mark, Points};
pub use comparison::Comparison;
pub use exercise::{Accepts, Exercise, Item, Kind, Learner};
pub use mistakes::mistakes_of;
pub use problems::{problem_of_epd, problem_of_game};
pub use progress::{Progress, ProgressError, Record, Statistics};
pub use repertoire::{Gap, Repertoire};
pub use schedule::{Card, Grade, Timestamp, review};
