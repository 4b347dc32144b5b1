//! Limited strength.

use super::attention::Candidates;
use super::{Bound, Iteration, Job, Limits, Listener, Score, Searcher, Signals};
use crate::rng::Rng;
use std::sync::Arc;

/// The limits of a weaker engine: it searches few nodes, overlooks moves of the lines found, and chooses among the best
/// moves by scores with random errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// Nodes for each move.
    pub nodes: u64,
    /// The number of best moves to choose from.
    pub lines: usize,
    /// The probability of noticing a quiet move of ordinary difficulty, in thousandths.
    pub attention: u32,
    /// The maximum random error added to the score of each move, in centipawns.
    pub error_cp: u32,
}

/// A measured level of strength.
struct Level {
    elo: u32,
    nodes: u64,
    lines: usize,
    attention: u32,
    error_cp: u32,
}

/// The levels of strength, the weakest first. Between two levels the logarithm of the nodes and the other numbers are
/// interpolated. The levels up to 2480 were placed by games among them and against levels of Stockfish 15.1, those
/// above by the gain from more nodes. The measurements are in `docs/benchmarks.md`.
const LEVELS: [Level; 15] = [
    Level { elo: 600, nodes: 2_000, lines: 40, attention: 550, error_cp: 600 },
    Level { elo: 850, nodes: 2_000, lines: 40, attention: 760, error_cp: 380 },
    Level { elo: 1080, nodes: 2_000, lines: 40, attention: 870, error_cp: 220 },
    Level { elo: 1310, nodes: 2_000, lines: 40, attention: 932, error_cp: 105 },
    Level { elo: 1530, nodes: 2_000, lines: 32, attention: 963, error_cp: 52 },
    Level { elo: 1700, nodes: 2_000, lines: 20, attention: 975, error_cp: 38 },
    Level { elo: 1840, nodes: 2_000, lines: 12, attention: 985, error_cp: 25 },
    Level { elo: 1890, nodes: 2_000, lines: 8, attention: 992, error_cp: 15 },
    Level { elo: 1970, nodes: 2_000, lines: 4, attention: 1_000, error_cp: 14 },
    Level { elo: 2100, nodes: 6_000, lines: 4, attention: 1_000, error_cp: 8 },
    Level { elo: 2310, nodes: 20_000, lines: 3, attention: 1_000, error_cp: 3 },
    Level { elo: 2480, nodes: 60_000, lines: 2, attention: 1_000, error_cp: 0 },
    Level { elo: 2640, nodes: 200_000, lines: 1, attention: 1_000, error_cp: 0 },
    Level { elo: 2800, nodes: 700_000, lines: 1, attention: 1_000, error_cp: 0 },
    Level { elo: 3000, nodes: 4_000_000, lines: 1, attention: 1_000, error_cp: 0 },
];

/// The attention at which no move is overlooked.
const FULL_ATTENTION: u32 = 1_000;

/// The Elo of the weakest level.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// The Elo of the strongest level.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;
/// The skill level of full strength; the lower ones divide the range of Elo evenly.
pub const MAX_SKILL: u32 = 20;

/// The number of root moves that a job allows.
pub fn root_move_count(job: &Job) -> usize {
    match job.limits.search_moves.len() {
        0 => job.position.count_legal_moves(),
        count => count,
    }
}

/// The latest reports of a search of several lines.
#[derive(Debug)]
pub struct ReportedLines {
    /// The number of best lines that are searched.
    pub searched: usize,
    /// The latest report of each of the best lines, the best first. An interrupted iteration changes only some of them.
    pub latest: Vec<Iteration>,
    /// The lines of the last iteration that is complete.
    pub complete: Vec<Iteration>,
}

impl ReportedLines {
    /// A collector for a search of this many best lines.
    pub const fn new(searched: usize) -> Self {
        Self { searched, latest: Vec::new(), complete: Vec::new() }
    }

    /// Keeps a report, and returns whether it completes an iteration.
    pub fn keep(&mut self, iteration: &Iteration) -> bool {
        let Some(index) = iteration.multipv.checked_sub(1) else { return false };
        match self.latest.get_mut(index) {
            Some(latest) => *latest = iteration.clone(),
            None => self.latest.push(iteration.clone()),
        }
        let is_last = iteration.multipv == self.searched;
        let is_of_iteration = |line: &Iteration| line.depth == iteration.depth && line.bound == Bound::Exact;
        let is_complete = is_last && self.latest.iter().all(is_of_iteration);
        if is_complete {
            self.complete.clone_from(&self.latest);
        }
        is_complete
    }
}

impl Listener for ReportedLines {
    fn iteration(&mut self, iteration: &Iteration) {
        self.keep(iteration);
    }
}

/// The score above which a further advantage counts less, in centipawns.
const WON_CP: i32 = 500;
/// The divisor of the part of a score beyond [`WON_CP`].
const WON_DIVISOR: i32 = 8;
/// The maximum worth of a score, in centipawns; the worth of a mate.
const MATE_CP: i32 = 1_500;

/// The worth of a score to a player, in centipawns.
fn worth(score: Score) -> i32 {
    let centipawns = score.to_cp();
    let beyond = (centipawns.abs() - WON_CP).max(0);
    let worth = centipawns.abs().min(WON_CP) + beyond / WON_DIVISOR;
    worth.min(MATE_CP) * centipawns.signum()
}

impl Strength {
    /// The measured levels with their Elo, the weakest first.
    pub fn levels() -> impl Iterator<Item = (u32, Self)> {
        LEVELS.iter().map(|level| {
            let &Level { elo, nodes, lines, attention, error_cp } = level;
            (elo, Self { nodes, lines, attention, error_cp })
        })
    }

