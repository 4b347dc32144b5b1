//! Records annotated with the results.

use super::{Answer, CaseResult};
use crate::notation::{CentipawnEvaluation, Epd, Operation};
use crate::uci::InfoValue;
use std::time::Duration;

/// The best evaluation that is not a mate (PGN standard, section 16.2.5.6).
const MAX_CENTIPAWNS: i32 = 32_000;

/// The record of a case with its result: `acd`, `acn`, `acs`, `ce`, `pm` and `pv`.
pub fn annotated(result: &CaseResult<'_>) -> Epd {
    let Answer { end, best, score, pv, .. } = &result.answer;
    let mut epd = result.case.epd.clone();
    // The old values are about another search.
    for opcode in ["acd", "acn", "acs", "ce", "pm", "pv"] {
        epd.remove(opcode);
    }
    epd.set(Operation::AnalysisDepth(end.depth));
    epd.set(Operation::AnalysisNodes(end.nodes));
    epd.set(Operation::AnalysisSeconds(rounded_seconds(end.elapsed)));
    if let Some(evaluation) = score.and_then(evaluation) {
        epd.set(Operation::Evaluation(evaluation));
    }
    if let Some(best) = best {
        epd.set(Operation::PredictedMove(*best));
    }
    if !pv.is_empty() {
        epd.set(Operation::PredictedVariation(pv.clone()));
    }
    epd
}

const fn rounded_seconds(time: Duration) -> u64 {
    const HALF: u32 = 500_000_000;
    time.as_secs() + (time.subsec_nanos() >= HALF) as u64
}

fn evaluation(score: InfoValue) -> Option<CentipawnEvaluation> {
    match score {
        InfoValue::Centipawns(value) => {
            CentipawnEvaluation::new(value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS))
        }
        // The side that mates makes the last move.
        InfoValue::Mate(moves) if moves > 0 => {
            CentipawnEvaluation::mate(moves.checked_mul(2)?.checked_sub(1)?)
        }
        InfoValue::Mate(moves) => CentipawnEvaluation::mate(moves.checked_mul(2)?),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SearchStats, cases};
    use super::*;
    use crate::notation::parse_san;

    #[test]
    fn what_was_found_replaces_what_was_there() {
        let line = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; ce 5; pm Kf2; id \"x\"; acd 3;";
        let case = cases(line.as_bytes()).next().expect("a line").expect("a record");
        let best = parse_san("Ra8", case.epd.position()).ok().and_then(|turn| turn.mv());
        let end = SearchStats { elapsed: Duration::from_millis(1600), nodes: 77, depth: 9 };
        let scores = [
            (InfoValue::Mate(1), "ce 32766;"),
            (InfoValue::Mate(-2), "ce -32763;"),
            (InfoValue::Centipawns(-31), "ce -31;"),
            (InfoValue::Centipawns(i32::MAX), "ce 32000;"),
        ];
        for (score, expected) in scores {
            let pv = best.into_iter().collect();
            let answer = Answer { end, best, illegal: None, score: Some(score), pv };
            let result = CaseResult { case: &case, answer, solution: None, points: None };
            assert_eq!(
                annotated(&result).to_string(),
                format!(
                    "6k1/5ppp/8/8/8/8/8/R5K1 w - - acd 9; acn 77; acs 2; bm Ra8#; {expected} \
                     id \"x\"; pm Ra8#; pv Ra8#;"
                )
            );
        }
        let answer =
            Answer { end, best: None, illegal: None, score: Some(InfoValue::Mate(i32::MIN)), pv: vec![] };
        let found = annotated(&CaseResult { case: &case, answer, solution: None, points: None });
        assert!(found.operation("ce").is_none() && found.operation("pm").is_none(), "{found}");
    }
}
