//! The format of a book file: entries of a key, a move and a weight.

use super::polyglot_random::{NUMBERS, RANDOM};
use crate::chess::{Bitboard, CastlingSide, Color, Move, Placement, Position, Role, Square, attacks};

/// The length of an entry, in bytes.
pub(super) const ENTRY_BYTES: usize = 16;

/// An entry: sixteen bytes of a book, in big-endian order. Entries are sorted by their keys, so those of a position are
/// adjacent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    pub key: PolyglotKey,
    pub mv: PolyglotMove,
    /// The relative frequency with which the move is chosen among those of the position.
    pub weight: u16,
    /// Data for programs that learn from their games; unused here.
    pub learn: u32,
}

impl Entry {
    pub(super) fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h, mv @ .., i, j, k, l, m, n] = *bytes;
        Self {
            key: PolyglotKey::from_bits(u64::from_be_bytes([a, b, c, d, e, f, g, h])),
            mv: PolyglotMove(u16::from_be_bytes(mv)),
            weight: u16::from_be_bytes([i, j]),
            learn: u32::from_be_bytes([k, l, m, n]),
        }
    }

    pub(super) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.bits().to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.0.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }
}

const SQUARE_BITS: u32 = 6;
/// The roles to which a pawn promotes, numbered from 1.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A move in two bytes: target, origin and promotion. Castling is king takes rook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PolyglotMove(pub u16);

impl PolyglotMove {
    #[inline]
    pub(super) fn of(mv: Move) -> Self {
        let place = |role| PROMOTIONS.iter().position(|&other| other == role);
        let promotion = mv.promotion().and_then(place).map_or(0, |place| place as u16 + 1);
        let (from, to) = (mv.from().index() as u16, mv.to().index() as u16);
        Self(promotion << (2 * SQUARE_BITS) | from << SQUARE_BITS | to)
    }
}

/// The indices of the first number for castling rights, which follow those for each piece on each square; of the first
/// one for files of en passant captures; and of the last one, for the side to move.
const CASTLING: usize = Role::COUNT * Color::COUNT * Square::COUNT;
const EN_PASSANT: usize = CASTLING + 4;
const TURN: usize = EN_PASSANT + 8;
const _: () = assert!(TURN + 1 == NUMBERS);

/// The key of a position in a book: equal for positions with the same pieces, side to move, castling rights and
/// possible en passant capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PolyglotKey(u64);

impl PolyglotKey {
    /// The key of a position.
    pub fn of(position: &Position) -> Self {
        KeyFollower::default().key(&Placement::of(position))
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

/// The number of the piece on a square; 0 if there is none.
#[inline(always)]
fn piece_number(position: &Placement, square: Square) -> u64 {
    position.role_at(square).map_or(0, |role| {
        // Black pawn, white pawn, black knight and so on, up to the white king.
        let kind = Color::COUNT * role as usize + usize::from(position.color(Color::White).contains(square));
        RANDOM[Square::COUNT * kind + square.index()]
    })
}

/// The combined number of all pieces.
fn pieces_number(position: &Placement) -> u64 {
    position.occupied().into_iter().fold(0, |number, square| number ^ piece_number(position, square))
}

/// The combined number of castling rights, en passant capture and side to move.
fn rights_number(position: &Placement) -> u64 {
    let mut number = 0;
    for (index, color) in Color::ALL.into_iter().enumerate() {
        if position.castling_rooks(color).is_empty() {
            continue;
        }
        for (place, wing) in CastlingSide::ALL.into_iter().enumerate() {
            if position.castling_rook(color, wing).is_some() {
                number ^= RANDOM[CASTLING + index * CastlingSide::ALL.len() + place];
            }
        }
    }
    if let Some(square) = capturable(position) {
        number ^= RANDOM[EN_PASSANT + square.file() as usize];
    }
    if position.turn() == Color::White {
        number ^= RANDOM[TURN];
    }
    number
}

/// Computes the keys of consecutive positions: only pieces on changed squares are looked up.
#[derive(Default)]
pub(super) struct KeyFollower {
    /// The latest position, and the number of its pieces.
    latest: Option<(Placement, u64)>,
}

impl KeyFollower {
    /// The key of the next position.
    pub(super) fn key(&mut self, position: &Placement) -> PolyglotKey {
        let number = match &mut self.latest {
            None => {
                let number = pieces_number(position);
                self.latest = Some((*position, number));
                number
            }
            Some((latest, number)) => {
                let colors = Color::ALL.into_iter().map(|color| latest.color(color) ^ position.color(color));
                let roles = Role::ALL.into_iter().map(|role| latest.role(role) ^ position.role(role));
                let changed = colors.chain(roles).fold(Bitboard::EMPTY, |all, changed| all | changed);
                for square in changed {
                    *number ^= piece_number(latest, square) ^ piece_number(position, square);
                }
                *latest = *position;
                *number
            }
        };
        PolyglotKey(number ^ rights_number(position))
    }
}

/// The square that a pawn has just passed, if an enemy pawn is beside that pawn. The format does not require that the
/// capture is legal.
fn capturable(position: &Placement) -> Option<Square> {
    let passed = position.double_push_square()?;
    let ours = position.pieces(position.turn(), Role::Pawn);
    ours.intersects(attacks::pawn(!position.turn(), passed)).then_some(passed)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{played, position};
    use super::*;

    // Entries

    #[test]
    fn entries_keep_their_bytes() {
        let bytes: [u8; ENTRY_BYTES] = std::array::from_fn(|index| index as u8 + 1);
        let entry = Entry::from_bytes(&bytes);
        assert_eq!(entry.key.bits(), 0x0102_0304_0506_0708);
        assert_eq!((entry.mv.0, entry.weight, entry.learn), (0x090a, 0x0b0c, 0x0d0e_0f10));
        assert_eq!(entry.to_bytes(), bytes);
    }

    // Moves

    #[test]
    fn every_legal_move_has_a_code_of_its_own() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let moves = position(fen).legal_moves();
            let mut codes: Vec<_> = moves.iter().map(|&mv| PolyglotMove::of(mv)).collect();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), moves.len(), "{fen}");
        }
    }

    #[test]
    fn codes_are_those_of_the_format() {
        let code = |fen, wanted: &str| {
            let position = position(fen);
            let moves = position.legal_moves();
            let spelled = |mv: &&Move| {
                let promotion = mv.promotion().map_or(String::new(), |role| format!("{role:?}"));
                format!("{}{}{promotion}", mv.from(), mv.to()) == wanted
            };
            PolyglotMove::of(*moves.iter().find(spelled).expect(wanted)).0
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(code(start, "e2e4"), 0o1434);
        assert_eq!(code(castling, "e1h1"), 0o0407);
        assert_eq!(code(castling, "e1a1"), 0o0400);
        assert_eq!(code("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8Queen"), 4 << 12 | 0o6070);
        assert_eq!(code("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8Knight"), 1 << 12 | 0o6070);
    }

    // Keys

    #[test]
    fn keys_are_followed() {
        use crate::rng::Rng;
        let mut rng = Rng::new(7);
        let mut follower = KeyFollower::default();
        let mut position = Position::start();
        for _ in 0..3000 {
            assert_eq!(follower.key(&Placement::of(&position)), PolyglotKey::of(&position), "{position:?}");
            let moves = position.legal_moves();
            position = match moves.len() as u64 {
                0 => Position::start(),
                count => position.after(moves[rng.below(count) as usize]).0,
            };
        }
    }

    /// The examples from the description of the format.
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
            assert_eq!(PolyglotKey::of(&played(moves)).bits(), expected, "{moves}");
        }
    }
}
