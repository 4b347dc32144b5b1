//! Conversion of Hematite's scores to the scale of lichess's evaluations, for which its formulas of winning chances
//! were made.

use crate::notation::pgn::EvaluationScore;
use crate::search::Score;

/// The conversion of search units to lichess's centipawns: linear up to the knee, and above it with a smaller slope.
/// Fitted to 2,038 positions of 37 lichess games with network generation 14, midway between the two directions of
/// regression; docs/analysis.md has the figures. Hematite's own centipawns are another scale, on which a player wins
/// half of the games at 100.
const KNEE_UNITS: i64 = 280;
/// Lichess's centipawns at the knee.
const KNEE_CENTIPAWNS: i64 = 280;
/// Lichess's centipawns for 100 search units above the knee.
const CENTIPAWNS_ABOVE: i64 = 50;
/// The centipawns of a tablebase win, more than any evaluation.
pub(super) const TABLEBASE_CENTIPAWNS: i32 = 20_000;

/// Converts a score to lichess's scale, for the same side.
pub fn lichess_score(score: Score) -> EvaluationScore {
    match score.mate_in() {
        // A side that is checkmated is shown as mated in one.
        Some(0) => EvaluationScore::Mate(-1),
        Some(moves) => EvaluationScore::Mate(moves),
        None => EvaluationScore::Centipawns(match score {
            _ if score.is_win() => TABLEBASE_CENTIPAWNS,
            _ if score.is_loss() => -TABLEBASE_CENTIPAWNS,
            _ => lichess_centipawns(score.units()),
        }),
    }
}

/// The name of the scale, which is part of the keys of cached evaluations.
pub(super) fn scale_name() -> String {
    format!("{KNEE_UNITS} {KNEE_CENTIPAWNS} {CENTIPAWNS_ABOVE}")
}

/// Converts an evaluation in search units, of at most five digits, to lichess's centipawns.
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
            (Score::from_units(24), Centipawns(24)),
            (Score::from_units(-280), Centipawns(-280)),
            (Score::from_units(440), Centipawns(360)),
            (Score::from_units(29_999), Centipawns(15_139)),
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
