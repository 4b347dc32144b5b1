//! One UCI session.

mod commands;

use super::activity::Activity;
use super::display::{self, Display};
use super::driver::{Done, Driver, StartError};
use super::game::Game;
use super::help::HELP;
use super::options::Settings;
use super::reader::{Input, LONGEST_LINE};
use super::writer::Writer;
use crate::nnue::{self, Network};
use crate::notation::{CastlingStyle, UciMove};
use crate::search::Searcher;
use crate::uci::{Command, GoTokens, Message, Parsed};
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
    /// What positions are evaluated with, if not by material and squares.
    network: Option<Arc<Network>>,
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
            network: nnue::embedded(),
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
