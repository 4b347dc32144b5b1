//! The UCI options of the engine, and the effect of setting them.

use super::{MAX_WARNINGS, Session};
use crate::engine::limits::NodeClock;
use crate::engine::resources::{LoadedTables, load_network, open_book};
use crate::engine::settings::Settings;
use crate::files::PathExcerpt;
use crate::notation::Excerpt;
use crate::search::{MAX_ELO, MAX_HASH_MIB, MAX_SKILL, MAX_THREADS, MIN_ELO, Parameter, Params, Searcher};
use crate::tablebase::MAX_PIECES;
use crate::uci::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// An option: its name, and its kind with the effect of setting it.
struct EngineOption {
    name: &'static str,
    action: Action,
}

/// The kind of an option and the effect of setting it.
enum Action {
    /// A flag of the settings, and an action of the session after it is set.
    Flag(fn(&mut Settings) -> &mut bool, fn(&mut Session)),
    /// A number of the settings.
    Number(Range, fn(&mut Settings, i64)),
    /// A number that the session may be unable to apply.
    Spin(Range, fn(&mut Session, i64) -> Result<(), String>),
    /// An action of the session.
    Button(fn(&mut Session)),
    /// A text that the session may be unable to apply, and its default.
    Text(&'static str, fn(&mut Session, &str) -> Result<(), String>),
}

/// The limits of a number, and its default, which is read from the default settings.
struct Range {
    default: fn(&Settings) -> i64,
    min: i64,
    max: i64,
}

/// The text of `UCI_EngineAbout`.
const ABOUT: &str = concat!(
    "Hematite ",
    env!("CARGO_PKG_VERSION"),
    " by the Hematite authors, free software under GPL-3.0-or-later"
);

/// The maximum of `MultiPV`: there are at most 218 legal moves.
const MAX_MULTI_PV: i64 = 256;
/// The maximum move overhead, in milliseconds.
const MAX_MOVE_OVERHEAD_MS: i64 = 10_000;
/// The maximum number of nodes per millisecond.
const MAX_NODES_TIME: i64 = 10_000;
/// The maximum contempt, in centipawns.
const MAX_CONTEMPT_CP: i64 = 200;
/// The maximum number of plies played from a book, which exceeds the longest opening.
const MAX_BOOK_PLIES: i64 = 1000;
/// The maximum of the minimum depth of tablebase probes, in plies.
const MAX_PROBE_DEPTH: i64 = 100;

/// All options, in the order in which they are declared.
const OPTIONS: [EngineOption; 28] = [
    spin("Hash", |s| s.hash_mib as i64, 1, MAX_HASH_MIB as i64, Session::set_hash),
    EngineOption { name: "Clear Hash", action: Action::Button(Session::clear_hash) },
    spin("Threads", |s| s.threads as i64, 1, MAX_THREADS as i64, Session::set_threads),
    number("MultiPV", |s| s.multi_pv as i64, 1, MAX_MULTI_PV, |s, lines| s.multi_pv = lines as usize),
    flag("Ponder", |s| &mut s.ponder),
    number(
        "Move Overhead",
        |s| s.move_overhead.as_millis() as i64,
        0,
        MAX_MOVE_OVERHEAD_MS,
        |s, milliseconds| s.move_overhead = Duration::from_millis(milliseconds as u64),
    ),
    spin("nodestime", |_| 0, 0, MAX_NODES_TIME, Session::set_nodes_time),
    number(
        "Contempt",
        |s| s.contempt.into(),
        -MAX_CONTEMPT_CP,
        MAX_CONTEMPT_CP,
        |s, cp| s.contempt = cp as i32,
    ),
    number("Skill Level", |s| s.skill.into(), 0, MAX_SKILL as i64, |s, skill| s.skill = skill as u32),
    flag("UCI_LimitStrength", |s| &mut s.is_limited),
    number("UCI_Elo", |s| s.elo.into(), MIN_ELO as i64, MAX_ELO as i64, |s, elo| s.elo = elo as u32),
    flag("UCI_Chess960", |s| &mut s.chess960),
    text("EvalFile", Session::load_network_file),
    flag("OwnBook", |s| &mut s.owns_book),
    text("BookFile", Session::load_book_file),
    number("BookDepth", |s| s.book_plies.into(), 1, MAX_BOOK_PLIES, |s, plies| s.book_plies = plies as u32),
    text("SyzygyPath", Session::load_tables),
    number(
        "SyzygyProbeDepth",
        |s| s.syzygy.probe_depth.into(),
        1,
        MAX_PROBE_DEPTH,
        |s, depth| {
            s.syzygy.probe_depth = depth as i32;
        },
    ),
    number(
        "SyzygyProbeLimit",
        |s| s.syzygy.probe_limit.into(),
        0,
        MAX_PIECES as i64,
        |s, men| {
            s.syzygy.probe_limit = men as u32;
        },
    ),
    EngineOption {
        name: "Syzygy50MoveRule",
        // Scores in the hash table depend on this option.
        action: Action::Flag(|s| &mut s.syzygy.fifty_move_rule, Session::clear_hash),
    },
    flag("UCI_ShowWDL", |s| &mut s.shows_wdl),
    flag("UCI_AnalyseMode", |s| &mut s.is_analyzing),
    flag("UCI_ShowCurrLine", |s| &mut s.show_currline),
    flag("UCI_ShowRefutations", |s| &mut s.show_refutations),
    text("UCI_Opponent", Session::note_opponent),
    EngineOption { name: "UCI_EngineAbout", action: Action::Text(ABOUT, Session::refuse_about) },
    flag("Minimal", |s| &mut s.is_minimal),
    text("Debug Log File", Session::keep_log),
];

const fn flag(name: &'static str, flag: fn(&mut Settings) -> &mut bool) -> EngineOption {
    EngineOption { name, action: Action::Flag(flag, |_| ()) }
}

const fn number(
    name: &'static str,
    default: fn(&Settings) -> i64,
    min: i64,
    max: i64,
    set: fn(&mut Settings, i64),
) -> EngineOption {
    EngineOption { name, action: Action::Number(Range { default, min, max }, set) }
}

const fn spin(
    name: &'static str,
    default: fn(&Settings) -> i64,
    min: i64,
    max: i64,
    apply: fn(&mut Session, i64) -> Result<(), String>,
) -> EngineOption {
    EngineOption { name, action: Action::Spin(Range { default, min, max }, apply) }
}

const fn text(name: &'static str, apply: fn(&mut Session, &str) -> Result<(), String>) -> EngineOption {
    EngineOption { name, action: Action::Text("", apply) }
}

impl EngineOption {
    /// The option with this name; case and spaces are ignored.
    fn named(name: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|option| same_name(option.name, name))
    }

