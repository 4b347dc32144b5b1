//! What one thread carries through the tree of one search.

use super::correction_history::{Corrections, Scene, Structure};
use super::evaluation::{self, Contempt, Evaluator};
use super::history::{CONTINUATIONS, Context, Histories, Killers, Previous};
use super::params::Params;
use super::root::RootMoves;
use super::shared::Order;
use super::table::{Entry, Table};
use super::tablebase::Endgames;
use super::time::Timekeeper;
use super::{Bound, Listener, MAX_PLY, Score, see};
use crate::chess::{Bitboard, Delta, Line, Move, Piece, Placed, Position, Role};
use crate::nnue::Network;
use arrayvec::ArrayVec;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The moves from one ply to the end of the line.
pub(super) type Variation = ArrayVec<Move, MAX_PLY>;

/// The best line found so far from each ply on.
pub(super) struct Variations(Vec<Variation>);

impl Variations {
    pub(super) fn new() -> Self {
        Self(vec![Variation::new(); MAX_PLY + 1])
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
pub(super) struct Frame {
    /// The keys of the position's parts.
    pub structure: Structure,
    /// The position's corrected evaluation; none in check.
    pub eval: Option<Score>,
    /// The piece that was moved from here, and where to; none for a null move.
    pub moved: Option<Placed>,
    /// The quiet move that was made from here, with what its histories depend on; none for any
    /// other move.
    pub quiet: Option<(Piece, Move, Context)>,
    /// What the move that was made from here captured.
    pub captured: Option<Role>,
    /// Which move of the position was made from here, counted from 1.
    pub number: usize,
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
pub(super) struct Experience {
    pub histories: Histories,
    pub corrections: Corrections,
    pub evaluator: Evaluator,
    workspace: Workspace,
}

/// Room for the line being searched, kept from search to search only so that it need not be
/// allocated anew.
struct Workspace {
    frames: Vec<Frame>,
    variations: Variations,
}

impl Experience {
    /// Memory that it takes with the widest network, rounded up.
    pub(super) const BYTES: usize = 8 << 20;

    pub(super) fn new(network: &Arc<Network>) -> Self {
        Self {
            histories: Histories::new(),
            corrections: Corrections::new(),
            evaluator: Evaluator::new(network),
            workspace: Workspace {
                frames: vec![Frame::default(); MAX_PLY + 2],
                variations: Variations::new(),
            },
        }
    }

    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// One thread's view of one search.
pub(super) struct Tree<'a> {
    pub order: &'a Order,
    pub table: &'a Table,
    pub params: Params,
    /// Which thread it is; 0 is the main one, which watches the limits and reports.
    pub id: usize,
    pub histories: &'a mut Histories,
    pub corrections: &'a mut Corrections,
    pub evaluator: &'a mut Evaluator,
    /// The moves at the root, with what is known of them.
    pub root: RootMoves,
    /// The iteration, in plies.
    pub iteration: i32,
    /// How wide the window is at the root, in centipawns.
    pub root_window: i32,
    /// The game and the line being searched.
    pub line: Line,
    pub frames: &'a mut [Frame],
    pub variations: &'a mut Variations,
    pub time: Timekeeper,
    /// To whom the main thread reports, if anybody listens.
    pub listener: Option<&'a mut dyn Listener>,
    /// What was last told of the best move.
    pub told: Option<(Move, Score, Bound)>,
    /// When the line being looked at was last told.
    pub current_line_told: Duration,
    contempt: Contempt,
    /// Positions with so many men or fewer are looked up in endgame tables; 0 without tables.
    pub table_men: u32,
    /// Nodes visited by this thread.
    pub nodes: u64,
    /// The longest line since this was last reset, in plies.
    pub selective_depth: usize,
    /// Null moves are allowed from this ply on.
    pub null_from: usize,
    /// The number of nodes at which to look at clock and signals again.
    next_check: u64,
}

impl<'a> Tree<'a> {
    pub(super) fn new(order: &'a Order, experience: &'a mut Experience, id: usize) -> Self {
        let position = &order.job.position;
        let params = order.params;
        let Experience { histories, corrections, evaluator, workspace } = experience;
        let Workspace { frames, variations } = workspace;
        frames.fill(Frame::default());
        frames[0].structure = Structure::of(position);
        if !evaluator.uses(&order.network) {
            *evaluator = Evaluator::new(&order.network);
        }
        evaluator.begin(position);
        Self {
            order,
            table: &order.table,
            params,
            id,
            root: RootMoves::new(order, histories),
            histories,
            corrections,
            evaluator,
            iteration: 0,
            root_window: Score::INFINITE - -Score::INFINITE,
            line: order.job.line.clone(),
            frames,
            variations,
            time: Timekeeper::new(&order.job.limits, &params, order.signals.is_pondering()),
            listener: None,
            told: None,
            current_line_told: Duration::ZERO,
            contempt: Contempt::new(order.preferences.contempt, position.turn()),
            table_men: order.endgames.as_ref().map_or(0, Endgames::men),
            nodes: 0,
            selective_depth: 0,
            null_from: 0,
            next_check: 0,
        }
    }

    /// Back to the root, after a search that was stopped in the middle of a line.
    pub(super) fn return_to_root(&mut self) {
        while self.line.len() > self.order.job.line.len() {
            self.line.pop();
        }
        for frame in &mut *self.frames {
            frame.excluded = None;
            frame.reduction = 0;
        }
        self.null_from = 0;
    }

    /// Counts a node at `ply`.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check()?;
        }
        self.nodes += 1;
        self.order.counters[self.id].nodes.store(self.nodes, Ordering::Relaxed);
        self.variations.clear(ply);
        self.selective_depth = self.selective_depth.max(ply);
        Ok(())
    }

    /// Looks at clock and signals.
    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        let drawn = self.order.draw(self.params.check_interval() as u64);
        if drawn == 0 || self.order.is_over() {
            return Err(Stopped);
        }
        self.next_check = self.nodes + drawn;
        if self.id != 0 {
            return Ok(());
        }
        // Without the first iteration there is no move to play.
        let is_pondering = self.order.signals.is_pondering();
        if self.iteration > 1 && self.time.is_up(self.order.time_used(), is_pondering) {
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
        self.line.push(&child);
        let moved = delta.removed().next();
        self.frames[ply].captured = position.captured_role(mv);
        self.frames[ply].quiet = None;
        self.frames[ply].moved = moved.map(|Placed { piece, .. }| Placed { piece, square: mv.to() });
        self.evaluator.follow(ply + 1, &delta);
        let mut structure = self.frames[ply].structure;
        structure.apply(&delta);
        self.frames[ply + 1].structure = structure;
        child
    }

    /// The position after a null move.
    pub(super) fn make_null(&mut self, position: &Position, ply: usize) -> Position {
        let child = position.after_null();
        self.table.prefetch(child.key());
        self.line.push_null(&child);
        self.frames[ply].moved = None;
        self.frames[ply].captured = None;
        self.frames[ply].quiet = None;
        self.evaluator.follow(ply + 1, &Delta::NONE);
        self.frames[ply + 1].structure = self.frames[ply].structure;
        child
    }

    /// Takes the latest move or null move back.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.line.pop();
    }

