//! The sums of the first hidden layer along a line of moves, updated incrementally.

use super::Network;
use super::features::{Changes, Planes, View, is_mirrored, pieces_of, planes_and_scalars};
use super::layer_stack::Block;
use super::scalars::of_other_side;
use crate::chess::{Board, Color, Delta, PlacedPiece, Role, Square};
use std::sync::Arc;

/// The accumulator stack of a thread.
///
/// Sums are computed on demand, from the latest earlier ply whose sums have been computed
/// (<https://www.chessprogramming.org/NNUE#Accumulator>). Since a move also changes threats far from its squares, the
/// changed inputs are found by comparing the boards of both plies.
pub struct Accumulators {
    network: Arc<Network>,
    frames: Vec<Frame>,
    /// The sums of each ply, White's perspective first.
    sums: Vec<Block>,
    table: RefreshTable,
    /// The buffer for the changes between two boards, which is large and would have to be copied.
    changes: Changes,
}

/// The state of a ply.
#[derive(Clone, Copy)]
struct Frame {
    /// The data on which the inputs depend, if the sums have been computed.
    planes: Planes,
    /// The scalars for the side to move, if the sums have been computed.
    scalars: Block,
    /// For each perspective, whether its view of the files is mirrored.
    is_mirrored: [bool; Color::COUNT],
    /// Whether a null move led here.
    is_after_null: bool,
    /// Whether the sums of both perspectives have been computed.
    is_ready: bool,
}

impl Frame {
    /// A frame whose sums have not been computed.
    const NONE: Self = Self {
        planes: Planes::NONE,
        scalars: Block::ZERO,
        is_mirrored: [false; Color::COUNT],
        is_after_null: false,
        is_ready: false,
    };
}

impl Accumulators {
    /// An accumulator stack for lines of up to `plies` moves.
    pub fn new(network: Arc<Network>, plies: usize) -> Self {
        let table = RefreshTable::new(&network);
        let sums = vec![Block::ZERO; (plies + 1) * Color::COUNT * network.blocks()];
        Self { frames: vec![Frame::NONE; plies + 1], sums, table, changes: Changes::NONE, network }
    }

    /// The network.
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts a new line at this board. Its sums are computed at once: those of all lines can start there, also if the
    /// value of the board itself is known already.
    pub fn reset(&mut self, root: &Board) {
        let is_mirrored = Color::ALL.map(|color| is_mirrored(root.king(color)));
        self.frames[0] = Frame { is_mirrored, ..Frame::NONE };
        self.prepare(0, root);
    }

    /// Records that a move with this change led to `ply`, counted from the root. Without a change it is a null move.
    ///
    /// # Panics
    /// If `ply` is 0 or exceeds the maximum length of the line.
    #[inline]
    pub fn push(&mut self, ply: usize, delta: &Delta) {
        let mut is_mirrored_now = self.frames[ply - 1].is_mirrored;
        if let Some(PlacedPiece { piece, square }) = delta.arrived()
            && piece.role() == Role::King
        {
            is_mirrored_now[piece.color()] = is_mirrored(square);
        }
        let is_after_null = delta.mover().is_none();
        let frame = &mut self.frames[ply];
        (frame.is_mirrored, frame.is_after_null, frame.is_ready) = (is_mirrored_now, is_after_null, false);
    }

    /// The value of the board at `ply` for the side to move, in search units.
    ///
    /// # Panics
    /// If `ply` exceeds the maximum length of the line.
    #[inline]
    pub fn evaluate(&mut self, ply: usize, board: &Board) -> i32 {
        if !self.frames[ply].is_ready {
            if self.frames[ply].is_after_null && self.frames[ply - 1].is_ready {
                self.pass(ply);
            } else {
                self.prepare(ply, board);
            }
        }
        let turn = board.turn();
        let range = |color: Color| place(&self.network, ply, color);
        self.network.propagate(
            board,
            &self.sums[range(turn)],
            &self.sums[range(!turn)],
            &self.frames[ply].scalars,
        )
    }

