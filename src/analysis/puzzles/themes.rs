//! The themes of puzzles, and the lines that have them. Their names are those of lichess's puzzle file
//! (<https://github.com/lichess-org/lila/blob/master/translation/source/puzzleTheme.xml>); what each of
//! them takes is our own definition.

use crate::chess::{Color, Move, Position};
use std::fmt;

/// Declares the themes with their names.
macro_rules! themes {
    ($($(#[$meta:meta])* $variant:ident $name:literal),+ $(,)?) => {
        /// What a puzzle is about.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Theme { $($(#[$meta])* $variant),+ }

        impl Theme {
            /// Every theme, in the order of their names' list.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name in lichess's puzzle file.
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
    /// The solver is at least six pawns ahead in the end.
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
    /// The armies are at home.
    Opening "opening",
    /// Neither opening nor endgame.
    Middlegame "middlegame",
    /// There are at most six pieces but kings and pawns.
    Endgame "endgame",
    /// Kings and pawns.
    PawnEndgame "pawnEndgame",
    /// Knights alone, and pawns.
    KnightEndgame "knightEndgame",
    /// Bishops alone, and pawns.
    BishopEndgame "bishopEndgame",
    /// Rooks alone, and pawns.
    RookEndgame "rookEndgame",
    /// Queens alone, and pawns.
    QueenEndgame "queenEndgame",
    /// Queens and rooks, and pawns.
    QueenRookEndgame "queenRookEndgame",
    /// A pawn of the solver reaches the sixth rank or goes beyond.
    AdvancedPawn "advancedPawn",
    /// The solver promotes.
    Promotion "promotion",
    /// The solver promotes to less than a queen.
    UnderPromotion "underPromotion",
    /// The solver takes in passing.
    EnPassant "enPassant",
    /// The solver castles.
    Castling "castling",
    /// A piece of the solver goes to the square before the king's bishop at home, next to the king.
    AttackingF2F7 "attackingF2F7",
    /// The solver gives check with two pieces.
    DoubleCheck "doubleCheck",
    /// A piece moves away and another one gives check.
    DiscoveredCheck "discoveredCheck",
    /// A piece moves away and another one then takes along its line.
    DiscoveredAttack "discoveredAttack",
    /// A piece attacks two others at once.
    Fork "fork",
    /// A piece cannot fight or flee, since its king stands behind it.
    Pin "pin",
    /// A piece moves out of a line and one behind it is taken.
    Skewer "skewer",
    /// A piece is taken that nothing defended.
    HangingPiece "hangingPiece",
    /// A piece is taken that had nowhere to go.
    TrappedPiece "trappedPiece",
    /// The solver gives up two points of material or more on the way.
    Sacrifice "sacrifice",
    /// A piece is lured away from what it defends.
    Deflection "deflection",
    /// A king or a heavy piece is lured to a square where it is attacked.
    Attraction "attraction",
    /// A defender is taken, then what it defended.
    CapturingDefender "capturingDefender",
    /// A line of defense is interrupted.
    Interference "interference",
    /// A piece makes way for another one.
    Clearance "clearance",
    /// A move comes before a recapture.
    Intermezzo "intermezzo",
    /// A piece attacks through one of the enemy.
    XRayAttack "xRayAttack",
    /// The solver makes a move that neither checks, nor takes, nor threatens to take.
    QuietMove "quietMove",
    /// The opponent would be better off without a move to make.
    Zugzwang "zugzwang",
    /// A heavy piece mates on the back rank, and the king's own pieces keep it there.
    BackRankMate "backRankMate",
    /// A knight mates a king that its own pieces surround.
    SmotheredMate "smotheredMate",
    /// A rook next to a king in the corner mates, and a knight protects it.
    ArabianMate "arabianMate",
    /// A heavy piece mates along the edge, and a knight and a piece of the king's own take its squares.
    AnastasiaMate "anastasiaMate",
    /// Two bishops mate on crossing diagonals.
    BodenMate "bodenMate",
    /// Two bishops mate from the same side.
    DoubleBishopMate "doubleBishopMate",
    /// A queen mates from the next square on a diagonal, and the king's own pieces take the two squares that it leaves.
    DovetailMate "dovetailMate",
}

impl Theme {
    /// The theme of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|theme| theme.name() == name)
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A line with the positions that it leads through. The solver moves first and last.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The positions before and after each move.
    pub positions: Vec<Position>,
    pub moves: Vec<Move>,
    /// The position before, and the move that led to the first.
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

    /// The side that solves.
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

    /// Whether it ends in mate.
    pub(super) fn is_mate(&self) -> bool {
        self.end().is_checkmate()
    }

    /// The number of the solver's moves.
    pub(super) const fn length(&self) -> usize {
        self.moves.len().div_ceil(2)
    }
}
