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

/// The numbers of the pieces, in the order of the format: black pawn, white pawn, black knight and so on, up to the
/// white king; and zeros for an empty square, so that no branch is needed.
static PIECES: [[u64; Square::COUNT]; EMPTY + 1] = {
    let mut pieces = [[0; Square::COUNT]; EMPTY + 1];
    let mut index = 0;
    while index < CASTLING {
        pieces[index / Square::COUNT][index % Square::COUNT] = RANDOM[index];
        index += 1;
    }
    pieces
};
/// The index of the numbers for an empty square.
const EMPTY: usize = Role::COUNT * Color::COUNT;

/// The number of the piece on a square; 0 if there is none.
#[inline(always)]
fn piece_number(position: &Placement, square: Square) -> u64 {
    let is_white = position.color(Color::White).contains(square);
    let piece =
        position.role_at(square).map_or(EMPTY, |role| Color::COUNT * role as usize + usize::from(is_white));
    PIECES[piece][square.index()]
}

/// The combined number of castling rights.
fn castling_number(position: &Placement) -> u64 {
    let rights = Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
    rights.zip(&RANDOM[CASTLING..]).fold(0, |all, ((color, side), number)| {
        if position.castling_rook(color, side).is_some() { all ^ number } else { all }
    })
}

/// The combined number of en passant capture and side to move.
#[inline(always)]
fn turn_number(position: &Placement) -> u64 {
    let capture = capturable(position).map_or(0, |square| RANDOM[EN_PASSANT + square.file() as usize]);
    if position.turn() == Color::White { capture ^ RANDOM[TURN] } else { capture }
}

/// Computes the keys of consecutive positions: only pieces on changed squares are looked up.
#[derive(Default)]
pub(super) struct KeyFollower<'a> {
    latest: Option<Numbered<'a>>,
}

/// A position whose numbers are known.
#[derive(Clone, Copy)]
struct Numbered<'a> {
    position: &'a Placement,
    /// The combined number of all pieces.
    pieces: u64,
    /// The combined number of castling rights.
    castling: u64,
}

impl<'a> Numbered<'a> {
    fn of(position: &'a Placement) -> Self {
        let pieces =
            position.occupied().into_iter().fold(0, |all, square| all ^ piece_number(position, square));
        Self { position, pieces, castling: castling_number(position) }
    }

    /// The numbers of the next position.
    #[inline(always)]
    fn next(&self, position: &'a Placement) -> Self {
        let before = self.position;
        let colors = Color::ALL.into_iter().map(|color| before.color(color) ^ position.color(color));
        let roles = Role::ALL.into_iter().map(|role| before.role(role) ^ position.role(role));
        let changed = colors.chain(roles).fold(Bitboard::EMPTY, |all, changed| all | changed);
        let pieces = changed.into_iter().fold(self.pieces, |pieces, square| {
            pieces ^ piece_number(before, square) ^ piece_number(position, square)
        });
        let has_same_rights = Color::ALL
            .into_iter()
            .all(|color| before.castling_rooks(color) == position.castling_rooks(color));
        // Few moves change the rights, and most positions have none.
        let castling = if has_same_rights { self.castling } else { castling_number(position) };
        Self { position, pieces, castling }
    }
}

impl<'a> KeyFollower<'a> {
    /// The key of the next position.
    #[inline(always)]
    pub(super) fn key(&mut self, position: &'a Placement) -> PolyglotKey {
        let numbered = match &self.latest {
            None => Numbered::of(position),
            Some(latest) => latest.next(position),
        };
        self.latest = Some(numbered);
        PolyglotKey(numbered.pieces ^ numbered.castling ^ turn_number(position))
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
        let mut position = Position::start();
        let positions: Vec<_> = (0..3000)
            .map(|_| {
                let before = position;
                let moves = position.legal_moves();
                position = match moves.len() as u64 {
                    0 => Position::start(),
                    count => position.after(moves[rng.below(count) as usize]).0,
                };
                (before, Placement::of(&before))
            })
            .collect();
        let mut follower = KeyFollower::default();
        for (position, placement) in &positions {
            assert_eq!(follower.key(placement), PolyglotKey::of(position), "{position:?}");
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
