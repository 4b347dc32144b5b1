//! The search for a mate in a given number of moves: the attacker tries every move, the defender every reply, and nothing
//! is judged. So what it finds is proved, and so is that there is nothing.
//!
//! It takes turns with the ordinary search, which leaves moves out but follows forced lines much farther.

use super::checks::AllChecks;
use super::history::Killers;
use super::mate_table::{MateTable, Party};
use super::root::Found;
use super::thread::{Stopped, Tree, Variation};
use super::{Bound, MAX_PLY, Score};
use crate::chess::{FIFTY_MOVES, Move, MoveList, Position};

/// The longest mate that can be looked for, in moves of the attacker.
const LONGEST: usize = MAX_PLY / 2;

/// How many nodes are visited for each of the ordinary search, whose nodes take longer.
const SHARE: u64 = 8;
/// So many nodes are visited at any rate: a short mate is found at once.
const LEAST: u64 = 10_000;

/// With so many moves left or more, the replies to an attempt are counted: the fewer, the sooner it is tried.
const COUNTED: usize = 3;

/// How a mate is being looked for, and what was learned in doing so.
pub(super) struct MateHunt {
    /// The longest mate that is wanted, in moves of the attacker.
    most: usize,
    /// The length that is tried next; there is none shorter.
    next: usize,
    table: MateTable,
    /// By the number of moves left: attempts that came to a mate.
    attacks: [Killers; LONGEST + 1],
    /// By the number of moves left: replies that saved the defender.
    defences: [Killers; LONGEST + 1],
    /// Nodes visited so far.
    spent: u64,
    /// Nodes that may be visited before it is the turn of the ordinary search.
    allowance: u64,
}

impl MateHunt {
    /// A hunt for a mate in `most` moves or fewer.
    pub(super) fn new(most: u32) -> Self {
        Self {
            most: (most as usize).clamp(1, LONGEST),
            next: 1,
            table: MateTable::new(),
            attacks: [Killers::default(); LONGEST + 1],
            defences: [Killers::default(); LONGEST + 1],
            spent: 0,
            allowance: 0,
        }
    }

    /// Is it known whether there is a mate in `moves` moves?
    fn verdict(&self, position: &Position, party: Party, moves: usize) -> Option<bool> {
        is_clock_low(position, moves).then(|| self.table.verdict(position.key(), party, moves)).flatten()
    }

    /// Remembers whether there is a mate in `moves` moves, and the move that shows it.
    fn remember(&mut self, position: &Position, party: Party, moves: usize, is_mate: bool, mv: Option<Move>) {
        if is_clock_low(position, moves) {
            self.table.store(position.key(), party, moves, is_mate, mv);
        }
    }
}

/// Can the 50-move rule not interfere with a mate in `moves` moves? If it can, the same position may be won or not.
fn is_clock_low(position: &Position, moves: usize) -> bool {
    usize::from(position.halfmove_clock()) + 2 * moves < usize::from(FIFTY_MOVES)
}

/// What a hunt has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Quarry {
    /// A mate was found and told; its line has so many plies.
    Caught(usize),
    /// There is no mate as short as wanted.
    Absent,
    /// It is the turn of the ordinary search.
    AtLarge,
}

/// Why a hunt gives no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pause {
    /// The whole search has to end.
    Stopped,
    /// It is the turn of the ordinary search.
    Spent,
}

impl From<Stopped> for Pause {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl Tree<'_> {
    /// Looks for longer and longer mates, until it is the turn of the ordinary search.
    pub(super) fn hunt(&mut self, hunt: &mut MateHunt) -> Result<Quarry, Stopped> {
        hunt.allowance = (SHARE * (self.nodes - hunt.spent)).max(LEAST);
        self.root.begin_line(0);
        while hunt.next <= hunt.most {
            match self.try_length(hunt, hunt.next) {
                Ok(None) => hunt.next += 1,
                Ok(Some((score, line))) => {
                    self.settle(score, &line);
                    return Ok(Quarry::Caught(line.len()));
                }
                Err(Pause::Spent) => {
                    self.return_to_root();
                    return Ok(Quarry::AtLarge);
                }
                Err(Pause::Stopped) => return Err(Stopped),
            }
        }
        self.report_no_mate(hunt.most);
        Ok(Quarry::Absent)
    }

