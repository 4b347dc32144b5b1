//! `hematite diagram`: pictures of positions.

use super::pgn::Inputs;
use super::position::Game as PlayedLine;
use super::streams::{Input, STDIN, STDOUT, new_file, open};
use super::values::{integer_in, positive};
use super::{CliError, ExitStatus};
use crate::chess::{Color, File, Move, Position, Square};
use crate::database::Source;
use crate::files::{PathExcerpt, read_line, without_packed_extension};
use crate::notation::pgn::{Command, Game, GameBuilder, MarkColor, NodeId, PgnError, commands};
use crate::notation::{BoardText, Excerpt, San, parse_epd_line};
use crate::render::{Coordinates, Diagram, DiagramStyle, Mark, PieceSet, Rgb, Theme, WIDTHS_PX, png};
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

const EXAMPLES: &str = "\
Examples:
  hematite diagram startpos -o start.svg
  hematite diagram startpos --moves '1. e4 c5 2. Nf3' -o sicilian.png --size 600
  hematite diagram games.pgn#3 --ply 12w --theme green --pieces sharp -o game.svg
  hematite diagram games.pgn --all --ply 20 --png -o pictures/
  hematite diagram '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' --arrow a1a8 --mark g8:red --html

Arrows and squares that a comment on the position has (%cal, %csl) are drawn.
Exit code 1 if a game of the picture has moves that cannot be read, or with --all lacks the position.";

/// The longest line of a file of positions, in bytes.
const MAX_LINE: usize = 1 << 16;
/// The digits of the names of many pictures.
const DIGITS: usize = 6;
/// The slashes of a FEN.
const SLASHES: usize = 7;

/// Draw a position, or many: SVG, PNG, HTML or text.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A FEN, in one argument or several, or `startpos`; or a file: games (PGN or a collection) or positions (EPD or
    /// FEN, one on a line), `-` for standard input. `#3` behind the name of a file takes its third game.
    #[arg(required = true, num_args = 1.., value_name = "FEN|FILE")]
    position: Vec<String>,

    /// Moves to play from the position of a FEN.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Take this game or position of the file [default: 1].
    #[arg(long, value_name = "N", value_parser = positive)]
    game: Option<u64>,

    /// Take the position after this many plies of the main line, or after a move, such as 12w or 12b [default: the
    /// last one].
    #[arg(long, visible_alias = "move", value_name = "PLY|MOVE")]
    ply: Option<Ply>,

    /// Draw all games or positions of the file into the folder that -o names, as 000001.svg and so on.
    #[arg(long, requires = "output", conflicts_with = "game")]
    all: bool,

    #[command(flatten)]
    format: FormatArg,

    /// Write to this file, of the format that its name ends in (.svg, .png, .html, .txt); with --all into this folder
    /// [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The width of the picture in pixels, 16 to 4096.
    #[arg(long, value_name = "PX", default_value = "400", value_parser = integer_in::<u32>(WIDTHS_PX))]
    size: u32,

    /// Have Black below.
    #[arg(long)]
    flip: bool,

    #[command(flatten)]
    colors: Colors,

    /// The drawings of the pieces.
    #[arg(long, value_name = "SET", default_value = "modern")]
    pieces: PiecesArg,

    /// Where the names of files and ranks are.
    #[arg(long, value_name = "WHERE", default_value = "outside")]
    coordinates: CoordinatesArg,

    /// Show who is to move by a circle beside the board.
    #[arg(long)]
    side_to_move: bool,

    /// Show this as the last move, such as e2e4, or `none` [default: the move that led to the position].
    #[arg(long, value_name = "SQUARES")]
    last_move: Option<OrNone<Squares>>,

    /// Draw an arrow, such as e2e4 or e2e4:red; can be repeated.
    #[arg(long, value_name = "SQUARES[:COLOR]")]
    arrow: Vec<Colored<Squares>>,

    /// Mark a square, such as e4 or e4:#08f; can be repeated.
    #[arg(long, value_name = "SQUARE[:COLOR]")]
    mark: Vec<Colored<Square>>,

    /// The text below the board, or `none` [default: such as `Position after 9. h3`, or the id of an EPD record].
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
}

