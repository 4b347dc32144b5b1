//! The games of a report: the content of each, and the tables of all, in HTML and as text.

use super::format::Format;
use super::profile::{JsonProfile, Profiles, rounded};
use crate::analysis::{Examined, is_annotated, shown_comment};
use crate::chess::Color;
use crate::cli::CliError;
use crate::cli::pgn::table::{Table, TextStyle, texts};
use crate::cli::pgn::{NamedOpening, event_table, opening_table, player_table};
use crate::cli::streams::plain;
use crate::database::{
    Cross, CrossEvent, CrossStyle, Crosstable, EventReport, GameFacts, Joined, OpeningNames, OpeningPart,
    OpeningRow, PlayerRow, Players, Rounds,
};
use crate::notation::eco::{Opening, opening_of};
use crate::notation::pgn::{Game, GameResult, MoveStyle};
use crate::notation::{BoardText, Fen, PieceLetters, pluralize};
use crate::render::markdown::{Diagrams, Written};
use crate::render::{
    Course, Diagram, DiagramStyle, GameSection, IndexRow, Moves, PlayerCourse, Reword, event_line,
    games_index, players_line, write_section,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The results that are counted.
const RESULTS: [GameResult; 3] = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];
/// The maximum width of text, in columns.
const COLUMNS: usize = 79;
/// The maximum number of rows in the tables of players and of openings.
const MAX_ROWS: usize = 200;
/// The maximum number of players of a cross table in a document: JSON and `hematite pgn crosstable` have no such limit.
const MAX_CROSS_PLAYERS: usize = 100;
/// The maximum number of cross tables in a document.
const MAX_CROSS_TABLES: usize = 50;

/// The form in which games are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub letters: PieceLetters,
    /// The notation of moves.
    pub moves: MoveStyle,
    pub style: DiagramStyle,
    pub has_pgn: bool,
    pub format: Format,
    /// The form of diagrams in Markdown.
    pub diagrams: Diagrams,
    /// Whether the games are written, in addition to their tables.
    pub has_content: bool,
}

/// The data of a game in a report.
#[derive(Default)]
pub(super) struct Entry {
    /// The section of a page, or a text.
    pub content: String,
    /// The pictures of the section, if they are separate files.
    pub pictures: Vec<Diagram>,
    pub title: String,
    pub event: String,
    pub event_name: String,
    pub white: String,
    pub black: String,
    pub result: GameResult,
    pub moves: usize,
    pub opening: String,
    pub date: String,
    /// The course of the game, for JSON.
    json: Option<JsonCourse>,
}

impl Entry {
    /// Writes a game, and adds it to the facts.
    pub(super) fn new(game: &Game, form: Form, facts: &mut Facts) -> Self {
        let examined = Examined::new(game);
        let by_moves = opening_of(game);
        let opening = NamedOpening::by_tags_or(game, || by_moves);
        facts.add(game, &examined, &opening, by_moves);
        let tag = |name: &str| game.tags.get(name).unwrap_or_default().trim().to_owned();
        let plies = examined.plies;
        let code_and_name = (opening.code, opening.name);
        let json = (form.format == Format::Json).then(|| JsonCourse::new(&examined.course));
        let reword: Reword = match examined.course.players {
            Some(_) => |text, letters| shown_comment(text, letters, true),
            None => |text, letters| shown_comment(text, letters, false),
        };
        let section = GameSection {
            game,
            letters: form.letters,
            style: form.style,
            opening: code_and_name.clone(),
            course: examined.course,
            has_pgn: form.has_pgn,
            reword: Some(reword).filter(|_| is_annotated(&game.tags)),
            moves: form.moves,
        };
        let Written { text: content, pictures } = match form {
            Form { has_content: false, .. } => Written::default(),
            Form { format: Format::Markdown, .. } => section.to_markdown(form.diagrams),
            Form { format, .. } => {
                let text = match format {
                    Format::Text => text(&section),
                    Format::Latex => section.to_latex(),
                    Format::Html | Format::Pdf => section.to_html(),
                    Format::Json | Format::Markdown => String::new(),
                };
                Written { text, pictures: Vec::new() }
            }
        };
        Self {
            content,
            pictures,
            title: players_line(game),
            event: event_line(game),
            event_name: tag("Event"),
            white: tag("White"),
            black: tag("Black"),
            result: game.result,
            moves: plies.div_ceil(2),
            opening: format!("{} {}", code_and_name.0, code_and_name.1).trim().to_owned(),
            date: tag("Date"),
            json,
        }
    }
}

/// The course of a game as JSON: the data of the curves of a page.
#[derive(Serialize)]
struct JsonCourse {
    /// White's winning chances in percent, before the first move and after each move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    win_percent: Vec<Option<f64>>,
    /// The clocks after each move, in seconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clock: Vec<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<[JsonPlayer; 2]>,
}

