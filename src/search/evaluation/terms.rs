//! What depends on how pieces stand to each other: pawn structure, mobility, the kings.

use super::tapered::Tapered;
use crate::chess::{Bitboard, Board, Color, File, Rank, Role, attacks};

const BISHOP_PAIR: Tapered = Tapered::new(26, 46);

/// No enemy pawn can stop or take it on its way, by the rank that its own side counts.
const PASSED_PAWN: [Tapered; 8] = [
    Tapered::ZERO,
    Tapered::new(2, 10),
    Tapered::new(2, 14),
    Tapered::new(6, 32),
    Tapered::new(24, 58),
    Tapered::new(52, 100),
    Tapered::new(78, 150),
    Tapered::ZERO,
];
/// The square before a passed pawn is free, by the pawn's rank.
const FREE_TO_GO: [i32; 8] = [0, 0, 0, 6, 14, 26, 44, 0];
const ISOLATED_PAWN: Tapered = Tapered::new(-13, -13);
const DOUBLED_PAWN: Tapered = Tapered::new(-8, -20);
const PROTECTED_PAWN: Tapered = Tapered::new(11, 8);
const PHALANX_PAWN: Tapered = Tapered::new(6, 6);

/// For each square that a piece attacks which no enemy pawn guards, by role.
const MOBILITY: [Tapered; Role::COUNT] = [
    Tapered::ZERO,
    Tapered::new(5, 4),
    Tapered::new(5, 5),
    Tapered::new(3, 5),
    Tapered::new(2, 4),
    Tapered::ZERO,
];
/// Squares that each piece is expected to attack, so that mobility is no material.
const USUAL_MOBILITY: [i32; Role::COUNT] = [0, 4, 6, 7, 13, 0];
/// For each square around the enemy king that a piece attacks, by role.
const KING_ATTACK: [i32; Role::COUNT] = [0, 3, 3, 4, 5, 0];
/// The square of all attacks on a king, divided by this, is their worth in centipawns.
const KING_ATTACK_DIVISOR: i32 = 10;
const KING_ATTACK_LIMIT: i32 = 300;
/// For each pawn right before its king, and for one a step farther.
const SHELTER: [Tapered; 2] = [Tapered::new(15, 0), Tapered::new(8, 0)];

const ROOK_ON_OPEN_FILE: Tapered = Tapered::new(28, 10);
const ROOK_ON_HALF_OPEN_FILE: Tapered = Tapered::new(12, 8);
/// A pawn attacks a piece.
const PAWN_THREAT: Tapered = Tapered::new(38, 32);

/// All terms, White's less Black's.
pub(super) fn balance(board: &Board) -> Tapered {
    let white = Side::new(board, Color::White);
    let black = Side::new(board, Color::Black);
    white.worth(&black) - black.worth(&white)
}

/// What the terms want to know of one side.
struct Side<'a> {
    board: &'a Board,
    color: Color,
    pawns: Bitboard,
    pawn_attacks: Bitboard,
    king_zone: Bitboard,
}

impl<'a> Side<'a> {
    fn new(board: &'a Board, color: Color) -> Self {
        let pawns = board.pieces(color, Role::Pawn);
        let ahead = forward(color, pawns);
        let king = board.king(color);
        let ring = attacks::king(king) | king;
        Self {
            board,
            color,
            pawns,
            pawn_attacks: ahead.east() | ahead.west(),
            king_zone: ring | forward(color, ring),
        }
    }

    fn worth(&self, other: &Self) -> Tapered {
        self.structure(other) + self.activity(other) + self.shelter() + self.threats(other)
    }

    /// Pawns as they stand to each other.
    fn structure(&self, other: &Self) -> Tapered {
        let pawns = self.pawns;
        let files = fill(pawns);
        let ahead = span(self.color, pawns);
        let lonely = pawns - (files.east() | files.west());
        let doubled = pawns & ahead;
        let protected = pawns & self.pawn_attacks;
        let phalanx = pawns & pawns.west();
        let mut sum = ISOLATED_PAWN * count(lonely)
            + DOUBLED_PAWN * count(doubled)
            + PROTECTED_PAWN * count(protected)
            + PHALANX_PAWN * count(phalanx);

        let guarded = span(other.color, other.pawns);
        let stopped = guarded | guarded.east() | guarded.west();
        for pawn in pawns - stopped - span(!self.color, pawns) {
            let rank = self.color.relative(pawn.rank());
            sum += PASSED_PAWN[rank];
            let next = forward(self.color, pawn.bitboard());
            if !next.intersects(self.board.occupied()) {
                sum += Tapered::new(0, FREE_TO_GO[rank]);
            }
        }
        sum
    }

