//! Standings and cross tables.

use super::cross_events::CrossGame;
use super::names::Joined;
use super::players::Player;
use super::tally::GameFacts;
use crate::chess::Color;
use crate::notation::pgn::GameResult;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// The way in which the rounds of games are determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounds {
    /// By the tags.
    Stated,
    /// By the order of the dates: a player has one game in each round.
    ByDate,
}

/// A game from the point of view of a player.
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
    /// Four times the Sonneborn-Berger score: the points of defeated opponents and half the points of opponents with
    /// whom the player drew.
    pub sonneborn_berger: u64,
    /// Twice the Buchholz score: the sum of the points of the opponents.
    pub buchholz: u64,
    /// The games, round by round.
    pub games: Vec<Opponent>,
    /// Results and ratings.
    pub player: Player,
}

/// The cross table of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crosstable {
    /// The players, ordered by points, then by tie-breaks, and then by name.
    pub standings: Vec<Standing>,
    /// The known rounds, in their order.
    pub rounds: Vec<u32>,
    /// The number of games with an unknown round.
    pub without_round: u64,
}

impl Crosstable {
    /// The table of these games. Spellings are joined to names.
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
                own.player.see_title(game.titles[color as usize].map(|title| (game.date, title)));
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

    /// Sorts the players by another key; the order of equal players is kept.
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

    /// Whether all players except one have lost exactly one match, in a known round, and play no match in that round or
    /// a later one.
    pub fn is_knockout(&self) -> bool {
        /// The minimum number of players: with fewer there are no two matches at the same time.
        const MIN_PLAYERS: usize = 4;
        let matches = self.matches();
        let count = self.standings.len();
        if count < MIN_PLAYERS || matches.len() + 1 != count || self.without_round > 0 {
            return false;
        }
        let mut lost: HashMap<usize, &CrossMatch> = HashMap::new();
        for found in &matches {
            lost.extend(found.loser().map(|loser| (loser, found)));
        }
        let is_last = |of: &CrossMatch, player: usize| {
            let mut others =
                matches.iter().filter(|other| other.players.contains(&player) && !std::ptr::eq(*other, of));
            others.all(|other| other.last_round < of.round)
        };
        lost.len() + 1 == count && lost.iter().all(|(&player, found)| is_last(found, player))
    }

    /// The matches between pairs of players, by their first round and then in the order of the games.
    pub fn matches(&self) -> Vec<CrossMatch> {
        let mut matches: Vec<CrossMatch> = Vec::new();
        let mut known: HashMap<(usize, usize), usize> = HashMap::new();
        for (index, standing) in self.standings.iter().enumerate() {
            for game in standing.games.iter().filter(|game| index < game.index) {
                let at = *known.entry((index, game.index)).or_insert_with(|| {
                    matches.push(CrossMatch {
                        players: [index, game.index],
                        round: game.round,
                        last_round: game.round,
                        games: Vec::new(),
                    });
                    matches.len() - 1
                });
                matches[at].games.push(game.half_points);
                matches[at].last_round = matches[at].last_round.max(game.round);
            }
        }
        matches.sort_by_key(|found| (found.round.is_none(), found.round));
        matches
    }
}

/// A match between two players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossMatch {
    /// The indices of the players.
    pub players: [usize; 2],
    /// The first round in which they met.
    pub round: Option<u32>,
    /// The last known round in which they met.
    pub last_round: Option<u32>,
    /// Twice the points of the first player in each game.
    pub games: Vec<Option<u64>>,
}

impl CrossMatch {
    /// Twice the points of both players.
    pub fn half_points(&self) -> [u64; 2] {
        let own: u64 = self.games.iter().flatten().sum();
        let finished = self.games.iter().flatten().count() as u64;
        [own, 2 * finished - own]
    }

    /// The player with fewer points; `None` if both have the same.
    pub fn loser(&self) -> Option<usize> {
        let [first, second] = self.half_points();
        match first.cmp(&second) {
            std::cmp::Ordering::Less => Some(self.players[0]),
            std::cmp::Ordering::Greater => Some(self.players[1]),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// Assigns each game, in the order of the dates, the first round in which both players are free.
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
