//! Our scores on the scale of lichess's evaluations, for which its formulas of winning chances were made.

use crate::notation::pgn::EvaluationScore;
use crate::search::Score;

/// Our search's units as lichess's centipawns: in proportion up to the knee, and above it more slowly. Fitted to 557
/// positions of ten games of lichess, of both ways of regression the middle; docs/analysis.md has the figures. Our own
/// centipawns are another scale, with which a player wins half of the games at 100.
const KNEE_UNITS: i64 = 240;
/// Lichess's centipawns at the knee.
const KNEE_CENTIPAWNS: i64 = 265;
/// Lichess's centipawns for a hundred units above the knee.
const CENTIPAWNS_ABOVE: i64 = 50;
/// Centipawns of a win that the tables know, more than any evaluation.
pub(super) const TABLEBASE_CENTIPAWNS: i32 = 20_000;

/// A score of ours as lichess would state it, for the same side.
pub fn lichess_score(score: Score) -> EvaluationScore {
    match score.mate_in() {
        // A side that is mated on the board is mated in one at the latest.
        Some(0) => EvaluationScore::Mate(-1),
        Some(moves) => EvaluationScore::Mate(moves),
        None => EvaluationScore::Centipawns(match score {
            _ if score.is_win() => TABLEBASE_CENTIPAWNS,
            _ if score.is_loss() => -TABLEBASE_CENTIPAWNS,
            _ => lichess_centipawns(score.units()),
        }),
    }
}

/// Tells scales apart, where evaluations are kept.
pub(super) fn scale_name() -> String {
    format!("{KNEE_UNITS} {KNEE_CENTIPAWNS} {CENTIPAWNS_ABOVE}")
}

/// An evaluation in units of our search, of at most five digits, in centipawns of lichess.
fn lichess_centipawns(units: i32) -> i32 {
    const HUNDRED: i64 = 100;
    let size = i64::from(units).abs();
    let below = size.min(KNEE_UNITS) * KNEE_CENTIPAWNS / KNEE_UNITS;
    let above = (size - KNEE_UNITS).max(0) * CENTIPAWNS_ABOVE / HUNDRED;
    (below + above) as i32 * units.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use EvaluationScore::{Centipawns, Mate};

    #[test]
    fn scores_are_on_the_scale_of_lichess() {
        let cases = [
            (Score::DRAW, Centipawns(0)),
            (Score::from_units(24), Centipawns(26)),
            (Score::from_units(-240), Centipawns(-265)),
            (Score::from_units(440), Centipawns(365)),
            (Score::from_units(29_999), Centipawns(15_144)),
            (Score::tb_win(9), Centipawns(20_000)),
            (Score::tb_loss(9), Centipawns(-20_000)),
            (Score::mating(3), Mate(2)),
            (Score::mated(4), Mate(-2)),
            (Score::mated(0), Mate(-1)),
        ];
        for (score, expected) in cases {
            assert_eq!(lichess_score(score), expected, "{score:?}");
        }
        let all: Vec<i32> = (-2000..=2000).map(lichess_centipawns).collect();
        assert!(all.is_sorted());
    }
}
