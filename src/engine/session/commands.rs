//! The execution of each command.

use super::options::declarations;
use super::{MAX_WARNINGS, Session};
use crate::chess::Position;
use crate::engine::bench::{self, SpeedtestOptions, perft_divide, speedtest};
use crate::engine::best_move::PendingBestMove;
use crate::engine::display::{self, Display, Evaluation, flip};
use crate::engine::game::{Game, GameError};
use crate::engine::genfens;
use crate::engine::io::{NAME, Writer};
use crate::engine::limits::{NodeClock, is_unlimited, limits};
use crate::engine::listener::{self, InfoOptions, UciListener};
use crate::engine::resources::{BookChoice, plies};
use crate::engine::search_thread::{Activity, Done, Search};
use crate::engine::settings::Settings;
use crate::notation::{Fen, San, UciMove};
use crate::rng::Rng;
use crate::search::{
    Bound, Candidates, Iteration, Job, Limits, Score, SearchResult, Searcher, Signals, Strength, evaluate,
    root_move_count,
};
use crate::uci::{
    BenchTokens, GenFensTokens, GoTokens, Info, Message, PositionTokens, Shorthand, SpeedtestTokens,
    StartPosition,
};
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The authors of the engine in `id author`.
const AUTHOR: &str = "the Hematite authors";

impl Session {
    pub(super) fn identify(&mut self) {
        self.has_gui = true;
        self.console = None;
        if let Activity::Searching(search) = &self.activity {
            search.best_move.leave_console();
        }
        self.writer.print(Message::Name(NAME.to_owned()));
        self.writer.print(Message::Author(AUTHOR.to_owned()));
        for declaration in declarations() {
            self.writer.print(Message::Option(declaration));
        }
        self.writer.print(Message::UciOk);
    }

    /// Prints `readyok`: during a search at once, and otherwise when the search thread is ready for one.
    pub(super) fn confirm_readiness(&self) {
        if matches!(self.activity, Activity::Idle) {
            self.searcher.wait_until_ready();
        }
        self.writer.print(Message::ReadyOk);
    }

    pub(super) fn start_new_game(&mut self) {
        self.searcher.run(Searcher::clear);
        self.node_clock = NodeClock::default();
    }

    pub(super) fn set_position(&mut self, tokens: &PositionTokens) {
        let mut notes = Vec::new();
        let result = self.game.set(tokens, &mut notes);
        for note in notes {
            self.writer.info(format_args!("position: {note}"));
        }
        self.refusal = match result {
            Ok(()) => None,
            Err(error @ GameError::Move { .. }) => {
                self.writer.info(error);
                None
            }
            Err(error) => {
                self.writer.info(format_args!("position refused: {error}"));
                Some(error.to_string())
            }
        };
    }

    /// Whether there is a valid position. If the last one was rejected, the reason is printed again in answer to this
    /// command: a result for another position would be mistaken for that of the rejected one.
    fn has_position(&self, command: &str) -> bool {
        if let Some(refusal) = &self.refusal {
            self.writer
                .info(format_args!("{command}: there is no position, the last one was refused: {refusal}"));
        }
        self.refusal.is_none()
    }

    /// Prints a note if the position shown is not the one stated last, because that was rejected.
    fn note_refusal(&self) {
        if let Some(refusal) = &self.refusal {
            self.writer
                .info(format_args!("this is the position before the last one, which was refused: {refusal}"));
        }
    }

    pub(super) fn display(&self) {
        self.note_refusal();
        self.writer.print(Display { game: &self.game, style: self.style() });
    }

    pub(super) fn print_fen(&self) {
        self.note_refusal();
        self.writer.print(display::fen(&self.game.position, self.style()));
    }

