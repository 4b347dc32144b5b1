//! What one thread carries through the tree of one search.

use super::correction_history::{CorrectionHistory, CorrectionKeys, PositionKeys};
use super::evaluation::{self, Contempt, Evaluator};
use super::history::{CONTINUATION_PLIES, Histories, HistoryContext, Killers, PriorMoves};
use super::params::Params;
use super::root::RootMoves;
use super::shared::SharedContext;
use super::table::{Entry, Table};
use super::tablebase::TablebaseProbe;
use super::time::Timekeeper;
use super::{Bound, Listener, MAX_PLY, Score, see};
use crate::chess::{Bitboard, Delta, Line, Move, Piece, Placed, Position, Role};
use crate::nnue::Network;
use arrayvec::ArrayVec;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The moves from one ply to the end of the line.
pub(super) type PvLine = ArrayVec<Move, MAX_PLY>;

/// The best line found so far from each ply on.
pub(super) struct PvTable(Vec<PvLine>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self(vec![PvLine::new(); MAX_PLY + 1])
    }

    /// The best line from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    /// There is no line from `ply` on yet.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The best line from `ply` on is now `mv` and what follows at the next ply.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.0.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (here.last_mut(), below.first()) {
            line.clear();
            line.push(mv);
            line.extend(rest.iter().copied().take(MAX_PLY - 1));
        }
    }
}

/// The search has been told to end; what the unfinished nodes have found counts for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// What is kept for each ply of the line being searched.
#[derive(Clone, Default)]
pub(super) struct StackEntry {
    /// The keys of the position's parts.
    pub position_keys: PositionKeys,
    /// The position's corrected evaluation; none in check.
    pub eval: Option<Score>,
    /// The piece that was moved from here, and where to; none for a null move.
    pub moved: Option<Placed>,
    /// The quiet move that was made from here, with what its histories depend on; none for any
    /// other move.
    pub quiet: Option<(Piece, Move, HistoryContext)>,
    /// What the move that was made from here captured.
    pub captured: Option<Role>,
    /// Which move of the position was made from here, counted from 1.
    pub move_count: usize,
    /// By how many plies the move made from here is reduced.
    pub reduction: i32,
    /// How often positions at this ply were cut off, since their grandparent was entered.
    pub cutoffs: u32,
    /// Quiet moves that refuted positions at this ply.
    pub killers: Killers,
    /// The move that must not be played here, to see what the others are worth.
    pub excluded: Option<Move>,
}

/// What a thread learns and keeps from search to search.
pub(super) struct ThreadData {
    pub histories: Histories,
    pub correction_history: CorrectionHistory,
    pub evaluator: Evaluator,
    workspace: Workspace,
}

/// Room for the line being searched, kept from search to search only so that it need not be
/// allocated anew.
struct Workspace {
    stack: Vec<StackEntry>,
    pv_table: PvTable,
}

impl ThreadData {
    /// Memory that it takes with the widest network, rounded up.
    pub(super) const BYTES: usize = 8 << 20;

    pub(super) fn new(network: &Arc<Network>) -> Self {
        Self {
            histories: Histories::new(),
            correction_history: CorrectionHistory::new(),
            evaluator: Evaluator::new(network),
            workspace: Workspace {
                stack: vec![StackEntry::default(); MAX_PLY + 2],
                pv_table: PvTable::new(),
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
    /// Which thread it is; 0 is the main one, which watches the limits and reports.
    pub id: usize,
    pub histories: &'a mut Histories,
    pub correction_history: &'a mut CorrectionHistory,
    pub evaluator: &'a mut Evaluator,
    /// The moves at the root, with what is known of them.
    pub root: RootMoves,
    /// The iteration, in plies.
    pub iteration: i32,
    /// How wide the window is at the root, in centipawns.
    pub root_delta: i32,
    /// The game and the line being searched.
    pub key_history: Line,
    pub stack: &'a mut [StackEntry],
    pub pv_table: &'a mut PvTable,
    pub time: Timekeeper,
    /// To whom the main thread reports, if anybody listens.
    pub listener: Option<&'a mut dyn Listener>,
    /// What was last told of the best move.
    pub last_reported: Option<(Move, Score, Bound)>,
    /// When the line being looked at was last told.
    pub currline_reported_at: Duration,
    contempt: Contempt,
    /// Positions with so many men or fewer are looked up in endgame tables; 0 without tables.
    pub tb_max_pieces: u32,
    /// Nodes visited by this thread.
    pub nodes: u64,
    /// The longest line since this was last reset, in plies.
    pub seldepth: usize,
    /// Null moves are allowed from this ply on.
    pub nmp_min_ply: usize,
    /// The number of nodes at which to look at clock and signals again.
    next_check: u64,
}

impl<'a> SearchThread<'a> {
    pub(super) fn new(shared: &'a SharedContext, data: &'a mut ThreadData, id: usize) -> Self {
        let position = &shared.job.position;
        let params = shared.params;
        let ThreadData { histories, correction_history, evaluator, workspace } = data;
        let Workspace { stack, pv_table } = workspace;
        stack.fill(StackEntry::default());
        stack[0].position_keys = PositionKeys::of(position);
        if !evaluator.uses(&shared.network) {
            *evaluator = Evaluator::new(&shared.network);
        }
        evaluator.reset(position);
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
            key_history: shared.job.line.clone(),
            stack,
            pv_table,
            time: Timekeeper::new(&shared.job.limits, &params, shared.signals.is_pondering()),
            listener: None,
            last_reported: None,
            currline_reported_at: Duration::ZERO,
            contempt: Contempt::new(shared.preferences.contempt, position.turn()),
            tb_max_pieces: shared.tablebase.as_ref().map_or(0, TablebaseProbe::max_pieces),
            nodes: 0,
            seldepth: 0,
            nmp_min_ply: 0,
            next_check: 0,
        }
    }

    /// Back to the root, after a search that was stopped in the middle of a line.
    pub(super) fn return_to_root(&mut self) {
        while self.key_history.len() > self.shared.job.line.len() {
            self.key_history.pop();
        }
        for entry in &mut *self.stack {
            entry.excluded = None;
            entry.reduction = 0;
        }
        self.nmp_min_ply = 0;
    }

    /// Counts a node at `ply`.
    #[inline]
    pub(super) fn visit_node(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check()?;
        }
        self.nodes += 1;
        self.shared.counters[self.id].nodes.store(self.nodes, Ordering::Relaxed);
        self.pv_table.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Looks at clock and signals.
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

    /// The position after a move, which is entered into the books.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let (child, delta) = position.after(mv);
        self.table.prefetch(child.key());
        self.key_history.push(&child);
        let moved = delta.removed().next();
        self.stack[ply].captured = position.captured_role(mv);
        self.stack[ply].quiet = None;
        self.stack[ply].moved = moved.map(|Placed { piece, .. }| Placed { piece, square: mv.to() });
        self.evaluator.push(ply + 1, &delta);
        let mut position_keys = self.stack[ply].position_keys;
        position_keys.apply(&delta);
        self.stack[ply + 1].position_keys = position_keys;
        child
    }

    /// The position after a null move.
    pub(super) fn make_null(&mut self, position: &Position, ply: usize) -> Position {
        let child = position.after_null();
        self.table.prefetch(child.key());
        self.key_history.push_null(&child);
        self.stack[ply].moved = None;
        self.stack[ply].captured = None;
        self.stack[ply].quiet = None;
        self.evaluator.push(ply + 1, &Delta::NONE);
        self.stack[ply + 1].position_keys = self.stack[ply].position_keys;
        child
    }

    /// Takes the latest move or null move back.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.key_history.pop();
    }

