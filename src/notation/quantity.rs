//! Quantities in the usual notation: counts such as `20k`, times such as `2m30s`, counted nouns and percentages.

use std::time::Duration;
use thiserror::Error;

/// The reason why a text is not a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CountError {
    /// The text is not a whole number with or without a unit.
    #[error("expected a number such as 500, 20k or 3M")]
    NotANumber,
    /// The number is too large.
    #[error("the number is too large")]
    TooLarge,
}

/// The units of a count.
const COUNT_UNITS: [(&str, u64); 3] = [("k", 1000), ("K", 1000), ("M", 1_000_000)];

/// Reads a whole number, optionally with `k` for thousands or `M` for millions.
///
/// ```
/// use hematite_core::notation::parse_count;
/// assert_eq!(parse_count("20k"), Ok(20_000));
/// assert!(parse_count("-1").is_err());
/// ```
///
/// # Errors
/// [`CountError`] if the text is not a count, or the number is larger than the largest `u64`.
pub fn parse_count(text: &str) -> Result<u64, CountError> {
    let with_unit = COUNT_UNITS.iter().find_map(|&(name, unit)| Some((text.strip_suffix(name)?, unit)));
    let (digits, unit) = with_unit.unwrap_or((text, 1));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CountError::NotANumber);
    }
    // A text of digits can only fail by being too large.
    let number: Option<u64> = digits.parse().ok();
    number.and_then(|number| number.checked_mul(unit)).ok_or(CountError::TooLarge)
}

/// A unit of time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TimeUnit {
    /// `ms`.
    Milliseconds,
    /// `s`.
    Seconds,
    /// `m`.
    Minutes,
    /// `h`.
    Hours,
}

impl TimeUnit {
    /// The names of the units. If one name is the end of another, the longer one comes first.
    const NAMES: [(&str, Self); 4] =
        [("ms", Self::Milliseconds), ("s", Self::Seconds), ("m", Self::Minutes), ("h", Self::Hours)];

    /// The length of the unit in nanoseconds.
    const fn nanoseconds(self) -> u128 {
        const MILLISECOND: u128 = 1_000_000;
        match self {
            Self::Milliseconds => MILLISECOND,
            Self::Seconds => 1000 * MILLISECOND,
            Self::Minutes => 60 * 1000 * MILLISECOND,
            Self::Hours => 60 * 60 * 1000 * MILLISECOND,
        }
    }
}

/// A text that is not a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("expected a time such as 90s, 500ms, 15m, 2m30s or 8h")]
pub struct DurationError;

/// Reads a time: numbers with the units `h`, `m`, `s` and `ms`, the largest first, or a single number in `unit`.
/// Numbers may have a decimal fraction.
///
/// ```
/// use hematite_core::notation::{TimeUnit, parse_duration};
/// use std::time::Duration;
/// assert_eq!(parse_duration("2m30s", TimeUnit::Seconds), Ok(Duration::from_secs(150)));
/// assert_eq!(parse_duration("0.5", TimeUnit::Seconds), Ok(Duration::from_millis(500)));
/// assert_eq!(parse_duration("500", TimeUnit::Milliseconds), Ok(Duration::from_millis(500)));
/// ```
///
/// # Errors
/// [`DurationError`] if the text is not a time, or is too long for a [`Duration`].
pub fn parse_duration(text: &str, unit: TimeUnit) -> Result<Duration, DurationError> {
    let mut sum = 0_u128;
    let mut rest = text;
    let mut former = None;
    while !rest.is_empty() || former.is_none() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        let named = TimeUnit::NAMES.iter().find_map(|&(name, unit)| Some((after.strip_prefix(name)?, unit)));
        let (after, unit) = match named {
            Some(named) => named,
            None if after.is_empty() && former.is_none() => ("", unit),
            None => return Err(DurationError),
        };
        if former.is_some_and(|former| unit >= former) {
            return Err(DurationError);
        }
        sum = nanoseconds(number, unit).and_then(|part| sum.checked_add(part)).ok_or(DurationError)?;
        (rest, former) = (after, Some(unit));
    }
    const NANOSECONDS: u128 = TimeUnit::Seconds.nanoseconds();
    let seconds = u64::try_from(sum / NANOSECONDS).map_err(|_| DurationError)?;
    Ok(Duration::new(seconds, (sum % NANOSECONDS) as u32))
}

