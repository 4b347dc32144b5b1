//! Players and what they have scored: names in several spellings, standings, and cross tables.

use super::query::{Header, fold};
use super::tally::{GameFacts, Tally, rating};
use super::tree::TooManyMoves;
use crate::chess::Color;
use crate::notation::pgn::GameResult;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Sets what several players of one side are separated by, as in consultation games (PGN standard, 8.1.1.5).
const SEPARATOR: char = ':';
/// The most names, or games of cross tables, that are held.
const MAX_ENTRIES: usize = 1 << 22;

/// Whether a name states who it is.
pub fn is_known_name(name: &str) -> bool {
    name.chars().any(char::is_alphanumeric)
}

/// The players of a side, of whom there are several in a consultation game, each with the rating that the tags state.
pub fn players_of(header: &dyn Header, side: Color) -> impl Iterator<Item = (&str, Option<u16>)> {
    let (name, elo) = match side {
        Color::White => ("White", "WhiteElo"),
        Color::Black => ("Black", "BlackElo"),
    };
    let mut ratings = header.tag(elo).unwrap_or_default().split(SEPARATOR);
    let names = header.tag(name).unwrap_or_default().split(SEPARATOR);
    names.map(move |name| (name.trim(), ratings.next().and_then(rating)))
}

/// Which spellings are one name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Joined {
    /// The name for which each spelling stands, for those that are joined only.
    names: HashMap<String, String>,
}

impl Joined {
    /// The name of a spelling.
    pub fn name<'a>(&'a self, spelling: &'a str) -> &'a str {
        self.names.get(spelling).map_or(spelling, |name| name)
    }

    /// The names with more than one spelling, each with the others, in alphabetical order.
    pub fn groups(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (spelling, name) in &self.names {
            groups.entry(name).or_default().insert(spelling);
        }
        groups
    }
}

/// A name in parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Parts {
    surname: Vec<String>,
    given: Vec<String>,
}

fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether one list of given names may be a shorter form of the other: its words are the same, or their initials, and some
/// may be missing at its end.
fn is_short_for(short: &[String], long: &[String]) -> bool {
    let agrees = |(one, other): (&String, &String)| {
        one == other || one.len().min(other.len()) == 1 && one.as_bytes()[0] == other.as_bytes()[0]
    };
    !short.is_empty() && short.len() <= long.len() && short.iter().zip(long).all(agrees)
}

/// How much a list of given names says.
fn weight(given: &[String]) -> (usize, usize) {
    (given.len(), given.iter().map(String::len).sum())
}

/// Joins spellings of names by three rules; the numbers are those of their games.
///
/// * Case, accents, spaces and punctuation do not matter.
/// * `First Last` is `Last, First` if that surname is also written with a comma.
/// * Initials and missing further names are completed, `Tal, M` to `Tal, Mihail`, if there is only one name with this
///   surname that they may stand for.
///
/// A group has the name that says most and is written most often, with a comma rather than without.
pub fn join_names<'a>(spellings: impl IntoIterator<Item = (&'a str, u64)>) -> Joined {
    let mut spellings: Vec<(&str, u64)> = spellings.into_iter().collect();
    spellings.sort_unstable();
    let with_comma: BTreeSet<Vec<String>> =
        spellings.iter().filter_map(|(name, _)| Some(words(name.split_once(',')?.0))).collect();
    let mut groups: BTreeMap<Parts, Vec<(&str, u64)>> = BTreeMap::new();
    for &(name, games) in &spellings {
        let parts = match name.split_once(',') {
            Some((surname, given)) => Parts { surname: words(surname), given: words(given) },
            None => {
                let words = words(name);
                // The longest surname that leaves a given name.
                let split = (1..words.len()).find(|&start| with_comma.contains(&words[start..]));
                let at = split.unwrap_or(0);
                Parts { surname: words[at..].to_vec(), given: words[..at].to_vec() }
            }
        };
        groups.entry(parts).or_default().push((name, games));
    }
    let mut joined = Joined::default();
    let all: Vec<(&Parts, &Vec<(&str, u64)>)> = groups.iter().collect();
    for family in all.chunk_by(|(one, _), (other, _)| one.surname == other.surname) {
        let target = targets(family);
        for (index, _) in family.iter().enumerate() {
            let members: Vec<(&str, u64)> = family
                .iter()
                .zip(&target)
                .filter(|(_, target)| **target == index)
                .flat_map(|((_, spellings), _)| spellings.iter().copied())
                .collect();
            // The best spelling of the name that says most.
            let best = family[index].1.iter().filter(|_| target[index] == index);
            let Some(&(best, _)) =
                best.max_by_key(|(name, games)| (name.contains(','), *games, Reverse(*name)))
            else {
                continue;
            };
            let others = members.into_iter().filter(|&(name, _)| name != best);
            joined.names.extend(others.map(|(name, _)| (name.to_owned(), best.to_owned())));
        }
    }
    joined
}

