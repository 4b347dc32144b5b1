//! An attempt at an exercise: guesses, hints, moves that are shown, and the points for each move.

use super::comparison::Comparison;
use super::exercise::{Exercise, Item, Learner};
use crate::analysis::Judgement;
use crate::chess::{Color, Move, Position, Role, Square};
use crate::notation::pgn::NodeId;

/// Points for a move, out of [`MAX_POINTS`].
pub type Points = u32;

/// The points for a move that is found with the first guess and without a hint.
pub const MAX_POINTS: Points = 3;
/// The points that each hint costs: first the kind of the piece, then its square.
const HINT_COST: Points = 1;
/// The points that a wrong guess costs: more if it is known to lose many winning chances.
const fn wrong_cost(judgement: Option<Judgement>) -> Points {
    match judgement {
        None | Some(Judgement::Inaccuracy) => 1,
        Some(Judgement::Mistake) => 2,
        Some(Judgement::Blunder) => 3,
    }
}

/// Help for one move. The first hint is the kind of the piece, without its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hint {
    /// The kind of piece that moves.
    Piece(Role),
    /// The square of that piece.
    From(Square),
}

/// The answer to a guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The guess is right, and is played. Contains the points for the move.
    Right(Points),
    /// The guess is wrong, and is not played.
    Wrong,
}

/// A wrong guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WrongGuess {
    /// The move.
    pub mv: Move,
    /// The comparison with the right move, if known.
    pub comparison: Option<Comparison>,
}

/// The record of one move that was found or shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    /// The position before the move.
    pub position: Position,
    /// The move that was found or shown.
    pub mv: Move,
    /// The wrong guesses before the move, in their order.
    pub wrong: Vec<WrongGuess>,
    /// The loss of winning chances of the first guess against the right move, from 0 to 2; `None` if the first guess is
    /// the right move, or the loss is not known.
    pub loss: Option<f64>,
    /// The number of hints given.
    pub hints: u32,
    /// Whether the move was shown instead of found.
    pub is_shown: bool,
    /// The points for the move.
    pub points: Points,
}

impl Mark {
    /// The item of the position in the records of the learner.
    pub fn item(&self, exercise: &Exercise) -> Item {
        Item::new(exercise.kind, &self.position)
    }

    /// Whether the move was found with the first guess and without a hint.
    pub fn is_clean(&self) -> bool {
        self.points == MAX_POINTS
    }
}

/// An attempt at an exercise.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    exercise: &'a Exercise,
    node: NodeId,
    position: Position,
    wrong: Vec<WrongGuess>,
    hints: u32,
    marks: Vec<Mark>,
}

impl<'a> Attempt<'a> {
    /// Starts an attempt.
    pub fn new(exercise: &'a Exercise) -> Self {
        Self {
            exercise,
            node: exercise.start,
            position: exercise.game.position(exercise.start),
            wrong: Vec::new(),
            hints: 0,
            marks: Vec::new(),
        }
    }

    /// The position on the board.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The node of the current position.
    pub const fn node(&self) -> NodeId {
        self.node
    }

    /// The side whose moves must be found. Boards are shown from its side.
    pub fn side(&self) -> Color {
        match self.exercise.learner {
            Learner::Side(side) => side,
            Learner::Both => self.exercise.game.position(self.exercise.start).turn(),
        }
    }

    /// The right moves of the position, that of the main line first; empty at the end.
    pub fn answers(&self) -> impl Iterator<Item = Move> {
        self.exercise.answers(self.node).filter_map(|node| self.exercise.game.mv(node))
    }

    /// Whether the exercise is over.
    pub fn is_over(&self) -> bool {
        self.exercise.answers(self.node).next().is_none()
    }

    /// Whether the learner must find the next move.
    pub fn is_asked(&self) -> bool {
        !self.is_over() && self.exercise.learner.plays(self.position.turn())
    }

    /// The moves that were found or shown so far.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The wrong guesses so far at the current move.
    pub fn wrong_guesses(&self) -> &[WrongGuess] {
        &self.wrong
    }

    /// The points so far, and their maximum for the moves so far.
    pub fn points(&self) -> (Points, Points) {
        let most = MAX_POINTS.saturating_mul(u32::try_from(self.marks.len()).unwrap_or(u32::MAX));
        (self.marks.iter().map(|mark| mark.points).sum(), most)
    }

    /// Plays the move of the side that does not have to be found; `None` if the learner has the move, or at the end.
    pub fn reply(&mut self) -> Option<Move> {
        if self.is_asked() {
            return None;
        }
        let next = self.exercise.answers(self.node).next()?;
        let mv = self.exercise.game.mv(next)?;
        self.play(next, mv);
        Some(mv)
    }

