//! Openings, and the two forms of books: positions and games.

use crate::chess::{Move, Outcome, Position};
use crate::files::read_line;
use crate::notation::parse_epd_line;
use crate::notation::pgn::{
    Game, GameBuilder, GameResult, PgnError, PgnProblem, Place, RawText, Reader, Visitor,
};
use std::io::{self, BufRead, Read};
use thiserror::Error;

/// The start of a game: a position and the first moves from it.
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

    /// An opening with moves, each of which must be legal.
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

    /// The position after the moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv).0)
    }
}

/// The reason why a book cannot be used.
#[derive(Debug, Error)]
pub enum OpeningSuiteError {
    /// The book cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// A line of the book is not an opening.
    #[error("line {line}: {problem}")]
    Line {
        /// The number of the line, counted from 1.
        line: u64,
        /// The problem.
        problem: String,
    },
    /// A game of the book is not an opening.
    #[error("game {number}: {problem}")]
    Game {
        /// The number of the game, counted from 1.
        number: usize,
        /// The problem.
        problem: String,
    },
    /// The book has no openings.
    #[error("no openings, expected lines of FEN or EPD, or games in PGN")]
    Empty,
}

/// The selection of openings to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted<'a> {
    /// All openings.
    All,
    /// The openings with these indices, in ascending order. The others are only counted.
    Places(&'a [usize]),
}

impl Wanted<'_> {
    fn has(&mut self, place: usize) -> bool {
        match self {
            Self::All => true,
            Self::Places([first, rest @ ..]) if *first == place => {
                *self = Self::Places(rest);
                true
            }
            Self::Places(_) => false,
        }
    }
}

/// The number of openings of a book, and the selected ones with their indices.
pub(super) type Openings = (usize, Vec<(usize, Opening)>);

/// The maximum length of a line, in bytes, so that a file without line ends does not fill the memory.
const MAX_LINE: usize = 64 * 1024;

/// Reads a position from each line: a FEN, or an EPD whose operations `hmvc` and `fmvn` are the counters. Problems with
/// other operations are ignored.
pub(super) fn read_positions(
    reader: &mut impl BufRead,
    mut wanted: Wanted<'_>,
) -> Result<Openings, OpeningSuiteError> {
    let mut openings = Vec::new();
    let mut len = 0;
    for number in 1.. {
        let Some(read) = read_line(reader, MAX_LINE).map_err(OpeningSuiteError::Read)? else { break };
        let error = |problem: String| OpeningSuiteError::Line { line: number as u64, problem };
        if read.is_cut {
            return Err(error(format!("longer than {MAX_LINE} bytes, expected one position")));
        }
        let text = String::from_utf8_lossy(&read.bytes);
        let line = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = len;
        len += 1;
        if !wanted.has(place) {
            continue;
        }
        let record = parse_epd_line(line, number).map_err(|found| error(found.problem.to_string()))?;
        let position = record.epd.position();
        if !position.has_legal_moves() {
            return Err(error("the game is over already, expected a position with legal moves".to_owned()));
        }
        openings.push((place, Opening::new(*position)));
    }
    Ok((len, openings))
}

/// A visitor that skips a game.
#[derive(Default)]
struct Passer {
    has_content: bool,
}

impl Visitor for Passer {
    fn begin_game(&mut self) {
        self.has_content = false;
    }

    fn tag(&mut self, _: &[u8], _: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.has_content = true;
        Ok(())
    }

    /// Accepts a move with any text: its legality matters only in selected games.
    fn mv(&mut self, _: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.has_content = true;
        Ok(())
    }

    fn result(&mut self, _: GameResult) {
        self.has_content = true;
    }
}

/// Reads the openings of games: their first moves, at most `plies`. Variations are ignored.
pub(super) fn read_games(
    source: &mut impl Read,
    plies: usize,
    mut wanted: Wanted<'_>,
) -> Result<Openings, OpeningSuiteError> {
    let mut openings = Vec::new();
    let mut len = 0;
    let mut reader = Reader::new(source);
    let (mut passer, mut builder) = (Passer::default(), GameBuilder::new());
    loop {
        let (place, number) = (len, len + 1);
        if !wanted.has(place) {
            if !reader.read_game(&mut passer).map_err(OpeningSuiteError::Read)? {
                break;
            }
            // Comments without a game are not an opening.
            len += usize::from(passer.has_content);
            continue;
        }
        if !reader.read_game(&mut builder).map_err(OpeningSuiteError::Read)? {
            break;
        }
        let game = builder.game();
        let is_comment = |error: &PgnError| matches!(error.problem, PgnProblem::MissingGame);
        if game.is_empty() && builder.errors().iter().any(is_comment) {
            continue;
        }
        len += 1;
        if let Some(error) = builder.errors().iter().find(|error| !is_harmless(&error.problem)) {
            let Place { line, .. } = error.place;
            let problem = format!("game {number}: {}", error.problem);
            return Err(OpeningSuiteError::Line { line, problem });
        }
        openings.push((
            place,
            opening(game, plies).map_err(|problem| OpeningSuiteError::Game { number, problem })?,
        ));
    }
    Ok((len, openings))
}

