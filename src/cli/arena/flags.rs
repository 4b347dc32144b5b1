//! Flags followed by keys and values, as in other match runners.

use crate::notation::Excerpt;
use crate::uci::nearest;
use clap::builder::{ArgAction, ValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::Table;

/// The flags, as the tables from which a configuration is read.
#[derive(Clone, Default, Debug)]
pub(super) struct Flags {
    settings: Table,
    config: Option<PathBuf>,
    resume: Option<PathBuf>,
}

/// A flag that is followed by keys and values.
struct Group {
    name: &'static str,
    help: &'static str,
    /// The key of a value that is written without a key.
    main: Option<&'static str>,
    kind: Kind,
    /// Keys of other match runners that are not part of the configuration.
    fixed: &'static [Fixed],
}

/// The form in which a group is added to the configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A table of the configuration.
    Table,
    /// A list of tables, one for each time the flag is given.
    List,
    /// The value of the main key.
    Single,
    /// Nothing: only fixed keys.
    Nothing,
}

/// A key whose accepted values state the behavior of the program, which cannot be changed.
struct Fixed {
    key: &'static str,
    /// The accepted values.
    taken: &'static [&'static str],
    /// The reason why other values are refused; `None` if they are part of the configuration.
    reason: Option<&'static str>,
}

