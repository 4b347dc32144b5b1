//! Material and space of a side, by the counts that players commonly use.

use super::{Bitboard, Board, Color, Rank, Role};

impl Role {
    /// The conventional value of a piece, in pawns (<https://www.chessprogramming.org/Point_Value>). A king counts
    /// zero, since it is never exchanged.
    pub const fn points(self) -> u32 {
        match self {
            Self::Pawn => 1,
            Self::Knight | Self::Bishop => 3,
            Self::Rook => 5,
            Self::Queen => 9,
            Self::King => 0,
        }
    }
}

impl Board {
    /// The sum of the conventional values of a side's pieces, in pawns.
    pub fn material(&self, color: Color) -> u32 {
        Role::ALL.into_iter().map(|role| role.points() * self.pieces(color, role).count()).sum()
    }

    /// The number of squares in the opponent's half of the board that a side attacks, occupied or not, each counted
    /// once (<https://www.chessprogramming.org/Space>).
    pub fn space(&self, color: Color) -> u32 {
        let half: Bitboard =
            Rank::ALL[4..].iter().fold(Bitboard::EMPTY, |half, &rank| half | color.relative(rank).squares());
        (self.attacked_by(color) & half).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Position, Setup};
    use super::*;

    #[test]
    fn material_and_space_of_the_initial_position() {
        let start = Position::start();
        for color in Color::ALL {
            assert_eq!((start.material(color), start.space(color)), (39, 0), "{color:?}");
        }
        assert_eq!(Setup::start().board().material(Color::White), 39);
    }

    #[test]
    fn space_is_what_is_attacked_beyond_the_middle() {
        let after = |moves: &[&str]| {
            moves.iter().fold(Position::start(), |position, uci| {
                let legal = position.legal_moves();
                let mv = legal.iter().find(|mv| format!("{}{}", mv.from(), mv.to()) == *uci);
                position.after(*mv.expect("it is legal")).0
            })
        };
        // The pawn: d5 and f5. The queen: h5. The bishop: b5 and a6.
        assert_eq!(after(&["e2e4"]).space(Color::White), 5);
        // The knight on f3 attacks e5 and g5, and takes h5 from the queen; each square counts once.
        let played = after(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!((played.space(Color::White), played.space(Color::Black)), (6, 5 + 1 - 1));
    }
}
