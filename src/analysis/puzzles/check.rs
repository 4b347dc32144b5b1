//! Checks of the claims of puzzles.

use super::Puzzle;
use super::prover::{Comparison, Prover, Scored};
use super::themes::Line;
use crate::analysis::numbered;
use crate::chess::{Move, Position};
use crate::search::MateProof;
use thiserror::Error;

/// The requirements for a puzzle, in winning chances from -1 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rules {
    /// The minimum loss of every other move against the solver's move.
    pub gap: f64,
    /// The solver's minimum winning chances if the puzzle claims a win.
    pub win: f64,
    /// The solver's minimum winning chances otherwise.
    pub hold: f64,
}

impl Default for Rules {
    /// Every other move is a blunder by lichess's judgement; a win is an advantage of a pawn and a half, and otherwise
    /// the solver is not worse by more than an inaccuracy.
    fn default() -> Self {
        Self { gap: 0.3, win: 0.3, hold: -0.1 }
    }
}

/// A claim that is checked.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Each move of the solver is the only one.
    Line(Box<Puzzle>),
    /// The moves `best` solve the position, and no other move does; without moves, the claim is a mate.
    Moves {
        /// The position.
        position: Box<Position>,
        /// The moves that solve the position (`bm`).
        best: Vec<Move>,
        /// The length of the shortest mate (`dm`).
        mate: Option<usize>,
    },
}

/// The kind of evidence for a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The mate solver tried all moves.
    Mate,
    /// The result comes from tablebases.
    Tables,
    /// A search compared the moves.
    Search,
}

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The claim is true.
    True(Proof),
    /// The claim is false.
    False(Flaw),
    /// The budget is too small for a result.
    Open(Flaw),
}

/// The reason why a claim is not true, or not known to be.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Flaw {
    /// The solver has no move to find.
    #[error("found no move to solve it by, expected at least one")]
    Empty,
    /// Another move is better.
    #[error("{mv} is not the best: {other} has {other_percent:.0} % winning chances{}", against(*percent))]
    NotBest {
        /// The move of the puzzle.
        mv: String,
        /// The best move.
        other: String,
        /// The winning chances of the puzzle's move in percent, if the move was among the best.
        percent: Option<f64>,
        /// The winning chances of the best move in percent.
        other_percent: f64,
    },
    /// Another move is nearly as good.
    #[error("{mv} is not the only move: it has {percent:.0} % winning chances, {other} {other_percent:.0} %")]
    NotOnly {
        /// The move of the puzzle.
        mv: String,
        /// The best of the other moves.
        other: String,
        /// The winning chances of the puzzle's move in percent.
        percent: f64,
        /// The winning chances of the other move in percent.
        other_percent: f64,
    },
    /// The move is the best, but not good enough.
    #[error("{mv} has only {percent:.0} % winning chances, expected {least:.0} %")]
    TooLittle {
        /// The move of the puzzle.
        mv: String,
        /// The winning chances of the move in percent.
        percent: f64,
        /// The required winning chances in percent.
        least: f64,
    },
    /// The move does not mate within the stated number of moves.
    #[error("{mv} does not mate in {moves}")]
    NoMateBy {
        /// The move of the puzzle.
        mv: String,
        /// The stated length of the mate, in moves.
        moves: usize,
    },
    /// There is no mate within this number of moves.
    #[error("there is no mate in {0}")]
    NoMate(usize),
    /// Another move mates as well.
    #[error("{other} mates in {moves}, too")]
    OtherMate {
        /// The other move.
        other: String,
        /// The length of its mate in moves, at most the stated one.
        moves: usize,
    },
    /// The stated mate is not the shortest.
    #[error("{mv} mates in {found}, expected {stated}")]
    ShorterMate {
        /// The first move.
        mv: String,
        /// The length that was found, in moves.
        found: usize,
        /// The stated length, in moves.
        stated: usize,
    },
    /// The budget is too small for a proof.
    #[error("a mate in {moves} is neither proved nor refuted by {nodes} nodes")]
    Unproved {
        /// The stated length, in moves.
        moves: usize,
        /// The budget, in nodes.
        nodes: u64,
    },
    /// The budget, in nodes, is too small for a search.
    #[error("{0} nodes are too few for a search")]
    TooFewNodes(u64),
}

