//! The themes of puzzles, and the lines that have them. Their names are those of lichess's puzzle file
//! (<https://github.com/lichess-org/lila/blob/master/translation/source/puzzleTheme.xml>); the exact definitions are
//! Hematite's.

use crate::chess::{Color, Move, Position};
use std::fmt;

/// Declares the themes with their names.
macro_rules! themes {
    ($($(#[$meta:meta])* $variant:ident $name:literal),+ $(,)?) => {
        /// A theme of a puzzle.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Theme { $($(#[$meta])* $variant),+ }

        impl Theme {
            /// All themes, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in lichess's puzzle file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

themes! {
    /// The line ends in mate.
    Mate "mate",
    /// Mate in one move.
    MateIn1 "mateIn1",
    /// Mate in two moves.
    MateIn2 "mateIn2",
    /// Mate in three moves.
    MateIn3 "mateIn3",
    /// Mate in four moves.
    MateIn4 "mateIn4",
    /// Mate in five moves or more.
    MateIn5 "mateIn5",
    /// The solver is at least six pawns ahead at the end.
    Crushing "crushing",
    /// The solver is ahead, but less.
    Advantage "advantage",
    /// The solver has one move.
    OneMove "oneMove",
    /// The solver has two moves.
    Short "short",
    /// The solver has three moves.
    Long "long",
    /// The solver has four moves or more.
    VeryLong "veryLong",
    /// The pieces are not developed yet.
    Opening "opening",
    /// The phase between opening and endgame.
    Middlegame "middlegame",
    /// There are at most six pieces other than kings and pawns.
    Endgame "endgame",
    /// There are only kings and pawns.
    PawnEndgame "pawnEndgame",
    /// The only pieces are knights.
    KnightEndgame "knightEndgame",
    /// The only pieces are bishops.
    BishopEndgame "bishopEndgame",
    /// The only pieces are rooks.
    RookEndgame "rookEndgame",
    /// The only pieces are queens.
    QueenEndgame "queenEndgame",
    /// The only pieces are queens and rooks.
    QueenRookEndgame "queenRookEndgame",
    /// A pawn of the solver reaches the sixth rank or advances beyond it.
    AdvancedPawn "advancedPawn",
    /// The solver promotes.
    Promotion "promotion",
    /// The solver underpromotes.
    UnderPromotion "underPromotion",
    /// The solver captures en passant.
    EnPassant "enPassant",
    /// The solver castles.
    Castling "castling",
    /// A piece of the solver moves to the square in front of the king's bishop's initial square, next to the king.
    AttackingF2F7 "attackingF2F7",
    /// The solver gives check with two pieces.
    DoubleCheck "doubleCheck",
    /// A piece moves away and another one gives check.
    DiscoveredCheck "discoveredCheck",
    /// A piece moves away and another one then captures along the opened line.
    DiscoveredAttack "discoveredAttack",
    /// A piece attacks two others at once.
    Fork "fork",
    /// A piece cannot capture or move away, since its king is behind it.
    Pin "pin",
    /// A piece moves off a line, and one behind it is captured.
    Skewer "skewer",
    /// An undefended piece is captured.
    HangingPiece "hangingPiece",
    /// A piece is captured that had no safe square.
    TrappedPiece "trappedPiece",
    /// The solver gives up material worth at least two pawns within the line.
    Sacrifice "sacrifice",
    /// A defender is lured away.
    Deflection "deflection",
    /// A king, queen or rook is lured to a square where it is attacked.
    Attraction "attraction",
    /// A defender is captured, then the piece that it defended.
    CapturingDefender "capturingDefender",
    /// A line of defense is interrupted.
    Interference "interference",
    /// A piece makes way for another one.
    Clearance "clearance",
    /// An intermediate move comes before a recapture.
    Intermezzo "intermezzo",
    /// A piece attacks through a piece of the opponent.
    XRayAttack "xRayAttack",
    /// The solver makes a move that neither checks nor captures nor threatens to capture.
    QuietMove "quietMove",
    /// The opponent would be better off if it could pass.
    Zugzwang "zugzwang",
    /// A queen or rook mates on the back rank, and the king's own pieces keep it there.
    BackRankMate "backRankMate",
    /// A knight mates a king that is surrounded by its own pieces.
    SmotheredMate "smotheredMate",
    /// A rook next to a king in the corner mates, and a knight protects it.
    ArabianMate "arabianMate",
    /// A queen or rook mates along the edge, and a knight and a piece of the king's own side take its squares.
    AnastasiaMate "anastasiaMate",
    /// Two bishops mate on crossing diagonals.
    BodenMate "bodenMate",
    /// Two bishops mate from the same side.
    DoubleBishopMate "doubleBishopMate",
    /// A queen mates from a diagonally adjacent square, and the king's own pieces occupy the two squares that it does
    /// not attack.
    DovetailMate "dovetailMate",
}

impl Theme {
    /// The theme with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|theme| theme.name() == name)
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A line with its positions. The solver makes the first and the last move.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The positions before and after each move.
    pub positions: Vec<Position>,
    pub moves: Vec<Move>,
    /// The position before the start, and the move that led to the start.
    pub lead: Option<(Position, Move)>,
}

impl Line {
    /// The line from this position; `None` if a move is not legal.
    pub(super) fn new(start: Position, lead: Option<(Position, Move)>, moves: &[Move]) -> Option<Self> {
        let mut positions = vec![start];
        for &mv in moves {
            positions.push(positions.last()?.play(mv).ok()?);
        }
        Some(Self { positions, moves: moves.to_vec(), lead })
    }

    /// The side of the solver.
    pub(super) fn solver(&self) -> Color {
        self.positions[0].turn()
    }

    /// The indices of the solver's moves.
    pub(super) fn solver_plies(&self) -> impl Iterator<Item = usize> {
        (0..self.moves.len()).step_by(2)
    }

    /// The last position.
    pub(super) fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// Whether the line ends in checkmate.
    pub(super) fn is_mate(&self) -> bool {
        self.end().is_checkmate()
    }

    /// The number of the solver's moves.
    pub(super) const fn length(&self) -> usize {
        self.moves.len().div_ceil(2)
    }
}
