//! The search threads (<https://www.chessprogramming.org/Lazy_SMP>). Each thread has its own histories, and
//! all share the hash table. The main search thread is the calling thread, because waking another one takes
//! too long for moves of a few milliseconds.

use super::evaluation::{self, evaluate};
use super::iterative::ThreadResult;
use super::mate_search::MateProof;
use super::params::Params;
use super::shared::{SharedContext, Statistics};
use super::table::Table;
use super::thread::{SearchThread, ThreadData};
use super::{Bound, Iteration, Job, Limits, Listener, ResourceError, Score, SearchOptions, Signals, memory};
use crate::chess::{Move, Position};
use crate::nnue::{self, Network};
use crate::tablebase::Tablebase;
use crossbeam_channel::{Receiver, Select, Sender, unbounded};
use std::cmp::Reverse;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// The maximum number of threads.
pub const MAX_THREADS: usize = 1024;

/// The maximum size of the hash table, in MiB: 32 TiB. The available memory is checked when the table is
/// allocated.
pub const MAX_HASH_MIB: usize = 32 << 20;

/// Stack size of a search thread, in bytes: enough for the longest line even without optimization. Only the
/// used part takes memory.
pub const STACK: usize = 16 << 20;

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move to search.
    pub best_move: Option<Move>,
    /// The expected reply.
    pub ponder_move: Option<Move>,
    /// The value of the position for the side to move.
    pub score: Score,
    /// The last completed iteration.
    pub depth: u32,
    /// Nodes of all threads: the moves made, null moves included.
    pub nodes: u64,
}

enum Command {
    Search(Arc<SharedContext>, Sender<ThreadResult>),
    Clear,
}

/// A helper thread. It ends when its command channel is closed.
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
            // If the thread has ended, the others search without it.
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

/// The main loop of a helper thread.
fn serve(id: usize, inbox: &Receiver<Command>) {
    let mut data = ThreadData::new(&nnue::embedded());
    while let Some(command) = recv_parked(inbox) {
        match command {
            Command::Clear => data.clear(),
            Command::Search(shared, results) => {
                let result = SearchThread::new(&shared, &mut data, id).iterative_deepening();
                drop(shared);
                let _ = results.send(result);
            }
        }
    }
}

/// Ends the search of all threads when the main thread has finished, also if it panics.
struct EndOfSearch<'a>(&'a SharedContext);

impl Drop for EndOfSearch<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// The search threads and their shared hash table.
pub struct Searcher {
    table: Arc<Table>,
    /// The data of the main thread.
    main: ThreadData,
    /// The helper threads, numbered from 1.
    helpers: Vec<Worker>,
    params: Params,
    network: Arc<Network>,
    options: SearchOptions,
    tablebase: Option<Arc<Tablebase>>,
    /// The counts of all searches.
    statistics: Statistics,
}

impl Searcher {
    /// A searcher with at least one thread and 1 MiB of hash table, and with the embedded network.
    ///
    /// # Errors
    /// [`ResourceError`] if the memory or the threads are not available.
    pub fn new(threads: usize, hash_mib: usize) -> Result<Self, ResourceError> {
        let mut searcher = Self::with_table(Table::new(hash_mib)?);
        searcher.set_threads(threads)?;
        Ok(searcher)
    }

    /// A searcher with one thread, this hash table and the embedded network.
    pub fn with_table(table: Table) -> Self {
        let network = nnue::embedded();
        Self {
            table: Arc::new(table),
            main: ThreadData::new(&network),
            helpers: Vec::new(),
            params: Params::default(),
            network,
            options: SearchOptions::default(),
            tablebase: None,
            statistics: Statistics::default(),
        }
    }