fn against(percent: Option<f64>) -> String {
    percent.map_or_else(String::new, |percent| format!(", not {percent:.0} %"))
}

/// Converts winning chances from -1 to 1 to percent.
fn percent(chances: f64) -> f64 {
    50.0 + 50.0 * chances
}

/// The number of the solver's moves in the line of a mate.
const fn moves_of(line: &[Move]) -> usize {
    line.len().div_ceil(2)
}

/// Checks puzzles.
pub struct Checker {
    prover: Prover,
    rules: Rules,
}

impl Checker {
    /// A checker with these rules.
    pub const fn new(prover: Prover, rules: Rules) -> Self {
        Self { prover, rules }
    }

    /// Checks a claim.
    pub fn check(&mut self, claim: &Claim) -> Verdict {
        let result = match claim {
            Claim::Line(puzzle) => match puzzle.stated_mate {
                Some(mate) => {
                    let best = puzzle.moves.first().copied().into_iter().chain(puzzle.alternatives(0));
                    self.mate(&puzzle.start, &best.collect::<Vec<_>>(), mate)
                }
                None => self.line(puzzle),
            },
            Claim::Moves { position, best, mate: Some(mate) } => self.mate(position, best, *mate),
            Claim::Moves { position, best, mate: None } => self.best(position, best),
        };
        match result {
            Ok(proof) => Verdict::True(proof),
            Err(flaw @ (Flaw::Unproved { .. } | Flaw::TooFewNodes(_))) => Verdict::Open(flaw),
            Err(flaw) => Verdict::False(flaw),
        }
    }

    fn line(&mut self, puzzle: &Puzzle) -> Result<Proof, Flaw> {
        // A reply after the solver's last move is not part of the task.
        let length = puzzle.moves.len()
            - usize::from(puzzle.moves.len().is_multiple_of(2) && !puzzle.moves.is_empty());
        let moves = &puzzle.moves[..length];
        let line = Line::new(puzzle.start, None, moves).filter(|_| length > 0).ok_or(Flaw::Empty)?;
        let least = if puzzle.is_won() { self.rules.win } else { self.rules.hold };
        let mut proofs = Vec::new();
        for ply in line.solver_plies() {
            let position = &line.positions[ply];
            let solutions: Vec<Move> =
                std::iter::once(line.moves[ply]).chain(puzzle.alternatives(ply)).collect();
            if line.is_mate() {
                let left = line.length() - ply / 2;
                match self.mate_by_line(position, &solutions, left) {
                    // A mate that is too long for a proof may still be the only winning move.
                    Err(flaw @ Flaw::Unproved { .. }) => {
                        proofs.push(self.only(position, &solutions, least).map_err(|_| flaw)?);
                    }
                    result => proofs.push(result?),
                }
            } else if position.count_legal_moves() > 1 {
                proofs.push(self.only(position, &solutions, least)?);
            }
        }
        let is_all = |proof| proofs.iter().all(|&other| other == proof);
        Ok([Proof::Mate, Proof::Tables].into_iter().find(|&proof| is_all(proof)).unwrap_or(Proof::Search))
    }

    /// Whether the first of these moves mates in `left` moves, and no move other than these does. The last move of a
    /// mate may be any.
    fn mate_by_line(&mut self, position: &Position, solutions: &[Move], left: usize) -> Result<Proof, Flaw> {
        if left <= 1 {
            return Ok(Proof::Mate);
        }
        let mv = solutions[0];
        match self.prover.prove_mate(position, &[mv], left) {
            MateProof::Mate(_) => {}
            MateProof::NoMate => return Err(Flaw::NoMateBy { mv: numbered(position, mv), moves: left }),
            MateProof::Unknown => return Err(self.unproved(left)),
        }
        self.no_other_mate(position, solutions, left)
    }

