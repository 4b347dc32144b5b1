//! Terms that do not need moves: texts, numbers, dates and opening codes of the tags, and the result.

use super::speed::Speed;
use super::text::{MISSING, Text, is_unknown};
pub(super) use super::value::{BadValue, Operator};
use crate::chess::Color;
use crate::notation::eco::{EcoCode, Opening, is_chosen};
use crate::notation::pgn::{Date, Game, GameResult, GameSource, Tags};
use std::cmp::Ordering;
use std::ops::{Bound, RangeBounds};

/// The tags of a game, independent of its storage.
pub trait Header {
    /// The value of a tag; `None` if it is missing.
    fn tag(&self, name: &str) -> Option<&str>;

    /// The source of the game; `None` if unknown.
    fn source(&self) -> Option<&GameSource> {
        None
    }
}

impl Header for Tags {
    fn tag(&self, name: &str) -> Option<&str> {
        self.get(name)
    }
}

impl Header for Game {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    fn source(&self) -> Option<&GameSource> {
        Self::source(self)
    }
}

/// Pairs of names and values.
impl Header for [(String, String)] {
    fn tag(&self, name: &str) -> Option<&str> {
        self.iter().find(|tag| tag.0 == name).map(|tag| &*tag.1)
    }
}

/// The error for a range whose first value comes after its last.
fn reversed(low: &str, high: &str) -> BadValue {
    BadValue::new(0, format!("a range in ascending order: {high}..{low}"))
}

/// A range of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range(Bound<i64>, Bound<i64>);

impl Range {
    pub(super) const fn exactly(number: i64) -> Self {
        Self(Bound::Included(number), Bound::Included(number))
    }

    pub(super) const fn at_least(number: i64) -> Self {
        Self(Bound::Included(number), Bound::Unbounded)
    }

    pub(super) const fn at_most(number: i64) -> Self {
        Self(Bound::Unbounded, Bound::Included(number))
    }

    /// Reads one value or a range of values, of which the last does not come before the first by this order.
    fn between<T>(
        operator: Operator,
        value: &str,
        read: impl Fn(&str, usize) -> Result<(T, T), BadValue>,
        order: impl Fn(&T, &T) -> Ordering,
    ) -> Result<(Bound<T>, Bound<T>), BadValue> {
        use Bound::{Excluded, Included, Unbounded};
        if let Some((low, high)) = value.split_once("..")
            && matches!(operator, Operator::Colon | Operator::Equal | Operator::Tilde)
        {
            if low.is_empty() && high.is_empty() {
                return Err(BadValue::new(0, "a value before or after `..`"));
            }
            let from = if low.is_empty() { Unbounded } else { Included(read(low, 0)?.0) };
            let to = if high.is_empty() { Unbounded } else { Included(read(high, low.len() + 2)?.1) };
            return match (&from, &to) {
                (Included(first), Included(last)) if order(first, last) == Ordering::Greater => {
                    Err(reversed(low, high))
                }
                _ => Ok((from, to)),
            };
        }
        let (low, high) = read(value, 0)?;
        Ok(match operator {
            Operator::Like => return Err(BadValue::new(0, "`~~` before a text only")),
            Operator::Colon | Operator::Equal | Operator::Tilde => (Included(low), Included(high)),
            Operator::Less => (Unbounded, Excluded(low)),
            Operator::AtMost => (Unbounded, Included(high)),
            Operator::Greater => (Excluded(high), Unbounded),
            Operator::AtLeast => (Included(low), Unbounded),
        })
    }

    pub(super) fn read(operator: Operator, value: &str) -> Result<Self, BadValue> {
        if operator == Operator::Tilde {
            return Err(BadValue::new(0, "`:` `=` `<` `<=` `>` or `>=` before a number"));
        }
        Self::read_by(operator, value, "a number or a range such as 10..20", |text| text.parse().ok())
    }

    /// Reads numbers with a parser for their notation.
    pub(super) fn read_by(
        operator: Operator,
        value: &str,
        expected: &str,
        read: impl Fn(&str) -> Option<i64>,
    ) -> Result<Self, BadValue> {
        let number = |text: &str, at: usize| {
            let number = read(text).ok_or_else(|| BadValue::new(at, expected))?;
            Ok((number, number))
        };
        Self::between(operator, value, number, Ord::cmp).map(|(low, high)| Self(low, high))
    }

