//! `hematite board`: the board in a web browser.

mod arguments;
mod config;

use super::book;
use super::signals::{interrupts, launcher};
use super::study::progress_file;
use super::values::syzygy_tables;
use super::{CliError, ExitStatus};
use crate::board::{EngineSettings, Limits, NamedBook, Server, Settings};
use crate::cli::streams::{IgnoreBrokenPipe, MaxUnpacked};
use crate::client::{EngineConfig, Launcher, words};
use std::env;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

pub(super) use arguments::Arguments;

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let file = config::path();
        if self.reset || self.save_config {
            let file =
                file.ok_or_else(|| CliError::usage("the user's folder for configurations is not known"))?;
            let told = if self.reset { config::remove(&file) } else { config::write(&file, &self) }?;
            writeln!(out, "{told}")?;
            return Ok(ExitStatus::Yes);
        }
        let defaults = file.map(|file| config::read(&file)).transpose()?.flatten();
        let this = match defaults {
            Some(defaults) => self.with_defaults(defaults)?,
            None => self,
        };
        this.serve(out)
    }

    /// These arguments with the user's defaults. A book that has vanished is left out, so that games of the computer
    /// go on.
    fn with_defaults(self, mut defaults: Self) -> Result<Self, CliError> {
        if self.book.is_empty() {
            defaults.book.retain(|path| {
                let is_there = path.exists();
                if !is_there {
                    let warning = "this book of the defaults does not exist; the board starts without it";
                    let _ = writeln!(std::io::stderr(), "warning: {}: {warning}", path.display());
                }
                is_there
            });
        }
        // A list among the arguments of the command has been read before.
        if let (None, Some(list)) = (&self.openings.file, &defaults.openings.file) {
            super::name_openings_by(list)?;
        }
        Ok(self.over(defaults))
    }

    fn serve(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // Signals are caught before the server starts, so that an interruption always ends it cleanly.
        let interrupted = interrupts();
        let settings = self.settings()?;
        let server = Server::start(&settings).map_err(|error| CliError::Failed(error.to_string()))?;
        let address = page_address(server.address());
        let out = &mut IgnoreBrokenPipe::new(out);
        writeln!(out, "The board is at {address}. Ctrl-C ends it.")?;
        out.flush()?;
        if self.open {
            // If a file is stated, the page shows its games.
            let shows_game = !self.files.is_empty() && server.has_games();
            let page = if shows_game { format!("{address}{FIRST_GAME}") } else { address };
            if !open_browser(&page) {
                // A failure to write is ignored: the address is already printed.
                let _ = writeln!(std::io::stderr(), "no browser can be started; open {page}");
            }
        }
        let _ = interrupted.recv(); // without signals the process ends at once
        server.stop();
        Ok(ExitStatus::Yes)
    }

    fn settings(&self) -> Result<Settings, CliError> {
        let state = match &self.state {
            Some(path) => path.clone(),
            None => default_state().ok_or_else(|| {
                CliError::usage("there is no folder for data of programs, expected --state FILE")
            })?,
        };
        if let Some(folder) = state.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| CliError::Input {
                name: folder.display().to_string(),
                problem: error.to_string(),
            })?;
        }
        Ok(Settings {
            address: self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            port: self.port,
            hosts: self.host.clone(),
            state,
            files: self.files.clone(),
            collection: self.collection.clone(),
            engine: self.engine()?,
            progress: self.progress.clone().or_else(|| progress_file().ok()),
            limits: Limits {
                connections: self.max_connections.unwrap_or(Limits::default().connections),
                requests: self.max_requests.unwrap_or(Limits::default().requests),
            },
        })
    }
}

/// The path of the page with game 1 of the first file.
const FIRST_GAME: &str = "/analyse/0/1";

/// The name of the engine of this program.
const OWN_ENGINE: &str = "Hematite";

impl Arguments {
    /// The settings of the engine for analysis, this program's own or the stated one, and of the second engine.
    fn engine(&self) -> Result<EngineSettings, CliError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (name, config) = match &self.engine {
            Some(command) => other_engine("--engine", command)?,
            None => own_engine()?,
        };
        let second = match (&self.second_engine, &self.engine) {
            (Some(command), _) => Some(other_engine("--second-engine", command)?),
            (None, Some(_)) => Some(own_engine()?),
            (None, None) => None,
        };
        let searches = self.searches.unwrap_or_else(|| (cores / 2).max(1));
        let tables = self.syzygy.as_deref().map(syzygy_tables).transpose()?;
        let is_own = self.engine.is_none();
        let books = named_books(&self.book, self.max)?;
        Ok(EngineSettings { name, config, second, launcher: launcher(), is_own, tables, books, searches })
    }
}

/// The books in files, each with the name of its file, or with the path of a file whose name another one has.
fn named_books(paths: &[PathBuf], max: MaxUnpacked) -> Result<Vec<NamedBook>, CliError> {
    let mut books: Vec<NamedBook> = Vec::new();
    for path in paths {
        let whole = path.display().to_string();
        let short = path.file_name().map_or_else(|| whole.clone(), |name| name.to_string_lossy().into());
        let is_taken = |name: &String| books.iter().any(|book| book.name == *name);
        let name = if is_taken(&short) { whole } else { short };
        if !is_taken(&name) {
            books.push(NamedBook { name, book: Arc::new(book::open(path, max)?) });
        }
    }
    Ok(books)
}

/// The engine that a command starts, with a name for display. Errors in the command are reported before the server
/// starts.
fn other_engine(option: &str, command: &str) -> Result<(String, EngineConfig), CliError> {
    let mut words = words(command).into_iter();
    let program = words.next().unwrap_or_default();
    let name = Path::new(&program).file_stem().map(|name| name.to_string_lossy().into_owned());
    let config = EngineConfig { command: program, arguments: words.collect(), ..EngineConfig::default() };
    Launcher::check(&config).map_err(|error| CliError::Usage(format!("{option}: {error}")))?;
    Ok((name.unwrap_or_default(), config))
}

/// The engine of this program, run as another process.
fn own_engine() -> Result<(String, EngineConfig), CliError> {
    let program = env::current_exe()
        .map_err(|error| CliError::Failed(format!("this program does not find itself: {error}")))?;
    let command = program.display().to_string();
    Ok((OWN_ENGINE.to_owned(), EngineConfig { command, ..EngineConfig::default() }))
}

/// The address of the page. A server that listens on all addresses is reached at the loopback address.
fn page_address(address: SocketAddr) -> String {
    let ip = if address.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { address.ip() };
    format!("http://{}", SocketAddr::new(ip, address.port()))
}

/// The default file of games, in the folder of the system for application data.
fn default_state() -> Option<PathBuf> {
    let folder = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = if cfg!(windows) {
        folder("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        folder("HOME")?.join("Library/Application Support")
    } else {
        // <https://specifications.freedesktop.org/basedir-spec/latest/>
        folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))?
    };
    Some(data.join("hematite").join("board.sqlite"))
}

/// Opens the address with the system's default program. Returns whether that program could be started.
fn open_browser(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(Path::new(program));
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