/// The summary of White or Black in a game with evaluations.
#[derive(Serialize)]
struct JsonPlayer {
    color: &'static str,
    accuracy: Option<f64>,
    average_loss_cp: Option<f64>,
    inaccuracies: Option<usize>,
    mistakes: Option<usize>,
    blunders: Option<usize>,
}

impl JsonPlayer {
    fn new(color: Color, player: &PlayerCourse) -> Self {
        let [inaccuracies, mistakes, blunders] = player.judged.map_or([None; 3], |judged| judged.map(Some));
        Self {
            color: color.name(),
            accuracy: player.accuracy.map(rounded),
            average_loss_cp: player.average_loss_cp.map(rounded),
            inaccuracies,
            mistakes,
            blunders,
        }
    }
}

impl JsonCourse {
    fn new(course: &Course) -> Self {
        const PERCENT: f64 = 100.0;
        let chances = course.chances.iter().map(|chance| chance.map(|chance| rounded(chance * PERCENT)));
        let clocks: Vec<Option<f64>> =
            course.clocks.iter().skip(1).map(|clock| clock.map(|clock| clock.as_secs_f64())).collect();
        let has_clocks = clocks.iter().any(Option::is_some);
        let players = course.players.as_ref();
        Self {
            win_percent: chances.collect(),
            clock: if has_clocks { clocks } else { Vec::new() },
            players: players.map(|[white, black]| {
                [JsonPlayer::new(Color::White, white), JsonPlayer::new(Color::Black, black)]
            }),
        }
    }
}

/// A game in the index.
#[derive(Serialize)]
struct JsonEntry<'a> {
    /// The number of the game, counted from 1.
    number: usize,
    white: &'a str,
    black: &'a str,
    result: &'static str,
    event: &'a str,
    date: &'a str,
    opening: &'a str,
    moves: usize,
    #[serde(flatten)]
    course: Option<&'a JsonCourse>,
}

#[derive(Serialize)]
struct JsonResults {
    white: u64,
    draws: u64,
    black: u64,
}

/// A report on games as JSON.
#[derive(Serialize)]
pub(super) struct JsonReport<'a> {
    title: &'a str,
    games: u64,
    results: JsonResults,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<Vec<JsonEntry<'a>>>,
    cross_tables: Vec<EventReport>,
    players: Vec<PlayerRow>,
    openings: Vec<OpeningRow>,
    errors: Vec<JsonProfile>,
}

impl<'a> JsonReport<'a> {
    pub(super) fn new(title: &'a str, entries: &'a [Entry], facts: &Facts, has_games: bool) -> Self {
        let [white, draws, black] = facts.results;
        let tables = facts.tables();
        let entry = |(number, entry): (usize, &'a Entry)| JsonEntry {
            number,
            white: &entry.white,
            black: &entry.black,
            result: entry.result.as_str(),
            event: &entry.event_name,
            date: &entry.date,
            opening: &entry.opening,
            moves: entry.moves,
            course: entry.json.as_ref(),
        };
        let crosses = tables.tournaments();
        Self {
            title,
            games: facts.games,
            results: JsonResults { white, draws, black },
            index: has_games.then(|| (1..).zip(entries).map(entry).collect()),
            cross_tables: crosses
                .iter()
                .map(|(event, _)| {
                    let table = tables.cross_table(event);
                    EventReport::new(event, CrossStyle::of(&table), &table)
                })
                .collect(),
            players: PlayerRow::all(&facts.players, &tables.joined),
            openings: OpeningRow::most_first(&facts.names, facts.games, OpeningPart::Family),
            errors: facts.profiles.json(&tables.joined),
        }
    }
}

/// A game as text for a terminal or a printer.
fn text(section: &GameSection<'_>) -> String {
    let game = section.game;
    let (code, name) = &section.opening;
    let mut lines = vec![
        format!("{}  {}", players_line(game), game.result.as_str()),
        event_line(game),
        format!("{code} {name}").trim().to_owned(),
    ];
    if let Some(players) = &section.course.players {
        for (color, player) in Color::ALL.into_iter().zip(players) {
            let Some([inaccuracies, mistakes, blunders]) = player.judged else { continue };
            let accuracy =
                player.accuracy.map_or_else(String::new, |accuracy| format!("accuracy {accuracy:.1} %, "));
            let loss =
                player.average_loss_cp.map_or_else(String::new, |loss| format!("average loss {loss:.0}, "));
            lines.push(format!(
                "{}: {accuracy}{loss}{}, {}, {}",
                color.name(),
                pluralize(inaccuracies as u64, "inaccuracy"),
                pluralize(mistakes as u64, "mistake"),
                pluralize(blunders as u64, "blunder")
            ));
        }
    }
    let mut text = String::new();
    for line in lines.iter().map(|line| plain(line)).filter(|line| !line.is_empty()) {
        text.push_str(&line);
        text.push('\n');
    }
    text.push('\n');
    if game.is_set_up() {
        let start = game.start();
        let board = BoardText::new(start);
        let board = if section.style.is_flipped { board.flipped() } else { board };
        let _ = write!(text, "{}\n\n{board}\n\n{} to move\n\n", Fen::new(start), start.turn().name());
    }
    let (glyphs, reword) = (&section.course.glyphs, section.reword);
    let moves = Moves { glyphs, reword, style: section.moves, ..Moves::new(game, section.letters) };
    let written = match game.unread() {
        "" => moves.to_text(COLUMNS),
        unread => unread.lines().map(plain).collect::<Vec<_>>().join("\n"),
    };
    text.push_str(&written);
    if !written.is_empty() {
        text.push('\n');
    }
    text.push_str(game.result.as_str());
    text.push('\n');
    text
}

