//! Study: a learner finds the moves of games, of problems or of an opening repertoire, or better moves than those
//! played.
//!
//! An [`Exercise`] is a tree of moves and a side; an [`Attempt`] asks for its moves one by one and accepts guesses and
//! requests for hints or for the move itself. The results are stored in [`Progress`], which also schedules when a
//! position is asked for again ([`schedule`]). Nothing in this module prints, waits or reads the clock.

mod attempt;
mod comparison;
mod exercise;
mod mistakes;
mod problems;
mod progress;
mod repertoire;
mod schedule;

pub use attempt::{Answer, Attempt, Hint, MAX_POINTS, Mark, Points, WrongGuess};
pub use comparison::{Comparison, loss_in_points};
pub use exercise::{Accepts, Exercise, Item, Kind, Learner};
pub use mistakes::mistakes_of;
pub use problems::{problem_of_epd, problem_of_game};
pub use progress::{Progress, ProgressError, Record, Statistics};
pub use repertoire::{Gap, Repertoire};
pub use schedule::{Card, Grade, Timestamp, review};
