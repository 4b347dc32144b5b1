//! The state of one thread in one search, and its reports.

use super::correction_history::{CorrectionHistory, CorrectionKeys, PositionKeys};
use super::evaluation::{self, Contempt, Damping, Evaluator, Optimism};
use super::history::{CONTINUATION_PLIES, Histories, HistoryContext, Killers, PriorMoves};
use super::params::Params;
use super::root::{PvTable, RootMoves};
use super::shared::{Event, SharedContext, Statistics};
use super::table::{Entry, Table};
use super::tablebase::TablebaseProbe;
use super::time::Timekeeper;
use super::{Bound, Iteration, Listener, MAX_PLY, Score, see};
use crate::chess::attacks::AttackMap;
use crate::chess::{Delta, Key, KeyHistory, Move, Piece, PlacedPiece, Position, Role};
use crate::nnue::Network;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The time between two reports of the current line, and before the first.
const CURRLINE_INTERVAL: Duration = Duration::from_secs(1);
/// Root moves are reported only after this time.
const CURRMOVE_DELAY: Duration = Duration::from_secs(1);

/// The search must stop; results of unfinished nodes are discarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The data of one ply of the line being searched.
#[derive(Clone, PartialEq, Default)]
pub(super) struct StackEntry {
    /// The keys of the position's parts.
    pub position_keys: PositionKeys,
    /// The corrected evaluation of the position; `None` in check.
    pub eval: Option<Score>,
    /// The moved piece and its target square; `None` for a null move.
    pub moved: Option<PlacedPiece>,
    /// The history context of the moves made from here; `None` before there were any but captures.
    pub context: Option<HistoryContext>,
    /// The quiet move made from here in this context; `None` for other moves.
    pub quiet: Option<(Piece, Move)>,
    /// The captured piece of the move made from here.
    pub captured: Option<Role>,
    /// The number of the move made from here, counted from 1.
    pub move_count: usize,
    /// The reduction of the move made from here, in plies.
    pub reduction: i32,
    /// The number of cutoffs at this ply since its grandparent was visited.
    pub cutoffs: u32,
    /// Quiet moves that caused cutoffs at this ply since its grandparent was visited.
    pub killers: Killers,
    /// The move excluded by a singular search.
    pub excluded: Option<Move>,
    /// Whether the node is or was in a principal variation.
    pub tt_pv: bool,
}

/// The data of a thread that is kept between searches.
pub(super) struct ThreadData {
    pub histories: Histories,
    pub correction_history: CorrectionHistory,
    pub evaluator: Evaluator,
    workspace: Workspace,
}

/// Buffers that are kept between searches to avoid allocations.
struct Workspace {
    stack: Vec<StackEntry>,
    pv_table: PvTable,
    key_history: KeyHistory,
    /// The maximum ply of the last search: the entries of the stack far after it are still the initial ones.
    deepest: usize,
}

/// The number of plies after the current one whose stack entries a node changes.
const CHANGED_AHEAD: usize = 2;

impl ThreadData {
    /// The size with the widest network, in bytes, rounded up.
    pub(super) const BYTES: usize = 8 << 20;

    pub(super) fn new(network: &Arc<Network>) -> Self {
        Self {
            histories: Histories::new(),
            correction_history: CorrectionHistory::new(),
            evaluator: Evaluator::new(network),
            workspace: Workspace {
                stack: vec![StackEntry::default(); MAX_PLY + 2],
                pv_table: PvTable::new(),
                key_history: KeyHistory::default(),
                deepest: 0,
            },
        }
    }

    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.correction_history.clear();
    }
}