/// The most names of a family that are compared with one another; no surname is so frequent.
const MAX_FAMILY: usize = 4096;

/// The name for which each name of a family stands: itself, or the only one that says more.
fn targets(family: &[(&Parts, &Vec<(&str, u64)>)]) -> Vec<usize> {
    if family.len() > MAX_FAMILY {
        return (0..family.len()).collect();
    }
    let given = |index: usize| &family[index].0.given;
    let says_more = |short: usize, long: usize| {
        short != long
            && is_short_for(given(short), given(long))
            && (weight(given(short)), Reverse(short)) < (weight(given(long)), Reverse(long))
    };
    let longer: Vec<Vec<usize>> = (0..family.len())
        .map(|short| (0..family.len()).filter(|&long| says_more(short, long)).collect())
        .collect();
    let target = |short: usize| {
        let mut last = longer[short].iter().filter(|&&long| longer[long].is_empty());
        match (last.next(), last.next()) {
            (Some(&only), None) => only,
            _ => short,
        }
    };
    (0..family.len()).map(target).collect()
}

/// A date as year, month and day; what is not known is 0.
type Date = (u16, u8, u8);

fn date(header: &dyn Header) -> Date {
    let text = header.tag("Date").unwrap_or_default().replace('?', "0");
    let mut fields = text.split('.').map(|field| field.trim().parse::<u16>().ok());
    let mut next = || fields.next().flatten().unwrap_or_default();
    let (year, month, day) = (next(), next(), next());
    (year, u8::try_from(month).unwrap_or_default(), u8::try_from(day).unwrap_or_default())
}

/// The games of a player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Player {
    /// The games with White, seen by White.
    pub white: Tally,
    /// The games with Black, seen by Black.
    pub black: Tally,
    /// The latest rating, with the date of its game.
    latest: Option<(Date, u16)>,
}

impl Player {
    /// All games; results are no longer by color.
    fn sum(&self) -> Tally {
        let mut sum = self.white;
        sum.merge(&self.black);
        sum
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.white.games + self.black.games
    }

    /// Games won, drawn and lost.
    pub const fn results(&self) -> [u64; 3] {
        [
            self.white.white + self.black.black,
            self.white.draws + self.black.draws,
            self.white.black + self.black.white,
        ]
    }

    /// Twice the points.
    pub const fn half_points(&self) -> u64 {
        let [won, drawn, _] = self.results();
        2 * won + drawn
    }

    /// The points of the games with a result, in percent.
    pub fn score(&self) -> Option<f64> {
        let finished = self.results().iter().sum::<u64>();
        (finished > 0).then(|| self.half_points() as f64 * 50.0 / finished as f64)
    }

    /// The latest rating.
    pub fn rating(&self) -> Option<u16> {
        self.latest.map(|(_, rating)| rating)
    }

    /// The average rating of the opponents in games with a result.
    pub fn average_opponent(&self) -> Option<u64> {
        self.sum().average_opponent()
    }

    /// The performance, see [`Tally::performance`].
    pub fn performance(&self) -> Option<i64> {
        self.sum().performance()
    }

    /// The year of the latest game.
    pub fn last_year(&self) -> Option<u16> {
        self.white.last_year.max(self.black.last_year)
    }

    fn add(&mut self, game: &GameFacts, side: Color, date: Date) {
        let tally = if side == Color::White { &mut self.white } else { &mut self.black };
        tally.add(game, side);
        let rating = game.ratings[side as usize].map(|rating| (date, rating));
        self.see(rating);
    }

    /// Takes a rating that is at least as late. Of the same day, the later game counts.
    fn see(&mut self, rating: Option<(Date, u16)>) {
        if let Some((date, _)) = rating
            && self.latest.is_none_or(|(known, _)| known <= date)
        {
            self.latest = rating;
        }
    }

    /// Adds later games.
    pub fn merge(&mut self, other: &Self) {
        self.white.merge(&other.white);
        self.black.merge(&other.black);
        self.see(other.latest);
    }
}

