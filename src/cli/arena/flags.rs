//! Flags with keys and values behind them, as other match runners have them.

use clap::builder::{ArgAction, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command};
use std::ffi::OsString;
use toml::{Table, Value};

/// The flags, as the tables from which a configuration is read.
#[derive(Clone, Default, Debug)]
pub(super) struct Flags(Table);

/// A flag that keys and values follow.
struct Group {
    name: &'static str,
    help: &'static str,
    /// The key that a value without a key belongs to.
    main: Option<&'static str>,
    /// Whether it may be given several times.
    is_repeated: bool,
}

const GROUPS: [Group; 8] = [
    group("engine", "An engine: `cmd=PROGRAM` and more; twice or more often", None),
    group("each", "Settings of all engines", None),
    group("openings", "The book of openings", Some("file")),
    group("sprt", "Stop as soon as a sequential test is decided", None),
    group("draw", "Rule for calling a game a draw", None),
    group("resign", "Rule for calling a game lost", None),
    group("pgn", "Write the games to this file, with these extras in their comments", Some("file")),
    group("timeouts", "Time limits of engines to start, to answer, to stop and to end", None),
];

const fn group(name: &'static str, help: &'static str, main: Option<&'static str>) -> Group {
    Group { name, help, main, is_repeated: matches!(name.as_bytes(), b"engine") }
}

/// Flags that one value follows.
const SINGLES: [(&str, &str, &str); 13] = [
    ("rounds", "N", "Pairings of every two engines [default: 1]"),
    ("games", "N", "Games on each opening: 1, or 2 with colors swapped"),
    ("concurrency", "N", "Games at a time [default: 1]"),
    ("tournament", "FORM", "roundrobin or gauntlet [default: roundrobin]"),
    ("variant", "NAME", "standard, fischerandom or dfrc [default: standard]"),
    ("seed", "N", "Determines random orders [default: of the time]"),
    ("maxmoves", "N", "Call a game a draw after this many moves"),
    ("report", "N", "Games between two reports [default: 10]"),
    ("state", "FILE", "Save the state there [default: the file of --pgn with .state]"),
    ("epd-out", "FILE", "Write the final positions to this file"),
    ("log", "FILE", "Log all engine communication to this file"),
    ("event", "TEXT", "The Event tag of games"),
    ("site", "TEXT", "The Site tag of games"),
];

/// The names that other match runners have for some of these.
const ALIASES: [(&str, &str); 4] =
    [("pgn", "pgnout"), ("seed", "srand"), ("report", "ratinginterval"), ("epd-out", "epdout")];

/// The key `report` and its flag, which also accepts the name of the key.
const RATING_INTERVAL: (&str, &str) = ("report", "rating-interval");

/// Flags of the command that are not part of the configuration.
const OTHERS: [&str; 5] = ["repeat", "config", "resume", "print-config", "json"];

/// The arguments of the process, but with two dashes before the flags of a match where there is one,
/// as other match runners have it.
pub(in crate::cli) fn with_two_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let is = |at: usize, word: &str| arguments.get(at).is_some_and(|argument| argument == word);
    if !is(1, "match") || is(2, "sprt") || is(2, "check") {
        return arguments;
    }
    for argument in &mut arguments {
        let name = argument.to_str().and_then(|text| text.strip_prefix('-'));
        let names = GROUPS.iter().map(|group| group.name).chain(SINGLES.map(|single| single.0));
        let names = names.chain(ALIASES.map(|alias| alias.1)).chain([RATING_INTERVAL.1]);
        let mut names = names.chain(OTHERS);
        if let Some(name) = name.filter(|name| names.any(|known| known == *name)) {
            *argument = format!("--{name}").into();
        }
    }
    arguments
}

fn with_alias(argument: Arg) -> Arg {
    match ALIASES.iter().find(|(name, _)| argument.get_id() == name) {
        Some((_, alias)) => argument.alias(alias),
        None => argument,
    }
}