/// One thread's view of one search.
pub(super) struct SearchThread<'a> {
    pub shared: &'a SharedContext,
    pub table: &'a Table,
    pub params: Params,
    /// The thread's number; 0 is the main thread, which checks the limits and reports.
    pub id: usize,
    pub histories: &'a mut Histories,
    pub correction_history: &'a mut CorrectionHistory,
    pub evaluator: &'a mut Evaluator,
    /// The root moves and their results.
    pub root: RootMoves,
    /// The depth of the iteration, in plies.
    pub iteration: i32,
    /// The width of the window at the root, in search units.
    pub root_delta: i32,
    /// The keys of the game and of the line being searched.
    pub key_history: &'a mut KeyHistory,
    pub stack: &'a mut [StackEntry],
    pub pv_table: &'a mut PvTable,
    pub time: Timekeeper,
    /// The listener of the main thread, if there is one.
    pub listener: Option<&'a mut dyn Listener>,
    /// The last report of the best move.
    pub last_reported: Option<(Move, Score, Bound)>,
    /// The time of the last report of the current line.
    pub currline_reported_at: Duration,
    contempt: Contempt,
    damping: Damping,
    /// The optimism of the current line, by its score in the last iteration.
    pub optimism: Optimism,
    /// The maximum number of pieces of positions probed in tablebases; 0 without tablebases.
    pub tb_max_pieces: u32,
    /// Nodes of this thread: the moves it has made, null moves included.
    pub nodes: u64,
    /// The counts of this thread.
    pub statistics: Statistics,
    /// The selective depth since the last reset, in plies.
    pub seldepth: usize,
    /// The maximum ply that a move has led to.
    deepest: &'a mut usize,
    /// Null moves are allowed from this ply on.
    pub nmp_min_ply: usize,
    /// The number of nodes at which the limits are checked next.
    next_check: u64,
}

impl<'a> SearchThread<'a> {
    pub(super) fn new(shared: &'a SharedContext, data: &'a mut ThreadData, id: usize) -> Self {
        let position = &shared.job.position;
        let params = shared.params;
        let ThreadData { histories, correction_history, evaluator, workspace } = data;
        let Workspace { stack, pv_table, key_history, deepest } = workspace;
        // In short searches it matters that only these entries are cleared.
        let changed = stack.len().min(*deepest + CHANGED_AHEAD + 1);
        stack[..changed].fill(StackEntry::default());
        debug_assert!(stack[changed..].iter().all(|entry| *entry == StackEntry::default()));
        *deepest = 0;
        stack[0].position_keys = PositionKeys::of(position);
        if !evaluator.uses(&shared.network) {
            *evaluator = Evaluator::new(&shared.network);
        }
        evaluator.reset(position);
        key_history.clone_from(&shared.job.key_history);
        Self {
            shared,
            table: &shared.table,
            params,
            id,
            root: RootMoves::new(shared, histories),
            histories,
            correction_history,
            evaluator,
            iteration: 0,
            root_delta: Score::INFINITE - -Score::INFINITE,
            key_history,
            stack,
            pv_table,
            time: Timekeeper::new(
                &shared.job.limits,
                &params,
                position.fullmove_number(),
                shared.signals.is_pondering(),
            ),
            listener: None,
            last_reported: None,
            currline_reported_at: Duration::ZERO,
            contempt: Contempt::new(shared.options.contempt, position.turn()),
            damping: if shared.options.is_plain { Damping::default() } else { Damping::new(&params) },
            optimism: Optimism::default(),
            tb_max_pieces: shared.tablebase.as_ref().map_or(0, TablebaseProbe::max_pieces),
            nodes: 0,
            statistics: Statistics::default(),
            seldepth: 0,
            deepest,
            nmp_min_ply: 0,
            next_check: 0,
        }
    }

    /// Returns to the root after a search was stopped inside a line.
    pub(super) fn return_to_root(&mut self) {
        while self.key_history.len() > self.shared.job.key_history.len() {
            self.key_history.pop();
        }
        for entry in &mut *self.stack {
            entry.excluded = None;
            entry.reduction = 0;
        }
        self.nmp_min_ply = 0;
    }

