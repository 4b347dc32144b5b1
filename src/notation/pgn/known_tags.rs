//! Tags with names that earlier games had in the same order.

use super::Tags;

/// The number of bytes of names above which they are forgotten before the next game. Files have few lists of names.
const MAX_BYTES: usize = 1 << 16;

/// The lists of names that the tags of games have had, in the order of the tags.
///
/// They form a tree in which each name is below the one before it, so that lists with the same start share it. All
/// names of a list are different, with only letters, digits and underscores.
#[derive(Debug)]
pub(super) struct KnownNames {
    /// The first node is the root, which has no name.
    nodes: Vec<Node>,
    /// The node of the latest tag of the current game, unless a tag could not be added to a list.
    at: Option<usize>,
    /// The number of bytes of all nodes and names.
    bytes: usize,
    /// The number of times the names have been forgotten.
    generation: u64,
}

/// A name behind others.
#[derive(Default, Debug)]
struct Node {
    name: Box<str>,
    /// The nodes of the names that have come behind it.
    next: Vec<usize>,
}

/// Identifies the list of the names of a game's tags among those of all games of a builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TagNames {
    generation: u64,
    node: usize,
}

impl Default for KnownNames {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], at: Some(0), bytes: 0, generation: 0 }
    }
}

impl KnownNames {
    /// A new game starts.
    pub(super) fn begin_game(&mut self) {
        if self.bytes > MAX_BYTES {
            *self = Self { generation: self.generation + 1, ..Self::default() };
        }
        self.at = Some(0);
    }

    /// Follows the lists to the name of the next tag. Returns it if it is in one of them.
    #[inline]
    pub(super) fn follow(&mut self, name: &[u8]) -> Option<&str> {
        let next = &self.nodes[self.at?].next;
        let node = next.iter().copied().find(|&node| self.nodes[node].name.as_bytes() == name)?;
        self.at = Some(node);
        Some(&self.nodes[node].name)
    }

    /// Adds the name of the next tag, which is not in the lists.
    pub(super) fn add(&mut self, name: &str) {
        let Some(at) = self.at else { return };
        let node = self.nodes.len();
        self.nodes[at].next.push(node);
        self.nodes.push(Node { name: name.into(), next: Vec::new() });
        self.bytes += size_of::<Node>() + name.len();
        self.at = Some(node);
    }

    /// The next tag does not belong to a list of names.
    pub(super) const fn leave(&mut self) {
        self.at = None;
    }

    /// Identifies the names of the tags so far, if they are a list.
    pub(super) fn current(&self) -> Option<TagNames> {
        self.at.map(|node| TagNames { generation: self.generation, node })
    }
}

/// Tags of ASCII that are added to others together: to find out that a text is valid takes a while for each text.
#[derive(Default, Debug)]
pub(super) struct WaitingTags {
    /// The names and values, concatenated.
    text: Vec<u8>,
    /// The ends of each name and of its value in the text.
    ends: Vec<(usize, usize)>,
}

impl WaitingTags {
    /// Adds a tag.
    #[inline]
    pub(super) fn push(&mut self, name: &[u8], value: &[u8]) {
        self.text.extend_from_slice(name);
        let name_end = self.text.len();
        self.text.extend_from_slice(value);
        self.ends.push((name_end, self.text.len()));
    }

    /// Moves the tags to others, after these.
    pub(super) fn move_to(&mut self, tags: &mut Tags) {
        if let Ok(text) = std::str::from_utf8(&self.text) {
            tags.append_text(text, &self.ends);
        }
        self.clear();
    }

    /// Removes all tags.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows the names of a game, and adds those that are not known. Returns the number of known ones.
    fn read(known: &mut KnownNames, names: &[&str]) -> usize {
        known.begin_game();
        let follow = |name: &&&str| {
            let is_known = known.follow(name.as_bytes()).is_some();
            if !is_known {
                known.add(name);
            }
            is_known
        };
        names.iter().filter(follow).count()
    }

    #[test]
    fn each_list_of_names_is_recognized() {
        let mut known = KnownNames::default();
        let lists: [&[&str]; 5] = [&["A", "B", "C"], &["A", "C"], &["A"], &[], &["C", "B", "A"]];
        let found = lists.map(|list| read(&mut known, list));
        assert_eq!(found, [0, 1, 1, 0, 0]);
        let again = lists.map(|list| (read(&mut known, list), known.current()));
        assert_eq!(again.map(|(count, _)| count), lists.map(<[&str]>::len));
        for (index, (_, names)) in again.iter().enumerate() {
            assert!(again[..index].iter().all(|(_, other)| other != names), "{:?}", lists[index]);
        }
    }

    #[test]
    fn what_is_left_is_not_followed() {
        let mut known = KnownNames::default();
        read(&mut known, &["A", "B"]);
        known.begin_game();
        assert_eq!(known.follow(b"A"), Some("A"));
        known.leave();
        assert_eq!(known.follow(b"B"), None);
        assert_eq!(known.current(), None);
        known.add("C");
        assert_eq!(read(&mut known, &["A", "C"]), 1);
    }

    #[test]
    fn names_are_forgotten_before_there_are_too_many() {
        let mut known = KnownNames::default();
        read(&mut known, &["A"]);
        let first = known.current();
        for number in 0..MAX_BYTES {
            read(&mut known, &[&format!("Name{number}")]);
            assert!(known.bytes <= MAX_BYTES + size_of::<Node>() + "Name".len() + 6);
        }
        assert!(known.generation > 0);
        read(&mut known, &["A"]);
        assert_ne!(known.current(), first);
    }
}
