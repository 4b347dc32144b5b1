//! The values of the options of `hematite diagram`.

use crate::chess::Square;
use crate::render::{Mark, Rgb};
use std::fmt::Display;
use std::str::FromStr;

/// A value; `None` for the word `none`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrNone<T>(pub Option<T>);

impl<T: FromStr<Err: Display>> FromStr for OrNone<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NONE {
            return Ok(Self(None));
        }
        text.parse().map(|value| Self(Some(value))).map_err(|error: T::Err| format!("{error}, or `{NONE}`"))
    }
}

/// The word for no value.
pub(super) const NONE: &str = "none";

/// Two squares, such as `e2e4` or `e2-e4`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squares(pub Square, pub Square);

impl FromStr for Squares {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected two squares, such as e2e4";
        let (from, to) = text.split_at_checked(2).ok_or(EXPECTED)?;
        let to = to.strip_prefix('-').unwrap_or(to);
        Ok(Self(from.parse().map_err(|_| EXPECTED)?, to.parse().map_err(|_| EXPECTED)?))
    }
}

/// A value with an optional color after a colon; the default is green.
#[derive(Clone, Copy, Debug)]
pub(super) struct Colored<T>(pub T, pub Rgb);

impl<T: FromStr<Err: Display>> FromStr for Colored<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (value, color) = match text.split_once(':') {
            Some((value, color)) => (value, color.parse().map_err(|error| format!("{error}"))?),
            None => (text, Rgb::GREEN),
        };
        value.parse().map(|value| Self(value, color)).map_err(|error: T::Err| error.to_string())
    }
}

/// An arrow, such as `e2e4` or `e2e4:red`.
pub(in crate::cli) fn read_arrow(text: &str) -> Result<Mark, String> {
    text.parse().map(|Colored(Squares(from, to), color)| Mark::Arrow(color, from, to))
}

/// A marked square, such as `e4` or `e4:#08f`.
pub(in crate::cli) fn read_mark(text: &str) -> Result<Mark, String> {
    text.parse().map(|Colored(square, color)| Mark::Square(color, square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read() {
        for (text, is_good) in
            [("e2e4", true), ("e2-e4", true), ("e2", false), ("éa4", false), ("e2e9", false)]
        {
            assert_eq!(text.parse::<Squares>().is_ok(), is_good, "{text}");
        }
        let colored = "e4:#08f".parse::<Colored<Square>>().expect("it has a color");
        assert_eq!((colored.0, colored.1), (Square::E4, Rgb(0, 0x88, 0xff)));
        assert!("e4:pink".parse::<Colored<Square>>().is_err());
        assert!("none".parse::<OrNone<Squares>>().is_ok_and(|none| none.0.is_none()));
    }
}
