//! The result of a search, and the time that one may take.

use crate::uci::{Info, InfoBound, InfoScore};
use std::time::{Duration, Instant};

/// An engine's answer to `go`, and the last `info` about it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SearchReply {
    /// The move, not parsed; `None` if the engine states that there is none.
    pub best: Option<String>,
    /// The reply it expects, not parsed.
    pub ponder: Option<String>,
    /// From `go` (or `ponderhit`) to `bestmove`, as we have measured it.
    pub elapsed: Duration,
    /// The last score, for the engine's side: an exact one unless there were only bounds.
    pub score: Option<InfoScore>,
    /// The depth of that score, in plies.
    pub depth: Option<u32>,
    /// The longest line searched, in plies.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The fill of the hash table, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tb_hits: Option<u64>,
    /// The time of the search as the engine states it.
    pub engine_time: Option<Duration>,
    /// The best line, not parsed.
    pub pv: Vec<String>,
}

impl SearchReply {
    /// Adds an `info` line: however many an engine sends, only the latest opinion is kept.
    pub fn add(&mut self, info: Info) {
        if info.multi_pv.is_some_and(|number| number > 1) {
            return; // not the best line
        }
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nodes_per_second.or(self.nps);
        self.hashfull = info.hashfull.or(self.hashfull);
        self.tb_hits = info.tb_hits.or(self.tb_hits);
        self.engine_time = info.time.or(self.engine_time);
        let Some(score) = info.score else { return };
        let has_exact = self.score.is_some_and(|score| score.bound == InfoBound::Exact);
        if score.bound != InfoBound::Exact && has_exact {
            return;
        }
        self.score = Some(score);
        self.depth = info.depth.or(self.depth);
        self.seldepth = info.seldepth.or(self.seldepth);
        if !info.pv.is_empty() {
            self.pv = info.pv;
        }
    }

    /// The excess of our clock over the engine's: the way there and back. `None` if the engine
    /// has not stated a time.
    pub fn latency(&self) -> Option<Duration> {
        self.engine_time.map(|time| self.elapsed.saturating_sub(time))
    }
}

/// The time after which a search is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchTimeout {
    /// This long, regardless of `info` lines.
    Total(Duration),
    /// This long after the last `info` line.
    Silence(Duration),
}

impl SearchTimeout {
    /// The time at which to stop a search that started at `start`, and whose last `info` line came at `last_info`.
    pub(super) fn deadline(self, start: Instant, last_info: Instant) -> Instant {
        match self {
            Self::Total(total) => start + total,
            Self::Silence(longest) => last_info + longest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::InfoValue;

    // Replies

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let mut reply = SearchReply::default();
        for line in [
            "depth 1 score cp 7 lowerbound nodes 5 pv e2e3",
            "depth 1 score cp 10 nodes 20 pv e2e4",
            "depth 2 multipv 2 score cp -30 nodes 50 pv d2d4",
            "depth 2 seldepth 4 multipv 1 score cp 12 nodes 60 time 7 pv e2e4 e7e5",
            "depth 3 score cp 40 lowerbound nodes 90 pv e2e4",
            "currmove e2e4 nodes 95",
            "string score cp 99",
        ] {
            reply.add(Info::parse(line));
        }
        assert_eq!(reply.score.map(|score| score.value), Some(InfoValue::Centipawns(12)));
        assert_eq!((reply.depth, reply.seldepth, reply.nodes), (Some(2), Some(4), Some(95)));
        assert_eq!(reply.pv, ["e2e4", "e7e5"]);
        reply.elapsed = Duration::from_millis(9);
        assert_eq!(reply.latency(), Some(Duration::from_millis(2)));
    }

    // Timeouts

    #[test]
    fn only_silence_starts_again_with_each_line() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let last_info = start + 5 * second;
        assert_eq!(SearchTimeout::Total(2 * second).deadline(start, last_info), start + 2 * second);
        assert_eq!(SearchTimeout::Silence(2 * second).deadline(start, last_info), start + 7 * second);
    }
}
