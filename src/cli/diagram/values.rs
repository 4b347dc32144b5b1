//! The values of the options of `hematite diagram`.

use crate::chess::{Color, Square};
use crate::render::Rgb;
use std::fmt::{self, Display};
use std::str::FromStr;

/// A value, or none for the word `none`.
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

/// The word for nothing.
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

/// A value with a color behind a colon, green without one.
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

/// A place in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Ply {
    /// After so many plies.
    Count(usize),
    /// After the move with this number of this side.
    Move(u16, Color),
}

impl FromStr for Ply {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mv = |digits: &str, color| Some(Self::Move(digits.parse().ok()?, color));
        let ply = match text.chars().last() {
            Some('w') => mv(&text[..text.len() - 1], Color::White),
            Some('b') => mv(&text[..text.len() - 1], Color::Black),
            _ => text.parse().ok().map(Self::Count),
        };
        ply.ok_or("expected a number of plies, such as 24, or a move, such as 12w or 12b")
    }
}

impl Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(plies) => write!(f, "ply {plies}"),
            Self::Move(number, Color::White) => write!(f, "move {number} of White"),
            Self::Move(number, Color::Black) => write!(f, "move {number} of Black"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_games_are_read() {
        let cases = [
            ("24", Some(Ply::Count(24))),
            ("0", Some(Ply::Count(0))),
            ("12w", Some(Ply::Move(12, Color::White))),
            ("12b", Some(Ply::Move(12, Color::Black))),
            ("", None),
            ("w", None),
            ("-1", None),
            ("12é", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }

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
