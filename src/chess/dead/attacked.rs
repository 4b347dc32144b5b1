//! What the side attacks that is to mate.

use crate::chess::attacks::{bishop, king, knight, queen, rook};
use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Role};

/// The squares that the winner attacks with the other king out of the way, who does not hide the squares behind him.
#[derive(Clone, Copy)]
pub(super) struct Attacked {
    /// By one man or more.
    pub(super) once: Bitboard,
    /// By several men.
    pub(super) twice: Bitboard,
}

impl Attacked {
    /// What this side attacks.
    pub(super) fn by(position: &Position, winner: Color) -> Self {
        let seen_through = position.occupied() - position.king(!winner);
        let (mut once, mut twice) = (king(position.king(winner)), Bitboard::EMPTY);
        let mut add = |attacked: Bitboard| {
            twice |= once & attacked;
            once |= attacked;
        };
        let own = |role| position.pieces(winner, role);
        let pawns = own(Role::Pawn);
        let ahead = match winner {
            Color::White => pawns.north(),
            Color::Black => pawns.south(),
        };
        add(ahead.east());
        add(ahead.west());
        own(Role::Knight).into_iter().for_each(|from| add(knight(from)));
        own(Role::Bishop).into_iter().for_each(|from| add(bishop(from, seen_through)));
        own(Role::Rook).into_iter().for_each(|from| add(rook(from, seen_through)));
        own(Role::Queen).into_iter().for_each(|from| add(queen(from, seen_through)));
        Self { once, twice }
    }

    /// The same if this move, made in this position, changes nothing of it.
    #[inline(always)]
    pub(super) fn unchanged_by(self, position: &Position, winner: Color, mv: Move) -> Option<Self> {
        let is_plain = position.turn() != winner
            && mv.kind() == MoveKind::Normal
            && !position.occupied().contains(mv.to());
        // The king hides nothing, and other men only what is attacked before or after them.
        let opens_nothing =
            mv.from() == position.king(!winner) || !self.once.intersects(mv.from().bitboard() | mv.to());
        (is_plain && opens_nothing).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Setup, chess960_back_rank};

    #[test]
    fn what_is_carried_on_is_what_is_found_anew() {
        let mut carried = 0;
        for start in 0..100 {
            let back_rank = chess960_back_rank(start).expect("there are 960 of them");
            let mut position = Position::try_from(Setup::chess960(back_rank)).expect("a legal start");
            for _ in 0..150 {
                // The key is as good as a random number.
                let moves = position.legal_moves();
                let Some(index) = position.key().bits().checked_rem(moves.len() as u64) else { break };
                let mv = moves[usize::try_from(index).expect("below the number of moves")];
                let (loser, king_square) = (position.turn(), position.king(position.turn()));
                let attacked = Attacked::by(&position, !loser);
                let safe = king(king_square) - position.color(loser) - attacked.once;
                let is_step = |mv: &&Move| mv.from() == king_square && !mv.is_castle();
                let steps: Bitboard = moves.iter().filter(is_step).map(|mv| mv.to()).collect();
                assert_eq!(safe, steps, "{position:?}");
                let child = position.after(mv).0;
                if let Some(unchanged) = attacked.unchanged_by(&position, !loser, mv) {
                    let anew = Attacked::by(&child, !loser);
                    assert_eq!([unchanged.once, unchanged.twice], [anew.once, anew.twice], "{mv:?}");
                    carried += 1;
                }
                position = child;
            }
        }
        assert!(carried > 1000, "{carried}");
    }
}
