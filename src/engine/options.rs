//! The UCI options of the engine.

use super::about::ABOUT;
use super::strength::{MAX_ELO, MAX_SKILL, MIN_ELO, Strength};
use crate::search::{EndgameUse, MAX_HASH_MIB, MAX_THREADS, Parameter, Params, Preferences, Score};
use crate::tablebase::MAX_MEN;
use crate::uci::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};
use std::num::NonZeroU64;
use std::time::Duration;

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EngineOption {
    Hash,
    ClearHash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    NodesTime,
    Contempt,
    SkillLevel,
    LimitStrength,
    Elo,
    Chess960,
    EvalFile,
    OwnBook,
    BookFile,
    BookDepth,
    SyzygyPath,
    SyzygyProbeDepth,
    SyzygyProbeLimit,
    SyzygyFiftyMoves,
    ShowWdl,
    AnalyseMode,
    ShowCurrentLine,
    ShowRefutations,
    Opponent,
    EngineAbout,
    Minimal,
    DebugLogFile,
}

/// A value that was found fit for an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The hash table is to have this many MiB.
    Hash(usize),
    /// The hash table and all that was learned are to be forgotten.
    ClearHash,
    /// As many threads are to search.
    Threads(usize),
    /// Positions are to be evaluated with the network in this file, or as they are without one if it is empty.
    EvalFile(String),
    /// Openings are to be played by the book in this file, or by none if it is empty.
    BookFile(String),
    /// Endgame tables are to be read from these folders, or none if it is empty.
    Endgames(String),
    /// What is a win in endgame tables is another now.
    EndgameRule,
    /// The game has another clock now.
    Clock,
    /// The opponent is this one.
    Opponent(String),
    /// All that is heard and said is to be written to this file, or to none if it has no name.
    DebugLog(String),
    /// The option only tells something.
    Fixed,
    /// The settings have been changed already, nothing is to be done.
    Noted,
}

/// The most lines that may be asked for: there are at most 218 legal moves.
const MAX_MULTI_PV: i64 = 256;
/// The longest move overhead, in milliseconds.
const MAX_MOVE_OVERHEAD_MS: i64 = 10_000;
/// The most nodes that may count for a millisecond.
const MAX_NODES_TIME: i64 = 10_000;
/// The most that may be given to avoid a draw, or to reach it, in centipawns.
const MAX_CONTEMPT_CP: i64 = 200;
/// The most plies that may be played by a book: more than the longest opening.
const MAX_BOOK_PLIES: i64 = 1000;
/// The most plies that may have to be left for a look into endgame tables.
const MAX_PROBE_DEPTH: i64 = 100;

impl EngineOption {
    /// In the order in which they are declared.
    pub(super) const ALL: [Self; 28] = [
        Self::Hash,
        Self::ClearHash,
        Self::Threads,
        Self::MultiPv,
        Self::Ponder,
        Self::MoveOverhead,
        Self::NodesTime,
        Self::Contempt,
        Self::SkillLevel,
        Self::LimitStrength,
        Self::Elo,
        Self::Chess960,
        Self::EvalFile,
        Self::OwnBook,
        Self::BookFile,
        Self::BookDepth,
        Self::SyzygyPath,
        Self::SyzygyProbeDepth,
        Self::SyzygyProbeLimit,
        Self::SyzygyFiftyMoves,
        Self::ShowWdl,
        Self::AnalyseMode,
        Self::ShowCurrentLine,
        Self::ShowRefutations,
        Self::Opponent,
        Self::EngineAbout,
        Self::Minimal,
        Self::DebugLogFile,
    ];

