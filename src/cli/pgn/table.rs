//! Tables of statistics, as text and as self-contained HTML.

use super::{InputEnd, Inputs, QueryArg, Selection, Sifted, Wanted};
use crate::cli::streams::{OutputArg, plain, shortened, write_json};
use crate::cli::{CliError, ExitStatus, terminal};
use crate::database::{Follow, Header, Joined, Numbers, Tally};
use crate::notation::pgn::GameResult;
use crate::notation::{percent, pluralize};
use crate::render::{Page, RatingCurve, escape};
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// The widths of a bar of results in wide and in narrow tables, in characters.
const BAR: usize = 20;
const NARROW_BAR: usize = 10;
/// The number of columns of a terminal below which bars are narrow.
const ROOMY: usize = 100;
/// The minimum width of a column that is cut to the width of the terminal.
const LEAST_CUT: usize = 12;
/// The characters of a bar: for games won by White, drawn, and won by Black.
const SIGNS: [char; 3] = ['█', '▒', '░'];

/// The format of the cells of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Kind {
    Left,
    Right,
    /// Text that is cut if the line is too long for the terminal.
    Cut,
    Center,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// Creates a column with this heading.
pub(in crate::cli) fn column(name: impl Into<String>, kind: Kind) -> Column {
    Column { name: name.into(), kind }
}

/// The content of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Cell {
    Text(String),
    /// A bar for the numbers of games won by White, drawn, and won by Black.
    Bar([u64; 3]),
}

/// The placeholder for a missing value in lists: an empty cell could be mistaken for one of another column.
pub(super) const NOTHING: &str = "-";

impl Cell {
    /// A tag of a game, or [`NOTHING`].
    pub(super) fn tag(value: &str) -> Self {
        Self::from(if value.trim().is_empty() { NOTHING } else { value })
    }

    /// The text, or an empty cell.
    pub(in crate::cli) fn optional(value: Option<impl ToString>) -> Self {
        Self::Text(value.map_or_else(String::new, |value| value.to_string()))
    }

    /// A number with one decimal, or an empty cell.
    pub(in crate::cli) fn decimal(value: Option<f64>) -> Self {
        Self::optional(value.map(|value| format!("{value:.1}")))
    }

    /// The bar of the results of some games.
    pub(in crate::cli) const fn bar(tally: &Tally) -> Self {
        Self::Bar([tally.white, tally.draws, tally.black])
    }

    /// The bar of the results of some games.
    pub(super) const fn bar_of(numbers: &Numbers) -> Self {
        Self::Bar([numbers.white, numbers.draws, numbers.black])
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Text(number.to_string())
    }
}

/// A table with the texts above and below it.
#[derive(Clone, Default, Debug)]
pub(in crate::cli) struct Table {
    pub title: String,
    /// Lines below the title.
    pub facts: Vec<String>,
    /// A curve below the facts.
    pub curve: Option<RatingCurve>,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// Lines below the table.
    pub notes: Vec<String>,
}

/// The style of tables written as text.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct TextStyle {
    /// The width of the terminal in columns; `None` for text that is not cut.
    width: Option<usize>,
    heading: Style,
}

impl TextStyle {
    /// Text without styles, cut to a width in columns if one is stated.
    pub(super) const fn plain(width: Option<usize>) -> Self {
        Self { width, heading: Style::new() }
    }

    /// Whether the text has no styles.
    pub(super) fn is_plain(self) -> bool {
        self.heading == Style::new()
    }

    /// The style for standard output, or for a file.
    pub(in crate::cli) fn of_output(is_standard: bool) -> Self {
        let output = io::stdout();
        if !is_standard || !output.is_terminal() {
            return Self::plain(None);
        }
        let has_colors = AutoStream::choice(&output) != ColorChoice::Never;
        let heading = if has_colors { Style::new().bold() } else { Style::new() };
        Self { width: terminal::size().map(|(columns, _)| columns), heading }
    }
}

/// The lengths of the three parts of a bar, which add up to its width.
fn parts(counts: [u64; 3], width: usize) -> [usize; 3] {
    let sum: u64 = counts.iter().sum();
    if sum == 0 {
        return [0; 3];
    }
    let end = |count: u64| (u128::from(count) * 2 * width as u128 + u128::from(sum)) / (2 * u128::from(sum));
    let [white, draws, _] = counts;
    // The ends are rounded, and each is at most the width.
    let (first, second) = (end(white) as usize, end(white + draws) as usize);
    [first, second - first, width - second]
}