    fn kind(&self) -> OptionKind {
        let mut settings = Settings::default();
        match &self.action {
            Action::Flag(flag, _) => OptionKind::Check { default: *flag(&mut settings) },
            Action::Number(Range { default, min, max }, _) | Action::Spin(Range { default, min, max }, _) => {
                OptionKind::Spin { default: default(&settings), min: *min, max: *max }
            }
            Action::Button(_) => OptionKind::Button,
            Action::Text(default, _) => OptionKind::Text { default: (*default).to_owned() },
        }
    }

    fn declaration(&self) -> OptionDeclaration {
        OptionDeclaration { name: self.name.to_owned(), kind: self.kind() }
    }
}

/// The declarations of all options.
pub fn declarations() -> impl Iterator<Item = OptionDeclaration> {
    OPTIONS.iter().map(EngineOption::declaration).chain(parameter_declarations())
}

impl Session {
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        let (name, result) = if let Some(parameter) = parameter_named(name) {
            (parameter.name, self.set_parameter(parameter, value))
        } else if let Some(option) = EngineOption::named(name) {
            (option.name, self.apply(option, value))
        } else {
            self.writer.info(format_args!("setoption: unknown option {}", Excerpt::new(name)));
            return;
        };
        if let Err(reason) = result {
            self.writer.info(format_args!("setoption: {name}: {reason}; not changed"));
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// The reason, if the value is invalid or cannot be applied; the former value is kept.
    fn apply(&mut self, option: &EngineOption, value: Option<&str>) -> Result<(), String> {
        let value = option.kind().parse_value(value).map_err(|error| error.to_string())?;
        match (&option.action, value) {
            (Action::Flag(flag, then), OptionValue::Check(is_on)) => {
                *flag(&mut self.settings) = is_on;
                then(self);
            }
            (Action::Number(_, set), OptionValue::Spin(number)) => set(&mut self.settings, number),
            (Action::Spin(_, apply), OptionValue::Spin(number)) => return apply(self, number),
            (Action::Button(press), OptionValue::Button) => press(self),
            (Action::Text(_, apply), OptionValue::Text(text)) => return apply(self, &text),
            _ => unreachable!("a value is of the kind of its option"),
        }
        Ok(())
    }

    fn set_hash(&mut self, mib: i64) -> Result<(), String> {
        let mib = mib as usize;
        self.searcher.run(move |searcher| searcher.set_hash(mib)).map_err(|error| error.to_string())?;
        self.settings.hash_mib = mib;
        Ok(())
    }

    fn clear_hash(&mut self) {
        self.searcher.run(Searcher::clear);
    }

    fn set_threads(&mut self, count: i64) -> Result<(), String> {
        let count = count as usize;
        self.searcher.run(move |searcher| searcher.set_threads(count)).map_err(|error| error.to_string())?;
        self.settings.threads = count;
        Ok(())
    }

    fn set_nodes_time(&mut self, nodes: i64) -> Result<(), String> {
        self.settings.nodes_time = NonZeroU64::new(nodes as u64);
        self.node_clock = NodeClock::default();
        Ok(())
    }

    fn load_network_file(&mut self, path: &str) -> Result<(), String> {
        let network = load_network(path).map_err(|error| error.to_string())?;
        self.network = Some(Arc::clone(&network));
        self.searcher.run(move |searcher| searcher.set_network(network));
        Ok(())
    }

    fn load_book_file(&mut self, path: &str) -> Result<(), String> {
        self.book = open_book(path).map_err(|error| error.to_string())?;
        if let Some(book) = &self.book {
            let (moves, positions) = (book.len(), book.positions());
            self.writer.info(format_args!("a book with {moves} moves for {positions} positions"));
        }
        Ok(())
    }

    fn load_tables(&mut self, path: &str) -> Result<(), String> {
        self.tables = if path.is_empty() { None } else { Some(LoadedTables::load(path)) };
        if let Some(loaded) = &self.tables {
            for fault in loaded.faults().iter().take(MAX_WARNINGS) {
                self.writer.info(format_args!("setoption: SyzygyPath: {fault}"));
            }
            if let Some(more) = loaded.faults().len().checked_sub(MAX_WARNINGS + 1) {
                self.writer.info(format_args!("setoption: SyzygyPath: and {} more like this", more + 1));
            }
            self.writer.info(loaded);
        }
        let tables = self.tables.as_ref().map(|loaded| Arc::clone(loaded.tables()));
        self.searcher.run(move |searcher| searcher.set_tablebase(tables));
        Ok(())
    }

    fn note_opponent(&mut self, opponent: &str) -> Result<(), String> {
        if self.is_debugging {
            self.writer.info(format_args!("the opponent: {}", Excerpt::new(opponent)));
        }
        Ok(())
    }

    fn refuse_about(&mut self, _: &str) -> Result<(), String> {
        self.writer.info("setoption: UCI_EngineAbout cannot be changed");
        Ok(())
    }

    fn keep_log(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.log.close();
        } else if let Err(error) = self.log.open(Path::new(path)) {
            let path = PathExcerpt::new(path);
            self.writer.info(format_args!(
                "setoption: Debug Log File: cannot write {path}: {error}; there is no log"
            ));
        }
        Ok(())
    }

