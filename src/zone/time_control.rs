//! Time controls in the format of the PGN tag (PGN standard, 9.6.1).

use crate::notation::{Excerpt, TimeUnit, parse_duration};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The time that a clock gives beyond the time of the period.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Bonus {
    /// No additional time.
    #[default]
    None,
    /// The time added after each move.
    Increment(Duration),
    /// The delay before the clock starts to run, at each move.
    Delay(Duration),
    /// The maximum time that is given back after each move; the time used is given back up to it
    /// (<https://www.chessprogramming.org/Time_Management>).
    Bronstein(Duration),
    /// The time that a player uses is added to the opponent's clock.
    Hourglass,
}

/// A period: the time for a number of moves, or for all moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Period {
    /// The number of moves of the period; `None` for all remaining moves.
    pub moves: Option<NonZeroU32>,
    /// The time that is added to the clock at the start of the period.
    pub time: Duration,
    /// The additional time of each move.
    pub bonus: Bonus,
}

impl Period {
    /// The increment of each move; zero if there is none.
    pub const fn increment(&self) -> Duration {
        match self.bonus {
            Bonus::Increment(time) => time,
            _ => Duration::ZERO,
        }
    }

    /// Whether the period has any time.
    const fn has_time(&self) -> bool {
        !self.time.is_zero()
            || match self.bonus {
                Bonus::Increment(time) | Bonus::Delay(time) => !time.is_zero(),
                _ => false,
            }
    }
}

/// The time control of a game.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// The time control is not known, so no clocks are run.
    Unknown,
    /// There is no time limit.
    #[default]
    Untimed,
    /// Periods in sequence; the last one is repeated when its moves have been made.
    Periods(Vec<Period>),
}

/// The error of a text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("found {0}, expected a time control such as 40/9000:3600, 300, 180+2, *180, 300d5, - or ?")]
pub struct TimeControlError(Excerpt);

/// The maximum time in a time control: ten years.
const LONGEST: Duration = Duration::from_secs(10 * 366 * 86_400);

impl TimeControl {
    /// The periods; empty without a time limit.
    pub fn periods(&self) -> &[Period] {
        match self {
            Self::Periods(periods) => periods,
            Self::Unknown | Self::Untimed => &[],
        }
    }

    /// The period with this number, counted from 0. The last one is repeated.
    pub fn period(&self, number: usize) -> Option<&Period> {
        self.periods().get(number).or(self.periods().last())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Parses fields separated by colons: `40/9000`, `300`, `180+2`, `*180`, also `300d5` and `300b5` with a delay in
    /// the simple or the Bronstein form. Decimals are accepted as in engine matches. `?` means unknown and `-` no
    /// limit. If a part of several fields is unknown, such as in `40/7200:?`, the whole time control is unknown, since
    /// the missing part cannot be guessed.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        if text == "-" {
            return Ok(Self::Untimed);
        }
        let mut periods = Vec::new();
        let mut is_known = true;
        for field in text.split(':') {
            match field {
                "?" | "-" => is_known = false,
                field => periods.push(Period::read(field).ok_or_else(|| TimeControlError::of(text))?),
            }
        }
        Ok(if is_known { Self::Periods(periods) } else { Self::Unknown })
    }
}

impl TimeControlError {
    fn of(text: &str) -> Self {
        Self(Excerpt::new(text))
    }
}

impl FromStr for Period {
    type Err = TimeControlError;

    /// Parses one field.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        Self::read(text).ok_or_else(|| TimeControlError::of(text))
    }
}

impl Period {
    /// Parses one field.
    fn read(text: &str) -> Option<Self> {
        let (text, is_hourglass) = match text.strip_prefix('*') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (moves, time) = match text.split_once('/') {
            // Zero moves, as match programs write it, mean all moves.
            Some((moves, time)) => (NonZeroU32::new(moves.parse().ok()?), time),
            None => (None, text),
        };
        let sign = time.find(['+', 'd', 'b']);
        let (base, extra) = match sign {
            Some(place) => (&time[..place], seconds(&time[place + 1..])?),
            None => (time, Duration::ZERO),
        };
        let bonus = match sign.map(|place| time.as_bytes()[place]) {
            Some(_) if is_hourglass => return None,
            None if is_hourglass => Bonus::Hourglass,
            _ if extra.is_zero() => Bonus::None,
            Some(b'd') => Bonus::Delay(extra),
            Some(b'b') => Bonus::Bronstein(extra),
            _ => Bonus::Increment(extra),
        };
        let period = Self { moves, time: seconds(base)?, bonus };
        period.has_time().then_some(period)
    }
}

/// Parses seconds, rounded to milliseconds.
fn seconds(text: &str) -> Option<Duration> {
    // The tag has no units.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let time = parse_duration(text, TimeUnit::Seconds).ok()?;
    let time = time.saturating_add(Duration::from_micros(500));
    let time = Duration::from_millis(u64::try_from(time.as_millis()).ok()?);
    (is_number && time <= LONGEST).then_some(time)
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bonus == Bonus::Hourglass {
            f.write_str("*")?;
        }
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        match self.bonus {
            Bonus::None | Bonus::Hourglass => Ok(()),
            Bonus::Increment(time) => write!(f, "+{}", time.as_secs_f64()),
            Bonus::Delay(time) => write!(f, "d{}", time.as_secs_f64()),
            Bonus::Bronstein(time) => write!(f, "b{}", time.as_secs_f64()),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("?"),
            Self::Untimed => f.write_str("-"),
            Self::Periods(periods) => {
                for (number, period) in periods.iter().enumerate() {
                    f.write_str(if number > 0 { ":" } else { "" })?;
                    period.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_kinds_of_the_standard_and_delays_are_read_and_written() {
        let cases = [
            "?",
            "-",
            "40/9000",
            "300",
            "4500+60",
            "*180",
            "40/9000:20/3600:900+30",
            "8+0.08",
            "300d5",
            "300b5",
            "1/86400",
            "0+1",
        ];
        for text in cases {
            let control: TimeControl = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(control.to_string(), text);
            let json = serde_json::to_string(&control).expect("it can be written");
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<TimeControl>(&json).ok(), Some(control), "{text}");
        }
        let same = [
            ("180+0", "180"),
            ("0/10+0.1", "10+0.1"),
            ("40/7200:?", "?"),
            ("40/7200:-", "?"),
            ("-:300", "?"),
            ("300.0", "300"),
            ("10+0.0995", "10+0.1"),
        ];
        for (text, expected) in same {
            assert_eq!(
                text.parse::<TimeControl>().map(|control| control.to_string()).as_deref(),
                Ok(expected)
            );
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let cases = [
            "",
            "soon",
            "90min",
            "90m",
            "90s",
            "40/",
            "+2",
            "5|3",
            "3:+",
            "0",
            "*0",
            "x/8",
            "1e9",
            "nan",
            "inf",
            "-8",
            "8+",
            "*180+2",
            "300:",
            "99999999999999999999",
            ".",
            "300+é",
        ];
        for text in cases {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError::of(text)), "{text}");
        }
    }

    #[test]
    fn the_last_period_is_repeated() {
        let control: TimeControl = "40/9000:20/3600".parse().expect("a time control");
        let times = [0, 1, 2, 9].map(|number| control.period(number).map(|period| period.time.as_secs()));
        assert_eq!(times, [Some(9000), Some(3600), Some(3600), Some(3600)]);
        assert_eq!(TimeControl::Untimed.period(0), None);
    }
}
