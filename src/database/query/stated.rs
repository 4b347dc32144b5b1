//! Evaluations, clocks and elapsed times stated in the comments on a move.

use super::headers::{BadValue, Operator, Range};
use crate::notation::pgn::{Command, EvaluationScore, commands};

/// A test of the comments on a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stated {
    /// An evaluation in thousandths of a pawn, from White's point of view. Mates are far beyond all others.
    Evaluation(Range),
    /// The evaluation is a mate.
    Mate,
    /// The remaining time of the side that has moved, in milliseconds.
    Clock(Range),
    /// The time spent on the move, in milliseconds.
    Elapsed(Range),
    /// There is a statement of this kind.
    Has(Fact),
}

/// A kind of statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    Evaluation,
    Clock,
    Elapsed,
}

impl Fact {
    pub(super) const NAMES: [(&str, Self); 3] =
        [("eval", Self::Evaluation), ("clk", Self::Clock), ("emt", Self::Elapsed)];
}

/// The value of a mate, minus the number of moves to it: greater than any evaluation in pawns.
const MATE: i64 = 1_000_000_000_000;
const THOUSAND: i64 = 1000;
/// The maximum number of decimals that are read.
const DECIMALS: usize = 3;

/// Parses a decimal number to thousandths.
fn thousandths(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) || decimals.len() > DECIMALS {
        return None;
    }
    let whole: i64 = whole.parse().ok().filter(|&whole| whole < MATE / THOUSAND)?;
    let part: i64 = format!("{decimals:0<DECIMALS$}").parse().ok()?;
    let all = whole * THOUSAND + part;
    Some(if is_negative { -all } else { all })
}

/// Parses seconds, `m:ss` or `h:mm:ss` to milliseconds.
fn milliseconds(text: &str) -> Option<i64> {
    let mut all: i64 = 0;
    let fields: Vec<&str> = text.split(':').collect();
    let (seconds, larger) = fields.split_last()?;
    if larger.len() > 2 {
        return None;
    }
    for field in larger {
        let field: u32 = field.parse().ok()?;
        all = all.checked_mul(60)?.checked_add(i64::from(field))?;
    }
    thousandths(seconds).filter(|&seconds| seconds >= 0)?.checked_add(all.checked_mul(60 * THOUSAND)?)
}

impl Stated {
    /// Reads the value of an evaluation term: a number of pawns, or a mate.
    pub(super) fn read_evaluation(operator: Operator, text: &str) -> Result<Self, BadValue> {
        if matches!(operator, Operator::Colon | Operator::Equal) && text == "mate" {
            return Ok(Self::Mate);
        }
        Range::read_by(operator, text, "pawns such as 1.5 or -0.35, or mate", thousandths)
            .map(Self::Evaluation)
    }

    pub(super) fn read_clock(operator: Operator, text: &str) -> Result<Self, BadValue> {
        Range::read_by(operator, text, TIME, milliseconds).map(Self::Clock)
    }

    pub(super) fn read_elapsed(operator: Operator, text: &str) -> Result<Self, BadValue> {
        Range::read_by(operator, text, TIME, milliseconds).map(Self::Elapsed)
    }

    /// The test with the colors exchanged.
    pub(super) fn exchanged(&self) -> Self {
        match self {
            Self::Evaluation(range) => Self::Evaluation(range.negated()),
            other => other.clone(),
        }
    }

    /// Whether these comments pass the test. If they contain several statements of a kind, the first counts.
    pub(super) fn holds<'a>(&self, mut comments: impl Iterator<Item = &'a str>) -> bool {
        let asked = |command: Command| match (self, command) {
            (Self::Evaluation(range), Command::Evaluation(evaluation)) => {
                Some(range.contains(match evaluation.score {
                    EvaluationScore::Centipawns(score) => i64::from(score) * (THOUSAND / 100),
                    EvaluationScore::Mate(moves) if moves < 0 => -MATE - i64::from(moves),
                    EvaluationScore::Mate(moves) => MATE - i64::from(moves),
                }))
            }
            (Self::Mate, Command::Evaluation(evaluation)) => {
                Some(matches!(evaluation.score, EvaluationScore::Mate(_)))
            }
            (Self::Clock(range), Command::Clock(time)) | (Self::Elapsed(range), Command::Elapsed(time)) => {
                Some(range.contains(time.as_millis().try_into().unwrap_or(i64::MAX)))
            }
            (Self::Has(Fact::Evaluation), Command::Evaluation(_))
            | (Self::Has(Fact::Clock), Command::Clock(_))
            | (Self::Has(Fact::Elapsed), Command::Elapsed(_)) => Some(true),
            _ => None,
        };
        comments.find_map(|comment| commands(comment).find_map(asked)).unwrap_or(false)
    }
}

const TIME: &str = "seconds such as 10 or 2.5, or a time such as 1:30 or 0:05:00";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_compared() {
        let comments = ["good", "[%eval -1.25,20] [%clk 0:01:30.5]", "[%eval 9]"];
        let evaluation =
            |operator, text| Stated::read_evaluation(operator, text).expect(text).holds(comments.into_iter());
        assert!(evaluation(Operator::Less, "-1.2") && !evaluation(Operator::Less, "-1.25"));
        assert!(evaluation(Operator::Colon, "-2..-1") && !evaluation(Operator::Colon, "mate"));
        let clock =
            |operator, text| Stated::read_clock(operator, text).expect(text).holds(comments.into_iter());
        assert!(
            clock(Operator::Greater, "1:30") && clock(Operator::Less, "90.6") && !clock(Operator::Less, "90")
        );
        assert!(!Stated::Has(Fact::Elapsed).holds(comments.into_iter()));
        let mate = |operator, text: &str| {
            Stated::read_evaluation(operator, text).expect(text).holds(["[%eval #-3]"].into_iter())
        };
        assert!(
            mate(Operator::Colon, "mate") && mate(Operator::Less, "-99") && !mate(Operator::Greater, "99")
        );
        for wrong in ["", "x", "1.2345", "1,5", "..", "é"] {
            assert!(Stated::read_evaluation(Operator::Colon, wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "1:2:3:4", "-5", "1:x"] {
            assert!(Stated::read_clock(Operator::Less, wrong).is_err(), "{wrong}");
        }
    }
}