    /// Changes the number of threads; at least one.
    ///
    /// # Errors
    /// [`ResourceError::Threads`]; the previous threads are kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ResourceError> {
        let wanted = threads.max(1);
        if wanted > MAX_THREADS {
            return Err(ResourceError::Threads(threads));
        }
        let (former, wanted) = (self.helpers.len(), wanted - 1);
        // A failed allocation in a thread would abort the program.
        if !memory::has_room_for(wanted.saturating_sub(former), ThreadData::BYTES, STACK) {
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

    /// The number of threads.
    const fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Changes the size of the hash table and clears it; at least 1 MiB.
    ///
    /// # Errors
    /// [`ResourceError::Hash`]; the previous table is kept.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), ResourceError> {
        let reserved = Table::reserve(mib)?;
        // The previous table is freed before the new one is touched, so that memory for one is enough.
        self.table = Arc::new(Table::new(1)?);
        self.table = Arc::new(reserved.fill());
        Ok(())
    }

    /// Clears the hash table and all histories.
    pub fn clear(&mut self) {
        for helper in &self.helpers {
            helper.send(Command::Clear);
        }
        self.table.clear(self.threads());
        self.main.clear();
    }

    /// Changes the search parameters.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// Changes the network, and clears the hash table and all histories.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.clear();
    }

    /// Changes the endgame tablebases, and clears the hash table and all histories. `None` disables them.
    pub fn set_tablebase(&mut self, tables: Option<Arc<Tablebase>>) {
        self.tablebase = tables;
        self.clear();
    }

    /// Changes the options of later searches.
    pub fn set_options(&mut self, options: SearchOptions) {
        self.options = options;
    }

    /// The counts of all searches of this searcher except proofs of mates, if this build counts.
    pub const fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Searches until a limit is reached or `signals` stop it. Blocks. The calling thread is the main search
    /// thread, and needs a stack of [`STACK`] bytes.
    pub fn search(&mut self, job: Job, signals: &Arc<Signals>, listener: &mut dyn Listener) -> SearchResult {
        self.run(job, signals, Some(listener))
    }

    /// Searches until a limit is reached and reports nothing but the result: for many short searches, in which reports
    /// would take a considerable part of the time. With one thread and no time limit, the result depends only on the
    /// searches since the searcher was created or cleared.
    pub fn search_silently(&mut self, job: Job) -> SearchResult {
        self.run(job, &Arc::default(), None)
    }

    /// Searches exhaustively for a mate by the side to move in `max_moves` moves or fewer, within the limits and with
    /// the root moves of the job. The result does not depend on earlier searches.
    pub fn prove_mate(&mut self, job: Job, max_moves: u32) -> MateProof {
        let root_moves = root_moves(&job);
        if root_moves.is_empty() || max_moves == 0 {
            return MateProof::NoMate;
        }
        let shared = SharedContext::new(
            job,
            root_moves,
            Arc::clone(&self.table),
            Arc::default(),
            self.params,
            Arc::clone(&self.network),
            1,
        );
        SearchThread::new(&shared, &mut self.main, 0).prove_mate(max_moves)
    }

    fn run(
        &mut self,
        job: Job,
        signals: &Arc<Signals>,
        mut listener: Option<&mut dyn Listener>,
    ) -> SearchResult {
        let root_moves = root_moves(&job);
        if root_moves.is_empty() {
            let score = static_score(&job.position, &self.network);
            return SearchResult { best_move: None, ponder_move: None, score, depth: 0, nodes: 0 };
        }
        self.table.start_search();
        let shared = SharedContext::new(
            job,
            root_moves,
            Arc::clone(&self.table),
            Arc::clone(signals),
            self.params,
            Arc::clone(&self.network),
            self.threads(),
        );
        let shared = shared.with_options(self.options).with_tablebase(self.tablebase.clone());
        let shared = Arc::new(shared);
        let others = self.start_helpers(&shared);
        let end = EndOfSearch(&shared);
        let mut main_thread = SearchThread::new(&shared, &mut self.main, 0);
        if let Some(listener) = &mut listener {
            main_thread.listener = Some(&mut **listener);
        }
        let result = main_thread.iterative_deepening();
        drop(end);
        let others = others.iter().flat_map(|others| std::iter::from_fn(|| recv_parked(others)));
        let results: Vec<_> = std::iter::once(result).chain(others).collect();
        results.iter().for_each(|result| self.statistics += result.statistics);
        if choose_result(&shared, &results).is_none() && signals.is_stopped() {
            return self.search_one_ply(shared, listener);
        }
        self.search_result(&shared, &results, listener)
    }

    /// Starts the helper threads, if there are any. The channel of their results closes when the last of them has
    /// finished.
    fn start_helpers(&self, shared: &Arc<SharedContext>) -> Option<Receiver<ThreadResult>> {
        if self.helpers.is_empty() {
            return None;
        }
        let (sender, results) = unbounded();
        for helper in &self.helpers {
            helper.send(Command::Search(Arc::clone(shared), sender.clone()));
        }
        Some(results)
    }

    /// Searches one ply regardless of signals, for a search that was stopped before it had a move.
    fn search_one_ply(
        &mut self,
        stopped: Arc<SharedContext>,
        mut listener: Option<&mut dyn Listener>,
    ) -> SearchResult {
        let mut job = stopped.job.clone();
        job.limits = Limits { depth: Some(1), search_moves: job.limits.search_moves, ..Limits::default() };
        let shared = SharedContext::new(
            job,
            stopped.root_moves.clone(),
            Arc::clone(&self.table),
            Arc::default(),
            self.params,
            Arc::clone(&self.network),
            1,
        );
        let shared = shared.with_options(self.options).with_tablebase(self.tablebase.clone());
        let mut main_thread = SearchThread::new(&shared, &mut self.main, 0);
        if let Some(listener) = &mut listener {
            main_thread.listener = Some(&mut **listener);
        }
        let result = main_thread.iterative_deepening();
        self.statistics += result.statistics;
        self.search_result(&shared, &[result], listener)
    }

    /// The combined result of all threads.
    fn search_result(
        &self,
        shared: &SharedContext,
        results: &[ThreadResult],
        listener: Option<&mut dyn Listener>,
    ) -> SearchResult {
        let position = &shared.job.position;
        let nodes = shared.nodes();
        let is_silent = listener.is_none();
        let Some(chosen) = choose_result(shared, results) else {
            // No thread has a result; any legal move is better than none.
            let best = shared.root_moves.first().copied();
            return SearchResult {
                best_move: best,
                ponder_move: None,
                score: static_score(position, &self.network),
                depth: 0,
                nodes,
            };
        };
        if let Some(listener) = listener.filter(|_| chosen.id != 0) {
            listener.iteration(&Iteration {
                depth: chosen.depth as u32,
                seldepth: chosen.seldepth as u32,
                multipv: 1,
                score: self.without_contempt(chosen.score),
                bound: chosen.bound,
                nodes,
                elapsed: shared.elapsed(),
                hashfull: self.table.hashfull(),
                tb_hits: shared.tb_hits(),
                pv: chosen.pv.clone(),
            });
        }
        let best = chosen.pv.first().copied();
        let ponder = chosen.pv.get(1).copied();
        let ponder = if is_silent { ponder } else { ponder.or_else(|| self.ponder_move(&shared.job, best?)) };
        SearchResult {
            best_move: best,
            ponder_move: ponder,
            score: self.without_contempt(chosen.score),
            depth: chosen.depth as u32,
            nodes,
        }
    }

    /// The score without contempt.
    fn without_contempt(&self, score: Score) -> Score {
        evaluation::without_contempt(score, self.options.contempt)
    }

    /// The reply to a move from the hash table, unless the game is over.
    fn ponder_move(&self, job: &Job, mv: Move) -> Option<Move> {
        let child = job.position.play(mv).ok()?;
        let mut key_history = job.key_history.clone();
        key_history.push(&child);
        if child.outcome(&key_history).is_some() {
            return None;
        }
        self.table.probe(child.key())?.mv.filter(|&reply| child.is_legal(reply))
    }

    /// The static evaluation of a position for the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        evaluate(position, &self.network)
    }
}

