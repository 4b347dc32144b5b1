//! A position as a picture.

use super::lettering::{CAP_HEIGHT, Line, PEN, SEAM, escape, short, wrap};
use super::style::{PieceSet, Rgb, Theme};
use crate::chess::{Board, Color, File, Piece, Rank, Role, Square};
use crate::notation::pgn::{Command, MarkColor, commands};
use std::fmt::Write;

/// The side of a square, in units of the picture.
pub(super) const SQUARE: f64 = 100.0;
/// The side of the board, in units of the picture.
pub(super) const BOARD: f64 = 8.0 * SQUARE;
/// The margin around the board without coordinates.
pub(super) const MARGIN: f64 = 16.0;
/// The margin for coordinates, and for the marker of the side to move.
pub(super) const WIDE_MARGIN: f64 = 56.0;
/// The width of the frame.
const FRAME: f64 = 4.0;
/// The radius of the corners of the paper.
const CORNER: f64 = 12.0;
/// The sizes of text: coordinates outside and inside the board, and the caption.
const OUTSIDE_SCALE: f64 = 1.9;
const INSIDE_SCALE: f64 = 1.2;
const CAPTION_SCALE: f64 = 2.5;
/// The height of a line of the caption, and the space above the first one.
const CAPTION_LINE: f64 = 64.0;
const CAPTION_GAP: f64 = 14.0;
/// The maximum number of lines of a caption.
const CAPTION_LINES: usize = 3;

/// The place of the names of files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Coordinates {
    /// Below the board and to the left of it.
    #[default]
    Outside,
    /// In the corners of squares.
    Inside,
    /// There are no coordinates.
    None,
}

/// A mark on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A square is marked.
    Square(Rgb, Square),
    /// An arrow from one square to another.
    Arrow(Rgb, Square, Square),
}

/// The arrows and squares of the commands `%cal` and `%csl` in comments.
pub fn marks_of<'a>(comments: impl Iterator<Item = &'a str>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for command in comments.flat_map(commands) {
        match command {
            Command::Squares(squares) => {
                marks.extend(squares.iter().map(|&(color, square)| Mark::Square(color.into(), square)));
            }
            Command::Arrows(arrows) => {
                marks.extend(arrows.iter().map(|&(color, from, to)| Mark::Arrow(color.into(), from, to)));
            }
            _ => {}
        }
    }
    marks
}

impl From<MarkColor> for Rgb {
    fn from(color: MarkColor) -> Self {
        match color {
            MarkColor::Green => Self::GREEN,
            MarkColor::Red => Self::RED,
            MarkColor::Yellow => Self::YELLOW,
            MarkColor::Blue => Self::BLUE,
        }
    }
}

/// The style of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DiagramStyle {
    /// The colors.
    pub theme: Theme,
    /// The set of pieces.
    pub pieces: PieceSet,
    /// The place of the coordinates.
    pub coordinates: Coordinates,
    /// Whether Black is at the bottom.
    pub is_flipped: bool,
    /// Whether a circle next to the board shows the side to move.
    pub shows_turn: bool,
}

/// A diagram: a board with marks and a caption.
///
/// ```
/// use hematite_games::chess::Position;
/// use hematite_games::render::{Diagram, DiagramStyle};
/// let svg = Diagram::new(&Position::start(), DiagramStyle::default()).to_svg(400);
/// assert!(svg.starts_with("<svg ") && svg.contains("White: king e1, queen d1, rooks a1 h1"));
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    board: Board,
    style: DiagramStyle,
    /// The start and target squares of the last move.
    pub last_move: Option<(Square, Square)>,
    /// The marks, in the order in which they are drawn.
    pub marks: Vec<Mark>,
    /// The text below the board.
    pub caption: Option<String>,
}

impl Diagram {
    /// A diagram without marks and caption.
    pub const fn new(board: &Board, style: DiagramStyle) -> Self {
        Self { board: *board, style, last_move: None, marks: Vec::new(), caption: None }
    }

    /// The diagram as SVG with this width in pixels. Equal diagrams give equal texts. The picture needs no fonts or
    /// other files.
    pub fn to_svg(&self, width_px: u32) -> String {
        Sheet::new(self, self.caption.as_deref()).draw(width_px)
    }

