//! The comparison of a wrong guess with the right move.

use crate::analysis::{
    Evaluator, EvaluatorError, Judgement, Question, before_move, evaluations_after, rank, winning_chances,
};
use crate::chess::{Color, KeyHistory, Move, Outcome, Position};
use crate::notation::pgn::{EvaluationScore, Game, NodeId};

/// The percentage points for a winning chance of 1 on the scale from -1 to 1.
const PERCENTAGE_POINTS: f64 = 50.0;

/// Converts a loss of winning chances, from 0 to 2, to percentage points.
pub fn loss_in_points(loss: f64) -> f64 {
    loss * PERCENTAGE_POINTS
}

/// The comparison of a guess with the right move, from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// The loss of winning chances, from -2 to 2; negative if the guess is better.
    pub loss: f64,
    /// The loss in centipawns; `None` if one of the moves leads to a mate.
    pub loss_cp: Option<f64>,
    /// Whether the guess is worse at all, which includes a slower mate and being mated sooner.
    pub is_worse: bool,
    /// The judgement of the guess; `None` if it loses less than an inaccuracy does.
    pub judgement: Option<Judgement>,
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
        let Some(expected) = searched_score(judge, before, expected)? else { return Ok(None) };
        let Some(guess) = searched_score(judge, before, guess)? else { return Ok(None) };
        Ok(Some(Self::of_scores(expected, guess, before.turn())))
    }

    /// Compares two moves of a game, played in the position `before`, by the evaluations in its comments; `None` if one
    /// of them is missing. In a game that Hematite has analyzed, only its own evaluations count.
    pub fn of_game(game: &Game, before: &Position, guess: NodeId, expected: NodeId) -> Option<Self> {
        let expected = stated_score(game, before, expected)?;
        let guess = stated_score(game, before, guess)?;
        Some(Self::of_scores(expected, guess, before.turn()))
    }

    /// Compares two scores from White's point of view, with mates counted from the position before the move.
    fn of_scores(expected: EvaluationScore, guess: EvaluationScore, mover: Color) -> Self {
        let sign = if mover == Color::White { 1.0 } else { -1.0 };
        let loss = sign * (winning_chances(expected) - winning_chances(guess));
        let loss_cp = match (expected, guess) {
            (EvaluationScore::Centipawns(right), EvaluationScore::Centipawns(guessed)) => {
                Some(sign * (f64::from(right) - f64::from(guessed)))
            }
            _ => None,
        };
        let is_worse = rank(guess, mover) < rank(expected, mover);
        Self { loss, loss_cp, is_worse, judgement: Judgement::of_move(expected, guess, mover) }
    }

    /// The loss of winning chances in percentage points, rounded; negative if the guess is better.
    pub fn lost_points(&self) -> f64 {
        loss_in_points(self.loss).round()
    }

    /// Whether the guess is at most `most_cp` centipawns worse. If one of the moves leads to a mate, the guess must not
    /// be worse at all, so a slower mate is not within any limit.
    pub fn is_within(&self, most_cp: f64) -> bool {
        self.loss_cp.map_or(!self.is_worse, |loss| loss <= most_cp)
    }
}

/// The score of a move of a game, played in the position `before`, from White's point of view and with mates counted
/// from that position: by the rules, or else by its comments. In a game that Hematite has analyzed, only its own
/// evaluations count.
pub(super) fn stated_score(game: &Game, before: &Position, node: NodeId) -> Option<EvaluationScore> {
    let after = before.after(game.mv(node)?).0;
    let stated = || evaluations_after(game, [node]).first().copied().flatten();
    score_by_rules(&after).or_else(|| Some(before_move(stated()?, before.turn())))
}

/// The score of a move that ends the game by the rules, from White's point of view and counted from the position before
/// it; `after` is the position after it. `None` if the game continues.
fn score_by_rules(after: &Position) -> Option<EvaluationScore> {
    Some(match after.outcome(&KeyHistory::new(after))? {
        Outcome::Checkmate { winner: Color::White } => EvaluationScore::Mate(1),
        Outcome::Checkmate { winner: Color::Black } => EvaluationScore::Mate(-1),
        _ => EvaluationScore::Centipawns(0),
    })
}

/// The score of a move from White's point of view, with mates counted from the position before it. `None` if the search
/// was stopped.
fn searched_score(
    judge: &mut dyn Evaluator,
    before: &Position,
    mv: Move,
) -> Result<Option<EvaluationScore>, EvaluatorError> {
    let position = before.after(mv).0;
    if let Some(score) = score_by_rules(&position) {
        return Ok(Some(score));
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
        assert_eq!((none.judgement, slower.judgement), (Some(Judgement::Blunder), None));
        let even = compared(EvaluationScore::Centipawns(500), "Kf2", "Kg2");
        assert_eq!((even.is_worse, even.loss_cp, even.is_within(0.0)), (false, Some(0.0), true));
    }

    #[test]
    fn moves_of_a_game_are_compared_by_its_comments() {
        let compared = |text: &str| {
            let game = Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0;
            let parent = game.mainline().next().expect("a move");
            let moves: Vec<NodeId> = game.children(parent).collect();
            Comparison::of_game(&game, &game.position(parent), moves[1], moves[0])
        };
        let even = compared("1. e4 e5 {[%eval 0.2]} (1... c5 {[%eval 0.1]}) *").expect("both are known");
        assert!(even.loss < 0.0 && even.judgement.is_none() && !even.is_worse, "{even:?}");
        let bad = compared("1. e4 e5 {[%eval 0.2]} (1... f6 {[%eval 3.1]}) *").expect("both are known");
        assert_eq!((bad.judgement, bad.loss_cp), (Some(Judgement::Blunder), Some(290.0)));
        assert_eq!(compared("1. e4 e5 {[%eval 0.2]} (1... c5) *"), None);
        assert_eq!(compared("1. e4 e5 (1... c5 {[%eval 0.2]}) *"), None);
        let mate = "1. f3 e5 2. g4 Qh4# (2... Nc6 {[%eval -1.0]}) *";
        let game = Game::read(mate.as_bytes()).expect("memory can be read").expect("a game").0;
        let parent = game.mainline().nth(2).expect("three moves");
        let moves: Vec<NodeId> = game.children(parent).collect();
        let missed = Comparison::of_game(&game, &game.position(parent), moves[1], moves[0]);
        assert_eq!(missed.expect("a mate needs no comment").judgement, Some(Judgement::Blunder));
    }
}