/// Counts the games of each player, by the spellings of the names.
#[derive(Clone, Default, Debug)]
pub struct Players {
    /// The games by spelling.
    pub spellings: HashMap<String, Player>,
    /// The number of sides that have no name.
    pub unknown: u64,
}

impl Players {
    /// Adds a game.
    pub fn add(&mut self, header: &dyn Header, result: GameResult) {
        let facts = GameFacts::new(header, result);
        let date = date(header);
        for side in Color::ALL {
            for (name, rating) in players_of(header, side) {
                if !is_known_name(name) {
                    self.unknown += 1;
                    continue;
                }
                let mut facts = facts;
                facts.ratings[side as usize] = rating;
                match self.spellings.get_mut(name) {
                    Some(player) => player.add(&facts, side, date),
                    None => self.spellings.entry(name.to_owned()).or_default().add(&facts, side, date),
                }
            }
        }
    }

    /// Adds later games.
    ///
    /// # Errors
    /// [`TooManyMoves`] if there are too many names.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyMoves> {
        for (name, player) in other.spellings {
            self.spellings.entry(name).or_default().merge(&player);
        }
        self.unknown += other.unknown;
        if self.spellings.len() > MAX_ENTRIES { Err(TooManyMoves) } else { Ok(()) }
    }

    /// Which spellings are one name.
    pub fn joined(&self) -> Joined {
        join_names(self.spellings.iter().map(|(name, player)| (&**name, player.games())))
    }

    /// The players by name.
    pub fn by_name(&self, joined: &Joined) -> BTreeMap<String, Player> {
        let mut players: BTreeMap<String, Player> = BTreeMap::new();
        let mut spellings: Vec<_> = self.spellings.iter().collect();
        spellings.sort_unstable_by_key(|&(name, _)| name);
        for (spelling, player) in spellings {
            players.entry(joined.name(spelling).to_owned()).or_default().merge(player);
        }
        players
    }
}

/// A game of a cross table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossGame {
    /// The names of White and Black.
    pub names: [String; 2],
    /// Their ratings.
    pub ratings: [Option<u16>; 2],
    /// The result.
    pub result: GameResult,
    /// The first number of the round.
    pub round: Option<u32>,
    date: Date,
}

/// How the rounds of games are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounds {
    /// By their tags.
    Stated,
    /// By the order of their dates: a player has one game in a round.
    ByDate,
}

/// The games of events, for cross tables.
#[derive(Clone, Default, Debug)]
pub struct Cross {
    /// The games of each event: one with the same name, date of the event and section.
    pub events: BTreeMap<[String; 3], Vec<CrossGame>>,
    games: usize,
}

impl Cross {
    /// Adds a game between two players.
    pub fn add(&mut self, header: &dyn Header, result: GameResult) {
        let tag = |name: &str| header.tag(name).unwrap_or_default().trim().to_owned();
        let round = header.tag("Round").unwrap_or_default().trim();
        let first = round.split(|letter: char| !letter.is_ascii_digit()).next();
        let facts = GameFacts::new(header, result);
        let game = CrossGame {
            names: [tag("White"), tag("Black")],
            ratings: facts.ratings,
            result,
            round: first.and_then(|number| number.parse().ok()).filter(|&round| round > 0),
            date: date(header),
        };
        if game.names.iter().all(|name| is_known_name(name)) {
            self.games += 1;
            self.events.entry(["Event", "EventDate", "Section"].map(tag)).or_default().push(game);
        }
    }

    /// Adds later games.
    ///
    /// # Errors
    /// [`TooManyMoves`] if there are too many games.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyMoves> {
        for (event, games) in other.events {
            self.events.entry(event).or_default().extend(games);
        }
        self.games += other.games;
        if self.games > MAX_ENTRIES { Err(TooManyMoves) } else { Ok(()) }
    }
}

/// A player's opponent in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opponent {
    /// The index of the opponent.
    pub index: usize,
    /// The color of the player.
    pub color: Color,
    /// Twice the player's points; `None` without a result.
    pub half_points: Option<u64>,
    /// The round.
    pub round: Option<u32>,
}

/// A player of a cross table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The name.
    pub name: String,
    /// The rating in the latest game.
    pub rating: Option<u16>,
    /// Twice the points.
    pub half_points: u64,
    /// Four times the Sonneborn-Berger score: the points of beaten opponents and half of those with whom the player drew.
    pub sonneborn_berger: u64,
    /// Twice the Buchholz score: the points of the opponents.
    pub buchholz: u64,
    /// The games, round by round.
    pub games: Vec<Opponent>,
    /// Results and ratings.
    pub player: Player,
}

