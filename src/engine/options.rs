//! The options of the engine.

use crate::search::{MAX_HASH_MIB, MAX_THREADS};
use crate::uci::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};
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
    Chess960,
    EvalFile,
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
    /// The settings have been changed already, nothing is to be done.
    Noted,
}

/// The most lines that may be asked for: there are at most 218 legal moves.
const MAX_MULTI_PV: i64 = 256;
/// The longest move overhead, in milliseconds.
const MAX_MOVE_OVERHEAD_MS: i64 = 10_000;

impl EngineOption {
    /// In the order in which they are declared.
    pub(super) const ALL: [Self; 8] = [
        Self::Hash,
        Self::ClearHash,
        Self::Threads,
        Self::MultiPv,
        Self::Ponder,
        Self::MoveOverhead,
        Self::Chess960,
        Self::EvalFile,
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
            Self::Chess960 => "UCI_Chess960",
            Self::EvalFile => "EvalFile",
        }
    }

    fn kind(self) -> OptionKind {
        match self {
            Self::Hash => OptionKind::Spin {
                default: Settings::DEFAULT.hash_mib as i64,
                min: 1,
                max: MAX_HASH_MIB as i64,
            },
            Self::ClearHash => OptionKind::Button,
            Self::Threads => OptionKind::Spin {
                default: Settings::DEFAULT.threads as i64,
                min: 1,
                max: MAX_THREADS as i64,
            },
            Self::MultiPv => {
                OptionKind::Spin { default: Settings::DEFAULT.multi_pv as i64, min: 1, max: MAX_MULTI_PV }
            }
            Self::Ponder => OptionKind::Check { default: Settings::DEFAULT.ponder },
            Self::MoveOverhead => OptionKind::Spin {
                default: Settings::DEFAULT.move_overhead.as_millis() as i64,
                min: 0,
                max: MAX_MOVE_OVERHEAD_MS,
            },
            Self::Chess960 => OptionKind::Check { default: Settings::DEFAULT.chess960 },
            Self::EvalFile => OptionKind::Text { default: String::new() },
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
    /// Is castling written as king takes rook?
    pub chess960: bool,
}

impl Settings {
    /// Before anything is set.
    pub(super) const DEFAULT: Self = Self {
        hash_mib: 16,
        threads: 1,
        multi_pv: 1,
        ponder: false,
        move_overhead: Duration::from_millis(10),
        chess960: false,
    };

    /// Reads a value for an option and notes it. What needs the searcher is left to the
    /// caller, who also notes it, if the searcher can do it.
    ///
    /// # Errors
    /// [`OptionError`] if the value is none for this option; nothing is changed.
    pub(super) fn set(&mut self, option: EngineOption, value: Option<&str>) -> Result<Change, OptionError> {
        let value = option.kind().parse_value(value)?;
        let number = || match &value {
            OptionValue::Spin(number) => usize::try_from(*number).unwrap_or_default(),
            _ => unreachable!("a spin option reads as a number"),
        };
        let is_on = || matches!(value, OptionValue::Check(true));
        match option {
            EngineOption::Hash => return Ok(Change::Hash(number())),
            EngineOption::ClearHash => return Ok(Change::ClearHash),
            EngineOption::Threads => return Ok(Change::Threads(number())),
            EngineOption::EvalFile => {
                let OptionValue::Text(path) = value else { unreachable!("a text option reads as text") };
                return Ok(Change::EvalFile(path));
            }
            EngineOption::MultiPv => self.multi_pv = number(),
            EngineOption::Ponder => self.ponder = is_on(),
            EngineOption::MoveOverhead => self.move_overhead = Duration::from_millis(number() as u64),
            EngineOption::Chess960 => self.chess960 = is_on(),
        }
        Ok(Change::Noted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_of_its_option() {
        for option in EngineOption::ALL {
            let default = match option.kind() {
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Text { default } => Some(default),
                OptionKind::Button => None,
                kind => panic!("{}: {kind:?} has no test", option.name()),
            };
            let mut settings = Settings::DEFAULT;
            assert_eq!(settings.set(option, default.as_deref()).err(), None, "{}", option.name());
            assert_eq!(settings, Settings::DEFAULT, "{}", option.name());
        }
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
            ("Hashes", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(EngineOption::named(name), expected, "{name}");
        }
    }

    #[test]
    fn values_are_noted_or_refused() {
        let mut settings = Settings::DEFAULT;
        assert_eq!(settings.set(EngineOption::MultiPv, Some("3")), Ok(Change::Noted));
        assert_eq!(settings.set(EngineOption::Chess960, Some("True")), Ok(Change::Noted));
        assert_eq!(settings.set(EngineOption::Hash, Some("64")), Ok(Change::Hash(64)));
        assert_eq!(settings, Settings { multi_pv: 3, chess960: true, ..Settings::DEFAULT });
        let before = settings.clone();
        for (option, value) in [
            (EngineOption::MultiPv, Some("0")),
            (EngineOption::MoveOverhead, Some("-1")),
            (EngineOption::Hash, Some("1073741824")),
            (EngineOption::Threads, None),
            (EngineOption::Ponder, Some("perhaps")),
        ] {
            assert!(settings.set(option, value).is_err(), "{}: {value:?}", option.name());
        }
        assert_eq!(settings, before);
    }
}
