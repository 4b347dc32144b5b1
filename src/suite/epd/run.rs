//! A run of a suite, and the time since which the right move has been first.

use super::{Answer, Case, CaseResult, Goal, SearchStats, Solver, SolverError, SolverInfo, Summary};
use crate::search::Limits;
use std::ops::ControlFlow;

/// The settings of the searches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Settings {
    /// The limits of each search.
    pub limits: Limits,
    /// Stop early when the right move has been first for this many consecutive iterations.
    pub stop_early: Option<u32>,
    /// Whether to search for the mate that a case states.
    pub asks_for_mates: bool,
}

/// An event of a run. A break ends the run.
#[derive(Debug)]
pub enum Event<'a> {
    /// The next case has been tried.
    Tried(CaseResult<'a>),
    /// The next case has no goal and was skipped.
    LeftOut(&'a Case),
    /// The search continues. After a break the case being tried is not counted.
    Searching,
}

/// Searches one case after the other with the solver. The summary is of the cases before a break, or before the solver
/// could not continue.
pub fn run<'a>(
    cases: impl IntoIterator<Item = &'a Case>,
    solver: &mut dyn Solver,
    settings: &Settings,
    on_event: &mut dyn FnMut(Event<'a>) -> ControlFlow<()>,
) -> (Summary, Result<(), SolverError>) {
    let mut summary = Summary::default();
    for case in cases {
        let attempt = attempt(case, solver, settings, on_event);
        // The interruption may also have ended an engine.
        if on_event(Event::Searching).is_break() {
            break;
        }
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err(error) => return (summary, Err(error)),
        };
        let event = match attempt {
            None => {
                summary.skip();
                Event::LeftOut(case)
            }
            Some(result) => {
                summary.add(&result);
                Event::Tried(result)
            }
        };
        if on_event(event).is_break() {
            break;
        }
    }
    (summary, Ok(()))
}

fn attempt<'a>(
    case: &'a Case,
    solver: &mut dyn Solver,
    settings: &Settings,
    on_event: &mut dyn FnMut(Event<'a>) -> ControlFlow<()>,
) -> Result<Option<CaseResult<'a>>, SolverError> {
    let Ok(goal) = &case.goal else { return Ok(None) };
    let mut tracker = Tracker::new(goal, settings.stop_early);
    let mut on_info = |info: Option<&SolverInfo>| {
        on_event(Event::Searching)?;
        info.map_or(ControlFlow::Continue(()), |info| tracker.add(info))
    };
    let mate = goal.mate().filter(|_| settings.asks_for_mates);
    let limits = Limits { mate, ..settings.limits.clone() };
    let mut answer = solver.solve(case.epd.position(), &limits, &mut on_info)?;
    if let Some(info) = tracker.settled() {
        answer = settle(answer, &info);
    }
    // The final answer is decisive. A right answer that was not reported before was found at the end.
    let is_right = answer.best.is_some_and(|best| goal.is_met(best, answer.score));
    let solution = is_right.then(|| tracker.since().unwrap_or(answer.end));
    let points = case.points.as_ref().map(|points| answer.best.map_or(0, |best| points.of_move(best)));
    Ok(Some(CaseResult { case, answer, castling: solver.castling(), solution, points }))
}

/// The answer of a search that was stopped at this `info`, although it may have continued for a short time.
fn settle(answer: Answer, info: &SolverInfo) -> Answer {
    let best = info.best;
    let pv = if answer.pv.first() == Some(&best) { answer.pv } else { vec![best] };
    Answer { end: answer.end, best: Some(best), fault: None, score: info.score, pv }
}

/// Follows the search of one position.
pub(super) struct Tracker<'a> {
    goal: &'a Goal,
    /// Stop when the right move has been first for this many consecutive iterations.
    stop_early: Option<u32>,
    since: Option<SearchStats>,
    /// The state of the search when it was stopped early.
    settled: Option<SolverInfo>,
}

impl<'a> Tracker<'a> {
    pub(super) const fn new(goal: &'a Goal, stop_early: Option<u32>) -> Self {
        Self { goal, stop_early, since: None, settled: None }
    }

