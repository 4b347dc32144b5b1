//! The chess engines of the board: starting them, and limits on simultaneous searches.

use super::named_book::NamedBook;
use super::places::Places;
use super::saved::Opponent;
use crate::analysis::{EngineEvaluator, Evaluator, EvaluatorError, EvaluatorOptions, OwnEvaluator};
use crate::book::Book;
use crate::client::{Engine, EngineConfig, EngineError, InitialOption, Launcher, Log, Timeouts};
use crate::tablebase::Tablebase;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of simultaneous games with engines, and of analyses.
const MAX_GAMES: usize = 100;
const MAX_ANALYSES: usize = 16;
/// The sizes of the hash tables of an opponent and of an analysis, in MiB.
const OPPONENT_HASH_MIB: u32 = 16;
const ANALYSIS_HASH_MIB: u32 = 64;

/// The settings of the engines.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// The name of the engine, for people.
    pub name: String,
    /// The program and its options.
    pub config: EngineConfig,
    /// The launcher of processes.
    pub launcher: Launcher,
    /// Whether the engine is this program, whose search can be called without a process.
    pub is_own: bool,
    /// The name and the program of a second engine for analysis.
    pub second: Option<(String, EngineConfig)>,
    /// Endgame tables.
    pub tables: Option<Arc<Tablebase>>,
    /// Opening books, whose moves the page shows and an opponent can play.
    pub books: Vec<NamedBook>,
    /// The maximum number of simultaneous searches in games, and also in analyses.
    pub searches: usize,
}

/// The engines of the server. Clones share the limits.
#[derive(Clone, Debug)]
pub(super) struct Engines {
    settings: Arc<EngineSettings>,
    /// The places for searches in games.
    pub(super) moves: Places,
    /// The places for searches in analyses.
    pub(super) analyses: Places,
    /// The places for searches of the second engine, which analyzes the same positions.
    pub(super) second_analyses: Places,
    /// The places for engines in games.
    pub(super) games: Places,
    /// The places for analyses that are wanted, each with its engine.
    pub(super) questioners: Places,
    is_ending: Arc<AtomicBool>,
}

/// The engine as a player of games, with the opening books that it can play by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computer<'a> {
    /// The name of the engine.
    pub(super) name: &'a str,
    /// The opening books.
    pub(super) books: &'a [NamedBook],
}

impl Engines {
    /// The engines with these settings.
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

    /// The name of the engine.
    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    /// The name of the second engine, if there is one.
    pub(super) fn second_name(&self) -> Option<&str> {
        self.settings.second.as_ref().map(|(name, _)| name.as_str())
    }

    /// Whether the engine is this program.
    pub(super) fn is_own(&self) -> bool {
        self.settings.is_own
    }

    /// The endgame tables.
    pub(super) fn tables(&self) -> Option<&Arc<Tablebase>> {
        self.settings.tables.as_ref()
    }

    /// The engine as a player.
    pub(super) fn computer(&self) -> Computer<'_> {
        Computer { name: self.name(), books: self.books() }
    }

    /// The opening books.
    pub(super) fn books(&self) -> &[NamedBook] {
        &self.settings.books
    }

    /// The opening book of an opponent; `None` if it has none, or the board was started without it.
    pub(super) fn book_of(&self, opponent: &Opponent) -> Option<&Book> {
        let name = opponent.book.as_deref()?;
        self.books().iter().find(|book| book.name == name).map(|book| &*book.book)
    }

    /// Creates an evaluator for the positions of games.
    ///
    /// # Errors
    /// [`EvaluatorError`] if the engine does not start, or there is not enough memory.
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

    /// Whether the server shuts down.
    pub(super) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    /// Ends all searches.
    pub(super) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// Starts the engine as a player with this Elo limit; `None` is full strength.
    ///
    /// # Errors
    /// [`EngineError`] if the engine does not start.
    pub(super) fn opponent(&self, elo: Option<u32>, is_chess960: bool) -> Result<Engine, EngineError> {
        let mut options = vec![option("Threads", 1), option("Hash", OPPONENT_HASH_MIB)];
        if let Some(elo) = elo {
            options.push(InitialOption { is_required: true, ..option("UCI_LimitStrength", "true") });
            options.push(InitialOption { is_required: true, ..option("UCI_Elo", elo) });
        }
        self.start(&self.settings.config, options, is_chess960)
    }

    /// Starts the engine, or the second engine, for analysis.
    ///
    /// # Errors
    /// [`EngineError`] if the engine does not start.
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
        // Options of the user follow, and override these.
        config.options.splice(0..0, options);
        Engine::start(&config, is_chess960, Timeouts::default(), launcher, &Log::default())
    }
}

fn option(name: &str, value: impl ToString) -> InitialOption {
    InitialOption { name: name.to_owned(), value: value.to_string(), is_required: false }
}
