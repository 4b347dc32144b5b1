//! The UCI session: state and command loop.

mod commands;
mod options;

pub use options::declarations;

use super::console::Console;
use super::display::{Build, HELP};
use super::game::Game;
use super::io::{DebugLog, Input, LONGEST_LINE, Writer};
use super::limits::NodeClock;
use super::resources::LoadedTables;
use super::search_thread::{Activity, Done, SearchHandle, StartError};
use super::settings::Settings;
use crate::book::Book;
use crate::files::PathExcerpt;
use crate::nnue::{self, Network};
use crate::notation::{CastlingStyle, Excerpt};
use crate::rng::Rng;
use crate::uci::{Command, GoTokens, ParseWarning, Parsed};
use crossbeam_channel::{Receiver, never, select};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The environment of the engine besides its input and output.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Receives interruptions, which end the engine at once, whatever it does.
    pub interruptions: Receiver<()>,
    /// The terminal, if the output is one. It shows output for a user until a GUI sends `uci`.
    pub console: Option<Console>,
    /// Whether the input is a complete script: then a search without a limit continues until an interruption, not only
    /// until the next command.
    pub is_script: bool,
    /// Whether the reader of the output has closed it. Called at intervals, since otherwise only a write would detect
    /// it.
    pub is_output_closed: fn() -> bool,
}

impl Default for Environment {
    /// No interruptions, no terminal, an interactive input, and an output whose closing is detected only by a failed
    /// write.
    fn default() -> Self {
        Self { interruptions: never(), console: None, is_script: false, is_output_closed: || false }
    }
}

/// The interval of checks whether the output is closed.
const OUTPUT_CHECK: Duration = Duration::from_millis(500);

/// The maximum number of warnings printed about one line.
const MAX_WARNINGS: usize = 8;

/// The maximum size of the lines of waiting commands, in bytes. While it is exceeded no line is read, so that an
/// endless input does not fill the memory.
const LONGEST_BACKLOG: usize = 4 * LONGEST_LINE;
/// The approximate size of a command besides its line, in bytes.
const COMMAND_BYTES: usize = size_of::<Command>();

/// The state of the engine, and the execution of commands.
///
/// Waits for input lines and for finished searches. Commands such as `isready` run during a search. All others wait for
/// the end of work that is bounded, as in Stockfish: a search with a limit, a perft or a bench. A search without a
/// limit is stopped for them.
pub(super) struct Session {
    writer: Arc<Writer>,
    searcher: SearchHandle,
    settings: Settings,
    /// The network of `EvalFile`; `None` for the embedded one, which the search thread unpacks.
    network: Option<Arc<Network>>,
    /// The opening book, if there is one.
    book: Option<Book>,
    /// The endgame tablebases, if there are any.
    tables: Option<LoadedTables>,
    game: Game,
    /// The reason why the last `position` command was rejected, if it was. The game is then the one before it, and is
    /// not searched.
    refusal: Option<String>,
    activity: Activity,
    /// The commands that wait.
    backlog: VecDeque<Waiting>,
    /// The size of the waiting commands and of their lines, in bytes.
    backlog_bytes: usize,
    /// Whether `wait` was received during the current work.
    is_waiting: bool,
    is_debugging: bool,
    /// Whether a GUI has sent `uci`. Then lines without a command are not interpreted as moves.
    has_gui: bool,
    /// The terminal of a user, until a GUI sends `uci`.
    console: Option<Console>,
    interruptions: Receiver<()>,
    is_script: bool,
    is_output_closed: fn() -> bool,
    log: Arc<DebugLog>,
    node_clock: NodeClock,
    /// The random numbers for limited strength and for the book.
    rng: Rng,
}

/// A command that waits, with its size in bytes.
struct Waiting {
    command: Command,
    bytes: usize,
}

/// Whether the session continues.
type Flow = ControlFlow<()>;

