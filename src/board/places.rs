//! A limited number of places for simultaneous work. Further work waits.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::time::Duration;

/// The interval at which waiting work checks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// The places. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Places(Arc<(Mutex<usize>, Condvar)>);

/// A place, released on drop.
#[derive(Debug)]
pub(super) struct Place(Places);

impl Places {
    /// A pool of `count` places.
    pub(super) fn new(count: usize) -> Self {
        Self(Arc::new((Mutex::new(count), Condvar::new())))
    }

    /// Waits for a place and takes it; `None` once `is_wanted` returns false while there is none.
    pub(super) fn take(&self, mut is_wanted: impl FnMut() -> bool) -> Option<Place> {
        let (free, given_back) = &*self.0;
        let mut free = free.lock();
        while *free == 0 {
            if !is_wanted() {
                return None;
            }
            given_back.wait_for(&mut free, LOOK);
        }
        *free -= 1;
        Some(Place(self.clone()))
    }

    /// Takes a place if one is free.
    pub(super) fn try_take(&self) -> Option<Place> {
        self.take(|| false)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let (free, given_back) = &*self.0.0;
        *free.lock() += 1;
        given_back.notify_one();
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
}