    /// The range of the negated numbers.
    pub(super) fn negated(&self) -> Self {
        let negated = |bound: Bound<i64>| match bound {
            Bound::Included(number) => Bound::Included(number.saturating_neg()),
            Bound::Excluded(number) => Bound::Excluded(number.saturating_neg()),
            Bound::Unbounded => Bound::Unbounded,
        };
        Self(negated(self.1), negated(self.0))
    }

    pub(super) fn contains(&self, number: i64) -> bool {
        (self.0, self.1).contains(&number)
    }

    /// Whether any number from `low` to `high` is in the range.
    pub(super) fn meets(&self, low: i64, high: i64) -> bool {
        let is_above = match self.0 {
            Bound::Included(from) => high >= from,
            Bound::Excluded(from) => high > from,
            Bound::Unbounded => true,
        };
        let is_below = match self.1 {
            Bound::Included(to) => low <= to,
            Bound::Excluded(to) => low < to,
            Bound::Unbounded => true,
        };
        is_above && is_below
    }
}

/// A test of a date with possibly unknown parts.
#[derive(Clone, Debug)]
pub(super) enum DateTest {
    /// The test passes for all values of the unknown parts.
    Certain(Range),
    /// The test passes for some values of the unknown parts.
    Possible(Range),
    Missing,
}

/// Days as numbers: the year times ten thousand, plus the month times a hundred, plus the day.
const YEAR: i64 = 10_000;
const MONTH: i64 = 100;

/// The first and the last possible day of a date: `1993.06.??` is all of June. `None` if the text is not a date, or the
/// date is completely unknown.
pub(in crate::database) fn days(text: &str) -> Option<(i64, i64)> {
    let mut fields = text.split(Date::SEPARATORS);
    let part = |field: Option<&str>, length: usize, least: i64, most: i64| {
        let Some(field) = field.map(str::trim) else { return Some((least, most)) };
        if field.is_empty() || field.len() > length {
            return None;
        }
        // Month 0 and day 0 are unknown, as in other programs.
        if least > 0 && field.bytes().all(|byte| byte == b'0') {
            return Some((least, most));
        }
        let (low, high) = field.bytes().try_fold((0, 0), |(low, high), byte| {
            let (least, most) = match byte {
                b'0'..=b'9' => (byte - b'0', byte - b'0'),
                b'?' => (0, 9),
                _ => return None,
            };
            Some((low * 10 + i64::from(least), high * 10 + i64::from(most)))
        })?;
        (low <= most && high >= least).then_some((low.max(least), high.min(most)))
    };
    let year = fields.next().filter(|year| year.trim().len() == 4)?;
    let (first_year, last_year) = part(Some(year), 4, 0, 9999)?;
    let (first_month, last_month) = part(fields.next(), 2, 1, 12)?;
    let (first_day, last_day) = part(fields.next(), 2, 1, 31)?;
    if fields.next().is_some() || year == "????" {
        return None;
    }
    let day = |year: i64, month: i64, day: i64| year * YEAR + month * MONTH + day;
    Some((day(first_year, first_month, first_day), day(last_year, last_month, last_day)))
}

impl DateTest {
    pub(super) fn read(operator: Operator, value: &str) -> Result<Self, BadValue> {
        if value == MISSING {
            return Ok(Self::Missing);
        }
        let read = |text: &str, at: usize| {
            days(text).ok_or_else(|| BadValue::new(at, "a date such as 1990, 1990.05 or 1990.05.31"))
        };
        let (low, high) = Range::between(operator, value, read, Ord::cmp)?;
        let range = Range(low, high);
        Ok(if operator == Operator::Tilde { Self::Possible(range) } else { Self::Certain(range) })
    }

    pub(super) fn matches(&self, value: Option<&str>) -> bool {
        let days = value.and_then(|value| days(value.trim()));
        match (self, days) {
            (Self::Certain(range), Some((first, last))) => range.contains(first) && range.contains(last),
            (Self::Possible(range), Some((first, last))) => range.meets(first, last),
            (Self::Missing, _) => value.is_none_or(is_unknown),
            (_, None) => false,
        }
    }
}

/// A range of rounds: numbers with dots, compared part by part. `2` includes `2.1`, `2.2` and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RoundTest(Bound<Vec<u32>>, Bound<Vec<u32>>);

