//! What a move changes on the board, for those who keep sums over pieces.

use super::{Key, Piece, Square};

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

impl Placed {
    /// Pieces times squares.
    pub const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// A number of its own below [`Placed::COUNT`], for tables by piece and square.
    #[inline]
    pub const fn index(self) -> usize {
        self.piece.index() * Square::COUNT + self.square.index()
    }
}

/// The at most four piece changes of a move: a piece leaves its square and appears on
/// another, perhaps as another piece; one is captured, or a rook moves along in castling.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Delta {
    removed: [Option<Placed>; 2],
    added: [Option<Placed>; 2],
}

const _: () = assert!(size_of::<Delta>() == 8);

impl Delta {
    /// No change, as a null move makes.
    pub const NONE: Self = Self { removed: [None; 2], added: [None; 2] };

    /// A piece leaves `from` and `arrives`; `captured` disappears.
    #[inline]
    pub(super) const fn capture(from: Placed, arrives: Placed, captured: Option<Placed>) -> Self {
        Self { removed: [Some(from), captured], added: [Some(arrives), None] }
    }

    /// King and rook change places.
    #[inline]
    pub(super) const fn castle(king: [Placed; 2], rook: [Placed; 2]) -> Self {
        Self { removed: [Some(king[0]), Some(rook[0])], added: [Some(king[1]), Some(rook[1])] }
    }

    /// Pieces that leave their squares, the moving piece first.
    #[inline]
    pub fn removed(&self) -> impl Iterator<Item = Placed> {
        self.removed.into_iter().flatten()
    }

    /// Pieces that appear, the moving piece first.
    #[inline]
    pub fn added(&self) -> impl Iterator<Item = Placed> {
        self.added.into_iter().flatten()
    }

    /// What was captured and where it stood.
    #[inline]
    pub fn captured(&self) -> Option<Placed> {
        match (self.removed[1], self.added[1]) {
            (Some(placed), None) => Some(placed),
            _ => None,
        }
    }

    /// How the change alters the key of the pieces.
    #[inline]
    pub fn key(&self) -> Key {
        let part = |key: Key, placed: Placed| key ^ Key::piece(placed.piece, placed.square);
        self.added().fold(self.removed().fold(Key::default(), part), part)
    }
}
