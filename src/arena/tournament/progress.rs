//! The progress of a match.

use crate::arena::game::Termination;
use crate::arena::schedule::Pairing;
use crate::arena::statistics::{Crosstable, GameScore, Tally};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// All that is counted of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// The names of the engines.
    pub names: Vec<String>,
    /// The number of games in total.
    pub total_games: usize,
    /// The number of games counted so far.
    pub games: usize,
    /// Every pairing below this is over.
    first_open: usize,
    /// Pairings at or above that which are also over.
    closed: BTreeSet<usize>,
    /// The results of the first engine of each two.
    tallies: Vec<(usize, usize, Tally)>,
    /// The number of games by the kind of their termination.
    pub terminations: BTreeMap<String, u64>,
    /// The number of faults of each engine, by their kind.
    pub faults: Vec<BTreeMap<String, u64>>,
    /// The time for which the match has been played, in seconds.
    pub seconds: f64,
}

impl Progress {
    /// Nothing yet.
    pub fn new(names: Vec<String>, total_games: usize) -> Self {
        Self {
            faults: vec![BTreeMap::new(); names.len()],
            names,
            total_games,
            games: 0,
            first_open: 0,
            closed: BTreeSet::new(),
            tallies: Vec::new(),
            terminations: BTreeMap::new(),
            seconds: 0.0,
        }
    }

    /// Whether this pairing is over.
    pub fn is_over(&self, pairing: usize) -> bool {
        pairing < self.first_open || self.closed.contains(&pairing)
    }

    /// Counts the games of a pairing, given their terminations.
    pub fn add(&mut self, pairing: &Pairing, terminations: &[&Termination]) {
        let mut scores = Vec::new();
        for (game, termination) in terminations.iter().enumerate() {
            let (white, black) = pairing.colors(game);
            let loser = termination.loser().map(|color| [white, black][color]);
            scores.push(match loser {
                None => GameScore::Draw,
                Some(loser) if loser == pairing.first => GameScore::Loss,
                Some(_) => GameScore::Win,
            });
            *self.terminations.entry(termination.kind().to_owned()).or_default() += 1;
            if let Some(faults) =
                loser.filter(|_| termination.is_fault()).and_then(|l| self.faults.get_mut(l))
            {
                *faults.entry(termination.kind().to_owned()).or_default() += 1;
            }
        }
        let mut tally = Tally::default();
        match scores[..] {
            [first, second] => tally.add_pair(first, second),
            _ => scores.iter().for_each(|&score| tally.add_game(score)),
        }
        let engines = (pairing.first, pairing.second);
        match self.tallies.iter_mut().find(|entry| (entry.0, entry.1) == engines) {
            Some(entry) => entry.2 += tally,
            None => self.tallies.push((engines.0, engines.1, tally)),
        }
        self.games += scores.len();
        self.closed.insert(pairing.index);
        while self.closed.remove(&self.first_open) {
            self.first_open += 1;
        }
    }

    /// The results of the first engine against the second.
    pub fn tally(&self) -> Tally {
        self.tallies
            .iter()
            .find(|entry| (entry.0, entry.1) == (0, 1))
            .map_or_else(Tally::default, |entry| entry.2)
    }

    /// The results of all engines.
    pub fn crosstable(&self) -> Crosstable {
        let mut table = Crosstable::new(self.names.clone());
        for &(first, second, tally) in &self.tallies {
            table.add(first, second, tally);
        }
        table
    }

    /// The number of games that ended by an engine's fault.
    pub fn fault_count(&self) -> u64 {
        self.faults.iter().flat_map(BTreeMap::values).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::schedule::{Format, Schedule};
    use crate::chess::Color;

    #[test]
    fn encounters_are_counted_once_in_any_order() {
        let schedule = Schedule { players: 2, format: Format::RoundRobin, rounds: 3, is_repeated: true };
        let pairings = schedule.pairings();
        let mut progress = Progress::new(vec!["a".into(), "b".into()], 6);
        let white_lost = Termination::TimeForfeit { loser: Color::White };
        let white_won = Termination::ResignAdjudication { loser: Color::Black };
        progress.add(&pairings[2], &[&white_won, &white_lost]);
        assert_eq!((0..3).map(|e| progress.is_over(e)).collect::<Vec<_>>(), [false, false, true]);
        progress.add(&pairings[0], &[&Termination::MaxMoves, &white_won]);
        progress.add(&pairings[1], &[&white_lost, &white_won]);
        assert_eq!((progress.first_open, progress.closed.len(), progress.games), (3, 0, 6));
        // Two wins; a draw and a loss with Black against White; two losses.
        assert_eq!(progress.tally().pairs.ptnml, [1, 1, 0, 0, 1]);
        assert_eq!(progress.terminations["time loss"], 2);
        assert_eq!((progress.faults[0]["time loss"], progress.faults[1]["time loss"]), (1, 1));
        assert_eq!(progress.fault_count(), 2);
    }
}
