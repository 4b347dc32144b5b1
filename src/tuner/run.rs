//! A run: the games of all iterations, on all threads.

use super::game_pair::{GamePair, PairResult};
use super::{Openings, State, Tally, TunerError};
use crate::chess::Position;
use crate::search::Params;
use crate::selfplay::{Inbox, Message, pool};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The reason why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All iterations have been played.
    Done,
    /// The run was interrupted. The games of the current iteration are discarded.
    Interrupted,
}

/// The games played since a run started or was resumed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// The number of pairs of games.
    pub pairs: u64,
    /// The number of nodes of their searches.
    pub nodes: u64,
    /// The time since the start.
    pub elapsed: Duration,
}

/// An event of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A pair of games is over, or some time has passed.
    Progress {
        /// The state after the latest complete iteration.
        state: &'a State,
        /// The results of the current iteration.
        tally: &'a Tally,
        /// The games played so far.
        progress: &'a Progress,
    },
}

/// A run that is started or resumed.
pub struct Run {
    /// The state of the run.
    pub state: State,
    /// The start positions of games.
    pub openings: Openings,
    /// The number of playing threads; at least one.
    pub threads: usize,
    /// The file to which the state is saved after each iteration.
    pub file: PathBuf,
}

/// A pair of games to play.
struct Task {
    opening: Position,
    params: [Params; 2],
}

impl Run {
    /// Plays until all iterations are over or `on_event`, which is called several times per second, returns a break.
    /// The state is saved after each iteration, and before the first one.
    ///
    /// # Errors
    /// [`TunerError`] if the memory or the threads are not available, a file cannot be written, or the openings differ
    /// from those of the state.
    pub fn play(
        self,
        on_event: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<(State, Ending, Progress), TunerError> {
        let Self { mut state, openings, threads, file } = self;
        let expected = &state.settings.openings;
        if !openings.matches(expected) {
            return Err(TunerError::Openings { found: openings.id().clone(), expected: expected.clone() });
        }
        let openings = openings.shuffled(state.settings.seed);
        let stop = &AtomicBool::new(false);
        let (tasks, task_inbox) = unbounded();
        let worker = || {
            let mut players = GamePair::new(state.settings.hash_mib, state.settings.time_control)?;
            let task_inbox = task_inbox.clone();
            Ok(move |results: &Sender<PairResult>| {
                play_pairs(&mut players, &task_inbox, results, stop);
                Ok(())
            })
        };
        let workers = std::iter::repeat_with(worker).take(threads.max(1));
        let workers = workers.collect::<Result<Vec<_>, TunerError>>()?;
        state.save(&file)?;
        pool("tuner", workers, stop, move |results| {
            // The tasks end when this is dropped, and with them the threads.
            let mut leader =
                Leader { tasks, results, started: Instant::now(), progress: Progress::default() };
            let mut ending = Ending::Done;
            while !state.is_done() {
                let mut next = state.next();
                leader.assign(&state, &mut next, &openings)?;
                let Some(tally) = leader.wait(&state, on_event) else {
                    stop.store(true, Ordering::Relaxed);
                    ending = Ending::Interrupted;
                    break;
                };
                state.learn(&next, tally);
                state.save(&file)?;
            }
            Ok((state, ending, leader.progress))
        })
    }
}

/// The playing thread.
fn play_pairs(
    players: &mut GamePair,
    tasks: &Receiver<Task>,
    results: &Sender<PairResult>,
    stop: &AtomicBool,
) {
    for Task { opening, params } in tasks {
        let Some(pair) = players.play(&opening, params, stop) else { break };
        if results.send(pair).is_err() {
            break; // the leader has ended
        }
    }
}

/// The leader, which assigns the pairs of games to the threads and collects the results.
struct Leader {
    tasks: Sender<Task>,
    results: Inbox<PairResult>,
    started: Instant,
    progress: Progress,
}

impl Leader {
    /// Assigns the pairs of an iteration.
    fn assign(
        &self,
        state: &State,
        next: &mut super::Iteration,
        openings: &Openings,
    ) -> Result<(), TunerError> {
        let gains = state.settings.gains();
        for number in 0..state.settings.pairs {
            let mut params = [Params::default(); 2];
            for (params, values) in params.iter_mut().zip(next.values(&gains, &state.parameters)) {
                for (parameter, value) in state.parameters.iter().zip(values) {
                    params.set(&parameter.name, value)?;
                }
            }
            let opening = *openings.opening(state.pairs() + number);
            // If all threads have ended, the channel of the results closes, which is detected there.
            let _ = self.tasks.send(Task { opening, params });
        }
        Ok(())
    }

    /// Waits for the pairs of an iteration; `None` if it was interrupted.
    fn wait(
        &mut self,
        state: &State,
        on_event: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Option<Tally> {
        let mut tally = Tally::default();
        let mut left = state.settings.pairs;
        while left > 0 {
            // If there is no message, all threads have ended with an error, which has been reported.
            if let Message::Sent(pair) = self.results.next()? {
                left -= 1;
                tally += pair.tally;
                self.progress.pairs += 1;
                self.progress.nodes += pair.nodes;
            }
            self.progress.elapsed = self.started.elapsed();
            let event = Event::Progress { state, tally: &tally, progress: &self.progress };
            if on_event(event).is_break() {
                return None;
            }
        }
        Some(tally)
    }
}