    /// The option with this name, in any case and with or without spaces.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| same_name(option.name(), name))
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Hash => "Hash",
            Self::ClearHash => "Clear Hash",
            Self::Threads => "Threads",
            Self::MultiPv => "MultiPV",
            Self::Ponder => "Ponder",
            Self::MoveOverhead => "Move Overhead",
            Self::NodesTime => "nodestime",
            Self::Contempt => "Contempt",
            Self::SkillLevel => "Skill Level",
            Self::LimitStrength => "UCI_LimitStrength",
            Self::Elo => "UCI_Elo",
            Self::Chess960 => "UCI_Chess960",
            Self::EvalFile => "EvalFile",
            Self::OwnBook => "OwnBook",
            Self::BookFile => "BookFile",
            Self::BookDepth => "BookDepth",
            Self::SyzygyPath => "SyzygyPath",
            Self::SyzygyProbeDepth => "SyzygyProbeDepth",
            Self::SyzygyProbeLimit => "SyzygyProbeLimit",
            Self::SyzygyFiftyMoves => "Syzygy50MoveRule",
            Self::ShowWdl => "UCI_ShowWDL",
            Self::AnalyseMode => "UCI_AnalyseMode",
            Self::ShowCurrentLine => "UCI_ShowCurrLine",
            Self::ShowRefutations => "UCI_ShowRefutations",
            Self::Opponent => "UCI_Opponent",
            Self::EngineAbout => "UCI_EngineAbout",
            Self::Minimal => "Minimal",
            Self::DebugLogFile => "Debug Log File",
        }
    }

    fn kind(self) -> OptionKind {
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let check = |default| OptionKind::Check { default };
        let settings = Settings::default();
        match self {
            Self::Hash => spin(settings.hash_mib as i64, 1, MAX_HASH_MIB as i64),
            Self::ClearHash => OptionKind::Button,
            Self::Threads => spin(settings.threads as i64, 1, MAX_THREADS as i64),
            Self::MultiPv => spin(settings.multi_pv as i64, 1, MAX_MULTI_PV),
            Self::Ponder => check(settings.ponder),
            Self::MoveOverhead => spin(settings.move_overhead.as_millis() as i64, 0, MAX_MOVE_OVERHEAD_MS),
            Self::NodesTime => spin(0, 0, MAX_NODES_TIME),
            Self::Contempt => spin(i64::from(settings.contempt), -MAX_CONTEMPT_CP, MAX_CONTEMPT_CP),
            Self::SkillLevel => spin(i64::from(settings.skill), 0, i64::from(MAX_SKILL)),
            Self::LimitStrength => check(settings.is_limited),
            Self::Elo => spin(i64::from(settings.elo), i64::from(MIN_ELO), i64::from(MAX_ELO)),
            Self::Chess960 => check(settings.chess960),
            Self::OwnBook => check(settings.owns_book),
            Self::BookDepth => spin(i64::from(settings.book_plies), 1, MAX_BOOK_PLIES),
            Self::SyzygyProbeDepth => spin(i64::from(settings.endgames.min_depth), 1, MAX_PROBE_DEPTH),
            Self::SyzygyProbeLimit => spin(i64::from(settings.endgames.max_men), 0, i64::from(MAX_MEN)),
            Self::SyzygyFiftyMoves => check(settings.endgames.keeps_fifty_moves),
            Self::ShowWdl => check(settings.shows_wdl),
            Self::AnalyseMode => check(settings.is_analyzing),
            Self::ShowCurrentLine => check(settings.shows_current_line),
            Self::ShowRefutations => check(settings.shows_refutations),
            Self::EngineAbout => OptionKind::Text { default: ABOUT.to_owned() },
            Self::Minimal => check(settings.is_minimal),
            Self::Opponent | Self::DebugLogFile | Self::EvalFile | Self::BookFile | Self::SyzygyPath => {
                OptionKind::Text { default: String::new() }
            }
        }
    }

    /// The line that declares the option.
    pub(super) fn declaration(self) -> OptionDeclaration {
        OptionDeclaration { name: self.name().to_owned(), kind: self.kind() }
    }
}

/// What the options are set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    /// Size of the hash table, in MiB.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many of the best lines are shown.
    pub multi_pv: usize,
    /// Will the GUI let the engine ponder? Nothing depends on it: `go ponder` tells.
    pub ponder: bool,
    /// Kept back of each time limit.
    pub move_overhead: Duration,
    /// Nodes that count for a millisecond of the clock; `None` where time is time.
    pub nodes_time: Option<NonZeroU64>,
    /// By how much a draw is worse than nothing, in centipawns.
    pub contempt: i32,
    /// From 0 to [`MAX_SKILL`], which is not limited.
    pub skill: u32,
    /// Is the strength limited to `elo`?
    pub is_limited: bool,
    /// The strength to play with if it is limited.
    pub elo: u32,
    /// Is castling written as king takes rook?
    pub chess960: bool,
    /// Does the engine play openings by its book?
    pub owns_book: bool,
    /// So many plies of a game at most are played by the book.
    pub book_plies: u32,
    /// How endgame tables are used, if there are any.
    pub endgames: EndgameUse,
    /// Do scores tell chances, too?
    pub shows_wdl: bool,
    /// Is there no game, only somebody who wants to know the truth?
    pub is_analyzing: bool,
    /// Is it told which line is being looked at?
    pub shows_current_line: bool,
    /// Is it told how moves are refuted?
    pub shows_refutations: bool,
    /// Are only the last lines of a search told?
    pub is_minimal: bool,
    /// The numbers that steer the search.
    pub params: Params,
}

