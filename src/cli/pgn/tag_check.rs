//! What the tags of a game should be, and may not be.

use crate::notation::pgn::{GameResult, RawText, SEVEN_TAG_ROSTER};

/// Watches the tags of one game after another.
#[derive(Default)]
pub(super) struct TagCheck {
    /// Which of the Seven Tag Roster there are.
    roster: [bool; SEVEN_TAG_ROSTER.len()],
    /// Names of all tags, to find those that come twice; few enough to be searched.
    names: Vec<u8>,
    name_ends: Vec<usize>,
    pub result: Option<GameResult>,
    set_up: Option<bool>,
    has_fen: bool,
    ply_count: Option<usize>,
    pub odd: Vec<String>,
}

/// More tags than any game has are not searched for double ones.
const MAX_NAMES: usize = 256;

impl TagCheck {
    pub(super) fn begin_game(&mut self) {
        self.roster = Default::default();
        self.names.clear();
        self.name_ends.clear();
        self.result = None;
        self.set_up = None;
        self.has_fen = false;
        self.ply_count = None;
        self.odd.clear();
    }

    pub(super) fn tag(&mut self, name: &[u8], value: RawText<'_>) {
        if self.name_ends.len() < MAX_NAMES {
            let mut start = 0;
            let is_double = self.name_ends.iter().any(|&end| {
                let found = &self.names[start..end] == name;
                start = end;
                found
            });
            if is_double {
                self.report(name, "is there twice");
                return;
            }
            self.names.extend(name);
            self.name_ends.push(self.names.len());
        }
        if let Some(index) = SEVEN_TAG_ROSTER.iter().position(|roster| roster.0.as_bytes() == name) {
            self.roster[index] = true;
        }
        if !name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.report(name, "has a name of more than letters, digits and underscores");
        }
        let text = value.bytes();
        match name {
            b"Date" | b"EventDate" | b"UTCDate" if !is_date(text) => {
                self.odd_value(name, value, "a date such as 1992.11.04 or 1992.??.??");
            }
            b"Result" => {
                self.result = GameResult::ALL.into_iter().find(|result| result.as_str().as_bytes() == text);
                if self.result.is_none() {
                    self.odd_value(name, value, "1-0, 0-1, 1/2-1/2 or *");
                }
            }
            b"SetUp" => match text {
                b"0" | b"1" => self.set_up = Some(text == b"1"),
                _ => self.odd_value(name, value, "0 or 1"),
            },
            b"FEN" => self.has_fen = true,
            b"WhiteElo" | b"BlackElo" if !matches!(text, b"-" | b"?" | b"") && number(text).is_none() => {
                self.odd_value(name, value, "a number or -");
            }
            b"PlyCount" => match number(text) {
                Some(count) => self.ply_count = Some(count),
                None => self.odd_value(name, value, "a number"),
            },
            _ => {}
        }
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

    /// The game has ended after so many moves, all of which have been read.
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

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Is it of the form 1992.11.04, with question marks for what is not known?
fn is_date(text: &[u8]) -> bool {
    const FORM: &[u8] = b"0000.00.00";
    text.len() == FORM.len()
        && text.iter().zip(FORM).all(|(&found, &form)| match form {
            b'.' => found == b'.',
            _ => found.is_ascii_digit() || found == b'?',
        })
}
