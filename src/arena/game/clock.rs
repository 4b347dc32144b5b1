//! The time that a side has left.

use super::Limits;
use std::time::Duration;

/// One side's clock. Where there is no time control it never runs out.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limits: Limits,
    left: Duration,
    moves_played: u32,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(limits: &Limits) -> Self {
        let left = limits.clock.map_or(Duration::ZERO, |clock| clock.base);
        Self { limits: *limits, left, moves_played: 0 }
    }

    /// What it shows; `None` where there is no time control.
    pub fn left(&self) -> Option<Duration> {
        self.limits.clock.map(|_| self.left)
    }

    /// Moves until more time is added; `None` if none will be.
    pub fn moves_to_go(&self) -> Option<u32> {
        let moves = self.limits.clock?.moves?.get();
        Some(moves - self.moves_played % moves)
    }

    /// How long a move may take at most, margin included; `None` if time does not matter.
    pub fn allowance(&self) -> Option<Duration> {
        let limits = [self.left(), self.limits.move_time];
        limits.into_iter().flatten().min().map(|time| time + self.limits.margin)
    }

    /// Takes off what a move has cost, and adds what it gains. `false` if it took too long.
    #[must_use]
    pub fn spend(&mut self, elapsed: Duration) -> bool {
        if self.allowance().is_some_and(|allowance| elapsed > allowance) {
            self.left = Duration::ZERO;
            return false;
        }
        self.moves_played = self.moves_played.saturating_add(1);
        if let Some(control) = self.limits.clock {
            self.left = self.left.saturating_sub(elapsed).saturating_add(control.increment);
            if control.moves.is_some_and(|moves| self.moves_played.is_multiple_of(moves.get())) {
                self.left = self.left.saturating_add(control.base);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(control: Option<&str>, move_time: Option<u64>, margin: u64) -> Clock {
        let clock = control.map(|text| text.parse().expect("a time control"));
        Clock::new(&Limits { clock, move_time: move_time.map(ms), margin: ms(margin), ..Limits::default() })
    }

    #[test]
    fn time_goes_down_and_up() {
        let mut clock = clock(Some("2/1+0.1"), None, 0);
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(1000)), Some(2)));
        assert!(clock.spend(ms(300)));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(800)), Some(1)));
        assert!(clock.spend(ms(800)), "the last moment is in time");
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(1100)), Some(2)));
        assert!(!clock.spend(ms(1101)));
    }

    #[test]
    fn the_margin_forgives_but_gives_nothing() {
        let mut clock = clock(Some("1+0.1"), None, 100);
        assert!(clock.spend(ms(1099)));
        assert_eq!(clock.left(), Some(ms(100)));
        assert!(!clock.spend(ms(201)));
    }

    #[test]
    fn fixed_times_and_none() {
        let mut fixed = clock(None, Some(50), 10);
        assert!(fixed.spend(ms(60)) && fixed.spend(ms(60)));
        assert!(!fixed.spend(ms(61)));
        let mut free = clock(None, None, 0);
        assert_eq!((free.allowance(), free.left(), free.moves_to_go()), (None, None, None));
        assert!(free.spend(ms(1_000_000)));
    }
}
