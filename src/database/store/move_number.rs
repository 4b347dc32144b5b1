//! The numbers of moves in a stored game, which are small and can be decoded without generating moves.
//!
//! A number consists of the index of the moving man among the men of its side, and the index of the target square among
//! those that the man could reach on an empty board, both counted from a1 to h8. Therefore replaying a game needs few
//! lookups. Pawns and kings have more kinds of moves, see [`Step`]. This order is part of the format.

use crate::chess::attacks::{self, nth};
use crate::chess::{Bitboard, Color, File, Move, MoveKind, Position, Rank, Role, Square};
use crate::database::men::Arrangement;
use once_cell::sync::Lazy;
use std::cmp::Ordering;

/// The maximum number of men of a side.
const MEN: usize = 16;
/// The number of targets of a man with short numbers. Only queens have more.
const TARGETS: usize = 14;
/// The number of other targets of a man.
const FAR_TARGETS: usize = 16;
/// The number of short numbers.
pub(super) const SHORT: usize = MEN * TARGETS;
/// The first target of a king that is the rook with which it castles.
const CASTLING: usize = 8;
/// The kinds of promotions, in the order of their numbers.
const PROMOTIONS: [MoveKind; 4] =
    [MoveKind::PromoteQueen, MoveKind::PromoteKnight, MoveKind::PromoteRook, MoveKind::PromoteBishop];

/// The moves of a pawn, in the order of their numbers. If it promotes, each has four numbers.
const STEPS: [Step; 4] = [Step::Single, Step::West, Step::East, Step::Double];

/// The direction of a pawn move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Single,
    /// A capture toward the a-file.
    West,
    /// A capture toward the h-file.
    East,
    Double,
}

impl Step {
    /// The step of a legal move.
    #[inline(always)]
    fn of(from: Square, to: Square) -> Self {
        match to.file().cmp(&from.file()) {
            Ordering::Less => Self::West,
            Ordering::Greater => Self::East,
            Ordering::Equal if from.index().abs_diff(to.index()) > File::COUNT => Self::Double,
            Ordering::Equal => Self::Single,
        }
    }

    #[inline(always)]
    fn target(self, color: Color, from: Square) -> Option<Square> {
        let ahead = color.forward(from.bitboard());
        match self {
            Self::Single => ahead,
            Self::West => ahead.west(),
            Self::East => ahead.east(),
            Self::Double => color.forward(ahead),
        }
        .first()
    }
}

/// The squares that a piece can reach from a square of an empty board.
fn reach(role: Role, from: Square) -> Bitboard {
    attacks::attacks(role, Color::White, from, Bitboard::EMPTY)
}

/// The results of [`reach`] for all roles and squares, since a lookup is faster.
static REACHED: Lazy<[[Bitboard; Square::COUNT]; Role::COUNT]> =
    Lazy::new(|| Role::ALL.map(|role| Square::ALL.map(|from| reach(role, from))));

/// The target squares of a man, by the second part of its number. Promotions have an entry for each kind. The length is
/// a power of two, so that the index is computed with a shift.
type Targets = [Option<Square>; (TARGETS + FAR_TARGETS).next_power_of_two()];

/// The targets of every man on every square, which are looked up for each replayed move.
pub(super) struct Reach([[[Targets; Square::COUNT]; Role::COUNT]; Color::COUNT]);

static REACH: Lazy<Reach> = Lazy::new(|| {
    Reach(Color::ALL.map(|color| {
        Role::ALL.map(|role| {
            Square::ALL.map(|from| {
                let mut targets = Targets::default();
                let kinds = if promotes(color, from) { PROMOTIONS.len() } else { 1 };
                match role {
                    Role::Pawn => {
                        let steps = STEPS.iter().flat_map(|step| vec![step.target(color, from); kinds]);
                        steps.zip(&mut targets).for_each(|(square, target)| *target = square);
                    }
                    _ => {
                        let squares = reach(role, from).into_iter();
                        squares.zip(&mut targets).for_each(|(square, target)| *target = Some(square));
                    }
                }
                targets
            })
        })
    }))
});

impl Reach {
    /// The only instance.
    pub(super) fn all() -> &'static Self {
        &REACH
    }
}

/// The index of a square in a set.
fn place(squares: Bitboard, square: Square) -> Option<usize> {
    let before = squares.bits() & (square.bitboard().bits() - 1);
    squares.contains(square).then_some(before.count_ones() as usize)
}

/// Whether a pawn on this square promotes when it moves.
#[inline(always)]
fn promotes(color: Color, from: Square) -> bool {
    color.relative(Rank::Seventh) == from.rank()
}

/// The rooks with which the side to move may castle.
#[inline(always)]
fn castling_rooks(board: &impl Arrangement) -> Bitboard {
    board.castling_rooks() & board.color(board.turn())
}

