//! A run: the games of all iterations, on all threads.

use super::game_pair::{GamePair, PairResult};
use super::{Iteration, Openings, State, Tally, TunerError};
use crate::chess::Position;
use crate::search::Params;
use crate::selfplay::{Inbox, Message, pool};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The reason why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All iterations have been played.
    Done,
    /// The run was interrupted. The games of unfinished iterations are discarded.
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

/// The iterations of a screening whose games are assigned at the same time, for each thread.
const ITERATIONS_PER_THREAD: usize = 2;

/// A pair of games to play.
struct Task {
    /// The number of the iteration.
    iteration: u64,
    opening: Position,
    params: [Params; 2],
}

/// The result of a pair of games of the iteration with this number.
type Played = (u64, PairResult);

/// An iteration whose games are being played.
struct Pending {
    iteration: Iteration,
    /// The results so far.
    tally: Tally,
    /// The number of pairs of games that are not over.
    left: u64,
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
            Ok(move |results: &Sender<Played>| {
                play_pairs(&mut players, &task_inbox, results, stop);
                Ok(())
            })
        };
        let workers = std::iter::repeat_with(worker).take(threads.max(1));
        let workers = workers.collect::<Result<Vec<_>, TunerError>>()?;
        state.save(&file)?;
        pool("tuner", workers, stop, move |results| {
            // The tasks end when this is dropped, and with them the threads.
            let mut leader = Leader {
                tasks,
                results,
                pending: VecDeque::new(),
                // The games of a screening do not depend on the results of those before.
                most_pending: if state.screening.is_some() {
                    ITERATIONS_PER_THREAD * threads.max(1)
                } else {
                    1
                },
                started: Instant::now(),
                progress: Progress::default(),
            };
            let mut ending = Ending::Done;
            while !state.is_done() {
                leader.assign(&state, &openings)?;
                let Some((iteration, tally)) = leader.wait(&state, on_event) else {
                    stop.store(true, Ordering::Relaxed);
                    ending = Ending::Interrupted;
                    break;
                };
                state.learn(&iteration, tally);
                state.save(&file)?;
            }
            Ok((state, ending, leader.progress))
        })
    }
}

/// The playing thread.
fn play_pairs(players: &mut GamePair, tasks: &Receiver<Task>, results: &Sender<Played>, stop: &AtomicBool) {
    for Task { iteration, opening, params } in tasks {
        let Some(pair) = players.play(&opening, params, stop) else { break };
        if results.send((iteration, pair)).is_err() {
            break; // the leader has ended
        }
    }
}

/// The leader, which assigns the pairs of games to the threads and collects the results.
struct Leader {
    tasks: Sender<Task>,
    results: Inbox<Played>,
    /// The iterations whose games are assigned, the earliest first.
    pending: VecDeque<Pending>,
    /// The maximum number of these.
    most_pending: usize,
    started: Instant,
    progress: Progress,
}

impl Leader {
    /// Assigns the games of the next iterations.
    fn assign(&mut self, state: &State, openings: &Openings) -> Result<(), TunerError> {
        let gains = state.settings.gains();
        let pairs = state.settings.pairs;
        while self.pending.len() < self.most_pending {
            let Some(mut iteration) = state.next(self.pending.len() as u64) else { break };
            for number in 0..pairs {
                let mut params = [Params::default(); 2];
                for (params, values) in params.iter_mut().zip(iteration.values(&gains, &state.parameters)) {
                    for (parameter, value) in state.parameters.iter().zip(values) {
                        params.set(&parameter.name, value)?;
                    }
                }
                let opening = *openings.opening((iteration.number() - 1) * pairs + number);
                // If all threads have ended, the channel of the results closes, which is detected there.
                let _ = self.tasks.send(Task { iteration: iteration.number(), opening, params });
            }
            self.pending.push_back(Pending { iteration, tally: Tally::default(), left: pairs });
        }
        Ok(())
    }

    /// Waits for the games of the earliest iteration; `None` if they were interrupted.
    fn wait(
        &mut self,
        state: &State,
        on_event: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Option<(Iteration, Tally)> {
        while self.pending.front()?.left > 0 {
            // If there is no message, all threads have ended with an error, which has been reported.
            if let Message::Sent((number, pair)) = self.results.next()? {
                let mut pending = self.pending.iter_mut();
                let pending = pending.find(|pending| pending.iteration.number() == number)?;
                pending.left -= 1;
                pending.tally += pair.tally;
                self.progress.pairs += 1;
                self.progress.nodes += pair.nodes;
            }
            self.progress.elapsed = self.started.elapsed();
            let tally = &self.pending.front()?.tally;
            if on_event(Event::Progress { state, tally, progress: &self.progress }).is_break() {
                return None;
            }
        }
        self.pending.pop_front().map(|done| (done.iteration, done.tally))
    }
}
