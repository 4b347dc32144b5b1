//! Groups of duplicates.

use super::digest::{Digest, Digests, LineForm};
use super::profile::{PlayerNames, Profile};
use crate::chess::KeyHasher;
use crate::notation::pgn::{Date, GameResult};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use xxhash_rust::xxh3::xxh3_128;

/// Games with fewer plies are duplicates only if players, dates and events are the same.
const SHORT: u32 = 20;
/// The maximum number of earlier games of the same length, moves and surnames with which a game is compared, the
/// nearest first: there are more only in made-up files, for which the time would grow with the square of their number.
const MAX_COMPARED: usize = 1000;

/// The properties that must agree besides the moves; each level includes the previous ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Only the moves.
    Moves,
    /// The players.
    Players,
    /// The date and the event, as far as they are known.
    Event,
    /// The result.
    Result,
}

/// The rules by which two games are duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SameRules {
    /// The properties that must agree.
    pub level: Level,
    /// The maximum difference of the lengths in plies; the moves of the longer game must start with those of the other.
    pub plies: usize,
    /// The maximum distance of compared games in the input.
    pub window: usize,
    /// Whether different spellings of a name are different players.
    pub is_exact: bool,
}

/// A group of duplicates: each agrees with all others in what the level compares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DuplicateGroup {
    /// The indices of the games, at least two, in the order of the input.
    pub games: Vec<usize>,
    /// The game that is kept: the one with the most comments, glyphs and variations, then the longest, then the one
    /// with the most tags, then the first.
    pub kept: usize,
}

/// A compared game, for display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComparedGame<'a> {
    /// The name of White.
    pub white: &'a str,
    /// The name of Black.
    pub black: &'a str,
    /// The event.
    pub event: &'a str,
    /// The date as written.
    pub date: &'a str,
    /// The result.
    pub result: GameResult,
    /// The length of the main line, in plies.
    pub plies: usize,
}

/// Finds duplicates among games.
#[derive(Debug)]
pub struct Duplicates {
    rules: SameRules,
    all: Digests,
}

impl Duplicates {
    /// Starts without games.
    pub fn new(rules: SameRules, form: LineForm) -> Self {
        Self { rules, all: Digests::new(rules.plies, form) }
    }

    /// Adds the next games, whose digests were made for the same rules and with the same form.
    pub fn append(&mut self, digests: &Digests) {
        self.all.append(digests);
    }

    /// The number of games.
    pub const fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no games.
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The properties of a game, for display.
    pub fn game(&self, index: usize) -> ComparedGame<'_> {
        let digest = &self.all.games[index];
        let [white, black, event] = digest.texts.map(|number| self.all.texts.get(number));
        ComparedGame {
            white,
            black,
            event,
            date: self.all.texts.get(digest.date).trim(),
            result: digest.result,
            plies: digest.plies as usize,
        }
    }

    /// The groups of duplicates. Each game joins the group of the nearest earlier game with which it and its group
    /// agree.
    pub fn groups(&self) -> Vec<DuplicateGroup> {
        let shared = SharedMoves::find(&self.all);
        let compared = (0..self.len()).filter(|&game| shared.concerns(self.all.ends(game)));
        let names = PlayerNames::new(&self.all, compared, self.rules.is_exact);
        let mut firsts = Comparison { rules: self.rules, all: &self.all, names }.firsts(&shared);
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..firsts.len() {
            let first = first(&mut firsts, index);
            if first != index {
                // The first game of a group comes before the others.
                groups.entry(first).or_insert_with(|| vec![first]).push(index);
            }
        }
        groups.into_values().map(|games| DuplicateGroup { kept: self.kept(&games), games }).collect()
    }

    fn kept(&self, games: &[usize]) -> usize {
        let rank = |&&index: &&usize| {
            let digest = &self.all.games[index];
            (digest.notes, digest.plies, digest.tags, Reverse(index))
        };
        games.iter().max_by_key(rank).copied().unwrap_or_default()
    }
}

/// The first game of the group to which a game belongs so far.
fn first(firsts: &mut [usize], mut index: usize) -> usize {
    while firsts[index] != index {
        firsts[index] = firsts[firsts[index]];
        index = firsts[index];
    }
    index
}

