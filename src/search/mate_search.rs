//! The search for a mate in a given number of moves. The attacker tries every move and the defender every
//! reply, without evaluation, so the result is proved, including that there is no mate.
//!
//! It alternates with the ordinary search, which prunes moves but follows forced lines much deeper.

use super::checks::AllChecks;
use super::history::Killers;
use super::mate_table::{MateSide, MateTable};
use super::root::{Found, PvLine};
use super::thread::{SearchThread, Stopped};
use super::{Bound, MAX_PLY, Score};
use crate::chess::{FIFTY_MOVES, Move, MoveList, Position};

/// The longest mate searched for, in moves of the attacker.
const MAX_MOVES: usize = MAX_PLY / 2;

/// Nodes for each node of the ordinary search, which takes longer per node.
const NODE_RATIO: u64 = 8;
/// The minimum number of nodes of one run: short mates are found at once.
const MIN_NODES: u64 = 10_000;

/// With at least this many moves left, moves are ordered by the number of replies, the fewest first.
const MIN_COUNTED_MOVES: usize = 3;

/// The state of a mate search.
pub(super) struct MateSearch {
    /// The maximum length of the mate, in moves of the attacker.
    max_moves: usize,
    /// The length tried next. There is no shorter mate.
    next_moves: usize,
    table: MateTable,
    /// By the number of moves left: moves that led to a mate.
    attacks: [Killers; MAX_MOVES + 1],
    /// By the number of moves left: replies that saved the defender.
    defenses: [Killers; MAX_MOVES + 1],
    /// Nodes of this search so far.
    nodes: u64,
    /// The number of nodes after which the ordinary search continues.
    node_limit: u64,
}

impl MateSearch {
    /// A search for a mate in `max_moves` moves or fewer.
    pub(super) fn new(max_moves: u32) -> Self {
        Self {
            max_moves: (max_moves as usize).clamp(1, MAX_MOVES),
            next_moves: 1,
            table: MateTable::new(),
            attacks: [Killers::default(); MAX_MOVES + 1],
            defenses: [Killers::default(); MAX_MOVES + 1],
            nodes: 0,
            node_limit: 0,
        }
    }

    /// Whether there is a mate in `moves` moves, if known.
    fn probe(&self, position: &Position, side: MateSide, moves: usize) -> Option<bool> {
        is_clock_low(position, moves).then(|| self.table.probe(position.key(), side, moves)).flatten()
    }

    /// Stores whether there is a mate in `moves` moves, and the move that proves it.
    fn store(&mut self, position: &Position, side: MateSide, moves: usize, is_mate: bool, mv: Option<Move>) {
        if is_clock_low(position, moves) {
            self.table.store(position.key(), side, moves, is_mate, mv);
        }
    }
}

/// Whether the 50-move rule cannot interfere with a mate in `moves` moves. If it can, the result depends on
/// the clock, which is not part of the key.
fn is_clock_low(position: &Position, moves: usize) -> bool {
    usize::from(position.halfmove_clock()) + 2 * moves < usize::from(FIFTY_MOVES)
}

/// The outcome of a run of the mate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MateOutcome {
    /// A mate was found and reported; its line has this many plies.
    Mate(usize),
    /// There is no mate within the maximum length.
    NoMate,
    /// The node limit was reached.
    Unfinished,
}

/// The reason for an interruption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pause {
    /// The whole search must stop.
    Stopped,
    /// The node limit is reached.
    OutOfNodes,
}

impl From<Stopped> for Pause {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl SearchThread<'_> {
    /// Searches for mates of increasing length until the node limit is reached.
    pub(super) fn mate_search(&mut self, search: &mut MateSearch) -> Result<MateOutcome, Stopped> {
        search.node_limit = (NODE_RATIO * (self.nodes - search.nodes)).max(MIN_NODES);
        self.root.start_pv(0);
        while search.next_moves <= search.max_moves {
            match self.try_length(search, search.next_moves) {
                Ok(None) => search.next_moves += 1,
                Ok(Some((score, line))) => {
                    self.adopt_mate(score, &line);
                    return Ok(MateOutcome::Mate(line.len()));
                }
                Err(Pause::OutOfNodes) => {
                    self.return_to_root();
                    return Ok(MateOutcome::Unfinished);
                }
                Err(Pause::Stopped) => return Err(Stopped),
            }
        }
        self.report_no_mate(search.max_moves);
        Ok(MateOutcome::NoMate)
    }

