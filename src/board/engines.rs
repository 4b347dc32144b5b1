//! The engine behind the board: how it is started, and how many may think at once.

use super::failure::Failure;
use super::places::{Place, Places};
use crate::analysis::{EngineEvaluator, Evaluator, EvaluatorError, EvaluatorOptions, OwnEvaluator};
use crate::client::{Engine, EngineConfig, EngineError, InitialOption, Launcher, Log, Timeouts};
use crate::tablebase::Tablebase;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most games with engines at once, and the most analyses.
const MAX_GAMES: usize = 100;
const MAX_ANALYSES: usize = 16;
/// The size of the hash table of an opponent and of an analysis, in MiB.
const OPPONENT_HASH_MIB: u32 = 16;
const ANALYSIS_HASH_MIB: u32 = 64;

/// What starts engines.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Its name for people.
    pub name: String,
    /// The program.
    pub config: EngineConfig,
    /// How it is started.
    pub launcher: Launcher,
    /// Whether it is this program itself, whose search can be asked without a process.
    pub is_own: bool,
    /// The name and the program of another engine, which analyzes beside it.
    pub second: Option<(String, EngineConfig)>,
    /// Endgame tables.
    pub tables: Option<Arc<Tablebase>>,
    /// How many may think at once in games, and as many for analyses.
    pub searches: usize,
}

/// The engine, for everybody. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Engines {
    settings: Arc<EngineSettings>,
    /// Places to think about a move.
    pub(super) moves: Places,
    /// Places to think about a position for somebody.
    pub(super) analyses: Places,
    /// The same for the second engine, which looks at what the first one looks at.
    pub(super) second_analyses: Places,
    /// Places at boards.
    pub(super) games: Places,
    /// Places for those who ask about positions.
    questioners: Places,
    is_ending: Arc<AtomicBool>,
}

impl Engines {
    /// The engine of these settings.
    pub(super) fn new(settings: EngineSettings) -> Self {
        Self {
            moves: Places::new(settings.searches),
            analyses: Places::new(settings.searches),
            second_analyses: Places::new(settings.searches),
            games: Places::new(MAX_GAMES),
            questioners: Places::new(MAX_ANALYSES),
            settings: Arc::new(settings),
            is_ending: Arc::default(),
        }
    }

    /// A place for somebody who asks about positions.
    ///
    /// # Errors
    /// [`Failure`] if all are taken.
    pub(super) fn place_for_analysis(&self) -> Result<Place, Failure> {
        self.questioners.try_take().ok_or_else(|| Failure::busy("too many analyses at once"))
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    /// The name of the second engine, if there is one.
    pub(super) fn second_name(&self) -> Option<&str> {
        self.settings.second.as_ref().map(|(name, _)| name.as_str())
    }

    /// Whether it is this program.
    pub(super) fn is_own(&self) -> bool {
        self.settings.is_own
    }

    /// The endgame tables.
    pub(super) fn tables(&self) -> Option<&Arc<Tablebase>> {
        self.settings.tables.as_ref()
    }

    /// What evaluates the positions of games.
    ///
    /// # Errors
    /// [`EvaluatorError`] if it does not start, or the machine lacks the memory.
    pub(super) fn evaluator(
        &self,
        options: &EvaluatorOptions,
    ) -> Result<Box<dyn Evaluator + Send>, EvaluatorError> {
        let EngineSettings { config, launcher, is_own, tables, .. } = &*self.settings;
        if *is_own {
            return Ok(Box::new(OwnEvaluator::new(options.clone(), tables.clone())?));
        }
        let (config, launcher) = (config.clone(), launcher.clone());
        Ok(Box::new(EngineEvaluator::configured(config, options.clone(), Timeouts::default(), launcher)?))
    }

    /// Whether the server ends.
    pub(super) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    /// Ends all thinking.
    pub(super) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// Starts it to play at this strength; `None` is all that it has.
    ///
    /// # Errors
    /// [`EngineError`] if it does not start.
    pub(super) fn opponent(&self, elo: Option<u32>, is_chess960: bool) -> Result<Engine, EngineError> {
        let mut options = vec![option("Threads", 1), option("Hash", OPPONENT_HASH_MIB)];
        if let Some(elo) = elo {
            options.push(InitialOption { is_required: true, ..option("UCI_LimitStrength", "true") });
            options.push(InitialOption { is_required: true, ..option("UCI_Elo", elo) });
        }
        self.start(&self.settings.config, options, is_chess960)
    }

    /// Starts it, or the second engine, to analyze positions.
    ///
    /// # Errors
    /// [`EngineError`] if it does not start.
    pub(super) fn analyst(&self, is_second: bool) -> Result<Engine, EngineError> {
        let second = self.settings.second.as_ref().filter(|_| is_second);
        let config = second.map_or(&self.settings.config, |(_, config)| config);
        let options = vec![
            option("Threads", 1),
            option("Hash", ANALYSIS_HASH_MIB),
            option("UCI_AnalyseMode", "true"),
            option("UCI_ShowWDL", "true"),
        ];
        self.start(config, options, false)
    }

    fn start(
        &self,
        config: &EngineConfig,
        options: Vec<InitialOption>,
        is_chess960: bool,
    ) -> Result<Engine, EngineError> {
        let launcher = &self.settings.launcher;
        let mut config = config.clone();
        // Those of the user come last, and count.
        config.options.splice(0..0, options);
        Engine::start(&config, is_chess960, Timeouts::default(), launcher, &Log::default())
    }
}

fn option(name: &str, value: impl ToString) -> InitialOption {
    InitialOption { name: name.to_owned(), value: value.to_string(), is_required: false }
}
