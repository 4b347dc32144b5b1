//! The analysis of games: winning chances, inaccuracies, mistakes and blunders, accuracy and average loss.

mod accuracy;
mod annotate;
pub mod backsolve;
mod cache;
mod evaluator;
mod examined;
mod facts;
mod judgement;
mod phases;
pub mod puzzles;
mod queue;
mod scale;
mod studied_move;
mod study;
mod threats;
mod words;
mod written;

pub use accuracy::{GameSummary, PlayerSummary, START, average, centipawn_loss, move_accuracy, summarize};
pub use annotate::{
    ANALYSIS, Sources, Style, VARIATION_PLIES, annotate, is_annotated, own_annotator, without_own,
};
pub use cache::{Cache, CacheState, EvaluationKey};
pub use evaluator::{
    Assessment, Budget, EngineEvaluator, Evaluator, EvaluatorError, EvaluatorOptions, Line, OwnEvaluator,
    Question, own_name,
};
pub use examined::{CountedMove, Examined};
pub use facts::numbered;
pub use judgement::{Judgement, MateChange, mate_change, win_percent, winning_chances};
pub use phases::{Phase, Phases};
pub use queue::{Effort, Inquiry, Queue, QueueError, run};
pub use scale::lichess_score;
pub use studied_move::{OnlyMove, StudiedMove, Threat, ThreatKind};
pub use study::{GameReport, GameStudy, Scope, before_move, is_turning_point, rank};
pub use words::{coached, show_score};
pub use written::{
    WrittenAnalysis, evaluations_after, evaluations_of, has_own_evaluations, judgements_of, shown_comment,
};
