//! May a node be left out? Each decision is a small pure function of what the node knows; none of them rests on a score
//! that is decisive.

use super::Score;
use super::params::Params;

/// What a node that is not in check knows of itself before it looks at moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// Plies left to search.
    pub depth: i32,
    /// The best score found so far.
    pub alpha: Score,
    /// The score that the opponent would not allow.
    pub beta: Score,
    /// The static evaluation, made better by what the hash table knows.
    pub eval: Score,
    /// Has the node been in a principal variation?
    pub was_pv: bool,
    /// Is the evaluation better than at the last move of the same side?
    pub improving: bool,
    /// Is the hash move a quiet one?
    pub is_hash_quiet: bool,
    /// Is a cutoff expected?
    pub is_cut: bool,
}

#[cfg(test)]
impl Facts {
    /// Those of a node at the horizon about which there is nothing to say.
    pub(super) const SAMPLE: Self = Self {
        depth: 0,
        alpha: Score::centipawns(-1),
        beta: Score::centipawns(0),
        eval: Score::centipawns(0),
        was_pv: false,
        improving: false,
        is_hash_quiet: false,
        is_cut: false,
    };
}

/// Reverse futility pruning: the score to return if the evaluation is so far above beta that
/// a shallow search would hardly bring it below
/// (<https://www.chessprogramming.org/Reverse_Futility_Pruning>).
pub(super) fn reverse_futility(params: &Params, facts: &Facts) -> Option<Score> {
    let margin = params.rfp_margin() * (facts.depth - i32::from(facts.improving)).max(0);
    let margin = margin
        + params.rfp_pv() * i32::from(facts.was_pv)
        + params.rfp_hash_quiet() * i32::from(facts.is_hash_quiet);
    let is_near = facts.depth <= params.rfp_depth();
    let is_ordinary = !facts.beta.is_decisive() && !facts.eval.is_decisive();
    (is_near && is_ordinary && facts.eval - margin >= facts.beta)
        .then(|| facts.beta + (facts.eval - facts.beta) / 2)
}

/// Razoring: is the evaluation so far below alpha that only a capture could help?
/// (<https://www.chessprogramming.org/Razoring>).
pub(super) fn is_razored(params: &Params, facts: &Facts) -> bool {
    let margin = params.razor_base() + params.razor_slope() * facts.depth * facts.depth;
    facts.depth <= params.razor_depth() && !facts.alpha.is_decisive() && facts.eval + margin <= facts.alpha
}

/// ProbCut: the score that a capture must reach in a reduced search to be trusted with a
/// cutoff, if it should be tried (<https://www.chessprogramming.org/ProbCut>).
pub(super) fn prob_cut(params: &Params, facts: &Facts) -> Option<Score> {
    let margin = params.probcut_margin() - params.probcut_improving() * i32::from(facts.improving);
    let margin = margin.max(1);
    (facts.depth >= params.probcut_depth() && !facts.beta.is_decisive()).then(|| facts.beta + margin)
}

/// Does a shallower hash entry promise so much that it suffices? `entry_depth` and
/// `hash_score` are those of an entry whose score is a lower bound.
pub(super) fn is_hash_cut(params: &Params, facts: &Facts, entry_depth: i32, hash_score: Score) -> bool {
    entry_depth >= facts.depth - params.hash_cut_depth()
        && !facts.beta.is_decisive()
        && !hash_score.is_decisive()
        && hash_score >= facts.beta + params.hash_cut_margin()
}

/// A score above beta, brought nearer to it: how far above is known the less the shallower
/// the search was.
pub(super) fn softened(score: Score, beta: Score, depth: i32) -> Score {
    if score <= beta || score.is_decisive() || beta.is_decisive() {
        return score;
    }
    beta + (score - beta) * depth / (depth + 1)
}