impl Table {
    /// Appends a row.
    pub(in crate::cli) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// The table as text.
    pub(in crate::cli) fn text(&self, style: TextStyle) -> String {
        let bar = if style.width.is_some_and(|width| width < ROOMY) { NARROW_BAR } else { BAR };
        let shown = |cell: &Cell| match cell {
            Cell::Text(text) => plain(text),
            Cell::Bar(counts) => {
                let signs = SIGNS.iter().zip(parts(*counts, bar));
                signs.map(|(sign, length)| sign.to_string().repeat(length)).collect()
            }
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        let mut widths: Vec<usize> = self.columns.iter().map(|column| column.name.chars().count()).collect();
        for row in &rows {
            for (width, text) in widths.iter_mut().zip(row) {
                *width = (*width).max(text.chars().count());
            }
        }
        self.cut(&mut widths, style.width);
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for ((text, column), &width) in cells.zip(&self.columns).zip(&widths) {
                let text = shortened(text.to_owned(), width);
                // Writing to a string cannot fail.
                let _ = match column.kind {
                    Kind::Left | Kind::Cut => write!(line, "{text:<width$}  "),
                    Kind::Right => write!(line, "{text:>width$}  "),
                    Kind::Center => write!(line, "{text:^width$}  "),
                };
            }
            line.truncate(line.trim_end().len());
            line
        };
        let heading = style.heading;
        let mut text = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(text, "{heading}{}{heading:#}", plain(&self.title));
        }
        for fact in &self.facts {
            let _ = writeln!(text, "{}", plain(fact));
        }
        if let Some(curve) = &self.curve {
            let _ = write!(text, "\n{}", curve.to_text(style.width));
        }
        if !rows.is_empty() {
            if !text.is_empty() {
                text.push('\n');
            }
            let names = line(&mut self.columns.iter().map(|column| &*column.name));
            let _ = writeln!(text, "{heading}{names}{heading:#}");
            for row in &rows {
                let _ = writeln!(text, "{}", line(&mut row.iter().map(|text| &**text)));
            }
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(text, "{}", plain(note));
        }
        text
    }

    /// Narrows the columns that may be cut until lines fit the terminal.
    fn cut(&self, widths: &mut [usize], limit: Option<usize>) {
        let Some(limit) = limit else { return };
        let all = |widths: &[usize]| widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(2);
        loop {
            let excess = all(widths).saturating_sub(limit);
            // The widest column is narrowed first.
            let widest = (0..widths.len())
                .filter(|&index| self.columns[index].kind == Kind::Cut && widths[index] > LEAST_CUT)
                .max_by_key(|&index| widths[index]);
            match widest {
                Some(index) if excess > 0 => widths[index] -= 1,
                _ => return,
            }
        }
    }

    /// Appends the table to an HTML page, under a heading of this level.
    pub(in crate::cli) fn write_html(&self, page: &mut String, level: u8) {
        if !self.title.is_empty() {
            let _ = writeln!(page, "<h{level}>{}</h{level}>", escape(&self.title));
        }
        for fact in &self.facts {
            let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(fact));
        }
        if let Some(curve) = &self.curve {
            let _ = writeln!(page, "{}", curve.to_html());
        }
        if !self.rows.is_empty() {
            let class = |column: &Column| match column.kind {
                Kind::Left | Kind::Cut => "",
                Kind::Right => " class=\"number\"",
                Kind::Center => " class=\"center\"",
            };
            page.push_str("<div class=\"wide\"><table>\n<thead><tr>");
            for column in &self.columns {
                let _ = write!(page, "<th scope=\"col\"{}>{}</th>", class(column), escape(&column.name));
            }
            page.push_str("</tr></thead>\n<tbody>\n");
            for row in &self.rows {
                page.push_str("<tr>");
                for (cell, column) in row.iter().zip(&self.columns) {
                    let _ = match cell {
                        Cell::Text(text) => {
                            write!(page, "<td{}>{}</td>", class(column), html_text(&plain(text)))
                        }
                        Cell::Bar(counts) => write!(page, "<td>{}</td>", html_bar(*counts)),
                    };
                }
                page.push_str("</tr>\n");
            }
            page.push_str("</tbody>\n</table></div>\n");
        }
        for note in &self.notes {
            let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(note));
        }
    }
}

/// HTML text that keeps leading spaces, which show the depth of a move.
fn html_text(text: &str) -> String {
    let rest = text.trim_start_matches(' ');
    "&emsp;".repeat((text.len() - rest.len()) / 2) + &escape(rest)
}

