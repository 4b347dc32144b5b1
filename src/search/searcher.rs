//! The threads that search (<https://www.chessprogramming.org/Lazy_SMP>): each owns what it
//! learns, all share the hash table. The main one is the thread that asks: a move at a few
//! milliseconds has no time to wake another thread, and to be woken by it.

use super::contempt;
use super::evaluator::evaluate;
use super::iterative::Finding;
use super::order::Order;
use super::params::Params;
use super::table::Table;
use super::tree::{Experience, Tree};
use super::{
    Iteration, Job, Limits, Listener, Preferences, Report, ResourceError, Score, Signals, memory, vote,
    waiting,
};
use crate::chess::{Move, Position};
use crate::nnue::{self, Network};
use crate::tablebase::Tablebase;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// The largest hash table that may be asked for, in MiB: 32 TiB, more than any machine has.
/// What the machine can give is found out when it is asked for.
pub const MAX_HASH_MIB: usize = 32 << 20;

/// Stack of a thread that searches, in bytes: enough for the longest line even without
/// optimization. Only what is used of it takes memory.
pub const STACK: usize = 16 << 20;

enum Command {
    Search(Arc<Order>, Sender<Finding>),
    Clear,
}

/// A helping thread, which takes commands until nobody can give any.
struct Worker {
    commands: Option<Sender<Command>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn spawn(id: usize) -> io::Result<Self> {
        let (commands, inbox) = unbounded();
        let thread = thread::Builder::new()
            .name(format!("search {id}"))
            .stack_size(STACK)
            .spawn(move || serve(id, &inbox))?;
        Ok(Self { commands: Some(commands), thread: Some(thread) })
    }

    fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // A thread that is gone does not answer, and the others search without it.
            let _ = commands.send(command);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The life of a helping thread.
fn serve(id: usize, inbox: &Receiver<Command>) {
    let mut experience = Experience::new(&nnue::embedded());
    while let Some(command) = waiting::next(inbox) {
        match command {
            Command::Clear => experience.clear(),
            Command::Search(order, findings) => {
                let finding = Tree::new(&order, &mut experience, id).think();
                drop(order);
                let _ = findings.send(finding);
            }
        }
    }
}

/// Ends the search for all threads when the main one is done, however that came about.
struct EndOfSearch<'a>(&'a Order);

impl Drop for EndOfSearch<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// The search threads and the hash table they share; lives as long as the engine.
pub struct Searcher {
    table: Arc<Table>,
    /// What the main thread learns.
    experience: Experience,
    /// The threads that help, numbered from 1.
    helpers: Vec<Worker>,
    params: Params,
    network: Arc<Network>,
    preferences: Preferences,
    endgames: Option<Arc<Tablebase>>,
}

impl Searcher {
    /// At least one thread and 1 MiB; evaluates with the network that is part of the program.
    ///
    /// # Errors
    /// [`ResourceError`] if the machine lacks the memory or the threads.
    pub fn new(threads: usize, hash_mib: usize) -> Result<Self, ResourceError> {
        let table = Arc::new(Table::new(hash_mib)?);
        let (params, preferences) = (Params::default(), Preferences::default());
        let network = nnue::embedded();
        let (experience, helpers) = (Experience::new(&network), Vec::new());
        let mut searcher = Self { table, experience, helpers, params, preferences, network, endgames: None };
        searcher.set_threads(threads)?;
        Ok(searcher)
    }

