//! The inputs of the first layer of the network: each piece on its square with the threats to it, once from White's
//! perspective and once from Black's. The scalars are in `scalars.rs`.
//!
//! A perspective looks from its own back rank: Black's view of the ranks is flipped. The files are mirrored if the own
//! king is on the right half of the board, e to h, so that it is always on the left.
//!
//! The threat bucket of a piece states whether it is attacked, whether it is attacked by a piece of lower value, and
//! whether it is defended. Other engines have an input for each pair of attacker and target. That is a far larger
//! number of inputs, and needs far more games to train.

use super::scalars::{Attacks, Pieces, SCALARS, scalars};
use crate::chess::{Bitboard, Board, Color, File, Piece, Role, Square};

/// The number of inputs of one perspective: own and enemy pieces, by threat, role and square.
pub const INPUTS: usize = ThreatBucket::COUNT * PIECE_SQUARES;
/// The number of combinations of side, role and square.
pub const PIECE_SQUARES: usize = Color::COUNT * SIDE_PIECE_SQUARES;
/// The number of combinations of role and square.
const SIDE_PIECE_SQUARES: usize = Role::COUNT * Square::COUNT;

/// The maximum number of active inputs: a legal position has no more pieces.
pub const MAX_ACTIVE: usize = 32;

/// The threat to a piece and its defense, as a number below [`ThreatBucket::COUNT`].
///
/// A king is never threatened here: a position in check is not evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ThreatBucket(usize);

impl ThreatBucket {
    /// The number of kinds of attack: none, only by pieces of equal or higher value, and by a piece of lower value.
    const ATTACKS: usize = 3;
    /// The number of buckets: each kind of attack on an undefended and on a defended piece.
    pub const COUNT: usize = 2 * Self::ATTACKS;

    /// The bucket of a piece by whether it is attacked, attacked by a piece of lower value, and defended.
    pub const fn new(is_attacked: bool, by_lesser: bool, is_defended: bool) -> Self {
        let attack = if by_lesser { 2 } else { is_attacked as usize };
        Self(attack + Self::ATTACKS * is_defended as usize)
    }

    /// All buckets.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }
}

/// Whether the view of a perspective with this king square has mirrored files.
#[inline]
pub const fn is_mirrored(king: Square) -> bool {
    king.file() as usize >= File::E as usize
}

/// The input, below [`INPUTS`], of a piece on a square in the view of `perspective`, whose king is on `king`.
#[inline]
pub const fn index(
    perspective: Color,
    king: Square,
    piece: Piece,
    square: Square,
    threat: ThreatBucket,
) -> usize {
    let view = View::new(perspective, is_mirrored(king));
    first_index(perspective, piece, threat) + (square as u8 ^ view.flips) as usize
}

/// The input of a piece on the first square of a perspective.
const fn first_index(perspective: Color, piece: Piece, threat: ThreatBucket) -> usize {
    let is_foreign = piece.color() as usize != perspective as usize;
    threat.0 * PIECE_SQUARES
        + is_foreign as usize * SIDE_PIECE_SQUARES
        + piece.role() as usize * Square::COUNT
}

/// The view of the board from a perspective.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// For each code, its input on the first square.
    first_indices: &'static [u16; Code::COUNT],
    /// The bits of squares that are flipped.
    flips: u8,
}

impl View {
    /// The view of a perspective, with or without mirrored files.
    #[inline]
    pub(super) const fn new(perspective: Color, is_mirrored: bool) -> Self {
        let ranks = if matches!(perspective, Color::Black) { Square::A1.flip_rank() as u8 } else { 0 };
        let files = if is_mirrored { Square::A1.flip_file() as u8 } else { 0 };
        Self { first_indices: &FIRST_INDICES[perspective as usize], flips: ranks | files }
    }

    /// The input of a code on a square.
    #[inline]
    pub(super) const fn index(self, code: Code, square: Square) -> u16 {
        self.first_indices[code.0 as usize] + (square as u8 ^ self.flips) as u16
    }
}

/// The active inputs of a board in the view of `perspective`, in the order of the squares.
pub fn active(board: &Board, perspective: Color) -> impl Iterator<Item = usize> {
    Planes::of(board).inputs(View::new(perspective, is_mirrored(board.king(perspective))))
}