fn html_bar(counts: [u64; 3]) -> String {
    let sum: u64 = counts.iter().sum();
    if sum == 0 {
        return String::new();
    }
    let percent = counts.map(|count| count as f64 * 100.0 / sum as f64);
    let parts = ["+", "=", "-"].into_iter().zip(counts).zip(percent);
    let label: Vec<String> =
        parts.map(|((sign, count), share)| format!("{sign} {count} ({share:.1} %)")).collect();
    let label = label.join(", ");
    let mut bar = format!("<svg class=bar role=img><title>{label}</title>");
    let mut x = 0.0;
    for (name, share) in ["won", "drawn", "lost"].into_iter().zip(percent).filter(|(_, share)| *share > 0.0) {
        /// The minimum share, in percent, whose number fits into its part of the bar.
        const LEAST: f64 = 15.0;
        let _ = write!(bar, "<rect class={name} x={x:.1}% width={share:.1}% height=100% />");
        if share >= LEAST {
            let middle = x + share / 2.0;
            let _ = write!(bar, "<text class={name} x={middle:.1}% y=50%>{share:.0}%</text>");
        }
        x += share;
    }
    bar + "</svg>"
}

/// A page with these tables.
pub(super) fn page(title: &str, tables: &[Table]) -> String {
    let mut body = String::new();
    tables.iter().for_each(|table| table.write_html(&mut body, 2));
    Page { title: title.to_owned(), heading: title.to_owned(), body, ..Page::default() }.to_html()
}

/// Tables as CSV, separated by empty lines.
pub(super) fn csv(tables: &[Table]) -> String {
    tables.iter().map(Table::csv).collect::<Vec<_>>().join("\n")
}

/// Tables as text, one below the other.
pub(in crate::cli) fn texts(tables: &[Table], style: TextStyle) -> String {
    tables.iter().map(|table| table.text(style)).collect::<Vec<_>>().join("\n")
}

/// The help of `--strict` for commands whose exit code does not depend on errors.
pub(super) const STRICT: &str = "Count every finding, not only moves that are not read, for --broken";
/// The help of `--quiet` for these commands.
pub(super) const QUIET: &str = "Print nothing on standard error but why the command fails";

/// The form of tables.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub(super) struct TableForm {
    /// Write one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Write a page of HTML that needs no other files.
    #[arg(long)]
    pub html: bool,
    /// Write the tables as CSV, with an empty line between them; a bar of results is three columns.
    #[arg(long)]
    pub csv: bool,
}

/// The options of all commands that count games.
#[derive(clap::Args, Debug)]
pub(super) struct Common {
    #[command(flatten)]
    pub inputs: Inputs,

    #[command(flatten)]
    pub query: QueryArg,

    #[command(flatten)]
    form: TableForm,

    #[command(flatten)]
    pub target: OutputArg,

    #[command(flatten)]
    pub selection: Selection,
}

impl Common {
    /// Follows the games that the query finds, and that contain the position if there is one; see [`Inputs::sift`].
    pub(super) fn sift<F: Follow + Send + 'static>(
        &self,
        position: Option<u64>,
        new: impl Fn() -> F + Sync,
        add: impl Fn(&mut F, &dyn Header, GameResult) + Sync,
        merge: impl FnMut(F) -> Result<(), CliError>,
    ) -> Result<(Sifted, InputEnd), CliError> {
        let query = self.query.read(self.inputs.files())?;
        let wanted = Wanted { query: query.as_ref(), selection: self.selection, position };
        self.inputs.sift(wanted, new, add, merge)
    }

    pub(super) const fn is_json(&self) -> bool {
        self.form.json
    }

    /// Writes the tables in the requested format, or the value as JSON.
    pub(super) fn write(
        &self,
        title: &str,
        tables: &[Table],
        json: &impl Serialize,
        end: &InputEnd,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let style = TextStyle::of_output(self.target.is_standard());
        self.write_with(end, out, |output| match self.form {
            TableForm { json: true, .. } => write_json(output, json),
            TableForm { html: true, .. } => Ok(output.write_all(page(title, tables).as_bytes())?),
            TableForm { csv: true, .. } => Ok(output.write_all(csv(tables).as_bytes())?),
            _ => Ok(output.write_all(texts(tables, style).as_bytes())?),
        })
    }

    /// Opens the output, lets `write` write to it, and finishes it.
    pub(super) fn write_with(
        &self,
        end: &InputEnd,
        out: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut output = self.target.open(out)?;
        write(&mut output)?;
        end.check_target(&self.target)?;
        Ok(output.finish()?)
    }
}

/// The maximum number of lines about joined names below a table; JSON has all of them.
const SHOWN_JOINS: usize = 20;

