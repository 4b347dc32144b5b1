//! The rating history of a player as a curve, on a page and as text.

use super::curve::{HEIGHT, percent, stretched};
use std::fmt::Write;

/// The months of a year.
const MONTHS: u32 = 12;
/// The ratings at the ends of the curve are multiples of this number, so that the labels between
/// them are multiples of half of it.
const ROUND: u16 = 100;
/// The maximum number of years, and of ratings between the ends, that are labeled on a page.
const MAX_YEARS: u32 = 5;
const MAX_LEVELS: u16 = 5;
/// The number of lines of the curve as text, and its maximum number of columns.
const LINES: usize = 8;
const MAX_COLUMNS: usize = 72;
/// The minimum number of columns of the curve as text.
const MIN_COLUMNS: usize = 16;
/// The characters of the curve as text, by the eighths of a line that they fill.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The number of columns of the label of a year with a space next to it.
const YEAR_COLUMNS: usize = 6;
/// The percentage of the width from which the label of the highest rating is placed before its point.
const LATE: f64 = 85.0;
/// The percentage of the width up to which that label is placed after its point.
const EARLY: f64 = 15.0;

/// The ratings of a player, month by month.
///
/// ```
/// use hematite_games::render::RatingCurve;
/// let ratings = [((1959, 5), 2600), ((1960, 2), 2650), ((1960, 11), 2640)];
/// let curve = RatingCurve::new(&ratings).expect("two months at least");
/// assert_eq!(curve.to_string(), "2600 in 1959.05, 2640 in 1960.11, highest 2650 in 1960.02");
/// assert!(curve.to_html().starts_with("<figure class=\"curve ratings\">"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatingCurve {
    /// Months since the year 0 and ratings, in chronological order. There are at least two.
    ratings: Vec<(u32, u16)>,
}

/// The name of a month, such as `1960.02`.
fn month_name(month: u32) -> String {
    format!("{}.{:02}", month / MONTHS, month % MONTHS + 1)
}

impl RatingCurve {
    /// The curve of ratings at years and months, in chronological order. An unknown month is 0 and counts as the middle
    /// of the year. `None` if there are fewer than two months.
    pub fn new(ratings: &[((u16, u8), u16)]) -> Option<Self> {
        let month = |(year, month): (u16, u8)| {
            u32::from(year) * MONTHS + if month == 0 { MONTHS / 2 } else { u32::from(month) - 1 }
        };
        let mut ratings: Vec<(u32, u16)> =
            ratings.iter().map(|&(time, rating)| (month(time), rating)).collect();
        ratings.sort_by_key(|&(month, _)| month);
        ratings.dedup_by_key(|&mut (month, _)| month);
        (ratings.len() > 1).then_some(Self { ratings })
    }

    fn first(&self) -> (u32, u16) {
        self.ratings.first().copied().unwrap_or_default()
    }

    fn last(&self) -> (u32, u16) {
        self.ratings.last().copied().unwrap_or_default()
    }

    /// The first month with the highest rating, and that rating.
    fn highest(&self) -> (u32, u16) {
        let first_highest = |best: (u32, u16), other: (u32, u16)| if other.1 > best.1 { other } else { best };
        self.ratings.iter().copied().fold(self.first(), first_highest)
    }

    /// The ratings at the lower and the upper end of the scale.
    fn range(&self) -> (u16, u16) {
        let least = self.ratings.iter().map(|&(_, rating)| rating).min().unwrap_or_default();
        let low = least / ROUND * ROUND;
        let high = self.highest().1.div_ceil(ROUND).saturating_mul(ROUND);
        (low, high.max(low.saturating_add(ROUND)))
    }

    /// The first months of the labeled years, at most `most`.
    fn years(&self, most: u32) -> impl Iterator<Item = u32> {
        let (first, last) = (self.first().0.div_ceil(MONTHS), self.last().0 / MONTHS);
        let count = (last + 1).saturating_sub(first);
        let steps = [1, 2, 5, 10, 20, 50, 100];
        let step = steps.into_iter().find(|step| count.div_ceil(*step) <= most).unwrap_or(200);
        (first..=last).filter(move |year| year % step == 0).map(|year| year * MONTHS)
    }

