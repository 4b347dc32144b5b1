//! The numbers of moves in a stored game: small, and found without making a list of all moves.
//!
//! The moves that pieces could make if there were neither checks nor pins are counted piece by piece: first those of the
//! pawns by direction, then those of each other piece, and castling. This order is part of the format.

use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Rank, Role, Square, attacks};
use crate::database::men::Arrangement;
use std::ops::ControlFlow;

/// The pieces but pawns, in the order of their moves.
const PIECES: [Role; 5] = [Role::Knight, Role::King, Role::Bishop, Role::Rook, Role::Queen];
/// The kinds of promotions, in the order of their moves.
const PROMOTIONS: [MoveKind; 4] =
    [MoveKind::PromoteQueen, MoveKind::PromoteKnight, MoveKind::PromoteRook, MoveKind::PromoteBishop];

/// Moves to some squares, one to each, or four where pawns promote.
struct Group {
    origin: Origin,
    targets: Bitboard,
}

/// Where moves come from.
#[derive(Clone, Copy)]
enum Origin {
    /// A pawn this many squares behind the target, counted up the board.
    Pawn(isize),
    /// A piece of this role on this square.
    Piece(Role, Square),
    /// The king on this square castles with the rook on the target.
    Castling(Square),
}

impl Group {
    /// The number of its moves.
    fn len(&self, promoting: Bitboard) -> usize {
        let count = |squares: Bitboard| squares.count() as usize;
        match self.origin {
            Origin::Pawn(_) => count(self.targets) + count(self.targets & promoting) * (PROMOTIONS.len() - 1),
            _ => count(self.targets),
        }
    }

    /// The place of a move in it; `None` if it is another group's.
    fn index(&self, mv: Move, board: &impl Arrangement, promoting: Bitboard) -> Option<usize> {
        let (from, to) = (mv.from(), mv.to());
        let is_own = self.targets.contains(to)
            && match self.origin {
                Origin::Pawn(step) => board.role(Role::Pawn).contains(from) && behind(to, step) == Some(from),
                Origin::Piece(_, square) => square == from && !mv.is_castle(),
                Origin::Castling(_) => mv.is_castle(),
            };
        let before = self.targets.into_iter().take_while(|&target| target < to);
        let promotion = PROMOTIONS.iter().position(|&kind| kind == mv.kind());
        is_own.then(|| match self.origin {
            Origin::Pawn(_) => {
                before.map(|target| moves_to(target, promoting)).sum::<usize>() + promotion.unwrap_or(0)
            }
            _ => before.count(),
        })
    }

    /// The move at this place, which there is, and the role of the man that moves.
    #[inline(always)]
    fn mv(&self, mut index: usize, board: &impl Arrangement, promoting: Bitboard) -> Option<(Move, Role)> {
        let step = match self.origin {
            Origin::Piece(role, from) => {
                let to = self.targets.into_iter().nth(index)?;
                return Some((Move::new(from, to, MoveKind::Normal), role));
            }
            Origin::Castling(king) => {
                let rook = self.targets.into_iter().nth(index)?;
                return Some((Move::new(king, rook, MoveKind::Castle), Role::King));
            }
            Origin::Pawn(step) => step,
        };
        for to in self.targets {
            let moves = moves_to(to, promoting);
            if index < moves {
                let kind = match moves {
                    1 if board.en_passant() == Some(to) && step % BOARD_WIDTH != 0 => MoveKind::EnPassant,
                    1 => MoveKind::Normal,
                    _ => PROMOTIONS[index],
                };
                return Some((Move::new(behind(to, step)?, to, kind), Role::Pawn));
            }
            index -= moves;
        }
        None
    }
}

/// The difference of the numbers of squares that are above one another.
const BOARD_WIDTH: isize = 8;

/// The square from which a pawn has come.
fn behind(to: Square, step: isize) -> Option<Square> {
    Square::from_index(to.index().checked_add_signed(-step)?)
}

/// The number of moves of one pawn to a square.
fn moves_to(target: Square, promoting: Bitboard) -> usize {
    if promoting.contains(target) { PROMOTIONS.len() } else { 1 }
}

/// Passes on all groups in their order, up to a break.
#[inline(always)]
fn groups<B>(board: &impl Arrangement, mut visit: impl FnMut(&Group) -> ControlFlow<B>) -> Option<B> {
    let color = board.turn();
    let (ours, occupied) = (board.color(color), board.occupied());
    let pawns = ours & board.role(Role::Pawn);
    let mut prey = board.color(!color);
    if let Some(target) = board.en_passant() {
        prey |= target;
    }
    let forward = |squares: Bitboard| match color {
        Color::White => squares.north(),
        Color::Black => squares.south(),
    };
    let step = match color {
        Color::White => BOARD_WIDTH,
        Color::Black => -BOARD_WIDTH,
    };
    let ahead = forward(pawns);
    let single = ahead - occupied;
    let double = forward(single & color.relative(Rank::Third)) - occupied;
    let by_pawns = [
        (step, single),
        (2 * step, double),
        (step - 1, ahead.west() & prey),
        (step + 1, ahead.east() & prey),
    ];
    for (step, targets) in by_pawns {
        if let ControlFlow::Break(found) = visit(&Group { origin: Origin::Pawn(step), targets }) {
            return Some(found);
        }
    }
    for role in PIECES {
        for from in ours & board.role(role) {
            let targets = attacks::attacks(role, color, from, occupied) - ours;
            if let ControlFlow::Break(found) = visit(&Group { origin: Origin::Piece(role, from), targets }) {
                return Some(found);
            }
        }
    }
    let targets = board.castling_rooks() & ours;
    match visit(&Group { origin: Origin::Castling(board.king(color)?), targets }) {
        ControlFlow::Break(found) => Some(found),
        ControlFlow::Continue(()) => None,
    }
}