const fn fixed(key: &'static str, taken: &'static [&'static str], reason: &'static str) -> Fixed {
    Fixed { key, taken, reason: Some(reason) }
}

const APPEND: Fixed = fixed("append", &["true"], "no file is overwritten, expected true");

const ENGINE_KEYS: &[Fixed] = &[
    Fixed { key: "restart", taken: &["auto"], reason: None },
    fixed("trust", &["true", "false"], "a UCI engine claims no results, expected true or false"),
    fixed("conf", &[], "there is no list of engines, expected cmd=PROGRAM"),
    fixed("initstr", &[], "only options are sent, expected option.NAME=VALUE"),
];

const GROUPS: [Group; 14] = [
    group("engine", "An engine: `cmd=PROGRAM` and more; twice or more often", Kind::List, ENGINE_KEYS),
    group("each", "Settings of all engines", Kind::Table, ENGINE_KEYS),
    file("openings", "The book of openings", Kind::Table, &[]),
    group("sprt", "Stop as soon as a sequential test is decided", Kind::Table, &[]),
    group("draw", "Rule for calling a game a draw", Kind::Table, &[]),
    group("resign", "Rule for calling a game lost", Kind::Table, &[]),
    file(
        "pgn",
        "Write the games to this file, with these extras in their comments",
        Kind::Table,
        &[
            APPEND,
            fixed("notation", &["san"], "moves are written in SAN, expected san"),
            fixed("fi", &["true"], "only finished games are written, expected true"),
            fixed(
                "match_line",
                &[],
                "lines of engines are not kept, expected --log FILE for all communication",
            ),
        ],
    ),
    group("timeouts", "Time limits of engines to start, to answer, to stop and to end", Kind::Table, &[]),
    file("epd-out", "Write the final positions to this file", Kind::Single, &[APPEND]),
    file(
        "log",
        "Log all engine communication to this file",
        Kind::Single,
        &[
            APPEND,
            fixed("level", &["trace"], "the log has all communication, expected trace"),
            fixed("engine", &["true"], "the log has all communication, expected true"),
            fixed("realtime", &["true", "false"], "expected true or false"),
            fixed("compress", &["false"], "the log is plain text, expected false"),
        ],
    ),
    file("state", "Save the state there [default: the file of --pgn with .state]", Kind::Single, &[]),
    file(
        "config",
        "Read this TOML file first, `-` for standard input; the command line overrides it",
        Kind::Single,
        &[
            fixed("outname", &[], "the state is saved elsewhere, expected --state FILE"),
            fixed("discard", &["false"], "the file is read, expected false"),
            fixed("stats", &["true"], "a match continues with all its games, expected true"),
        ],
    ),
    file("resume", "Resume the match saved in this file", Kind::Single, &[]),
    group(
        "output",
        "The format of the report",
        Kind::Nothing,
        &[fixed("format", &["fastchess"], "the report has the format of fastchess, expected fastchess")],
    ),
];

const fn group(name: &'static str, help: &'static str, kind: Kind, fixed: &'static [Fixed]) -> Group {
    Group { name, help, main: None, kind, fixed }
}

/// A group whose first value may be the path of a file.
const fn file(name: &'static str, help: &'static str, kind: Kind, fixed: &'static [Fixed]) -> Group {
    Group { name, help, main: Some("file"), kind, fixed }
}

/// The group of a key of the configuration whose flag has another meaning in other match runners.
const REPORT: Group = Group {
    name: "report",
    help: "Games between two reports, 0 for none [default: 10]",
    main: Some("games"),
    kind: Kind::Single,
    fixed: &[fixed("penta", &["true"], "pairs are reported where openings are repeated, expected true")],
};

/// The flag of [`REPORT`].
const RATING_INTERVAL: &str = "rating-interval";

/// Flags that are followed by one value.
const SINGLES: [(&str, &str, &str); 15] = [
    ("rounds", "N", "Encounters of every two engines [default: 1]"),
    (
        "games",
        "N",
        "Games of an encounter, a multiple of --repeat; without it, all on one opening [default: --repeat or 1]",
    ),
    ("concurrency", "N", "Games at a time [default: 1]"),
    ("tournament", "FORM", "roundrobin, gauntlet, pyramid or knockout [default: roundrobin]"),
    ("seeds", "N", "Engines that play all others in a gauntlet, or are seeded in a knockout"),
    ("variant", "NAME", "standard, fischerandom or dfrc [default: standard]"),
    ("seed", "N", "Determines random orders [default: of the time]"),
    ("maxmoves", "N", "Call a game a draw after this many moves, 0 for never"),
    ("tb", "FOLDERS", "End games by Syzygy endgame tables"),
    ("tbpieces", "N", "Ask the tables only about positions of at most N men"),
    (
        "tbadjudicate",
        "WHAT",
        "The results with which tables end games: both, win_loss or draw [default: both]",
    ),
    ("wait", "MILLISECONDS", "The pause between two games"),
    ("event", "TEXT", "The Event tag of games"),
    ("site", "TEXT", "The Site tag of games"),
    ("repeat", "N", "Games on each opening, colors swapped from game to game [default: 1; without N: 2]"),
];

/// Flags without a value.
const SWITCHES: [(&str, &str); 3] = [
    ("noswap", "Keep colors from game to game"),
    ("reverse", "Give White to the second engine first"),
    ("tbignore50", "Let endgame tables decide without the 50-move rule"),
];

/// The names of some of these flags in other match runners.
const ALIASES: [(&str, &str); 6] = [
    ("pgn", "pgnout"),
    ("seed", "srand"),
    ("report", "report"),
    ("report", "ratinginterval"),
    ("epd-out", "epdout"),
    ("epd-out", "fenout"),
];

/// Flags of other match runners with a time limit in milliseconds, and the corresponding keys of `--timeouts`.
const MILLISECONDS: [(&str, &str); 3] =
    [("startup-ms", "start"), ("ping-ms", "ping"), ("ucinewgame-ms", "ping")];

/// The value of a flag that states the fixed behavior of the program.
enum Value {
    Nothing,
    Number,
    Word(&'static [&'static str]),
}

/// Flags of other match runners that ask for the fixed behavior of the program: engines are restarted after a fault,
/// the state is saved after each pairing.
const ALWAYS: [(&str, Value); 5] = [
    ("recover", Value::Nothing),
    ("force-concurrency", Value::Nothing),
    ("autosaveinterval", Value::Number),
    ("scoreinterval", Value::Number),
    ("bookmode", Value::Word(&["ram", "disk"])),
];

