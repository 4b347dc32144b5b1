//! Setups: descriptions of positions, before they are checked for being chess positions.

use super::{Color, File, Piece, Rank, Role, Square};
use std::fmt;

/// The side of the board on which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// Toward the h-file: the king ends on the g-file, the rook on the f-file.
    King,
    /// Toward the a-file: the king ends on the c-file, the rook on the d-file.
    Queen,
}

impl CastlingSide {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The file of the castled king.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    /// The file of the castled rook.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }

    /// The side to which a king castles with this rook.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 { Self::King } else { Self::Queen }
    }

    /// The squares of king and rook after castling, on this rank.
    #[inline(always)]
    pub const fn castled(self, rank: Rank) -> [Square; 2] {
        [Square::new(self.king_file(), rank), Square::new(self.rook_file(), rank)]
    }
}

/// One castling right as a text may state it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingRight {
    /// With the outermost rook of a side: `KQkq` in a FEN.
    Outermost(Color, CastlingSide),
    /// With the rook on a file: `AHah` in a Shredder-FEN.
    WithRookOn(Color, File),
}

impl CastlingRight {
    /// The side with the right.
    pub const fn color(self) -> Color {
        match self {
            Self::Outermost(color, _) | Self::WithRookOn(color, _) => color,
        }
    }

    /// The squares on which the rook may be, for a message.
    fn rook_place(self) -> String {
        let rank = self.color().back_rank();
        match self {
            Self::Outermost(_, CastlingSide::King) => format!("rank {rank} on the h-file side of the king"),
            Self::Outermost(_, CastlingSide::Queen) => format!("rank {rank} on the a-file side of the king"),
            Self::WithRookOn(_, file) => format!("{file}{rank}"),
        }
    }
}

impl CastlingRight {
    /// The letter of the right in a FEN.
    pub const fn letter(self) -> char {
        let letter = match self {
            Self::Outermost(_, CastlingSide::King) => 'k',
            Self::Outermost(_, CastlingSide::Queen) => 'q',
            Self::WithRookOn(_, file) => file.letter(),
        };
        match self.color() {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }
}

impl fmt::Display for CastlingRight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// All that a FEN can state, unchecked. `Position::try_from` checks it and reports every problem;
/// `Setup::from(&position)` converts a position back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square.
    pub pieces: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
    /// The castling rights, in the order in which they were stated.
    pub castling: Vec<CastlingRight>,
    /// The square that a pawn passed in the last move, whether it can be captured or not.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the full move to be played, counted from 1.
    pub fullmove_number: u16,
}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Self = Self {
        pieces: [None; Square::COUNT],
        turn: Color::White,
        castling: Vec::new(),
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The initial position.
    pub fn start() -> Self {
        Self::chess960([
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ])
    }

    /// The initial position with these roles on both back ranks, a-file first.
    pub fn chess960(back_rank: [Role; File::COUNT]) -> Self {
        Self::double_chess960(back_rank, back_rank)
    }

    /// The initial position with these roles on White's and on Black's back rank, a-file first.
    pub fn double_chess960(white: [Role; File::COUNT], black: [Role; File::COUNT]) -> Self {
        let mut setup = Self::EMPTY;
        for (color, back_rank) in [(Color::White, white), (Color::Black, black)] {
            for file in File::ALL {
                let on = |rank| Square::new(file, color.relative(rank)).index();
                setup.pieces[on(super::Rank::First)] = Some(Piece::new(color, back_rank[file]));
                setup.pieces[on(super::Rank::Second)] = Some(Piece::new(color, Role::Pawn));
            }
            setup.castling.extend(CastlingSide::ALL.map(|side| CastlingRight::Outermost(color, side)));
        }
        setup
    }
}

/// A reason why a [`Setup`] is not a chess position. Each text states the FEN field, the text found and the text
/// expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// A side has no king or several.
    #[error("piece placement: {} has {count} kings, expected 1", .color.name())]
    Kings {
        /// The side.
        color: Color,
        /// The number of kings.
        count: u32,
    },
    /// A pawn is on the first or the last rank.
    #[error("piece placement: a pawn on {0}, expected pawns on ranks 2 to 7 only")]
    PawnOnBackRank(Square),
    /// A side has more than sixteen pieces.
    #[error("piece placement: {} has {count} pieces, expected at most 16", .color.name())]
    TooManyPieces {
        /// The side.
        color: Color,
        /// The number of pieces.
        count: u32,
    },
    /// A side has more than eight pawns.
    #[error("piece placement: {} has {count} pawns, expected at most 8", .color.name())]
    TooManyPawns {
        /// The side.
        color: Color,
        /// The number of pawns.
        count: u32,
    },
    /// The side that has just moved is in check.
    #[error(
        "side to move: {} is in check from {checker}, but it is {}'s move; expected the side in check to move",
        .color.name(),
        (!*.color).name()
    )]
    OpponentInCheck {
        /// The side in check, although the other side is to move.
        color: Color,
        /// A piece that gives check.
        checker: Square,
    },
    /// More than two pieces give check, which no move can cause.
    #[error("side to move: {count} pieces give check, expected at most 2")]
    TooManyCheckers {
        /// The number of checking pieces.
        count: u32,
    },
    /// A castling right is stated, but the king is not on its back rank.
    #[error(
        "castling rights: `{}`, but {}'s king is not on rank {}",
        .0,
        .0.color().name(),
        .0.color().back_rank()
    )]
    CastlingKing(CastlingRight),
    /// A castling right is stated, but its rook is missing.
    #[error("castling rights: `{}`, but {} has no rook on {}", .0, .0.color().name(), .0.rook_place())]
    CastlingRook(CastlingRight),
    /// Two castling rights on the same side of the king are stated.
    #[error("castling rights: `{0}`, but another right on the same side of the king is stated already")]
    CastlingTwice(CastlingRight),
    /// The en passant square is not on the third rank of the side that has just moved.
    #[error("en passant square: {0}, expected a square on rank 6 (White to move) or 3 (Black to move)")]
    EnPassantRank(Square),
    /// There is no pawn in front of the en passant square, where the double step ended.
    #[error("en passant square: {target}, but no pawn that has just made a double step is on {pawn}")]
    EnPassantPawn {
        /// The en passant square.
        target: Square,
        /// The square where the pawn should be.
        pawn: Square,
    },
    /// The en passant square or the square from which the pawn came is occupied.
    #[error("en passant square: {target}, but {by}, which the pawn has passed, is occupied")]
    EnPassantBlocked {
        /// The en passant square.
        target: Square,
        /// The occupied square.
        by: Square,
    },
    /// A check that cannot result from the double pawn step.
    #[error("en passant square: {0}, but the check given cannot come from that double step")]
    EnPassantCheck(Square),
    /// The full-move number is zero.
    #[error("full-move number: 0, expected 1 or more")]
    FullmoveNumber,
}

impl Problem {
    /// The name of the FEN field that the problem concerns.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Kings { .. }
            | Self::PawnOnBackRank(_)
            | Self::TooManyPieces { .. }
            | Self::TooManyPawns { .. } => "piece placement",
            Self::OpponentInCheck { .. } | Self::TooManyCheckers { .. } => "side to move",
            Self::CastlingKing(_) | Self::CastlingRook(_) | Self::CastlingTwice(_) => "castling rights",
            Self::EnPassantRank(_)
            | Self::EnPassantPawn { .. }
            | Self::EnPassantBlocked { .. }
            | Self::EnPassantCheck(_) => "en passant square",
            Self::FullmoveNumber => "full-move number",
        }
    }
}
