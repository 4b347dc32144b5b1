//! The tag pairs of a game.

use super::GameResult;

/// The names of the Seven Tag Roster, in the order in which they are written, each with the
/// value that stands for "not known" (PGN standard, 8.1.1).
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The `Result` tag, if it is one of the four.
    pub fn result(&self) -> Option<GameResult> {
        let text = self.get("Result")?;
        GameResult::ALL.into_iter().find(|result| result.as_str() == text)
    }

    /// The date of the `Date` tag as year, month and day, the unknown ones being 0; `None` if
    /// it is no date.
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