    /// Sets a search parameter.
    ///
    /// # Errors
    /// The reason, if the value is invalid; the former value is kept.
    fn set_parameter(&mut self, parameter: &Parameter, value: Option<&str>) -> Result<(), String> {
        let value = parameter_value(parameter, value).map_err(|error| error.to_string())?;
        self.settings.params.set(parameter.name, value).map_err(|error| error.to_string())?;
        let params = self.settings.params;
        self.searcher.run(move |searcher| searcher.set_params(params));
        Ok(())
    }
}

/// The search parameters that can be set; none in builds in which they are constants.
fn parameters() -> &'static [Parameter] {
    if Params::CAN_BE_SET { Params::DECLARED } else { &[] }
}

/// The settable parameter with this name; case and spaces are ignored.
fn parameter_named(name: &str) -> Option<&'static Parameter> {
    parameters().iter().find(|parameter| same_name(parameter.name, name))
}

fn parameter_declarations() -> impl Iterator<Item = OptionDeclaration> {
    parameters().iter().map(|parameter| OptionDeclaration {
        name: parameter.name.to_owned(),
        kind: parameter_kind(parameter),
    })
}

/// Reads the value of a parameter.
///
/// # Errors
/// [`OptionError`] if the value is not a number in range.
fn parameter_value(parameter: &Parameter, text: Option<&str>) -> Result<i32, OptionError> {
    match parameter_kind(parameter).parse_value(text)? {
        OptionValue::Spin(value) => Ok(value as i32), // its limits are of this type
        _ => unreachable!("a spin option reads as a number"),
    }
}

