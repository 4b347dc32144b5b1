//! Writing moves, and the piece letters of languages.

use crate::chess::{FindMove, Move, MoveKind, Position, Role, attacks};
use crate::notation::word::Word;
use arrayvec::ArrayString;
use std::fmt;

/// The capacity of the text of a move, in bytes: `e7xd8=♕#` and `♘b1xd2#` take ten and nine.
const MAX_BYTES: usize = 12;

/// The text of a move, without allocation.
pub type SanText = ArrayString<MAX_BYTES>;

/// A legal move of a position, to be written in algebraic notation.
///
/// ```
/// use hematite_core::notation::{PieceLetters, San, parse_san, position_from_fen};
/// let position = position_from_fen("6k1/3n1pp1/8/8/7Q/5N2/8/1N4K1 w - - 0 1").unwrap();
/// let mv = parse_san("nbd2", &position).unwrap().mv().unwrap();
/// let san = San::new(&position, mv);
/// assert_eq!(san.to_string(), "Nbd2");
/// assert_eq!(san.long().to_string(), "Nb1-d2");
/// assert_eq!(san.letters(PieceLetters::FIGURINES).to_string(), "♘bd2");
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct San<'a> {
    position: &'a Position,
    mv: Move,
    letters: PieceLetters,
    is_long: bool,
}

impl<'a> San<'a> {
    /// The canonical form: the origin is written only as far as other legal moves make it necessary; a check has the
    /// suffix `+` and mate `#`. The move must be legal in the position.
    pub const fn new(position: &'a Position, mv: Move) -> Self {
        Self { position, mv, letters: PieceLetters::ENGLISH, is_long: false }
    }

    /// The long algebraic form: `Ng1-f3`, `e5xd6`, `e7-e8=Q+`.
    pub const fn long(self) -> Self {
        Self { is_long: true, ..self }
    }

    /// The form with the letters of another language or with figurines.
    pub const fn letters(self, letters: PieceLetters) -> Self {
        Self { letters, ..self }
    }

    /// The text of the move.
    ///
    /// # Panics
    /// If there is no piece on the origin. Other illegal moves result in a meaningless text.
    pub fn text(&self) -> SanText {
        self.played().0
    }

    /// The text of the move, and the position after it.
    ///
    /// # Panics
    /// If there is no piece on the origin.
    pub fn played(&self) -> (SanText, Position) {
        let (after, _) = self.position.after(self.mv);
        (self.text_for(&after), after)
    }

    /// The text of the move, if the position after it is already known.
    ///
    /// # Panics
    /// If there is no piece on the origin.
    pub fn text_for(&self, after: &Position) -> SanText {
        let mut text = SanText::new();
        for letter in self.word_for(after).into_bytes().map(char::from) {
            let role = if letter.is_ascii_uppercase() { PieceLetters::ENGLISH.role(letter) } else { None };
            text.push(role.map_or(letter, |role| self.letters.letter(role)));
        }
        text
    }

    /// The text with English letters, if the position after the move is already known. Only long texts can have more
    /// than seven bytes.
    #[inline(always)]
    pub(in crate::notation) fn word_for(&self, after: &Position) -> Word {
        with_sign(self.word_without_sign(), after.is_check(), || is_mate(after))
    }

    /// The text with English letters, without the sign of a check or mate.
    #[inline(always)]
    pub(in crate::notation) fn word_without_sign(&self) -> Word {
        word_without_sign(self.position.board(), self.mv, self.is_long)
    }