impl Default for Settings {
    /// Before anything is set.
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(10),
            nodes_time: None,
            contempt: 0,
            skill: MAX_SKILL,
            is_limited: false,
            elo: MAX_ELO,
            chess960: false,
            owns_book: false,
            book_plies: 255,
            endgames: EndgameUse::default(),
            shows_wdl: false,
            is_analyzing: false,
            shows_current_line: false,
            shows_refutations: false,
            is_minimal: false,
            params: Params::default(),
        }
    }
}

impl Settings {
    /// How strong to play; `None` for as strong as can be.
    pub(super) fn strength(&self) -> Option<Strength> {
        if self.is_limited { Some(Strength::of_elo(self.elo)) } else { Strength::of_skill(self.skill) }
    }

    /// How every search is to be done. Who analyzes wants the truth, so there is no contempt then.
    pub(super) fn preferences(&self) -> Preferences {
        Preferences {
            contempt: if self.is_analyzing { 0 } else { Score::from_told(self.contempt).value() },
            nodes_per_millisecond: self.nodes_time,
            tells_current_line: self.shows_current_line && !self.is_minimal,
            tells_refutations: self.shows_refutations && !self.is_minimal,
            endgames: self.endgames,
        }
    }

    /// Reads a value for an option and notes it. What needs the searcher is left to the
    /// caller, who also notes it, if the searcher can do it.
    ///
    /// # Errors
    /// [`OptionError`] if the value is none for this option; nothing is changed.
    pub(super) fn set(&mut self, option: EngineOption, value: Option<&str>) -> Result<Change, OptionError> {
        let value = option.kind().parse_value(value)?;
        let signed = match value {
            OptionValue::Spin(number) => number,
            _ => 0,
        };
        let number = || usize::try_from(signed).unwrap_or_default();
        let is_on = || matches!(value, OptionValue::Check(true));
        let text = || match &value {
            OptionValue::Text(text) => text.clone(),
            _ => String::new(),
        };
        match option {
            EngineOption::Hash => return Ok(Change::Hash(number())),
            EngineOption::ClearHash => return Ok(Change::ClearHash),
            EngineOption::Threads => return Ok(Change::Threads(number())),
            EngineOption::EvalFile => {
                let OptionValue::Text(path) = value else { unreachable!("a text option reads as text") };
                return Ok(Change::EvalFile(path));
            }
            EngineOption::OwnBook => self.owns_book = is_on(),
            EngineOption::BookFile => return Ok(Change::BookFile(text())),
            EngineOption::BookDepth => self.book_plies = signed as u32,
            EngineOption::SyzygyPath => return Ok(Change::Endgames(text())),
            EngineOption::SyzygyProbeDepth => self.endgames.min_depth = signed as i32,
            EngineOption::SyzygyProbeLimit => self.endgames.max_men = signed as u32,
            EngineOption::SyzygyFiftyMoves => {
                self.endgames.keeps_fifty_moves = is_on();
                return Ok(Change::EndgameRule);
            }
            EngineOption::MultiPv => self.multi_pv = number(),
            EngineOption::Ponder => self.ponder = is_on(),
            EngineOption::MoveOverhead => self.move_overhead = Duration::from_millis(number() as u64),
            EngineOption::NodesTime => {
                self.nodes_time = NonZeroU64::new(number() as u64);
                return Ok(Change::Clock);
            }
            EngineOption::Contempt => self.contempt = signed as i32,
            EngineOption::SkillLevel => self.skill = signed as u32,
            EngineOption::LimitStrength => self.is_limited = is_on(),
            EngineOption::Elo => self.elo = signed as u32,
            EngineOption::Chess960 => self.chess960 = is_on(),
            EngineOption::ShowWdl => self.shows_wdl = is_on(),
            EngineOption::AnalyseMode => self.is_analyzing = is_on(),
            EngineOption::ShowCurrentLine => self.shows_current_line = is_on(),
            EngineOption::ShowRefutations => self.shows_refutations = is_on(),
            EngineOption::Opponent => return Ok(Change::Opponent(text())),
            EngineOption::EngineAbout => return Ok(Change::Fixed),
            EngineOption::Minimal => self.is_minimal = is_on(),
            EngineOption::DebugLogFile => return Ok(Change::DebugLog(text())),
        }
        Ok(Change::Noted)
    }
}

/// The parameters that can be set; none if they are constants.
fn parameters() -> &'static [Parameter] {
    if Params::CAN_BE_SET { Params::DECLARED } else { &[] }
}

