//! Diagrams in a page, which share the drawings of board and pieces, so that each takes few bytes.

use super::diagram::{Diagram, DiagramStyle, Mark, arrow, is_dark};
use super::lettering::escape_into;
use crate::chess::{File, Piece, Rank, Square};
use std::fmt::Write;

/// The number of squares of a side. The drawings have squares of one unit.
const SIDE: u8 = 8;
/// Scales drawings of pieces, letters and arrows, which have squares of 100 units, to squares of one unit.
const SCALE: &str = "scale(.01)";
/// In these drawings, the side of a square, the size of coordinates, and their distance from the board.
const SQUARE: u32 = 100;
const LETTER: u32 = 24;
const AWAY: u32 = 24;
/// The visible part of a drawing: the board, with coordinates to the left of it and below.
const VIEW: &str = "-.45 0 8.45 8.4";
/// The lines of hatched squares: their distance and their width.
const HATCH: (f64, f64) = (0.12, 0.016);

/// The names of the drawings of a page: the squares, and the coordinates from White's and from Black's side.
const SQUARES: &str = "B0";
const COORDINATES: [&str; 2] = ["B1", "B2"];

/// The name of the drawing of a piece.
fn piece_name(piece: Piece) -> String {
    format!("c{}", piece.letter())
}

/// The drawings, which a page contains once.
pub(super) fn definitions(style: DiagramStyle) -> String {
    let theme = style.theme;
    let mut html = String::from("<svg class=defs width=0 height=0 aria-hidden=true><defs>");
    let dark = if theme.is_hatched() {
        let (step, width) = HATCH;
        let _ = write!(
            html,
            "<pattern id=B3 width={step} height={step} patternUnits=userSpaceOnUse>\
             <path d=\"M0 {step}L{step} 0\" stroke=\"{}\" stroke-width={width} /></pattern>",
            theme.dark
        );
        "url(#B3)".to_owned()
    } else {
        theme.dark.to_string()
    };
    let _ = write!(
        html,
        "<g id={SQUARES}><path fill=\"{}\" d=\"M0 0h{SIDE}v{SIDE}H0z\"/><path fill=\"{dark}\" d=\"",
        theme.light
    );
    Square::ALL.into_iter().filter(|square| is_dark(*square)).for_each(|square| {
        add_square(&mut html, corner(square, false));
    });
    html.push_str("\"/></g>");
    for (name, is_flipped) in COORDINATES.into_iter().zip([false, true]) {
        let (file, rank) = if is_flipped { (File::H, Rank::Eighth) } else { (File::A, Rank::First) };
        let _ = write!(
            html,
            "<g id={name} transform={SCALE} fill=currentColor text-anchor=middle font-size={LETTER} \
             font-family=\"system-ui,sans-serif\">"
        );
        let middle = |place: u8| u32::from(place) * SQUARE + SQUARE / 2;
        for rank in Rank::ALL {
            let (_, y) = corner(Square::new(file, rank), is_flipped);
            let _ = write!(html, "<text x=-{AWAY} y={}>{}</text>", middle(y) + LETTER / 3, rank.digit());
        }
        for file in File::ALL {
            let (x, _) = corner(Square::new(file, rank), is_flipped);
            let y = u32::from(SIDE) * SQUARE + AWAY + LETTER / 4;
            let _ = write!(html, "<text x={} y={y}>{}</text>", middle(x), file.letter());
        }
        html.push_str("</g>");
    }
    for piece in Piece::ALL {
        let start = format!("<g id=\"{}\"", style.pieces.id(piece));
        let scaled = format!("<g id={} transform={SCALE}", piece_name(piece));
        html.push_str(&style.pieces.drawing(piece).replacen(&start, &scaled, 1));
    }
    html.push_str("</defs></svg>");
    html
}

/// The upper left corner of a square.
const fn corner(square: Square, is_flipped: bool) -> (u8, u8) {
    let (file, rank) = (square.file() as u8, square.rank() as u8);
    if is_flipped { (SIDE - 1 - file, rank) } else { (file, SIDE - 1 - rank) }
}

/// Adds the outline of a square to a path.
fn add_square(html: &mut String, (x, y): (u8, u8)) {
    let _ = write!(html, "M{x} {y}h1v1h-1z");
}

