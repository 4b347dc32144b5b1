//! The order of games within a file (PGN standard, 12).

use super::tags::Date;
use super::{Export, Game, SEVEN_TAG_ROSTER};
use std::cmp::Ordering;

/// The sort key of a game: date, event, site, round, White, Black, result and moves, as bytes whose order is that of
/// the keys. It is computed once and compared many times.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CollatingKey(Vec<u8>);

/// The kinds of rounds in their order: a question mark sorts before a hyphen, both sort before numbers, and any other
/// text sorts last. Rounds of several numbers are ordered number by number.
#[derive(Clone, Copy)]
enum Round {
    Unknown,
    Inappropriate,
    Numbers,
    Text,
}

impl CollatingKey {
    /// The sort key of a game.
    pub fn new(game: &Game) -> Self {
        let mut key = Vec::new();
        push_header_key(&mut key, game);
        Export::new().write_moves(game, &mut key);
        Self(key)
    }

    /// The bytes of the key, whose order is that of the keys. They start with the date: two bytes for the year, one for
    /// the month and one for the day, with zeros for unknown parts.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// The lengths of the parts of a game that is written to be sorted: its key, and its text in export format. Games with
/// equal keys are sorted by their movetext.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Collated {
    /// The bytes of the key by everything but the moves, in the order of [`CollatingKey`].
    pub key: usize,
    /// The bytes at the start of the text that do not affect the order: the tags.
    pub tags: usize,
    /// The bytes of the rest of the text.
    pub movetext: usize,
}

impl Collated {
    /// The lengths in `out` of a game that `write` appends after its key. `write` returns where its movetext begins.
    pub(super) fn after_key(
        key_start: usize,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Vec<u8>) -> usize,
    ) -> Self {
        let text = out.len();
        let movetext = write(out);
        Self { key: text - key_start, tags: movetext - text, movetext: out.len() - movetext }
    }
}

impl Export {
    /// Appends the sort key and the exported text of a game, in UTF-8, and returns their lengths.
    pub fn write_collated(&self, game: &Game, out: &mut Vec<u8>) -> Collated {
        let start = out.len();
        push_header_key(out, game);
        Collated::after_key(start, out, |out| self.write_bytes(game, out))
    }
}

/// Appends the bytes of a sort key by everything but the moves.
pub(super) fn push_header_key(key: &mut Vec<u8>, game: &Game) {
    let tag = |name: &str| {
        let unknown = SEVEN_TAG_ROSTER.iter().find(|roster| roster.0 == name).map_or("", |roster| roster.1);
        game.tags.get(name).unwrap_or(unknown)
    };
    // An invalid date sorts first, like an unknown one.
    let (year, month, day) = Date::parse(tag("Date")).unwrap_or_default().numbers();
    key.extend(year.to_be_bytes());
    key.extend([month, day]);
    push_collated(key, tag("Event"));
    push_collated(key, tag("Site"));
    push_round(key, tag("Round"));
    push_collated(key, tag("White"));
    push_collated(key, tag("Black"));
    // Results are also in ASCII order.
    push_collated(key, game.result.as_str());
}

/// Appends a round to the bytes of a key: a question mark sorts before a hyphen, then come numbers, part by part, and
/// then other texts.
pub fn push_round(key: &mut Vec<u8>, text: &str) {
    let numbers = || text.split('.').map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>();
    match (text, numbers()) {
        ("?" | "", _) => key.push(Round::Unknown as u8),
        ("-", _) => key.push(Round::Inappropriate as u8),
        (_, Some(numbers)) => {
            key.push(Round::Numbers as u8);
            for number in numbers {
                key.push(1); // another element follows
                key.extend(number.to_be_bytes());
            }
            key.push(0); // end of the elements
        }
        (_, None) => {
            key.push(Round::Text as u8);
            push_collated(key, text);
        }
    }
}

/// Appends a text to the bytes of a key. The text ends with two zeros, and a zero within it is followed by a one. So a
/// longer text sorts after its prefixes, and no encoded text is a prefix of another.
pub fn push_collated(key: &mut Vec<u8>, text: &str) {
    let mut parts = text.as_bytes().split(|byte| *byte == 0);
    // There is always a first part.
    parts.next().into_iter().for_each(|part| key.extend_from_slice(part));
    for part in parts {
        key.extend([0, 1]);
        key.extend_from_slice(part);
    }
    key.extend([0, 0]);
}

/// Compares two games by the collating order of the standard.
pub fn collate(a: &Game, b: &Game) -> Ordering {
    CollatingKey::new(a).cmp(&CollatingKey::new(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with these tags and moves.
    fn game(text: &str) -> Game {
        let (game, errors) = Game::read(text.as_bytes()).expect("memory is readable").expect(text);
        assert_eq!(errors, [], "{text}");
        game
    }

    #[test]
    fn each_key_counts_where_those_before_are_equal() {
        let ascending = [
            "[Date \"????.??.??\"] 1. a3 *",
            "[Date \"1992.??.??\"] 1. a3 *",
            "[Date \"1992.01.??\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"A\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"A\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"?\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"-\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"2\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"2.10\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"10\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"final\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"A\"] [Black \"B\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"A\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 0-1",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 1-0",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 1/2-1/2",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a4 1/2-1/2",
        ];
        let keys: Vec<CollatingKey> = ascending.iter().map(|text| CollatingKey::new(&game(text))).collect();
        for (index, pair) in keys.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{} before {}", ascending[index], ascending[index + 1]);
        }
        assert_eq!(collate(&game(ascending[4]), &game(ascending[4])), Ordering::Equal);
        assert_eq!(collate(&game(ascending[4]), &game(ascending[3])), Ordering::Greater);
    }
}