/// A decimal number of units in nanoseconds. Fractions of a nanosecond are dropped.
fn nanoseconds(number: &str, unit: TimeUnit) -> Option<u128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !is_number(fraction) {
        return None;
    }
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut sum = whole.checked_mul(unit.nanoseconds())?;
    let mut place = unit.nanoseconds();
    for digit in fraction.bytes() {
        place /= 10;
        sum = sum.checked_add(u128::from(digit - b'0') * place)?;
    }
    Some(sum)
}

/// A counted noun: `1 game`, `2 games`.
pub fn pluralize(count: u64, noun: &str) -> String {
    format!("{count} {}", plural(count, noun))
}

/// A noun, in the plural unless there is exactly one.
pub(super) fn plural(count: u64, noun: &str) -> String {
    // Behind a vowel, as in `day`, the letter stays.
    let is_changed = |start: &&str| !start.ends_with(['a', 'e', 'i', 'o', 'u']);
    match (count, noun.strip_suffix('y').filter(is_changed)) {
        (1, _) => noun.to_owned(),
        (_, Some(start)) => format!("{start}ies"),
        (_, None) => format!("{noun}s"),
    }
}

/// The percentage of a part; `None` if the whole is zero.
pub fn percent(part: u64, whole: u64) -> Option<f64> {
    const HUNDRED: f64 = 100.0;
    (whole > 0).then(|| part as f64 * HUNDRED / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_a_plural() {
        let cases = [
            (0, "game", "0 games"),
            (1, "ply", "1 ply"),
            (2, "ply", "2 plies"),
            (2, "move", "2 moves"),
            (1, "inaccuracy", "1 inaccuracy"),
            (3, "inaccuracy", "3 inaccuracies"),
            (2, "day", "2 days"),
        ];
        for (count, noun, expected) in cases {
            assert_eq!(pluralize(count, noun), expected);
        }
    }

    #[test]
    fn counts_have_units() {
        let cases = [
            ("0", Ok(0)),
            ("500", Ok(500)),
            ("20k", Ok(20_000)),
            ("20K", Ok(20_000)),
            ("3M", Ok(3_000_000)),
            ("18446744073709551615", Ok(u64::MAX)),
            ("18446744073709551616", Err(CountError::TooLarge)),
            ("18446744073709551615k", Err(CountError::TooLarge)),
            ("", Err(CountError::NotANumber)),
            ("k", Err(CountError::NotANumber)),
            ("-1", Err(CountError::NotANumber)),
            ("+1", Err(CountError::NotANumber)),
            ("1.5k", Err(CountError::NotANumber)),
            ("1kk", Err(CountError::NotANumber)),
            ("1m", Err(CountError::NotANumber)),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_count(text), expected, "{text}");
        }
    }

    #[test]
    fn times_have_units() {
        let cases = [
            ("90", Some(90_000)),
            ("90s", Some(90_000)),
            ("0.05", Some(50)),
            (".5", Some(500)),
            ("5.", Some(5000)),
            ("500ms", Some(500)),
            ("15m", Some(900_000)),
            ("8h", Some(28_800_000)),
            ("1.5h", Some(5_400_000)),
            ("2m30s", Some(150_000)),
            ("1h2m3s4ms", Some(3_723_004)),
            ("1h5ms", Some(3_600_005)),
            ("0", Some(0)),
            ("", None),
            (".", None),
            ("h", None),
            ("s5", None),
            ("1d", None),
            ("5m30", None),
            ("30s2m", None),
            ("1s1s", None),
            ("1..5", None),
            ("1.2.3", None),
            ("-1", None),
            ("+1s", None),
            ("1e9", None),
            ("1 s", None),
            ("nan", None),
            ("18446744073709551616", None),
            ("18446744073709551615h", None),
            ("340282366920938463463374607431768211455", None),
        ];
        for (text, expected) in cases {
            let found = parse_duration(text, TimeUnit::Seconds).ok();
            assert_eq!(found, expected.map(Duration::from_millis), "{text}");
        }
        assert_eq!(parse_duration("1500", TimeUnit::Milliseconds), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("0.0000019", TimeUnit::Milliseconds), Ok(Duration::from_nanos(1)));
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count| pluralize(count, "game")), ["0 games", "1 game", "2 games"]);
    }

    #[test]
    fn nothing_has_no_share() {
        assert_eq!((percent(1, 4), percent(0, 0)), (Some(25.0), None));
    }
}