    /// The score and line of a mate in this number of moves, if there is one. The side to move may be the one
    /// that is mated.
    fn try_length(
        &mut self,
        search: &mut MateSearch,
        moves: usize,
    ) -> Result<Option<(Score, PvLine)>, Pause> {
        let shared = self.shared;
        let position = &shared.job.position;
        let mut line = PvLine::new();
        if self.mates(search, position, 0, moves)? {
            // The line of a proved mate is found without a limit.
            search.node_limit = u64::MAX;
            self.add_attack(search, position, 0, moves, &mut line)?;
            return Ok(Some((Score::mating(line.len()), line)));
        }
        let score = self.root.best(0).and_then(|best| best.score);
        if score.is_some_and(|score| score < Score::DRAW) && self.is_mated(search, position, 0, moves)? {
            search.node_limit = u64::MAX;
            // Shorter ones were not searched while the score was positive.
            for fewer in 1..=moves {
                if self.is_mated(search, position, 0, fewer)? {
                    self.add_defense(search, position, 0, fewer, &mut line)?;
                    return Ok(Some((Score::mated(line.len()), line)));
                }
            }
        }
        Ok(None)
    }

    /// Makes the mate the search result and reports it.
    fn adopt_mate(&mut self, score: Score, line: &[Move]) {
        let [best, rest @ ..] = line else { return };
        self.seldepth = line.len();
        let seldepth = self.seldepth;
        self.root.set_proved(*best, Found { score, bound: Bound::Exact, rest, seldepth });
        self.iteration = line.len() as i32;
        self.report(0);
    }

    /// Enters a node, and checks the limits.
    fn enter_mate_node(&mut self, search: &MateSearch, ply: usize) -> Result<(), Pause> {
        if search.nodes >= search.node_limit {
            return Err(Pause::OutOfNodes);
        }
        Ok(self.enter_node(ply)?)
    }

    /// Whether the side to move mates in `moves` moves or fewer.
    fn mates(
        &mut self,
        search: &mut MateSearch,
        position: &Position,
        ply: usize,
        moves: usize,
    ) -> Result<bool, Pause> {
        self.enter_mate_node(search, ply)?;
        if moves == 0 || ply > 0 && self.is_draw(position, ply) {
            return Ok(false);
        }
        if moves == 1 {
            return Ok(self.mate_at_once(position, ply).is_some());
        }
        if let Some(is_mate) = search.probe(position, MateSide::Attacker, moves) {
            return Ok(is_mate);
        }
        let mut mate = None;
        for mv in self.attempts(search, position, ply, moves) {
            let mates = self.after(search, position, mv, |thread, search, child| {
                thread.is_mated(search, child, ply + 1, moves - 1)
            })?;
            if mates {
                mate = Some(mv);
                search.attacks[moves].add(mv);
                break;
            }
        }
        search.store(position, MateSide::Attacker, moves, mate.is_some(), mate);
        Ok(mate.is_some())
    }

