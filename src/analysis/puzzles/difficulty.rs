//! The difficulty of a puzzle, measured: the weakest of our levels of limited strength that is as likely to solve it as
//! not.
//!
//! A level searches so many nodes, overlooks moves, and chooses among so many lines by scores with random errors, as it
//! does in a game (`UCI_Elo`). The share of its choices that find the solver's move is counted at each move, and the
//! product is its chance to find all of them.

use super::prover::Prover;
use super::themes::Line;
use crate::chess::Move;
use crate::rng::Rng;
use crate::search::{Candidates, Strength};
use serde::Serialize;

/// The number of choices of a level at each move.
const CHOICES: u32 = 200;
/// A level solves a puzzle if it does so at least this often.
const SOLVED: f64 = 0.5;

/// A difficulty on the scale of `UCI_Elo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Rating {
    /// The Elo of a player who solves half of such puzzles, from 600, which also stands for less, to 3000, which also
    /// stands for more.
    pub elo: u32,
    /// Half of the distance of the two measured levels between which it is.
    pub deviation: u32,
}

/// Measures the difficulty of a line; `alternatives` are other moves that solve it, with their indices.
pub(super) fn rate(prover: &mut Prover, line: &Line, alternatives: &[(usize, Move)]) -> Rating {
    // The Elo of the level before, and its chance to solve the puzzle.
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

/// The chance of a level to find all moves of the solver.
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
        if position.legal_moves().len() == 1 {
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
