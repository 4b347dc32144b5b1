//! The static evaluation: the network's value, scaled toward a draw, contempt and optimism.

use super::params::{PLY, Params};
use super::{MAX_PLY, Score, see};
use crate::chess::{Color, Delta, FIFTY_MOVES, Position};
use crate::nnue::{Accumulators, Network};
use std::sync::Arc;

/// The static evaluation of a position for the side to move. The position must not be in check.
pub fn evaluate(position: &Position, network: &Network) -> Score {
    Score::from_units(network.evaluate(position))
}

/// Evaluates the positions of a line incrementally.
pub(super) struct Evaluator(Accumulators);

impl Evaluator {
    pub(super) fn new(network: &Arc<Network>) -> Self {
        Self(Accumulators::new(Arc::clone(network), MAX_PLY + 1))
    }

    /// Whether it evaluates with this network.
    pub(super) fn uses(&self, network: &Arc<Network>) -> bool {
        Arc::ptr_eq(self.0.network(), network)
    }

    /// Starts a new line at this position.
    pub(super) fn reset(&mut self, root: &Position) {
        self.0.reset(root);
    }

    /// Records that a move with this change led to `ply`.
    #[inline]
    pub(super) fn push(&mut self, ply: usize, delta: &Delta) {
        self.0.push(ply, delta);
    }

    /// The evaluation of the position at `ply` for the side to move. The position must not be in check.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize, position: &Position) -> Score {
        Score::from_units(self.0.evaluate(ply, position))
    }
}

/// A value added to every evaluation, so that draws, which score zero, look worse to one side and better to
/// the other. It is removed from reported scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contempt {
    for_white: i32,
}

impl Contempt {
    /// Contempt of this many search units for the side `root`.
    pub(super) const fn new(units: i32, root: Color) -> Self {
        Self { for_white: if matches!(root, Color::White) { units } else { -units } }
    }

    /// The value added to an evaluation for the side `turn`.
    #[inline]
    pub(super) const fn gain(self, turn: Color) -> i32 {
        if matches!(turn, Color::White) { self.for_white } else { -self.for_white }
    }
}

/// A value added to every evaluation, by which the side that is better off at the root prefers positions with
/// more play in them: the evaluations of its own turns grow, those of the opponent's turns fall, while draws
/// stay zero. It depends on the score of the iteration before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Optimism {
    for_white: i32,
}

impl Optimism {
    /// The optimism of the side `root` whose score was `score`.
    pub(super) const fn new(params: &Params, score: Score, root: Color) -> Self {
        let units = score.units();
        let units = params.optimism_limit() * units / (units.abs() + params.optimism_half());
        Self { for_white: if matches!(root, Color::White) { units } else { -units } }
    }

    /// The value added to an evaluation for the side `turn`.
    #[inline]
    pub(super) const fn gain(self, turn: Color) -> i32 {
        if matches!(turn, Color::White) { self.for_white } else { -self.for_white }
    }
}

/// The score without contempt, for reports: a draw becomes negative by the contempt, and decisive scores are
/// unchanged.
pub(super) fn without_contempt(score: Score, units: i32) -> Score {
    if score.is_decisive() || units == 0 { score } else { Score::from_units(score.units() - units) }
}

/// The scaling of evaluations toward a draw, in parts of [`PLY`]. By default there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Damping {
    /// The part that is lost at the 50-move draw.
    fifty: i32,
    /// The part that is lost without pieces.
    material: i32,
}

impl Damping {
    /// The damping of these parameters.
    pub(super) const fn new(params: &Params) -> Self {
        Self { fifty: params.eval_fifty(), material: params.eval_material() }
    }

    /// The evaluation scaled down as the halfmove clock approaches the 50-move draw and as `material`, the
    /// non-pawn material, decreases. In search units.
    #[inline]
    pub(super) fn scale(self, eval: Score, halfmove_clock: u16, material: i32) -> i32 {
        let clock = i32::from(halfmove_clock.min(FIFTY_MOVES));
        let gone = (PLY - PLY * material / see::INITIAL_NON_PAWN_MATERIAL).max(0);
        let kept =
            (PLY - self.fifty * clock / i32::from(FIFTY_MOVES)) * (PLY - self.material * gone / PLY) / PLY;
        eval.units() * kept / PLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Contempt

    #[test]
    fn what_one_side_gains_the_other_loses() {
        let contempt = Contempt::new(20, Color::Black);
        assert_eq!((contempt.gain(Color::White), contempt.gain(Color::Black)), (-20, 20));
        assert_eq!(Contempt::new(0, Color::White).gain(Color::Black), 0);
    }

    #[test]
    fn draws_are_reported_as_losses_and_mates_as_they_are() {
        assert_eq!(without_contempt(Score::DRAW, 20), Score::from_units(-20));
        assert_eq!(without_contempt(Score::from_units(70), 20), Score::from_units(50));
        assert_eq!(without_contempt(Score::mating(3), 20), Score::mating(3));
        assert_eq!(without_contempt(Score::mated(4), -20), Score::mated(4));
    }

    // Optimism

    #[test]
    fn who_is_better_off_is_optimistic_within_a_limit() {
        let params = Params::default();
        let gain = |units, turn| Optimism::new(&params, Score::from_units(units), Color::Black).gain(turn);
        assert_eq!(gain(0, Color::Black), 0);
        for units in [50, 500, 5_000] {
            let black = gain(units, Color::Black);
            assert!((1..=params.optimism_limit()).contains(&black), "{units}: {black}");
            assert_eq!(gain(units, Color::White), -black, "{units}");
            assert_eq!(gain(-units, Color::Black), -black, "{units}");
        }
        assert!(gain(50, Color::Black) < gain(500, Color::Black));
    }

    // Damping

    #[test]
    fn the_50_move_draw_casts_its_shadow() {
        let damping = Damping::new(&Params::default());
        let full = see::INITIAL_NON_PAWN_MATERIAL;
        for eval in [-29_000, -300, -1, 0, 1, 300, 29_000] {
            let at = |clock| damping.scale(Score::from_units(eval), clock, full);
            assert_eq!(at(0), eval);
            for clock in 0..FIFTY_MOVES {
                assert!(at(clock + 1).abs() <= at(clock).abs() && at(clock) * eval >= 0, "{eval} {clock}");
            }
            assert_eq!(at(u16::MAX), at(FIFTY_MOVES));
        }
        assert!(damping.scale(Score::from_units(300), FIFTY_MOVES, full) < 300);
    }

    #[test]
    fn few_pieces_decide_less() {
        let damping = Damping::new(&Params::default());
        for eval in [-29_000, -300, -1, 0, 1, 300, 29_000] {
            let with = |material| damping.scale(Score::from_units(eval), 0, material);
            assert_eq!(with(see::INITIAL_NON_PAWN_MATERIAL), eval);
            assert_eq!(with(2 * see::INITIAL_NON_PAWN_MATERIAL), eval, "promoted");
            for material in (0..see::INITIAL_NON_PAWN_MATERIAL).step_by(500) {
                assert!(with(material).abs() <= with(material + 500).abs() && with(material) * eval >= 0);
            }
        }
        assert!(damping.scale(Score::from_units(300), 0, 0) < 300);
    }

    #[test]
    fn without_damping_evaluations_are_those_of_the_network() {
        for eval in [-29_000, -300, -1, 0, 1, 300, 29_000] {
            assert_eq!(Damping::default().scale(Score::from_units(eval), FIFTY_MOVES, 0), eval);
        }
    }
}
