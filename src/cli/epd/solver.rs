//! The solver of test positions: this program's own search or an engine, with its options.

use crate::cli::signals::launcher;
use crate::cli::values::integer_in;
use crate::cli::{CliError, net};
use crate::client::{InitialOption, Timeouts};
use crate::engine::option_declarations;
use crate::notation::{CastlingStyle, TimeUnit, parse_duration};
use crate::search::{MAX_HASH_MIB, MAX_THREADS, Params, Score};
use crate::suite::epd::{OwnOptions, OwnSearch, Solver, SolverError, UciEngine};
use crate::tablebase::Tablebase;
use crate::uci::{OptionDeclaration, OptionValue, nearest, same_name};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The options of the program's own search that matter to a suite, apart from search parameters.
const OWN_OPTIONS: [&str; 10] = [
    "Hash",
    "Threads",
    "MultiPV",
    "Contempt",
    "UCI_Chess960",
    "EvalFile",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "SyzygyProbeLimit",
    "Syzygy50MoveRule",
];

/// The options of the solver of test positions.
#[derive(clap::Args, Debug)]
pub(super) struct SolverFlags {
    /// Threads that search [default: 1].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: Option<u16>,

    /// Size of the hash table [default: 64].
    #[arg(long, value_name = "MIB", value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: Option<u32>,

    /// Set a UCI option of the search or of --engine; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,

    /// Run this UCI engine, a program with its arguments, instead of our own search.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,

    /// Time limits of --engine: start=20 from its start to `uciok`, ping=60 to `readyok`, stop=5 beyond --time and from
    /// `stop` to `bestmove`, think=600 without a word if there is no --time, quit=5; in seconds, or 500ms, 2m.
    #[arg(long, value_name = "NAME=TIME,...", requires = "engine", value_delimiter = ',', value_parser = timeout)]
    timeouts: Vec<(String, Duration)>,
}

/// Reads `NAME=VALUE`.
pub(in crate::cli) fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE such as Hash=256".to_owned()),
    }
}

/// Reads a time limit of an engine, `NAME=TIME`.
fn timeout(text: &str) -> Result<(String, Duration), String> {
    let names = || format!("expected NAME=TIME with one of {}", Timeouts::NAMES.join(", "));
    let (name, time) = text.trim().split_once('=').ok_or_else(names)?;
    if !Timeouts::NAMES.contains(&name) {
        return Err(names());
    }
    let time = parse_duration(time, TimeUnit::Seconds).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), time))
}

impl SolverFlags {
    pub(super) fn threads(&self) -> usize {
        self.number("Threads").or(self.threads.map(usize::from)).unwrap_or(1)
    }

    pub(super) fn hash_mib(&self) -> usize {
        let stated = self.number("Hash").or(self.hash.map(|mib| mib as usize));
        stated.unwrap_or(OwnOptions::DEFAULT_HASH_MIB)
    }

    /// The options as the user has stated them.
    pub(super) fn options(&self) -> &[(String, String)] {
        &self.options
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.options.iter().rfind(|(other, _)| same_name(other, name))?.1.parse().ok()
    }

    /// Starts the solver.
    ///
    /// # Errors
    /// [`CliError`] if an option is unknown or cannot have its value, or the engine does not start.
    pub(super) fn solver(&self) -> Result<Box<dyn Solver>, CliError> {
        self.refuse_repetitions()?;
        let solver: Result<Box<dyn Solver>, SolverError> = match &self.engine {
            None => OwnSearch::new(self.own_options()?).map(|own| Box::new(own) as _).map_err(Into::into),
            Some(command) => UciEngine::start(command, self.engine_options(), self.timeouts(), launcher())
                .map(|engine| Box::new(engine) as _),
        };
        solver.map_err(|error| CliError::Failed(error.to_string()))
    }

    /// # Errors
    /// [`CliError::Usage`] if an option is set twice.
    fn refuse_repetitions(&self) -> Result<(), CliError> {
        let flags = [("Threads", self.threads.is_some()), ("Hash", self.hash.is_some())];
        let flags = flags.into_iter().filter_map(|(name, is_given)| is_given.then_some(name));
        let mut seen: Vec<&str> = flags.collect();
        for (name, _) in &self.options {
            if seen.iter().any(|other| same_name(other, name)) {
                return Err(CliError::Usage(format!("--option {name}: given twice, expected one value")));
            }
            seen.push(name);
        }
        Ok(())
    }

    fn engine_options(&self) -> Vec<InitialOption> {
        let usual = [("Threads", self.threads()), ("Hash", self.hash_mib())];
        let is_stated = |name| self.options.iter().any(|(stated, _)| same_name(stated, name));
        let option = |name: &str, value: String, is_required| InitialOption {
            name: name.to_owned(),
            value,
            is_required,
        };
        let usual = usual.into_iter().filter(|(name, _)| !is_stated(name));
        let usual = usual.map(|(name, value)| option(name, value.to_string(), false));
        let stated = self.options.iter().map(|(name, value)| option(name, value.clone(), true));
        usual.chain(stated).collect()
    }

