//! A run: the games of all iterations, on all threads.

use super::duel::{Duel, Pair};
use super::{Openings, State, Tally, TunerError};
use crate::chess::Position;
use crate::search::{Params, ResourceError, STACK};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often signals are looked at.
const TICK: Duration = Duration::from_millis(100);

/// Why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All iterations have been played.
    Done,
    /// Somebody has interrupted it. The games of the iteration that was being played are given up.
    Interrupted,
}

/// What was played since a run began, or went on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Pairs of games.
    pub pairs: u64,
    /// Nodes of their searches.
    pub nodes: u64,
    /// Time since then.
    pub elapsed: Duration,
}

/// Hears how a run comes along.
pub trait Listener {
    /// A pair of games is over, or some time has gone by; `tally` has the games of the iteration
    /// under way.
    fn progress(&mut self, _state: &State, _tally: &Tally, _progress: &Progress) {}
}

/// For those who want only the result.
impl Listener for () {}

/// A run that is to begin or to go on.
pub struct Run {
    /// How far it has come.
    pub state: State,
    /// Where the games begin.
    pub openings: Openings,
    /// Threads that play; at least one.
    pub threads: usize,
    /// Where the state is saved after each iteration.
    pub file: PathBuf,
}

/// A pair of games to be played.
struct Task {
    opening: Position,
    params: [Params; 2],
}

impl Run {
    /// Plays until all iterations are over or `interrupted` is set. The state is saved after each
    /// iteration, and before the first.
    ///
    /// # Errors
    /// [`TunerError`] if something is lacking, or these are not the openings of the state.
    pub fn play(
        self,
        interrupted: &AtomicBool,
        listener: &mut dyn Listener,
    ) -> Result<(State, Ending, Progress), TunerError> {
        let Self { mut state, openings, threads, file } = self;
        openings.check(&state.settings.openings)?;
        let openings = openings.shuffled(state.settings.seed);
        let duel = || Duel::new(state.settings.hash_mib, state.settings.allowance);
        let duels = std::iter::repeat_with(duel).take(threads.max(1)).collect::<Result<Vec<_>, _>>()?;
        state.save(&file)?;
        let stop = AtomicBool::new(false);
        let (tasks, inbox) = unbounded();
        let (outbox, pairs) = unbounded();
        thread::scope(|scope| {
            for (id, duel) in duels.into_iter().enumerate() {
                let (inbox, outbox, stop) = (inbox.clone(), outbox.clone(), &stop);
                thread::Builder::new()
                    .name(format!("tuner {id}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || serve(duel, &inbox, &outbox, stop))
                    .map_err(|_| ResourceError::Threads(threads))?;
            }
            drop((inbox, outbox)); // so that the pairs end when the last thread does
            // The tasks end with this, and with them the threads.
            let mut table =
                Table { tasks, pairs, interrupted, started: Instant::now(), progress: Progress::default() };
            let mut ending = Ending::Done;
            while !state.is_done() {
                let mut next = state.next();
                table.set(&state, &mut next, &openings)?;
                let Some(tally) = table.wait(&state, listener) else {
                    stop.store(true, Ordering::Relaxed);
                    ending = Ending::Interrupted;
                    break;
                };
                state.learn(&next, tally);
                state.save(&file)?;
            }
            Ok((state, ending, table.progress))
        })
    }
}

/// A thread that plays.
fn serve(mut duel: Duel, tasks: &Receiver<Task>, pairs: &Sender<Pair>, stop: &AtomicBool) {
    for Task { opening, params } in tasks {
        let Some(pair) = duel.play(&opening, params, stop) else { break };
        if pairs.send(pair).is_err() {
            break; // nobody waits for it
        }
    }
}

/// Where the threads find what is to be played, and leave what came of it.
struct Table<'a> {
    tasks: Sender<Task>,
    pairs: Receiver<Pair>,
    interrupted: &'a AtomicBool,
    started: Instant,
    progress: Progress,
}

impl Table<'_> {
    /// Sets the pairs of an iteration out.
    fn set(&self, state: &State, next: &mut super::Iteration, openings: &Openings) -> Result<(), TunerError> {
        let gains = state.settings.gains();
        for number in 0..state.settings.pairs {
            let mut params = [Params::default(); 2];
            for (params, values) in params.iter_mut().zip(next.values(&gains, &state.parameters)) {
                for (parameter, value) in state.parameters.iter().zip(values) {
                    params.set(&parameter.name, value)?;
                }
            }
            let opening = *openings.opening(state.pairs() + number);
            // If no thread is left, nobody answers, and that is noticed.
            let _ = self.tasks.send(Task { opening, params });
        }
        Ok(())
    }

    /// Waits for the pairs of an iteration; `None` if it was interrupted.
    fn wait(&mut self, state: &State, listener: &mut dyn Listener) -> Option<Tally> {
        let mut tally = Tally::default();
        let mut left = state.settings.pairs;
        while left > 0 {
            match self.pairs.recv_timeout(TICK) {
                Ok(pair) => {
                    left -= 1;
                    tally += pair.tally;
                    self.progress.pairs += 1;
                    self.progress.nodes += pair.nodes;
                }
                Err(RecvTimeoutError::Timeout) => {}
                // All threads have died, which they have told of.
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            if self.interrupted.load(Ordering::Relaxed) {
                return None;
            }
            self.progress.elapsed = self.started.elapsed();
            listener.progress(state, &tally, &self.progress);
        }
        Some(tally)
    }
}