    pub(super) fn go(&mut self, go: &GoTokens) {
        let has_position = self.has_position("go");
        let settings = &self.settings;
        // A clock that counts nodes has no delay between GUI and engine.
        let overhead = if settings.nodes_time.is_some() { Duration::ZERO } else { settings.move_overhead };
        let (mut limits, notes) = limits(go, &self.game.position, overhead);
        for note in notes.iter().take(if has_position { MAX_WARNINGS } else { 0 }) {
            self.writer.info(note);
        }
        let is_unlimited = is_unlimited(&limits);
        let node_clock = self.read_node_clock(&mut limits);
        let strength = self.settings.strength();
        let is_analysis = self.is_analysis(go, is_unlimited);
        if let Some(strength) = strength.filter(|_| !is_analysis) {
            limits.nodes = Some(limits.nodes.map_or(strength.nodes, |nodes| nodes.min(strength.nodes)));
        }
        let best_move = Arc::new(PendingBestMove::new(
            Arc::clone(&self.writer),
            self.game.clone(),
            self.style(),
            self.console,
            go,
            is_unlimited,
        ));
        let mut search = Search {
            best_move: Arc::clone(&best_move),
            is_on_node_clock: false,
            expected_node_clock: None,
            is_over: false,
        };
        // A ponder move that the opponent does not play must not change the clock.
        if go.ponder {
            search.expected_node_clock = node_clock;
        } else if let Some(node_clock) = node_clock {
            self.node_clock = node_clock;
            search.is_on_node_clock = true;
        }
        let position = self.game.position;
        let may_use_book = !go.infinite && !go.ponder && !is_unlimited && limits.search_moves.is_empty();
        let known = if !has_position {
            Some(no_move(Score::DRAW))
        } else if !position.has_legal_moves() {
            Some(self.report_game_end(position.is_check()))
        } else {
            self.book_move(may_use_book && limits.mate.is_none())
        };
        if let Some(result) = known {
            search.is_over = true;
            best_move.set_result(result);
        } else {
            self.start_search(best_move, limits, strength, is_analysis);
        }
        self.activity = Activity::Searching(search);
        self.update_state();
    }

    /// Whether a search is for analysis and not for play. A limited strength then does not limit the search, but only
    /// chooses the best move.
    const fn is_analysis(&self, go: &GoTokens, is_unlimited: bool) -> bool {
        let is_on_time = go.has_clock() || go.move_time.is_some() || go.has_unreadable_limit;
        let Settings { is_analyzing, multi_pv, .. } = self.settings;
        go.infinite || !go.ponder && (is_unlimited || is_analyzing || multi_pv > 1 || !is_on_time)
    }

    /// Replaces the clock in the limits by the node clock, if there is one, and returns the state of the node clock.
    fn read_node_clock(&self, limits: &mut Limits) -> Option<NodeClock> {
        let (rate, clock) = self.settings.nodes_time.zip(limits.clock)?;
        let mut node_clock = self.node_clock.clone();
        limits.clock = Some(node_clock.read(clock, rate));
        Some(node_clock)
    }

