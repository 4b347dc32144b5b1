//! Is the hash move the only good one? It is searched deeper if all others are much worse
//! (<https://www.chessprogramming.org/Singular_Extensions>).

use super::Score;
use super::params::Params;

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
pub(super) fn bound(params: &Params, score: Score, depth: i32, was_pv: bool) -> Score {
    score - (params.singular_margin() + params.singular_was_pv() * i32::from(was_pv)) * depth / 100
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
pub(super) fn judge(params: &Params, candidate: &Candidate, others: Score) -> Singular {
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

    fn params() -> Params {
        Params::default()
    }

    #[test]
    fn verdicts_on_the_hash_move() {
        let bound = super::bound(&params(), CP(50), 10, false);
        assert!(bound < CP(50));
        assert!(super::bound(&params(), CP(50), 10, true) <= bound, "where a principal variation was");
        let usual =
            Candidate { score: CP(50), bound, beta: CP(60), is_pv: false, is_cut: false, is_quiet: true };
        let pv = Candidate { is_pv: true, ..usual };
        let verdict = |candidate, others| judge(&params(), &candidate, others);
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
}
