//! Pruning of nodes and moves. Each decision is a small pure function of the node's context, and none is
//! based on a decisive score.

use super::params::{PLY, Params};
use super::{Score, reduction, see};
use crate::chess::Role;

/// The part of its distance to beta by which the evaluation exceeds beta in the score of reverse futility pruning.
const RFP_SOFTENING_DIVISOR: i32 = 2;
/// The part of the quiet moves that are tried if the evaluation is not improving.
const LMP_NOT_IMPROVING_DIVISOR: i32 = 2;

/// The context of a node that is not in check, before its moves are generated.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeContext {
    /// Plies left to search.
    pub depth: i32,
    /// The lower bound of the window.
    pub alpha: Score,
    /// The upper bound of the window.
    pub beta: Score,
    /// The static evaluation, refined by the hash score.
    pub eval: Score,
    /// The uncertainty of the evaluation: the size of its correction, in search units.
    pub uncertainty: i32,
    /// Whether the node is or was in a principal variation.
    pub tt_pv: bool,
    /// Whether the evaluation is better than before the last move of the same side.
    pub improving: bool,
    /// Whether the hash move is quiet.
    pub is_hash_move_quiet: bool,
    /// Whether a cutoff is expected.
    pub cut_node: bool,
}

#[cfg(test)]
impl NodeContext {
    /// A node at depth 0 with an equal position.
    pub(super) const SAMPLE: Self = Self {
        depth: 0,
        alpha: Score::from_units(-1),
        beta: Score::from_units(0),
        eval: Score::from_units(0),
        uncertainty: 0,
        tt_pv: false,
        improving: false,
        is_hash_move_quiet: false,
        cut_node: false,
    };
}

/// Reverse futility pruning: the score to return if the evaluation exceeds beta by so much that a shallow
/// search would hardly fall below beta (<https://www.chessprogramming.org/Reverse_Futility_Pruning>).
pub(super) fn reverse_futility(params: &Params, node: &NodeContext) -> Option<Score> {
    let margin = params.rfp_margin() * (node.depth - i32::from(node.improving)).max(0);
    let margin = margin
        + node.uncertainty
        + params.rfp_tt_pv() * i32::from(node.tt_pv)
        + params.rfp_hash_quiet() * i32::from(node.is_hash_move_quiet);
    let is_near = node.depth <= params.rfp_depth();
    let is_ordinary = !node.beta.is_decisive() && !node.eval.is_decisive();
    (is_near && is_ordinary && node.eval - margin >= node.beta)
        .then(|| node.beta + (node.eval - node.beta) / RFP_SOFTENING_DIVISOR)
}

/// Razoring: whether the evaluation is so far below alpha that only a capture could help
/// (<https://www.chessprogramming.org/Razoring>).
pub(super) fn is_razored(params: &Params, node: &NodeContext) -> bool {
    let margin = params.razor_base() + params.razor_slope() * node.depth * node.depth;
    node.depth <= params.razor_depth() && !node.alpha.is_decisive() && node.eval + margin <= node.alpha
}

/// ProbCut: the score that a capture must reach in a reduced search for a cutoff, if it should be tried
/// (<https://www.chessprogramming.org/ProbCut>).
pub(super) fn prob_cut(params: &Params, node: &NodeContext) -> Option<Score> {
    let margin = params.probcut_margin() - params.probcut_improving() * i32::from(node.improving);
    let margin = margin.max(1);
    (node.depth >= params.probcut_depth() && !node.beta.is_decisive()).then(|| node.beta + margin)
}

/// Small ProbCut: whether the lower bound of a hash entry of slightly lower depth exceeds beta by enough for
/// a cutoff. `entry_depth` and `hash_score` are those of the entry.
pub(super) fn small_probcut(
    params: &Params,
    node: &NodeContext,
    entry_depth: i32,
    hash_score: Score,
) -> bool {
    entry_depth >= node.depth - params.small_probcut_depth()
        && !node.beta.is_decisive()
        && !hash_score.is_decisive()
        && hash_score >= node.beta + params.small_probcut_margin()
}

/// Fail-high blending: a score above beta moved toward beta, by more the lower the depth.
pub(super) fn soften_fail_high(score: Score, beta: Score, depth: i32) -> Score {
    if score <= beta || score.is_decisive() || beta.is_decisive() {
        return score;
    }
    beta + (score - beta) * depth / (depth + 1)
}