    /// Answers a guess at the current move. Repeating a wrong guess costs nothing. A wrong guess is compared with the
    /// right move if the game contains both with evaluations.
    pub fn guess(&mut self, guess: Move) -> Answer {
        let is_it = |node: &NodeId| self.exercise.game.mv(*node) == Some(guess);
        if self.is_asked()
            && let Some(node) = self.exercise.answers(self.node).find(is_it)
        {
            let points = self.points_now();
            self.mark(guess, points, false, self.loss_now());
            self.play(node, guess);
            return Answer::Right(points);
        }
        if self.wrong.iter().all(|wrong| wrong.mv != guess) {
            self.wrong.push(WrongGuess { mv: guess, comparison: self.comparison_by_game(guess) });
        }
        Answer::Wrong
    }

    /// The comparison of a wrong guess at the current move, if known.
    pub fn comparison(&self, guess: Move) -> Option<Comparison> {
        self.wrong.iter().find(|wrong| wrong.mv == guess)?.comparison
    }

    /// Sets the comparison of a wrong guess at the current move.
    pub fn set_comparison(&mut self, guess: Move, comparison: Comparison) {
        if let Some(wrong) = self.wrong.iter_mut().find(|wrong| wrong.mv == guess) {
            wrong.comparison = Some(comparison);
        }
    }

    /// The comparison of a guess with the right move by the evaluations of the game.
    fn comparison_by_game(&self, guess: Move) -> Option<Comparison> {
        let game = &self.exercise.game;
        let expected = self.exercise.answers(self.node).next()?;
        game.children(self.node)
            .filter(|&child| game.mv(child) == Some(guess))
            .find_map(|child| Comparison::of_game(game, &self.position, child, expected))
    }

    /// Accepts the last guess as equivalent to the right move: the move counts as found. Plays the right move and
    /// returns it.
    pub fn accept(&mut self) -> Option<Move> {
        let loss = self.loss_now();
        self.wrong.pop();
        let points = self.points_now();
        self.pass(points, false, loss)
    }

    /// The next hint. After the second hint, the second is returned again.
    pub fn hint(&mut self) -> Option<Hint> {
        let mv = self.answers().next().filter(|_| self.is_asked())?;
        let first = self.hints == 0;
        self.hints = (self.hints + 1).min(2);
        let role = self.position.board().role_at(mv.from())?;
        Some(if first { Hint::Piece(role) } else { Hint::From(mv.from()) })
    }

    /// Plays the right move, for no points.
    pub fn show(&mut self) -> Option<Move> {
        self.pass(0, true, self.loss_now())
    }

    fn pass(&mut self, points: Points, is_shown: bool, loss: Option<f64>) -> Option<Move> {
        if !self.is_asked() {
            return None;
        }
        let next = self.exercise.answers(self.node).next()?;
        let mv = self.exercise.game.mv(next)?;
        self.mark(mv, points, is_shown, loss);
        self.play(next, mv);
        Some(mv)
    }

    /// The points if the next guess is right.
    fn points_now(&self) -> Points {
        let judgement = |wrong: &WrongGuess| wrong.comparison.and_then(|comparison| comparison.judgement);
        let wrong: Points = self.wrong.iter().map(|wrong| wrong_cost(judgement(wrong))).sum();
        MAX_POINTS.saturating_sub(wrong + self.hints * HINT_COST)
    }

    /// The loss of winning chances of the first guess, if it is wrong and the loss is known.
    fn loss_now(&self) -> Option<f64> {
        Some(self.wrong.first()?.comparison?.loss.max(0.0))
    }

    fn mark(&mut self, mv: Move, points: Points, is_shown: bool, loss: Option<f64>) {
        self.marks.push(Mark {
            position: self.position,
            mv,
            wrong: std::mem::take(&mut self.wrong),
            loss,
            hints: std::mem::take(&mut self.hints),
            is_shown,
            points,
        });
    }

    fn play(&mut self, node: NodeId, mv: Move) {
        self.position = self.position.after(mv).0;
        self.node = node;
    }
}

#[cfg(test)]
mod tests {
    use super::super::exercise::{Accepts, Kind};
    use super::*;
    use crate::notation::parse_san;
    use crate::notation::pgn::Game;

    fn exercise(text: &str, learner: Learner, accepts: Accepts) -> Exercise {
        let (game, errors) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
        assert!(errors.is_empty(), "{errors:?}");
        let title = String::new();
        let (kind, start) = (Kind::Game, NodeId::ROOT);
        Exercise { kind, title, game, start, learner, accepts, instead_of: None, mate_in: None }
    }