    /// Where the pieces can go, and whom they threaten there.
    fn activity(&self, other: &Self) -> Tapered {
        let board = self.board;
        let occupied = board.occupied();
        let safe = !(other.pawn_attacks | self.pawns);
        let mut sum = Tapered::ZERO;
        let mut assault = 0;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in board.pieces(self.color, role) {
                let seen = attacks::attacks(role, self.color, from, occupied);
                sum += MOBILITY[role] * (count(seen & safe) - USUAL_MOBILITY[role]);
                assault += KING_ATTACK[role] * count(seen & other.king_zone);
            }
        }
        for rook in board.pieces(self.color, Role::Rook) {
            let file = rook.file().squares();
            if !file.intersects(self.pawns) {
                let is_open = !file.intersects(other.pawns);
                sum += if is_open { ROOK_ON_OPEN_FILE } else { ROOK_ON_HALF_OPEN_FILE };
            }
        }
        if board.pieces(self.color, Role::Bishop).has_several() {
            sum += BISHOP_PAIR;
        }
        sum + Tapered::new((assault * assault / KING_ATTACK_DIVISOR).min(KING_ATTACK_LIMIT), 0)
    }

    /// The pawns before the king.
    fn shelter(&self) -> Tapered {
        let king = self.board.king(self.color).bitboard();
        let near = forward(self.color, king | king.east() | king.west());
        let far = forward(self.color, near);
        SHELTER[0] * count(self.pawns & near) + SHELTER[1] * count(self.pawns & far)
    }

    /// Pieces attacked by pawns.
    fn threats(&self, other: &Self) -> Tapered {
        let pieces = self.board.color(other.color) - other.pawns;
        PAWN_THREAT * count(self.pawn_attacks & pieces)
    }
}

fn count(set: Bitboard) -> i32 {
    set.count() as i32
}

/// Every square one step ahead, as `color` sees it.
fn forward(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => set.north(),
        Color::Black => set.south(),
    }
}

/// All squares ahead of the set on its files, as `color` sees it.
fn span(color: Color, set: Bitboard) -> Bitboard {
    let mut filled = forward(color, set);
    for steps in [1, 2, 4] {
        filled |= match color {
            Color::White => Bitboard::from_bits(filled.bits() << (steps * File::COUNT)),
            Color::Black => Bitboard::from_bits(filled.bits() >> (steps * File::COUNT)),
        };
    }
    filled
}

/// All squares of the files of the set.
fn fill(set: Bitboard) -> Bitboard {
    set | span(Color::White, set) | span(Color::Black, set)
}

const _: () = assert!(Rank::COUNT == 8, "three doublings span a file");

#[cfg(test)]
mod tests {
    use super::super::super::samples::position;
    use super::*;
    use crate::chess::Square;

    #[test]
    fn spans_reach_to_the_edge_and_not_around_it() {
        assert_eq!(span(Color::White, Square::E2.bitboard()).count(), 6);
        assert_eq!(span(Color::Black, Square::E2.bitboard()), Square::E1.bitboard());
        assert_eq!(fill(Square::H4.bitboard()), File::H.squares());
        assert_eq!(span(Color::White, Rank::Eighth.squares()), Bitboard::EMPTY);
    }

    #[test]
    fn structure_is_seen() {
        let structure = |fen| {
            let board = *position(fen).board();
            let side = Side::new(&board, Color::White);
            side.structure(&Side::new(&board, Color::Black))
        };
        let cases = [
            ("isolated and stopped", "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", ISOLATED_PAWN),
            ("phalanx", "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", PHALANX_PAWN),
            ("protected", "4k3/pp6/8/8/8/1P6/P7/4K3 w - - 0 1", PROTECTED_PAWN),
            ("doubled", "4k3/p7/8/8/8/P7/P7/4K3 w - - 0 1", DOUBLED_PAWN + ISOLATED_PAWN * 2),
            (
                "passed",
                "4k3/8/8/P7/8/8/8/4K3 w - - 0 1",
                PASSED_PAWN[4] + ISOLATED_PAWN + Tapered::new(0, FREE_TO_GO[4]),
            ),
            ("blocked", "4k3/8/n7/P7/8/8/8/4K3 w - - 0 1", PASSED_PAWN[4] + ISOLATED_PAWN),
            ("guarded from the next file", "4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", ISOLATED_PAWN),
        ];
        for (name, fen, expected) in cases {
            assert_eq!(structure(fen), expected, "{name}");
        }
    }
}
