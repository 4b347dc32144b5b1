//! Winning chances, and the judgement of a move by its loss of winning chances.
//!
//! The formulas are published by lichess (<https://lichess.org/page/accuracy>, and
//! <https://github.com/lichess-org/scalachess> with <https://github.com/lichess-org/lila>, `Advice`), so that
//! judgements mean the same. They are functions of scores alone, whatever their source.

use crate::chess::Color;
use crate::notation::pgn::{EvaluationScore, Nag};
use std::fmt;

/// The steepness of winning chances per centipawn, fitted by lichess to the results of games between players of
/// rating 2300 (<https://github.com/lichess-org/lila/pull/11148>).
const CHANCES_PER_CENTIPAWN: f64 = 0.00368208;

/// Scores are limited to this number of centipawns; a mate counts as this number.
pub(super) const MAX_CENTIPAWNS: i32 = 1000;

/// The minimum losses of winning chances for each judgement, on the scale from -1 to 1.
const LOSSES: [(f64, Judgement); 3] =
    [(0.3, Judgement::Blunder), (0.2, Judgement::Mistake), (0.1, Judgement::Inaccuracy)];

/// The bounds in centipawns for a softer judgement of a missed or allowed mate: the move has changed little if the side
/// is still this far ahead without its mate, or was this far behind before it was mated.
const HOPELESS_CENTIPAWNS: [(i32, Judgement); 2] = [(999, Judgement::Inaccuracy), (700, Judgement::Mistake)];

/// The judgement of a move that loses winning chances, the lightest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// The move loses some winning chances: `?!`.
    Inaccuracy,
    /// The move loses many winning chances: `?`.
    Mistake,
    /// The move loses most winning chances: `??`.
    Blunder,
}

impl Judgement {
    /// All judgements, the lightest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The judgement of a move between two scores, both from White's point of view; `None` if it loses less than an
    /// inaccuracy does. A move that keeps a mate but delays it is not judged.
    pub fn of_move(before: EvaluationScore, after: EvaluationScore, mover: Color) -> Option<Self> {
        use EvaluationScore::Centipawns;
        if let (Centipawns(_), Centipawns(_)) = (before, after) {
            let loss = seen_by(mover, winning_chances(before)) - seen_by(mover, winning_chances(after));
            return LOSSES.iter().find(|(least, _)| loss >= *least).map(|&(_, judgement)| judgement);
        }
        let centipawns = |score| match score {
            Centipawns(score) => seen_by_cp(mover, score),
            EvaluationScore::Mate(_) => 0,
        };
        // The margin, in centipawns, by which the game was decided apart from the mate.
        let decided = match mate_change(before, after, mover)? {
            MateChange::Allowed => -i64::from(centipawns(before)),
            MateChange::Missed => i64::from(centipawns(after)),
        };
        let lighter = HOPELESS_CENTIPAWNS.iter().find(|(bound, _)| decided > i64::from(*bound));
        Some(lighter.map_or(Self::Blunder, |&(_, judgement)| judgement))
    }

    /// The glyph of the judgement: `$6`, `$2` or `$4`.
    pub const fn nag(self) -> Nag {
        match self {
            Self::Inaccuracy => Nag::DUBIOUS_MOVE,
            Self::Mistake => Nag::MISTAKE,
            Self::Blunder => Nag::BLUNDER,
        }
    }

    /// The judgement with this glyph.
    pub fn from_nag(nag: Nag) -> Option<Self> {
        Self::ALL.into_iter().find(|judgement| judgement.nag() == nag)
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        })
    }
}

/// A change of a forced mate by a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateChange {
    /// The opponent has a forced mate after the move.
    Allowed,
    /// The mover no longer has the forced mate that it had.
    Missed,
}

/// The change of a forced mate by a move between two scores, both from White's point of view; `None` if there is none
/// to the mover's harm.
pub fn mate_change(before: EvaluationScore, after: EvaluationScore, mover: Color) -> Option<MateChange> {
    let mate = |score| match score {
        EvaluationScore::Mate(moves) => Some(is_good(mover, moves)),
        EvaluationScore::Centipawns(_) => None,
    };
    match (mate(before), mate(after)) {
        (Some(true), None | Some(false)) => Some(MateChange::Missed),
        (None, Some(false)) => Some(MateChange::Allowed),
        _ => None,
    }
}

/// Whether this side mates, for a number of moves to mate from White's point of view.
const fn is_good(side: Color, mate: i32) -> bool {
    match side {
        Color::White => mate > 0,
        Color::Black => mate < 0,
    }
}

