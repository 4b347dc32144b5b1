//! The list of `hematite pgn find --list`: one line per game.

use super::one_game::NamedOpening;
use super::table::NOTHING;
use crate::cli::streams::{plain, shortened};
use crate::database::Place;
use crate::files::csv_field;
use crate::notation::pgn::{Game, GameResult};
use std::fmt::Write as _;
use std::str::FromStr;

/// The width of the number of a game, in characters.
pub(super) const NUMBER_WIDTH: usize = 7;
/// The width of a date, in characters.
const DATE: usize = 10;
/// The gap between the last column and the name of a file.
pub(super) const FILE_GAP: &str = "  ";

/// The content of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ListColumn {
    /// The ECO code from the tag, or else from the moves.
    Eco,
    /// The name of the opening, with a mark if no tag states it.
    Opening,
    /// The ply of the first match in the game.
    Ply,
    /// The number of plies of the game.
    Plies,
    Result,
    /// The tag with this name, in upper or lower case.
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
    /// The default columns: players with ratings, result, date, code, opening, ply of the match, event.
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

    /// The width in characters, and whether the column contains numbers, which are aligned right.
    fn width(&self) -> (usize, bool) {
        /// The width of a name of a player or of an event.
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
                "date" | "eventdate" => (DATE, false),
                _ => (NAME, false),
            },
        }
    }

    fn value(&self, game: &Game, places: &[Place], opening: &NamedOpening) -> String {
        let value = match self {
            Self::Eco => opening.code.clone(),
            Self::Opening => opening.marked(),
            Self::Ply => places.first().map_or_else(String::new, |place| place.ply.to_string()),
            Self::Plies => game.mainline().count().to_string(),
            Self::Result if game.result == GameResult::Draw => "1/2".to_owned(),
            Self::Result => game.result.as_str().to_owned(),
            Self::Tag(name) => {
                let tag = game.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
                tag.map_or_else(String::new, |(_, value)| value.to_owned())
            }
        };
        if value.trim().is_empty() { NOTHING.to_owned() } else { value }
    }

    /// The heading in CSV, where each column has another.
    fn csv_heading(&self) -> &str {
        match self {
            Self::Tag(name) => name,
            _ => self.heading(),
        }
    }

    /// The value in CSV: the result in full, the opening without a mark, and nothing for what is not there.
    fn csv_value(&self, game: &Game, places: &[Place], opening: &NamedOpening) -> String {
        match self {
            Self::Opening => opening.name.clone(),
            Self::Result => game.result.as_str().to_owned(),
            _ => match self.value(game, places, opening) {
                value if value == NOTHING => String::new(),
                value => value,
            },
        }
    }
}

/// The columns of a list and their widths.
pub(super) struct List {
    columns: Vec<(ListColumn, usize)>,
    /// The gap between two columns.
    gap: &'static str,
    /// Whether the last column is also cut; without a limit its text is written in full.
    cuts_last: bool,
    is_csv: bool,
}

impl List {
    /// A list with these columns, or the default ones if there are none, on lines of at most `limit` characters if
    /// possible: columns are narrowed for it, the widest first.
    pub(super) fn new(columns: &[ListColumn], limit: Option<usize>) -> Self {
        /// The minimum width of a narrowed column; dates and shorter columns are not narrowed.
        const LEAST: usize = 7;
        let columns = if columns.is_empty() { ListColumn::usual() } else { columns.to_vec() };
        let columns = columns.into_iter().map(|column| (column.width().0, column));
        let mut list = Self {
            columns: columns.map(|(width, column)| (column, width)).collect(),
            gap: "  ",
            cuts_last: limit.is_some(),
            is_csv: false,
        };
        let Some(limit) = limit else { return list };
        while list.width() > limit {
            let texts = list.columns.iter_mut().filter(|(column, _)| column.width().0 > DATE);
            match texts.map(|(_, width)| width).filter(|width| **width > LEAST).rev().max() {
                Some(width) => *width -= 1,
                None if list.gap.len() > 1 => list.gap = " ",
                None => break,
            }
        }
        list
    }