/// Flags of other match runners that are refused, with advice on what to use instead.
const REFUSED: [(&str, &str); 20] = [
    ("use-affinity", "engines are not bound to processors; expected `taskset` before the command"),
    ("debug", "nothing is printed between reports; expected --log FILE for all communication"),
    ("quick", "there are no ready-made settings; expected --engine, --each and --openings"),
    ("engines", "there is no list of engines; expected --engine cmd=PROGRAM"),
    ("crc32", "no checksum of the games is made; expected `cksum` on the file of --pgn"),
    ("show-latency", "the report has no latency; expected --pgn FILE latency"),
    ("check-mate-pvs", "lines that end in mate are not checked; expected `hematite match check`"),
    ("testEnv", "there is only one form of output; expected --json for programs"),
    ("strict", "warnings do not end a match; expected `hematite match check`"),
    ("compliance", "a match checks no protocol; expected `hematite match check PROGRAM`"),
    ("outcomeinterval", "outcomes are printed at the end, expected --rating-interval N"),
    ("resultformat", "the report has one format; expected --json for programs"),
    ("livepgnout", "games are written when they are over; expected --pgn FILE"),
    ("tournamentfile", "expected --state FILE, and --resume FILE to continue"),
    ("ecopgn", "opening names are built in; expected no file of them"),
    ("bergerschedule", "a round robin has one order; expected --tournament roundrobin"),
    ("kfactor", "ratings do not depend on the order of games; expected no factor"),
    ("startpos", "expected --openings FILE with a line of FEN"),
    ("protocols", "engines speak UCI; expected no other protocol"),
    ("version", "expected `hematite --version`"),
];

/// The arguments of the process in the form that the parser expects: flags of a match with one dash, as in other match
/// runners, get a second dash, and each of several time limits of `match check` gets a flag.
pub(in crate::cli) fn with_two_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let is = |at: usize, word: &str| arguments.get(at).is_some_and(|argument| argument == word);
    if !is(1, "match") {
        return arguments;
    }
    if is(2, "check") {
        return of_check(arguments);
    }
    arguments.iter_mut().for_each(add_dash);
    arguments
}

/// Adds a dash to a flag that has only one, known or not, so that an error states its whole name. Single letters and
/// numbers are unchanged.
fn add_dash(argument: &mut OsString) {
    let name = argument.to_str().and_then(|text| text.strip_prefix('-'));
    let is_name =
        |name: &&str| name.len() > 1 && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if let Some(name) = name.filter(is_name) {
        *argument = format!("--{name}").into();
    }
}

/// The arguments of `match check`, with `--timeouts a=1 --timeouts b=2` for `--timeouts a=1 b=2`. The engine and its
/// arguments are unchanged.
fn of_check(arguments: Vec<OsString>) -> Vec<OsString> {
    const FLAG: &str = "--timeouts";
    const WITH_VALUE: [&str; 5] = [FLAG, "--dir", "--log", "--patience", "--stop"];
    let mut result = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.into_iter().peekable();
    // The program, `match` and `check`.
    result.extend(arguments.by_ref().take(3));
    let is_flag = |word: &OsString| word.to_str().is_some_and(|text| text.starts_with('-'));
    while let Some(mut flag) = arguments.next_if(is_flag) {
        add_dash(&mut flag);
        let has_value = WITH_VALUE.iter().any(|known| flag == *known);
        let is_timeouts = flag == FLAG;
        result.push(flag);
        if has_value {
            result.extend(arguments.next());
        }
        let is_limit =
            |word: &OsString| !is_flag(word) && word.to_str().is_some_and(|text| text.contains('='));
        while is_timeouts && let Some(limit) = arguments.next_if(is_limit) {
            result.extend([OsString::from(FLAG), limit]);
        }
    }
    result.extend(arguments);
    result
}

fn with_aliases(argument: Arg) -> Arg {
    let aliases: Vec<&str> =
        ALIASES.iter().filter(|(name, _)| argument.get_id() == name).map(|(_, alias)| *alias).collect();
    argument.aliases(aliases)
}

