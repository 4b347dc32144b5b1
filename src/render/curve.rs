//! The course of a game as a picture.

use super::lettering::{CAP_HEIGHT, Line, PEN as LETTER_PEN, short};
use super::style::{Rgb, Theme};
use std::fmt::Write;

/// Size and margins, in the units of the picture.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 260.0;
const MARGIN: f64 = 16.0;
/// The margin with the numbers of moves.
const BELOW: f64 = 44.0;
/// The size of the numbers.
const SCALE: f64 = 1.6;
/// The width of the curve, and the radius of dots.
const PEN: f64 = 3.0;
const DOT: f64 = 7.0;
/// The most numbers below the curve.
const MAX_NUMBERS: usize = 12;
/// The plies of a move.
const PLIES: usize = 2;

/// How the chances of White change during a game, to be drawn: an area that is light for White and dark for Black.
///
/// ```
/// use hematite::render::{Curve, Theme};
/// let curve = Curve::new(vec![Some(0.5), Some(0.56), None, Some(0.2)], Theme::default());
/// assert!(curve.to_svg(600).contains("White expects 0.50 at the start and 0.20 at the end, 0.20 to 0.56 between."));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The expected score of White after each ply, from the start on.
    scores: Vec<Option<f64>>,
    theme: Theme,
    /// Plies with a dot in this color, such as mistakes. The start is ply 0.
    pub dots: Vec<(usize, Rgb)>,
    /// The number of the first move.
    pub first_move: u16,
}

impl Curve {
    /// The curve of the expected scores of White, from 0 to 1, at the start and after each ply. What is out of range
    /// counts as its end; where the score is not known, the curve has a gap.
    pub fn new(scores: Vec<Option<f64>>, theme: Theme) -> Self {
        let known = |score: f64| (!score.is_nan()).then(|| score.clamp(0.0, 1.0));
        let scores = scores.into_iter().map(|score| score.and_then(known)).collect();
        Self { scores, theme, dots: Vec::new(), first_move: 1 }
    }

