//! Document scripts: Markdown with `{{diagram 12w}}`, `{{moves 12-20}}` and `{{game 3}}`.

use super::collection::{Entry, Facts, Form, Tables, index_html, tables_html, tables_text};
use super::format::Format;
use super::{latex as latex_tables, markdown as markdown_tables};
use crate::analysis::{is_annotated, shown_comment};
use crate::chess::{Color, Position};
use crate::cli::diagram::{DrawnPosition, read_arrow, read_mark};
use crate::cli::pgn::GameName;
use crate::cli::pgn::table::Table;
use crate::cli::values::{Ply, missing_move};
use crate::cli::{CliError, streams::plain};
use crate::notation::pgn::Game;
use crate::notation::{BoardText, Excerpt, PieceLetters, pluralize};
use crate::render::markdown::{self, Written};
use crate::render::{Coordinates, Diagram, Mark, Moves, Reword, latex, write_section};
use once_cell::unsync::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The maximum width of a line of moves in a text, in columns.
const COLUMNS: usize = 79;

/// A reference to a game in a script.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum GameRef {
    /// A game of the command, counted from 1.
    Number(u64),
    /// A game of another file, with its number.
    File(PathBuf, u64),
}

impl GameRef {
    fn new(text: &str, folder: &Path) -> Result<Self, String> {
        if let Ok(number) = text.parse() {
            return if number > 0 {
                Ok(Self::Number(number))
            } else {
                Err("games are counted from 1".to_owned())
            };
        }
        let (file, number) = match text.rsplit_once('#') {
            Some((file, number)) => {
                let number = number.parse().ok().filter(|&number| number > 0);
                (
                    file,
                    number.ok_or_else(|| {
                        format!("{}: expected a number from 1 on after #", Excerpt::new(text))
                    })?,
                )
            }
            None if text.is_empty() => return Err("expected the number of a game, or FILE#NUMBER".to_owned()),
            None => (text, 1),
        };
        Ok(Self::File(folder.join(file), number))
    }
}

/// A directive of a script.
#[derive(Clone, PartialEq, Debug)]
enum Directive {
    /// Insert a game, which also becomes the current one.
    Game(GameRef),
    /// Make this game the current one.
    Use(GameRef),
    Diagram {
        place: Place,
        look: Look,
        caption: Option<String>,
    },
    Moves {
        range: MoveRange,
        has_notes: bool,
    },
    Games,
    CrossTable,
    Players,
    Openings,
    Errors,
}

/// The place of the position of a diagram.
#[derive(Clone, PartialEq, Debug)]
enum Place {
    /// The position after the last moves or the last diagram.
    Current,
    At(Ply),
    Fen(String),
}

/// The appearance of a diagram, apart from the style of the document.
#[derive(Clone, PartialEq, Default, Debug)]
struct Look {
    /// Whether the board is turned.
    is_flipped: bool,
    shows_turn: bool,
    coordinates: Option<Coordinates>,
    /// Arrows and squares, in addition to those of the game.
    marks: Vec<Mark>,
}

impl Look {
    /// Reads the words of a diagram: the place comes first. Returns the place and the appearance.
    fn read(text: &str) -> Result<(&str, Self), String> {
        let mut look = Self::default();
        let mut words = text.split_whitespace().peekable();
        let is_option = |word: &str| ["flip", "side-to-move", "arrow", "mark", "coordinates"].contains(&word);
        let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let mut end = text.len();
        while let Some(word) = words.next() {
            if !is_option(word) {
                if end < text.len() {
                    return Err(format!(
                        "{}: expected flip, side-to-move, arrow, mark or coordinates",
                        Excerpt::new(word)
                    ));
                }
                continue;
            }
            end = end.min(start(word));
            let mut value = || words.next().ok_or_else(|| format!("expected a value after {word}"));
            match word {
                "flip" => look.is_flipped = true,
                "side-to-move" => look.shows_turn = true,
                "arrow" | "mark" => {
                    let value = value()?;
                    let mark = if word == "arrow" { read_arrow(value) } else { read_mark(value) };
                    look.marks.push(mark.map_err(|problem| format!("{}: {problem}", Excerpt::new(value)))?);
                }
                _ => {
                    look.coordinates = Some(match value()? {
                        "outside" => Coordinates::Outside,
                        "inside" => Coordinates::Inside,
                        "none" => Coordinates::None,
                        other => {
                            return Err(format!("{}: expected outside, inside or none", Excerpt::new(other)));
                        }
                    });
                }
            }
        }
        Ok((text[..end].trim(), look))
    }
}

