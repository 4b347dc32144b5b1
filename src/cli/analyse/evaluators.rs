//! The evaluators of positions, one for each thread: their options, their name, and the cache of evaluations.

use crate::analysis::{
    Budget, Cache, CacheState, EngineEvaluator, Evaluator, EvaluatorError, EvaluatorOptions, OwnEvaluator,
    own_annotator, own_name,
};
use crate::cli::CliError;
use crate::cli::epd::name_and_value;
use crate::cli::signals::launcher;
use crate::cli::values::{duration_in, integer_in, syzygy_tables};
use crate::client::{InitialOption, Launcher, Timeouts};
use crate::files::PathExcerpt;
use crate::notation::TimeUnit;
use crate::search::{MAX_HASH_MIB, MAX_PLY, Signals};
use crate::tablebase::Tablebase;
use crate::uci::LONGEST_TIME;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The default number of nodes for each position.
const NODES: u64 = 100_000;
/// The minimum time for a position: UCI counts milliseconds.
const LEAST_TIME: Duration = Duration::from_millis(1);
/// The maximum number of lines of a position.
const MAX_LINES: u16 = 16;
/// The nodes per position for which a hash table of 1 MiB suffices. A larger table only takes longer to clear.
const NODES_PER_MIB: u64 = 25_000;
/// The size of a hash table in MiB if the number of nodes is not known, and the maximum that is chosen.
const USUAL_MIB: u32 = 16;
const MAX_USUAL_MIB: u64 = 256;
/// The suffix that is added to the name of the output for the file that keeps evaluations until the output is complete.
const PENDING: &str = ".evaluations";

/// The options of the evaluator, and the limits of each position.
#[derive(clap::Args, Debug)]
pub(super) struct EvaluatorFlags {
    /// Nodes for each position, also 10k or 1M [default: 100k, unless another limit is given].
    #[arg(long, value_name = "N", value_parser = integer_in::<u64>(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// Time for each position: milliseconds, or 500ms, 1s. The result depends on the machine then.
    #[arg(long, value_name = "TIME", value_parser = duration_in(TimeUnit::Milliseconds, LEAST_TIME..=LONGEST_TIME))]
    time: Option<Duration>,

    /// Depth for each position, in plies.
    #[arg(long, value_name = "N", value_parser = integer_in::<u32>(1..=MAX_PLY as u32 - 1))]
    depth: Option<u32>,

    /// Search this many lines of each position, and write as many where a move is judged.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u16>(1..=MAX_LINES))]
    multipv: u16,

    /// Size of the hash table of each thread [default: 1 for each 25k nodes; 16 without a limit of nodes].
    #[arg(long, value_name = "MIB", value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: Option<u32>,

    /// Run this UCI engine, a program with its arguments, instead of our own search: one process for each thread.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,

    /// Set an option of --engine; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engine", value_parser = name_and_value)]
    options: Vec<(String, String)>,

    /// Folders of Syzygy endgame tables, separated as in PATH.
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,

    /// Keep evaluations in this file, and take those that are there. One process adds to it, others may read.
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
}

/// The settings from which an evaluator is started on each thread.
pub(super) struct Evaluators {
    kind: Kind,
    options: EvaluatorOptions,
    /// The endgame tables.
    pub tables: Option<Arc<Tablebase>>,
    /// The settings that identify the evaluations in the cache.
    settings: String,
    /// The name of the evaluator and its limits, for the output.
    pub shown: String,
    /// The signals that stop the work.
    pub signals: Arc<Signals>,
}

enum Kind {
    Own,
    Engine { command: String, options: Vec<InitialOption>, launcher: Launcher },
}

impl EvaluatorFlags {
    /// The number of lines per position.
    pub(super) fn lines(&self) -> usize {
        self.multipv.into()
    }

    fn budget(&self) -> Budget {
        let is_limited = self.time.is_some() || self.depth.is_some();
        let nodes = self.nodes.or((!is_limited).then_some(NODES));
        Budget { nodes, depth: self.depth, time: self.time }
    }

    fn hash_mib(&self) -> u32 {
        let usual = |nodes: u64| nodes.div_ceil(NODES_PER_MIB).clamp(1, MAX_USUAL_MIB) as u32;
        self.hash.unwrap_or_else(|| self.budget().nodes.map_or(USUAL_MIB, usual))
    }

