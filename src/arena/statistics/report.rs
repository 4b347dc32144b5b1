//! The statistics of a match in the form that people know from other match runners.

use super::{Sprt, Tally};
use std::fmt;

/// The lines from `Elo:` to `LLR:`.
///
/// ```
/// use hematite::arena::statistics::{EloModel, Report, Sprt, Tally};
/// let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Normalized).ok();
/// let text = Report::new(&Tally::default(), sprt.as_ref()).to_string();
/// assert!(text.ends_with("LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 10.00]\n"));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Report<'a> {
    tally: &'a Tally,
    sprt: Option<&'a Sprt>,
    /// Is it known how many games were won, drawn and lost?
    has_games: bool,
}

impl<'a> Report<'a> {
    /// The report of these results, and of this test.
    pub const fn new(tally: &'a Tally, sprt: Option<&'a Sprt>) -> Self {
        Self { tally, sprt, has_games: true }
    }

    /// The same where only the pairs are known: two draws are worth as much as a win and a loss.
    pub const fn of_pairs(self) -> Self {
        Self { has_games: false, ..self }
    }
}

/// `part / whole`, and nothing of nothing is nothing.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if part == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { results, pairs } = self.tally;
        let estimate = self.tally.estimate();
        let is_paired = self.tally.is_paired();
        writeln!(f, "Elo: {}, nElo: {}", estimate.elo(), estimate.normalized_elo())?;
        let draws = if is_paired {
            share(pairs.counts[2], pairs.count())
        } else {
            share(results.draws, results.games())
        };
        write!(f, "LOS: {:.2} %, DrawRatio: {:.2} %", 100.0 * estimate.superiority(), 100.0 * draws)?;
        if is_paired {
            let [worst, bad, _, good, best] = pairs.counts;
            write!(f, ", PairsRatio: {:.2}", share(good + best, bad + worst))?;
        }
        write!(f, "\nGames: {}, ", results.games())?;
        if self.has_games {
            write!(f, "Wins: {}, Losses: {}, Draws: {}, ", results.wins, results.losses, results.draws)?;
        }
        writeln!(f, "Points: {:.1} ({:.2} %)", results.points(), 100.0 * estimate.score())?;
        if is_paired {
            write!(f, "Ptnml(0-2): {:?}", pairs.counts)?;
            if self.has_games {
                let drawn = pairs.counts[2].saturating_sub(pairs.split);
                write!(f, ", WL/DD Ratio: {:.2}", share(pairs.split, drawn))?;
            }
            writeln!(f)?;
        }
        if let Some(sprt) = self.sprt {
            let ratio = sprt.ratio(self.tally);
            writeln!(
                f,
                "LLR: {ratio:.2} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]",
                100.0 * sprt.progress(ratio),
                sprt.lower(),
                sprt.upper(),
                sprt.elo0(),
                sprt.elo1()
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::{EloModel, Pairs, Results};

    #[test]
    fn paired_games_with_a_test() {
        let results = Results { wins: 350, draws: 300, losses: 270 };
        let tally = Tally { results, pairs: Pairs { counts: [20, 90, 200, 120, 30], split: 80 } };
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Logistic).expect("a valid test");
        let text = Report::new(&tally, Some(&sprt)).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[2], "Games: 920, Wins: 350, Losses: 270, Draws: 300, Points: 500.0 (52.72 %)",
            "{text}"
        );
        assert_eq!(lines[3], "Ptnml(0-2): [20, 90, 200, 120, 30], WL/DD Ratio: 0.67");
        assert!(lines[0].starts_with("Elo: 18.90 +/- "), "{text}");
        assert!(lines[1].ends_with(", DrawRatio: 43.48 %, PairsRatio: 1.36"), "{text}");
        assert!(lines[4].ends_with("(-2.94, 2.94) [0.00, 10.00]"), "{text}");
        assert_eq!(lines.len(), 5);
        let text = Report::new(&tally, None).of_pairs().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "Games: 920, Points: 500.0 (52.72 %)", "{text}");
        assert_eq!(lines[3], "Ptnml(0-2): [20, 90, 200, 120, 30]");
    }

    #[test]
    fn single_games_have_no_pairs_to_show() {
        let tally = Tally { results: Results { wins: 3, draws: 5, losses: 2 }, pairs: Pairs::default() };
        let text = Report::new(&tally, None).to_string();
        assert!(text.contains("DrawRatio: 50.00 %\nGames: 10,"), "{text}");
        assert!(!text.contains("Ptnml") && !text.contains("LLR"), "{text}");
    }
}
