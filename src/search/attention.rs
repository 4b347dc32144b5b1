//! Attention of a player of limited strength: human errors are mostly moves that the player overlooks.
//!
//! A line of the search is followed until one of its moves is overlooked; the player then knows only the evaluation of
//! the position before that move. An overlooked reply makes a blunder look good, an overlooked continuation misses a
//! chance, and a line whose first move is overlooked is not considered at all.

use super::{Iteration, Score};
use crate::chess::{Move, MoveKind, Position, Role, Square};
use crate::rng::Rng;

/// The difficulty of noticing a quiet move of ordinary length, in percent. The other constants are added to it and
/// follow the pattern of human errors: captures and recaptures are seen first; long moves, backward moves and unusual
/// moves are seen last.
const QUIET: i32 = 100;
/// A recapture: a capture on the square where the last move has captured.
const RECAPTURE: i32 = -70;
/// A capture of the piece that has just moved, if its move was not a capture.
const MOVED_LAST: i32 = -50;
/// Any other capture or promotion.
const NOISY: i32 = -35;
/// A check.
const CHECK: i32 = -15;
/// A move of at least [`LONG`] squares, or any knight move.
const FAR: i32 = 25;
/// A move toward the player's own first rank.
const BACKWARD: i32 = 30;
/// A capture en passant or a promotion to less than a queen.
const UNUSUAL: i32 = 150;
/// The minimum length of a long move, in king moves.
const LONG: u8 = 4;

/// The factors by which the difficulty grows with the ply, in percent; the last one also applies to all later plies.
/// The player's move and the reply count in full.
const PLY_FACTORS: [i32; 4] = [100, 100, 150, 200];

/// A move of a line, and the value of the line for a player who overlooks the move.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The move and the moved piece: if the player overlooks them in one line, then in all lines of the search.
    identity: u64,
    /// The difficulty, as an exponent: an ordinary move is noticed with probability p, this one with p to this power.
    difficulty: f64,
    /// The evaluation before the move, from the player's point of view; `None` for the first move of the line.
    without: Option<Score>,
}

/// A line of a search with the difficulty of each of its moves.
#[derive(Clone, Debug)]
struct PerceivedLine {
    steps: Vec<Step>,
    score: Score,
}

/// The lines of a search from which a player of limited strength chooses.
#[derive(Clone, Debug)]
pub struct Candidates(Vec<PerceivedLine>);

impl Candidates {
    /// The lines of a search of `root`; `evaluate` returns the evaluation of a position for the side to move.
    pub fn new(root: &Position, lines: &[Iteration], evaluate: impl Fn(&Position) -> Score) -> Self {
        Self(lines.iter().map(|line| perceived_line(root, line, &evaluate)).collect())
    }

    /// Whether there is no line.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The score of each line for a player who notices an ordinary move with this probability, from 0 to 1; `None` for
    /// lines whose first move is overlooked. The same `seed` overlooks the same moves.
    pub(super) fn perceived(&self, chance: f64, seed: u64) -> impl Iterator<Item = Option<Score>> {
        self.0.iter().map(move |line| {
            let is_overlooked = |step: &&Step| {
                let is_noticed = Rng::new(seed ^ step.identity).fraction() < chance.powf(step.difficulty);
                !is_noticed
            };
            match line.steps.iter().find(is_overlooked) {
                Some(step) => step.without,
                None => Some(line.score),
            }
        })
    }
}

fn perceived_line(root: &Position, line: &Iteration, evaluate: impl Fn(&Position) -> Score) -> PerceivedLine {
    let mut position = *root;
    let mut previous = None;
    let mut steps = Vec::with_capacity(line.pv.len());
    for (ply, &mv) in line.pv.iter().enumerate() {
        // A line of the search is legal.
        if !position.is_legal(mv) {
            break;
        }
        let factor = PLY_FACTORS.get(ply).unwrap_or(&PLY_FACTORS[PLY_FACTORS.len() - 1]);
        let difficulty = f64::from(difficulty(&position, previous, mv) * factor) / 100.0 / 100.0;
        let value = || if ply % 2 == 0 { evaluate(&position) } else { -evaluate(&position) };
        let piece = position.piece_at(mv.from()).map_or(0, |piece| piece as u64);
        let identity = u64::from(mv.bits()) | piece << u16::BITS;
        steps.push(Step { identity, difficulty, without: (ply > 0).then(value) });
        previous = Some(Previous { to: mv.to(), is_capture: position.captured_role(mv).is_some() });
        position = position.after(mv).0;
    }
    PerceivedLine { steps, score: line.score }
}

/// The properties of the previous move on which the difficulty of a move depends.
#[derive(Clone, Copy, Debug)]
struct Previous {
    to: Square,
    is_capture: bool,
}

