//! The contents of squares, and men on some squares, as used in patterns and motifs.

use super::change::Change;
use super::headers::BadValue;
use crate::chess::{Bitboard, Color, File, Piece, Rank, Role, Square};
use crate::database::men::Arrangement;

/// The possible contents of a square: a bit for each piece, and one for an empty square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Content(u16);

impl Content {
    pub(super) const EMPTY: Self = Self(1 << Piece::COUNT);
    pub(super) const ANYTHING: Self = Self((1 << (Piece::COUNT + 1)) - 1);

    pub(super) fn of_color(color: Color) -> Self {
        Role::ALL.iter().fold(Self(0), |all, &role| all.with(Self::piece(Piece::new(color, role))))
    }

    pub(super) const fn piece(piece: Piece) -> Self {
        Self(1 << piece.index())
    }

    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The contents without those of `other`.
    pub(super) const fn but(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// A piece letter, `A` or `a` for all pieces of a color, `.` for an empty square.
    pub(super) fn from_letter(letter: char) -> Option<Self> {
        match letter {
            '.' => Some(Self::EMPTY),
            '?' => Some(Self::ANYTHING),
            'A' => Some(Self::of_color(Color::White)),
            'a' => Some(Self::of_color(Color::Black)),
            _ => Piece::from_letter(letter).map(Self::piece),
        }
    }

    /// The contents with the colors exchanged.
    pub(super) fn exchanged(self) -> Self {
        let white = self.0 & ((1 << Role::COUNT) - 1);
        let black = self.0 >> Role::COUNT & ((1 << Role::COUNT) - 1);
        Self(self.0 & Self::EMPTY.0 | white << Role::COUNT | black)
    }

    /// The squares with such a content.
    pub(super) fn squares(self, position: &impl Arrangement) -> Bitboard {
        let pieces = Piece::ALL.iter().filter(|&&piece| self.has(Self::piece(piece)));
        let occupied =
            pieces.fold(Bitboard::EMPTY, |all, piece| all | position.pieces(piece.color(), piece.role()));
        if self.has(Self::EMPTY) { occupied | !position.occupied() } else { occupied }
    }
}

pub(super) const CONTENT: &str =
    "a piece letter, `A`, `a`, `?`, `.`, a number of squares, or a set such as [NB]";
pub(super) const SET: &str = "a set such as [NB] or [^Pp]";

/// Reads a set after its opening bracket: pieces, or all except these after `^`.
pub(super) fn read_set(letters: &mut std::str::CharIndices<'_>) -> Option<Content> {
    let mut set = Content(0);
    let mut is_negated = false;
    for (index, (_, letter)) in letters.by_ref().enumerate() {
        match letter {
            ']' if set.0 == 0 => return None,
            ']' if is_negated => return Some(Content(Content::ANYTHING.0 & !set.0)),
            ']' => return Some(set),
            '^' if index == 0 => is_negated = true,
            _ => set = set.with(Content::from_letter(letter)?),
        }
    }
    None
}

/// Men on some squares, such as `R`, `[NB]d`, `p4-6` or `Aa-h7`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Designator {
    content: Content,
    files: u8,
    ranks: u8,
    squares: Bitboard,
}

/// The expected form of a designator.
const DESIGNATOR: &str = "men such as N, [QR], pd or Aa-c7, or white or black";
/// All files, or all ranks.
const ALL: u8 = u8::MAX;

impl Designator {
    pub(super) const fn new(content: Content) -> Self {
        Self { content, files: ALL, ranks: ALL, squares: Bitboard::from_bits(u64::MAX) }
    }

    fn on(content: Content, files: u8, ranks: u8) -> Self {
        let is_on = |square: &Square| {
            files >> square.file().index() & 1 != 0 && ranks >> square.rank().index() & 1 != 0
        };
        let squares = Square::ALL
            .iter()
            .filter(|square| is_on(square))
            .fold(Bitboard::EMPTY, |all, &square| all | square);
        Self { content, files, ranks, squares }
    }

    /// Reads a designator: a letter, a set, or `white` or `black`, optionally followed by squares.
    pub(super) fn read(text: &str) -> Result<Self, BadValue> {
        let (content, rest) = if let Some(rest) = text.strip_prefix("white") {
            (Content::of_color(Color::White), rest)
        } else if let Some(rest) = text.strip_prefix("black") {
            (Content::of_color(Color::Black), rest)
        } else {
            let mut letters = text.char_indices();
            let content = match letters.next() {
                Some((_, '[')) => read_set(&mut letters).ok_or_else(|| BadValue::new(0, SET))?,
                Some((_, letter)) => {
                    Content::from_letter(letter).ok_or_else(|| BadValue::new(0, DESIGNATOR))?
                }
                None => return Err(BadValue::new(0, DESIGNATOR)),
            };
            (content, letters.as_str())
        };
        let at = text.len() - rest.len();
        let (files, ranks) = read_squares(rest).ok_or_else(|| BadValue::new(at, SQUARES))?;
        Ok(Self::on(content, files, ranks))
    }

