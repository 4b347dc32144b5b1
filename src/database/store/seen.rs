//! Summaries of the games of a segment, which are known without replaying the games: the squares on which pawns have
//! been, and the numbers of remaining men.

use super::code::{Bytes, damage};
use crate::chess::{Bitboard, Color, Position, Role};
use std::io;

/// The summary of the main line of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::database) struct Seen {
    /// The squares on which pawns of each color have been.
    pub pawns: [Bitboard; Color::COUNT],
    /// The number of men of each color at the end.
    pub men: [u8; Color::COUNT],
}

/// The number of bytes of a game.
const GAME_BYTES: usize = Color::COUNT * (size_of::<u64>() + 1);

impl Default for Seen {
    /// The summary of a game without positions.
    fn default() -> Self {
        Self { pawns: [Bitboard::EMPTY; Color::COUNT], men: [0; Color::COUNT] }
    }
}

impl Seen {
    /// Adds the next position.
    pub(super) fn add(&mut self, position: &Position) {
        for color in Color::ALL {
            self.pawns[color] |= position.pieces(color, Role::Pawn);
            self.men[color] = position.color(color).count() as u8;
        }
    }
}

/// Encodes all games, transposed by number, which compresses better.
pub(super) fn write(games: &[Seen]) -> Vec<u8> {
    let mut out = Vec::with_capacity(games.len() * GAME_BYTES);
    for color in Color::ALL {
        games.iter().for_each(|game| out.extend(game.pawns[color].bits().to_le_bytes()));
        out.extend(games.iter().map(|game| game.men[color]));
    }
    out
}

/// Decodes the bytes of [`write`] for this number of games.
pub(super) fn read(bytes: &[u8], games: usize) -> io::Result<Vec<Seen>> {
    if Some(bytes.len()) != games.checked_mul(GAME_BYTES) {
        return Err(damage("games have not been seen"));
    }
    let mut bytes = Bytes(bytes);
    let mut seen = vec![Seen::default(); games];
    for color in Color::ALL {
        for game in &mut seen {
            game.pawns[color] = Bitboard::from_bits(bytes.fixed()?);
        }
        for game in &mut seen {
            game.men[color] = bytes.byte()?;
        }
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_comes_back() {
        let position = Position::start();
        let mut seen = Seen::default();
        seen.add(&position);
        for mv in position.legal_moves() {
            seen.add(&position.after(mv).0);
        }
        assert_eq!(seen.men, [16, 16]);
        assert_eq!([seen.pawns[0].count(), seen.pawns[1].count()], [24, 8]);
        let games = [seen, Seen::default(), seen];
        assert_eq!(read(&write(&games), games.len()).expect("it was written"), games);
        assert!(read(&write(&games), 2).is_err());
    }
}
