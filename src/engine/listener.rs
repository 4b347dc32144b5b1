//! Reports of a search, as `info` lines or as rows of a table.

use super::best_move::PendingBestMove;
use super::io::Writer;
use crate::chess::Move;
use crate::notation::{CastlingStyle, UciMove};
use crate::search::{Bound, Iteration, Listener, ReportedLines, Score, SearchResult};
use crate::uci::{Info, InfoBound, InfoScore, InfoValue, WinDrawLoss};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time before which `currmove` is not printed, as the protocol requests.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(1);

/// The time before which bounds are not printed: the scores of short searches do not flicker, and programs that count
/// the lines of a depth find the number that they requested.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// Shorter times count as this one, since they would result in a meaningless speed.
const SHORTEST_TIME: Duration = Duration::from_millis(1);

/// The number of the main thread in `currline`.
const MAIN_THREAD: u32 = 1;

/// The form of the reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct InfoOptions {
    /// The notation of castling.
    pub style: CastlingStyle,
    /// Whether scores include win, draw and loss chances.
    pub shows_wdl: bool,
    /// Whether only the last lines are printed.
    pub is_minimal: bool,
    /// The number of best lines to print.
    pub lines: usize,
    /// The maximum depth of the search, in plies, if it is limited.
    pub depth_limit: Option<u32>,
}

/// Prints a line for each report. Stops the search if the output is closed.
pub(super) struct UciListener {
    writer: Arc<Writer>,
    options: InfoOptions,
    best_move: Arc<PendingBestMove>,
    started: Instant,
    lines: ReportedLines,
    /// Whether the latest report of the best line was a bound, which was not printed.
    hides_latest: bool,
}

impl UciListener {
    /// A listener for a search of this many best lines.
    pub(super) fn new(
        writer: Arc<Writer>,
        options: InfoOptions,
        best_move: Arc<PendingBestMove>,
        searched_lines: usize,
    ) -> Self {
        let lines = ReportedLines::new(searched_lines);
        Self { writer, options, best_move, started: Instant::now(), lines, hides_latest: false }
    }

    /// Prints the last lines, and returns the move to play: the result of the search, or the choice of a limited
    /// strength, made by `choose` among the lines of the last complete iteration.
    ///
    /// The last line printed for the best move starts with that move and the ponder move, and states the total number
    /// of nodes. It is printed even if the search has ended before its first report, since GUIs expect it: then with
    /// `static_score`, the evaluation without a search. Several lines are those of the last complete iteration, so that
    /// they are sorted and have the same depth, unless a mate has been found since.
    pub(super) fn conclude(
        &mut self,
        result: SearchResult,
        static_score: Score,
        choose: Option<impl FnOnce(&[Iteration]) -> Option<usize>>,
    ) -> SearchResult {
        let complete = &self.lines.complete;
        let chosen = match choose {
            Some(choose) => choose(complete).and_then(|index| complete.get(index)),
            None => {
                complete.first().filter(|first| self.options.lines > 1 && !is_better_mate(&result, first))
            }
        };
        let chosen = chosen.cloned();
        let result =
            match &chosen {
                Some(line) => SearchResult {
                    best_move: line.pv.first().copied(),
                    ponder_move: line.pv.get(1).copied().or_else(|| {
                        result.ponder_move.filter(|_| result.best_move == line.pv.first().copied())
                    }),
                    score: line.score,
                    ..result
                },
                None => result,
            };
        let Some(best) = result.best_move else { return result };
        let mut last = chosen.unwrap_or_else(|| self.line_of(best, &result, static_score));
        if last.pv.len() == 1 {
            last.pv.extend(result.ponder_move);
        }
        let ponder = last.pv.get(1).copied();
        let (nodes, elapsed) = (result.nodes, self.started.elapsed());
        let lines = self.last_lines(Iteration { multipv: 1, ..last });
        let lines: Vec<_> = lines.into_iter().map(|line| Iteration { nodes, elapsed, ..line }).collect();
        if !self.are_printed(&lines) {
            lines.iter().for_each(|line| self.write(line));
        }
        SearchResult { ponder_move: ponder, ..result }
    }

    /// As many lines as requested, each with a different move: the best one, and others of the last complete iteration,
    /// or the latest ones if there is none.
    fn last_lines(&self, best: Iteration) -> Vec<Iteration> {
        let mut lines = vec![best];
        for line in self.lines.complete.iter().chain(&self.lines.latest) {
            let is_another = lines.iter().all(|known| known.pv.first() != line.pv.first());
            if is_another && lines.len() < self.options.lines {
                lines.push(Iteration { multipv: lines.len() + 1, ..line.clone() });
            }
        }
        lines
    }