/// The hash of the properties that duplicates have in common: the moves, the surnames unless only moves count, and
/// event and date of short games.
type Place = (u64, u64);

/// The comparison of all games.
struct Comparison<'a> {
    rules: SameRules,
    all: &'a Digests,
    names: PlayerNames,
}

impl Comparison<'_> {
    fn date(&self, digest: &Digest) -> Date {
        Date::parse_parts(self.all.texts.get(digest.date))
    }

    /// Whether two games agree apart from their moves, and so do their groups, of which these are the profiles.
    fn agree(&self, games: [usize; 2], groups: [&Profile; 2]) -> bool {
        let [a, b] = games.map(|index| &self.all.games[index]);
        if a.plies.min(b.plies) < SHORT {
            let [one, other] = [a, b].map(|digest| Profile::new(digest, self.all));
            let is_same_occasion = || a.texts[2] == b.texts[2] && self.date(a) == self.date(b);
            if !one.has_players_of(&other, &self.names) || !is_same_occasion() {
                return false;
            }
        }
        let [one, other] = groups;
        let level = self.rules.level;
        (level < Level::Players || one.has_players_of(other, &self.names))
            && (level < Level::Event || one.has_occasion_of(other))
            && (level < Level::Result || a.result == b.result)
    }

    /// The place of a game without its last `shorter` plies, where `moves` is the hash of the remaining moves.
    fn place(&self, game: usize, shorter: usize, moves: u128) -> Place {
        let digest = &self.all.games[game];
        let is_short = digest.plies - (shorter as u32) < SHORT;
        let needs_players = is_short || self.rules.level > Level::Moves;
        let halves = |identity: u128| ((identity >> u64::BITS) as u64, identity as u64);
        if !needs_players {
            return halves(moves);
        }
        const NUMBER: usize = size_of::<u32>();
        let mut bytes = [0; size_of::<u128>() + 5 * NUMBER];
        let (start, numbers) = bytes.split_at_mut(size_of::<u128>());
        start.copy_from_slice(&moves.to_le_bytes());
        let [white, black, _] = digest.texts.map(|text| self.names.surname(text));
        let (event, date) = if is_short { (digest.texts[2], self.date(digest)) } else { Default::default() };
        let (year, month, day) = date.numbers();
        let day = u32::from(year) << u16::BITS | u32::from(month) << u8::BITS | u32::from(day);
        let all = [white, black, event, day, is_short.into()];
        for (bytes, number) in numbers.chunks_exact_mut(NUMBER).zip(all) {
            bytes.copy_from_slice(&u32::to_le_bytes(number));
        }
        halves(xxh3_128(&bytes))
    }

    /// For each game, an earlier game of its group, or itself.
    fn firsts(&mut self, shared: &SharedMoves) -> Vec<usize> {
        let count = self.all.len();
        let mut firsts: Vec<usize> = (0..count).collect();
        // The profiles of the groups with several games, by their first games.
        let mut profiles: HashMap<usize, Profile> = HashMap::new();
        let all = self.all;
        let level = self.rules.level;
        let places = Places::new(
            (0..count)
                .filter(|&game| shared.is_wanted(self.all.ends(game)[0]))
                .map(|game| (game, self.place(game, 0, self.all.ends(game)[0]))),
        );
        for game in 0..count {
            for (shorter, &end) in self.all.ends(game).iter().enumerate() {
                if !shared.may_be_of_others(end, shorter) {
                    continue;
                }
                let others = places.games(self.place(game, shorter, end));
                // Each pair of games with the same length is compared once.
                let last = if shorter == 0 { game } else { game.saturating_add(self.rules.window) };
                let start = others.partition_point(|&other| other.saturating_add(self.rules.window) < game);
                let end = others.partition_point(|&other| other < last || other == last && shorter > 0);
                for &other in others[start..end].iter().rev().take(MAX_COMPARED) {
                    let (one, two) = (first(&mut firsts, game), first(&mut firsts, other));
                    if one == two {
                        break;
                    }
                    let profile = |first: usize| {
                        profiles.get(&first).copied().unwrap_or_else(|| Profile::new(&all.games[first], all))
                    };
                    let groups = [profile(one), profile(two)];
                    if self.agree([game, other], groups.each_ref()) {
                        let [has_players, has_occasion] =
                            [Level::Players, Level::Event].map(|least| level >= least);
                        let joined = groups[0].join(&groups[1], has_players, has_occasion, &mut self.names);
                        profiles.insert(one.min(two), joined);
                        firsts[one.max(two)] = one.min(two);
                        // The other games of this length have been compared with that one.
                        break;
                    }
                }
            }
        }
        firsts
    }
}