impl clap::Args for Flags {
    fn augment_args(command: Command) -> Command {
        let groups = GROUPS.iter().chain([&REPORT]).map(|group| {
            let argument = Arg::new(group.name)
                .long(if group.name == REPORT.name { RATING_INTERVAL } else { group.name })
                .help(group.help)
                .value_name(match group.main {
                    Some("file") if group.kind == Kind::Table => "FILE|KEY=VALUE",
                    Some("file") => "FILE",
                    Some(_) => "N",
                    None => "KEY=VALUE",
                })
                .num_args(1..)
                .value_parser(ValueParser::string())
                .action(ArgAction::Append)
                .hide(group.kind == Kind::Nothing);
            if group.name == "resume" { argument.conflicts_with("config") } else { argument }
        });
        let singles = SINGLES.iter().map(|&(name, value, help)| {
            let argument =
                Arg::new(name).long(name).value_name(value).help(help).value_parser(ValueParser::string());
            if name == "repeat" { argument.num_args(0..=1).default_missing_value("2") } else { argument }
        });
        let switch = |name| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let switches = SWITCHES.iter().map(|&(name, help)| switch(name).help(help));
        let text = |name| Arg::new(name).long(name).value_parser(ValueParser::string()).hide(true);
        let milliseconds = MILLISECONDS.iter().map(|&(name, _)| text(name));
        let always = ALWAYS.iter().map(|(name, value)| match value {
            Value::Nothing => switch(name).hide(true),
            Value::Number | Value::Word(_) => text(name),
        });
        let refused = REFUSED.iter().map(|&(name, _)| text(name).num_args(0..).action(ArgAction::Append));
        let all = groups.chain(singles).chain(switches).chain(milliseconds).chain(always).chain(refused);
        command.args(all.map(with_aliases))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Self::read(matches).map_err(|problem| clap::Error::raw(ErrorKind::ValueValidation, problem + "\n"))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Group {
    /// The tables of the settings, one for each time the flag is given, without the fixed keys.
    fn read(&self, matches: &ArgMatches) -> Result<Vec<Table>, String> {
        let occurrences = matches.get_occurrences::<String>(self.name).into_iter().flatten();
        let read = |words| self.entries(words).and_then(|table| self.without_fixed(table));
        let tables: Result<Vec<Table>, String> = occurrences.map(read).collect();
        tables.map_err(|problem| format!("--{}: {problem}", self.name))
    }

    /// Reads `key=value`, `option.NAME=value`, and words without a value: the first one is the value of the main key,
    /// the others are switches.
    fn entries<'a>(&self, words: impl Iterator<Item = &'a String>) -> Result<Table, String> {
        let mut table = Table::new();
        for word in words {
            let (key, value) = match (word.split_once('='), self.main) {
                (Some((key, value)), _) => (key, value),
                (None, Some(main)) if !table.contains_key(main) => (main, word.as_str()),
                (None, _) => (word.as_str(), "true"),
            };
            // Such a word is one argument, and may be repeated any number of times.
            if key == "arg" && self.fixed.iter().any(|fixed| fixed.key == "conf") {
                let arguments = table.entry("args").or_insert_with(|| Vec::<toml::Value>::new().into());
                arguments.as_array_mut().ok_or("args and arg are both given")?.push(value.into());
                continue;
            }
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

    /// Removes the keys that are not part of the configuration. If the group is not a table of the configuration, which
    /// checks its keys itself, only the main key may remain.
    fn without_fixed(&self, mut table: Table) -> Result<Table, String> {
        for Fixed { key, taken, reason } in self.fixed {
            let Some(value) = table.get(*key).and_then(toml::Value::as_str) else { continue };
            if taken.contains(&value) {
                table.remove(*key);
            } else if let Some(reason) = reason {
                return Err(format!("{key}={}: {reason}", Excerpt::new(value)));
            }
        }
        if matches!(self.kind, Kind::Single | Kind::Nothing)
            && let Some(key) = table.keys().find(|key| Some(key.as_str()) != self.main)
        {
            let known: Vec<&str> =
                self.main.into_iter().chain(self.fixed.iter().map(|fixed| fixed.key)).collect();
            let hint = match nearest(key, known.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("expected one of {}", known.join(", ")),
            };
            return Err(format!("unknown key {}, {hint}", Excerpt::new(key)));
        }
        Ok(table)
    }

    /// The value of the main key; `None` if the flag is absent.
    fn single(&self, matches: &ArgMatches) -> Result<Option<String>, String> {
        let mut tables = self.read(matches)?;
        tables.retain(|table| !table.is_empty());
        if tables.len() > 1 {
            return Err(format!("--{}: given {} times, expected once", self.name, tables.len()));
        }
        let main = self.main.and_then(|main| tables.first()?.get(main)).and_then(toml::Value::as_str);
        match main {
            Some("") => {
                Err(format!("--{}: {}=``, expected a value", self.name, self.main.unwrap_or_default()))
            }
            main => Ok(main.map(str::to_owned)),
        }
    }
}

/// Adds the values of `new`, which override those of `old`; tables are merged key by key, lists are joined.
fn mix(old: &mut Table, new: Table) {
    for (key, value) in new {
        match (old.get_mut(&key), value) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => mix(old, new),
            (Some(toml::Value::Array(old)), toml::Value::Array(new)) => old.extend(new),
            (_, value) => drop(old.insert(key, value)),
        }
    }
}

impl Flags {
    fn read(matches: &ArgMatches) -> Result<Self, String> {
        let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        if let Some((name, reason)) = REFUSED.iter().find(|(name, _)| given(name)) {
            return Err(format!("--{name}: {reason}"));
        }
        let mut settings = Table::new();
        for group in &GROUPS {
            let tables = group.read(matches)?;
            let value: toml::Value = match group.kind {
                _ if tables.is_empty() => continue,
                Kind::List => tables.into(),
                Kind::Table => {
                    let mut all = Table::new();
                    tables.into_iter().for_each(|table| mix(&mut all, table));
                    all.into()
                }
                Kind::Single | Kind::Nothing => continue,
            };
            settings.insert(group.name.to_owned(), value);
        }
        let (mut config, mut resume) = (None, None);
        for group in GROUPS.iter().chain([&REPORT]).filter(|group| group.kind == Kind::Single) {
            let Some(value) = group.single(matches)? else { continue };
            match group.name {
                "config" => config = Some(value.into()),
                "resume" => resume = Some(value.into()),
                name => drop(settings.insert(name.to_owned(), value.into())),
            }
        }
        for (name, ..) in SINGLES {
            if let Some(text) = matches.get_one::<String>(name).filter(|_| given(name)) {
                settings.insert(name.to_owned(), text.clone().into());
            }
        }
        for (name, _) in SWITCHES.iter().filter(|(name, _)| matches.get_flag(name)) {
            settings.insert((*name).to_owned(), true.into());
        }
        read_milliseconds(matches, &mut settings)?;
        for (name, expected) in &ALWAYS {
            let (Value::Number | Value::Word(_)) = expected else { continue };
            let Some(value) = matches.get_one::<String>(name) else { continue };
            let value = value.as_str();
            match expected {
                Value::Number if value.parse::<u64>().is_err() => {
                    return Err(format!("--{name}: {}, expected a whole number", Excerpt::new(value)));
                }
                Value::Word(words) if !words.contains(&value) => {
                    let words = words.join(" or ");
                    return Err(format!("--{name}: {}, expected {words}", Excerpt::new(value)));
                }
                _ => {}
            }
        }
        Ok(Self { settings, config, resume })
    }

    /// Whether no setting is given.
    pub(super) fn is_empty(&self) -> bool {
        self.settings.is_empty()
    }

    /// The configuration file.
    pub(super) fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The file of the match to resume.
    pub(super) fn resume(&self) -> Option<&Path> {
        self.resume.as_deref()
    }

    /// The values of `base`, overridden by the flags; groups are merged key by key, engines are added.
    pub(super) fn over(&self, base: Table) -> Table {
        let mut merged = base;
        mix(&mut merged, self.settings.clone());
        if !merged.contains_key("seed") {
            let time = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
            merged.insert("seed".to_owned(), i64::from(time.subsec_nanos()).into());
        }
        merged
    }
}

/// Adds the time limits in milliseconds. Where several flags set the same limit, the longest time is used.
fn read_milliseconds(matches: &ArgMatches, settings: &mut Table) -> Result<(), String> {
    let mut limits: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, key) in MILLISECONDS {
        let Some(text) = matches.get_one::<String>(name) else { continue };
        let problem = || format!("--{name}: {}, expected a number of milliseconds", Excerpt::new(text));
        let number: u64 = text.parse().map_err(|_| problem())?;
        let limit = limits.entry(key).or_default();
        *limit = number.max(*limit);
    }
    if limits.is_empty() {
        return Ok(());
    }
    let timeouts = settings.entry("timeouts").or_insert_with(|| Table::new().into());
    let Some(timeouts) = timeouts.as_table_mut() else { return Ok(()) };
    for (key, number) in limits {
        timeouts.entry(key).or_insert_with(|| format!("{number}ms").into());
    }
    Ok(())
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
            ("h match --engine cmd=a -no-such -x -", "h match --engine cmd=a --no-such -x -"),
            (
                "h match check -log x --timeouts a=1 b=2 ./engine --timeouts c=3 d=4",
                "h match check --log x --timeouts a=1 --timeouts b=2 ./engine --timeouts c=3 d=4",
            ),
            ("h match sprt -elo0 -5 -elo1 5", "h match sprt --elo0 -5 --elo1 5"),
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
