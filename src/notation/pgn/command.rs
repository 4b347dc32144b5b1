//! Commands in comments, such as `[%clk 0:05:00]`, with which programs exchange data.

use super::{Game, NodeId};
use crate::chess::Square;
use std::fmt;
use std::time::Duration;

/// A command in a comment (<https://www.enpassant.dk/chess/palview/enhancedpgn.htm> and its later
/// extensions).
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `[%clk 0:05:00]`: the time left on the clock of the side that has moved.
    Clock(Duration),
    /// `[%emt 0:00:07]`: the time spent on the move.
    Elapsed(Duration),
    /// `[%eval 0.17]`, `[%eval #-3,25]`: an evaluation of the position after the move.
    Evaluation(Evaluation),
    /// `[%csl Ra4,Ge5]`: marked squares.
    Squares(Vec<(MarkColor, Square)>),
    /// `[%cal Ra4e8]`: arrows between squares.
    Arrows(Vec<(MarkColor, Square, Square)>),
    /// Any other command, with its name and value.
    Other {
        /// The name, without the percent sign.
        name: String,
        /// The value, without the closing bracket.
        value: String,
    },
}

/// An evaluation from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The score.
    pub score: EvaluationScore,
    /// The search depth in plies.
    pub depth: Option<u32>,
}

/// The score of a position from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationScore {
    /// An evaluation in centipawns.
    Centipawns(i32),
    /// White mates in this number of moves; Black mates if it is negative.
    Mate(i32),
}

/// The color of a mark on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum MarkColor {
    Green,
    Red,
    Yellow,
    Blue,
}

impl MarkColor {
    const fn letter(self) -> char {
        match self {
            Self::Green => 'G',
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Blue => 'B',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        [Self::Green, Self::Red, Self::Yellow, Self::Blue].into_iter().find(|color| color.letter() == letter)
    }
}

/// The commands in a comment, in their order.
///
/// ```
/// use hematite_core::notation::pgn::{Command, commands};
/// let found: Vec<Command> = commands("good [%eval 0.17] [%clk 0:00:30.5]").collect();
/// assert_eq!(found[1], Command::Clock(std::time::Duration::from_millis(30_500)));
/// assert_eq!(found[1].to_string(), "[%clk 0:00:30.5]");
/// ```
pub fn commands(comment: &str) -> impl Iterator<Item = Command> {
    let mut rest = comment;
    std::iter::from_fn(move || {
        let (_, from) = rest.split_once("[%")?;
        let (command, behind) = from.split_once(']')?;
        rest = behind;
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        Some(Command::new(name, value.trim()))
    })
}

/// The comment without its commands.
pub fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, (_, behind))) =
        rest.split_once("[%").and_then(|(before, from)| Some((before, from.split_once(']')?)))
    {
        text.push_str(before.trim_end());
        if !text.is_empty() && !behind.trim().is_empty() {
            text.push(' ');
        }
        rest = behind.trim_start();
    }
    text.push_str(rest);
    text.truncate(text.trim_end().len());
    text
}

impl Game {
    /// The evaluation stated by the comments on a move, if any.
    pub fn evaluation(&self, node: NodeId) -> Option<Evaluation> {
        self.comments(node).flat_map(commands).find_map(|command| match command {
            Command::Evaluation(evaluation) => Some(evaluation),
            _ => None,
        })
    }

    /// The time left on the clock after a move, if stated by a comment.
    pub fn clock(&self, node: NodeId) -> Option<Duration> {
        self.comments(node).flat_map(commands).find_map(|command| match command {
            Command::Clock(time) => Some(time),
            _ => None,
        })
    }
}

impl Command {
    /// The command with this name if its value can be read, otherwise [`Command::Other`].
    pub fn new(name: &str, value: &str) -> Self {
        let known = match name {
            "clk" => parse_duration(value).map(Self::Clock),
            "emt" => parse_duration(value).map(Self::Elapsed),
            "eval" => parse_evaluation(value).map(Self::Evaluation),
            "csl" => value.split(',').map(parse_square).collect::<Option<_>>().map(Self::Squares),
            "cal" => value.split(',').map(parse_arrow).collect::<Option<_>>().map(Self::Arrows),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Other { name: name.to_owned(), value: value.to_owned() })
    }
}