#[derive(clap::Args, Debug)]
#[group(multiple = false)]
struct FormatArg {
    /// Write SVG [the default].
    #[arg(long)]
    svg: bool,
    /// Write PNG.
    #[arg(long)]
    png: bool,
    /// Write the board as letters.
    #[arg(long)]
    text: bool,
    /// Write a part of an HTML page, with an SVG in it.
    #[arg(long)]
    html: bool,
}

#[derive(clap::Args, Debug)]
struct Colors {
    /// The colors: brown, green, blue, gray, dark, or print for paper.
    #[arg(long, value_name = "NAME", default_value = "brown", value_parser = theme)]
    theme: Theme,
    /// The color of light squares, such as #eee.
    #[arg(long, value_name = "COLOR")]
    light: Option<Rgb>,
    /// The color of dark squares.
    #[arg(long, value_name = "COLOR")]
    dark: Option<Rgb>,
    /// The color around the board, or `none` for a transparent picture.
    #[arg(long, value_name = "COLOR")]
    background: Option<OrNone<Rgb>>,
    /// The color of the last move.
    #[arg(long, value_name = "COLOR")]
    highlight: Option<Rgb>,
}

impl Colors {
    fn theme(&self) -> Theme {
        let mut theme = self.background.as_ref().map_or(self.theme, |paper| self.theme.on(paper.0));
        theme.light = self.light.unwrap_or(theme.light);
        theme.dark = self.dark.unwrap_or(theme.dark);
        theme.highlight = self.highlight.unwrap_or(theme.highlight);
        theme
    }
}

fn theme(name: &str) -> Result<Theme, String> {
    let names = || Theme::names().collect::<Vec<_>>().join(", ");
    Theme::named(name).ok_or_else(|| format!("expected one of {}", names()))
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum PiecesArg {
    Modern,
    Sharp,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum CoordinatesArg {
    Outside,
    Inside,
    None,
}

/// A value, or none for the word `none`.
#[derive(Clone, Copy, Debug)]
struct OrNone<T>(Option<T>);

impl<T: FromStr<Err: Display>> FromStr for OrNone<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NONE {
            return Ok(Self(None));
        }
        text.parse().map(|value| Self(Some(value))).map_err(|error: T::Err| format!("{error}, or `{NONE}`"))
    }
}

/// The word for nothing.
const NONE: &str = "none";

/// Two squares, such as `e2e4` or `e2-e4`.
#[derive(Clone, Copy, Debug)]
struct Squares(Square, Square);

impl FromStr for Squares {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected two squares, such as e2e4";
        let (from, to) = text.split_at_checked(2).ok_or(EXPECTED)?;
        let to = to.strip_prefix('-').unwrap_or(to);
        Ok(Self(from.parse().map_err(|_| EXPECTED)?, to.parse().map_err(|_| EXPECTED)?))
    }
}

/// A value with a color behind a colon, green without one.
#[derive(Clone, Copy, Debug)]
struct Colored<T>(T, Rgb);

impl<T: FromStr<Err: Display>> FromStr for Colored<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (value, color) = match text.split_once(':') {
            Some((value, color)) => (value, color.parse().map_err(|error| format!("{error}"))?),
            None => (text, Rgb::GREEN),
        };
        value.parse().map(|value| Self(value, color)).map_err(|error: T::Err| error.to_string())
    }
}

/// A place in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ply {
    /// After so many plies.
    Count(usize),
    /// After the move with this number of this side.
    Move(u16, Color),
}

impl FromStr for Ply {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mv = |digits: &str, color| Some(Self::Move(digits.parse().ok()?, color));
        let ply = match text.chars().last() {
            Some('w') => mv(&text[..text.len() - 1], Color::White),
            Some('b') => mv(&text[..text.len() - 1], Color::Black),
            _ => text.parse().ok().map(Self::Count),
        };
        ply.ok_or("expected a number of plies, such as 24, or a move, such as 12w or 12b")
    }
}

impl Display for Ply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Count(plies) => write!(f, "ply {plies}"),
            Self::Move(number, Color::White) => write!(f, "move {number} of White"),
            Self::Move(number, Color::Black) => write!(f, "move {number} of Black"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Png,
    Text,
    Html,
}

impl Format {
    const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Text => "txt",
            Self::Html => "html",
        }
    }

    fn of_name(path: &Path) -> Option<Self> {
        let extension = without_packed_extension(path).extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "htm" => Some(Self::Html),
            known => [Self::Svg, Self::Png, Self::Text, Self::Html]
                .into_iter()
                .find(|format| format.extension() == known),
        }
    }
}

