//! Pairs of games between the engine and itself.

use super::adjudicator::Adjudicator;
use super::allowance::{Allowance, Purse};
use super::tally::{GameResult, Tally};
use crate::chess::{Line, Position};
use crate::search::{Job, Params, Preferences, ResourceError, Solo};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};

/// A pair of games, and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pair {
    /// The results of the first player.
    pub tally: Tally,
    /// Nodes of all searches.
    pub nodes: u64,
}

/// Two players with their own parameters, hash tables and histories, in one thread, which needs
/// a stack of [`crate::search::STACK`] bytes.
pub(super) struct Duel {
    players: [Solo; 2],
    allowance: Allowance,
}

impl Duel {
    /// # Errors
    /// [`ResourceError::Hash`] if there is no memory for two hash tables of `hash_mib` MiB.
    pub(super) fn new(hash_mib: usize, allowance: Allowance) -> Result<Self, ResourceError> {
        let mut players = [Solo::new(hash_mib)?, Solo::new(hash_mib)?];
        let nodes_per_millisecond = Some(NonZeroU64::MIN);
        for player in &mut players {
            player.set_preferences(Preferences { nodes_per_millisecond, ..Preferences::default() });
        }
        Ok(Self { players, allowance })
    }

    /// Plays an opening twice, with colors swapped. `None` if it was told to stop before the end.
    pub(super) fn play(
        &mut self,
        opening: &Position,
        params: [Params; 2],
        stop: &AtomicBool,
    ) -> Option<Pair> {
        for (player, params) in self.players.iter_mut().zip(params) {
            player.set_params(params);
        }
        let mut pair = Pair::default();
        for begins in [0, 1] {
            pair.tally.add(self.game(opening, begins, stop, &mut pair.nodes)?);
        }
        Some(pair)
    }

    /// Plays a game in which this player begins. Nothing is remembered from earlier ones.
    fn game(
        &mut self,
        opening: &Position,
        begins: usize,
        stop: &AtomicBool,
        nodes: &mut u64,
    ) -> Option<GameResult> {
        self.players.iter_mut().for_each(Solo::clear);
        let mut adjudicator = Adjudicator::default();
        let mut position = *opening;
        let mut line = Line::new(opening);
        let mut purse = Purse::new(self.allowance);
        let mut mover = begins;
        loop {
            if let Some(outcome) = position.outcome(&line) {
                return Some(match outcome.winner() {
                    None => GameResult::Draw,
                    Some(winner) if (winner == position.turn()) == (mover == 0) => GameResult::Win,
                    Some(_) => GameResult::Loss,
                });
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let job = Job { position, line: line.clone(), limits: purse.limits(mover), multi_pv: 1 };
            let report = self.players[mover].search(job);
            purse.spend(mover, report.nodes);
            *nodes += report.nodes;
            if let Some(result) = adjudicator.judge(if mover == 0 { report.score } else { -report.score }) {
                return Some(result);
            }
            // There is a legal move, or the game would be over.
            let mv = report.best.or_else(|| position.legal_moves().first().copied())?;
            position = position.after(mv).0;
            line.push(&position);
            mover = 1 - mover;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::adjudicator::LONGEST;
    use super::*;
    use crate::notation::position_from_fen;
    use crate::search::STACK;

    const EQUAL: Allowance = Allowance::Search { nodes: 500 };

    /// Plays a pair of games, twice, since nothing is to be remembered. That needs more stack than a
    /// test has.
    fn play(fen: &str, allowance: Allowance, is_stopped: bool) -> Option<Pair> {
        let opening = position_from_fen(fen).expect("a position");
        let play = move || {
            let mut duel = Duel::new(1, allowance).expect("two MiB are there");
            let stop = AtomicBool::new(is_stopped);
            let pair = duel.play(&opening, [Params::default(); 2], &stop);
            assert_eq!(duel.play(&opening, [Params::default(); 2], &stop), pair, "the same again");
            pair
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(play).expect("a thread");
        thread.join().expect("it does not panic")
    }

    #[test]
    fn colors_are_swapped() {
        let tally = |fen| play(fen, EQUAL, false).expect("nobody stops it").tally;
        // Whoever has the queens wins, and each player has them once.
        let once_each = Tally { wins: 1, draws: 0, losses: 1 };
        assert_eq!(tally("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1"), once_each);
        assert_eq!(tally("4k3/8/8/8/8/8/QQ6/4K3 b - - 0 1"), once_each);
        assert_eq!(tally("4k3/qq6/8/8/8/8/8/4K3 w - - 0 1"), once_each);
        // Mate in one, before any scores are judged.
        assert_eq!(tally("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), once_each);
        assert_eq!(tally("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Tally { wins: 0, draws: 2, losses: 0 });
    }

    #[cfg(feature = "tune")]
    #[test]
    fn each_player_has_parameters_of_its_own() {
        const NODES: u64 = 1000;
        let mut bad = Params::default();
        for (name, value) in [("lmr_base", 2000), ("lmr_slope", 500), ("rfp_margin", 30), ("lmp_base", 1)] {
            bad.set(name, value).expect("it is in its range");
        }
        let play = move || {
            let mut duel = Duel::new(1, Allowance::Search { nodes: NODES }).expect("two MiB are there");
            let stop = AtomicBool::new(false);
            let mut difference = |params| {
                let moves = Position::start().legal_moves();
                let openings = moves.iter().map(|&mv| Position::start().after(mv).0);
                let pairs = openings.filter_map(|opening| duel.play(&opening, params, &stop));
                pairs.map(|pair| pair.tally.difference()).sum::<i64>()
            };
            (difference([Params::default(), bad]), difference([bad, Params::default()]))
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(play).expect("a thread");
        let (first, second) = thread.join().expect("it does not panic");
        // The same games, but for which player begins each pair.
        assert_eq!(first, -second);
        assert!(first > 0, "{first}");
    }

    #[test]
    fn a_clock_of_nodes_lasts_for_the_game() {
        let (clock, increment) = (5_000, 50);
        let pair =
            play("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", Allowance::Clock { clock, increment }, false);
        let nodes = pair.expect("nobody stops it").nodes;
        // Both players of both games had their clocks, and an increment for each of their moves.
        let most = 4 * clock + 2 * u64::from(LONGEST) * increment;
        assert!((2 * clock..=most).contains(&nodes), "{nodes}");
    }

    #[test]
    fn games_are_given_up_when_somebody_says_so() {
        assert_eq!(play("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1", EQUAL, true), None);
    }
}
