//! Proofs of mates by exhaustive search.
//!
//! The prover shares no code with the engine's search: it has no evaluation, no pruning, and no table that replaces
//! entries. The attacker tries all moves and the defender all replies, so answers are right if the rules of the game
//! are. The 50-move rule and repetitions are ignored: no shortest mate needs a position twice, and all positions here
//! start with a clock of 0.

use hematite::chess::{Board, Key, Move, MoveList, Position};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The maximum length of a mate, in moves of the attacker.
pub(crate) const MAX_MOVES: usize = 32;

/// The error of an answer that needs more positions than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OverBudget;

/// Proves and refutes mates, and counts the positions that this takes.
pub(crate) struct Prover {
    known: HashMap<Key, Known>,
    /// The reply that refuted the last attempt for each number of remaining moves: it often refutes the next one.
    refutations: [Option<Move>; MAX_MOVES + 1],
    /// Whether the attacker tries only checks.
    is_checking: bool,
    /// The number of positions that may still be examined.
    left: u64,
    budget: u64,
}

/// The results for a position with the attacker to move.
struct Known {
    /// The position itself, since two positions might share a key.
    board: Board,
    /// The number of moves in which a mate has been proved.
    proved: Option<usize>,
    /// The number of moves in which a mate has been refuted; 0 for no information.
    refuted: usize,
}

/// A move of the attacker.
struct Attempt {
    mv: Move,
    position: Position,
    replies: MoveList,
}

impl Attempt {
    fn is_mate(&self) -> bool {
        self.replies.is_empty() && self.position.is_check()
    }
}

impl Prover {
    /// A prover that examines up to `budget` positions for each question.
    pub(crate) fn new(budget: u64) -> Self {
        let refutations = [None; MAX_MOVES + 1];
        Self { known: HashMap::new(), refutations, is_checking: false, left: budget, budget }
    }

