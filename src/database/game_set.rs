//! Sets of games, with a bit for each game.

use std::ops::{BitAndAssign, BitOrAssign, Not};

/// A set of games of a part of a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameSet {
    words: Vec<u64>,
    /// The number of games that the set can contain.
    games: usize,
}

const WORD: usize = u64::BITS as usize;

impl GameSet {
    /// An empty set for this number of games.
    pub(super) fn none(games: usize) -> Self {
        Self { words: vec![0; games.div_ceil(WORD)], games }
    }

    /// A set of all of this number of games.
    pub(super) fn all(games: usize) -> Self {
        !Self::none(games)
    }

    /// The set of the games with these numbers.
    pub(super) fn of(games: usize, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::none(games);
        for number in numbers.into_iter().filter(|&number| number < games) {
            set.words[number / WORD] |= 1 << (number % WORD);
        }
        set
    }

    /// The set of the games whose entries in a list pass a test.
    pub(super) fn filter<T>(list: &[T], test: impl Fn(&T) -> bool) -> Self {
        let word = |list: &[T]| {
            list.iter().enumerate().fold(0, |word, (bit, number)| word | u64::from(test(number)) << bit)
        };
        Self { words: list.chunks(WORD).map(word).collect(), games: list.len() }
    }

    /// Whether the set contains a game.
    pub(super) fn contains(&self, game: usize) -> bool {
        self.words.get(game / WORD).is_some_and(|word| word >> (game % WORD) & 1 != 0)
    }

    /// The first game in the set whose number is at least `from`.
    pub(super) fn next(&self, from: usize) -> Option<usize> {
        let first = from / WORD;
        let mut words = self.words.iter().enumerate().skip(first);
        words.find_map(|(index, &word)| {
            let word = if index == first { word >> (from % WORD) << (from % WORD) } else { word };
            (word != 0).then(|| index * WORD + word.trailing_zeros() as usize)
        })
    }
}

impl Not for GameSet {
    type Output = Self;

    fn not(mut self) -> Self {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = self.words.last_mut() {
            // Clears the bits after the last game.
            *last &= u64::MAX >> ((WORD - self.games % WORD) % WORD);
        }
        self
    }
}

impl BitAndAssign<&Self> for GameSet {
    fn bitand_assign(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }
}

impl BitOrAssign<&Self> for GameSet {
    fn bitor_assign(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_what_was_put_in_and_no_others() {
        for games in [0, 1, 63, 64, 65, 200] {
            let is_in = |game: usize| game * game % 7 < 3;
            let expected: Vec<usize> = (0..games).filter(|&game| is_in(game)).collect();
            let set = GameSet::of(games, expected.iter().copied().chain([games, games + 100]));
            assert_eq!(set, GameSet::filter(&(0..games).collect::<Vec<_>>(), |&game| is_in(game)));
            assert!((0..games + 100).all(|game| set.contains(game) == (game < games && is_in(game))));
            let mut others = !set.clone();
            assert!((0..games).all(|game| others.contains(game) != set.contains(game)));
            let mut both = set.clone();
            both &= &others;
            assert_eq!(both, GameSet::none(games));
            others |= &set;
            assert_eq!(others, GameSet::all(games));
            assert!(
                (0..games).all(|from| set.next(from) == expected.iter().copied().find(|&game| game >= from))
            );
        }
    }
}