/// Reads hours, minutes and seconds, of which the leading ones may be missing.
fn parse_duration(text: &str) -> Option<Duration> {
    const SECONDS_A_MINUTE: f64 = 60.0;
    let mut seconds = 0.0;
    for (index, field) in text.split(':').enumerate() {
        if index > 2 || !field.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return None;
        }
        seconds = seconds * SECONDS_A_MINUTE + field.parse::<f64>().ok()?;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

fn parse_evaluation(text: &str) -> Option<Evaluation> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    let score = match score.strip_prefix('#') {
        Some(moves) => EvaluationScore::Mate(moves.parse().ok()?),
        None => {
            let pawns: f64 = score.parse().ok()?;
            let centipawns = (pawns * 100.0).round();
            if centipawns.abs() > f64::from(i32::MAX) || centipawns.is_nan() {
                return None;
            }
            EvaluationScore::Centipawns(centipawns as i32)
        }
    };
    Some(Evaluation { score, depth })
}

fn parse_square(text: &str) -> Option<(MarkColor, Square)> {
    let mut letters = text.trim().chars();
    let color = MarkColor::from_letter(letters.next()?)?;
    Some((color, letters.as_str().parse().ok()?))
}

fn parse_arrow(text: &str) -> Option<(MarkColor, Square, Square)> {
    let mut letters = text.trim().chars();
    let color = MarkColor::from_letter(letters.next()?)?;
    let (from, to) = letters.as_str().split_at_checked(2)?;
    Some((color, from.parse().ok()?, to.parse().ok()?))
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(time) => write!(f, "[%clk {}]", Clock(*time)),
            Self::Elapsed(time) => write!(f, "[%emt {}]", Clock(*time)),
            Self::Evaluation(evaluation) => write!(f, "[%eval {evaluation}]"),
            Self::Squares(squares) => {
                f.write_str("[%csl ")?;
                for (index, (color, square)) in squares.iter().enumerate() {
                    write!(f, "{}{}{square}", if index > 0 { "," } else { "" }, color.letter())?;
                }
                f.write_str("]")
            }
            Self::Arrows(arrows) => {
                f.write_str("[%cal ")?;
                for (index, (color, from, to)) in arrows.iter().enumerate() {
                    write!(f, "{}{}{from}{to}", if index > 0 { "," } else { "" }, color.letter())?;
                }
                f.write_str("]")
            }
            Self::Other { name, value } if value.is_empty() => write!(f, "[%{name}]"),
            Self::Other { name, value } => write!(f, "[%{name} {value}]"),
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            EvaluationScore::Mate(moves) => write!(f, "#{moves}")?,
            EvaluationScore::Centipawns(score) => {
                let sign = if score < 0 { "-" } else { "" };
                let score = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", score / 100, score % 100)?;
            }
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

/// Displayed as `H:MM:SS`, with as many decimals as necessary.
struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        let millis = format!("{:03}", self.0.subsec_millis());
        match millis.trim_end_matches('0') {
            "" => Ok(()),
            digits => write!(f, ".{digits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_ones_are_typed_and_written_back() {
        let cases = [
            ("[%clk 0:05:00]", Command::Clock(Duration::from_secs(300))),
            ("[%clk 1:59:56.123]", Command::Clock(Duration::from_millis(7_196_123))),
            ("[%emt 0:00:07.5]", Command::Elapsed(Duration::from_millis(7500))),
            (
                "[%eval -0.13,21]",
                Command::Evaluation(Evaluation { score: EvaluationScore::Centipawns(-13), depth: Some(21) }),
            ),
            (
                "[%eval #-3]",
                Command::Evaluation(Evaluation { score: EvaluationScore::Mate(-3), depth: None }),
            ),
            (
                "[%csl Ra4,Ge5]",
                Command::Squares(vec![(MarkColor::Red, Square::A4), (MarkColor::Green, Square::E5)]),
            ),
            ("[%cal Yb1c3]", Command::Arrows(vec![(MarkColor::Yellow, Square::B1, Square::C3)])),
            ("[%clk soon]", Command::Other { name: "clk".to_owned(), value: "soon".to_owned() }),
            ("[%cal Ga1é]", Command::Other { name: "cal".to_owned(), value: "Ga1é".to_owned() }),
            ("[%mdl 4]", Command::Other { name: "mdl".to_owned(), value: "4".to_owned() }),
        ];
        for (text, expected) in cases {
            let found: Vec<Command> = commands(text).collect();
            assert_eq!(found, [expected], "{text}");
            assert_eq!(found[0].to_string(), text);
        }
    }

    #[test]
    fn text_and_commands_are_told_apart() {
        let comment = "A [%clk 0:05:00] good [%eval 0.3]";
        assert_eq!(commands(comment).count(), 2);
        assert_eq!(without_commands(comment), "A good");
        assert_eq!(without_commands("[%clk 0:05:00] [%eval 0.3]"), "");
        assert_eq!(without_commands("[%open"), "[%open");
        assert_eq!(commands("[%open").count(), 0);
    }
}
