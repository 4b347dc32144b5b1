//! The record of a game: its moves and its termination.

use crate::chess::{Color, Move, Outcome, Position};
use crate::client::SearchReply;
use crate::notation::Excerpt;
use crate::notation::pgn::GameResult;
use std::fmt;
use std::time::{Duration, SystemTime};

/// A move of a game, with the engine's result.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The engine's reply; `None` for a move of the opening.
    pub reply: Option<SearchReply>,
    /// The remaining time of the side that moved, after the move; `None` without a clock.
    pub left: Option<Duration>,
}

/// A whole game.
#[derive(Clone, Debug)]
pub struct Record {
    /// The start position.
    pub start: Position,
    /// The moves, including those of the opening.
    pub moves: Vec<PlayedMove>,
    /// The final position.
    pub end: Position,
    /// The termination.
    pub termination: Termination,
    /// The time at which the game started.
    pub started: SystemTime,
    /// The duration of the game.
    pub duration: Duration,
}

/// The reason why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// The rules of chess.
    Rules(Outcome),
    /// Both sides' scores were near zero for many moves.
    DrawAdjudication,
    /// A side's scores were lost for many moves.
    ResignAdjudication {
        /// The side that has lost.
        loser: Color,
    },
    /// Endgame tablebases contain the result.
    TablebaseAdjudication {
        /// The side that has lost; `None` for a draw.
        loser: Option<Color>,
    },
    /// The maximum number of moves has been reached.
    MaxMoves,
    /// A side has exceeded its time.
    TimeForfeit {
        /// The side that has exceeded its time.
        loser: Color,
    },
    /// A side has exceeded its time, but the other side cannot mate by any series of legal moves.
    DrawnTimeForfeit {
        /// The side that has exceeded its time.
        late: Color,
    },
    /// A side has played an illegal move.
    IllegalMove {
        /// The side that played the illegal move.
        loser: Color,
        /// The text of the move; `None` if the engine stated that there is no move.
        found: Option<Excerpt>,
    },
    /// The process of a side's engine has ended.
    Disconnect {
        /// The side whose engine has ended.
        loser: Color,
        /// The details.
        reason: String,
    },
    /// The engine of a side does not answer.
    Stall {
        /// The side whose engine does not answer.
        loser: Color,
        /// The details.
        reason: String,
    },
}

impl Termination {
    /// The loser, if there is one.
    pub const fn loser(&self) -> Option<Color> {
        match self {
            Self::Rules(Outcome::Checkmate { winner: Color::White }) => Some(Color::Black),
            Self::Rules(Outcome::Checkmate { winner: Color::Black }) => Some(Color::White),
            Self::Rules(_) | Self::DrawAdjudication | Self::MaxMoves | Self::DrawnTimeForfeit { .. } => None,
            Self::TablebaseAdjudication { loser } => *loser,
            Self::ResignAdjudication { loser }
            | Self::TimeForfeit { loser }
            | Self::IllegalMove { loser, .. }
            | Self::Disconnect { loser, .. }
            | Self::Stall { loser, .. } => Some(*loser),
        }
    }

    /// The result.
    pub fn result(&self) -> GameResult {
        self.loser().map_or(GameResult::Draw, |loser| GameResult::win(!loser))
    }

    /// Whether an engine is at fault, as opposed to losing by its play.
    pub const fn is_fault(&self) -> bool {
        self.culprit().is_some()
    }

    /// The side whose engine is at fault, if any.
    pub const fn culprit(&self) -> Option<Color> {
        match self {
            Self::TimeForfeit { loser }
            | Self::DrawnTimeForfeit { late: loser }
            | Self::IllegalMove { loser, .. }
            | Self::Disconnect { loser, .. }
            | Self::Stall { loser, .. } => Some(*loser),
            _ => None,
        }
    }

    /// The value of the `Termination` tag of PGN (9.8.1), which has no value for a stall.
    pub const fn tag(&self) -> &'static str {
        match self {
            Self::Rules(_) => "normal",
            Self::DrawAdjudication
            | Self::ResignAdjudication { .. }
            | Self::TablebaseAdjudication { .. }
            | Self::MaxMoves => "adjudication",
            Self::TimeForfeit { .. } | Self::DrawnTimeForfeit { .. } => "time forfeit",
            Self::IllegalMove { .. } => "rules infraction",
            Self::Disconnect { .. } => "abandoned",
            Self::Stall { .. } => "stalled connection",
        }
    }

    /// The name in tables of terminations.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Rules(outcome) => match outcome {
                Outcome::Checkmate { .. } => "mate",
                Outcome::Stalemate => "stalemate",
                Outcome::InsufficientMaterial => "insufficient material",
                Outcome::SeventyFiveMoves | Outcome::FiftyMoves => "50-move rule",
                Outcome::FivefoldRepetition | Outcome::ThreefoldRepetition => "repetition",
            },
            Self::DrawAdjudication => "draw adjudication",
            Self::ResignAdjudication { .. } => "win adjudication",
            Self::TablebaseAdjudication { .. } => "tablebase adjudication",
            Self::MaxMoves => "maximum of moves",
            Self::TimeForfeit { .. } => "time loss",
            Self::DrawnTimeForfeit { .. } => "time loss, drawn",
            Self::IllegalMove { .. } => "illegal move",
            Self::Disconnect { .. } => "disconnect",
            Self::Stall { .. } => "stall",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(outcome) => outcome.fmt(f),
            Self::DrawAdjudication => f.write_str("Draw by adjudication"),
            Self::ResignAdjudication { loser } => write!(f, "{} wins by adjudication", (!*loser).name()),
            Self::TablebaseAdjudication { loser: Some(loser) } => {
                write!(f, "{} wins by adjudication: endgame tables", (!*loser).name())
            }
            Self::TablebaseAdjudication { loser: None } => {
                f.write_str("Draw by adjudication: endgame tables")
            }
            Self::MaxMoves => f.write_str("Draw by adjudication: maximum of moves"),
            Self::TimeForfeit { loser } => write!(f, "{} loses on time", loser.name()),
            Self::DrawnTimeForfeit { late } => {
                write!(f, "Draw: {}'s time is up, but {} cannot mate", late.name(), (!*late).name())
            }
            Self::IllegalMove { loser, found: Some(found) } => {
                write!(f, "{} plays an illegal move: {found}", loser.name())
            }
            Self::IllegalMove { loser, found: None } => {
                write!(f, "{} plays an illegal move: none, though there are some", loser.name())
            }
            Self::Disconnect { loser, reason } => write!(f, "{} disconnects: {reason}", loser.name()),
            Self::Stall { loser, reason } => write!(f, "{} stalls: {reason}", loser.name()),
        }
    }
}
