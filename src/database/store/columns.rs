//! The columns of a segment: the names of tags, and for each tag its values and the number of that of each game.

use super::code::{Bytes, damage};
use std::io;

/// The code of a value that has not occurred before; those that have occurred have higher codes.
pub(super) const NEW_VALUE: u64 = 1;

/// The names of tags, and the lists of names that games have.
pub(super) struct Names {
    pub names: Vec<String>,
    pub lists: Vec<Vec<usize>>,
}

impl Names {
    /// Reads the part.
    ///
    /// # Errors
    /// If it is damaged.
    pub(super) fn read(mut bytes: Bytes<'_>) -> io::Result<Self> {
        let mut names = Vec::new();
        for _ in 0..bytes.count()? {
            names.push(bytes.text()?.to_owned());
        }
        let mut lists = Vec::new();
        for _ in 0..bytes.count()? {
            let mut list = Vec::new();
            for _ in 0..bytes.count()? {
                list.push(bytes.length()?);
            }
            lists.push(list);
        }
        Ok(Self { names, lists })
    }
}

/// The values of a tag.
pub(super) struct Column {
    text: String,
    /// The ends of the values in the text.
    ends: Vec<usize>,
    /// For each game, the number of its value, counted from 1; 0 if it has none.
    ids: Vec<u32>,
}

impl Column {
    /// Reads the parts of a tag: its values, and their numbers for this number of games.
    ///
    /// # Errors
    /// If they are damaged.
    pub(super) fn read(mut values: Bytes<'_>, mut ids: Bytes<'_>, games: usize) -> io::Result<Self> {
        let count = values.count()?;
        let (mut text, mut ends) = (Vec::with_capacity(values.0.len()), Vec::with_capacity(count));
        for _ in 0..count {
            text.extend_from_slice(values.bytes()?);
            ends.push(text.len());
        }
        // The whole text is checked at once, which takes a fraction of the time.
        let is_divided =
            |text: &String| text.is_ascii() || ends.iter().all(|&end| text.is_char_boundary(end));
        let text = String::from_utf8(text).ok().filter(is_divided);
        let text = text.ok_or_else(|| damage("a text is not UTF-8"))?;
        let mut latest = 0_u32;
        let mut read = Vec::with_capacity(games);
        for _ in 0..games {
            read.push(match ids.number()? {
                0 => 0,
                NEW_VALUE => {
                    latest += 1;
                    latest
                }
                id => u32::try_from(id - NEW_VALUE).map_err(|_| damage("a number is too large"))?,
            });
        }
        if read.iter().any(|&id| id as usize > ends.len()) {
            return Err(damage("a game has a value that is not there"));
        }
        Ok(Self { text, ends, ids: read })
    }

    /// All values, in the order of their numbers.
    pub(super) fn values(&self) -> Vec<&str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end]).collect()
    }

    /// For each game, the number of its value.
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The value of a game; `None` if it has none.
    pub(super) fn value(&self, game: usize) -> Option<&str> {
        let index = (*self.ids.get(game)?).checked_sub(1)? as usize;
        let start = index.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(index)?)
    }
}