    fn timeouts(&self) -> Timeouts {
        let mut timeouts = Timeouts::default();
        for (name, time) in &self.timeouts {
            if let Some(limit) = timeouts.named(name) {
                *limit = *time;
            }
        }
        timeouts
    }

    fn own_options(&self) -> Result<OwnOptions, CliError> {
        let mut own =
            OwnOptions { threads: self.threads(), hash_mib: self.hash_mib(), ..OwnOptions::default() };
        for (name, text) in &self.options {
            let OptionDeclaration { name, kind } = declared(name)?;
            let value = kind.parse_value(Some(text));
            let value = value.map_err(|error| CliError::Usage(format!("--option {name}: {error}")))?;
            set(&mut own, &name, value)?;
        }
        Ok(own)
    }
}

/// The declaration of an option of the program's own search.
fn declared(name: &str) -> Result<OptionDeclaration, CliError> {
    let is_own = |option: &OptionDeclaration| {
        OWN_OPTIONS.contains(&option.name.as_str()) || Params::declared(&option.name).is_some()
    };
    let known: Vec<OptionDeclaration> = option_declarations().collect();
    let found = known.iter().find(|option| same_name(&option.name, name));
    match found {
        Some(option) if is_own(option) => return Ok(option.clone()),
        Some(option) => {
            let problem = format!(
                "--option {}: it does not matter to a suite, expected {}",
                option.name,
                OWN_OPTIONS.join(", ")
            );
            return Err(CliError::Usage(problem));
        }
        None => {}
    }
    let own = known.iter().filter(|option| is_own(option)).map(|option| option.name.as_str());
    let hint = nearest(name, own).map_or_else(|| OWN_OPTIONS.join(", "), str::to_owned);
    Err(CliError::Usage(format!("--option {name}: there is no such option, expected {hint}")))
}

/// Sets an option of the program's own search from a value of its kind.
fn set(own: &mut OwnOptions, name: &str, value: OptionValue) -> Result<(), CliError> {
    let refuse = |problem: String| CliError::Usage(format!("--option {name}: {problem}"));
    match (name, value) {
        // These were set when the search was created.
        ("Hash" | "Threads", _) => {}
        ("MultiPV", OptionValue::Spin(lines)) => own.multi_pv = lines as usize,
        ("Contempt", OptionValue::Spin(cp)) => own.search.contempt = Score::from_cp(cp as i32).units(),
        ("UCI_Chess960", OptionValue::Check(is_on)) => {
            own.castling = if is_on { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        }
        ("EvalFile", OptionValue::Text(path)) => {
            let path = Some(Path::new(&path)).filter(|_| !path.is_empty());
            own.network = Some(net::read_or_embedded(path)?);
        }
        ("SyzygyPath", OptionValue::Text(path)) => {
            let (tables, faults) = Tablebase::load(&path);
            for fault in faults {
                let _ = writeln!(io::stderr(), "warning: SyzygyPath: {fault}");
            }
            if tables.max_pieces() == 0 && !path.is_empty() {
                return Err(refuse(format!("`{path}` has no endgame tables that can be used")));
            }
            own.tables = Some(Arc::new(tables));
        }
        ("SyzygyProbeDepth", OptionValue::Spin(depth)) => own.search.syzygy.probe_depth = depth as i32,
        ("SyzygyProbeLimit", OptionValue::Spin(men)) => own.search.syzygy.probe_limit = men as u32,
        ("Syzygy50MoveRule", OptionValue::Check(is_on)) => own.search.syzygy.fifty_move_rule = is_on,
        (_, OptionValue::Spin(number)) => {
            own.params.set(name, number as i32).map_err(|error| refuse(error.to_string()))?;
        }
        _ => return Err(refuse("it cannot be set here".to_owned())),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_options_are_declared_and_can_be_set() {
        for name in OWN_OPTIONS {
            let OptionDeclaration { kind, .. } = declared(name).expect(name);
            let text = ["", "1", "true"].into_iter().find(|text| kind.parse_value(Some(text)).is_ok());
            let value = kind.parse_value(text).expect(name);
            set(&mut OwnOptions::default(), name, value).expect(name);
        }
        for name in ["Ponder", "Clear Hash", "Hashes", ""] {
            assert!(declared(name).is_err(), "{name}");
        }
    }

    #[test]
    fn limits_have_names_and_units() {
        let second = Duration::from_secs(1);
        assert_eq!(timeout("start=20"), Ok(("start".to_owned(), 20 * second)));
        assert_eq!(timeout(" stop=500ms"), Ok(("stop".to_owned(), second / 2)));
        for text in ["", "start", "go=1", "start=", "start=1d"] {
            assert!(timeout(text).is_err(), "{text}");
        }
    }
}
