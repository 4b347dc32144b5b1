//! Bishop, rook and queen attacks by lookup: every square has one table entry for each of its relevant occupancies, and
//! there are two ways to compute the index of an occupancy.
//!
//! * [`Magic`], a multiplication that every CPU has (<https://www.chessprogramming.org/Magic_Bitboards>);
//! * `Pext`, one instruction of BMI2 (<https://www.chessprogramming.org/BMI2>), which is faster unless it is
//!   implemented in microcode.
//!
//! Both are always part of the program. The tables are computed at compile time.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::{BEYOND, BISHOP_STEPS, ROOK_STEPS, slide};
use crate::chess::{Bitboard, File, Rank, Square};

/// A way to look up the attacks of sliders. It is a type, so that code can be compiled for each way.
pub(crate) trait Sliders: Copy {
    /// Squares a rook attacks among `occupied` squares.
    fn rook(self, from: Square, occupied: Bitboard) -> Bitboard;
    /// Squares a bishop attacks among `occupied` squares.
    fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard;

    /// Squares a queen attacks among `occupied` squares.
    #[inline(always)]
    fn queen(self, from: Square, occupied: Bitboard) -> Bitboard {
        self.rook(from, occupied) | self.bishop(from, occupied)
    }
}

/// The sum over all squares of two to the power of the number of relevant squares.
const ROOK_TABLE_SIZE: usize = 102_400;
const BISHOP_TABLE_SIZE: usize = 5_248;
/// The number of different sets of squares that a rook can attack, summed over all squares.
const ROOK_SETS: usize = 4_900;

/// The lookup of one square.
#[derive(Clone, Copy)]
pub(super) struct Lookup {
    /// The relevant squares: those whose occupation changes the attacks.
    mask: u64,
    /// Gathers the masked bits at the top of a word.
    magic: u64,
    /// The squares attacked on an empty board.
    rays: Bitboard,
    /// The start of the square's part of the table.
    first: u32,
    /// The start of the square's part of the table of sets.
    first_set: u16,
    /// Keeps only the gathered bits.
    shift: u8,
}

const _: () = assert!(size_of::<Lookup>() == 32, "two fill a cache line");

impl Lookup {
    pub(super) const fn new(from: Square, steps: &[(i8, i8); 4], magic: u64, first: usize) -> Self {
        let mask = relevant_occupancy(from, steps);
        let rays = slide(from, Bitboard::EMPTY, steps);
        let shift = (u64::BITS - mask.count_ones()) as u8;
        Self { mask, magic, rays, shift, first: first as u32, first_set: 0 }
    }

    /// The index of the attacks among these occupied squares, in a table in magic order.
    #[inline(always)]
    pub(super) const fn magic_index(&self, occupied: u64) -> usize {
        let gathered = (occupied & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.first as usize + gathered as usize
    }
}

/// The relevant squares of a slider on `from`, whose occupation changes its attacks: its rays without their ends.
pub(super) const fn relevant_occupancy(from: Square, steps: &[(i8, i8)]) -> u64 {
    let outer_files = File::A.squares().bits() | File::H.squares().bits();
    let outer_ranks = Rank::First.squares().bits() | Rank::Eighth.squares().bits();
    // An edge is relevant only to a slider that moves along it.
    let ends = outer_files & !from.file().squares().bits() | outer_ranks & !from.rank().squares().bits();
    slide(from, Bitboard::EMPTY, steps).bits() & !ends
}

/// The subset of `mask` after this one, in counting order; zero after the last
/// (<https://www.chessprogramming.org/Traversing_Subsets_of_a_Set>).
pub(super) const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}

const fn lookups(magics: &[u64; Square::COUNT], steps: &[(i8, i8); 4]) -> [Lookup; Square::COUNT] {
    let mut lookups = [Lookup::new(Square::A1, steps, 0, 0); Square::COUNT];
    let (mut first, mut first_set) = (0, 0);
    let mut square = 0;
    while square < Square::COUNT {
        let from = Square::ALL[square];
        lookups[square] = Lookup::new(from, steps, magics[square], first);
        lookups[square].first_set = first_set;
        first += 1 << lookups[square].mask.count_ones();
        first_set += sets(from, steps);
        square += 1;
    }
    lookups
}

