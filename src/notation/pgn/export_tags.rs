//! The tags of an export, in their order.

use super::tags::{free_name, is_plain_value, plain_name, without_controls};
use super::{Game, SEVEN_TAG_ROSTER, tracker};
use crate::notation::position_from_fen;
use std::borrow::Cow;
use std::collections::HashSet;

/// The tags that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TagScope {
    /// All tags.
    All,
    /// The Seven Tag Roster, and the tags without which the moves have no meaning.
    Roster,
    /// The same, and the tags that name the opening.
    RosterAndOpening,
}

/// Writes the tags of games in the order of an export. It is found anew only if a game has other names than the one
/// before.
#[derive(Default, Debug)]
pub(super) struct TagOrder {
    /// The names of the tags in the latest game that was examined.
    names: Vec<String>,
    /// Where the tags of the export are found in a game with these names; `None` if more than the names matters.
    sources: Option<Vec<Source>>,
}

/// Where the name and the value of an exported tag are found.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The tag with this index.
    Tag(usize),
    /// The roster, with the value for "unknown".
    Unknown(usize),
    /// The result of the game.
    Result,
}

impl Source {
    /// The name and the value in a game.
    fn tag(self, game: &Game) -> (&str, &str) {
        match self {
            Self::Tag(index) => game.tags.at(index),
            Self::Unknown(index) => SEVEN_TAG_ROSTER[index],
            Self::Result => (RESULT, game.result.as_str()),
        }
    }
}

/// The tag for the result of a game.
const RESULT: &str = "Result";

impl TagOrder {
    /// Appends the tags of a game and an empty line.
    pub(super) fn write(&mut self, scope: TagScope, game: &Game, out: &mut Vec<u8>) {
        match self.sources(scope, game) {
            Some(sources) => sources.iter().for_each(|source| {
                let (name, value) = source.tag(game);
                write_tag(name, value, out);
            }),
            None => tags(game, scope).iter().for_each(|(name, value)| write_tag(name, value, out)),
        }
        out.push(b'\n');
    }

    /// The tags of a game.
    pub(super) fn tags<'g>(&mut self, scope: TagScope, game: &'g Game) -> Vec<Tag<'g>> {
        match self.sources(scope, game) {
            Some(sources) => {
                let tags = sources.iter().map(|source| source.tag(game));
                tags.map(|(name, value)| (Cow::Borrowed(name), plain_value(value))).collect()
            }
            None => tags(game, scope),
        }
    }

    /// Where the tags of a game are found; `None` if more than its names matters.
    fn sources(&mut self, scope: TagScope, game: &Game) -> Option<&[Source]> {
        if scope != TagScope::All || !is_simple(game) {
            return None;
        }
        if !game.tags.has_names(&self.names) {
            self.examine(game);
        }
        self.sources.as_deref()
    }

    /// Finds the order for the names of this game.
    fn examine(&mut self, game: &Game) {
        self.names.clear();
        self.names.extend(game.tags.iter().map(|(name, _)| name.to_owned()));
        let names = &self.names;
        let mut seen = HashSet::new();
        let is_usual = names.iter().all(|name| {
            !matches!(&**name, "FEN" | "SetUp") && plain_name(name) == **name && seen.insert(name)
        });
        self.sources = is_usual.then(|| {
            let roster = SEVEN_TAG_ROSTER.iter().enumerate().map(|(index, (name, _))| match *name {
                RESULT => Source::Result,
                name => {
                    names.iter().position(|other| other == name).map_or(Source::Unknown(index), Source::Tag)
                }
            });
            let is_other = |&index: &usize| SEVEN_TAG_ROSTER.iter().all(|(name, _)| *name != names[index]);
            let mut others: Vec<usize> = (0..names.len()).filter(is_other).collect();
            others.sort_by_key(|&index| &names[index]);
            roster.chain(others.into_iter().map(Source::Tag)).collect()
        });
    }
}

/// Whether the names of a game determine which of its tags are written, and in which order, unless they have a
/// position.
fn is_simple(game: &Game) -> bool {
    game.unread().is_empty() && !game.is_set_up() && result_in_words(game).is_none()
}

/// The value of the tag for the result, if it states a result in words.
fn result_in_words(game: &Game) -> Option<&str> {
    let value = game.tags.get(RESULT).filter(|result| !matches!(result.trim(), "" | "?" | "-"))?;
    game.tags.result().is_none().then_some(value)
}

/// The names of the tags that name the opening.
const OPENING_TAGS: [&str; 4] = ["ECO", "Opening", "Variation", "SubVariation"];

