//! What a position is worth without looking ahead: material and squares, kept up to date move
//! by move in [`Sums`], and a few [`terms`] computed on the spot, each worth one thing in the
//! middlegame and another in the endgame (<https://www.chessprogramming.org/Tapered_Eval>).

mod squares;
mod sums;
mod tapered;
mod terms;

pub(super) use sums::Sums;

use super::Score;
use crate::chess::{Bitboard, Board, Color, Position, Role};

/// Having the move, in centipawns.
const TEMPO: i32 = 14;
/// Half-moves without progress after which the evaluation would reach zero.
const PATIENCE: i32 = 220;
/// Share of an advantage that counts where it can hardly be won, in percent.
const HARD_TO_WIN: i32 = 20;

/// The value of a position for the side to move; `sums` are those of the position.
pub(super) fn evaluate(position: &Position, sums: &Sums) -> Score {
    let board = position.board();
    let whole = sums.squares() + terms::balance(board);
    let value = whole.blend(sums.phase());
    let leader = if value >= 0 { Color::White } else { Color::Black };
    let value = value * winning_chances(board, leader) / 100 + chase(board, leader);
    let clock = i32::from(position.halfmove_clock()).min(PATIENCE);
    let value = value * (PATIENCE - clock) / PATIENCE;
    let own = match board.turn() {
        Color::White => value,
        Color::Black => -value,
    };
    Score::centipawns(own + TEMPO)
}

/// Rough worth of a side's pieces other than pawns, in minor pieces' thirds.
fn weight(board: &Board, color: Color) -> u32 {
    let count = |role| board.pieces(color, role).count();
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// Percentage of an advantage that `leader` can hope to use: little without pawns and not more
/// than a minor piece ahead.
fn winning_chances(board: &Board, leader: Color) -> i32 {
    let has_pawns = !board.pieces(leader, Role::Pawn).is_empty();
    if has_pawns || weight(board, leader) > weight(board, !leader) + 3 { 100 } else { HARD_TO_WIN }
}

/// For White: what it is worth to drive a bare king to the edge and to follow with one's own.
fn chase(board: &Board, leader: Color) -> i32 {
    const EDGE: i32 = 12;
    const NEARNESS: i32 = 6;
    let hunted = board.king(!leader);
    if board.color(!leader) != Bitboard::from(hunted) || weight(board, leader) < 5 {
        return 0;
    }
    let hunter = board.king(leader);
    let ranks = hunter.rank().index().abs_diff(hunted.rank().index()) as i32;
    let files = hunter.file().index().abs_diff(hunted.file().index()) as i32;
    let value = EDGE * squares::off_center(hunted) + NEARNESS * (14 - ranks - files);
    if leader == Color::White { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{position, walk};
    use super::*;

    fn value(fen: &str) -> i32 {
        let position = position(fen);
        evaluate(&position, &Sums::of(&position)).value()
    }

    #[test]
    fn both_colors_are_judged_alike() {
        let cases = [
            ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
            ("middlegame", "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/P1NBPN2/1P2QPPP/R1BR2K1"),
            ("passed pawn", "8/5k2/8/1P6/8/8/5K2/8"),
            ("rook ending", "8/1R3pk1/6p1/7p/7P/r5P1/5PK1/8"),
            ("bare king", "8/8/3k4/8/8/3K4/4R3/8"),
        ];
        for (name, placement) in cases {
            let mirrored: String = placement
                .split('/')
                .rev()
                .map(|rank| {
                    let swap = |c: char| {
                        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
                    };
                    rank.chars().map(swap).collect::<String>()
                })
                .collect::<Vec<_>>()
                .join("/");
            let white = value(&format!("{placement} w - - 0 1"));
            let black = value(&format!("{mirrored} b - - 0 1"));
            assert_eq!(white, black, "{name}");
        }
    }

    #[test]
    fn better_is_more() {
        let cases = [
            ("a queen up", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
            ("bare king at the edge", "k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "8/8/3k4/8/3K4/8/8/1R6 w - - 0 1"),
            ("far passed pawn", "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1"),
            ("fresh clock", "4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/Q3K3 w - - 80 90"),
            ("rook for nothing", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/4b3/8/8/8/8/8/R3K3 w - - 0 1"),
        ];
        for (name, better, worse) in cases {
            assert!(value(better) > value(worse), "{name}: {} {}", value(better), value(worse));
        }
    }

    #[test]
    fn sums_of_a_walk_are_those_of_its_end() {
        for seed in 0..60 {
            let mut sums = Sums::of(&Position::start());
            walk(seed, 120, |_, position, delta| {
                sums.apply(delta);
                assert_eq!(sums, Sums::of(position), "seed {seed}: {position:?}");
            });
        }
    }
}