    fn guess(attempt: &mut Attempt<'_>, text: &str) -> Answer {
        let mv = parse_san(text, attempt.position()).expect(text).mv().expect(text);
        attempt.guess(mv)
    }

    #[test]
    fn points_fall_with_help_and_wrong_guesses() {
        let exercise =
            exercise("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", Learner::Side(Color::White), Accepts::MainMove);
        assert_eq!(exercise.moves_to_find(), 3);
        let mut attempt = Attempt::new(&exercise);
        assert_eq!(attempt.reply(), None, "it is White's move");
        assert_eq!(guess(&mut attempt, "e4"), Answer::Right(MAX_POINTS));
        assert!(!attempt.is_asked());
        assert!(attempt.reply().is_some());
        assert_eq!(guess(&mut attempt, "Nc3"), Answer::Wrong);
        assert_eq!(guess(&mut attempt, "Nc3"), Answer::Wrong);
        assert_eq!(attempt.wrong_guesses().len(), 1, "the same guess is one guess");
        assert_eq!(attempt.hint(), Some(Hint::Piece(Role::Knight)));
        assert_eq!(guess(&mut attempt, "Nf3"), Answer::Right(1));
        attempt.reply();
        assert_eq!(attempt.hint(), Some(Hint::Piece(Role::Bishop)));
        assert_eq!(attempt.hint(), Some(Hint::From(Square::F1)));
        assert_eq!(attempt.hint(), Some(Hint::From(Square::F1)));
        assert!(attempt.show().is_some());
        assert!(attempt.is_over());
        assert_eq!(attempt.points(), (4, 9));
        assert_eq!((attempt.show(), attempt.hint(), attempt.reply()), (None, None, None));
        let shown: Vec<bool> = attempt.marks().iter().map(|mark| mark.is_shown).collect();
        assert_eq!(shown, [false, false, true]);
    }

    #[test]
    fn a_guess_that_loses_much_costs_more() {
        let text = "1. e4 {[%eval 0.3]} (1. d4 {[%eval 0.2]}) (1. f3 {[%eval -1.0]}) (1. g4 {[%eval -2.0]}) \
                    (1. a3 {[%eval -0.4]}) *";
        for (guesses, points, loss) in [
            (&["e4"][..], 3, None),
            (&["d4"], 2, Some(0.02)),
            (&["a3"], 2, Some(0.13)),
            (&["f3"], 1, Some(0.24)),
            (&["g4"], 0, Some(0.41)),
            (&["h4"], 2, None),
            // The loss is that of the first guess.
            (&["h4", "f3"], 0, None),
            (&["d4", "f3"], 0, Some(0.02)),
        ] {
            let exercise = exercise(text, Learner::Side(Color::White), Accepts::MainMove);
            let mut attempt = Attempt::new(&exercise);
            for wrong in guesses.iter().filter(|&&text| text != "e4") {
                assert_eq!(guess(&mut attempt, wrong), Answer::Wrong, "{guesses:?}");
            }
            assert_eq!(guess(&mut attempt, "e4"), Answer::Right(points), "{guesses:?}");
            let found = attempt.marks()[0].loss;
            assert_eq!(found.map(|loss| (loss * 100.0).round() / 100.0), loss, "{guesses:?}");
        }
    }

    #[test]
    fn variations_are_right_where_they_are_accepted() {
        let text = "1. e4 (1. d4 d5 2. c4) 1... e5 2. Nf3 *";
        for (accepts, expected) in
            [(Accepts::MainMove, Answer::Wrong), (Accepts::Variations, Answer::Right(3))]
        {
            let exercise = exercise(text, Learner::Side(Color::White), accepts);
            let mut attempt = Attempt::new(&exercise);
            assert_eq!(guess(&mut attempt, "d4"), expected);
            if accepts == Accepts::Variations {
                attempt.reply();
                assert_eq!(guess(&mut attempt, "c4"), Answer::Right(3), "it follows the variation");
                assert!(attempt.is_over());
            }
        }
    }

    #[test]
    fn an_equal_move_counts_as_found() {
        let exercise = exercise("1. e4 e5 *", Learner::Both, Accepts::MainMove);
        let mut attempt = Attempt::new(&exercise);
        assert_eq!(guess(&mut attempt, "d4"), Answer::Wrong);
        assert!(attempt.accept().is_some());
        assert_eq!(attempt.points(), (3, 3));
        assert!(attempt.is_asked(), "both sides are asked");
        assert_eq!(guess(&mut attempt, "e5"), Answer::Right(3));
        assert!(attempt.is_over());
    }
}