/// The parameter that can be set by this name, in any case and with or without spaces.
pub(super) fn parameter_named(name: &str) -> Option<&'static Parameter> {
    parameters().iter().find(|parameter| same_name(parameter.name, name))
}

/// The lines that declare the parameters that can be set.
pub(super) fn parameter_declarations() -> impl Iterator<Item = OptionDeclaration> {
    parameters().iter().map(|parameter| OptionDeclaration {
        name: parameter.name.to_owned(),
        kind: parameter_kind(parameter),
    })
}

/// Reads the value of a parameter.
///
/// # Errors
/// [`OptionError`] if it is none, or out of range.
pub(super) fn parameter_value(parameter: &Parameter, text: Option<&str>) -> Result<i32, OptionError> {
    match parameter_kind(parameter).parse_value(text)? {
        OptionValue::Spin(value) => Ok(value as i32), // its range is one of such numbers
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

    // Options

    #[test]
    fn every_default_is_a_value_of_its_option() {
        for option in EngineOption::ALL {
            let default = match option.kind() {
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Button => None,
                OptionKind::Text { default } => Some(default.clone()),
                kind => panic!("{}: {kind:?} has no test", option.name()),
            };
            let mut settings = Settings::default();
            assert_eq!(settings.set(option, default.as_deref()).err(), None, "{}", option.name());
            assert_eq!(settings, Settings::default(), "{}", option.name());
        }
    }

    #[test]
    fn strength_is_limited_by_elo_or_else_by_skill() {
        let mut settings = Settings::default();
        assert_eq!(settings.strength(), None);
        let cases = [
            (EngineOption::Elo, "1600", None),
            (EngineOption::LimitStrength, "true", Some(Strength::of_elo(1600))),
            (EngineOption::SkillLevel, "0", Some(Strength::of_elo(1600))),
            (EngineOption::LimitStrength, "false", Strength::of_skill(0)),
            (EngineOption::SkillLevel, "20", None),
        ];
        for (option, value, expected) in cases {
            assert_eq!(settings.set(option, Some(value)), Ok(Change::Noted));
            assert_eq!(settings.strength(), expected, "{} {value}", option.name());
        }
    }

    #[test]
    fn who_analyzes_has_no_contempt() {
        let settings = Settings { contempt: 20, is_analyzing: true, ..Settings::default() };
        assert_eq!(settings.preferences(), Preferences::default());
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        let cases = [
            ("hash", Some(EngineOption::Hash)),
            ("CLEAR HASH", Some(EngineOption::ClearHash)),
            ("MoveOverhead", Some(EngineOption::MoveOverhead)),
            ("uci_chess960", Some(EngineOption::Chess960)),
            ("multipv", Some(EngineOption::MultiPv)),
            ("evalfile", Some(EngineOption::EvalFile)),
            ("skilllevel", Some(EngineOption::SkillLevel)),
            ("NodesTime", Some(EngineOption::NodesTime)),
            ("Hashes", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(EngineOption::named(name), expected, "{name}");
        }
    }

    #[test]
    fn values_are_noted_or_refused() {
        let mut settings = Settings::default();
        assert_eq!(settings.set(EngineOption::MultiPv, Some("3")), Ok(Change::Noted));
        assert_eq!(settings.set(EngineOption::Chess960, Some("True")), Ok(Change::Noted));
        assert_eq!(settings.set(EngineOption::Hash, Some("64")), Ok(Change::Hash(64)));
        assert_eq!(settings, Settings { multi_pv: 3, chess960: true, ..Settings::default() });
        let before = settings.clone();
        for (option, value) in [
            (EngineOption::MultiPv, Some("0")),
            (EngineOption::MoveOverhead, Some("-1")),
            (EngineOption::Hash, Some("1073741824")),
            (EngineOption::Threads, None),
            (EngineOption::Ponder, Some("perhaps")),
            (EngineOption::Elo, Some("100")),
            (EngineOption::Contempt, Some("-201")),
        ] {
            assert!(settings.set(option, value).is_err(), "{}: {value:?}", option.name());
        }
        assert_eq!(settings, before);
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
    fn values_are_in_the_range_that_is_declared() {
        for parameter in Params::DECLARED {
            let Parameter { name, default, low, high, .. } = *parameter;
            let read = |number: i32| parameter_value(parameter, Some(&number.to_string())).ok();
            assert_eq!([low, default, high].map(read), [Some(low), Some(default), Some(high)], "{name}");
            assert_eq!([low - 1, high + 1].map(read), [None, None], "{name}");
            assert!(parameter_value(parameter, None).is_err(), "{name}");
        }
    }
}
