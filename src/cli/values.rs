//! The values of options: parsers, and the objects that they refer to.

use super::CliError;
use crate::chess::Color;
use crate::notation::pgn::Game;
use crate::notation::{CountError, TimeUnit, parse_count, parse_duration, pluralize};
use crate::tablebase::Tablebase;
use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// A side, as a value of an option.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SideName {
    #[value(alias = "w")]
    White,
    #[value(alias = "b")]
    Black,
}

impl From<SideName> for Color {
    fn from(side: SideName) -> Self {
        match side {
            SideName::White => Self::White,
            SideName::Black => Self::Black,
        }
    }
}

/// The option of commands that write text unless JSON is wanted.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct JsonArg {
    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl JsonArg {
    pub(super) const fn is_given(self) -> bool {
        self.json
    }
}

/// The same option of commands that write something all along.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct JsonAtEndArg {
    /// At the end, write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl JsonAtEndArg {
    pub(super) const fn is_given(self) -> bool {
        self.json
    }
}

/// The number of threads; by default that of the processors.
pub(super) fn thread_count(given: Option<u16>) -> usize {
    given.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Opens the endgame tablebases in the folders of the option `--syzygy`. Warns of files that cannot be used.
///
/// # Errors
/// [`CliError::Usage`] if no table can be used.
pub(super) fn syzygy_tables(path: &str) -> Result<Arc<Tablebase>, CliError> {
    let (tables, faults) = Tablebase::load(path);
    for fault in faults {
        // A failure to write the warning does not matter.
        let _ = writeln!(io::stderr(), "warning: --syzygy: {fault}");
    }
    if tables.max_pieces() == 0 {
        return Err(CliError::Usage(format!("--syzygy: `{path}` has no endgame tables that can be used")));
    }
    Ok(Arc::new(tables))
}

/// A parser of whole numbers in a range with a least and optionally a largest number; `k` and `M` are allowed.
pub(super) fn integer_in<T: TryFrom<u64> + PartialOrd + Display>(
    range: impl RangeBounds<T> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let parsed =
            parse_count(text).and_then(|number| T::try_from(number).map_err(|_| CountError::TooLarge));
        let is_too_large = match parsed {
            Ok(number) if range.contains(&number) => return Ok(number),
            Ok(_) => false,
            Err(error) => error == CountError::TooLarge,
        };
        Err(match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("expected a whole number from {least} to {most}")
            }
            _ if is_too_large => CountError::TooLarge.to_string(),
            (Bound::Included(least), _) => format!("expected a whole number, {least} or more"),
            _ => "expected a whole number".to_owned(),
        })
    }
}

/// A whole number, optionally with `k` for thousands or `M` for millions.
pub(super) fn count(text: &str) -> Result<u64, String> {
    parse_count(text).map_err(|error| error.to_string())
}

/// A whole number of at least 1, in the syntax of [`count`].
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

/// A parser of times in a range. A number without a unit counts this one.
pub(super) fn duration_in(
    unit: TimeUnit,
    range: RangeInclusive<Duration>,
) -> impl Fn(&str) -> Result<Duration, String> + Clone {
    move |text| match parse_duration(text, unit) {
        Ok(time) if range.contains(&time) => Ok(time),
        Ok(_) => Err(format!("expected a time from {:?} to {:?}", range.start(), range.end())),
        Err(error) => Err(error.to_string()),
    }
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

/// A parser of winning chances on the scale from -1 for a loss to 1 for a win, or of differences of them, in a range.
pub(super) fn chances_in(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.trim().parse::<f64>() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = (range.start(), range.end());
            Err(format!("expected a number from {least} to {most}, on the scale from -1 (lost) to 1 (won)"))
        }
    }
}

/// The range of real numbers that are not zero. Also their reciprocals and products of a few of them are normal `f32`s,
/// with which networks are trained.
const REAL: RangeInclusive<f64> = 1e-12..=1e12;

/// A number of at least zero: zero, or one in the range of real numbers.
pub(super) fn non_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number == 0.0 || REAL.contains(&number) => Ok(number),
        _ => Err(format!("expected 0 or a number from {:e} to {:e}", REAL.start(), REAL.end())),
    }
}

/// A number above zero in the range of real numbers.
pub(super) fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if REAL.contains(&number) => Ok(number),
        _ => Err(format!("expected a number above 0, from {:e} to {:e}", REAL.start(), REAL.end())),
    }
}