    /// Changes the number of threads; at least one.
    ///
    /// # Errors
    /// [`ResourceError::Threads`]; the former threads are kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ResourceError> {
        let wanted = threads.max(1);
        if wanted > MAX_THREADS {
            return Err(ResourceError::Threads(threads));
        }
        let (former, wanted) = (self.helpers.len(), wanted - 1);
        // Threads learn in memory of their own, and what they cannot get ends the program.
        if !memory::has_room_for(wanted.saturating_sub(former), Experience::BYTES, STACK) {
            return Err(ResourceError::Threads(threads));
        }
        for index in former..wanted {
            match Worker::spawn(index + 1) {
                Ok(worker) => self.helpers.push(worker),
                Err(_) => {
                    self.helpers.truncate(former);
                    return Err(ResourceError::Threads(threads));
                }
            }
        }
        self.helpers.truncate(wanted);
        Ok(())
    }

    /// How many threads search.
    const fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Changes the size of the hash table, and empties it; at least 1 MiB.
    ///
    /// # Errors
    /// [`ResourceError::Hash`]; the former table is kept.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), ResourceError> {
        let reserved = Table::reserve(mib)?;
        // The former table goes before the new one is touched, so that both need never fit.
        self.table = Arc::new(Table::new(1)?);
        self.table = Arc::new(reserved.fill());
        Ok(())
    }

    /// Forgets everything learned: hash table and histories.
    pub fn clear(&mut self) {
        for helper in &self.helpers {
            helper.send(Command::Clear);
        }
        self.table.clear(self.threads());
        self.experience.clear();
    }

    /// Changes the numbers that steer the search.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// Changes the network that positions are evaluated with. What was learned with another
    /// one is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.clear();
    }

    /// Changes the endgame tables; none to do without. What was learned with others is forgotten.
    pub fn set_endgames(&mut self, tables: Option<Arc<Tablebase>>) {
        self.endgames = tables;
        self.clear();
    }

    /// Changes how every search is done from now on.
    pub fn set_preferences(&mut self, preferences: Preferences) {
        self.preferences = preferences;
    }

    /// Searches until a limit is reached or `signals` say stop. Blocks. The thread that asks is
    /// the main search thread, and needs a stack of [`STACK`] bytes.
    pub fn search(&mut self, job: Job, signals: &Arc<Signals>, listener: &mut dyn Listener) -> Report {
        self.run(job, signals, Some(listener))
    }

    /// Searches until a limit is reached and reports nothing but the result: for many short searches, of which the
    /// reports would take a good part of the time. With one thread and no limit of time the result depends only on
    /// what was searched since the searcher was made or cleared.
    pub fn search_silently(&mut self, job: Job) -> Report {
        self.run(job, &Arc::default(), None)
    }

    fn run(&mut self, job: Job, signals: &Arc<Signals>, mut listener: Option<&mut dyn Listener>) -> Report {
        let candidates = candidates(&job);
        if candidates.is_empty() {
            let score = standing(&job.position, &self.network);
            return Report { best: None, ponder: None, score, depth: 0, nodes: 0 };
        }
        self.table.begin_search();
        let order = Order::new(
            job,
            candidates,
            Arc::clone(&self.table),
            Arc::clone(signals),
            self.params,
            Arc::clone(&self.network),
            self.threads(),
        );
        let order = order.with_preferences(self.preferences).with_endgames(self.endgames.clone());
        let order = Arc::new(order);
        let others = self.start_helpers(&order);
        let end = EndOfSearch(&order);
        let mut tree = Tree::new(&order, &mut self.experience, 0);
        if let Some(listener) = &mut listener {
            tree.listener = Some(&mut **listener);
        }
        let finding = tree.think();
        drop(end);
        let others = others.iter().flat_map(|others| std::iter::from_fn(|| waiting::next(others)));
        let findings: Vec<_> = std::iter::once(finding).chain(others).collect();
        if choose(&order, &findings).is_none() && signals.is_stopped() {
            return self.glance(order, listener);
        }
        self.conclude(&order, &findings, listener)
    }

    /// Starts the helping threads, if there are any. Their findings end when the last of them is done.
    fn start_helpers(&self, order: &Arc<Order>) -> Option<Receiver<Finding>> {
        if self.helpers.is_empty() {
            return None;
        }
        let (sender, findings) = unbounded();
        for helper in &self.helpers {
            helper.send(Command::Search(Arc::clone(order), sender.clone()));
        }
        Some(findings)
    }

    /// Searches one ply, regardless of signals: the move of a search that was stopped before it had found one.
    fn glance(&mut self, stopped: Arc<Order>, mut listener: Option<&mut dyn Listener>) -> Report {
        let mut job = stopped.job.clone();
        job.limits = Limits { depth: Some(1), search_moves: job.limits.search_moves, ..Limits::default() };
        let order = Order::new(
            job,
            stopped.candidates.clone(),
            Arc::clone(&self.table),
            Arc::default(),
            self.params,
            Arc::clone(&self.network),
            1,
        );
        let order = order.with_preferences(self.preferences).with_endgames(self.endgames.clone());
        let mut tree = Tree::new(&order, &mut self.experience, 0);
        if let Some(listener) = &mut listener {
            tree.listener = Some(&mut **listener);
        }
        let finding = tree.think();
        self.conclude(&order, &[finding], listener)
    }

    /// The result of all threads together.
    fn conclude(&self, order: &Order, findings: &[Finding], listener: Option<&mut dyn Listener>) -> Report {
        let position = &order.job.position;
        let nodes = order.nodes();
        let is_silent = listener.is_none();
        let Some(chosen) = choose(order, findings) else {
            // Nobody has found anything; any legal move is better than none.
            let best = order.candidates.first().copied();
            return Report { best, ponder: None, score: standing(position, &self.network), depth: 0, nodes };
        };
        if let Some(listener) = listener.filter(|_| chosen.id != 0) {
            listener.iteration(&Iteration {
                depth: chosen.depth as u32,
                selective_depth: chosen.selective_depth as u32,
                line: 1,
                score: self.told(chosen.score),
                bound: chosen.bound,
                nodes,
                elapsed: order.elapsed(),
                hash_full: self.table.fullness(),
                table_hits: order.table_hits(),
                pv: chosen.line.clone(),
            });
        }
        let best = chosen.line.first().copied();
        let ponder = chosen.line.get(1).copied();
        let ponder = if is_silent { ponder } else { ponder.or_else(|| self.reply(&order.job, best?)) };
        Report { best, ponder, score: self.told(chosen.score), depth: chosen.depth as u32, nodes }
    }

    /// The score as it is told, without contempt.
    fn told(&self, score: Score) -> Score {
        contempt::told(score, self.preferences.contempt)
    }

    /// The reply to a move that the hash table remembers, unless the game is over.
    fn reply(&self, job: &Job, mv: Move) -> Option<Move> {
        let child = job.position.play(mv).ok()?;
        let mut line = job.line.clone();
        line.push(&child);
        if child.outcome(&line).is_some() {
            return None;
        }
        self.table.probe(child.key())?.mv.filter(|&reply| child.is_legal(reply))
    }

    /// The static evaluation of a position for the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        evaluate(position, &self.network)
    }
}

