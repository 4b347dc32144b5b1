//! Contempt: how much the side to move at the root would give to avoid a draw
//! (<https://www.chessprogramming.org/Contempt_Factor>).

use super::Score;
use crate::chess::Color;

/// What is added to every evaluation so that draws, which stay at zero, look worse to one side
/// and better to the other. Scores that are told have it taken off again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contempt {
    for_white: i32,
}

impl Contempt {
    /// `centipawns` for the side `root`.
    pub(super) const fn new(centipawns: i32, root: Color) -> Self {
        Self { for_white: if matches!(root, Color::White) { centipawns } else { -centipawns } }
    }

    /// What an evaluation for the side `turn` gains.
    #[inline]
    pub(super) const fn gain(self, turn: Color) -> i32 {
        if matches!(turn, Color::White) { self.for_white } else { -self.for_white }
    }
}

/// The score to be told for one that was found with this contempt: a draw is that much below
/// zero, and a mate is a mate.
pub(super) fn told(score: Score, centipawns: i32) -> Score {
    if score.is_decisive() || centipawns == 0 { score } else { Score::centipawns(score.value() - centipawns) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_gains_the_other_loses() {
        let contempt = Contempt::new(20, Color::Black);
        assert_eq!((contempt.gain(Color::White), contempt.gain(Color::Black)), (-20, 20));
        assert_eq!(Contempt::new(0, Color::White).gain(Color::Black), 0);
    }

    #[test]
    fn draws_are_told_as_losses_and_mates_as_they_are() {
        assert_eq!(told(Score::DRAW, 20), Score::centipawns(-20));
        assert_eq!(told(Score::centipawns(70), 20), Score::centipawns(50));
        assert_eq!(told(Score::mating(3), 20), Score::mating(3));
        assert_eq!(told(Score::mated(4), -20), Score::mated(4));
    }
}