/// Null move pruning: by how many plies to reduce the search after a null move, if one should
/// be tried (<https://www.chessprogramming.org/Null_Move_Pruning>).
pub(super) fn null_move(params: &Params, facts: &Facts) -> Option<i32> {
    let advantage = facts.eval - facts.beta;
    let needed = params.null_base() - params.null_slope() * facts.depth
        + params.null_not_cut() * i32::from(!facts.is_cut);
    let promises_cutoff = facts.depth >= params.null_depth() && advantage >= needed && !facts.beta.is_loss();
    promises_cutoff.then(|| {
        params.null_reduction()
            + facts.depth / params.null_depth_divisor()
            + (advantage / params.null_advantage_divisor()).clamp(0, params.null_advantage_limit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CP: fn(i32) -> Score = Score::centipawns;

    fn facts(depth: i32, eval: i32) -> Facts {
        Facts { depth, eval: CP(eval), ..Facts::SAMPLE }
    }

    fn params() -> Params {
        Params::default()
    }

    #[test]
    fn reverse_futility_needs_more_the_deeper() {
        for depth in 1..=params().rfp_depth() {
            let needed =
                |depth| (0..5000).find(|&eval| reverse_futility(&params(), &facts(depth, eval)).is_some());
            assert!(needed(depth).is_some(), "depth {depth}");
            assert!(needed(depth) < needed(depth + 1) || needed(depth + 1).is_none(), "depth {depth}");
        }
        assert_eq!(reverse_futility(&params(), &facts(params().rfp_depth() + 1, 20_000)), None);
    }

    #[test]
    fn reverse_futility_trusts_no_mate_and_returns_at_least_beta() {
        let mated = Facts { beta: Score::mated(9), ..facts(1, 2000) };
        let mating = Facts { eval: Score::mating(9), ..facts(1, 2000) };
        assert_eq!(reverse_futility(&params(), &mated), None);
        assert_eq!(reverse_futility(&params(), &mating), None);
        for improving in [false, true] {
            for eval in -100..=500 {
                let facts = Facts { improving, ..facts(1, eval) };
                if let Some(score) = reverse_futility(&params(), &facts) {
                    assert!(CP(0) <= score && score <= CP(eval), "{facts:?}");
                }
            }
            let sure = Facts { improving, ..facts(1, 500) };
            assert!(reverse_futility(&params(), &sure).is_some(), "far above");
        }
    }

    #[test]
    fn a_quiet_move_of_the_table_is_worth_a_look() {
        let known = |eval| Facts { is_hash_quiet: true, ..facts(3, eval) };
        for eval in 0..900 {
            let blind = reverse_futility(&params(), &facts(3, eval));
            assert!(blind.is_some() || reverse_futility(&params(), &known(eval)).is_none(), "{eval}");
        }
    }

    #[test]
    fn a_null_move_wants_more_where_no_cutoff_is_expected() {
        for eval in -50..500 {
            let [not_cut, cut] =
                [false, true].map(|is_cut| null_move(&params(), &Facts { is_cut, ..facts(6, eval) }));
            assert!(cut.is_some() || not_cut.is_none(), "{eval}");
        }
    }

    #[test]
    fn null_move_reduces_more_the_deeper_and_the_better() {
        assert_eq!(null_move(&params(), &facts(3, -1)), None, "below beta");
        assert_eq!(null_move(&params(), &facts(params().null_depth() - 1, 500)), None, "shallow");
        assert_eq!(null_move(&params(), &Facts { beta: Score::mated(9), ..facts(9, 0) }), None);
        let reduction = |depth, eval| null_move(&params(), &facts(depth, eval)).expect("tried");
        for depth in 4..60 {
            assert!(reduction(depth, 200) <= reduction(depth + 1, 200));
            assert!(reduction(depth, 200) <= reduction(depth, 900));
            assert_eq!(reduction(depth, 9000), reduction(depth, 29_000), "bounded");
        }
    }

    #[test]
    fn razoring_needs_more_the_deeper() {
        for depth in 1..=params().razor_depth() {
            let needed = |depth| (0..9000).find(|&below| is_razored(&params(), &facts(depth, -below)));
            assert!(needed(depth).is_some(), "depth {depth}");
            assert!(needed(depth) < needed(depth + 1) || needed(depth + 1).is_none(), "depth {depth}");
        }
        let mating = Facts { alpha: Score::mating(5), beta: Score::mating(4), ..facts(1, -3000) };
        assert!(!is_razored(&params(), &mating), "a mate may be found yet");
    }

    #[test]
    fn captures_must_exceed_beta_for_a_cutoff() {
        let bound = prob_cut(&params(), &facts(9, 0)).expect("deep enough");
        assert!(bound > CP(0));
        let improving = Facts { improving: true, ..facts(9, 0) };
        assert!(prob_cut(&params(), &improving).expect("deep enough") <= bound);
        assert_eq!(prob_cut(&params(), &facts(params().probcut_depth() - 1, 0)), None);
        assert_eq!(prob_cut(&params(), &Facts { beta: Score::mated(9), ..facts(9, 0) }), None);
    }

    #[test]
    fn shallow_hash_entries_cut_off_only_far_above_beta() {
        let far = CP(params().hash_cut_margin());
        assert!(is_hash_cut(&params(), &facts(9, 0), 9 - params().hash_cut_depth(), far));
        assert!(!is_hash_cut(&params(), &facts(9, 0), 8 - params().hash_cut_depth(), far));
        assert!(!is_hash_cut(&params(), &facts(9, 0), 9, far - 1));
        assert!(!is_hash_cut(&params(), &facts(9, 0), 9, Score::mating(5)), "mates are searched");
    }

    #[test]
    fn scores_are_softened_toward_beta_but_never_below() {
        for depth in 0..40 {
            let score = softened(CP(500), CP(100), depth);
            assert!(CP(100) <= score && score < CP(500), "depth {depth}");
            assert!(score <= softened(CP(500), CP(100), depth + 1), "depth {depth}");
        }
        assert_eq!(softened(CP(50), CP(100), 3), CP(50), "below beta");
        assert_eq!(softened(Score::mating(5), CP(100), 3), Score::mating(5));
    }
}
