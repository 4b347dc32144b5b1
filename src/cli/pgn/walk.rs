//! A walk through a tree of moves: with the arrow keys on a terminal, otherwise with lines of text.

use super::table::{Table, TextStyle};
use crate::chess::{Move, Position};
use crate::cli::CliError;
use crate::cli::terminal::{self, Key, Keys};
use crate::notation::{BoardText, Excerpt, parse_san};
use anstyle::Style;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead, Write};

/// The view of a position of the tree.
pub(super) struct View {
    pub position: Position,
    /// The table: its title and facts are shown above the board, its rows next to the board, one for each move.
    pub table: Table,
    pub moves: Vec<Move>,
}

/// The kind of a view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ViewKind {
    /// The moves of the position.
    Moves,
    /// The games that reach the position.
    Games,
}

/// Creates the view after these moves from the start of the walk.
pub(super) type MakeView<'a> = dyn FnMut(&[Move], ViewKind) -> Result<View, CliError> + 'a;

/// The width of the board and of the space next to it, in columns.
const BOARD: usize = 22;
/// The minimum width of a terminal for a board next to the table, in columns.
const LEAST_COLUMNS: usize = 60;
/// The height of the board in lines, which is also the minimum height of the table next to it.
const BOARD_LINES: usize = 9;
/// The number of other lines: title, results, two empty lines, keys, and the line of the cursor.
const OTHER_LINES: usize = 6;
/// The default size of a terminal: columns and lines.
const USUAL: (usize, usize) = (80, 24);

const KEYS: &str = "↑ ↓ choose   → play   ← back   Home start   g games   f flip   q leave";
const LIST_KEYS: &str = "↑ ↓ scroll   g moves   f flip   q leave";
const COMMANDS: &str = "a move plays it; back, start, games, flip, quit";

/// Walks through a tree until the user leaves it.
pub(super) fn walk(make: &mut MakeView<'_>, out: &mut dyn Write) -> Result<(), CliError> {
    let mut walker = Walker {
        make,
        line: Vec::new(),
        chosen: vec![0],
        views: HashMap::new(),
        is_flipped: false,
        kind: ViewKind::Moves,
    };
    // Errors in the games are printed before the mode of the terminal is changed.
    walker.view()?;
    match terminal::keys() {
        Some(keys) => walker.with_keys(keys, out),
        None => walker.with_lines(&mut io::stdin().lock(), out),
    }
}

struct Walker<'w, 'l> {
    make: &'w mut MakeView<'l>,
    /// The moves from the start of the walk.
    line: Vec<Move>,
    /// The index of the chosen move for each position of the line, and of the chosen game in a list after them.
    chosen: Vec<usize>,
    /// The views created so far.
    views: HashMap<(Vec<Move>, ViewKind), View>,
    is_flipped: bool,
    /// The kind of view that is shown.
    kind: ViewKind,
}

impl Walker<'_, '_> {
    fn view(&mut self) -> Result<&View, CliError> {
        Ok(match self.views.entry((self.line.clone(), self.kind)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert((self.make)(&self.line, self.kind)?),
        })
    }

    fn play(&mut self, index: usize) -> Result<(), CliError> {
        let mv = self.view()?.moves.get(index).copied();
        if let Some(mv) = mv {
            if let Some(chosen) = self.chosen.last_mut() {
                *chosen = index;
            }
            self.line.push(mv);
            self.chosen.push(0);
        }
        Ok(())
    }

    fn go_back(&mut self) {
        if self.line.pop().is_some() {
            self.chosen.pop();
        }
    }

    fn go_to_start(&mut self) {
        self.line.clear();
        self.chosen.truncate(1);
    }

    /// Moves the choice by this number of rows.
    fn choose(&mut self, by: isize) -> Result<(), CliError> {
        let last = self.view()?.table.rows.len().saturating_sub(1);
        if let Some(chosen) = self.chosen.last_mut() {
            *chosen = chosen.saturating_add_signed(by).min(last);
        }
        Ok(())
    }

