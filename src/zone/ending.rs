//! The ending of a game.

use crate::chess::Color;
use serde::{Serialize, Serializer};
use std::fmt;

/// The reason of an arbiter for ending a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The game is adjudicated by its position.
    Adjudication,
    /// A player has broken the rules.
    RulesInfraction,
    /// A player has left.
    Abandoned,
    /// A player has died.
    Death,
    /// An unforeseen event has occurred.
    Emergency,
}

/// The reason why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A king is checkmated (Online 5.1).
    Checkmate,
    /// A player has resigned (Online 5.2).
    Resignation,
    /// A player has resigned, but the opponent cannot checkmate (Laws 5.1.2).
    DrawnResignation,
    /// A player's time has run out (Online 4.4).
    TimeForfeit,
    /// A player's time has run out, but the opponent cannot checkmate (Online 4.4).
    DrawnTimeForfeit,
    /// The players have agreed on a draw (Online 5.3).
    Agreement,
    /// The side to move has no legal move and is not in check (Online 5.4.2).
    Stalemate,
    /// Neither side can checkmate by any series of legal moves (Online 5.4.3).
    DeadPosition,
    /// The position has occurred for the third time (Online 5.4.1, Laws 9.2).
    ThreefoldRepetition,
    /// The position has occurred for the fifth time (Laws 9.6.1).
    FivefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move (Online 5.4.4, Laws 9.3).
    FiftyMoves,
    /// Seventy-five moves by each side without a capture or a pawn move (Laws 9.6.2).
    SeventyFiveMoves,
    /// A player has been away for too long, and the opponent has claimed the game.
    Abandonment,
    /// The game was aborted during its first moves, and does not count.
    Aborted,
    /// An arbiter has ended the game.
    Arbiter(Cause),
}

impl Reason {
    /// The name of the reason in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Resignation => "resignation",
            Self::DrawnResignation => "drawn_resignation",
            Self::TimeForfeit => "time_forfeit",
            Self::DrawnTimeForfeit => "drawn_time_forfeit",
            Self::Agreement => "agreement",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead_position",
            Self::ThreefoldRepetition => "threefold_repetition",
            Self::FivefoldRepetition => "fivefold_repetition",
            Self::FiftyMoves => "fifty_moves",
            Self::SeventyFiveMoves => "seventy_five_moves",
            Self::Abandonment => "abandonment",
            Self::Aborted => "aborted",
            Self::Arbiter(Cause::Adjudication) => "adjudication",
            Self::Arbiter(Cause::RulesInfraction) => "rules_infraction",
            Self::Arbiter(Cause::Abandoned) => "abandoned",
            Self::Arbiter(Cause::Death) => "death",
            Self::Arbiter(Cause::Emergency) => "emergency",
        }
    }

    /// The value of the PGN tag `Termination` (9.8.1).
    pub const fn tag(self) -> &'static str {
        match self {
            Self::TimeForfeit | Self::DrawnTimeForfeit => "time forfeit",
            Self::Abandonment | Self::Arbiter(Cause::Abandoned) => "abandoned",
            Self::Aborted => "unterminated",
            Self::Arbiter(Cause::Adjudication) => "adjudication",
            Self::Arbiter(Cause::RulesInfraction) => "rules infraction",
            Self::Arbiter(Cause::Death) => "death",
            Self::Arbiter(Cause::Emergency) => "emergency",
            _ => "normal",
        }
    }
}

/// The result of a game and its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// The reason of the ending.
    pub reason: Reason,
}

impl Ending {
    /// A draw for this reason.
    pub const fn draw(reason: Reason) -> Self {
        Self { winner: None, reason }
    }

    /// A win for this reason.
    pub const fn win(winner: Color, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the game does not count.
    pub const fn result(self) -> &'static str {
        match (self.winner, self.reason) {
            (_, Reason::Aborted) => "*",
            (Some(Color::White), _) => "1-0",
            (Some(Color::Black), _) => "0-1",
            (None, _) => "1/2-1/2",
        }
    }
}

impl Serialize for Ending {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The serialized form.
        #[derive(Serialize)]
        struct Written {
            result: &'static str,
            reason: &'static str,
            text: String,
        }
        Written { result: self.result(), reason: self.reason.name(), text: self.to_string() }
            .serialize(serializer)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let winner = self.winner.map_or("nobody", Color::name);
        let loser = self.winner.map_or("nobody", |winner| (!winner).name());
        match self.reason {
            Reason::Checkmate => write!(f, "{winner} mates"),
            Reason::Resignation => write!(f, "{loser} resigns"),
            Reason::DrawnResignation => f.write_str("Draw: a player resigns, but the opponent cannot mate"),
            Reason::TimeForfeit => write!(f, "{loser} loses on time"),
            Reason::DrawnTimeForfeit => {
                f.write_str("Draw: a player's time is up, but the opponent cannot mate")
            }
            Reason::Agreement => f.write_str("Draw by agreement"),
            Reason::Stalemate => f.write_str("Draw by stalemate"),
            Reason::DeadPosition => f.write_str("Draw: neither side can mate"),
            Reason::ThreefoldRepetition => f.write_str("Draw by threefold repetition"),
            Reason::FivefoldRepetition => f.write_str("Draw by fivefold repetition"),
            Reason::FiftyMoves => f.write_str("Draw by the 50-move rule"),
            Reason::SeventyFiveMoves => f.write_str("Draw by the 75-move rule"),
            Reason::Abandonment if self.winner.is_some() => write!(f, "{loser} has left"),
            Reason::Abandonment => f.write_str("Draw: a player has left"),
            Reason::Aborted => f.write_str("The game is aborted"),
            Reason::Arbiter(_) if self.winner.is_some() => {
                write!(f, "{winner} wins by the arbiter's decision: {}", self.reason.tag())
            }
            Reason::Arbiter(_) => write!(f, "Draw by the arbiter's decision: {}", self.reason.tag()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_have_a_result_a_tag_and_a_text() {
        let cases = [
            (Ending::win(Color::Black, Reason::TimeForfeit), "0-1", "time forfeit", "White loses on time"),
            (Ending::win(Color::White, Reason::Resignation), "1-0", "normal", "Black resigns"),
            (Ending::draw(Reason::FiftyMoves), "1/2-1/2", "normal", "Draw by the 50-move rule"),
            (Ending::draw(Reason::Aborted), "*", "unterminated", "The game is aborted"),
            (
                Ending::win(Color::White, Reason::Arbiter(Cause::Death)),
                "1-0",
                "death",
                "White wins by the arbiter's decision: death",
            ),
        ];
        for (ending, result, tag, text) in cases {
            assert_eq!(
                (ending.result(), ending.reason.tag(), ending.to_string().as_str()),
                (result, tag, text)
            );
        }
        let json =
            serde_json::to_string(&Ending::win(Color::White, Reason::Checkmate)).expect("it can be written");
        assert_eq!(json, r#"{"result":"1-0","reason":"checkmate","text":"White mates"}"#);
    }
}
