//! Games that need not be played to their end.

use super::tally::GameResult;
use crate::search::Score;

/// From what both players see on, in centipawns, a game is won.
const WIN_SCORE: i32 = 900;
/// If they see it through so many plies.
const WIN_PLIES: u32 = 6;
/// Up to what both see, in centipawns, a game is drawn.
const DRAW_SCORE: i32 = 6;
/// If they see it through so many plies.
const DRAW_PLIES: u32 = 10;
/// And have played so many before: an opening is level for long without being a draw.
const DRAW_FROM: u32 = 60;
/// Plies after which a game is a draw, whatever the scores.
pub(super) const LONGEST: u32 = 400;

/// What the scores of a game have been so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Adjudicator {
    /// Plies in a row that the first player was seen to win; negative for the second.
    winning: i32,
    /// Plies in a row with a score near zero.
    level: u32,
    /// Plies that were judged.
    plies: u32,
}

impl Adjudicator {
    /// Takes note of a score of the first player, who may not be the one that saw it, and tells
    /// the result if the game is over by it.
    pub(super) fn judge(&mut self, score: Score) -> Option<GameResult> {
        let value = score.value();
        self.plies += 1;
        self.winning = match value {
            WIN_SCORE.. => self.winning.max(0) + 1,
            _ if value <= -WIN_SCORE => self.winning.min(0) - 1,
            _ => 0,
        };
        self.level = if value.abs() <= DRAW_SCORE { self.level + 1 } else { 0 };
        if self.winning.unsigned_abs() >= WIN_PLIES {
            Some(if self.winning > 0 { GameResult::Win } else { GameResult::Loss })
        } else if self.level >= DRAW_PLIES && self.plies >= DRAW_FROM || self.plies >= LONGEST {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_end_when_both_players_see_the_same() {
        /// Scores of the first player until the end, if there is one.
        fn ends(scores: impl Iterator<Item = i32>) -> Option<(usize, GameResult)> {
            let mut adjudicator = Adjudicator::default();
            let mut judge = |value| adjudicator.judge(Score::new(value).expect("a score"));
            scores.zip(1..).find_map(|(value, plies)| Some((plies, judge(value)?)))
        }
        let two_minds = [2000, -2000].into_iter().cycle().take(100);
        assert_eq!(ends([900; 10].into_iter()), Some((6, GameResult::Win)));
        assert_eq!(ends([-31_990; 10].into_iter()), Some((6, GameResult::Loss)));
        assert_eq!(ends([2000, 2000, 899].into_iter().cycle().take(100)), None, "a doubt between");
        assert_eq!(ends(two_minds), None, "each sees itself win");
        assert_eq!(ends([0; 100].into_iter()), Some((60, GameResult::Draw)));
        assert_eq!(ends([50; 70].into_iter().chain([-6; 20])), Some((80, GameResult::Draw)));
        assert_eq!(ends([50; 1000].into_iter()), Some((400, GameResult::Draw)));
    }
}
