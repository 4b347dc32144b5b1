//! The events of a game, and their effects.

use super::clock::Moment;
use super::ending::{Cause, Ending};
use super::input::{EnteredMove, IllegalEntry};
use super::rules::millis;
use crate::chess::Color;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// The actor of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The player with White.
    White,
    /// The player with Black.
    Black,
    /// The assistant who moves the pieces for White.
    WhiteAssistant,
    /// The assistant who moves the pieces for Black.
    BlackAssistant,
    /// The arbiter.
    Arbiter,
    /// A spectator, who cannot act.
    Spectator,
    /// The zone itself, for acts that depend only on the time.
    Zone,
}

impl Actor {
    /// The player with this color.
    pub const fn player(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// The assistant who moves the pieces for this color.
    pub const fn assistant(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteAssistant,
            Color::Black => Self::BlackAssistant,
        }
    }
}

/// The maximum number of premoves of a player.
pub(super) const MAX_PREMOVES: usize = 16;

/// The options of a player (Online 3.6), which are hidden from the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Whether one square states a move if only one legal move involves it.
    pub smart_move: bool,
    /// Whether premoves may be entered.
    pub premove: bool,
    /// Whether pawns are promoted to queens without a question.
    pub auto_queen: bool,
    /// Whether moves are confirmed before they are sent. The page asks for it while the clock runs.
    pub confirm_move: bool,
}

/// An act of an actor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// A player takes the seat.
    Sit {
        /// The name of the player.
        name: String,
    },
    /// A player has connected again.
    Connect,
    /// A player has disconnected. The clock continues to run.
    Disconnect,
    /// A player chooses options.
    Choose {
        /// All options.
        options: Options,
    },
    /// A player moves.
    Move {
        /// The move.
        #[serde(rename = "move")]
        mv: EnteredMove,
    },
    /// A player enters a premove, the reply to the opponent's next move. It replaces earlier premoves unless `add` is
    /// set.
    Premove {
        /// The move.
        #[serde(rename = "move")]
        mv: EnteredMove,
        /// Whether the premove is added after the earlier ones instead of replacing them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        add: bool,
    },
    /// A player cancels all premoves.
    CancelPremove,
    /// A player offers a draw.
    OfferDraw,
    /// A player accepts the draw that the opponent has offered.
    AcceptDraw,
    /// A player declines the draw that the opponent has offered, without moving.
    DeclineDraw,
    /// The player to move claims a draw by repetition or by the 50-move rule (Laws 9.2, 9.3).
    ClaimDraw {
        /// The intended move that leads to the draw; `None` if the position is already drawn.
        #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
        mv: Option<EnteredMove>,
    },
    /// A player resigns.
    Resign,
    /// The game is aborted and does not count.
    Abort,
    /// A player claims the game after the opponent has left.
    ClaimAbandoned {
        /// Whether the player claims only a draw.
        draw: bool,
    },
    /// A player asks to take back the player's own last move.
    OfferTakeback,
    /// A player accepts the takeback that the opponent has asked for.
    AcceptTakeback,
    /// A player declines the takeback that the opponent has asked for.
    DeclineTakeback,
    /// A player gives the opponent [`GIVEN_TIME`](super::GIVEN_TIME).
    GiveTime,
    /// A player halves the own clock before the first move, and loses the increment.
    Berserk,
    /// The arbiter stops the clocks.
    Pause,
    /// The arbiter resumes the game.
    Resume,
    /// The arbiter adds time to a clock.
    AddTime {
        /// The side of the clock.
        #[serde(with = "side")]
        side: Color,
        /// The added time.
        #[serde(rename = "time_ms", with = "millis")]
        time: Duration,
    },
    /// From now on, this time of each turn is not charged to a player, whose moves need as long through the network.
    /// The caller measures the connections.
    CompensateLag {
        /// The side of the player.
        #[serde(with = "side")]
        side: Color,
        /// The time of each turn.
        #[serde(rename = "time_ms", with = "millis")]
        time: Duration,
    },
    /// The arbiter ends the game.
    Adjudicate {
        /// The winner; `None` for a draw.
        #[serde(with = "some_side")]
        winner: Option<Color>,
        /// The reason of the decision.
        cause: Cause,
    },
    /// The arbiter allows an assistant to move the pieces for a player (Online 3.8).
    AllowAssistant {
        /// The side of the player.
        #[serde(with = "side")]
        side: Color,
        /// The name of the assistant.
        name: String,
    },
    /// The countdown ends, and the game starts.
    Begin,
    /// The flag of the running clock falls.
    Flag,
}