    /// The curve as a part of a page.
    pub fn to_html(&self) -> String {
        let (low, high) = self.range();
        let (first, span) = (self.first().0, (self.last().0 - self.first().0) as usize);
        let y = |rating: u16| {
            const TENTHS: f64 = 10.0;
            (HEIGHT * TENTHS * f64::from(high - rating) / f64::from(high - low)).round() / TENTHS
        };
        let x = |month: u32| percent((month - first) as usize, span);
        let mut html =
            format!("<figure class=\"curve ratings\"><svg role=img aria-label=\"Ratings: {self}\">");
        let steps = [1, 2, 5, 10, 20].map(|hundreds| hundreds * ROUND);
        let step = steps.into_iter().find(|step| (high - low) / step <= MAX_LEVELS).unwrap_or(50 * ROUND);
        for level in (low..=high).filter(|level| level % step == 0) {
            let y = y(level);
            let _ = write!(
                html,
                "<line class=even x2=100% y1={y}% y2={y}% /><text class=late dx=-7 dy=4 y={y}%>{level}</text>"
            );
        }
        for month in self.years(MAX_YEARS) {
            let x = x(month);
            let _ = write!(
                html,
                "<line class=phase x1={x}% x2={x}% y2=100% /><text class=year x={x}% y=100% dy=17>{}</text>",
                month / MONTHS
            );
        }
        stretched(&mut html, span, |html| {
            html.push_str("<path d=\"");
            for (index, &(month, rating)) in self.ratings.iter().enumerate() {
                let command = if index == 0 { 'M' } else { 'L' };
                let _ = write!(html, "{command}{} {}", month - first, y(rating));
            }
            html.push_str("\"/>");
        });
        let (month, highest) = self.highest();
        let (x, y) = (x(month), y(highest));
        let class = match x {
            x if x > LATE => "late",
            x if x < EARLY => "early",
            _ => "year",
        };
        let _ = write!(
            html,
            "<circle cx={x}% cy={y}% r=4 /><text class={class} x={x}% y={y}% dy=-9>{highest}</text>"
        );
        html.push_str("</svg></figure>");
        html
    }

    /// The curve as lines of text, at most as wide as the terminal: an area, with ratings next to it and years below.
    pub fn to_text(&self, width: Option<usize>) -> String {
        let (low, high) = self.range();
        let labels = [high, low.midpoint(high), low].map(|rating| rating.to_string());
        let label_width = labels.iter().map(String::len).max().unwrap_or_default();
        let room = width.map_or(MAX_COLUMNS, |width| width.saturating_sub(label_width + 2));
        let columns = room.clamp(MIN_COLUMNS, MAX_COLUMNS);
        let (first, last) = (self.first().0, self.last().0);
        let span = u64::from(last - first);
        // Each column shows the latest rating up to its end.
        let ratings = (1..=columns as u64).map(|column| {
            let end = first + (span * column / columns as u64) as u32;
            let known = self.ratings.iter().rev().find(|&&(month, _)| month <= end);
            known.map_or(low, |&(_, rating)| rating)
        });
        let eighths = BLOCKS.len() - 1;
        let heights: Vec<usize> = ratings
            .map(|rating| {
                let all = LINES * eighths * usize::from(rating - low);
                // Even the lowest rating has a visible bar.
                (all / usize::from(high - low)).max(1)
            })
            .collect();
        let mut text = String::new();
        for line in 0..LINES {
            let label = match line {
                0 => labels[0].as_str(),
                _ if line == LINES / 2 => labels[1].as_str(),
                _ => "",
            };
            let below = (LINES - 1 - line) * eighths;
            let blocks: String =
                heights.iter().map(|height| BLOCKS[height.saturating_sub(below).min(eighths)]).collect();
            let row = format!("{label:>label_width$} │{blocks}");
            let _ = writeln!(text, "{}", row.trim_end());
        }
        let _ = writeln!(text, "{:>label_width$} └{}", labels[2], "─".repeat(columns));
        let mut years = String::new();
        for month in self.years((columns / YEAR_COLUMNS) as u32) {
            let column = label_width + 2 + (u64::from(month - first) * columns as u64 / span) as usize;
            let used = years.chars().count();
            let name = (month / MONTHS).to_string();
            // The last label may not fit.
            if column + name.len() <= label_width + 2 + columns && (used == 0 || used < column) {
                years += &" ".repeat(column - used);
                years += &name;
            }
        }
        if years.is_empty() {
            let (start, end) = (month_name(first), month_name(last));
            let gap = columns.saturating_sub(start.len() + end.len());
            years = format!("{}{start}{}{end}", " ".repeat(label_width + 2), " ".repeat(gap));
        }
        let _ = writeln!(text, "{years}");
        text
    }
}