    /// Whether [`Self::text_for`] is equal to this text, from which this move was read.
    ///
    /// Facts that the reader has already found are not tested again: if the text states no origin, no other piece of
    /// the same role can make the move.
    #[inline]
    pub fn is_text(&self, text: &[u8], after: &Position) -> bool {
        let has_right_sign = has_right_sign(text, after.is_check(), || is_mate(after));
        let core = match text {
            [core @ .., b'+' | b'#'] => core,
            _ => text,
        };
        /// The shortest move of a piece; it has one more byte if it captures.
        const PIECE_MOVE: &str = "Nf3";
        // A piece captures only on an occupied square. A pawn may capture on an empty one, but has no letter.
        let is_piece = |letter: u8, captures: bool| {
            let role = self.position.role_at(self.mv.from()).filter(|&role| role != Role::Pawn);
            role.is_some_and(|role| self.letters.letter(role) == char::from(letter))
                && self.position.occupied().contains(self.mv.to()) == captures
        };
        match *core {
            [letter @ b'A'..=b'Z', b'a'..=b'h', b'1'..=b'8']
            | [letter @ b'A'..=b'Z', b'x', b'a'..=b'h', b'1'..=b'8'] => {
                has_right_sign && is_piece(letter, core.len() > PIECE_MOVE.len())
            }
            // Captures by pawns are also read without their file.
            [b'a'..=b'h', b'1'..=b'8'] => has_right_sign && self.mv.from().file() == self.mv.to().file(),
            // The letter of a bishop is also read in lower case.
            [b'a'..=b'h', b'x', b'a'..=b'h', b'1'..=b'8'] => {
                has_right_sign && self.position.role_at(self.mv.from()) == Some(Role::Pawn)
            }
            [b'O', b'-', b'O'] | [b'O', b'-', b'O', b'-', b'O'] => has_right_sign,
            _ => self.text_for(after).as_bytes() == text,
        }
    }
}

/// The text of a legal move with English letters, without the sign of a check or mate.
#[inline(always)]
pub(in crate::notation) fn word_without_sign(board: &impl FindMove, mv: Move, is_long: bool) -> Word {
    let (from, to) = (mv.from(), mv.to());
    if mv.is_castle() {
        let text = Word::EMPTY.with(b'O').with(b'-').with(b'O');
        return if to > from { text } else { text.with(b'-').with(b'O') };
    }
    let role = board.role_at(from).expect("a legal move starts from a piece");
    let captures = board.occupied().contains(to) || mv.kind() == MoveKind::EnPassant;
    let (shows_file, shows_rank) =
        if is_long { (true, true) } else { shown_origin(board, mv, role, captures) };
    let text = Word::EMPTY
        .with_if(role != Role::Pawn, english_letter(role))
        .with_if(shows_file, from.file().letter() as u8)
        .with_if(shows_rank, from.rank().digit() as u8)
        .with_if(captures || is_long, if captures { b'x' } else { b'-' })
        .with(to.file().letter() as u8)
        .with(to.rank().digit() as u8);
    match mv.promotion() {
        Some(promoted) if role == Role::Pawn => text.with(b'=').with(english_letter(promoted)),
        _ => text,
    }
}

/// Whether the file and the rank of the origin are written.
#[inline(always)]
fn shown_origin(board: &impl FindMove, mv: Move, role: Role, captures: bool) -> (bool, bool) {
    let (from, to) = (mv.from(), mv.to());
    // Most often no other piece of the role is on a line with the target, which is found out much faster.
    let others = board.ours(role) - from;
    if !others.intersects(attacks::on_empty_board(role, to)) {
        return (role == Role::Pawn && captures, false);
    }
    let rivals = board.origins(role, to) - from;
    let shares_file = rivals.intersects(from.file().squares());
    let shares_rank = rivals.intersects(from.rank().squares());
    // The file is preferred, then the rank, and then both.
    (!rivals.is_empty() && (!shares_file || shares_rank), shares_file)
}

/// The English letter of a role, in upper case.
#[inline(always)]
fn english_letter(role: Role) -> u8 {
    PieceLetters::ENGLISH.letter(role) as u8
}

/// The text of a move with the sign of a check or mate if it is one.
#[inline(always)]
pub(in crate::notation) fn with_sign(text: Word, is_check: bool, is_mate: impl FnOnce() -> bool) -> Word {
    if is_check { text.with(if is_mate() { b'#' } else { b'+' }) } else { text }
}

