//! Perft: counting the leaves of the tree of legal moves
//! (<https://www.chessprogramming.org/Perft>), the proof of a move generator.

mod counter;
mod replies;

pub use counter::{CountTable, Counter};

use super::attacks::{BUILT_IN, SliderLookup, Sliders};
use super::generate::{All, PawnStep, Sink};
use super::make::CheckInfo;
use super::piece::{Black, Side, White};
use super::{Bitboard, Board, Color, MoveList, Position, Role, Square};
use replies::{Replies, moves};

/// The number of sequences of `depth` plies from this position.
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&position.board, depth)
}

/// Counts with the code compiled for the faster lookup of slider attacks on this CPU.
fn count(board: &Board, depth: u32) -> u64 {
    match SliderLookup::best() {
        SliderLookup::Magic(magic) => count_with(magic, board, depth),
        #[cfg(target_arch = "x86_64")]
        SliderLookup::Pext(pext) => count_with(pext, board, depth),
    }
}

fn count_with<L: Sliders>(lookup: L, board: &Board, depth: u32) -> u64 {
    match (depth, board.turn) {
        (0, _) => 1,
        (_, Color::White) => walk::<White, L>(lookup, board, depth),
        (_, Color::Black) => walk::<Black, L>(lookup, board, depth),
    }
}

/// Counts below a board on which `S` is the side to move; `depth` is at least 1.
fn walk<S: Side, L: Sliders>(lookup: L, board: &Board, depth: u32) -> u64 {
    match depth {
        1 => u64::from(moves::<S, L>(lookup, board)),
        2 => Replies::<S, L>::count(lookup, board),
        _ => {
            let mut branches = Branches { lookup, board, depth: depth - 1, nodes: 0 };
            board.generate::<S, All, L>(lookup, &mut branches);
            branches.nodes
        }
    }
}

/// Makes every move and counts the subtree below it.
struct Branches<'a, L> {
    lookup: L,
    board: &'a Board,
    depth: u32,
    nodes: u64,
}

impl<L: Sliders> Branches<'_, L> {
    #[inline(always)]
    fn enter<S: Side>(&mut self, child: &Board) {
        self.nodes += walk::<S::Other, L>(self.lookup, child, self.depth);
    }
}

impl<S: Side, L: Sliders> Sink<S> for Branches<'_, L> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.enter::<S>(&self.board.after_move::<S>([role; 2], from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            self.enter::<S>(&self.board.after_move::<S>([Role::Pawn; 2], step.origin::<S>(to), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.enter::<S>(&self.board.after_move::<S>([Role::Pawn, role], step.origin::<S>(to), to));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, target: Square) {
        self.enter::<S>(&self.board.after_en_passant::<S>(from, target));
    }

    #[inline(always)]
    fn castle(&mut self, _king: Square, rook: Square) {
        self.enter::<S>(&self.board.after_castle::<S>(rook));
    }
}

/// Perft that lists the moves of every node, as a search does, and makes every leaf move: slower, and a check of
/// [`perft`].
pub fn perft_by_moves(position: &Position, depth: u32) -> u64 {
    match (depth, position.turn) {
        (0, _) => 1,
        (_, Color::White) => walk_lists::<White>(&position.board, depth),
        (_, Color::Black) => walk_lists::<Black>(&position.board, depth),
    }
}

/// Works on boards, since keys and clocks are not needed. `depth` is at least 1.
fn walk_lists<S: Side>(board: &Board, depth: u32) -> u64 {
    let mut moves = MoveList::new();
    board.generate::<S, All, _>(BUILT_IN, &mut moves);
    let info = CheckInfo::of::<S>(board);
    let mut nodes = 0;
    for mv in moves {
        let moved = board.role_at(mv.from()).expect("a legal move starts from a piece");
        let after = board.after_with::<S>(&info, mv, moved);
        // Prevents the compiler from leaving out the move to a leaf that is only counted.
        let after = std::hint::black_box(&after);
        nodes += if depth > 1 { walk_lists::<S::Other>(after, depth - 1) } else { 1 };
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start() {
        let start = Position::start();
        for (depth, nodes) in [1, 20, 400, 8902, 197_281, 4_865_609].into_iter().enumerate() {
            assert_eq!(perft(&start, depth as u32), nodes, "depth {depth}");
        }
        assert_eq!(perft_by_moves(&start, 4), 197_281);
    }
}
