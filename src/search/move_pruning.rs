//! May a move be left out before it is made? Only where something else is no loss already.

use super::params::{PLY, Params};
use super::pruning::Facts;
use super::{exchange, reduction};
use crate::chess::Role;

/// What a node knows of a move that it has not made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    /// Which move of the node it is, counted from 1.
    pub number: usize,
    /// Is it neither a capture nor a promotion?
    pub is_quiet: bool,
    /// What it captures.
    pub captured: Option<Role>,
    /// Does it promote a pawn?
    pub is_promotion: bool,
    /// Does the piece that it moves give check?
    pub gives_check: bool,
    /// What its histories say.
    pub history: i32,
}

/// What is to be done with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It is left out.
    Skip,
    /// It is left out, and with it all quiet moves that come after it.
    SkipQuiets,
    /// It is searched if it loses no more than so many centipawns by exchange; without a number whatever it loses.
    Search(Option<i32>),
}

/// What to do with a move at a node of this depth, whose facts are known where it is not in check.
pub(super) fn verdict(
    params: &Params,
    depth: i32,
    improving: bool,
    facts: Option<&Facts>,
    prospect: &Prospect,
) -> Verdict {
    let &Prospect { number, is_quiet, captured, is_promotion, gives_check, history } = prospect;
    let left = reduced_depth(params, depth, improving, prospect);
    if is_quiet {
        if number > late_move_limit(params, depth, improving) {
            return Verdict::SkipQuiets;
        }
        // A check may turn any position.
        if !gives_check {
            if facts.is_some_and(|facts| is_futile(params, facts, left, history)) {
                return Verdict::SkipQuiets;
            }
            if is_discredited(params, history, left) {
                return Verdict::Skip;
            }
        }
        return Verdict::Search(quiet_loss_limit(params, left));
    }
    if let (Some(facts), Some(role), false, false) = (facts, captured, is_promotion, gives_check)
        && is_futile_capture(params, facts, left, exchange::value(role), history)
    {
        return Verdict::Skip;
    }
    Verdict::Search(noisy_loss_limit(params, depth, history))
}

/// The depth that late move reductions would leave.
fn reduced_depth(params: &Params, depth: i32, improving: bool, prospect: &Prospect) -> i32 {
    let mut left = depth * PLY - reduction::base(params, depth, prospect.number);
    if prospect.is_quiet {
        left += prospect.history * params.prune_history() / PLY
            - params.prune_not_improving() * i32::from(!improving);
    }
    (left / PLY).max(0)
}

/// Late move pruning: the number of moves after which the remaining quiet ones are left out
/// (<https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>).
fn late_move_limit(params: &Params, depth: i32, improving: bool) -> usize {
    if depth > params.lmp_depth() {
        return usize::MAX;
    }
    let moves = params.lmp_base() + params.lmp_slope() * depth * depth / 100;
    (if improving { moves } else { moves / 2 }) as usize
}

/// Futility pruning: are quiet moves hopeless because the evaluation is too far below alpha?
/// `reduced_depth` is what late move reductions would leave, `history` that of the move
/// (<https://www.chessprogramming.org/Futility_Pruning>).
fn is_futile(params: &Params, facts: &Facts, reduced_depth: i32, history: i32) -> bool {
    let margin = params.futility_base() + params.futility_slope() * reduced_depth
        - params.futility_was_pv() * i32::from(facts.was_pv)
        + history * params.futility_history() / (PLY * 100);
    reduced_depth <= params.futility_depth()
        && !facts.alpha.is_decisive()
        && facts.eval + margin <= facts.alpha
}

/// Futility pruning: is a capture of this value hopeless?
fn is_futile_capture(
    params: &Params,
    facts: &Facts,
    reduced_depth: i32,
    captured: i32,
    history: i32,
) -> bool {
    let margin = params.futility_noisy_base() + params.futility_noisy_slope() * reduced_depth
        - params.futility_was_pv() * i32::from(facts.was_pv)
        + captured
        + history * params.futility_history() / (PLY * 100);
    reduced_depth <= params.futility_depth()
        && !facts.alpha.is_decisive()
        && facts.eval + margin <= facts.alpha
}

/// Pruning by history: has a quiet move failed too often elsewhere?
fn is_discredited(params: &Params, history: i32, reduced_depth: i32) -> bool {
    reduced_depth <= params.history_prune_depth()
        && history < -params.history_prune_slope() * reduced_depth.max(1)
}

/// Pruning by exchange: the most that a quiet move may lose, in centipawns; nothing bounds it
/// at high depths.
fn quiet_loss_limit(params: &Params, reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= params.exchange_depth())
        .then(|| params.exchange_quiet() * reduced_depth * reduced_depth)
}

/// Pruning by exchange: the most that a capture with this history may lose, in centipawns.
fn noisy_loss_limit(params: &Params, depth: i32, history: i32) -> Option<i32> {
    (depth <= params.exchange_depth()).then(|| {
        let limit = params.exchange_noisy() * depth + history * params.exchange_history() / PLY;
        limit.max(0)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Score;
    use super::*;

    const CP: fn(i32) -> Score = Score::centipawns;

    fn params() -> Params {
        Params::default()
    }

    fn facts(depth: i32, eval: i32) -> Facts {
        Facts { depth, eval: CP(eval), ..Facts::SAMPLE }
    }

    #[test]
    fn hopeless_moves_are_left_out_unless_they_give_check() {
        let quiet = Prospect {
            number: 2,
            is_quiet: true,
            captured: None,
            is_promotion: false,
            gives_check: false,
            history: 0,
        };
        let capture = Prospect { is_quiet: false, captured: Some(Role::Pawn), ..quiet };
        let (level, worse, lost) = (facts(3, 0), facts(3, -900), facts(3, -2000));
        let of = |facts, prospect| verdict(&params(), 3, true, facts, &prospect);
        let is_left_out = |verdict| !matches!(verdict, Verdict::Search(_));
        let cases = [
            ("level", of(Some(&level), quiet), false),
            ("lost", of(Some(&lost), quiet), true),
            ("in check nothing is known", of(None, quiet), false),
            ("a check", of(Some(&lost), Prospect { gives_check: true, ..quiet }), false),
            ("late", of(Some(&level), Prospect { number: 100, ..quiet }), true),
            ("no good elsewhere", of(Some(&level), Prospect { history: -60_000, ..quiet }), true),
            ("a capture", of(Some(&level), capture), false),
            ("a pawn does not help", of(Some(&lost), capture), true),
            ("a queen", of(Some(&worse), Prospect { captured: Some(Role::Queen), ..capture }), false),
            ("a check by a capture", of(Some(&lost), Prospect { gives_check: true, ..capture }), false),
            ("a late capture", of(Some(&level), Prospect { number: 100, ..capture }), false),
            ("a promotion", of(Some(&lost), Prospect { is_promotion: true, ..capture }), false),
        ];
        for (name, verdict, expected) in cases {
            assert_eq!(is_left_out(verdict), expected, "{name}: {verdict:?}");
        }
        assert_eq!(of(Some(&level), Prospect { number: 100, ..quiet }), Verdict::SkipQuiets);
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
}