    /// Computes the sums of both perspectives.
    fn prepare(&mut self, ply: usize, board: &Board) {
        let (planes, scalars) = planes_and_scalars(&pieces_of(board), board.turn());
        self.frames[ply].scalars = Block(scalars);
        // The ply whose board the changes start at.
        let mut compared = None;
        for perspective in Color::ALL {
            let Some(start) = self.latest_ready(ply, perspective) else {
                self.refresh(ply, perspective, &planes);
                compared = None;
                continue;
            };
            // In most cases both perspectives start at the same ply.
            if compared != Some(start) {
                self.network.kernel().compare(&mut self.changes, &self.frames[start].planes, &planes);
                compared = Some(start);
            }
            self.update(start, ply, perspective);
        }
        let frame = &mut self.frames[ply];
        (frame.planes, frame.is_ready) = (planes, true);
    }

    /// Takes the sums of the ply before a null move.
    fn pass(&mut self, ply: usize) {
        let blocks = Color::COUNT * self.network.blocks();
        self.sums.copy_within((ply - 1) * blocks..ply * blocks, ply * blocks);
        let Frame { planes, scalars, .. } = self.frames[ply - 1];
        let frame = &mut self.frames[ply];
        (frame.planes, frame.scalars, frame.is_ready) = (planes, Block(of_other_side(scalars.0)), true);
    }

    /// The latest ply before this one whose sums have been computed, if the perspective has had the same view of the
    /// files since then.
    fn latest_ready(&self, ply: usize, perspective: Color) -> Option<usize> {
        let view = self.frames[ply].is_mirrored[perspective];
        let earlier = self.frames[..ply].iter().enumerate().rev();
        let mut alike = earlier.take_while(|(_, frame)| frame.is_mirrored[perspective] == view);
        alike.find(|(_, frame)| frame.is_ready).map(|(ply, _)| ply)
    }

    /// Computes the sums of a perspective from those of an earlier ply with the same view of the files.
    fn update(&mut self, start: usize, ply: usize, perspective: Color) {
        let Self { network, frames, sums, changes, .. } = self;
        let view = View::new(perspective, frames[ply].is_mirrored[perspective]);
        let range = place(network, ply, perspective);
        let (before, now) = sums.split_at_mut(range.start);
        let from = &before[place(network, start, perspective)];
        let to = &mut now[..network.blocks()];
        apply(network, changes, view, from, to);
    }

    /// Computes the sums of a perspective from those of the last board of the refresh table.
    fn refresh(&mut self, ply: usize, perspective: Color, planes: &Planes) {
        let Self { network, frames, sums, table, changes } = self;
        let is_mirrored = frames[ply].is_mirrored[perspective];
        let (known, from) = table.entry(network, perspective, is_mirrored);
        network.kernel().compare(changes, known, planes);
        *known = *planes;
        let to = &mut sums[place(network, ply, perspective)];
        apply(network, changes, View::new(perspective, is_mirrored), from, to);
        from.copy_from_slice(to);
    }
}

/// The range of the sums of a perspective.
#[inline]
fn place(network: &Network, ply: usize, perspective: Color) -> std::ops::Range<usize> {
    let start = (ply * Color::COUNT + perspective as usize) * network.blocks();
    start..start + network.blocks()
}

/// Computes the sums after some changes in a perspective's view, from the sums before.
#[inline(always)]
fn apply(network: &Network, changes: &Changes, view: View, from: &[Block], to: &mut [Block]) {
    let mut buffers = [[0; Square::COUNT]; 2];
    let [added, removed] = &mut buffers;
    let (added, removed) = (changes.added.inputs(view, added), changes.removed.inputs(view, removed));
    network.kernel().update(to, from, network.rows(), added, removed);
}

/// The number of views of the files: unchanged and mirrored.
const VIEWS: usize = 2;

/// The last board whose sums were refreshed, and these sums, for each perspective and view of the files. A
/// refresh applies only the difference of the boards (<https://www.chessprogramming.org/NNUE#Accumulator>,
/// known as Finny tables).
pub(super) struct RefreshTable {
    boards: [[Planes; VIEWS]; Color::COUNT],
    sums: Vec<Block>,
}

impl RefreshTable {
    pub(super) fn new(network: &Network) -> Self {
        Self { boards: Default::default(), sums: network.bias().repeat(Color::COUNT * VIEWS) }
    }

    /// The last board in a perspective's view, and its sums.
    fn entry(
        &mut self,
        network: &Network,
        perspective: Color,
        is_mirrored: bool,
    ) -> (&mut Planes, &mut [Block]) {
        let view = usize::from(is_mirrored);
        let number = perspective as usize * VIEWS + view;
        let sums = &mut self.sums[number * network.blocks()..][..network.blocks()];
        (&mut self.boards[perspective][view], sums)
    }
}
