//! The phases of a game: opening, middlegame and endgame.
//!
//! The bounds are those of lichess (<https://github.com/lichess-org/scalachess>, `Divider`), without its measure of how
//! far the pieces of both sides have mixed: the middlegame starts when pieces have been exchanged or a side has left
//! its first rank, the endgame when few pieces are left.

use crate::chess::{Board, Color, Role};

/// The maximum number of pieces of both sides, without kings and pawns, in a middlegame and in an endgame.
const MIDDLEGAME_PIECES: u32 = 10;
const ENDGAME_PIECES: u32 = 6;
/// A side with fewer pieces on its first rank is developed.
const UNDEVELOPED: u32 = 4;

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Pieces are being developed.
    Opening,
    /// The phase between opening and endgame.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

impl Phase {
    /// All phases, in their order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The name of the phase.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }

    /// The phase of a position, by its pieces alone.
    pub(super) fn of(board: &Board) -> Self {
        let lesser = board.role(Role::King) | board.role(Role::Pawn);
        let pieces = (board.occupied() & !lesser).count();
        let is_developed = |color: Color| {
            let rank = color.back_rank().squares();
            (board.color(color) & rank).count() < UNDEVELOPED
        };
        if pieces <= ENDGAME_PIECES {
            Self::Endgame
        } else if pieces <= MIDDLEGAME_PIECES || Color::ALL.into_iter().any(is_developed) {
            Self::Middlegame
        } else {
            Self::Opening
        }
    }
}

/// The phases of a game position by position; the game never returns to an earlier phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases(Phase);

impl Phases {
    /// Starts with the first position of a game.
    pub fn new(start: &Board) -> Self {
        Self(Phase::of(start))
    }

    /// Adds the next position, and returns its phase.
    pub fn next(&mut self, board: &Board) -> Phase {
        self.0 = self.0.max(Phase::of(board));
        self.0
    }

    /// The phase of the latest position.
    pub const fn now(&self) -> Phase {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::notation::position_from_fen;

    #[test]
    fn positions_have_phases() {
        let cases = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Phase::Opening),
            ("r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9", Phase::Opening),
            ("3rr1k1/pp1b1ppp/1qn1pn2/3p4/3P4/2N1PN2/PPQ1BPPP/3RR1K1 w - - 0 1", Phase::Middlegame),
            ("r2q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1 w - - 0 1", Phase::Endgame),
            ("r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R2Q1RK1 w - - 0 1", Phase::Middlegame),
            ("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", Phase::Endgame),
        ];
        for (fen, expected) in cases {
            assert_eq!(Phase::of(&position_from_fen(fen).expect("it is legal")), expected, "{fen}");
        }
    }

    #[test]
    fn no_phase_returns() {
        let endgame = position_from_fen("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1").expect("it is legal");
        let mut phases = Phases::new(&Position::start());
        assert_eq!(phases.now(), Phase::Opening);
        assert_eq!(phases.next(&endgame), Phase::Endgame);
        assert_eq!(phases.next(&Position::start()), Phase::Endgame);
    }
}
