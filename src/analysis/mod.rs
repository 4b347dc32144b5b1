//! Games to judgements: winning chances, inaccuracies, mistakes and blunders, accuracy and average loss.

mod accuracy;
pub mod backsolve;
mod judgement;
pub mod puzzles;
mod scale;

pub use accuracy::{GameSummary, PlayerSummary, START, average, centipawn_loss, move_accuracy, summarize};
pub use judgement::{Judgement, MateChange, mate_change, win_percent, winning_chances};
pub use scale::lichess_score;