impl clap::Args for Flags {
    fn augment_args(command: Command) -> Command {
        let groups = GROUPS.iter().map(|group| {
            Arg::new(group.name)
                .long(group.name)
                .help(group.help)
                .value_name(if group.main.is_some() { "FILE|KEY=VALUE" } else { "KEY=VALUE" })
                .num_args(1..)
                .value_parser(ValueParser::string())
                .action(ArgAction::Append)
        });
        let singles = SINGLES.iter().map(|&(name, value, help)| {
            let argument = Arg::new(name).value_name(value).help(help).value_parser(ValueParser::string());
            match RATING_INTERVAL {
                (key, flag) if key == name => argument.long(flag).alias(key),
                _ => argument.long(name),
            }
        });
        let repeat = Arg::new("repeat")
            .long("repeat")
            .help("Play each opening twice, with colors swapped")
            .action(ArgAction::SetTrue);
        command.args(groups.chain(singles).map(with_alias)).arg(repeat)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut table = Table::new();
        for group in &GROUPS {
            let Some(occurrences) = matches.get_occurrences::<String>(group.name) else { continue };
            let mut tables = Vec::new();
            for occurrence in occurrences {
                let entries = entries(group, occurrence).map_err(|problem| {
                    let text = format!("--{}: {problem}\n", group.name);
                    clap::Error::raw(ErrorKind::ValueValidation, text)
                })?;
                tables.push(entries);
            }
            let value = if group.is_repeated {
                Value::Array(tables.into_iter().map(Value::Table).collect())
            } else {
                let mut all = Table::new();
                tables.into_iter().for_each(|table| mix(&mut all, table));
                Value::Table(all)
            };
            table.insert(group.name.to_owned(), value);
        }
        for (name, ..) in SINGLES {
            if let Some(text) = matches.get_one::<String>(name) {
                table.insert(name.to_owned(), text.clone().into());
            }
        }
        if matches.get_flag("repeat") {
            table.insert("repeat".to_owned(), true.into());
        }
        Ok(Self(table))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Reads `key=value`, `option.NAME=value`, and words without a value: the value of the main key
/// first, then switches.
fn entries<'a>(group: &Group, words: impl Iterator<Item = &'a String>) -> Result<Table, String> {
    let mut table = Table::new();
    for word in words {
        let (key, value) = match (word.split_once('='), group.main) {
            (Some((key, value)), _) => (key, value),
            (None, Some(main)) if !table.contains_key(main) => (main, word.as_str()),
            (None, _) => (word.as_str(), "true"),
        };
        let (inner, key) = match key.split_once('.') {
            Some(("option", name)) => {
                let options = table.entry("option").or_insert_with(|| Table::new().into());
                (options.as_table_mut().ok_or("option has a value of its own")?, name)
            }
            _ => (&mut table, key),
        };
        if inner.insert(key.to_owned(), value.into()).is_some() {
            return Err(format!("{key} is given twice"));
        }
    }
    Ok(table)
}

/// Adds the values of `new`, which win where both have one; tables are merged key by key, lists joined.
fn mix(old: &mut Table, new: Table) {
    for (key, value) in new {
        match (old.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => mix(old, new),
            (Some(Value::Array(old)), Value::Array(new)) => old.extend(new),
            (_, value) => drop(old.insert(key, value)),
        }
    }
}

impl Flags {
    /// Whether no flag is given.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values of `base`, overridden by the flags; groups are merged key by key, engines added.
    pub(super) fn over(&self, base: Table) -> Table {
        let mut merged = base;
        mix(&mut merged, self.0.clone());
        if !merged.contains_key("seed") {
            let time = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
            merged.insert("seed".to_owned(), i64::from(time.subsec_nanos()).into());
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_dash_is_enough_for_flags_of_a_match() {
        let cases = [
            (
                "h match -engine cmd=a args=-x -repeat -pgnout f",
                "h match --engine cmd=a args=-x --repeat --pgnout f",
            ),
            ("h match --engine cmd=a -no-such -", "h match --engine cmd=a -no-such -"),
            ("h match check ./engine -log x", "h match check ./engine -log x"),
            ("h perft -json", "h perft -json"),
            ("h", "h"),
        ];
        for (given, expected) in cases {
            let found = with_two_dashes(given.split(' ').map(OsString::from));
            assert!(found.iter().eq(expected.split(' ')), "{given}: {found:?}");
        }
    }
}
