//! The difficulty of a puzzle, measured as the weakest level of limited strength that solves it with a probability of
//! at least one half.
//!
//! As in a game (`UCI_Elo`), a level searches a number of nodes, overlooks moves, and chooses among several lines by
//! scores with random errors. For each of the solver's moves, the fraction of choices that find it is measured; the
//! product of these fractions is the probability that the level solves the puzzle.

use super::prover::Prover;
use super::themes::Line;
use crate::chess::Move;
use crate::rng::Rng;
use crate::search::{Candidates, Strength};
use serde::Serialize;

/// The number of choices of a level at each move.
const CHOICES: u32 = 200;
/// The minimum probability with which a level must solve a puzzle.
const SOLVED: f64 = 0.5;

/// A difficulty on the scale of `UCI_Elo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Rating {
    /// The Elo of a player who solves half of such puzzles, from 600 (or less) to 3000 (or more).
    pub elo: u32,
    /// Half of the distance between the two measured levels around the Elo.
    pub deviation: u32,
}

/// Measures the difficulty of a line; `alternatives` are other moves that solve it, with their indices.
pub(super) fn rate(prover: &mut Prover, line: &Line, alternatives: &[(usize, Move)]) -> Rating {
    // The Elo of the previous level, and its probability to solve the puzzle.
    let mut before: Option<(u32, f64)> = None;
    for (elo, strength) in Strength::levels() {
        let chance = chance(prover, line, alternatives, elo, strength);
        if chance >= SOLVED {
            let Some((lower, least)) = before else { return Rating { elo, deviation: 0 } };
            let share = (SOLVED - least) / (chance - least);
            let between = f64::from(elo - lower) * share;
            return Rating { elo: lower + between.round() as u32, deviation: (elo - lower) / 2 };
        }
        before = Some((elo, chance));
    }
    Rating { elo: before.map_or(0, |(elo, _)| elo), deviation: 0 }
}

/// The probability that a level finds all moves of the solver.
fn chance(
    prover: &mut Prover,
    line: &Line,
    alternatives: &[(usize, Move)],
    elo: u32,
    strength: Strength,
) -> f64 {
    let mut product = 1.0;
    for ply in line.solver_plies() {
        let position = &line.positions[ply];
        if position.count_legal_moves() == 1 {
            continue;
        }
        let solves = |mv: Move| {
            mv == line.moves[ply]
                || alternatives.contains(&(ply, mv))
                || ply + 1 == line.moves.len() && line.is_mate() && position.after(mv).0.is_checkmate()
        };
        prover.clear();
        let lines = prover.lines(position, strength.lines, strength.nodes);
        let candidates = Candidates::new(position, &lines, |position| prover.evaluate(position));
        let mut rng = Rng::new(position.key().bits() ^ u64::from(elo));
        let mut choice = || {
            let index = strength.choose(&candidates, &mut rng)?;
            lines.get(index).and_then(|line| line.pv.first().copied())
        };
        let found = (0..CHOICES).filter(|_| choice().is_some_and(solves)).count();
        product *= found as f64 / f64::from(CHOICES);
        if product == 0.0 {
            break;
        }
    }
    product
}
