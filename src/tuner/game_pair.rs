//! Pairs of games between two versions of the parameters.

use super::settings::{NodeClocks, NodeTimeControl};
use crate::chess::{Color, Position};
use crate::search::{Job, Params, ResourceError, SearchOptions, Searcher};
use crate::selfplay::{self, Adjudication, Adjudicator, Counted, Tally};
use std::num::NonZeroU64;
use std::sync::atomic::AtomicBool;

/// The tuner ends games early, since only their results are used. Draws are not adjudicated during the opening, in
/// which scores are level for many plies.
const ADJUDICATION: Adjudication =
    Adjudication { win_score: 900, win_plies: 6, draw_score: 6, draw_plies: 10, draw_from: 60, longest: 400 };

/// The results of a pair of games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct PairResult {
    /// The results of the first player.
    pub tally: Tally,
    /// The number of nodes of all searches.
    pub nodes: u64,
}

/// Two players with separate parameters, hash tables and histories, in one thread, which needs a stack of
/// [`crate::search::STACK`] bytes.
pub(super) struct GamePair {
    players: [Searcher; 2],
    time_control: NodeTimeControl,
}

impl GamePair {
    /// Two players with the default parameters.
    ///
    /// # Errors
    /// [`ResourceError::Hash`] if there is no memory for two hash tables of `hash_mib` MiB.
    pub(super) fn new(hash_mib: usize, time_control: NodeTimeControl) -> Result<Self, ResourceError> {
        let mut players = [Searcher::new(1, hash_mib)?, Searcher::new(1, hash_mib)?];
        let nodes_per_millisecond = Some(NonZeroU64::MIN);
        for player in &mut players {
            player.set_options(SearchOptions { nodes_per_millisecond, ..SearchOptions::default() });
        }
        Ok(Self { players, time_control })
    }

    /// Plays an opening twice, with colors swapped. `None` if `stop` is set before the end.
    pub(super) fn play(
        &mut self,
        opening: &Position,
        params: [Params; 2],
        stop: &AtomicBool,
    ) -> Option<PairResult> {
        for (player, params) in self.players.iter_mut().zip(params) {
            player.set_params(params);
        }
        let mut pair = PairResult::default();
        for first in [opening.turn(), !opening.turn()] {
            let game = self.game(opening, first, stop)?;
            pair.tally.add(game.result, first);
            pair.nodes += game.nodes;
        }
        Some(pair)
    }

    /// Plays a game in which the first player has the color `first`. The players start without knowledge of earlier
    /// games.
    fn game(&mut self, opening: &Position, first: Color, stop: &AtomicBool) -> Option<selfplay::Game> {
        self.players.iter_mut().for_each(Searcher::clear);
        let mut clock = NodeClocks::new(self.time_control);
        let adjudicator = Adjudicator::new(ADJUDICATION, Counted::SinceOpening);
        selfplay::play(opening, adjudicator, stop, |&position, line| {
            let mover = usize::from(position.turn() != first);
            let job = Job { position, key_history: line.clone(), limits: clock.limits(mover), multi_pv: 1 };
            let result = self.players[mover].search_silently(job);
            clock.spend(mover, result.nodes);
            result
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;
    use crate::search::{STACK, Score};
    use crate::selfplay::GameResult;

    const EQUAL: NodeTimeControl = NodeTimeControl::Search { nodes: 500 };

    /// Plays a pair of games twice, to check that no knowledge of earlier games is used, on a thread with a larger
    /// stack than that of tests.
    fn play(fen: &str, allowance: NodeTimeControl, is_stopped: bool) -> Option<PairResult> {
        let opening = position_from_fen(fen).expect("a position");
        let play = move || {
            let mut players = GamePair::new(1, allowance).expect("two MiB are there");
            let stop = AtomicBool::new(is_stopped);
            let pair = players.play(&opening, [Params::default(); 2], &stop);
            assert_eq!(players.play(&opening, [Params::default(); 2], &stop), pair, "the same again");
            pair
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(play).expect("a thread");
        thread.join().expect("it does not panic")
    }

    #[test]
    fn colors_are_swapped() {
        let tally = |fen| play(fen, EQUAL, false).expect("it is not stopped").tally;
        // The side with the queens wins, and each player has them once.
        let once_each = Tally { wins: 1, draws: 0, losses: 1 };
        assert_eq!(tally("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1"), once_each);
        assert_eq!(tally("4k3/8/8/8/8/8/QQ6/4K3 b - - 0 1"), once_each);
        assert_eq!(tally("4k3/qq6/8/8/8/8/8/4K3 w - - 0 1"), once_each);
        // Mate in one, before any score is judged.
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
            let mut players =
                GamePair::new(1, NodeTimeControl::Search { nodes: NODES }).expect("two MiB are there");
            let stop = AtomicBool::new(false);
            let mut difference = |params| {
                let moves = Position::start().legal_moves();
                let openings = moves.iter().map(|&mv| Position::start().after(mv).0);
                let pairs = openings.filter_map(|opening| players.play(&opening, params, &stop));
                pairs.map(|pair| pair.tally.difference()).sum::<i64>()
            };
            (difference([Params::default(), bad]), difference([bad, Params::default()]))
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(play).expect("a thread");
        let (first, second) = thread.join().expect("it does not panic");
        // The same games, with the players exchanged.
        assert_eq!(first, -second);
        assert!(first > 0, "{first}");
    }

    #[test]
    fn a_clock_of_nodes_lasts_for_the_game() {
        let (clock, increment) = (5_000, 50);
        let pair = play(
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
            NodeTimeControl::Clock { clock, increment },
            false,
        );
        let nodes = pair.expect("it is not stopped").nodes;
        // Both players of both games had their clocks, and an increment for each of their moves.
        let most = 4 * clock + 2 * u64::from(ADJUDICATION.longest) * increment;
        assert!((2 * clock..=most).contains(&nodes), "{nodes}");
    }

    #[test]
    fn a_stopped_game_has_no_result() {
        assert_eq!(play("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1", EQUAL, true), None);
    }

    #[test]
    fn games_end_when_both_players_agree() {
        let white = Position::start();
        let black = white.after(white.legal_moves()[0]).0;
        // The scores for White at each ply; the number of plies until the end, and the result.
        let ends = |scores: &mut dyn Iterator<Item = i32>| {
            let mut adjudicator = Adjudicator::new(ADJUDICATION, Counted::SinceOpening);
            let positions = [white, black].into_iter().cycle();
            positions.zip(scores).zip(1..).find_map(|((position, value), plies)| {
                let value = if position.turn() == Color::White { value } else { -value };
                let (result, _) = adjudicator.judge(&position, Score::new(value).expect("a score"))?;
                Some((plies, result))
            })
        };
        let disagreement = [2000, -2000].into_iter().cycle();
        let doubt = [2000, 2000, 899].into_iter().cycle();
        assert_eq!(ends(&mut [900; 10].into_iter()), Some((6, GameResult::WhiteWins)));
        assert_eq!(ends(&mut [-31_990; 10].into_iter()), Some((6, GameResult::BlackWins)));
        assert_eq!(ends(&mut doubt.take(100)), None, "a doubt between");
        assert_eq!(ends(&mut disagreement.take(100)), None, "each sees itself win");
        assert_eq!(ends(&mut [0; 100].into_iter()), Some((60, GameResult::Draw)));
        assert_eq!(ends(&mut [50; 70].into_iter().chain([-6; 20])), Some((80, GameResult::Draw)));
        assert_eq!(ends(&mut [50; 1000].into_iter()), Some((400, GameResult::Draw)));
    }
}
