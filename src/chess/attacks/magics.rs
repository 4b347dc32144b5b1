//! The magic factors, found by the ignored test at the end of this file:
//! `cargo test --release find_magics -- --ignored --nocapture`.

use crate::chess::Square;

#[rustfmt::skip]
pub(super) const ROOK_MAGICS: [u64; Square::COUNT] = [
    0x2080_0210_4001_8260, 0x7040_1000_4000_2008, 0x0100_2000_1811_0042, 0xb880_1000_2608_0080,
    0x1080_0280_0800_1400, 0x0600_0421_0200_0810, 0x0080_0900_2200_0480, 0x1100_004a_1020_8100,
    0x0009_8000_a840_0080, 0x0000_4000_2010_00c3, 0x0005_001b_00a0_0040, 0x0089_0008_2430_0100,
    0x0021_0004_1801_0010, 0x0002_0044_1002_0008, 0x0444_0002_0805_0410, 0x0018_8000_8004_4100,
    0x00c0_0480_1080_21c0, 0x3040_0020_0330_0800, 0x0400_8680_1000_2000, 0x8200_8080_2802_d000,
    0x1600_1100_0800_0500, 0x4482_0101_0004_0008, 0x0008_2400_0801_0690, 0x2004_0200_0841_0084,
    0x2082_8060_8000_4000, 0xd000_8101_0040_0420, 0x0400_8012_0040_a200, 0x0000_1001_0020_0902,
    0x4004_1101_0014_0800, 0x1002_0002_0010_080c, 0x0240_0814_0041_0610, 0x0000_0122_0000_8344,
    0x2003_6240_0080_0481, 0x0005_2010_0840_0240, 0x8000_8010_0080_2006, 0x0220_0802_8080_1004,
    0x5818_1005_0100_0800, 0x0202_0090_0200_0854, 0x2001_0024_2100_1600, 0x0040_0044_8600_0401,
    0x0200_8008_4002_8022, 0x8010_0444_6000_4001, 0x4211_40a0_0301_0010, 0x2284_4029_1202_0020,
    0x1101_0408_0101_0010, 0x000a_0011_9406_0008, 0x0800_1022_0104_00a8, 0x0c30_4041_8c02_0001,
    0x0000_4000_8000_3080, 0xd002_0108_402c_8600, 0x8884_1480_4062_0200, 0x2000_2042_1200_1a00,
    0x0000_1004_0801_0100, 0x1c18_4c00_5200_8080, 0x0e00_501a_0801_0400, 0x0419_0002_01a0_5100,
    0x0022_2080_0010_4103, 0x0000_c000_1180_2109, 0x0301_400b_1082_0022, 0x0001_0008_1001_2005,
    0x0402_0004_2009_1002, 0x8002_0058_9003_0402, 0x8801_0205_1800_9014, 0x6000_4044_0083_0022,
];