    /// Is there a mate in this number of moves? With the line that has it. The side to move may be the one that is mated.
    fn try_length(&mut self, hunt: &mut MateHunt, moves: usize) -> Result<Option<(Score, Variation)>, Pause> {
        let order = self.order;
        let position = &order.job.position;
        let mut line = Variation::new();
        if self.mates(hunt, position, 0, moves)? {
            // What is proved must not be lost for want of a line.
            hunt.allowance = u64::MAX;
            self.add_attack(hunt, position, 0, moves, &mut line)?;
            return Ok(Some((Score::mating(line.len()), line)));
        }
        let score = self.root.best(0).and_then(|best| best.score);
        if score.is_some_and(|score| score < Score::DRAW) && self.is_mated(hunt, position, 0, moves)? {
            hunt.allowance = u64::MAX;
            // Shorter ones were not looked for while the position seemed good.
            for fewer in 1..=moves {
                if self.is_mated(hunt, position, 0, fewer)? {
                    self.add_defence(hunt, position, 0, fewer, &mut line)?;
                    return Ok(Some((Score::mated(line.len()), line)));
                }
            }
        }
        Ok(None)
    }

    /// Takes what was found for the result, and tells it.
    fn settle(&mut self, score: Score, line: &[Move]) {
        let [best, rest @ ..] = line else { return };
        self.selective_depth = line.len();
        let selective_depth = self.selective_depth;
        self.root.settle(*best, Found { score, bound: Bound::Exact, rest, selective_depth });
        self.iteration = line.len() as i32;
        self.report(0);
    }

    /// Counts a node.
    fn visit(&mut self, hunt: &mut MateHunt, ply: usize) -> Result<(), Pause> {
        if hunt.spent >= hunt.allowance {
            return Err(Pause::Spent);
        }
        hunt.spent += 1;
        Ok(self.enter(ply)?)
    }

    /// Does the side to move mate in `moves` moves or fewer?
    fn mates(
        &mut self,
        hunt: &mut MateHunt,
        position: &Position,
        ply: usize,
        moves: usize,
    ) -> Result<bool, Pause> {
        self.visit(hunt, ply)?;
        if moves == 0 || ply > 0 && self.is_draw(position, ply) {
            return Ok(false);
        }
        if moves == 1 {
            return Ok(self.mate_at_once(position, ply).is_some());
        }
        if let Some(verdict) = hunt.verdict(position, Party::Attacker, moves) {
            return Ok(verdict);
        }
        let mut mate = None;
        for mv in self.attempts(hunt, position, ply, moves) {
            if self.after(position, mv, |tree, child| tree.is_mated(hunt, child, ply + 1, moves - 1))? {
                mate = Some(mv);
                hunt.attacks[moves].add(mv);
                break;
            }
        }
        hunt.remember(position, Party::Attacker, moves, mate.is_some(), mate);
        Ok(mate.is_some())
    }

    /// Is the side to move mated in `moves` moves or fewer, whatever it does?
    fn is_mated(
        &mut self,
        hunt: &mut MateHunt,
        position: &Position,
        ply: usize,
        moves: usize,
    ) -> Result<bool, Pause> {
        self.visit(hunt, ply)?;
        let mut replies = self.moves(position, ply);
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        if moves == 0 || ply > 0 && self.is_draw(position, ply) {
            return Ok(false);
        }
        // With one move left, looking is as fast as remembering.
        let is_remembered = moves > 1;
        let mut remembered = None;
        if is_remembered {
            if let Some(verdict) = hunt.verdict(position, Party::Defender, moves) {
                return Ok(verdict);
            }
            remembered = hunt.table.best(position.key(), Party::Defender);
        }
        bring_forward(&mut replies, remembered, &hunt.defences[moves]);
        let mut rescue = None;
        for &mv in &replies {
            if !self.after(position, mv, |tree, child| tree.mates(hunt, child, ply + 1, moves))? {
                rescue = Some(mv);
                hunt.defences[moves].add(mv);
                break;
            }
        }
        if is_remembered {
            hunt.remember(position, Party::Defender, moves, rescue.is_none(), rescue);
        }
        Ok(rescue.is_none())
    }

    /// Asks something about the position after a move.
    fn after(
        &mut self,
        position: &Position,
        mv: Move,
        ask: impl FnOnce(&mut Self, &Position) -> Result<bool, Pause>,
    ) -> Result<bool, Pause> {
        let child = position.after(mv).0;
        self.line.push(&child);
        let answer = ask(self, &child)?;
        self.line.pop();
        Ok(answer)
    }

    /// The moves at a ply: at the root only those that are wanted.
    fn moves(&self, position: &Position, ply: usize) -> MoveList {
        let mut moves = position.legal_moves();
        if ply == 0 {
            moves.retain(|mv| self.root.is_wanted(*mv));
        }
        moves
    }