/// The result to use, if there is one: that of the thread chosen by vote. Searches with a limit of depth or of moves to
/// mate, or with several principal variations, use the result of the main thread, which is the reported one.
fn choose_result<'a>(shared: &SharedContext, results: &'a [ThreadResult]) -> Option<&'a ThreadResult> {
    let limits = &shared.job.limits;
    let is_main_only = limits.depth.is_some() || limits.mate.is_some() || shared.job.multi_pv > 1;
    let main = || results.iter().find(|result| result.id == 0 && !result.pv.is_empty());
    is_main_only.then(main).flatten().or_else(|| winner(results))
}

/// The legal moves to be searched at the root.
pub(super) fn root_moves(job: &Job) -> Vec<Move> {
    let wanted = &job.limits.search_moves;
    let legal = job.position.legal_moves();
    let mut moves = Vec::with_capacity(legal.len());
    moves.extend(legal.into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)));
    moves
}

/// The score of a position without a search.
fn static_score(position: &Position, network: &Network) -> Score {
    match (!position.has_legal_moves(), position.is_check()) {
        (true, true) => Score::mated(0),
        (true, false) => Score::DRAW,
        (false, _) => evaluate(position, network),
    }
}

/// The vote of the thread with the lowest score, in search units, so that its depth also counts.
const MIN_VOTE: i32 = 15;

