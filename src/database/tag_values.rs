//! The expected forms of tag values.

use crate::notation::pgn::GameResult;
use crate::zone::TimeControl;

/// Whether a text contains only characters that are allowed in the name of a tag.
pub fn is_tag_name(name: &[u8]) -> bool {
    name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The expected form of a value of the tag with this name; `None` if the value has it, or any value is allowed.
pub fn expected_tag_value(name: &[u8], text: &[u8]) -> Option<&'static str> {
    let (is_right, expected) = match name {
        b"Date" | b"EventDate" | b"UTCDate" | b"EndDate" => {
            (is_date(text), "a date such as 1992.11.04 or 1992.??.??")
        }
        b"Time" | b"UTCTime" | b"StartTime" | b"EndTime" => (is_time(text), "a time such as 17:30:00"),
        b"ECO" => (is_eco(text), "a code from A00 to E99"),
        b"TimeControl" => (is_time_control(text), "a time control such as 40/7200:3600, 300+2 or -"),
        b"Termination" => (is_termination(text), "normal, time forfeit or another of the standard's words"),
        b"WhiteTitle" | b"BlackTitle" => (is_title(text), "a title such as GM, or -"),
        b"Result" => (
            GameResult::ALL.into_iter().any(|result| result.as_str().as_bytes() == text),
            "1-0, 0-1, 1/2-1/2 or *",
        ),
        b"SetUp" => (matches!(text, b"0" | b"1"), "0 or 1"),
        b"WhiteElo" | b"BlackElo" => (is_elo(text), "a number below 5000, or -"),
        b"WhiteUSCF" | b"BlackUSCF" => (is_of_each(text, is_number_or_unknown), "a number, or -"),
        b"WhiteType" | b"BlackType" => (is_of_each(text, is_player_type), "human or program"),
        b"Mode" => (is_mode(text), "OTB, PM, EM, ICS or TC"),
        b"Board" => (is_number_or_unknown(text), "a number"),
        b"PlyCount" => (number(text).is_some(), "a number"),
        _ => return None,
    };
    (!is_right).then_some(expected)
}

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Whether the value means "unknown" or "none".
fn is_unknown(text: &[u8]) -> bool {
    matches!(text, b"" | b"?" | b"-")
}

fn is_number_or_unknown(text: &[u8]) -> bool {
    is_unknown(text) || number(text).is_some()
}

/// Whether each player's value has this form: in consultation games, values are separated by colons (9.1).
fn is_of_each(text: &[u8], is_form: fn(&[u8]) -> bool) -> bool {
    text.split(|&byte| byte == b':').all(is_form)
}

fn is_player_type(text: &[u8]) -> bool {
    is_unknown(text) || matches!(text, b"human" | b"program")
}

/// Whether the value is a playing mode: over the board, by paper mail, by electronic mail, on a server, by general
/// telecommunication.
fn is_mode(text: &[u8]) -> bool {
    is_unknown(text) || matches!(text, b"OTB" | b"PM" | b"EM" | b"ICS" | b"TC")
}

/// Whether the value is a calendar day such as 1992.11.04, with question marks for unknown digits.
fn is_date(text: &[u8]) -> bool {
    const FORM: &[u8] = b"0000.00.00";
    let has_form = text.len() == FORM.len()
        && text.iter().zip(FORM).all(|(&found, &form)| match form {
            b'.' => found == b'.',
            _ => found.is_ascii_digit() || found == b'?',
        });
    if !has_form {
        return false;
    }
    let field = |first: usize| match (text[first], text[first + 1]) {
        (b'?', _) | (_, b'?') => None,
        (tens, ones) => Some((tens - b'0') * 10 + (ones - b'0')),
    };
    // If a field is unknown, the most permissive value is assumed: a leap year, a month of 31 days.
    let is_leap_year = match (field(0), field(2)) {
        (Some(century), Some(0)) => century % 4 == 0,
        (_, Some(year)) => year % 4 == 0,
        (_, None) => true,
    };
    let days = match field(5) {
        Some(1 | 3 | 5 | 7 | 8 | 10 | 12) | None => 31,
        Some(4 | 6 | 9 | 11) => 30,
        Some(2) => 28 + u8::from(is_leap_year),
        Some(_) => return false,
    };
    field(8).is_none_or(|day| (1..=days).contains(&day))
}

/// Whether the value is a time of day such as 17:30:00, with question marks for unknown digits.
fn is_time(text: &[u8]) -> bool {
    let is_below = |tens: u8, ones: u8, limit: u8| match (tens, ones) {
        (b'?', b'?') => true,
        (b'0'..=b'9', b'0'..=b'9') => (tens - b'0') * 10 + (ones - b'0') < limit,
        _ => false,
    };
    match *text {
        [h, hh, b':', m, mm] => is_below(h, hh, 24) && is_below(m, mm, 60),
        [h, hh, b':', m, mm, b':', s, ss] => {
            is_below(h, hh, 24) && is_below(m, mm, 60) && is_below(s, ss, 60)
        }
        _ => is_unknown(text),
    }
}

