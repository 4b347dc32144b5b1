//! Merging duplicates, and the differences between two games.

use crate::chess::Move;
use crate::database::names::{NameParts, surnames};
use crate::database::players::is_known_name;
use crate::notation::pgn::{Date, Element, Game, GameResult, Nag, NodeId};
use std::collections::BTreeSet;

/// Adds the tags, comments, glyphs and variations of another game with the same initial position. A more complete date
/// or name of the other game replaces that of the game. Anything beyond the limits of a game is left out.
pub fn merge_game(game: &mut Game, other: &Game) {
    for (name, value) in other.tags.iter() {
        let is_better = |own: &str| !is_known_name(own) || is_less_complete(name, own, value);
        if game.tags.get(name).is_none_or(is_better) && is_known_name(value) {
            game.tags.set(name, value);
        }
    }
    if !is_known_result(game.result) {
        game.result = other.result;
    }
    let mut places = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((own, theirs)) = places.pop() {
        let known: BTreeSet<String> =
            game.comments(own).chain(game.comments_before(own)).map(str::to_owned).collect();
        for comment in other.comments_before(theirs).chain(other.comments(theirs)) {
            if !known.contains(comment) {
                // A full game is left unchanged.
                let _ = game.add_comment(own, comment);
            }
        }
        let glyphs: Vec<_> = game.nags(own).collect();
        for glyph in other.nags(theirs).filter(|glyph| !glyphs.contains(glyph)) {
            let _ = game.add_nag(own, glyph);
        }
        for child in other.children(theirs) {
            let mv = other.mv(child);
            let same = game.children(own).find(|&node| game.mv(node) == mv);
            // The move, or the pass, is legal in the same position of the other game.
            let node = same.or_else(|| game.add(own, mv).ok());
            places.extend(node.map(|node| (node, child)));
        }
    }
}

/// Whether the value of a tag states less than another one with which it agrees: a date with fewer known parts, or a
/// player's name with initials or fewer given names.
fn is_less_complete(tag: &str, own: &str, other: &str) -> bool {
    /// The end of the names of all tags with a date.
    const DATE: &str = "Date";
    if tag.ends_with(DATE) {
        let [own, other] = [own, other].map(Date::parse_parts);
        return own.agrees_with(other) && own.known_parts() < other.known_parts();
    }
    if !matches!(tag, "White" | "Black") {
        return false;
    }
    let surnames = surnames([own, other]);
    let [own, other] = [own, other].map(|name| NameParts::of(name, &surnames));
    own.is_shorter_than(&other)
}

/// The differences between two games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameDifferences {
    /// The tags that one game lacks or that have different values, in alphabetical order.
    pub tags: Vec<TagDifference>,
    /// Whether the initial positions differ.
    pub has_other_start: bool,
    /// The number of plies before the first main-line move that differs or is missing in one game.
    pub first_move: Option<usize>,
    /// Whether the results differ.
    pub has_other_result: bool,
    /// The numbers of plies of the main line, up to the first difference, after which the comments differ.
    pub comments: Vec<usize>,
    /// The numbers of plies after which the glyphs differ.
    pub glyphs: Vec<usize>,
    /// The numbers of plies after which the variations or their annotations differ.
    pub variations: Vec<usize>,
    /// Whether the unreadable rests of the moves differ.
    pub has_other_text: bool,
}

/// A tag that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagDifference {
    /// The name of the tag.
    pub name: String,
    /// The value in each game, if it has the tag.
    pub values: [Option<String>; 2],
}

/// The annotations after a move of the main line.
#[derive(Clone, PartialEq, Default, Debug)]
struct Notes<'a> {
    comments: Vec<&'a str>,
    glyphs: Vec<Nag>,
    variations: Vec<NotePart<'a>>,
}

/// A part of a variation.
#[derive(Clone, PartialEq, Debug)]
enum NotePart<'a> {
    Move(Option<Move>),
    Nag(Nag),
    Text(&'a str),
    Begin,
    End,
}

/// The annotations after each move of the main line, those before the first move first.
fn main_notes(game: &Game) -> Vec<Notes<'_>> {
    let mut notes = vec![Notes::default()];
    let mut depth = 0_usize;
    for element in game.walk() {
        if matches!(element, Element::Begin) {
            depth += 1;
        }
        if depth == 0 && matches!(element, Element::Move(_)) {
            notes.push(Notes::default());
            continue;
        }
        // There is always an entry.
        let Some(latest) = notes.last_mut() else { continue };
        match element {
            Element::Nag(nag) if depth == 0 => latest.glyphs.push(nag),
            Element::Comment(text) | Element::Escape(text) if depth == 0 => latest.comments.push(text),
            Element::Move(node) => latest.variations.push(NotePart::Move(game.mv(node))),
            Element::Nag(nag) => latest.variations.push(NotePart::Nag(nag)),
            Element::Comment(text) | Element::Escape(text) => latest.variations.push(NotePart::Text(text)),
            Element::Begin => latest.variations.push(NotePart::Begin),
            Element::End => {
                latest.variations.push(NotePart::End);
                depth = depth.saturating_sub(1);
            }
        }
    }
    notes
}