impl Act {
    /// Whether a player can repeat the act without limit, although no game needs it so often.
    pub const fn is_repeatable(&self) -> bool {
        matches!(
            self,
            Self::Connect | Self::OfferDraw | Self::ClaimDraw { .. } | Self::OfferTakeback | Self::GiveTime
        )
    }

    /// Whether only the player may know of the act: later effects of it are reported when they occur.
    pub const fn is_private(&self) -> bool {
        matches!(self, Self::Choose { .. } | Self::Premove { .. } | Self::CancelPremove)
    }
}

/// An act of an actor at some moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// The moment of the act.
    #[serde(rename = "at_ms")]
    pub at: Moment,
    /// The actor.
    pub by: Actor,
    /// The act.
    #[serde(flatten)]
    pub act: Act,
}

/// An effect of an event, for players and spectators.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Effect {
    /// A player has taken a seat.
    Seated {
        /// The side of the seat.
        #[serde(with = "side")]
        side: Color,
    },
    /// The game has started.
    Began,
    /// A move has been made.
    Moved {
        /// The side that has moved.
        #[serde(with = "side")]
        side: Color,
        /// The move; castling is written as the king's move to the square of the rook.
        #[serde(rename = "move")]
        mv: EnteredMove,
        /// Whether the move is a premove.
        premove: bool,
    },
    /// A player has halved the own clock, and has no increment any more.
    Berserk {
        /// The player.
        #[serde(with = "side")]
        side: Color,
    },
    /// A player has chosen options or changed premoves. The effect is private to that player.
    Noted {
        /// The player.
        #[serde(with = "side")]
        side: Color,
    },
    /// The next premove of a player is illegal, and all premoves of that player are dropped. The effect is private to
    /// that player.
    PremoveDropped {
        /// The player.
        #[serde(with = "side")]
        side: Color,
    },
    /// A player has offered a draw.
    DrawOffered {
        /// The player.
        #[serde(with = "side")]
        side: Color,
    },
    /// A draw offer is no longer valid: the opponent has moved or declined it, or moves have been taken back.
    DrawOfferEnded {
        /// The player who made the offer.
        #[serde(with = "side")]
        side: Color,
    },
    /// A claim of a draw was wrong. It counts as an offer, and the opponent gets two minutes if the game is timed.
    ClaimRejected {
        /// The player who made the claim.
        #[serde(with = "side")]
        side: Color,
    },
    /// A player asks to take back a move.
    TakebackOffered {
        /// The player.
        #[serde(with = "side")]
        side: Color,
    },
    /// A request to take back a move is no longer valid.
    TakebackEnded {
        /// The player who made the request.
        #[serde(with = "side")]
        side: Color,
    },
    /// Moves have been taken back.
    TakenBack {
        /// The number of plies, of both sides together.
        plies: usize,
    },
    /// A player has disconnected.
    Away {
        /// The player.
        #[serde(with = "side")]
        side: Color,
    },
    /// A player has connected again.
    Back {
        /// The player.
        #[serde(with = "side")]
        side: Color,
    },
    /// The arbiter has stopped the clocks.
    Paused,
    /// The arbiter has resumed the game.
    Resumed,
    /// Time has been added to a clock.
    TimeAdded {
        /// The side of the clock.
        #[serde(with = "side")]
        side: Color,
        /// The added time.
        #[serde(rename = "time_ms", with = "millis")]
        time: Duration,
    },
    /// The time of each turn that is not charged to a player because of the network has changed.
    LagCompensated {
        /// The side of the player.
        #[serde(with = "side")]
        side: Color,
    },
    /// The arbiter has allowed an assistant for a player.
    AssistantAllowed {
        /// The side of the player.
        #[serde(with = "side")]
        side: Color,
    },
    /// The game is over.
    Ended {
        /// The ending of the game.
        ending: Ending,
    },
}

impl Effect {
    /// The only player who receives the effect; `None` if everyone does.
    pub const fn private_to(&self) -> Option<Color> {
        match self {
            Self::Noted { side } | Self::PremoveDropped { side } => Some(*side),
            _ => None,
        }
    }
}

