//! What happens to a game, and what comes of it.

use super::clock::Moment;
use super::ending::{Cause, Ending};
use super::input::{EnteredMove, IllegalEntry};
use super::rules::millis;
use crate::chess::Color;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// Who does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The player with White.
    White,
    /// The player with Black.
    Black,
    /// Who moves the pieces for White.
    WhiteAssistant,
    /// Who moves the pieces for Black.
    BlackAssistant,
    /// The arbiter.
    Arbiter,
    /// Somebody who watches, and can do nothing.
    Spectator,
    /// The zone itself, when a time has come.
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

    /// Who moves the pieces for this color.
    pub const fn assistant(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteAssistant,
            Color::Black => Self::BlackAssistant,
        }
    }
}

/// The most moves that a player may have entered before.
pub(super) const MAX_PREMOVES: usize = 16;

/// What a player may have switched on (Online 3.6). The opponent does not see it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// One square is enough if only one move involves it.
    pub smart_move: bool,
    /// Moves may be entered before the opponent has moved.
    pub premove: bool,
    /// Pawns become queens without a question.
    pub auto_queen: bool,
    /// Moves are confirmed before they are sent. The page does that, while the clock runs.
    pub confirm_move: bool,
}

/// What somebody does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// A player takes the seat, under this name.
    Sit {
        /// The name.
        name: String,
    },
    /// A player is there again.
    Connect,
    /// A player is gone. The clock runs on.
    Disconnect,
    /// A player chooses options.
    Choose {
        /// All of them.
        options: Options,
    },
    /// A player moves.
    Move {
        /// The move.
        #[serde(rename = "move")]
        mv: EnteredMove,
    },
    /// A player enters the answer to the opponent's next move. It replaces what was entered before.
    Premove {
        /// The move.
        #[serde(rename = "move")]
        mv: EnteredMove,
        /// Whether it comes after what was entered before, and replaces nothing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        add: bool,
    },
    /// A player takes all that was entered back.
    CancelPremove,
    /// A player offers a draw.
    OfferDraw,
    /// A player accepts the draw that the opponent has offered.
    AcceptDraw,
    /// A player declines it without moving.
    DeclineDraw,
    /// A player who has the move claims a draw by repetition or by fifty moves (Laws 9.2, 9.3).
    ClaimDraw {
        /// The intended move that brings it about; `None` if the position already does.
        #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
        mv: Option<EnteredMove>,
    },
    /// A player resigns.
    Resign,
    /// The game is broken off and does not count.
    Abort,
    /// A player claims the game that the opponent has left.
    ClaimAbandoned {
        /// Whether a draw is enough.
        draw: bool,
    },
    /// A player asks to take the last own move back.
    OfferTakeback,
    /// A player lets the opponent take it back.
    AcceptTakeback,
    /// A player does not.
    DeclineTakeback,
    /// A player gives the opponent some time.
    GiveTime,
    /// The arbiter stops the clocks.
    Pause,
    /// The arbiter lets the game go on.
    Resume,
    /// The arbiter adds time.
    AddTime {
        /// To whose clock.
        #[serde(with = "side")]
        side: Color,
        /// How much.
        #[serde(rename = "time_ms", with = "millis")]
        time: Duration,
    },
    /// The arbiter ends the game.
    Adjudicate {
        /// The winner; `None` for a draw.
        #[serde(with = "some_side")]
        winner: Option<Color>,
        /// Why.
        cause: Cause,
    },
    /// The arbiter lets somebody move the pieces for a player (Online 3.8).
    AllowAssistant {
        /// For whom.
        #[serde(with = "side")]
        side: Color,
        /// The name.
        name: String,
    },
    /// The countdown is over.
    Begin,
    /// The flag of the running clock falls.
    Flag,
}

impl Act {
    /// Whether it is nobody's business but the player's own: what it brings about later is told then.
    pub const fn is_private(&self) -> bool {
        matches!(self, Self::Choose { .. } | Self::Premove { .. } | Self::CancelPremove)
    }
}

/// An act, by somebody at some time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// When.
    #[serde(rename = "at_ms")]
    pub at: Moment,
    /// Who.
    pub by: Actor,
    /// What.
    #[serde(flatten)]
    pub act: Act,
}