/// A range of move numbers; either end may be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct MoveRange {
    first: Option<(u16, Option<Color>)>,
    last: Option<(u16, Option<Color>)>,
}

/// `12`, `12w` or `12b`.
fn move_number(text: &str) -> Option<(u16, Option<Color>)> {
    let (digits, color) = match text.as_bytes().last()? {
        b'w' => (&text[..text.len() - 1], Some(Color::White)),
        b'b' => (&text[..text.len() - 1], Some(Color::Black)),
        _ => (text, None),
    };
    Some((digits.parse().ok()?, color))
}

impl MoveRange {
    fn new(text: &str) -> Option<Self> {
        let end = |text: &str| if text.is_empty() { Some(None) } else { move_number(text).map(Some) };
        match text.split_once(['-', '–']) {
            Some((first, last)) => Some(Self { first: end(first)?, last: end(last)? }),
            None => move_number(text).map(|number| Self { first: Some(number), last: Some(number) }),
        }
    }

    /// The plies of a game in the range, counted from 0; an error if the game does not have them.
    fn plies(self, game: &Game) -> Result<Range<usize>, String> {
        let count = game.mainline().count();
        let start = game.start();
        let before = 2 * usize::from(start.fullmove_number()) + usize::from(start.turn() == Color::Black);
        let ply = |number, color| {
            let ply = (2 * usize::from(number) + usize::from(color == Color::Black)).checked_sub(before);
            ply.filter(|&ply| ply < count)
        };
        let missing = |number, color| missing_move(game, number, color, count);
        // A move number without a color refers to both sides; a game may start with Black's move and end with White's.
        let find = |(number, color): (u16, Option<Color>), preferred: Color| match color {
            Some(color) => ply(number, color).ok_or_else(|| missing(number, Some(color))),
            None => ply(number, preferred)
                .or_else(|| ply(number, !preferred))
                .ok_or_else(|| missing(number, None)),
        };
        let first = self.first.map_or(Ok(0), |first| find(first, Color::White))?;
        let last = self.last.map_or(Ok(count), |last| find(last, Color::Black).map(|ply| ply + 1))?;
        if self.first.is_some() && first >= last {
            return Err("the last move comes before the first".to_owned());
        }
        Ok(first..last)
    }
}

impl Directive {
    fn new(text: &str, folder: &Path) -> Result<Self, String> {
        let (text, caption) = match text.split_once('|') {
            Some((text, caption)) => (text, Some(caption.trim().to_owned())),
            None => (text, None),
        };
        let (name, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        let rest = rest.trim();
        if caption.is_some() && name != "diagram" {
            return Err(format!("only diagrams have a caption, expected no `|` in {}", Excerpt::new(name)));
        }
        let alone = |directive: Self| match rest {
            "" => Ok(directive),
            _ => Err(format!("{} stands alone, found {}", Excerpt::new(name), Excerpt::new(rest))),
        };
        match name {
            "game" => GameRef::new(rest, folder).map(Self::Game),
            "use" => GameRef::new(rest, folder).map(Self::Use),
            "diagram" => {
                let (place, look) = Look::read(rest)?;
                let place = match place {
                    "" => Place::Current,
                    fen if fen.contains('/') || fen.starts_with("startpos") => Place::Fen(fen.to_owned()),
                    // A move number without a color would be read as a number of plies.
                    at if at.ends_with(['w', 'b']) || at == "0" => {
                        Place::At(at.parse().map_err(|problem| format!("{}: {problem}", Excerpt::new(at)))?)
                    }
                    at => {
                        return Err(format!(
                            "{}: expected a move such as 12w or 12b, 0 for the start, or a FEN",
                            Excerpt::new(at)
                        ));
                    }
                };
                Ok(Self::Diagram { place, look, caption })
            }
            "moves" => {
                let (range, has_notes) = match rest.strip_suffix("notes") {
                    Some(range) => (range.trim(), true),
                    None => (rest, false),
                };
                let range = if range.is_empty() { "-" } else { range };
                let range = MoveRange::new(range).ok_or_else(|| {
                    format!("{}: expected moves such as 12-20, 12w-15b, 12- or -12", Excerpt::new(range))
                })?;
                Ok(Self::Moves { range, has_notes })
            }
            "games" => alone(Self::Games),
            "crosstable" => alone(Self::CrossTable),
            "players" => alone(Self::Players),
            "openings" => alone(Self::Openings),
            "errors" => alone(Self::Errors),
            _ => Err(format!(
                "{} is not known, expected diagram, moves, game, use, games, crosstable, players, openings or errors",
                Excerpt::new(name)
            )),
        }
    }
}

/// A document script.
pub(super) struct Script {
    name: String,
    document: markdown::Document,
    directives: Vec<Directive>,
}

impl Script {
    /// Reads a script; paths of files in it are relative to its folder.
    pub(super) fn new(name: String, text: &str, folder: &Path) -> Result<Self, CliError> {
        let failed = |(line, problem): (usize, String)| CliError::Input {
            name: name.clone(),
            problem: format!("line {line}: {problem}"),
        };
        let document = markdown::Document::new(text).map_err(failed)?;
        let directives: Result<Vec<Directive>, CliError> = document
            .directives()
            .map(|(line, text)| Directive::new(text, folder).map_err(|problem| failed((line, problem))))
            .collect();
        let directives = directives?;
        Ok(Self { name, document, directives })
    }

