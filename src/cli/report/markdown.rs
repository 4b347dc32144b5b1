//! The games of a report and their tables in Markdown.

use super::collection::{Entry, Facts, has_events, parts};
use crate::cli::pgn::table::Table;
use crate::render::markdown::{Written, escape};
use crate::render::result_sign;
use std::fmt::Write;

/// Tables under headings of this level.
pub(super) fn tables(tables: &[Table], level: u8) -> String {
    let mut text = String::new();
    tables.iter().for_each(|table| table.write_markdown(&mut text, level));
    text
}

/// The index of games, linked to these addresses; a game without an address is not linked.
pub(super) fn index(entries: &[Entry], address: impl Fn(usize) -> Option<String>) -> String {
    let has_events = has_events(entries);
    let mut text = String::from("| # | White | Black | Result | Moves | Date | Opening |");
    text.push_str(if has_events { " Event |\n" } else { "\n" });
    text.push_str("| ---: | --- | --- | :---: | ---: | --- | --- |");
    text.push_str(if has_events { " --- |\n" } else { "\n" });
    for (index, entry) in entries.iter().enumerate() {
        let Entry { white, black, result, moves, opening, event_name, date, .. } = entry;
        let number = index + 1;
        // Writing to a string cannot fail, here and below.
        let _ = match address(index) {
            Some(address) => write!(text, "| [{number}]({address}) |"),
            None => write!(text, "| {number} |"),
        };
        for name in [white, black] {
            let _ = write!(text, " {} |", escape(name));
        }
        let _ = write!(text, " {} | {moves} |", escape(result_sign(*result)));
        for cell in [date, opening].into_iter().chain(has_events.then_some(event_name)) {
            let _ = write!(text, " {} |", escape(cell));
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

/// The heading of a page and the line below it; either may be empty.
pub(super) fn head(heading: &str, subheading: &str) -> String {
    let mut text = String::new();
    if !heading.is_empty() {
        let _ = write!(text, "# {}\n\n", escape(heading));
    }
    if !subheading.is_empty() {
        let _ = write!(text, "{}\n\n", escape(subheading));
    }
    text
}

/// The anchor of a game.
fn anchor(index: usize) -> String {
    format!("g{}", index + 1)
}

/// The content of a page of games. Without `address`, the games follow the tables on the same page. The contents of the
/// entries are moved out of them.
pub(super) fn body(
    entries: &mut [Entry],
    facts: &Facts,
    address: Option<&dyn Fn(usize) -> String>,
    has_games: bool,
) -> Written {
    let take = |entry: &mut Entry| Written {
        text: std::mem::take(&mut entry.content),
        pictures: std::mem::take(&mut entry.pictures),
    };
    if let ([only], None, true) = (&mut *entries, address, has_games) {
        let mut written = take(only);
        // The heading of a single game becomes that of the page.
        if let Some(text) = written.text.strip_prefix("##") {
            written.text = format!("#{text}");
        }
        return written;
    }
    let mut written = Written::default();
    if has_games {
        written.text.push_str("## Games\n\n");
        written.text.push_str(&index(entries, |index| {
            Some(address.map_or_else(|| format!("#{}", anchor(index)), |address| address(index)))
        }));
    }
    for (_, heading, parts) in parts(facts) {
        let _ = write!(written.text, "## {heading}\n\n");
        for mut table in parts {
            if table.title == heading {
                table.title.clear();
            }
            table.write_markdown(&mut written.text, 3);
        }
    }
    if has_games && address.is_none() {
        for (index, entry) in entries.iter_mut().enumerate() {
            let _ = write!(written.text, "<a id=\"{}\"></a>\n\n", anchor(index));
            written.append(take(entry));
        }
    }
    written
}