/// Null move pruning: the depth reduction of the search after a null move, if it should be tried
/// (<https://www.chessprogramming.org/Null_Move_Pruning>).
pub(super) fn null_move(params: &Params, node: &NodeContext) -> Option<i32> {
    let advantage = node.eval - node.beta;
    let needed = params.null_base() - params.null_slope() * node.depth
        + params.null_not_cut() * i32::from(!node.cut_node);
    let promises_cutoff = node.depth >= params.null_depth() && advantage >= needed && !node.beta.is_loss();
    promises_cutoff.then(|| {
        params.null_reduction()
            + node.depth / params.null_depth_divisor()
            + (advantage / params.null_advantage_divisor()).clamp(0, params.null_advantage_limit())
    })
}

/// The context of a move before it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveContext {
    /// The number of the move, counted from 1.
    pub move_count: usize,
    /// Whether the move is neither a capture nor a promotion.
    pub is_quiet: bool,
    /// The captured piece.
    pub captured: Option<Role>,
    /// Whether the move is a promotion.
    pub is_promotion: bool,
    /// Whether the move gives check, directly or by discovery.
    pub gives_check: bool,
    /// Whether the move comes from the sorted quiet moves, and not as the hash move or a killer.
    pub is_sorted: bool,
    /// The history of the move.
    pub history: i32,
}

/// The decision on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MovePruning {
    /// Skip the move. `hope` is the score that it may reach, if it is known; `ends_quiets` states whether all quiet
    /// moves after it that give no check are skipped, too.
    Skip { hope: Option<Score>, ends_quiets: bool },
    /// Search the move if its exchange loses no more than this many search units; `None` for no limit.
    Search(Option<i32>),
}

/// The decision on a move at this depth. `node` is `None` in check.
#[inline(always)]
pub(super) fn prune_move(
    params: &Params,
    depth: i32,
    improving: bool,
    node: Option<&NodeContext>,
    move_context: &MoveContext,
) -> MovePruning {
    let &MoveContext { move_count, is_quiet, captured, is_promotion, gives_check, is_sorted, history } =
        move_context;
    let left = reduced_depth(params, depth, improving, move_context);
    if is_quiet {
        // The sorted quiet moves after this one are no better. The hash move and the killers may be worse than
        // the quiet moves that follow.
        let skip = |hope| MovePruning::Skip { hope, ends_quiets: is_sorted };
        // A check may change the result of any position.
        if !gives_check {
            if late_move_limit(params, depth, improving).is_some_and(|limit| move_count > limit) {
                return skip(None);
            }
            if let Some(hope) = node.and_then(|node| futile_score(params, node, left, history)) {
                return skip(Some(hope));
            }
            if is_history_pruned(params, history, left) {
                return MovePruning::Skip { hope: None, ends_quiets: false };
            }
        }
        return MovePruning::Search(quiet_see_margin(params, left));
    }
    if let (Some(node), Some(role), false, false) = (node, captured, is_promotion, gives_check)
        && is_futile_capture(params, node, left, see::value(role), history)
    {
        return MovePruning::Skip { hope: None, ends_quiets: false };
    }
    MovePruning::Search(noisy_see_margin(params, depth, history))
}

/// The depth after late move reductions.
fn reduced_depth(params: &Params, depth: i32, improving: bool, move_context: &MoveContext) -> i32 {
    let mut left = depth * PLY - reduction::lmr_base(params, depth, move_context.move_count);
    if move_context.is_quiet {
        left += move_context.history * params.prune_history() / PLY
            - params.prune_not_improving() * i32::from(!improving);
    }
    (left / PLY).max(0)
}

/// Late move pruning: the number of moves after which quiet moves are skipped; `None` if the depth is too high
/// (<https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>).
fn late_move_limit(params: &Params, depth: i32, improving: bool) -> Option<usize> {
    if depth > params.lmp_depth() {
        return None;
    }
    let moves = params.lmp_base() + params.lmp_slope() * depth * depth / 100;
    Some((if improving { moves } else { moves / LMP_NOT_IMPROVING_DIVISOR }) as usize)
}