/// A set of hashes that may have false positives.
struct Sketch(Vec<u64>);

/// The number of bits of a sketch for each hash, which makes false positives rare.
const SKETCH_BITS: usize = 16;

impl Sketch {
    fn new(count: usize) -> Self {
        let bits = (count * SKETCH_BITS).max(u64::BITS as usize).next_power_of_two();
        Self(vec![0; bits / u64::BITS as usize])
    }

    /// The index of a word, and the bit in it.
    fn place(&self, identity: u128) -> (usize, u64) {
        let bit = identity as usize;
        ((bit / u64::BITS as usize) & (self.0.len() - 1), 1 << (bit % u64::BITS as usize))
    }

    fn add(&mut self, identity: u128) {
        let (index, bit) = self.place(identity);
        self.0[index] |= bit;
    }

    fn has(&self, identity: u128) -> bool {
        let (index, bit) = self.place(identity);
        self.0[index] & bit != 0
    }
}

/// The moves that several games may have: most games have none of them, and are not examined again.
struct SharedMoves {
    /// The complete moves of games.
    whole: Sketch,
    /// The complete moves of at least two games.
    twice: Sketch,
    /// The complete moves of a game that may be the start of a longer game.
    begun: Sketch,
}

impl SharedMoves {
    fn find(all: &Digests) -> Self {
        let sketch = || Sketch::new(all.len());
        let mut shared = Self { whole: sketch(), twice: sketch(), begun: sketch() };
        let Self { whole, twice, begun } = &mut shared;
        for game in 0..all.len() {
            let end = all.ends(game)[0];
            if whole.has(end) {
                twice.add(end);
            }
            whole.add(end);
        }
        for game in 0..all.len() {
            for &end in all.ends(game)[1..].iter().filter(|&&end| whole.has(end)) {
                begun.add(end);
            }
        }
        shared
    }

    /// Whether a game may be a duplicate that has these moves: all of them, all but one, and so on.
    fn concerns(&self, ends: &[u128]) -> bool {
        self.is_wanted(ends[0]) || (0..).zip(ends).any(|(shorter, &end)| self.may_be_of_others(end, shorter))
    }

    /// Whether a game with these moves may be a duplicate.
    fn is_wanted(&self, end: u128) -> bool {
        self.twice.has(end) || self.begun.has(end)
    }

    /// Whether these moves, the start of a game without `shorter` plies, may be the complete moves of another.
    fn may_be_of_others(&self, end: u128, shorter: usize) -> bool {
        if shorter == 0 { self.twice.has(end) } else { self.whole.has(end) }
    }
}

/// Games by their places.
struct Places {
    /// The number of each place.
    numbers: HashMap<Place, usize, BuildHasherDefault<KeyHasher>>,
    /// The end of the games of each place in `games`.
    ends: Vec<usize>,
    /// The games of all places, ordered by place.
    games: Vec<usize>,
}

impl Places {
    fn new(games: impl Iterator<Item = (usize, Place)>) -> Self {
        let mut numbers = HashMap::default();
        let mut counts: Vec<usize> = Vec::new();
        let numbered: Vec<(usize, usize)> = games
            .map(|(game, place)| {
                let number = *numbers.entry(place).or_insert(counts.len());
                if number == counts.len() {
                    counts.push(0);
                }
                counts[number] += 1;
                (game, number)
            })
            .collect();
        // Contains the starts first, which become the ends.
        let mut end = 0;
        let mut ends: Vec<usize> = counts
            .into_iter()
            .map(|count| {
                end += count;
                end - count
            })
            .collect();
        let mut games = vec![0; numbered.len()];
        for (game, number) in numbered {
            games[ends[number]] = game;
            ends[number] += 1;
        }
        Self { numbers, ends, games }
    }