    /// Reads squares alone, with any content.
    pub(super) fn read_squares(text: &str) -> Result<Self, BadValue> {
        let (files, ranks) = read_squares(text).ok_or_else(|| BadValue::new(0, SQUARES))?;
        Ok(Self::on(Content::ANYTHING, files, ranks))
    }

    /// The squares of the designator.
    pub(super) const fn squares(&self) -> Bitboard {
        self.squares
    }

    /// Whether the designator includes men of one of these roles.
    pub(super) fn has_roles(&self, roles: &[Role]) -> bool {
        let pieces = roles.iter().flat_map(|&role| Color::ALL.map(|color| Piece::new(color, role)));
        pieces.into_iter().any(|piece| self.content.has(Content::piece(piece)))
    }

    /// Whether the designator includes men of this color.
    pub(super) fn has_color(&self, color: Color) -> bool {
        self.content.has(Content::of_color(color))
    }

    /// The squares with such men.
    #[inline]
    pub(super) fn find(&self, board: &impl Arrangement) -> Bitboard {
        self.content.squares(board) & self.squares
    }

    /// The designator on a changed board; `None` if squares leave the board.
    pub(super) fn changed(&self, change: Change) -> Option<Self> {
        let shifted = |lines: u8, by: i8| {
            if lines == ALL {
                return Some(ALL);
            }
            let moved = i32::from(lines) << 8 >> (8 - i32::from(by));
            u8::try_from(moved).ok().filter(|moved| moved.count_ones() == lines.count_ones())
        };
        Some(match change {
            Change::Exchange => Self::on(self.content.exchanged(), self.files, self.ranks.reverse_bits()),
            Change::Mirror => Self::on(self.content, self.files.reverse_bits(), self.ranks),
            Change::Shift { files, ranks } => {
                Self::on(self.content, shifted(self.files, files)?, shifted(self.ranks, ranks)?)
            }
        })
    }
}

const SQUARES: &str = "a square, a file, a rank or a range such as d4, d, 4 or a-c4-6";

/// Reads `d4`, `d`, `4` or `a-c4-6`, or nothing: the files and the ranks as bits.
fn read_squares(text: &str) -> Option<(u8, u8)> {
    let mut letters = text.chars().peekable();
    let mut lines = |read: fn(char) -> Option<usize>| {
        let Some(first) = letters.peek().copied().and_then(read) else { return Some(ALL) };
        letters.next();
        if letters.peek() != Some(&'-') {
            return Some(1 << first);
        }
        letters.next();
        let last = letters.next().and_then(read).filter(|&last| last >= first)?;
        Some((first..=last).fold(0, |all: u8, line| all | 1 << line))
    };
    let files = lines(|letter| File::from_letter(letter).map(File::index))?;
    let ranks = lines(|letter| Rank::from_digit(letter).map(Rank::index))?;
    letters.next().is_none().then_some((files, ranks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn found(text: &str) -> String {
        let men = Designator::read(text).expect(text);
        let squares = men.find(Position::start().board()).into_iter();
        squares.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn designators_name_men_on_squares() {
        let cases = [
            ("N", "b1 g1"),
            ("[NBk]", "b1 c1 f1 g1 e8"),
            ("pd", "d7"),
            ("a8", "a8 b8 c8 d8 e8 f8 g8 h8"),
            ("aa8", "a8"),
            ("Aa-c1-2", "a1 b1 c1 a2 b2 c2"),
            ("P3", ""),
            (".d3", "d3"),
            ("?d3", "d3"),
            ("whiteh", "h1 h2"),
            ("blackh7", "h7"),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), expected, "{text}");
        }
        for (wrong, at) in [("", 0), ("x", 0), ("Nn", 1), ("N9", 1), ("[N", 0), ("Na-", 1), ("Nc-a", 1)] {
            assert_eq!(Designator::read(wrong).expect_err(wrong).at, at, "{wrong}");
        }
    }

    #[test]
    fn they_change_with_the_board() {
        let men = |text| Designator::read(text).expect(text);
        let shift = |files, ranks| Change::Shift { files, ranks };
        let cases = [
            ("Nc3", Change::Exchange, Some("nc6")),
            ("Nc3", Change::Mirror, Some("Nf3")),
            ("Nc3", shift(1, -1), Some("Nd2")),
            ("Nc3", shift(-3, 0), None),
            ("Nc", shift(5, 7), Some("Nh")),
            ("N", shift(5, 7), Some("N")),
            ("Pa-c", shift(6, 0), None),
            ("Pa-c", shift(5, 0), Some("Pf-h")),
            ("A6-7", Change::Exchange, Some("a2-3")),
        ];
        for (text, change, expected) in cases {
            assert_eq!(men(text).changed(change), expected.map(men), "{text} {change:?}");
        }
    }
}