    /// The text of the first heading of the first level.
    pub(super) fn heading(&self) -> Option<&str> {
        self.document.heading()
    }

    /// The games that the script refers to, including the first one if a directive needs a game before one is named.
    pub(super) fn games(&self) -> BTreeSet<GameRef> {
        let mut games = BTreeSet::new();
        let mut is_named = false;
        for directive in &self.directives {
            match directive {
                Directive::Game(game) | Directive::Use(game) => {
                    is_named = true;
                    games.insert(game.clone());
                }
                Directive::Diagram { place: Place::Fen(_), .. } => {}
                Directive::Diagram { .. } | Directive::Moves { .. } if !is_named => {
                    games.insert(GameRef::Number(1));
                }
                _ => {}
            }
        }
        games
    }

    /// Whether the script lists all games of the command.
    pub(super) fn has_index(&self) -> bool {
        self.directives.contains(&Directive::Games)
    }

    /// The games of other files that the script names.
    pub(super) fn files(&self) -> impl Iterator<Item = (GameRef, GameName)> {
        self.games().into_iter().filter_map(|game| match &game {
            GameRef::File(file, number) => {
                let name = GameName { file: file.clone(), number: *number };
                Some((game, name))
            }
            GameRef::Number(_) => None,
        })
    }

    /// The content of the page or of the text.
    pub(super) fn write(
        &self,
        games: &BTreeMap<GameRef, Game>,
        entries: &[Entry],
        facts: &Facts,
        form: Form,
    ) -> Result<Written, CliError> {
        let lines: Vec<usize> = self.document.directives().map(|(line, _)| line).collect();
        let shown = self.directives.iter().filter_map(|directive| match directive {
            Directive::Game(GameRef::Number(number)) => Some(*number),
            _ => None,
        });
        let mut writer = Writer {
            games,
            entries,
            facts,
            form,
            tables: OnceCell::new(),
            game: GameRef::Number(1),
            at: None,
            shown: shown.collect(),
            sections: BTreeSet::new(),
            pictures: Vec::new(),
        };
        let mut parts = Vec::new();
        for (directive, line) in self.directives.iter().zip(lines) {
            parts.push(writer.write(directive).map_err(|problem| CliError::Input {
                name: self.name.clone(),
                problem: format!("line {line}: {problem}"),
            })?);
        }
        let text = match form.format {
            Format::Html | Format::Pdf => self.document.to_html(&parts),
            Format::Markdown => self.document.to_markdown(&parts),
            Format::Latex => self.document.to_latex(&parts),
            Format::Text | Format::Json => self.document.to_text(&parts),
        };
        Ok(Written { text, pictures: writer.pictures })
    }
}

/// The state of writing a document: the current game, and the place in it.
struct Writer<'a> {
    games: &'a BTreeMap<GameRef, Game>,
    entries: &'a [Entry],
    facts: &'a Facts,
    form: Form,
    tables: OnceCell<Tables<'a>>,
    game: GameRef,
    /// The number of plies before the current position; `None` for the end of the game.
    at: Option<usize>,
    /// The games of the command that the document contains.
    shown: BTreeSet<u64>,
    /// The anchors of the sections so far.
    sections: BTreeSet<String>,
    /// The pictures so far, if they are separate files.
    pictures: Vec<Diagram>,
}

