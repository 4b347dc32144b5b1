//! The positions of games for the index and for the counted moves, with as little data as possible, since there are a
//! hundred times as many positions as games.

use crate::chess::{Color, Move, Position};
use std::ops::Range;

/// Lists with fewer positions are extended by those of the next games, so that a segment of small blocks does not have
/// too many lists.
const FEW: usize = 1 << 14;

/// The spare capacity, as a divisor of the number of positions of another block.
const ROOM: usize = 8;
/// The usual number of positions of a block of games.
const USUAL: usize = 20_000;
/// The divisor for the expected number of positions that many games share: about one in this many.
const STEPS: usize = 4;

/// The positions of the main line of a game.
#[derive(Clone, Debug)]
pub(super) struct Line {
    keys: Vec<u64>,
    /// The move played in each position except the last; `None` for a null move.
    moves: Vec<Option<Move>>,
    /// The side to move in the first position. Sides alternate.
    side: Color,
}

impl Default for Line {
    fn default() -> Self {
        Self { keys: Vec::new(), moves: Vec::new(), side: Color::White }
    }
}

impl Line {
    /// Starts from this position.
    pub(super) fn start(&mut self, position: &Position) {
        self.clear();
        self.side = position.turn();
        self.keys.push(position.key().bits());
    }

    /// Removes all positions.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
    }

    /// Adds a move (`None` for a null move) and the position after it.
    #[inline]
    pub(super) fn play(&mut self, mv: Option<Move>, after: &Position) {
        self.moves.push(mv);
        self.keys.push(after.key().bits());
    }
}

/// A position of a game, and the move played in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub key: u64,
    pub game: u16,
    /// `None` for a null move, and at the end.
    pub mv: Option<Move>,
    pub side: Color,
}

/// The positions of consecutive games of a segment.
#[derive(Default)]
pub(super) struct Positions {
    /// The number of the first game.
    pub first: u16,
    keys: Vec<u64>,
    moves: Vec<Option<Move>>,
    /// For each game, the end of its positions, and the side to move in the first of them.
    games: Vec<(usize, Color)>,
}

impl Positions {
    /// No games, with capacity for a usual block.
    pub(super) fn with_room() -> Self {
        Self { keys: Vec::with_capacity(USUAL), moves: Vec::with_capacity(USUAL), ..Self::default() }
    }

    /// No games, with capacity for about as many positions as another list has.
    pub(super) fn with_room_of(other: &Self) -> Self {
        let room = other.keys.len() + other.keys.len() / ROOM;
        Self {
            first: 0,
            keys: Vec::with_capacity(room),
            moves: Vec::with_capacity(room),
            games: Vec::with_capacity(other.games.len()),
        }
    }

    /// Adds a game.
    pub(super) fn push(&mut self, line: &Line) {
        self.keys.extend_from_slice(&line.keys);
        self.moves.extend_from_slice(&line.moves);
        self.moves.resize(self.keys.len(), None);
        self.games.push((self.keys.len(), line.side));
    }

    /// Adds the positions of the next games to those of a segment, which may be in several lists.
    pub(super) fn add_to(mut self, lists: &mut Vec<Self>) {
        match lists.last_mut() {
            Some(latest) if latest.keys.len() < FEW => {
                let start = latest.keys.len();
                latest.keys.append(&mut self.keys);
                latest.moves.append(&mut self.moves);
                latest.games.extend(self.games.iter().map(|&(end, side)| (start + end, side)));
            }
            _ => lists.push(self),
        }
    }

    /// All keys.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The numbers of the games, each with the range of its positions and the side that moves first.
    fn games(&self) -> impl Iterator<Item = (u16, Range<usize>, Color)> + Clone {
        let starts = [0].into_iter().chain(self.games.iter().map(|game| game.0));
        let numbered = starts.zip(&self.games).enumerate();
        // The number of games fits into 16 bits.
        numbered.map(|(index, (start, &(end, side)))| (self.first + index as u16, start..end, side))
    }

    /// The key of every position with the number of its game.
    pub(super) fn keys_of_games(&self) -> impl Iterator<Item = (u64, u16)> + Clone {
        self.games().flat_map(|(game, range, _)| self.keys[range].iter().map(move |&key| (key, game)))
    }

    /// The positions with wanted keys in wanted games.
    pub(super) fn steps(&self, has_game: impl Fn(u16) -> bool, has_key: impl Fn(u64) -> bool) -> Vec<Step> {
        let mut steps = Vec::with_capacity(self.keys.len() / STEPS);
        for (game, range, first) in self.games().filter(|&(game, ..)| has_game(game)) {
            let mut side = first;
            for (&key, &mv) in self.keys[range.clone()].iter().zip(&self.moves[range]) {
                if has_key(key) {
                    steps.push(Step { key, game, mv, side });
                }
                side = !side;
            }
        }
        steps
    }
}

#[cfg(test)]
impl Line {
    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }
}

#[cfg(test)]
impl Positions {
    /// The positions of one game.
    pub(super) fn of_game(game: u16, first: Color, steps: &[(u64, Option<Move>)]) -> Self {
        let (keys, moves): (Vec<_>, Vec<_>) = steps.iter().copied().unzip();
        Self { first: game, games: vec![(keys.len(), first)], keys, moves }
    }

    pub(super) fn forget_a_position(&mut self) {
        self.keys.remove(2);
        self.moves.remove(2);
        self.games.iter_mut().for_each(|game| game.0 -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn sides_and_numbers_of_games_follow_from_their_order() {
        let mut rng = Rng::new(4);
        let (mut lists, mut expected) = (Vec::new(), Vec::new());
        let mut line = Line::default();
        for game in (0..400_u16).step_by(2) {
            let mut block = Positions { first: game, ..Positions::default() };
            for game in game..game + 2 {
                let mut position = Position::start();
                line.start(&position);
                for _ in 0..rng.below(200) {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[rng.below(moves.len() as u64) as usize];
                    let after = position.after(mv).0;
                    line.play(Some(mv), &after);
                    let (key, side) = (position.key().bits(), position.turn());
                    expected.push(Step { key, game, mv: Some(mv), side });
                    position = after;
                }
                let (key, side) = (position.key().bits(), position.turn());
                expected.push(Step { key, game, mv: None, side });
                block.push(&line);
            }
            block.add_to(&mut lists);
        }
        assert!((2..100).contains(&lists.len()), "{} lists", lists.len());
        let found: Vec<Step> = lists.iter().flat_map(|list| list.steps(|_| true, |_| true)).collect();
        assert_eq!(found, expected);
        let keys: Vec<(u64, u16)> = lists.iter().flat_map(Positions::keys_of_games).collect();
        assert_eq!(keys, expected.iter().map(|step| (step.key, step.game)).collect::<Vec<_>>());
        let odd: Vec<Step> =
            lists.iter().flat_map(|list| list.steps(|game| game % 3 == 0, |key| key % 2 == 0)).collect();
        expected.retain(|step| step.game % 3 == 0 && step.key % 2 == 0);
        assert_eq!(odd, expected);
    }

    #[test]
    fn all_games_of_a_segment_may_be_without_positions() {
        let mut all = Positions::default();
        (0..=u16::MAX).for_each(|_| all.push(&Line::default()));
        assert_eq!(all.games().last(), Some((u16::MAX, 0..0, Color::White)));
        assert_eq!(all.steps(|_| true, |_| true), []);
    }
}
