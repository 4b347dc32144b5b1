//! Time controls as the tag of PGN has them (PGN standard, 9.6.1).

use crate::notation::{Excerpt, TimeUnit, parse_duration};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// What a clock gives beyond the time of the period.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Bonus {
    /// Nothing.
    #[default]
    None,
    /// This much after each move.
    Increment(Duration),
    /// The clock waits so long before it runs, at each move.
    Delay(Duration),
    /// After each move what it has taken, so much at most (<https://www.chessprogramming.org/Time_Management>).
    Bronstein(Duration),
    /// What a player uses up goes to the opponent.
    Hourglass,
}

/// Time for a number of moves or for all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Period {
    /// The moves that must be made in it; `None` for all.
    pub moves: Option<NonZeroU32>,
    /// The time that the clock gets when it begins.
    pub time: Duration,
    /// What each move gives.
    pub bonus: Bonus,
}

impl Period {
    /// The time that each move adds.
    pub const fn increment(&self) -> Duration {
        match self.bonus {
            Bonus::Increment(time) => time,
            _ => Duration::ZERO,
        }
    }

    /// Whether there is any time in it.
    const fn has_time(&self) -> bool {
        !self.time.is_zero()
            || match self.bonus {
                Bonus::Increment(time) | Bonus::Delay(time) => !time.is_zero(),
                _ => false,
            }
    }
}

/// The time that players have for their moves.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// It is not known, so clocks are not run.
    Unknown,
    /// There is no limit.
    #[default]
    Untimed,
    /// One period after the other; the last one begins again when its moves are made.
    Periods(Vec<Period>),
}

/// A text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("found {0}, expected a time control such as 40/9000:3600, 300, 180+2, *180, 300d5, - or ?")]
pub struct TimeControlError(Excerpt);

/// The longest time that can be stated: ten years.
const LONGEST: Duration = Duration::from_secs(10 * 366 * 86_400);

impl TimeControl {
    /// Its periods; none if there is no limit.
    pub fn periods(&self) -> &[Period] {
        match self {
            Self::Periods(periods) => periods,
            Self::Unknown | Self::Untimed => &[],
        }
    }

    /// The period with this number, counted from zero. The last one is repeated.
    pub fn period(&self, number: usize) -> Option<&Period> {
        self.periods().get(number).or(self.periods().last())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads fields with colons between them: `40/9000`, `300`, `180+2`, `*180`, also `300d5` and `300b5` with a delay
    /// and by Bronstein. Decimals are those of engine matches. `?` is unknown and `-` none. Of a control that is known
    /// in part, such as `40/7200:?`, the rest cannot be made up, so it is unknown.
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

    /// Reads one field.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        Self::read(text).ok_or_else(|| TimeControlError::of(text))
    }
}

impl Period {
    /// Reads one field.
    fn read(text: &str) -> Option<Self> {
        let (text, is_hourglass) = match text.strip_prefix('*') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (moves, time) = match text.split_once('/') {
            // No moves, as programs for matches have it, are all moves.
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

/// Reads seconds, to the millisecond.
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