    fn games(&self, place: Place) -> &[usize] {
        let Some(&number) = self.numbers.get(&place) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.games[start..self.ends[number]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::notation::pgn::{Game, NodeId};
    use proptest::prelude::*;

    fn game(text: &str) -> Game {
        Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0
    }

    #[test]
    fn many_equal_games_are_one_group() {
        let rules = SameRules { level: Level::Players, plies: 4, window: usize::MAX, is_exact: false };
        let mut digests = Digests::new(rules.plies, LineForm::Moves);
        let (one, two) = (game("[White \"a\"]\n\n1. e4 *"), game("[White \"a\"]\n\n1. e4 e5 *"));
        const COUNT: usize = 30_000;
        for _ in 0..COUNT {
            digests.add(&one);
            digests.add(&two);
        }
        let mut duplicates = Duplicates::new(rules, LineForm::Moves);
        duplicates.append(&digests);
        let groups = duplicates.groups();
        assert_eq!(groups.len(), 1);
        assert_eq!((groups[0].games.len(), groups[0].kept), (2 * COUNT, 1));
    }

    #[test]
    fn names_are_compared_in_pairs() {
        const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 \
                             10. Bc2 c5 *";
        // The names of White, and the groups of their games, which have the same moves.
        let cases: [(&[&str], &[&[usize]]); 6] = [
            (&["Kasparov, G", "Kasparov, Garry", "Kasparov, Gary"], &[&[0, 1]]),
            (&["Tal, Mihail", "Tal, M", "Tal", "Tal, Mikhail"], &[&[0, 1, 2]]),
            (&["Smith, John", "Smith, James", "Smith, J", "Smith, John P."], &[&[0, 3], &[1, 2]]),
            (&["Mihail Tal", "Tal, M", "Botvinnik, M"], &[&[0, 1]]),
            (&["O'Neil, S", "ONeil, Sean", "?", ""], &[&[0, 1], &[2, 3]]),
            (&["Ax, J Paul", "Ax, John P", "Ax, John Peter", "Ax, Jo"], &[&[0, 1]]),
        ];
        let rules = SameRules { level: Level::Players, plies: 0, window: usize::MAX, is_exact: false };
        for (names, expected) in cases {
            let mut digests = Digests::new(rules.plies, LineForm::Moves);
            for name in names {
                digests.add(&game(&format!("[White \"{name}\"]\n[Black \"Euwe, Max\"]\n\n{MOVES}")));
            }
            let mut duplicates = Duplicates::new(rules, LineForm::Moves);
            duplicates.append(&digests);
            let groups: Vec<_> = duplicates.groups().into_iter().map(|group| group.games).collect();
            assert_eq!(groups, expected, "{names:?}");
        }
    }

    /// A sample game: its moves, White, event and date.
    type Sample = (Vec<Move>, &'static str, &'static str, &'static str);

    /// Names of White, and the pairs of them that may be one player.
    const NAMES: [&str; 6] = ["Tal, Mihail", "Tal, Mikhail", "tal, m.", "Tal", "Tal, M N", "Euwe, M"];
    const ALIKE: [(usize, usize); 8] = [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4)];

    fn is_same_player(one: &str, other: &str, is_exact: bool) -> bool {
        let index = |name: &str| NAMES.iter().position(|known| *known == name).expect("a known name");
        let pair = (index(one).min(index(other)), index(one).max(index(other)));
        one == other || !is_exact && (ALIKE.contains(&pair) || pair == (3, 4))
    }

    /// Games that share their first moves, most of them with lengths near [`SHORT`].
    fn samples() -> impl Strategy<Value = Vec<Sample>> {
        let tail = prop::collection::vec(0_usize..2, 0..7);
        let texts = (prop::sample::select(&NAMES[..]), prop::sample::select(&["e", "f", "?"][..]));
        let date = prop::sample::select(&["2000.01.01", "2000.??.??", "2001.01.01"][..]);
        let sample = (prop::sample::select(&[0_usize, 14, 17][..]), tail, texts, date);
        let line = |(common, tail, (white, event), date): (usize, Vec<usize>, _, _)| {
            let mut position = Position::start();
            let choices = std::iter::repeat_n(0, common).chain(tail);
            let moves = choices.map(|choice| {
                let mv = position.legal_moves()[choice];
                position = position.after(mv).0;
                mv
            });
            (moves.collect(), white, event, date)
        };
        prop::collection::vec(sample.prop_map(line), 0..40)
    }

    /// The groups found by comparing each game with all others within the window.
    fn groups_one_by_one(samples: &[Sample], rules: SameRules) -> Vec<Vec<usize>> {
        let short = SHORT as usize;
        let date = |date: &str| Date::parse_parts(date);
        let mut firsts: Vec<usize> = (0..samples.len()).collect();
        // Whether two games of a group may have their tags.
        let may_be_in_a_group = |one: usize, other: usize| {
            let (_, white, event, day) = &samples[one];
            let (_, other_white, other_event, other_day) = &samples[other];
            let same_players = is_same_player(white, other_white, rules.is_exact);
            let may_be = event == other_event || *event == "?" || *other_event == "?";
            let same_occasion = date(day).agrees_with(date(other_day)) && may_be;
            (rules.level < Level::Players || same_players) && (rules.level < Level::Event || same_occasion)
        };
        for (game, (moves, white, event, day)) in samples.iter().enumerate() {
            for shorter in 0..=rules.plies.min(moves.len()) {
                let begin = &moves[..moves.len() - shorter];
                let is_near = |other: usize| game.abs_diff(other) <= rules.window;
                let others = (0..if shorter == 0 { game } else { samples.len() }).rev();
                for other in others.filter(|&other| is_near(other) && samples[other].0 == begin) {
                    let (_, other_white, other_event, other_day) = &samples[other];
                    let same_players = is_same_player(white, other_white, rules.is_exact);
                    let is_same_occasion = event == other_event && date(day) == date(other_day);
                    if begin.len() < short && !(same_players && is_same_occasion) {
                        continue;
                    }
                    let (one, two) = (first(&mut firsts, game), first(&mut firsts, other));
                    let members = |firsts: &mut [usize], of: usize| -> Vec<usize> {
                        (0..samples.len()).filter(|&index| first(firsts, index) == of).collect()
                    };
                    let (own, others) = (members(&mut firsts, one), members(&mut firsts, two));
                    let agree = || own.iter().all(|&a| others.iter().all(|&b| may_be_in_a_group(a, b)));
                    if one == two || agree() {
                        firsts[one.max(two)] = one.min(two);
                        break;
                    }
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for game in 0..samples.len() {
            groups.entry(first(&mut firsts, game)).or_default().push(game);
        }
        groups.into_values().filter(|games| games.len() > 1).collect()
    }

    proptest! {
        #[test]
        fn groups_are_those_that_are_found_one_by_one(
            samples in samples(),
            plies in 0_usize..5,
            window in prop::sample::select(&[1, 5, usize::MAX][..]),
            level in prop::sample::select(&[Level::Moves, Level::Players, Level::Event][..]),
            form in prop::sample::select(&[LineForm::Moves, LineForm::Numbers][..]),
            is_exact in any::<bool>(),
        ) {
            let rules = SameRules { level, plies, window, is_exact };
            let mut duplicates = Duplicates::new(rules, form);
            // Added in batches, each with its own texts.
            for samples in samples.chunks(7) {
                let mut digests = Digests::new(plies, form);
                for (moves, white, event, date) in samples {
                    let mut game = Game::default();
                    game.add_line(NodeId::ROOT, moves.iter().copied()).expect("the moves are legal");
                    for (name, value) in [("White", white), ("Event", event), ("Date", date)] {
                        game.tags.set(name, *value);
                    }
                    digests.add(&game);
                }
                duplicates.append(&digests);
            }
            let groups: Vec<_> = duplicates.groups().into_iter().map(|group| group.games).collect();
            prop_assert_eq!(groups, groups_one_by_one(&samples, rules));
        }
    }
}
