//! Games that occur more than once, what to keep of them, and in what two games differ.

use super::names::join_names;
use super::players::is_known_name;
use crate::chess::Move;
use crate::notation::Fen;
use crate::notation::pgn::{DeferredBuilder, Element, Game, GameResult, MAX_GAME_MOVES, Nag, NodeId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use xxhash_rust::xxh3::xxh3_128;

/// Games of fewer plies are one only if players, dates and events are the same.
const SHORT: usize = 20;

/// What must agree beside the moves; each level includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Nothing.
    Moves,
    /// The players.
    Players,
    /// Date and event, as far as they are known.
    Event,
    /// The result.
    Result,
}

/// When two games are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SameRules {
    /// What must agree.
    pub level: Level,
    /// The plies by which the lengths may differ; the moves of one game begin those of the other.
    pub plies: usize,
    /// How many games further a game is compared.
    pub window: usize,
    /// Whether different spellings of a name are different players.
    pub is_exact: bool,
}

/// A date as year, month and day; what is not known is 0.
type Date = (u16, u8, u8);

/// What is compared of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digest {
    /// White, Black and event.
    pub texts: [String; 3],
    /// The date as it is written.
    pub date_text: String,
    date: Date,
    /// The result.
    pub result: GameResult,
    /// The length of the main line.
    pub plies: usize,
    /// The size of its comments, glyphs and variations.
    notes: usize,
    tags: usize,
    /// The identities of the moves: all of them, all but one, and so on.
    ends: Vec<u128>,
}

impl Digest {
    /// The digest of a game, for rules that allow this difference of plies.
    pub fn new(game: &Game, difference: usize) -> Self {
        let mut digest = Self::of_line(game, game.mainline().map(|node| game.mv(node)), difference);
        digest.notes = game.len() - digest.plies;
        let mut nodes = vec![NodeId::ROOT];
        while let Some(node) = nodes.pop() {
            nodes.extend(game.children(node));
            digest.notes += game.nags(node).count();
            let comments = game.comments(node).chain(game.comments_before(node));
            digest.notes += comments.map(str::len).sum::<usize>();
        }
        digest
    }

    /// The same of a game that has just been read, which is only built if there is more than moves.
    pub fn of_latest(builder: &mut DeferredBuilder, difference: usize) -> Self {
        if let Some(moves) = builder.bare_moves() {
            return Self::of_line(builder.header(), moves, difference);
        }
        Self::new(builder.game(), difference)
    }

    /// The digest of a game with this main line and nothing else. Only its tags, its start and its result are looked at.
    fn of_line(header: &Game, moves: impl Iterator<Item = Option<Move>>, difference: usize) -> Self {
        let tag = |name: &str| header.tags.get(name).unwrap_or_default().trim().to_owned();
        let mut bytes = Vec::new();
        if header.is_set_up() {
            bytes.extend(Fen::new(header.start()).to_string().into_bytes());
        }
        let start = bytes.len();
        for mv in moves {
            bytes.extend(mv.map_or(0, Move::bits).to_le_bytes());
        }
        let plies = (bytes.len() - start) / MOVE_BYTES;
        let ends =
            (0..=difference.min(plies)).map(|less| xxh3_128(&bytes[..bytes.len() - less * MOVE_BYTES]));
        Self {
            texts: ["White", "Black", "Event"].map(tag),
            date_text: tag("Date"),
            date: header.tags.date().unwrap_or_default(),
            result: header.result,
            plies,
            notes: 0,
            tags: header.tags.len(),
            ends: ends.collect(),
        }
    }
}

/// The bytes of a move that are compared.
const MOVE_BYTES: usize = size_of::<u16>();

/// Whether two dates do not differ as far as they are known.
fn dates_agree(one: Date, other: Date) -> bool {
    let agrees = |one: u16, other: u16| one == other || one == 0 || other == 0;
    agrees(one.0, other.0) && agrees(one.1.into(), other.1.into()) && agrees(one.2.into(), other.2.into())
}

/// A game among others. Its texts are numbers of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    texts: [u32; 3],
    /// Without texts.
    digest: Digest,
}

/// Games that are one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DuplicateGroup {
    /// Their indexes, at least two, in the order of the input.
    pub games: Vec<usize>,
    /// The one that is kept: with the most comments, glyphs and variations, then the longest, then that with the most
    /// tags, then the first.
    pub kept: usize,
}

