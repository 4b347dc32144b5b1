//! What a score means for the result of the game.

use crate::search::Score;
use crate::uci::WinDrawLoss;

/// The score at which half of the games are won, in centipawns: so scores are told.
const HALF_WON_CP: f64 = 100.0;
/// How much more it takes to win with 73 games what is won with 50, in centipawns: the scale of the logistic curve, fitted
/// with [`Score::told`].
const SCALE_CP: f64 = 48.0;

/// In UCI the three add up to this.
const WHOLE: u32 = 1000;

/// Chances of winning, drawing and losing with this score.
///
/// A logistic curve tells how often a score wins. The other side loses as often with it as this
/// one would win with its opposite, and the rest is draws.
pub(super) fn win_draw_loss(score: Score) -> WinDrawLoss {
    let (win, loss) = match score {
        score if score.is_win() => (WHOLE, 0),
        score if score.is_loss() => (0, WHOLE),
        score => (wins(f64::from(score.told())), wins(-f64::from(score.told()))),
    };
    WinDrawLoss { win, draw: WHOLE.saturating_sub(win + loss), loss }
}

/// How many of [`WHOLE`] games are won with so many centipawns.
fn wins(centipawns: f64) -> u32 {
    let share = 1.0 / (1.0 + ((HALF_WON_CP - centipawns) / SCALE_CP).exp());
    (share * f64::from(WHOLE)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_grow_and_mirror() {
        let mut before = 0;
        for centipawns in -3000..=3000 {
            let WinDrawLoss { win, draw, loss } = win_draw_loss(Score::from_told(centipawns));
            assert_eq!(win + draw + loss, WHOLE, "{centipawns}");
            assert!(win >= before, "{centipawns}");
            before = win;
            let mirrored = win_draw_loss(Score::from_told(-centipawns));
            assert_eq!((mirrored.win, mirrored.loss), (loss, win), "{centipawns}");
        }
        assert_eq!(before, WHOLE);
    }

    #[test]
    fn scores_have_their_chances() {
        let cases = [
            ("level", Score::DRAW, (111, 778, 111)),
            ("half won", Score::from_told(HALF_WON_CP as i32), (500, 485, 15)),
            ("all but won", Score::from_told(1000), (1000, 0, 0)),
            ("mate", Score::mating(9), (1000, 0, 0)),
            ("mated", Score::mated(9), (0, 0, 1000)),
        ];
        for (name, score, expected) in cases {
            let WinDrawLoss { win, draw, loss } = win_draw_loss(score);
            assert_eq!((win, draw, loss), expected, "{name}");
        }
    }
}
