//! `hematite diagram`: pictures of positions, and animations of games.

mod animation;
mod drawn_position;
mod values;

use super::pgn::{GameName, Inputs, error_message};
use super::streams::{Input, STDIN, STDOUT, new_file, open, plain};
use super::values::{Ply, integer_in, positive};
use super::{CliError, ExitStatus};
use crate::chess::Square;
use crate::database::Source;
use crate::files::{PathExcerpt, read_line, without_packed_extension};
use crate::notation::pgn::{Game, GameBuilder};
use crate::notation::{BoardText, Excerpt, PieceLetters, pluralize};
use crate::render::{
    Animation, Coordinates, Diagram, DiagramStyle, GIF_WIDTHS_PX, Mark, PieceSet, Rgb, Theme, WIDTHS_PX, png,
};
use animation::{AnimationArg, GifOptions, game_of};
pub(super) use drawn_position::DrawnPosition;
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use values::{Colored, NONE, OrNone, Squares};
pub(super) use values::{read_arrow, read_mark};

const EXAMPLES: &str = "\
Examples:
  hematite diagram startpos -o start.svg
  hematite diagram startpos --moves '1. e4 c5 2. Nf3' -o sicilian.png --size 600
  hematite diagram games.pgn#3 --ply 12w --theme green --pieces sharp -o game.svg
  hematite diagram games.pgn --all --ply 20 --png -o pictures/
  hematite diagram '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' --arrow a1a8 --mark g8:red --html
  hematite diagram games.pgn#3 -o game.gif
  hematite diagram games.pgn#3 --from 12w --to 20b --delay 1.5 --size 600 --flip -o middlegame.gif

Arrows and squares that a comment on the position has (%cal, %csl) are drawn.
A GIF shows the whole game, with players, clocks (%clk) and evaluations (%eval) as far as the game has them.
Exit code 1 if a game of the picture has moves that cannot be read, or with --all lacks the position.";

/// The maximum length of a line of a file of positions, in bytes.
const MAX_LINE: usize = 1 << 16;
/// The number of digits in the names of numbered pictures.
const DIGITS: usize = 6;
/// The default width of the picture of one position, in pixels.
const DEFAULT_WIDTH_PX: u32 = 400;
/// The number of slashes of a FEN.
const SLASHES: usize = 7;

/// Draw a position, or many: SVG, PNG, HTML or text; or a game as an animated GIF.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A FEN, in one argument or several, or `startpos`; or a file: games (PGN or a collection) or positions (EPD or
    /// FEN, one on a line), `-` for standard input. `#3` after the name of a file takes its third game.
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

    /// Write to this file, of the format that its name ends in (.svg, .png, .gif, .html, .txt); with --all into this
    /// folder [default: standard output].
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,

    /// The width of the picture in pixels, 16 to 4096 [default: 400, and 480 for a GIF].
    #[arg(long, value_name = "PX", value_parser = integer_in::<u32>(WIDTHS_PX))]
    size: Option<u32>,

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

    /// The text below the board, or `none` [default: such as `Position after 9. h3`, or the id of an EPD record; in a
    /// GIF each move].
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,

    #[command(flatten)]
    animation: AnimationArg,
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
    /// Write the game as an animated GIF.
    #[arg(long)]
    gif: bool,
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

pub(super) fn theme(name: &str) -> Result<Theme, String> {
    let names = || Theme::names().collect::<Vec<_>>().join(", ");
    Theme::named(name).ok_or_else(|| format!("expected one of {}", names()))
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(super) enum PiecesArg {
    Modern,
    Sharp,
}

impl std::convert::From<PiecesArg> for PieceSet {
    fn from(set: PiecesArg) -> Self {
        match set {
            PiecesArg::Modern => Self::Modern,
            PiecesArg::Sharp => Self::Sharp,
        }
    }
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum CoordinatesArg {
    Outside,
    Inside,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Png,
    Gif,
    Text,
    Html,
}

impl Format {
    /// The name of a binary format; `None` for a text format.
    const fn binary_name(self) -> Option<&'static str> {
        match self {
            Self::Png => Some("PNG"),
            Self::Gif => Some("GIF"),
            Self::Svg | Self::Text | Self::Html => None,
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Text => "txt",
            Self::Html => "html",
        }
    }

    fn of_name(path: &Path) -> Option<Self> {
        let extension = without_packed_extension(path).extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "htm" => Some(Self::Html),
            known => [Self::Svg, Self::Png, Self::Gif, Self::Text, Self::Html]
                .into_iter()
                .find(|format| format.extension() == known),
        }
    }
}

