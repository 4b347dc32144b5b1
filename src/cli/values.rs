//! Parsers of option values, and counted nouns.

use std::fmt::Display;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::Duration;

/// A parser of whole numbers in a range with a least and optionally a largest number.
pub(super) fn integer_in<T: FromStr<Err = ParseIntError> + PartialOrd + Display>(
    range: impl RangeBounds<T> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let problem = match text.parse() {
            Ok(number) if range.contains(&number) => return Ok(number),
            Ok(_) => None,
            Err(error) => Some(error),
        };
        let is_too_large = problem.is_some_and(|error| *error.kind() == IntErrorKind::PosOverflow);
        Err(match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("expected a whole number from {least} to {most}")
            }
            _ if is_too_large => "the number is too large".to_owned(),
            (Bound::Included(least), _) => format!("expected a whole number, {least} or more"),
            _ => "expected a whole number".to_owned(),
        })
    }
}

/// A whole number, optionally with `k` for thousands or `M` for millions.
pub(super) fn count(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1000),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1_000_000)),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a number such as 500, 20k or 3M".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "the number is too large".to_owned())
}

/// As [`count`], but at least 1.
pub(super) fn positive(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err("expected at least 1".to_owned()),
        number => Ok(number),
    }
}

/// A number of bytes: a whole number, optionally with `K`, `M` or `G` for KiB, MiB or GiB.
pub(super) fn byte_size(text: &str) -> Result<u64, String> {
    let units = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    let unit = units.iter().find(|(letter, _)| text.ends_with([*letter, letter.to_ascii_lowercase()]));
    let (digits, bytes) = unit.map_or((text, 1_u64), |&(_, bytes)| (&text[..text.len() - 1], bytes));
    let number: u64 = digits.parse().map_err(|_| "expected a size such as 64M or 2G".to_owned())?;
    number.checked_mul(bytes).ok_or_else(|| "the size is too large".to_owned())
}

/// A clock that counts nodes: the nodes of a game, and the increment after `+`, zero by default.
pub(super) fn clock_of_nodes(text: &str) -> Result<(u64, u64), String> {
    let (clock, increment) = text.split_once('+').unwrap_or((text, "0"));
    let number = |text| count(text).map_err(|problem| format!("{problem}, as in 600k+6k"));
    Ok((number(clock)?, number(increment)?))
}

/// A duration: seconds, or a number with `s`, `m` or `h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let problem = || "expected a time such as 90, 90s, 15m or 8h".to_owned();
    let (digits, seconds) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(digits) if text.ends_with('m') => (digits, 60),
        Some(digits) if text.ends_with('h') => (digits, 3600),
        Some(digits) => (digits, 1),
        None => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| problem())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(problem)
}

/// A fraction from 0 to 1: `0.02` or `2%`.
pub(super) fn fraction(text: &str) -> Result<f64, String> {
    const HUNDRED: f64 = 100.0;
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, HUNDRED));
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..=unit).contains(&number) => Ok(number / unit),
        _ => Err("expected a share from 0 to 1, or from 0% to 100%".to_owned()),
    }
}

/// A number of at least zero.
pub(super) fn non_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number, 0 or more".to_owned()),
    }
}

/// A number above zero.
pub(super) fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// `1 game`, `2 games`.
pub(super) fn pluralize(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Option values

    #[test]
    fn sizes_have_binary_units() {
        let cases = [("0", 0), ("5", 5), ("3k", 3072), ("64M", 1 << 26), ("2G", 1 << 31)];
        for (text, expected) in cases {
            assert_eq!(byte_size(text), Ok(expected), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "é", "99999999999999999999G", "18446744073709551615K"] {
            assert!(byte_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_of_whole_numbers_state_the_range() {
        let byte = integer_in::<u8>(1..=100);
        assert_eq!(byte("100"), Ok(100));
        for text in ["0", "101", "256", "-1", "x", "1.5", "", "9999999999999999999999999999999999999999999"] {
            let problem = byte(text).expect_err("it is refused");
            assert_eq!(problem, "expected a whole number from 1 to 100", "{text}");
        }
        let open = integer_in::<u64>(1..);
        assert_eq!(open("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(open("0").expect_err("too small"), "expected a whole number, 1 or more");
        assert_eq!(open("18446744073709551616").expect_err("too large"), "the number is too large");
    }

    #[test]
    fn numbers_with_units() {
        let cases = [
            ("0", Some(0)),
            ("500", Some(500)),
            ("20k", Some(20_000)),
            ("3M", Some(3_000_000)),
            ("", None),
            ("k", None),
            ("-1", None),
            ("1.5k", None),
            ("99999999999999999999", None),
            ("18446744073709551615k", None),
        ];
        for (text, expected) in cases {
            assert_eq!(count(text).ok(), expected, "{text}");
        }
        assert!(positive("0").is_err() && positive("1").is_ok());
    }

    #[test]
    fn clocks_of_nodes() {
        let cases = [
            ("600k+6k", Some((600_000, 6_000))),
            ("1M", Some((1_000_000, 0))),
            ("5000+0", Some((5_000, 0))),
            ("+5", None),
            ("5+", None),
            ("1+2+3", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(clock_of_nodes(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn times_with_units() {
        let cases = [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("15m", Some(900)),
            ("8h", Some(28_800)),
            ("h", None),
            ("1d", None),
            ("18446744073709551615h", None),
        ];
        for (text, expected) in cases {
            assert_eq!(duration(text).ok().map(|time| time.as_secs()), expected, "{text}");
        }
    }

    #[test]
    fn shares_are_read() {
        let cases = [
            ("2%", Some(0.02)),
            ("0.3", Some(0.3)),
            ("100%", Some(1.0)),
            ("0", Some(0.0)),
            ("2", None),
            ("-1%", None),
            ("101%", None),
            ("NaN", None),
            ("%", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(fraction(text).ok(), expected, "{text}");
        }
        for text in ["0", "-1", "inf", "NaN", "x"] {
            assert!(above_zero(text).is_err(), "{text}");
        }
        assert_eq!(above_zero("0.001"), Ok(0.001));
    }

    // Counted nouns

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count| pluralize(count, "game")), ["0 games", "1 game", "2 games"]);
    }
}