/// A path and a factor above zero, which follows the last `=`.
pub(super) fn path_factor(text: &str) -> Result<(PathBuf, f32), String> {
    let (path, factor) =
        text.rsplit_once('=').ok_or("expected a path and a factor above 0, such as old/=0.5")?;
    Ok((path.into(), above_zero(factor)? as f32))
}

/// The factor of each path: the stated one, or 1.
///
/// # Errors
/// The path and the problem if a factor is stated twice, or for a path that is not among `paths`.
pub(super) fn factors(paths: &[PathBuf], stated: &[(PathBuf, f32)]) -> Result<Vec<f32>, String> {
    let mut factors = vec![None; paths.len()];
    for (path, factor) in stated {
        let fail = |problem: &str| Err(format!("{}: {problem}", path.display()));
        let Some(index) = paths.iter().position(|other| other == path) else {
            let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
            return fail(&format!("expected one of the paths {}", paths.join(", ")));
        };
        if factors[index].replace(*factor).is_some() {
            return fail("expected one factor for each path");
        }
    }
    Ok(factors.into_iter().map(|factor| factor.unwrap_or(1.0)).collect())
}

/// A number of at least one in the range of real numbers.
pub(super) fn one_or_more(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 1.0 && REAL.contains(&number) => Ok(number),
        _ => Err(format!("expected a number, 1 or more, at most {:e}", REAL.end())),
    }
}

/// A number of a game, or a range of numbers: `3` or `10..20`. Games are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::cli) struct GameRange {
    first: u64,
    last: u64,
}

impl GameRange {
    pub(in crate::cli) const fn last(self) -> u64 {
        self.last
    }

    pub(in crate::cli) fn contains(self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }

    /// The numbers in these ranges up to `most`, in ascending order and each of them once.
    pub(in crate::cli) fn numbers(mut ranges: Vec<Self>, most: u64) -> impl Iterator<Item = u64> {
        ranges.sort_unstable();
        let mut next = 1;
        ranges.into_iter().flat_map(move |Self { first, last }| {
            let range = first.max(next)..=last.min(most);
            next = next.max(last.saturating_add(1));
            range
        })
    }
}

impl FromStr for GameRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0);
        let range = match text.split_once("..") {
            Some((first, last)) => number(first).zip(number(last)),
            None => number(text).map(|number| (number, number)),
        };
        let (first, last) = range
            .filter(|(first, last)| first <= last)
            .ok_or("expected numbers from 1 on, such as 3 or 10..20")?;
        Ok(Self { first, last })
    }
}

/// A place in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Ply {
    /// The position after this number of plies.
    Count(usize),
    /// The position after the move with this number by this side.
    Move(u16, Color),
}

impl Ply {
    /// The order of a move relative to this place. The move is the one after which `plies` plies have been played; it
    /// has this number and color.
    pub(in crate::cli) fn place_of(self, plies: usize, number: u16, color: Color) -> Ordering {
        match self {
            Self::Count(count) => plies.cmp(&count),
            Self::Move(own, side) => (number, color as u8).cmp(&(own, side as u8)),
        }
    }
}

/// The problem with a move that a game does not have: the game starts later, or ends after `count` plies.
pub(in crate::cli) fn missing_move(game: &Game, number: u16, color: Option<Color>, count: usize) -> String {
    let (first, turn) = (game.start().fullmove_number(), game.start().turn());
    let name = match color {
        Some(color) => Ply::Move(number, color).to_string(),
        None => format!("move {number}"),
    };
    let is_before = (number, color.unwrap_or(Color::Black) as u8) < (first, turn as u8);
    if is_before {
        return format!("there is no {name}: the game starts with {}", Ply::Move(first, turn));
    }
    format!("there is no {name}: the game ends after {}", pluralize(count as u64, "ply"))
}