    /// The number of moves in which the side to move mates if both sides play optimally; `None` if that takes more than
    /// `most` moves.
    pub(crate) fn distance(&mut self, position: &Position, most: usize) -> Result<Option<usize>, OverBudget> {
        self.begin();
        for moves in 1..=most {
            if self.mates(position, moves)? {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// The number of moves to mate for an attacker who plays only checks. The mate may not be the shortest, but it is
    /// found quickly.
    pub(crate) fn distance_by_checks(
        &mut self,
        position: &Position,
        most: usize,
    ) -> Result<Option<usize>, OverBudget> {
        self.is_checking = true;
        let found = self.distance(position, most);
        self.is_checking = false;
        found
    }

    /// The moves with which the side to move mates in at most `moves` moves.
    pub(crate) fn solutions(&mut self, position: &Position, moves: usize) -> Result<Vec<Move>, OverBudget> {
        self.begin();
        let mut found = Vec::new();
        for mv in position.legal_moves() {
            if self.loses(&position.after(mv).0, moves - 1)? {
                found.push(mv);
            }
        }
        Ok(found)
    }

    /// Whether the side to move mates in at most `moves` moves.
    pub(crate) fn is_won(&mut self, position: &Position, moves: usize) -> Result<bool, OverBudget> {
        self.begin();
        self.mates(position, moves)
    }

    /// Whether the side to move is mated in at most `moves` moves, whatever it plays. With 0 it is checkmated already.
    pub(crate) fn is_lost(&mut self, position: &Position, moves: usize) -> Result<bool, OverBudget> {
        self.begin();
        self.loses(position, moves)
    }

    /// Starts a question, independent of earlier ones.
    fn begin(&mut self) {
        self.known.clear();
        self.refutations = [None; MAX_MOVES + 1];
        self.left = self.budget;
    }

    fn mates(&mut self, position: &Position, moves: usize) -> Result<bool, OverBudget> {
        if moves <= 1 {
            return if moves == 0 { Ok(false) } else { self.mates_at_once(position) };
        }
        if let Some(known) = self.known.get(&position.key()).filter(|known| known.board == *position.board())
        {
            if known.proved.is_some_and(|proved| proved <= moves) {
                return Ok(true);
            }
            if known.refuted >= moves {
                return Ok(false);
            }
        }
        let mut is_won = false;
        for attempt in self.attempts(position)? {
            if self.loses_after(&attempt, moves - 1)? {
                is_won = true;
                break;
            }
        }
        self.remember(position, moves, is_won);
        Ok(is_won)
    }

    /// Whether there is a mate in one.
    fn mates_at_once(&mut self, position: &Position) -> Result<bool, OverBudget> {
        let moves = position.legal_moves();
        self.spend(moves.len())?;
        Ok(moves.into_iter().any(|mv| {
            let after = position.after(mv).0;
            after.is_check() && after.legal_moves().is_empty()
        }))
    }

    /// All moves, the most forcing ones first: checks, then by the number of replies.
    fn attempts(&mut self, position: &Position) -> Result<Vec<Attempt>, OverBudget> {
        let moves = position.legal_moves();
        self.spend(moves.len())?;
        let afters = moves.into_iter().map(|mv| (mv, position.after(mv).0));
        let mut attempts: Vec<Attempt> = afters
            .filter(|(_, after)| !self.is_checking || after.is_check())
            .map(|(mv, after)| Attempt { mv, position: after, replies: after.legal_moves() })
            .collect();
        // The bits of the move make the order the same everywhere.
        attempts.sort_by_key(|attempt| {
            (Reverse(attempt.position.is_check()), attempt.replies.len(), attempt.mv.bits())
        });
        Ok(attempts)
    }

    fn loses(&mut self, position: &Position, moves: usize) -> Result<bool, OverBudget> {
        // Which move led here does not matter for the answer.
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        self.all_replies_lose(position, replies, moves)
    }

    fn loses_after(&mut self, attempt: &Attempt, moves: usize) -> Result<bool, OverBudget> {
        match attempt.replies.is_empty() {
            true => Ok(attempt.is_mate()), // or stalemate
            false => self.all_replies_lose(&attempt.position, attempt.replies.clone(), moves),
        }
    }

    fn all_replies_lose(
        &mut self,
        position: &Position,
        mut replies: MoveList,
        moves: usize,
    ) -> Result<bool, OverBudget> {
        if moves == 0 {
            return Ok(false);
        }
        self.spend(replies.len())?;
        // Captures are the most likely to end an attack, after what has ended one just now.
        let killer = self.refutations[moves];
        replies.sort_by_key(|&mv| (Some(mv) != killer, !position.is_noisy(mv), mv.bits()));
        for reply in replies {
            if !self.mates(&position.after(reply).0, moves)? {
                self.refutations[moves] = Some(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn remember(&mut self, position: &Position, moves: usize, is_won: bool) {
        let fresh = || Known { board: *position.board(), proved: None, refuted: 0 };
        let known = match self.known.entry(position.key()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(fresh()),
        };
        if known.board != *position.board() {
            *known = fresh();
        }
        if is_won {
            known.proved = Some(known.proved.map_or(moves, |proved| proved.min(moves)));
        } else {
            known.refuted = known.refuted.max(moves);
        }
    }

    fn spend(&mut self, positions: usize) -> Result<(), OverBudget> {
        self.left = self.left.checked_sub(positions as u64).ok_or(OverBudget)?;
        Ok(())
    }
}

#[test]
fn proves_what_is_known() {
    use crate::mates::position;
    let cases = [
        ("back rank", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", Some(1)),
        ("a rook blocks", "1r4k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", None),
        ("stalemate is no mate", "k7/8/1Q6/8/8/8/8/K7 b - - 0 1", None),
        ("a waiting move", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Some(2)),
        ("rook and king", "k7/8/2K5/8/8/8/8/7R w - - 0 1", Some(2)),
        ("rook and king, farther", "1k6/8/8/2K5/8/8/8/7R w - - 0 1", Some(3)),
        ("sealed in", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", Some(3)),
        ("smothered mate", "5r1k/6pp/8/3Q2N1/8/8/6PP/6K1 w - - 0 1", Some(4)),
        ("two rooks", "8/2k5/8/8/8/8/R7/1R2K3 w - - 0 1", Some(4)),
    ];
    let mut prover = Prover::new(5_000_000);
    for (name, fen, expected) in cases {
        assert_eq!(prover.distance(&position(fen), 4), Ok(expected), "{name}");
    }
}
