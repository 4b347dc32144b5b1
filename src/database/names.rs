//! Joining the spellings of names.

use super::query::name_words;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Spellings of names, joined to names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Joined {
    /// The name of each spelling, only for joined spellings.
    names: HashMap<String, String>,
}

impl Joined {
    /// The name of a spelling.
    pub fn name<'a>(&'a self, spelling: &'a str) -> &'a str {
        self.names.get(spelling).map_or(spelling, |name| name)
    }

    /// The names with more than one spelling, each with its other spellings, in alphabetical order.
    pub fn groups(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (spelling, name) in &self.names {
            groups.entry(name).or_default().insert(spelling);
        }
        groups
    }
}

/// A name in parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(super) struct NameParts {
    /// The surname without spaces and punctuation.
    surname: String,
    given: Vec<String>,
}

/// The surnames of the names that are written with a comma.
pub(super) fn surnames<'a>(names: impl IntoIterator<Item = &'a str>) -> HashSet<String> {
    names.into_iter().filter_map(|name| Some(name_words(name.split_once(',')?.0).concat())).collect()
}

impl NameParts {
    /// The parts of a name. Without a comma, the given names are those before one of these surnames.
    pub(super) fn of(name: &str, surnames: &HashSet<String>) -> Self {
        if let Some((surname, given)) = name.split_once(',') {
            return Self { surname: name_words(surname).concat(), given: name_words(given) };
        }
        let words = name_words(name);
        // The longest surname that leaves a given name.
        let split = (1..words.len()).find(|&start| surnames.contains(&words[start..].concat()));
        let at = split.unwrap_or(0);
        Self { surname: words[at..].concat(), given: words[..at].to_vec() }
    }

    /// The surname without spaces and punctuation.
    pub(super) fn surname(&self) -> &str {
        &self.surname
    }

    /// Whether both may be names of one player: the surnames are equal, and the given names as far as both have them;
    /// an initial equals any name that starts with it.
    pub(super) fn may_equal(&self, other: &Self) -> bool {
        self.surname == other.surname && self.given.iter().zip(&other.given).all(words_agree)
    }

    /// The name with all given names that one of two equal names has, each in its longer form.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let count = self.given.len().max(other.given.len());
        let words =
            |at: usize| [&self.given, &other.given].into_iter().filter_map(move |given| given.get(at));
        let longest = |at: usize| words(at).max_by_key(|word| word.len()).cloned();
        Self { surname: self.surname.clone(), given: (0..count).filter_map(longest).collect() }
    }

    /// Whether this name is a shorter form of another one of the same player.
    pub(super) fn is_shorter_than(&self, other: &Self) -> bool {
        let is_start = self.given.is_empty() || is_short_for(&self.given, &other.given);
        self.surname == other.surname && is_start && weight(&self.given) < weight(&other.given)
    }
}

/// Whether two given names may be the same: they are equal, or one is the initial of the other.
fn words_agree((one, other): (&String, &String)) -> bool {
    one == other || one.len().min(other.len()) == 1 && one.as_bytes()[0] == other.as_bytes()[0]
}

/// Whether one list of given names may be a shorter form of the other: its words are equal or initials, and words may
/// be missing at the end.
fn is_short_for(short: &[String], long: &[String]) -> bool {
    !short.is_empty() && short.len() <= long.len() && short.iter().zip(long).all(words_agree)
}

/// The completeness of a list of given names.
fn weight(given: &[String]) -> (usize, usize) {
    (given.len(), given.iter().map(String::len).sum())
}

/// Joins spellings of names by three rules; each spelling has its number of games.
///
/// * Case, accents, spaces and punctuation do not matter.
/// * `First Last` is `Last, First` if that surname also occurs with a comma.
/// * Initials and missing given names are completed, `Tal, M` to `Tal, Mihail`, if only one name with this surname
///   matches.
///
/// The name of a group is its most complete and most frequent spelling, preferably one with a comma.
pub fn join_names<'a>(spellings: impl IntoIterator<Item = (&'a str, u64)>) -> Joined {
    let mut spellings: Vec<(&str, u64)> = spellings.into_iter().collect();
    spellings.sort_unstable();
    let with_comma = surnames(spellings.iter().map(|&(name, _)| name));
    let mut groups: BTreeMap<NameParts, Vec<(&str, u64)>> = BTreeMap::new();
    for &(name, games) in &spellings {
        groups.entry(NameParts::of(name, &with_comma)).or_default().push((name, games));
    }
    let mut joined = Joined::default();
    let all: Vec<(&NameParts, &Vec<(&str, u64)>)> = groups.iter().collect();
    for family in all.chunk_by(|(one, _), (other, _)| one.surname == other.surname) {
        let target = targets(family);
        for (index, _) in family.iter().enumerate() {
            let members: Vec<(&str, u64)> = family
                .iter()
                .zip(&target)
                .filter(|(_, target)| **target == index)
                .flat_map(|((_, spellings), _)| spellings.iter().copied())
                .collect();
            // The best spelling of the most complete name.
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

/// The maximum number of names with the same surname that are compared; no surname is that frequent.
const MAX_FAMILY: usize = 4096;

/// The index of the name to which each name of a family belongs: itself, or the only more complete one.
fn targets(family: &[(&NameParts, &Vec<(&str, u64)>)]) -> Vec<usize> {
    if family.len() > MAX_FAMILY {
        return (0..family.len()).collect();
    }
    let given = |index: usize| &family[index].0.given;
    let says_more = |short: usize, long: usize| {
        short != long
            && (is_short_for(given(short), given(long)) || given(short).concat() == given(long).concat())
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
            // The initial and the surname alone match both names.
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
            (
                &[("O'Neil, Sean", 3), ("ONeil, Sean", 1), ("O’Neil, S", 1), ("O`Neil, Sean", 1)],
                &["O'Neil, Sean = ONeil, Sean = O`Neil, Sean = O’Neil, S"],
            ),
            (
                &[("Van Wely, Loek", 3), ("VanWely, Loek", 1), ("Loek van Wely", 1), ("van-Wely, L.", 1)],
                &["Van Wely, Loek = Loek van Wely = VanWely, Loek = van-Wely, L."],
            ),
            (
                &[("Duda, Jan-Krzysztof", 2), ("Duda, JanKrzysztof", 1)],
                &["Duda, Jan-Krzysztof = Duda, JanKrzysztof"],
            ),
        ];
        for (spellings, expected) in cases {
            assert_eq!(groups(spellings), *expected, "{spellings:?}");
        }
    }
}