    /// The strength of this Elo, clamped to the range from [`MIN_ELO`] to [`MAX_ELO`].
    pub fn of_elo(elo: u32) -> Self {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let above = LEVELS.iter().position(|level| elo < level.elo).unwrap_or(LEVELS.len() - 1);
        let (low, high) = (&LEVELS[above - 1], &LEVELS[above]);
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low + (high - low) * share;
        Self {
            lines: between(low.lines as f64, high.lines as f64).round() as usize,
            nodes: between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp().round() as u64,
            attention: between(f64::from(low.attention), f64::from(high.attention)).round() as u32,
            error_cp: between(f64::from(low.error_cp), f64::from(high.error_cp)).round() as u32,
        }
    }

    /// The strength of a skill level; `None` for [`MAX_SKILL`], which is full strength.
    pub fn of_skill(skill: u32) -> Option<Self> {
        (skill < MAX_SKILL).then(|| Self::of_elo(MIN_ELO + (MAX_ELO - MIN_ELO) * skill / MAX_SKILL))
    }

    /// Searches with this strength, without reports. Returns the line to play, if there is one, and the number of
    /// nodes. The number of lines is limited to the number of root moves that `job` allows.
    pub fn search(
        self,
        searcher: &mut Searcher,
        job: &Job,
        signals: &Arc<Signals>,
        rng: &mut Rng,
    ) -> (Option<Iteration>, u64) {
        let mut lines = ReportedLines::new(self.lines.min(root_move_count(job)));
        let nodes = job.limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        let limits = Limits { nodes: Some(nodes), mate: None, ..job.limits.clone() };
        let job = Job { limits, multi_pv: lines.searched, ..job.clone() };
        let root = job.position;
        let nodes = searcher.search(job, signals, &mut lines).nodes;
        let candidates = Candidates::new(&root, &lines.complete, |position| searcher.evaluate(position));
        let chosen = self.choose(&candidates, rng).and_then(|index| lines.complete.get(index));
        (chosen.cloned(), nodes)
    }

    /// Chooses the line to play, and returns its index; `None` without lines.
    pub fn choose(self, candidates: &Candidates, rng: &mut Rng) -> Option<usize> {
        let chance = f64::from(self.attention) / f64::from(FULL_ATTENTION);
        let seed = rng.next_u64();
        let mut judged = |score: Score| worth(score) + rng.below(u64::from(self.error_cp) + 1) as i32;
        let scores = candidates.perceived(chance, seed).enumerate();
        let seen = scores.filter_map(|(index, score)| Some((index, judged(score?))));
        // Of equal scores the first one, which is the better move.
        let best = seen.reduce(|best, other| if other.1 > best.1 { other } else { best });
        // A player who overlooks all moves plays the best one.
        best.map(|(index, _)| index).or_else(|| (!candidates.is_empty()).then_some(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use std::time::Duration;

    fn line(number: usize, units: i32) -> Iteration {
        Iteration {
            depth: 5,
            seldepth: 5,
            multipv: number,
            score: Score::from_units(units),
            bound: Bound::Exact,
            nodes: 100,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tb_hits: None,
            pv: Vec::new(),
        }
    }

    #[test]
    fn more_elo_is_never_weaker() {
        let mut before = Strength::of_elo(0);
        for elo in 0..3000 {
            let strength = Strength::of_elo(elo);
            assert!(strength.nodes >= before.nodes, "{elo}");
            assert!(strength.error_cp <= before.error_cp && strength.lines <= before.lines, "{elo}");
            assert!(strength.attention >= before.attention, "{elo}");
            before = strength;
        }
        for level in &LEVELS {
            let &Level { elo, nodes, lines, attention, error_cp } = level;
            assert_eq!(Strength::of_elo(elo), Strength { nodes, lines, attention, error_cp }, "{elo}");
        }
        let skills: Vec<_> =
            (0..MAX_SKILL).map(|skill| Strength::of_skill(skill).map(|of| of.nodes)).collect();
        assert!(skills.windows(2).all(|pair| pair[0].is_some() && pair[0] <= pair[1]), "{skills:?}");
        assert_eq!(Strength::of_skill(MAX_SKILL), None);
    }

    fn candidates(lines: &[Iteration]) -> Candidates {
        Candidates::new(&Position::start(), lines, |_| Score::DRAW)
    }

    #[test]
    fn errors_are_as_large_as_they_may_be() {
        let lines = candidates(&[line(1, 50), line(2, 20), line(3, -200)]);
        let mut rng = Rng::new(7);
        let mut chosen = [0; 3];
        for _ in 0..1000 {
            let strength = Strength { nodes: 1, lines: 3, attention: FULL_ATTENTION, error_cp: 100 };
            chosen[strength.choose(&lines, &mut rng).expect("there are lines")] += 1;
        }
        assert!(chosen[0] > chosen[1] && chosen[1] > 100 && chosen[2] == 0, "{chosen:?}");
        let sure = Strength { nodes: 1, lines: 3, attention: FULL_ATTENTION, error_cp: 0 };
        assert_eq!(sure.choose(&lines, &mut rng), Some(0));
        assert_eq!(sure.choose(&candidates(&[]), &mut rng), None);
    }

    #[test]
    fn more_is_worth_more_and_less_so_beyond_a_won_game() {
        let scores = (-2000..=2000).map(|cp| worth(Score::from_cp(cp)));
        assert!(scores.is_sorted());
        assert_eq!(worth(Score::from_cp(300)), 300);
        assert!(worth(Score::from_cp(900)) - worth(Score::from_cp(700)) < 50);
        assert_eq!([Score::mating(1), -Score::mating(1)].map(worth), [MATE_CP, -MATE_CP]);
    }
}
