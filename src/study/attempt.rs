//! An attempt at an exercise: guesses, hints, moves that are shown, and the points for each move.

use super::exercise::{Exercise, Item, Learner};
use crate::chess::{Color, Move, Position, Role, Square};
use crate::notation::pgn::NodeId;

/// Points for a move, out of [`MAX_POINTS`].
pub type Points = u32;

/// The points for a move that is found with the first guess and without a hint.
pub const MAX_POINTS: Points = 3;
/// The points that each hint costs: first the kind of the piece, then its square.
const HINT_COST: Points = 1;
/// The points that each wrong guess costs.
const WRONG_COST: Points = 1;

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

/// The record of one move that was found or shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The position before the move.
    pub position: Position,
    /// The move that was found or shown.
    pub mv: Move,
    /// The wrong guesses before the move, in their order.
    pub wrong: Vec<Move>,
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
    wrong: Vec<Move>,
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
    pub fn wrong_guesses(&self) -> &[Move] {
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

    /// Answers a guess at the current move. Repeating a wrong guess costs nothing.
    pub fn guess(&mut self, guess: Move) -> Answer {
        let is_it = |node: &NodeId| self.exercise.game.mv(*node) == Some(guess);
        if self.is_asked()
            && let Some(node) = self.exercise.answers(self.node).find(is_it)
        {
            let points = self.points_now();
            self.mark(guess, points, false);
            self.play(node, guess);
            return Answer::Right(points);
        }
        if !self.wrong.contains(&guess) {
            self.wrong.push(guess);
        }
        Answer::Wrong
    }

    /// Accepts the last guess as equivalent to the right move: the move counts as found. Plays the right move and
    /// returns it.
    pub fn accept(&mut self) -> Option<Move> {
        self.wrong.pop();
        let points = self.points_now();
        self.pass(points, false)
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
        self.pass(0, true)
    }

    fn pass(&mut self, points: Points, is_shown: bool) -> Option<Move> {
        if !self.is_asked() {
            return None;
        }
        let next = self.exercise.answers(self.node).next()?;
        let mv = self.exercise.game.mv(next)?;
        self.mark(mv, points, is_shown);
        self.play(next, mv);
        Some(mv)
    }

    /// The points if the next guess is right.
    fn points_now(&self) -> Points {
        let wrong = u32::try_from(self.wrong.len()).unwrap_or(u32::MAX);
        let cost = wrong.saturating_mul(WRONG_COST).saturating_add(self.hints * HINT_COST);
        MAX_POINTS.saturating_sub(cost)
    }

    fn mark(&mut self, mv: Move, points: Points, is_shown: bool) {
        self.marks.push(Mark {
            position: self.position,
            mv,
            wrong: std::mem::take(&mut self.wrong),
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
        Exercise { kind: Kind::Game, title, game, start: NodeId::ROOT, learner, accepts, instead_of: None }
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
