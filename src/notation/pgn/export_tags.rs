//! The tags of an export, in their order.

use super::known_tags::TagNames;
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

/// A game whose tags are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header<'g> {
    pub game: &'g Game,
    /// The list of the names of its tags, if it can be compared with those of other games.
    pub names: Option<TagNames>,
    /// Whether all values are ASCII without control characters, quotes and backslashes.
    pub is_plain: bool,
}

impl<'g> From<&'g Game> for Header<'g> {
    fn from(game: &'g Game) -> Self {
        Self { game, names: None, is_plain: false }
    }
}

/// The number of lists of names whose orders are kept.
const MAX_ORDERS: usize = 16;

/// Writes the tags of games in the order of an export. It is found only once for games with the same names.
#[derive(Default, Debug)]
pub(super) struct TagOrder {
    orders: Vec<(TagNames, Order)>,
}

/// The order of the tags of games with the same names.
#[derive(Debug)]
struct Order {
    /// The tags of the export; `None` if more than the names matters.
    places: Option<Vec<Place>>,
    /// The index of the tag for the result.
    result: Option<usize>,
}

/// A tag of an export.
#[derive(Debug)]
struct Place {
    source: Source,
    /// The text before the value.
    opening: Vec<u8>,
}

/// Where the value of an exported tag is found.
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

    /// The bytes of the value in a game.
    fn value(self, game: &Game) -> &[u8] {
        match self {
            Self::Tag(index) => game.tags.value_bytes(index),
            Self::Unknown(index) => SEVEN_TAG_ROSTER[index].1.as_bytes(),
            Self::Result => game.result.as_str().as_bytes(),
        }
    }
}

/// The tag for the result of a game.
const RESULT: &str = "Result";

impl TagOrder {
    /// Appends the tags of a game and an empty line.
    pub(super) fn write(&mut self, scope: TagScope, header: Header<'_>, out: &mut Vec<u8>) {
        let game = header.game;
        match self.places(scope, header) {
            Some(places) if header.is_plain => {
                for Place { source, opening } in places {
                    out.extend_from_slice(opening);
                    out.extend_from_slice(source.value(game));
                    out.extend_from_slice(CLOSING);
                }
            }
            Some(places) => {
                for Place { source, opening } in places {
                    out.extend_from_slice(opening);
                    write_value(source.tag(game).1, out);
                }
            }
            None => tags(game, scope).iter().for_each(|(name, value)| write_tag(name, value, out)),
        }
        out.push(b'\n');
    }

    /// The tags of a game.
    pub(super) fn tags<'g>(&mut self, scope: TagScope, header: Header<'g>) -> Vec<Tag<'g>> {
        match self.places(scope, header) {
            Some(places) => {
                let tags = places.iter().map(|place| place.source.tag(header.game));
                let value = |value| if header.is_plain { Cow::Borrowed(value) } else { plain_value(value) };
                tags.map(|(name, text)| (Cow::Borrowed(name), value(text))).collect()
            }
            None => tags(header.game, scope),
        }
    }

    /// The tags of the export; `None` if more than the names in the game matters.
    fn places(&mut self, scope: TagScope, header: Header<'_>) -> Option<&[Place]> {
        let names = header.names.filter(|_| scope == TagScope::All)?;
        let game = header.game;
        let known = self.orders.iter().position(|(known, _)| *known == names);
        let index = known.unwrap_or_else(|| {
            if self.orders.len() == MAX_ORDERS {
                self.orders.remove(0);
            }
            self.orders.push((names, Order::of(game)));
            self.orders.len() - 1
        });
        let (_, Order { places, result }) = &self.orders[index];
        let states_result = |index: usize| game.tags.value_bytes(index) == game.result.as_str().as_bytes();
        let is_simple = game.unread().is_empty()
            && !game.is_set_up()
            && (result.is_none_or(states_result) || result_in_words(game).is_none());
        places.as_deref().filter(|_| is_simple)
    }
}

impl Order {
    /// The order for the names of this game.
    fn of(game: &Game) -> Self {
        let names: Vec<&str> = game.tags.iter().map(|(name, _)| name).collect();
        let index_of = |name: &str| names.iter().position(|&other| other == name);
        let mut seen = HashSet::new();
        let is_usual = names
            .iter()
            .all(|&name| !matches!(name, "FEN" | "SetUp") && plain_name(name) == name && seen.insert(name));
        let places = is_usual.then(|| {
            let roster = SEVEN_TAG_ROSTER.iter().enumerate().map(|(index, &(name, _))| match name {
                RESULT => Source::Result,
                _ => index_of(name).map_or(Source::Unknown(index), Source::Tag),
            });
            let is_other = |&index: &usize| SEVEN_TAG_ROSTER.iter().all(|(name, _)| *name != names[index]);
            let mut others: Vec<usize> = (0..names.len()).filter(is_other).collect();
            others.sort_by_key(|&index| names[index]);
            let sources = roster.chain(others.into_iter().map(Source::Tag));
            let place = |source: Source| {
                let mut opening = Vec::new();
                write_opening(source.tag(game).0, &mut opening);
                Place { source, opening }
            };
            sources.map(place).collect()
        });
        Self { places, result: index_of(RESULT) }
    }
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

/// Writes the text of a tag before its value.
fn write_opening(name: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
}

/// Writes the value of a tag, with spaces instead of control characters, and the end of the tag.
fn write_value(value: &str, out: &mut Vec<u8>) {
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
    out.extend_from_slice(CLOSING);
}

/// The end of a tag.
const CLOSING: &[u8] = b"\"]\n";

/// Writes a tag.
fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    write_opening(name, out);
    write_value(value, out);
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
            let mut builder = GameBuilder::new().with_waiting_tags();
            for tags in games.iter().flat_map(|tags| vec![tags; repeats]) {
                let mut text = Vec::new();
                for (name, value) in tags {
                    write_tag(name, value, &mut text);
                }
                text.extend_from_slice(b"\n*\n");
                let mut reader = crate::notation::pgn::Reader::new(&*text);
                prop_assert!(reader.read_game(&mut builder).is_ok());
                let (header, game) = (builder.header(), builder.game());
                let expected = super::tags(game, TagScope::All);
                prop_assert_eq!(&order.tags(TagScope::All, header), &expected, "{:?}", text);
                let (mut found, mut written) = (Vec::new(), Vec::new());
                order.write(TagScope::All, header, &mut found);
                expected.iter().for_each(|(name, value)| write_tag(name, value, &mut written));
                written.push(b'\n');
                prop_assert_eq!(found, written);
            }
        }
    }
}
