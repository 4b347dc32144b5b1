//! Tags of games in one piece of memory.

use crate::database::query::Header;

/// Names and values, one behind the other. Names may come several times: those of several games do.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct TagList {
    text: String,
    /// Where each name and each value ends.
    ends: Vec<(usize, usize)>,
}

impl TagList {
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(super) fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        self.ends.push((name_end, self.text.len()));
    }

    /// Adds the tags of another game.
    pub(super) fn append(&mut self, other: &Self) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|&(name, value)| (start + name, start + value)));
    }

    /// Names and values in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|ends| ends.1));
        let places = starts.zip(&self.ends);
        places.map(|(start, &(name, value))| (&self.text[start..name], &self.text[name..value]))
    }
}

impl Header for TagList {
    fn tag(&self, name: &str) -> Option<&str> {
        self.iter().find(|tag| tag.0 == name).map(|tag| tag.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_come_back_in_their_order() {
        let (mut one, mut all) = (TagList::default(), TagList::default());
        let games = [&[("White", "é"), ("Round", ""), ("White", "2")][..], &[], &[("Result", "*")]];
        for tags in games {
            one.clear();
            tags.iter().for_each(|(name, value)| one.push(name, value));
            assert_eq!(one.iter().collect::<Vec<_>>(), tags);
            all.append(&one);
        }
        assert_eq!((all.len(), all.iter().collect::<Vec<_>>()), (4, games.concat()));
        assert_eq!((all.tag("White"), all.tag("Result"), all.tag("Black")), (Some("é"), Some("*"), None));
    }
}