    /// The diagram as a part of an HTML page, at most this many pixels wide, with the caption as text.
    pub fn to_html(&self, width_px: u32) -> String {
        let svg = Sheet::new(self, None).draw(width_px);
        // The picture shrinks if there is less space.
        let svg = svg.replacen("<svg ", "<svg style=\"max-width:100%;height:auto\" ", 1);
        let caption = self.caption.as_deref().map(escape);
        let caption = caption.map_or_else(String::new, |text| format!("<figcaption>{text}</figcaption>\n"));
        format!(
            "<figure class=\"chess-diagram\" style=\"display:inline-block;margin:0;text-align:center\">\n\
             {svg}{caption}</figure>\n"
        )
    }

    /// Adds the board, with everything on it and next to it, to a larger picture whose origin is the upper left corner
    /// of the board, in units of the picture. Paper and caption are left out.
    pub(super) fn add_board(&self, svg: &mut String) {
        let mut sheet = Sheet { left: 0.0, top: 0.0, svg: std::mem::take(svg), ..Sheet::new(self, None) };
        sheet.add_definitions();
        sheet.add_parts();
        *svg = sheet.svg;
    }

    pub(super) const fn board(&self) -> &Board {
        &self.board
    }

    pub(super) const fn style(&self) -> DiagramStyle {
        self.style
    }

    /// The position in words, for screen readers.
    pub(super) fn description(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            let _ = write!(text, "{}: ", color.name());
            let mut separator = "";
            for role in Role::ALL.into_iter().rev() {
                let squares: Vec<String> =
                    self.board.pieces(color, role).into_iter().map(|square| square.to_string()).collect();
                if !squares.is_empty() {
                    let plural = if squares.len() > 1 { "s" } else { "" };
                    let _ = write!(text, "{separator}{}{plural} {}", role.name(), squares.join(" "));
                    separator = ", ";
                }
            }
            text.push_str(". ");
        }
        let _ = write!(text, "{} to move.", self.board.turn().name());
        if let Some((from, to)) = self.last_move {
            let _ = write!(text, " Last move: {from}-{to}.");
        }
        let marked = self.marks.iter().map(|mark| match mark {
            Mark::Square(_, square) => square.to_string(),
            Mark::Arrow(_, from, to) => format!("{from}-{to}"),
        });
        let marked: Vec<String> = marked.collect();
        if !marked.is_empty() {
            let _ = write!(text, " Marked: {}.", marked.join(" "));
        }
        text
    }
}

/// A diagram that is being drawn, with the places of its parts.
struct Sheet<'a> {
    diagram: &'a Diagram,
    style: DiagramStyle,
    caption: Vec<String>,
    /// The upper left corner of the board.
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    svg: String,
}

impl<'a> Sheet<'a> {
    fn new(diagram: &'a Diagram, caption: Option<&str>) -> Self {
        let style = diagram.style;
        let is_outside = style.coordinates == Coordinates::Outside;
        let margin = |is_wide: bool| if is_wide { WIDE_MARGIN } else { MARGIN };
        let width = margin(is_outside) + BOARD + margin(style.shows_turn);
        let caption = caption.map(|text| wrap(text, (width - 2.0 * MARGIN) / CAPTION_SCALE, CAPTION_LINES));
        let caption = caption.unwrap_or_default();
        let lines = caption.len() as f64;
        let below = if caption.is_empty() { 0.0 } else { CAPTION_GAP + lines * CAPTION_LINE };
        let height = MARGIN + BOARD + margin(is_outside) + below;
        let svg = String::with_capacity(16 << 10);
        Self { diagram, style, caption, left: margin(is_outside), top: MARGIN, width, height, svg }
    }

