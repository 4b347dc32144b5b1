//! Files, ranks and squares.

use super::ordinal;
use std::fmt;
use std::str::FromStr;

ordinal! {
    /// A column of the board.
    #[allow(missing_docs)]
    File [8] { A, B, C, D, E, F, G, H }
}

ordinal! {
    /// A row of the board, counted from White's side.
    #[allow(missing_docs)]
    Rank [8] { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

ordinal! {
    /// A square of the board: a1 is 0, b1 is 1, h8 is 63.
    #[allow(missing_docs)]
    Square [64] {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl File {
    /// The file's letter, `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Self::from_index(letter as usize - 'a' as usize),
            'A'..='H' => Self::from_index(letter as usize - 'A' as usize),
            _ => None,
        }
    }
}

impl Rank {
    /// The rank's digit, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with this digit.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Self::from_index(digit as usize - '1' as usize),
            _ => None,
        }
    }

    /// The rank as seen from the other side of the board.
    #[inline]
    pub const fn flipped(self) -> Self {
        Self::ALL[Self::COUNT - 1 - self as usize]
    }
}

impl Square {
    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::wrapping(rank as usize * File::COUNT + file as usize)
    }

    /// The square with this index modulo 64.
    #[inline(always)]
    pub const fn wrapping(index: usize) -> Self {
        match Self::from_index(index % Self::COUNT) {
            Some(square) => square,
            None => unreachable!(), // which the compiler can prove
        }
    }

    /// The square's column.
    #[inline]
    pub const fn file(self) -> File {
        match File::from_index(self as usize % File::COUNT) {
            Some(file) => file,
            None => unreachable!(),
        }
    }

    /// The square's row.
    #[inline]
    pub const fn rank(self) -> Rank {
        match Rank::from_index(self as usize / File::COUNT) {
            Some(rank) => rank,
            None => unreachable!(),
        }
    }

    /// The square mirrored at the board's horizontal middle line: a1 becomes a8.
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self::wrapping(self as usize ^ 56)
    }

    /// The square mirrored at the board's vertical middle line: a1 becomes h1.
    #[inline]
    pub const fn flip_file(self) -> Self {
        Self::wrapping(self as usize ^ 7)
    }

    /// The square `files` to the right and `ranks` up, or `None` off the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Self::from_index((rank * 8 + file) as usize)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// The text is not a square such as `e4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square, expected a file a-h and a rank 1-8 such as e4")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    /// Reads `e4`.
    ///
    /// # Errors
    /// [`SquareError`] for any other text.
    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(file @ 'a'..='h'), Some(rank), None) => {
                let file = File::from_letter(file).ok_or(SquareError)?;
                Rank::from_digit(rank).map(|rank| Self::new(file, rank)).ok_or(SquareError)
            }
            _ => Err(SquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        for text in ["", "e", "e9", "i4", "E4", "e44", "é4"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError), "{text}");
        }
    }

    #[test]
    fn offsets_stay_on_the_board() {
        assert_eq!(Square::A1.offset(1, 2), Some(Square::B3));
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::H8.offset(0, 1), None);
        assert_eq!(Square::E4.flip_rank(), Square::E5);
        assert_eq!(Square::E4.flip_file(), Square::D4);
    }
}
