//! Limited strength.

use super::{Bound, Iteration, Job, Limits, Listener, Searcher, Signals};
use crate::rng::Rng;
use std::sync::Arc;

/// The limits of a weaker engine: it searches few nodes, and chooses among the best moves by scores with random
/// errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// Nodes for each move.
    pub nodes: u64,
    /// The number of best moves to choose from.
    pub lines: usize,
    /// The largest error, which is added to the score of each move, in centipawns.
    pub error_cp: u32,
}

/// A point of the curve from Elo to strength.
struct Level {
    elo: u32,
    nodes: u64,
    lines: usize,
    error_cp: u32,
}

/// The levels of strength, the weakest first. Between two levels the logarithm of the nodes, the lines and the error
/// are interpolated. The levels from 1520 to 1950 are even in games against levels of Stockfish 15.1; the others were
/// placed by their distance to them.
/// Measurements are in `docs/benchmarks.md`.
const LEVELS: [Level; 11] = [
    Level { elo: 800, nodes: 2_000, lines: 40, error_cp: 1_036 },
    Level { elo: 920, nodes: 2_000, lines: 32, error_cp: 674 },
    Level { elo: 1000, nodes: 2_000, lines: 24, error_cp: 466 },
    Level { elo: 1200, nodes: 2_000, lines: 20, error_cp: 298 },
    Level { elo: 1520, nodes: 2_000, lines: 16, error_cp: 130 },
    Level { elo: 1640, nodes: 2_000, lines: 10, error_cp: 73 },
    Level { elo: 1820, nodes: 2_000, lines: 4, error_cp: 16 },
    Level { elo: 1950, nodes: 6_000, lines: 4, error_cp: 8 },
    Level { elo: 2100, nodes: 20_000, lines: 3, error_cp: 3 },
    Level { elo: 2375, nodes: 60_000, lines: 2, error_cp: 0 },
    Level { elo: 2650, nodes: 200_000, lines: 1, error_cp: 0 },
];

/// The Elo of the weakest level.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// The Elo of the strongest level.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;
/// The skill of full strength; the lower ones divide the range of Elo evenly.
pub const MAX_SKILL: u32 = 20;

/// The number of moves that a job allows.
pub fn root_move_count(job: &Job) -> usize {
    match job.limits.search_moves.len() {
        0 => job.position.legal_moves().len(),
        count => count,
    }
}

/// The latest reports of a search of several lines.
#[derive(Debug)]
pub struct ReportedLines {
    /// The number of best lines that are searched.
    pub searched: usize,
    /// The latest report of each of the best lines, the best first. An interrupted iteration changes only some of
    /// them.
    pub latest: Vec<Iteration>,
    /// The lines of the last iteration that is complete.
    pub complete: Vec<Iteration>,
}

impl ReportedLines {
    /// For a search of this many best lines.
    pub const fn new(searched: usize) -> Self {
        Self { searched, latest: Vec::new(), complete: Vec::new() }
    }

    /// Keeps a report, and returns whether an iteration is complete with it.
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

/// Scores are clamped to this before the error is added, in centipawns.
const WON_CP: i32 = 518;

impl Strength {
    /// The measured levels with their Elo, the weakest first.
    pub fn levels() -> impl Iterator<Item = (u32, Self)> {
        LEVELS.iter().map(|level| {
            (level.elo, Self { nodes: level.nodes, lines: level.lines, error_cp: level.error_cp })
        })
    }

    /// The strength of this Elo, clamped to the range of [`MIN_ELO`] and [`MAX_ELO`].
    pub fn of_elo(elo: u32) -> Self {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let above = LEVELS.iter().position(|level| elo < level.elo).unwrap_or(LEVELS.len() - 1);
        let (low, high) = (&LEVELS[above - 1], &LEVELS[above]);
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low + (high - low) * share;
        Self {
            lines: between(low.lines as f64, high.lines as f64).round() as usize,
            nodes: between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp().round() as u64,
            error_cp: between(f64::from(low.error_cp), f64::from(high.error_cp)).round() as u32,
        }
    }

    /// The strength of a skill; `None` for [`MAX_SKILL`].
    pub fn of_skill(skill: u32) -> Option<Self> {
        (skill < MAX_SKILL).then(|| Self::of_elo(MIN_ELO + (MAX_ELO - MIN_ELO) * skill / MAX_SKILL))
    }

    /// Searches as this strength does, without reports. Returns the line to play, if there is one, and the number of
    /// nodes. `job` states how many lines there can be.
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
        let nodes = searcher.search(job, signals, &mut lines).nodes;
        (self.choose(&lines.complete, rng).cloned(), nodes)
    }

    /// Chooses the line to play among the best ones.
    pub fn choose<'a>(self, lines: &'a [Iteration], rng: &mut Rng) -> Option<&'a Iteration> {
        let judged = lines.iter().map(|line| {
            let error = rng.below(u64::from(self.error_cp) + 1) as i32;
            (line.score.to_cp().clamp(-WON_CP, WON_CP) + error, line)
        });
        // The first one of equals, which is the better one.
        judged.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, line)| line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;
    use std::time::Duration;

    fn line(number: usize, centipawns: i32) -> Iteration {
        Iteration {
            depth: 5,
            seldepth: 5,
            multipv: number,
            score: Score::from_units(centipawns),
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
            before = strength;
        }
        for level in &LEVELS {
            let expected = Strength { nodes: level.nodes, lines: level.lines, error_cp: level.error_cp };
            assert_eq!(Strength::of_elo(level.elo), expected, "{}", level.elo);
        }
        let skills: Vec<_> =
            (0..MAX_SKILL).map(|skill| Strength::of_skill(skill).map(|of| of.nodes)).collect();
        assert!(skills.windows(2).all(|pair| pair[0].is_some() && pair[0] <= pair[1]), "{skills:?}");
        assert_eq!(Strength::of_skill(MAX_SKILL), None);
    }

    #[test]
    fn errors_are_as_large_as_they_may_be() {
        let lines = [line(1, 50), line(2, 20), line(3, -200)];
        let mut rng = Rng::new(7);
        let mut chosen = [0; 4];
        for _ in 0..1000 {
            let strength = Strength { nodes: 1, lines: 3, error_cp: 100 };
            chosen[strength.choose(&lines, &mut rng).expect("there are lines").multipv] += 1;
        }
        assert!(chosen[1] > chosen[2] && chosen[2] > 100 && chosen[3] == 0, "{chosen:?}");
        let sure = Strength { nodes: 1, lines: 3, error_cp: 0 };
        assert_eq!(sure.choose(&lines, &mut rng).map(|line| line.multipv), Some(1));
        assert_eq!(sure.choose(&[], &mut rng), None);
    }
}