    fn with_keys(mut self, mut keys: Keys, out: &mut dyn Write) -> Result<(), CliError> {
        let marked = if TextStyle::of_output(true).is_plain() { Style::new() } else { Style::new().invert() };
        let mut height = 0;
        loop {
            let (columns, lines) = terminal::size().unwrap_or(USUAL);
            let room = lines.saturating_sub(OTHER_LINES).max(BOARD_LINES);
            let (chosen, is_flipped) = (self.chosen.last().copied(), self.is_flipped);
            let frame = frame(self.view()?, chosen, is_flipped, columns, room);
            // The cursor moves up to the first line of the previous frame, and everything below is erased.
            if height > 0 {
                write!(out, "\x1b[{height}A\r\x1b[J")?;
            }
            for (choice, line) in &frame {
                match choice.and_then(|start| line.split_at_checked(start)) {
                    Some((board, row)) => writeln!(out, "{board}{marked}{row}{marked:#}")?,
                    None => writeln!(out, "{line}")?,
                }
            }
            out.flush()?;
            height = frame.len();
            let page = room as isize / 2;
            let key = keys
                .next()
                .map_err(|error| CliError::Failed(format!("the terminal cannot be read: {error}")))?;
            let is_of_list = matches!(
                key,
                Key::Up
                    | Key::Down
                    | Key::PageUp
                    | Key::PageDown
                    | Key::End
                    | Key::Letter('k' | 'j' | 'f' | 'q')
                    | Key::Closed
            );
            if self.kind == ViewKind::Games && !is_of_list {
                self.kind = ViewKind::Moves;
                self.chosen.pop();
                continue;
            }
            match key {
                Key::Up | Key::Letter('k') => self.choose(-1)?,
                Key::Down | Key::Letter('j') => self.choose(1)?,
                Key::PageUp => self.choose(-page)?,
                Key::PageDown => self.choose(page)?,
                Key::End => self.choose(isize::MAX)?,
                Key::Right | Key::Enter | Key::Letter('l' | ' ') => self.play(chosen.unwrap_or(0))?,
                Key::Left | Key::Backspace | Key::Letter('h') => self.go_back(),
                Key::Home => self.go_to_start(),
                Key::Letter('f') => self.is_flipped = !self.is_flipped,
                Key::Letter('g') => {
                    self.kind = ViewKind::Games;
                    self.chosen.push(0);
                }
                Key::Letter('q') | Key::Escape | Key::Closed => return Ok(()),
                Key::Letter(_) | Key::Other => {}
            }
        }
    }

    fn with_lines(mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), CliError> {
        /// More than the length of any command, in bytes.
        const MAX_LINE: u64 = 1 << 10;
        loop {
            let is_flipped = self.is_flipped;
            for (_, line) in frame(self.view()?, None, is_flipped, usize::MAX, usize::MAX) {
                writeln!(out, "{line}")?;
            }
            loop {
                write!(out, "> ")?;
                out.flush()?;
                let mut line = Vec::new();
                let mut limited = io::Read::take(&mut *input, MAX_LINE);
                if limited.read_until(b'\n', &mut line).map_err(|error| stdin_error(&error))? == 0 {
                    writeln!(out)?;
                    return Ok(());
                }
                let line = String::from_utf8_lossy(&line);
                match line.trim() {
                    "" => continue,
                    "q" | "quit" => return Ok(()),
                    "b" | "back" => self.go_back(),
                    "s" | "start" => self.go_to_start(),
                    "f" | "flip" => self.is_flipped = !self.is_flipped,
                    "g" | "games" => {
                        self.kind = ViewKind::Games;
                        let text = self.view()?.table.text(TextStyle::plain(None));
                        self.kind = ViewKind::Moves;
                        write!(out, "{text}")?;
                        continue;
                    }
                    word => {
                        let view = self.view()?;
                        let mv = parse_san(word, &view.position).ok().and_then(|mv| mv.mv());
                        match mv.and_then(|mv| view.moves.iter().position(|&other| other == mv)) {
                            Some(index) => self.play(index)?,
                            None => {
                                writeln!(out, "no game has {} here; {COMMANDS}", Excerpt::new(word))?;
                                continue;
                            }
                        }
                    }
                }
                break;
            }
        }
    }
}

fn stdin_error(error: &io::Error) -> CliError {
    CliError::Input { name: "standard input".to_owned(), problem: error.to_string() }
}