    /// Prepares the evaluators. An engine is started once to check that it works. If evaluations are taken from files,
    /// none `is_needed`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the evaluators cannot be used.
    pub(super) fn evaluators(&self, is_needed: bool) -> Result<Evaluators, CliError> {
        let failed = |error: EvaluatorError| CliError::Failed(error.to_string());
        let tables = self.syzygy.as_deref().map(syzygy_tables).transpose()?;
        let signals = Arc::<Signals>::default();
        let options = EvaluatorOptions {
            budget: self.budget(),
            multi_pv: self.lines(),
            hash_mib: self.hash_mib() as usize,
            signals: Arc::clone(&signals),
        };
        let budget = &options.budget;
        let known = tables.as_ref().map_or(0, |tables| tables.count());
        let mut evaluators = Evaluators {
            kind: Kind::Own,
            options: options.clone(),
            tables,
            settings: String::new(),
            shown: format!("{}, {budget}", own_annotator()),
            signals,
        };
        let name = match &self.engine {
            _ if !is_needed => return Ok(evaluators),
            None => own_name().map_err(failed)?,
            Some(command) => {
                let stated = self.options.iter().map(|(name, value)| InitialOption {
                    name: name.clone(),
                    value: value.clone(),
                    is_required: true,
                });
                let (command, launcher) = (command.clone(), launcher());
                evaluators.kind = Kind::Engine { command, options: stated.collect(), launcher };
                let engine = evaluators.engine().map_err(failed)?;
                evaluators.shown = format!("{} with {}, {budget}", own_annotator(), engine.short_name());
                engine.name()
            }
        };
        evaluators.settings =
            format!("{name}; hash {}; lines {}; {budget}; tables {known}", self.hash_mib(), self.multipv);
        Ok(evaluators)
    }

    /// Opens the file of evaluations: the stated one, or one next to the output, which is removed when the output is
    /// complete.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be opened.
    pub(super) fn cache(
        &self,
        evaluators: &Evaluators,
        output: Option<&Path>,
    ) -> Result<KeptEvaluations, CliError> {
        let failed = |error: io::Error| CliError::Failed(error.to_string());
        let settings = &evaluators.settings;
        let (path, is_pending) = match (&self.cache, output) {
            (Some(path), _) => (path.clone(), false),
            (None, Some(output)) => {
                let mut name: OsString = output.file_name().unwrap_or_default().to_owned();
                name.push(PENDING);
                (output.with_file_name(name), true)
            }
            (None, None) => {
                let cache = Cache::temporary(settings).map_err(failed)?;
                return Ok(KeptEvaluations { cache, pending: None });
            }
        };
        let (cache, state) = Cache::open(&path, settings).map_err(failed)?;
        let warn = |text: &str| {
            let _ = writeln!(io::stderr(), "warning: {}: {text}", PathExcerpt::new(&path));
        };
        match state {
            CacheState::ReadOnly if is_pending => {
                let problem = "another process makes the same output, or it cannot be written";
                return Err(CliError::Failed(format!("{}: {problem}", PathExcerpt::new(&path))));
            }
            CacheState::ReadOnly => {
                warn("it is only read: another process adds to it, or it cannot be written")
            }
            CacheState::Cut(bytes) => warn(&format!(
                "{bytes} bytes at its end were no whole evaluations, as a killed process leaves them, and are cut off"
            )),
            CacheState::Writable => {}
        }
        let pending = is_pending.then_some(PendingFile { path, is_needed: true });
        Ok(KeptEvaluations { cache, pending })
    }
}

impl Evaluators {
    fn engine(&self) -> Result<EngineEvaluator, EvaluatorError> {
        let Kind::Engine { command, options, launcher } = &self.kind else {
            unreachable!("only an engine is asked for")
        };
        let launcher = launcher.clone();
        EngineEvaluator::start(command, self.options.clone(), options.clone(), Timeouts::default(), launcher)
    }

    /// Starts an evaluator for a thread.
    ///
    /// # Errors
    /// [`EvaluatorError`] if the evaluator cannot be started.
    pub(super) fn make(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        Ok(match &self.kind {
            Kind::Own => Box::new(OwnEvaluator::new(self.options.clone(), self.tables.clone())?),
            Kind::Engine { .. } => Box::new(self.engine()?),
        })
    }
}

/// The evaluations of this run and of earlier runs.
pub(super) struct KeptEvaluations {
    pub cache: Cache,
    /// The file that is removed when the output is complete, after the cache is closed.
    pending: Option<PendingFile>,
}

/// The file of evaluations beside an output, which is removed on drop if it is not needed.
struct PendingFile {
    path: PathBuf,
    is_needed: bool,
}

impl KeptEvaluations {
    /// Removes the file of evaluations after the output is complete.
    pub(super) fn finish(mut self) {
        if let Some(pending) = &mut self.pending {
            pending.is_needed = false;
        }
    }
}

impl Drop for KeptEvaluations {
    /// A file without evaluations is of no use to another run.
    fn drop(&mut self) {
        if let Some(pending) = &mut self.pending {
            pending.is_needed &= !self.cache.is_empty();
        }
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.is_needed {
            // The next run would ignore the file.
            let _ = fs::remove_file(&self.path);
        }
    }
}
