//! Tag pairs, results and annotation glyphs of a game.

use crate::chess::Color;
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

    /// The `Result` tag, if it is one of the four.
    pub fn result(&self) -> Option<GameResult> {
        let text = self.get("Result")?;
        GameResult::ALL.into_iter().find(|result| result.as_str() == text)
    }

    /// The date of the `Date` tag as year, month and day, the unknown ones being 0; `None` if it is
    /// not a date.
    pub fn date(&self) -> Option<(u16, u8, u8)> {
        parse_date(self.get("Date")?)
    }
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

    /// Reads the marker as the standard has it, or one of the forms that files have beside it.
    pub fn from_marker(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" | b"1:0" | b"+:-" => Some(Self::WhiteWins),
            b"0-1" | b"0:1" | b"-:+" => Some(Self::BlackWins),
            b"1/2-1/2" | b"1/2" | b"1/2:1/2" | b"\xc2\xbd-\xc2\xbd" | b"\xc2\xbd" | b"\xbd-\xbd"
            | b"\xbd" => Some(Self::Draw),
            b"*" => Some(Self::Unknown),
            _ => None,
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

    /// The glyph of an assessment that is written with signs, as in many programs.
    pub const fn from_signs(signs: &[u8]) -> Option<Self> {
        match signs {
            b"=" => Some(Self(10)),
            b"+=" | b"+/=" => Some(Self(14)),
            b"=+" | b"=/+" => Some(Self(15)),
            b"+/-" => Some(Self(16)),
            b"-/+" => Some(Self(17)),
            b"+-" => Some(Self(18)),
            b"-+" => Some(Self(19)),
            _ => None,
        }
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