/// The cross table of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crosstable {
    /// The players: the most points first, then the better tie-breaks, and then in the order of their names.
    pub standings: Vec<Standing>,
    /// The rounds that are known, in their order.
    pub rounds: Vec<u32>,
    /// Games whose round is not known.
    pub without_round: u64,
}

impl Crosstable {
    /// The table of these games, in which names are joined.
    pub fn new(games: &[CrossGame], joined: &Joined, rounds: Rounds) -> Self {
        let mut games: Vec<CrossGame> = games.to_vec();
        for game in &mut games {
            game.names = std::mem::take(&mut game.names).map(|name| joined.name(&name).to_owned());
        }
        if rounds == Rounds::ByDate {
            guess_rounds(&mut games);
        }
        games.sort_by_key(|game| (game.round.is_none(), game.round, game.date));
        let names: BTreeSet<&str> = games.iter().flat_map(|game| &game.names).map(|name| &**name).collect();
        let index: HashMap<&str, usize> =
            names.iter().enumerate().map(|(index, &name)| (name, index)).collect();
        let standing = |&name: &&str| Standing {
            name: name.to_owned(),
            rating: None,
            half_points: 0,
            sonneborn_berger: 0,
            buchholz: 0,
            games: Vec::new(),
            player: Player::default(),
        };
        let mut standings: Vec<Standing> = names.iter().map(standing).collect();
        for game in &games {
            let facts = GameFacts { result: game.result, ratings: game.ratings, year: None };
            let sides = [index[&*game.names[0]], index[&*game.names[1]]];
            for color in Color::ALL {
                let half_points = match game.result {
                    GameResult::Unknown => None,
                    GameResult::Draw => Some(1),
                    won => Some(2 * u64::from(won == GameResult::win(color))),
                };
                let own = &mut standings[sides[color as usize]];
                own.half_points += half_points.unwrap_or_default();
                own.games.push(Opponent {
                    index: sides[!color as usize],
                    color,
                    half_points,
                    round: game.round,
                });
                own.player.add(&facts, color, game.date);
                own.rating = own.player.rating();
            }
        }
        let points: Vec<u64> = standings.iter().map(|standing| standing.half_points).collect();
        for standing in &mut standings {
            let of = |game: &Opponent| points[game.index];
            standing.buchholz = standing.games.iter().map(of).sum();
            standing.sonneborn_berger =
                standing.games.iter().map(|game| of(game) * game.half_points.unwrap_or_default()).sum();
        }
        let rounds: BTreeSet<u32> = games.iter().filter_map(|game| game.round).collect();
        let without_round = games.iter().filter(|game| game.round.is_none()).count() as u64;
        let mut table = Self { standings, rounds: rounds.into_iter().collect(), without_round };
        table.sort_by(|standing| {
            (Reverse(standing.half_points), Reverse(standing.sonneborn_berger), Reverse(standing.buchholz))
        });
        table
    }

    /// Sorts the players anew; equal ones stay in their order.
    pub fn sort_by<K: Ord>(&mut self, key: impl Fn(&Standing) -> K) {
        let mut order: Vec<usize> = (0..self.standings.len()).collect();
        order.sort_by_key(|&index| key(&self.standings[index]));
        let mut place = vec![0; order.len()];
        for (to, &from) in order.iter().enumerate() {
            place[from] = to;
        }
        for standing in &mut self.standings {
            for game in &mut standing.games {
                game.index = place[game.index];
            }
        }
        let mut sorted: Vec<(usize, Standing)> =
            place.into_iter().zip(std::mem::take(&mut self.standings)).collect();
        sorted.sort_by_key(|(place, _)| *place);
        self.standings = sorted.into_iter().map(|(_, standing)| standing).collect();
    }

    /// Whether each player has met every other one.
    pub fn is_complete(&self) -> bool {
        let count = self.standings.len();
        self.standings.iter().all(|standing| {
            let met: BTreeSet<usize> = standing.games.iter().map(|game| game.index).collect();
            met.len() + 1 == count && !self.standings.is_empty()
        })
    }

    /// Whether all players but one have lost one match and play no later one.
    pub fn is_knockout(&self) -> bool {
        let matches = self.matches();
        let count = self.standings.len();
        if count < 4 || matches.len() + 1 != count {
            return false;
        }
        let losers: BTreeSet<usize> = matches.iter().filter_map(|found| found.loser()).collect();
        losers.len() + 1 == count
    }