/// The counts of all games.
#[derive(Default)]
pub(super) struct Facts {
    pub games: u64,
    /// The number of games won by White, drawn, and won by Black.
    results: [u64; RESULTS.len()],
    players: Players,
    cross: Cross,
    names: OpeningNames,
    profiles: Profiles,
}

impl Facts {
    fn add(
        &mut self,
        game: &Game,
        examined: &Examined,
        opening: &NamedOpening,
        by_moves: Option<&'static Opening>,
    ) {
        self.games += 1;
        for (count, result) in self.results.iter_mut().zip(RESULTS) {
            *count += u64::from(game.result == result);
        }
        self.players.add(&game.tags, game.result);
        self.cross.add(&game.tags, game.result);
        self.profiles.add(game, examined, opening);
        let is_read = game.unread().is_empty();
        self.names.add_opening(by_moves.filter(|_| is_read), &GameFacts::new(&game.tags, game.result));
    }

    /// Adds the facts of later games.
    pub(super) fn merge(&mut self, other: Self) -> Result<(), CliError> {
        let failed = |error: crate::database::TooManyMoves| CliError::Failed(error.to_string());
        self.games += other.games;
        self.results.iter_mut().zip(other.results).for_each(|(own, other)| *own += other);
        self.players.merge(other.players).map_err(failed)?;
        self.cross.merge(other.cross).map_err(failed)?;
        self.names.merge(other.names);
        self.profiles.merge(other.profiles);
        Ok(())
    }

    /// The tables of these games.
    pub(super) fn tables(&self) -> Tables<'_> {
        Tables { facts: self, joined: self.players.joined() }
    }

    /// The number of games and their results, as text.
    pub(super) fn count_line(&self) -> String {
        let [white, draws, black] = self.results;
        format!(
            "{}: {white} won by White, {draws} drawn, {black} won by Black",
            pluralize(self.games, "game")
        )
    }
}

/// The tables of some games, with joined spellings of names.
pub(super) struct Tables<'a> {
    facts: &'a Facts,
    joined: Joined,
}

impl Tables<'_> {
    /// The events in which players have met several others, and the number of players of each.
    fn tournaments(&self) -> Vec<(CrossEvent, usize)> {
        let count = |event: &CrossEvent| {
            let names = event.games.iter().flat_map(|game| &game.names);
            names.map(|name| self.joined.name(name)).collect::<BTreeSet<&str>>().len()
        };
        let events = self.facts.cross.clone().events().into_iter().map(|event| (count(&event), event));
        let is_tournament = |games: usize, players: usize| games > 1 && games >= players;
        let tournaments = events.filter(|(players, event)| is_tournament(event.games.len(), *players));
        tournaments.map(|(players, event)| (event, players)).collect()
    }

    fn cross_table(&self, event: &CrossEvent) -> Crosstable {
        Crosstable::new(&event.games, &self.joined, Rounds::Stated)
    }

    /// The cross tables of events with enough players, as far as they fit a document, and a note on the others.
    pub(super) fn cross_tables(&self) -> Vec<Table> {
        let events = self.tournaments();
        let fitting = events.iter().filter(|(_, players)| *players <= MAX_CROSS_PLAYERS);
        let shown =
            fitting.take(MAX_CROSS_TABLES).map(|(event, _)| event_table(event, &self.cross_table(event)));
        let mut tables: Vec<Table> = shown.collect();
        let others = events.len() - tables.len();
        let large = events.iter().filter(|(_, players)| *players > MAX_CROSS_PLAYERS).count();
        if others > 0 {
            let mut note = if tables.is_empty() { String::new() } else { "and ".to_owned() };
            // Writing to a string cannot fail.
            let _ = match tables.is_empty() {
                true => write!(note, "{} without a table here", pluralize(others as u64, "event")),
                false if others == 1 => write!(note, "1 more event"),
                false => write!(note, "{others} more events"),
            };
            if large > 0 {
                let _ = write!(note, ", {large} with more than {MAX_CROSS_PLAYERS} players");
            }
            note.push_str("; `hematite pgn crosstable` shows all");
            tables.push(Table { notes: vec![note], ..Table::default() });
        }
        tables
    }

    pub(super) fn player_table(&self) -> Table {
        player_table(&self.facts.players, &self.joined, MAX_ROWS)
    }

    pub(super) fn opening_table(&self) -> Table {
        opening_table(&self.facts.names, self.facts.games, MAX_ROWS)
    }

    pub(super) fn error_tables(&self) -> Vec<Table> {
        self.facts.profiles.tables(&self.joined)
    }
}