/// The number of different sets of squares that a slider can attack: one for each combination of ray lengths.
const fn sets(from: Square, steps: &[(i8, i8); 4]) -> u16 {
    let (mut sets, mut step) = (1, 0);
    while step < steps.len() {
        let length = slide(from, Bitboard::EMPTY, &[steps[step]]).count();
        sets *= if length == 0 { 1 } else { length as u16 };
        step += 1;
    }
    sets
}

/// The attacks of a bishop for every subset of the masks, in counting order, which is the order of PEXT. An additional
/// blocker removes only the squares beyond it from the attacks, so every blocker doubles the finished part of the
/// table.
const fn bishop_by_ordinal() -> [Bitboard; BISHOP_TABLE_SIZE] {
    let mut table = [Bitboard::EMPTY; BISHOP_TABLE_SIZE];
    let mut square = 0;
    while square < Square::COUNT {
        let lookup = &BISHOP_LOOKUPS[square];
        let first = lookup.first as usize;
        table[first] = lookup.rays;
        let (mut blockers, mut done) = (lookup.mask, 1);
        while blockers != 0 {
            let beyond = BEYOND[square][blockers.trailing_zeros() as usize].bits();
            let mut place = first;
            while place < first + done {
                table[place + done] = Bitboard::from_bits(table[place].bits() & !beyond);
                place += 1;
            }
            blockers &= blockers - 1;
            done *= 2;
        }
        square += 1;
    }
    table
}

