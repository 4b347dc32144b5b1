//! Output for a user at a terminal.

use crate::chess::{Color, Move, Position};
use crate::notation::San;
use crate::search::{Bound, Iteration, Score};
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use std::time::Duration;

/// The properties of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Console {
    /// Whether colors may be used.
    pub has_colors: bool,
    /// The width of a line, in characters.
    pub width: usize,
}

/// The titles of the columns, each as wide as its column.
const HEADER: &str = "  depth    score     time    nodes    knps  hash  line";
/// The width of a line of moves on a very narrow terminal.
const MIN_LINE_WIDTH: usize = 16;

/// Scores above this magnitude are colored as good or bad for the side to move, in centipawns.
const CLEAR_CP: i32 = 30;

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const BOLD: Style = Style::new().bold();

impl Console {
    /// The line above the first row.
    pub(super) fn header(self) -> String {
        self.styled(BOLD, HEADER)
    }

    /// The state of a search as a row of the table. The score is from the point of view of the side to move.
    pub(super) fn row(self, root: &Position, iteration: &Iteration, speed: u64) -> String {
        let depth = format!("{}/{}", iteration.depth, iteration.seldepth);
        let mut row = format!("{depth:>7} ");
        let text = score(iteration.score, iteration.bound);
        row += &self.styled(style(iteration.score), &format!("{text:>8}"));
        let _ = write!(
            row,
            " {:>8} {:>8} {:>7} {:>4}%  ",
            time(iteration.elapsed),
            amount(iteration.nodes),
            speed / 1000,
            iteration.hashfull / 10,
        );
        let width = self.width.saturating_sub(HEADER.len() - "line".len()).max(MIN_LINE_WIDTH);
        row + &line(root, &iteration.pv, width)
    }

