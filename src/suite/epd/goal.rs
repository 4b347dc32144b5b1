//! What is to be found in a position.

use crate::chess::Move;
use crate::notation::{Epd, San};
use crate::uci::InfoValue;
use std::fmt;

/// What makes an answer right. All that is stated must be true of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<u16>,
    text: String,
}

impl Goal {
    /// The goal that a record states with `bm`, `am` and `dm`; `None` if it states none.
    pub fn of(epd: &Epd) -> Option<Self> {
        let (best, avoid, mate) = (epd.best_moves(), epd.avoid_moves(), epd.direct_mate());
        if best.is_empty() && avoid.is_empty() && mate.is_none() {
            return None;
        }
        let mut parts = Vec::new();
        for (opcode, moves) in [("bm", best), ("am", avoid)] {
            if !moves.is_empty() {
                let names: Vec<String> =
                    moves.iter().map(|&mv| San::new(epd.position(), mv).to_string()).collect();
                parts.push(format!("{opcode} {}", names.join(" ")));
            }
        }
        parts.extend(mate.map(|moves| format!("dm {moves}")));
        Some(Self { best: best.to_vec(), avoid: avoid.to_vec(), mate, text: parts.join(", ") })
    }

    /// The mate that must be found, in moves.
    pub fn mate(&self) -> Option<u32> {
        self.mate.map(u32::from)
    }

    /// Is this the right move with the right score? A mate must be announced, in the stated
    /// number of moves or fewer.
    pub fn is_met(&self, mv: Move, score: Option<InfoValue>) -> bool {
        let is_mate = |wanted: u16| matches!(score, Some(InfoValue::Mate(moves)) if moves > 0 && moves <= i32::from(wanted));
        (self.best.is_empty() || self.best.contains(&mv))
            && !self.avoid.contains(&mv)
            && self.mate.is_none_or(is_mate)
    }
}

impl fmt::Display for Goal {
    /// `bm Qg6`, `am Ne5`, `dm 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_epd, parse_san};

    #[test]
    fn all_that_is_stated_must_be_true() {
        const POSITION: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
        let mate = |moves| Some(InfoValue::Mate(moves));
        let cases = [
            ("the best move", "bm Ra8#;", "Ra8", None, true),
            ("another move", "bm Ra8#;", "Ra7", None, false),
            ("one of several", "bm Ra8# Kf2;", "Kf2", None, true),
            ("a move to be avoided", "am Kf2;", "Kf2", None, false),
            ("not a move to be avoided", "am Kf2;", "Kg2", None, true),
            ("best and avoided", "bm Ra7; am Ra8#;", "Ra7", None, true),
            ("a mate in time", "dm 2;", "Ra8", mate(1), true),
            ("a mate too late", "dm 2;", "Ra8", mate(3), false),
            ("being mated", "dm 2;", "Ra8", mate(-1), false),
            ("a mate without announcement", "dm 2;", "Ra8", Some(InfoValue::Centipawns(900)), false),
            ("a mate without score", "dm 2;", "Ra8", None, false),
            ("a mate by another move", "bm Ra8#; dm 2;", "Ra7", mate(2), false),
        ];
        for (name, operations, mv, score, expected) in cases {
            let epd = parse_epd(&format!("{POSITION} {operations}")).expect(name);
            let goal = Goal::of(&epd).expect(name);
            let mv = parse_san(mv, epd.position()).ok().and_then(|turn| turn.mv()).expect(name);
            assert_eq!(goal.is_met(mv, score), expected, "{name}");
        }
        let epd = parse_epd(&format!("{POSITION} id \"nothing\"; ce 20;")).expect("a record");
        assert_eq!(Goal::of(&epd), None);
        let epd = parse_epd(&format!("{POSITION} dm 1; bm Ra8 Kf2; am h3;"));
        assert!(epd.is_err(), "there is no pawn on the h-file");
        let epd = parse_epd(&format!("{POSITION} dm 1; bm Ra8; am Kf2;")).expect("a record");
        assert_eq!(Goal::of(&epd).map(|goal| goal.to_string()).as_deref(), Some("bm Ra8#, am Kf2, dm 1"));
    }
}
