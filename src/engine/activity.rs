//! What the engine is doing.

use super::game::Game;
use crate::chess::Move;
use crate::search::{Report, Signals};
use std::sync::Arc;

/// What is under way.
#[derive(Debug)]
pub(super) enum Activity {
    /// Nothing.
    Idle,
    /// A search, whose best move has not been announced yet.
    Searching(Search),
    /// A perft or a bench.
    Batch(Arc<Signals>),
}

/// A search from `go` to `bestmove`.
#[derive(Debug)]
pub(super) struct Search {
    /// How it is told to stop.
    pub signals: Arc<Signals>,
    /// What it searches.
    pub game: Game,
    /// The best move is wanted only after `stop`.
    pub is_infinite: bool,
    /// The best move is wanted only after `ponderhit` or `stop`.
    pub is_pondering: bool,
    /// Its nodes are time on a clock that counts them.
    pub is_on_node_clock: bool,
    /// Nothing would end it after `ponderhit`.
    pub is_unlimited: bool,
    /// What it has found, if it is over.
    pub report: Option<Report>,
}

impl Search {
    /// Must the best move be held back, even if the search is over?
    pub(super) const fn is_held(&self) -> bool {
        self.is_infinite || self.is_pondering
    }

    /// Ends the search; the best move may be announced.
    pub(super) fn stop(&mut self) {
        self.is_infinite = false;
        self.is_pondering = false;
        self.signals.stop();
    }

    /// The opponent has played the expected move. A search that was given no limit at all
    /// answers now, since nobody may ever tell it to.
    pub(super) fn ponder_hit(&mut self) {
        self.is_pondering = false;
        self.signals.ponder_hit();
        if self.is_unlimited && !self.is_infinite {
            self.signals.stop();
        }
    }

    /// The best move and the reply to think about, which is left out if it would end the game.
    pub(super) fn answer(&self, report: &Report) -> (Option<Move>, Option<Move>) {
        let ponder = report.best.zip(report.ponder).and_then(|(best, ponder)| {
            let mut line = self.game.line.clone();
            let mut position = self.game.position;
            for mv in [best, ponder] {
                position = position.play(mv).ok()?;
                line.push(&position);
            }
            position.outcome(&line).is_none().then_some(ponder)
        });
        (report.best, ponder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_uci_move, position_from_fen};
    use crate::search::Score;

    #[test]
    fn the_reply_to_think_about_is_legal_and_leaves_something_to_do() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let fools_mate = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let cases = [
            ("usual", start, "e2e4", Some("e7e5"), true),
            ("none", start, "e2e4", None, false),
            ("mates", fools_mate, "g2g4", Some("d8h4"), false),
            ("leaves bare kings", "7k/8/8/8/8/8/1r6/K6R b - - 0 1", "h8g8", Some("a1b2"), true),
            ("draws", "7k/8/8/8/8/8/1r6/K7 b - - 0 1", "h8g8", Some("a1b2"), false),
        ];
        for (name, fen, best, ponder, is_kept) in cases {
            let position = position_from_fen(fen).expect(name);
            let best = parse_uci_move(best, &position).expect(name);
            let after = position.play(best).expect(name);
            let ponder = ponder.map(|text| parse_uci_move(text, &after).expect(name));
            let search = Search {
                signals: Arc::default(),
                game: Game::new(position),
                is_infinite: false,
                is_pondering: false,
                is_on_node_clock: false,
                is_unlimited: false,
                report: None,
            };
            let report = |ponder| Report { best: Some(best), ponder, score: Score::DRAW, depth: 1, nodes: 1 };
            assert_eq!(search.answer(&report(ponder)), (Some(best), ponder.filter(|_| is_kept)), "{name}");
            // It is the other side's turn, so that the best move is no reply to itself.
            assert_eq!(search.answer(&report(Some(best))), (Some(best), None), "{name}");
        }
    }
}
