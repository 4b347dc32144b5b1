//! One UCI session.

use super::activity::{Activity, Search};
use super::bench;
use super::display::{self, Display};
use super::driver::{Done, Driver, StartError};
use super::game::Game;
use super::help::HELP;
use super::limits::{is_unlimited, limits};
use super::listener::{self, UciListener};
use super::options::{Change, EngineOption, Settings};
use super::perft;
use super::reader::{Input, LONGEST_LINE};
use super::writer::Writer;
use super::{AUTHOR, NAME};
use crate::notation::{CastlingStyle, Excerpt, UciMove};
use crate::search::{Bound, Job, Report, Score, Searcher, Signals};
use crate::uci::{BenchTokens, Command, GoTokens, Info, Message, Parsed, PositionTokens};
use crossbeam_channel::{Receiver, select};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

/// How many oddities of one line are told.
const MOST_COMPLAINTS: usize = 8;

/// The state of the engine, and what it does when it is told to.
///
/// It hears of two things, lines and the ends of searches, and waits for both at once. What
/// acts at once is done while a search goes on; anything else stops the search, waits until
/// its best move is announced, and is done then. A perft or a bench is no search that
/// somebody waits for: what follows waits for its end, but for `stop` and `quit`.
pub(super) struct Session {
    writer: Arc<Writer>,
    driver: Driver,
    settings: Settings,
    game: Game,
    activity: Activity,
    /// What has been heard and has to wait.
    backlog: VecDeque<Command>,
    /// Has `wait` been heard in the search under way?
    is_waiting: bool,
    is_debugging: bool,
}

/// Whether the session goes on.
type Flow = ControlFlow<()>;

impl Session {
    /// # Errors
    /// [`StartError`] if the machine lacks memory or threads.
    pub(super) fn new(writer: Arc<Writer>) -> Result<Self, StartError> {
        let settings = Settings::DEFAULT;
        Ok(Self {
            writer,
            driver: Driver::new(settings.threads, settings.hash_mib)?,
            settings,
            game: Game::default(),
            activity: Activity::Idle,
            backlog: VecDeque::new(),
            is_waiting: false,
            is_debugging: false,
        })
    }

    /// Obeys until `quit`, the end of the input, or the end of those who read the output.
    pub(super) fn run(mut self, lines: &Receiver<Input>) {
        let done = self.driver.done().clone();
        let mut flow = Flow::Continue(());
        while flow.is_continue() && !self.writer.is_closed() {
            flow = select! {
                recv(lines) -> input => match input {
                    Ok(input) => self.hear(input),
                    Err(_) => self.wind_down(),
                },
                recv(done) -> done => match done {
                    Ok(done) => {
                        self.finish(done);
                        self.work_off()
                    }
                    Err(_) => Flow::Break(()),
                },
            };
        }
        self.end_activity();
    }

    /// The input has ended: finishes what ends by itself, and ends what does not.
    fn wind_down(&mut self) -> Flow {
        loop {
            match &mut self.activity {
                Activity::Idle => return Flow::Break(()),
                Activity::Searching(search) if search.is_held() || search.is_unlimited => {
                    search.stop();
                    self.announce();
                }
                Activity::Searching(_) | Activity::Batch(_) => {}
            }
            self.finish_one();
            self.work_off()?;
        }
    }

    fn hear(&mut self, input: Input) -> Flow {
        let Parsed { command, complaints } = match input {
            Input::Line(line) => Command::parse(&line),
            Input::TooLong => {
                self.writer.note(format_args!("a line of more than {LONGEST_LINE} bytes, ignored"));
                return Flow::Continue(());
            }
        };
        for complaint in complaints.iter().take(MOST_COMPLAINTS) {
            self.writer.note(complaint);
        }
        if complaints.len() > MOST_COMPLAINTS {
            self.writer.note(format_args!("and {} more like this", complaints.len() - MOST_COMPLAINTS));
        }
        match command {
            Some(command) if self.must_wait(&command) => {
                self.backlog.push_back(command);
                Flow::Continue(())
            }
            Some(command) => self.obey(command),
            None => Flow::Continue(()),
        }
    }

    /// Must a command wait for the end of what is under way, or of what waits already?
    fn must_wait(&self, command: &Command) -> bool {
        match command {
            Command::Stop => false,
            _ if self.is_waiting => true,
            Command::Quit => false,
            _ if !self.backlog.is_empty() => true,
            _ => matches!(self.activity, Activity::Batch(_)) && !acts_at_once(command),
        }
    }

