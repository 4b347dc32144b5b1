//! The arguments of `hematite board`.

use crate::cli::OpeningListArg;
use crate::cli::streams::MaxUnpacked;
use crate::cli::values::integer_in;
use std::net::IpAddr;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite board --open
  hematite board games.pgn archive.hdb
  hematite board --syzygy /srv/syzygy --open
  hematite board --second-engine stockfish
  hematite board --book book.bin games.pgn
  hematite board --listen 0.0.0.0
  hematite board --host chess.example.org --port 8080
  hematite board --save-config --book book.bin --collection my.hdb
  hematite board --reset

Only programs of this machine reach the page, unless --listen says otherwise.
docs/api.md describes the interface for programs. Ctrl-C ends the server; games
that are not over continue when it is started again.";

/// Play, analyze and explore games on a page in the browser.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Files, folders and collections of games to explore.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// The address to listen on; 0.0.0.0 for all of this machine [default: 127.0.0.1].
    #[arg(long, value_name = "ADDRESS")]
    pub(super) listen: Option<IpAddr>,

    /// The port [default: 8080, or the next one that is free].
    #[arg(long)]
    pub(super) port: Option<u16>,

    /// A name by which the server is asked for, as behind a reverse proxy.
    #[arg(long, value_name = "NAME")]
    pub(super) host: Vec<String>,

    /// The file with the games that are played [default: board.sqlite in the folder for data of programs].
    #[arg(long, value_name = "FILE")]
    pub(super) state: Option<PathBuf>,

    /// The file with your progress in study [default: that of hematite study].
    #[arg(long, value_name = "FILE")]
    pub(super) progress: Option<PathBuf>,

    /// A collection to save games into, which is made if it is missing. Only this computer is shown its games.
    #[arg(long, value_name = "COLLECTION")]
    pub(super) collection: Option<PathBuf>,

    /// Folders of Syzygy endgame tables, separated as in PATH.
    #[arg(long, value_name = "PATH")]
    pub(super) syzygy: Option<String>,

    /// An opening book in the Polyglot format (.bin), compressed or not, whose moves the analysis shows and the
    /// computer can play; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) book: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) max: MaxUnpacked,

    /// Another UCI engine to play against and to analyze with: a program and its arguments.
    #[arg(long, value_name = "COMMAND")]
    pub(super) engine: Option<String>,

    /// A UCI engine to analyze with beside the first one [default: with --engine our own].
    #[arg(long, value_name = "COMMAND")]
    pub(super) second_engine: Option<String>,

    /// The maximum number of engine searches at the same time; others wait [default: half of the cores].
    #[arg(long, value_name = "N", value_parser = integer_in(1..=1000_usize))]
    pub(super) searches: Option<usize>,

    /// Show the page in the browser; with files, their first game.
    #[arg(long)]
    pub(super) open: bool,

    /// The most open connections of an address [default: 100].
    #[arg(long, value_name = "N", value_parser = integer_in(1..=10_000_usize))]
    pub(super) max_connections: Option<usize>,

    /// The most requests and messages of an address in a second; for a moment eight times as many [default: 50].
    #[arg(long, value_name = "N", value_parser = integer_in(1..=100_000_u32))]
    pub(super) max_requests: Option<u32>,

    #[command(flatten)]
    pub(super) openings: OpeningListArg,

    /// Write the other arguments to your file board.toml, as defaults of later starts, and end.
    #[arg(long)]
    pub(super) save_config: bool,

    /// Remove your file board.toml, and end.
    #[arg(long, exclusive = true)]
    pub(super) reset: bool,
}

impl Arguments {
    /// These arguments, and the defaults of those that are not given.
    pub(super) fn over(self, defaults: Self) -> Self {
        fn list<T>(given: Vec<T>, default: Vec<T>) -> Vec<T> {
            if given.is_empty() { default } else { given }
        }
        Self {
            files: list(self.files, defaults.files),
            listen: self.listen.or(defaults.listen),
            port: self.port.or(defaults.port),
            host: list(self.host, defaults.host),
            state: self.state.or(defaults.state),
            progress: self.progress.or(defaults.progress),
            collection: self.collection.or(defaults.collection),
            syzygy: self.syzygy.or(defaults.syzygy),
            book: list(self.book, defaults.book),
            engine: self.engine.or(defaults.engine),
            second_engine: self.second_engine.or(defaults.second_engine),
            searches: self.searches.or(defaults.searches),
            open: self.open || defaults.open,
            max_connections: self.max_connections.or(defaults.max_connections),
            max_requests: self.max_requests.or(defaults.max_requests),
            openings: OpeningListArg { file: self.openings.file.or(defaults.openings.file) },
            ..self
        }
    }

    /// These arguments with every path changed by the function.
    ///
    /// # Errors
    /// The error of the function.
    pub(super) fn with_paths<E>(self, change: impl Fn(PathBuf) -> Result<PathBuf, E>) -> Result<Self, E> {
        let one = |path: Option<PathBuf>| path.map(&change).transpose();
        let all = |paths: Vec<PathBuf>| paths.into_iter().map(&change).collect::<Result<_, E>>();
        Ok(Self {
            files: all(self.files)?,
            state: one(self.state)?,
            progress: one(self.progress)?,
            collection: one(self.collection)?,
            book: all(self.book)?,
            openings: OpeningListArg { file: one(self.openings.file)? },
            ..self
        })
    }
}
