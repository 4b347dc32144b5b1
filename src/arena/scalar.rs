//! Deserialization of single values, and errors in terms of keys. A value may also be text, since the flags of the
//! command line have no types.
//!
//! An error of a value starts with the text that follows the key: `=x, expected a number`.

use super::game::parse_seconds;
use crate::notation::{Excerpt, TimeUnit, parse_count, parse_duration};
use crate::uci::nearest;
use serde::de::{Deserialize, Deserializer, Error as _};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;
use toml::Value;

fn shown<E: serde::de::Error>(value: Value) -> Result<String, E> {
    match value {
        Value::String(text) => Ok(text),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(is_true) => Ok(is_true.to_string()),
        _ => Err(E::custom(" is a list or a table, expected a single value")),
    }
}

fn read<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: impl Display,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<T, D::Error> {
    let text = shown(Value::deserialize(deserializer)?)?;
    let error = || D::Error::custom(format_args!("={}, expected {expected}", Excerpt::new(&text)));
    read(text.trim()).ok_or_else(error)
}

pub(super) fn text<'de, D: Deserializer<'de>, T: From<String>>(deserializer: D) -> Result<T, D::Error> {
    shown(Value::deserialize(deserializer)?).map(T::from)
}

pub(super) fn path<'de, D: Deserializer<'de>, T: From<PathBuf>>(deserializer: D) -> Result<T, D::Error> {
    read(deserializer, "the path of a file", |text| (!text.is_empty()).then(|| PathBuf::from(text).into()))
}

/// Several words: a list, or a text in which they are separated by white space.
pub(super) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Array(list) => list.into_iter().map(shown).collect::<Result<_, _>>().map(Some),
        value => shown(value).map(|text: String| Some(text.split_whitespace().map(str::to_owned).collect())),
    }
}

/// Option names and their values.
pub(super) fn options<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Table(table) => table.into_iter().map(|(name, value)| Ok((name, shown(value)?))).collect(),
        _ => Err(D::Error::custom(": no name, expected option.NAME=VALUE")),
    }
}

/// A value whose type states the expected text in its error.
pub(super) fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = shown::<D::Error>(Value::deserialize(deserializer)?)?;
    let error = |error| D::Error::custom(format_args!("={}, {error}", Excerpt::new(&text)));
    text.trim().parse().map(Some).map_err(error)
}

/// An integer, optionally with the suffix `k` or `M`.
pub(super) fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error> {
    read(deserializer, "a whole number from 0 up", number_of)
}

fn number_of<T: TryFrom<u64>>(text: &str) -> Option<T> {
    parse_count(text).ok()?.try_into().ok()
}

/// A number of at least one.
pub(super) fn count<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64> + PartialOrd + From<u8>,
{
    read(deserializer, "a whole number from 1 up", |text| {
        number_of(text).filter(|number| *number >= T::from(1))
    })
}

pub(super) fn optional_count<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64> + PartialOrd + From<u8>,
{
    count(deserializer).map(Some)
}

/// An optional number; 0 means no limit.
pub(super) fn limit<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: TryFrom<u64> + PartialOrd + From<u8>,
{
    whole(deserializer).map(|number: T| Some(number).filter(|number| *number >= T::from(1)))
}

/// The number of repetitions: a number, or true for two and false for one.
pub(super) fn repetitions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    read(deserializer, "true, false or a whole number from 1 up", |text| match text {
        "true" | "on" | "" => Some(2),
        "false" | "off" => Some(1),
        _ => number_of(text).filter(|&number| number >= 1),
    })
    .map(Some)
}

pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    read(deserializer, "a number", |text| text.parse().ok())
}

pub(super) fn flag<'de, D: Deserializer<'de>, T: From<bool>>(deserializer: D) -> Result<T, D::Error> {
    read(deserializer, "true or false", |text| match text {
        "true" | "on" | "1" | "" => Some(true.into()),
        "false" | "off" | "0" => Some(false.into()),
        _ => None,
    })
}

pub(super) fn milliseconds<'de, D: Deserializer<'de>, T: From<Duration>>(
    deserializer: D,
) -> Result<T, D::Error> {
    read(deserializer, "a number of milliseconds, or a time such as 50ms or 2s", |text| {
        parse_duration(text, TimeUnit::Milliseconds).ok().map(T::from)
    })
}

pub(super) fn serialize_milliseconds<S: serde::Serializer>(
    time: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.unwrap_or_default().as_millis() as u64)
}

/// Times in seconds.
pub(super) mod seconds {
    use super::{Deserializer, Duration, parse_seconds, read};
    use serde::Serializer;

    const EXPECTED: &str = "a number of seconds, or a time such as 500ms, 20s or 2m";

    pub(in crate::arena) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        read(deserializer, EXPECTED, parse_seconds)
    }

    pub(in crate::arena) fn deserialize_some<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        read(deserializer, EXPECTED, |text| parse_seconds(text).filter(|time| !time.is_zero()).map(Some))
    }

    pub(in crate::arena) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }
}

/// A key or a value that is not valid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

impl ConfigError {
    /// An error in a group, such as `engine 2`.
    pub(super) fn in_group(group: &str, problem: impl std::fmt::Display) -> Self {
        Self(format!("{group}: {problem}"))
    }

    /// An error in the table of the key `group`.
    pub(super) fn of_table(group: Option<&str>, error: &toml::de::Error) -> Self {
        // The keys are available only in the text.
        let text = error.to_string();
        let path = text.strip_prefix(error.message()).and_then(|rest| rest.trim().strip_prefix("in `"));
        let mut keys: Vec<&str> = group.into_iter().collect();
        keys.extend(
            path.and_then(|path| path.strip_suffix('`')).into_iter().flat_map(|path| path.split('.')),
        );
        let problem = problem(error.message(), &mut keys);
        match keys[..] {
            [] => Self(problem),
            _ => Self::in_group(&keys.join("."), problem),
        }
    }
}

/// The problem as a message of this program. The last key is removed if the message contains it.
fn problem(message: &str, keys: &mut Vec<&str>) -> String {
    let quoted = |text| str::split(text, '`').skip(1).step_by(2).collect::<Vec<_>>();
    if let Some(found) = message.strip_prefix("unknown field `") {
        let (found, known) = found.split_once("`, ").unwrap_or((found, ""));
        return unknown_key(found, &quoted(known));
    }
    if message.starts_with("missing field") {
        let key = quoted(message).concat();
        return format!("no {key}, expected {key}=VALUE");
    }
    if message.starts_with([':', '=', ' ']) {
        return format!("{}{message}", keys.pop().unwrap_or_default());
    }
    if let Some(found) = message.strip_prefix("unknown variant `") {
        let (found, known) = found.split_once("`, ").unwrap_or((found, ""));
        let known = quoted(known);
        let expected = match &known[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            all => all.concat(),
        };
        let key = keys.pop().unwrap_or_default();
        return format!("{key}={}, expected {expected}", Excerpt::new(found));
    }
    if message.starts_with("invalid type") && message.contains("expected struct") {
        return format!("`{}` is a single value, expected keys and values", keys.pop().unwrap_or_default());
    }
    if message.starts_with("invalid type") {
        return format!("`{}` is not text", keys.pop().unwrap_or_default());
    }
    message.to_owned()
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    // Only `option` is followed by a name after a period.
    let stem = key.split('.').next().unwrap_or(key);
    let hint = match nearest(stem, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}{}`?", &key[stem.len()..]),
        None => format!("expected one of {}", known.join(", ")),
    };
    format!("unknown key {}, {hint}", Excerpt::new(key))
}
