//! The comment behind a move.

use crate::client::Thought;
use crate::uci::InfoValue;
use std::fmt::Write;
use std::time::Duration;

/// What the comment behind a move tells beyond score, depth and time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Details {
    /// `n=`: nodes.
    pub nodes: bool,
    /// `sd=`: selective depth.
    pub selective_depth: bool,
    /// `nps=`: nodes per second.
    pub nodes_per_second: bool,
    /// `hashfull=`: how full the hash table is, in thousandths.
    pub hash_full: bool,
    /// `tl=`: what the clock shows after the move.
    pub time_left: bool,
    /// `latency=`: what our clock measured beyond the engine's.
    pub latency: bool,
    /// `pv=`: the best line, as the engine wrote it.
    pub pv: bool,
}

fn seconds(time: Duration) -> String {
    format!("{:.3}s", time.as_secs_f64())
}

impl Details {
    /// `+0.19/10 0.281s`, and the details that are wanted and known.
    pub(super) fn comment(&self, thought: &Thought, left: Option<Duration>) -> String {
        let mut text = match thought.score.map(|score| score.value) {
            Some(InfoValue::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
            Some(InfoValue::Mate(moves)) if moves > 0 => format!("+M{moves}"),
            Some(InfoValue::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
            None => "0.00".to_owned(),
        };
        let mut add = |part: std::fmt::Arguments<'_>| {
            let _ = text.write_fmt(part); // writing to a string cannot fail
        };
        add(format_args!("/{} {}", thought.depth.unwrap_or(0), seconds(thought.elapsed)));
        let known = |is_wanted: bool, value: Option<u64>| value.filter(|_| is_wanted);
        let numbers = [
            ("n", known(self.nodes, thought.nodes)),
            ("sd", known(self.selective_depth, thought.selective_depth.map(u64::from))),
            ("nps", known(self.nodes_per_second, thought.nodes_per_second)),
            ("hashfull", known(self.hash_full, thought.hash_full.map(u64::from))),
        ];
        for (name, value) in numbers {
            if let Some(value) = value {
                add(format_args!(", {name}={value}"));
            }
        }
        let times = [
            ("tl", left.filter(|_| self.time_left)),
            ("latency", thought.latency().filter(|_| self.latency)),
        ];
        for (name, time) in times {
            if let Some(time) = time {
                add(format_args!(", {name}={}", seconds(time)));
            }
        }
        if self.pv && !thought.pv.is_empty() {
            add(format_args!(", pv=\"{}\"", thought.pv.join(" ")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::InfoScore;

    #[test]
    fn comments_tell_what_is_asked_for() {
        let mut thought = Thought {
            score: Some(InfoScore::exact(InfoValue::Centipawns(19))),
            depth: Some(10),
            elapsed: Duration::from_millis(281),
            nodes: Some(12_345),
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            ..Thought::default()
        };
        let all = Details {
            nodes: true,
            selective_depth: true,
            nodes_per_second: true,
            hash_full: true,
            time_left: true,
            latency: true,
            pv: true,
        };
        assert_eq!(Details::default().comment(&thought, None), "+0.19/10 0.281s");
        assert_eq!(
            all.comment(&thought, Some(Duration::from_millis(7500))),
            "+0.19/10 0.281s, n=12345, tl=7.500s, pv=\"e2e4 e7e5\""
        );
        thought.score = Some(InfoScore::exact(InfoValue::Mate(-3)));
        assert_eq!(Details::default().comment(&thought, None), "-M3/10 0.281s");
        thought.score = Some(InfoScore::exact(InfoValue::Mate(5)));
        assert_eq!(Details::default().comment(&thought, None), "+M5/10 0.281s");
        assert_eq!(Details::default().comment(&Thought::default(), None), "0.00/0 0.000s");
    }
}
