//! The inputs of the network: each piece on its square, once from White's perspective and once from Black's.
//!
//! A perspective looks from its own back rank: Black sees the ranks flipped. It also sees the files mirrored
//! if its king is on the right half of the board, e to h, so that its king is always on the left.

use crate::chess::{Board, Color, File, Piece, Role, Square};

/// Inputs of one perspective: own and enemy pieces, by role and square.
pub const INPUTS: usize = Color::COUNT * PIECE_INPUTS;
/// Inputs for the pieces of one side.
const PIECE_INPUTS: usize = Role::COUNT * Square::COUNT;

/// The maximum number of active inputs: a legal position has no more pieces.
pub const MAX_ACTIVE: usize = 32;

/// Whether a perspective with this king square sees the files mirrored.
#[inline]
pub const fn is_mirrored(king: Square) -> bool {
    king.file() as usize >= File::E as usize
}

/// The input, below [`INPUTS`], of a piece on a square, as `perspective` with its own king on `king` sees it.
#[inline]
pub const fn index(perspective: Color, king: Square, piece: Piece, square: Square) -> usize {
    mirrored_index(perspective, is_mirrored(king), piece, square)
}

/// The same if it is known whether the files are mirrored.
#[inline]
pub(super) const fn mirrored_index(
    perspective: Color,
    is_mirrored: bool,
    piece: Piece,
    square: Square,
) -> usize {
    let square = if matches!(perspective, Color::Black) { square.flip_rank() } else { square };
    let square = if is_mirrored { square.flip_file() } else { square };
    let is_foreign = piece.color() as usize != perspective as usize;
    is_foreign as usize * PIECE_INPUTS + piece.role() as usize * Square::COUNT + square as usize
}

/// The active inputs of a board as `perspective` sees it.
pub fn active(board: &Board, perspective: Color) -> impl Iterator<Item = usize> {
    let king = board.king(perspective);
    board
        .occupied()
        .into_iter()
        .filter_map(move |square| Some(index(perspective, king, board.piece_at(square)?, square)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn known_indices() {
        use Square::{A1, A8, B2, D1, E1, E8, G2, G7, H1};
        let cases = [
            ("own pawn, king on the left", Color::White, D1, Piece::WhitePawn, B2, 9),
            ("own pawn, king on the right", Color::White, E1, Piece::WhitePawn, G2, 9),
            ("the same for Black", Color::Black, E8, Piece::BlackPawn, G7, 9),
            ("own king", Color::White, A1, Piece::WhiteKing, A1, 320),
            ("own king, mirrored", Color::White, H1, Piece::WhiteKing, H1, 320),
            ("foreign king, in the last corner", Color::White, E1, Piece::BlackKing, A8, 767),
        ];
        for (name, perspective, king, piece, square, expected) in cases {
            assert_eq!(index(perspective, king, piece, square), expected, "{name}");
        }
    }

    #[test]
    fn every_piece_and_square_has_an_input_of_its_own() {
        for perspective in Color::ALL {
            for king in [Square::C1, Square::G1] {
                let mut seen = [false; INPUTS];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        let index = index(perspective, king, piece, square);
                        assert!(!std::mem::replace(&mut seen[index], true), "{piece} {square}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_board_looks_the_same_flipped_and_mirrored() {
        for king in Square::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let seen = index(Color::White, king, piece, square);
                    let swapped = Piece::new(!piece.color(), piece.role());
                    let flipped = index(Color::Black, king.flip_rank(), swapped, square.flip_rank());
                    assert_eq!(flipped, seen, "flipped: king {king}, {piece} {square}");
                    let mirrored = index(Color::White, king.flip_file(), piece, square.flip_file());
                    assert_eq!(mirrored, seen, "mirrored: king {king}, {piece} {square}");
                }
            }
        }
    }

    #[test]
    fn both_sides_see_the_initial_position_alike() {
        let start = Position::start();
        let seen = |perspective| {
            let mut inputs: Vec<usize> = active(&start, perspective).collect();
            inputs.sort_unstable();
            inputs
        };
        assert_eq!(seen(Color::White).len(), MAX_ACTIVE);
        assert_eq!(seen(Color::White), seen(Color::Black));
    }
}
