//! Late move reductions: late moves are first searched with reduced depth
//! (<https://www.chessprogramming.org/Late_Move_Reductions>).
//!
//! All numbers are integers, so that every machine searches the same tree.

use super::Score;
use super::params::{PLY, Params};

/// The number of logarithms in the table.
const LOGARITHMS: usize = 256;
/// Fractional bits of a logarithm.
const POINT: u32 = 10;
/// The part of the reduction of a quiet move that a capture or promotion has.
const LMR_NOISY_DIVISOR: i32 = 2;

/// Binary logarithms, in 1024ths. The entry for 0 is 0.
static LOG2: [i32; LOGARITHMS] = {
    let mut table = [0; LOGARITHMS];
    let mut number = 1;
    while number < LOGARITHMS {
        table[number] = log2(number as u64);
        number += 1;
    }
    table
};

/// The binary logarithm in 1024ths, rounded down. Each squaring of the mantissa yields one bit.
const fn log2(number: u64) -> i32 {
    const ONE: u64 = 1 << 32;
    let whole = number.ilog2();
    let mut mantissa = (number << 32) >> whole;
    let mut result = whole as i32;
    let mut bit = 0;
    while bit < POINT {
        mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
        result *= 2;
        if mantissa >= 2 * ONE {
            mantissa /= 2;
            result += 1;
        }
        bit += 1;
    }
    result
}

/// The context of a move that may be reduced.
#[derive(Clone, Copy, Debug)]
pub(super) struct LmrContext {
    /// Plies left to search at the node.
    pub depth: i32,
    /// The number of the move, counted from 1.
    pub move_count: usize,
    /// Whether the move is neither a capture nor a promotion.
    pub is_quiet: bool,
    /// Whether the node is or was in a principal variation.
    pub tt_pv: bool,
    /// Whether the hash score is above alpha.
    pub is_hash_score_above_alpha: bool,
    /// Whether the depth of the hash entry is at least the depth of the node.
    pub is_hash_deep: bool,
    /// The width of the window, in 1024ths of the width at the root.
    pub delta: i32,
    /// Whether a cutoff is expected at the node.
    pub cut_node: bool,
    /// Whether the evaluation is improving.
    pub improving: bool,
    /// Whether the move is a killer.
    pub is_killer: bool,
    /// Whether the move gives check.
    pub gives_check: bool,
    /// Whether the hash move is a capture or promotion.
    pub is_hash_move_noisy: bool,
    /// The number of cutoffs after other moves of the node.
    pub cutoffs: u32,
    /// The history of the move.
    pub history: i32,
    /// Whether an earlier move has raised alpha.
    pub has_raised_alpha: bool,
    /// Whether there is a hash move.
    pub has_hash_move: bool,
}

/// The part of the reduction that depends only on depth and move number, in 1024ths of a ply.
pub(super) fn lmr_base(params: &Params, depth: i32, move_count: usize) -> i32 {
    let log = |number: usize| LOG2[number.min(LOGARITHMS - 1)];
    let product = (log(depth.max(0) as usize) * log(move_count)) >> POINT;
    params.lmr_base() + ((params.lmr_slope() * product) >> POINT)
}

/// The reduction of a move, in plies; none if it is negative.
pub(super) fn lmr(params: &Params, context: &LmrContext) -> i32 {
    let mut reduction = lmr_base(params, context.depth, context.move_count);
    if !context.is_quiet {
        reduction = reduction / LMR_NOISY_DIVISOR + params.lmr_noisy();
    }
    if context.tt_pv {
        reduction -= params.lmr_tt_pv()
            + params.lmr_tt_pv_above() * i32::from(context.is_hash_score_above_alpha)
            + params.lmr_tt_pv_deep() * i32::from(context.is_hash_deep);
    }
    reduction += params.lmr_delta() * context.delta / PLY;
    if context.has_raised_alpha {
        reduction += params.lmr_raised();
    }
    if !context.has_hash_move {
        reduction += params.lmr_no_hash();
    }
    if context.cut_node {
        reduction += params.lmr_cut() + params.lmr_cut_no_hash() * i32::from(!context.has_hash_move);
    }
    if !context.improving {
        reduction += params.lmr_not_improving();
    }
    if context.is_hash_move_noisy {
        reduction += params.lmr_hash_noisy();
    }
    if context.cutoffs > params.lmr_many_cutoffs() as u32 {
        reduction += params.lmr_cutoffs();
    }
    if context.is_killer {
        reduction -= params.lmr_killer();
    }
    if context.gives_check {
        reduction -= params.lmr_check();
    }
    let divisor = if context.is_quiet { params.lmr_history() } else { params.lmr_history_noisy() };
    reduction -= context.history * PLY / divisor;
    reduction / PLY
}

