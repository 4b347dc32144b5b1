//! Exercises: a tree of moves, its start, and the moves that must be found.

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
    /// A move of a repertoire is asked for in a position.
    Repertoire,
    /// A better move than the one played in a game is asked for.
    Mistake,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Game, Self::Problem, Self::Repertoire, Self::Mistake];

    /// The name of the kind in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Problem => "problem",
            Self::Repertoire => "repertoire",
            Self::Mistake => "mistake",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The side or sides whose moves must be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learner {
    /// One side; the moves of the other side are played automatically.
    Side(Color),
    /// Both sides.
    Both,
}

impl Learner {
    /// Whether the moves of this side must be found.
    pub fn plays(self, color: Color) -> bool {
        match self {
            Self::Side(side) => side == color,
            Self::Both => true,
        }
    }
}

/// The moves of the tree that are accepted as right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepts {
    /// Only the main move.
    MainMove,
    /// The main move and the moves of variations.
    Variations,
}

/// The identifier of a position across sessions: the kind of the exercise, and the FEN without counters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Item(String);

impl Item {
    /// The item of a position.
    pub fn new(kind: Kind, position: &Position) -> Self {
        let fen = Fen::new(position).without_counters().to_string();
        // The en passant square matters only if a capture there is legal.
        let is_capture = |mv: Move| mv.kind() == MoveKind::EnPassant;
        let fen = match fen.rsplit_once(' ') {
            Some((rest, _)) if !position.legal_moves().into_iter().any(is_capture) => format!("{rest} -"),
            _ => fen,
        };
        Self(format!("{}:{fen}", kind.name()))
    }

    /// The text in the file of progress.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A tree of moves that must be found, from a node on.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The kind of the exercise.
    pub kind: Kind,
    /// The players, or the name of a problem.
    pub title: String,
    /// The tree.
    pub game: Game,
    /// The node after which the first move is asked for or played.
    pub start: NodeId,
    /// The side or sides whose moves must be found.
    pub learner: Learner,
    /// The moves that are accepted as right.
    pub accepts: Accepts,
    /// The move that was played in the game, which must be improved.
    pub instead_of: Option<Move>,
    /// The number of moves in which the learner mates, if the problem states it.
    pub mate_in: Option<u16>,
}

impl Exercise {
    /// The right moves after this node, that of the main line first.
    pub(super) fn answers(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let most = match self.accepts {
            Accepts::MainMove => 1,
            Accepts::Variations => usize::MAX,
        };
        self.game.children(node).filter(|&child| self.game.mv(child).is_some()).take(most)
    }

    /// The number of moves that must be found along the main line.
    pub fn moves_to_find(&self) -> usize {
        self.asked().len()
    }

    /// The items of the positions along the main line in which a move must be found.
    pub fn items(&self) -> Vec<Item> {
        self.asked().iter().map(|position| Item::new(self.kind, position)).collect()
    }

    /// The positions along the main line in which a move must be found.
    fn asked(&self) -> Vec<Position> {
        let mut position = self.game.position(self.start);
        let mut node = self.start;
        let mut asked = Vec::new();
        while let Some(next) = self.answers(node).next()
            && let Some(mv) = self.game.mv(next)
        {
            if self.learner.plays(position.turn()) {
                asked.push(position);
            }
            position = position.after(mv).0;
            node = next;
        }
        asked
    }
}
