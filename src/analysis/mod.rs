//! Games to judgements: winning chances, inaccuracies, mistakes and blunders, accuracy and average loss.

mod accuracy;
mod judgement;
mod phases;

pub use accuracy::{GameSummary, PlayerSummary, START, average, centipawn_loss, move_accuracy, summarize};
pub use judgement::{Judgement, MateChange, mate_change, win_percent, winning_chances};
pub use phases::{Phase, Phases};
