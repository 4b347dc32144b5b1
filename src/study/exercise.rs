//! What a learner is asked: a tree of moves, where it starts, and which of its moves are to be found.

use crate::chess::{Color, Move, MoveKind, Position};
use crate::notation::Fen;
use crate::notation::pgn::{Game, NodeId};
use std::fmt;

/// The kind of an exercise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The moves of a game are guessed.
    Game,
    /// A problem is solved.
    Problem,
    /// A position of a repertoire.
    Repertoire,
    /// A better move than the one that was played.
    Mistake,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Game, Self::Problem, Self::Repertoire, Self::Mistake];

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Problem => "problem",
            Self::Repertoire => "repertoire",
            Self::Mistake => "mistake",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Whose moves are to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learner {
    /// Those of one side; the other side's are played by themselves.
    Side(Color),
    /// Those of both.
    Both,
}

impl Learner {
    /// Whether the moves of this side are to be found.
    pub fn plays(self, color: Color) -> bool {
        match self {
            Self::Side(side) => side == color,
            Self::Both => true,
        }
    }
}

/// Which moves of the tree are right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepts {
    /// The one that was played.
    MainMove,
    /// Those of variations as well.
    Variations,
}

/// What identifies a position across sessions: its FEN without the counters, and the kind of the exercise.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Item(String);

impl Item {
    /// The item of a position.
    pub fn new(kind: Kind, position: &Position) -> Self {
        let fen = Fen::new(position).without_counters().to_string();
        // A pawn that has passed others matters only if it can be captured.
        let is_capture = |mv: Move| mv.kind() == MoveKind::EnPassant;
        let fen = match fen.rsplit_once(' ') {
            Some((rest, _)) if !position.legal_moves().into_iter().any(is_capture) => format!("{rest} -"),
            _ => fen,
        };
        Self(format!("{}:{fen}", kind.name()))
    }

    /// As it is kept.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A tree of moves, whose moves are to be found from a node on.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// What it is.
    pub kind: Kind,
    /// What it is called: the players, or the name of a problem.
    pub title: String,
    /// The tree.
    pub game: Game,
    /// The node after which the first move is asked or played.
    pub start: NodeId,
    /// Whose moves are to be found.
    pub learner: Learner,
    /// Which moves are right.
    pub accepts: Accepts,
    /// The move that was played instead, and is to be improved.
    pub instead_of: Option<Move>,
}

impl Exercise {
    /// The moves that are right after this node, that of the main line first.
    pub(super) fn answers(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let most = match self.accepts {
            Accepts::MainMove => 1,
            Accepts::Variations => usize::MAX,
        };
        self.game.children(node).filter(|&child| self.game.mv(child).is_some()).take(most)
    }

    /// The number of moves to be found along the main line.
    pub fn moves_to_find(&self) -> usize {
        let mut position = self.game.position(self.start);
        let mut node = self.start;
        let mut count = 0;
        while let Some(next) = self.answers(node).next()
            && let Some(mv) = self.game.mv(next)
        {
            count += usize::from(self.learner.plays(position.turn()));
            position = position.after(mv).0;
            node = next;
        }
        count
    }
}
