//! The course of a game as curves for a page: White's chances, and the times on the clocks.

use crate::chess::Color;
use crate::notation::pgn::Nag;
use std::fmt::Write;
use std::time::Duration;

/// The height of a curve, in the units of the picture. The width is the number of plies; both are stretched.
pub(super) const HEIGHT: f64 = 100.0;
/// The horizontal distance of the name of a phase from its line, and the height of its base line below the upper edge,
/// in pixels.
const NAME_PX: (u32, u32) = (5, 13);
/// The percentage of the width from which a name is placed before its line.
const LATE: f64 = 75.0;
/// The percentage of the width that a name takes on a small screen.
const ROOM: f64 = 28.0;
/// The number of seconds in a minute, and of minutes in an hour.
const SECONDS: u64 = 60;

/// White's chances during a game: an area that is light for White and dark for Black, in the colors of the page.
///
/// ```
/// use hematite_games::render::Curve;
/// let curve = Curve::new(vec![Some(0.5), Some(0.56), None, Some(0.2)]);
/// assert!(curve.to_html().contains("White expects 0.50 at the start and 0.20 at the end, 0.20 to 0.56 between."));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// White's expected scores at the start and after each ply.
    scores: Vec<Option<f64>>,
    /// The moves with a dot: the number of plies up to and including the move, and its glyph.
    pub dots: Vec<(usize, Nag)>,
    /// The plies at which the phases of the game start, with their names.
    pub phases: Vec<(usize, &'static str)>,
}

impl Curve {
    /// The curve of White's expected scores, from 0 to 1, at the start and after each ply. Values out of range are
    /// clamped; unknown values are gaps in the curve.
    pub fn new(scores: Vec<Option<f64>>) -> Self {
        let known = |score: f64| (!score.is_nan()).then(|| score.clamp(0.0, 1.0));
        let scores = scores.into_iter().map(|score| score.and_then(known)).collect();
        Self { scores, dots: Vec::new(), phases: Vec::new() }
    }