    /// The picture as SVG, this many pixels wide.
    pub fn to_svg(&self, width_px: u32) -> String {
        let height_px = (f64::from(width_px) * HEIGHT / WIDTH).round().max(1.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_px}\" height=\"{height_px}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>Course of the game</title>\n<desc>{}</desc>\n",
            self.description()
        );
        if let Some(paper) = self.theme.paper() {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(svg, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"12\" fill=\"{paper}\"/>");
        }
        let (right, bottom) = (WIDTH - MARGIN, HEIGHT - BELOW);
        let _ = writeln!(
            svg,
            "<path fill=\"{}\" d=\"M{MARGIN} {MARGIN}H{right}V{bottom}H{MARGIN}z\"/>",
            self.theme.dark
        );
        self.draw_areas(&mut svg);
        let middle = (MARGIN + bottom) / 2.0;
        let ink = self.theme.ink();
        let _ = writeln!(
            svg,
            "<path fill=\"none\" stroke=\"{ink}\" stroke-opacity=\".6\" stroke-dasharray=\"6\" d=\"M{MARGIN} {middle}H{right}\"/>"
        );
        for &(ply, color) in &self.dots {
            if let Some(Some(score)) = self.scores.get(ply) {
                let (x, y) = self.place(ply, *score);
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{DOT}\" fill=\"{color}\" stroke=\"#fff\" stroke-width=\"2\"/>",
                    short(x),
                    short(y)
                );
            }
        }
        self.draw_numbers(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// The place of a score in the picture.
    fn place(&self, ply: usize, score: f64) -> (f64, f64) {
        let last = self.scores.len().saturating_sub(1).max(1) as f64;
        let x = MARGIN + (WIDTH - 2.0 * MARGIN) * ply as f64 / last;
        (x, MARGIN + (HEIGHT - BELOW - MARGIN) * (1.0 - score))
    }

    /// The area of White and its upper line, for each part without a gap.
    fn draw_areas(&self, svg: &mut String) {
        let bottom = HEIGHT - BELOW;
        let known = |ply: &usize| self.scores[*ply].is_some();
        let mut plies = (0..self.scores.len()).peekable();
        while let Some(first) = plies.find(known) {
            let mut part = vec![first];
            while let Some(ply) = plies.next_if(known) {
                part.push(ply);
            }
            let places = part.iter().filter_map(|&ply| Some(self.place(ply, self.scores[ply]?)));
            let places: Vec<(String, String)> = places.map(|(x, y)| (short(x), short(y))).collect();
            let mut line = String::new();
            for (x, y) in &places {
                let _ = write!(line, "{}{x} {y}", if line.is_empty() { "" } else { " " });
            }
            let (Some((start, _)), Some((end, _))) = (places.first(), places.last()) else { continue };
            let _ = writeln!(
                svg,
                "<path fill=\"{}\" d=\"M{start} {bottom}L{line} {end} {bottom}z\"/>",
                self.theme.light
            );
            let _ = writeln!(
                svg,
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{PEN}\" stroke-linejoin=\"round\" \
                 stroke-linecap=\"round\" d=\"M{line}\"/>",
                self.theme.ink()
            );
        }
    }

    /// Numbers of moves, at moves of White.
    fn draw_numbers(&self, svg: &mut String) {
        let moves = self.scores.len() / PLIES;
        // 1, 2, 5, 10, 20 and so on.
        let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
        let step = steps.into_iter().find(|step| moves / step <= MAX_NUMBERS).unwrap_or(1);
        for number in (step..=moves).step_by(step) {
            let (x, _) = self.place(number * PLIES - 1, 0.0);
            let text = (usize::from(self.first_move) + number - 1).to_string();
            let y = HEIGHT - BELOW / 2.0 + CAP_HEIGHT * SCALE / 2.0;
            Line { text: &text, x, y, scale: SCALE, color: self.theme.ink(), pen: LETTER_PEN }.draw(svg);
            svg.push('\n');
        }
    }

    fn description(&self) -> String {
        let known: Vec<f64> = self.scores.iter().copied().flatten().collect();
        let (Some(first), Some(last)) = (known.first(), known.last()) else {
            return "No position is evaluated.".to_owned();
        };
        let least = known.iter().copied().fold(f64::INFINITY, f64::min);
        let most = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!(
            "White expects {first:.2} at the start and {last:.2} at the end, {least:.2} to {most:.2} between."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    fn svg(scores: Vec<Option<f64>>) -> String {
        Curve::new(scores, Theme::default()).to_svg(500)
    }

    #[test]
    fn gaps_part_the_curve() {
        let cases: [(&[Option<f64>], usize); 5] = [
            (&[], 0),
            (&[None, None], 0),
            (&[Some(0.5)], 1),
            (&[Some(0.5), Some(f64::NAN), Some(0.1), Some(0.2)], 2),
            (&[None, Some(7.0), Some(-1.0), None], 1),
        ];
        for (scores, expected) in cases {
            let svg = svg(scores.to_vec());
            let document = Document::parse(&svg).expect("it is XML");
            let lines = document.descendants().filter(|node| node.attribute("stroke-width") == Some("3"));
            assert_eq!(lines.count(), expected, "{scores:?}");
        }
    }

    #[test]
    fn scores_are_between_both_ends() {
        let curve = Curve::new(vec![Some(0.0), Some(1.0), Some(2.0)], Theme::default());
        assert_eq!(curve.place(0, 0.0), (MARGIN, HEIGHT - BELOW));
        assert_eq!(curve.place(2, 1.0), (WIDTH - MARGIN, MARGIN));
        assert!(curve.to_svg(500).contains("L16 216 500 16 984 16 984 216z"));
    }

    #[test]
    fn few_numbers_are_below() {
        for plies in [0, 1, 2, 24, 26, 79, 600] {
            let svg = svg(vec![Some(0.5); plies]);
            let numbers = svg.matches("scale(1.6)").count();
            assert!(numbers <= MAX_NUMBERS && (numbers > 0) == (plies > 1), "{plies}: {numbers}");
        }
    }

    #[test]
    fn dots_are_drawn_where_there_is_a_score() {
        let mut curve = Curve::new(vec![Some(0.5), None, Some(0.9)], Theme::default());
        curve.dots = [0, 1, 2, 3].map(|ply| (ply, Rgb::RED)).to_vec();
        assert_eq!(curve.to_svg(500).matches("<circle").count(), 2);
    }
}
