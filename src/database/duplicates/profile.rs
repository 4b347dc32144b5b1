//! The players, dates and events of games, as far as they are known, and of groups of games that agree in them.

use super::digest::{Digest, Digests};
use crate::database::names::{NameParts, surnames};
use crate::database::players::is_known_name;
use crate::notation::pgn::Date;
use std::collections::HashMap;

/// The names of the players of compared games.
pub(super) struct PlayerNames {
    /// For each text, the number of the surname; with exact names the number of the text.
    surnames: Vec<u32>,
    /// The names of the texts, and after them names that are joined from several; empty with exact names.
    names: Vec<NameParts>,
}

impl PlayerNames {
    /// The names of the games with these indices. If they are exact, only equal spellings agree.
    pub(super) fn new(all: &Digests, games: impl Iterator<Item = usize>, are_exact: bool) -> Self {
        let texts: Vec<&str> = all.texts.iter().collect();
        let mut numbers: Vec<u32> = (0..texts.len() as u32).collect();
        if are_exact {
            return Self { surnames: numbers, names: Vec::new() };
        }
        let mut is_player = vec![false; texts.len()];
        for number in games.flat_map(|game| &all.games[game].texts[..2]) {
            is_player[*number as usize] = true;
        }
        let players =
            || texts.iter().zip(&is_player).filter(|(_, is_player)| **is_player).map(|(text, _)| *text);
        let known = surnames(players());
        let part = |(text, is_player): (&&str, &bool)| {
            if *is_player { NameParts::of(text, &known) } else { NameParts::default() }
        };
        let names: Vec<NameParts> = texts.iter().zip(&is_player).map(part).collect();
        let mut firsts: HashMap<&str, u32> = HashMap::new();
        for (number, name) in numbers.iter_mut().zip(&names) {
            *number = *firsts.entry(name.surname()).or_insert(*number);
        }
        Self { surnames: numbers, names }
    }

    /// The number that the names of a player have in common, as that of a text.
    pub(super) fn surname(&self, text: u32) -> u32 {
        self.surnames[text as usize]
    }

    /// Whether two names may be those of one player.
    pub(super) fn agree(&self, one: u32, other: u32) -> bool {
        let name = |number: u32| self.names.get(number as usize);
        one == other || name(one).zip(name(other)).is_some_and(|(one, other)| one.may_equal(other))
    }

    /// The number of the name with all that two names of one player state.
    fn join(&mut self, one: u32, other: u32) -> u32 {
        if one == other {
            return one;
        }
        let [first, second] = [one, other].map(|number| &self.names[number as usize]);
        let joined = first.joined(second);
        if joined == *first {
            one
        } else if joined == *second {
            other
        } else {
            self.names.push(joined);
            self.names.len() as u32 - 1
        }
    }
}

/// The players, the date and the event that the games of a group state together.
#[derive(Clone, Copy)]
pub(super) struct Profile {
    /// The numbers of the names of White and Black.
    players: [u32; 2],
    date: Date,
    /// The number of the text of the event; `None` if it is unknown.
    event: Option<u32>,
}

impl Profile {
    pub(super) fn new(digest: &Digest, all: &Digests) -> Self {
        let [white, black, event] = digest.texts;
        let event = is_known_name(all.texts.get(event)).then_some(event);
        Self { players: [white, black], date: Date::parse_parts(all.texts.get(digest.date)), event }
    }

    pub(super) fn has_players_of(&self, other: &Self, names: &PlayerNames) -> bool {
        self.players.iter().zip(other.players).all(|(&one, other)| names.agree(one, other))
    }

    /// Whether dates and events do not differ, as far as they are known.
    pub(super) fn has_occasion_of(&self, other: &Self) -> bool {
        let has_event = self.event == other.event || self.event.is_none() || other.event.is_none();
        has_event && self.date.agrees_with(other.date)
    }

    /// The profile of two groups that become one. Only compared tags agree: the players, if `has_players`, and date and
    /// event, if `has_occasion`.
    pub(super) fn join(
        &self,
        other: &Self,
        has_players: bool,
        has_occasion: bool,
        names: &mut PlayerNames,
    ) -> Self {
        let mut joined = *self;
        if has_players {
            let [white, black] = [0, 1].map(|side| (self.players[side], other.players[side]));
            joined.players = [white, black].map(|(one, other)| names.join(one, other));
        }
        if has_occasion {
            joined.date = self.date.joined(other.date);
            joined.event = self.event.or(other.event);
        }
        joined
    }
}