/// Games that are compared with one another.
#[derive(Debug)]
pub struct Duplicates {
    rules: SameRules,
    entries: Vec<Entry>,
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
}

/// What games that may be one have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    moves: u128,
    /// Unless only moves count.
    players: Option<[u32; 2]>,
    /// Event and date of short games.
    occasion: Option<(u32, Date)>,
}

impl Duplicates {
    /// No games yet.
    pub fn new(rules: SameRules) -> Self {
        Self { rules, entries: Vec::new(), texts: Vec::new(), numbers: HashMap::new() }
    }

    /// Adds the next game.
    pub fn push(&mut self, mut digest: Digest) {
        let texts = std::mem::take(&mut digest.texts).map(|text| self.number(text));
        self.entries.push(Entry { texts, digest });
    }

    fn number(&mut self, text: String) -> u32 {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// The number of games.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// White, Black and event of a game, and the rest of its digest.
    pub fn game(&self, index: usize) -> ([&str; 3], &Digest) {
        let Entry { texts, digest } = &self.entries[index];
        (texts.map(|number| &*self.texts[number as usize]), digest)
    }

    /// For each text the number that it counts as: that of the name for which it stands.
    fn names(&self) -> Vec<u32> {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for entry in &self.entries {
            for number in &entry.texts[..2] {
                *counts.entry(*number).or_default() += 1;
            }
        }
        let counted = counts.iter().map(|(&number, &count)| (&*self.texts[number as usize], count));
        let joined = if self.rules.is_exact { join_names([]) } else { join_names(counted) };
        let number = |text: &String| self.numbers.get(joined.name(text)).copied();
        (0_u32..).zip(&self.texts).map(|(own, text)| number(text).unwrap_or(own)).collect()
    }

    fn agree(&self, names: &[u32], one: &Entry, other: &Entry) -> bool {
        let (a, b) = (&one.digest, &other.digest);
        let players = players(names, one) == players(names, other);
        let same_event = one.texts[2] == other.texts[2];
        if a.plies.min(b.plies) < SHORT && !(players && same_event && a.date == b.date) {
            return false;
        }
        let is_unknown = |entry: &Entry| !is_known_name(&self.texts[entry.texts[2] as usize]);
        let level = self.rules.level;
        (level < Level::Players || players)
            && (level < Level::Event
                || dates_agree(a.date, b.date) && (same_event || is_unknown(one) || is_unknown(other)))
            && (level < Level::Result || a.result == b.result)
    }

    fn place(&self, names: &[u32], entry: &Entry, moves: u128, plies: usize) -> Place {
        let is_short = plies < SHORT;
        let needs_players = is_short || self.rules.level > Level::Moves;
        Place {
            moves,
            players: needs_players.then(|| players(names, entry)),
            occasion: is_short.then_some((entry.texts[2], entry.digest.date)),
        }
    }

    /// The games that occur more than once.
    pub fn groups(&self) -> Vec<DuplicateGroup> {
        let names = self.names();
        let mut by_moves: HashMap<Place, Vec<usize>> = HashMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let place = self.place(&names, entry, entry.digest.ends[0], entry.digest.plies);
            by_moves.entry(place).or_default().push(index);
        }
        let mut firsts: Vec<usize> = (0..self.entries.len()).collect();
        for (index, entry) in self.entries.iter().enumerate() {
            for (shorter, &end) in entry.digest.ends.iter().enumerate().take(self.rules.plies + 1) {
                let place = self.place(&names, entry, end, entry.digest.plies - shorter);
                let others = by_moves.get(&place).map_or(&[][..], |others| others);
                // Of games of one length, each pair is compared once.
                let last = if shorter == 0 { index } else { index.saturating_add(self.rules.window) };
                let start = others.partition_point(|&other| other.saturating_add(self.rules.window) < index);
                let end = others.partition_point(|&other| other < last || other == last && shorter > 0);
                for &other in others[start..end].iter().rev() {
                    let (one, two) = (first(&mut firsts, index), first(&mut firsts, other));
                    if one == two || self.agree(&names, entry, &self.entries[other]) {
                        firsts[one.max(two)] = one.min(two);
                        // The others of this length have been compared with that one.
                        break;
                    }
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..firsts.len() {
            groups.entry(first(&mut firsts, index)).or_default().push(index);
        }
        let groups = groups.into_values().filter(|games| games.len() > 1);
        groups.map(|games| DuplicateGroup { kept: self.kept(&games), games }).collect()
    }

    fn kept(&self, games: &[usize]) -> usize {
        let rank = |&&index: &&usize| {
            let digest = &self.entries[index].digest;
            (digest.notes, digest.plies, digest.tags, Reverse(index))
        };
        games.iter().max_by_key(rank).copied().unwrap_or_default()
    }
}

fn players(names: &[u32], entry: &Entry) -> [u32; 2] {
    [names[entry.texts[0] as usize], names[entry.texts[1] as usize]]
}

/// The first game of the group to which a game belongs so far.
fn first(firsts: &mut [usize], mut index: usize) -> usize {
    while firsts[index] != index {
        firsts[index] = firsts[firsts[index]];
        index = firsts[index];
    }
    index
}

/// Adds the tags, comments, glyphs and variations of another game with the same initial position. What the game cannot
/// hold is left out.
pub fn merge_game(game: &mut Game, other: &Game) {
    for (name, value) in other.tags.iter() {
        if game.tags.get(name).is_none_or(|own| !is_known_name(own)) && is_known_name(value) {
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
                // A game that is full keeps what it has.
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
            let is_full = game.len() >= MAX_GAME_MOVES;
            let node = same.or_else(|| {
                let added = mv.filter(|_| !is_full).and_then(|mv| game.add_line(own, [mv]).ok())?;
                added.first().copied()
            });
            places.extend(node.map(|node| (node, child)));
        }
    }
}

/// In what two games differ.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameDifferences {
    /// The tags that one game lacks or that have two values, in alphabetical order.
    pub tags: Vec<TagDifference>,
    /// Whether the initial positions differ.
    pub has_other_start: bool,
    /// The plies before the first move of the main line that differs, or that only one game has.
    pub first_move: Option<usize>,
    /// Whether the results differ.
    pub has_other_result: bool,
    /// The plies of the main line, up to the first difference, behind which there are other comments.
    pub comments: Vec<usize>,
    /// The same for glyphs.
    pub glyphs: Vec<usize>,
    /// The same for variations, with all in them.
    pub variations: Vec<usize>,
    /// Whether moves differ that cannot be read.
    pub has_other_text: bool,
}

/// A tag that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagDifference {
    /// Its name.
    pub name: String,
    /// Its value in each game that has it.
    pub values: [Option<String>; 2],
}

/// What is written behind a move of the main line.
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

/// The notes behind each move of the main line, those before the first move first.
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
        // There is always one.
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