impl Session {
    /// # Errors
    /// [`StartError`] if the machine lacks memory or threads.
    pub(super) fn new(
        writer: Arc<Writer>,
        log: Arc<DebugLog>,
        environment: Environment,
    ) -> Result<Self, StartError> {
        let settings = Settings::default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self {
            writer,
            searcher: SearchHandle::new(settings.hash_mib)?,
            settings,
            network: None,
            book: None,
            tables: None,
            game: Game::default(),
            refusal: None,
            activity: Activity::Idle,
            backlog: VecDeque::new(),
            backlog_bytes: 0,
            is_waiting: false,
            is_debugging: false,
            has_gui: false,
            console: environment.console,
            interruptions: environment.interruptions,
            is_script: environment.is_script,
            is_output_closed: environment.is_output_closed,
            log,
            node_clock: NodeClock::default(),
            rng: Rng::new(now.as_nanos() as u64),
        })
    }

    /// The network that is set. The embedded one is unpacked if it has not been yet.
    fn network(&self) -> Arc<Network> {
        self.network.clone().unwrap_or_else(nnue::embedded)
    }

    /// Executes commands until `quit`, the end of the input, an interruption, or the end of the output's reader.
    pub(super) fn run(mut self, lines: &Receiver<Input>) {
        let done = self.searcher.done().clone();
        let interruptions = self.interruptions.clone();
        let full = never();
        let mut flow = Flow::Continue(());
        while flow.is_continue() && !self.writer.is_closed() {
            let lines = if self.backlog_bytes < LONGEST_BACKLOG { lines } else { &full };
            flow = select! {
                recv(lines) -> input => match input {
                    Ok(input) => self.handle_line(input),
                    Err(_) => self.finish_input(),
                },
                recv(done) -> done => match done {
                    Ok(done) => {
                        self.finish(done);
                        self.run_backlog()
                    }
                    Err(_) => Flow::Break(()),
                },
                recv(interruptions) -> _ => Flow::Break(()),
                default(OUTPUT_CHECK) => self.check_output(),
            };
        }
        self.end_activity();
    }

    /// Ends the session if the output is closed, which a search without output would not notice.
    fn check_output(&self) -> Flow {
        if (self.is_output_closed)() {
            return Flow::Break(());
        }
        Flow::Continue(())
    }

    /// Finishes after the end of the input: waits for bounded work, and stops unbounded searches except those of a
    /// script.
    fn finish_input(&mut self) -> Flow {
        loop {
            match &self.activity {
                Activity::Idle => return Flow::Break(()),
                _ if self.is_bounded() || self.is_script => {}
                _ => self.stop_activity(),
            }
            self.wait_for_end()?;
            self.run_backlog()?;
        }
    }

    fn handle_line(&mut self, input: Input) -> Flow {
        let (Parsed { command, warnings }, bytes) = match input {
            Input::Line(line) => {
                self.log.input(&line);
                (Command::parse(&line), COMMAND_BYTES + line.len())
            }
            Input::TooLong => {
                self.writer.info(format_args!("a line of more than {LONGEST_LINE} bytes, ignored"));
                return Flow::Continue(());
            }
        };
        for warning in warnings.iter().take(MAX_WARNINGS) {
            self.writer.info(warning);
        }
        if warnings.len() > MAX_WARNINGS {
            self.writer.info(format_args!("and {} more like this", warnings.len() - MAX_WARNINGS));
        }
        match command {
            Some(Command::Shorthand(shorthand)) if self.has_gui => {
                let found = Excerpt::new(&shorthand.to_string());
                self.writer.info(ParseWarning::UnknownCommand(found));
                Flow::Continue(())
            }
            Some(command) if self.must_wait(&command) => {
                self.delay(Waiting { command, bytes });
                Flow::Continue(())
            }
            // `stop` also ends all searches before it that have not started yet.
            Some(Command::Stop) if self.backlog.iter().any(|waiting| starts_work(&waiting.command)) => {
                self.delay(Waiting { command: Command::Stop, bytes });
                self.execute(Command::Stop)
            }
            Some(command) => self.execute(command),
            None => Flow::Continue(()),
        }
    }

    /// Whether a command that was just read must wait for the current work or after other waiting commands.
    fn must_wait(&self, command: &Command) -> bool {
        match command {
            Command::Stop => false,
            _ if self.is_waiting => true,
            Command::IsReady => false,
            _ => !self.backlog.is_empty() || self.must_wait_for_work(command),
        }
    }

    /// Whether a command must wait for the end of the current work.
    fn must_wait_for_work(&self, command: &Command) -> bool {
        match command {
            // Requested output is printed before the end.
            Command::Quit => matches!(self.activity, Activity::Batch(_)),
            _ => !runs_during_search(command) && self.is_bounded(),
        }
    }

    /// Whether there is work that ends without `stop`.
    fn is_bounded(&self) -> bool {
        match &self.activity {
            Activity::Searching(search) => !search.best_move.is_held() && !search.best_move.is_unlimited(),
            Activity::Batch(_) => true,
            Activity::Idle => false,
        }
    }

    fn delay(&mut self, waiting: Waiting) {
        self.backlog_bytes += waiting.bytes;
        self.backlog.push_back(waiting);
    }

    /// Executes the waiting commands that no longer have to wait. Work that is ended by a waiting `stop` is stopped as
    /// soon as it starts.
    fn run_backlog(&mut self) -> Flow {
        while !self.is_waiting
            && let Some(waiting) = self.backlog.front()
            && !self.must_wait_for_work(&waiting.command)
            && let Some(Waiting { command, bytes }) = self.backlog.pop_front()
        {
            self.backlog_bytes -= bytes;
            let may_need_stop = starts_work(&command);
            self.execute(command)?;
            if may_need_stop && self.backlog.iter().any(|waiting| waiting.command == Command::Stop) {
                self.stop_activity();
            }
        }
        Flow::Continue(())
    }

    fn execute(&mut self, command: Command) -> Flow {
        if !runs_during_search(&command) {
            if let Activity::Searching(search) = &self.activity
                && !search.best_move.signals().is_stopped()
            {
                let line = command.to_string();
                let word = line.split_whitespace().next().unwrap_or_default();
                self.writer.info(format_args!("{word}: the search had no limit and ends here"));
            }
            self.end_activity();
        }
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.confirm_readiness(),
            Command::Debug(is_on) => self.is_debugging = is_on,
            Command::Register(_) => self.writer.info("registration is not needed"),
            Command::Help => self.writer.print(HELP),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return Flow::Break(()),
            Command::Wait => self.wait(),
            Command::UciNewGame => self.start_new_game(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position(tokens) => self.set_position(&tokens),
            Command::Go(GoTokens { perft: Some(depth), .. }) | Command::Perft(depth) => self.perft(depth),
            Command::Go(go) => self.go(&go),
            Command::Display => self.display(),
            Command::Fen => self.print_fen(),
            Command::Eval => self.evaluate(),
            Command::Bench(tokens) => self.bench(tokens),
            Command::Speedtest(tokens) => self.speedtest(tokens),
            Command::GenFens(tokens) => self.genfens(tokens),
            Command::Moves => self.list_moves(),
            Command::Flip => self.flip(),
            Command::Compiler => self.writer.print(Build),
            Command::Shorthand(shorthand) => self.run_shorthand(&shorthand),
        }
        if let Some((path, error)) = self.log.failure() {
            self.writer.info(format_args!("the log {} has ended: {error}", PathExcerpt::new(&path)));
        }
        Flow::Continue(())
    }

    /// Makes the next commands wait for the end of the current work, if it is bounded.
    fn wait(&mut self) {
        match &self.activity {
            Activity::Searching(search) if search.best_move.is_held() && !self.is_script => {
                self.writer.info("wait: the search continues until `stop`; not waiting for it");
            }
            activity => self.is_waiting = !matches!(activity, Activity::Idle),
        }
    }

    fn stop(&mut self) {
        let is_over = match &self.activity {
            Activity::Searching(search) => search.best_move.is_printed(),
            Activity::Batch(_) => false,
            Activity::Idle => true,
        };
        if is_over && self.is_debugging {
            self.writer.info("stop: there is no search");
        }
        self.stop_activity();
    }

    fn stop_activity(&mut self) {
        match &self.activity {
            Activity::Searching(search) => search.best_move.stop(),
            Activity::Batch(signals) => signals.stop(),
            Activity::Idle => {}
        }
        self.update_state();
    }

    fn ponder_hit(&mut self) {
        match &mut self.activity {
            Activity::Searching(search) if search.best_move.is_pondering() => {
                if let Some(clock) = search.expected_node_clock.take() {
                    self.node_clock = clock;
                    search.is_on_node_clock = true;
                }
                search.best_move.ponder_hit();
            }
            _ if self.is_debugging => {
                self.writer.info("ponderhit: there is no search on the opponent's time")
            }
            _ => {}
        }
        self.update_state();
    }

    /// Stops the current work and waits for its end; the best move of a search is printed.
    fn end_activity(&mut self) {
        if matches!(self.activity, Activity::Idle) {
            return;
        }
        self.stop_activity();
        while !matches!(self.activity, Activity::Idle) {
            // Work that was stopped ends soon, so an interruption can wait for it.
            let _ = self.wait_for_end();
        }
    }

    /// Waits for the end of the current work, or for an interruption.
    fn wait_for_end(&mut self) -> Flow {
        if matches!(self.activity, Activity::Idle) {
            return Flow::Continue(());
        }
        select! {
            recv(self.searcher.done()) -> done => match done {
                Ok(done) => self.finish(done),
                Err(_) => self.activity = Activity::Idle,
            },
            recv(self.interruptions) -> _ => return Flow::Break(()),
            default(OUTPUT_CHECK) => return self.check_output(),
        }
        Flow::Continue(())
    }

    fn finish(&mut self, done: Done) {
        match (done, &mut self.activity) {
            (Done::Search { nodes }, Activity::Searching(search)) => {
                if search.is_on_node_clock {
                    self.node_clock.spend(nodes);
                }
                search.is_over = true;
                if let Some(damage) = self.tables.as_mut().and_then(LoadedTables::new_damage) {
                    self.writer.info(format_args!("endgame tables: {damage}"));
                }
            }
            (Done::Batch, activity @ Activity::Batch(_)) => *activity = Activity::Idle,
            _ => debug_assert!(false, "a task that ends has been started"),
        }
        self.update_state();
    }

    /// Becomes idle after a search that has ended and whose best move has been printed.
    fn update_state(&mut self) {
        if let Activity::Searching(search) = &self.activity
            && search.is_settled()
        {
            self.activity = Activity::Idle;
        }
        if matches!(self.activity, Activity::Idle) {
            self.is_waiting = false;
        }
    }

    const fn style(&self) -> CastlingStyle {
        if self.settings.chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }
}

/// Whether a command starts a search or other work.
const fn starts_work(command: &Command) -> bool {
    matches!(
        command,
        Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::Speedtest(_) | Command::GenFens(_)
    )
}

/// Whether a command is executed during a search.
const fn runs_during_search(command: &Command) -> bool {
    matches!(
        command,
        Command::Uci
            | Command::IsReady
            | Command::Debug(_)
            | Command::Register(_)
            | Command::Help
            | Command::Compiler
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Wait
    )
}
