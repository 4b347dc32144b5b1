//! Checking the tags of games.

use crate::database::{expected_tag_value, is_tag_name};
use crate::notation::pgn::{GameResult, RawText, SEVEN_TAG_ROSTER};

/// Watches the tags of one game after another.
#[derive(Default)]
pub(super) struct TagCheck {
    /// The tags of the Seven Tag Roster that are present.
    roster: [bool; SEVEN_TAG_ROSTER.len()],
    /// Names of all tags, to find repeated ones; few enough to be searched.
    names: Vec<u8>,
    name_ends: Vec<usize>,
    /// Numbers of the names, which are searched first. Different names hardly ever have the same.
    name_numbers: Vec<u64>,
    pub(super) result: Option<GameResult>,
    set_up: Option<bool>,
    has_fen: bool,
    ply_count: Option<usize>,
    pub(super) odd: Vec<String>,
}

/// The maximum number of tags that are searched for repeated ones; no real game has more.
const MAX_NAMES: usize = 256;

impl TagCheck {
    pub(super) fn begin_game(&mut self) {
        self.roster = Default::default();
        self.names.clear();
        self.name_ends.clear();
        self.name_numbers.clear();
        self.result = None;
        self.set_up = None;
        self.has_fen = false;
        self.ply_count = None;
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
        if let Some(expected) = expected_tag_value(name, text) {
            self.odd_value(name, value, expected);
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

    /// The tags have been read.
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
    }

    /// The game has ended after this number of moves, all of which have been read.
    pub(super) fn end_game(&mut self, plies: usize) {
        if let Some(count) = self.ply_count.filter(|&count| count != plies) {
            self.odd.push(format!("the tag PlyCount is {count}, but there are {plies} plies"));
        }
    }

    fn report(&mut self, name: &[u8], what: &str) {
        self.odd.push(format!("the tag {} {what}", String::from_utf8_lossy(name)));
    }

    fn odd_value(&mut self, name: &[u8], value: RawText<'_>, expected: &str) {
        let found = crate::notation::Excerpt::new(&value.decode());
        self.report(name, &format!("is {found}, expected {expected}"));
    }
}

/// A number of a name: of its length, its first and its last bytes.
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
