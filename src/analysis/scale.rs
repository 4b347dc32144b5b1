//! Our scores on the scale of lichess's evaluations, for which its formulas of winning chances were made.

use crate::notation::pgn::EvaluationScore;
use crate::search::Score;

/// Our centipawns and those of lichess that are as frequent: the same shares of 2,040 positions, chosen at random from games
/// of lichess with evaluations, have less. Ours are from searches of 20,000 nodes. They are steeper at first, and lie closer
/// together where one side is winning.
const KNOTS: [(i32, i32); 11] = [
    (0, 0),
    (25, 48),
    (50, 102),
    (100, 245),
    (150, 344),
    (250, 448),
    (350, 524),
    (450, 611),
    (550, 701),
    (600, 800),
    (650, 1_000),
];

/// A score of ours as lichess would state it, for the same side.
pub fn lichess_score(score: Score) -> EvaluationScore {
    match score.mate_in() {
        // A side that is mated on the board is mated in one at the latest.
        Some(0) => EvaluationScore::Mate(-1),
        Some(moves) => EvaluationScore::Mate(moves),
        None => EvaluationScore::Centipawns(score.to_cp().signum() * lichess_centipawns(score.to_cp().abs())),
    }
}

/// Between the knots, and behind the last two, the line through them.
fn lichess_centipawns(cp: i32) -> i32 {
    let last = KNOTS.len() - 1;
    let above = KNOTS.iter().position(|&(ours, _)| cp < ours).unwrap_or(last);
    let ((x0, y0), (x1, y1)) = (KNOTS[above.max(1) - 1], KNOTS[above.max(1)]);
    y0 + (cp - x0) * (y1 - y0) / (x1 - x0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_mapped_and_keep_their_order() {
        let cases = [(0, 0), (25, 48), (100, 245), (125, 294), (-100, -245), (650, 1_000), (700, 1_200)];
        for (ours, expected) in cases {
            let found = lichess_score(Score::from_cp(ours));
            assert_eq!(found, EvaluationScore::Centipawns(expected), "{ours}");
        }
        for cp in 0..2_000 {
            assert!(lichess_centipawns(cp) <= lichess_centipawns(cp + 1), "{cp}");
        }
        let mates = [(Score::mating(3), 2), (Score::mated(2), -1), (Score::mated(0), -1)];
        for (score, moves) in mates {
            assert_eq!(lichess_score(score), EvaluationScore::Mate(moves));
        }
        let EvaluationScore::Centipawns(tables) = lichess_score(Score::tb_win(1)) else { panic!("no mate") };
        assert!(tables > 10_000, "{tables}");
    }
}