/// Futility pruning: the score that a quiet move may reach, if the evaluation is so far below alpha that it is futile.
/// `reduced_depth` is the depth after late move reductions, and `history` is the history of the move
/// (<https://www.chessprogramming.org/Futility_Pruning>).
fn futile_score(params: &Params, node: &NodeContext, reduced_depth: i32, history: i32) -> Option<Score> {
    let margin = params.futility_base() + params.futility_slope() * reduced_depth + node.uncertainty
        - params.futility_tt_pv() * i32::from(node.tt_pv)
        + history * params.futility_history() / (PLY * 100);
    let score = node.eval + margin;
    (reduced_depth <= params.futility_depth() && !node.alpha.is_decisive() && score <= node.alpha)
        .then_some(score)
}

/// Futility pruning: whether a capture of a piece with this value is futile.
fn is_futile_capture(
    params: &Params,
    node: &NodeContext,
    reduced_depth: i32,
    captured: i32,
    history: i32,
) -> bool {
    let margin = params.futility_noisy_base() + params.futility_noisy_slope() * reduced_depth
        - params.futility_tt_pv() * i32::from(node.tt_pv)
        + captured
        + history * params.futility_history() / (PLY * 100);
    reduced_depth <= params.futility_depth() && !node.alpha.is_decisive() && node.eval + margin <= node.alpha
}

/// History pruning: whether the history of a quiet move is too low.
fn is_history_pruned(params: &Params, history: i32, reduced_depth: i32) -> bool {
    reduced_depth <= params.history_prune_depth()
        && history < -params.history_prune_slope() * reduced_depth.max(1)
}

/// SEE pruning: the most that a quiet move may lose, in search units; `None` at high depths.
fn quiet_see_margin(params: &Params, reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= params.see_depth()).then(|| params.see_quiet() * reduced_depth * reduced_depth)
}

