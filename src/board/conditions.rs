//! What is fixed when a tournament is made.

use super::failure::Failure;
use super::new_game::NewGame;
use super::standings::TieBreak;
use serde::{Deserialize, Serialize};

/// The most rounds of a Swiss tournament.
const MAX_SWISS_ROUNDS: u16 = 31;
/// The longest arena.
const MAX_ARENA_MINUTES: u16 = 240;
/// The most letters of a name.
const MAX_NAME: usize = 100;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Format {
    /// Each player meets every other one.
    RoundRobin {
        /// Twice, with both colors.
        #[serde(default)]
        double: bool,
    },
    /// Players with equal points meet.
    Swiss {
        /// The number of rounds.
        rounds: u16,
    },
    /// Whoever is free is paired again, until the time is up.
    Arena {
        /// From the start on.
        minutes: u16,
    },
}

impl Format {
    /// What decides between equal points, in this order.
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

/// When the games of a round start.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Begin {
    /// All at once.
    #[default]
    AtOnce,
    /// Each when both players have said that they are there.
    WhenReady,
}

/// What a new tournament is to be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTournament {
    /// Its name.
    pub(super) name: String,
    /// Who meets whom.
    pub(super) format: Format,
    /// When the games of a round start.
    #[serde(default)]
    pub(super) begin: Begin,
    /// What all games are like; their seats are not stated.
    #[serde(default)]
    pub(super) game: NewGame,
}

impl NewTournament {
    /// The same with the name as it is shown.
    ///
    /// # Errors
    /// [`Failure`] with what is wrong.
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

/// A name without what is around it.
///
/// # Errors
/// [`Failure`] if it is empty, too long, or has characters that are not shown.
pub(super) fn checked_name(name: &str) -> Result<String, Failure> {
    let name = name.trim();
    if (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(Failure::bad("name", format!("expected a name of 1 to {MAX_NAME} letters")))
}
