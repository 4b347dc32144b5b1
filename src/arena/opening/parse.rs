//! Openings, and their two sources: lines of positions and games.

use crate::chess::{Move, Outcome, Position};
use crate::notation::parse_epd_line;
use crate::notation::pgn::{Game, PgnProblem, Place, games};
use std::io;
use thiserror::Error;

/// The start of a game: a position and the first moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    start: Position,
    moves: Box<[Move]>,
}

impl Opening {
    /// An opening without moves.
    pub fn new(start: Position) -> Self {
        Self { start, moves: Box::default() }
    }

    /// An opening with moves, each legal where it is played.
    pub(super) fn with_moves(start: Position, moves: Vec<Move>) -> Self {
        Self { start, moves: moves.into() }
    }

    /// The position at the start of the game.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves that are played without a search.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after its moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv).0)
    }
}

/// The reason why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// It cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// A line of it is not an opening.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, counted from 1.
        line: u64,
        /// The problem.
        problem: String,
    },
    /// A game of it is not an opening.
    #[error("game {number}: {problem}")]
    Game {
        /// The game, counted from 1.
        number: usize,
        /// The problem.
        problem: String,
    },
    /// There is no opening in it.
    #[error("no openings, expected lines of FEN or EPD, or games in PGN")]
    Empty,
}

/// Reads a position from each line: a FEN, or EPD of which the operations `hmvc` and `fmvn` are
/// the counters. Problems of other operations do not matter here.
pub(super) fn read_positions(text: &str) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let error = |problem: String| BookError::Line { line: number as u64, problem };
        let record = parse_epd_line(line, number).map_err(|found| error(found.problem.to_string()))?;
        let position = record.epd.position();
        if position.legal_moves().is_empty() {
            return Err(error("the game is over already, expected a position with legal moves".to_owned()));
        }
        openings.push(Opening::new(*position));
    }
    Ok(openings)
}

/// Reads the openings of games: their first moves, at most `plies`. Variations are left out.
pub(super) fn read_games(text: &[u8], plies: usize) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    for read in games(text) {
        let (game, errors) = read.map_err(BookError::Read)?;
        let number = openings.len() + 1;
        // A comment without a game is not an opening.
        let is_comment = errors.iter().any(|error| matches!(error.problem, PgnProblem::MissingGame));
        if is_comment && game.is_empty() {
            continue;
        }
        if let Some(error) = errors.iter().find(|error| !is_harmless(&error.problem)) {
            let Place { line, .. } = error.place;
            let problem = format!("game {number}: {}", error.problem);
            return Err(BookError::Line { line, problem });
        }
        openings.push(opening(&game, plies).map_err(|problem| BookError::Game { number, problem })?);
    }
    Ok(openings)
}

/// Whether the moves of an opening are not affected.
const fn is_harmless(problem: &PgnProblem) -> bool {
    matches!(problem, PgnProblem::MissingGame | PgnProblem::Result { .. } | PgnProblem::RepeatedTag { .. })
}

/// Cuts the opening out of a game, before a move after which there would be nothing to play.
fn opening(game: &Game, plies: usize) -> Result<Opening, String> {
    let mut position = *game.start();
    let mut moves: Vec<Move> = Vec::new();
    for node in game.mainline().take(plies) {
        let mv = game.mv(node).ok_or("a side passes, expected a move")?;
        position = position.play(mv).map_err(|error| error.to_string())?;
        if position.legal_moves().is_empty() {
            let is_mate = position.is_check();
            let end =
                if is_mate { Outcome::Checkmate { winner: !position.turn() } } else { Outcome::Stalemate };
            return Err(format!(
                "the opening ends the game ({end}), expected it to continue; plies=N cuts it"
            ));
        }
        moves.push(mv);
    }
    Ok(Opening::with_moves(*game.start(), moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Fen;

    // Lines of positions

    #[test]
    fn lines_are_positions() {
        let cases = [
            ("a FEN", "4k3/8/8/8/8/8/P7/4K3 w - - 3 9", Ok("4k3/8/8/8/8/8/P7/4K3 w - - 3 9")),
            ("four fields", "4k3/8/8/8/8/8/P7/4K3 b - -", Ok("4k3/8/8/8/8/8/P7/4K3 b - - 0 1")),
            (
                "operations",
                "4k3/8/8/8/8/8/P7/4K3 w - - id \"x 1\"; c0 \"y\";",
                Ok("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"),
            ),
            (
                "counters as operations",
                "4k3/8/8/8/8/8/P7/4K3 w - - hmvc 7; fmvn 30;",
                Ok("4k3/8/8/8/8/8/P7/4K3 w - - 7 30"),
            ),
            ("no position", "4k3/8/8/8/8/8/P7/4K3 w", Err("line 2: castling rights: missing")),
            ("no chess", "8/8/8/8/8/8/P7/4K3 w - -", Err("line 2: piece placement: Black has 0 kings")),
            ("mate", "R3k3/R7/8/8/8/8/8/4K3 b - -", Err("line 2: the game is over already")),
        ];
        for (name, line, expected) in cases {
            let found = read_positions(&format!("# a comment\n{line}\r\n\n"));
            match (found, expected) {
                (Ok(openings), Ok(fen)) => {
                    assert_eq!(openings.len(), 1, "{name}");
                    assert_eq!(Fen::new(openings[0].start()).to_string(), fen, "{name}");
                }
                (Err(error), Err(message)) => {
                    assert!(error.to_string().starts_with(message), "{name}: {error}")
                }
                (found, _) => panic!("{name}: {found:?}"),
            }
        }
    }

    // Games

    #[test]
    fn games_are_cut_to_openings() {
        let text = "[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n\n1. e4 e5 2. Qh5 Nc6 *\n\n[Event \"?\"]\n\n1. d4 {x} (1. c4) d5 *\n";
        let openings = read_games(text.as_bytes(), 3).expect("two games");
        let told: Vec<_> = openings.iter().map(|opening| opening.moves().len()).collect();
        assert_eq!(told, [3, 2]);
        let remark = read_games(b"1. d4 d5 *\n\n{the end}\n", 9).expect("a game");
        assert_eq!(remark.len(), 1);
        let error = read_games(b"1. e4 e5 2. Ke3 *", 9).expect_err("an illegal move");
        assert!(error.to_string().starts_with("line 1: game 1: "), "{error}");
        let error = read_games(b"1. f3 e5 2. g4 Qh4# 0-1", 9).expect_err("a mate");
        assert!(error.to_string().starts_with("game 1: the opening ends the game"), "{error}");
        assert!(error.to_string().contains("Black mates"), "{error}");
        assert!(read_games(b"1. f3 e5 2. g4 Qh4# 0-1", 3).is_ok());
    }
}
