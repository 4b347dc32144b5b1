//! Tag pairs, results and annotation glyphs of a game.

use super::symbols::result_at;
use crate::chess::Color;
use std::borrow::Cow;
use std::fmt;

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

/// A name of letters, digits and underscores.
pub(super) fn plain_name(name: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.chars().all(is_plain) {
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

/// Reads `1992.11.04`, with question marks for what is not known: as zeros.
pub(super) fn parse_date(text: &str) -> Option<(u16, u8, u8)> {
    let text = text.replace('?', "0");
    let mut fields = text.split('.');
    let year = fields.next()?.parse().ok()?;
    let month = fields.next().map_or(Some(0), |month| month.parse().ok())?;
    let day = fields.next().map_or(Some(0), |day| day.parse().ok())?;
    fields.next().is_none().then_some((year, month, day))
}

/// The four game termination markers (PGN standard, 8.2.6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: still in progress, abandoned, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// All four.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The win of this side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The marker as the standard has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Reads the marker as the standard has it, or one of the forms that files have beside it:
    /// `1 : 0`, `1–0`, `½-½`, `0,5-0,5`, `1/2`, and `+:-` for a win by forfeit.
    pub fn from_marker(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" | b"+:-" => Some(Self::WhiteWins),
            b"0-1" | b"-:+" => Some(Self::BlackWins),
            b"1/2-1/2" => Some(Self::Draw),
            b"*" => Some(Self::Unknown),
            _ => result_at(text).filter(|&(_, length)| length == text.len()).map(|(result, _)| result),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A numeric annotation glyph: `$0` to `$255`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

impl Nag {
    /// `!`
    pub const GOOD_MOVE: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT_MOVE: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const SPECULATIVE_MOVE: Self = Self(5);
    /// `?!`
    pub const DUBIOUS_MOVE: Self = Self(6);

    /// The glyph of a move suffix: the six of the standard (8.2.3.8), and longer ones by their
    /// first two signs.
    pub const fn from_suffix(suffix: &[u8]) -> Option<Self> {
        match suffix {
            [b'!'] => Some(Self::GOOD_MOVE),
            [b'?'] => Some(Self::MISTAKE),
            [b'!', b'!', ..] => Some(Self::BRILLIANT_MOVE),
            [b'?', b'?', ..] => Some(Self::BLUNDER),
            [b'!', b'?', ..] => Some(Self::SPECULATIVE_MOVE),
            [b'?', b'!', ..] => Some(Self::DUBIOUS_MOVE),
            _ => None,
        }
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
