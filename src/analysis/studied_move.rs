//! A move of a game with what is known of it, the threat that explains it among that.

use super::evaluator::Line;
use super::judgement::Judgement;
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::{EvaluationScore, NodeId};

/// A move of the main line, or a pass.
#[derive(Clone, Debug)]
pub struct StudiedMove {
    /// Where it is in the game.
    pub node: NodeId,
    /// The move; `None` for a pass.
    pub mv: Option<Move>,
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
    /// Whether it is to be judged.
    pub is_in_scope: bool,
    /// The score before it, seen from White.
    pub score_before: Option<EvaluationScore>,
    /// The score after it, seen from White. A mate on the board has none.
    pub score: Option<EvaluationScore>,
    /// The depth of that score, in plies; 0 if it is known by the rules, `None` if it is not ours.
    pub depth: Option<u32>,
    /// The best lines before it, the best first.
    pub lines: Vec<Line>,
    /// The best line after it.
    pub reply: Option<Line>,
    /// The judgement. The best move is never judged.
    pub judgement: Option<Judgement>,
    /// The accuracy, from 0 to 100, if it is to be judged.
    pub accuracy: Option<f64>,
    /// The loss in centipawns, if it is to be judged.
    pub loss_cp: Option<u32>,
    /// Whether it is the only legal move.
    pub is_forced: bool,
    /// It is the only good move.
    pub only: Option<OnlyMove>,
    /// The threat that explains the judgement, or that the only move meets.
    pub threat: Option<Threat>,
}

/// The only good move of a position, which was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnlyMove {
    /// Whether it is hard to find.
    pub is_hard: bool,
    /// The move that comes next.
    pub next: Move,
    /// The score after that, seen from White.
    pub score: EvaluationScore,
}

impl StudiedMove {
    /// The side that moves.
    pub const fn mover(&self) -> Color {
        self.before.board().turn()
    }

    /// The best line before it, if it starts with another move.
    pub fn better(&self) -> Option<&Line> {
        self.lines.first().filter(|line| line.moves.first().copied() != self.mv)
    }
}

/// Whose threat it is, as seen by the move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreatKind {
    /// The opponent threatened it before the move, and the reply carries it out.
    Overlooked,
    /// The better move would have threatened it.
    Missed,
    /// The reply threatens it.
    Allowed,
    /// The opponent threatened it before the move, which is the only one that meets it.
    Met,
}

/// What a side would do if it were to move once more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// Whose threat it is.
    pub kind: ThreatKind,
    /// The position after the null move, in which the side that threatens is to move.
    pub position: Position,
    /// What it would do, with the score of that.
    pub line: Line,
}

impl Threat {
    /// The move that is threatened.
    pub fn mv(&self) -> Option<Move> {
        self.line.moves.first().copied()
    }

    /// The number of moves to the mate that is threatened.
    pub fn mate_in(&self) -> Option<u32> {
        match (self.line.score, self.position.turn()) {
            (EvaluationScore::Mate(moves @ 1..), Color::White)
            | (EvaluationScore::Mate(moves @ ..=-1), Color::Black) => Some(moves.unsigned_abs()),
            _ => None,
        }
    }

    /// The number of moves to the mate that was not seen.
    pub(super) fn overlooked_mate(&self) -> Option<u32> {
        self.mate_in().filter(|_| self.kind == ThreatKind::Overlooked)
    }
}
