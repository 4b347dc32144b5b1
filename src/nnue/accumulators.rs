//! The sums of the hidden neurons along a line of moves, kept up to date move by move.

use super::Network;
use super::features::{MAX_ACTIVE, is_mirrored, mirrored_index};
use super::kernel::Block;
use crate::chess::{Bitboard, Board, Color, Delta, Piece, Placed, Role};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// What a thread needs to evaluate the positions of a line.
///
/// A move only notes what it has changed; sums are computed when a value is wanted, from the
/// latest ones before it (<https://www.chessprogramming.org/NNUE#Accumulator>).
pub struct Accumulators {
    network: Arc<Network>,
    frames: Vec<Frame>,
    /// The sums for each ply, White's perspective first.
    sums: Vec<Block>,
    table: RefreshTable,
}

/// What is known of a ply.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// What the move to here has changed.
    delta: Delta,
    /// For each perspective: does it see the files mirrored?
    is_mirrored: [bool; Color::COUNT],
    /// For each perspective: have its sums been computed?
    is_ready: [bool; Color::COUNT],
}

impl Accumulators {
    /// For lines of up to `plies` moves.
    pub fn new(network: Arc<Network>, plies: usize) -> Self {
        let table = RefreshTable::new(&network);
        let sums = vec![Block::ZERO; (plies + 1) * Color::COUNT * network.blocks()];
        Self { frames: vec![Frame::default(); plies + 1], sums, table, network }
    }

    /// The network that is evaluated.
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// A new line begins with this board.
    pub fn begin(&mut self, root: &Board) {
        let is_mirrored = Color::ALL.map(|color| is_mirrored(root.king(color)));
        self.frames[0] = Frame { delta: Delta::NONE, is_mirrored, is_ready: [false; Color::COUNT] };
    }

    /// A move has led to `ply`, counted from the root, and changed this.
    ///
    /// # Panics
    /// If the line is longer than it may be, or `ply` is 0.
    #[inline]
    pub fn follow(&mut self, ply: usize, delta: &Delta) {
        let mut is_mirrored_now = self.frames[ply - 1].is_mirrored;
        if let Some(Placed { piece, square }) = delta.added().next()
            && piece.role() == Role::King
        {
            is_mirrored_now[piece.color()] = is_mirrored(square);
        }
        self.frames[ply] =
            Frame { delta: *delta, is_mirrored: is_mirrored_now, is_ready: [false; Color::COUNT] };
    }

    /// The value, in centipawns, of the board at `ply` for the side to move.
    ///
    /// # Panics
    /// If the line is longer than it may be.
    #[inline]
    pub fn evaluate(&mut self, ply: usize, board: &Board) -> i32 {
        for perspective in Color::ALL {
            if !self.frames[ply].is_ready[perspective] {
                self.prepare(ply, perspective, board);
            }
        }
        let turn = board.turn();
        let range = |color: Color| place(&self.network, ply, color);
        self.network.propagate(board, &self.sums[range(turn)], &self.sums[range(!turn)])
    }

    /// Computes the sums of a perspective.
    fn prepare(&mut self, ply: usize, perspective: Color, board: &Board) {
        let mut start = ply;
        while !self.frames[start].is_ready[perspective] {
            let sees = |ply: usize| self.frames[ply].is_mirrored[perspective];
            if start == 0 || sees(start) != sees(start - 1) {
                let sums = &mut self.sums[place(&self.network, ply, perspective)];
                self.table.refresh(&self.network, perspective, sees(ply), board, sums);
                self.frames[ply].is_ready[perspective] = true;
                return;
            }
            start -= 1;
        }
        for ply in start + 1..=ply {
            self.step(ply, perspective);
        }
    }

    /// Computes the sums of a perspective from those of the ply before, which sees the files
    /// the same way.
    #[inline]
    fn step(&mut self, ply: usize, perspective: Color) {
        let Self { network, frames, sums, .. } = self;
        let frame = &mut frames[ply];
        frame.is_ready[perspective] = true;
        let (delta, is_mirrored) = (frame.delta, frame.is_mirrored[perspective]);
        let range = place(network, ply, perspective);
        let (before, now) = sums.split_at_mut(range.start);
        let from = &before[place(network, ply - 1, perspective)];
        let to = &mut now[..network.blocks()];
        let row = |placed: Placed| {
            network.row(mirrored_index(perspective, is_mirrored, placed.piece, placed.square))
        };
        let (mut removed, mut added) = (delta.removed().map(row), delta.added().map(row));
        let kernel = network.kernel();
        match (removed.next(), removed.next(), added.next(), added.next()) {
            (Some(left), None, Some(arrived), None) => kernel.update(to, from, [arrived], [left]),
            (Some(left), Some(captured), Some(arrived), None) => {
                kernel.update(to, from, [arrived], [left, captured]);
            }
            (Some(left), Some(also_left), Some(arrived), Some(also_arrived)) => {
                kernel.update(to, from, [arrived, also_arrived], [left, also_left]);
            }
            // A null move; what moves pieces always takes away and puts down.
            _ => to.copy_from_slice(from),
        }
    }
}

/// Where the sums of a perspective are.
#[inline]
fn place(network: &Network, ply: usize, perspective: Color) -> std::ops::Range<usize> {
    let start = (ply * Color::COUNT + perspective as usize) * network.blocks();
    start..start + network.blocks()
}

/// Ways of seeing the files: as they are, and mirrored.
const VIEWS: usize = 2;

/// For each perspective and each way of seeing the files: the last board whose sums were
/// computed anew, and those sums.
pub(super) struct RefreshTable {
    boards: [[Pieces; VIEWS]; Color::COUNT],
    sums: Vec<Block>,
}

/// Where the pieces stand.
#[derive(Clone, Copy, Default)]
struct Pieces([Bitboard; Piece::COUNT]);

impl RefreshTable {
    pub(super) fn new(network: &Network) -> Self {
        Self { boards: Default::default(), sums: network.bias().repeat(Color::COUNT * VIEWS) }
    }

    /// Computes the sums of a board as `perspective` sees it.
    pub(super) fn refresh(
        &mut self,
        network: &Network,
        perspective: Color,
        is_mirrored: bool,
        board: &Board,
        to: &mut [Block],
    ) {
        let known = &mut self.boards[perspective][usize::from(is_mirrored)];
        let mut added = ArrayVec::<u16, MAX_ACTIVE>::new();
        let mut removed = ArrayVec::<u16, MAX_ACTIVE>::new();
        for piece in Piece::ALL {
            let input = |square| mirrored_index(perspective, is_mirrored, piece, square) as u16;
            let now = board.pieces(piece.color(), piece.role());
            let before = std::mem::replace(&mut known.0[piece], now);
            added.extend((now - before).into_iter().map(input));
            removed.extend((before - now).into_iter().map(input));
        }
        let number = perspective as usize * VIEWS + usize::from(is_mirrored);
        let sums = &mut self.sums[number * network.blocks()..][..network.blocks()];
        network.kernel().accumulate(sums, network.rows(), &added, &removed);
        to.copy_from_slice(sums);
    }
}
