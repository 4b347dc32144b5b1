//! Singular extensions: the hash move is searched deeper if all other moves are much worse
//! (<https://www.chessprogramming.org/Singular_Extensions>).

use super::Score;
use super::params::Params;

/// The decision on the hash move after a search without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singular {
    /// Search the hash move this many plies deeper, or shallower if negative.
    Extend(i32),
    /// Multi-cut: another move also exceeds beta, so the node returns this score.
    MultiCut(Score),
}

/// The score that all other moves must stay below for the hash move, whose score is `score`, to be singular.
pub(super) fn singular_beta(params: &Params, score: Score, depth: i32, tt_pv: bool) -> Score {
    score - (params.singular_margin() + params.singular_tt_pv() * i32::from(tt_pv)) * depth / 100
}

/// The part of the depth that the search without the hash move has.
const SEARCH_DEPTH_DIVISOR: i32 = 2;

/// The depth of the search without the hash move at a node of this depth, in plies.
pub(super) fn search_depth(depth: i32) -> i32 {
    (depth - 1) / SEARCH_DEPTH_DIVISOR
}

/// The context of the hash move.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingularContext {
    /// The hash score.
    pub score: Score,
    /// The score that all other moves must stay below.
    pub singular_beta: Score,
    /// The upper bound of the window.
    pub beta: Score,
    /// Whether the node is a PV node.
    pub is_pv: bool,
    /// Whether a cutoff is expected at the node.
    pub cut_node: bool,
    /// Whether the move is neither a capture nor a promotion.
    pub is_quiet: bool,
}

/// The decision on the hash move if the best of the others scores `others`.
pub(super) fn singular_extension(params: &Params, context: &SingularContext, others: Score) -> Singular {
    let &SingularContext { score, singular_beta, beta, is_pv, cut_node, is_quiet } = context;
    if others < singular_beta {
        let in_pv = params.singular_pv() * i32::from(is_pv);
        let is_far_ahead = others < singular_beta - params.singular_double() - in_pv;
        let is_alone = is_quiet && others < singular_beta - params.singular_triple() - in_pv;
        Singular::Extend(1 + i32::from(is_far_ahead) + i32::from(is_far_ahead && is_alone))
    } else if singular_beta >= beta && !singular_beta.is_decisive() {
        Singular::MultiCut(singular_beta)
    } else if score >= beta {
        Singular::Extend(if is_pv { -2 } else { -3 })
    } else if cut_node {
        Singular::Extend(-2)
    } else {
        Singular::Extend(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNITS: fn(i32) -> Score = Score::from_units;

    fn params() -> Params {
        Params::default()
    }

    #[test]
    fn verdicts_on_the_hash_move() {
        let singular_beta = super::singular_beta(&params(), UNITS(50), 10, false);
        assert!(singular_beta < UNITS(50));
        assert!(
            super::singular_beta(&params(), UNITS(50), 10, true) <= singular_beta,
            "where a principal variation was"
        );
        let usual = SingularContext {
            score: UNITS(50),
            singular_beta,
            beta: UNITS(60),
            is_pv: false,
            cut_node: false,
            is_quiet: true,
        };
        let pv = SingularContext { is_pv: true, ..usual };
        let verdict = |context, others| singular_extension(&params(), &context, others);
        let ahead = singular_beta - params().singular_double() - 1;
        let far_ahead = singular_beta - params().singular_triple() - 1;
        let cases = [
            ("alone", verdict(pv, singular_beta - 1), Singular::Extend(1)),
            ("ahead", verdict(usual, ahead), Singular::Extend(2)),
            ("far ahead", verdict(usual, far_ahead), Singular::Extend(3)),
            (
                "a capture far ahead",
                verdict(SingularContext { is_quiet: false, ..usual }, far_ahead),
                Singular::Extend(2),
            ),
            ("ahead in the PV", verdict(pv, ahead), Singular::Extend(1)),
            (
                "others cut too",
                verdict(SingularContext { beta: singular_beta, ..usual }, singular_beta),
                Singular::MultiCut(singular_beta),
            ),
            (
                "it cuts",
                verdict(SingularContext { beta: UNITS(50), ..usual }, singular_beta),
                Singular::Extend(-3),
            ),
            (
                "it cuts in the PV",
                verdict(SingularContext { beta: UNITS(50), ..pv }, singular_beta),
                Singular::Extend(-2),
            ),
            (
                "one of several",
                verdict(SingularContext { cut_node: true, ..usual }, singular_beta),
                Singular::Extend(-2),
            ),
            ("elsewhere", verdict(usual, singular_beta), Singular::Extend(0)),
        ];
        for (name, verdict, expected) in cases {
            assert_eq!(verdict, expected, "{name}");
        }
    }
}
