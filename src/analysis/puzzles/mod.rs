//! Puzzles: positions with one winning line. They are made of games ([`Maker`]), checked ([`Checker`]), and read and
//! written as PGN, EPD, the columns of lichess's puzzle file (<https://database.lichess.org/#puzzles>), and JSON.
//!
//! The side to move at the start is the solver, who makes the first and the last move of the line; the opponent's moves
//! between them are the best defense.

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
    Columns, RecordError, claim_of_epd, claim_of_row, json, problem_of_game, puzzle_of_epd, to_csv, to_epd,
    to_game,
};
pub use themes::Theme;

use crate::chess::{Move, Position};

/// A position and the line that solves it.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The name of the puzzle; may be empty.
    pub id: String,
    /// The position that must be solved.
    pub start: Position,
    /// The previous position, and the opponent's move that led to the start.
    pub lead: Option<(Position, Move)>,
    /// The solver's moves and the replies between them, all legal.
    pub moves: Vec<Move>,
    /// Other moves of the solver that solve the puzzle, with their indices among the moves.
    pub alternatives: Vec<(usize, Move)>,
    /// The stated length of a mate of which the line is not known: there is at most one move.
    pub stated_mate: Option<usize>,
    /// The names of the themes; see [`Theme`].
    pub themes: Vec<String>,
    /// The difficulty.
    pub rating: Option<Rating>,
    /// The number of nodes of each search with which the puzzle was made.
    pub nodes: Option<u64>,
    /// The game from which the puzzle comes.
    pub origin: Origin,
}

/// The game from which a puzzle comes, as far as known.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Origin {
    /// The tags of the game.
    pub tags: Vec<(String, String)>,
    /// The URL of the position.
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
    /// A puzzle with only a position and its line.
    ///
    /// # Errors
    /// The index of the first illegal move.
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
            stated_mate: None,
            themes: Vec::new(),
            rating: None,
            nodes: None,
            origin: Origin::default(),
        })
    }

    /// The alternative moves that solve the puzzle at this index.
    pub fn alternatives(&self, ply: usize) -> impl Iterator<Item = Move> {
        self.alternatives.iter().filter(move |(other, _)| *other == ply).map(|&(_, mv)| mv)
    }

    /// The position at the end of the line.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv).0)
    }

    /// The number of the solver's moves if the last one mates, or else the stated length of a mate, if there is one.
    pub fn mate_in(&self) -> Option<usize> {
        let is_shown = self.end().is_checkmate() && !self.moves.len().is_multiple_of(2);
        if is_shown { Some(self.moves.len().div_ceil(2)) } else { self.stated_mate }
    }

    /// Whether the puzzle has this theme.
    pub fn has(&self, theme: Theme) -> bool {
        self.themes.iter().any(|name| name == theme.name())
    }

    /// Whether a theme states that the solver is winning at the end.
    pub(super) fn is_won(&self) -> bool {
        self.has(Theme::Crushing) || self.has(Theme::Advantage)
    }

    /// The task in words, such as `White mates in 3`.
    pub fn task(&self) -> String {
        let solver = self.start.turn().name();
        match self.mate_in() {
            Some(moves) => format!("{solver} mates in {moves}"),
            None if self.is_won() => format!("{solver} wins"),
            None => format!("{solver} to move"),
        }
    }
}