    /// Adds the next state of the search, and returns a break if it can be stopped early. Later states, before the
    /// search stops, are ignored.
    pub(super) fn add(&mut self, info: &SolverInfo) -> ControlFlow<()> {
        if self.settled.is_some() {
            return ControlFlow::Break(());
        }
        if !self.goal.is_met(info.best, info.score) {
            self.since = None;
            return ControlFlow::Continue(());
        }
        let since = *self.since.get_or_insert(info.stats);
        let stayed = info.stats.depth.saturating_sub(since.depth);
        match self.stop_early {
            Some(plies) if info.is_complete && stayed >= plies => {
                self.settled = Some(*info);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// The state since which the right move has been first.
    pub(super) const fn since(&self) -> Option<SearchStats> {
        self.since
    }

    /// The state of the search when it was stopped early, if it was.
    pub(super) const fn settled(&self) -> Option<SolverInfo> {
        self.settled
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases;
    use super::*;
    use crate::chess::Position;
    use crate::notation::{parse_epd, parse_san};
    use std::time::Duration;

    // Runs

    /// A solver that finds these moves, one in each iteration, and answers with the last one, regardless of breaks.
    struct Scripted(&'static [&'static str]);

    impl Solver for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }

        fn solve(
            &mut self,
            position: &Position,
            _limits: &Limits,
            on_info: &mut dyn FnMut(Option<&SolverInfo>) -> ControlFlow<()>,
        ) -> Result<Answer, SolverError> {
            let read = |text: &&str| parse_san(text, position).ok().and_then(|turn| turn.mv());
            let stats = |depth| SearchStats { elapsed: Duration::ZERO, nodes: 0, depth };
            for (depth, best) in (1..).zip(self.0.iter().filter_map(read)) {
                let _ =
                    on_info(Some(&SolverInfo { stats: stats(depth), best, score: None, is_complete: true }));
            }
            let best = self.0.last().and_then(read);
            let end = stats(self.0.len() as u32);
            Ok(Answer { end, best, fault: None, score: None, pv: best.into_iter().collect() })
        }
    }

    const SUITE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x.1\"; c0 \"e4=10, e3=4\";\n\
                         4k3/8/8/8/8/8/4P3/4K3 w - - id \"x.2\";\n\
                         4k3/8/8/8/8/8/4P3/4K3 w - - am e4; id \"y.1\";\n\
                         4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"y.2\";\n";

    fn summary_of(infos: &'static [&'static str], stop_early: Option<u32>) -> Summary {
        let cases: Vec<Case> = cases(SUITE.as_bytes()).collect::<Result<_, _>>().expect("a good suite");
        let settings = Settings { stop_early, ..Settings::default() };
        let mut on_event = |_: Event<'_>| ControlFlow::Continue(());
        let (summary, ended) = run(&cases, &mut Scripted(infos), &settings, &mut on_event);
        assert!(ended.is_ok(), "{ended:?}");
        summary
    }

    #[test]
    fn the_answer_decides() {
        /// The name, the moves by depth, the iterations for an early stop, the number of solved cases, the points.
        type Row = (&'static str, &'static [&'static str], Option<u32>, usize, u64);
        let cases: &[Row] = &[
            ("right in the end", &["e3", "e4", "e4"], None, 2, 10),
            ("wrong in the end", &["e4", "e4", "e3"], None, 1, 4),
            ("stopped before it went wrong", &["e4", "e4", "e3"], Some(1), 3, 10),
            ("no move at all", &[], None, 0, 0),
        ];
        for &(name, infos, stop_early, solved, points) in cases {
            let summary = summary_of(infos, stop_early);
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
        assert_eq!(summary.grid().last().map(|step| step.solved), Some(4));
        assert_eq!(summary.total.means().map(|means| means.depth), Some(1.0));
    }

    #[test]
    fn a_break_ends_it() {
        let cases: Vec<Case> = cases(SUITE.as_bytes()).collect::<Result<_, _>>().expect("a good suite");
        let mut on_event = |event: Event<'_>| match event {
            Event::Tried(_) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let (summary, _) = run(&cases, &mut Scripted(&["e4"]), &Settings::default(), &mut on_event);
        assert_eq!(summary.total.cases, 1);
    }

    // The moment since which a move is first

    #[test]
    fn the_last_time_counts() {
        let epd = parse_epd("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;").expect("a record");
        let goal = Goal::of(&epd).expect("a goal");
        /// The name, the moves by depth, the iterations for an early stop, the depth since which the move is right, the
        /// depth of the stop.
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
                let stats = SearchStats { elapsed: Duration::ZERO, nodes: 0, depth };
                let info = SolverInfo { stats, best, score: None, is_complete: true };
                if tracker.add(&info).is_break() {
                    stopped_at = Some(depth);
                    break;
                }
            }
            assert_eq!(tracker.since().map(|stats| stats.depth), *since, "{name}");
            assert_eq!(stopped_at, *stopped, "{name}");
        }
    }
}
