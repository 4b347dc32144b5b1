//! Tables of statistics in Markdown, in LaTeX and as CSV.

use super::table::{Cell, Kind, Table};
use crate::cli::streams::shortened;
use crate::files::csv_field;
use crate::render::{latex, markdown};
use std::fmt::Write;

/// The maximum length of a LaTeX cell that may be cut, in characters.
const MAX_CUT: usize = 28;
/// The font sizes of LaTeX tables, each with the maximum length of a line in characters.
const SIZES: [(usize, &str); 3] = [(90, "small"), (105, "footnotesize"), (125, "scriptsize")];
const SMALLEST: &str = "tiny";

/// The shares of the games won by White, drawn, and won by Black.
fn shares(counts: [u64; 3]) -> String {
    let sum: u64 = counts.iter().sum();
    if sum == 0 {
        return String::new();
    }
    let [white, draws, black] = counts.map(|count| count as f64 * 100.0 / sum as f64);
    format!("{white:.0} / {draws:.0} / {black:.0} %")
}

/// The text of a cell, and the number of leading spaces, which show the depth of a move.
fn text(cell: &Cell) -> (String, usize) {
    match cell {
        Cell::Text(text) => {
            let rest = text.trim_start_matches(' ');
            (rest.to_owned(), text.len() - rest.len())
        }
        Cell::Bar(counts) => (shares(*counts), 0),
    }
}

/// The headings of the columns that replace a bar of results.
const RESULTS: [&str; 3] = ["+", "=", "-"];

impl Table {
    /// The table as CSV (<https://www.rfc-editor.org/rfc/rfc4180>): the headings of the columns, and a line for each
    /// row. Leading spaces, which show the depth of a move, are kept.
    pub(super) fn csv(&self) -> String {
        let is_bar = |index: usize| self.rows.iter().any(|row| matches!(row.get(index), Some(Cell::Bar(_))));
        let mut text = String::new();
        let mut line = |fields: &[String]| {
            let fields: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
            text += &fields.join(",");
            text.push('\n');
        };
        let names = self.columns.iter().enumerate().flat_map(|(index, column)| {
            if is_bar(index) { RESULTS.map(str::to_owned).into() } else { vec![column.name.clone()] }
        });
        line(&names.collect::<Vec<_>>());
        for row in &self.rows {
            let fields = row.iter().enumerate().flat_map(|(index, cell)| match cell {
                Cell::Bar(counts) => counts.map(|count| count.to_string()).into(),
                Cell::Text(_) if is_bar(index) => vec![String::new(); RESULTS.len()],
                Cell::Text(text) => vec![text.clone()],
            });
            line(&fields.collect::<Vec<_>>());
        }
        text
    }

    /// Appends the table to a Markdown text, under a heading of this level.
    pub(in crate::cli) fn write_markdown(&self, page: &mut String, level: u8) {
        // Writing to a string cannot fail, here and below.
        if !self.title.is_empty() {
            let _ = write!(page, "{} {}\n\n", "#".repeat(level.into()), markdown::escape(&self.title));
        }
        for fact in &self.facts {
            let _ = write!(page, "{}\n\n", markdown::escape(fact));
        }
        if !self.rows.is_empty() {
            page.push('|');
            for column in &self.columns {
                let _ = write!(page, " {} |", markdown::escape(&column.name));
            }
            page.push_str("\n|");
            for column in &self.columns {
                page.push_str(match column.kind {
                    Kind::Left | Kind::Cut => " --- |",
                    Kind::Right => " ---: |",
                    Kind::Center => " :---: |",
                });
            }
            page.push('\n');
            for row in &self.rows {
                page.push('|');
                for cell in row {
                    let (text, depth) = text(cell);
                    let _ = write!(page, " {}{} |", "&emsp;".repeat(depth / 2), markdown::escape(&text));
                }
                page.push('\n');
            }
            page.push('\n');
        }
        for note in &self.notes {
            let _ = write!(page, "{}\n\n", markdown::escape(note));
        }
    }