/// The number of a legal move.
#[inline]
pub(super) fn number_of(position: &Position, mv: Move) -> Option<usize> {
    let (board, from, to) = (position.board(), mv.from(), mv.to());
    let color = board.turn();
    let man = place(board.color(color), from).filter(|&man| man < MEN)?;
    let target = match board.role_at(from)? {
        Role::Pawn => {
            let step = Step::of(from, to) as usize;
            match mv.promotion() {
                Some(_) => step * PROMOTIONS.len() + PROMOTIONS.iter().position(|&kind| kind == mv.kind())?,
                None => step,
            }
        }
        Role::King if mv.is_castle() => CASTLING + place(castling_rooks(board), to)?,
        role => place(REACHED[role][from], to)?,
    };
    match target.checked_sub(TARGETS) {
        None => Some(man * TARGETS + target),
        Some(far) => Some(SHORT + man * FAR_TARGETS + far),
    }
}

/// The legal move with this number.
pub(super) fn move_of(position: &Position, number: usize) -> Option<Move> {
    let (mv, _) = numbered_move(position.board(), Reach::all(), number)?;
    position.is_legal(mv).then_some(mv)
}

/// The move with this number and the role of the moving man. The move may be illegal.
#[inline(always)]
pub(super) fn numbered_move(board: &impl Arrangement, reach: &Reach, number: usize) -> Option<(Move, Role)> {
    let (man, target) = match number.checked_sub(SHORT) {
        None => (number / TARGETS, number % TARGETS),
        Some(far) => (far / FAR_TARGETS, far % FAR_TARGETS + TARGETS),
    };
    let color = board.turn();
    let from = nth(board.color(color), man)?;
    let role = board.role_at(from)?;
    if role == Role::King && target >= CASTLING {
        let rook = nth(castling_rooks(board), target - CASTLING)?;
        return Some((Move::new(from, rook, MoveKind::Castle), role));
    }
    let to = (*reach.0[color][role][from].get(target)?)?;
    let kind = if role != Role::Pawn {
        MoveKind::Normal
    } else if promotes(color, from) {
        PROMOTIONS[target % PROMOTIONS.len()]
    } else if from.file() != to.file() && board.role_at(to).is_none() {
        // A capture by a pawn on an empty square is en passant.
        MoveKind::EnPassant
    } else {
        MoveKind::Normal
    };
    Some((Move::new(from, to, kind), role))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{San, position_from_fen};
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    /// Every legal move has its own number, and every number is a legal move or invalid.
    fn check(position: &Position) {
        let legal: BTreeSet<Move> = position.legal_moves().into_iter().collect();
        let mut numbers = BTreeSet::new();
        for &mv in &legal {
            let number = number_of(position, mv).expect("a legal move has a number");
            assert!(numbers.insert(number), "{mv:?} in {position:?}");
            assert_eq!(move_of(position, number), Some(mv), "{position:?}");
        }
        let found: BTreeSet<Move> =
            (0..SHORT + MEN * FAR_TARGETS).filter_map(|number| move_of(position, number)).collect();
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
    fn places_are_found_in_all_sets() {
        let mut rng = Rng::new(5);
        for round in 0..3000 {
            let bits = (0..round % 5).fold(rng.next_u64(), |bits, _| bits & rng.next_u64());
            let squares = Bitboard::from_bits(bits | (u64::from(round == 7) * u64::MAX));
            let found: Vec<Option<Square>> = (0..=Square::COUNT).map(|index| nth(squares, index)).collect();
            let mut expected: Vec<Option<Square>> = squares.into_iter().map(Some).collect();
            expected.resize(Square::COUNT + 1, None);
            assert_eq!(found, expected, "{squares:?}");
            assert!(
                squares.into_iter().enumerate().all(|(index, square)| place(squares, square) == Some(index))
            );
        }
    }

    #[test]
    fn the_order_is_part_of_the_format() {
        let position =
            position_from_fen("r3k2r/pPpp1pb1/bn3np1/3PpN2/4P3/2N2Q1p/2PB1PPP/R3K2R w KQkq e6 0 1")
                .expect("a position");
        let mut texts = Vec::new();
        for number in 0..SHORT + MEN * FAR_TARGETS {
            if let Some(mv) = move_of(&position, number) {
                texts.push(format!("{number} {}", San::new(&position, mv)));
            }
        }
        let order = "0 Rb1, 1 Rc1, 2 Rd1, 7 Ra2, 8 Ra3, 9 Ra4, 10 Ra5, 11 Rxa6, 14 Kd1, 22 O-O-O, 33 Rf1, \
                     34 Rg1, 56 Bc1, 59 Be3, 61 Bf4, 63 Bg5, 64 Bh6, 84 g3, 86 gxh3, 87 g4, 112 Nb1, 113 Nd1, \
                     114 Na2, 115 Ne2, 116 Na4, 118 Nb5, 126 Qd1, 129 Qe2, 135 Qd3, 136 Qe3, 137 Qg3, \
                     138 Qxh3, 154 d6, 156 dxe6, 168 Ne3, 169 Ng3, 170 Nd4, 171 Nh4, 172 Nd6+, 173 Nh6, \
                     174 Ne7, 175 Nxg7+, 182 b8=Q+, 183 b8=N, 184 b8=R+, 185 b8=B, 186 bxa8=Q+, 187 bxa8=N, \
                     188 bxa8=R+, 189 bxa8=B, 368 Qf4, 369 Qg4, 372 Qh5";
        assert_eq!(texts.join(", "), order);
    }
}
