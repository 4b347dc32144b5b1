//! May a node or a move be left out? Each decision is a small pure function of what the node
//! knows; none of them rests on a score that is decisive.

use super::Score;
use super::params::{PLY, Params};

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
    /// Is the opponent's position worse than they thought before the last move?
    pub worsening: bool,
}

/// Reverse futility pruning: the score to return if the evaluation is so far above beta that
/// a shallow search would hardly bring it below
/// (<https://www.chessprogramming.org/Reverse_Futility_Pruning>).
pub(super) fn reverse_futility(params: &Params, facts: &Facts) -> Option<Score> {
    let margin = params.rfp_margin() * (facts.depth - i32::from(facts.improving)).max(0);
    let margin = margin + params.rfp_pv() * i32::from(facts.was_pv);
    // Never below zero: an evaluation below beta proves nothing.
    let margin = (margin - params.rfp_worsening() * i32::from(facts.worsening)).max(0);
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
    let needed = params.null_base() - params.null_slope() * facts.depth;
    let promises_cutoff = facts.depth >= params.null_depth() && advantage >= needed && !facts.beta.is_loss();
    promises_cutoff.then(|| {
        params.null_reduction()
            + facts.depth / params.null_depth_divisor()
            + (advantage / params.null_advantage_divisor()).clamp(0, params.null_advantage_limit())
    })
}

/// Late move pruning: the number of moves after which the remaining quiet ones are left out
/// (<https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>).
pub(super) fn late_move_limit(params: &Params, depth: i32, improving: bool) -> usize {
    if depth > params.lmp_depth() {
        return usize::MAX;
    }
    let moves = params.lmp_base() + params.lmp_slope() * depth * depth / 100;
    (if improving { moves } else { moves / 2 }) as usize
}

/// Futility pruning: are quiet moves hopeless because the evaluation is too far below alpha?
/// `reduced_depth` is what late move reductions would leave, `history` that of the move
/// (<https://www.chessprogramming.org/Futility_Pruning>).
pub(super) fn is_futile(params: &Params, facts: &Facts, reduced_depth: i32, history: i32) -> bool {
    let margin = params.futility_base()
        + params.futility_slope() * reduced_depth
        + history * params.futility_history() / (PLY * 100);
    reduced_depth <= params.futility_depth()
        && !facts.alpha.is_decisive()
        && facts.eval + margin <= facts.alpha
}

/// Pruning by history: has a quiet move failed too often elsewhere?
pub(super) fn is_discredited(params: &Params, history: i32, reduced_depth: i32) -> bool {
    reduced_depth <= params.history_prune_depth()
        && history < -params.history_prune_slope() * reduced_depth.max(1)
}

/// Pruning by exchange: the most that a quiet move may lose, in centipawns; nothing bounds it
/// at high depths.
pub(super) fn quiet_loss_limit(params: &Params, reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= params.exchange_depth())
        .then(|| params.exchange_quiet() * reduced_depth * reduced_depth)
}

/// Pruning by exchange: the most that a capture with this history may lose, in centipawns.
pub(super) fn noisy_loss_limit(params: &Params, depth: i32, history: i32) -> Option<i32> {
    (depth <= params.exchange_depth()).then(|| {
        let limit = params.exchange_noisy() * depth + history * params.exchange_history() / PLY;
        limit.max(0)
    })
}

/// What becomes of the hash move when all others have been searched without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singular {
    /// It is searched so many plies deeper, or shallower if negative.
    Extend(i32),
    /// Another move would do as well: the node is cut off with this score.
    MultiCut(Score),
}

/// The score that no other move may reach if the hash move, whose score is `score`, is singular
/// (<https://www.chessprogramming.org/Singular_Extensions>).
pub(super) fn singular_bound(params: &Params, score: Score, depth: i32) -> Score {
    score - params.singular_margin() * depth / 100
}

/// What is known of the hash move and its node before it is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The score in the hash table.
    pub score: Score,
    /// The score that no other move may reach.
    pub bound: Score,
    /// The score that the opponent would not allow.
    pub beta: Score,
    /// Is it a node of the principal variation?
    pub is_pv: bool,
    /// Is the node expected to be cut off?
    pub is_cut: bool,
    /// Is the move neither a capture nor a promotion?
    pub is_quiet: bool,
}

