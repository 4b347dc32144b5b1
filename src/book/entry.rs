//! A move of a position, as it stands in a file.

use super::BookKey;
use super::move_code::MoveCode;

/// The length of an entry, in bytes.
pub(super) const ENTRY_BYTES: usize = 16;

/// Sixteen bytes of a book, numbers with their high bytes first. Entries of the same position
/// stand together, the keys rising through the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    pub key: BookKey,
    pub mv: MoveCode,
    /// How often the move is to be chosen, compared to the others of the position.
    pub weight: u16,
    /// For programs that learn from their games; none of ours.
    pub learn: u32,
}

impl Entry {
    pub(super) fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h, mv @ .., i, j, k, l, m, n] = *bytes;
        Self {
            key: BookKey::from_bits(u64::from_be_bytes([a, b, c, d, e, f, g, h])),
            mv: MoveCode(u16::from_be_bytes(mv)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_bytes() {
        let bytes: [u8; ENTRY_BYTES] = std::array::from_fn(|index| index as u8 + 1);
        let entry = Entry::from_bytes(&bytes);
        assert_eq!(entry.key.bits(), 0x0102_0304_0506_0708);
        assert_eq!((entry.mv.0, entry.weight, entry.learn), (0x090a, 0x0b0c, 0x0d0e_0f10));
        assert_eq!(entry.to_bytes(), bytes);
    }
}