impl<'a> Writer<'a> {
    fn game(&self) -> Result<&Game, String> {
        self.games.get(&self.game).ok_or_else(|| match &self.game {
            GameRef::Number(number) => {
                format!("there is no game {number}: the command has {}", pluralize(self.facts.games, "game"))
            }
            GameRef::File(file, number) => format!("{} has no game {number}", file.display()),
        })
    }

    fn letters(&self) -> PieceLetters {
        self.form.letters
    }

    fn write(&mut self, directive: &Directive) -> Result<markdown::Part, String> {
        match directive {
            Directive::Use(game) => {
                (self.game, self.at) = (game.clone(), None);
                self.game()?;
                Ok(markdown::Part::block(String::new()))
            }
            Directive::Game(game) => {
                (self.game, self.at) = (game.clone(), None);
                let entry = Entry::new(self.game()?, self.form, &mut Facts::default());
                self.pictures.extend(entry.pictures);
                let content = entry.content;
                Ok(markdown::Part::block(match self.form.format {
                    Format::Html | Format::Pdf => {
                        let mut html = String::new();
                        write_section(&mut html, &self.section(game), &content);
                        html
                    }
                    Format::Markdown => format!("<a id=\"{}\"></a>\n\n{content}", self.section(game)),
                    Format::Latex | Format::Text | Format::Json => content,
                }))
            }
            Directive::Diagram { place, look, caption } => self.diagram(place, look, caption.as_deref()),
            Directive::Moves { range, has_notes } => self.moves(*range, *has_notes),
            Directive::Games => {
                let address = |index: usize| {
                    let number = index as u64 + 1;
                    self.shown.contains(&number).then(|| format!("#{}", section_of(number)))
                };
                Ok(markdown::Part::block(match self.form.format {
                    Format::Html | Format::Pdf => index_html(self.entries, address),
                    Format::Markdown => markdown_tables::index(self.entries, address),
                    Format::Latex => latex_tables::index(self.entries),
                    Format::Text | Format::Json => {
                        let line = |(index, entry): (usize, &Entry)| {
                            format!("{}. {}", index + 1, plain(&entry.title))
                        };
                        self.entries.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
                    }
                }))
            }
            Directive::CrossTable => Ok(self.part(self.tables().cross_tables())),
            Directive::Players => Ok(self.part(vec![self.tables().player_table()])),
            Directive::Openings => Ok(self.part(vec![self.tables().opening_table()])),
            Directive::Errors => Ok(self.part(self.tables().error_tables())),
        }
    }