/// Whether the problem does not affect the moves of an opening.
const fn is_harmless(problem: &PgnProblem) -> bool {
    matches!(problem, PgnProblem::MissingGame | PgnProblem::Result { .. } | PgnProblem::RepeatedTag { .. })
}

/// The opening of a game: its first moves, at most `plies`. An error if a side passes or the moves end the game.
fn opening(game: &Game, plies: usize) -> Result<Opening, String> {
    let mut position = *game.start();
    let mut moves: Vec<Move> = Vec::new();
    for node in game.mainline().take(plies) {
        let mv = game.mv(node).ok_or("a side passes, expected a move")?;
        position = position.play(mv).map_err(|error| error.to_string())?;
        if !position.has_legal_moves() {
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
            let text = format!("# a comment\n{line}\r\n\n");
            let counted = read_positions(&mut text.as_bytes(), Wanted::Places(&[]));
            assert!(matches!(counted, Ok((1, openings)) if openings.is_empty()), "{name}");
            let found = read_positions(&mut text.as_bytes(), Wanted::All);
            match (found, expected) {
                (Ok((len, openings)), Ok(fen)) => {
                    assert_eq!((len, openings.len()), (1, 1), "{name}");
                    assert_eq!(Fen::new(openings[0].1.start()).to_string(), fen, "{name}");
                }
                (Err(error), Err(message)) => {
                    assert!(error.to_string().starts_with(message), "{name}: {error}")
                }
                (found, _) => panic!("{name}: {found:?}"),
            }
        }
    }

    // Games

    fn all(text: &str, plies: usize) -> Result<Vec<(usize, Opening)>, OpeningSuiteError> {
        let (len, openings) = read_games(&mut text.as_bytes(), plies, Wanted::All)?;
        let (counted, none) = read_games(&mut text.as_bytes(), plies, Wanted::Places(&[]))?;
        assert_eq!((len, counted, none.len()), (openings.len(), openings.len(), 0), "{text}");
        Ok(openings)
    }

    #[test]
    fn games_are_cut_to_openings() {
        let text = "[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n\n1. e4 e5 2. Qh5 Nc6 *\n\n[Event \"?\"]\n\n1. d4 {x} (1. c4) d5 *\n";
        let openings = all(text, 3).expect("two games");
        let told: Vec<_> = openings.iter().map(|(place, opening)| (*place, opening.moves().len())).collect();
        assert_eq!(told, [(0, 3), (1, 2)]);
        assert_eq!(all("1. d4 d5 *\n\n{the end}\n", 9).expect("a game").len(), 1);
        assert_eq!(all("{nothing}\n", 9).expect("no game").len(), 0);
        let error = all("1. e4 e5 2. Ke3 *", 9).expect_err("an illegal move");
        assert!(error.to_string().starts_with("line 1: game 1: "), "{error}");
        let error = all("1. f3 e5 2. g4 Qh4# 0-1", 9).expect_err("a mate");
        assert!(error.to_string().starts_with("game 1: the opening ends the game"), "{error}");
        assert!(error.to_string().contains("Black mates"), "{error}");
        assert!(all("1. f3 e5 2. g4 Qh4# 0-1", 3).is_ok());
    }

    #[test]
    fn only_what_is_wanted_is_read() {
        let places = [1, 3];
        let games = "1. e4 *\n\n1. d4 *\n\n1. Ke3 *\n\n1. c4 c5 *\n\n";
        let (len, openings) =
            read_games(&mut games.as_bytes(), 9, Wanted::Places(&places)).expect("the wrong one is not read");
        let told: Vec<_> = openings.iter().map(|(place, opening)| (*place, opening.moves().len())).collect();
        assert_eq!((len, told), (4, vec![(1, 1), (3, 2)]));
        let lines = "x\n4k3/8/8/8/8/8/P7/4K3 w - -\n\nx\n4k3/8/8/8/8/8/P7/4K3 b - -\n";
        let (len, openings) = read_positions(&mut lines.as_bytes(), Wanted::Places(&places))
            .expect("the wrong ones are not read");
        assert_eq!((len, openings.iter().map(|(place, _)| *place).collect::<Vec<_>>()), (4, places.to_vec()));
        let long = "8".repeat(MAX_LINE + 1);
        let error = read_positions(&mut long.as_bytes(), Wanted::Places(&[])).expect_err("it is too long");
        assert_eq!(error.to_string(), "line 1: longer than 65536 bytes, expected one position");
    }
}