    /// Is the position a draw, whatever is played?
    #[inline]
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        position.has_insufficient_material()
            || self.line.is_repetition(position, ply)
            || position.is_drawn_by_fifty_moves()
    }

    /// The value of a position too far from the root to be searched.
    pub(super) fn horizon(&mut self, position: &Position, ply: usize) -> Score {
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
        let previous = self.previous(ply);
        let scene =
            Scene { structure: &self.frames[ply].structure, turn: position.turn(), previous: &previous };
        let correction = self.corrections.of(&self.params, scene);
        let damped = evaluation::damped(&self.params, raw, position.halfmove_clock(), see::pieces(position));
        Score::centipawns(damped + correction + self.contempt.gain(position.turn()))
    }

    /// Is the evaluation better than when the same side last had one?
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let eval_before = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.frames[ply].eval);
        match (self.frames[ply].eval, eval_before(2).or_else(|| eval_before(4))) {
            (Some(now), Some(before)) => now > before + self.params.improving_margin(),
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// What the last move has cost the opponent by the evaluations before and after it, in centipawns; none where one is
    /// missing.
    pub(super) fn last_loss(&self, ply: usize) -> Option<i32> {
        // Both are those of the side to move: what one side wins in a move, the other loses.
        let before = self.frames[ply.checked_sub(1)?].eval?;
        Some(self.frames[ply].eval?.value() + before.value())
    }

    /// Has the opponent moved to get here, rather than passed?
    pub(super) fn has_moved(&self, ply: usize) -> bool {
        ply.checked_sub(1).is_none_or(|before| self.frames[before].moved.is_some())
    }

    /// The moves that led to this ply.
    #[inline]
    pub(super) fn previous(&self, ply: usize) -> Previous {
        CONTINUATIONS.map(|plies| ply.checked_sub(plies).and_then(|ply| self.frames[ply].moved))
    }

    /// What the histories of a move here depend on; `threats` are the squares that the opponent
    /// attacks.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize, threats: Bitboard) -> Context {
        Context {
            turn: position.turn(),
            previous: self.previous(ply),
            threats,
            pawns: self.frames[ply].structure.pawns,
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
        let mut lines = Variations::new();
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
