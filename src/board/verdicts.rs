//! Results of endgame tables for a position and each of its moves.

use crate::chess::{KeyHistory, Position};
use crate::notation::{San, UciMove};
use crate::tablebase::{Tablebase, Wdl};
use crate::uci::castling_style;
use serde::Serialize;

/// The result for the side to move.
#[derive(Serialize)]
pub(super) struct Verdicts {
    verdict: &'static str,
    /// The plies to the next capture, pawn move or mate with best play; `null` for a draw, and without DTZ tables.
    dtz: Option<u32>,
    /// The legal moves, best first.
    moves: Vec<MoveVerdict>,
}

/// The result of a move, for the side that makes it.
#[derive(Serialize)]
struct MoveVerdict {
    uci: String,
    san: String,
    verdict: &'static str,
    /// The DTZ of the position after the move.
    dtz: Option<u32>,
}

impl Verdicts {
    /// The results; `None` if the tables do not cover all moves of the position, or if there are no legal moves.
    pub(super) fn new(tables: &Tablebase, position: &Position, history: &KeyHistory) -> Option<Self> {
        let legal = position.legal_moves();
        let ranking = tables.rank_root_moves(position, history, &legal, true)?;
        let best = ranking.moves.first()?;
        let dtz = |position: &Position| Some(tables.probe_dtz(position)??.longest());
        let style = castling_style(position);
        let moves = ranking.moves.iter().map(|ranked| MoveVerdict {
            uci: UciMove::new(ranked.mv, style).to_string(),
            san: San::new(position, ranked.mv).to_string(),
            verdict: name(ranked.outcome),
            dtz: dtz(&position.after(ranked.mv).0),
        });
        Some(Self { verdict: name(best.outcome), dtz: dtz(position), moves: moves.collect() })
    }
}

const fn name(outcome: Wdl) -> &'static str {
    match outcome {
        Wdl::Win => "win",
        Wdl::CursedWin => "cursed_win",
        Wdl::Draw => "draw",
        Wdl::BlessedLoss => "blessed_loss",
        Wdl::Loss => "loss",
    }
}
