//! How a wrong guess compares with the right move.

use crate::analysis::{Evaluator, EvaluatorError, Question, winning_chances};
use crate::chess::{Color, KeyHistory, Move, Outcome, Position};
use crate::notation::pgn::EvaluationScore;

/// Points of 100 for a winning chance of 1 on the scale from -1 to 1.
const POINTS_OF_CHANCES: f64 = 50.0;

/// How a guess compares with the right move, for who moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// The loss of winning chances, from -2 to 2.
    pub loss: f64,
    /// The loss in centipawns; `None` if one of the two leads to a mate.
    pub loss_cp: Option<f64>,
}

impl Comparison {
    /// Compares both moves by the positions after them; `None` if it was stopped.
    ///
    /// # Errors
    /// [`EvaluatorError`] if positions cannot be evaluated any more.
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
        Ok(Some(Self { loss: right - guessed, loss_cp }))
    }

    /// By how many points of 100 the guess lowers the winning chances; negative if it is better.
    pub fn lost_points(&self) -> f64 {
        (self.loss * POINTS_OF_CHANCES).round()
    }

    /// Whether the guess is at most so many centipawns worse. Where there are mates it must be no worse at all.
    pub fn is_within(&self, most_cp: f64) -> bool {
        self.loss_cp.map_or(self.loss <= 0.0, |loss| loss <= most_cp)
    }
}

/// The score after a move, seen from White; `None` if the search was stopped.
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
    Ok(assessment.map(|assessment| assessment.best().score))
}