    /// The curve as a part of a page.
    pub fn to_html(&self) -> String {
        let last = self.scores.len().saturating_sub(1).max(1);
        let mut html = format!(
            "<figure class=curve><figcaption>Evaluation</figcaption><svg class=chances role=img aria-label=\"{}\">",
            self.description()
        );
        let heights: Vec<Option<i64>> = self
            .scores
            .iter()
            .map(|score| score.map(|score| (HEIGHT * (1.0 - score)).round() as i64))
            .collect();
        stretched(&mut html, last, |html| {
            html.push_str("<path class=area d=\"");
            for (first, part) in parts(&heights) {
                let end = first + part.len() - 1;
                let _ = write!(html, "M{first} {HEIGHT}V{}", part[0]);
                steps(html, &part, 1);
                let _ = write!(html, "L{end} {HEIGHT}z");
            }
            html.push_str("\"/>");
        });
        html.push_str("<line class=even x2=100% y1=50% y2=50% />");
        let mut named_at = None;
        for &(ply, name) in self.phases.iter().filter(|(ply, _)| (1..last).contains(ply)) {
            let x = percent(ply, last);
            let (dx, dy) = NAME_PX;
            let _ = write!(html, "<line class=phase x1={x}% x2={x}% y2=100% />");
            // Near the right edge there is space only before the line.
            let is_late = x > LATE;
            let room = named_at.map_or(HEIGHT, |before| x - before);
            if room < ROOM * if is_late { 2.0 } else { 1.0 } {
                continue;
            }
            let (class, sign) = if is_late { (" class=late", "-") } else { ("", "") };
            let _ = write!(html, "<text{class} x={x}% dx={sign}{dx} dy={dy}>{name}</text>");
            named_at = Some(x);
        }
        for (ply, glyph) in &self.dots {
            if let Some(Some(height)) = heights.get(*ply) {
                let x = percent(*ply, last);
                let _ = write!(html, "<circle class=n{} cx={x}% cy={height}% r=4 />", glyph.0);
            }
        }
        html.push_str("</svg></figure>");
        html
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

/// The times on the clocks at the start and after each ply, alternating between the players, as a part of a page.
/// `None` if there are fewer than two.
pub fn clock_curve(clocks: &[Option<Duration>], first: Color) -> Option<String> {
    let longest = clocks.iter().flatten().max()?.as_secs_f64();
    if longest <= 0.0 || clocks.iter().flatten().count() < 2 {
        return None;
    }
    let last = clocks.len().saturating_sub(1).max(1);
    let height = |time: Duration| (HEIGHT * (1.0 - time.as_secs_f64() / longest)).round() as i64;
    let mut html = String::from(
        "<figure class=curve><figcaption>Clocks <span class=cw>White</span> <span class=cb>Black</span></figcaption>\
         <svg class=clocks role=img aria-label=\"",
    );
    let end = |color| {
        let plies = (0..clocks.len()).rev().filter(|ply| side(*ply, first) == Some(color));
        plies.into_iter().find_map(|ply| clocks[ply]).map(clock)
    };
    for (color, separator) in [(Color::White, ", "), (Color::Black, ".")] {
        let time = end(color).unwrap_or_else(|| "unknown".to_owned());
        let _ = write!(html, "Time of {} at the end: {time}{separator}", color.name());
    }
    html.push_str("\">");
    stretched(&mut html, last, |html| {
        for (class, color) in [("cw", Color::White), ("cb", Color::Black)] {
            let from = (1..=2).find(|&ply| side(ply, first) == Some(color)).unwrap_or(1);
            let own = clocks.iter().skip(from).step_by(2);
            let heights: Vec<Option<i64>> = own.map(|time| time.map(height)).collect();
            let _ = write!(html, "<path class={class} d=\"");
            for (index, part) in parts(&heights) {
                let _ = write!(html, "M{} {}", from + 2 * index, part[0]);
                steps(html, &part, 2);
            }
            html.push_str("\"/>");
        }
    });
    html.push_str("</svg></figure>");
    Some(html)
}

/// The side that made move number `ply` in plies; `None` for 0.
const fn side(ply: usize, first: Color) -> Option<Color> {
    match (ply, first) {
        (0, _) => None,
        (ply, Color::White) if ply % 2 == 1 => Some(Color::White),
        (ply, Color::Black) if ply % 2 == 0 => Some(Color::White),
        _ => Some(Color::Black),
    }
}

/// A time as `H:MM:SS`, or as `M:SS` below one hour.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, rest) = (seconds / SECONDS, seconds % SECONDS);
    match minutes / SECONDS {
        0 => format!("{minutes}:{rest:02}"),
        hours => format!("{hours}:{:02}:{rest:02}", minutes % SECONDS),
    }
}

/// A picture that is stretched to the available space.
pub(super) fn stretched(html: &mut String, width: usize, draw: impl FnOnce(&mut String)) {
    let _ = write!(html, "<svg viewBox=\"0 0 {width} {HEIGHT}\" preserveAspectRatio=none>");
    draw(html);
    html.push_str("</svg>");
}

/// The position of a ply, or of another step, as a percentage of the width.
pub(super) fn percent(ply: usize, last: usize) -> f64 {
    const TENTHS: f64 = 10.0;
    (ply as f64 * HEIGHT * TENTHS / last as f64).round() / TENTHS
}

/// The runs of known values, each with the index of its first value.
fn parts(values: &[Option<i64>]) -> Vec<(usize, Vec<i64>)> {
    let mut parts: Vec<(usize, Vec<i64>)> = Vec::new();
    let mut is_open = false;
    for (index, value) in values.iter().enumerate() {
        match (value, parts.last_mut()) {
            (Some(value), Some((_, part))) if is_open => part.push(*value),
            (Some(value), _) => parts.push((index, vec![*value])),
            (None, _) => {}
        }
        is_open = value.is_some();
    }
    parts
}

/// Lines from value to value, as relative coordinates.
fn steps(html: &mut String, values: &[i64], width: usize) {
    let mut previous: Option<i64> = None;
    // Equal values are drawn as one line.
    for same in values.chunk_by(|one, other| one == other) {
        if let Some(previous) = previous.replace(same[0]) {
            let step = same[0] - previous;
            let separator = if step < 0 { "" } else { " " };
            let _ = write!(html, "l{width}{separator}{step}");
        }
        if same.len() > 1 {
            let _ = write!(html, "h{}", (same.len() - 1) * width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    fn paths(html: &str) -> Vec<String> {
        html.split(" d=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn areas_reach_down_to_black_and_gaps_part_them() {
        let cases: [(&[Option<f64>], &str); 6] = [
            (&[], ""),
            (&[None, None], ""),
            (&[Some(0.5)], "M0 100V50L0 100z"),
            (&[Some(0.0), Some(1.0), Some(0.25)], "M0 100V100l1-100l1 75L2 100z"),
            (
                &[Some(0.5), Some(f64::NAN), Some(0.1), Some(0.1), Some(0.1)],
                "M0 100V50L0 100zM2 100V90h2L4 100z",
            ),
            (&[None, Some(7.0), Some(-1.0), None], "M1 100V0l1 100L2 100z"),
        ];
        for (scores, expected) in cases {
            assert_eq!(paths(&Curve::new(scores.to_vec()).to_html()), [expected], "{scores:?}");
        }
    }

    #[test]
    fn dots_and_phases_are_drawn_where_they_are() {
        let mut curve = Curve::new(vec![Some(0.5), None, Some(0.9)]);
        curve.dots = [0, 1, 2, 3].map(|ply| (ply, Nag::BLUNDER)).to_vec();
        curve.phases = vec![(0, "Opening"), (1, "Middlegame"), (2, "Endgame")];
        let html = curve.to_html();
        assert_eq!(html.matches("<circle class=n4").count(), 2);
        assert!(html.contains("viewBox=\"0 0 2 100\"") && html.contains("cx=100% cy=10%"), "{html}");
        assert!(html.contains("x1=50% x2=50%") && !html.contains("Endgame"), "{html}");
        let names = |phases: [usize; 2]| {
            let mut curve = Curve::new(vec![Some(0.5); 101]);
            curve.phases = vec![(phases[0], "Middlegame"), (phases[1], "Endgame")];
            let html = curve.to_html();
            (
                html.matches("<text").count(),
                html.matches("<text class=late").count(),
                html.matches("class=phase").count(),
            )
        };
        assert_eq!(names([20, 50]), (2, 0, 2));
        assert_eq!(names([20, 90]), (2, 1, 2));
        assert_eq!(names([20, 40]), (1, 0, 2));
        assert_eq!(names([50, 90]), (1, 0, 2));
    }

    #[test]
    fn clocks_are_those_of_each_side() {
        let seconds = |seconds: &[u64]| {
            seconds.iter().map(|&time| (time > 0).then(|| Duration::from_secs(time))).collect::<Vec<_>>()
        };
        let html = clock_curve(&seconds(&[0, 100, 50, 80, 0, 4000]), Color::White).expect("it is drawn");
        assert_eq!(paths(&html), ["M1 98h2l2-98", "M2 99"]);
        assert!(
            html.contains("Time of White at the end: 1:06:40, Time of Black at the end: 0:50."),
            "{html}"
        );
        let html = clock_curve(&seconds(&[0, 100, 50]), Color::Black).expect("it is drawn");
        assert_eq!(paths(&html), ["M2 50", "M1 0"]);
        for none in [&[][..], &[0, 0], &[0, 60]] {
            assert_eq!(clock_curve(&seconds(none), Color::White), None);
        }
    }

    #[test]
    fn descriptions_are_markup() {
        let html = Curve::new(vec![None]).to_html();
        let label = html.split("aria-label=").nth(1).and_then(|rest| rest.split('>').next());
        assert!(Document::parse(&format!("<a b={}/>", label.unwrap_or_default())).is_ok(), "{html}");
    }
}
