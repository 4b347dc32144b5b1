//! Checking the tags of games.

use crate::database::{expected_tag_value, is_tag_name, repair_event, repair_name, repair_site};
use crate::notation::pgn::{GameResult, RawText, SEVEN_TAG_ROSTER};
use crate::notation::{Excerpt, pluralize};

/// The sides, and the tags of a side that have one value for each of its players (PGN standard, 9.1). Network
/// addresses, `NA`, may contain colons themselves.
const SIDES: [&str; 2] = ["White", "Black"];
const PLAYER_FIELDS: [&str; 4] = ["Elo", "Title", "USCF", "Type"];

/// Checks the tags of one game after another.
#[derive(Default)]
pub(super) struct TagCheck {
    /// The tags of the Seven Tag Roster that are present.
    roster: [bool; SEVEN_TAG_ROSTER.len()],
    /// The names of all tags of the game, to find repeated ones; few enough for a linear search.
    names: Vec<u8>,
    name_ends: Vec<usize>,
    /// Hashes of the names, which are searched first. Different names rarely have the same hash.
    name_numbers: Vec<u64>,
    pub(super) result: Option<GameResult>,
    set_up: Option<bool>,
    has_fen: bool,
    ply_count: Option<usize>,
    /// The number of players of each side, and the numbers of values of their tags; 0 if the tag is missing.
    players: [usize; SIDES.len()],
    fields: [[usize; PLAYER_FIELDS.len()]; SIDES.len()],
    /// Whether spellings that `pgn retag` corrects are reported.
    checks_spelling: bool,
    pub(super) odd: Vec<String>,
}

/// The maximum number of tags that are searched for repetitions; real games have fewer.
const MAX_NAMES: usize = 256;

impl TagCheck {
    pub(super) fn new(checks_spelling: bool) -> Self {
        Self { checks_spelling, ..Self::default() }
    }

    pub(super) fn begin_game(&mut self) {
        self.roster = Default::default();
        self.names.clear();
        self.name_ends.clear();
        self.name_numbers.clear();
        self.result = None;
        self.set_up = None;
        self.has_fen = false;
        self.ply_count = None;
        self.players = Default::default();
        self.fields = Default::default();
        self.odd.clear();
    }

    pub(super) fn tag(&mut self, name: &[u8], value: RawText<'_>) {
        if self.name_ends.len() < MAX_NAMES {
            let number = name_number(name);
            if self.name_numbers.contains(&number) && self.has_name(name) {
                self.report(name, "is there twice");
                return;
            }
            self.names.extend(name);
            self.name_ends.push(self.names.len());
            self.name_numbers.push(number);
        }
        if let Some(index) = SEVEN_TAG_ROSTER.iter().position(|roster| roster.0.as_bytes() == name) {
            self.roster[index] = true;
        }
        if !is_tag_name(name) {
            self.report(name, "has a name of more than letters, digits and underscores");
        }
        let text = value.bytes();
        match name {
            b"Result" => {
                self.result = GameResult::ALL.into_iter().find(|result| result.as_str().as_bytes() == text);
            }
            b"SetUp" if matches!(text, b"0" | b"1") => self.set_up = Some(text == b"1"),
            b"FEN" => self.has_fen = true,
            b"PlyCount" => self.ply_count = number(text),
            _ => {}
        }
        self.count_fields(name, text);
        if let Some(expected) = expected_tag_value(name, text) {
            self.odd_value(name, value, expected);
        } else if self.checks_spelling
            && let Some(expected) = respelled(name, &value.decode())
        {
            let expected = format!("{}, as `hematite pgn retag` writes it", Excerpt::new(&expected));
            self.odd_value(name, value, &expected);
        }
    }

    /// Counts the players of a side, or the values of one of its tags.
    fn count_fields(&mut self, name: &[u8], text: &[u8]) {
        let Some(side) = SIDES.iter().position(|side| name.starts_with(side.as_bytes())) else { return };
        let rest = &name[SIDES[side].len()..];
        let count = match text {
            b"" | b"?" | b"-" => 0,
            text => 1 + text.iter().filter(|&&byte| byte == b':').count(),
        };
        if rest.is_empty() {
            self.players[side] = count;
        } else if let Some(field) = PLAYER_FIELDS.iter().position(|field| field.as_bytes() == rest) {
            self.fields[side][field] = count;
        }
    }

    fn has_name(&self, name: &[u8]) -> bool {
        let mut start = 0;
        self.name_ends.iter().any(|&end| {
            let found = &self.names[start..end] == name;
            start = end;
            found
        })
    }

    /// Checks the tags after all of them have been read.
    pub(super) fn end_tags(&mut self) {
        let missing: Vec<&str> = SEVEN_TAG_ROSTER
            .iter()
            .zip(self.roster)
            .filter(|(_, is_there)| !is_there)
            .map(|(roster, _)| roster.0)
            .collect();
        if !missing.is_empty() {
            self.odd.push(format!("tags missing: {}", missing.join(", ")));
        }
        match (self.set_up, self.has_fen) {
            (Some(true), false) => self.odd.push("the tag SetUp is 1, but there is no FEN".to_owned()),
            (Some(false), true) => self.odd.push("the tag SetUp is 0, but there is a FEN".to_owned()),
            (None, true) => self.odd.push("there is a FEN, but no tag SetUp".to_owned()),
            _ => {}
        }
        for (side, (&players, fields)) in SIDES.iter().zip(self.players.iter().zip(&self.fields)) {
            let is_odd = |count: usize| players > 0 && count > 0 && count != players;
            for (field, &count) in PLAYER_FIELDS.iter().zip(fields).filter(|(_, count)| is_odd(**count)) {
                let values = pluralize(count as u64, "value");
                self.odd.push(format!(
                    "the tag {side}{field} has {values}, expected {players}: one for each player of {side}"
                ));
            }
        }
    }

    /// Checks the tags against the number of plies of the game, all of which have been read.
    pub(super) fn end_game(&mut self, plies: usize) {
        if let Some(count) = self.ply_count.filter(|&count| count != plies) {
            self.odd.push(format!("the tag PlyCount is {count}, but there are {plies} plies"));
        }
    }

    fn report(&mut self, name: &[u8], what: &str) {
        self.odd.push(format!("the tag {} {what}", String::from_utf8_lossy(name)));
    }

    fn odd_value(&mut self, name: &[u8], value: RawText<'_>, expected: &str) {
        let found = Excerpt::new(&value.decode());
        self.report(name, &format!("is {found}, expected {expected}"));
    }
}

/// The spelling that `pgn retag` gives to an event, a site or the players of a side; `None` if it is unchanged.
fn respelled(name: &[u8], text: &str) -> Option<String> {
    let repaired = match name {
        b"Event" => repair_event(text),
        b"Site" => repair_site(text),
        b"White" | b"Black" => text.split(':').map(repair_name).collect::<Vec<_>>().join(":"),
        _ => return None,
    };
    (repaired != text).then_some(repaired)
}

/// A hash of a name, from its length, its first and its last bytes.
fn name_number(name: &[u8]) -> u64 {
    const LAST_BITS: u32 = 29;
    match (name.first_chunk(), name.last_chunk()) {
        (Some(&first), Some(&last)) => {
            u64::from_le_bytes(first) ^ u64::from_le_bytes(last).rotate_left(LAST_BITS) ^ name.len() as u64
        }
        _ => name.iter().fold(0, |number, &byte| number << u8::BITS | u64::from(byte)),
    }
}

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