/// The result to use, if any thread has a move: the shortest mate, otherwise the result with the greatest
/// weight among those of the move with the most votes
/// (<https://www.chessprogramming.org/Lazy_SMP#Best_Thread_Selection>). The main thread wins ties.
pub(super) fn winner(results: &[ThreadResult]) -> Option<&ThreadResult> {
    let voters = || results.iter().filter(|result| !result.pv.is_empty());
    let mating =
        voters().filter(|result| is_mating(result)).max_by_key(|&result| (result.score, main_first(result)));
    let worst = voters().map(|result| result.score).min()?;
    let votes_for = |mv: Option<&Move>| {
        let agreeing = voters().filter(|result| result.pv.first() == mv);
        agreeing.map(|result| vote_weight(result, worst)).sum::<i64>()
    };
    mating.or_else(|| {
        voters().max_by_key(|&result| {
            (votes_for(result.pv.first()), vote_weight(result, worst), main_first(result))
        })
    })
}

/// The weight of a thread's vote.
fn vote_weight(result: &ThreadResult, worst: Score) -> i64 {
    i64::from(result.score - worst + MIN_VOTE) * i64::from(result.depth)
}

/// Orders the main thread before all others.
fn main_first(result: &ThreadResult) -> Reverse<usize> {
    Reverse(result.id)
}

/// Whether the result is a proved mate.
fn is_mating(result: &ThreadResult) -> bool {
    result.bound == Bound::Exact && result.score.mate_in().is_some_and(|moves| moves > 0)
}

