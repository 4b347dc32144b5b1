//! Names of positions in books.

use super::random::RANDOM;
use crate::chess::{Color, Position, Role, Square, Wing};

/// Where the numbers of castling rights begin, after those of each piece on each square; of files
/// of en passant captures; and that of the turn, the last.
const CASTLING: usize = Role::COUNT * Color::COUNT * Square::COUNT;
const EN_PASSANT: usize = CASTLING + 4;
const TURN: usize = EN_PASSANT + 8;
/// How many numbers there are.
pub(super) const NUMBERS: usize = TURN + 1;

/// The name of a position in a book: the same for positions with the same pieces, turn, castling
/// rights and possible en passant capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BookKey(u64);

impl BookKey {
    /// The key of a position.
    pub fn of(position: &Position) -> Self {
        let piece = |square: Square| {
            let (role, color) = (position.role_at(square)?, position.color_at(square)?);
            // Black pawn, white pawn, black knight and so on, up to the white king.
            let kind = Color::COUNT * role as usize + usize::from(color == Color::White);
            Some(RANDOM[Square::COUNT * kind + square.index()])
        };
        let pieces = position.occupied().into_iter().filter_map(piece);
        let rights =
            [Color::White, Color::Black].into_iter().flat_map(|color| Wing::ALL.map(|wing| (color, wing)));
        let castling = rights
            .enumerate()
            .filter(|&(_, (color, wing))| position.castling_rook(color, wing).is_some())
            .map(|(index, _)| RANDOM[CASTLING + index]);
        let en_passant = capturable(position).map(|square| RANDOM[EN_PASSANT + square.file() as usize]);
        let turn = (position.turn() == Color::White).then_some(RANDOM[TURN]);
        Self(pieces.chain(castling).chain(en_passant).chain(turn).fold(0, |key, number| key ^ number))
    }

    /// The key with this number.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The key as a number.
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// The square that a pawn has just passed over, if another stands beside it that might capture
/// it. Whether that is legal does not matter to this format.
fn capturable(position: &Position) -> Option<Square> {
    let passed = position.passed_square()?;
    let ours = position.pieces(position.turn(), Role::Pawn);
    let pawn = match position.turn() {
        Color::White => passed.bitboard().south(),
        Color::Black => passed.bitboard().north(),
    };
    ours.intersects(pawn.east() | pawn.west()).then_some(passed)
}

#[cfg(test)]
mod tests {
    use super::super::samples::played;
    use super::*;

    /// The examples of the format's description.
    #[test]
    fn published_keys() {
        let cases = [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ];
        for (moves, expected) in cases {
            assert_eq!(BookKey::of(&played(moves)).bits(), expected, "{moves}");
        }
    }
}
