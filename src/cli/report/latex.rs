//! The games of a report and their tables in LaTeX.

use super::collection::{Entry, Facts, has_events, parts};
use crate::cli::pgn::table::{Kind, Table, column};
use crate::render::latex::heading;
use crate::render::result_sign;

/// Tables under headings of this level.
pub(super) fn tables(tables: &[Table], level: u8) -> String {
    let mut latex = String::new();
    tables.iter().for_each(|table| table.write_latex(&mut latex, level));
    latex
}

/// The index of games.
pub(super) fn index(entries: &[Entry]) -> String {
    let has_events = has_events(entries);
    let mut columns = vec![
        column("No.", Kind::Right),
        column("White", Kind::Cut),
        column("Black", Kind::Cut),
        column("Result", Kind::Center),
        column("Moves", Kind::Right),
        column("Date", Kind::Left),
        column("Opening", Kind::Cut),
    ];
    columns.extend(has_events.then(|| column("Event", Kind::Cut)));
    let mut table = Table { columns, ..Table::default() };
    for (index, entry) in entries.iter().enumerate() {
        let Entry { white, black, result, moves, opening, event_name, date, .. } = entry;
        let mut row = vec![
            (index as u64 + 1).into(),
            white.as_str().into(),
            black.as_str().into(),
            result_sign(*result).into(),
            (*moves as u64).into(),
            date.as_str().into(),
            opening.as_str().into(),
        ];
        row.extend(has_events.then(|| event_name.as_str().into()));
        table.push(row);
    }
    tables(&[table], 1)
}

/// The content of a document with these games.
pub(super) fn body(entries: &[Entry], facts: &Facts, has_games: bool) -> String {
    if let ([only], true) = (entries, has_games) {
        return only.content.clone();
    }
    let mut latex = String::new();
    if has_games {
        latex.push_str(&heading(1, "Games"));
        latex.push_str(&index(entries));
    }
    for (_, title, parts) in parts(facts) {
        latex.push_str(&heading(1, title));
        for mut table in parts {
            if table.title == title {
                table.title.clear();
            }
            table.write_latex(&mut latex, 2);
        }
    }
    if has_games {
        entries.iter().for_each(|entry| latex.push_str(&entry.content));
    }
    latex
}
