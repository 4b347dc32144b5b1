//! Puzzles: positions with one winning line. They are made of games ([`Maker`]), checked ([`Checker`]), and read and
//! written as PGN, EPD, the columns of lichess's puzzle file (<https://database.lichess.org/#puzzles>), and JSON.
//!
//! The side to move at the start solves; its moves are the first and the last of the line, and the moves between are
//! the opponent's best defense.

mod check;
mod difficulty;
mod make;
mod motifs;
mod patterns;
mod prover;
mod records;
mod themes;

pub use check::{Checker, Claim, Flaw, Proof, Rules, Verdict};
pub use difficulty::Rating;
pub use make::{Found, Maker, Settings};
pub use prover::{Comparison, HASH_MIB, MATE_NODES_RATIO, Prover, Scored};
pub use records::{
    CSV_HEADER, Columns, RecordError, claim_of_epd, claim_of_row, json, problem_of_game, to_csv, to_epd,
    to_game,
};
pub use themes::Theme;

use crate::chess::{Move, Position};

/// A position and the line that solves it.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Its name; empty if it has none.
    pub id: String,
    /// The position to be solved.
    pub start: Position,
    /// The position before, and the opponent's move that led to the start.
    pub lead: Option<(Position, Move)>,
    /// The solver's moves and the defenses between them, all legal.
    pub moves: Vec<Move>,
    /// Other moves of the solver that solve it, with their indices among the moves.
    pub alternatives: Vec<(usize, Move)>,
    /// The names of its themes; see [`Theme`].
    pub themes: Vec<String>,
    /// Its difficulty.
    pub rating: Option<Rating>,
    /// The nodes of each search by which it was made.
    pub nodes: Option<u64>,
    /// The game that it is from.
    pub origin: Origin,
}

/// The game that a puzzle is from, as far as it is known.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Origin {
    /// Tags of the game.
    pub tags: Vec<(String, String)>,
    /// The address of the position.
    pub url: Option<String>,
    /// The keys of the opening, as in lichess's puzzle file.
    pub opening_tags: Option<String>,
    /// The name of the file.
    pub file: Option<String>,
    /// The number of the game in the file.
    pub game: Option<u64>,
    /// The number of plies before the start of the puzzle.
    pub ply: Option<usize>,
}

impl Puzzle {
    /// A puzzle of nothing but a position and its line.
    ///
    /// # Errors
    /// The index of the first move that is not legal.
    pub fn new(start: Position, moves: Vec<Move>) -> Result<Self, usize> {
        let mut position = start;
        for (ply, &mv) in moves.iter().enumerate() {
            position = position.play(mv).map_err(|_| ply)?;
        }
        Ok(Self {
            id: String::new(),
            start,
            lead: None,
            moves,
            alternatives: Vec::new(),
            themes: Vec::new(),
            rating: None,
            nodes: None,
            origin: Origin::default(),
        })
    }

    /// The other moves that solve it at this index.
    pub fn alternatives(&self, ply: usize) -> impl Iterator<Item = Move> {
        self.alternatives.iter().filter(move |(other, _)| *other == ply).map(|&(_, mv)| mv)
    }

    /// The position at the end of the line.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv).0)
    }

    /// The number of the solver's moves if the last one mates.
    pub fn mate_in(&self) -> Option<usize> {
        (self.end().is_checkmate() && !self.moves.len().is_multiple_of(2))
            .then(|| self.moves.len().div_ceil(2))
    }

    /// Whether it has this theme.
    pub fn has(&self, theme: Theme) -> bool {
        self.themes.iter().any(|name| name == theme.name())
    }

    /// Whether its themes say that the solver is winning in the end.
    pub(super) fn is_won(&self) -> bool {
        self.has(Theme::Crushing) || self.has(Theme::Advantage)
    }

    /// The task in words: `White mates in 3`.
    pub fn task(&self) -> String {
        let solver = self.start.turn().name();
        match self.mate_in() {
            Some(moves) => format!("{solver} mates in {moves}"),
            None if self.is_won() => format!("{solver} wins"),
            None => format!("{solver} to move"),
        }
    }
}