/// The parts of a round.
fn round_of(text: &str) -> Option<Vec<u32>> {
    text.trim().split('.').map(|part| part.parse().ok()).collect()
}

/// The order of two rounds by the parts that both have.
fn rounds_in_order(one: &[u32], other: &[u32]) -> Ordering {
    one.iter().zip(other).map(|(one, other)| one.cmp(other)).fold(Ordering::Equal, Ordering::then)
}

impl RoundTest {
    pub(super) fn read(operator: Operator, value: &str) -> Result<Self, BadValue> {
        let read = |text: &str, at: usize| {
            let round = round_of(text).ok_or_else(|| BadValue::new(at, "a round such as 2 or 2.1"))?;
            Ok((round.clone(), round))
        };
        Range::between(operator, value, read, |one, other| rounds_in_order(one, other))
            .map(|(low, high)| Self(low, high))
    }

    /// Whether the round of a game is certainly in the range: `2` may be before or after `2.1`.
    pub(super) fn matches(&self, value: Option<&str>) -> bool {
        let Some(round) = value.and_then(round_of) else { return false };
        let compared = |limit: &Vec<u32>| {
            let order = rounds_in_order(&round, limit);
            (order != Ordering::Equal || round.len() >= limit.len()).then_some(order)
        };
        let is_within = |bound: &Bound<Vec<u32>>, outside: Ordering| match bound {
            Bound::Included(limit) => compared(limit).is_some_and(|order| order != outside),
            Bound::Excluded(limit) => compared(limit).is_some_and(|order| order == outside.reverse()),
            Bound::Unbounded => true,
        };
        is_within(&self.0, Ordering::Less) && is_within(&self.1, Ordering::Greater)
    }
}

/// A range of opening codes.
#[derive(Clone, Debug)]
pub(super) enum EcoTest {
    Between(EcoCode, EcoCode),
    Missing,
}

/// The codes of open ranges.
const FIRST_CODE: &str = "A00";
const LAST_CODE: &str = "E99";
/// The length of the mark between the codes of a range.
const RANGE_MARK: usize = "..".len();

impl EcoTest {
    /// Reads `E60`, `E60..E99`, `E60..`, `..E99`, `E6` or `E`.
    pub(super) fn read(operator: Operator, value: &str) -> Result<Self, BadValue> {
        if value == MISSING {
            return Ok(Self::Missing);
        }
        if !matches!(operator, Operator::Colon | Operator::Equal) {
            return Err(BadValue::new(0, "`:` or `=` before a code"));
        }
        let code = |text: &str, at: usize, digit: &str| {
            let missing = 3_usize.saturating_sub(text.len());
            let code = text.to_ascii_uppercase() + &digit.repeat(missing);
            code.parse::<EcoCode>()
                .map_err(|_| BadValue::new(at, "a code such as B90, or a range such as E60..E99"))
        };
        let (low, high, at) = match value.split_once("..") {
            Some((low, "")) if !low.is_empty() => (low, LAST_CODE, 0),
            Some(("", high)) if !high.is_empty() => (FIRST_CODE, high, RANGE_MARK),
            Some((low, high)) => (low, high, low.len() + RANGE_MARK),
            None => (value, value, 0),
        };
        let (first, last) = (code(low, 0, "0")?, code(high, at, "9")?);
        if first > last { Err(reversed(low, high)) } else { Ok(Self::Between(first, last)) }
    }

    pub(super) fn contains(&self, code: Option<EcoCode>) -> bool {
        match self {
            Self::Between(low, high) => code.is_some_and(|code| *low <= code && code <= *high),
            Self::Missing => code.is_none(),
        }
    }
}

/// The code at the start of a tag value such as `B90` or `B90/05`.
pub(super) fn code_of(value: &str) -> Option<EcoCode> {
    value.trim().get(..3)?.to_ascii_uppercase().parse().ok()
}

/// Facts about a game in addition to its tags.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Facts {
    pub result: Option<GameResult>,
    /// The opening determined by the moves, which may have no name; `None` if unknown.
    pub opening: Option<Option<&'static Opening>>,
}

/// The names of the players' tags.
pub(super) const PLAYERS: [&str; 2] = ["White", "Black"];

/// The tag of the time control.
pub(super) const TIME_CONTROL: &str = "TimeControl";

