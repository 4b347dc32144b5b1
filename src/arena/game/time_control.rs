//! How much time there is for a game.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// Time for so many moves or for all, and time that each move adds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl {
    /// After so many moves the base time is added again.
    pub moves: Option<NonZeroU32>,
    /// The time on the clock at the start.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeControlError;

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected MOVES/SECONDS+INCREMENT such as 8+0.08, 40/60, 3:00+2")
    }
}

impl std::error::Error for TimeControlError {}

/// The longest time that can be stated, in seconds: a day.
const LONGEST: f64 = 86_400.0;

/// Reads seconds, with or without a fraction.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = is_plain.then(|| text.parse().ok())??;
    (seconds <= LONGEST).then(|| Duration::from_secs_f64(seconds))
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `8+0.08`, `40/60`, `40/1:30+0.5`.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (moves, time) = match text.split_once('/') {
            // No moves, as cutechess has it, are all moves.
            Some((moves, time)) => (moves.parse::<u32>().map_err(|_| TimeControlError)?, time),
            None => (0, text),
        };
        let (base, increment) = match time.split_once('+') {
            Some((base, increment)) => (base, parse_seconds(increment).ok_or(TimeControlError)?),
            None => (time, Duration::ZERO),
        };
        let (minutes, seconds) = match base.split_once(':') {
            Some((minutes, seconds)) => (minutes.parse::<u16>().map_err(|_| TimeControlError)?, seconds),
            None => (0, base),
        };
        let seconds = parse_seconds(seconds).ok_or(TimeControlError)?;
        let base = Duration::from_secs(60 * u64::from(minutes)) + seconds;
        let is_too_long = base.as_secs_f64() > LONGEST;
        if is_too_long || base.is_zero() && increment.is_zero() {
            return Err(TimeControlError);
        }
        Ok(Self { moves: NonZeroU32::new(moves), base, increment })
    }
}

impl fmt::Display for TimeControl {
    /// As the `TimeControl` tag of PGN has it: `40/60`, `8+0.08`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        let cases = [
            ("8+0.08", Some((0, 8000, 80, "8+0.08"))),
            ("40/60", Some((40, 60_000, 0, "40/60"))),
            ("0/10+0.1", Some((0, 10_000, 100, "10+0.1"))),
            ("1:30", Some((0, 90_000, 0, "90"))),
            ("40/2:00+1", Some((40, 120_000, 1000, "40/120+1"))),
            ("0+1", Some((0, 0, 1000, "0+1"))),
            ("0.2+0.002", Some((0, 200, 2, "0.2+0.002"))),
            ("1440:00", Some((0, 86_400_000, 0, "86400"))),
            ("1440:01", None),
            ("", None),
            ("0", None),
            ("8+", None),
            ("-8", None),
            ("8s", None),
            ("x/8", None),
            ("1e9", None),
            ("nan", None),
            ("999999999999", None),
        ];
        for (text, expected) in cases {
            let found = text.parse::<TimeControl>().ok();
            let told = found.map(|tc| {
                let moves = tc.moves.map_or(0, NonZeroU32::get);
                (moves, tc.base.as_millis(), tc.increment.as_millis(), tc.to_string())
            });
            let expected = expected.map(|(moves, base, inc, text)| (moves, base, inc, text.to_owned()));
            assert_eq!(told, expected, "{text}");
            if let Some(tc) = found {
                assert_eq!(tc.to_string().parse(), Ok(tc), "{text}");
            }
        }
    }
}
