//! Novelties: the moves with which games leave earlier ones.

use super::query::{Header, days};
use super::sieve::Follow;
use crate::chess::{Move, Position};
use crate::notation::eco::{Opening, opening};
use crate::notation::pgn::Game;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The maximum number of positions of earlier games in memory: a gigabyte.
const MAX_VISITS: usize = 1 << 26;

/// The error for more positions than fit into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {MAX_VISITS} positions of games, expected fewer plies or a query for fewer games")]
pub struct TooManyPositions;

/// The tags that identify a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The values of the tags White, Black, Event and Round.
    pub texts: [String; 4],
    /// The date as written.
    pub date: String,
    /// The first and the last possible day, as numbers that increase with time; `None` if the date is completely
    /// unknown.
    days: Option<(i64, i64)>,
}

impl Played {
    /// Reads the tags of a game.
    pub fn new(header: &(impl Header + ?Sized)) -> Self {
        let tag = |name: &str| header.tag(name).unwrap_or_default().trim().to_owned();
        let date = tag("Date");
        Self { texts: ["White", "Black", "Event", "Round"].map(tag), days: days(&date), date }
    }

    /// The same game, later than all others if its date is completely unknown.
    #[must_use]
    pub fn last_if_undated(self) -> Self {
        Self { days: self.days.or(Some((i64::MAX, i64::MAX))), ..self }
    }

    /// Whether the date is completely unknown, so that no game is certain to be earlier.
    pub const fn is_undated(&self) -> bool {
        self.days.is_none()
    }
}

/// A game whose novelty is searched for: its first moves.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The tags of the game.
    pub played: Played,
    /// The start; `None` for the initial position.
    start: Option<Box<Position>>,
    moves: Vec<Option<Move>>,
}

impl Examined {
    /// The main line of a game, which is later than all others if it has no date.
    pub fn of_main_line(game: &Game) -> Self {
        let start = Some(game.start()).filter(|&start| *start != Position::start());
        Self {
            played: Played::new(game).last_if_undated(),
            start: start.map(|start| Box::new(*start)),
            moves: game.mainline().map(|node| game.mv(node)).collect(),
        }
    }

    /// The positions, starting with the first one.
    fn positions(&self) -> impl Iterator<Item = Position> {
        let start = self.start.as_deref().copied().unwrap_or_else(Position::start);
        let mut now = start;
        let played = self.moves.iter().map(move |mv| {
            now = match mv {
                Some(mv) => now.after(*mv).0,
                None => now.after_null(),
            };
            now
        });
        std::iter::once(start).chain(played)
    }

