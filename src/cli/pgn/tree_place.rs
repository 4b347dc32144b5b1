//! The position of `hematite pgn tree` and `maneuvers`, and the moves that lead to it.

use super::Sifted;
use crate::chess::{Color, Move, Position};
use crate::cli::CliError;
use crate::cli::position;
use crate::database::{Numbers, Root, Tally};
use crate::notation::eco::opening;
use crate::notation::{Fen, MoveNumber, San, pluralize};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;

/// The default maximum number of rows of a table, except in JSON.
pub(super) const SHOWN: usize = 40;

/// The options for the position, and for the ways in which games may reach it.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct PlaceArg {
    /// Moves that lead to the position, as they are copied from anywhere.
    #[arg(long, visible_alias = "line", value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// The position as a FEN or an EPD record; --moves start from it.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Count only games that come by these very moves, from a start at the FEN if there is one: no transpositions.
    #[arg(long)]
    exact: bool,
}

/// The position in the output.
pub(super) struct Place {
    pub root: Arc<Root>,
    /// The moves that lead to the position, and the last name of their opening.
    title: String,
    name: Option<(String, String)>,
}

impl PlaceArg {
    /// Reads the position; games are counted for `depth` plies below it.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the position is not valid.
    pub(super) fn read(&self, depth: u32) -> Result<Place, CliError> {
        let fen = self.fen.as_deref().unwrap_or(position::START);
        let game = position::Game::new(fen, self.moves.as_deref().unwrap_or_default())
            .map_err(|problems| CliError::Usage(problems.join("\n")))?;
        if let Some(note) = &game.repairs {
            // A closed standard error does not matter.
            let _ = writeln!(io::stderr(), "{note}");
        }
        Ok(self.place(game.start, game.moves, depth))
    }

    /// The position after these moves.
    pub(super) fn place(&self, start: Position, moves: Vec<Move>, depth: u32) -> Place {
        let mut position = start;
        let mut named = opening(&position);
        for &mv in &moves {
            position = position.after(mv).0;
            named = opening(&position).or(named);
        }
        let name = named.map(|opening| (opening.code().to_string(), opening.name().to_owned()));
        let mut title = line_text(&start, &moves);
        if title.is_empty() {
            title =
                if self.fen.is_some() { Fen::new(&start).to_string() } else { "Initial position".to_owned() };
        } else if self.fen.is_some() {
            title = format!("{} {title}", Fen::new(&start));
        }
        Place { root: Arc::new(Root::new(start, moves, depth, self.exact)), title, name }
    }
}

impl Place {
    /// The moves that lead to the position, and the name of the opening.
    pub(super) fn heading(&self) -> String {
        match &self.name {
            Some((code, name)) => format!("{} · {code} {name}", self.title),
            None => self.title.clone(),
        }
    }

    /// The counts of the position, as JSON.
    pub(super) fn report<T>(&self, total: &Tally, sifted: Sifted, content: T) -> Report<'_, T> {
        let (start, moves) = self.root.line();
        Report {
            fen: Fen::new(&self.root.position).to_string(),
            line: line_text(start, moves),
            eco: self.name.as_ref().map(|(code, _)| &**code),
            opening: self.name.as_ref().map(|(_, name)| &**name),
            read: sifted.read,
            numbers: Numbers::new(total, sifted.read, self.root.position.turn()),
            content,
        }
    }
}

/// The counts of a position, as JSON.
#[derive(Serialize)]
pub(super) struct Report<'a, T> {
    fen: String,
    line: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    eco: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'a str>,
    read: u64,
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(flatten)]
    content: T,
}

/// A line of moves in SAN with move numbers.
pub(in crate::cli) fn line_text(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut words: Vec<String> = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let text = San::new(&position, mv).text();
        words.push(match (position.turn(), index) {
            (Color::White, _) | (_, 0) => numbered(&position, &text),
            _ => text.to_string(),
        });
        position = position.after(mv).0;
    }
    words.join(" ")
}

/// A move with its number.
pub(super) fn numbered(before: &Position, san: &str) -> String {
    format!("{} {san}", MoveNumber::of(before))
}

/// The results of the games that were counted, from White's point of view.
pub(super) fn results(tally: &Tally, sifted: Sifted) -> String {
    let Tally { games, white, draws, black, .. } = *tally;
    let mut text = format!("{games} of {}: +{white} ={draws} -{black}", pluralize(sifted.read, "game"));
    if let Some(score) = tally.score(Color::White) {
        text += &format!(" ({score:.1} %)");
    }
    text += " for White";
    if tally.unfinished() > 0 {
        text += &format!(", {} without a result", tally.unfinished());
    }
    text
}