/// What a picture shows.
struct Scene {
    position: Position,
    /// The move that led to it, and the position before.
    before: Option<(Position, Move)>,
    marks: Vec<Mark>,
    /// The name of the position, if it has one.
    name: Option<String>,
}

impl Scene {
    /// The position of a FEN or an EPD record after some moves; or what is wrong with it.
    fn new(fen: &str, moves: &str) -> Result<Self, String> {
        let line = PlayedLine::new(fen, moves).map_err(|problems| problems.join("; "))?;
        if let Some(note) = &line.repairs {
            // A closed standard error does not matter.
            let _ = writeln!(io::stderr(), "{note}");
        }
        let before = line.moves.split_last().map(|(last, others)| {
            let before = others.iter().fold(line.start, |position, &mv| position.after(mv).0);
            (before, *last)
        });
        let name = parse_epd_line(fen, 1).ok().and_then(|line| line.epd.id().map(str::to_owned));
        Ok(Self { position: line.position, before, marks: Vec::new(), name })
    }

    /// A position of the main line of a game; the last one by default. An error if the game ends before.
    fn of_game(game: &Game, wanted: Option<Ply>) -> Result<Self, String> {
        let (mut position, mut before, mut node, mut plies) = (*game.start(), None, NodeId::ROOT, 0);
        let is_there = |plies, before: Option<&(Position, Option<Move>)>| match wanted {
            None => false,
            Some(Ply::Count(count)) => plies == count,
            Some(Ply::Move(number, color)) => {
                before.is_some_and(|(before, _)| before.fullmove_number() == number && before.turn() == color)
            }
        };
        while !is_there(plies, before.as_ref()) {
            let Some(next) = game.next(node) else {
                if let Some(wanted) = wanted {
                    return Err(format!("there is no {wanted}: the game ends after {plies} plies"));
                }
                break;
            };
            let mv = game.mv(next);
            before = Some((position, mv));
            position = mv.map_or_else(|| position.after_null(), |mv| position.after(mv).0);
            node = next;
            plies += 1;
        }
        let mut marks = Vec::new();
        // A comment before the first move is about the position there.
        let first = game.next(node).filter(|_| node == NodeId::ROOT);
        let early = first.into_iter().flat_map(|first| game.comments_before(first));
        for command in game.comments(node).chain(early).flat_map(commands) {
            match command {
                Command::Squares(squares) => {
                    marks.extend(squares.iter().map(|&(color, square)| Mark::Square(rgb(color), square)));
                }
                Command::Arrows(arrows) => {
                    marks.extend(arrows.iter().map(|&(color, from, to)| Mark::Arrow(rgb(color), from, to)));
                }
                _ => {}
            }
        }
        let before = before.and_then(|(before, mv)| Some((before, mv?)));
        Ok(Self { position, before, marks, name: None })
    }

    /// The squares of the last move. A king that castles moves two or three squares, whatever the move is called.
    fn last_move(&self) -> Option<(Square, Square)> {
        let (_, mv) = self.before?;
        let to = match mv.is_castle() {
            true if mv.to().file() > mv.from().file() => Square::new(File::G, mv.to().rank()),
            true => Square::new(File::C, mv.to().rank()),
            false => mv.to(),
        };
        Some((mv.from(), to))
    }

    /// `Position after 9. h3`, or the name.
    fn caption(&self) -> Option<String> {
        let Some((before, mv)) = &self.before else { return self.name.clone() };
        let dots = if before.turn() == Color::White { "." } else { "..." };
        Some(format!("Position after {}{dots} {}", before.fullmove_number(), San::new(before, *mv)))
    }
}

const fn rgb(color: MarkColor) -> Rgb {
    match color {
        MarkColor::Green => Rgb::GREEN,
        MarkColor::Red => Rgb::RED,
        MarkColor::Yellow => Rgb::YELLOW,
        MarkColor::Blue => Rgb::BLUE,
    }
}

