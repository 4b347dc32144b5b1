//! The search for a mate in a given number of moves. The attacker tries every move and the defender every
//! reply, without evaluation, so the result is proved, including that there is no mate.
//!
//! The mate search alternates with the ordinary search, which prunes moves but follows forced lines much deeper.
//!
//! A separate hash table holds the lengths of mates that are proved and refuted.

use super::checks::Checks;
use super::history::Killers;
use super::root::{Found, PvLine};
use super::thread::{SearchThread, Stopped};
use super::{Bound, MAX_PLY, Score};
use crate::chess::{FIFTY_MOVES, Key, Move, MoveList, Position};
use std::num::NonZeroU8;

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
    /// The number of nodes after which the ordinary search continues, if it does.
    node_limit: Option<u64>,
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
            node_limit: None,
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

/// The result of an exhaustive search for a mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateProof {
    /// The side to move mates: the shortest mate against the longest defense.
    Mate(Vec<Move>),
    /// The side to move does not mate within the maximum number of moves.
    NoMate,
    /// The limits were reached first.
    Unknown,
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
        search.node_limit = Some((NODE_RATIO * (self.nodes - search.nodes)).max(MIN_NODES));
        self.run_mate_search(search)
    }

    /// Searches for a mate in `max_moves` moves or fewer, and for nothing else, until the limits are reached.
    pub(super) fn prove_mate(&mut self, max_moves: u32) -> MateProof {
        let mut search = MateSearch::new(max_moves);
        match self.run_mate_search(&mut search) {
            Ok(MateOutcome::Mate(_)) => {
                MateProof::Mate(self.root.best(0).map(|best| best.pv()).unwrap_or_default())
            }
            Ok(MateOutcome::NoMate) => MateProof::NoMate,
            Ok(MateOutcome::Unfinished) | Err(Stopped) => MateProof::Unknown,
        }
    }

    fn run_mate_search(&mut self, search: &mut MateSearch) -> Result<MateOutcome, Stopped> {
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
            search.node_limit = None;
            self.add_attack(search, position, 0, moves, &mut line)?;
            return Ok(Some((Score::mating(line.len()), line)));
        }
        let score = self.root.best(0).and_then(|best| best.score);
        if score.is_some_and(|score| score < Score::DRAW) && self.is_mated(search, position, 0, moves)? {
            search.node_limit = None;
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
        if search.node_limit.is_some_and(|limit| search.nodes >= limit) {
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
            moves.retain(|mv| self.root.contains(*mv));
        }
        moves
    }

    /// A move that mates at once.
    fn mate_at_once(&self, position: &Position, ply: usize) -> Option<Move> {
        let checks = Checks::of(position);
        self.moves(position, ply).into_iter().filter(|&mv| checks.may_contain(position, mv)).find(|&mv| {
            let child = position.after(mv).0;
            child.is_checkmate()
        })
    }

    /// All moves in search order: those that worked before, then checks, then by the number of replies.
    fn attempts(&self, search: &MateSearch, position: &Position, ply: usize, moves: usize) -> Vec<Move> {
        let remembered = search.table.best(position.key(), MateSide::Attacker);
        let checks = Checks::of(position);
        let mut attempts: Vec<_> = self
            .moves(position, ply)
            .into_iter()
            .map(|mv| {
                let is_unknown = Some(mv) != remembered;
                let is_new = !search.attacks[moves].contains(mv);
                let (is_quiet, replies) = if moves >= MIN_COUNTED_MOVES {
                    let child = position.after(mv).0;
                    (!child.is_check(), child.count_legal_moves())
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

/// The number of buckets; a power of two.
const BUCKETS: usize = 1 << 18;

/// The role of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MateSide {
    /// The side that tries to mate.
    Attacker,
    /// The side that is mated.
    Defender,
}

/// One position with one side to move.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The move that proved the mate, or refuted the last attempt.
    mv: Option<Move>,
    /// There is a mate in this many moves or fewer.
    proved: Option<NonZeroU8>,
    /// There is no mate in this many moves or fewer.
    refuted: u8,
}

impl Slot {
    /// The relative cost of computing the entry.
    fn cost(&self) -> u8 {
        self.refuted.max(self.proved.map_or(0, NonZeroU8::get))
    }
}

/// A table of fixed size (8 MiB). A bucket holds an expensive entry and the latest entry.
pub(super) struct MateTable {
    buckets: Vec<[Slot; 2]>,
}

impl MateTable {
    pub(super) fn new() -> Self {
        Self { buckets: vec![Default::default(); BUCKETS] }
    }

    /// Whether the position has a mate in `moves` moves, if known.
    pub(super) fn probe(&self, key: Key, side: MateSide, moves: usize) -> Option<bool> {
        let slot = self.find(key, side)?;
        if slot.proved.is_some_and(|proved| usize::from(proved.get()) <= moves) {
            return Some(true);
        }
        (usize::from(slot.refuted) >= moves).then_some(false)
    }

    /// The move that decided the position last.
    pub(super) fn best(&self, key: Key, side: MateSide) -> Option<Move> {
        self.find(key, side)?.mv
    }

    /// Stores whether a position has a mate in `moves` moves or fewer, and the move that proves it.
    pub(super) fn store(&mut self, key: Key, side: MateSide, moves: usize, is_mate: bool, mv: Option<Move>) {
        let key = side_key(key, side);
        let moves = u8::try_from(moves).unwrap_or(u8::MAX);
        let bucket = &mut self.buckets[bucket_index(key)];
        let index = match bucket.iter().position(|slot| slot.key == key) {
            Some(index) => index,
            None => {
                let index = usize::from(moves < bucket[0].cost());
                bucket[index] = Slot { key, ..Slot::default() };
                index
            }
        };
        let slot = &mut bucket[index];
        slot.mv = mv.or(slot.mv);
        if is_mate {
            let fewest = slot.proved.map_or(moves, |proved| proved.get().min(moves));
            slot.proved = NonZeroU8::new(fewest);
        } else {
            slot.refuted = slot.refuted.max(moves);
        }
    }

    fn find(&self, key: Key, side: MateSide) -> Option<&Slot> {
        let key = side_key(key, side);
        self.buckets[bucket_index(key)].iter().find(|slot| slot.key == key)
    }
}

/// The key of a position for one side: both sides have entries of their own.
const fn side_key(key: Key, side: MateSide) -> u64 {
    match side {
        MateSide::Attacker => key.bits(),
        MateSide::Defender => !key.bits(),
    }
}

const fn bucket_index(key: u64) -> usize {
    key as usize % BUCKETS
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

    use MateSide::{Attacker, Defender};

    #[test]
    fn what_is_proved_holds_for_more_moves_and_what_is_refuted_for_fewer() {
        let mut table = MateTable::new();
        let key = Key::from_bits(77);
        assert_eq!(table.probe(key, Attacker, 3), None);
        table.store(key, Attacker, 2, false, None);
        table.store(key, Attacker, 4, true, Some(mv("e2e4")));
        for (moves, expected) in
            [(1, Some(false)), (2, Some(false)), (3, None), (4, Some(true)), (5, Some(true))]
        {
            assert_eq!(table.probe(key, Attacker, moves), expected, "{moves}");
        }
        assert_eq!(table.best(key, Attacker), Some(mv("e2e4")));
        assert_eq!(table.probe(key, Defender, 5), None, "another question");
    }

    #[test]
    fn what_was_dear_outlives_what_was_cheap() {
        let mut table = MateTable::new();
        let key = |number: u64| Key::from_bits(5 + number * BUCKETS as u64);
        table.store(key(1), Attacker, 9, false, None);
        for number in 2..20 {
            table.store(key(number), Attacker, 2, false, None);
            assert_eq!(table.probe(key(number), Attacker, 2), Some(false), "the last one is always kept");
        }
        assert_eq!(table.probe(key(1), Attacker, 9), Some(false));
        assert_eq!(table.probe(key(2), Attacker, 2), None);
    }
}
