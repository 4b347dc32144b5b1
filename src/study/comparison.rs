//! The comparison of a wrong guess with the right move.

use crate::analysis::{Evaluator, EvaluatorError, Question, before_move, rank, winning_chances};
use crate::chess::{Color, KeyHistory, Move, Outcome, Position};
use crate::notation::pgn::EvaluationScore;

/// The percentage points for a winning chance of 1 on the scale from -1 to 1.
const POINTS_OF_CHANCES: f64 = 50.0;

/// The comparison of a guess with the right move, from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// The loss of winning chances, from -2 to 2; negative if the guess is better.
    pub loss: f64,
    /// The loss in centipawns; `None` if one of the moves leads to a mate.
    pub loss_cp: Option<f64>,
    /// Whether the guess is worse at all, which includes a slower mate and being mated sooner.
    pub is_worse: bool,
}

impl Comparison {
    /// Compares both moves by the scores of the positions after them; `None` if the search was stopped.
    ///
    /// # Errors
    /// [`EvaluatorError`] if the evaluator has failed.
    pub fn new(
        judge: &mut dyn Evaluator,
        before: &Position,
        guess: Move,
        expected: Move,
    ) -> Result<Option<Self>, EvaluatorError> {
        let mut scores = [EvaluationScore::Centipawns(0); 2];
        for (score, mv) in scores.iter_mut().zip([expected, guess]) {
            match score_after(judge, before, mv)? {
                Some(found) => *score = found,
                None => return Ok(None),
            }
        }
        let sign = if before.turn() == Color::White { 1.0 } else { -1.0 };
        let [right, guessed] = scores.map(|score| sign * winning_chances(score));
        let loss_cp = match scores {
            [EvaluationScore::Centipawns(right), EvaluationScore::Centipawns(guessed)] => {
                Some(sign * f64::from(right - guessed))
            }
            _ => None,
        };
        let [expected, guess] = scores.map(|score| rank(score, before.turn()));
        Ok(Some(Self { loss: right - guessed, loss_cp, is_worse: guess < expected }))
    }

    /// The loss of winning chances in percentage points, rounded; negative if the guess is better.
    pub fn lost_points(&self) -> f64 {
        (self.loss * POINTS_OF_CHANCES).round()
    }

    /// Whether the guess is at most `most_cp` centipawns worse. If one of the moves leads to a mate, the guess must not
    /// be worse at all, so a slower mate is not within any limit.
    pub fn is_within(&self, most_cp: f64) -> bool {
        self.loss_cp.map_or(!self.is_worse, |loss| loss <= most_cp)
    }
}

/// The score of a move from White's point of view, with mates counted from the position before it. `None` if the search
/// was stopped.
fn score_after(
    judge: &mut dyn Evaluator,
    before: &Position,
    mv: Move,
) -> Result<Option<EvaluationScore>, EvaluatorError> {
    let position = before.after(mv).0;
    match position.outcome(&KeyHistory::new(&position)) {
        Some(Outcome::Checkmate { winner: Color::White }) => return Ok(Some(EvaluationScore::Mate(1))),
        Some(Outcome::Checkmate { winner: Color::Black }) => return Ok(Some(EvaluationScore::Mate(-1))),
        Some(_) => return Ok(Some(EvaluationScore::Centipawns(0))),
        None => {}
    }
    let assessment = judge.assess(&Question { position, without: None })?;
    Ok(assessment.map(|assessment| before_move(assessment.best().score, before.turn())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Assessment, Line};
    use crate::notation::{parse_san, position_from_fen};
    use std::time::Duration;

    /// An evaluator that returns the same score for each position.
    struct Fixed(EvaluationScore);

    impl Evaluator for Fixed {
        fn assess(&mut self, _: &Question) -> Result<Option<Assessment>, EvaluatorError> {
            let lines = vec![Line { score: self.0, depth: 1, moves: Vec::new() }];
            Ok(Some(Assessment { lines, settled: 1, nodes: 1, time: Duration::ZERO }))
        }
    }

    #[test]
    fn a_slower_mate_is_worse() {
        let position = position_from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").expect("a position");
        let find = |san| parse_san(san, &position).ok().and_then(|mv| mv.mv()).expect("a move");
        let compared = |score, guess, expected| {
            let judge = &mut Fixed(score);
            let found = Comparison::new(judge, &position, find(guess), find(expected));
            found.expect("nothing fails").expect("nothing is stopped")
        };
        let mate = EvaluationScore::Mate(1);
        let slower = compared(mate, "Kf2", "Ra8#");
        assert_eq!((slower.is_worse, slower.is_within(1000.0), slower.lost_points()), (true, false, 0.0));
        assert!(compared(mate, "Kf2", "Kg2").is_within(0.0), "both take two moves");
        assert!(compared(mate, "Ra8#", "Kf2").is_within(0.0), "it is the faster one");
        let none = compared(EvaluationScore::Centipawns(500), "Kf2", "Ra8#");
        assert!(none.is_worse && !none.is_within(1000.0) && none.loss > 0.0);
        let even = compared(EvaluationScore::Centipawns(500), "Kf2", "Kg2");
        assert_eq!((even.is_worse, even.loss_cp, even.is_within(0.0)), (false, Some(0.0), true));
    }
}