impl GameDifferences {
    /// Compares two games.
    pub fn new(one: &Game, other: &Game) -> Self {
        let names: BTreeSet<&str> = one.tags.iter().chain(other.tags.iter()).map(|(name, _)| name).collect();
        let values = |name: &str| [one, other].map(|game| game.tags.get(name).map(str::to_owned));
        let tags =
            names.into_iter().map(|name| TagDifference { name: name.to_owned(), values: values(name) });
        let moves = |game: &Game| game.mainline().map(|node| game.mv(node)).collect::<Vec<_>>();
        let (own, theirs) = (moves(one), moves(other));
        let common = own.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
        let (own_notes, their_notes) = (main_notes(one), main_notes(other));
        let behind = |differ: &dyn Fn(&Notes<'_>, &Notes<'_>) -> bool| {
            let pairs = own_notes.iter().zip(&their_notes).take(common + 1).enumerate();
            pairs.filter(|(_, (one, other))| differ(one, other)).map(|(ply, _)| ply).collect()
        };
        Self {
            tags: tags.filter(|tag| tag.values[0] != tag.values[1]).collect(),
            has_other_start: one.start() != other.start(),
            first_move: (common < own.len().max(theirs.len())).then_some(common),
            has_other_result: one.result != other.result,
            comments: behind(&|one, other| one.comments != other.comments),
            glyphs: behind(&|one, other| one.glyphs != other.glyphs),
            variations: behind(&|one, other| one.variations != other.variations),
            has_other_text: one.unread() != other.unread(),
        }
    }

    /// Whether the games do not differ.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

const fn is_known_result(result: GameResult) -> bool {
    !matches!(result, GameResult::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::Export;

    fn game(text: &str) -> Game {
        Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0
    }

    #[test]
    fn differences_are_named_by_their_plies() {
        let base = "[White \"a\"]\n\n1. e4 {x} e5 $1 (1... c5 {y} 2. Nf3) 2. Nf3 1-0";
        let same = GameDifferences::new(&game(base), &game(&base.replace("2. Nf3)", "2. Nf3 )")));
        assert!(same.is_empty(), "{same:?}");
        type Check = fn(&GameDifferences) -> bool;
        let cases: [(&str, &str, Check); 8] = [
            ("\"a\"", "\"b\"", |found| found.tags.len() == 1 && found.tags[0].name == "White"),
            ("[White \"a\"]", "[Site \"a\"]", |found| {
                found.tags.len() == 2 && found.tags[1].values[1].is_none()
            }),
            ("{x}", "{z}", |found| found.comments == [1]),
            ("$1", "$2", |found| found.glyphs == [2]),
            ("{y}", "{z}", |found| found.variations == [2] && found.comments.is_empty()),
            ("2. Nf3)", "2. Nc3)", |found| found.variations == [2] && found.first_move.is_none()),
            ("2. Nf3 1-0", "2. Nc3 1-0", |found| found.first_move == Some(2)),
            ("1-0", "0-1", |found| found.has_other_result),
        ];
        for (from, to, is_found) in cases {
            let found = GameDifferences::new(&game(base), &game(&base.replace(from, to)));
            assert!(is_found(&found) && !found.is_empty(), "{from} {to}: {found:?}");
        }
    }

    #[test]
    fn more_complete_dates_and_names_are_kept() {
        let cases = [
            ("Date", "1990.??.??", "1990.01.01", true),
            ("Date", "1990.01.01", "1990.??.??", false),
            ("Date", "1990.??.??", "1991.01.01", false),
            ("EventDate", "????.??.??", "1990.01.01", true),
            ("UTCDate", "1990.02.??", "1990.02.03", true),
            ("White", "Kasparov, G", "Kasparov, Garry", true),
            ("White", "Kasparov, Garry", "Kasparov, G", false),
            ("Black", "Tal", "Tal, Mihail", true),
            ("Black", "M Tal", "Tal, Mihail", true),
            ("Black", "Tal, Mikhail", "Tal, Mihail N", false),
            ("Site", "Riga", "Riga, Anywhere", false),
        ];
        for (tag, own, other, is_better) in cases {
            let [mut merged, added] =
                [own, other].map(|value| game(&format!("[{tag} \"{value}\"]\n\n1. e4 *")));
            merge_game(&mut merged, &added);
            assert_eq!(
                merged.tags.get(tag),
                Some(if is_better { other } else { own }),
                "{tag}: {own}, {other}"
            );
        }
    }

    #[test]
    fn merging_adds_what_is_missing_and_nothing_twice() {
        let cases = [
            ("1. e4 e5 *", "1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 *"),
            ("1. e4 e5 *", "1. e4 c5 1-0", "1. e4 e5 (1... c5) 1-0"),
            ("1. e4 {a} e5 *", "1. e4 {a} {b} e5 $1 *", "1. e4 {a} {b} 1... e5 $1 *"),
            ("1. e4 (1. d4 d5) *", "1. e4 (1. d4 Nf6) (1. c4) *", "1. e4 (1. d4 d5 (1... Nf6)) (1. c4) *"),
            ("{a} 1. e4 *", "{b} 1. e4 *", "{a} 1. e4 {b} *"),
            ("1. e4 e5 *", "1. e4 e5 (1... -- {a} 2. d4) *", "1. e4 e5 (1... -- {a} 2. d4) *"),
        ];
        for (text, other, expected) in cases {
            let (mut merged, other) = (game(text), game(other));
            merge_game(&mut merged, &other);
            let once = Export::new().game(&merged);
            assert!(once.ends_with(&format!("\n\n{expected}\n\n")), "{once}");
            merge_game(&mut merged, &other);
            assert_eq!(Export::new().game(&merged), once);
        }
    }
}
