//! The format of the table: lines sorted by their moves, of which each tells only how it
//! differs from the one above (<https://en.wikipedia.org/wiki/Incremental_encoding>).

use super::{EcoCode, Opening, OpeningError, OpeningProblem};
use crate::chess::{Move, Position};
use crate::notation::{Excerpt, SanError, Turn, parse_san};
use std::fmt::Write;

/// What a line is compared with.
#[derive(Clone, Default)]
pub(super) struct Row<'a> {
    pub moves: Vec<&'a str>,
    pub name: &'a str,
}

impl Row<'_> {
    /// The line of the table that follows the one of `above`.
    pub(super) fn line(&self, above: &Row<'_>, code: EcoCode) -> String {
        let plies = self.moves.iter().zip(&above.moves).take_while(|(a, b)| a == b).count();
        let letters = self.name.chars().zip(above.name.chars()).take_while(|(a, b)| a == b);
        let shared: usize = letters.map(|(letter, _)| letter.len_utf8()).sum();
        let mut line = String::new();
        let rest = &self.name[shared..];
        // Writing to a string cannot fail.
        let _ = writeln!(line, "{plies}\t{}\t{code}\t{shared}\t{rest}", self.moves[plies..].join(" "));
        line
    }
}

/// Reads a table line by line, and knows what the last line said.
pub(super) struct Reader {
    /// The initial position and those after each move of the last line.
    positions: Vec<Position>,
    moves: Vec<Move>,
    name: String,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self { positions: vec![Position::start()], moves: Vec::new(), name: String::new() }
    }

    /// Reads a table; each opening comes with its line and with the position it leads to.
    pub(super) fn read(
        mut self,
        table: &str,
    ) -> impl Iterator<Item = Result<(usize, Position, Opening), OpeningError>> {
        let rows = table.lines().enumerate().filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
        rows.map(move |(index, text)| {
            let line = index + 1;
            let (position, opening) =
                self.read_line(text).map_err(|problem| OpeningError { line, problem })?;
            Ok((line, position, opening))
        })
    }

    fn read_line(&mut self, line: &str) -> Result<(Position, Opening), OpeningProblem> {
        let malformed = || OpeningProblem::Columns(Excerpt::new(line));
        let mut columns = line.split('\t');
        let mut next = || columns.next().ok_or_else(malformed);
        let plies: usize = next()?.parse().map_err(|_| malformed())?;
        let moves = next()?;
        let code = next()?;
        let shared: usize = next()?.parse().map_err(|_| malformed())?;
        let rest = next()?;
        if plies > self.moves.len() || !self.name.is_char_boundary(shared) || columns.next().is_some() {
            return Err(malformed());
        }
        self.moves.truncate(plies);
        self.positions.truncate(plies + 1);
        for text in moves.split_whitespace() {
            self.play(text)?;
        }
        self.name.truncate(shared);
        self.name.push_str(rest);
        let code = code.parse().map_err(|_| OpeningProblem::Code(Excerpt::new(code)))?;
        let opening = Opening { code, name: self.name.clone(), moves: self.moves.clone() };
        let &position = self.positions.last().ok_or_else(malformed)?;
        Ok((position, opening))
    }

    fn play(&mut self, text: &str) -> Result<(), OpeningProblem> {
        let Some(position) = self.positions.last() else { return Ok(()) };
        match parse_san(text, position).map_err(OpeningProblem::Move)? {
            Turn::Move(mv) => {
                let (after, _) = position.after(mv);
                self.positions.push(after);
                self.moves.push(mv);
                Ok(())
            }
            Turn::Null => Err(OpeningProblem::Move(SanError::NotAMove(Excerpt::new(text)))),
        }
    }
}
