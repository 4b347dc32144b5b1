//! What a search reports, as `info` lines.

use super::writer::Writer;
use crate::chess::{Move, Position};
use crate::notation::{CastlingStyle, UciMove};
use crate::search::{Bound, Iteration, Listener, Report, Score, Searcher, Signals};
use crate::uci::{Info, InfoBound, InfoScore, InfoValue};
use std::sync::Arc;
use std::time::Duration;

/// Root moves are shown only in searches that have taken as long, as the protocol asks for.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(1);

/// Below this, a number of nodes per second would be made of rounding errors.
const SHORTEST_TIME: Duration = Duration::from_millis(1);

/// Writes a line for each report. Ends the search when nobody reads any more.
pub(super) struct UciListener {
    writer: Arc<Writer>,
    signals: Arc<Signals>,
    style: CastlingStyle,
    has_told_score: bool,
}

impl UciListener {
    pub(super) const fn new(writer: Arc<Writer>, signals: Arc<Signals>, style: CastlingStyle) -> Self {
        Self { writer, signals, style, has_told_score: false }
    }

    /// Tells the score of a search that ended before it could report any, which no GUI expects:
    /// it is what the position looks like without a search.
    pub(super) fn conclude(&self, searcher: &Searcher, position: &Position, report: &Report) {
        if self.has_told_score {
            return;
        }
        let value = if report.depth == 0 { searcher.evaluate(position) } else { report.score };
        self.say(&Info {
            depth: Some(report.depth.max(1)),
            score: Some(score(value, Bound::Exact)),
            nodes: Some(report.nodes),
            pv: report.best.iter().map(|&mv| UciMove::new(mv, self.style).to_string()).collect(),
            ..Info::default()
        });
    }

    fn say(&self, info: &Info) {
        self.writer.say(info);
        if self.writer.is_closed() {
            self.signals.stop();
        }
    }
}

impl Listener for UciListener {
    fn iteration(&mut self, iteration: &Iteration) {
        self.has_told_score = true;
        self.say(&Info {
            depth: Some(iteration.depth),
            selective_depth: Some(iteration.selective_depth),
            multi_pv: u32::try_from(iteration.line).ok(),
            score: Some(score(iteration.score, iteration.bound)),
            nodes: Some(iteration.nodes),
            nodes_per_second: Some(nodes_per_second(iteration.nodes, iteration.elapsed)),
            hash_full: Some(iteration.hash_full),
            time: Some(iteration.elapsed),
            pv: iteration.pv.iter().map(|&mv| UciMove::new(mv, self.style).to_string()).collect(),
            ..Info::default()
        });
    }

    fn root_move(&mut self, depth: u32, mv: Move, number: usize, elapsed: Duration) {
        if elapsed >= CURRENT_MOVE_AFTER {
            self.say(&Info {
                depth: Some(depth),
                current_move: Some(UciMove::new(mv, self.style).to_string()),
                current_move_number: u32::try_from(number).ok(),
                ..Info::default()
            });
        }
    }
}

/// A score as UCI states it.
pub(super) const fn score(score: Score, bound: Bound) -> InfoScore {
    let value = match score.mate_in() {
        Some(moves) => InfoValue::Mate(moves),
        None => InfoValue::Centipawns(score.value()),
    };
    let bound = match bound {
        Bound::Exact => InfoBound::Exact,
        Bound::Lower => InfoBound::Lower,
        Bound::Upper => InfoBound::Upper,
    };
    InfoScore { value, bound, expectation: None }
}

/// How fast that was, with times below a millisecond counted as one.
pub(super) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let nanoseconds = elapsed.max(SHORTEST_TIME).as_nanos();
    let per_second = u128::from(nodes) * Duration::from_secs(1).as_nanos() / nanoseconds;
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (Score::centipawns(-31), Bound::Upper, "cp -31 upperbound"),
            (Score::mating(1), Bound::Exact, "mate 1"),
            (Score::mating(5), Bound::Lower, "mate 3 lowerbound"),
            (Score::mated(2), Bound::Exact, "mate -1"),
        ];
        for (value, bound, expected) in cases {
            assert_eq!(score(value, bound).to_string(), expected);
        }
    }
}