/// Waits for a message without spinning; `None` when the channel is closed.
///
/// `Receiver::recv` spins and yields before it sleeps. On a busy machine a thread that yields waits for a
/// whole time slice of another process, even if a message arrives, whereas a sleeping thread is woken at
/// once. With both cores busy, the answer to `go` takes 0.5 ms instead of 1.1 ms.
pub fn recv_parked<T>(receiver: &Receiver<T>) -> Option<T> {
    let mut select = Select::new();
    select.recv(receiver);
    select.select().recv(receiver).ok()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, position};
    use super::*;
    use crate::chess::KeyHistory;
    use crossbeam_channel::unbounded;
    use std::thread;

    // Choice of the best thread

    fn result(id: usize, text: &str, score: Score, depth: i32) -> ThreadResult {
        let pv = if text.is_empty() { Vec::new() } else { vec![mv(text)] };
        ThreadResult {
            id,
            score,
            bound: Bound::Exact,
            depth,
            pv,
            seldepth: 0,
            statistics: Statistics::default(),
        }
    }

    #[test]
    fn the_threads_decide_together() {
        let cp = Score::from_units;
        type Case<'a> = (&'a str, &'a [(&'a str, Score, i32)], Option<usize>);
        let cases: [Case; 8] = [
            ("no thread", &[], None),
            ("nothing found", &[("", cp(0), 0)], None),
            ("one", &[("e2e4", cp(10), 0)], Some(0)),
            ("all alike", &[("e2e4", cp(10), 9), ("d2d4", cp(10), 9)], Some(0)),
            ("the deeper one", &[("e2e4", cp(10), 9), ("d2d4", cp(10), 12)], Some(1)),
            ("the majority", &[("e2e4", cp(10), 9), ("d2d4", cp(10), 9), ("d2d4", cp(10), 8)], Some(1)),
            (
                "a mate",
                &[("e2e4", cp(900), 30), ("e2e4", cp(900), 30), ("d2d4", Score::mating(5), 9)],
                Some(2),
            ),
            ("a shorter mate", &[("e2e4", Score::mating(7), 30), ("d2d4", Score::mating(5), 9)], Some(1)),
        ];
        for (name, results, expected) in cases {
            let results: Vec<_> = (0..)
                .zip(results)
                .map(|(id, &(text, score, depth))| result(id, text, score, depth))
                .collect();
            assert_eq!(winner(&results).map(|result| result.id), expected, "{name}");
        }
    }

    #[test]
    fn a_mate_that_is_only_a_bound_is_no_mate() {
        let bound = ThreadResult { bound: Bound::Lower, ..result(1, "d2d4", Score::mating(5), 1) };
        let main = result(0, "e2e4", Score::mating(5), 30);
        assert_eq!(winner(&[main, bound]).map(|result| result.id), Some(0));
    }

    // Waiting

    #[test]
    fn all_comes_in_its_order_and_then_the_end() {
        let (sender, receiver) = unbounded();
        let numbers = 0..1000;
        let expected: Vec<u32> = numbers.clone().collect();
        let sending =
            thread::spawn(move || numbers.for_each(|number| sender.send(number).expect("it is received")));
        assert_eq!(std::iter::from_fn(|| recv_parked(&receiver)).collect::<Vec<_>>(), expected);
        sending.join().expect("all was sent");
        assert_eq!(recv_parked(&receiver), None);
    }

    // Silent searches

    const POSITIONS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    fn job(fen: &str, limits: Limits) -> Job {
        let position = position(fen);
        Job { position, key_history: KeyHistory::new(&position), limits, multi_pv: 1 }
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
        // Twice, since the second search depends on the first.
        for fen in POSITIONS.into_iter().chain(POSITIONS) {
            let expected = searcher.search(job(fen, nodes(2000, 3000)), &Arc::default(), &mut ());
            let found = silent.search_silently(job(fen, nodes(2000, 3000)));
            assert_eq!(
                (found.best_move, found.score, found.depth, found.nodes),
                (expected.best_move, expected.score, expected.depth, expected.nodes),
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
    fn no_iteration_starts_after_the_soft_limit() {
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
    fn mates_are_proved_refuted_or_left_open() {
        let mut searcher = searcher();
        let ladder = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
        let cases = [
            ("the shortest", ladder, 4, "", u64::MAX, "mate in 3 plies"),
            ("by this move", ladder, 2, "c6b6", u64::MAX, "mate in 3 plies"),
            ("not so soon", ladder, 1, "", u64::MAX, "no mate"),
            ("not by this move", ladder, 2, "h1h7", u64::MAX, "no mate"),
            ("too few nodes", ladder, 2, "", 5, "unknown"),
            ("nobody mates in no moves", ladder, 0, "", u64::MAX, "no mate"),
            ("mated already", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 3, "", u64::MAX, "no mate"),
        ];
        for (name, fen, moves, first, nodes, expected) in cases {
            let search_moves = first.split_whitespace().map(mv).collect();
            let limits = Limits { nodes: Some(nodes), search_moves, ..Limits::default() };
            let found = match searcher.prove_mate(job(fen, limits), moves) {
                MateProof::Mate(line) => {
                    let end = line.iter().try_fold(position(fen), |position, &mv| position.play(mv));
                    assert!(end.is_ok_and(|end| end.is_checkmate()), "{name}");
                    format!("mate in {} plies", line.len())
                }
                MateProof::NoMate => "no mate".to_owned(),
                MateProof::Unknown => "unknown".to_owned(),
            };
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn without_a_move_there_is_only_a_score() {
        let mut searcher = searcher();
        let report = searcher.search_silently(job("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", nodes(10, 20)));
        assert_eq!((report.best_move, report.score.mate_in()), (None, Some(0)));
    }
}