    /// Appends the table to a LaTeX document, under a heading of this level.
    pub(in crate::cli) fn write_latex(&self, page: &mut String, level: u8) {
        if !self.title.is_empty() {
            page.push_str(&latex::heading(level, &latex::escape(&self.title)));
        }
        for fact in &self.facts {
            let _ = write!(page, "{}\n\n", latex::escape(fact));
        }
        if !self.rows.is_empty() {
            let shown = |(cell, kind): (&Cell, Kind)| {
                let (text, depth) = text(cell);
                (if kind == Kind::Cut { shortened(text, MAX_CUT) } else { text }, depth)
            };
            let kinds = || self.columns.iter().map(|column| column.kind);
            let rows: Vec<Vec<(String, usize)>> =
                self.rows.iter().map(|row| row.iter().zip(kinds()).map(shown).collect()).collect();
            let mut widths: Vec<usize> =
                self.columns.iter().map(|column| column.name.chars().count()).collect();
            for row in &rows {
                for (width, (text, depth)) in widths.iter_mut().zip(row) {
                    *width = (*width).max(text.chars().count() + depth);
                }
            }
            let width: usize = widths.iter().map(|width| width + 2).sum();
            let size = SIZES.iter().find(|(most, _)| width <= *most).map_or(SMALLEST, |(_, size)| size);
            let columns: String = kinds()
                .map(|kind| match kind {
                    Kind::Left | Kind::Cut => 'l',
                    Kind::Right => 'r',
                    Kind::Center => 'c',
                })
                .collect();
            let names: Vec<String> = self.columns.iter().map(|column| latex::escape(&column.name)).collect();
            let _ = write!(
                page,
                "{{\\{size}\\setlength{{\\tabcolsep}}{{.4em}}\n\\begin{{longtable}}{{{columns}}}\n{} \\\\\\hline\\endhead\n",
                names.join(" & ")
            );
            for row in rows {
                let cells =
                    row.iter().map(|(text, depth)| "\\quad{}".repeat(depth / 2) + &latex::escape(text));
                let _ = writeln!(page, "{} \\\\", cells.collect::<Vec<_>>().join(" & "));
            }
            page.push_str("\\end{longtable}}\n\n");
        }
        for note in &self.notes {
            let _ = write!(page, "{}\n\n", latex::escape(note));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::column;
    use super::*;

    fn table() -> Table {
        let columns = vec![
            column("Name", Kind::Cut),
            column("Result", Kind::Center),
            column("Points", Kind::Right),
            column("", Kind::Left),
        ];
        let mut table = Table {
            title: "A_b".to_owned(),
            facts: vec!["50 % | c".to_owned()],
            columns,
            notes: vec!["# d".to_owned()],
            ..Table::default()
        };
        table.push(vec!["  <x> | y".into(), "1–0".into(), 3.into(), Cell::Bar([2, 1, 1])]);
        table
    }

    #[test]
    fn markdown_has_all_of_a_table() {
        let mut text = String::new();
        table().write_markdown(&mut text, 3);
        assert_eq!(
            text,
            "### A\\_b\n\n50 % \\| c\n\n| Name | Result | Points |  |\n| --- | :---: | ---: | --- |\n\
             | &emsp;&lt;x&gt; \\| y | 1–0 | 3 | 50 / 25 / 25 % |\n\n\\# d\n\n"
        );
    }

    #[test]
    fn latex_has_all_of_a_table() {
        let mut text = String::new();
        table().write_latex(&mut text, 2);
        assert_eq!(
            text,
            "\\subsection*{A\\_b}\n50 \\% | c\n\n{\\small\\setlength{\\tabcolsep}{.4em}\n\\begin{longtable}{lcrl}\n\
             Name & Result & Points &  \\\\\\hline\\endhead\n\\quad{}<x> | y & 1--0 & 3 & 50 / 25 / 25 \\% \\\\\n\
             \\end{longtable}}\n\n\\# d\n\n"
        );
        let mut wide = table();
        wide.columns = vec![column("x".repeat(30), Kind::Right); 5];
        wide.rows = vec![vec!["a".into(); 5]];
        let mut text = String::new();
        wide.write_latex(&mut text, 2);
        assert!(text.contains("{\\tiny"), "{text}");
    }
}