    /// Is the position a draw, whatever is played?
    #[inline]
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        position.has_insufficient_material()
            || self.key_history.is_repetition(position, ply)
            || position.is_drawn_by_fifty_moves()
    }

    /// The value of a position too far from the root to be searched.
    pub(super) fn max_ply_score(&mut self, position: &Position, ply: usize) -> Score {
        if position.is_check() { Score::DRAW } else { self.raw_eval(position, ply, None) }
    }

    /// The evaluation of a position not in check, before experience corrects it.
    #[inline]
    pub(super) fn raw_eval(&mut self, position: &Position, ply: usize, entry: Option<&Entry>) -> Score {
        entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(ply, position))
    }

    /// The evaluation as experience corrects it, the 50-move rule dampens it and contempt colors it.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, ply: usize, raw: Score) -> Score {
        let prior_moves = self.prior_moves(ply);
        let keys = CorrectionKeys {
            position_keys: &self.stack[ply].position_keys,
            turn: position.turn(),
            prior_moves: &prior_moves,
        };
        let correction = self.correction_history.correction(&self.params, keys);
        let scaled = evaluation::scale_eval(
            &self.params,
            raw,
            position.halfmove_clock(),
            see::non_pawn_material(position),
        );
        Score::centipawns(scaled + correction + self.contempt.gain(position.turn()))
    }

    /// Is the evaluation better than when the same side last had one?
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let eval_before = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.stack[ply].eval);
        match (self.stack[ply].eval, eval_before(2).or_else(|| eval_before(4))) {
            (Some(now), Some(before)) => now > before + self.params.improving_margin(),
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// What the last move has cost the opponent by the evaluations before and after it, in centipawns; none where one is
    /// missing.
    pub(super) fn eval_drop(&self, ply: usize) -> Option<i32> {
        // Both are those of the side to move: what one side wins in a move, the other loses.
        let before = self.stack[ply.checked_sub(1)?].eval?;
        Some(self.stack[ply].eval?.value() + before.value())
    }

    /// Has the opponent moved to get here, rather than passed?
    pub(super) fn has_moved(&self, ply: usize) -> bool {
        ply.checked_sub(1).is_none_or(|before| self.stack[before].moved.is_some())
    }

    /// The moves that led to this ply.
    #[inline]
    pub(super) fn prior_moves(&self, ply: usize) -> PriorMoves {
        CONTINUATION_PLIES.map(|plies| ply.checked_sub(plies).and_then(|ply| self.stack[ply].moved))
    }

    /// What the histories of a move here depend on; `threats` are the squares that the opponent
    /// attacks.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize, threats: Bitboard) -> HistoryContext {
        HistoryContext {
            turn: position.turn(),
            prior_moves: self.prior_moves(ply),
            threats,
            pawns: self.stack[ply].position_keys.pawns,
        }
    }

    /// Hash moves are not extended beyond this ply.
    pub(super) fn extension_limit(&self) -> usize {
        2 * self.iteration as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    // Principal variations

    #[test]
    fn lines_grow_from_the_leaves() {
        let mut lines = PvTable::new();
        lines.update(2, mv("e2e4"));
        lines.update(1, mv("e7e5"));
        lines.clear(2);
        lines.update(0, mv("d2d4"));
        assert_eq!(lines.at(0), [mv("d2d4"), mv("e7e5"), mv("e2e4")]);
        assert!(lines.at(2).is_empty());
        lines.update(0, mv("c2c4"));
        assert_eq!(lines.at(0), [mv("c2c4"), mv("e7e5"), mv("e2e4")]);
    }
}
