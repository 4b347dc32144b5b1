//! CRC-64/XZ, which finds every damage that is confined to 64 bits in a row
//! (<https://reveng.sourceforge.io/crc-catalogue/17plus.htm#crc.cat.crc-64-xz>).

use std::fmt;

/// The polynomial of ECMA-182, bits reversed.
const POLYNOMIAL: u64 = 0xc96c_5795_d787_0f42;

/// What each byte does to the remainder.
const TABLE: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            remainder = remainder >> 1 ^ if remainder & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
};

/// The checksum of the bytes seen so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checksum(u64);

impl Checksum {
    /// No bytes yet.
    pub const fn new() -> Self {
        Self(!0)
    }

    /// More bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0 = bytes
            .iter()
            .fold(self.0, |remainder, &byte| TABLE[usize::from(remainder as u8 ^ byte)] ^ remainder >> 8);
    }

    /// The checksum as a number.
    pub const fn value(self) -> u64 {
        !self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Checksum {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        let cases: [(&str, &[u8], u64); 2] =
            [("nothing", b"", 0), ("the catalogue's check value", b"123456789", 0x995d_c9bb_df19_39fa)];
        for (name, bytes, expected) in cases {
            let mut checksum = Checksum::new();
            checksum.update(bytes);
            assert_eq!(checksum.value(), expected, "{name}");
        }
    }
}