/// The squares on which pawns of the side to move promote.
fn promotion_squares(board: &impl Arrangement) -> Bitboard {
    Bitboard::EMPTY | board.turn().relative(Rank::Eighth)
}

/// The number of a legal move.
pub(super) fn number_of(position: &Position, mv: Move) -> Option<usize> {
    let board = position.board();
    let promoting = promotion_squares(board);
    let mut before = 0;
    groups(board, |group| match group.index(mv, board, promoting) {
        Some(index) => ControlFlow::Break(before + index),
        None => {
            before += group.len(promoting);
            ControlFlow::Continue(())
        }
    })
}

/// The legal move with this number.
pub(super) fn move_of(position: &Position, number: usize) -> Option<Move> {
    let (mv, _) = numbered_move(position.board(), number)?;
    position.is_legal(mv).then_some(mv)
}

/// The move with this number and the role of the man that moves, be it legal or not.
#[inline(always)]
pub(super) fn numbered_move(board: &impl Arrangement, number: usize) -> Option<(Move, Role)> {
    let promoting = promotion_squares(board);
    let mut index = number;
    let found = groups(board, |group| {
        let moves = group.len(promoting);
        if index < moves {
            return ControlFlow::Break(group.mv(index, board, promoting));
        }
        index -= moves;
        ControlFlow::Continue(())
    });
    found.flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{San, position_from_fen};
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    /// Every legal move has a number of its own, and every number is a legal move or none.
    fn check(position: &Position) {
        let legal: BTreeSet<Move> = position.legal_moves().into_iter().collect();
        let mut numbers = BTreeSet::new();
        for &mv in &legal {
            let number = number_of(position, mv).expect("a legal move has a number");
            assert!(numbers.insert(number), "{mv:?} in {position:?}");
            assert_eq!(move_of(position, number), Some(mv), "{position:?}");
        }
        let found: BTreeSet<Move> = (0..300).filter_map(|number| move_of(position, number)).collect();
        assert_eq!(found, legal);
    }

    #[test]
    fn moves_and_numbers_belong_together() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ];
        fens.iter().for_each(|fen| check(&position_from_fen(fen).expect("a position")));
        let mut rng = Rng::new(3);
        let mut position = Position::start();
        for _ in 0..3000 {
            check(&position);
            let moves = position.legal_moves();
            position = match moves.len() as u64 {
                0 => Position::start(),
                count => position.after(moves[rng.below(count) as usize]).0,
            };
        }
    }

    #[test]
    fn the_order_is_part_of_the_format() {
        let position =
            position_from_fen("r3k2r/pPpp1pb1/bn3np1/3PpN2/4P3/2N2Q1p/2PB1PPP/R3K2R w KQkq e6 0 1")
                .expect("a position");
        let mut texts = Vec::new();
        for number in 0..60 {
            if let Some(mv) = move_of(&position, number) {
                texts.push(format!("{number} {}", San::new(&position, mv)));
            }
        }
        let order = "0 g3, 1 d6, 2 b8=Q+, 3 b8=N, 4 b8=R+, 5 b8=B, 6 g4, 7 bxa8=Q+, 8 bxa8=N, 9 bxa8=R+, 10 bxa8=B, \
                     11 gxh3, 12 dxe6, 13 Nb1, 14 Nd1, 15 Na2, 16 Ne2, 17 Na4, 18 Nb5, 19 Ne3, 20 Ng3, 21 Nd4, \
                     22 Nh4, 23 Nd6+, 24 Nh6, 25 Ne7, 26 Nxg7+, 27 Kd1, 30 Bc1, 31 Be3, 32 Bf4, 33 Bg5, 34 Bh6, \
                     35 Rb1, 36 Rc1, 37 Rd1, 38 Ra2, 39 Ra3, 40 Ra4, 41 Ra5, 42 Rxa6, 43 Rf1, 44 Rg1, 45 Qd1, \
                     46 Qe2, 47 Qd3, 48 Qe3, 49 Qg3, 50 Qxh3, 51 Qf4, 52 Qg4, 53 Qh5, 54 O-O-O";
        assert_eq!(texts.join(", "), order);
    }
}