    /// The opening of the game, by the last of its positions with a name.
    pub fn opening(&self) -> Option<&'static Opening> {
        self.positions().filter_map(|position| opening(&position)).last()
    }

    /// The keys of the game's positions, each once.
    fn keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.positions().map(|position| position.key().bits()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// Collects the first moves of games.
#[derive(Clone, Debug)]
pub struct FirstMoves {
    plies: usize,
    /// The games that were collected.
    pub games: Vec<Examined>,
    start: Option<Box<Position>>,
    moves: Vec<Option<Move>>,
}

impl FirstMoves {
    /// Collects this number of plies of each game.
    pub const fn new(plies: usize) -> Self {
        Self { plies, games: Vec::new(), start: None, moves: Vec::new() }
    }

    /// Adds the current game.
    pub fn add(&mut self, played: Played) {
        self.games.push(Examined {
            played,
            start: self.start.take(),
            moves: std::mem::take(&mut self.moves),
        });
    }
}

impl Follow for FirstMoves {
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.moves.clear();
        self.start = start.filter(|start| **start != Position::start()).map(|start| Box::new(*start));
        if start.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn play(&mut self, _: &Position, mv: Option<Move>, _: &Position) -> ControlFlow<()> {
        self.moves.push(mv);
        if self.moves.len() < self.plies { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// A position of an earlier game: its key, the last possible day of the game, and the number of the game.
type Visit = (u64, i64, u32);

/// An earlier game, with the numbers of its texts.
#[derive(Clone, Debug)]
struct Earlier {
    texts: [u32; 4],
    date: u32,
}

/// The positions that games reach, limited to the wanted ones.
#[derive(Clone, Default, Debug)]
pub struct Visits {
    /// The wanted keys; `None` for all.
    wanted: Option<Arc<HashSet<u64>>>,
    visits: Vec<Visit>,
    games: Vec<Earlier>,
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
    // The state of the current game:
    keys: Vec<u64>,
}

impl Visits {
    /// Starts without games. Only positions with these keys are collected.
    pub fn of(wanted: Arc<HashSet<u64>>) -> Self {
        Self { wanted: Some(wanted), ..Self::default() }
    }

    fn number(&mut self, text: String) -> u32 {
        let next = u32::try_from(self.texts.len()).expect("there are fewer texts than positions");
        *self.numbers.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            next
        })
    }

    /// Adds the current game. A game without a date is not certain to be earlier than any other.
    pub fn add(&mut self, facts: Played) {
        let mut keys = std::mem::take(&mut self.keys);
        keys.sort_unstable();
        keys.dedup();
        self.add_keys(facts, &keys);
        keys.clear();
        self.keys = keys;
    }

    fn add_keys(&mut self, facts: Played, keys: &[u64]) {
        let Some((_, last)) = facts.days else { return };
        if keys.is_empty() {
            return;
        }
        let game = u32::try_from(self.games.len()).expect("there are fewer games than positions");
        self.visits.extend(keys.iter().map(|&key| (key, last, game)));
        let (texts, date) = (facts.texts.map(|text| self.number(text)), self.number(facts.date));
        self.games.push(Earlier { texts, date });
    }

    /// Adds games that have been collected.
    ///
    /// # Errors
    /// [`TooManyPositions`] if they do not fit into memory.
    pub fn add_games(&mut self, games: &[Examined]) -> Result<(), TooManyPositions> {
        for game in games {
            self.add_keys(game.played.clone(), &game.keys());
            self.check()?;
        }
        Ok(())
    }

    const fn check(&self) -> Result<(), TooManyPositions> {
        if self.visits.len() > MAX_VISITS { Err(TooManyPositions) } else { Ok(()) }
    }

    /// Adds games that come after these.
    ///
    /// # Errors
    /// [`TooManyPositions`] if they do not fit into memory.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyPositions> {
        let before = u32::try_from(self.games.len()).expect("there are fewer games than positions");
        self.visits.extend(other.visits.into_iter().map(|(key, last, game)| (key, last, before + game)));
        let numbers: Vec<u32> = other.texts.into_iter().map(|text| self.number(text)).collect();
        self.games.extend(other.games.into_iter().map(|game| Earlier {
            texts: game.texts.map(|number| numbers[number as usize]),
            date: numbers[game.date as usize],
        }));
        self.check()
    }

    /// Sorts the positions, which must be done before searches.
    pub fn sort(&mut self) {
        self.visits.par_sort_unstable();
    }

    /// The number of games that reached a position before this day, and the last of them.
    fn before(&self, key: u64, day: i64) -> Option<(usize, u32)> {
        let start = self.visits.partition_point(|visit| visit.0 < key);
        let end = self.visits.partition_point(|visit| (visit.0, visit.1) < (key, day));
        let last = self.visits[start..end].last()?;
        Some((end - start, last.2))
    }

    fn facts(&self, game: u32) -> Played {
        let Earlier { texts, date } = &self.games[game as usize];
        let text = |number: u32| self.texts[number as usize].clone();
        let date = text(*date);
        Played { texts: texts.map(text), days: days(&date), date }
    }

    /// The novelty of a game: the move after its last position that a certainly earlier game reached. `None` if all its
    /// positions have been reached, or its date is unknown.
    pub fn novelty(&self, game: &Examined) -> Option<Novelty> {
        let (first, _) = game.played.days?;
        let positions: Vec<Position> = game.positions().collect();
        let earlier = |position: &Position| self.before(position.key().bits(), first);
        let reached =
            positions.iter().enumerate().rev().find_map(|(ply, position)| Some((ply, earlier(position)?)));
        let (ply, games, last) = match reached {
            Some((ply, (games, last))) => (ply, games, Some(self.facts(last))),
            None => (0, 0, None),
        };
        let mv = *game.moves.get(ply)?;
        Some(Novelty { ply: ply + 1, position: positions[ply], mv, games, last })
    }
}

impl Follow for Visits {
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.keys.clear();
        let Some(start) = start else { return ControlFlow::Break(()) };
        self.reach(start);
        ControlFlow::Continue(())
    }

    fn play(&mut self, _: &Position, _: Option<Move>, after: &Position) -> ControlFlow<()> {
        self.reach(after);
        ControlFlow::Continue(())
    }
}

impl Visits {
    fn reach(&mut self, position: &Position) {
        let key = position.key().bits();
        if self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&key)) {
            self.keys.push(key);
        }
    }
}

/// A move that is new in its position.
#[derive(Clone, Debug)]
pub struct Novelty {
    /// The ply of the move, counted from 1.
    pub ply: usize,
    /// The position before the move.
    pub position: Position,
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// The number of games that had reached the position before.
    pub games: usize,
    /// The last of these games.
    pub last: Option<Played>,
}

/// The keys of all positions of these games.
pub fn keys_of(games: &[Examined]) -> HashSet<u64> {
    games.iter().flat_map(Examined::keys).collect()
}