const fn bishop_by_magic() -> [Bitboard; BISHOP_TABLE_SIZE] {
    let mut table = [Bitboard::EMPTY; BISHOP_TABLE_SIZE];
    let mut square = 0;
    while square < Square::COUNT {
        let lookup = &BISHOP_LOOKUPS[square];
        let (mut subset, mut place) = (0, lookup.first as usize);
        loop {
            let slot = &mut table[lookup.magic_index(subset)];
            let attacks = BISHOP_BY_ORDINAL[place];
            assert!(slot.is_empty() || slot.bits() == attacks.bits(), "a magic collides");
            *slot = attacks;
            subset = next_subset(subset, lookup.mask);
            place += 1;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

/// The attacks of a rook in magic order. An occupancy maps to the number of a set, because there are few different
/// sets: the tables take a sixth of the bytes and leave more cache to other data.
struct RooksByMagic {
    /// The number of the set among those of the square.
    numbers: [u8; ROOK_TABLE_SIZE],
    sets: [Bitboard; ROOK_SETS],
}

/// The relevant occupancies of a rook on one square, each with the number of the set that the rook attacks.
struct RookOccupancies {
    occupied: [u64; Self::MAX],
    numbers: [u8; Self::MAX],
    count: usize,
}

impl RookOccupancies {
    /// The maximum, in a corner: twelve squares are relevant.
    const MAX: usize = 1 << 12;

    /// All relevant occupancies. The number of a set has the lengths of the rays, from zero, as its digits.
    const fn new(from: Square) -> Self {
        let mut all = Self { occupied: [0; Self::MAX], numbers: [0; Self::MAX], count: 1 };
        let (mut base, mut step) = (1, 0);
        while step < ROOK_STEPS.len() {
            let length = ray(from, step).count() as u8;
            if length > 0 {
                all.add_ray(from, step, length, base);
                base *= length;
            }
            step += 1;
        }
        all
    }

    const fn add_ray(&mut self, from: Square, step: usize, length: u8, base: u8) {
        let without_ray = self.count;
        let mut entry = 0;
        while entry < without_ray {
            self.numbers[entry] += (length - 1) * base;
            entry += 1;
        }
        // Towards the rook: the piece that is added last ends the ray. One on the edge would change nothing.
        let mut distance = length - 1;
        while distance > 0 {
            let blocker = squares_within(from, step, distance) & !squares_within(from, step, distance - 1);
            let done = self.count;
            let mut entry = 0;
            while entry < done {
                self.occupied[done + entry] = self.occupied[entry] | blocker;
                self.numbers[done + entry] = self.numbers[entry % without_ray] - (length - distance) * base;
                entry += 1;
            }
            self.count *= 2;
            distance -= 1;
        }
    }
}

/// The ray of a rook on an empty board.
const fn ray(from: Square, step: usize) -> Bitboard {
    slide(from, Bitboard::EMPTY, &[ROOK_STEPS[step]])
}

/// The squares of a ray of a rook up to a distance.
const fn squares_within(from: Square, step: usize, distance: u8) -> u64 {
    let (mut squares, mut next) = (0, 1);
    while next <= distance as i8 {
        if let Some(square) = from.offset(ROOK_STEPS[step].0 * next, ROOK_STEPS[step].1 * next) {
            squares |= square.bitboard().bits();
        }
        next += 1;
    }
    squares
}

const fn rook_by_magic() -> RooksByMagic {
    let mut table = RooksByMagic { numbers: [0; ROOK_TABLE_SIZE], sets: [Bitboard::EMPTY; ROOK_SETS] };
    let mut square = 0;
    while square < Square::COUNT {
        let lookup = &ROOK_LOOKUPS[square];
        let all = RookOccupancies::new(Square::ALL[square]);
        let mut entry = 0;
        while entry < all.count {
            table.numbers[lookup.magic_index(all.occupied[entry])] = all.numbers[entry];
            entry += 1;
        }
        fill_sets(&mut table.sets, lookup.first_set as usize, Square::ALL[square]);
        square += 1;
    }
    table
}

/// Fills in the sets that a rook can attack, in the order of their numbers.
const fn fill_sets(sets: &mut [Bitboard; ROOK_SETS], first: usize, from: Square) {
    let (mut base, mut step) = (1, 0);
    while step < ROOK_STEPS.len() {
        let length = ray(from, step).count() as u8;
        // The shortest ray takes the place of the sets without this ray, so it is the last one.
        let mut distance = length;
        while distance > 0 {
            let squares = squares_within(from, step, distance);
            let mut set = 0;
            while set < base {
                let longer = first + (distance as usize - 1) * base + set;
                sets[longer] = Bitboard::from_bits(sets[first + set].bits() | squares);
                set += 1;
            }
            distance -= 1;
        }
        base *= if length == 0 { 1 } else { length as usize };
        step += 1;
    }
}

static ROOK_LOOKUPS: [Lookup; Square::COUNT] = lookups(&ROOK_MAGICS, &ROOK_STEPS);
static BISHOP_LOOKUPS: [Lookup; Square::COUNT] = lookups(&BISHOP_MAGICS, &BISHOP_STEPS);
// A hundred thousand entries take the compiler a second, and every program start nothing.
#[allow(long_running_const_eval)]
static ROOK_BY_MAGIC: RooksByMagic = rook_by_magic();
static BISHOP_BY_ORDINAL: [Bitboard; BISHOP_TABLE_SIZE] = bishop_by_ordinal();
static BISHOP_BY_MAGIC: [Bitboard; BISHOP_TABLE_SIZE] = bishop_by_magic();

/// Lookup by a magic multiplication, which moves the relevant bits of an occupancy to the top of a word, without a
/// harmful collision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Magic;

impl Sliders for Magic {
    #[inline(always)]
    fn rook(self, from: Square, occupied: Bitboard) -> Bitboard {
        let lookup = &ROOK_LOOKUPS[from];
        let number = ROOK_BY_MAGIC.numbers[lookup.magic_index(occupied.bits())];
        ROOK_BY_MAGIC.sets[usize::from(lookup.first_set) + usize::from(number)]
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard {
        BISHOP_BY_MAGIC[BISHOP_LOOKUPS[from].magic_index(occupied.bits())]
    }
}

#[cfg(any(test, not(all(fast_pext, target_feature = "bmi2"))))]
impl Magic {
    /// The square with this index in a set, found without unpredictable branches: the byte by the cumulative numbers of
    /// bits, then the index within the byte.
    #[inline(always)]
    pub(super) fn nth(self, squares: Bitboard, index: usize) -> Option<Square> {
        const BYTE: usize = u8::BITS as usize;
        /// For each byte, the indices of its set bits.
        static PLACES: [[u8; BYTE]; 1 << BYTE] = {
            let mut places = [[0; BYTE]; 1 << BYTE];
            let mut byte = 0;
            while byte < places.len() {
                let (mut bit, mut count) = (0, 0);
                while bit < BYTE {
                    if byte >> bit & 1 != 0 {
                        places[byte][count] = bit as u8;
                        count += 1;
                    }
                    bit += 1;
                }
                byte += 1;
            }
            places
        };
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGHEST: u64 = 0x80 * ONES;
        let bits = squares.bits();
        if index >= squares.count() as usize {
            return None;
        }
        let pairs = bits - ((bits >> 1) & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
        let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
        // In each byte, the highest bit is set if the number of bits up to the end of that byte is at most `index`.
        let is_before = (((index as u64 * ONES) | HIGHEST) - sums) & HIGHEST;
        let shift = is_before.count_ones() as usize * BYTE;
        let before = ((sums << BYTE) >> shift) as u8;
        let byte = (bits >> shift) as u8;
        let place = PLACES[usize::from(byte)][(index - usize::from(before)) % BYTE];
        Square::from_index(shift + usize::from(place))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use pext::Pext;

#[cfg(target_arch = "x86_64")]
mod pext {
    use super::{BEYOND, BISHOP_BY_ORDINAL, BISHOP_LOOKUPS, ROOK_LOOKUPS, ROOK_TABLE_SIZE, Sliders};
    use crate::chess::{Bitboard, Square};
    #[cfg(not(target_feature = "bmi2"))]
    use std::arch::asm;

    /// Lookup by PEXT. The inverse instruction PDEP keeps the largest table small. The field is private, so that no
    /// value is constructed without detection.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Pext(());

    impl Pext {
        /// The lookup, if this CPU has the instructions; otherwise `None`.
        pub(in crate::chess::attacks) fn detect() -> Option<Self> {
            is_x86_feature_detected!("bmi2").then_some(Self(()))
        }

        /// The lookup in a program that requires the instructions everywhere.
        #[cfg(all(fast_pext, target_feature = "bmi2"))]
        pub(in crate::chess::attacks) const BUILT_IN: Self = Self(());
    }

    /// Calls an instruction. In code that is not compiled for CPUs with the instruction, the intrinsic would be a
    /// function call at each lookup; inline assembly becomes part of the caller.
    macro_rules! instruction {
        ($name:ident, $intrinsic:ident, $assembler:literal) => {
            impl Pext {
                #[inline(always)]
                #[allow(unsafe_code)]
                fn $name(self, source: u64, mask: u64) -> u64 {
                    // SAFETY: a value of this type exists only where BMI2 was detected or is required by the whole
                    // program, and a machine does not lose an instruction set while the program runs.
                    #[cfg(target_feature = "bmi2")]
                    return unsafe { std::arch::x86_64::$intrinsic(source, mask) };
                    #[cfg(not(target_feature = "bmi2"))]
                    {
                        let result;
                        // SAFETY: as above. The instruction changes nothing but its result.
                        unsafe {
                            asm!(
                                $assembler,
                                result = lateout(reg) result,
                                source = in(reg) source,
                                mask = in(reg) mask,
                                options(pure, nomem, nostack, preserves_flags),
                            );
                        }
                        result
                    }
                }
            }
        };
    }

    instruction!(pext, _pext_u64, "pext {result}, {source}, {mask}");
    instruction!(pdep, _pdep_u64, "pdep {result}, {source}, {mask}");

    #[cfg(any(test, all(fast_pext, target_feature = "bmi2")))]
    impl Pext {
        /// The square with this index in a set.
        #[inline(always)]
        pub(in crate::chess::attacks) fn nth(self, squares: Bitboard, index: usize) -> Option<Square> {
            let ordinal = 1_u64.checked_shl(u32::try_from(index).ok()?)?;
            Bitboard::from_bits(self.pdep(ordinal, squares.bits())).first()
        }
    }

    /// The attacks of a rook in the order of PEXT: one bit for each of the squares on its rays, which are at most 14.
    /// The table takes a quarter of the bytes, which makes the search about 2 % faster.
    #[allow(long_running_const_eval)]
    static ROOKS: [u16; ROOK_TABLE_SIZE] = packed_rooks();

    /// Computed by doubling, as the table of bishops.
    const fn packed_rooks() -> [u16; ROOK_TABLE_SIZE] {
        let mut table = [0; ROOK_TABLE_SIZE];
        let mut square = 0;
        while square < Square::COUNT {
            let lookup = &ROOK_LOOKUPS[square];
            let (first, rays) = (lookup.first as usize, lookup.rays.bits());
            table[first] = packed(rays, rays);
            let (mut blockers, mut done) = (lookup.mask, 1);
            while blockers != 0 {
                let beyond = packed(BEYOND[square][blockers.trailing_zeros() as usize].bits(), rays);
                let mut place = first;
                while place < first + done {
                    table[place + done] = table[place] & !beyond;
                    place += 1;
                }
                blockers &= blockers - 1;
                done *= 2;
            }
            square += 1;
        }
        table
    }

    /// One bit for each of the squares on the rays: the result of PEXT in plain code.
    const fn packed(mut squares: u64, rays: u64) -> u16 {
        let mut packed = 0;
        while squares != 0 {
            let below = !squares & (squares - 1);
            packed |= 1 << (rays & below).count_ones();
            squares &= squares - 1;
        }
        packed
    }

    impl Sliders for Pext {
        #[inline(always)]
        fn rook(self, from: Square, occupied: Bitboard) -> Bitboard {
            let lookup = &ROOK_LOOKUPS[from];
            let ordinal = self.pext(occupied.bits(), lookup.mask);
            let packed = u64::from(ROOKS[lookup.first as usize + ordinal as usize]);
            Bitboard::from_bits(self.pdep(packed, lookup.rays.bits()))
        }

        #[inline(always)]
        fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard {
            let lookup = &BISHOP_LOOKUPS[from];
            let ordinal = self.pext(occupied.bits(), lookup.mask);
            BISHOP_BY_ORDINAL[lookup.first as usize + ordinal as usize]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal_sliding(sliders: impl Sliders) {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            // xorshift64: any distribution of occupancies is sufficient.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let occupied = Bitboard::from_bits(state & state.rotate_left(23));
            let from = Square::wrapping((state >> 58) as usize);
            assert_eq!(sliders.rook(from, occupied), slide(from, occupied, &ROOK_STEPS), "{from}");
            assert_eq!(sliders.bishop(from, occupied), slide(from, occupied, &BISHOP_STEPS), "{from}");
        }
    }

    #[test]
    fn squares_are_found_by_their_index() {
        type Find = fn(Bitboard, usize) -> Option<Square>;
        let find: [Option<Find>; 2] = [
            Some(|squares, index| Magic.nth(squares, index)),
            #[cfg(target_arch = "x86_64")]
            Pext::detect().map(|_| -> Find { |squares, index| Pext::detect()?.nth(squares, index) }),
            #[cfg(not(target_arch = "x86_64"))]
            None,
        ];
        let sets =
            [0, 1, 1 << 63, u64::MAX, 0xffff_0000_0000_ffff, 0x8001_4002_0100_0810, 0x55aa_33cc_0ff0_9669];
        for squares in sets.map(Bitboard::from_bits) {
            let expected: Vec<Square> = squares.into_iter().collect();
            for find in find.into_iter().flatten() {
                for index in 0..70 {
                    assert_eq!(find(squares, index), expected.get(index).copied(), "{squares:?} {index}");
                }
                assert_eq!(find(squares, usize::MAX), None);
            }
        }
    }

    #[test]
    fn every_lookup_equals_sliding_for_random_occupancies() {
        equal_sliding(Magic);
        #[cfg(target_arch = "x86_64")]
        if let Some(pext) = Pext::detect() {
            equal_sliding(pext);
        }
    }
}
