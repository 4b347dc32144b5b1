//! The text of time controls, clocks and the limits of an engine.

use crate::notation::{TimeUnit, parse_duration};
use crate::zone::{Bonus, Period};
use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;
use thiserror::Error;

/// The reason why a text is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected MOVES/SECONDS+INCREMENT such as 8+0.08, 40/60, 3:00+2")]
pub struct ClockTextError;

/// The maximum time of a time control: a day.
const LONGEST: Duration = Duration::from_secs(86_400);

/// Reads a number of seconds, or a time with units.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    parse_duration(text, TimeUnit::Seconds).ok().filter(|&time| time <= LONGEST)
}

/// Reads time controls such as `8+0.08`, `40/60`, `40/1:30+0.5`.
///
/// # Errors
/// [`ClockTextError`] for any other text.
pub fn parse_period(text: &str) -> Result<Period, ClockTextError> {
    let (moves, time) = match text.split_once('/') {
        // Zero moves mean the whole game, as in cutechess.
        Some((moves, time)) => (moves.parse::<u32>().map_err(|_| ClockTextError)?, time),
        None => (0, text),
    };
    let (base, increment) = match time.split_once('+') {
        Some((base, increment)) => (base, parse_seconds(increment).ok_or(ClockTextError)?),
        None => (time, Duration::ZERO),
    };
    let (minutes, seconds) = match base.split_once(':') {
        Some((minutes, seconds)) => (minutes.parse::<u16>().map_err(|_| ClockTextError)?, seconds),
        None => (0, base),
    };
    let seconds = parse_seconds(seconds).ok_or(ClockTextError)?;
    let time = Duration::from_secs(60 * u64::from(minutes)) + seconds;
    if time > LONGEST || time.is_zero() && increment.is_zero() {
        return Err(ClockTextError);
    }
    let bonus = if increment.is_zero() { Bonus::None } else { Bonus::Increment(increment) };
    Ok(Period { moves: NonZeroU32::new(moves), time, bonus })
}

/// The limits of an engine's searches; at least one should be set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// A clock for the game.
    pub clock: Option<Period>,
    /// The fixed time per move.
    pub move_time: Option<Duration>,
    /// The number of nodes per move.
    pub nodes: Option<u64>,
    /// The depth of each search, in plies.
    pub depth: Option<u32>,
    /// The time by which the clock, or the fixed time of a move, may be exceeded.
    pub margin: Duration,
}

impl Limits {
    /// Whether there is any limit.
    pub const fn is_limited(&self) -> bool {
        self.is_timed() || self.nodes.is_some() || self.depth.is_some()
    }

    /// Whether there is a limit of time.
    pub const fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }
}

impl fmt::Display for Limits {
    /// Displayed as in match reports: `8+0.08`, `1/move`, `1000 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(self.move_time.map(|time| format!("{}/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("{depth} plies")));
        f.write_str(&parts.join(", "))
    }
}

/// One side's clock. Without a time control it never runs out.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limits: Limits,
    left: Duration,
    moves_played: u32,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(limits: &Limits) -> Self {
        let left = limits.clock.map_or(Duration::ZERO, |clock| clock.time);
        Self { limits: *limits, left, moves_played: 0 }
    }

    /// The time left; `None` without a time control.
    pub fn left(&self) -> Option<Duration> {
        self.limits.clock.map(|_| self.left)
    }

    /// The number of moves until time is added; `None` if no time will be added.
    pub fn moves_to_go(&self) -> Option<u32> {
        let moves = self.limits.clock?.moves?.get();
        Some(moves - self.moves_played % moves)
    }

    /// The maximum time of a move, margin included; `None` without a limit of time.
    pub fn allowance(&self) -> Option<Duration> {
        let limits = [self.left(), self.limits.move_time];
        limits.into_iter().flatten().min().map(|time| time + self.limits.margin)
    }

    /// Subtracts the time of a move and adds the increment. `false` if the move took too long.
    #[must_use]
    pub fn spend(&mut self, elapsed: Duration) -> bool {
        if self.allowance().is_some_and(|allowance| elapsed > allowance) {
            self.left = Duration::ZERO;
            return false;
        }
        self.moves_played = self.moves_played.saturating_add(1);
        if let Some(control) = self.limits.clock {
            self.left = self.left.saturating_sub(elapsed).saturating_add(control.increment());
            if control.moves.is_some_and(|moves| self.moves_played.is_multiple_of(moves.get())) {
                self.left = self.left.saturating_add(control.time);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Time control

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
            ("8s", Some((0, 8000, 0, "8"))),
            ("1m30s+500ms", Some((0, 90_000, 500, "90+0.5"))),
            ("8x", None),
            ("x/8", None),
            ("1e9", None),
            ("nan", None),
            ("999999999999", None),
        ];
        for (text, expected) in cases {
            let found = parse_period(text).ok();
            let told = found.map(|tc| {
                let moves = tc.moves.map_or(0, NonZeroU32::get);
                (moves, tc.time.as_millis(), tc.increment().as_millis(), tc.to_string())
            });
            let expected = expected.map(|(moves, base, inc, text)| (moves, base, inc, text.to_owned()));
            assert_eq!(told, expected, "{text}");
            if let Some(tc) = found {
                assert_eq!(parse_period(&tc.to_string()), Ok(tc), "{text}");
            }
        }
    }

    // Clock

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(control: Option<&str>, move_time: Option<u64>, margin: u64) -> Clock {
        let clock = control.map(|text| parse_period(text).expect("a time control"));
        Clock::new(&Limits { clock, move_time: move_time.map(ms), margin: ms(margin), ..Limits::default() })
    }

    #[test]
    fn time_goes_down_and_up() {
        let mut clock = clock(Some("2/1+0.1"), None, 0);
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(1000)), Some(2)));
        assert!(clock.spend(ms(300)));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(800)), Some(1)));
        assert!(clock.spend(ms(800)), "the last moment is in time");
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(1100)), Some(2)));
        assert!(!clock.spend(ms(1101)));
    }

    #[test]
    fn the_margin_forgives_but_gives_nothing() {
        let mut clock = clock(Some("1+0.1"), None, 100);
        assert!(clock.spend(ms(1099)));
        assert_eq!(clock.left(), Some(ms(100)));
        assert!(!clock.spend(ms(201)));
    }

    #[test]
    fn fixed_times_and_none() {
        let mut fixed = clock(None, Some(50), 10);
        assert!(fixed.spend(ms(60)) && fixed.spend(ms(60)));
        assert!(!fixed.spend(ms(61)));
        let mut free = clock(None, None, 0);
        assert_eq!((free.allowance(), free.left(), free.moves_to_go()), (None, None, None));
        assert!(free.spend(ms(1_000_000)));
    }
}