    /// Whether the side to move is mated in `moves` moves or fewer.
    fn is_mated(
        &mut self,
        search: &mut MateSearch,
        position: &Position,
        ply: usize,
        moves: usize,
    ) -> Result<bool, Pause> {
        self.enter_mate_node(search, ply)?;
        let mut replies = self.moves(position, ply);
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        if moves == 0 || ply > 0 && self.is_draw(position, ply) {
            return Ok(false);
        }
        // With one move left, the search is as fast as the table.
        let is_remembered = moves > 1;
        let mut remembered = None;
        if is_remembered {
            if let Some(is_mate) = search.probe(position, MateSide::Defender, moves) {
                return Ok(is_mate);
            }
            remembered = search.table.best(position.key(), MateSide::Defender);
        }
        bring_forward(&mut replies, remembered, &search.defenses[moves]);
        let mut rescue = None;
        for &mv in &replies {
            let loses = self.after(search, position, mv, |thread, search, child| {
                thread.mates(search, child, ply + 1, moves)
            })?;
            if !loses {
                rescue = Some(mv);
                search.defenses[moves].add(mv);
                break;
            }
        }
        if is_remembered {
            search.store(position, MateSide::Defender, moves, rescue.is_none(), rescue);
        }
        Ok(rescue.is_none())
    }

    /// Makes a move, and calls `ask` with the position after it.
    fn after(
        &mut self,
        search: &mut MateSearch,
        position: &Position,
        mv: Move,
        ask: impl FnOnce(&mut Self, &mut MateSearch, &Position) -> Result<bool, Pause>,
    ) -> Result<bool, Pause> {
        search.nodes += 1;
        self.count_node();
        let child = position.after(mv).0;
        self.key_history.push(&child);
        let answer = ask(self, search, &child)?;
        self.key_history.pop();
        Ok(answer)
    }

    /// The legal moves; at the root only those to be searched.
    fn moves(&self, position: &Position, ply: usize) -> MoveList {
        let mut moves = position.legal_moves();
        if ply == 0 {
            moves.retain(|mv| self.root.is_wanted(*mv));
        }
        moves
    }

    /// A move that mates at once.
    fn mate_at_once(&self, position: &Position, ply: usize) -> Option<Move> {
        let checks = AllChecks::of(position);
        self.moves(position, ply).into_iter().filter(|&mv| checks.may_contain(position, mv)).find(|&mv| {
            let child = position.after(mv).0;
            child.is_check() && child.legal_moves().is_empty()
        })
    }

    /// All moves in search order: those that worked before, then checks, then by the number of replies.
    fn attempts(&self, search: &MateSearch, position: &Position, ply: usize, moves: usize) -> Vec<Move> {
        let remembered = search.table.best(position.key(), MateSide::Attacker);
        let checks = AllChecks::of(position);
        let mut attempts: Vec<_> = self
            .moves(position, ply)
            .into_iter()
            .map(|mv| {
                let is_unknown = Some(mv) != remembered;
                let is_new = !search.attacks[moves].contains(mv);
                let (is_quiet, replies) = if moves >= MIN_COUNTED_MOVES {
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

    /// Adds the moves from a position with a mate in `moves` moves, but not in fewer.
    fn add_attack(
        &mut self,
        search: &mut MateSearch,
        position: &Position,
        ply: usize,
        moves: usize,
        line: &mut PvLine,
    ) -> Result<(), Pause> {
        for mv in self.attempts(search, position, ply, moves) {
            let is_winner = self.after(search, position, mv, |thread, search, child| {
                let is_mated = thread.is_mated(search, child, ply + 1, moves - 1)?;
                if is_mated {
                    line.push(mv);
                    thread.add_defense(search, child, ply + 1, moves - 1, line)?;
                }
                Ok(is_mated)
            })?;
            if is_winner {
                break;
            }
        }
        Ok(())
    }

    /// Adds the moves from a position whose side to move is mated in `moves` moves, but not in fewer with
    /// best play.
    fn add_defense(
        &mut self,
        search: &mut MateSearch,
        position: &Position,
        ply: usize,
        moves: usize,
        line: &mut PvLine,
    ) -> Result<(), Pause> {
        for mv in self.moves(position, ply) {
            let holds_out = self.after(search, position, mv, |thread, search, child| {
                let holds_out = !thread.mates(search, child, ply + 1, moves - 1)?;
                if holds_out {
                    line.push(mv);
                    thread.add_attack(search, child, ply + 1, moves, line)?;
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

/// Moves the likely refutations to the front.
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