/// Whether the text of a move has the sign of a check or mate if it is one, and no sign otherwise.
#[inline]
pub(in crate::notation) fn has_right_sign(
    text: &[u8],
    is_check: bool,
    is_mate: impl FnOnce() -> bool,
) -> bool {
    match text {
        [.., b'+'] => is_check && !is_mate(),
        [.., b'#'] => is_check && is_mate(),
        _ => !is_check,
    }
}

/// Whether a check is mate. Only few moves give check, and the test is long.
#[inline(never)]
fn is_mate(after: &Position) -> bool {
    !after.has_legal_moves()
}

impl fmt::Display for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

/// The letters of the pieces in one language: one row of the table of section 17.
///
/// Files are exchanged with English letters; the other languages are for reading other texts, and for displaying moves
/// to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceLetters {
    name: &'static str,
    /// The letters in the order of the standard: pawn, knight, bishop, rook, queen, king.
    letters: [char; Role::COUNT],
}

impl PieceLetters {
    /// The letters of PGN.
    pub const ENGLISH: Self = Self::new("English", ['P', 'N', 'B', 'R', 'Q', 'K']);
    /// The letters of German.
    pub const GERMAN: Self = Self::new("German", ['B', 'S', 'L', 'T', 'D', 'K']);
    /// Figurines, the same for both sides: ♘f3.
    pub const FIGURINES: Self = Self::new("figurines", ['♙', '♘', '♗', '♖', '♕', '♔']);

    /// The languages of section 17, in its order.
    pub const LANGUAGES: [Self; 17] = [
        Self::new("Czech", ['P', 'J', 'S', 'V', 'D', 'K']),
        Self::new("Danish", ['B', 'S', 'L', 'T', 'D', 'K']),
        Self::new("Dutch", ['O', 'P', 'L', 'T', 'D', 'K']),
        Self::ENGLISH,
        Self::new("Estonian", ['P', 'R', 'O', 'V', 'L', 'K']),
        Self::new("Finnish", ['P', 'R', 'L', 'T', 'D', 'K']),
        Self::new("French", ['P', 'C', 'F', 'T', 'D', 'R']),
        Self::GERMAN,
        Self::new("Hungarian", ['G', 'H', 'F', 'B', 'V', 'K']),
        Self::new("Icelandic", ['P', 'R', 'B', 'H', 'D', 'K']),
        Self::new("Italian", ['P', 'C', 'A', 'T', 'D', 'R']),
        Self::new("Norwegian", ['B', 'S', 'L', 'T', 'D', 'K']),
        Self::new("Polish", ['P', 'S', 'G', 'W', 'H', 'K']),
        Self::new("Portuguese", ['P', 'C', 'B', 'T', 'D', 'R']),
        Self::new("Romanian", ['P', 'C', 'N', 'T', 'D', 'R']),
        Self::new("Spanish", ['P', 'C', 'A', 'T', 'D', 'R']),
        Self::new("Swedish", ['B', 'S', 'L', 'T', 'D', 'K']),
    ];

    const fn new(name: &'static str, letters: [char; Role::COUNT]) -> Self {
        Self { name, letters }
    }

    /// The letters of the language with this English name, in any case.
    pub fn of_language(name: &str) -> Option<Self> {
        Self::LANGUAGES.into_iter().find(|letters| letters.name.eq_ignore_ascii_case(name))
    }

    /// The English name of the language.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The letter of a role, in upper case.
    #[inline]
    pub fn letter(&self, role: Role) -> char {
        self.letters[role]
    }

    /// The role with this letter, in upper case, or with this figurine of either color.
    pub fn role(&self, letter: char) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.letters[role] == letter).or_else(|| role_of_figurine(letter))
    }
}

/// The role of a figurine, white or black.
fn role_of_figurine(figurine: char) -> Option<Role> {
    /// The first figurine. Unicode orders them king, queen, rook, bishop, knight, pawn, first White's, then Black's.
    const FIRST: char = '♔';
    let index = (figurine as usize).checked_sub(FIRST as usize)?;
    (index < 2 * Role::COUNT).then(|| Role::ALL[Role::COUNT - 1 - index % Role::COUNT])
}