/// The difficulty of noticing a move, in percent.
fn difficulty(position: &Position, previous: Option<Previous>, mv: Move) -> i32 {
    let mut difficulty = QUIET;
    difficulty += match previous {
        Some(previous) if previous.to == mv.to() && previous.is_capture => RECAPTURE,
        Some(previous) if previous.to == mv.to() => MOVED_LAST,
        _ if position.is_noisy(mv) => NOISY,
        _ => 0,
    };
    if position.after(mv).0.is_check() {
        difficulty += CHECK;
    }
    let is_knight = position.piece_at(mv.from()).is_some_and(|piece| piece.role() == Role::Knight);
    if is_knight || distance(mv.from(), mv.to()) >= LONG {
        difficulty += FAR;
    }
    let turn = position.turn();
    if turn.relative(mv.to().rank()) < turn.relative(mv.from().rank()) {
        difficulty += BACKWARD;
    }
    let is_minor_promotion = mv.promotion().is_some_and(|role| role != Role::Queen);
    if is_minor_promotion || mv.kind() == MoveKind::EnPassant {
        difficulty += UNUSUAL;
    }
    difficulty
}

/// The number of king moves between two squares of an empty board.
fn distance(from: Square, to: Square) -> u8 {
    let files = (from.file() as u8).abs_diff(to.file() as u8);
    files.max((from.rank() as u8).abs_diff(to.rank() as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;
    use crate::chess::samples::{mv, position};
    use crate::search::Bound;
    use std::time::Duration;

    const TRIALS: u64 = 2_000;

    fn line(root: &Position, moves: &str, score: i32) -> Iteration {
        let mut position = *root;
        let mut pv = Vec::new();
        for text in moves.split_whitespace() {
            pv.push(mv(text));
            position = position.after(pv[pv.len() - 1]).0;
        }
        Iteration {
            depth: 5,
            seldepth: 5,
            multipv: 1,
            score: Score::from_cp(score),
            bound: Bound::Exact,
            nodes: 100,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tb_hits: None,
            pv,
        }
    }

    /// White can take a pawn with the queen.
    const HANGING: &str = "4k3/8/8/3p4/8/4P3/8/3QK3 w - - 0 1";

    #[test]
    fn full_attention_sees_every_line_to_its_end() {
        let root = position(HANGING);
        let lines = [line(&root, "d1d4 e8e7", 850), line(&root, "d1d5 e8e7", 950)];
        let candidates = Candidates::new(&root, &lines, |_| Score::DRAW);
        for seed in 0..TRIALS {
            assert!(candidates.perceived(1.0, seed).eq(lines.iter().map(|line| Some(line.score))));
            assert!(candidates.perceived(0.0, seed).all(|score| score.is_none()));
        }
    }

    #[test]
    fn an_overlooked_reply_leaves_the_evaluation_before_it() {
        let root = position("4k3/8/4p3/8/8/8/8/3QK3 w - - 0 1");
        // The pawn takes the queen.
        let lines = [line(&root, "d1d5 e6d5", -100)];
        let evaluate = |position: &Position| match position.turn() {
            Color::White => Score::from_cp(900),
            Color::Black => Score::from_cp(-900),
        };
        let candidates = Candidates::new(&root, &lines, evaluate);
        let mut counts = [0; 3];
        for seed in 0..TRIALS {
            match candidates.perceived(0.5, seed).next().flatten() {
                None => counts[0] += 1,
                Some(score) if score == Score::from_cp(900) => counts[1] += 1,
                Some(score) => {
                    assert_eq!(score, lines[0].score);
                    counts[2] += 1;
                }
            }
        }
        let shares = counts.map(|count| f64::from(count) / TRIALS as f64);
        // A long quiet move, and a pawn that captures the piece that has just moved.
        let seen = 0.5_f64.powf(1.25);
        let reply = 0.5_f64.powf(0.5);
        for (share, expected) in shares.into_iter().zip([1.0 - seen, seen * (1.0 - reply), seen * reply]) {
            assert!((share - expected).abs() < 0.04, "{shares:?}");
        }
    }

    #[test]
    fn an_overlooked_threat_is_overlooked_in_all_lines() {
        let root = position("r3k3/8/8/8/8/8/P6P/4K2R w - - 0 1");
        let lines = [line(&root, "h2h3 a8a2", -100), line(&root, "h2h4 a8a2", -100)];
        let candidates = Candidates::new(&root, &lines, |_| Score::DRAW);
        let mut both = 0;
        for seed in 0..TRIALS {
            let seen: Vec<_> = candidates.perceived(0.7, seed).collect();
            if let [Some(first), Some(second)] = seen[..] {
                assert_eq!(first, second);
                both += 1;
            }
        }
        assert!(both > TRIALS / 4);
    }

    #[test]
    fn some_moves_are_harder_to_see() {
        let root = position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3");
        let of = |text: &str, previous| difficulty(&root, previous, mv(text));
        let quiet = of("d2d3", None);
        assert_eq!(quiet, QUIET);
        assert!(of("f3f7", None) < quiet, "a capture that gives check, though a long one");
        let moved = Previous { to: Square::F7, is_capture: false };
        let took = Previous { is_capture: true, ..moved };
        assert!(of("f3f7", Some(took)) < of("f3f7", Some(moved)), "it takes back");
        assert!(of("f3f7", Some(moved)) < of("f3f7", None), "it takes what has just moved");
        assert!(of("c4f1", None) > quiet, "backward");
        assert!(of("b1c3", None) > quiet, "a knight");
    }
}