/// What has come of an event, for those who watch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Effect {
    /// A seat is taken.
    Seated {
        /// Which.
        #[serde(with = "side")]
        side: Color,
    },
    /// The game has begun.
    Began,
    /// A move has been made.
    Moved {
        /// By whom.
        #[serde(with = "side")]
        side: Color,
        /// The move; castling is the king onto the rook.
        #[serde(rename = "move")]
        mv: EnteredMove,
        /// Whether it had been entered before.
        premove: bool,
    },
    /// A player has chosen options, or changed the answer that is entered. Only that player is told.
    Noted {
        /// Who.
        #[serde(with = "side")]
        side: Color,
    },
    /// The answer that was entered has turned out to be illegal; what was to come after it is dropped with it. Only
    /// that player is told.
    PremoveDropped {
        /// Whose.
        #[serde(with = "side")]
        side: Color,
    },
    /// A draw is offered.
    DrawOffered {
        /// By whom.
        #[serde(with = "side")]
        side: Color,
    },
    /// The offer of a draw is no longer valid: the opponent has moved, or declined it, or moves have been taken back.
    DrawOfferEnded {
        /// Whose.
        #[serde(with = "side")]
        side: Color,
    },
    /// A claim of a draw was wrong. It stands as an offer, and the opponent gets two minutes.
    ClaimRejected {
        /// Whose.
        #[serde(with = "side")]
        side: Color,
    },
    /// A player asks to take a move back.
    TakebackOffered {
        /// Who.
        #[serde(with = "side")]
        side: Color,
    },
    /// The question is no longer asked.
    TakebackEnded {
        /// Whose.
        #[serde(with = "side")]
        side: Color,
    },
    /// Moves have been taken back.
    TakenBack {
        /// How many, of both sides.
        plies: usize,
    },
    /// A player is gone.
    Away {
        /// Who.
        #[serde(with = "side")]
        side: Color,
    },
    /// A player is there again.
    Back {
        /// Who.
        #[serde(with = "side")]
        side: Color,
    },
    /// The clocks stand still.
    Paused,
    /// The game goes on.
    Resumed,
    /// A clock has been given time.
    TimeAdded {
        /// Whose.
        #[serde(with = "side")]
        side: Color,
        /// How much.
        #[serde(rename = "time_ms", with = "millis")]
        time: Duration,
    },
    /// Somebody may move the pieces for a player.
    AssistantAllowed {
        /// For whom.
        #[serde(with = "side")]
        side: Color,
    },
    /// The game is over.
    Ended {
        /// How.
        ending: Ending,
    },
}

impl Effect {
    /// The only player who is to be told; `None` if all are.
    pub const fn private_to(&self) -> Option<Color> {
        match self {
            Self::Noted { side } | Self::PremoveDropped { side } => Some(*side),
            _ => None,
        }
    }
}

/// Why an event is refused. Nothing has changed by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// Nothing ends twice.
    #[error("the game is over")]
    Over,
    /// Before the start there are no moves.
    #[error("the game has not begun")]
    NotBegun,
    /// While the clocks stand still there are no moves.
    #[error("the game is paused")]
    Paused,
    /// The game goes on already.
    #[error("the game is not paused")]
    NotPaused,
    /// It is not for this actor to do that.
    #[error("this is not for you to do")]
    NotYours,
    /// The opponent has the move (1.3).
    #[error("the opponent has the move")]
    NotYourTurn,
    /// The player has the move, so there is nothing to enter before.
    #[error("you have the move")]
    YourTurn,
    /// So many moves have been entered before that no more fit.
    #[error("at most {MAX_PREMOVES} moves can be entered before")]
    TooManyPremoves,
    /// The move is not legal (Online 3.3).
    #[error("illegal move: {0}")]
    IllegalMove(#[from] IllegalEntry),
    /// Somebody else has the seat.
    #[error("the seat is taken")]
    SeatTaken,
    /// A name is empty or too long.
    #[error("a name has 1 to 100 characters")]
    Name,
    /// There is no offer that could be accepted or declined.
    #[error("nothing is offered")]
    NothingOffered,
    /// The offer is there already, and cannot be withdrawn.
    #[error("it is offered already")]
    AlreadyOffered,
    /// The rules of this game do not have it, or the player has not switched it on.
    #[error("the rules of this game do not have that")]
    NotInRules,
    /// Too few moves have been made.
    #[error("it is too early for that")]
    TooEarly,
    /// Too many moves have been made, or too little time has passed.
    #[error("it is too late for that")]
    TooLate,
}

/// A color as `white` or `black`.
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

/// A color or none.
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
