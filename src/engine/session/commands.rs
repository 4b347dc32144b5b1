//! What each command does.

use super::{MOST_COMPLAINTS, Session};
use crate::engine::activity::{Activity, Search};
use crate::engine::driver::Done;
use crate::engine::game::Game;
use crate::engine::limits::{is_unlimited, limits};
use crate::engine::listener::{self, UciListener};
use crate::engine::network;
use crate::engine::options::{Change, EngineOption};
use crate::engine::writer::Writer;
use crate::engine::{AUTHOR, NAME, bench, perft};
use crate::nnue::Network;
use crate::notation::Excerpt;
use crate::search::{Bound, Job, Report, Score, Searcher, Signals, evaluate};
use crate::uci::{BenchTokens, GoTokens, Info, Message, PositionTokens};
use std::sync::Arc;

impl Session {
    pub(super) fn introduce(&self) {
        self.writer.say(Message::Name(NAME.to_owned()));
        self.writer.say(Message::Author(AUTHOR.to_owned()));
        for option in EngineOption::ALL {
            self.writer.say(Message::Option(option.declaration()));
        }
        self.writer.say(Message::UciOk);
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
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
            Change::Hash(mib) => self
                .driver
                .ask(move |searcher| searcher.set_hash(mib))
                .map(|()| self.settings.hash_mib = mib)
                .map_err(|error| error.to_string()),
            Change::Threads(count) => self
                .driver
                .ask(move |searcher| searcher.set_threads(count))
                .map(|()| self.settings.threads = count)
                .map_err(|error| error.to_string()),
            Change::EvalFile(path) => network::load(&path)
                .map(|network| self.use_network(network))
                .map_err(|error| error.to_string()),
        };
        if let Err(reason) = result {
            self.writer.note(format_args!("setoption: {}: {reason}; not changed", option.name()));
        }
    }

    fn use_network(&mut self, network: Option<Arc<Network>>) {
        self.network.clone_from(&network);
        self.driver.ask(move |searcher| searcher.set_network(network));
    }

    pub(super) fn set_position(&mut self, tokens: &PositionTokens) {
        if let Err(error) = self.game.set(tokens) {
            self.writer.note(error);
        }
    }

    pub(super) fn go(&mut self, go: &GoTokens) {
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
                listener.conclude(searcher, &position, &report);
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

    pub(super) fn perft(&mut self, depth: u32) {
        let (position, style) = (self.game.position, self.style());
        self.start_batch(move |writer, signals| {
            perft::divide(&position, depth, style, writer, signals);
        });
    }

    pub(super) fn bench(&mut self, tokens: BenchTokens) {
        let default = bench::Options::default();
        let options = bench::Options {
            depth: tokens.depth.unwrap_or(default.depth),
            threads: tokens.threads.map_or(default.threads, |threads| threads as usize),
            hash_mib: tokens.hash_mib.map_or(default.hash_mib, |mib| mib as usize),
            network: self.network.clone(),
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

    pub(super) fn evaluate(&self) {
        let position = &self.game.position;
        if position.is_check() {
            self.writer.say("Evaluation: none, the side to move is in check");
        } else {
            let score = evaluate(position, self.network.as_deref());
            self.writer.say(format_args!("Evaluation: {score} (for {})", position.turn().name()));
        }
    }
}