/// The active inputs of the pieces of a legal position, by color and role, in White's and in Black's view, square by
/// square, and the scalars if it is White's turn.
#[inline]
pub fn active_of(
    pieces: &[[Bitboard; Role::COUNT]; Color::COUNT],
) -> (impl Iterator<Item = [u16; Color::COUNT]> + use<>, [i16; SCALARS]) {
    let (planes, scalars) = planes_and_scalars(pieces, Color::White);
    let views = Color::ALL.map(|perspective| {
        let king = pieces[perspective][Role::King].first().unwrap_or(Square::E1);
        View::new(perspective, is_mirrored(king))
    });
    let codes = planes.codes();
    let occupied = planes.0[Plane::Occupied as usize];
    let inputs = occupied.into_iter().map(move |square| views.map(|view| view.index(codes[square], square)));
    (inputs, scalars)
}

/// The scalars of a board for the side to move, 0 to [`SCALAR_ONE`](super::SCALAR_ONE).
pub fn scalars_of(board: &Board) -> [i16; SCALARS] {
    planes_and_scalars(&pieces_of(board), board.turn()).1
}

/// The pieces of a board, by color and role.
#[inline]
pub(super) fn pieces_of(board: &Board) -> Pieces {
    Color::ALL.map(|color| Role::ALL.map(|role| board.pieces(color, role)))
}

/// The planes and the scalars of these pieces.
#[inline]
pub(super) fn planes_and_scalars(pieces: &Pieces, turn: Color) -> (Planes, [i16; SCALARS]) {
    let attacks = Attacks::of(pieces);
    (Planes::new(pieces, &attacks), scalars(pieces, &attacks, turn))
}

/// The content of a square: a bit for each of the [`Planes`], and no bit for an empty square.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Code(pub u8);

impl Code {
    /// The number of codes, including those that no square can have.
    const COUNT: usize = 1 << Plane::COUNT;

    /// The code of a piece.
    const fn new(piece: Piece, is_attacked: bool, by_lesser: bool, is_defended: bool) -> Self {
        let role = piece.role() as u8;
        Self(
            (piece.color() as u8) << Plane::Color as u8
                | (role & 1) << Plane::Role0 as u8
                | (role >> 1 & 1) << Plane::Role1 as u8
                | (role >> 2 & 1) << Plane::Role2 as u8
                | (is_attacked as u8) << Plane::Attacked as u8
                | (by_lesser as u8) << Plane::AttackedByLesser as u8
                | (is_defended as u8) << Plane::Defended as u8
                | 1 << Plane::Occupied as u8,
        )
    }
}

/// For each perspective and code, the input on the first square.
static FIRST_INDICES: [[u16; Code::COUNT]; Color::COUNT] = {
    let mut table = [[0; Code::COUNT]; Color::COUNT];
    let mut number = 0;
    while number < Piece::COUNT * 8 {
        let piece = Piece::ALL[number / 8];
        let [attacked, lesser, defended] = [number & 1 != 0, number & 2 != 0, number & 4 != 0];
        let code = Code::new(piece, attacked, lesser, defended).0 as usize;
        let threat = ThreatBucket::new(attacked, lesser, defended);
        table[0][code] = first_index(Color::White, piece, threat) as u16;
        table[1][code] = first_index(Color::Black, piece, threat) as u16;
        number += 1;
    }
    table
};

/// The planes of [`Planes`], which are the bits of a [`Code`].
#[derive(Clone, Copy)]
enum Plane {
    Role0,
    Role1,
    Role2,
    Color,
    Attacked,
    AttackedByLesser,
    Defended,
    Occupied,
}

impl Plane {
    const COUNT: usize = Self::Occupied as usize + 1;
}

/// The pieces of a board and the threats to them as sets of squares: everything that the inputs depend on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(64))]
pub(super) struct Planes(pub [Bitboard; Plane::COUNT]);

impl Planes {
    /// No pieces.
    pub(super) const NONE: Self = Self([Bitboard::EMPTY; Plane::COUNT]);

    /// The planes of a board.
    #[inline]
    pub(super) fn of(board: &Board) -> Self {
        let pieces = pieces_of(board);
        Self::new(&pieces, &Attacks::of(&pieces))
    }