    fn draw(mut self, width_px: u32) -> String {
        let (width, height) = (self.width, self.height);
        let height_px = (f64::from(width_px) * height / width).round().max(1.0);
        let title = match &self.diagram.caption {
            Some(caption) => escape(caption),
            None => "Chess position".to_owned(),
        };
        let description = self.diagram.description();
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_px}\" height=\"{height_px}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{title}</title>\n<desc>{description}</desc>\n"
        ));
        self.add_definitions();
        if let Some(paper) = self.style.theme.paper() {
            self.add(format_args!(
                "<rect width=\"{width}\" height=\"{height}\" rx=\"{CORNER}\" fill=\"{paper}\"/>\n"
            ));
        }
        self.add_parts();
        self.svg.push_str("</svg>\n");
        self.svg
    }

    fn add_parts(&mut self) {
        self.add_squares();
        self.add_coordinates();
        self.add_pieces();
        self.add_arrows();
        self.add_surroundings();
    }

    /// Writing to a string cannot fail.
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.svg.write_fmt(text);
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (square.file() as usize as f64, square.rank() as usize as f64);
        let (column, row) = if self.style.is_flipped { (7.0 - file, rank) } else { (file, 7.0 - rank) };
        (self.left + column * SQUARE, self.top + row * SQUARE)
    }

    fn center(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    fn add_definitions(&mut self) {
        let board = &self.diagram.board;
        self.svg.push_str("<defs>");
        for piece in Piece::ALL {
            if !board.pieces(piece.color(), piece.role()).is_empty() {
                self.svg.push_str(&self.style.pieces.drawing(piece));
                self.svg.push('\n');
            }
        }
        self.svg.push_str("</defs>\n");
    }

    fn add_squares(&mut self) {
        let theme = self.style.theme;
        let (left, top) = (self.left, self.top);
        // Without anti-aliasing there are no seams between squares.
        self.add(format_args!(
            "<g shape-rendering=\"crispEdges\"><path fill=\"{}\" d=\"M{left} {top}h{BOARD}v{BOARD}h-{BOARD}z\"/>\n",
            theme.light
        ));
        if !theme.is_hatched() {
            self.add(format_args!("<path fill=\"{}\" d=\"", theme.dark));
            for square in Square::ALL.into_iter().filter(|square| is_dark(*square)) {
                let (x, y) = self.corner(square);
                self.add(format_args!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z"));
            }
            self.svg.push_str("\"/>\n");
            if let Some((from, to)) = self.diagram.last_move {
                for square in [from, to] {
                    self.add_square(
                        square,
                        format_args!("fill=\"{}\" fill-opacity=\".45\"", theme.highlight),
                        0.0,
                    );
                }
            }
        }
        self.svg.push_str("</g>\n");
        if theme.is_hatched() {
            self.add_hatching();
        }
        for mark in &self.diagram.marks {
            if let Mark::Square(color, square) = *mark {
                /// The width of the border of a marked square.
                const BORDER: f64 = 8.0;
                let paint = format_args!(
                    "fill=\"{color}\" fill-opacity=\".4\" stroke=\"{color}\" stroke-width=\"{BORDER}\" stroke-linejoin=\"round\""
                );
                self.add_square(square, paint, BORDER / 2.0);
            }
        }
    }

    /// Draws a square with this paint, smaller by `inset` on all sides.
    fn add_square(&mut self, square: Square, paint: std::fmt::Arguments<'_>, inset: f64) {
        let (x, y) = self.corner(square);
        let side = SQUARE - 2.0 * inset;
        self.add(format_args!("<path {paint} d=\"M{} {}h{side}v{side}h-{side}z\"/>\n", x + inset, y + inset));
    }

    /// Draws lines on dark squares, and frames around the squares of the last move.
    fn add_hatching(&mut self) {
        /// The distance between lines along the sides of a square, and their width.
        const STEP: usize = 10;
        const WIDTH: f64 = 1.6;
        /// The width of the frame of the last move.
        const BORDER: f64 = 5.0;
        let theme = self.style.theme;
        self.add(format_args!("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{WIDTH}\" d=\"", theme.dark));
        for square in Square::ALL.into_iter().filter(|square| is_dark(*square)) {
            let (x, y) = self.corner(square);
            for offset in (STEP / 2..2 * SQUARE as usize).step_by(STEP) {
                // Each line goes from the left or lower side to the upper or right side.
                let offset = offset as f64;
                let outer = (offset - SQUARE).max(0.0);
                let inner = offset - outer;
                self.add(format_args!("M{} {}l{2} -{2}", x + outer, y + inner, inner - outer));
            }
        }
        self.svg.push_str("\"/>\n");
        if let Some((from, to)) = self.diagram.last_move {
            for square in [from, to] {
                let paint =
                    format_args!("fill=\"none\" stroke=\"{}\" stroke-width=\"{BORDER}\"", theme.highlight);
                self.add_square(square, paint, BORDER / 2.0 + FRAME / 2.0);
            }
        }
    }

    fn add_coordinates(&mut self) {
        let theme = self.style.theme;
        let (first_file, first_rank) = match self.style.is_flipped {
            false => (File::A, Rank::First),
            true => (File::H, Rank::Eighth),
        };
        let half = |scale: f64| CAP_HEIGHT * scale / 2.0;
        match self.style.coordinates {
            Coordinates::None => {}
            Coordinates::Outside => {
                let color = theme.ink();
                for file in File::ALL {
                    let (x, _) = self.center(Square::new(file, first_rank));
                    // Lowercase letters are lower than capitals, and some extend below the base line.
                    let y = self.top + BOARD + WIDE_MARGIN / 2.0 + half(OUTSIDE_SCALE);
                    self.letter(file.letter(), x, y, OUTSIDE_SCALE, color);
                }
                for rank in Rank::ALL {
                    let (_, y) = self.center(Square::new(first_file, rank));
                    let x = self.left - WIDE_MARGIN / 2.0;
                    self.letter(rank.digit(), x, y + half(OUTSIDE_SCALE), OUTSIDE_SCALE, color);
                }
            }
            Coordinates::Inside => {
                /// The distance of a coordinate from the sides of its square.
                const INSET: f64 = 12.0;
                let color = |square: Square| match theme.is_hatched() {
                    true => theme.ink(),
                    false if is_dark(square) => theme.light,
                    false => theme.dark,
                };
                for file in File::ALL {
                    let square = Square::new(file, first_rank);
                    let (x, y) = self.corner(square);
                    self.letter(
                        file.letter(),
                        x + SQUARE - INSET,
                        y + SQUARE - INSET / 2.0,
                        INSIDE_SCALE,
                        color(square),
                    );
                }
                for rank in Rank::ALL {
                    let square = Square::new(first_file, rank);
                    let (x, y) = self.corner(square);
                    let y = y + INSET / 2.0 + 2.0 * half(INSIDE_SCALE);
                    self.letter(rank.digit(), x + INSET, y, INSIDE_SCALE, color(square));
                }
            }
        }
    }

    fn letter(&mut self, letter: char, x: f64, y: f64, scale: f64, color: Rgb) {
        let mut bytes = [0; 4];
        let text: &str = letter.encode_utf8(&mut bytes);
        let line = Line { text, x, y, scale, color, pen: PEN };
        // Keeps the lines of the hatching away from the coordinate.
        if self.style.theme.is_hatched() && scale == INSIDE_SCALE {
            Line { color: self.style.theme.light, pen: SEAM, ..line }.draw(&mut self.svg);
        }
        line.draw(&mut self.svg);
        self.svg.push('\n');
    }

    fn add_pieces(&mut self) {
        for square in self.diagram.board.occupied() {
            if let Some(piece) = self.diagram.board.piece_at(square) {
                let (x, y) = self.corner(square);
                let id = self.style.pieces.id(piece);
                self.add(format_args!("<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>\n"));
            }
        }
    }

    fn add_arrows(&mut self) {
        for mark in &self.diagram.marks {
            if let Mark::Arrow(color, from, to) = *mark {
                let path = arrow(self.center(from), self.center(to));
                self.add(format_args!("<path fill=\"{color}\" fill-opacity=\".8\" d=\"{path}\"/>\n"));
            }
        }
    }

    /// Draws the frame, the marker of the side to move and the caption.
    fn add_surroundings(&mut self) {
        let ink = self.style.theme.ink();
        let half = FRAME / 2.0;
        let side = BOARD + FRAME;
        let (x, y) = (self.left - half, self.top - half);
        self.add(format_args!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{FRAME}\" d=\"M{x} {y}h{side}v{side}h-{side}z\"/>\n"
        ));
        if self.style.shows_turn {
            /// The radius of the marker and the width of its line.
            const RADIUS: f64 = 15.0;
            const LINE: f64 = 4.0;
            let turn = self.diagram.board.turn();
            let is_below = (turn == Color::White) != self.style.is_flipped;
            let x = self.left + BOARD + WIDE_MARGIN / 2.0;
            let y = self.top + if is_below { BOARD - SQUARE / 2.0 } else { SQUARE / 2.0 };
            let fill = if turn == Color::White { "#fff" } else { "#222" };
            self.add(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"{LINE}\"/>\n"
            ));
        }
        let lines = std::mem::take(&mut self.caption);
        let first = self.height - MARGIN - (lines.len() as f64 - 1.0) * CAPTION_LINE - CAPTION_GAP / 2.0;
        for (index, text) in lines.iter().enumerate() {
            let y = first + index as f64 * CAPTION_LINE;
            Line { text, x: self.width / 2.0, y, scale: CAPTION_SCALE, color: ink, pen: PEN }
                .draw(&mut self.svg);
            self.svg.push('\n');
        }
    }
}