fn parameter_kind(parameter: &Parameter) -> OptionKind {
    let Parameter { default, low, high, .. } = *parameter;
    OptionKind::Spin { default: default.into(), min: low.into(), max: high.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::io::{DebugLog, Writer};
    use crate::engine::session::Environment;
    use std::io;

    fn session() -> Session {
        let log = Arc::new(DebugLog::default());
        let writer = Arc::new(Writer::new(io::sink(), Arc::clone(&log)));
        Session::new(writer, log, Environment::default()).expect("memory and a thread")
    }

    fn apply(session: &mut Session, name: &str, value: Option<&str>) -> Result<(), String> {
        session.apply(EngineOption::named(name).expect(name), value)
    }

    #[test]
    fn every_default_is_a_value_of_its_option() {
        let mut session = session();
        for option in &OPTIONS {
            let default = match option.kind() {
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Button => None,
                OptionKind::Text { default } => Some(default),
                kind => panic!("{}: {kind:?} has no test", option.name),
            };
            assert_eq!(session.apply(option, default.as_deref()), Ok(()), "{}", option.name);
            assert_eq!(session.settings, Settings::default(), "{}", option.name);
        }
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        let cases = [
            ("hash", Some("Hash")),
            ("CLEAR HASH", Some("Clear Hash")),
            ("MoveOverhead", Some("Move Overhead")),
            ("uci_chess960", Some("UCI_Chess960")),
            ("multipv", Some("MultiPV")),
            ("evalfile", Some("EvalFile")),
            ("skilllevel", Some("Skill Level")),
            ("NodesTime", Some("nodestime")),
            ("Hashes", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(EngineOption::named(name).map(|option| option.name), expected, "{name}");
        }
    }

    #[test]
    fn values_are_set_or_refused() {
        let mut session = session();
        for (name, value) in [("MultiPV", "3"), ("UCI_Chess960", "True"), ("Hash", "2")] {
            assert_eq!(apply(&mut session, name, Some(value)), Ok(()), "{name}");
        }
        let expected = Settings { multi_pv: 3, chess960: true, hash_mib: 2, ..Settings::default() };
        assert_eq!(session.settings, expected);
        for (name, value) in [
            ("MultiPV", Some("0")),
            ("Move Overhead", Some("-1")),
            ("Hash", Some("1073741824")),
            ("Threads", None),
            ("Ponder", Some("perhaps")),
            ("UCI_Elo", Some("100")),
            ("Contempt", Some("-201")),
        ] {
            assert!(apply(&mut session, name, value).is_err(), "{name}: {value:?}");
        }
        assert_eq!(session.settings, expected);
    }

    // Search parameters

    #[test]
    fn parameters_are_options_only_where_they_can_be_set() {
        let expected = if Params::CAN_BE_SET { Params::DECLARED.len() } else { 0 };
        assert_eq!(parameter_declarations().count(), expected);
        assert_eq!(parameter_named("RFP_Margin").is_some(), Params::CAN_BE_SET);
        assert_eq!(parameter_named("no_such_thing"), None);
    }

    #[test]
    fn values_of_parameters_are_in_the_declared_range() {
        for parameter in Params::DECLARED {
            let Parameter { name, default, low, high, .. } = *parameter;
            let read = |number: i32| parameter_value(parameter, Some(&number.to_string())).ok();
            assert_eq!([low, default, high].map(read), [Some(low), Some(default), Some(high)], "{name}");
            assert_eq!([low - 1, high + 1].map(read), [None, None], "{name}");
            assert!(parameter_value(parameter, None).is_err(), "{name}");
        }
    }
}