    /// The planes of these pieces, by color and role.
    #[inline]
    pub(super) fn new(pieces: &Pieces, [by_white, by_black]: &[Attacks; Color::COUNT]) -> Self {
        let side = |color: Color| pieces[color].into_iter().fold(Bitboard::EMPTY, |all, some| all | some);
        let [white, black] = Color::ALL.map(side);
        let occupied = white | black;
        let both = |role: Role| pieces[Color::White][role] | pieces[Color::Black][role];
        let kings = both(Role::King);
        let mut planes = Self::default();
        let mut set = |plane: Plane, squares: Bitboard| planes.0[plane as usize] = squares;
        set(Plane::Role0, both(Role::Knight) | both(Role::Rook) | kings);
        set(Plane::Role1, both(Role::Bishop) | both(Role::Rook));
        set(Plane::Role2, both(Role::Queen) | kings);
        set(Plane::Color, black);
        set(Plane::Attacked, (white & by_black.any | black & by_white.any) - kings);
        set(
            Plane::AttackedByLesser,
            by_black.on_greater(&pieces[Color::White]) | by_white.on_greater(&pieces[Color::Black]),
        );
        set(Plane::Defended, (white & by_white.any | black & by_black.any) - kings);
        set(Plane::Occupied, occupied);
        planes
    }

    /// The inputs of all pieces, in the order of the squares.
    #[inline]
    fn inputs(self, view: View) -> impl Iterator<Item = usize> {
        let occupied = self.0[Plane::Occupied as usize];
        occupied.into_iter().map(move |square| usize::from(view.index(self.code(square), square)))
    }

    /// The code of a square.
    #[inline(always)]
    pub(super) fn code(&self, square: Square) -> Code {
        let planes = self.0.iter().enumerate();
        Code(planes.fold(0, |code, (bit, plane)| code | u8::from(plane.contains(square)) << bit))
    }

    /// The codes of all squares: faster than one by one if there are many pieces.
    #[inline(always)]
    fn codes(&self) -> [Code; Square::COUNT] {
        // From the bytes of each plane, which are its ranks, to those of each rank.
        let mut rows = self.0.map(Bitboard::bits);
        exchange::<4>(&mut rows);
        exchange::<2>(&mut rows);
        exchange::<1>(&mut rows);
        let mut codes = [Code::default(); Square::COUNT];
        for (codes, rows) in codes.as_chunks_mut::<LINE>().0.iter_mut().zip(rows.map(transposed)) {
            *codes = rows.to_le_bytes().map(Code);
        }
        codes
    }

    /// The squares whose codes differ.
    #[inline]
    pub(super) fn changed_squares(&self, before: &Self) -> Bitboard {
        let planes = self.0.iter().zip(&before.0);
        planes.fold(Bitboard::EMPTY, |all, (now, before)| all | (*now ^ *before))
    }
}

/// The number of squares of a rank.
const LINE: usize = 8;

/// Exchanges the blocks of `SIZE` x `SIZE` bytes across the diagonal of each block that is twice as large.
#[inline(always)]
fn exchange<const SIZE: usize>(rows: &mut [u64; LINE]) {
    let shift = u8::BITS as usize * SIZE;
    // The lower half of each block that is twice as large.
    let low = u64::MAX / ((1 << shift) + 1);
    for first in (0..LINE).filter(|row| row & SIZE == 0) {
        let different = (rows[first] >> shift ^ rows[first + SIZE]) & low;
        rows[first] ^= different << shift;
        rows[first + SIZE] ^= different;
    }
}

/// Exchanges the rows and columns of a matrix of 8 x 8 bits. Blocks of 1, 2 and 4 bits across the diagonal are swapped
/// (Warren, "Hacker's Delight", section 7-3).
#[inline(always)]
const fn transposed(rows: u64) -> u64 {
    const fn swapped(rows: u64, shift: u32, mask: u64) -> u64 {
        let different = (rows ^ rows >> shift) & mask;
        rows ^ different ^ different << shift
    }
    let rows = swapped(rows, 7, 0x00aa_00aa_00aa_00aa);
    let rows = swapped(rows, 14, 0x0000_cccc_0000_cccc);
    swapped(rows, 28, 0x0000_0000_f0f0_f0f0)
}