/// A term about the tags or the result.
#[derive(Clone, Debug)]
pub(super) enum HeaderTerm {
    Tag(String, Text),
    Player(Text),
    /// The names of both players.
    Pair(Text, Text),
    /// The number in a tag, or in one of several tags.
    Number(Vec<String>, Range),
    /// None of these tags contains a number.
    NoNumber(Vec<String>),
    Date(String, DateTest),
    Round(RoundTest),
    Result(GameResult),
    Decisive,
    Winner(Text),
    Loser(Text),
    Eco(EcoTest),
    Opening(Text),
    /// The code determined by the moves, whatever the tags state.
    PlayedEco(EcoTest),
    /// The name of the opening determined by the moves, whatever the tags state.
    PlayedOpening(Text),
    /// The class of the time control.
    Speed(Speed),
    /// The name of the game's file.
    Source(Text),
    /// The date on which the file was added to the collection.
    Added(DateTest),
}

/// The day in the time at which a source was added; the time of day may follow it.
fn day_of(time: &str) -> Option<&str> {
    time.get(.."YYYY-MM-DD".len())
}

impl Text {
    /// Whether the name of a source matches.
    pub(super) fn matches_source(&self, source: Option<&GameSource>) -> bool {
        self.matches(source.map(|source| &*source.name))
    }
}

impl DateTest {
    /// Whether the day on which a source was added matches.
    pub(super) fn matches_source(&self, source: Option<&GameSource>) -> bool {
        self.matches(source.and_then(|source| day_of(source.added.as_deref()?)))
    }
}

/// The numbers in a tag value: in consultation games one for each player, separated by colons.
pub(super) fn numbers_of(value: &str) -> impl Iterator<Item = i64> {
    value.split(':').filter_map(|number| number.trim().parse().ok())
}