    /// The matches of two players, by their first round and then in the order of the games.
    pub fn matches(&self) -> Vec<CrossMatch> {
        let mut matches: Vec<CrossMatch> = Vec::new();
        let mut known: HashMap<(usize, usize), usize> = HashMap::new();
        for (index, standing) in self.standings.iter().enumerate() {
            for game in standing.games.iter().filter(|game| index < game.index) {
                let at = *known.entry((index, game.index)).or_insert_with(|| {
                    matches.push(CrossMatch {
                        players: [index, game.index],
                        round: game.round,
                        games: Vec::new(),
                    });
                    matches.len() - 1
                });
                matches[at].games.push(game.half_points);
            }
        }
        matches.sort_by_key(|found| (found.round.is_none(), found.round));
        matches
    }
}

/// A match of two players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossMatch {
    /// Their indexes.
    pub players: [usize; 2],
    /// The first round in which they met.
    pub round: Option<u32>,
    /// Twice the points of the first player in each game.
    pub games: Vec<Option<u64>>,
}

impl CrossMatch {
    /// Twice the points of both.
    pub fn half_points(&self) -> [u64; 2] {
        let own: u64 = self.games.iter().flatten().sum();
        let finished = self.games.iter().flatten().count() as u64;
        [own, 2 * finished - own]
    }

    /// The player with less points.
    pub fn loser(&self) -> Option<usize> {
        let [first, second] = self.half_points();
        match first.cmp(&second) {
            std::cmp::Ordering::Less => Some(self.players[0]),
            std::cmp::Ordering::Greater => Some(self.players[1]),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// Gives each game the first round in which both players are free, in the order of their dates.
fn guess_rounds(games: &mut [CrossGame]) {
    games.sort_by_key(|game| game.date);
    let mut last: HashMap<String, u32> = HashMap::new();
    for game in games {
        let round =
            1 + game.names.iter().filter_map(|name| last.get(name)).max().copied().unwrap_or_default();
        game.names.iter().for_each(|name| {
            last.insert(name.clone(), round);
        });
        game.round = Some(round);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(spellings: &[(&str, u64)]) -> Vec<String> {
        let joined = join_names(spellings.iter().copied());
        let text = |(name, others): (&str, BTreeSet<&str>)| {
            format!("{name} = {}", others.into_iter().collect::<Vec<_>>().join(" = "))
        };
        joined.groups().into_iter().map(text).collect()
    }

    #[test]
    fn spellings_are_joined_by_rules() {
        /// Names with their numbers of games, and those that are joined.
        type Case = (&'static [(&'static str, u64)], &'static [&'static str]);
        let cases: &[Case] = &[
            (
                &[("Tal, Mihail", 5), ("TAL,MIHAIL", 2), ("Tál, Mihail", 9)],
                &["Tál, Mihail = TAL,MIHAIL = Tal, Mihail"],
            ),
            (
                &[("Tal, Mihail", 5), ("Mihail Tal", 7), ("Tal, M.", 90)],
                &["Tal, Mihail = Mihail Tal = Tal, M."],
            ),
            // It may be both of them.
            (
                &[("Polgar, Judit", 5), ("Polgar, Zsuzsa", 5), ("Polgar, J", 2), ("Polgar", 1)],
                &["Polgar, Judit = Polgar, J"],
            ),
            (&[("Smith, John", 1), ("Smith, James", 1), ("Smith, J", 2)], &[]),
            (
                &[
                    ("Fischer, R", 1),
                    ("Fischer, Robert", 1),
                    ("Fischer, Robert J.", 1),
                    ("Fischer, Robert James", 1),
                ],
                &["Fischer, Robert James = Fischer, R = Fischer, Robert = Fischer, Robert J."],
            ),
            (
                &[("Stockfish 16", 1), ("Stockfish 15", 1), ("stockfish 16", 3)],
                &["stockfish 16 = Stockfish 16"],
            ),
            (
                &[("Van der Wiel, John", 2), ("John van der Wiel", 1)],
                &["Van der Wiel, John = John van der Wiel"],
            ),
            (
                &[("Carlsen, Magnus", 1), ("Carlsen, Henrik", 1), ("Magnus Carlsen", 1)],
                &["Carlsen, Magnus = Magnus Carlsen"],
            ),
            (&[("Tal, Mihail", 1), ("Tal, Mikhail", 1)], &[]),
        ];
        for (spellings, expected) in cases {
            assert_eq!(groups(spellings), *expected, "{spellings:?}");
        }
    }
}