    /// Does what has had to wait, as far as it need not wait any more.
    fn work_off(&mut self) -> Flow {
        while matches!(self.activity, Activity::Idle) || !self.is_waiting {
            let Some(command) = self.backlog.pop_front() else { break };
            if matches!(self.activity, Activity::Batch(_)) && !acts_at_once(&command) {
                self.backlog.push_front(command);
                break;
            }
            self.obey(command)?;
        }
        Flow::Continue(())
    }

    fn obey(&mut self, command: Command) -> Flow {
        if !acts_at_once(&command) {
            self.end_activity();
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.writer.say(Message::ReadyOk),
            Command::Debug(is_on) => self.is_debugging = is_on,
            Command::Register(_) => self.writer.note("registration is not needed"),
            Command::Help => self.writer.say(HELP),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return Flow::Break(()),
            Command::Wait => self.is_waiting = !matches!(self.activity, Activity::Idle),
            Command::UciNewGame => self.driver.ask(Searcher::clear),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position(tokens) => self.set_position(&tokens),
            Command::Go(GoTokens { perft: Some(depth), .. }) | Command::Perft(depth) => self.perft(depth),
            Command::Go(go) => self.go(&go),
            Command::Display => {
                self.writer.say(Display { game: &self.game, style: self.style() });
            }
            Command::Fen => self.writer.say(display::fen(&self.game.position, self.style())),
            Command::Eval => self.evaluate(),
            Command::Bench(tokens) => self.bench(tokens),
        }
        Flow::Continue(())
    }

