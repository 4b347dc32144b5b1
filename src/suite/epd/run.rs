//! Running a suite.

use super::tracker::Tracker;
use super::{Answer, Budget, Case, Moment, Solver, SolverError, Summary, Thought};
use std::ops::ControlFlow;

/// How each position is searched.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Settings {
    /// What may be used.
    pub budget: Budget,
    /// Go on to the next position when the right move has stayed first for so many iterations.
    pub stop_early: Option<u32>,
    /// Ask for the mate that a case states.
    pub asks_for_mates: bool,
}

/// What has become of a case.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    /// The case.
    pub case: &'a Case,
    /// What was answered.
    pub answer: Answer,
    /// If the answer is right: the moment since which it has been.
    pub solution: Option<Moment>,
    /// The points it got, where there are points.
    pub points: Option<u32>,
}

/// Hears of every case.
pub trait Listener {
    /// The next case has been tried. A break ends the run.
    fn tried(&mut self, trial: &Trial<'_>) -> ControlFlow<()>;

    /// Is the run to end at once? The case that is being tried does not count then.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// The next case has no goal and was left out. A break ends the run.
    fn left_out(&mut self, _case: &Case) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// For those who need only the [`Summary`].
impl Listener for () {
    fn tried(&mut self, _trial: &Trial<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Lets the solver think about one case after the other.
///
/// # Errors
/// [`SolverError`] if the solver cannot go on.
pub fn run<'a>(
    cases: impl IntoIterator<Item = &'a Case>,
    solver: &mut dyn Solver,
    settings: Settings,
    listener: &mut dyn Listener,
) -> Result<Summary, SolverError> {
    let mut summary = Summary::default();
    for case in cases {
        let attempt = attempt(case, solver, settings, listener);
        // An engine may have been interrupted with us, and have ended.
        if listener.is_interrupted() {
            break;
        }
        let next = match attempt? {
            None => {
                summary.skip();
                listener.left_out(case)
            }
            Some(trial) => {
                summary.add(&trial);
                listener.tried(&trial)
            }
        };
        if next.is_break() {
            break;
        }
    }
    Ok(summary)
}

fn attempt<'a>(
    case: &'a Case,
    solver: &mut dyn Solver,
    settings: Settings,
    listener: &dyn Listener,
) -> Result<Option<Trial<'a>>, SolverError> {
    let Some(goal) = &case.goal else { return Ok(None) };
    let mut tracker = Tracker::new(goal, settings.stop_early);
    let mut hear = |thought: Option<&Thought>| match thought {
        _ if listener.is_interrupted() => ControlFlow::Break(()),
        Some(thought) => tracker.hear(thought),
        None => ControlFlow::Continue(()),
    };
    let mate = goal.mate().filter(|_| settings.asks_for_mates);
    let budget = Budget { mate, ..settings.budget };
    let mut answer = solver.solve(case.epd.position(), budget, &mut hear)?;
    if let Some(thought) = tracker.settled() {
        answer = settle(answer, &thought);
    }
    // The answer counts. A right one that was never thought before was found at the end.
    let is_right = answer.best.is_some_and(|best| goal.is_met(best, answer.score));
    let solution = is_right.then(|| tracker.since().unwrap_or(answer.end));
    let points = case.points.as_ref().map(|points| answer.best.map_or(0, |best| points.of_move(best)));
    Ok(Some(Trial { case, answer, solution, points }))
}

/// The answer of a search that was stopped with this thought, though it may have gone on for a moment.
fn settle(answer: Answer, thought: &Thought) -> Answer {
    let best = thought.best;
    let pv = if answer.pv.first() == Some(&best) { answer.pv } else { vec![best] };
    Answer { end: answer.end, best: Some(best), illegal: None, score: thought.score, pv }
}

#[cfg(test)]
mod tests {
    use super::super::cases;
    use super::*;
    use crate::chess::Position;
    use crate::notation::parse_san;
    use std::time::Duration;

