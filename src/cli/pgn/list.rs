//! The table of `hematite pgn find --list`: a line for each game.

use super::one_game::NamedOpening;
use crate::cli::streams::plain;
use crate::database::Place;
use crate::notation::pgn::{Game, GameResult};
use std::fmt::Write as _;
use std::str::FromStr;

/// The width of the number of a game.
pub(super) const NUMBER_WIDTH: usize = 7;

/// What a column shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ListColumn {
    /// The ECO code of the tag, or else of the moves.
    Eco,
    /// The name of the opening, with a mark if no tag states it.
    Opening,
    /// The ply of the first place that was looked for.
    Ply,
    /// The number of plies of the game.
    Plies,
    Result,
    /// The tag with this name; upper and lower case do not matter.
    Tag(String),
}

impl FromStr for ListColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_name =
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match text.to_ascii_lowercase().as_str() {
            "eco" => Ok(Self::Eco),
            "opening" => Ok(Self::Opening),
            "ply" => Ok(Self::Ply),
            "plies" => Ok(Self::Plies),
            "result" => Ok(Self::Result),
            _ if is_name => Ok(Self::Tag(text.to_owned())),
            _ => Err("expected the name of a tag, or opening, ply or plies".to_owned()),
        }
    }
}

impl ListColumn {
    /// The columns where none are asked for: players with ratings, result, date, code, opening, ply of the match, event.
    pub(super) fn usual() -> Vec<Self> {
        let tag = |name: &str| Self::Tag(name.to_owned());
        vec![
            tag("White"),
            tag("WhiteElo"),
            tag("Black"),
            tag("BlackElo"),
            Self::Result,
            tag("Date"),
            Self::Eco,
            Self::Opening,
            Self::Ply,
            tag("Event"),
        ]
    }

    fn heading(&self) -> &str {
        match self {
            Self::Eco => "ECO",
            Self::Opening => "Opening",
            Self::Ply => "Ply",
            Self::Plies => "Plies",
            Self::Result => "Result",
            Self::Tag(name) if name.to_ascii_lowercase().ends_with("elo") => "Elo",
            Self::Tag(name) => name,
        }
    }

    /// The width in characters, and whether the column is that of a number, which is at its right.
    fn width(&self) -> (usize, bool) {
        /// A name, of a player or of anything else.
        const NAME: usize = 22;
        match self {
            Self::Eco => (3, false),
            Self::Opening => (30, false),
            Self::Ply => (4, true),
            Self::Plies => (5, true),
            Self::Result => (7, false),
            Self::Tag(name) => match name.to_ascii_lowercase().as_str() {
                "whiteelo" | "blackelo" => (4, true),
                "round" | "board" => (6, false),
                "date" | "eventdate" => (10, false),
                _ => (NAME, false),
            },
        }
    }

    fn value(&self, game: &Game, places: &[Place], opening: &NamedOpening) -> String {
        match self {
            Self::Eco => opening.code.clone(),
            Self::Opening => opening.marked(),
            Self::Ply => places.first().map_or_else(|| "-".to_owned(), |place| place.ply.to_string()),
            Self::Plies => game.mainline().count().to_string(),
            Self::Result if game.result == GameResult::Draw => "1/2".to_owned(),
            Self::Result => game.result.as_str().to_owned(),
            Self::Tag(name) => {
                let tag = game.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
                tag.map_or_else(String::new, |(_, value)| value.to_owned())
            }
        }
    }
}

/// The headings of the columns, behind that of the number.
pub(super) fn list_headings(columns: &[ListColumn]) -> String {
    let texts: Vec<&str> = columns.iter().map(ListColumn::heading).collect();
    line(columns, &texts)
}

/// A game in a list, behind its number, with the first place that was looked for.
pub(super) fn list_row(columns: &[ListColumn], game: &Game, places: &[Place]) -> String {
    // The moves are gone through only for who asks.
    let needs_opening = columns.iter().any(|column| matches!(column, ListColumn::Eco | ListColumn::Opening));
    let opening = if needs_opening { NamedOpening::of(game) } else { NamedOpening::default() };
    let texts: Vec<String> = columns.iter().map(|column| column.value(game, places, &opening)).collect();
    line(columns, &texts)
}

/// The texts of the columns, cut to their widths; the last one is as long as it is.
fn line(columns: &[ListColumn], texts: &[impl AsRef<str>]) -> String {
    let mut line = String::new();
    for (index, (column, text)) in columns.iter().zip(texts).enumerate() {
        let text = plain(text.as_ref());
        if index + 1 == columns.len() {
            let _ = write!(line, " {text}");
            break;
        }
        let (width, is_number) = column.width();
        let text: String = text.chars().take(width).collect();
        // Writing to a string cannot fail.
        let _ = if is_number { write!(line, " {text:>width$} ") } else { write!(line, " {text:<width$} ") };
    }
    line.truncate(line.trim_end().len());
    line
}