    fn no_other_mate(
        &mut self,
        position: &Position,
        solutions: &[Move],
        moves: usize,
    ) -> Result<Proof, Flaw> {
        match self.prover.prove_other_mate(position, solutions, moves) {
            MateProof::NoMate => Ok(Proof::Mate),
            MateProof::Mate(line) => {
                let other = line.first().map_or_else(String::new, |&mv| numbered(position, mv));
                Err(Flaw::OtherMate { other, moves: moves_of(&line) })
            }
            MateProof::Unknown => Err(self.unproved(moves)),
        }
    }

    /// Whether the shortest mate has this length, and starts with each of the `best` moves and no other, if there are
    /// any.
    fn mate(&mut self, position: &Position, best: &[Move], stated: usize) -> Result<Proof, Flaw> {
        // Each of the moves must mate; without moves, any move may.
        let attempts: Vec<&[Move]> =
            if best.is_empty() { vec![&[]] } else { best.iter().map(std::slice::from_ref).collect() };
        for first in attempts {
            match (self.prover.prove_mate(position, first, stated), first) {
                (MateProof::Mate(line), _) if moves_of(&line) == stated => {}
                (MateProof::Mate(line), _) => {
                    let mv = line.first().map_or_else(String::new, |&mv| numbered(position, mv));
                    return Err(Flaw::ShorterMate { mv, found: moves_of(&line), stated });
                }
                (MateProof::NoMate, [mv, ..]) => {
                    return Err(Flaw::NoMateBy { mv: numbered(position, *mv), moves: stated });
                }
                (MateProof::NoMate, []) => return Err(Flaw::NoMate(stated)),
                (MateProof::Unknown, _) => return Err(self.unproved(stated)),
            }
        }
        if best.is_empty() { Ok(Proof::Mate) } else { self.no_other_mate(position, best, stated) }
    }

    /// Whether these moves are the best. It is enough that they mate sooner than all others, even if others win as
    /// well.
    fn best(&mut self, position: &Position, best: &[Move]) -> Result<Proof, Flaw> {
        let found = self.only(position, best, self.rules.hold);
        let Err(Flaw::NotOnly { .. }) = found else { return found };
        let solution = self.prover.compare(position, best).and_then(|found| found.solution);
        let mate = solution.and_then(|solution| usize::try_from(solution.score.mate_in()?).ok());
        mate.filter(|&moves| moves > 0)
            .and_then(|moves| self.mate(position, best, moves).ok())
            .map_or(found, Ok)
    }

    /// Whether one of these moves is the best and good enough, and all others are much worse.
    fn only(&mut self, position: &Position, solutions: &[Move], least: f64) -> Result<Proof, Flaw> {
        let Some(&first) = solutions.first() else { return Err(Flaw::Empty) };
        let nodes = self.prover.nodes();
        let found = self.prover.compare(position, solutions).ok_or(Flaw::TooFewNodes(nodes))?;
        let text = |mv| numbered(position, mv);
        let Comparison { solution, other, is_exact } = found;
        let chances = solution.map(Scored::chances);
        if let Some(better) = other.filter(|other| chances.is_none_or(|chances| other.chances() > chances)) {
            return Err(Flaw::NotBest {
                mv: text(solution.map_or(first, |solution| solution.mv)),
                other: text(better.mv),
                percent: chances.map(percent),
                other_percent: percent(better.chances()),
            });
        }
        let solution = solution.ok_or(Flaw::TooFewNodes(nodes))?;
        let chances = solution.chances();
        if let Some(other) = other.filter(|other| chances - other.chances() < self.rules.gap) {
            return Err(Flaw::NotOnly {
                mv: text(solution.mv),
                other: text(other.mv),
                percent: percent(chances),
                other_percent: percent(other.chances()),
            });
        }
        if chances < least {
            let mv = text(solution.mv);
            return Err(Flaw::TooLittle { mv, percent: percent(chances), least: percent(least) });
        }
        Ok(if is_exact { Proof::Tables } else { Proof::Search })
    }

    fn unproved(&self, moves: usize) -> Flaw {
        Flaw::Unproved { moves, nodes: self.prover.nodes() }
    }
}