/// A name and its other spellings.
#[derive(Serialize)]
pub(super) struct JoinedName {
    name: String,
    spellings: Vec<String>,
}

pub(super) fn joined_names(joined: &Joined) -> Vec<JoinedName> {
    let name = |(name, spellings): (&str, BTreeSet<&str>)| JoinedName {
        name: name.to_owned(),
        spellings: spellings.into_iter().map(str::to_owned).collect(),
    };
    joined.groups().into_iter().map(name).collect()
}

/// Lines that list the spellings that were joined.
pub(super) fn join_notes(joined: &Joined) -> Vec<String> {
    let names = joined_names(joined);
    let line = |name: &JoinedName| format!("{} = {}", name.name, name.spellings.join(" = "));
    let mut notes: Vec<String> = names.iter().take(SHOWN_JOINS).map(line).collect();
    if !notes.is_empty() {
        notes.insert(0, "Joined names (--exact joins none):".to_owned());
    }
    if names.len() > SHOWN_JOINS {
        notes.push(format!("and {} more; --json has all", names.len() - SHOWN_JOINS));
    }
    notes
}

/// The cells of results: a name, games, points, percent, a bar, and the games won, drawn and lost.
pub(super) fn result_cells(name: &str, games: u64, results: [u64; 3]) -> Vec<Cell> {
    let [won, drawn, lost] = results;
    let half_points = 2 * won + drawn;
    vec![
        name.into(),
        games.into(),
        points(half_points).into(),
        Cell::decimal(percent(half_points, 2 * (won + drawn + lost))),
        Cell::Bar(results),
        won.into(),
        drawn.into(),
        lost.into(),
    ]
}

/// Points in decimal, from half points.
pub(in crate::cli) fn points(half_points: u64) -> String {
    format!("{:.1}", half_points as f64 / 2.0)
}

/// `12 of 30 games`.
pub(super) fn found(sifted: Sifted) -> String {
    format!("{} of {}", sifted.found, pluralize(sifted.read, "game"))
}

pub(super) fn answer(sifted: Sifted, end: &InputEnd) -> Result<ExitStatus, CliError> {
    let answer = if sifted.found > 0 { ExitStatus::Yes } else { ExitStatus::No };
    Ok(answer.max(end.status()?))
}

/// The error of counting too many games.
pub(super) fn too_many(error: impl std::error::Error) -> CliError {
    CliError::Failed(error.to_string())
}

pub(super) fn indented(depth: usize, text: &str) -> String {
    "  ".repeat(depth) + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_their_width() {
        for counts in [[1, 1, 1], [0, 0, 1], [7, 0, 0], [1, 1000, 1], [333, 333, 334], [u64::MAX / 4; 3]] {
            assert_eq!(parts(counts, BAR).iter().sum::<usize>(), BAR, "{counts:?}");
        }
        assert_eq!(parts([0; 3], BAR), [0; 3]);
        assert_eq!(parts([1, 2, 1], BAR), [5, 10, 5]);
    }

    #[test]
    fn long_texts_are_cut_to_the_terminal() {
        let mut table = Table { title: "All".to_owned(), ..Table::default() };
        table.columns =
            vec![column("Move", Kind::Left), column("Games", Kind::Right), column("Name", Kind::Cut)];
        table.push(vec!["e4".into(), 12_u64.into(), "King's Pawn Game and more\tof it".into()]);
        let style = |width| TextStyle { width, heading: Style::new() };
        let all = "All\n\nMove  Games  Name\ne4       12  King's Pawn Game and more of it\n";
        assert_eq!(table.text(style(None)), all);
        assert_eq!(table.text(style(Some(30))), "All\n\nMove  Games  Name\ne4       12  King's Pawn Game…\n");
        assert!(table.text(style(Some(5))).ends_with("King's Pawn…\n"));
    }

    #[test]
    fn pages_contain_no_text_as_markup() {
        let hostile = "<script>alert('\"&\u{7}')</script>";
        let mut table = Table { title: hostile.to_owned(), ..Table::default() };
        table.facts.push(hostile.to_owned());
        table.notes.push(hostile.to_owned());
        table.columns = vec![column(hostile, Kind::Left), column("", Kind::Left)];
        table.push(vec![hostile.into(), Cell::Bar([1, 0, 3])]);
        let page = page(hostile, &[table]);
        assert!(!page.contains("<script") && !page.contains("alert('"), "{page}");
        assert_eq!(page.matches("&lt;script&gt;alert(&#39;&quot;&amp; &#39;)&lt;/script&gt;").count(), 7);
        assert!(page.contains("width=25.0%") && page.contains("- 3 (75.0 %)"), "{page}");
    }
}