/// The name and the value of a tag in an export.
pub(super) type Tag<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The tags of a game in an export.
fn tags(game: &Game, scope: TagScope) -> Vec<Tag<'_>> {
    let mut tags: Vec<Tag<'_>> = SEVEN_TAG_ROSTER
        .iter()
        .map(|&(name, unknown)| {
            let value = match name {
                RESULT => game.result.as_str(),
                _ => game.tags.get(name).unwrap_or(unknown),
            };
            (Cow::Borrowed(name), Cow::Borrowed(value))
        })
        .collect();
    let is_start = |fen: &str| position_from_fen(fen).is_ok_and(|position| position == *game.start());
    let has_own_start = game.is_set_up() || game.tags.get("FEN").is_some_and(is_start);
    let has_counts = game.tags.get("FEN").is_some_and(|fen| tracker::without_check_counts(fen) != fen);
    let mut others: Vec<Tag<'_>> = Vec::with_capacity(game.tags.len());
    for (name, value) in game.tags.iter() {
        let is_roster = SEVEN_TAG_ROSTER.iter().any(|roster| roster.0 == name);
        // The initial position of the game takes precedence over the tags.
        let is_start = has_own_start && !has_counts && (name == "FEN" || name == "SetUp");
        let is_wanted = scope == TagScope::All
            || scope == TagScope::RosterAndOpening && OPENING_TAGS.contains(&name)
            || has_counts && (name == "FEN" || name == "SetUp")
            // Moves that were not read have no meaning without these tags.
            || !game.unread().is_empty() && matches!(name, "FEN" | "SetUp" | "Variant");
        if !is_roster && !is_start && is_wanted {
            others.push((plain_name(name), Cow::Borrowed(value)));
        }
    }
    // A result that is stated in words is kept.
    if let Some(value) = result_in_words(game).filter(|_| scope == TagScope::All) {
        others.push((Cow::Borrowed("Result_2"), Cow::Borrowed(value)));
    }
    if game.is_set_up() && !has_counts {
        others.push((Cow::Borrowed("FEN"), Cow::Owned(game.fen().to_string())));
        others.push((Cow::Borrowed("SetUp"), Cow::Borrowed("1")));
    }
    // Of equal names, the one that needs no change keeps it.
    others.sort_by_key(|(name, _)| matches!(name, Cow::Owned(_)));
    let mut written: Vec<Tag<'_>> = Vec::with_capacity(others.len());
    for (name, value) in others {
        let is_free = |name: &str| written.iter().all(|other| other.0 != name);
        let name = if is_free(&name) { name } else { free_name(&name, written.len(), is_free).into() };
        written.push((name, value));
    }
    written.sort();
    tags.append(&mut written);
    for (_, value) in &mut tags {
        if let Some(plain) = without_controls(value) {
            *value = plain.into();
        }
    }
    tags
}

/// A value with spaces instead of control characters.
fn plain_value(value: &str) -> Cow<'_, str> {
    without_controls(value).map_or(Cow::Borrowed(value), Cow::Owned)
}

/// Writes a tag, with spaces instead of control characters in the value.
fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    if is_plain_value(value.as_bytes()) {
        out.extend_from_slice(value.as_bytes());
    } else {
        for &byte in plain_value(value).as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                out.push(b'\\');
            }
            out.push(byte);
        }
    }
    out.extend_from_slice(b"\"]\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::GameBuilder;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_does_not_depend_on_the_games_before(
            games in prop::collection::vec(
                prop::collection::vec(
                    (
                        prop::sample::select(vec![
                            "Event", "Result", "White", "ECO", "Odd Name", "Odd_Name", "FEN", "SetUp", "Variant", "Élő", "A", "B",
                        ]),
                        prop::sample::select(vec![
                            "", "?", "*", "1-0", "draw by agreement", "a \"b\" \\", "a\tb", "é",
                            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                        ]),
                    ),
                    0..6,
                ),
                0..12,
            ),
            repeats in 1..3_usize,
        ) {
            let mut order = TagOrder::default();
            for tags in games.iter().flat_map(|tags| vec![tags; repeats]) {
                let mut text = Vec::new();
                for (name, value) in tags {
                    write_tag(name, value, &mut text);
                }
                text.extend_from_slice(b"\n*\n");
                let mut builder = GameBuilder::new();
                let mut reader = crate::notation::pgn::Reader::new(&*text);
                prop_assert!(reader.read_game(&mut builder).is_ok());
                let game = builder.game();
                prop_assert_eq!(order.tags(TagScope::All, game), super::tags(game, TagScope::All), "{:?}", text);
            }
        }
    }
}
