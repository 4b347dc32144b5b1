//! Games that need not be played to their end.

use super::Adjudication;
use crate::chess::Color;
use crate::search::Score;
use crate::train::data::{GameResult, Termination};

/// What the scores of a game have been so far.
#[derive(Clone, Debug)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    /// The side that is winning, and through how many plies it has been.
    winning: Option<(Color, u32)>,
    /// Plies with a score near zero in a row.
    level: u32,
    /// Plies that were judged.
    plies: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication) -> Self {
        Self { rules, winning: None, level: 0, plies: 0 }
    }

    /// Takes note of a score for `mover`, at this ply from the beginning of the game, and tells
    /// whether the game is over by it.
    pub(super) fn judge(
        &mut self,
        mover: Color,
        score: Score,
        ply: u32,
    ) -> Option<(GameResult, Termination)> {
        self.plies += 1;
        let value = score.value();
        self.winning = if value.abs() >= self.rules.win_score {
            let winner = if value > 0 { mover } else { !mover };
            let before = self.winning.filter(|&(color, _)| color == winner).map_or(0, |(_, plies)| plies);
            Some((winner, before + 1))
        } else {
            None
        };
        self.level = if value.abs() <= self.rules.draw_score { self.level + 1 } else { 0 };
        match self.winning {
            Some((winner, plies)) if plies >= self.rules.win_plies => {
                return Some((GameResult::win(winner), Termination::WinAdjudicated));
            }
            _ => {}
        }
        if self.level >= self.rules.draw_plies && ply >= self.rules.draw_from {
            return Some((GameResult::Draw, Termination::DrawAdjudicated));
        }
        (self.plies >= self.rules.longest).then_some((GameResult::Draw, Termination::TooLong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Adjudication = Adjudication {
        win_score: 1000,
        win_plies: 3,
        draw_score: 10,
        draw_plies: 4,
        draw_from: 20,
        longest: 30,
    };

    #[test]
    fn games_end_when_the_scores_say_so() {
        let win = |winner| Some((GameResult::win(winner), Termination::WinAdjudicated));
        let draw = Some((GameResult::Draw, Termination::DrawAdjudicated));
        let too_long = Some((GameResult::Draw, Termination::TooLong));
        // Scores for the sides in turn, White first, from this ply on; after how many the game ends.
        let cases: [(&str, Vec<i32>, u32, usize, _); 8] = [
            ("both see White win", vec![1000, -1000, 1200, 0], 0, 3, win(Color::White)),
            ("both see Black win", vec![0, 1500, -1500, 1500], 0, 4, win(Color::Black)),
            ("each sees itself win", vec![2000, 2000, 2000, 2000], 0, 4, None),
            ("a doubt between", vec![2000, -2000, 999, -2000, 2000], 0, 5, None),
            ("mate", vec![31_990, -31_991, 31_992], 0, 3, win(Color::White)),
            ("level", vec![0, 10, -10, 5], 20, 4, draw),
            ("level too early", vec![0, 0, 0, 0, 0, 0], 10, 6, None),
            ("neither", vec![50; 30], 0, 30, too_long),
        ];
        for (name, scores, from, ends, expected) in cases {
            let mut adjudicator = Adjudicator::new(RULES);
            let mut found = None;
            let mut plies = 0;
            for (ply, &score) in scores.iter().enumerate() {
                let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
                let score = Score::new(score).expect("a score");
                plies += 1;
                found = adjudicator.judge(mover, score, from + ply as u32);
                if found.is_some() {
                    break;
                }
            }
            assert_eq!((plies, found), (ends, expected), "{name}");
        }
    }
}
