//! A frame of an animation as a picture: the board, the players above and below it, their clocks, an evaluation bar,
//! and a line of text.
//!
//! Squares are a whole number of pixels, so that a piece looks the same on all squares, and the pixels of pieces that
//! do not move do not change. The rest of the width goes to the margins.

use super::super::curve::clock;
use super::super::diagram::{BOARD, Coordinates, Diagram, DiagramStyle, MARGIN, SQUARE, WIDE_MARGIN};
use super::super::lettering::{CAP_HEIGHT, Line, PEN, width, wrap};
use super::super::style::Rgb;
use super::{Player, Shot};
use crate::chess::Color;
use std::borrow::Cow;
use std::fmt::Write;
use std::time::Duration;

/// The height of the strip of a player, and the size of its text.
const STRIP: f64 = 68.0;
const NAME_SCALE: f64 = 2.3;
const RATING_SCALE: f64 = 1.9;
const CLOCK_SCALE: f64 = 2.1;
/// The disc in the color of a player: its radius and the width of its line.
const DISC: f64 = 17.0;
const DISC_LINE: f64 = 4.0;
/// The space between the parts of a strip, and around the time on a clock.
const GAP: f64 = 16.0;
const CLOCK_HEIGHT: f64 = 46.0;
const CLOCK_CORNER: f64 = 8.0;
/// The evaluation bar: its width, and the space to the left of it.
const BAR: f64 = 26.0;
const BAR_GAP: f64 = 14.0;
/// The height of the caption, and the size of its text.
const CAPTION: f64 = 64.0;
const CAPTION_SCALE: f64 = 2.3;
/// The minimum size to which a long caption is reduced before it is truncated.
const LEAST_CAPTION_SCALE: f64 = 1.8;
/// The colors of the evaluation bar.
const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
const BLACK: Rgb = Rgb(0x43, 0x43, 0x4b);

/// The parts of the frames. All frames of an animation have the same parts, so that only the pieces move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pub players: bool,
    pub clocks: bool,
    pub evaluation: bool,
    pub caption: bool,
}

/// The places of the parts of a frame, in pixels, and the scale of the drawings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Layout {
    style: DiagramStyle,
    parts: Parts,
    pub width_px: u32,
    pub height_px: u32,
    /// The upper left corner of the board.
    left_px: f64,
    top_px: f64,
    /// The number of pixels per unit of the drawings.
    scale: f64,
}

impl Layout {
    pub(super) fn new(style: DiagramStyle, parts: Parts, width_px: u32) -> Self {
        let is_outside = style.coordinates == Coordinates::Outside;
        let margin = |is_wide: bool| if is_wide { WIDE_MARGIN } else { MARGIN };
        let (left, mut right) = (margin(is_outside), margin(style.shows_turn));
        if parts.evaluation {
            right += BAR + BAR_GAP;
        }
        let width = left + BOARD + right;
        let square_px = (f64::from(width_px) * SQUARE / width).floor().max(1.0);
        let scale = square_px / SQUARE;
        let spare_px = (f64::from(width_px) - width * scale).max(0.0);
        let strip = if parts.players { STRIP } else { 0.0 };
        let caption = if parts.caption { CAPTION } else { 0.0 };
        let top_px = (scale * if parts.players { STRIP } else { MARGIN }).round();
        let below = margin(is_outside) + strip + caption;
        // Coordinates below the board leave enough space.
        let below = if parts.players && !is_outside { below - MARGIN } else { below };
        let height_px = (top_px + scale * (BOARD + below)).round().max(1.0);
        Self {
            style,
            parts,
            width_px,
            height_px: height_px as u32,
            left_px: (left * scale + spare_px / 2.0).round(),
            top_px,
            scale,
        }
    }

    /// The length in units, rounded to a whole number of pixels.
    fn snapped(&self, length: f64) -> f64 {
        (length * self.scale).round().max(1.0) / self.scale
    }
}

