//! Piece letters of other languages.

use crate::chess::Role;
use std::fmt;

/// The letters of the pieces in one language: one row of the table of section 17.
///
/// Files are exchanged in English; the others are for reading other texts, and for showing moves to
/// people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceLetters {
    name: &'static str,
    /// In the order of the standard: pawn, knight, bishop, rook, queen, king.
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

    /// The role that has this letter, in upper case, or this figurine of either color.
    pub fn role(&self, letter: char) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.letters[role] == letter).or_else(|| role_of_figurine(letter))
    }
}

/// The role of a figurine, as of the white ones as of the black ones.
fn role_of_figurine(figurine: char) -> Option<Role> {
    /// King, queen, rook, bishop, knight, pawn, as Unicode has them, first White's, then Black's.
    const FIRST: char = '♔';
    let index = (figurine as usize).checked_sub(FIRST as usize)?;
    (index < 2 * Role::COUNT).then(|| Role::ALL[Role::COUNT - 1 - index % Role::COUNT])
}

impl Default for PieceLetters {
    /// English.
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