/// The reason why an event is refused. The game is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game has not started.
    #[error("the game has not begun")]
    NotBegun,
    /// The game is paused.
    #[error("the game is paused")]
    Paused,
    /// The game is not paused.
    #[error("the game is not paused")]
    NotPaused,
    /// The actor is not entitled to the act.
    #[error("this is not for you to do")]
    NotYours,
    /// The opponent is to move (1.3).
    #[error("the opponent has the move")]
    NotYourTurn,
    /// The player is to move, so a premove is not possible.
    #[error("you have the move")]
    YourTurn,
    /// The maximum number of premoves has been entered.
    #[error("at most {MAX_PREMOVES} moves can be entered before")]
    TooManyPremoves,
    /// The move is not legal (Online 3.3).
    #[error("illegal move: {0}")]
    IllegalMove(#[from] IllegalEntry),
    /// Another player has the seat.
    #[error("the seat is taken")]
    SeatTaken,
    /// A name is empty or too long, or contains control characters.
    #[error("a name has 1 to 100 characters")]
    Name,
    /// There is no offer to accept or decline.
    #[error("nothing is offered")]
    NothingOffered,
    /// The player has already made this offer, which cannot be withdrawn.
    #[error("it is offered already")]
    AlreadyOffered,
    /// The rules of the game do not include the act, or the player has not switched it on.
    #[error("the rules of this game do not have that")]
    NotInRules,
    /// The act is not allowed yet: too few moves have been made, or too little time has passed.
    #[error("it is too early for that")]
    TooEarly,
    /// The player has done this too often in the game.
    #[error("you have done that too often in this game")]
    TooOften,
    /// The act is no longer allowed: too many moves have been made, or in a replay the event is out of order.
    #[error("it is too late for that")]
    TooLate,
}

/// Serialization of a color as `white` or `black`.
mod side {
    use crate::chess::Color;
    use serde::de::{Deserialize, Deserializer, Error, Unexpected};
    use serde::ser::Serializer;

    pub(super) const fn name(color: Color) -> &'static str {
        match color {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    pub(super) fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(name(*color))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        named(&String::deserialize(deserializer)?)
    }

    pub(super) fn named<E: Error>(text: &str) -> Result<Color, E> {
        let found = Color::ALL.into_iter().find(|&color| name(color) == text);
        found.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &"white or black"))
    }
}

/// Serialization of an optional color.
mod some_side {
    use super::side;
    use crate::chess::Color;
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        match color {
            Some(color) => side::serialize(color, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        Option::<String>::deserialize(deserializer)?.map(|text| side::named(&text)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_stable_names() {
        let mv = "e7e8q".parse().expect("a move");
        let cases = [
            (Actor::White, Act::Sit { name: "Ann".to_owned() }, r#""by":"white","act":"sit","name":"Ann""#),
            (Actor::Black, Act::Move { mv }, r#""by":"black","act":"move","move":"e7e8q""#),
            (
                Actor::BlackAssistant,
                Act::Premove { mv, add: false },
                r#""by":"black_assistant","act":"premove","move":"e7e8q""#,
            ),
            (
                Actor::Black,
                Act::Premove { mv, add: true },
                r#""by":"black","act":"premove","move":"e7e8q","add":true"#,
            ),
            (Actor::White, Act::ClaimDraw { mv: None }, r#""by":"white","act":"claim_draw""#),
            (
                Actor::White,
                Act::ClaimDraw { mv: Some(mv) },
                r#""by":"white","act":"claim_draw","move":"e7e8q""#,
            ),
            (
                Actor::Arbiter,
                Act::AddTime { side: Color::Black, time: Duration::from_secs(120) },
                r#""by":"arbiter","act":"add_time","side":"black","time_ms":120000"#,
            ),
            (
                Actor::Arbiter,
                Act::Adjudicate { winner: None, cause: Cause::Emergency },
                r#""by":"arbiter","act":"adjudicate","winner":null,"cause":"emergency""#,
            ),
            (
                Actor::White,
                Act::Choose { options: Options { premove: true, ..Options::default() } },
                r#""by":"white","act":"choose","options":{"smart_move":false,"premove":true,"auto_queen":false,"confirm_move":false}"#,
            ),
            (Actor::Black, Act::Berserk, r#""by":"black","act":"berserk""#),
            (Actor::Zone, Act::Flag, r#""by":"zone","act":"flag""#),
        ];
        for (by, act, expected) in cases {
            let event = Event { at: Moment::from_millis(1500), by, act };
            let json = serde_json::to_string(&event).expect("it can be written");
            assert_eq!(json, format!("{{\"at_ms\":1500,{expected}}}"));
            assert_eq!(serde_json::from_str::<Event>(&json).ok(), Some(event), "{json}");
        }
        for wrong in [
            r#"{"at_ms":1,"by":"white","act":"fly"}"#,
            r#"{"at_ms":1,"by":"green","act":"resign"}"#,
            r#"{"at_ms":-1,"by":"white","act":"resign"}"#,
            r#"{"at_ms":1,"by":"white","act":"move","move":"e2"}"#,
            r#"{"at_ms":1,"by":"arbiter","act":"add_time","side":"red","time_ms":1}"#,
        ] {
            assert!(serde_json::from_str::<Event>(wrong).is_err(), "{wrong}");
        }
    }
}