    /// Counts a node: a move that is made, which may be a null move.
    #[inline]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        self.shared.counters[self.id].nodes.store(self.nodes, Ordering::Relaxed);
    }

    /// Enters a node at `ply`, and checks the limits when due.
    #[inline]
    pub(super) fn enter_node(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check()?;
        }
        self.pv_table.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Checks the limits and signals.
    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        let claimed = self.shared.claim_nodes(self.params.check_interval() as u64);
        if claimed == 0 || self.shared.is_over() {
            return Err(Stopped);
        }
        self.next_check = self.nodes + claimed;
        if self.id != 0 {
            return Ok(());
        }
        // Without the first iteration there is no move to play.
        let is_pondering = self.shared.signals.is_pondering();
        if self.iteration > 1 && self.time.hard_limit_reached(self.shared.time_used(), is_pondering) {
            return Err(Stopped);
        }
        self.report_current_line();
        Ok(())
    }

    /// The entry of the position in the hash table.
    #[inline(always)]
    pub(super) fn probe(&mut self, position: &Position) -> Option<Entry> {
        let entry = self.table.probe(position.key());
        self.statistics.count(Event::Probe { is_hit: entry.is_some() });
        entry
    }

    /// Prefetches the entry of the position after a move, long before the move is made: the memory takes as long to
    /// answer as all that comes before that position is searched.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, mv: Move) {
        self.table.prefetch(position.expected_key(mv));
    }

    /// The position after a move, which is pushed on all stacks.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        self.count_node();
        let (child, delta) = position.after(mv);
        self.key_history.push(&child);
        *self.deepest = (*self.deepest).max(ply + 1);
        self.stack[ply].captured = position.captured_role(mv);
        self.stack[ply].quiet = None;
        self.stack[ply].moved = delta.mover().map(|mover| PlacedPiece { square: mv.to(), ..mover });
        self.evaluator.push(ply + 1, &delta);
        let mut position_keys = self.stack[ply].position_keys;
        position_keys.apply(&delta);
        self.stack[ply + 1].position_keys = position_keys;
        self.correction_history.prefetch(CorrectionKeys {
            position_keys: &position_keys,
            turn: child.turn(),
            prior_moves: &self.prior_moves(ply + 1),
        });
        child
    }

    /// The position after a null move.
    pub(super) fn make_null(&mut self, position: &Position, ply: usize) -> Position {
        self.count_node();
        let child = position.after_null();
        self.table.prefetch(child.key());
        self.key_history.push_null(&child);
        *self.deepest = (*self.deepest).max(ply + 1);
        self.stack[ply].moved = None;
        self.stack[ply].captured = None;
        self.stack[ply].quiet = None;
        self.evaluator.push(ply + 1, &Delta::NONE);
        self.stack[ply + 1].position_keys = self.stack[ply].position_keys;
        child
    }

    /// Takes back the last move or null move.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.key_history.pop();
    }

    /// Whether the position is a draw by rule.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        position.has_insufficient_material()
            || self.key_history.is_repetition(position, ply)
            || position.is_drawn_by_fifty_moves()
    }

    /// The score returned at the maximum ply.
    pub(super) fn max_ply_score(&mut self, position: &Position, ply: usize) -> Score {
        if position.is_check() { Score::DRAW } else { self.raw_eval(position, ply, None) }
    }

    /// The evaluation of a position not in check, without correction.
    #[inline]
    pub(super) fn raw_eval(&mut self, position: &Position, ply: usize, entry: Option<&Entry>) -> Score {
        entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(ply, position))
    }

    /// The correction of the evaluation by the correction history, in search units.
    #[inline]
    pub(super) fn correction(&self, position: &Position, ply: usize) -> i32 {
        let prior_moves = self.prior_moves(ply);
        let keys = CorrectionKeys {
            position_keys: &self.stack[ply].position_keys,
            turn: position.turn(),
            prior_moves: &prior_moves,
        };
        self.correction_history.correction(&self.params, keys)
    }

    /// The evaluation with damping, this correction, contempt and optimism.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, raw: Score, correction: i32) -> Score {
        let turn = position.turn();
        let scaled = self.damping.scale(raw, position.halfmove_clock(), see::non_pawn_material(position));
        Score::from_units(scaled + correction + self.contempt.gain(turn) + self.optimism.gain(turn))
    }

    /// Whether the evaluation is better than at the previous turn of the same side.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let eval_before = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.stack[ply].eval);
        match (self.stack[ply].eval, eval_before(2).or_else(|| eval_before(4))) {
            (Some(now), Some(before)) => now > before + self.params.improving_margin(),
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// The drop of the evaluation for the opponent by the last move, in search units; `None` if an evaluation
    /// is missing.
    pub(super) fn eval_drop(&self, ply: usize) -> Option<i32> {
        // Both evaluations are for their side to move, so their sum is the drop.
        let before = self.stack[ply.checked_sub(1)?].eval?;
        Some(self.stack[ply].eval?.units() + before.units())
    }

    /// Whether the last move was not a null move.
    pub(super) fn has_moved(&self, ply: usize) -> bool {
        ply.checked_sub(1).is_none_or(|before| self.stack[before].moved.is_some())
    }

    /// The moves that led to this ply.
    #[inline]
    pub(super) fn prior_moves(&self, ply: usize) -> PriorMoves {
        CONTINUATION_PLIES.map(|plies| ply.checked_sub(plies).and_then(|ply| self.stack[ply].moved))
    }

    /// The history context of moves at this ply; `threats` are the squares attacked by the opponent.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize, threats: AttackMap) -> HistoryContext {
        HistoryContext {
            turn: position.turn(),
            prior_moves: self.prior_moves(ply),
            threats,
            pawns: self.stack[ply].position_keys.pawns,
        }
    }

    /// The ply from which hash moves are not extended.
    pub(super) fn extension_limit(&self) -> usize {
        2 * self.iteration as usize
    }
}