/// A frame that is being drawn.
pub(super) struct Scene<'a> {
    pub layout: Layout,
    pub players: Option<&'a [Player; 2]>,
    pub shot: &'a Shot,
}

impl Scene<'_> {
    /// The picture as SVG.
    pub(super) fn to_svg(&self) -> String {
        let Layout { width_px, height_px, left_px, top_px, scale, style, parts } = self.layout;
        let mut svg = String::with_capacity(16 << 10);
        // Writing to a string cannot fail, here and below. A GIF has no partial transparency.
        let paper = style.theme.paper().unwrap_or(WHITE);
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_px}\" height=\"{height_px}\" \
             viewBox=\"0 0 {width_px} {height_px}\"><rect width=\"{width_px}\" height=\"{height_px}\" fill=\"{paper}\"/>\n\
             <g transform=\"translate({left_px} {top_px})scale({scale})\">\n"
        );
        let mut diagram = Diagram::new(self.shot.position.board(), style);
        diagram.last_move = self.shot.last_move;
        diagram.marks.clone_from(&self.shot.marks);
        diagram.add_board(&mut svg);
        if parts.evaluation {
            self.add_bar(&mut svg);
        }
        let outside = if style.coordinates == Coordinates::Outside { WIDE_MARGIN } else { 0.0 };
        let mut below = BOARD + outside;
        if let Some(players) = self.players.filter(|_| parts.players) {
            for color in Color::ALL {
                let is_below = (color == Color::White) != style.is_flipped;
                let middle = if is_below { below + STRIP / 2.0 } else { -STRIP / 2.0 };
                self.add_player(&mut svg, color, &players[color as usize], middle);
            }
            below += STRIP;
        }
        if parts.caption {
            self.add_caption(&mut svg, below);
        }
        svg.push_str("</g></svg>\n");
        svg
    }

    /// Draws text vertically centered at `middle`; returns the width of the text.
    fn add_text(&self, svg: &mut String, text: &str, x: Place, middle: f64, scale: f64, color: Rgb) -> f64 {
        let length = width(text) * scale;
        let x = match x {
            Place::From(left) => left + length / 2.0,
            Place::Around(middle) => middle,
        };
        Line { text, x, y: middle + CAP_HEIGHT * scale / 2.0, scale, color, pen: PEN }.draw(svg);
        svg.push('\n');
        length
    }

    /// The strip of a player: disc, name and rating on the left, clock on the right.
    fn add_player(&self, svg: &mut String, color: Color, player: &Player, middle: f64) {
        let ink = self.layout.style.theme.ink();
        let fill = if color == Color::White { WHITE } else { BLACK };
        let _ = writeln!(
            svg,
            "<circle cx=\"{DISC}\" cy=\"{middle}\" r=\"{}\" fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"{DISC_LINE}\"/>",
            DISC - DISC_LINE / 2.0
        );
        let mut right = BOARD;
        if self.layout.parts.clocks
            && let Some(time) = self.shot.clocks[color as usize]
        {
            right -= self.add_clock(svg, color, time, middle) + GAP;
        }
        let mut left = 2.0 * DISC + GAP;
        let rating = if player.rating.is_empty() { 0.0 } else { width(&player.rating) * RATING_SCALE + GAP };
        let room = (right - left - rating) / NAME_SCALE;
        if let Some(name) = wrap(&player.name, room, 1).first() {
            left += self.add_text(svg, name, Place::From(left), middle, NAME_SCALE, ink) + GAP;
        }
        if left + rating <= right + GAP {
            self.add_text(svg, &player.rating, Place::From(left), middle, RATING_SCALE, ink);
        }
    }

    /// Draws the time on a clock, in a box that is filled while the clock runs; returns the width of the box.
    fn add_clock(&self, svg: &mut String, color: Color, time: Duration, middle: f64) -> f64 {
        let theme = self.layout.style.theme;
        let text = clock(time);
        // Measured with zeros instead of the digits, so that the box has the same size in all frames.
        let widest: String =
            text.chars().map(|sign| if sign.is_ascii_digit() { '0' } else { sign }).collect();
        let length = width(&widest) * CLOCK_SCALE + 2.0 * GAP;
        let (ink, paper) = (theme.ink(), theme.paper().unwrap_or(WHITE));
        let runs = self.shot.position.turn() == color && !self.shot.is_over;
        let (x, y) = (BOARD - length, middle - CLOCK_HEIGHT / 2.0);
        if runs {
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{length}\" height=\"{CLOCK_HEIGHT}\" rx=\"{CLOCK_CORNER}\" fill=\"{ink}\"/>"
            );
        }
        let color = if runs { paper } else { ink };
        self.add_text(svg, &text, Place::Around(BOARD - length / 2.0), middle, CLOCK_SCALE, color);
        length
    }

    /// Draws White's expected score as the light part of a bar.
    fn add_bar(&self, svg: &mut String) {
        let style = self.layout.style;
        let beside = if style.shows_turn { WIDE_MARGIN } else { MARGIN };
        let snapped = |length| self.layout.snapped(length);
        let (x, width, line) = (snapped(BOARD + beside + BAR_GAP - MARGIN / 2.0), snapped(BAR), snapped(4.0));
        let ink = style.theme.ink();
        let _ = write!(
            svg,
            "<g shape-rendering=\"crispEdges\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{ink}\"/>",
            x - line,
            -line,
            width + 2.0 * line,
            BOARD + 2.0 * line
        );
        let _ =
            write!(svg, "<rect x=\"{x}\" y=\"0\" width=\"{width}\" height=\"{BOARD}\" fill=\"{BLACK}\"/>");
        if let Some(chances) = self.shot.chances {
            let height = (BOARD * chances.clamp(0.0, 1.0) * self.layout.scale).round() / self.layout.scale;
            let y = if style.is_flipped { 0.0 } else { BOARD - height };
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{WHITE}\"/>"
            );
        }
        // The mark of an even game.
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{line}\" fill=\"{}\"/></g>",
            BOARD / 2.0 - line / 2.0,
            style.theme.highlight
        );
    }

    fn add_caption(&self, svg: &mut String, top: f64) {
        let ink = self.layout.style.theme.ink();
        let (text, scale) = fitting(&self.shot.caption);
        if text.is_empty() {
            return;
        }
        let middle = top + CAPTION / 2.0 - MARGIN / 2.0;
        self.add_text(svg, &text, Place::Around(BOARD / 2.0), middle, scale, ink);
    }
}

