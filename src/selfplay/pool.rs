//! Worker threads that play games, and the thread that leads them.

use crate::search::{ResourceError, STACK};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The maximum time for which the leader waits for a message.
const TICK: Duration = Duration::from_millis(100);

/// A message to the leader of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message<M> {
    /// A message from a worker.
    Sent(M),
    /// No worker has sent a message for some time.
    Tick,
}

/// The receiver of the workers' messages.
pub struct Inbox<M>(Receiver<M>);

impl<M> Inbox<M> {
    /// Waits for a message, at most a tenth of a second. `None` when all workers have ended.
    pub fn next(&self) -> Option<Message<M>> {
        match self.0.recv_timeout(TICK) {
            Ok(message) => Some(Message::Sent(message)),
            Err(RecvTimeoutError::Timeout) => Some(Message::Tick),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }
}

/// Runs each worker in a separate thread with the stack size of a search, and `lead` in the calling thread, which
/// receives the messages of the workers. Returns the result of `lead`, or the first error of a worker.
///
/// The workers must end when `stop` is set. The leader may set it, and an error of a worker or of the leader also sets
/// it.
///
/// # Errors
/// The errors of `lead` and of the workers; [`ResourceError::Threads`] if the system cannot start the threads.
pub fn pool<M: Send, T, E: From<ResourceError> + Send, W: FnOnce(&Sender<M>) -> Result<(), E> + Send>(
    name: &str,
    workers: Vec<W>,
    stop: &AtomicBool,
    lead: impl FnOnce(Inbox<M>) -> Result<T, E>,
) -> Result<T, E> {
    let count = workers.len();
    let (sender, inbox) = unbounded();
    let stop_on_error = |is_error: bool| {
        if is_error {
            stop.store(true, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for (id, worker) in workers.into_iter().enumerate() {
            let sender = sender.clone();
            let work = move || {
                let result = worker(&sender);
                stop_on_error(result.is_err());
                result
            };
            let thread = thread::Builder::new().name(format!("{name} {id}")).stack_size(STACK);
            match thread.spawn_scoped(scope, work) {
                Ok(thread) => threads.push(thread),
                Err(_) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(ResourceError::Threads(count).into());
                }
            }
        }
        drop(sender); // ends the messages with the last worker
        let led = lead(Inbox(inbox));
        stop_on_error(led.is_err());
        for thread in threads {
            // A panic ends the program, and has been reported.
            thread.join().unwrap_or(Ok(()))?;
        }
        led
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(PartialEq, Debug)]
    enum Error {
        Resource,
        Worker,
        Leader,
    }

    impl From<ResourceError> for Error {
        fn from(_: ResourceError) -> Self {
            Self::Resource
        }
    }

    /// Adds up the messages of `count` workers, each of which sends messages until `stop` is set.
    fn sum(count: u64, most: u64, worker_error: Option<u64>, leader_error: bool) -> Result<u64, Error> {
        let stop = AtomicBool::new(false);
        let worker = |id: u64| {
            let stop = &stop;
            move |sender: &Sender<u64>| {
                while !stop.load(Ordering::Relaxed) {
                    if worker_error == Some(id) {
                        return Err(Error::Worker);
                    }
                    let _ = sender.send(1);
                    thread::yield_now();
                }
                Ok(())
            }
        };
        pool("test", (0..count).map(worker).collect(), &stop, |inbox| {
            let mut sum = 0;
            while let Some(message) = inbox.next() {
                if let Message::Sent(number) = message {
                    sum += number;
                }
                if sum >= most {
                    stop.store(true, Ordering::Relaxed);
                    if leader_error {
                        return Err(Error::Leader);
                    }
                    return Ok(sum);
                }
            }
            Ok(sum)
        })
    }

    #[test]
    fn the_leader_hears_all_workers_and_stops_them() {
        assert_eq!(sum(3, 100, None, false), Ok(100));
        assert_eq!(sum(0, 100, None, false), Ok(0), "without workers nothing is sent");
    }

    #[test]
    fn an_error_stops_everything() {
        assert_eq!(sum(3, 100, None, true), Err(Error::Leader));
        assert_eq!(sum(3, u64::MAX, Some(1), false), Err(Error::Worker));
    }
}
