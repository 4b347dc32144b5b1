//! Reports of results: the lines that other match runners also print, and crosstables.

use super::{PairTally, Sprt};
use std::fmt::{self, Write as _};

/// The lines from `Elo:` to `LLR:`.
///
/// ```
/// use hematite::arena::statistics::{EloModel, Report, Sprt, PairTally};
/// let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Normalized).ok();
/// let text = Report::new(&PairTally::default(), sprt.as_ref()).to_string();
/// assert!(text.ends_with("LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 10.00]\n"));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Report<'a> {
    tally: &'a PairTally,
    sprt: Option<&'a Sprt>,
    /// Whether the numbers of games won, drawn and lost are known.
    has_games: bool,
}

impl<'a> Report<'a> {
    /// The report of these results, optionally with a test.
    pub const fn new(tally: &'a PairTally, sprt: Option<&'a Sprt>) -> Self {
        Self { tally, sprt, has_games: true }
    }

    /// The report if only the pairs are known: two draws are equivalent to a win and a loss.
    pub const fn of_pairs(self) -> Self {
        Self { has_games: false, ..self }
    }
}

/// The quotient `part / whole`; 0 if both are 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if part == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PairTally { results, pairs } = self.tally;
        let estimate = self.tally.estimate();
        let is_paired = self.tally.is_paired();
        writeln!(f, "Elo: {}, nElo: {}", estimate.elo(), estimate.normalized_elo())?;
        let draws = if is_paired {
            share(pairs.ptnml[2], pairs.count())
        } else {
            share(results.draws, results.games())
        };
        write!(f, "LOS: {:.2} %, DrawRatio: {:.2} %", 100.0 * estimate.los(), 100.0 * draws)?;
        if is_paired {
            let [worst, bad, _, good, best] = pairs.ptnml;
            write!(f, ", PairsRatio: {:.2}", share(good + best, bad + worst))?;
        }
        write!(f, "\nGames: {}, ", results.games())?;
        if self.has_games {
            write!(f, "Wins: {}, Losses: {}, Draws: {}, ", results.wins, results.losses, results.draws)?;
        }
        writeln!(f, "Points: {:.1} ({:.2} %)", results.points(), 100.0 * estimate.score())?;
        if is_paired {
            write!(f, "Ptnml(0-2): {:?}", pairs.ptnml)?;
            if self.has_games {
                let drawn = pairs.ptnml[2].saturating_sub(pairs.win_loss_pairs);
                write!(f, ", WL/DD Ratio: {:.2}", share(pairs.win_loss_pairs, drawn))?;
            }
            writeln!(f)?;
        }
        if let Some(sprt) = self.sprt {
            let ratio = sprt.llr(self.tally);
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

/// The results of several players against one another, the best first.
#[derive(Clone, Debug)]
pub struct MatchTable {
    names: Vec<String>,
    /// `tallies[a][b]` has the results of `a` against `b`.
    tallies: Vec<Vec<PairTally>>,
}

impl MatchTable {
    /// A table of these players without any results.
    pub fn new(names: Vec<String>) -> Self {
        let row = vec![PairTally::default(); names.len()];
        Self { tallies: vec![row; names.len()], names }
    }

    /// Adds the results of `first` against `second`, both counted from 0 in the order of the names. Players that do not
    /// exist are ignored.
    pub fn add(&mut self, first: usize, second: usize, tally: PairTally) {
        if let Some(cell) = self.tallies.get_mut(first).and_then(|row| row.get_mut(second)) {
            *cell += tally;
        }
        if let Some(cell) = self.tallies.get_mut(second).and_then(|row| row.get_mut(first)) {
            *cell += tally.reversed();
        }
    }

    /// All results of a player.
    pub fn total(&self, player: usize) -> PairTally {
        let mut total = PairTally::default();
        self.tallies.get(player).into_iter().flatten().for_each(|&tally| total += tally);
        total
    }

    /// The results of a player against another.
    pub fn tally(&self, player: usize, opponent: usize) -> PairTally {
        self.tallies.get(player).and_then(|row| row.get(opponent)).copied().unwrap_or_default()
    }

    /// The players, the one with the best score first; equal scores keep the order of the names.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.names.len()).collect();
        ranking.sort_by(|&a, &b| {
            let score = |player| self.total(player).estimate().score();
            score(b).total_cmp(&score(a))
        });
        ranking
    }
}

impl fmt::Display for MatchTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranking = self.ranking();
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("Name".len());
        let cell = |a: usize, b: usize| match self.tallies[a][b].results {
            _ if a == b => "-".to_owned(),
            results if results.games() == 0 => String::new(),
            results => format!("+{} ={} -{}", results.wins, results.draws, results.losses),
        };
        let column = |b: usize| (0..self.names.len()).map(|a| cell(a, b).len()).max().unwrap_or(0).max(2);
        let mut head = format!(
            "Rank {:<width$} {:>8} {:>7} {:>8} {:>7} {:>7} {:>8} {:>7}",
            "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
        );
        for (rank, &b) in ranking.iter().enumerate() {
            write!(head, "  {:>1$}", rank + 1, column(b))?;
        }
        writeln!(f, "{}", head.trim_end())?;
        for (rank, &a) in ranking.iter().enumerate() {
            let total = self.total(a);
            let estimate = total.estimate();
            let (elo, normalized) = (estimate.elo(), estimate.normalized_elo());
            let mut line = format!(
                "{:>4} {:<width$} {:>8.2} {:>7.2} {:>8.2} {:>7.2} {:>7} {:>7.2}% {:>6.1}%",
                rank + 1,
                self.names[a],
                elo.value,
                elo.error,
                normalized.value,
                normalized.error,
                total.results.games(),
                100.0 * estimate.score(),
                100.0 * share(total.results.draws, total.results.games()),
            );
            for &b in &ranking {
                write!(line, "  {:>1$}", cell(a, b), column(b))?;
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::GameScore::{Draw, Loss, Win};
    use crate::arena::statistics::{EloModel, Pairs, Results};

    // Reports

    #[test]
    fn paired_games_with_a_test() {
        let results = Results { wins: 350, draws: 300, losses: 270 };
        let tally = PairTally { results, pairs: Pairs { ptnml: [20, 90, 200, 120, 30], win_loss_pairs: 80 } };
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
        let tally = PairTally { results: Results { wins: 3, draws: 5, losses: 2 }, pairs: Pairs::default() };
        let text = Report::new(&tally, None).to_string();
        assert!(text.contains("DrawRatio: 50.00 %\nGames: 10,"), "{text}");
        assert!(!text.contains("Ptnml") && !text.contains("LLR"), "{text}");
    }

    // Crosstables

    #[test]
    fn the_best_comes_first_and_both_sides_are_shown() {
        let mut table = MatchTable::new(["weak", "strong", "unseen"].map(str::to_owned).to_vec());
        let mut tally = PairTally::default();
        tally.add_pair(Win, Win);
        tally.add_pair(Draw, Win);
        tally.add_pair(Loss, Draw);
        table.add(1, 0, tally);
        table.add(5, 0, tally);
        let text = table.to_string();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows.len(), 4, "{text}");
        assert_eq!((rows[1][1], rows[2][1], rows[3][1]), ("strong", "unseen", "weak"), "{text}");
        assert!(text.contains("+3 =2 -1") && text.contains("+1 =2 -3"), "{text}");
        assert_eq!(table.total(0).pairs.ptnml, [1, 1, 0, 1, 0]);
    }
}