/// Whether the value is a code such as B90, optionally with the standard's `/` and two digits, or with the letter and
/// digits that some databases add.
fn is_eco(text: &[u8]) -> bool {
    let is_extension = |rest: &[u8]| match rest {
        [] => true,
        [b'/', rest @ ..] => rest.len() == 2 && rest.iter().all(u8::is_ascii_digit),
        [letter, rest @ ..] => {
            letter.is_ascii_lowercase() && rest.len() <= 1 && rest.iter().all(u8::is_ascii_digit)
        }
    };
    is_unknown(text)
        || matches!(text, [b'A'..=b'E', tens, ones, rest @ ..]
            if tens.is_ascii_digit() && ones.is_ascii_digit() && is_extension(rest))
}

/// Whether the value is a time control of the standard (9.6.1): fields of moves, seconds and increments, separated by
/// colons. Decimals occur in engine matches. Delays, which are marked by letters, are not part of the standard.
fn is_time_control(text: &[u8]) -> bool {
    // Nearly all values are like 300 or 300+2.
    let is_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let seconds = text.iter().position(|&byte| byte == b'+').unwrap_or(text.len());
    if is_digits(&text[..seconds]) && (seconds == text.len() || is_digits(&text[seconds + 1..])) {
        return true;
    }
    let is_read = |text: &str| !text.contains(char::is_alphabetic) && text.parse::<TimeControl>().is_ok();
    is_unknown(text) || std::str::from_utf8(text).is_ok_and(is_read)
}

/// Whether the value is a word of the standard (9.8.1), in any case, or one that match programs write.
fn is_termination(text: &[u8]) -> bool {
    const WORDS: [&str; 11] = [
        "abandoned",
        "adjudication",
        "death",
        "emergency",
        "normal",
        "rules infraction",
        "time forfeit",
        "unterminated",
        "illegal move",
        "stalled connection",
        "disconnect",
    ];
    is_unknown(text) || WORDS.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the value is a title of a few capital letters; in consultation games, one for each player.
fn is_title(text: &[u8]) -> bool {
    is_of_each(text, |text| {
        is_unknown(text) || (2..=4).contains(&text.len()) && text.iter().all(u8::is_ascii_uppercase)
    })
}

/// Whether the value is a rating; in consultation games, one for each player.
fn is_elo(text: &[u8]) -> bool {
    const MAX_ELO: usize = 4999;
    is_of_each(text, |text| {
        is_unknown(text)
            || text.iter().all(u8::is_ascii_digit) && number(text).is_some_and(|elo| elo <= MAX_ELO)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_forms() {
        type Form = fn(&[u8]) -> bool;
        let cases: [(Form, &[&str], &[&str]); 9] = [
            (
                is_date,
                &["2024.02.29", "????.??.??", "1992.??.??", "2023.??.31", "19??.02.29"],
                &["2023.02.29", "2024.13.45", "2024.00.10", "2024.01.00", "2024-01-01", "2024.1.1", "?"],
            ),
            (is_time, &["23:59:59", "17:30", "??:??:??", "?"], &["99:99:99", "24:00:00", "noon", "1:2:3"]),
            (
                is_eco,
                &["A00", "E99", "B90/01", "C42a1", "?", "-"],
                &["Q77", "B9", "F00", "b90", "B90//", "B90xyz"],
            ),
            (
                is_time_control,
                &[
                    "?",
                    "-",
                    "40/9000",
                    "300",
                    "4500+60",
                    "*180",
                    "40/7200:3600",
                    "180+2",
                    "10+0.1",
                    "1/86400",
                ],
                &["soon", "90min", "40/", "+2", "5|3", "3:+", "300d5", "300b5", "40/7200:900d5", "?:300d5"],
            ),
            (is_termination, &["normal", "Time forfeit", "abandoned"], &["x won by resignation"]),
            (
                is_title,
                &["GM", "WGM", "BOT", "-", "", "GM:-:IM"],
                &["grandmaster", "g", "Gm", "GM:Gm", "GM;IM"],
            ),
            (
                is_elo,
                &["2700", "-", "?", "", "2600:2600", "2600:-"],
                &["99999", "+5", "strong", "2700.5", "2600:99999"],
            ),
            (is_player_type, &["human", "program", "?"], &["alien", "Human"]),
            (is_mode, &["OTB", "ICS", "-"], &["XX", "otb"]),
        ];
        for (form, good, bad) in cases {
            for text in good {
                assert!(form(text.as_bytes()), "{text}");
            }
            for text in bad {
                assert!(!form(text.as_bytes()), "{text}");
            }
        }
    }
}
