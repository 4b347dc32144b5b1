//! The configuration of the engines of a match.

use crate::arena::game::{Limits, parse_period};
use crate::arena::scalar::{self, ConfigError};
use crate::client::{EngineConfig, InitialOption};
use crate::uci::same_name;
use crate::zone::Period;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use toml::{Table, Value};

/// The settings of an engine in a match, or of all engines.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Entrant {
    #[serde(rename = "cmd", deserialize_with = "scalar::text", skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(deserialize_with = "scalar::text", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(rename = "args", deserialize_with = "scalar::words", skip_serializing_if = "Option::is_none")]
    arguments: Option<Vec<String>>,
    #[serde(
        rename = "dir",
        deserialize_with = "scalar::path",
        serialize_with = "super::lossy_path",
        skip_serializing_if = "Option::is_none"
    )]
    directory: Option<PathBuf>,
    #[serde(
        rename = "option",
        deserialize_with = "scalar::options",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    options: BTreeMap<String, String>,
    #[serde(rename = "restart", deserialize_with = "scalar::flag", skip_serializing_if = "Option::is_none")]
    restarts: Option<bool>,
    #[serde(rename = "ponder", deserialize_with = "scalar::flag", skip_serializing_if = "Option::is_none")]
    ponders: Option<bool>,
    /// The protocol, which must be UCI.
    #[serde(rename = "proto", deserialize_with = "uci", skip_serializing)]
    _protocol: (),
    #[serde(
        rename = "tc",
        deserialize_with = "scalar::parsed",
        serialize_with = "shown",
        skip_serializing_if = "Option::is_none"
    )]
    clock: Option<ClockLimit>,
    #[serde(
        rename = "st",
        deserialize_with = "scalar::seconds::deserialize_some",
        serialize_with = "some_seconds",
        skip_serializing_if = "Option::is_none"
    )]
    move_time: Option<Duration>,
    #[serde(deserialize_with = "scalar::optional_count", skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(
        alias = "plies",
        deserialize_with = "scalar::optional_count",
        skip_serializing_if = "Option::is_none"
    )]
    depth: Option<u32>,
    #[serde(
        rename = "timemargin",
        deserialize_with = "scalar::milliseconds",
        serialize_with = "scalar::serialize_milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    margin: Option<Duration>,
    #[serde(rename = "whitepov", deserialize_with = "scalar::flag", skip_serializing_if = "Option::is_none")]
    scores_for_white: Option<bool>,
    #[serde(
        deserialize_with = "scalar::path",
        serialize_with = "super::lossy_path",
        skip_serializing_if = "Option::is_none"
    )]
    book: Option<PathBuf>,
    #[serde(
        rename = "bookdepth",
        deserialize_with = "scalar::optional_count",
        skip_serializing_if = "Option::is_none"
    )]
    book_depth: Option<usize>,
    #[serde(
        deserialize_with = "scalar::path",
        serialize_with = "super::lossy_path",
        skip_serializing_if = "Option::is_none"
    )]
    stderr: Option<PathBuf>,
}

/// A time control, or an explicit statement that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ClockLimit(Option<Period>);

impl FromStr for ClockLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "inf" | "infinite" => Ok(Self(None)),
            _ => parse_period(text)
                .map(|period| Self(Some(period)))
                .map_err(|error| format!("{error}, or inf")),
        }
    }
}

impl fmt::Display for ClockLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(control) => control.fmt(f),
            None => f.write_str("inf"),
        }
    }
}

fn shown<S: Serializer>(clock: &Option<ClockLimit>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&clock.unwrap_or(ClockLimit(None)))
}

fn some_seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    scalar::seconds::serialize(&time.unwrap_or_default(), serializer)
}

fn uci<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    let found: String = scalar::text(deserializer)?;
    if found == "uci" { Ok(()) } else { Err(D::Error::custom(format_args!("=`{found}`, expected uci"))) }
}