    fn tables(&self) -> &Tables<'a> {
        self.tables.get_or_init(|| self.facts.tables())
    }

    fn part(&self, tables: Vec<Table>) -> markdown::Part {
        markdown::Part::block(match self.form.format {
            Format::Html | Format::Pdf => tables_html(&tables),
            Format::Markdown => markdown_tables::tables(&tables, 2),
            Format::Latex => latex_tables::tables(&tables, 2),
            Format::Text | Format::Json => tables_text(&tables),
        })
    }

    /// The unique anchor of the section of a game. The index links to the first section of a game.
    fn section(&mut self, game: &GameRef) -> String {
        let name = match game {
            GameRef::Number(number) => section_of(*number),
            GameRef::File(..) => format!("f{}", self.sections.len() + 1),
        };
        let again = (2_usize..).map(|count| format!("{name}-{count}"));
        let mut names = std::iter::once(name.clone()).chain(again);
        let name = names.find(|name| !self.sections.contains(name)).expect("there is always another");
        self.sections.insert(name.clone());
        name
    }

    fn diagram(
        &mut self,
        place: &Place,
        look: &Look,
        caption: Option<&str>,
    ) -> Result<markdown::Part, String> {
        let drawn = match place {
            Place::Fen(fen) => DrawnPosition::new(fen, "")?,
            Place::Current => DrawnPosition::of_game(self.game()?, self.at.map(Ply::Count))?,
            Place::At(ply) => {
                let game = self.game()?;
                let drawn = DrawnPosition::of_game(game, Some(*ply))?;
                let plies = plies_between(game, &drawn.position);
                self.at = plies;
                drawn
            }
        };
        let caption = match caption {
            Some(given) => given.to_owned(),
            None => drawn.caption(self.letters()).unwrap_or_default(),
        };
        let mut style = self.form.style;
        style.is_flipped ^= look.is_flipped;
        style.shows_turn |= look.shows_turn;
        style.coordinates = look.coordinates.unwrap_or(style.coordinates);
        if self.form.format == Format::Text {
            let board = BoardText::new(&drawn.position);
            let board = if style.is_flipped { board.flipped() } else { board };
            let turn = format!("{} to move", drawn.position.turn().name());
            let lines = [plain(&caption), if look.shows_turn { turn } else { String::new() }];
            let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
            return Ok(markdown::Part::block(format!("{board}\n\n{}", lines.join("\n"))));
        }
        let mut diagram = Diagram::new(&drawn.position, style);
        diagram.last_move = drawn.last_move();
        diagram.marks = drawn.marks;
        diagram.marks.extend(&look.marks);
        diagram.caption = (!caption.is_empty()).then_some(caption);
        Ok(markdown::Part::block(match self.form.format {
            Format::Markdown => {
                let mut written = Written::default();
                written.add_diagram(diagram, self.form.diagrams);
                self.pictures.extend(written.pictures);
                written.text
            }
            Format::Latex => latex::board(&diagram),
            _ => diagram.to_figure(),
        }))
    }

    fn moves(&mut self, range: MoveRange, has_notes: bool) -> Result<markdown::Part, String> {
        let game = self.game()?;
        if !game.unread().is_empty() {
            return Err("the moves of this game cannot be read".to_owned());
        }
        let plies = range.plies(game)?;
        let end = plies.end;
        let reword: Reword = |text, letters| shown_comment(text, letters, false);
        let reword = Some(reword).filter(|_| is_annotated(&game.tags));
        let style = self.form.moves;
        let moves = Moves { plies, has_notes, reword, style, ..Moves::new(game, self.letters()) };
        let text = match self.form.format {
            Format::Html | Format::Pdf => moves.to_html(),
            Format::Markdown => moves.to_markdown(),
            Format::Latex => moves.to_latex(),
            Format::Text | Format::Json => moves.to_text(COLUMNS),
        };
        self.at = Some(end);
        Ok(match self.form.format {
            _ if !has_notes => markdown::Part::inline(text),
            // Variations are paragraphs.
            Format::Html | Format::Pdf => {
                markdown::Part::block(format!("<div class=\"moves line-of-moves\">{text}</div>"))
            }
            _ => markdown::Part::block(text),
        })
    }
}

/// The anchor of the section of a game of the command.
fn section_of(number: u64) -> String {
    format!("g{number}")
}