    /// Whether the latest reports that were printed have the same moves and nodes. Reports of the maximum depth are not
    /// repeated for the few nodes of other threads since then.
    fn are_printed(&self, lines: &[Iteration]) -> bool {
        let printed = if self.options.lines > 1 { &self.lines.complete } else { &self.lines.latest };
        let is_same = |(last, printed): (&Iteration, &Iteration)| {
            if Some(printed.depth) == self.options.depth_limit && printed.bound == Bound::Exact {
                last.pv.starts_with(&printed.pv)
            } else {
                last.pv == printed.pv && last.nodes == printed.nodes
            }
        };
        !self.options.is_minimal
            && !self.hides_latest
            && printed.len() >= lines.len()
            && lines.iter().zip(printed).all(is_same)
    }

    /// The latest report of a line that starts with the best move.
    fn line_of(&self, best: Move, result: &SearchResult, static_score: Score) -> Iteration {
        let known = self.lines.latest.iter().find(|line| line.pv.first() == Some(&best));
        known.cloned().unwrap_or_else(|| Iteration {
            depth: result.depth.max(1),
            seldepth: result.depth.max(1),
            multipv: 1,
            score: if result.depth == 0 { static_score } else { result.score },
            bound: Bound::Exact,
            nodes: result.nodes,
            elapsed: self.started.elapsed(),
            hashfull: 0,
            tb_hits: None,
            pv: vec![best],
        })
    }

    fn write(&self, iteration: &Iteration) {
        let speed = nodes_per_second(iteration.nodes, iteration.elapsed);
        if let Some(console) = self.best_move.console() {
            self.print(console.row(self.best_move.root(), iteration, speed));
            return;
        }
        self.print(Info {
            depth: Some(iteration.depth),
            seldepth: Some(iteration.seldepth),
            multi_pv: u32::try_from(iteration.multipv).ok(),
            score: Some(score(iteration.score, iteration.bound, self.options.shows_wdl)),
            nodes: Some(iteration.nodes),
            nodes_per_second: Some(speed),
            hashfull: Some(iteration.hashfull),
            tb_hits: iteration.tb_hits,
            time: Some(iteration.elapsed),
            pv: self.texts(&iteration.pv),
            ..Info::default()
        });
    }

    fn texts(&self, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&mv| UciMove::new(mv, self.options.style).to_string()).collect()
    }

    fn print(&self, text: impl std::fmt::Display) {
        self.writer.print(text);
        if self.writer.is_closed() {
            self.best_move.signals().stop();
        }
    }

    /// Whether details are printed while the search runs.
    fn prints_details(&self) -> bool {
        !self.options.is_minimal && self.best_move.console().is_none()
    }
}

impl Listener for UciListener {
    fn iteration(&mut self, iteration: &Iteration) {
        let is_complete = self.lines.keep(iteration);
        if self.options.is_minimal {
            return;
        }
        // Of several lines only complete iterations are printed, so that all have the same depth.
        if self.options.lines == 1 && iteration.multipv == 1 {
            self.hides_latest = iteration.bound != Bound::Exact && iteration.elapsed < BOUNDS_AFTER;
            if !self.hides_latest {
                self.write(iteration);
            }
        } else if self.options.lines > 1 && is_complete {
            self.lines.complete.iter().take(self.options.lines).for_each(|line| self.write(line));
        }
    }

    fn root_move(&mut self, depth: u32, mv: Move, number: usize, elapsed: Duration) {
        if elapsed >= CURRENT_MOVE_AFTER && self.prints_details() {
            self.print(Info {
                depth: Some(depth),
                current_move: Some(UciMove::new(mv, self.options.style).to_string()),
                current_move_number: u32::try_from(number).ok(),
                ..Info::default()
            });
        }
    }

    fn no_mate(&mut self, moves: usize) {
        // This is a result, which `Minimal` does not suppress.
        let text = format!("there is no mate in {moves}");
        match self.best_move.console() {
            Some(_) => self.print(text),
            None => self.print(Info::text(text)),
        }
    }

    fn current_line(&mut self, line: &[Move]) {
        if self.prints_details() {
            self.print(Info { current_line: Some((MAIN_THREAD, self.texts(line))), ..Info::default() });
        }
    }

    fn refutation(&mut self, mv: Move, reply: Option<Move>) {
        if self.prints_details() {
            let moves: Vec<_> = std::iter::once(mv).chain(reply).collect();
            self.print(Info { refutation: self.texts(&moves), ..Info::default() });
        }
    }
}

/// Whether the result is a mate that the line does not contain, or a shorter mate.
fn is_better_mate(result: &SearchResult, line: &Iteration) -> bool {
    result.score.mate_in().is_some_and(|moves| moves > 0) && result.score > line.score
}