pub(super) fn is_dark(square: Square) -> bool {
    (square.file() as usize + square.rank() as usize).is_multiple_of(2)
}

/// The outline of an arrow between the centers of two squares; a ring if they are the same square.
pub(super) fn arrow(from: (f64, f64), to: (f64, f64)) -> String {
    /// Half the widths of the shaft and the head, and the length of the head.
    const SHAFT: f64 = 10.0;
    const HEAD: f64 = 30.0;
    const LENGTH: f64 = 46.0;
    /// The distance of the start from the center, so that the piece remains visible.
    const START: f64 = 22.0;
    /// The distance of the tip from the center.
    const END: f64 = 4.0;
    /// The outer and the inner radius of a ring.
    const RING: (f64, f64) = (46.0, 36.0);
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let distance = (dx * dx + dy * dy).sqrt();
    if distance < 1.0 {
        let circle = |radius: f64, sweep: u8| {
            let (x, y) = (short(from.0 - radius), short(from.1));
            let double = short(2.0 * radius);
            format!(
                "M{x} {y}a{radius} {radius} 0 1 {sweep} {double} 0a{radius} {radius} 0 1 {sweep} -{double} 0z"
            )
        };
        return circle(RING.0, 1) + &circle(RING.1, 0);
    }
    let (dx, dy) = (dx / distance, dy / distance);
    // A point at the distance `along` in the direction of the arrow and `aside` to its right.
    let at = |along: f64, aside: f64| {
        (short(from.0 + along * dx - aside * dy), short(from.1 + along * dy + aside * dx))
    };
    let end = distance - END;
    let neck = end - LENGTH;
    let points = [
        at(START, -SHAFT),
        at(neck, -SHAFT),
        at(neck, -HEAD),
        at(end, 0.0),
        at(neck, HEAD),
        at(neck, SHAFT),
        at(START, SHAFT),
    ];
    let mut path = String::from("M");
    for (index, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{x} {y}", if index > 0 { " " } else { "" });
    }
    path.push('z');
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn diagram() -> Diagram {
        Diagram::new(&Position::start(), DiagramStyle::default())
    }

    #[test]
    fn the_position_is_told_in_words() {
        let mut diagram = diagram();
        diagram.last_move = Some((Square::E2, Square::E4));
        diagram.marks =
            vec![Mark::Square(Rgb::RED, Square::F7), Mark::Arrow(Rgb::GREEN, Square::D1, Square::H5)];
        assert_eq!(
            diagram.description(),
            "White: king e1, queen d1, rooks a1 h1, bishops c1 f1, knights b1 g1, pawns a2 b2 c2 d2 e2 f2 g2 h2. \
             Black: king e8, queen d8, rooks a8 h8, bishops c8 f8, knights b8 g8, pawns a7 b7 c7 d7 e7 f7 g7 h7. \
             White to move. Last move: e2-e4. Marked: f7 d1-h5."
        );
    }

    #[test]
    fn squares_are_where_the_orientation_puts_them() {
        for (is_flipped, expected) in [(false, (56.0, 716.0)), (true, (756.0, 16.0))] {
            let diagram =
                Diagram::new(&Position::start(), DiagramStyle { is_flipped, ..DiagramStyle::default() });
            assert_eq!(Sheet::new(&diagram, None).corner(Square::A1), expected);
        }
    }

    #[test]
    fn arrows_point_at_their_target() {
        assert_eq!(arrow((50.0, 50.0), (50.0, 250.0)), "M60 72 60 200 80 200 50 246 20 200 40 200 40 72z");
        assert!(arrow((50.0, 50.0), (50.0, 50.0)).contains("a46 46"));
    }

    #[test]
    fn hostile_captions_are_text() {
        let mut diagram = diagram();
        diagram.caption = Some("<script>\"&\0</title>".to_owned());
        for text in [diagram.to_svg(100), diagram.to_html(100)] {
            assert!(text.contains("&lt;script&gt;&quot;&amp; &lt;/title&gt;"), "{text}");
            assert!(!text.contains("<script>") && !text.contains('\0'), "{text}");
        }
    }
}