/// Judges the hash move if the others reached `others` in a search against its bound.
pub(super) fn singular(params: &Params, candidate: &Candidate, others: Score) -> Singular {
    let &Candidate { score, bound, beta, is_pv, is_cut, is_quiet } = candidate;
    if others < bound {
        let in_pv = params.singular_pv() * i32::from(is_pv);
        let is_far_ahead = others < bound - params.singular_double() - in_pv;
        let is_alone = is_quiet && others < bound - params.singular_triple() - in_pv;
        Singular::Extend(1 + i32::from(is_far_ahead) + i32::from(is_far_ahead && is_alone))
    } else if bound >= beta && !bound.is_decisive() {
        Singular::MultiCut(bound)
    } else if score >= beta {
        Singular::Extend(if is_pv { -2 } else { -3 })
    } else if is_cut {
        Singular::Extend(-2)
    } else {
        Singular::Extend(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CP: fn(i32) -> Score = Score::centipawns;

    fn facts(depth: i32, eval: i32) -> Facts {
        Facts {
            depth,
            alpha: CP(-1),
            beta: CP(0),
            eval: CP(eval),
            was_pv: false,
            improving: false,
            worsening: false,
        }
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
        for (improving, worsening) in [(false, false), (false, true), (true, false), (true, true)] {
            for eval in -100..=500 {
                let facts = Facts { improving, worsening, ..facts(1, eval) };
                if let Some(score) = reverse_futility(&params(), &facts) {
                    assert!(CP(0) <= score && score <= CP(eval), "{facts:?}");
                }
            }
            let sure = Facts { improving, worsening, ..facts(1, 500) };
            assert!(reverse_futility(&params(), &sure).is_some(), "far above");
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
    fn more_late_moves_are_tried_the_deeper() {
        for depth in 1..=params().lmp_depth() {
            for improving in [false, true] {
                let limit = late_move_limit(&params(), depth, improving);
                assert!(limit > 0 && limit <= late_move_limit(&params(), depth + 1, improving));
            }
            assert!(late_move_limit(&params(), depth, false) <= late_move_limit(&params(), depth, true));
        }
    }

    #[test]
    fn futility_is_for_hopeless_moves_near_the_leaves() {
        assert!(is_futile(&params(), &facts(3, -900), 1, 0));
        assert!(!is_futile(&params(), &facts(3, -900), params().futility_depth() + 1, 0));
        assert!(!is_futile(&params(), &facts(3, 0), 1, 0));
        let mating = Facts { alpha: Score::mating(5), beta: Score::mating(4), ..facts(3, 0) };
        assert!(!is_futile(&params(), &mating, 1, 0), "a mate may be found yet");
        for depth in 1..params().futility_depth() {
            let eval = (-3000..0).rev().find(|&eval| is_futile(&params(), &facts(3, eval), depth, 0));
            let deeper = (-3000..0).rev().find(|&eval| is_futile(&params(), &facts(3, eval), depth + 1, 0));
            assert!(eval > deeper, "depth {depth}");
        }
    }

    #[test]
    fn what_a_move_may_lose_grows_with_depth() {
        for depth in 1..params().exchange_depth() {
            assert!(quiet_loss_limit(&params(), depth) <= quiet_loss_limit(&params(), depth + 1));
            assert!(noisy_loss_limit(&params(), depth, 0) < noisy_loss_limit(&params(), depth + 1, 0));
        }
        assert_eq!(noisy_loss_limit(&params(), params().exchange_depth() + 1, 0), None);
    }

    #[test]
    fn history_prunes_only_what_failed() {
        assert!(!is_discredited(&params(), 0, 1));
        assert!(is_discredited(&params(), -40_000, 1));
        assert!(!is_discredited(&params(), -40_000, params().history_prune_depth() + 1));
    }

    #[test]
    fn verdicts_on_the_hash_move() {
        let bound = singular_bound(&params(), CP(50), 10);
        assert!(bound < CP(50));
        let usual =
            Candidate { score: CP(50), bound, beta: CP(60), is_pv: false, is_cut: false, is_quiet: true };
        let pv = Candidate { is_pv: true, ..usual };
        let verdict = |candidate, others| singular(&params(), &candidate, others);
        let ahead = bound - params().singular_double() - 1;
        let far_ahead = bound - params().singular_triple() - 1;
        let cases = [
            ("alone", verdict(pv, bound - 1), Singular::Extend(1)),
            ("ahead", verdict(usual, ahead), Singular::Extend(2)),
            ("far ahead", verdict(usual, far_ahead), Singular::Extend(3)),
            (
                "a capture far ahead",
                verdict(Candidate { is_quiet: false, ..usual }, far_ahead),
                Singular::Extend(2),
            ),
            ("ahead in the PV", verdict(pv, ahead), Singular::Extend(1)),
            ("others cut too", verdict(Candidate { beta: bound, ..usual }, bound), Singular::MultiCut(bound)),
            ("it cuts", verdict(Candidate { beta: CP(50), ..usual }, bound), Singular::Extend(-3)),
            ("it cuts in the PV", verdict(Candidate { beta: CP(50), ..pv }, bound), Singular::Extend(-2)),
            ("one of several", verdict(Candidate { is_cut: true, ..usual }, bound), Singular::Extend(-2)),
            ("elsewhere", verdict(usual, bound), Singular::Extend(0)),
        ];
        for (name, verdict, expected) in cases {
            assert_eq!(verdict, expected, "{name}");
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
