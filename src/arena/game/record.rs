//! A game as it was played, and how it ended.

use crate::chess::{Color, Move, Outcome, Position};
use crate::client::SearchReply;
use crate::notation::Excerpt;
use crate::notation::pgn::GameResult;
use std::fmt;
use std::time::{Duration, SystemTime};

/// A move of a game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The engine's reply; `None` for a move of the opening.
    pub reply: Option<SearchReply>,
    /// The mover's clock afterwards; `None` without a clock.
    pub left: Option<Duration>,
}

/// A whole game.
#[derive(Clone, Debug)]
pub struct Record {
    /// The start position.
    pub start: Position,
    /// Its moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    /// The final position.
    pub end: Position,
    /// The reason why it ended.
    pub termination: Termination,
    /// The time at which it started.
    pub started: SystemTime,
    /// The time it took.
    pub duration: Duration,
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// By the rules of chess.
    Rules(Outcome),
    /// Both scores have been near zero for long.
    DrawAdjudication,
    /// A side's scores have been lost for long.
    ResignAdjudication {
        /// Who is lost.
        loser: Color,
    },
    /// Endgame tables have its result.
    TablebaseAdjudication {
        /// Who is lost, `None` in a draw.
        loser: Option<Color>,
    },
    /// The game has become too long.
    MaxMoves,
    /// A side has used up its time.
    TimeForfeit {
        /// Who.
        loser: Color,
    },
    /// A side has used up its time, but the other one cannot mate by any series of legal moves.
    DrawnTimeForfeit {
        /// Who has used it up.
        late: Color,
    },
    /// A side has played an illegal move.
    IllegalMove {
        /// Who.
        loser: Color,
        /// The move it has played; `None` if it stated that there is none.
        found: Option<Excerpt>,
    },
    /// A side's process has ended.
    Disconnect {
        /// Whose.
        loser: Color,
        /// The details.
        reason: String,
    },
    /// A side's process does not answer.
    Stall {
        /// Whose.
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

    /// Whether an engine is at fault, not just its play.
    pub const fn is_fault(&self) -> bool {
        self.culprit().is_some()
    }

    /// The side that is at fault, if one is.
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

    /// The value of the `Termination` tag of PGN (9.8.1), which has no word for a stall.
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

    /// Its name in tables of counts.
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
