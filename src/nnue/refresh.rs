//! Sums computed anew, from those of the last similar board
//! (<https://www.chessprogramming.org/NNUE#Accumulator>, known as Finny tables).

use super::Network;
use super::features::{MAX_ACTIVE, mirrored_index};
use super::kernel::Block;
use crate::chess::{Bitboard, Board, Color, Piece};
use arrayvec::ArrayVec;

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
