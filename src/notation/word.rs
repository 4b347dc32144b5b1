//! Short texts that are built in a register.

/// A text of at most eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// The bytes, the first one lowest, with zeros behind them.
    bytes: u64,
    length: usize,
}

impl Word {
    /// The empty text.
    pub(super) const EMPTY: Self = Self { bytes: 0, length: 0 };

    /// A text of two to seven bytes, as of nearly all moves; `None` for other lengths.
    #[inline(always)]
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        const HALF: usize = size_of::<u32>();
        let bytes = if let Some(&first) = text.first_chunk::<HALF>()
            && let Some(&last) = text.last_chunk::<HALF>()
        {
            if text.len() >= 2 * HALF {
                return None;
            }
            u64::from(u32::from_le_bytes(first))
                | behind(text.len() - HALF, u64::from(u32::from_le_bytes(last)))
        } else {
            let (&first, &last) = (text.first_chunk()?, text.last_chunk()?);
            u64::from(u16::from_le_bytes(first)) | behind(text.len() - 2, u64::from(u16::from_le_bytes(last)))
        };
        Some(Self { bytes, length: text.len() })
    }

    /// The text with a byte behind it. There must be room for it.
    #[inline(always)]
    pub(super) const fn with(self, byte: u8) -> Self {
        Self { bytes: self.bytes | behind(self.length, byte as u64), length: self.length + 1 }
    }

    /// The text with a byte behind it if the condition holds, without a branch that could be mispredicted.
    #[inline(always)]
    pub(super) const fn with_if(self, holds: bool, byte: u8) -> Self {
        let byte = if holds { byte as u64 } else { 0 };
        Self { bytes: self.bytes | behind(self.length, byte), length: self.length + holds as usize }
    }

    /// The text with a byte before it. There must be room for it.
    pub(super) const fn after(self, byte: u8) -> Self {
        Self { bytes: self.bytes << u8::BITS | byte as u64, length: self.length + 1 }
    }

    /// The number of bytes.
    #[inline(always)]
    pub(super) const fn len(self) -> usize {
        self.length
    }

    /// The bytes of the text, with zeros behind them.
    #[inline(always)]
    pub(super) const fn padded(self) -> [u8; size_of::<u64>()] {
        self.bytes.to_le_bytes()
    }

    /// The bytes of the text.
    pub(super) fn into_bytes(self) -> impl Iterator<Item = u8> {
        self.padded().into_iter().take(self.length)
    }
}

/// Bytes behind this many others.
#[inline(always)]
const fn behind(length: usize, bytes: u64) -> u64 {
    bytes << (u8::BITS as usize * length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: Word) -> String {
        word.into_bytes().map(char::from).collect()
    }

    #[test]
    fn bytes_are_added_on_both_sides() {
        assert_eq!(text(Word::EMPTY), "");
        let word = Word::EMPTY.with(b'b').with_if(false, b'x').with_if(true, b'c').after(b'a');
        assert_eq!(text(word), "abc");
        assert_eq!(word.padded(), *b"abc\0\0\0\0\0");
        let full = b"e7xd8=Q#".iter().fold(Word::EMPTY, |word, &byte| word.with(byte));
        assert_eq!((text(full).as_str(), full.len()), ("e7xd8=Q#", 8));
    }

    #[test]
    fn words_of_two_to_seven_bytes_are_read() {
        let letters = "abcdefgh";
        for length in 0..=letters.len() {
            let expected = &letters[..length];
            let word = Word::of(expected.as_bytes()).map(text);
            assert_eq!(word.as_deref(), (2..=7).contains(&length).then_some(expected));
        }
    }
}
