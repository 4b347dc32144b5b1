//! Zobrist keys: numbers that identify positions
//! (<https://www.chessprogramming.org/Zobrist_Hashing>).

use super::{Bitboard, Color, File, Piece, Square};
use std::fmt;
use std::hash::Hasher;
use std::ops::{BitXor, BitXorAssign};

/// The key of a position. Positions with the same pieces, side to move, castling rights and legal en passant capture
/// share it; others share it only by chance, with a probability of 2⁻⁶⁴.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key(u64);

/// A hasher that uses the key of a position as its hash, since the key is already a random number. Bytes hashed after
/// the key are mixed in.
///
/// ```
/// use hematite_core::chess::{Key, KeyHasher, Position};
/// use std::collections::HashSet;
/// use std::hash::BuildHasherDefault;
/// let mut seen = HashSet::<Key, BuildHasherDefault<KeyHasher>>::default();
/// assert!(seen.insert(Position::start().key()));
/// assert!(!seen.insert(Position::start().key()));
/// ```
#[derive(Clone, Default, Debug)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(u8::BITS) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A random number for each part of a position.
struct ZobristKeys {
    pieces: [[u64; Square::COUNT]; Piece::COUNT],
    /// Indexed by the square of the rook that may still castle.
    castling: [u64; Square::COUNT],
    en_passant: [u64; File::COUNT],
    black_to_move: u64,
}

static ZOBRIST: ZobristKeys = ZobristKeys::new(0x4f6e_6520_636f_7265);

impl ZobristKeys {
    const fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut numbers = Self {
            pieces: [[0; Square::COUNT]; Piece::COUNT],
            castling: [0; Square::COUNT],
            en_passant: [0; File::COUNT],
            black_to_move: 0,
        };
        let mut piece = 0;
        while piece < Piece::COUNT {
            let mut square = 0;
            while square < Square::COUNT {
                numbers.pieces[piece][square] = split_mix(&mut state);
                square += 1;
            }
            piece += 1;
        }
        let mut square = 0;
        while square < Square::COUNT {
            numbers.castling[square] = split_mix(&mut state);
            square += 1;
        }
        let mut file = 0;
        while file < File::COUNT {
            numbers.en_passant[file] = split_mix(&mut state);
            file += 1;
        }
        numbers.black_to_move = split_mix(&mut state);
        numbers
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014), for a constant table.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Key {
    /// The key with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The 64 bits of the key.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The part of a key for a piece on a square.
    #[inline(always)]
    pub fn piece(piece: Piece, square: Square) -> Self {
        Self(ZOBRIST.pieces[piece][square])
    }

    /// The part for the castling rights with these rooks.
    #[inline]
    pub fn castling(rooks: Bitboard) -> Self {
        rooks.into_iter().fold(Self::default(), |key, rook| key ^ Self(ZOBRIST.castling[rook]))
    }

    /// The part for a legal en passant capture on this square.
    #[inline]
    pub fn en_passant(target: Option<Square>) -> Self {
        target.map_or(Self::default(), |square| Self(ZOBRIST.en_passant[square.file()]))
    }

    /// The part for the side to move.
    #[inline(always)]
    pub fn turn(turn: Color) -> Self {
        match turn {
            Color::White => Self::default(),
            Color::Black => Self(ZOBRIST.black_to_move),
        }
    }
}

impl BitXor for Key {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