/// Tables as a part of a page.
pub(super) fn tables_html(tables: &[Table]) -> String {
    let mut html = String::new();
    tables.iter().for_each(|table| table.write_html(&mut html, 2));
    html
}

/// Tables as text.
pub(super) fn tables_text(tables: &[Table]) -> String {
    texts(tables, TextStyle::of_output(false))
}

/// The sections of a page of a collection, each with its anchor and its heading.
pub(super) fn parts(facts: &Facts) -> Vec<(&'static str, &'static str, Vec<Table>)> {
    let tables = facts.tables();
    let parts = [
        ("cross-tables", "Cross tables", tables.cross_tables()),
        ("players", "Players", vec![tables.player_table()]),
        ("openings", "Openings", vec![tables.opening_table()]),
        ("errors", "Errors", tables.error_tables()),
    ];
    let has_content = |table: &Table| !table.rows.is_empty() || !table.notes.is_empty();
    parts.into_iter().filter(|(_, _, tables)| tables.iter().any(has_content)).collect()
}

/// Whether an index has a column of events: a single event is in the heading already.
pub(super) fn has_events(entries: &[Entry]) -> bool {
    entries.first().is_some_and(|first| entries.iter().any(|entry| entry.event_name != first.event_name))
}

impl Entry {
    /// The game in an index.
    fn row(&self) -> IndexRow<'_> {
        IndexRow {
            white: &self.white,
            black: &self.black,
            result: self.result,
            moves: self.moves,
            date: &self.date,
            opening: &self.opening,
            event: &self.event_name,
        }
    }
}

/// The index of games, linked to these addresses; a game without an address is not linked.
pub(super) fn index_html(entries: &[Entry], address: impl Fn(usize) -> Option<String>) -> String {
    games_index(&entries.iter().map(Entry::row).collect::<Vec<_>>(), address)
}

/// The content of a page of games. Without `address`, the games follow the tables on the same page.
pub(super) fn body(
    entries: &[Entry],
    facts: &Facts,
    address: Option<&dyn Fn(usize) -> String>,
    has_games: bool,
) -> String {
    let mut html = String::new();
    if let ([only], None, true) = (entries, address, has_games) {
        write_section(&mut html, "g1", &only.content);
        return html;
    }
    let here = |index: usize| format!("#g{}", index + 1);
    let parts = parts(facts);
    html.push_str("<nav aria-label=Contents>");
    let games = has_games.then_some(("games", "Games"));
    for (anchor, heading) in
        games.into_iter().chain(parts.iter().map(|(anchor, heading, _)| (*anchor, *heading)))
    {
        let _ = write!(html, "<a href=\"#{anchor}\">{heading}</a>");
    }
    html.push_str("</nav>\n");
    if has_games {
        html.push_str("<section id=games><h2>Games</h2>\n");
        html.push_str(&match address {
            Some(address) => index_html(entries, |index| Some(address(index))),
            None => index_html(entries, |index| Some(here(index))),
        });
        html.push_str("</section>\n");
    }
    for (anchor, heading, tables) in &parts {
        let _ = writeln!(html, "<section id={anchor}><h2>{heading}</h2>");
        for table in tables {
            let title = if table.title == *heading { String::new() } else { table.title.clone() };
            Table { title, ..table.clone() }.write_html(&mut html, 3);
        }
        html.push_str("</section>\n");
    }
    if has_games && address.is_none() {
        for (index, entry) in entries.iter().enumerate() {
            write_section(&mut html, &format!("g{}", index + 1), &entry.content);
        }
    }
    html
}

/// The tables of a collection and its games as text.
pub(super) fn whole_text(entries: &[Entry], facts: &Facts, has_games: bool) -> String {
    let mut text = String::new();
    if entries.len() != 1 || !has_games {
        for (_, _, tables) in parts(facts) {
            text.push_str(&tables_text(&tables));
            text.push('\n');
        }
    }
    if has_games {
        let games: Vec<&str> = entries.iter().map(|entry| &*entry.content).collect();
        text.push_str(&games.join("\n\n"));
    }
    text
}