    /// The same as CSV.
    pub(super) fn csv(columns: &[ListColumn]) -> Self {
        Self { is_csv: true, ..Self::new(columns, None) }
    }

    /// The width of a line with the number of the game, in characters.
    fn width(&self) -> usize {
        self.columns.iter().map(|(_, width)| self.gap.len() + width).sum::<usize>() + NUMBER_WIDTH
    }

    /// The headings of the columns.
    pub(super) fn headings(&self) -> String {
        if self.is_csv {
            let names = self.columns.iter().map(|(column, _)| column.csv_heading());
            return ["Game"].into_iter().chain(names).chain(["File"]).collect::<Vec<_>>().join(",");
        }
        let texts: Vec<&str> = self.columns.iter().map(|(column, _)| column.heading()).collect();
        format!("{:>NUMBER_WIDTH$}{}", "Game", self.line(&texts))
    }

    /// The line of a game after its number, with the first match. In CSV it ends before the name of the file.
    pub(super) fn row(&self, game: &Game, places: &[Place]) -> String {
        // The moves are replayed only for columns that need the opening.
        let names_opening =
            |(column, _): &(ListColumn, usize)| matches!(column, ListColumn::Eco | ListColumn::Opening);
        let needs_opening = self.columns.iter().any(names_opening);
        let opening = if needs_opening { NamedOpening::of(game) } else { NamedOpening::default() };
        if self.is_csv {
            let value =
                |(column, _): &(ListColumn, usize)| csv_field(&column.csv_value(game, places, &opening));
            return self.columns.iter().map(value).collect::<Vec<_>>().join(",");
        }
        let value = |(column, _): &(ListColumn, usize)| column.value(game, places, &opening);
        let texts: Vec<String> = self.columns.iter().map(value).collect();
        self.line(&texts)
    }

    /// The texts of the columns, padded or cut to their widths, each after a gap.
    fn line(&self, texts: &[impl AsRef<str>]) -> String {
        let mut line = String::new();
        for (index, ((column, width), text)) in self.columns.iter().zip(texts).enumerate() {
            let text = plain(text.as_ref());
            let is_cut = self.cuts_last || index + 1 < self.columns.len();
            let text = if is_cut { shortened(text, *width) } else { text };
            let (_, is_number) = column.width();
            line.push_str(self.gap);
            // Writing to a string cannot fail.
            let _ = if is_number { write!(line, "{text:>width$}") } else { write!(line, "{text:<width$}") };
        }
        line.truncate(line.trim_end().len());
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_fit_the_terminal() {
        let usual = |limit| List::new(&[], limit);
        let widths = |list: &List| -> Vec<usize> { list.columns.iter().map(|(_, width)| *width).collect() };
        assert_eq!(widths(&usual(None)), [22, 4, 22, 4, 7, 10, 3, 30, 4, 22]);
        assert_eq!(widths(&usual(Some(200))), widths(&usual(None)));
        // The opening is the widest column, followed by all names.
        assert_eq!(widths(&usual(Some(150))), [22, 4, 22, 4, 7, 10, 3, 25, 4, 22]);
        for width in 78..200 {
            assert!(usual(Some(width)).width() <= width, "{width}");
            assert!(usual(Some(width)).headings().chars().count() <= width, "{width}");
        }
        assert_eq!(widths(&usual(Some(10))), [7, 4, 7, 4, 7, 10, 3, 7, 4, 7]);
        let list = usual(Some(100));
        let texts = vec!["Nepomniachtchi, Ian Alexandrovich"; 10];
        let line = list.line(&texts);
        assert!(line.chars().count() <= 100 - NUMBER_WIDTH && line.ends_with('…'), "{line}");
    }
}
