//! Since when has the right move been first?

use super::{Goal, Moment, Thought};
use std::ops::ControlFlow;

/// Follows the thoughts about one position.
pub(super) struct Tracker<'a> {
    goal: &'a Goal,
    /// Stop when the right move has stayed first for so many iterations.
    stop_early: Option<u32>,
    since: Option<Moment>,
    /// The thought with which it was enough.
    settled: Option<Thought>,
}

impl<'a> Tracker<'a> {
    pub(super) const fn new(goal: &'a Goal, stop_early: Option<u32>) -> Self {
        Self { goal, stop_early, since: None, settled: None }
    }

    /// Hears the next thought; a break if that is enough. What a search still thinks before it
    /// stops does not count.
    pub(super) fn hear(&mut self, thought: &Thought) -> ControlFlow<()> {
        if self.settled.is_some() {
            return ControlFlow::Break(());
        }
        if !self.goal.is_met(thought.best, thought.score) {
            self.since = None;
            return ControlFlow::Continue(());
        }
        let since = *self.since.get_or_insert(thought.moment);
        let stayed = thought.moment.depth.saturating_sub(since.depth);
        match self.stop_early {
            Some(plies) if thought.is_complete && stayed >= plies => {
                self.settled = Some(*thought);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// The moment since which the right move has been first.
    pub(super) const fn since(&self) -> Option<Moment> {
        self.since
    }

    /// The thought with which it was enough, if the search was stopped early.
    pub(super) const fn settled(&self) -> Option<Thought> {
        self.settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_epd, parse_san};
    use std::time::Duration;

    #[test]
    fn the_last_time_counts() {
        let epd = parse_epd("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;").expect("a record");
        let goal = Goal::of(&epd).expect("a goal");
        /// Name, moves by depth, when to stop, since when they are right, when it was stopped.
        type Row<'a> = (&'a str, &'a [&'a str], Option<u32>, Option<u32>, Option<u32>);
        let cases: &[Row<'_>] = &[
            ("never", &["e3", "Kd2"], None, None, None),
            ("from the start", &["e4", "e4", "e4"], None, Some(1), None),
            ("lost again", &["e4", "e4", "e3"], None, None, None),
            ("found twice", &["e4", "e3", "e4", "e4"], None, Some(3), None),
            ("at the end", &["e3", "e3", "e4"], None, Some(3), None),
            ("early at once", &["e3", "e4", "e4"], Some(0), Some(2), Some(2)),
            ("early after two more", &["e3", "e4", "e4", "e4", "e4"], Some(2), Some(2), Some(4)),
            ("early only if it stays", &["e4", "e3", "e4", "e4"], Some(2), Some(3), None),
        ];
        for (name, moves, stop_early, since, stopped) in cases {
            let mut tracker = Tracker::new(&goal, *stop_early);
            let mut stopped_at = None;
            for (depth, text) in (1..).zip(*moves) {
                let best = parse_san(text, epd.position()).ok().and_then(|turn| turn.mv()).expect(name);
                let moment = Moment { elapsed: Duration::ZERO, nodes: 0, depth };
                let thought = Thought { moment, best, score: None, is_complete: true };
                if tracker.hear(&thought).is_break() {
                    stopped_at = Some(depth);
                    break;
                }
            }
            assert_eq!(tracker.since().map(|moment| moment.depth), *since, "{name}");
            assert_eq!(stopped_at, *stopped, "{name}");
        }
    }
}