/// The source of the positions.
enum From {
    Fen(String),
    /// A game or a position of a file.
    File(GameName),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let format = self.format()?;
        match self.from()? {
            From::Fen(fen) => {
                let moves = self.moves.as_deref().unwrap_or_default();
                let picture = self.picture_of_line(&fen, moves, format, true);
                let picture = picture.map_err(|problem| input_error(&Excerpt::new(&fen), problem))?;
                self.write_one(&picture, out)?;
                Ok(ExitStatus::Yes)
            }
            From::File(name) if has_positions(&name.file)? => {
                self.draw_positions(&name.file, name.number, format, out)
            }
            From::File(name) if self.all => self.draw_games(name.file, format),
            From::File(name) => self.draw_game(&name, format, out),
        }
    }

    /// The requested format.
    fn format(&self) -> Result<Format, CliError> {
        let file = self.output.as_deref().filter(|path| !self.all && path.as_os_str() != STDOUT);
        let format = match self.format {
            FormatArg { svg: true, .. } => Format::Svg,
            FormatArg { png: true, .. } => Format::Png,
            FormatArg { gif: true, .. } => Format::Gif,
            FormatArg { text: true, .. } => Format::Text,
            FormatArg { html: true, .. } => Format::Html,
            _ => match file {
                Some(path) => Format::of_name(path).ok_or_else(|| {
                    let path = PathExcerpt::new(path);
                    CliError::Usage(format!(
                        "{path}: expected a name that ends in .svg, .png, .gif, .html or .txt, or an option such as --svg"
                    ))
                })?,
                None => Format::Svg,
            },
        };
        if let Some(name) = format.binary_name()
            && file.is_none()
            && !self.all
            && io::stdout().is_terminal()
        {
            return Err(CliError::Usage(format!("a terminal cannot show a {name}, expected -o FILE")));
        }
        self.check_options(format)?;
        Ok(format)
    }

    /// Refuses options that have no effect in this format.
    fn check_options(&self, format: Format) -> Result<(), CliError> {
        let of_position = [
            ("--last-move", self.last_move.is_some()),
            ("--arrow", !self.arrow.is_empty()),
            ("--mark", !self.mark.is_empty()),
        ];
        let given = of_position.into_iter().find(|(_, is_given)| *is_given);
        let size = self.size.map(|_| ("--size", true));
        let problem = match (format, self.animation.given()) {
            (Format::Gif, _) => {
                if self.ply.is_some() {
                    "a GIF shows more than one position, expected --from and --to in place of --ply"
                        .to_owned()
                } else if let Some((name, _)) = given {
                    format!("{name} is for one position, and a GIF shows several")
                } else if self.colors.theme().paper().is_none() {
                    "a GIF cannot be transparent around the board, expected a color for --background"
                        .to_owned()
                } else if !GIF_WIDTHS_PX.contains(&self.gif_width_px()) {
                    let (least, most) = (GIF_WIDTHS_PX.start(), GIF_WIDTHS_PX.end());
                    format!("a GIF is {least} to {most} pixels wide, found --size {}", self.gif_width_px())
                } else {
                    return Ok(());
                }
            }
            (_, Some(name)) => {
                format!("{name} is for a GIF, expected --gif or a file whose name ends in .gif")
            }
            (Format::Text, None) => match given.or(size) {
                Some((name, _)) => format!("{name} is for pictures, and letters show only the pieces"),
                None => return Ok(()),
            },
            (_, None) => return Ok(()),
        };
        Err(CliError::Usage(problem))
    }

    /// The meaning of the positional arguments.
    fn from(&self) -> Result<From, CliError> {
        let usage = |problem: &str| Err(CliError::usage(problem));
        let from = match &self.position[..] {
            [word] if word == "startpos" => From::Fen(word.clone()),
            [word] => match GameName::numbered(word) {
                Some(_) if self.game.is_some() || self.all => {
                    return usage("one game is asked for by #, expected no --game and no --all");
                }
                Some(name) => From::File(name),
                None if is_fen(word) && !Path::new(word).exists() => From::Fen(word.clone()),
                None => From::File(GameName { file: word.into(), number: self.game.unwrap_or(1) }),
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

    fn style(&self) -> DiagramStyle {
        DiagramStyle {
            theme: self.colors.theme(),
            pieces: self.pieces.into(),
            coordinates: match self.coordinates {
                CoordinatesArg::Outside => Coordinates::Outside,
                CoordinatesArg::Inside => Coordinates::Inside,
                CoordinatesArg::None => Coordinates::None,
            },
            is_flipped: self.flip,
            shows_turn: self.side_to_move,
        }
    }

    /// The picture of a FEN or an EPD record after some moves; an error states the problem.
    fn picture_of_line(
        &self,
        fen: &str,
        moves: &str,
        format: Format,
        has_bar: bool,
    ) -> Result<Vec<u8>, String> {
        match format {
            Format::Gif => self.gif(&game_of(fen, moves)?, has_bar),
            _ => self.picture(&DrawnPosition::new(fen, moves)?, format),
        }
    }

    /// The picture of a game; an error states the problem.
    fn picture_of_game(&self, game: &Game, format: Format, has_bar: bool) -> Result<Vec<u8>, String> {
        match format {
            Format::Gif => self.gif(game, has_bar),
            _ => self.picture(&DrawnPosition::of_game(game, self.ply)?, format),
        }
    }

    fn gif_width_px(&self) -> u32 {
        self.size.unwrap_or(Animation::WIDTH_PX)
    }

    fn gif(&self, game: &Game, has_bar: bool) -> Result<Vec<u8>, String> {
        let width_px = self.gif_width_px();
        let options = GifOptions { style: self.style(), width_px, caption: self.caption.as_deref(), has_bar };
        self.animation.gif(game, &options)
    }

    /// The picture of a position.
    fn picture(&self, drawn: &DrawnPosition, format: Format) -> Result<Vec<u8>, String> {
        let width_px = self.size.unwrap_or(DEFAULT_WIDTH_PX);
        let mut diagram = Diagram::new(&drawn.position, self.style());
        diagram.last_move = match &self.last_move {
            Some(given) => given.0.map(|Squares(from, to)| (from, to)),
            None => drawn.last_move(),
        };
        diagram.marks.clone_from(&drawn.marks);
        diagram.marks.extend(self.mark.iter().map(|&Colored(square, color)| Mark::Square(color, square)));
        let arrows = self.arrow.iter().map(|&Colored(Squares(from, to), color)| Mark::Arrow(color, from, to));
        diagram.marks.extend(arrows);
        diagram.caption = match self.caption.as_deref() {
            Some(NONE) => None,
            Some(text) => Some(text.to_owned()),
            None => drawn.caption(PieceLetters::default()),
        };
        match format {
            Format::Svg => Ok(diagram.to_svg(width_px).into_bytes()),
            Format::Html => Ok(diagram.to_html(width_px).into_bytes()),
            Format::Png => png(&diagram.to_svg(width_px)).map_err(|error| error.to_string()),
            Format::Gif => unreachable!("an animation is made of a game"),
            Format::Text => {
                let board = BoardText::new(&drawn.position);
                let board = if self.flip { board.flipped() } else { board };
                let caption = diagram.caption.map_or_else(String::new, |text| plain(&text) + "\n");
                Ok(format!("{board}\n\n{caption}{} to move\n", drawn.position.turn().name()).into_bytes())
            }
        }
    }

    fn write_one(&self, picture: &[u8], out: &mut dyn Write) -> Result<(), CliError> {
        let mut output = open(self.output.as_deref().unwrap_or(Path::new(STDOUT)), out)?;
        output.write_all(picture)?;
        Ok(output.finish()?)
    }

    /// Writes a numbered picture to the folder.
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
            return Err(CliError::usage("--ply is for games, and this file has positions"));
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
            let place = format!("{name}:{line}");
            match self.picture_of_line(text, "", format, false) {
                Ok(picture) if !self.all => {
                    self.write_one(&picture, out)?;
                    return Ok(status);
                }
                Ok(picture) => self.write_numbered(number, format, &picture)?,
                Err(problem) if self.all => {
                    status = ExitStatus::No;
                    // A closed standard error does not matter.
                    let _ = writeln!(io::stderr(), "{place}: {problem}");
                }
                Err(problem) => return Err(input_error(&place, problem)),
            }
        }
        if self.all {
            return Ok(status);
        }
        let has = pluralize(number, "position");
        Err(input_error(&name, format!("it has {has}, expected a position {wanted}")))
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
                    let unread = builder.errors().iter().find(|error| error.problem.is_unread());
                    let unread = unread.map(|error| error_message(part.source, error));
                    emit((unread, self.picture_of_game(builder.game(), format, false)))?;
                }
                Ok(())
            },
            |source, bar, (unread, picture)| {
                number += 1;
                let problem = picture.as_ref().err();
                let problem = problem.map(|problem| format!("{}: game {number}: {problem}", source.name()));
                for problem in unread.into_iter().chain(problem) {
                    status = ExitStatus::No;
                    // A closed standard error does not matter.
                    let _ = bar.suspend(|| writeln!(io::stderr(), "{problem}"));
                }
                picture.map_or(Ok(()), |picture| self.write_numbered(number, format, &picture))
            },
        )?;
        Ok(status.max(end.status()?))
    }

    /// Draws a position of one game of a file.
    fn draw_game(
        &self,
        name: &GameName,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        let read = name.read(PieceLetters::default())?;
        let unread = read.errors.iter().find(|error| error.problem.is_unread());
        if let Some(unread) = unread {
            // A closed standard error does not matter.
            let _ = writeln!(io::stderr(), "{}", error_message(&read.source, unread));
        }
        let picture = self.picture_of_game(&read.game, format, true).map_err(|problem| {
            input_error(&read.source.name(), format!("game {}: {problem}", name.number))
        })?;
        self.write_one(&picture, out)?;
        Ok(if unread.is_some() { ExitStatus::No } else { ExitStatus::Yes })
    }
}

fn input_error(name: &dyn Display, problem: impl Display) -> CliError {
    CliError::Input { name: name.to_string(), problem: problem.to_string() }
}

/// Whether a text starts as a FEN does.
fn is_fen(text: &str) -> bool {
    let placement = text.split_whitespace().next().unwrap_or_default();
    placement.matches('/').count() == SLASHES
}

/// The EPD record of a line; `None` if the line is blank or a comment.
fn record(line: &str) -> Option<&str> {
    let line = line.trim_start_matches('\u{feff}').trim();
    (!line.is_empty() && !line.starts_with('#')).then_some(line)
}

/// Whether a file contains positions instead of games: whether its first record is a FEN.
fn has_positions(path: &Path) -> Result<bool, CliError> {
    if path.as_os_str() == STDIN {
        // The start of standard input is not consumed, so it can be read again later.
        let mut input = io::stdin().lock();
        let start = input.fill_buf().map_err(|error| input_error(&Source::Stdin.name(), error))?;
        return Ok(starts_with_fen(start));
    }
    // Folders contain games.
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