/// Shows the first and the last rating, and the highest one.
impl std::fmt::Display for RatingCurve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (first, last, highest) = (self.first(), self.last(), self.highest());
        let name = |(month, rating): (u32, u16)| format!("{rating} in {}", month_name(month));
        write!(f, "{}, {}, highest {}", name(first), name(last), name(highest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    fn curve(ratings: &[((u16, u8), u16)]) -> RatingCurve {
        RatingCurve::new(ratings).expect("there are two months")
    }

    #[test]
    fn two_months_make_a_curve() {
        assert_eq!(RatingCurve::new(&[]), None);
        assert_eq!(RatingCurve::new(&[((1990, 1), 2500)]), None);
        assert_eq!(RatingCurve::new(&[((1990, 0), 2500), ((1990, 7), 2510)]), None);
        assert!(RatingCurve::new(&[((1990, 0), 2500), ((1991, 1), 2500)]).is_some());
    }

    #[test]
    fn ends_are_round_and_apart() {
        assert_eq!(curve(&[((1990, 1), 2500), ((1990, 2), 2500)]).range(), (2500, 2600));
        assert_eq!(curve(&[((1990, 1), 2501), ((1990, 2), 2799)]).range(), (2500, 2800));
        assert_eq!(curve(&[((1990, 1), 1), ((1990, 2), u16::MAX)]).range(), (0, u16::MAX));
    }

    #[test]
    fn pages_have_the_curve_its_years_and_its_ratings() {
        let curve = curve(&[((1990, 1), 2500), ((1995, 1), 2600), ((2000, 1), 2550)]);
        let html = curve.to_html();
        assert!(
            html.contains("viewBox=\"0 0 120 100\"") && html.contains("d=\"M0 100L60 0L120 50\""),
            "{html}"
        );
        for part in [">1990<", ">2000<", ">2500<", ">2600<", "cx=50% cy=0%", "highest 2600 in 1995.01"] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let label = html.split("aria-label=").nth(1).and_then(|rest| rest.split('>').next());
        assert!(Document::parse(&format!("<a b={}/>", label.unwrap_or_default())).is_ok(), "{html}");
    }

    #[test]
    fn text_is_an_area_with_labels() {
        let curve = curve(&[((1990, 1), 2500), ((1998, 1), 2600)]);
        let text = curve.to_text(Some(22));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), LINES + 2, "{text}");
        assert_eq!(lines[0], format!("2600 │{}█", " ".repeat(15)));
        assert!(lines[4].starts_with("2550 │"), "{text}");
        assert_eq!(lines[7], format!("     │{}█", "▁".repeat(15)));
        assert_eq!(lines[8], format!("2500 └{}", "─".repeat(16)));
        assert!(lines[9].starts_with("      1990"), "{text}");
        for width in [None, Some(0), Some(40), Some(400)] {
            let text = curve.to_text(width);
            assert!(text.lines().all(|line| line.chars().count() <= MAX_COLUMNS + 6), "{text}");
        }
        let months = RatingCurve::new(&[((1990, 3), 2500), ((1990, 9), 2520)]).expect("two").to_text(None);
        assert!(months.contains("1990.03") && months.contains("1990.09"), "{months}");
    }
}