/// The caption, truncated if necessary to fit below the board, and the size of its text.
fn fitting(text: &str) -> (Cow<'_, str>, f64) {
    let scale = (BOARD / width(text)).clamp(LEAST_CAPTION_SCALE, CAPTION_SCALE);
    // The space between a move and its evaluation is wider than one space, and is kept.
    if width(text) * scale <= BOARD {
        return (text.into(), scale);
    }
    (wrap(text, BOARD / scale, 1).pop().unwrap_or_default().into(), scale)
}

/// The horizontal place of a text.
enum Place {
    From(f64),
    Around(f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_are_made_smaller_before_they_are_cut() {
        assert_eq!(fitting("3. d4   +0.60"), ("3. d4   +0.60".into(), CAPTION_SCALE));
        assert_eq!(fitting("").0, "");
        let (text, scale) = fitting("Casual game at the opera, Paris, 1858-11-02");
        assert_eq!(text, "Casual game at the opera, Paris, 1858-11-02");
        assert!((LEAST_CAPTION_SCALE..CAPTION_SCALE).contains(&scale), "{scale}");
        let (text, scale) =
            fitting("A championship with a name far longer than the board is wide, Paris, 1858");
        assert!(text.ends_with("...") && !text.ends_with(",..."), "{text}");
        assert!(scale <= LEAST_CAPTION_SCALE && width(&text) * scale <= BOARD, "{text}");
    }
}
