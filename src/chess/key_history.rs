//! The history of a game's positions, for repetitions, and the cuckoo table that finds upcoming
//! ones.

use super::{Bitboard, Color, Key, Move, MoveKind, Piece, Position, Role, Square, attacks};
use once_cell::sync::Lazy;

/// The keys of a game's positions, the latest last; the player of the game owns them.
///
/// Every position of the game is pushed, including the first one. Only positions since the last irreversible move can
/// be repeated; the halfmove clock of the position is their number.
#[derive(PartialEq, Eq, Default, Debug)]
pub struct KeyHistory {
    keys: Vec<Key>,
    /// The indices, among the keys, of the positions after null moves.
    passes: Vec<usize>,
}

impl Clone for KeyHistory {
    fn clone(&self) -> Self {
        Self { keys: self.keys.clone(), passes: self.passes.clone() }
    }

    /// Copies the keys into the memory that this history has already.
    fn clone_from(&mut self, source: &Self) {
        self.keys.clone_from(&source.keys);
        self.passes.clone_from(&source.passes);
    }
}

impl KeyHistory {
    /// A game that starts with this position.
    pub fn new(start: &Position) -> Self {
        Self { keys: vec![start.key()], passes: Vec::new() }
    }

    /// Adds the position after a move.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Adds the position after a null move. Later positions never repeat earlier ones, since passing is not a legal
    /// move.
    pub fn push_null(&mut self, position: &Position) {
        self.passes.push(self.keys.len());
        self.keys.push(position.key());
    }

    /// Removes the latest position.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
        if self.passes.last() == Some(&self.keys.len()) {
            self.passes.pop();
        }
    }

    /// The number of positions, including the first one.
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys of the positions, the earliest first.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The number of earlier occurrences of the latest position, which must be `position`.
    pub fn repetitions(&self, position: &Position) -> usize {
        self.earlier(position).count()
    }

    /// Whether a search that has played `plies` moves counts the latest position as a draw. One repetition within the
    /// search tree is enough, since the side that can repeat once can repeat again; before the root, two are needed, as
    /// in the rules.
    #[inline(always)]
    pub fn is_repetition(&self, position: &Position, plies: usize) -> bool {
        let mut earlier = self.earlier(position);
        match earlier.next() {
            None => false,
            Some(distance) if distance < plies => true,
            Some(_) => earlier.next().is_some(),
        }
    }

    /// Whether the side to move can repeat a position of the last `plies` moves of the search, and so has at least a
    /// draw. `position` must be the latest one.
    pub fn has_upcoming_repetition(&self, position: &Position, plies: usize) -> bool {
        let latest = self.keys.len() - 1;
        let reversible = self.reversible(position).min(plies.saturating_sub(1)).min(latest);
        // The shortest cycle has three plies and the move in question.
        (3..=reversible).step_by(2).any(|distance| {
            CuckooMove::between(position.key() ^ self.keys[latest - distance]).is_some_and(|found| {
                let [a, b] = found.squares;
                let [from, to] = if position.piece_at(a).is_some() { [a, b] } else { [b, a] };
                position.is_legal(Move::new(from, to, MoveKind::Normal))
            })
        })
    }

    /// The number of plies back from the latest position to the last irreversible move or null
    /// move.
    #[inline]
    fn reversible(&self, position: &Position) -> usize {
        let clock = usize::from(position.halfmove_clock());
        self.passes.last().map_or(clock, |pass| clock.min(self.keys.len() - 1 - pass))
    }

    /// The numbers of plies since earlier occurrences of the latest position, the nearest first.
    fn earlier(&self, position: &Position) -> impl Iterator<Item = usize> {
        let key = position.key();
        let reversible = self.reversible(position);
        debug_assert_eq!(self.keys.last(), Some(&key), "the latest position is the last one pushed");
        // Each side moves every second ply, and the shortest cycle has four plies.
        (4..self.keys.len().min(reversible + 1))
            .step_by(2)
            .filter(move |&distance| self.keys[self.keys.len() - 1 - distance] == key)
    }
}

/// The number of bits of a slot's index.
const SLOT_BITS: u32 = 13;
const SLOTS: usize = 1 << SLOT_BITS;

/// A move of a piece that the same piece could reverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CuckooMove {
    /// The difference of the keys before and after the move.
    key: Key,
    /// The squares between which the piece moves.
    pub squares: [Square; 2],
}

