//! Deserialization of single values. Each may also be text, since the flags of the command line have no types.
//!
//! An error starts with the text that follows the key: `=x, expected a number`.

use super::game::parse_seconds;
use crate::notation::{Excerpt, TimeUnit, parse_count, parse_duration};
use serde::de::{Deserialize, Deserializer, Error};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use toml::Value;

fn shown<E: Error>(value: Value) -> Result<String, E> {
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
    text::<D, PathBuf>(deserializer).map(T::from)
}

/// Several words: a list, or one text with white space between them.
pub(super) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Array(list) => list.into_iter().map(shown).collect::<Result<_, _>>().map(Some),
        value => shown(value).map(|text: String| Some(text.split_whitespace().map(str::to_owned).collect())),
    }
}

/// Names and their values.
pub(super) fn options<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Table(table) => table.into_iter().map(|(name, value)| Ok((name, shown(value)?))).collect(),
        _ => Err(D::Error::custom(": no name, expected option.NAME=VALUE")),
    }
}

/// A value whose type states what it expects.
pub(super) fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = shown::<D::Error>(Value::deserialize(deserializer)?)?;
    let error = |error| D::Error::custom(format_args!("={}, {error}", Excerpt::new(&text)));
    text.trim().parse().map(Some).map_err(error)
}

/// A whole number, also with `k` or `M`.
pub(super) fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error> {
    read(deserializer, "a whole number from 0 up", number_of)
}

fn number_of<T: TryFrom<u64>>(text: &str) -> Option<T> {
    parse_count(text).ok()?.try_into().ok()
}

/// A number of things, at least one.
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

/// Seconds.
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