/// The number of plies of the main line before a position of it.
fn plies_between(game: &Game, position: &Position) -> Option<usize> {
    let of = |position: &Position| {
        2 * usize::from(position.fullmove_number()) + usize::from(position.turn() == Color::Black)
    };
    of(position).checked_sub(of(game.start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;
    use crate::render::Rgb;

    #[test]
    fn directives_are_read() {
        let folder = Path::new("");
        let range = |first, last| MoveRange { first, last };
        let moves = |range, has_notes| Ok(Directive::Moves { range, has_notes });
        let diagram = |place, is_flipped, caption: Option<&str>| {
            let look = Look { is_flipped, ..Look::default() };
            Ok(Directive::Diagram { place, look, caption: caption.map(str::to_owned) })
        };
        let arrows = |place, marks: &[Mark]| {
            let (marks, coordinates) = (marks.to_vec(), Some(Coordinates::None));
            let look = Look { is_flipped: false, shows_turn: true, coordinates, marks };
            Ok(Directive::Diagram { place, look, caption: None })
        };
        let cases = [
            ("diagram", diagram(Place::Current, false, None)),
            (" diagram  12w flip", diagram(Place::At(Ply::Move(12, Color::White)), true, None)),
            (
                "diagram 12b | White | wins",
                diagram(Place::At(Ply::Move(12, Color::Black)), false, Some("White | wins")),
            ),
            (
                "diagram 5w arrow a1a8 mark e4:red side-to-move coordinates none",
                arrows(
                    Place::At(Ply::Move(5, Color::White)),
                    &[Mark::Arrow(Rgb::GREEN, Square::A1, Square::A8), Mark::Square(Rgb::RED, Square::E4)],
                ),
            ),
            ("diagram coordinates none side-to-move", arrows(Place::Current, &[])),
            ("diagram 5w arrow a1", Err("`a1`: expected two squares, such as e2e4")),
            ("diagram 5w mark", Err("expected a value after mark")),
            ("diagram flip 5w", Err("`5w`: expected flip, side-to-move, arrow, mark or coordinates")),
            ("diagram coordinates left", Err("`left`: expected outside, inside or none")),
            ("diagram 8/8 w - -", diagram(Place::Fen("8/8 w - -".to_owned()), false, None)),
            ("moves", moves(range(None, None), false)),
            ("moves 12-20", moves(range(Some((12, None)), Some((20, None))), false)),
            (
                "moves 12w–15b notes",
                moves(range(Some((12, Some(Color::White))), Some((15, Some(Color::Black)))), true),
            ),
            ("moves 12-", moves(range(Some((12, None)), None), false)),
            ("moves 7", moves(range(Some((7, None)), Some((7, None))), false)),
            ("game 3", Ok(Directive::Game(GameRef::Number(3)))),
            ("use a.pgn#2", Ok(Directive::Use(GameRef::File("a.pgn".into(), 2)))),
            ("game a.pgn", Ok(Directive::Game(GameRef::File("a.pgn".into(), 1)))),
            ("players", Ok(Directive::Players)),
            ("diagram 12", Err("`12`: expected a move such as 12w or 12b, 0 for the start, or a FEN")),
            (
                "diagram éw",
                Err("`éw`: expected a number of plies, such as 24, or a move, such as 12w or 12b"),
            ),
            ("moves 1x", Err("`1x`: expected moves such as 12-20, 12w-15b, 12- or -12")),
            ("game", Err("expected the number of a game, or FILE#NUMBER")),
            ("game 0", Err("games are counted from 1")),
            ("game a#x", Err("`a#x`: expected a number from 1 on after #")),
            ("players 3", Err("`players` stands alone, found `3`")),
            ("moves 3 | a", Err("only diagrams have a caption, expected no `|` in `moves`")),
            (
                "",
                Err(
                    "`` is not known, expected diagram, moves, game, use, games, crosstable, players, openings or errors",
                ),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Directive::new(text, folder), expected.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn numbers_of_moves_are_plies() {
        let game = |text: &str| Game::read(text.as_bytes()).expect("it is memory").expect("a game").0;
        let usual = game("1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
        let empty = game("*");
        let from_black =
            game("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 12\"]\n\n12... Kd7 13. Kd2 Kd6 *");
        let cases = [
            (&usual, "-", Ok(0..5)),
            (&usual, "2", Ok(2..4)),
            (&usual, "2b-3", Ok(3..5)),
            (&usual, "1b", Ok(1..2)),
            (&usual, "3b", Err("there is no move 3 of Black: the game ends after 5 plies")),
            (&usual, "3w-2w", Err("the last move comes before the first")),
            (&usual, "2-1", Err("the last move comes before the first")),
            (&usual, "2b-2w", Err("the last move comes before the first")),
            (&empty, "-", Ok(0..0)),
            (&usual, "9", Err("there is no move 9: the game ends after 5 plies")),
            (&from_black, "12", Ok(0..1)),
            (&from_black, "12-13w", Ok(0..2)),
            (&from_black, "12w", Err("there is no move 12 of White: the game starts with move 12 of Black")),
            (&from_black, "14", Err("there is no move 14: the game ends after 3 plies")),
            (&from_black, "11", Err("there is no move 11: the game starts with move 12 of Black")),
        ];
        for (game, text, expected) in cases {
            let found = MoveRange::new(text).expect("it is a range").plies(game);
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        }
    }
}
