//! The conditions of a tournament, which are fixed at its creation.

use super::failure::Failure;
use super::new_game::NewGame;
use super::standings::TieBreak;
use serde::{Deserialize, Serialize};

/// The maximum number of rounds of a Swiss tournament.
const MAX_SWISS_ROUNDS: u16 = 31;
/// The maximum duration of an arena, in minutes.
const MAX_ARENA_MINUTES: u16 = 240;
/// The maximum number of characters in a name.
const MAX_NAME: usize = 100;

/// The pairing system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Format {
    /// Each player meets every other player.
    RoundRobin {
        /// Whether they meet twice, with both colors.
        #[serde(default)]
        double: bool,
    },
    /// Players with equal points meet.
    Swiss {
        /// The number of rounds.
        rounds: u16,
    },
    /// Players without a game are paired again, until the time is up.
    Arena {
        /// The duration from the start.
        minutes: u16,
    },
}

impl Format {
    /// The tie breaks, in order of precedence.
    pub(super) const fn tie_breaks(self) -> &'static [TieBreak] {
        match self {
            Self::RoundRobin { .. } => {
                &[TieBreak::DirectEncounter, TieBreak::SonnebornBerger, TieBreak::Wins]
            }
            Self::Swiss { .. } => &[TieBreak::DirectEncounter, TieBreak::Buchholz, TieBreak::SonnebornBerger],
            Self::Arena { .. } => &[TieBreak::Wins],
        }
    }
}

/// The condition for the start of the games of a round.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Begin {
    /// All games start simultaneously.
    #[default]
    AtOnce,
    /// Each game starts when both players have reported that they are ready.
    WhenReady,
}

/// The request for a new tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTournament {
    /// The name of the tournament.
    pub(super) name: String,
    /// The pairing system.
    pub(super) format: Format,
    /// The condition for the start of the games of a round.
    #[serde(default)]
    pub(super) begin: Begin,
    /// The settings of all games, without their seats.
    #[serde(default)]
    pub(super) game: NewGame,
}

impl NewTournament {
    /// Checks the conditions, and trims the name.
    ///
    /// # Errors
    /// [`Failure`] if a condition is invalid.
    pub(super) fn checked(self) -> Result<Self, Failure> {
        let name = checked_name(&self.name)?;
        match self.format {
            Format::Swiss { rounds } if !(1..=MAX_SWISS_ROUNDS).contains(&rounds) => {
                let text =
                    format!("expected 1 to {MAX_SWISS_ROUNDS} rounds of a Swiss tournament, found {rounds}");
                return Err(Failure::bad("bad_rounds", text));
            }
            Format::Arena { minutes } if !(1..=MAX_ARENA_MINUTES).contains(&minutes) => {
                let text = format!("expected an arena of 1 to {MAX_ARENA_MINUTES} minutes, found {minutes}");
                return Err(Failure::bad("bad_minutes", text));
            }
            Format::Arena { .. } if self.begin == Begin::WhenReady => {
                let text = "expected begin at_once: in an arena nobody waits for the opponent";
                return Err(Failure::bad("bad_begin", text));
            }
            Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Arena { .. } => {}
        }
        self.game.check_for_tournament()?;
        Ok(Self { name, ..self })
    }
}

/// Checks a name, and trims white space.
///
/// # Errors
/// [`Failure`] if the name is empty or too long, or contains control characters.
pub(super) fn checked_name(name: &str) -> Result<String, Failure> {
    let name = name.trim();
    if (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(Failure::bad("name", format!("expected a name of 1 to {MAX_NAME} letters")))
}