impl CuckooMove {
    /// The move that leads from one of two positions to the other, by the difference of their keys; `None` if no move
    /// does.
    #[inline]
    fn between(difference: Key) -> Option<Self> {
        let table = &**TABLE;
        let found = |slot: usize| table[slot].filter(|entry| entry.key == difference);
        let [first, second] = slots(difference);
        found(first).or_else(|| found(second))
    }
}

/// The two slots in which a move can be.
#[inline]
const fn slots(key: Key) -> [usize; 2] {
    let bits = key.bits() as usize;
    [bits % SLOTS, (bits >> SLOT_BITS) % SLOTS]
}

/// The cuckoo table. Each move is in one of its two slots: a move whose slot is taken displaces the other move to that
/// one's second slot (Pagh, Rodler 2001, "Cuckoo Hashing").
static TABLE: Lazy<Box<[Option<CuckooMove>]>> = Lazy::new(|| {
    let mut table = vec![None; SLOTS].into_boxed_slice();
    for entry in all() {
        let mut homeless = entry;
        let mut slot = slots(homeless.key)[0];
        while let Some(other) = table[slot].replace(homeless) {
            homeless = other;
            let [first, second] = slots(homeless.key);
            slot = if slot == first { second } else { first };
        }
    }
    table
});

fn all() -> impl Iterator<Item = CuckooMove> {
    let pieces = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece::new(color, role)));
    pieces.filter(|piece| piece.role() != Role::Pawn).flat_map(|piece| {
        Square::ALL.into_iter().flat_map(move |from| {
            let targets = attacks::attacks(piece.role(), piece.color(), from, Bitboard::EMPTY);
            targets.into_iter().filter(move |&to| from < to).map(move |to| CuckooMove {
                key: Key::piece(piece, from) ^ Key::piece(piece, to) ^ Key::turn(Color::Black),
                squares: [from, to],
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;

    // Repetitions

    /// Knight moves after which the initial position is repeated.
    const SHUFFLE: [(Square, Square); 4] = [
        (Square::B1, Square::C3),
        (Square::B8, Square::C6),
        (Square::C3, Square::B1),
        (Square::C6, Square::B8),
    ];

    #[test]
    fn nothing_is_repeated_across_a_null_move() {
        let there_and_back = [(Square::B1, Square::C3), (Square::C3, Square::B1)];
        let mut position = Position::start();
        let mut line = KeyHistory::new(&position);
        // White moves back and forth, Black passes twice.
        for (from, to) in there_and_back {
            position = position.play(Move::new(from, to, MoveKind::Normal)).expect("a legal move");
            line.push(&position);
            assert!(!line.has_upcoming_repetition(&position, line.len()));
            position = position.after_null();
            line.push_null(&position);
            assert!(
                !line.is_repetition(&position, line.len())
                    && !line.has_upcoming_repetition(&position, line.len())
            );
        }
        assert_eq!(position.key(), Position::start().key());
        assert_eq!(line.repetitions(&position), 0);
        // Four moves later the position after the null move is repeated.
        for (from, to) in SHUFFLE {
            position = position.play(Move::new(from, to, MoveKind::Normal)).expect("a legal move");
            line.push(&position);
        }
        assert_eq!(line.repetitions(&position), 1);
        for _ in 0..8 {
            line.pop();
        }
        assert_eq!(line, KeyHistory::new(&Position::start()));
    }

    #[test]
    fn one_return_in_the_tree_is_enough_and_two_before_the_root() {
        let mut position = Position::start();
        let mut line = KeyHistory::new(&position);
        for (from, to) in SHUFFLE.into_iter().cycle().take(8) {
            position = position.play(Move::new(from, to, MoveKind::Normal)).expect("a legal move");
            line.push(&position);
            let plies = line.len() - 1;
            // Seen from a root before the first move, from this position, and from two plies ago.
            assert_eq!(line.is_repetition(&position, plies + 1), plies >= 4, "{plies}");
            assert_eq!(line.is_repetition(&position, 0), plies >= 8, "{plies}");
            assert_eq!(line.is_repetition(&position, 2), plies >= 8, "{plies}");
        }
    }

    // Cuckoo table

    /// The number of moves of a knight, bishop, rook, queen or king on an empty board, for both sides, with both
    /// directions of a move counted once.
    const MOVES: usize = 3668;

    #[test]
    fn every_move_is_found_and_nothing_else() {
        assert_eq!(all().count(), MOVES);
        assert_eq!(TABLE.iter().flatten().count(), MOVES);
        for entry in all() {
            assert_eq!(CuckooMove::between(entry.key), Some(entry));
            assert_eq!(CuckooMove::between(entry.key ^ Key::turn(Color::Black)), None);
        }
    }
}
