//! Tag pairs of a game.

use super::result::GameResult;
use std::borrow::Cow;

/// The names of the Seven Tag Roster, in the order in which they are written, each with the value
/// for "unknown" (PGN standard, 8.1.1).
pub const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tag pairs of a game, in the order in which they were set.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tags {
    pairs: Vec<(String, String)>,
}

impl Tags {
    /// No tags.
    pub const fn new() -> Self {
        Self { pairs: Vec::new() }
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|pair| pair.0 == name).map(|pair| &*pair.1)
    }

    /// Sets a tag, which keeps its place if there is one already.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.pairs.iter_mut().find(|pair| pair.0 == name) {
            Some(pair) => pair.1 = value,
            None => self.pairs.push((name, value)),
        }
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        self.pairs.retain(|pair| pair.0 != name);
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Names and values, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The result of the `Result` tag, in any spelling.
    pub fn result(&self) -> Option<GameResult> {
        GameResult::from_marker(self.get("Result")?.trim().as_bytes())
    }

    /// The date of the `Date` tag as year, month and day, the unknown ones being 0; `None` if it is
    /// not a date.
    pub fn date(&self) -> Option<(u16, u8, u8)> {
        parse_date(self.get("Date")?)
    }
}

/// A value with spaces in place of tabs and the like, which are not permitted in values (4.2). `None` if there are none.
pub(super) fn without_controls(value: &str) -> Option<String> {
    /// The first byte of control characters beyond ASCII, and of others.
    const WIDE: u8 = 0xc2;
    let may_be_control = |byte: u8| byte.is_ascii_control() || byte == WIDE;
    let has_control = value.bytes().any(may_be_control) && value.contains(char::is_control);
    has_control.then(|| value.replace(char::is_control, " "))
}

/// A name of letters, digits and underscores.
pub(super) fn plain_name(name: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Cow::Borrowed(name);
    }
    name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect()
}

/// This name, numbered so that it is free among `count` names.
pub(super) fn free_name(name: &str, count: usize, is_free: impl Fn(&str) -> bool) -> String {
    /// With more names the number is not the least one, which would take long to find.
    const FEW: usize = 64;
    let first = if count < FEW { 2 } else { count };
    (first..).map(|number| format!("{name}_{number}")).find(|name| is_free(name)).unwrap_or_default()
}

/// The tags that define the position from which the moves of a game are read.
pub const START_TAGS: [&str; 3] = ["FEN", "SetUp", "Variant"];

/// Reads `1992.11.04`, with question marks for what is not known: as zeros.
pub fn parse_date(text: &str) -> Option<(u16, u8, u8)> {
    let text = text.replace('?', "0");
    let mut fields = text.split('.');
    let year = fields.next()?.parse().ok()?;
    let month = fields.next().map_or(Some(0), |month| month.parse().ok())?;
    let day = fields.next().map_or(Some(0), |day| day.parse().ok())?;
    fields.next().is_none().then_some((year, month, day))
}
