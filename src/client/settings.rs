//! What is to be known of an engine before it starts.

use std::path::PathBuf;
use std::time::Duration;

/// A program that speaks UCI, and how it is to be set up.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineSettings {
    /// What it is called in tables and games; its own name if none is given.
    pub name: Option<String>,
    /// The program: a path, or a name to be looked up in `PATH`.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory it works in; ours if none is given. A relative path of the program starts
    /// there if the program is there.
    pub directory: Option<PathBuf>,
    /// Options to be set before the first game.
    pub options: Vec<InitialOption>,
    /// Is it started anew for each game?
    pub restarts: bool,
    /// Does it think on its opponent's time?
    pub ponders: bool,
}

/// An option to be set before the first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitialOption {
    /// Its name; neither case nor spaces matter.
    pub name: String,
    /// The value as the engine is to hear it; none for a button.
    pub value: String,
    /// Must the engine have it? Options meant for all are skipped where there are none.
    pub is_required: bool,
}

/// How long an engine may take for what it must do at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`, after options were set or a game was begun.
    pub ping: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the process, before it is killed.
    pub quit: Duration,
    /// The longest search without a clock before it counts as a stall.
    pub think: Duration,
}

impl Default for Timeouts {
    /// Long enough for slow machines under load: they only matter where something is wrong.
    fn default() -> Self {
        Self {
            start: Duration::from_secs(20),
            ping: Duration::from_secs(60),
            stop: Duration::from_secs(5),
            quit: Duration::from_secs(5),
            think: Duration::from_secs(600),
        }
    }
}
