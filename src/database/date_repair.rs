//! Repairs of dates by the rules of the PGN standard. Ambiguous dates are left unchanged.

use jiff::civil::Date;

/// The result of a repair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Repair {
    /// The value is valid.
    Good,
    /// The repaired value.
    To(String),
    /// The value cannot be repaired, for this reason.
    Unclear(&'static str),
}

/// The order of day and month in dates that end with the year.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateOrder {
    /// 31/12/1999
    DayFirst,
    /// 12/31/1999
    MonthFirst,
}

/// The value for an unknown date.
const UNKNOWN_DATE: &str = "????.??.??";

/// Repairs a date: `1999-05-01`, `1999/5/1`, `1.5.1999`, `May 1, 1999`, `1 May 1999` and `1999` become `1999.05.01` and
/// `1999.??.??`. Between periods the day comes first; otherwise, the day is the number that cannot be a month, or
/// `order` decides.
pub fn repair_date(text: &str, order: Option<DateOrder>) -> Repair {
    let trimmed = text.trim();
    if matches!(trimmed, "" | "?" | "-") {
        return Repair::To(UNKNOWN_DATE.to_owned());
    }
    let fields: Vec<&str> =
        trimmed.split(|letter: char| ".-/, ".contains(letter)).filter(|field| !field.is_empty()).collect();
    let found = match date_fields(trimmed, &fields, order) {
        Ok(found) => found,
        Err(reason) => return Repair::Unclear(reason),
    };
    let [year, month, day] = found.map(|field| field.parse::<i16>().ok());
    let is_year = found[0].len() == 4 && found[0].bytes().all(|byte| byte.is_ascii_digit() || byte == b'?');
    let known = |number: Option<i16>, least: i16| number.unwrap_or(least);
    // A leap year, used if the year is unknown.
    const LEAP_YEAR: i16 = 2000;
    let fits = Date::new(known(year, LEAP_YEAR), known(month, 1) as i8, known(day, 1) as i8).is_ok();
    let is_short = |text: &str| text.bytes().all(|byte| byte == b'?') || text.len() <= 2;
    if !is_year || !is_short(found[1]) || !is_short(found[2]) || !fits {
        return Repair::Unclear("it is no day of the calendar");
    }
    let two = |text: &str, number: Option<i16>| match number {
        Some(number) => format!("{number:02}"),
        None if text.len() == 2 => text.to_owned(),
        None => "??".to_owned(),
    };
    let repaired = format!("{}.{}.{}", found[0], two(found[1], month), two(found[2], day));
    if repaired == text { Repair::Good } else { Repair::To(repaired) }
}

/// The year, month and day as written; `?` is unknown.
fn date_fields<'a>(
    text: &str,
    fields: &[&'a str],
    order: Option<DateOrder>,
) -> Result<[&'a str; 3], &'static str> {
    const NO_DATE: &str = "it is no date";
    let is_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?');
    let is_year = |text: &str| text.len() == 4 && is_digits(text);
    if fields.iter().any(|field| month_number(field).is_some()) {
        return match *fields {
            [month, year] if is_year(year) => named(month).map(|month| [year, month, "?"]),
            [month, day, year] if is_year(year) && month_number(month).is_some() => {
                named(month).map(|month| [year, month, without_ordinal(day)])
            }
            [day, month, year] if is_year(year) => {
                named(month).map(|month| [year, month, without_ordinal(day)])
            }
            [year, month, day] if is_year(year) => named(month).map(|month| [year, month, day]),
            _ => None,
        }
        .ok_or(NO_DATE);
    }
    if !fields.iter().all(|field| is_digits(field)) {
        return Err(NO_DATE);
    }
    match *fields {
        [year] if is_year(year) => Ok([year, "?", "?"]),
        [all] if all.len() == 8 => Ok([&all[..4], &all[4..6], &all[6..]]),
        [year, month] if is_year(year) => Ok([year, month, "?"]),
        [month, year] if is_year(year) => Ok([year, month, "?"]),
        [year, month, day] if is_year(year) => Ok([year, month, day]),
        [one, other, year] if is_year(year) => {
            const MONTHS: u8 = 12;
            let is_month = |text: &str| text.parse::<u8>().ok().is_none_or(|number| number <= MONTHS);
            let is_dotted = text.contains('.');
            match (is_month(one), is_month(other), order) {
                (false, true, _) => Ok([year, other, one]),
                (true, false, _) => Ok([year, one, other]),
                (true, true, Some(DateOrder::MonthFirst)) => Ok([year, one, other]),
                (true, true, Some(DateOrder::DayFirst)) => Ok([year, other, one]),
                (true, true, None) if is_dotted || one == other => Ok([year, other, one]),
                (true, true, None) => Err("day and month may be either way"),
                (false, false, _) => Err(NO_DATE),
            }
        }
        [_, _, year] if year.len() == 2 => Err("its year has two digits"),
        _ => Err(NO_DATE),
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// The months as numbers.
const MONTH_NUMBERS: [&str; 12] = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"];

/// The index of the month that a word names; three letters are enough.
fn month_number(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    MONTHS.iter().position(|month| word.len() >= 3 && month.starts_with(&word))
}

fn named(word: &str) -> Option<&'static str> {
    month_number(word).map(|index| MONTH_NUMBERS[index])
}

/// The number in `1st`, `2nd`, `3rd` and `4th`.
fn without_ordinal(word: &str) -> &str {
    let number = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
    number.filter(|number| !number.is_empty()).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_many_forms() {
        let good = [
            ("1999.05.01", "1999.05.01"),
            ("1999.05.??", "1999.05.??"),
            ("19??.??.??", "19??.??.??"),
            ("1999.05.1?", "1999.05.1?"),
            ("1999-05-01", "1999.05.01"),
            ("1999/5/1", "1999.05.01"),
            ("19990501", "1999.05.01"),
            ("1.5.1999", "1999.05.01"),
            ("31/12/1999", "1999.12.31"),
            ("12/31/1999", "1999.12.31"),
            ("5/5/1999", "1999.05.05"),
            ("May 1, 1999", "1999.05.01"),
            ("May 1 1999", "1999.05.01"),
            ("1 May 1999", "1999.05.01"),
            ("2nd Sept. 1999", "1999.09.02"),
            ("1999 Dec 24", "1999.12.24"),
            ("December 1999", "1999.12.??"),
            ("5/1999", "1999.05.??"),
            ("1999", "1999.??.??"),
            ("1999.5", "1999.05.??"),
            ("??.5.1999", "1999.05.??"),
            ("?", "????.??.??"),
            ("", "????.??.??"),
            ("29.2.2000", "2000.02.29"),
        ];
        for (text, expected) in good {
            let expected = if text == expected { Repair::Good } else { Repair::To(expected.to_owned()) };
            assert_eq!(repair_date(text, None), expected, "{text}");
        }
        for text in [
            "1/5/1999",
            "5-6-1999",
            "1.5.99",
            "yesterday",
            "31.2.1999",
            "29.2.1999",
            "1999.13.01",
            "é",
            "13.13.1999",
        ] {
            assert!(
                matches!(repair_date(text, None), Repair::Unclear(_)),
                "{text}: {:?}",
                repair_date(text, None)
            );
        }
        let told = |order| repair_date("1/5/1999", Some(order));
        assert_eq!(told(DateOrder::DayFirst), Repair::To("1999.05.01".to_owned()));
        assert_eq!(told(DateOrder::MonthFirst), Repair::To("1999.01.05".to_owned()));
    }
}