/// The finding to go by, if any: what the threads have voted for. A search that was asked for a depth or for several
/// lines is told what the main thread has reported.
fn choose<'a>(order: &Order, findings: &'a [Finding]) -> Option<&'a Finding> {
    let limits = &order.job.limits;
    let is_main_only = limits.depth.is_some() || limits.mate.is_some() || order.job.multi_pv > 1;
    let main = || findings.iter().find(|finding| finding.id == 0 && !finding.line.is_empty());
    is_main_only.then(main).flatten().or_else(|| vote::winner(findings))
}

/// The legal moves among those that are to be searched.
pub(super) fn candidates(job: &Job) -> Vec<Move> {
    let wanted = &job.limits.search_moves;
    let legal = job.position.legal_moves().into_iter();
    legal.filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect()
}

/// The value of a position that is not searched.
fn standing(position: &Position, network: &Network) -> Score {
    match (position.legal_moves().is_empty(), position.is_check()) {
        (true, true) => Score::mated(0),
        (true, false) => Score::DRAW,
        (false, _) => evaluate(position, network),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::position;
    use super::*;
    use crate::chess::Line;

    const POSITIONS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    fn job(fen: &str, limits: Limits) -> Job {
        let position = position(fen);
        Job { position, line: Line::new(&position), limits, multi_pv: 1 }
    }

    fn nodes(soft: u64, hard: u64) -> Limits {
        Limits { soft_nodes: Some(soft), nodes: Some(hard), ..Limits::default() }
    }

    fn searcher() -> Searcher {
        Searcher::new(1, 1).expect("a MiB is there")
    }

    #[test]
    fn a_silent_search_finds_what_a_reported_one_finds() {
        let mut silent = searcher();
        let mut searcher = searcher();
        // Twice, since what was learned counts.
        for fen in POSITIONS.into_iter().chain(POSITIONS) {
            let expected = searcher.search(job(fen, nodes(2000, 3000)), &Arc::default(), &mut ());
            let found = silent.search_silently(job(fen, nodes(2000, 3000)));
            assert_eq!(
                (found.best, found.score, found.depth, found.nodes),
                (expected.best, expected.score, expected.depth, expected.nodes),
                "{fen}"
            );
        }
    }

    #[test]
    fn cleared_it_is_as_new() {
        let mut searcher = searcher();
        let mut answers = || POSITIONS.map(|fen| searcher.search_silently(job(fen, nodes(1000, 2000))));
        let first = answers();
        assert_ne!(answers(), first, "it has learned");
        searcher.clear();
        assert_eq!(POSITIONS.map(|fen| searcher.search_silently(job(fen, nodes(1000, 2000)))), first);
    }

    #[test]
    fn no_iteration_begins_after_the_soft_limit() {
        let mut searcher = searcher();
        for fen in POSITIONS {
            for soft in [1, 100, 1000, 5000] {
                searcher.clear();
                let report = searcher.search_silently(job(fen, nodes(soft, u64::MAX)));
                assert!(report.nodes >= soft, "{fen}: {soft}");
                // One iteration less takes fewer nodes than the limit.
                searcher.clear();
                let depth = Some(report.depth.saturating_sub(1));
                let less = searcher.search_silently(job(fen, Limits { depth, ..Limits::default() }));
                assert!(report.depth == 1 || less.nodes < soft, "{fen}: {soft}");
                searcher.clear();
                let hard = searcher.search_silently(job(fen, nodes(soft, soft + 7)));
                assert!(hard.nodes <= soft + 7, "{fen}: {soft}");
            }
        }
    }

    #[test]
    fn without_a_move_there_is_only_a_score() {
        let mut searcher = searcher();
        let report = searcher.search_silently(job("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", nodes(10, 20)));
        assert_eq!((report.best, report.score.mate_in()), (None, Some(0)));
    }
}