/// Where the positions come from.
enum From {
    Fen(String),
    /// A file, and the number of its game.
    File(PathBuf, u64),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let format = self.format()?;
        match self.from()? {
            From::Fen(fen) => {
                let scene = Scene::new(&fen, self.moves.as_deref().unwrap_or_default());
                let scene = scene.map_err(|problem| input_error(&Excerpt::new(&fen), problem))?;
                self.write_one(&scene, format, out)?;
                Ok(ExitStatus::Yes)
            }
            From::File(path, number) => {
                if has_positions(&path)? {
                    self.draw_positions(&path, number, format, out)
                } else if self.all {
                    self.draw_games(path, format)
                } else {
                    self.draw_game(path, number, format, out)
                }
            }
        }
    }

    /// The format that is asked for.
    fn format(&self) -> Result<Format, CliError> {
        let file = self.output.as_deref().filter(|path| !self.all && path.as_os_str() != STDOUT);
        let format = match self.format {
            FormatArg { svg: true, .. } => Format::Svg,
            FormatArg { png: true, .. } => Format::Png,
            FormatArg { text: true, .. } => Format::Text,
            FormatArg { html: true, .. } => Format::Html,
            _ => match file {
                Some(path) => Format::of_name(path).ok_or_else(|| {
                    let path = PathExcerpt::new(path);
                    CliError::Usage(format!(
                        "{path}: expected a name that ends in .svg, .png, .html or .txt, or an option such as --svg"
                    ))
                })?,
                None => Format::Svg,
            },
        };
        if format == Format::Png && file.is_none() && !self.all && io::stdout().is_terminal() {
            return Err(CliError::Usage("a terminal cannot show a PNG, expected -o FILE".to_owned()));
        }
        Ok(format)
    }

    /// What the positional arguments are.
    fn from(&self) -> Result<From, CliError> {
        let usage = |problem: &str| Err(CliError::Usage(problem.to_owned()));
        let from = match &self.position[..] {
            [word] if word == "startpos" => From::Fen(word.clone()),
            [word] => match word.rsplit_once('#').map(|(path, number)| (path, number.parse())) {
                Some((path, Ok(number))) if number > 0 && !Path::new(word).exists() => {
                    if self.game.is_some() || self.all {
                        return usage("one game is asked for by #, expected no --game and no --all");
                    }
                    From::File(path.into(), number)
                }
                _ if is_fen(word) && !Path::new(word).exists() => From::Fen(word.clone()),
                _ => From::File(word.into(), self.game.unwrap_or(1)),
            },
            words => From::Fen(words.join(" ")),
        };
        match from {
            From::Fen(_) if self.game.is_some() || self.ply.is_some() || self.all => {
                usage("--game, --ply and --all are for files, expected a file")
            }
            From::File(..) if self.moves.is_some() => {
                usage("--moves is for a FEN, expected --ply to take a position of a game")
            }
            from => Ok(from),
        }
    }

    /// The picture of a position.
    fn picture(&self, scene: &Scene, format: Format) -> Result<Vec<u8>, String> {
        let style = DiagramStyle {
            theme: self.colors.theme(),
            pieces: match self.pieces {
                PiecesArg::Modern => PieceSet::Modern,
                PiecesArg::Sharp => PieceSet::Sharp,
            },
            coordinates: match self.coordinates {
                CoordinatesArg::Outside => Coordinates::Outside,
                CoordinatesArg::Inside => Coordinates::Inside,
                CoordinatesArg::None => Coordinates::None,
            },
            is_flipped: self.flip,
            shows_turn: self.side_to_move,
        };
        let mut diagram = Diagram::new(&scene.position, style);
        diagram.last_move = match &self.last_move {
            Some(given) => given.0.map(|Squares(from, to)| (from, to)),
            None => scene.last_move(),
        };
        diagram.marks.clone_from(&scene.marks);
        diagram.marks.extend(self.mark.iter().map(|&Colored(square, color)| Mark::Square(color, square)));
        let arrows = self.arrow.iter().map(|&Colored(Squares(from, to), color)| Mark::Arrow(color, from, to));
        diagram.marks.extend(arrows);
        diagram.caption = match self.caption.as_deref() {
            Some(NONE) => None,
            Some(text) => Some(text.to_owned()),
            None => scene.caption(),
        };
        match format {
            Format::Svg => Ok(diagram.to_svg(self.size).into_bytes()),
            Format::Html => Ok(diagram.to_html(self.size).into_bytes()),
            Format::Png => png(&diagram.to_svg(self.size)).map_err(|error| error.to_string()),
            Format::Text => {
                let board = BoardText::new(&scene.position);
                let board = if self.flip { board.flipped() } else { board };
                let caption =
                    diagram.caption.map_or_else(String::new, |text| super::streams::plain(&text) + "\n");
                Ok(format!("{board}\n\n{caption}{} to move\n", scene.position.turn().name()).into_bytes())
            }
        }
    }

    fn write_one(&self, scene: &Scene, format: Format, out: &mut dyn Write) -> Result<(), CliError> {
        let picture = self.picture(scene, format).map_err(CliError::Usage)?;
        let mut output = open(self.output.as_deref().unwrap_or(Path::new(STDOUT)), out)?;
        output.write_all(&picture)?;
        Ok(output.finish()?)
    }

    /// Writes one of many pictures into the folder.
    fn write_numbered(&self, number: u64, format: Format, picture: &[u8]) -> Result<(), CliError> {
        let name = format!("{number:0DIGITS$}.{}", format.extension());
        let path = self.output.as_deref().unwrap_or(Path::new("")).join(name);
        let mut file = new_file(&path)?;
        file.write_all(picture)?;
        Ok(file.commit()?)
    }

    /// Draws a position of a file of positions, or all of them.
    fn draw_positions(
        &self,
        path: &Path,
        wanted: u64,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        if self.ply.is_some() {
            return Err(CliError::Usage("--ply is for games, and this file has positions".to_owned()));
        }
        let Input { name, mut reader } = Input::open(path)?;
        let mut status = ExitStatus::Yes;
        let (mut number, mut line) = (0, 0_u64);
        while let Some(read) = read_line(&mut reader, MAX_LINE).map_err(|error| input_error(&name, error))? {
            line += 1;
            let text = String::from_utf8_lossy(&read.bytes);
            let Some(text) = record(&text) else { continue };
            number += 1;
            if !self.all && number != wanted {
                continue;
            }
            let picture = match Scene::new(text, "") {
                Ok(scene) if !self.all => {
                    self.write_one(&scene, format, out)?;
                    return Ok(status);
                }
                Ok(scene) => self.picture(&scene, format),
                Err(problem) => Err(problem),
            };
            let place = format!("{name}:{line}");
            match picture {
                Ok(picture) => self.write_numbered(number, format, &picture)?,
                Err(problem) if self.all => {
                    status = ExitStatus::No;
                    // A closed standard error does not matter.
                    let _ = writeln!(io::stderr(), "{place}: {problem}");
                }
                Err(problem) => return Err(input_error(&place, problem)),
            }
        }
        if self.all { Ok(status) } else { Err(too_few(&name, number, "position", wanted)) }
    }

    /// Draws all games of a file.
    fn draw_games(&self, path: PathBuf, format: Format) -> Result<ExitStatus, CliError> {
        let inputs = Inputs::of(vec![path], None);
        let mut number = 0;
        let mut status = ExitStatus::Yes;
        let end = inputs.read(
            false,
            |part, emit| {
                let mut builder = GameBuilder::new();
                while part.reader.read_game(&mut builder)? {
                    let unread = builder.errors().iter().find(|error| error.problem.is_unread()).map(finding);
                    let scene = Scene::of_game(builder.game(), self.ply);
                    emit((unread, scene.and_then(|scene| self.picture(&scene, format))))?;
                }
                Ok(())
            },
            |source, bar, (unread, picture)| {
                number += 1;
                let problem = picture.as_ref().err().map(|problem| format!(": game {number}: {problem}"));
                for problem in unread.into_iter().chain(problem) {
                    status = ExitStatus::No;
                    // A closed standard error does not matter.
                    let _ = bar.suspend(|| writeln!(io::stderr(), "{}{problem}", source.name()));
                }
                picture.map_or(Ok(()), |picture| self.write_numbered(number, format, &picture))
            },
        )?;
        Ok(status.max(end.status()?))
    }

    /// Draws a position of one game of a file.
    fn draw_game(
        &self,
        path: PathBuf,
        wanted: u64,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        let mut number = 0;
        let mut found = None;
        let end = Inputs::of(vec![path.clone()], None).read_until(
            |part, emit| {
                let mut builder = GameBuilder::new();
                while part.reader.read_game(&mut builder)? {
                    emit(builder.take())?;
                }
                Ok(())
            },
            &mut |source, _, game: (Game, Vec<PgnError>)| {
                number += 1;
                if number < wanted {
                    return Ok(ControlFlow::Continue(()));
                }
                found = Some((source.clone(), game));
                Ok(ControlFlow::Break(()))
            },
        )?;
        let Some((source, (game, errors))) = found else {
            return Err(too_few(&source_name(&path), number, "game", wanted));
        };
        let unread = errors.iter().find(|error| error.problem.is_unread());
        if let Some(unread) = unread {
            // A closed standard error does not matter.
            let _ = writeln!(io::stderr(), "{}{}", source.name(), finding(unread));
        }
        let scene = Scene::of_game(&game, self.ply)
            .map_err(|problem| input_error(&source.name(), format!("game {wanted}: {problem}")))?;
        self.write_one(&scene, format, out)?;
        let status = if unread.is_some() { ExitStatus::No } else { ExitStatus::Yes };
        Ok(status.max(end.status()?))
    }
}