#[rustfmt::skip]
pub(super) const BISHOP_MAGICS: [u64; Square::COUNT] = [
    0x8008_2110_0202_0020, 0x2020_0101_0301_0000, 0x4010_2080_a100_8021, 0x0688_0481_0800_0046,
    0xa424_0420_0021_0040, 0x8402_0802_0818_8430, 0x004c_1401_084a_0080, 0x0c04_a288_0090_5002,
    0x8286_0420_1242_4a00, 0x1088_2204_0400_8200, 0x0080_1812_0401_a000, 0x0000_0a20_820e_0a80,
    0x0014_0405_0406_0c48, 0x0400_0082_1040_1020, 0x0004_1042_1004_2012, 0x8c84_0884_4908_2002,
    0x0010_0004_2002_0404, 0x4084_3112_0404_0400, 0x0086_4004_0802_8100, 0x0012_0020_2200_4000,
    0x041c_0082_020a_0020, 0x0081_0008_9000_9002, 0x0100_a422_0211_2004, 0x0000_c122_0114_0102,
    0x000c_c004_8410_1420, 0x4810_4882_1002_0180, 0x0008_0205_2104_0100, 0x0002_1008_0800_8020,
    0x0001_0011_2100_4008, 0x0010_0108_2080_9020, 0x0018_8400_0202_0600, 0x0011_0514_0020_8800,
    0x2424_0218_00a0_2040, 0x4021_1002_0218_0890, 0x0412_0022_1204_0801, 0x100a_0200_8028_0080,
    0x0124_0404_0002_1010, 0x2802_0401_0804_1009, 0x1004_0800_421c_a400, 0x0008_1200_2002_4100,
    0xc004_0603_400d_1060, 0x0a11_0182_1080_2100, 0x4101_0018_0c01_0200, 0x80a1_0440_1040_2206,
    0x0100_4042_9200_0100, 0x0001_2208_0042_0a02, 0x0004_1440_8400_0200, 0x9002_0a22_02a0_ce08,
    0x4804_0201_1008_0080, 0x0004_2501_1010_0000, 0x0108_8864_0208_0204, 0x0040_0104_e088_0111,
    0x4090_0011_a202_0000, 0x1104_4002_8401_0080, 0x0084_2108_0905_0000, 0x0112_0401_2602_0000,
    0xe400_2208_1208_0201, 0x8202_1084_0b08_1201, 0x1828_0803_00a0_9001, 0x5880_0800_0020_8800,
    0x4001_5008_0405_0402, 0x8800_0020_0410_4281, 0x0590_2232_1222_0404, 0x0840_1498_0481_0011,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks::sliders::{Lookup, next_subset, relevant_occupancy};
    use crate::chess::attacks::{BISHOP_STEPS, ROOK_STEPS, slide};
    use crate::chess::{Bitboard, File};

    /// Every relevant occupancy of a square, with the squares that a slider there attacks.
    fn occupancies(from: Square, steps: &[(i8, i8); 4]) -> Vec<(u64, Bitboard)> {
        let mask = relevant_occupancy(from, steps);
        let subsets = std::iter::successors(Some(0), |&subset| {
            Some(next_subset(subset, mask)).filter(|&next| next != 0)
        });
        subsets.map(|subset| (subset, slide(from, Bitboard::from_bits(subset), steps))).collect()
    }

    /// Whether this factor maps every occupancy to a separate slot or to one with the same attacks. Each slot stores
    /// the attempt that filled it, so nothing has to be cleared.
    fn fits(lookup: &Lookup, cases: &[(u64, Bitboard)], slots: &mut [(u32, Bitboard)], attempt: u32) -> bool {
        cases.iter().all(|&(occupied, attacks)| {
            let slot = &mut slots[lookup.magic_index(occupied)];
            let free = slot.0 != attempt;
            if free {
                *slot = (attempt, attacks);
            }
            free || slot.1 == attacks
        })
    }

    /// Tries sparse random factors until one fits.
    fn find(from: Square, steps: &[(i8, i8); 4], random: &mut impl FnMut() -> u64) -> u64 {
        let cases = occupancies(from, steps);
        let mut slots = vec![(0, Bitboard::EMPTY); cases.len()];
        for attempt in 1.. {
            let magic = random() & random() & random();
            if fits(&Lookup::new(from, steps, magic, 0), &cases, &mut slots, attempt) {
                return magic;
            }
        }
        unreachable!("every square has magics of its own size")
    }

    #[test]
    fn every_magic_fits() {
        for (magics, steps) in [(&ROOK_MAGICS, &ROOK_STEPS), (&BISHOP_MAGICS, &BISHOP_STEPS)] {
            for from in Square::ALL {
                let cases = occupancies(from, steps);
                let lookup = Lookup::new(from, steps, magics[from], 0);
                let mut slots = vec![(0, Bitboard::EMPTY); cases.len()];
                assert!(fits(&lookup, &cases, &mut slots, 1), "{from}");
            }
        }
    }

    #[test]
    #[ignore = "the finder: run it to make the tables above anew"]
    fn find_magics() {
        let mut state = 0x4845_4d41_5449_5445_u64; // "HEMATITE"
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.wrapping_mul(0x2545_f491_4f6c_dd1d) // xorshift64*
        };
        for (name, steps) in [("ROOK", ROOK_STEPS), ("BISHOP", BISHOP_STEPS)] {
            println!("#[rustfmt::skip]\npub(super) const {name}_MAGICS: [u64; Square::COUNT] = [");
            for square in Square::ALL {
                let magic = find(square, &steps, &mut random);
                let hex = format!("{magic:016x}");
                let starts_line = matches!(square.file(), File::A | File::E);
                let ends_line = matches!(square.file(), File::D | File::H);
                let (start, end) =
                    (if starts_line { "    " } else { " " }, if ends_line { "\n" } else { "" });
                print!("{start}0x{}_{}_{}_{},{end}", &hex[..4], &hex[4..8], &hex[8..12], &hex[12..]);
            }
            println!("];\n");
        }
    }
}