/// The name of the opening stated by the tags.
fn stated_opening(header: &(impl Header + ?Sized)) -> Option<String> {
    let parts: Vec<&str> =
        ["Opening", "Variation", "SubVariation"].iter().filter_map(|name| header.tag(name)).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

impl HeaderTerm {
    /// Whether the moves are needed for the name of the opening, unless a tag states it.
    pub(super) const fn needs_opening(&self) -> bool {
        matches!(self, Self::Eco(_) | Self::Opening(_) | Self::PlayedEco(_) | Self::PlayedOpening(_))
    }

    /// Whether the term holds; `None` if it depends on unknown facts.
    pub(super) fn holds(&self, header: &(impl Header + ?Sized), facts: Facts) -> Option<bool> {
        let player = |text: &Text, index: usize| text.matches(header.tag(PLAYERS[index]));
        let of_result = |text: &Text, white: usize, black: usize| match facts.result? {
            GameResult::WhiteWins => Some(player(text, white)),
            GameResult::BlackWins => Some(player(text, black)),
            GameResult::Draw | GameResult::Unknown => Some(false),
        };
        let numbers = |name: &String| header.tag(name).into_iter().flat_map(numbers_of);
        match self {
            Self::Tag(name, text) => Some(text.matches(header.tag(name))),
            Self::Player(text) => Some(player(text, 0) || player(text, 1)),
            Self::Pair(a, b) => Some(player(a, 0) && player(b, 1) || player(a, 1) && player(b, 0)),
            Self::Number(names, range) => {
                Some(names.iter().any(|name| numbers(name).any(|number| range.contains(number))))
            }
            Self::NoNumber(names) => Some(names.iter().all(|name| numbers(name).next().is_none())),
            Self::Date(name, test) => Some(test.matches(header.tag(name))),
            Self::Speed(speed) => Some(speed.matches(header.tag(TIME_CONTROL))),
            Self::Source(text) => Some(text.matches_source(header.source())),
            Self::Added(test) => Some(test.matches_source(header.source())),
            Self::Round(test) => Some(test.matches(header.tag("Round"))),
            Self::Result(result) => facts.result.map(|found| found == *result),
            Self::Decisive => {
                facts.result.map(|found| matches!(found, GameResult::WhiteWins | GameResult::BlackWins))
            }
            Self::Winner(text) => of_result(text, 0, 1),
            Self::Loser(text) => of_result(text, 1, 0),
            Self::Eco(test) => match header.tag("ECO").and_then(code_of) {
                stated @ Some(_) if !is_chosen() => Some(test.contains(stated)),
                stated => facts.opening.map(|opening| test.contains(opening.map(Opening::code).or(stated))),
            },
            Self::PlayedEco(test) => facts.opening.map(|opening| test.contains(opening.map(Opening::code))),
            Self::PlayedOpening(text) => {
                facts.opening.map(|opening| text.matches(opening.map(Opening::name)))
            }
            Self::Opening(text) => {
                let stated = stated_opening(header);
                let by_tags = text.matches(stated.as_deref());
                if is_chosen() {
                    let by_name = |opening: &Opening| text.matches(Some(opening.name()));
                    return facts.opening.map(|opening| opening.map_or(by_tags, by_name));
                }
                let is_missing = matches!(text, Text::Missing);
                if by_tags != is_missing {
                    return Some(by_tags);
                }
                facts.opening.map(|opening| text.matches(opening.map(Opening::name)))
            }
        }
    }

    /// The side of the player named by the term; `None` if it names neither.
    pub(super) fn named_player(&self, header: &(impl Header + ?Sized)) -> Option<Color> {
        let matches = |text: &Text, index: usize| {
            !matches!(text, Text::Missing) && text.matches(header.tag(PLAYERS[index]))
        };
        let index = match self {
            Self::Tag(name, text) => {
                PLAYERS.iter().position(|player| player == name).filter(|&index| matches(text, index))
            }
            Self::Player(text) => (0..PLAYERS.len()).find(|&index| matches(text, index)),
            Self::Pair(a, b) => (0..PLAYERS.len()).find(|&index| matches(a, index) && matches(b, 1 - index)),
            _ => None,
        };
        index.and_then(Color::from_index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(operator: Operator, value: &str) -> Text {
        Text::read(operator, value, false).expect(value)
    }

    #[test]
    fn numbers_have_ranges() {
        let cases = [
            (Operator::Colon, "10", [false, true, false]),
            (Operator::Colon, "9..10", [true, true, false]),
            (Operator::Colon, "10..", [false, true, true]),
            (Operator::Equal, "..9", [true, false, false]),
            (Operator::Less, "10", [true, false, false]),
            (Operator::AtMost, "10", [true, true, false]),
            (Operator::Greater, "10", [false, false, true]),
            (Operator::AtLeast, "10", [false, true, true]),
        ];
        for (operator, value, expected) in cases {
            let range = Range::read(operator, value).expect(value);
            assert_eq!([9, 10, 11].map(|number| range.contains(number)), expected, "{operator:?} {value}");
            assert_eq!(
                [9, 10, 11].map(|number| range.meets(number, number)),
                expected,
                "{operator:?} {value}"
            );
        }
        for (value, at) in [("..", 0), ("x", 0), ("10..x", 4), ("", 0), ("99999999999999999999", 0)] {
            assert_eq!(Range::read(Operator::Colon, value).expect_err(value).at, at, "{value}");
        }
    }

    #[test]
    fn unknown_parts_of_dates_must_not_matter() {
        let cases = [
            (Operator::Colon, "1993", "1993.??.??", true),
            (Operator::Colon, "1993.06", "1993.??.??", false),
            (Operator::AtLeast, "1993.06", "1993.??.??", false),
            (Operator::AtLeast, "1993", "1993.??.??", true),
            (Operator::Greater, "1993", "1993.??.??", false),
            (Operator::Less, "1994", "1993.12.31", true),
            (Operator::AtMost, "1993", "1993.12.??", true),
            (Operator::Colon, "1990..1999", "199?.??.??", true),
            (Operator::Colon, "1993.06.??", "1993.06.05", true),
            (Operator::Tilde, "1993.06", "1993.??.??", true),
            (Operator::Tilde, "1993.06", "1993.07.??", false),
            (Operator::Colon, "1990..", "????.??.??", false),
            (Operator::Colon, "1990..", "soon", false),
            (Operator::Colon, "none", "????.??.??", true),
            (Operator::Colon, "1993", "1993.6.5", true),
            (Operator::Colon, "1993.6", "1993/06/05", true),
            (Operator::Colon, "1993", "1993.00.00", true),
            (Operator::Colon, "1993.06", "1993-06-00", true),
            (Operator::Colon, "1993.06", "1993.00.00", false),
            (Operator::Colon, "1990..", "0000.00.00", false),
        ];
        for (operator, wanted, value, expected) in cases {
            let test = DateTest::read(operator, wanted).expect(wanted);
            assert_eq!(test.matches(Some(value)), expected, "{operator:?} {wanted}: {value}");
        }
        for wrong in ["", "93", "1993.13", "1993.", "1993.01.01.01", "..", "????"] {
            assert!(DateTest::read(Operator::Colon, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rounds_are_compared_part_by_part() {
        let cases = [
            (Operator::AtLeast, "2", [false, true, true, true, true, false]),
            (Operator::Greater, "2", [false, false, false, true, true, false]),
            (Operator::AtMost, "2", [true, true, true, false, false, false]),
            (Operator::Less, "2.2", [true, false, true, false, false, false]),
            (Operator::AtLeast, "2.1", [false, false, true, true, true, false]),
            (Operator::Colon, "2..3", [false, true, true, true, false, false]),
            (Operator::Colon, "..2.1", [true, false, true, false, false, false]),
        ];
        for (operator, wanted, expected) in cases {
            let test = RoundTest::read(operator, wanted).expect(wanted);
            let found = ["1.9", "2", "2.1", "3.1", "10", "?"].map(|round| test.matches(Some(round)));
            assert_eq!(found, expected, "{operator:?} {wanted}");
        }
        assert!(RoundTest::read(Operator::Less, "x").is_err());
    }

    #[test]
    fn who_consult_have_several_ratings() {
        let mut tags = Tags::new();
        tags.set("WhiteElo", "2700:2650");
        let elo = |low| HeaderTerm::Number(vec!["WhiteElo".to_owned()], Range::at_least(low));
        assert_eq!(
            [2640, 2690, 2710].map(|low| elo(low).holds(&tags, Facts::default())),
            [Some(true), Some(true), Some(false)]
        );
    }

    #[test]
    fn codes_have_ranges() {
        let cases = [
            ("E60..E99", [false, true, true]),
            ("e9", [false, false, true]),
            ("E", [false, true, true]),
            ("B90", [true, false, false]),
            ("E60..", [false, true, true]),
            ("..e6", [true, true, false]),
            ("none", [false, false, false]),
        ];
        let codes = ["B90", "E60", "E99"].map(|code| code.parse().ok());
        for (value, expected) in cases {
            let test = EcoTest::read(Operator::Colon, value).expect(value);
            assert_eq!(codes.map(|code| test.contains(code)), expected, "{value}");
        }
        assert!(EcoTest::read(Operator::Colon, "none").expect("none").contains(None));
        for (wrong, at) in [("F00", 0), ("E60..X", 5), ("..X", 2), ("..", 0), ("", 0), ("E600", 0), ("é", 0)]
        {
            assert_eq!(EcoTest::read(Operator::Colon, wrong).expect_err(wrong).at, at, "{wrong}");
        }
    }

    #[test]
    fn two_players_are_two() {
        let term = |a, b| HeaderTerm::Pair(text(Operator::Colon, a), text(Operator::Colon, b));
        let mut tags = Tags::new();
        tags.set("White", "Anand, V");
        tags.set("Black", "Ivanchuk, V");
        let holds = |term: HeaderTerm| term.holds(&tags, Facts::default());
        assert_eq!(holds(term("anand", "ivan")), Some(true));
        assert_eq!(holds(term("ivan", "anand")), Some(true));
        assert_eq!(holds(term("anand", "ana")), Some(false), "one player matches both");
        assert_eq!(term("ivan", "anand").named_player(&tags), Some(Color::Black));
    }

    #[test]
    fn what_depends_on_the_result_is_open_without_it() {
        let mut tags = Tags::new();
        tags.set("White", "Tal");
        tags.set("Black", "Botvinnik");
        let winner = HeaderTerm::Winner(text(Operator::Colon, "botvinnik"));
        assert_eq!(winner.holds(&tags, Facts::default()), None);
        for (result, expected) in
            [(GameResult::BlackWins, true), (GameResult::WhiteWins, false), (GameResult::Draw, false)]
        {
            let facts = Facts { result: Some(result), ..Facts::default() };
            assert_eq!(winner.holds(&tags, facts), Some(expected), "{result}");
        }
    }
}