    /// Whether there is none.
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
    fn many_equal_games_are_one_group() {
        let rules = SameRules { level: Level::Players, plies: 4, window: usize::MAX, is_exact: false };
        let mut duplicates = Duplicates::new(rules);
        let (one, two) = (game("[White \"a\"]\n\n1. e4 *"), game("[White \"a\"]\n\n1. e4 e5 *"));
        const COUNT: usize = 30_000;
        for _ in 0..COUNT {
            duplicates.push(Digest::new(&one, rules.plies));
            duplicates.push(Digest::new(&two, rules.plies));
        }
        let groups = duplicates.groups();
        assert_eq!(groups.len(), 1);
        assert_eq!((groups[0].games.len(), groups[0].kept), (2 * COUNT, 1));
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
    fn merging_adds_what_is_missing_and_nothing_twice() {
        let cases = [
            ("1. e4 e5 *", "1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 *"),
            ("1. e4 e5 *", "1. e4 c5 1-0", "1. e4 e5 (1... c5) 1-0"),
            ("1. e4 {a} e5 *", "1. e4 {a} {b} e5 $1 *", "1. e4 {a} {b} 1... e5 $1 *"),
            ("1. e4 (1. d4 d5) *", "1. e4 (1. d4 Nf6) (1. c4) *", "1. e4 (1. d4 d5 (1... Nf6)) (1. c4) *"),
            ("{a} 1. e4 *", "{b} 1. e4 *", "{a} 1. e4 {b} *"),
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