    fn introduce(&self) {
        self.writer.say(Message::Name(NAME.to_owned()));
        self.writer.say(Message::Author(AUTHOR.to_owned()));
        for option in EngineOption::ALL {
            self.writer.say(Message::Option(option.declaration()));
        }
        self.writer.say(Message::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(option) = EngineOption::named(name) else {
            self.writer.note(format_args!("setoption: unknown option {}", Excerpt::new(name)));
            return;
        };
        let change = match self.settings.set(option, value) {
            Ok(change) => change,
            Err(error) => {
                self.writer.note(format_args!("setoption: {}: {error}; not changed", option.name()));
                return;
            }
        };
        let result = match change {
            Change::Noted => Ok(()),
            Change::ClearHash => {
                self.driver.ask(Searcher::clear);
                Ok(())
            }
            Change::Hash(mib) => {
                self.driver.ask(move |searcher| searcher.set_hash(mib)).map(|()| self.settings.hash_mib = mib)
            }
            Change::Threads(count) => self
                .driver
                .ask(move |searcher| searcher.set_threads(count))
                .map(|()| self.settings.threads = count),
        };
        if let Err(error) = result {
            self.writer.note(format_args!("setoption: {}: {error}; not changed", option.name()));
        }
    }

    fn set_position(&mut self, tokens: &PositionTokens) {
        if let Err(error) = self.game.set(tokens) {
            self.writer.note(error);
        }
    }

    fn go(&mut self, go: &GoTokens) {
        let (limits, notes) = limits(go, &self.game.position, self.settings.move_overhead);
        for note in notes.iter().take(MOST_COMPLAINTS) {
            self.writer.note(note);
        }
        let signals = Arc::new(if go.ponder { Signals::pondering() } else { Signals::default() });
        let is_unlimited = is_unlimited(&limits);
        let mut search = Search {
            signals: Arc::clone(&signals),
            game: self.game.clone(),
            is_infinite: go.infinite || is_unlimited && !go.ponder,
            is_pondering: go.ponder,
            is_unlimited,
            report: None,
        };
        let Game { position, line } = self.game.clone();
        let moves = position.legal_moves().len();
        if moves == 0 {
            search.report = Some(self.report_the_end(position.is_check()));
        } else {
            let job = Job { position, line, limits, multi_pv: self.settings.multi_pv.min(moves) };
            let mut listener = UciListener::new(Arc::clone(&self.writer), Arc::clone(&signals), self.style());
            self.driver.start(move |searcher| {
                let report = searcher.search(job, &signals, &mut listener);
                listener.conclude(&position, &report);
                Done::Search(report)
            });
        }
        self.activity = Activity::Searching(search);
        self.announce();
    }

    /// Says what a position without a legal move is worth.
    fn report_the_end(&self, is_mate: bool) -> Report {
        let score = if is_mate { Score::mated(0) } else { Score::DRAW };
        self.writer.say(Info {
            depth: Some(0),
            score: Some(listener::score(score, Bound::Exact)),
            ..Info::default()
        });
        Report { best: None, ponder: None, score, depth: 0, nodes: 0 }
    }

    fn perft(&mut self, depth: u32) {
        let (position, style) = (self.game.position, self.style());
        self.start_batch(move |writer, signals| {
            perft::divide(&position, depth, style, writer, signals);
        });
    }

    fn bench(&mut self, tokens: BenchTokens) {
        let default = bench::Options::default();
        let options = bench::Options {
            depth: tokens.depth.unwrap_or(default.depth),
            threads: tokens.threads.map_or(default.threads, |threads| threads as usize),
            hash_mib: tokens.hash_mib.map_or(default.hash_mib, |mib| mib as usize),
        };
        self.start_batch(move |writer, signals| {
            let mut say = |line: &str| {
                writer.say(line);
                if writer.is_closed() {
                    signals.stop();
                }
            };
            if let Err(error) = bench::measure(options, signals, &mut say) {
                writer.note(format_args!("bench: {error}"));
            }
        });
    }

    fn start_batch(&mut self, work: impl FnOnce(&Writer, &Arc<Signals>) + Send + 'static) {
        let signals = Arc::new(Signals::default());
        let writer = Arc::clone(&self.writer);
        self.activity = Activity::Batch(Arc::clone(&signals));
        self.driver.start(move |_| {
            work(&writer, &signals);
            Done::Batch
        });
    }

    fn evaluate(&self) {
        let position = &self.game.position;
        if position.is_check() {
            self.writer.say("Evaluation: none, the side to move is in check");
        } else {
            let score = Searcher::evaluate(position);
            self.writer.say(format_args!("Evaluation: {score} (for {})", position.turn().name()));
        }
    }

    fn stop(&mut self) {
        match &mut self.activity {
            Activity::Searching(search) => search.stop(),
            Activity::Batch(signals) => signals.stop(),
            Activity::Idle if self.is_debugging => self.writer.note("stop: there is no search"),
            Activity::Idle => {}
        }
        self.announce();
    }

    fn ponder_hit(&mut self) {
        match &mut self.activity {
            Activity::Searching(search) if search.is_pondering => search.ponder_hit(),
            _ if self.is_debugging => {
                self.writer.note("ponderhit: there is no search on the opponent's time")
            }
            _ => {}
        }
        self.announce();
    }

    /// Ends what is under way and waits for it; the best move of a search is announced.
    fn end_activity(&mut self) {
        if matches!(self.activity, Activity::Idle) {
            return;
        }
        self.stop();
        while !matches!(self.activity, Activity::Idle) {
            self.finish_one();
        }
    }

    /// Waits for the end of what is under way.
    fn finish_one(&mut self) {
        if matches!(self.activity, Activity::Idle) {
            return;
        }
        match self.driver.done().recv() {
            Ok(done) => self.finish(done),
            Err(_) => self.activity = Activity::Idle,
        }
    }

    fn finish(&mut self, done: Done) {
        match (done, &mut self.activity) {
            (Done::Search(report), Activity::Searching(search)) => search.report = Some(report),
            (Done::Batch, activity @ Activity::Batch(_)) => *activity = Activity::Idle,
            _ => debug_assert!(false, "what ends has been started"),
        }
        self.announce();
    }

    /// Announces the best move if there is one that need not be held back. Nothing else may.
    fn announce(&mut self) {
        if let Activity::Searching(search) = &self.activity
            && !search.is_held()
            && let Some(report) = &search.report
        {
            let write = |mv| UciMove::new(mv, self.style()).to_string();
            let (best, ponder) = search.answer(report);
            self.writer.say(Message::BestMove { best: best.map(write), ponder: ponder.map(write) });
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

/// Is a command carried out while a search goes on?
const fn acts_at_once(command: &Command) -> bool {
    matches!(
        command,
        Command::Uci
            | Command::IsReady
            | Command::Debug(_)
            | Command::Register(_)
            | Command::Help
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Wait
    )
}