/// The message about moves that cannot be read, behind the name of the file.
fn finding(error: &PgnError) -> String {
    format!(":{}:{}: {}", error.place.line, error.place.column, error.problem)
}

fn input_error(name: &dyn Display, problem: impl Display) -> CliError {
    CliError::Input { name: name.to_string(), problem: problem.to_string() }
}

fn too_few(name: &str, found: u64, what: &str, wanted: u64) -> CliError {
    let s = if found == 1 { "" } else { "s" };
    input_error(&name, format!("there is no {what} {wanted}: found {found} {what}{s}"))
}

fn source_name(path: &Path) -> String {
    if path.as_os_str() == STDIN { Source::Stdin.name() } else { path.display().to_string() }
}

/// Whether a text starts as a FEN does.
fn is_fen(text: &str) -> bool {
    let placement = text.split_whitespace().next().unwrap_or_default();
    placement.matches('/').count() == SLASHES
}

/// The record of a line, unless it is blank or a comment.
fn record(line: &str) -> Option<&str> {
    let line = line.trim_start_matches('\u{feff}').trim();
    (!line.is_empty() && !line.starts_with('#')).then_some(line)
}

/// Whether a file has positions, and not games: whether its first record is a FEN.
fn has_positions(path: &Path) -> Result<bool, CliError> {
    if path.as_os_str() == STDIN {
        // It is only looked at, and read from its start later.
        let mut input = io::stdin().lock();
        let start = input.fill_buf().map_err(|error| input_error(&Source::Stdin.name(), error))?;
        return Ok(starts_with_fen(start));
    }
    // Folders have games.
    if path.is_dir() {
        return Ok(false);
    }
    let Input { name, mut reader } = Input::open(path)?;
    let start = reader.fill_buf().map_err(|error| input_error(&name, error))?;
    Ok(starts_with_fen(start))
}