/// The differences between two boards.
#[derive(Debug)]
pub(super) struct Changes {
    /// The changed squares with their new codes.
    pub added: CodedSquares,
    /// The changed squares with their former codes.
    pub removed: CodedSquares,
}

impl Changes {
    /// No differences.
    pub(super) const NONE: Self = Self { added: CodedSquares::NONE, removed: CodedSquares::NONE };

    /// Replaces the content by the differences between two boards; `code` returns the code of a square.
    #[inline(always)]
    pub(super) fn set(&mut self, code: impl Fn(&Planes, Square) -> Code, before: &Planes, now: &Planes) {
        let Self { added, removed } = self;
        (added.count, removed.count) = (0, 0);
        for square in now.changed_squares(before) {
            removed.push(code(before, square), square);
            added.push(code(now, square), square);
        }
    }
}

/// Squares with their codes.
#[derive(Debug)]
pub(super) struct CodedSquares {
    squares: [(Code, u8); Square::COUNT],
    count: usize,
}

impl CodedSquares {
    const NONE: Self = Self { squares: [(Code(0), 0); Square::COUNT], count: 0 };

    /// Adds a square unless it is empty.
    #[inline(always)]
    fn push(&mut self, code: Code, square: Square) {
        // Without a branch, which would be mispredicted often: whether a square was empty is hard to predict.
        self.squares[self.count % Square::COUNT] = (code, square as u8);
        self.count += usize::from(code.0 != 0);
    }

    /// The inputs of the squares in a view, written to `buffer`.
    #[inline(always)]
    pub(super) fn inputs<'a>(&self, view: View, buffer: &'a mut [u16; Square::COUNT]) -> &'a [u16] {
        let count = self.count.min(Square::COUNT);
        for (input, (code, square)) in buffer.iter_mut().zip(&self.squares[..count]) {
            *input = view.first_indices[code.0 as usize] + u16::from(square ^ view.flips);
        }
        &buffer[..count]
    }
}

const _: () = assert!(
    Role::Pawn as usize == 0
        && Role::Knight as usize == 1
        && Role::Bishop as usize == 2
        && Role::Rook as usize == 3
        && Role::Queen as usize == 4
        && Role::King as usize == 5,
    "the planes of roles are the bits of their numbers"
);

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
            let threat = ThreatBucket::default();
            assert_eq!(index(perspective, king, piece, square, threat), expected, "{name}");
        }
    }

    #[test]
    fn every_piece_square_and_threat_has_an_input_of_its_own() {
        for perspective in Color::ALL {
            for king in [Square::C1, Square::G1] {
                let mut seen = [false; INPUTS];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        for threat in ThreatBucket::all() {
                            let index = index(perspective, king, piece, square, threat);
                            let is_known = std::mem::replace(&mut seen[index], true);
                            assert!(!is_known, "{piece} {square} {threat:?}");
                        }
                    }
                }
                assert!(seen.into_iter().all(|seen| seen));
            }
        }
    }

    #[test]
    fn a_board_looks_the_same_flipped_and_mirrored() {
        let threat = ThreatBucket::new(true, false, true);
        for king in Square::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let seen = index(Color::White, king, piece, square, threat);
                    let swapped = Piece::new(!piece.color(), piece.role());
                    let flipped = index(Color::Black, king.flip_rank(), swapped, square.flip_rank(), threat);
                    assert_eq!(flipped, seen, "flipped: king {king}, {piece} {square}");
                    let mirrored = index(Color::White, king.flip_file(), piece, square.flip_file(), threat);
                    assert_eq!(mirrored, seen, "mirrored: king {king}, {piece} {square}");
                }
            }
        }
    }

    #[test]
    fn all_codes_are_those_of_the_squares() {
        const PLIES: usize = 100;
        let mut position = Position::start();
        for _ in 0..PLIES {
            let planes = Planes::of(position.board());
            assert_eq!(planes.codes(), Square::ALL.map(|square| planes.code(square)));
            // The key serves as a random number.
            let moves = position.legal_moves();
            let Some(index) = position.key().bits().checked_rem(moves.len() as u64) else { break };
            position = position.after(moves[index as usize]).0;
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