/// The change of the depth, in plies, for the full-depth search of a reduced move whose score exceeded
/// `best`: deeper if by a large margin, shallower if by a small one. `left` is the reduced depth.
pub(super) fn research_adjustment(params: &Params, score: Score, best: Score, left: i32) -> i32 {
    let surplus = score - best;
    i32::from(surplus > params.lmr_deeper() + 2 * left) - i32::from(surplus < params.lmr_shallower())
}

/// The change of the depth, in plies, of a node whose last move was reduced by `reduction` plies, based on
/// the drop of the evaluation for the side that moved: deeper if the move improved it, shallower if it made
/// it much worse.
pub(super) fn hindsight(params: &Params, reduction: i32, depth: i32, eval_drop: i32) -> i32 {
    if reduction >= params.hindsight_reduction() && eval_drop < 0 {
        1
    } else if reduction >= params.hindsight_reduction() - 1
        && depth > 1
        && eval_drop > params.hindsight_margin()
    {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: LmrContext = LmrContext {
        depth: 10,
        move_count: 12,
        is_quiet: true,
        tt_pv: false,
        is_hash_score_above_alpha: false,
        is_hash_deep: false,
        delta: 0,
        cut_node: false,
        improving: true,
        is_killer: false,
        gives_check: false,
        is_hash_move_noisy: false,
        cutoffs: 0,
        history: 0,
        has_raised_alpha: false,
        has_hash_move: true,
    };

    #[test]
    fn logarithms_are_those_of_the_books() {
        for (number, expected) in [(1, 0), (2, 1024), (3, 1623), (10, 3401), (64, 6 * 1024), (255, 8186)] {
            assert_eq!(LOG2[number], expected, "{number}");
        }
    }

    #[test]
    fn deeper_and_later_moves_are_reduced_more() {
        let params = Params::default();
        for depth in 1..127 {
            for move_count in 1..255 {
                let here = lmr_base(&params, depth, move_count);
                assert!(here <= lmr_base(&params, depth + 1, move_count), "{depth} {move_count}");
                assert!(here <= lmr_base(&params, depth, move_count + 1), "{depth} {move_count}");
                assert!(here < depth.max(2) * PLY * 3, "{depth} {move_count}");
            }
        }
    }

    #[test]
    fn promising_moves_are_reduced_less() {
        let params = Params::default();
        let usual = lmr(&params, &USUAL);
        let cases = [
            ("capture", LmrContext { is_quiet: false, ..USUAL }, true),
            ("principal variation", LmrContext { tt_pv: true, ..USUAL }, true),
            ("a deep entry there", LmrContext { tt_pv: true, is_hash_deep: true, ..USUAL }, true),
            ("killer", LmrContext { is_killer: true, ..USUAL }, true),
            ("check", LmrContext { gives_check: true, ..USUAL }, true),
            ("good history", LmrContext { history: 30_000, ..USUAL }, true),
            ("bad history", LmrContext { history: -30_000, ..USUAL }, false),
            ("cut node", LmrContext { cut_node: true, ..USUAL }, false),
            ("not improving", LmrContext { improving: false, ..USUAL }, false),
            ("a capture in the hash table", LmrContext { is_hash_move_noisy: true, ..USUAL }, false),
            ("a better move before it", LmrContext { has_raised_alpha: true, ..USUAL }, false),
            ("no hash move", LmrContext { has_hash_move: false, ..USUAL }, false),
            (
                "no hash move in a cut node",
                LmrContext { has_hash_move: false, cut_node: true, ..USUAL },
                false,
            ),
            ("others were cut off", LmrContext { cutoffs: 100, ..USUAL }, false),
        ];
        for (name, context, is_less) in cases {
            let reduction = lmr(&params, &context);
            assert!(if is_less { reduction <= usual } else { reduction >= usual }, "{name}");
        }
    }

    #[test]
    fn surprises_are_searched_deeper_again() {
        let params = Params::default();
        let best = Score::from_units(10);
        let by = |surplus| research_adjustment(&params, best + surplus, best, 5);
        assert_eq!(by(0), -1);
        assert_eq!(by(params.lmr_shallower()), 0);
        assert_eq!(by(1000), 1);
    }

    #[test]
    fn what_a_reduced_move_has_cost_corrects_the_depth() {
        let params = Params::default();
        let much = params.hindsight_reduction();
        let bad = params.hindsight_margin() + 1;
        assert_eq!(hindsight(&params, much, 5, -1), 1, "better than thought");
        assert_eq!(hindsight(&params, much - 1, 5, -1), 0, "hardly reduced");
        assert_eq!(hindsight(&params, much - 1, 5, bad), -1);
        assert_eq!(hindsight(&params, much, 5, bad - 1), 0, "not that bad");
        assert_eq!(hindsight(&params, much, 1, bad), 0, "no depth to spare");
        assert_eq!(hindsight(&params, 0, 5, bad), 0, "not reduced");
    }
}
