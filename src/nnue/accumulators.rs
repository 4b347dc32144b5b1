//! The sums of the first hidden layer along a line of moves, updated incrementally.

use super::Network;
use super::features::{MAX_ACTIVE, is_mirrored, mirrored_index};
use super::layer_stack::Block;
use crate::chess::{Bitboard, Board, Color, Delta, Piece, PlacedPiece, Role};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// The accumulator stack of a thread.
///
/// A move records only its change. Sums are computed when a value is needed, from the latest earlier ply that
/// has them (<https://www.chessprogramming.org/NNUE#Accumulator>).
pub struct Accumulators {
    network: Arc<Network>,
    frames: Vec<Frame>,
    /// The sums of each ply, White's perspective first.
    sums: Vec<Block>,
    table: RefreshTable,
}

/// The state of a ply.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The change by the move that led here.
    delta: Delta,
    /// For each perspective, whether it sees the files mirrored.
    is_mirrored: [bool; Color::COUNT],
    /// For each perspective, whether its sums have been computed.
    is_ready: [bool; Color::COUNT],
}

impl Accumulators {
    /// An accumulator stack for lines of up to `plies` moves.
    pub fn new(network: Arc<Network>, plies: usize) -> Self {
        let table = RefreshTable::new(&network);
        let sums = vec![Block::ZERO; (plies + 1) * Color::COUNT * network.blocks()];
        Self { frames: vec![Frame::default(); plies + 1], sums, table, network }
    }

    /// The network.
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts a new line at this board.
    pub fn reset(&mut self, root: &Board) {
        let is_mirrored = Color::ALL.map(|color| is_mirrored(root.king(color)));
        self.frames[0] = Frame { delta: Delta::NONE, is_mirrored, is_ready: [false; Color::COUNT] };
    }

    /// Records that a move with this change led to `ply`, counted from the root.
    ///
    /// # Panics
    /// If `ply` is 0 or exceeds the maximum length of the line.
    #[inline]
    pub fn push(&mut self, ply: usize, delta: &Delta) {
        let mut is_mirrored_now = self.frames[ply - 1].is_mirrored;
        if let Some(PlacedPiece { piece, square }) = delta.added().next()
            && piece.role() == Role::King
        {
            is_mirrored_now[piece.color()] = is_mirrored(square);
        }
        self.frames[ply] =
            Frame { delta: *delta, is_mirrored: is_mirrored_now, is_ready: [false; Color::COUNT] };
    }

    /// The value of the board at `ply` for the side to move, in search units.
    ///
    /// # Panics
    /// If `ply` exceeds the maximum length of the line.
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

    /// Computes the sums of a perspective from those of the previous ply, which sees the files the same way.
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
        let row = |placed: PlacedPiece| {
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
            // A null move: all other moves remove and add pieces.
            _ => to.copy_from_slice(from),
        }
    }
}

/// The range of the sums of a perspective.
#[inline]
fn place(network: &Network, ply: usize, perspective: Color) -> std::ops::Range<usize> {
    let start = (ply * Color::COUNT + perspective as usize) * network.blocks();
    start..start + network.blocks()
}

/// Views of the files: unchanged and mirrored.
const VIEWS: usize = 2;

/// The last board whose sums were refreshed, and these sums, for each perspective and view of the files. A
/// refresh applies only the difference of the boards (<https://www.chessprogramming.org/NNUE#Accumulator>,
/// known as Finny tables).
pub(super) struct RefreshTable {
    boards: [[Pieces; VIEWS]; Color::COUNT],
    sums: Vec<Block>,
}

/// The squares of each piece.
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
