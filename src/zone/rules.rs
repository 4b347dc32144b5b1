//! The rules of a game, which are fixed before its start.

use super::time_control::TimeControl;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The set of rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleSet {
    /// FIDE's Online Chess Regulations: the third occurrence of a position and fifty moves without progress end the
    /// game immediately, and a player who resigns has lost.
    #[default]
    Online,
    /// FIDE's Laws of Chess: draws by the third occurrence and by fifty moves must be claimed, optionally with an
    /// intended move; the fifth occurrence and 75 moves end the game immediately; if a player resigns and the
    /// opponent cannot checkmate, the game is drawn; a draw can be agreed only after both sides have moved.
    Otb,
}

/// The rules of a game, which do not change after its creation.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The set of rules.
    pub set: RuleSet,
    /// The time control of both sides.
    pub time_control: TimeControl,
    /// The time between the moment at which both players are seated and the start.
    #[serde(rename = "countdown_ms", with = "millis")]
    pub countdown: Duration,
    /// Whether no time is charged for the first move of each side.
    pub first_moves_free: bool,
    /// Whether moves may be taken back by agreement, and players may give time to the opponent.
    pub casual: bool,
    /// Whether a draw offer can be declined without a move.
    pub decline: bool,
    /// Whether a player may play berserk: halve the own clock before the first move, and lose the increment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub berserk: bool,
    /// The time for which a player must be away before the opponent may claim the game; `None` to disable such claims.
    #[serde(rename = "abandonment_ms", with = "some_millis")]
    pub abandonment: Option<Duration>,
    /// The maximum time of each move that may be left uncharged to make up for a slow connection; zero for none.
    #[serde(rename = "lag_compensation_ms", with = "millis", skip_serializing_if = "Duration::is_zero")]
    pub lag_compensation: Duration,
}

/// The time that the opponent gets for a wrong claim (Laws of Chess, 9.5.3).
pub const WRONG_CLAIM_BONUS: Duration = Duration::from_secs(120);
/// The time that a player gives the opponent with one act.
pub const GIVEN_TIME: Duration = Duration::from_secs(15);

/// Serialization of durations as milliseconds.
pub(super) mod millis {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub(in crate::zone) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    pub(in crate::zone) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

/// Serialization of optional durations as milliseconds.
mod some_millis {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::millis::serialize(time, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_and_read() {
        let rules = Rules {
            set: RuleSet::Otb,
            time_control: "40/5400:1800+30".parse().expect("a time control"),
            countdown: Duration::from_secs(5),
            abandonment: Some(Duration::from_secs(60)),
            ..Rules::default()
        };
        let json = serde_json::to_string(&rules).expect("it can be written");
        assert_eq!(
            json,
            "{\"set\":\"otb\",\"time_control\":\"40/5400:1800+30\",\"countdown_ms\":5000,\"first_moves_free\":false,\
             \"casual\":false,\"decline\":false,\"abandonment_ms\":60000}"
        );
        assert_eq!(serde_json::from_str::<Rules>(&json).ok(), Some(rules));
        assert_eq!(serde_json::from_str::<Rules>("{}").ok(), Some(Rules::default()));
        assert!(serde_json::from_str::<Rules>("{\"sett\":\"otb\"}").is_err());
    }
}