/// The problem with a place that a game does not have.
pub(in crate::cli) fn missing_place(game: &Game, place: Ply, count: usize) -> String {
    match place {
        Ply::Move(number, color) => missing_move(game, number, Some(color), count),
        Ply::Count(_) => {
            format!("there is no {place}: the game ends after {}", pluralize(count as u64, "ply"))
        }
    }
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
    fn numbers_of_games_are_in_order_and_unique() {
        let ranges = |text: &str| text.split(',').map(str::parse).collect::<Result<Vec<GameRange>, _>>();
        let numbers = |text: &str| GameRange::numbers(ranges(text).expect(text), 9).collect::<Vec<_>>();
        assert_eq!(numbers("3"), [3]);
        assert_eq!(numbers("7..9,2,3..5,4,8..20,30"), [2, 3, 4, 5, 7, 8, 9]);
        for text in ["", "0", "5..3", "0..3", "1..", "..3", "-1", "x"] {
            assert!(ranges(text).is_err(), "{text}");
        }
    }

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
    fn whole_numbers_have_units() {
        let thousands = integer_in::<u32>(1..=10_000);
        assert_eq!([thousands("10k"), thousands("3K")], [Ok(10_000), Ok(3000)]);
        for text in ["11k", "1M", "5000000k", "k"] {
            assert!(thousands(text).is_err(), "{text}");
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
    fn times_have_units_and_a_range() {
        let range = Duration::from_millis(1)..=Duration::from_secs(3600);
        let time = duration_in(TimeUnit::Milliseconds, range);
        for (text, milliseconds) in [("1", 1), ("1s", 1000), ("2m30s", 150_000), ("1h", 3_600_000)] {
            assert_eq!(time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["0", "3601s", "0.5ms"] {
            assert_eq!(time(text).expect_err(text), "expected a time from 1ms to 3600s", "{text}");
        }
        let problem = time("1d").expect_err("there are no days");
        assert_eq!(problem, "expected a time such as 90s, 500ms, 15m, 2m30s or 8h");
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
        let difference = chances_in(0.0..=2.0);
        for (text, expected) in
            [("1.4", Some(1.4)), ("0", Some(0.0)), ("-0.1", None), ("2.1", None), ("30%", None)]
        {
            assert_eq!(difference(text).ok(), expected, "{text}");
        }
        assert_eq!(chances_in(-1.0..=1.0)("-0.5"), Ok(-0.5));
        let problem = chances_in(-1.0..=1.0)("NaN").expect_err("it is no number");
        assert_eq!(problem, "expected a number from -1 to 1, on the scale from -1 (lost) to 1 (won)");
        // Beyond the range are numbers whose reciprocals or products are no normal `f32`s.
        for text in ["0", "-1", "inf", "NaN", "x", "1e-13", "1e13", "1e-46", "1e40"] {
            assert!(above_zero(text).is_err(), "{text}");
        }
        assert_eq!([above_zero("0.001"), above_zero("1e-12")], [Ok(0.001), Ok(1e-12)]);
        for text in ["-1", "inf", "NaN", "x", "1e-13", "1e13"] {
            assert!(non_negative(text).is_err(), "{text}");
        }
        assert_eq!([non_negative("0"), non_negative("1e12")], [Ok(0.0), Ok(1e12)]);
        for text in ["0.999", "inf", "NaN", "x", "1e13"] {
            assert!(one_or_more(text).is_err(), "{text}");
        }
        assert_eq!([one_or_more("1"), one_or_more("2.5")], [Ok(1.0), Ok(2.5)]);
    }

    #[test]
    fn a_factor_follows_the_last_sign() {
        let cases = [
            ("old=0.5", Some(("old", 0.5))),
            ("a=b/old/=2", Some(("a=b/old/", 2.0))),
            ("old", None),
            ("old=0", None),
            ("old=1e-45", None),
            ("old=1e38", None),
            ("old=", None),
            ("a=b/old", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(path, factor)| (PathBuf::from(path), factor));
            assert_eq!(path_factor(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn factors_belong_to_paths() {
        let paths = ["a", "b", "c"].map(PathBuf::from);
        let factors = |stated: &[(&str, f32)]| {
            let stated: Vec<_> = stated.iter().map(|(path, factor)| (PathBuf::from(path), *factor)).collect();
            factors(&paths, &stated)
        };
        assert_eq!(factors(&[]), Ok(vec![1.0; 3]));
        assert_eq!(factors(&[("c", 2.0), ("a", 0.5)]), Ok(vec![0.5, 1.0, 2.0]));
        assert_eq!(factors(&[("d", 2.0)]), Err("d: expected one of the paths a, b, c".to_owned()));
        assert_eq!(
            factors(&[("a", 2.0), ("a", 2.0)]),
            Err("a: expected one factor for each path".to_owned())
        );
    }
}