fn starts_with_fen(start: &[u8]) -> bool {
    String::from_utf8_lossy(start).lines().find_map(record).is_some_and(is_fen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_games_are_read() {
        let cases = [
            ("24", Some(Ply::Count(24))),
            ("0", Some(Ply::Count(0))),
            ("12w", Some(Ply::Move(12, Color::White))),
            ("12b", Some(Ply::Move(12, Color::Black))),
            ("", None),
            ("w", None),
            ("-1", None),
            ("12é", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }

    #[test]
    fn marks_are_read() {
        for (text, is_good) in
            [("e2e4", true), ("e2-e4", true), ("e2", false), ("éa4", false), ("e2e9", false)]
        {
            assert_eq!(text.parse::<Squares>().is_ok(), is_good, "{text}");
        }
        let colored = "e4:#08f".parse::<Colored<Square>>().expect("it has a color");
        assert_eq!((colored.0, colored.1), (Square::E4, Rgb(0, 0x88, 0xff)));
        assert!("e4:pink".parse::<Colored<Square>>().is_err());
        assert!("none".parse::<OrNone<Squares>>().is_ok_and(|none| none.0.is_none()));
    }

    #[test]
    fn positions_are_told_from_games() {
        let cases = [
            ("8/8/8/8/8/4k3/4p3/4K3 b - -\n", true),
            ("\u{feff}# about\r\n\r\n8/8/8/8/8/4k3/4p3/4K3 b - -", true),
            ("[Event \"a/b/c/d/e/f/g/h\"]\n", false),
            ("1. e4 *", false),
            ("", false),
        ];
        for (text, expected) in cases {
            assert_eq!(starts_with_fen(text.as_bytes()), expected, "{text}");
        }
    }
}