/// Reports of the main thread to the listener.
impl SearchThread<'_> {
    /// Reports the principal variation with this index, counted from 0.
    pub(super) fn report(&mut self, multipv_index: usize) {
        let (Some(listener), Some(best)) = (&mut self.listener, self.root.best(multipv_index)) else {
            return;
        };
        let Some(score) = best.reported_score() else { return };
        if multipv_index == 0 {
            self.last_reported = best.reported();
        }
        let iteration = Iteration {
            depth: self.iteration as u32,
            seldepth: best.seldepth as u32,
            multipv: multipv_index + 1,
            score: evaluation::without_contempt(score, self.shared.options.contempt),
            bound: best.bound,
            nodes: self.shared.nodes(),
            elapsed: self.shared.elapsed(),
            hashfull: self.table.hashfull(),
            tb_hits: self.shared.tb_hits(),
            pv: best.pv(),
        };
        listener.iteration(&iteration);
    }

    /// Reports that there is no mate in this many moves.
    pub(super) fn report_no_mate(&mut self, moves: usize) {
        if let Some(listener) = &mut self.listener {
            listener.no_mate(moves);
        }
    }

    /// Reports that the search of a root move starts.
    pub(super) fn report_root_move(&mut self, mv: Move, move_count: usize) {
        let Some(listener) = &mut self.listener else { return };
        let elapsed = self.shared.elapsed();
        if elapsed >= CURRMOVE_DELAY {
            listener.root_move(self.iteration as u32, mv, move_count, elapsed);
        }
    }

    /// Reports the line being searched, if requested and due.
    pub(super) fn report_current_line(&mut self) {
        let Some(listener) = self.listener.as_mut().filter(|_| self.shared.options.show_currline) else {
            return;
        };
        let elapsed = self.shared.elapsed();
        if elapsed < self.currline_reported_at + CURRLINE_INTERVAL {
            return;
        }
        let root = self.shared.job.key_history.len();
        let moves =
            moves_of(self.shared.job.position, self.key_history.keys().get(root..).unwrap_or_default());
        if moves.is_empty() {
            return; // the next check will see a longer line
        }
        listener.current_line(&moves);
        self.currline_reported_at = elapsed;
    }

    /// Reports the refutation of each root move after the best `lines`, if requested.
    pub(super) fn report_refutations(&mut self, lines: usize) {
        if !self.shared.options.show_refutations {
            return;
        }
        for index in lines..self.root.len() {
            let Some(mv) = self.root.best(index).map(|found| found.mv) else { continue };
            let reply = self.refutation(mv);
            if let Some(listener) = &mut self.listener {
                listener.refutation(mv, reply);
            }
        }
    }

    /// The reply to a root move from the hash table, if it is not an upper bound.
    fn refutation(&self, mv: Move) -> Option<Move> {
        let child = self.shared.job.position.after(mv).0;
        let entry = self.table.probe(child.key()).filter(|entry| entry.bound != Bound::Upper)?;
        entry.mv.filter(|&reply| child.is_legal(reply))
    }
}

/// The moves that lead through positions with these keys, up to the first key that no legal move reaches, as after a
/// null move.
fn moves_of(root: Position, keys: &[Key]) -> Vec<Move> {
    let mut position = root;
    keys.iter()
        .map_while(|&key| {
            let mv = position.legal_moves().into_iter().find(|&mv| position.after(mv).0.key() == key)?;
            position = position.after(mv).0;
            Some(mv)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    #[test]
    fn keys_lead_back_to_their_moves() {
        let (mut position, mut keys) = (Position::start(), Vec::new());
        let moves = ["e2e4", "e7e5", "g1f3"].map(mv);
        for mv in moves {
            position = position.after(mv).0;
            keys.push(position.key());
        }
        assert_eq!(moves_of(Position::start(), &keys), moves);
        keys.insert(1, Key::from_bits(1));
        assert_eq!(moves_of(Position::start(), &keys), moves[..1]);
        assert_eq!(moves_of(Position::start(), &[]), []);
    }
}
