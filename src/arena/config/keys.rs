//! Tables whose every key must be known.

use super::PlanError;
use crate::notation::Excerpt;
use crate::uci::nearest;
use std::str::FromStr;
use toml::{Table, Value};

/// A table of which keys are taken one by one, until none may be left.
pub(super) struct Keys {
    group: Option<String>,
    table: Table,
    known: Vec<&'static str>,
}

impl Keys {
    pub(super) fn new(group: Option<&str>, table: Table) -> Self {
        Self { group: group.map(str::to_owned), table, known: Vec::new() }
    }

    /// The table behind a key, if there is one.
    pub(super) fn group(&mut self, key: &'static str) -> Result<Option<Self>, PlanError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Table(table)) => Ok(Some(Self::new(Some(key), table))),
            Some(_) => Err(self.error(format!("`{key}` is a single value, expected keys and values"))),
        }
    }

    pub(super) fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.table.remove(key)
    }

    /// The text of a value that is no table and no list.
    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<String>, PlanError> {
        self.take(key).map(|value| self.scalar(key, value)).transpose()
    }

    pub(super) fn scalar(&self, key: &str, value: Value) -> Result<String, PlanError> {
        match value {
            Value::String(text) => Ok(text),
            Value::Integer(number) => Ok(number.to_string()),
            Value::Float(number) => Ok(number.to_string()),
            Value::Boolean(is_true) => Ok(is_true.to_string()),
            _ => Err(self.error(format!("`{key}` is a list or a table, expected a single value"))),
        }
    }

    /// A value that `read` understands.
    pub(super) fn read<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, PlanError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let error = || self.error(format!("{key}={}, expected {expected}", Excerpt::new(&text)));
        read(text.trim()).map(Some).ok_or_else(error)
    }

    pub(super) fn parse<T: FromStr>(
        &mut self,
        key: &'static str,
        expected: &str,
    ) -> Result<Option<T>, PlanError> {
        self.read(key, expected, |text| text.parse().ok())
    }

    /// A number of things, at least one.
    pub(super) fn count<T: FromStr + PartialOrd + From<u8>>(
        &mut self,
        key: &'static str,
    ) -> Result<Option<T>, PlanError> {
        self.read(key, "a whole number from 1 up", |text| {
            text.parse().ok().filter(|number| *number >= T::from(1))
        })
    }

    pub(super) fn flag(&mut self, key: &'static str) -> Result<Option<bool>, PlanError> {
        self.read(key, "true or false", |text| match text {
            "true" | "on" | "1" | "" => Some(true),
            "false" | "off" | "0" => Some(false),
            _ => None,
        })
    }

    pub(super) fn error(&self, problem: String) -> PlanError {
        PlanError { group: self.group.clone(), problem }
    }

    /// What is left is not known.
    pub(super) fn finish(self) -> Result<(), PlanError> {
        let Some(key) = self.table.keys().next() else { return Ok(()) };
        // Only `option` has names behind a dot.
        let stem = key.split('.').next().unwrap_or(key);
        let hint = match nearest(stem, self.known.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}{}`?", &key[stem.len()..]),
            None => format!("expected one of {}", self.known.join(", ")),
        };
        Err(self.error(format!("unknown key {}, {hint}", Excerpt::new(key))))
    }
}
