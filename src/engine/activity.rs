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