/// The score in the form of UCI.
pub(super) fn score(score: Score, bound: Bound, shows_wdl: bool) -> InfoScore {
    let value = match score.mate_in() {
        Some(moves) => InfoValue::Mate(moves),
        None => InfoValue::Centipawns(score.to_cp()),
    };
    let bound = match bound {
        Bound::Exact => InfoBound::Exact,
        Bound::Lower => InfoBound::Lower,
        Bound::Upper => InfoBound::Upper,
    };
    InfoScore { value, bound, wdl: shows_wdl.then(|| win_draw_loss(score)) }
}

/// The speed in nodes per second; times below a millisecond count as one.
pub(super) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let nanoseconds = elapsed.max(SHORTEST_TIME).as_nanos();
    let per_second = u128::from(nodes) * Duration::from_secs(1).as_nanos() / nanoseconds;
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

/// The scale of the logistic curve, in centipawns, fitted with [`Score::to_cp`].
const SCALE_CP: f64 = 48.0;

/// The sum of the three probabilities in UCI, in permille.
const WHOLE: u32 = 1000;

/// The probabilities of a win, a draw and a loss with this score.
///
/// The probability of a win is a logistic function of the score. The probability of a loss is that of a win with the
/// opposite score, and the rest are draws.
pub(super) fn win_draw_loss(score: Score) -> WinDrawLoss {
    let (win, loss) = match score {
        score if score.is_win() => (WHOLE, 0),
        score if score.is_loss() => (0, WHOLE),
        score => (wins(f64::from(score.to_cp())), wins(-f64::from(score.to_cp()))),
    };
    WinDrawLoss { win, draw: WHOLE.saturating_sub(win + loss), loss }
}

/// The number of wins in [`WHOLE`] games with this score in centipawns.
fn wins(centipawns: f64) -> u32 {
    let share = 1.0 / (1.0 + ((f64::from(Score::HALF_WON_CP) - centipawns) / SCALE_CP).exp());
    (share * f64::from(WHOLE)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    // Reports

    #[test]
    fn speed_is_sane_for_any_time() {
        let cases = [
            ("no time", 20, Duration::ZERO, 20_000),
            ("a second", 1_000_000, Duration::from_secs(1), 1_000_000),
            ("a day", 86_400_000, Duration::from_secs(86_400), 1_000),
            ("all there is", u64::MAX, Duration::ZERO, u64::MAX),
        ];
        for (name, nodes, elapsed, expected) in cases {
            assert_eq!(nodes_per_second(nodes, elapsed), expected, "{name}");
        }
    }

    #[test]
    fn scores_are_mates_or_centipawns() {
        let cases = [
            (Score::DRAW, Bound::Exact, "cp 0"),
            (Score::from_cp(-31), Bound::Upper, "cp -31 upperbound"),
            (Score::mating(1), Bound::Exact, "mate 1"),
            (Score::mating(5), Bound::Lower, "mate 3 lowerbound"),
            (Score::mated(2), Bound::Exact, "mate -1"),
        ];
        for (value, bound, expected) in cases {
            assert_eq!(score(value, bound, false).to_string(), expected);
        }
        assert_eq!(score(Score::mating(1), Bound::Exact, true).to_string(), "mate 1 wdl 1000 0 0");
    }

    // Win, draw and loss

    #[test]
    fn chances_add_up_grow_and_mirror() {
        let mut before = 0;
        for centipawns in -3000..=3000 {
            let WinDrawLoss { win, draw, loss } = win_draw_loss(Score::from_cp(centipawns));
            assert_eq!(win + draw + loss, WHOLE, "{centipawns}");
            assert!(win >= before, "{centipawns}");
            before = win;
            let mirrored = win_draw_loss(Score::from_cp(-centipawns));
            assert_eq!((mirrored.win, mirrored.loss), (loss, win), "{centipawns}");
        }
        assert_eq!(before, WHOLE);
    }

    #[test]
    fn scores_have_their_chances() {
        let cases = [
            ("level", Score::DRAW, (111, 778, 111)),
            ("half won", Score::from_cp(Score::HALF_WON_CP), (500, 485, 15)),
            ("all but won", Score::from_cp(1000), (1000, 0, 0)),
            ("mate", Score::mating(9), (1000, 0, 0)),
            ("mated", Score::mated(9), (0, 0, 1000)),
        ];
        for (name, score, expected) in cases {
            let WinDrawLoss { win, draw, loss } = win_draw_loss(score);
            assert_eq!((win, draw, loss), expected, "{name}");
        }
    }
}
