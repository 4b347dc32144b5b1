//! A move of a game with the results of its analysis, including the threat that explains it.

use super::evaluator::Line;
use super::judgement::Judgement;
use crate::chess::{Color, Move, Position, Role, Square};
use crate::notation::pgn::{EvaluationScore, NodeId};

/// A move of the main line, or a null move.
#[derive(Clone, Debug)]
pub struct StudiedMove {
    /// The node of the move in the game.
    pub node: NodeId,
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// The position before the move.
    pub before: Position,
    /// The position after the move.
    pub after: Position,
    /// The piece of the mover that the move before has captured, with the square where the capturing piece stands.
    pub lost_before: Option<(Square, Role)>,
    /// Whether the move is judged.
    pub is_in_scope: bool,
    /// The score before the move, from White's point of view.
    pub score_before: Option<EvaluationScore>,
    /// The score after the move, from White's point of view; `None` after checkmate.
    pub score: Option<EvaluationScore>,
    /// The depth of that score, in plies; 0 if the score follows from the rules, `None` if it comes from another
    /// source.
    pub depth: Option<u32>,
    /// The best lines before the move, the best first.
    pub lines: Vec<Line>,
    /// The best line after the move.
    pub reply: Option<Line>,
    /// The judgement of the move; `None` for the best move.
    pub judgement: Option<Judgement>,
    /// The accuracy, from 0 to 100, if the move is judged.
    pub accuracy: Option<f64>,
    /// The loss in centipawns, if the move is judged.
    pub loss_cp: Option<u32>,
    /// Whether the move is the only legal one.
    pub is_forced: bool,
    /// Details if the move is the only good one.
    pub only: Option<OnlyMove>,
    /// The threat that explains the judgement, or that the only move parries.
    pub threat: Option<Threat>,
}

/// The only good move of a position, which was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnlyMove {
    /// Whether the move is hard to find.
    pub is_hard: bool,
    /// The next move.
    pub next: Move,
    /// The score after the next move, from White's point of view.
    pub score: EvaluationScore,
}

impl StudiedMove {
    /// The side that moves.
    pub const fn mover(&self) -> Color {
        self.before.board().turn()
    }

    /// The best line before the move, if it starts with another move.
    pub fn better(&self) -> Option<&Line> {
        self.lines.first().filter(|line| line.moves.first().copied() != self.mv)
    }
}

/// The side and the moment of a threat, relative to the move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreatKind {
    /// The opponent threatened this before the move, and the reply carries it out.
    Overlooked,
    /// The better move would have created the threat.
    Missed,
    /// The reply creates the threat.
    Allowed,
    /// The opponent threatened this before the move, which is the only one that parries it.
    Met,
}

/// The best play of a side if it had an extra move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The kind of the threat.
    pub kind: ThreatKind,
    /// The position after the null move, with the threatening side to move.
    pub position: Position,
    /// The best line of that position, with its score.
    pub line: Line,
}

impl Threat {
    /// The threatened move.
    pub fn mv(&self) -> Option<Move> {
        self.line.moves.first().copied()
    }

    /// The number of moves to the threatened mate; `None` if the threat is not a mate.
    pub fn mate_in(&self) -> Option<u32> {
        match (self.line.score, self.position.turn()) {
            (EvaluationScore::Mate(moves @ 1..), Color::White)
            | (EvaluationScore::Mate(moves @ ..=-1), Color::Black) => Some(moves.unsigned_abs()),
            _ => None,
        }
    }

    /// The number of moves to the overlooked mate; `None` if no mate was overlooked.
    pub(super) fn overlooked_mate(&self) -> Option<u32> {
        self.mate_in().filter(|_| self.kind == ThreatKind::Overlooked)
    }
}
