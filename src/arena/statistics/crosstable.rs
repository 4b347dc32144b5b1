//! Everybody against everybody.

use super::Tally;
use std::fmt::{self, Write as _};

/// The results of several players against one another, the best first.
#[derive(Clone, Debug)]
pub struct Crosstable {
    names: Vec<String>,
    /// `tallies[a][b]`: what `a` has scored against `b`.
    tallies: Vec<Vec<Tally>>,
}

impl Crosstable {
    /// A table of these players without any results.
    pub fn new(names: Vec<String>) -> Self {
        let row = vec![Tally::default(); names.len()];
        Self { tallies: vec![row; names.len()], names }
    }

    /// Adds what `first` has scored against `second`, both counted from 0 in the order of the
    /// names. Players that do not exist have scored nothing.
    pub fn add(&mut self, first: usize, second: usize, tally: Tally) {
        if let Some(cell) = self.tallies.get_mut(first).and_then(|row| row.get_mut(second)) {
            *cell += tally;
        }
        if let Some(cell) = self.tallies.get_mut(second).and_then(|row| row.get_mut(first)) {
            *cell += tally.reversed();
        }
    }

    /// All that a player has scored.
    pub fn total(&self, player: usize) -> Tally {
        let mut total = Tally::default();
        self.tallies.get(player).into_iter().flatten().for_each(|&tally| total += tally);
        total
    }

    /// What a player has scored against another.
    pub fn tally(&self, player: usize, opponent: usize) -> Tally {
        self.tallies.get(player).and_then(|row| row.get(opponent)).copied().unwrap_or_default()
    }

    /// The players, the one with the best score first; who comes first is first among equals.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.names.len()).collect();
        ranking.sort_by(|&a, &b| {
            let score = |player| self.total(player).estimate().score();
            score(b).total_cmp(&score(a))
        });
        ranking
    }
}

impl fmt::Display for Crosstable {
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
                100.0 * super::report::share(total.results.draws, total.results.games()),
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

    #[test]
    fn the_best_comes_first_and_both_sides_are_told() {
        let mut table = Crosstable::new(["weak", "strong", "unseen"].map(str::to_owned).to_vec());
        let mut tally = Tally::default();
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
        assert_eq!(table.total(0).pairs.counts, [1, 1, 0, 1, 0]);
    }
}