impl Diagram {
    /// Adds the picture to a page that has the drawings, with its name and its description if `is_described`;
    /// otherwise, the context must describe it.
    pub(super) fn add_inline(&self, html: &mut String, is_described: bool) {
        let is_flipped = self.style().is_flipped;
        let _ = write!(html, "<svg class=board viewBox=\"{VIEW}\" role=img");
        if is_described {
            html.push_str(" aria-label=\"");
            escape_into(html, self.caption.as_deref().unwrap_or("Chess position"));
            let _ = write!(html, "\"><desc>{}</desc>", self.description());
        } else {
            html.push('>');
        }
        let _ = write!(html, "<use href=#{SQUARES} />");
        if let Some((from, to)) = self.last_move {
            html.push_str("<path class=last d=\"");
            [from, to].into_iter().for_each(|square| add_square(html, corner(square, is_flipped)));
            html.push_str("\"/>");
        }
        let _ = write!(html, "<use href=#{} />", COORDINATES[usize::from(is_flipped)]);
        for mark in &self.marks {
            if let Mark::Square(color, square) = *mark {
                let _ = write!(html, "<path fill=\"{color}\" fill-opacity=.5 d=\"");
                add_square(html, corner(square, is_flipped));
                html.push_str("\"/>");
            }
        }
        let board = self.board();
        for square in board.occupied() {
            if let Some(piece) = board.piece_at(square) {
                let _ = write!(html, "<use href=#{}", piece_name(piece));
                let (x, y) = corner(square, is_flipped);
                for (name, place) in [("x", x), ("y", y)].into_iter().filter(|(_, place)| *place > 0) {
                    let _ = write!(html, " {name}={place}");
                }
                html.push_str(" />");
            }
        }
        let center = |square| {
            let (x, y) = corner(square, is_flipped);
            let middle = |place: u8| f64::from(u32::from(place) * SQUARE + SQUARE / 2);
            (middle(x), middle(y))
        };
        for mark in &self.marks {
            if let Mark::Arrow(color, from, to) = *mark {
                let path = arrow(center(from), center(to));
                let _ =
                    write!(html, "<path fill=\"{color}\" fill-opacity=.8 transform={SCALE} d=\"{path}\"/>");
            }
        }
        html.push_str("</svg>");
    }

    /// The picture with its caption as a figure of a [`Page`](super::Page), which has the drawings.
    pub fn to_figure(&self) -> String {
        let mut html = String::new();
        self.add_figure(&mut html, "diagram", true);
        html
    }

    /// Adds the picture with its caption to a page that has the drawings.
    pub(super) fn add_figure(&self, html: &mut String, class: &str, is_described: bool) {
        let _ = write!(html, "<figure class={class}>");
        self.add_inline(html, is_described);
        if let Some(caption) = &self.caption {
            html.push_str("<figcaption>");
            escape_into(html, caption);
            html.push_str("</figcaption>");
        }
        html.push_str("</figure>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::render::{PieceSet, Rgb, Theme};

    fn inline(diagram: &Diagram) -> String {
        let mut html = String::new();
        diagram.add_inline(&mut html, false);
        html
    }

    #[test]
    fn every_drawing_that_is_used_is_defined() {
        for pieces in PieceSet::ALL {
            for theme in ["brown", "print"] {
                let theme = Theme::named(theme).expect("it is a theme");
                for is_flipped in [false, true] {
                    let style = DiagramStyle { pieces, theme, is_flipped, ..DiagramStyle::default() };
                    let (page, drawn) =
                        (definitions(style), inline(&Diagram::new(&Position::start(), style)));
                    let used: Vec<&str> =
                        drawn.split("href=#").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
                    assert_eq!(used.len(), 34);
                    for name in used {
                        let ids = [format!("id={name}>"), format!("id={name} ")];
                        assert_eq!(ids.iter().map(|id| page.matches(id).count()).sum::<usize>(), 1, "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn pieces_stand_where_the_orientation_puts_them() {
        for (is_flipped, king) in [(false, "#cK x=4 y=7 />"), (true, "#cK x=3 />")] {
            let style = DiagramStyle { is_flipped, ..DiagramStyle::default() };
            let mut diagram = Diagram::new(&Position::start(), style);
            diagram.marks = vec![Mark::Arrow(Rgb::RED, Square::E2, Square::E4)];
            diagram.last_move = Some((Square::A1, Square::A1));
            let drawn = inline(&diagram);
            assert!(drawn.contains(king), "{drawn}");
            assert!(drawn.contains(if is_flipped { "d=\"M7 0h" } else { "d=\"M0 7h" }), "{drawn}");
            assert!(drawn.len() < 1200, "{}", drawn.len());
        }
    }
}