/// SEE pruning: the most that a capture may lose, in search units; `None` at high depths.
fn noisy_see_margin(params: &Params, depth: i32, history: i32) -> Option<i32> {
    (depth <= params.see_depth()).then(|| {
        let limit = params.see_noisy() * depth + history * params.see_history() / PLY;
        limit.max(0)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Score;
    use super::*;

    // Pruning of nodes

    const UNITS: fn(i32) -> Score = Score::from_units;

    fn node(depth: i32, eval: i32) -> NodeContext {
        NodeContext { depth, eval: UNITS(eval), ..NodeContext::SAMPLE }
    }

    fn params() -> Params {
        Params::default()
    }

    #[test]
    fn an_uncertain_evaluation_has_wider_margins() {
        let uncertain = |eval| NodeContext { uncertainty: 30, ..node(2, eval) };
        let needed = |node: &dyn Fn(i32) -> NodeContext| {
            (0..5000).find(|&eval| reverse_futility(&params(), &node(eval)).is_some())
        };
        assert_eq!(needed(&uncertain), needed(&|eval| node(2, eval)).map(|eval| eval + 30));
        let hopeless = |node: &dyn Fn(i32) -> NodeContext| {
            (-5000..0).rev().find(|&eval| futile_score(&params(), &node(eval), 2, 0).is_some())
        };
        assert_eq!(hopeless(&uncertain), hopeless(&|eval| node(2, eval)).map(|eval| eval - 30));
    }

    #[test]
    fn reverse_futility_needs_more_the_deeper() {
        for depth in 1..=params().rfp_depth() {
            let needed =
                |depth| (0..5000).find(|&eval| reverse_futility(&params(), &node(depth, eval)).is_some());
            assert!(needed(depth).is_some(), "depth {depth}");
            assert!(needed(depth) < needed(depth + 1) || needed(depth + 1).is_none(), "depth {depth}");
        }
        assert_eq!(reverse_futility(&params(), &node(params().rfp_depth() + 1, 20_000)), None);
    }

    #[test]
    fn reverse_futility_trusts_no_mate_and_returns_at_least_beta() {
        let mated = NodeContext { beta: Score::mated(9), ..node(1, 2000) };
        let mating = NodeContext { eval: Score::mating(9), ..node(1, 2000) };
        assert_eq!(reverse_futility(&params(), &mated), None);
        assert_eq!(reverse_futility(&params(), &mating), None);
        for improving in [false, true] {
            for eval in -100..=500 {
                let node = NodeContext { improving, ..node(1, eval) };
                if let Some(score) = reverse_futility(&params(), &node) {
                    assert!(UNITS(0) <= score && score <= UNITS(eval), "{node:?}");
                }
            }
            let sure = NodeContext { improving, ..node(1, 500) };
            assert!(reverse_futility(&params(), &sure).is_some(), "far above");
        }
    }

    #[test]
    fn a_quiet_move_of_the_table_is_worth_a_look() {
        let known = |eval| NodeContext { is_hash_move_quiet: true, ..node(3, eval) };
        for eval in 0..900 {
            let blind = reverse_futility(&params(), &node(3, eval));
            assert!(blind.is_some() || reverse_futility(&params(), &known(eval)).is_none(), "{eval}");
        }
    }

    #[test]
    fn a_null_move_wants_more_where_no_cutoff_is_expected() {
        for eval in -50..500 {
            let [not_cut, cut] = [false, true]
                .map(|cut_node| null_move(&params(), &NodeContext { cut_node, ..node(6, eval) }));
            assert!(cut.is_some() || not_cut.is_none(), "{eval}");
        }
    }

    #[test]
    fn null_move_reduces_more_the_deeper_and_the_better() {
        assert_eq!(null_move(&params(), &node(3, -1)), None, "below beta");
        assert_eq!(null_move(&params(), &node(params().null_depth() - 1, 500)), None, "shallow");
        assert_eq!(null_move(&params(), &NodeContext { beta: Score::mated(9), ..node(9, 0) }), None);
        let reduction = |depth, eval| null_move(&params(), &node(depth, eval)).expect("tried");
        for depth in 4..60 {
            assert!(reduction(depth, 200) <= reduction(depth + 1, 200));
            assert!(reduction(depth, 200) <= reduction(depth, 900));
            assert_eq!(reduction(depth, 9000), reduction(depth, 29_000), "bounded");
        }
    }

    #[test]
    fn razoring_needs_more_the_deeper() {
        for depth in 1..=params().razor_depth() {
            let needed = |depth| (0..9000).find(|&below| is_razored(&params(), &node(depth, -below)));
            assert!(needed(depth).is_some(), "depth {depth}");
            assert!(needed(depth) < needed(depth + 1) || needed(depth + 1).is_none(), "depth {depth}");
        }
        let mating = NodeContext { alpha: Score::mating(5), beta: Score::mating(4), ..node(1, -3000) };
        assert!(!is_razored(&params(), &mating), "a mate may be found yet");
    }

    #[test]
    fn captures_must_exceed_beta_for_a_cutoff() {
        let bound = prob_cut(&params(), &node(9, 0)).expect("deep enough");
        assert!(bound > UNITS(0));
        let improving = NodeContext { improving: true, ..node(9, 0) };
        assert!(prob_cut(&params(), &improving).expect("deep enough") <= bound);
        assert_eq!(prob_cut(&params(), &node(params().probcut_depth() - 1, 0)), None);
        assert_eq!(prob_cut(&params(), &NodeContext { beta: Score::mated(9), ..node(9, 0) }), None);
    }

    #[test]
    fn shallow_hash_entries_cut_off_only_far_above_beta() {
        let far = UNITS(params().small_probcut_margin());
        assert!(small_probcut(&params(), &node(9, 0), 9 - params().small_probcut_depth(), far));
        assert!(!small_probcut(&params(), &node(9, 0), 8 - params().small_probcut_depth(), far));
        assert!(!small_probcut(&params(), &node(9, 0), 9, far - 1));
        assert!(!small_probcut(&params(), &node(9, 0), 9, Score::mating(5)), "mates are searched");
    }

    #[test]
    fn scores_are_softened_toward_beta_but_never_below() {
        for depth in 0..40 {
            let score = soften_fail_high(UNITS(500), UNITS(100), depth);
            assert!(UNITS(100) <= score && score < UNITS(500), "depth {depth}");
            assert!(score <= soften_fail_high(UNITS(500), UNITS(100), depth + 1), "depth {depth}");
        }
        assert_eq!(soften_fail_high(UNITS(50), UNITS(100), 3), UNITS(50), "below beta");
        assert_eq!(soften_fail_high(Score::mating(5), UNITS(100), 3), Score::mating(5));
    }

    // Pruning of moves

    #[test]
    fn hopeless_moves_are_left_out_unless_they_give_check() {
        let quiet = MoveContext {
            move_count: 2,
            is_quiet: true,
            captured: None,
            is_promotion: false,
            gives_check: false,
            is_sorted: true,
            history: 0,
        };
        let capture = MoveContext { is_quiet: false, captured: Some(Role::Pawn), ..quiet };
        let late = MoveContext { move_count: 100, ..quiet };
        let (level, worse, lost) = (node(3, 0), node(3, -900), node(3, -2000));
        let of = |node, move_context| prune_move(&params(), 3, true, node, &move_context);
        let is_left_out = |verdict| !matches!(verdict, MovePruning::Search(_));
        let cases = [
            ("level", of(Some(&level), quiet), false),
            ("lost", of(Some(&lost), quiet), true),
            ("in check nothing is known", of(None, quiet), false),
            ("a check", of(Some(&lost), MoveContext { gives_check: true, ..quiet }), false),
            ("late", of(Some(&level), late), true),
            ("a late check", of(Some(&level), MoveContext { gives_check: true, ..late }), false),
            ("no good elsewhere", of(Some(&level), MoveContext { history: -60_000, ..quiet }), true),
            ("a capture", of(Some(&level), capture), false),
            ("a pawn does not help", of(Some(&lost), capture), true),
            ("a queen", of(Some(&worse), MoveContext { captured: Some(Role::Queen), ..capture }), false),
            ("a check by a capture", of(Some(&lost), MoveContext { gives_check: true, ..capture }), false),
            ("a late capture", of(Some(&level), MoveContext { move_count: 100, ..capture }), false),
            ("a promotion", of(Some(&lost), MoveContext { is_promotion: true, ..capture }), false),
        ];
        let MovePruning::Skip { hope: Some(hope), .. } = of(Some(&lost), quiet) else {
            panic!("it is futile")
        };
        assert!(lost.eval < hope && hope <= lost.alpha, "{hope:?}");
        for (name, verdict, expected) in cases {
            assert_eq!(is_left_out(verdict), expected, "{name}: {verdict:?}");
        }
        for (name, node, quiet) in [("late", &level, late), ("futile", &lost, quiet)] {
            let killer = MoveContext { is_sorted: false, ..quiet };
            let ends_quiets = |verdict| matches!(verdict, MovePruning::Skip { ends_quiets: true, .. });
            assert!(ends_quiets(of(Some(node), quiet)), "{name}");
            let verdict = of(Some(node), killer);
            assert!(is_left_out(verdict) && !ends_quiets(verdict), "{name}: others may be better");
        }
    }

    #[test]
    fn more_late_moves_are_tried_the_deeper() {
        let most = params().lmp_depth();
        let limit = |depth, improving| late_move_limit(&params(), depth, improving);
        for improving in [false, true] {
            let limits: Vec<usize> = (1..=most).filter_map(|depth| limit(depth, improving)).collect();
            assert_eq!(limits.len(), most as usize);
            assert!(limits[0] > 0 && limits.is_sorted(), "{limits:?}");
            assert_eq!(limit(most + 1, improving), None);
        }
        assert!((1..=most).all(|depth| limit(depth, false) <= limit(depth, true)));
    }

    #[test]
    fn futility_is_for_hopeless_moves_near_the_leaves() {
        assert!(futile_score(&params(), &node(3, -900), 1, 0).is_some());
        assert!(futile_score(&params(), &node(3, -900), params().futility_depth() + 1, 0).is_none());
        assert!(futile_score(&params(), &node(3, 0), 1, 0).is_none());
        let mating = NodeContext { alpha: Score::mating(5), beta: Score::mating(4), ..node(3, 0) };
        assert!(futile_score(&params(), &mating, 1, 0).is_none(), "a mate may be found yet");
        for depth in 1..params().futility_depth() {
            let eval =
                (-3000..0).rev().find(|&eval| futile_score(&params(), &node(3, eval), depth, 0).is_some());
            let deeper = (-3000..0)
                .rev()
                .find(|&eval| futile_score(&params(), &node(3, eval), depth + 1, 0).is_some());
            assert!(eval > deeper, "depth {depth}");
        }
    }

    #[test]
    fn what_a_move_may_lose_grows_with_depth() {
        for depth in 1..params().see_depth() {
            assert!(quiet_see_margin(&params(), depth) <= quiet_see_margin(&params(), depth + 1));
            assert!(noisy_see_margin(&params(), depth, 0) < noisy_see_margin(&params(), depth + 1, 0));
        }
        assert_eq!(noisy_see_margin(&params(), params().see_depth() + 1, 0), None);
    }

    #[test]
    fn history_prunes_only_what_failed() {
        assert!(!is_history_pruned(&params(), 0, 1));
        assert!(is_history_pruned(&params(), -40_000, 1));
        assert!(!is_history_pruned(&params(), -40_000, params().history_prune_depth() + 1));
    }
}