    /// Starts the search. A limited strength chooses among the moves of the search; for analysis it makes the choice in
    /// a separate short search before the reported one.
    fn start_search(
        &mut self,
        best_move: Arc<PendingBestMove>,
        limits: Limits,
        strength: Option<Strength>,
        is_analysis: bool,
    ) {
        if let Some(console) = self.console {
            self.writer.print(console.header());
        }
        let Game { position, key_history } = self.game.clone();
        let player = strength.filter(|_| !is_analysis);
        let wanted = player.map_or(self.settings.multi_pv, |strength| strength.lines);
        let mut job = Job { position, key_history, limits, multi_pv: wanted };
        job.multi_pv = wanted.min(root_move_count(&job));
        let options = InfoOptions {
            style: self.style(),
            shows_wdl: self.settings.shows_wdl,
            is_minimal: self.settings.is_minimal,
            lines: self.settings.multi_pv,
            depth_limit: job.limits.depth,
        };
        let writer = Arc::clone(&self.writer);
        let search_options = self.settings.search_options();
        let mut rng = Rng::new(self.rng.next_u64());
        self.searcher.start(move |searcher| {
            searcher.set_options(search_options);
            let mut chosen = None;
            let mut nodes = 0;
            // A level that only limits the nodes has no choice to make.
            if let Some(strength) = strength.filter(|strength| is_analysis && strength.lines > 1) {
                let started = Instant::now();
                // While pondering, the node limit would not apply.
                let own = Arc::default();
                let signals = if best_move.signals().is_pondering() { &own } else { best_move.signals() };
                let choice = Job { limits: half(&job.limits), ..job.clone() };
                (chosen, nodes) = strength.search(searcher, &choice, signals, &mut rng);
                let spent = match search_options.nodes_per_millisecond {
                    Some(rate) => Duration::from_millis(nodes / rate),
                    None => started.elapsed(),
                };
                spend(&mut job.limits, spent);
            }
            // From now on, so that the reported time and nodes are those of one search.
            let mut listener = UciListener::new(writer, options, Arc::clone(&best_move), job.multi_pv);
            let result = searcher.search(job, best_move.signals(), &mut listener);
            nodes += result.nodes;
            let evaluate = |position: &Position| searcher.evaluate(position);
            let choose = player.map(|strength| {
                move |lines: &[Iteration]| {
                    strength.choose(&Candidates::new(&position, lines, evaluate), &mut rng)
                }
            });
            let answer = listener.conclude(result, evaluate(&position), choose);
            best_move.set_result(match chosen {
                Some(Iteration { pv, score, .. }) => SearchResult {
                    best_move: pv.first().copied(),
                    ponder_move: pv.get(1).copied(),
                    score,
                    ..answer
                },
                None => answer,
            });
            Done::Search { nodes }
        });
    }

    /// A book move if allowed and available; prints the alternatives.
    fn book_move(&mut self, may_use_book: bool) -> Option<SearchResult> {
        let Settings { owns_book, book_plies, is_analyzing, .. } = self.settings;
        let position = self.game.position;
        if !may_use_book || !owns_book || is_analyzing || plies(&position) >= book_plies {
            return None;
        }
        let book = self.book.as_ref()?;
        let choice = BookChoice::new(book, &position)?;
        let best = choice.draw(&mut self.rng)?;
        self.writer.info(format_args!("book: {}", choice.text(self.style())));
        let ponder = BookChoice::new(book, &position.after(best).0).and_then(|choice| choice.heaviest());
        Some(SearchResult {
            best_move: Some(best),
            ponder_move: ponder,
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
        })
    }

    /// Prints the score of a position without a legal move.
    fn report_game_end(&self, is_mate: bool) -> SearchResult {
        let score = if is_mate { Score::mated(0) } else { Score::DRAW };
        match self.console {
            Some(_) => self.writer.print(if is_mate { "Checkmate." } else { "Stalemate." }),
            None => self.writer.print(Info {
                depth: Some(0),
                score: Some(listener::score(score, Bound::Exact, self.settings.shows_wdl)),
                ..Info::default()
            }),
        }
        no_move(score)
    }

    pub(super) fn perft(&mut self, depth: u32) {
        if !self.has_position("perft") {
            self.writer.print(bench::perft_total(0));
            return;
        }
        let (position, style) = (self.game.position, self.style());
        self.start_batch(move |writer, signals| {
            perft_divide(&position, depth, style, writer, signals);
        });
    }

    pub(super) fn bench(&mut self, tokens: BenchTokens) {
        let default = bench::Options::default();
        let options = bench::Options {
            depth: tokens.depth.unwrap_or(default.depth),
            nodes: default.nodes,
            threads: tokens.threads.map_or(default.threads, |threads| threads as usize),
            hash_mib: tokens.hash_mib.map_or(default.hash_mib, |mib| mib as usize),
            network: self.network(),
            params: self.settings.params,
        };
        self.start_batch(move |writer, signals| {
            let mut print = |line: &str| {
                writer.print(line);
                if writer.is_closed() {
                    signals.stop();
                }
            };
            match bench::measure(options, signals, &mut print) {
                // A closed standard error is ignored.
                Ok(totals) => drop(writeln!(io::stderr(), "{}", totals.summary())),
                Err(error) => writer.info(format_args!("bench: {error}")),
            }
        });
    }