    /// Thinks of these moves, one in each iteration, and answers with the last, whatever it hears.
    struct Scripted(&'static [&'static str]);

    impl Solver for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }

        fn solve(
            &mut self,
            position: &Position,
            _budget: Budget,
            hear: &mut dyn FnMut(Option<&Thought>) -> ControlFlow<()>,
        ) -> Result<Answer, SolverError> {
            let read = |text: &&str| parse_san(text, position).ok().and_then(|turn| turn.mv());
            let moment = |depth| Moment { elapsed: Duration::ZERO, nodes: 0, depth };
            for (depth, best) in (1..).zip(self.0.iter().filter_map(read)) {
                let _ = hear(Some(&Thought { moment: moment(depth), best, score: None, is_complete: true }));
            }
            let best = self.0.last().and_then(read);
            let end = moment(self.0.len() as u32);
            Ok(Answer { end, best, illegal: None, score: None, pv: best.into_iter().collect() })
        }
    }

    const SUITE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x.1\"; c0 \"e4=10, e3=4\";\n\
                         4k3/8/8/8/8/8/4P3/4K3 w - - id \"x.2\";\n\
                         4k3/8/8/8/8/8/4P3/4K3 w - - am e4; id \"y.1\";\n\
                         4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"y.2\";\n";

    fn summary_of(thoughts: &'static [&'static str], stop_early: Option<u32>) -> Summary {
        let cases: Vec<Case> = cases(SUITE.as_bytes()).collect::<Result<_, _>>().expect("a good suite");
        let settings = Settings { stop_early, ..Settings::default() };
        run(&cases, &mut Scripted(thoughts), settings, &mut ()).expect("it cannot fail")
    }

    #[test]
    fn the_answer_decides() {
        /// Name, moves by depth, when to stop, how many are solved, points.
        type Row = (&'static str, &'static [&'static str], Option<u32>, usize, u64);
        let cases: &[Row] = &[
            ("right in the end", &["e3", "e4", "e4"], None, 2, 10),
            ("wrong in the end", &["e4", "e4", "e3"], None, 1, 4),
            ("stopped before it went wrong", &["e4", "e4", "e3"], Some(1), 3, 10),
            ("no move at all", &[], None, 0, 0),
        ];
        for &(name, thoughts, stop_early, solved, points) in cases {
            let summary = summary_of(thoughts, stop_early);
            let total = summary.total;
            assert_eq!((total.cases, total.solved, summary.left_out), (3, solved, 1), "{name}");
            assert_eq!((total.points, total.max_points), (points, 10), "{name}");
        }
    }

    #[test]
    fn summaries_add_up() {
        let mut summary = summary_of(&["e4"], None);
        summary += summary_of(&["e4"], None);
        assert_eq!((summary.total.cases, summary.total.solved, summary.left_out), (6, 4, 2));
        let themes: Vec<_> =
            summary.themes().iter().map(|(name, tally)| (name.as_str(), tally.cases, tally.solved)).collect();
        assert_eq!(themes, [("x", 2, 2), ("y", 4, 2)]);
        assert_eq!(summary.grid().steps.last().map(|step| step.solved), Some(4));
        assert_eq!(summary.total.means().map(|means| means.depth), Some(1.0));
    }

    #[test]
    fn a_break_ends_it() {
        struct Impatient;
        impl Listener for Impatient {
            fn tried(&mut self, _trial: &Trial<'_>) -> ControlFlow<()> {
                ControlFlow::Break(())
            }
        }
        let cases: Vec<Case> = cases(SUITE.as_bytes()).collect::<Result<_, _>>().expect("a good suite");
        let summary = run(&cases, &mut Scripted(&["e4"]), Settings::default(), &mut Impatient);
        assert_eq!(summary.map(|summary| summary.total.cases).ok(), Some(1));
    }
}