/// The lines of a view, at most `columns` wide, with a table of at most `rows` rows. The line of the chosen move has
/// the byte offset at which the table starts.
fn frame(
    view: &View,
    chosen: Option<usize>,
    is_flipped: bool,
    columns: usize,
    rows: usize,
) -> Vec<(Option<usize>, String)> {
    let board = BoardText::new(view.position.board());
    let board = if is_flipped { board.flipped() } else { board }.to_string();
    let has_board = columns >= LEAST_COLUMNS;
    let indent = if has_board { BOARD } else { 0 };
    let is_known = columns < usize::MAX;
    let table = Table { title: String::new(), facts: Vec::new(), ..view.table.clone() };
    // The mark of the chosen row takes two columns.
    let text = table.text(TextStyle::plain(is_known.then(|| columns.saturating_sub(indent + 2))));
    let mut beside: Vec<(bool, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // The first line contains the headings of the columns.
        let is_chosen = index > 0 && chosen == Some(index - 1);
        beside.push((is_chosen, format!("{} {line}", if is_chosen { '>' } else { ' ' })));
    }
    if view.table.rows.is_empty() {
        beside = vec![(false, "  No game has a move here.".to_owned())];
    }
    // The rows around the chosen one, below the headings.
    let room = rows.saturating_sub(1).max(1);
    if beside.len() > room + 1 {
        let first = chosen.unwrap_or(0).saturating_sub(room / 2).min(beside.len() - 1 - room);
        beside.drain(1 + first + room..);
        beside.drain(1..1 + first);
    }
    let mut frame = vec![(None, view.table.title.clone())];
    frame.extend(view.table.facts.iter().map(|fact| (None, fact.clone())));
    frame.push((None, String::new()));
    let mut board: Vec<&str> = if has_board { board.lines().collect() } else { Vec::new() };
    board.resize(board.len().max(beside.len()), "");
    for (index, board) in board.iter().enumerate() {
        let (is_chosen, text) = beside.get(index).cloned().unwrap_or_default();
        let line = format!("{board:<indent$}{text}");
        frame.push((is_chosen.then_some(indent), line.trim_end().to_owned()));
    }
    frame.push((None, String::new()));
    let is_list = view.moves.is_empty() && !view.table.rows.is_empty();
    let keys = match chosen {
        Some(_) if is_list => LIST_KEYS,
        Some(_) => KEYS,
        None => COMMANDS,
    };
    frame.push((None, keys.to_owned()));
    for (_, line) in &mut frame {
        *line = line.chars().filter(|letter| !letter.is_control()).take(columns).collect();
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::super::table::{Kind, column};
    use super::*;

    fn view(rows: usize) -> View {
        let position = Position::start();
        let moves: Vec<Move> = position.legal_moves().iter().copied().take(rows).collect();
        let mut table =
            Table { title: "Title".to_owned(), facts: vec!["facts".to_owned()], ..Table::default() };
        table.columns = vec![column("Move", Kind::Left), column("Opening", Kind::Cut)];
        for index in 0..rows {
            table.push(vec![format!("move {index}").into(), "a long name of an opening ".repeat(4).into()]);
        }
        View { position, table, moves }
    }

    #[test]
    fn frames_fit_the_terminal_and_show_the_choice() {
        for (columns, lines, count) in
            [(80, 24, 20), (40, 24, 20), (80, 24, 3), (200, 16, 20), (80, 24, 0), (1, 1, 5)]
        {
            let view = view(count);
            for chosen in 0..count.max(1) {
                let room = usize::saturating_sub(lines, OTHER_LINES).max(BOARD_LINES);
                let frame = frame(&view, Some(chosen), false, columns, room);
                assert!(frame.len() < lines.max(BOARD_LINES + OTHER_LINES), "{} lines", frame.len());
                assert!(frame.iter().all(|(_, line)| line.chars().count() <= columns));
                let marked: Vec<&str> = frame
                    .iter()
                    .filter(|(choice, _)| choice.is_some())
                    .map(|(_, line)| line.as_str())
                    .collect();
                assert_eq!(marked.len(), usize::from(count > 0), "{chosen} of {count}");
                if columns > 1 && count > 0 {
                    assert!(marked[0].contains(&format!("> move {chosen} ")), "{marked:?}");
                }
                let has_board = frame.iter().any(|(_, line)| line.starts_with("8  r n b q k b n r"));
                assert_eq!(has_board, columns >= LEAST_COLUMNS);
            }
        }
        let all = frame(&view(20), None, true, usize::MAX, usize::MAX);
        assert!(all.len() == 3 + 21 + 2 && all[3].1.starts_with("1  R N B K Q B N R"), "{all:?}");
    }
}