/// Reads the settings of all engines, and those of each engine.
pub(super) fn read(
    each: Option<Value>,
    engines: Option<Value>,
) -> Result<(Entrant, Vec<Entrant>), ConfigError> {
    let mut each = each.map_or_else(|| Ok(Entrant::default()), |value| Entrant::read("each", value))?;
    if each.name.is_some() || each.command.is_some() {
        return Err(ConfigError::in_group("each", "every engine has a name and a cmd of its own"));
    }
    let engines = match engines {
        None => Vec::new(),
        Some(Value::Array(engines)) => engines,
        Some(single) => vec![single],
    };
    let read = |(index, engine)| {
        let group = format!("engine {}", index + 1);
        let entrant = Entrant::read(&group, engine)?.or(&each);
        if entrant.command.is_none() {
            return Err(ConfigError::in_group(&group, "no cmd, expected cmd=PROGRAM"));
        }
        if !entrant.limits().is_limited() {
            return Err(ConfigError::in_group(&group, "no limit, expected one of tc, st, nodes, depth"));
        }
        if entrant.book_depth.is_some() && entrant.book.is_none() {
            return Err(ConfigError::in_group(&group, "bookdepth: no book, expected book=FILE"));
        }
        Ok(entrant)
    };
    let engines: Vec<Entrant> = engines.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
    if engines.len() < 2 {
        return Err(ConfigError::in_group(
            "engine",
            format_args!("{} given, expected 2 or more", engines.len()),
        ));
    }
    // All other settings of `each` have been copied to the engines.
    each = Entrant { options: each.options, ..Entrant::default() };
    Ok((each, engines))
}

impl Entrant {
    fn read(group: &str, value: Value) -> Result<Self, ConfigError> {
        let Value::Table(table): Value = value else {
            return Err(ConfigError::in_group(group, "a single value, expected keys and values"));
        };
        Table::try_into(table).map_err(|error| ConfigError::of_table(Some(group), &error))
    }

    /// Whether no setting is stated.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These settings, completed by those of all engines except options, which stay separate. Limits of different kinds
    /// exclude each other, so an engine with any limit of its own takes no limits from `each`.
    fn or(self, each: &Self) -> Self {
        let has_limits =
            self.clock.is_some() || self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some();
        let limits = if has_limits { &self } else { each };
        let (clock, move_time, nodes, depth) = (limits.clock, limits.move_time, limits.nodes, limits.depth);
        Self {
            arguments: self.arguments.or_else(|| each.arguments.clone()),
            directory: self.directory.or_else(|| each.directory.clone()),
            restarts: self.restarts.or(each.restarts),
            ponders: self.ponders.or(each.ponders),
            margin: self.margin.or(each.margin),
            scores_for_white: self.scores_for_white.or(each.scores_for_white),
            book: self.book.or_else(|| each.book.clone()),
            book_depth: self.book_depth.or(each.book_depth),
            stderr: self.stderr.or_else(|| each.stderr.clone()),
            clock,
            move_time,
            nodes,
            depth,
            ..self
        }
    }

    /// The limits of the engine's searches.
    pub fn limits(&self) -> Limits {
        Limits {
            clock: self.clock.and_then(|clock| clock.0),
            move_time: self.move_time,
            nodes: self.nodes,
            depth: self.depth,
            margin: self.margin.unwrap_or_default(),
        }
    }

    /// The program and its options: those of the engine, which it must have, and those of `each`.
    pub(super) fn settings(&self, each: &Self) -> EngineConfig {
        // Engines treat names that differ only in case as equal.
        let is_own = |name: &str| self.options.keys().any(|own| same_name(own, name));
        let option = |(name, value): (&String, &String), is_required| InitialOption {
            name: name.clone(),
            value: value.clone(),
            is_required,
        };
        let shared = each.options.iter().filter(|(name, _)| !is_own(name)).map(|entry| option(entry, false));
        let own = self.options.iter().map(|entry| option(entry, true));
        let mut options: Vec<InitialOption> = shared.chain(own).collect();
        options.sort_by(|a, b| a.name.cmp(&b.name));
        EngineConfig {
            name: self.name.clone(),
            command: self.command.clone().unwrap_or_default(),
            arguments: self.arguments.clone().unwrap_or_default(),
            directory: self.directory.clone(),
            options,
            stderr: self.stderr.clone(),
            restarts: self.restarts.unwrap_or_default(),
            ponders: self.ponders.unwrap_or_default(),
        }
    }

    /// Whether the engine is restarted for each game.
    pub fn restarts(&self) -> bool {
        self.restarts.unwrap_or_default()
    }

    /// Whether the engine always states scores from White's point of view.
    pub fn scores_for_white(&self) -> bool {
        self.scores_for_white.unwrap_or_default()
    }

    /// The Polyglot book for the engine's first moves.
    pub fn book(&self) -> Option<&Path> {
        self.book.as_deref()
    }

    /// The number of full moves of a game during which the engine uses its book; `None` for all.
    pub const fn book_depth(&self) -> Option<usize> {
        self.book_depth
    }

    /// The file for the engine's standard error.
    pub(super) fn stderr(&self) -> Option<&Path> {
        self.stderr.as_deref()
    }

    /// Whether the engine ponders.
    pub fn ponders(&self) -> bool {
        self.ponders.unwrap_or_default()
    }
}