/// White's winning chances, from -1 for a loss to 1 for a win; a mate counts as 10 pawns.
pub fn winning_chances(score: EvaluationScore) -> f64 {
    2.0 / (1.0 + (-CHANCES_PER_CENTIPAWN * f64::from(limited(score))).exp()) - 1.0
}

/// White's winning chances in percent, from 0 to 100.
pub fn win_percent(score: EvaluationScore) -> f64 {
    50.0 + 50.0 * winning_chances(score)
}

/// A score in centipawns, limited to 10 pawns; a mate counts as 10 pawns.
pub(super) fn limited(score: EvaluationScore) -> i32 {
    match score {
        EvaluationScore::Centipawns(score) => score.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        EvaluationScore::Mate(moves) if moves > 0 => MAX_CENTIPAWNS,
        EvaluationScore::Mate(_) => -MAX_CENTIPAWNS,
    }
}

/// Converts White's winning chances to the point of view of a side.
fn seen_by(side: Color, chances: f64) -> f64 {
    match side {
        Color::White => chances,
        Color::Black => -chances,
    }
}

/// Converts White's centipawns to the point of view of a side.
const fn seen_by_cp(side: Color, score: i32) -> i32 {
    match side {
        Color::White => score,
        Color::Black => score.saturating_neg(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EvaluationScore::{Centipawns, Mate};

    #[test]
    fn chances_are_the_published_ones() {
        let cases = [
            ("even", Centipawns(0), 50.0),
            ("a pawn", Centipawns(100), 59.10),
            ("three pawns behind", Centipawns(-300), 24.89),
            ("the most", Centipawns(1000), 97.54),
            ("more than that", Centipawns(i32::MAX), 97.54),
            ("less than that", Centipawns(i32::MIN), 2.46),
            ("mate", Mate(1), 97.54),
            ("mated", Mate(-30), 2.46),
        ];
        for (name, score, expected) in cases {
            let found = win_percent(score);
            assert!((found - expected).abs() < 0.01, "{name}: {found}");
        }
    }

    #[test]
    fn moves_are_judged() {
        use Judgement::{Blunder, Inaccuracy, Mistake};
        let cases = [
            ("nothing", Centipawns(15), Centipawns(-38), None),
            ("inaccuracy", Centipawns(0), Centipawns(-55), Some(Inaccuracy)),
            ("less than one", Centipawns(0), Centipawns(-54), None),
            ("mistake", Centipawns(0), Centipawns(-111), Some(Mistake)),
            ("blunder", Centipawns(0), Centipawns(-169), Some(Blunder)),
            ("won either way", Centipawns(900), Centipawns(700), None),
            ("a gain", Centipawns(0), Centipawns(300), None),
            ("mate allowed", Centipawns(-700), Mate(-3), Some(Blunder)),
            ("in a bad position", Centipawns(-701), Mate(-3), Some(Mistake)),
            ("in a hopeless one", Centipawns(-1000), Mate(-3), Some(Inaccuracy)),
            ("the worst number", Centipawns(i32::MIN), Mate(-3), Some(Inaccuracy)),
            ("mate missed", Mate(4), Centipawns(700), Some(Blunder)),
            ("but still good", Mate(4), Centipawns(701), Some(Mistake)),
            ("but still won", Mate(4), Centipawns(1000), Some(Inaccuracy)),
            ("mated instead", Mate(4), Mate(-2), Some(Blunder)),
            ("delayed", Mate(4), Mate(9), None),
            ("mated sooner", Mate(-9), Mate(-1), None),
            ("not mated any more", Mate(-9), Centipawns(0), None),
            ("mate found", Centipawns(0), Mate(3), None),
        ];
        let reversed = |score| match score {
            Centipawns(score) => Centipawns(i32::saturating_neg(score)),
            Mate(moves) => Mate(-moves),
        };
        for (name, before, after, expected) in cases {
            assert_eq!(Judgement::of_move(before, after, Color::White), expected, "{name}");
            let (before, after) = (reversed(before), reversed(after));
            assert_eq!(Judgement::of_move(before, after, Color::Black), expected, "{name}, by Black");
        }
    }

    #[test]
    fn glyphs_are_those_of_the_standard() {
        for (judgement, suffix) in Judgement::ALL.into_iter().zip(["?!", "?", "??"]) {
            assert_eq!(Nag::from_suffix(suffix.as_bytes()), Some(judgement.nag()));
            assert_eq!(Judgement::from_nag(judgement.nag()), Some(judgement));
        }
        assert_eq!(Judgement::from_nag(Nag::GOOD_MOVE), None);
    }
}