    /// A move that mates.
    fn mate_at_once(&self, position: &Position, ply: usize) -> Option<Move> {
        let checks = AllChecks::of(position);
        self.moves(position, ply).into_iter().filter(|&mv| checks.may_contain(position, mv)).find(|&mv| {
            let child = position.after(mv).0;
            child.is_check() && child.legal_moves().is_empty()
        })
    }

    /// All moves, in the order in which they are worth an attempt: what worked before, then checks, then those that leave
    /// the fewest replies.
    fn attempts(&self, hunt: &MateHunt, position: &Position, ply: usize, moves: usize) -> Vec<Move> {
        let remembered = hunt.table.best(position.key(), Party::Attacker);
        let checks = AllChecks::of(position);
        let mut attempts: Vec<_> = self
            .moves(position, ply)
            .into_iter()
            .map(|mv| {
                let is_unknown = Some(mv) != remembered;
                let is_new = !hunt.attacks[moves].contains(mv);
                let (is_quiet, replies) = if moves >= COUNTED {
                    let child = position.after(mv).0;
                    (!child.is_check(), child.legal_moves().len())
                } else {
                    (!checks.may_contain(position, mv), 0)
                };
                ((is_unknown, is_new && is_quiet, is_quiet, replies), mv)
            })
            .collect();
        attempts.sort_by_key(|&(order, _)| order);
        attempts.into_iter().map(|(_, mv)| mv).collect()
    }

    /// Adds the moves from a position in which there is a mate in `moves` moves, and in no fewer.
    fn add_attack(
        &mut self,
        hunt: &mut MateHunt,
        position: &Position,
        ply: usize,
        moves: usize,
        line: &mut Variation,
    ) -> Result<(), Pause> {
        for mv in self.attempts(hunt, position, ply, moves) {
            let is_winner = self.after(position, mv, |tree, child| {
                let is_mated = tree.is_mated(hunt, child, ply + 1, moves - 1)?;
                if is_mated {
                    line.push(mv);
                    tree.add_defence(hunt, child, ply + 1, moves - 1, line)?;
                }
                Ok(is_mated)
            })?;
            if is_winner {
                break;
            }
        }
        Ok(())
    }

    /// Adds the moves from a position whose side to move is mated in `moves` moves, and in no fewer if it plays its best.
    fn add_defence(
        &mut self,
        hunt: &mut MateHunt,
        position: &Position,
        ply: usize,
        moves: usize,
        line: &mut Variation,
    ) -> Result<(), Pause> {
        for mv in self.moves(position, ply) {
            let holds_out = self.after(position, mv, |tree, child| {
                let holds_out = !tree.mates(hunt, child, ply + 1, moves - 1)?;
                if holds_out {
                    line.push(mv);
                    tree.add_attack(hunt, child, ply + 1, moves, line)?;
                }
                Ok(holds_out)
            })?;
            if holds_out {
                break;
            }
        }
        Ok(())
    }
}

/// Puts the moves that are likely to decide first.
fn bring_forward(moves: &mut MoveList, remembered: Option<Move>, killers: &Killers) {
    let likely = [remembered, killers.nth(0), killers.nth(1)];
    let mut first = 0;
    for wanted in likely.into_iter().flatten() {
        if let Some(index) = moves[first..].iter().position(|&mv| mv == wanted) {
            moves.swap(first, first + index);
            first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, position};
    use super::*;

    #[test]
    fn likely_moves_come_first_and_none_is_lost() {
        let mut killers = Killers::default();
        killers.add(mv("a2a4"));
        killers.add(mv("g1f3"));
        let start = Position::start();
        for remembered in [None, Some(mv("e2e4")), Some(mv("g1f3")), Some(mv("e7e5"))] {
            let mut moves = start.legal_moves();
            bring_forward(&mut moves, remembered, &killers);
            let likely: Vec<_> = remembered.into_iter().filter(|&mv| start.is_legal(mv)).collect();
            assert!(moves.starts_with(&likely), "{remembered:?}");
            let end = likely.len() + 2;
            assert!([mv("a2a4"), mv("g1f3")].iter().all(|mv| moves[..end].contains(mv)), "{remembered:?}");
            moves.sort();
            let mut all = start.legal_moves();
            all.sort();
            assert_eq!(moves, all);
        }
    }

    #[test]
    fn the_fifty_move_rule_is_seen_coming() {
        for (clock, moves, expected) in [(0, 5, true), (89, 5, true), (90, 5, false), (99, 1, false)] {
            let position = position(&format!("4k3/8/8/8/8/8/4P3/4K2R w - - {clock} 80"));
            assert_eq!(is_clock_low(&position, moves), expected, "{clock} {moves}");
        }
    }
}