impl Default for PieceLetters {
    /// The English letters.
    fn default() -> Self {
        Self::ENGLISH
    }
}

impl fmt::Display for PieceLetters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Placement;
    use crate::notation::{CastlingStyle, SanMove, SanReader, UciMove};

    #[test]
    fn a_text_that_has_been_read_is_canonical_or_not() {
        /// Makes the choice of moves pseudorandom.
        const PRIME: usize = 7919;
        let reader = SanReader::default();
        let has_origin =
            |core: &str| core.starts_with(['N', 'B', 'R', 'Q']) && core.replace('x', "").len() > "Nf3".len();
        let mut counts = [0; 2];
        let mut position = Position::start();
        for ply in 0..400 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.occupied().count() < 5 {
                position = Position::start();
                continue;
            }
            for &mv in &moves {
                let san = San::new(&position, mv);
                let (expected, after) = san.played();
                let core = expected.trim_end_matches(['+', '#']);
                let mut texts = vec![
                    expected.to_string(),
                    UciMove::new(mv, CastlingStyle::Standard).to_string(),
                    format!("{core}+"),
                    format!("{core}#"),
                    format!("P{core}"),
                    core.to_owned(),
                    core.replace('x', ""),
                    san.long().to_string(),
                    core.replace('=', ""),
                    core.replace('O', "0"),
                    core.to_lowercase(),
                ];
                // With another origin, with only a part of it, and as a capture although nothing is captured.
                if core.len() > 2 {
                    texts.push(format!("{}x{}", &core[..1], &core[1..]));
                    texts.push(core[1..].to_owned());
                    texts.push(format!("{}{}{}", &core[..1], mv.from(), &core[1..]));
                    texts.push(format!("{}{}{}", &core[..1], mv.from().file().letter(), &core[1..]));
                }
                for text in texts {
                    let quick = reader.read_quickly(text.as_bytes(), position.board());
                    let placement = Placement::of(&position);
                    assert_eq!(reader.read_quickly(text.as_bytes(), &placement), quick, "{text}");
                    if reader.read(text.as_bytes(), &position) == Ok(SanMove::Move(mv)) {
                        let is_canonical = quick.is_some_and(|found| found.is_canonical);
                        let is_text = san.is_text(text.as_bytes(), &after);
                        assert_eq!(is_text, *text == *expected, "{text} for {expected}");
                        let has_right_core = text.trim_end_matches(['+', '#']) == core;
                        assert!(has_right_core || !is_canonical, "{text} for {expected}");
                        // Whether an origin is needed is found only when the move is written.
                        assert!(is_canonical || *text != *expected || has_origin(core), "{text}");
                        counts[usize::from(is_text)] += 1;
                    }
                }
            }
            position = position.after(moves[ply * PRIME % moves.len()]).0;
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    }

    #[test]
    fn every_letter_means_one_role() {
        for letters in PieceLetters::LANGUAGES.into_iter().chain([PieceLetters::FIGURINES]) {
            for role in Role::ALL {
                assert_eq!(letters.role(letters.letter(role)), Some(role), "{letters}: {}", role.name());
                assert_eq!(letters.role(PieceLetters::FIGURINES.letter(role)), Some(role), "{letters}");
            }
        }
        assert_eq!(PieceLetters::ENGLISH.role('♚'), Some(Role::King));
        assert_eq!(PieceLetters::ENGLISH.role('♟'), Some(Role::Pawn));
        assert_eq!(PieceLetters::ENGLISH.role('☓'), None);
        assert_eq!(PieceLetters::ENGLISH.role('n'), None);
        assert_eq!(PieceLetters::of_language("german"), Some(PieceLetters::GERMAN));
        assert_eq!(PieceLetters::of_language("Klingon"), None);
    }
}