    pub(super) fn speedtest(&mut self, tokens: SpeedtestTokens) {
        let options = SpeedtestOptions::new(tokens.seconds, tokens.threads, tokens.hash_mib);
        self.start_batch(move |writer, signals| match speedtest(options, signals) {
            Ok(speed) => writer.print(speed),
            Err(error) => writer.info(format_args!("speedtest: {error}")),
        });
    }

    pub(super) fn genfens(&mut self, tokens: GenFensTokens) {
        self.start_batch(move |writer, signals| {
            let mut print = |fen: &Fen<'_>| {
                writer.info(format_args!("genfens {fen}"));
                if writer.is_closed() {
                    signals.stop();
                }
            };
            if let Err(error) = genfens::generate(&tokens, signals, &mut print) {
                writer.info(format_args!("genfens: {error}"));
            }
        });
    }

    fn start_batch(&mut self, work: impl FnOnce(&Writer, &Arc<Signals>) + Send + 'static) {
        let signals = Arc::new(Signals::default());
        let writer = Arc::clone(&self.writer);
        self.activity = Activity::Batch(Arc::clone(&signals));
        self.searcher.start(move |_| {
            work(&writer, &signals);
            Done::Batch
        });
    }

    pub(super) fn evaluate(&self) {
        let position = &self.game.position;
        if !self.has_position("eval") {
            self.writer.print("Final evaluation: none (no position)");
        } else if position.is_check() {
            self.writer.print("Final evaluation: none (in check)");
        } else {
            let network = self.network();
            self.writer.print(Evaluation { position, evaluate: &|position| evaluate(position, &network) });
        }
    }

    pub(super) fn list_moves(&self) {
        self.note_refusal();
        let position = &self.game.position;
        let moves = position.legal_moves();
        let (mut san, mut uci) = (String::new(), String::new());
        for &mv in &moves {
            san += &format!(" {}", San::new(position, mv).text());
            uci += &format!(" {}", UciMove::new(mv, self.style()));
        }
        self.writer.print(format_args!("Legal moves: {}\nSAN:{san}\nUCI:{uci}", moves.len()));
    }

    pub(super) fn flip(&mut self) {
        if !self.has_position("flip") {
            return;
        }
        match flip(&self.game.position) {
            Ok(flipped) => self.game = Game::new(flipped),
            Err(problems) => {
                let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
                self.writer.info(format_args!("flip: {}", problems.join(", ")));
            }
        }
    }

    /// Sets up a position, or plays moves up to the first illegal one.
    pub(super) fn run_shorthand(&mut self, shorthand: &Shorthand) {
        match shorthand {
            Shorthand::Fen(fen) => {
                self.set_position(&PositionTokens {
                    base: StartPosition::Fen(fen.clone()),
                    moves: Vec::new(),
                });
            }
            Shorthand::Moves(moves) if self.has_position("moves") => {
                for (index, text) in moves.iter().enumerate() {
                    if let Err(error) = self.game.play_text(text) {
                        let (number, count) = (index + 1, moves.len());
                        self.writer.info(format_args!("stops before move {number} of {count}: {error}"));
                        return;
                    }
                }
            }
            Shorthand::Moves(_) => {}
        }
    }
}

/// The result of a search without a legal move.
const fn no_move(score: Score) -> SearchResult {
    SearchResult { best_move: None, ponder_move: None, score, depth: 0, nodes: 0 }
}

/// Half of the limits of a move.
fn half(limits: &Limits) -> Limits {
    Limits {
        move_time: limits.move_time.map(|time| time / 2),
        nodes: limits.nodes.map(|nodes| (nodes / 2).max(1)),
        ..limits.clone()
    }
}

/// Subtracts the time that was spent from the time limits. The nodes remain: hosts wait for a report of as many as they
/// asked for.
fn spend(limits: &mut Limits, spent: Duration) {
    limits.move_time = limits.move_time.map(|time| time.saturating_sub(spent));
    if let Some(clock) = &mut limits.clock {
        clock.remaining = clock.remaining.saturating_sub(spent);
    }
}
