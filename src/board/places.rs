//! A limited number of places for simultaneous work. Further work waits.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The interval at which waiting work checks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// The places. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Places(Arc<(Mutex<Waiting>, Condvar)>);

/// The free places, and the work that waits for one.
#[derive(Debug)]
struct Waiting {
    free: usize,
    /// The number of short questions that wait. Other work takes no place meanwhile.
    short: usize,
}

/// The urgency of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Urgency {
    /// A question that is answered within moments. It goes before other work, and work without an end leaves its place
    /// for it.
    Short,
    /// Any other work.
    Usual,
}

/// The time after which work that waits for a place reports it.
const NOTICE_AFTER: Duration = Duration::from_millis(400);

/// Decides when work reports that it waits: once, and not for a moment only.
#[derive(Debug)]
pub(super) struct WaitingNotice {
    begin: Instant,
    is_told: bool,
}

impl Default for WaitingNotice {
    fn default() -> Self {
        Self { begin: Instant::now(), is_told: false }
    }
}

impl WaitingNotice {
    /// Whether the notice is due now; true once.
    pub(super) fn is_due(&mut self) -> bool {
        let is_due = !self.is_told && self.begin.elapsed() >= NOTICE_AFTER;
        self.is_told |= is_due;
        is_due
    }
}

/// A place, released on drop.
#[derive(Debug)]
pub(super) struct Place(Places);

impl Places {
    /// A pool of `count` places.
    pub(super) fn new(count: usize) -> Self {
        Self(Arc::new((Mutex::new(Waiting { free: count, short: 0 }), Condvar::new())))
    }

    /// Waits for a place and takes it; `None` once `is_wanted` returns false while there is none.
    pub(super) fn take(&self, is_wanted: impl FnMut() -> bool) -> Option<Place> {
        self.take_by(Urgency::Usual, is_wanted)
    }

    /// As [`Places::take`], with this urgency.
    pub(super) fn take_by(&self, urgency: Urgency, mut is_wanted: impl FnMut() -> bool) -> Option<Place> {
        let (waiting, given_back) = &*self.0;
        let mut waiting = waiting.lock();
        let is_short = urgency == Urgency::Short;
        waiting.short += usize::from(is_short);
        let mut is_taken = true;
        while waiting.free == 0 || !is_short && waiting.short > 0 {
            if !is_wanted() {
                is_taken = false;
                break;
            }
            given_back.wait_for(&mut waiting, LOOK);
        }
        waiting.short -= usize::from(is_short);
        waiting.free -= usize::from(is_taken);
        is_taken.then(|| Place(self.clone()))
    }

    /// Whether a short question waits for a place.
    pub(super) fn is_awaited(&self) -> bool {
        self.0.0.lock().short > 0
    }

    /// Takes a place if one is free.
    pub(super) fn try_take(&self) -> Option<Place> {
        self.take(|| false)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let (waiting, given_back) = &*self.0.0;
        waiting.lock().free += 1;
        // Each of those who wait decides whether it is its turn.
        given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_a_place_that_is_taken() {
        let places = Places::new(2);
        let first = places.try_take().expect("there are two");
        let _second = places.try_take().expect("there is one");
        assert!(places.try_take().is_none());
        let waiting = places.clone();
        let thread = std::thread::spawn(move || waiting.take(|| true).is_some());
        drop(first);
        assert!(thread.join().expect("it takes it"));
        assert!(places.try_take().is_some());
    }

    #[test]
    fn short_questions_go_before_other_work() {
        let places = Places::new(1);
        let place = places.try_take().expect("there is one");
        let (sender, done) = std::sync::mpsc::channel();
        let start = |urgency| {
            let (places, sender) = (places.clone(), sender.clone());
            std::thread::spawn(move || {
                let place = places.take_by(urgency, || true);
                sender.send(urgency).expect("it is received");
                drop(place);
            })
        };
        let usual = start(Urgency::Usual);
        let short = start(Urgency::Short);
        while !places.is_awaited() {
            std::thread::yield_now();
        }
        assert!(places.try_take().is_none());
        drop(place);
        assert_eq!([done.recv(), done.recv()], [Ok(Urgency::Short), Ok(Urgency::Usual)]);
        usual.join().expect("it ends");
        short.join().expect("it ends");
        assert!(!places.is_awaited() && places.try_take().is_some());
    }

    #[test]
    fn a_question_that_is_not_wanted_waits_no_longer() {
        let places = Places::new(1);
        let place = places.try_take();
        assert!(places.take_by(Urgency::Short, || false).is_none() && !places.is_awaited());
        drop(place);
        assert!(places.try_take().is_some());
    }
}