    /// The best move and the expected reply.
    pub(super) fn answer(self, root: &Position, best: Option<Move>, ponder: Option<Move>) -> String {
        let Some(best) = best else { return "No move.".to_owned() };
        let mut text = format!("Best move: {}", self.styled(BOLD, &San::new(root, best).text()));
        if let Some((after, ponder)) = root.play(best).ok().zip(ponder) {
            let _ = write!(text, ", expecting {}", San::new(&after, ponder).text());
        }
        text
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.has_colors { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

fn style(score: Score) -> Style {
    match score.to_cp() {
        value if value > CLEAR_CP => GOOD,
        value if value < -CLEAR_CP => BAD,
        _ => Style::new(),
    }
}

/// A score in pawns, or as `#3` for a mate; a bound has a sign before it.
fn score(score: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => ">",
        Bound::Upper => "<",
    };
    match score.mate_in() {
        Some(moves) => format!("{sign}#{moves}"),
        None => format!("{sign}{:+.2}", f64::from(score.to_cp()) / 100.0),
    }
}

/// `0.123s`, `12.3s`, `2:05` or `1:02:05`.
fn time(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match seconds {
        0..10 => format!("{:.3}s", elapsed.as_secs_f64()),
        10..60 => format!("{:.1}s", elapsed.as_secs_f64()),
        60..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// A number, abbreviated with a magnitude if it is large.
fn amount(number: u64) -> String {
    const MAGNITUDES: [(u64, &str); 3] = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    match MAGNITUDES.iter().find(|(magnitude, _)| number >= magnitude * 10) {
        Some((magnitude, letter)) => format!("{:.1}{letter}", number as f64 / *magnitude as f64),
        None => number.to_string(),
    }
}

/// Moves in algebraic notation with their numbers: as many as fit, but at least one.
pub(super) fn line(root: &Position, moves: &[Move], width: usize) -> String {
    let mut position = *root;
    let mut text = String::new();
    for &mv in moves {
        let Ok(after) = position.play(mv) else { break };
        let mut word = String::new();
        match position.turn() {
            Color::White => {
                let _ = write!(word, "{}.", position.fullmove_number());
            }
            Color::Black if text.is_empty() => {
                let _ = write!(word, "{}...", position.fullmove_number());
            }
            Color::Black => {}
        }
        word += &San::new(&position, mv).text();
        if !text.is_empty() {
            if text.len() + 1 + word.len() > width {
                break;
            }
            text.push(' ');
        }
        text += &word;
        position = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_uci_move, position_from_fen};

    fn moves(root: &Position, texts: &[&str]) -> Vec<Move> {
        let mut position = *root;
        let play = |text: &&str| {
            let mv = parse_uci_move(text, &position).expect("legal");
            position = position.after(mv).0;
            mv
        };
        texts.iter().map(play).collect()
    }

    fn iteration(score: Score, bound: Bound, pv: Vec<Move>) -> Iteration {
        Iteration {
            depth: 12,
            seldepth: 20,
            multipv: 1,
            score,
            bound,
            nodes: 1_234_567,
            elapsed: Duration::from_millis(1250),
            hashfull: 123,
            tb_hits: None,
            pv,
        }
    }

    #[test]
    fn rows_are_aligned_with_their_titles() {
        let start = Position::start();
        let pv = moves(&start, &["e2e4", "e7e5", "g1f3", "b8c6"]);
        let console = Console { has_colors: false, width: 80 };
        let cases = [
            (
                Score::from_cp(35),
                Bound::Exact,
                "  12/20    +0.35   1.250s  1234.6k     987   12%  1.e4 e5 2.Nf3 Nc6",
            ),
            (
                Score::mated(4),
                Bound::Upper,
                "  12/20     <#-2   1.250s  1234.6k     987   12%  1.e4 e5 2.Nf3 Nc6",
            ),
        ];
        for (score, bound, expected) in cases {
            assert_eq!(console.row(&start, &iteration(score, bound, pv.clone()), 987_654), expected);
        }
        assert_eq!(HEADER.find("line"), cases[0].2.find("1.e4"));
        let colored = Console { has_colors: true, ..console };
        let row = colored.row(&start, &iteration(Score::from_cp(-99), Bound::Exact, pv), 1);
        assert!(row.contains("\x1b[31m   -0.99\x1b[0m"), "{row:?}");
    }

    #[test]
    fn lines_fit_and_have_move_numbers() {
        let black =
            position_from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 9").expect("legal");
        let pv = moves(&black, &["c7c5", "g1f3", "d7d6"]);
        let cases = [
            (100, "9...c5 10.Nf3 d6"),
            (15, "9...c5 10.Nf3"),
            (13, "9...c5 10.Nf3"),
            (12, "9...c5"),
            (0, "9...c5"),
        ];
        for (width, expected) in cases {
            assert_eq!(line(&black, &pv, width), expected, "{width}");
        }
        assert_eq!(line(&black, &[], 80), "");
    }

    #[test]
    fn numbers_stay_short() {
        let amounts = [
            (0, "0"),
            (9_999, "9999"),
            (10_000, "10.0k"),
            (23_456_789, "23.5M"),
            (u64::MAX, "18446744073.7G"),
        ];
        for (number, expected) in amounts {
            assert_eq!(amount(number), expected);
        }
        let times = [(5, "0.005s"), (12_340, "12.3s"), (125_000, "2:05"), (3_725_000, "1:02:05")];
        for (milliseconds, expected) in times {
            assert_eq!(time(Duration::from_millis(milliseconds)), expected);
        }
    }

    #[test]
    fn answers_are_moves_or_none() {
        let console = Console { has_colors: false, width: 80 };
        let start = Position::start();
        let line = moves(&start, &["e2e4", "e7e5"]);
        assert_eq!(console.answer(&start, Some(line[0]), Some(line[1])), "Best move: e4, expecting e5");
        assert_eq!(console.answer(&start, Some(line[0]), None), "Best move: e4");
        assert_eq!(console.answer(&start, None, None), "No move.");
    }
}
